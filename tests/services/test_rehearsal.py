"""A rehearsal sees the data, leaves none and holds up nobody (services/rehearsal.py)."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from django.db import connection, transaction

from evidence.models import Agent
from evidence.services.rehearsal import on_a_copy


@pytest.fixture
def file_database(tmp_path: Path, transactional_db: None) -> Any:
    """The test's database as a file, since one in memory has nobody else to hold up."""
    if connection.vendor != "sqlite":
        pytest.skip("only SQLite has one writer")
    file = tmp_path / "db.sqlite3"
    target = sqlite3.connect(file)
    connection.ensure_connection()
    connection.connection.backup(target)
    target.close()
    real, link = connection.settings_dict, connection.connection
    connection.connection, connection.settings_dict = None, {**real, "NAME": str(file)}
    yield file
    connection.close()
    if connection.connection is not None:
        connection.connection.close()
    connection.connection, connection.settings_dict = link, real


def test_others_write_while_it_runs_and_nothing_of_it_stays(file_database: Path) -> None:
    Agent.objects.create(id="ada")
    with on_a_copy(), transaction.atomic():
        assert Agent.objects.filter(id="ada").exists()
        Agent.objects.create(id="rehearsed")
        other = sqlite3.connect(file_database, timeout=0)
        other.execute("UPDATE evidence_agent SET namespace = 'shop'")
        other.commit()
        other.close()
    assert list(Agent.objects.values_list("id", "namespace")) == [("ada", "shop")]
    assert not list(file_database.parent.glob("rehearsal-*"))


@pytest.mark.django_db
def test_in_a_transaction_it_is_the_database_itself() -> None:
    with transaction.atomic(), on_a_copy():
        Agent.objects.create(id="ada")
    assert Agent.objects.filter(id="ada").exists()
