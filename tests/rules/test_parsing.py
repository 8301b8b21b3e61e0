"""Mappings to records: lenient on words, strict on types, clear about the field (contract 11, 12.2, 12.3)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from evidence.rules.errors import BadInput
from evidence.rules.identity import computed_version, record_id
from evidence.rules.known_words import unknown_words
from evidence.rules.parsing import (
    candidate_from,
    evidence_from,
    hit_from,
    memory_record_from,
    reader_from,
    record_from,
    scope_from,
    source_from,
    tombstone_from,
)
from evidence.rules.records import (
    Approval,
    Candidate,
    Check,
    Claim,
    Hit,
    LinkedEvidence,
    MemoryRecord,
    Reach,
    Reader,
    Scope,
    Source,
    Tombstone,
    Validity,
)
from evidence.rules.rendering import record_as_dict
from evidence.rules.vocab import Layer, Polarity

PLAIN: dict[str, Any] = {"kind": "fact", "source": {"id": "fact:a", "version": "1"}}


def test_a_full_record_is_read_whole() -> None:
    full = {
        "id": "e-7", "kind": "article", "source": {"id": "wiki:ada/graph/a.md", "version": "v1"},
        "claim": {"subject": "s", "attribute": "a", "value": "v"}, "content": "c", "namespace": "lantern",
        "tags": ["x", "y"], "rule_type": "workflow", "layer": "L1", "reach": {"level": "project", "ref": "kestrel"},
        "valid": {"from": "2026-01-01T00:00:00Z", "until": None}, "event_at": "2026-09-01T08:00:00Z",
        "ingested_at": "2026-09-02T08:00:00Z",
        "check": {"at": "2026-09-01T08:00:00Z", "by": "ada", "method": "read", "confirmed_by": "rhea"},
        "volatility": "deploy", "ttl_days": 3,
        "scope": {"owner": "ada", "access": "shared", "shared_with": ["bob"], "project": "kestrel"},
        "trust": "external", "review": "approved",
        "approval": {"by": "rhea", "at": "2026-09-03T08:00:00Z", "proposal": "pp-1"}, "state": "superseded",
        "superseded_by": "e-8", "derived_from": ["e-1"], "trust_class": "user_correction", "durability": "project",
        "polarity": "qualifies", "summary": "m", "excerpt": "x", "redaction": "redacted",
    }  # fmt: skip
    record = record_from(full)
    assert record_as_dict(record) == full
    assert record.valid == Validity("2026-01-01T00:00:00Z", None)
    assert record.approval == Approval("rhea", "2026-09-03T08:00:00Z", "pp-1")
    assert record.reach == Reach("project", "kestrel")


def test_an_id_and_then_a_version_is_computed() -> None:
    assert record_from(PLAIN).id == record_id(Source("fact:a", "1"))
    versionless = record_from({"kind": "observation", "source": {"id": "session:a/t/file/1"}, "excerpt": "said  so"})
    version = computed_version(excerpt="said so", content="", summary="")
    assert versionless.source == Source("session:a/t/file/1", version)
    assert versionless.id == record_id(versionless.source)


def test_absent_and_null_members_are_what_nobody_said() -> None:
    names = ("claim", "tags", "check", "scope", "review", "approval", "state", "layer", "polarity", "ttl_days", "valid")
    assert record_from(PLAIN) == record_from(PLAIN | dict.fromkeys(names))
    record = record_from(PLAIN)
    assert (record.state, record.review, record.scope, record.namespace) == ("active", None, Scope(), "default")


def test_unknown_words_are_kept_and_unknown_members_ignored() -> None:
    record = record_from(PLAIN | {"state": "paused", "volatility": "weather", "shoe_size": 44, "nested": [[[]]]})
    assert (record.state, record.volatility) == ("paused", "weather")


def test_empty_names_are_none() -> None:
    record = record_from(PLAIN | {"scope": {"project": ""}, "check": {"confirmed_by": ""}, "reach": {"level": ""}})
    assert (record.scope.project, record.check, record.reach) == (None, Check(at=None), None)


@pytest.mark.parametrize("ttl", ["5", True, [1], {"days": 2}, None])
def test_an_odd_ttl_is_ignored(ttl: object) -> None:
    assert record_from(PLAIN | {"ttl_days": ttl}).ttl_days is None


@pytest.mark.parametrize(
    ("given", "kept"), [(1757754000, "1757754000"), ("on Friday", "on Friday"), (True, "True"), (None, None)]
)
def test_a_time_is_kept_as_it_came(given: object, kept: object) -> None:
    assert record_from(PLAIN | {"event_at": given}).event_at == kept


def test_a_datetime_is_a_time() -> None:
    at = datetime(2026, 9, 1, tzinfo=UTC)
    assert record_from(PLAIN | {"event_at": at}).event_at is at


@pytest.mark.parametrize(
    ("changes", "code", "field"),
    [
        ({"kind": None}, "invalid_value", "record.kind"),
        ({"source": None}, "invalid_value", "record.source"),
        ({"source": "fact:a"}, "invalid_value", "record.source"),
        ({"source": {"version": "1"}}, "invalid_value", "record.source.id"),
        ({"source": {"id": "fact:a", "version": 1}}, "invalid_value", "record.source.version"),
        ({"source": {"id": "fact:a\0", "version": "1"}}, "invalid_text", "record.source.id"),
        ({"content": 7}, "invalid_value", "record.content"),
        ({"content": "\ud800"}, "invalid_text", "record.content"),
        ({"content": "a\0b"}, "invalid_text", "record.content"),
        ({"tags": "one"}, "invalid_value", "record.tags"),
        ({"tags": ["ok", None]}, "invalid_value", "record.tags[1]"),
        ({"scope": ["ada"]}, "invalid_value", "record.scope"),
        ({"scope": {"shared_with": "bob"}}, "invalid_value", "record.scope.shared_with"),
        ({"check": {"at": ["now"]}}, "invalid_value", "record.check.at"),
        ({"check": "yes"}, "invalid_value", "record.check"),
        ({"claim": {"subject": "s"}}, "invalid_value", "record.claim.attribute"),
        ({"claim": {"subject": "s", "attribute": "a", "value": 3}}, "invalid_value", "record.claim.value"),
        ({"statement": 7}, "invalid_value", "record.statement"),
        ({"state": "acti\0ve"}, "invalid_text", "record.state"),
    ],
    ids=str,
)  # fmt: skip
def test_a_wrong_type_names_its_field(changes: dict[str, Any], code: str, field: str) -> None:
    with pytest.raises(BadInput) as caught:
        record_from(PLAIN | changes)
    assert (caught.value.code, caught.value.field) == (code, field)
    assert field in caught.value.detail


WORDS = (
    "kind", "state", "layer", "volatility", "trust", "review", "trust_class", "durability", "polarity", "redaction",
)  # fmt: skip


@pytest.mark.parametrize("value", [False, 0, 1.5, ["active"], {"word": "active"}], ids=str)
def test_what_is_no_text_is_an_unknown_word(value: object) -> None:
    for name in WORDS:
        assert unknown_words(record_from(PLAIN | {name: value})) == (name,)
    assert unknown_words(record_from(PLAIN | {"scope": {"access": value}})) == ("scope.access",)
    assert unknown_words(record_from(PLAIN | {"reach": {"level": value}})) == ("reach.level",)
    assert candidate_from({"statement": "s", "layer": value}).layer not in list(Layer)
    assert evidence_from({"id": "e-1", "polarity": value}).polarity not in list(Polarity)


def test_a_kind_and_a_state_cannot_be_empty_words() -> None:
    assert unknown_words(record_from(PLAIN | {"kind": "", "state": ""})) == ("kind", "state")


@pytest.mark.parametrize(
    ("given", "content"),
    [
        ({"statement": "said"}, "said"),
        ({"content": "", "statement": "said"}, "said"),
        ({"content": "text"}, "text"),
        ({"content": "same", "statement": "same"}, "same"),
        ({"content": "text", "statement": "said"}, "text\nsaid"),
    ],
    ids=str,
)
def test_a_statement_is_content_under_another_name(given: dict[str, str], content: str) -> None:
    assert record_from(PLAIN | given).content == content


def test_an_error_never_repeats_the_value() -> None:
    with pytest.raises(BadInput) as caught:
        record_from(PLAIN | {"content": ["top secret"]})
    assert "top secret" not in str(caught.value)


@pytest.mark.parametrize("read", [source_from, reader_from, record_from, candidate_from, hit_from, evidence_from])
@pytest.mark.parametrize("data", [None, "text", 3, ["list"]], ids=str)
def test_anything_but_an_object_is_refused(read: Callable[[object], object], data: object) -> None:
    with pytest.raises(BadInput):
        read(data)


def test_readers_and_scopes() -> None:
    assert reader_from({"agent": None}) == Reader("", ())
    assert reader_from({"agent": "ada", "projects": ["p"]}) == Reader("ada", ("p",))
    assert scope_from(None) == Scope()


def test_a_candidate_with_a_reach_given_as_scope() -> None:
    data = {
        "id": "c-1", "statement": "s", "profile": "p", "scope": {"level": "project", "ref": "kestrel"},
        "trust_class": "user_correction", "evidence_ids": ["e-1"], "supersedes": "m-1", "match_kind": "new",
        "check": {"at": "x"}, "threads": ["t"],
    }  # fmt: skip
    assert candidate_from(data) == Candidate(
        id="c-1", statement="s", profile="p", reach=Reach("project", "kestrel"), trust_class="user_correction",
        evidence_ids=("e-1",), supersedes=("m-1",), match_kind="new", check=Check("x"), threads=("t",),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("given", "kept"), [("m-1", ("m-1",)), (["m-1", "", "m-2"], ("m-1", "m-2")), ("", ()), (None, ())]
)
def test_supersedes_is_an_id_or_a_list(given: object, kept: tuple[str, ...]) -> None:
    assert candidate_from({"statement": "s", "supersedes": given}).supersedes == kept


def test_a_statement_may_be_empty_but_not_missing() -> None:
    assert candidate_from({"statement": ""}).statement == ""
    with pytest.raises(BadInput, match=r"candidate\.statement is required"):
        candidate_from({})


def test_the_other_shapes() -> None:
    assert memory_record_from({"id": "m-1", "statement": "s", "status": "revoked"}) == MemoryRecord(
        "m-1", "s", status="revoked"
    )
    assert evidence_from({"id": "e-1", "thread": "t", "agent": None}) == LinkedEvidence("e-1", thread="t")
    tombstone = {"record_id": "m-1", "claim": {"subject": "s", "attribute": "a", "value": "v"}}
    assert tombstone_from(tombstone) == Tombstone("m-1", claim=Claim("s", "a", "v"))


def test_hits_of_records_and_of_text() -> None:
    assert hit_from({"id": "e-1", "source_version": "1", "score": 1}) == Hit("e-1", "1", 1.0)
    assert hit_from({"id": "h", "derived": {}}) == Hit("h", "", 0.0, "", ())
    assert hit_from({"id": "h", "derived": {"content": "c", "from": ["e-1"]}}).derived_from == ("e-1",)


@pytest.mark.parametrize("score", ["0.5", True, 10**400, [1]], ids=["text", "flag", "huge", "list"])
def test_a_score_is_a_number(score: object) -> None:
    with pytest.raises(BadInput, match=r"hit\.score"):
        hit_from({"id": "h", "score": score})
