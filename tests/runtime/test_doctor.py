"""The doctor names what is wrong and how to mend it; its exit status tells a script."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pytest_django.fixtures import Settings

from evidence.selectors.health import Level
from reviewapp.runtime import machine
from tests.runtime.desk import Desk


@pytest.fixture
def folder(tmp_path: Path, settings: Settings) -> Path:
    made = tmp_path / "data"
    made.mkdir(mode=0o700)
    settings.DATA_DIR = made
    return made


def test_before_the_first_start_it_fails_and_says_what_to_run(tmp_path: Path) -> None:
    done = Desk(tmp_path / "new").manage("doctor")
    assert done.returncode == 1
    assert "fail migrations" in done.stdout
    assert "-> Run: manage.py migrate" in done.stdout


def test_the_same_as_json(tmp_path: Path) -> None:
    done = Desk(tmp_path / "new").manage("doctor", "--json")
    told = json.loads(done.stdout)
    assert (done.returncode, told["ok"]) == (1, False)
    assert {"name", "level", "detail", "mend"} == set(told["findings"][0])
    silent = [finding["name"] for finding in told["findings"] if finding["level"] != "ok" and not finding["mend"]]
    assert silent == [], "whatever is wrong comes with a way to mend it"


def test_an_unreachable_database_is_a_finding_not_a_crash(tmp_path: Path) -> None:
    done = Desk(tmp_path / "new").manage("doctor", DATABASE_URL="postgres://u:hunter2@127.0.0.1:1/d")
    assert done.returncode == 1
    assert "fail database" in done.stdout
    assert "hunter2" not in done.stdout + done.stderr


def test_a_key_that_others_can_read_fails(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SECRET_KEY", raising=False)
    key = folder / "secret_key"
    assert machine.secret_key().level is Level.FAIL
    key.write_text("k")
    key.chmod(0o644)
    assert machine.secret_key().mend == f"Run: chmod 600 {key}"
    key.chmod(0o600)
    assert machine.secret_key().level is Level.OK


def test_a_folder_that_is_open_to_all_is_told(folder: Path) -> None:
    assert machine.data_dir().level is Level.OK
    folder.chmod(0o755)
    assert machine.data_dir().level is Level.WARN
    folder.rename(folder.with_name("gone"))
    assert machine.data_dir().level is Level.FAIL


def test_little_disk_is_told_before_it_hurts(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert machine.disk().level is Level.OK
    monkeypatch.setattr(machine, "LITTLE_DISK", 2**60)
    assert machine.disk().level is Level.WARN
    monkeypatch.setattr(machine, "NO_DISK", 2**60)
    assert machine.disk().level is Level.FAIL


def test_demo_accounts_do_not_belong_where_others_can_reach_them(folder: Path, settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["desk.example"]
    assert machine.demo().level is Level.OK
    (folder / "demo.json").write_text(json.dumps({"users": ["admin"], "password": "p"}))
    assert machine.demo().level is Level.WARN
    settings.ALLOWED_HOSTS = ["localhost"]
    assert machine.demo().level is Level.OK
