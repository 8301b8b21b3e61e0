"""What holds of every computed name and normalised text (contract 1, 10, 12.17), and of a record shown and read back."""

from __future__ import annotations

import unicodedata
from dataclasses import replace

from hypothesis import example, given, settings
from hypothesis import strategies as st

from evidence.rules.access import partitions_of
from evidence.rules.identity import computed_version, content_hash, fact_source_id, record_id, scope_key
from evidence.rules.labels import label
from evidence.rules.parsing import record_from
from evidence.rules.records import Claim, Record, Scope, Source
from evidence.rules.rendering import record_as_dict
from evidence.rules.text import norm
from evidence.rules.usability import usable
from tests.rules import strategies as some
from tests.rules.build import NOW

every = settings(deadline=None, max_examples=80)


plain_text = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\0"), max_size=12)
sources = st.builds(Source, plain_text.filter(lambda text: not text.startswith("backend:")), plain_text)


@every
@given(sources, sources)
@example(Source("ab", "c"), Source("a", "bc"))
@example(Source("caf\u00e9", "1"), Source("cafe\u0301", "1"))
def test_two_sources_never_share_an_id(one: Source, other: Source) -> None:
    assert (record_id(one) == record_id(other)) == (one == other)


@every
@given(some.scopes, some.scopes)
def test_scope_keys_differ_as_partitions_do(a: Scope, b: Scope) -> None:
    if partitions_of(a) or partitions_of(b):
        assert (scope_key(a) == scope_key(b)) == (partitions_of(a) == partitions_of(b))
    assert "\0" not in scope_key(a)


@every
@given(plain_text, plain_text, plain_text, plain_text)
def test_a_claim_and_a_statement_never_make_one_fact(namespace: str, subject: str, attribute: str, place: str) -> None:
    by_claim = fact_source_id(namespace=namespace, claim=Claim(subject, attribute, "v"), statement="", scope_key=place)
    for text in (subject, subject + attribute, f"{subject} {attribute}"):
        assert by_claim != fact_source_id(namespace=namespace, claim=None, statement=text, scope_key=place)


@every
@given(some.records, some.records)
def test_other_content_has_another_hash(one: Record, other: Record) -> None:
    def counted(record: Record) -> list[object]:
        claim = record.claim
        parts = (record.kind, record.content, record.summary, record.excerpt, record.polarity)
        members = claim and (claim.subject, claim.attribute, claim.value)
        return [*(" ".join(part.split()) for part in parts), members and [" ".join(m.split()) for m in members]]

    assert (content_hash(one) == content_hash(other)) == (counted(one) == counted(other))


@every
@given(some.records)
def test_spacing_and_other_members_do_not_change_the_content_hash(record: Record) -> None:
    spaced = replace(record, content=f"  {record.content}\n", summary="\t" + record.summary, ttl_days=3, tags=("x",))
    assert content_hash(spaced) == content_hash(record)


@every
@given(some.records)
def test_a_rendered_record_reads_back_the_same(record: Record) -> None:
    shown = record_as_dict(record)
    read = record_from(shown)
    assert record_as_dict(read) == shown
    assert (label(read, NOW), usable(read)) == (label(record, NOW), usable(record))


# Letters whose case or accents have more than one spelling, and every kind of space.
tricky = st.text(
    st.sampled_from(
        "aA\u00e9e\u0301\u0345\u03b1\u1fb3\u00df\u1e9e\u0130i\u0131\u03c3\u03c2\ufb01\u1e96\u0331 \t\u00a0\u2003\x1f"
    )
)


@every
@given(st.one_of(st.text(), tricky))
def test_normalised_text_is_normal(text: str) -> None:
    once = norm(text)
    assert norm(once) == once
    assert norm(f"\t{text}\u2003") == once
    assert norm(unicodedata.normalize("NFD", text)) == norm(unicodedata.normalize("NFC", text)) == once
    assert not once.startswith(" ")
    assert "  " not in once


@every
@given(plain_text, plain_text, plain_text)
def test_a_computed_version_sees_no_spacing(excerpt: str, content: str, summary: str) -> None:
    spaced = computed_version(excerpt=f" {excerpt}\n", content=content, summary=f"{summary} ")
    assert spaced == computed_version(excerpt=excerpt, content=content, summary=summary)


@every
@given(plain_text, plain_text)
def test_backend_text_is_named_after_its_hit(hit: str, version: str) -> None:
    if hit:
        assert record_id(Source(f"backend:{hit}", version)) == f"d-{hit}"
