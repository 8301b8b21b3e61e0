"""What holds for every input of the exact rules, odd words and unreadable dates included."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import combinations

from hypothesis import example, given, settings
from hypothesis import strategies as st

from evidence.rules.access import overlaps, partitions_lost, partitions_of, partitions_searched, readable
from evidence.rules.eligibility import (
    capped_trust_class,
    effective_trust_class,
    independent_sources,
    judge,
    known_class,
)
from evidence.rules.gate import gate
from evidence.rules.identity import content_hash, fact_source_id, record_id, scope_key
from evidence.rules.known_words import unknown_words
from evidence.rules.labels import is_approved, label, label_of_window, label_window
from evidence.rules.parsing import record_from
from evidence.rules.reasons import WORDS, ResolveReason
from evidence.rules.records import Check, Claim, Hit, LinkedEvidence, Reader, Record, Scope, Source
from evidence.rules.rendering import record_as_dict
from evidence.rules.resolving import about_same_thing, resolve
from evidence.rules.times import read_time
from evidence.rules.usability import usable
from evidence.rules.vocab import Durability, Kind, Label, Outcome, Risk, Signal, Trust, TrustClass
from tests.rules import strategies as some
from tests.rules.build import NOW, checked

every = settings(deadline=None, max_examples=60)

RELIANCE = {Label.UNVERIFIED: 0, Label.STALE: 1, Label.VERIFIED: 2, Label.APPROVED: 3}
MICROSECOND = timedelta(microseconds=1)


# --- label ---------------------------------------------------------------------------------------------------------


@every
@given(some.records(), st.one_of(some.instants_near_now, some.any_instants))
@example(checked(2), NOW)
@example(replace(checked(0), ttl_days=0), NOW)
def test_the_window_says_what_the_label_says(record: Record, now: datetime) -> None:
    window = label_window(record)
    turns = [at for at in (window.verified_from, window.expires_at) if at is not None]
    for moment in (now, *turns, *(at - MICROSECOND for at in turns), *(at + MICROSECOND for at in turns)):
        assert label_of_window(window, moment) == label(record, moment)


@every
@given(some.records(), some.instants_near_now, some.instants_near_now)
def test_a_label_never_improves_by_waiting(record: Record, one: datetime, other: datetime) -> None:
    earlier, later = sorted((one, other))
    checked_at = read_time(record.check.at) if record.check else None
    if checked_at is None or checked_at <= earlier:
        assert RELIANCE[label(record, later)] <= RELIANCE[label(record, earlier)]


@every
@given(some.records(), some.instants_near_now)
def test_only_a_clean_record_is_more_than_unverified(record: Record, now: datetime) -> None:
    if unknown_words(record) or record.kind == Kind.DERIVED:
        assert label(record, now) == Label.UNVERIFIED
    assert (label(record, now) == Label.APPROVED) == is_approved(record)


@every
@given(some.records(), some.instants_near_now, some.written_times)
def test_when_it_was_stored_is_never_read(record: Record, now: datetime, stored: str | datetime | None) -> None:
    moved = replace(record, ingested_at=stored)
    assert label(moved, now) == label(record, now)
    assert usable(moved) == usable(record)


# --- resolve -------------------------------------------------------------------------------------------------------


@every
@given(some.records(), some.records(), some.instants_near_now)
def test_resolve_always_answers_with_a_reason(current: Record, incoming: Record, now: datetime) -> None:
    found = resolve(current, incoming, now)
    assert found.outcome in Outcome
    assert WORDS[ResolveReason(found.reason)]
    assert found.outcome == Outcome.SAME or not found.refreshes_check


@every
@given(some.records(), some.records(), some.instants_near_now)
def test_what_supersedes_is_usable_and_was_checked_or_approved(
    current: Record, incoming: Record, now: datetime
) -> None:
    if resolve(current, incoming, now).outcome == Outcome.SUPERSEDE:
        assert usable(incoming).usable
        assert label(incoming, now) != Label.UNVERIFIED
        assert incoming.kind != Kind.DERIVED


@every
@given(some.records(odd=False), some.records(odd=False), some.instants_near_now)
def test_what_nobody_reviewed_from_outside_beats_nothing(current: Record, incoming: Record, now: datetime) -> None:
    outside = replace(incoming, trust="external", review=None)
    assert resolve(current, outside, now).outcome == Outcome.KEEP


@every
@given(some.records(), some.records(), some.instants_near_now)
def test_only_its_own_later_approval_changes_a_reviewed_article(
    current: Record, incoming: Record, now: datetime
) -> None:
    if is_approved(current) and resolve(current, incoming, now).outcome == Outcome.SUPERSEDE:
        assert is_approved(incoming)
        assert incoming.source.id == current.source.id
        assert incoming.source.version != current.source.version
        assert resolve(incoming, current, now).outcome != Outcome.SUPERSEDE


@every
@given(some.records(odd=False), some.records(odd=False), some.instants_near_now)
def test_two_checks_do_not_replace_each_other_in_turn(one: Record, other: Record, now: datetime) -> None:
    if any(record.check and record.check.confirmed_by for record in (one, other)):
        return  # the latest word of a person always wins
    if resolve(one, other, now).outcome == Outcome.SUPERSEDE:
        assert resolve(other, one, now).outcome != Outcome.SUPERSEDE


@every
@given(some.records(), some.instants_near_now)
def test_a_record_against_itself_is_the_same_or_no_evidence(record: Record, now: datetime) -> None:
    found = resolve(record, record, now)
    assert found.outcome in (Outcome.SAME, Outcome.KEEP)
    assert not found.refreshes_check or record.kind == Kind.ARTICLE


@every
@given(some.records(), some.records(), some.instants_near_now)
def test_a_refreshed_check_is_not_refreshed_again(current: Record, incoming: Record, now: datetime) -> None:
    found = resolve(current, incoming, now)
    if found.refreshes_check and current.kind != Kind.ARTICLE:
        assert incoming.check is not None
        kept = current.check.confirmed_by if current.check else None
        check = replace(incoming.check, confirmed_by=incoming.check.confirmed_by or kept)
        assert not resolve(replace(current, check=check), incoming, now).refreshes_check


@every
@given(some.records(), some.records())
def test_being_about_the_same_thing_is_mutual(one: Record, other: Record) -> None:
    assert about_same_thing(one, other) == about_same_thing(other, one)


# --- access --------------------------------------------------------------------------------------------------------


@every
@given(some.scopes, some.readers)
@example(Scope("ada@kestrel", "private"), Reader("ada", ("kestrel",)))
def test_readable_is_having_a_searched_partition(scope: Scope, reader: Reader) -> None:
    searched = partitions_searched(reader)
    assert readable(scope, reader) == (not partitions_of(scope).isdisjoint(searched))
    assert len(searched) == len(set(searched))


@every
@given(some.scopes, some.scopes, some.readers)
def test_who_loses_a_record_finds_its_copy_deleted(old: Scope, new: Scope, reader: Reader) -> None:
    if readable(old, reader) and not readable(new, reader):
        remaining = partitions_of(old) - partitions_lost(old, new)
        assert remaining.isdisjoint(partitions_searched(reader))


@every
@given(some.scopes, some.scopes)
def test_overlap_is_one_reader_of_both(a: Scope, b: Scope) -> None:
    agents = {a.owner, b.owner, *a.shared_with, *b.shared_with, "anybody"} - {""}
    owned = tuple(project for project in (a.project, b.project) if project)
    both = any(readable(a, Reader(agent, owned)) and readable(b, Reader(agent, owned)) for agent in agents)
    assert overlaps(a, b) == both == overlaps(b, a)


# --- identity ------------------------------------------------------------------------------------------------------

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
@given(some.records(), some.records())
def test_other_content_has_another_hash(one: Record, other: Record) -> None:
    def counted(record: Record) -> list[object]:
        claim = record.claim
        parts = (record.kind, record.content, record.summary, record.excerpt, record.polarity)
        members = claim and (claim.subject, claim.attribute, claim.value)
        return [*(" ".join(part.split()) for part in parts), members and [" ".join(m.split()) for m in members]]

    assert (content_hash(one) == content_hash(other)) == (counted(one) == counted(other))


@every
@given(some.records())
def test_spacing_and_other_members_do_not_change_the_content_hash(record: Record) -> None:
    spaced = replace(record, content=f"  {record.content}\n", summary="\t" + record.summary, ttl_days=3, tags=("x",))
    assert content_hash(spaced) == content_hash(record)


# --- gate ----------------------------------------------------------------------------------------------------------

stores = st.lists(some.records(), max_size=6).map(lambda records: {record.id: record for record in records})
answers = st.lists(some.hits, max_size=6)


@every
@given(stores, answers, some.readers)
def test_nothing_passes_the_gate_that_may_not_be_seen(
    store: dict[str, Record], hits: list[Hit], reader: Reader
) -> None:
    answer = gate(store, hits, reader, NOW)
    shown = {result.record.id for result in answer.results}
    for result in answer.results:
        record = result.record
        assert readable(record.scope, reader)
        assert usable(record).usable
        assert result.label == label(record, NOW)
        assert shown.issuperset(result.conflicts_with)
        if record.id not in store:
            assert (record.kind, record.check, record.approval) == (Kind.DERIVED, None, None)
            assert all(readable(store[id_].scope, reader) for id_ in record.derived_from)
            assert len({store[id_].scope.project or None for id_ in record.derived_from}) == 1
        else:
            assert record is store[record.id]


@every
@given(stores, answers, some.readers)
def test_every_hit_is_shown_or_dropped_and_each_once(store: dict[str, Record], hits: list[Hit], reader: Reader) -> None:
    answer = gate(store, hits, reader, NOW)
    shown = [result.record.id for result in answer.results]
    assert len(shown) == len(set(shown))
    assert {hit.id for hit in hits} <= {*shown, *(id_.removeprefix("d-") for id_ in shown)} | {
        dropped.id for dropped in answer.dropped
    }
    assert gate(store, hits + hits, reader, NOW) == answer


@every
@given(stores, answers, some.readers)
def test_conflicts_are_mutual(store: dict[str, Record], hits: list[Hit], reader: Reader) -> None:
    named = {result.record.id: set(result.conflicts_with) for result in gate(store, hits, reader, NOW).results}
    assert all(one in named[other] for one, others in named.items() for other in others)
    assert all(one not in others for one, others in named.items())


# --- eligibility ---------------------------------------------------------------------------------------------------

classes = some.words(TrustClass)


@every
@given(classes, some.words(Durability), st.lists(some.words(Signal), max_size=3))
def test_signals_never_lower_risk(trust_class: str, durability: str, signals: list[str]) -> None:
    order = list(Risk)

    def risk(found: list[str]) -> int:
        standing = judge(
            trust_class=trust_class, durability=durability, layer="L2", independent_sources=1, signals=found
        )
        return order.index(standing.risk)

    assert risk(signals) >= risk([])
    assert not signals or risk(signals) > min(risk([]), 1)


@every
@given(classes, st.lists(classes, max_size=4))
def test_a_claim_counts_no_more_than_its_best_support(claimed: str, supporting: list[str]) -> None:
    weights = [_weight(word) for word in supporting] or [_weight(claimed)]
    assert _weight(effective_trust_class(claimed, supporting)) == max(weights)


@every
@given(classes, some.words(Trust), st.one_of(st.none(), classes), st.booleans())
def test_no_cap_raises_a_claimed_class(claimed: str, trust: str, ceiling: str | None, cited: bool) -> None:
    capped = capped_trust_class(claimed, trust=trust, ceiling=ceiling, cited=cited)
    assert _weight(capped) <= _weight(claimed)
    assert ceiling is None or _weight(capped) <= _weight(ceiling)


@every
@given(st.lists(some.evidence, max_size=7))
def test_independent_sources_differ_in_thread_and_in_agent(evidence: list[LinkedEvidence]) -> None:
    supporting = [e for e in evidence if e.polarity == "supports"]
    named = list({(e.thread, e.agent) for e in supporting if e.thread or e.agent})
    most = max(size for size in range(len(named) + 1) if any(_apart(chosen) for chosen in combinations(named, size)))
    assert independent_sources(evidence) == (most or bool(supporting))


def _apart(chosen: tuple[tuple[str, str], ...]) -> bool:
    return all(not one or one != other for a, b in combinations(chosen, 2) for one, other in zip(a, b, strict=True))


def _weight(word: str) -> float:
    return judge(trust_class=known_class(word), durability="project", layer="L2", independent_sources=1).weight


# --- shapes --------------------------------------------------------------------------------------------------------


@every
@given(some.records())
def test_a_rendered_record_reads_back_the_same(record: Record) -> None:
    shown = record_as_dict(record)
    read = record_from(shown)
    assert record_as_dict(read) == shown
    assert (label(read, NOW), usable(read)) == (label(record, NOW), usable(record))


@every
@given(some.any_instants)
def test_a_check_in_any_year_has_a_label(at: datetime) -> None:
    record = replace(checked(0), check=Check(at=at.astimezone(UTC)))
    assert label(record, NOW) in Label
