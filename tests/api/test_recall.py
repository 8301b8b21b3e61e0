"""Recall over REST: what goes out, under which label; and the walls: what never does, nor its number."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from evidence.backends.port import BackendFailed, BackendHealth, Deadline, Search
from evidence.models import Evidence, Inquiry, Policy, RecallItem, RecallLog, Token
from evidence.rules.records import Claim
from evidence.rules.vocab import Access, InquiryKind, Review, State, Trust
from evidence.selectors.recall import ADVICE
from evidence.services import batching
from evidence.services.index_upkeep import rebuild_index
from evidence.services.indexing import sync_index
from tests.api.conftest import Door, refusal
from tests.builders import a_person, a_person_token, a_record, a_token

pytestmark = pytest.mark.postgres
DAY = timedelta(days=1)


def test_a_checked_fact_goes_out_verified_with_its_expiry(door: Door) -> None:
    checked = datetime.now(UTC) - DAY
    row = a_record("The kestrel deploys on Tuesdays.", check_at=checked)
    body = door.post("recall", {"query": "when does the kestrel deploy?"}).json()
    (found,) = body["results"]
    assert found["record"]["id"] == row.record_id
    assert found["record"]["content"] == "The kestrel deploys on Tuesdays."
    assert (found["label"], found["conflicts_with"], found["backend"]) == ("verified", [], "sql")
    assert datetime.fromisoformat(found["expires_at"]) == checked + 2 * DAY
    assert "advice" not in found
    assert body["sources"] == [{"backend": "sql", "status": "ok"}]
    assert body["grants"] == []


def test_a_stale_record_says_so(door: Door) -> None:
    a_record("The kestrel deploys on Tuesdays.", check_at=datetime.now(UTC) - 3 * DAY)
    (found,) = door.post("recall", {"query": "kestrel deploys"}).json()["results"]
    assert (found["label"], found["advice"]) == ("stale", ADVICE)


def told(door: Door, ask: dict[str, Any]) -> tuple[bytes, int]:
    """The bytes of an answer but for its receipt, which names the time, and how long that is."""
    answer = door.post("recall", ask)
    receipt: str = answer.json()["receipt"]
    return answer.content.replace(receipt.encode(), b""), len(receipt)


def test_nothing_found_is_no_evidence_and_no_error(door: Door) -> None:
    body = door.post("recall", {"query": "narwhal"}).json()
    assert body.pop("receipt").startswith("v1.")
    assert body == {"results": [], "sources": [{"backend": "sql", "status": "no_evidence"}], "grants": []}


HIDDEN: dict[str, dict[str, Any]] = {
    "private to another agent": {"scope_owner": "bob", "scope_access": Access.PRIVATE},
    "shared with others": {"scope_owner": "bob", "scope_access": Access.SHARED, "scope_shared_with": ["cyd"]},
    "of a project that the token has not": {"scope_access": Access.PUBLIC, "scope_project": "kestrel"},
    "own, of a project that the token has not": {"scope_access": Access.PRIVATE, "scope_project": "kestrel"},
    "held": {"review": Review.HELD},
    "rejected": {"review": Review.REJECTED},
    "external and unreviewed": {"trust": Trust.EXTERNAL},
    "superseded": {"state": State.SUPERSEDED},
    "revoked": {"state": State.REVOKED},
    "in another namespace": {"namespace": "elsewhere"},
}


@pytest.mark.parametrize("columns", HIDDEN.values(), ids=HIDDEN.keys())
@pytest.mark.parametrize("as_indexed", ["as it is", "as it once was"])
def test_what_may_not_be_shown_leaves_no_trace(door: Door, columns: dict[str, Any], as_indexed: str) -> None:
    """The second way is a stale index: the copy was made when anybody might read it, and only the gate stands in between."""
    empty = told(door, {"query": "kestrel deploys", "limit": 5})
    unknown = door.get("records/e-00000000000000000000000000000000").content
    if as_indexed == "as it is":
        row = a_record("The kestrel deploys on Tuesdays.", **columns)
    else:
        row = a_record("The kestrel deploys on Tuesdays.", namespace=columns.get("namespace", "default"))
        Evidence.objects.filter(pk=row.pk).update(**columns)
    assert told(door, {"query": "kestrel deploys", "limit": 5}) == empty
    answer = door.get(f"records/{row.record_id}")
    assert (answer.status_code, answer.content) == (404, unknown)


READABLE: dict[str, dict[str, Any]] = {
    "public": {"scope_owner": "bob"},
    "own and private": {"scope_access": Access.PRIVATE},
    "shared with the reader": {
        "scope_owner": "bob",
        "scope_access": Access.SHARED,
        "scope_shared_with": ["ada", "cyd"],
    },
    "external and approved": {"trust": Trust.EXTERNAL, "review": Review.APPROVED},
}


@pytest.mark.parametrize("columns", READABLE.values(), ids=READABLE.keys())
def test_what_may_be_shown_is(door: Door, columns: dict[str, Any]) -> None:
    row = a_record("The kestrel deploys on Tuesdays.", **columns)
    assert door.ids("kestrel deploys") == [row.record_id]
    answer = door.get(f"records/{row.record_id}").json()
    assert (answer["record"]["id"], answer["grants"]) == (row.record_id, [])


def test_a_project_of_the_token_opens_its_records(db: None) -> None:
    row = a_record("The kestrel deploys on Tuesdays.", scope_project="kestrel")
    assert Door(a_token("ada", projects=["kestrel"]).secret).ids("kestrel deploys") == [row.record_id]


def test_the_reader_is_the_token_and_nothing_in_the_body(door: Door) -> None:
    body = {"query": "kestrel", "reader": {"agent": "bob"}}
    assert refusal(door.post("recall", body)) == (422, "reserved")


def test_the_second_check_counts_when_the_index_is_behind(door: Door) -> None:
    row = a_record("The kestrel deploys on Tuesdays.")
    Evidence.objects.filter(pk=row.pk).update(source_version="2")
    assert door.ids("kestrel deploys") == []
    sync_index(record_pk=row.pk)
    assert door.ids("kestrel deploys") == [row.record_id]


def test_contradicting_records_name_each_other(door: Door) -> None:
    one = a_record("Deploy day is Tuesday.", claim=Claim("kestrel", "deploy day", "Tuesday"), scope_owner="bob")
    other = a_record(
        "Deploy day is Thursday.", claim=Claim("Kestrel", "deploy  day", "Thursday"), scope_access=Access.PRIVATE
    )
    found = door.post("recall", {"query": "deploy day"}).json()["results"]
    assert {each["record"]["id"]: each["conflicts_with"] for each in found} == {
        one.record_id: [other.record_id],
        other.record_id: [one.record_id],
    }


def an_open_question(current: Evidence, incoming: Evidence) -> Inquiry:
    return Inquiry.objects.create(
        kind=InquiryKind.CONFLICT, agent_id="ada", question="Which?", twin_key="0" * 64,
        current_record=current.record_id, incoming_record=incoming.record_id,
    )  # fmt: skip


def test_one_side_of_an_open_question_brings_the_other_past_filters_and_limit(door: Door) -> None:
    found = a_record("The kestrel deploys on Tuesdays.")
    other = a_record("Releases happen weekly.", kind="observation", has_check=False, check_at=None)
    a_record("The kestrel deploys with blue paint.")
    question = an_open_question(found, other)
    asked = {"kinds": ["fact"], "labels": ["verified"], "limit": 1}
    assert door.ids("deploys on tuesdays", **asked) == [found.record_id, other.record_id]
    question.status = "answered"
    question.save()
    assert door.ids("deploys on tuesdays", **asked) == [found.record_id]


@pytest.mark.parametrize("columns", [HIDDEN["held"], HIDDEN["private to another agent"]], ids=["held", "private"])
def test_the_other_side_passes_the_gate_too(door: Door, columns: dict[str, Any]) -> None:
    found = a_record("The kestrel deploys on Tuesdays.")
    an_open_question(found, a_record("Releases happen weekly.", **columns))
    assert door.ids("deploys on tuesdays") == [found.record_id]


def test_filters(door: Door) -> None:
    fact = a_record("kestrel one", claim=Claim("kestrel", "colour", "red"))
    article = a_record(
        "kestrel two", kind="article", source_id="wiki:ada/graph/kestrel", approval_by="rita",
        approval_at=datetime.now(UTC),
    )  # fmt: skip
    stale = a_record("kestrel three", check_at=datetime.now(UTC) - 9 * DAY)
    assert set(door.ids("kestrel")) == {fact.record_id, article.record_id, stale.record_id}
    assert door.ids("kestrel", kinds=["article"]) == [article.record_id]
    assert door.ids("kestrel", labels=["stale"]) == [stale.record_id]
    assert set(door.ids("kestrel", labels=["verified", "approved"])) == {fact.record_id, article.record_id}
    claim = {"subject": "KESTREL", "attribute": "colour"}
    assert door.ids("kestrel", claim=claim) == [fact.record_id]
    assert door.ids("", claim=claim) == [fact.record_id]
    assert len(door.ids("kestrel", limit=2)) == 2


def test_a_label_filter_reaches_past_the_first_hits(door: Door) -> None:
    """Labels are in no index: the one verified record must be found behind many stale ones."""
    wanted = a_record("kestrel kestrel deploys")
    for _ in range(120):
        a_record("kestrel deploys", check_at=datetime.now(UTC) - 9 * DAY)
    assert door.ids("kestrel deploys", labels=["verified"], limit=3) == [wanted.record_id]


class Broken:
    """A backend that never answers."""

    name = "broken"
    modes = frozenset({"lexical"})
    keeps_text_in_partition = False
    is_local = False

    def upsert(self, documents: Any, *, deadline: Deadline) -> None: ...

    def retrieve(self, search: Search, *, deadline: Deadline) -> Any:
        raise BackendFailed("no route to host 10.1.2.3")

    def delete(self, namespace: str, record_ids: Any, *, deadline: Deadline) -> None: ...

    def health(self, *, deadline: Deadline) -> BackendHealth:
        return BackendHealth(False, "broken")


def test_a_failing_backend_is_said_and_the_others_answer(door: Door, settings: Any) -> None:
    settings.MEMORY_BACKENDS = ("evidence.backends.sql.SqlBackend", f"{__name__}.Broken")
    row = a_record("The kestrel deploys on Tuesdays.")
    body = door.post("recall", {"query": "kestrel deploys"}).json()
    assert [found["record"]["id"] for found in body["results"]] == [row.record_id]
    assert body["sources"] == [
        {"backend": "sql", "status": "ok"},
        {"backend": "broken", "status": "failed", "reason": "this source gave no evidence"},
    ]
    assert door.post("recall", {"query": "kestrel", "backends": ["broken"]}).json()["results"] == []
    assert refusal(door.post("recall", {"query": "kestrel", "backends": ["nosuch"]})) == (422, "invalid_value")


def test_modes(door: Door) -> None:
    row = a_record("The kestrel deploys on Tuesdays.")
    assert door.ids("kestrel", mode="hybrid") == [row.record_id]
    body = door.post("recall", {"query": "kestrel", "mode": "semantic"}).json()
    assert body["results"] == []
    assert [source["status"] for source in body["sources"]] == ["failed"]


def test_a_recall_is_logged_a_moment_later_and_its_text_only_by_policy(door: Door) -> None:
    row = a_record("The kestrel deploys on Tuesdays.")
    door.ids("kestrel deploys")
    door.ids("narwhal")
    assert not RecallLog.objects.exists()  # the request itself writes nothing
    batching.flush_all()
    assert sorted(RecallLog.objects.values_list("results", "query_text", "agent")) == [(0, "", "ada"), (1, "", "ada")]
    (item,) = RecallItem.objects.all()
    assert (item.record_id, item.label, item.rank, item.namespace) == (row.record_id, "verified", 1, "default")
    assert Token.objects.get(agent="ada").last_used_at is not None
    Policy.objects.create(version=1, store_query_text=True)
    door.ids("kestrel deploys")
    batching.flush_all()
    assert RecallLog.objects.filter(query_text="kestrel deploys").count() == 1


def test_an_equal_query_has_an_equal_hash_that_is_no_bare_digest(door: Door) -> None:
    import hashlib

    door.ids("Kestrel  deploys")
    door.ids("kestrel deploys")
    batching.flush_all()
    (digest,) = set(RecallLog.objects.values_list("query_hash", flat=True))
    assert digest != hashlib.sha256(b"kestrel deploys").hexdigest()


def test_rights(db: None) -> None:
    filing_only = Door(a_token("ada", rights=["file"]).secret)
    assert refusal(filing_only.post("recall", {"query": "x"})) == (403, "right_missing")
    assert refusal(filing_only.get("records/e-1")) == (403, "right_missing")
    person = Door(a_person_token(a_person("rita")).secret)
    assert refusal(person.post("recall", {"query": "x"})) == (403, "right_missing")


def test_rebuilding_the_index_changes_no_answer(door: Door) -> None:
    a_record("The kestrel deploys on Tuesdays.")
    a_record("Hidden kestrel.", scope_owner="bob", scope_access=Access.PRIVATE)
    before = told(door, {"query": "kestrel"})
    from evidence.models import IndexEntry

    IndexEntry.objects.all().delete()
    assert door.ids("kestrel") == []
    (rebuilt,) = rebuild_index()
    assert (rebuilt.kept, rebuilt.removed) == (2, 0)
    assert told(door, {"query": "kestrel"}) == before
