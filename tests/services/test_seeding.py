"""The demo: that it fills an empty desk only, touches no account that was there, and where the logins go."""

from __future__ import annotations

import json
import stat
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.core.management import call_command

from evidence.models import Evidence, Membership, User
from evidence.services.seeding import AS_OF, USERS, seed
from tests.services.dumps import counts
from tests.services.test_seeded_desk import BACKLOG


@pytest.mark.django_db
def test_on_its_own_day_the_ids_are_those_of_the_file_and_accounts_that_were_there_are_not_touched() -> None:
    mine = User.objects.create_user("reviewer", password="my own password")
    with time_machine.travel(AS_OF, tick=False):
        assert seed().done is False
        made = seed(password="something else", force=True)
    written = [json.loads(line) for line in (BACKLOG / "facts.jsonl").read_text().splitlines()]
    facts = Evidence.objects.filter(kind="fact").values_list("record_id", flat=True)
    assert set(facts) == {fact["id"] for fact in written if fact["kind"] == "fact"}
    mine.refresh_from_db()
    assert mine.check_password("my own password")
    assert "reviewer" not in made.created
    assert not Membership.objects.filter(user=mine).exists()


@pytest.mark.django_db
def test_a_desk_that_holds_something_is_left_alone() -> None:
    User.objects.create_user("somebody")
    assert seed().done is False
    assert counts() == {"User": 1}


@pytest.mark.django_db
def test_the_command_writes_the_logins_for_the_operator_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.DATA_DIR = tmp_path
    monkeypatch.setenv("DEMO_PASSWORD", "a password of my own")
    call_command("seed", stdout=StringIO())
    file = tmp_path / "demo.json"
    logins = json.loads(file.read_text())
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert logins["users"] == list(USERS)
    assert User.objects.get(username="reviewer2").check_password(logins["password"])
    assert logins["password"] == "a password of my own"
    before = file.read_bytes()
    call_command("seed", stdout=StringIO())
    assert file.read_bytes() == before
