"""The database that tests and desk run on: its mode, its options, and triggers that come back after every flush."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.db import DatabaseError, connection, transaction

from evidence.models import Snapshot, triggers
from reviewapp.settings import database


@pytest.mark.skipif(connection.vendor != "sqlite", reason="about SQLite")
@pytest.mark.django_db(transaction=True)
def test_sqlite_is_a_file_in_wal_mode_and_begins_immediate() -> None:
    with connection.cursor() as cursor:
        assert cursor.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
        assert cursor.execute("PRAGMA foreign_keys").fetchone()[0] == 1
    assert Path(str(connection.settings_dict["NAME"])).is_file()
    with transaction.atomic(), pytest.raises(DatabaseError, match="locked"):
        _write_from_elsewhere(str(connection.settings_dict["NAME"]))


def _write_from_elsewhere(file: str) -> None:
    """Another connection, with no patience: the atomic block above holds the write lock though it wrote nothing."""
    import sqlite3

    other = sqlite3.connect(file, timeout=0, isolation_level=None)
    try:
        other.execute("BEGIN IMMEDIATE")
    except sqlite3.OperationalError as error:
        raise DatabaseError(str(error)) from error
    finally:
        other.close()


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("turn", ["first", "second"])
def test_append_only_triggers_are_there_in_every_transactional_test(turn: str) -> None:
    assert triggers.missing(connection) == []
    assert not Snapshot.objects.exists(), "the flush after the other turn must have emptied the table"
    snapshot = Snapshot.objects.create(salt=b"salt", body=turn)
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        snapshot.delete()


def test_sqlite_options_hold_for_a_url_too(tmp_path: Path) -> None:
    config = database.database(f"sqlite:///{tmp_path}/a%20b.sqlite3")
    assert config["NAME"] == f"{tmp_path}/a b.sqlite3"
    assert config["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert config["OPTIONS"]["timeout"] == 20


def test_postgres_keeps_connections_and_pools_only_when_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    url = "postgres://u:p@h:5433/d"
    plain = database.database(url)
    assert (plain["CONN_MAX_AGE"], plain["OPTIONS"]) == (600, {"connect_timeout": 5})
    monkeypatch.setenv("DATABASE_POOL", "8")
    pooled = database.database(url)
    assert (pooled["CONN_MAX_AGE"], pooled["OPTIONS"]["pool"]["max_size"]) == (0, 8)


@pytest.mark.postgres
def test_a_real_postgres_can_be_had(postgres_url: str) -> None:
    import psycopg

    with psycopg.connect(postgres_url) as link:
        assert link.execute("SELECT 1").fetchone() == (1,)
