"""Ids, versions, hashes and scope keys (contract 1, 10, 12.17), beyond the worked vectors."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import pytest

from evidence.rules.errors import BadInput
from evidence.rules.identity import (
    claim_fingerprint,
    claim_key_hash,
    computed_version,
    content_hash,
    fact_source_id,
    record_id,
    scope_hash,
    scope_key,
    statement_fingerprint,
    valid_key,
    value_hash,
)
from evidence.rules.records import Claim, Reach, Scope, Source
from tests.rules.build import FACT


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def test_an_id_is_the_hash_of_source_and_version() -> None:
    assert record_id(Source("fact:ä", "1")) == "e-" + sha("fact:ä\x001")[:32]


def test_backend_text_keeps_the_hit_id_whatever_its_version() -> None:
    assert record_id(Source("backend:h:1", "7")) == "d-h:1"


@pytest.mark.parametrize(
    ("source", "code", "field"),
    [
        (Source("fact:a\0b", "1"), "invalid_text", "source.id"),
        (Source("fact:a", "1\0"), "invalid_text", "source.version"),
        (Source("fact:\ud800", "1"), "invalid_text", "source.id"),
        (Source("fact:a", "\udfff"), "invalid_text", "source.version"),
        (Source("backend:\0", "1"), "invalid_text", "source.id"),
        (Source("backend:", "1"), "invalid_value", "source.id"),
    ],
)
def test_a_name_that_could_be_read_two_ways_is_refused(source: Source, code: str, field: str) -> None:
    with pytest.raises(BadInput) as caught:
        record_id(source)
    assert (caught.value.code, caught.value.field) == (code, field)


@pytest.mark.parametrize(
    ("excerpt", "content", "summary", "hashed"),
    [
        ("an  excerpt\n", "content", "summary", "an excerpt"),
        ("", " the content ", "summary", "the content"),
        (" \n", "", "the\tsummary", "the summary"),
        ("", "", "", ""),
    ],
)
def test_a_computed_version_is_the_first_text_there_is(excerpt: str, content: str, summary: str, hashed: str) -> None:
    assert computed_version(excerpt=excerpt, content=content, summary=summary) == sha(hashed)


def test_no_claim_is_not_an_empty_claim() -> None:
    assert content_hash(replace(FACT, claim=None)) != content_hash(replace(FACT, claim=Claim("", "", "")))


def test_text_cannot_move_between_members() -> None:
    one = replace(FACT, summary="a b", excerpt="c")
    assert content_hash(one) != content_hash(replace(FACT, summary="a", excerpt="b c"))
    assert content_hash(one) != content_hash(replace(one, polarity="contradicts"))


@pytest.mark.parametrize(
    ("scope", "reach", "key"),
    [
        (Scope("ada", "public"), None, "public"),
        (Scope("ada", "public", project="kestrel"), None, "public@kestrel"),
        (Scope("bob", "shared", ("ada", "", "bob")), None, "agent:ada,agent:bob"),
        (Scope("ada", "private", ("bob",), "kestrel"), None, "agent:ada@kestrel"),
        (Scope("ada", "public"), Reach("Project", " Kestrel  App "), "public|project:kestrel app"),
        (Scope("ada", "public"), Reach("global", "everything"), "public|global"),
        (Scope("ada", "public"), Reach("", ""), "public"),
        (Scope("ada", "public"), Reach("project", ""), "public|project:"),
        (Scope("ada", "public"), Reach("", "kestrel"), "public|:kestrel"),
        (Scope("ada", "team"), None, "nobody:ada"),
        (Scope("a,agent:b@p|%", "private"), None, "agent:a%2Cagent%3Ab%40p%7C%25"),
    ],
)
def test_a_scope_key_says_where_a_claim_lives(scope: Scope, reach: Reach | None, key: str) -> None:
    assert scope_key(scope, reach) == key


def test_a_scope_hash_stands_for_the_key() -> None:
    scope, reach = Scope("ada", "shared", ("bob",)), Reach("project", "kestrel")
    assert scope_hash(scope, reach) == sha(scope_key(scope, reach))
    with pytest.raises(BadInput):
        scope_hash(Scope("\ud800", "private"), None)


@pytest.mark.parametrize(
    ("start", "key"),
    [
        ("2026-09-01T10:00:00+02:00", "2026-09-01T08:00:00Z"),
        ("2026-09-01 08:00Z", "2026-09-01T08:00:00Z"),
        ("in March", ""),
        (None, ""),
    ],
)
def test_one_instant_of_validity_has_one_key(start: str | None, key: str) -> None:
    assert valid_key(start) == key


def test_a_fact_is_named_after_what_it_claims_and_where() -> None:
    def named(**changes: object) -> str:
        parts = {"namespace": "default", "claim": Claim("CDN", "Plan", "x"), "statement": "", "scope_key": "public"}
        return fact_source_id(**(parts | changes))  # type: ignore[arg-type]

    assert named() == "fact:" + sha("default\0cdn\0plan\0public")[:32]
    assert named() == named(claim=Claim(" cdn ", "PLAN", "another value"), statement="ignored with a claim")
    assert named(claim=None, statement=" Two  Words") == "fact:" + sha("default\0two words\0public")[:32]
    assert len({named(), named(namespace="other"), named(scope_key="agent:ada"), named(claim=None)}) == 4


def test_hashes_see_the_normalised_claim() -> None:
    one, other = Claim("Lumen CDN", "Plan", "Team"), Claim("lumen  cdn", "plan", " team ")
    for hashed in (claim_key_hash, value_hash, claim_fingerprint):
        assert hashed(one) == hashed(other)
    assert claim_key_hash(one) == claim_key_hash(replace(one, value="free"))
    assert claim_fingerprint(one) != claim_fingerprint(replace(one, value="free"))
    assert statement_fingerprint("Stra\u00dfe  am See") == statement_fingerprint("STRASSE am see ")


def test_a_nul_cannot_pose_as_the_border_of_a_claim_key() -> None:
    with pytest.raises(BadInput, match=r"claim\.subject"):
        claim_key_hash(Claim("a\0b", "c", ""))
