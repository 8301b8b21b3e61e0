"""Each way of tampering with the audit is found and named, by the desk and by the verifier that stands alone."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from evidence.models import AuditAnchor, ChainHead, Decision, DecisionTouch, Snapshot, triggers
from evidence.models.base import new_id
from evidence.rules.chain import Fault, link_digest
from evidence.rules.vocab import Action
from evidence.selectors.audit import Anchor, payload_of
from evidence.selectors.audit_export import exported, receipt_of
from evidence.services.audit_anchoring import LAST, as_line, sweep_anchors, write_anchor
from evidence.services.audit_keys import holds, public_keys, rotate_audit_key
from evidence.services.audit_verifying import read_anchors, verify_audit
from tests.services import make

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]
SCRIPT = Path(__file__).parents[2] / "tools" / "verify_audit.py"


@pytest.fixture
def chain() -> list[Decision]:
    """Five filings and rejections, anchored after the fourth pair."""
    who = make.reviewer()
    for number in range(5):
        if number == 4:
            sweep_anchors()
        held = make.proposal(statement=f"Host number {number} is called quail {number}.")
        make.act(held, who, Action.REJECT, reason_code="wrong", reason=f"because {number}")
    return list(Decision.objects.filter(namespace="default").order_by("seq"))


def rewritten(row: Decision, prev: str) -> str:
    """Store the row as if it followed `prev`, digest made anew; seals cannot be."""
    row.prev = prev
    row.digest = link_digest(prev, payload_of(row))
    row.save()
    return row.digest


def head(row: Decision | None, digest: str = "") -> None:
    seq = row.seq if row else 0
    ChainHead.objects.filter(namespace="default").update(seq=seq, digest=digest or (row.digest if row else "0" * 64))


def edit(rows: list[Decision]) -> None:
    Decision.objects.filter(pk=rows[2].pk).update(reason_code="other")


def edit_and_digest(rows: list[Decision]) -> None:
    rows[2].reason_code = "other"
    rewritten(rows[2], rows[2].prev)


def write_anew(rows: list[Decision]) -> None:
    rows[2].reason_code, digest = "other", rows[1].digest
    for row in rows[2:]:
        digest = rewritten(row, digest)
    head(rows[-1], digest)


def write_anew_without_seals(rows: list[Decision]) -> None:
    for row in rows:
        row.seal = ""
    rows[0].reason_code, digest = "other", "0" * 64
    for row in rows:
        digest = rewritten(row, digest)
    head(rows[-1], digest)


def delete(rows: list[Decision]) -> None:
    DecisionTouch.objects.filter(decision=rows[2]).delete()
    Decision.objects.filter(pk=rows[2].pk).delete()


def cut(rows: list[Decision]) -> None:
    DecisionTouch.objects.filter(decision__in=rows[3:]).delete()
    Decision.objects.filter(pk__in=[row.pk for row in rows[3:]]).delete()
    head(rows[2])


def empty(rows: list[Decision]) -> None:
    DecisionTouch.objects.all().delete()
    Decision.objects.all().delete()
    ChainHead.objects.all().delete()


def reorder(rows: list[Decision]) -> None:
    one, other = rows[1], rows[2]
    Decision.objects.filter(pk=one.pk).update(seq=900)
    Decision.objects.filter(pk=other.pk).update(seq=one.seq)
    Decision.objects.filter(pk=one.pk).update(seq=other.seq)


def append(rows: list[Decision]) -> None:
    last = rows[-1]
    forged = Decision.objects.get(pk=last.pk)
    forged.id, forged.seq, forged.target_id, forged.idempotency_key = new_id(), last.seq + 1, str(new_id()), None
    forged.touched, forged.prev = [], last.digest
    forged.digest = link_digest(forged.prev, payload_of(forged))
    forged.save(force_insert=True)
    head(forged)


def append_without_seal(rows: list[Decision]) -> None:
    append(rows)
    Decision.objects.filter(seq=rows[-1].seq + 1).update(seal="")


def edit_text(rows: list[Decision]) -> None:
    Snapshot.objects.filter(pk=rows[3].commitments["reason"]["snapshot"]).update(body="a nicer reason")


def lose_text(rows: list[Decision]) -> None:
    Snapshot.objects.filter(pk=rows[3].commitments["reason"]["snapshot"]).delete()


def empty_text(rows: list[Decision]) -> None:
    snapshot = rows[3].commitments["reason"]["snapshot"]
    Snapshot.objects.filter(pk=snapshot).update(body=None, salt=None, purged_at=timezone.now())


def edit_touch(rows: list[Decision]) -> None:
    DecisionTouch.objects.filter(decision=rows[2]).update(version=77)


def move_head(rows: list[Decision]) -> None:
    head(rows[3])


class Tampering(NamedTuple):
    do: Callable[[list[Decision]], None]
    fault: Fault
    # What the verifier sees in an export, where it can: heads and touches are not in one.
    exported: Fault | None


TAMPERED = [
    Tampering(edit, Fault.EDITED, Fault.EDITED),
    Tampering(edit_and_digest, Fault.WRONG_PLACE, Fault.WRONG_PLACE),
    Tampering(write_anew, Fault.FORGED, Fault.FORGED),
    Tampering(write_anew_without_seals, Fault.REWRITTEN, Fault.REWRITTEN),
    Tampering(delete, Fault.MISSING, Fault.MISSING),
    Tampering(cut, Fault.CUT, Fault.CUT),
    Tampering(empty, Fault.CUT, Fault.CUT),
    Tampering(reorder, Fault.WRONG_PLACE, Fault.WRONG_PLACE),
    Tampering(append, Fault.FORGED, Fault.FORGED),
    Tampering(append_without_seal, Fault.UNSEALED, Fault.UNSEALED),
    Tampering(edit_text, Fault.TEXT_EDITED, Fault.TEXT_EDITED),
    Tampering(lose_text, Fault.TEXT_GONE, None),
    Tampering(empty_text, Fault.PURGED, None),
    Tampering(edit_touch, Fault.TOUCH, None),
    Tampering(move_head, Fault.HEAD, None),
]


@pytest.mark.parametrize("tampering", TAMPERED, ids=lambda one: one.do.__name__)
def test_tampering_is_found_and_named(chain, tampering, tmp_path):
    anchors, keys = kept_outside(tmp_path)
    assert run(database_copy(tmp_path) or export_to(tmp_path), keys, anchors) == (0, [])
    triggers.drop(connection)
    tampering.do(chain)
    found = verify_audit(anchors=read_anchors(str(anchors)))
    assert tampering.fault in {fault.fault for fault in found.broken}
    if tampering.exported is not None:
        code, words = run(export_to(tmp_path), keys, anchors)
        assert (code, tampering.exported in words) == (1, True)
    if (copy := database_copy(tmp_path)) is not None:
        code, words = run(copy, keys, anchors)
        assert (code, words) == (1, [fault.fault for fault in found.broken])


def test_what_was_left_alone_holds_everywhere(chain, tmp_path):
    anchors, keys = kept_outside(tmp_path)
    assert verify_audit(anchors=read_anchors(str(anchors))).ok
    assert run(export_to(tmp_path), keys, anchors) == (0, [])
    assert len(anchors.read_text().splitlines()) == 1
    assert sweep_anchors() == 1  # links came after it
    assert sweep_anchors() == 0


def test_a_receipt_proves_a_decision_to_who_has_the_key(chain, tmp_path):
    _, keys = kept_outside(tmp_path)
    receipt = tmp_path / "receipt.json"
    receipt.write_text(json.dumps(receipt_of(chain[2])))
    assert run(receipt, keys) == (0, [])
    told = receipt_of(chain[2])
    told["payload"]["reason_code"] = "other"
    receipt.write_text(json.dumps(told))
    assert run(receipt, keys)[1] == ["edited_link"]
    other = tmp_path / "other.json"
    other.write_text(json.dumps({"keys": dict.fromkeys(public_keys(), "22" * 32)}))
    receipt.write_text(json.dumps(receipt_of(chain[2])))
    assert run(receipt, other)[1] == ["wrong_seal"]


def test_a_quick_look_reads_what_came_after_the_last_anchor(chain):
    assert verify_audit(quick=True).checked < verify_audit().checked
    triggers.drop(connection)
    edit_text(chain)  # before the anchor
    assert verify_audit(quick=True).ok
    assert not verify_audit().ok
    append(chain)
    assert [fault.fault for fault in verify_audit(quick=True).broken] == [Fault.FORGED]


def test_an_anchor_whose_seal_does_not_hold_is_no_place_to_begin(chain):
    triggers.drop(connection)
    edit(chain)
    AuditAnchor.objects.update(seal="")
    assert not verify_audit(quick=True).ok


def test_a_new_key_seals_from_now_on_and_the_old_one_goes_on_counting(chain, tmp_path):
    before = chain[0].seal.partition(":")[0]
    fresh = rotate_audit_key()
    held = make.proposal(statement="Host number 9 is called quail 9.")
    row = make.act(held, make.reviewer(), Action.REJECT, reason_code="wrong", reason="because").decision
    assert before != fresh == row.seal.partition(":")[0]
    assert set(public_keys()) >= {before, fresh}
    assert verify_audit().ok
    anchors, keys = kept_outside(tmp_path)
    assert run(export_to(tmp_path), keys, anchors) == (0, [])


def test_a_stretch_of_time_can_be_exported_and_verified(chain, tmp_path):
    file = tmp_path / "stretch.jsonl"
    with file.open("w") as stream:
        call_command("audit_export", "--from", chain[2].at.isoformat(), "--to", chain[4].at.isoformat(), stdout=stream)
    assert len(file.read_text().splitlines()) == 2 + 2
    assert run(file, kept_outside(tmp_path)[1]) == (0, [])


def kept_outside(folder: Path) -> tuple[Path, Path]:
    """Anchors and keys as an auditor keeps them: where whoever changes the desk cannot."""
    anchors, keys = folder / "anchors.jsonl", folder / "keys.json"
    anchors.write_text("".join(as_line(row) for row in AuditAnchor.objects.filter(namespace="default")))
    keys.write_text(json.dumps({"keys": {name: key.hex() for name, key in public_keys().items()}}))
    return anchors, keys


def export_to(folder: Path) -> Path:
    file = folder / "export.jsonl"
    file.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in exported("default", texts=True)))
    return file


def database_copy(folder: Path) -> Path | None:
    """The database as this test sees it, as a file of its own."""
    if connection.vendor != "sqlite":
        return None
    file = folder / "copy.sqlite3"
    file.unlink(missing_ok=True)
    copy = sqlite3.connect(file)
    with connection.cursor() as cursor:
        for table in ("decision", "decisiontouch", "snapshot", "chainhead"):
            cursor.execute(f"SELECT * FROM evidence_{table}")
            names = [column[0] for column in cursor.description]
            copy.execute(f"CREATE TABLE evidence_{table} ({', '.join(names)})")
            copy.executemany(f"INSERT INTO evidence_{table} VALUES ({','.join('?' * len(names))})", cursor.fetchall())
    copy.commit()
    copy.close()
    return file


def run(file: Path, keys: Path, anchors: Path | None = None) -> tuple[int, list[str]]:
    """Exit code and the words of the faults, in a process that has nothing but Python."""
    command = [sys.executable, "-I", "-S", str(SCRIPT), str(file), "--keys", str(keys)]
    done = subprocess.run(
        [*command, *(["--anchors", str(anchors)] if anchors else [])], capture_output=True, text=True, check=False
    )
    assert done.returncode in (0, 1), done.stderr
    found = [line.split()[2].rstrip(":") for line in done.stdout.splitlines() if line.startswith("BROKEN")]
    return done.returncode, found


def test_anchors_come_back_as_they_were_written(chain, tmp_path):
    anchors, _ = kept_outside(tmp_path)
    row = AuditAnchor.objects.get(namespace="default")
    assert read_anchors(str(anchors)) == [Anchor(row.namespace, row.seq, row.digest, row.seal)]
    assert row.at <= timezone.now()


def test_keys_of_the_environment_seal_with_the_first_and_verify_with_all(chain, tmp_path, settings):
    settings.DATA_DIR = tmp_path
    settings.AUDIT_KEYS = f"{'ab' * 32}"
    held = make.proposal(statement="Host number 8 is called quail 8.")
    make.act(held, make.reviewer(), Action.REJECT, reason_code="wrong", reason="because")
    (tmp_path / "audit-public-keys.json").unlink()  # as on another machine
    settings.AUDIT_KEYS = f"{'cd' * 32}, {'ab' * 32}"
    row = Decision.objects.filter(namespace="default").order_by("-seq").first()
    assert holds(row.seal, namespace="default", seq=row.seq, digest=row.digest, keys=public_keys())
    assert len(public_keys()) == 2


def test_an_anchor_is_written_once_also_behind_names_of_any_letters(chain, tmp_path, settings):
    settings.AUDIT_ANCHOR_FILE = str(tmp_path / "deep" / "anchors.jsonl")
    row = AuditAnchor.objects.get(namespace="default")
    row.namespace = "ßü漢" * 20
    line = as_line(row)
    file = Path(settings.AUDIT_ANCHOR_FILE)
    file.parent.mkdir()
    file.write_text("x" + line * (2 * LAST // len(line.encode())))  # the last stretch begins inside a letter
    before = file.stat().st_size
    for _ in range(2):
        write_anchor(str(row.pk))
    assert file.read_text().count(as_line(AuditAnchor.objects.get(pk=row.pk))) == 1
    assert file.stat().st_size > before
