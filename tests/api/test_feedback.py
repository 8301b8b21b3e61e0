"""Receipts of recalls, and what agents say with them (doors "Recall"). What the bridge gets wrong here is marked as such."""

from __future__ import annotations

import base64
import hashlib
import json
import threading
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from evidence.models import DeskMark, Evidence, Feedback, IndexEntry, Policy, RecallLog
from evidence.rules import receipts as rules
from evidence.rules.vocab import Right, Role
from evidence.selectors.feedback import most_said, said_of
from evidence.services import batching, receipt_keys, receipts
from tests.api.bodies import SECRET
from tests.api.conftest import Door, refusal
from tests.api.test_openapi import conforms
from tests.builders import a_person, a_record, a_token

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def data_dir(settings: Any, tmp_path: Path) -> Path:
    settings.DATA_DIR = tmp_path
    return tmp_path


@pytest.fixture
def record(door: Door) -> Evidence:
    return a_record()


def ask(door: Door, query: str = "kestrel") -> str:
    return door.post("recall", {"query": query}).json()["receipt"]  # type: ignore[no-any-return]


def say(door: Door, receipt: str, about: Any, **members: Any) -> Any:
    body = {"receipt": receipt, "record": about.record_id, "rank": 1, "outcome": "helpful"} | members
    return door.post("feedback", {name: one for name, one in body.items() if one is not None})


def fault(answer: Any) -> str:
    assert refusal(answer) == (422, "invalid_value"), answer.content
    assert answer.json()["field"] == "receipt"
    return answer.json()["fault"]  # type: ignore[no-any-return]


def test_a_text_query_gets_a_receipt_also_where_nothing_was_found(door: Door, record: Evidence) -> None:
    got, none = ask(door), ask(door, "walrus")
    said = [json.loads(base64.urlsafe_b64decode(one.split(".")[1] + "==")) for one in (got, none)]
    assert [one.split(".")[0] for one in (got, none)] == ["v1", "v1"]
    assert [len(one["shown"]) for one in said] == [1, 0]
    assert said[0]["shown"][0][:2] == [record.record_id, 1]
    assert "kestrel" not in json.dumps(said[0])
    by_claim = door.post("recall", {"query": "", "claim": {"subject": "kestrel", "attribute": "deploy day"}}).json()
    assert "receipt" not in by_claim
    assert fault(say(door, none, record)) == "member"


def test_only_its_hash_is_kept(door: Door, record: Evidence) -> None:
    receipt = ask(door)
    say(door, receipt, record)
    batching.flush_all()
    kept = RecallLog.objects.get()
    assert kept.receipt_hash == rules.token_hash(receipt)
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM evidence_recalllog, evidence_feedback")
        assert receipt not in str(cursor.fetchall())


def test_a_word_is_said_once_and_amended_by_other_words(door: Door, record: Evidence) -> None:
    schema = json.loads(Door().get("openapi.json").content)
    receipt = ask(door)
    vote = say(door, receipt, record)
    conforms(schema, "feedback", "post", vote)
    assert (vote.status_code, vote.json()["created"], vote.json()["grants"]) == (201, True, [])
    again = say(door, receipt, record)
    assert (again.status_code, again.json()) == (200, vote.json() | {"created": False})
    other = say(door, receipt, record, outcome="misleading", reason="Fridays now.")
    assert refusal(other) == (409, "version_conflict")
    assert other.json()["head"] == vote.json()["id"]
    amended = {"type": "correction", "outcome": "misleading", "reason": "Fridays now.", "supersedes": vote.json()["id"]}
    corrected = say(door, receipt, record, **amended)
    assert corrected.status_code == 201
    assert say(door, receipt, record, **amended).json()["created"] is False  # sent again
    late = say(door, receipt, record, type="correction", outcome="outdated", reason="x", supersedes=vote.json()["id"])
    assert refusal(late) == (409, "version_conflict")
    assert said_of(record).misleading == 1
    gone = say(door, receipt, record, type="retraction", outcome=None, supersedes=corrected.json()["id"])
    assert (gone.status_code, said_of(record).any) == (201, False)
    twice = say(door, receipt, record, type="retraction", outcome=None, supersedes=gone.json()["id"])
    assert refusal(twice) == (409, "closed")
    back = say(door, receipt, record, type="correction", supersedes=gone.json()["id"])
    assert (back.status_code, said_of(record).helpful) == (201, 1)
    assert Feedback.objects.count() == 4


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ({"outcome": None}, (422, "invalid_value")),
        ({"outcome": "great"}, (422, "invalid_value")),
        ({"outcome": "misleading"}, (422, "reason_required")),
        ({"outcome": "outdated", "reason": "  "}, (422, "reason_required")),
        ({"reason": "x" * 281}, (413, "too_large")),
        ({"reason": SECRET}, (422, "secret_detected")),
        ({"type": "correction"}, (422, "invalid_value")),
        ({"supersedes": "0190aaaa-0000-7000-8000-000000000000"}, (422, "invalid_value")),
        ({"type": "retraction", "supersedes": "0190aaaa-0000-7000-8000-000000000000"}, (422, "invalid_value")),
        ({"supersedes": "that one"}, (422, "invalid_value")),
        ({"rank": 0}, (422, "invalid_value")),
        ({"record": None}, (422, "invalid_value")),
        ({"agent": "bob"}, (422, "reserved")),
    ],
)
def test_what_is_missing_or_wrong(
    door: Door, record: Evidence, members: dict[str, Any], expected: tuple[int, str]
) -> None:
    assert refusal(say(door, ask(door), record, **members)) == expected
    assert not Feedback.objects.exists()


def test_a_receipt_that_does_not_hold_says_what_is_wrong_with_it(door: Door, record: Evidence) -> None:
    receipt = ask(door)
    version, payload, signature = receipt.split(".")
    assert fault(say(door, "v1.x", record)) == "form"
    assert fault(say(door, f"v2.{payload}.{signature}", record)) == "form"
    assert (
        fault(say(door, f"{version}.{payload}.{signature[:-1]}B", record)) == "form"
    )  # the same bytes, otherwise written
    assert fault(say(door, f"{version}.{payload}.{signature}A", record)) == "signature"
    said = json.loads(base64.urlsafe_b64decode(payload + "=="))
    for change, expected in (({"shown": []}, "signature"), ({"key": "kother"}, "key"), ({"more": 1}, "form")):
        forged = base64.urlsafe_b64encode(json.dumps(said | change).encode()).rstrip(b"=").decode()
        assert fault(say(door, f"{version}.{forged}.{signature}", record)) == expected
    assert fault(say(door, receipt, record, rank=2)) == "member"
    elsewhere = Door(a_token("eve", namespace="elsewhere", rights=list(Right)).secret)
    assert fault(say(elsewhere, receipt, record)) == "namespace"
    Evidence.objects.filter(pk=record.pk).update(content="Something else.")
    assert fault(say(door, receipt, record)) == "content"


def test_faults_are_looked_for_in_their_order(record: Evidence) -> None:
    """All of it is wrong at first; each thing that is mended brings the next one out."""
    token, now = a_token("ada").token, timezone.now()
    keys, mark = receipt_keys.receipt_keys(), receipts.mark_of_desk()
    wrong = {
        "instance": ("x", mark.instance), "namespace": ("x", "default"), "expires": (now, now + rules.LIFE),
        "epoch": ("x", mark.epoch), "shown": ((), (rules.Exposed(record.record_id, 1, "x"),)),
    }  # fmt: skip
    members = {name: bad for name, (bad, _) in wrong.items()}
    found = []
    for name, (_, good) in [("none", ("", "")), *wrong.items()]:
        members |= {name: good} if name in wrong else {}
        text = rules.mint(
            rules.Receipt(key=keys.current, query="q", mode="lexical", issued=now, **members), keys.by_id[keys.current]
        )
        with pytest.raises(receipts.Refused) as refused:
            receipts.look_at(token, text, record_id=record.record_id, rank=1, now=now)
        found.append(refused.value.extra["fault"])
    assert found == ["instance", "namespace", "expired", "epoch", "member", "content"]


def test_it_expires_and_a_restore_ends_it(door: Door, record: Evidence, monkeypatch: pytest.MonkeyPatch) -> None:
    receipt, token = ask(door), a_token("ada").token
    later = timezone.now() + timedelta(minutes=16)
    with pytest.raises(receipts.Refused) as refused:
        receipts.look_at(token, receipt, record_id=record.record_id, rank=1, now=later)
    assert refused.value.extra["fault"] == "expired"
    call_command("receipts", "--new-epoch")
    assert fault(say(door, receipt, record)) == "epoch"
    assert say(door, ask(door), record).status_code == 201
    assert DeskMark.objects.count() == 1


def test_the_key_is_its_owners_file_and_can_be_rotated(door: Door, record: Evidence, data_dir: Path) -> None:
    receipt = ask(door)
    file = data_dir / receipt_keys.FILE
    assert file.stat().st_mode & 0o777 == 0o600
    file.chmod(0o644)
    call_command("receipts", "--rotate-key")
    assert file.stat().st_mode & 0o777 == 0o600
    assert say(door, receipt, record).status_code == 201  # an older key goes on counting
    fresh = ask(door)
    assert fresh.split(".")[1] != receipt.split(".")[1]
    for _ in range(receipt_keys.KEPT):
        call_command("receipts", "--rotate-key")
    assert fault(say(door, receipt, record, rank=1)) == "key"
    assert len(json.loads(file.read_text())["keys"]) == receipt_keys.KEPT
    assert not [one.name for one in data_dir.iterdir() if one.name.startswith(".")]  # no draft is left behind


def test_the_key_can_come_from_the_environment(door: Door, record: Evidence, data_dir: Path, settings: Any) -> None:
    settings.RECEIPT_KEYS = f"new:{'ab' * 32}, old:{'cd' * 32}"
    assert say(door, ask(door), record).status_code == 201
    assert not (data_dir / receipt_keys.FILE).exists()
    with pytest.raises(CommandError):
        call_command("receipts", "--rotate-key")
    settings.RECEIPT_KEYS = "new:short"
    with pytest.raises(CommandError, match="RECEIPT_KEYS"):
        call_command("receipts")
    assert "receipt" not in door.post("recall", {"query": "kestrel"}).json()  # the answer goes out all the same


def test_nothing_follows_from_it(door: Door, record: Evidence) -> None:
    a_record("The kestrel is red.")
    before = door.post("recall", {"query": "kestrel"}).json()
    rows = _everything()
    for rank, found in enumerate(before["results"], start=1):
        one = Evidence.objects.get(record_id=found["record"]["id"])
        answer = say(door, before["receipt"], one, rank=rank, outcome="misleading", reason="No.")
        assert answer.status_code == 201
    after = door.post("recall", {"query": "kestrel"}).json()
    assert after["results"] == before["results"]
    assert _everything() == rows


def _everything() -> str:
    kept = [list(model.objects.order_by("pk").values()) for model in (Evidence, IndexEntry, Policy)]
    return hashlib.sha256(repr(kept).encode()).hexdigest()


def test_the_database_holds_it_append_only(door: Door, record: Evidence) -> None:
    say(door, ask(door), record)
    row = Feedback.objects.get()
    for change in (
        lambda: Feedback.objects.update(outcome="misleading"),
        lambda: Feedback.objects.all().delete(),
        lambda: Feedback.objects.filter(pk=row.pk).update(reason="x"),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            change()
    with pytest.raises(IntegrityError), transaction.atomic():
        Feedback.objects.create(
            namespace="default", agent="ada", subject=row.subject, receipt_hash="x", record_id="e", content_version="x",
            query_hash="q", mode="lexical", rank=1, type="vote", outcome="helpful",
        )  # fmt: skip
    assert Feedback.objects.get().outcome == "helpful"


def test_people_see_what_was_said_as_far_as_they_see_the_agents(door: Door, record: Evidence) -> None:
    say(door, ask(door), record, outcome="misleading", reason="No.")
    since = timezone.now() - timedelta(days=1)
    everywhere = a_person("aud", Role.AUDITOR)
    (one,) = most_said(everywhere, since)
    assert (one.row.record_id, one.said.misleading) == (record.record_id, 1)
    assert most_said(a_person("nobody"), since) == []


@pytest.mark.bridge_defect
def test_a_word_can_be_amended_when_other_results_came_since(door: Door, record: Evidence) -> None:
    """Defect 17: feedback could be amended only while the same query still gave the same results."""
    vote = say(door, ask(door), record).json()
    a_record("The kestrel is red, the kestrel is fast.")
    fresh = door.post("recall", {"query": "kestrel"}).json()
    rank = [found["record"]["id"] for found in fresh["results"]].index(record.record_id) + 1
    assert len(fresh["results"]) == 2
    amended = say(
        door, fresh["receipt"], record, rank=rank, type="correction", outcome="not_used", supersedes=vote["id"]
    )
    assert amended.status_code == 201
    assert Feedback.objects.heads().count() == 1


@pytest.mark.bridge_defect
def test_a_word_can_be_taken_back_when_the_record_says_something_else_by_now(door: Door, record: Evidence) -> None:
    """Defect 17 too: an edit of the record, or a restore, locked the old word in."""
    receipt = ask(door)
    vote = say(door, receipt, record).json()
    Evidence.objects.filter(pk=record.pk).update(content="Something else.")
    receipts.rotate_epoch()
    gone = say(door, receipt, record, type="retraction", outcome=None, supersedes=vote["id"])
    assert gone.status_code == 201
    assert not said_of(record).any


@pytest.mark.bridge_defect
def test_one_agents_word_is_not_anothers(door: Door, stranger: Door, record: Evidence) -> None:
    """The bridge did not know who spoke: whoever asked the same shared one vote."""
    mine = say(door, ask(door), record).json()
    theirs = say(stranger, ask(stranger), record, outcome="misleading", reason="No.")
    assert theirs.status_code == 201
    foreign = say(stranger, ask(stranger), record, type="retraction", outcome=None, supersedes=mine["id"])
    assert refusal(foreign) == (422, "invalid_value")
    assert (said_of(record).helpful, said_of(record).misleading) == (1, 1)


@pytest.mark.bridge_defect
def test_what_the_agent_may_not_read_any_more_is_as_gone(door: Door, stranger: Door, record: Evidence) -> None:
    """A receipt of somebody else's recall opens nothing: access is looked at anew, whoever holds it."""
    receipt = ask(door)
    Evidence.objects.filter(pk=record.pk).update(scope_access="private")
    assert fault(say(stranger, receipt, record)) == "content"
    assert say(door, receipt, record).status_code == 201


@pytest.mark.races
@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_eight_threads_with_one_word_say_it_once() -> None:
    record, secret = a_record(), a_token("ada").secret
    receipt, answers, start = ask(Door(secret)), [], threading.Barrier(8)

    def send(outcome: str) -> None:
        try:
            start.wait()
            answers.append(say(Door(secret), receipt, record, outcome=outcome))
        finally:
            connection.close()

    threads = [threading.Thread(target=send, args=("helpful" if number % 2 else "not_used",)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answer.status_code for answer in answers) == [200, 200, 200, 201, 409, 409, 409, 409]
    assert Feedback.objects.count() == 1
