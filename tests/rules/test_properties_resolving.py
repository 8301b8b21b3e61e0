"""What holds of every answer to which record wins (contract 3), odd words and unreadable dates included."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from evidence.rules.labels import is_approved, label
from evidence.rules.reasons import WORDS, ResolveReason
from evidence.rules.records import Record, Validity
from evidence.rules.resolving import about_same_thing, resolve, same_value
from evidence.rules.usability import usable
from evidence.rules.vocab import Kind, Label, Outcome
from tests.rules import strategies as some

every = settings(deadline=None, max_examples=80)


@every
@given(some.records, some.records, some.instants_near_now)
def test_resolve_always_answers_with_a_reason(current: Record, incoming: Record, now: datetime) -> None:
    found = resolve(current, incoming, now)
    assert found.outcome in list(Outcome)
    assert WORDS[ResolveReason(found.reason)]
    assert found.outcome == Outcome.SAME or not found.refreshes_check


@every
@given(some.records, some.records, some.instants_near_now)
def test_what_supersedes_is_usable_and_was_checked_or_approved(
    current: Record, incoming: Record, now: datetime
) -> None:
    if resolve(current, incoming, now).outcome == Outcome.SUPERSEDE:
        assert usable(incoming).usable
        assert label(incoming, now) != Label.UNVERIFIED
        assert incoming.kind != Kind.DERIVED


@every
@given(some.sound_records, some.sound_records, some.instants_near_now)
def test_what_nobody_reviewed_from_outside_beats_nothing(current: Record, incoming: Record, now: datetime) -> None:
    outside = replace(incoming, trust="external", review=None)
    assert resolve(current, outside, now).outcome == Outcome.KEEP


@every
@given(some.reviewed_articles, st.one_of(some.reviewed_articles, some.records), some.instants_near_now)
def test_only_its_own_later_approval_changes_a_reviewed_article(
    current: Record, incoming: Record, now: datetime
) -> None:
    if is_approved(current) and resolve(current, incoming, now).outcome == Outcome.SUPERSEDE:
        assert is_approved(incoming)
        assert incoming.source.id == current.source.id
        assert incoming.source.version != current.source.version
        assert resolve(incoming, current, now).outcome != Outcome.SUPERSEDE


@every
@given(some.sound_records, some.sound_records, some.instants_near_now)
def test_two_checks_do_not_replace_each_other_in_turn(one: Record, other: Record, now: datetime) -> None:
    if any(record.check and record.check.confirmed_by for record in (one, other)):
        return  # the latest word of a person always wins
    if resolve(one, other, now).outcome == Outcome.SUPERSEDE:
        assert resolve(other, one, now).outcome != Outcome.SUPERSEDE


@every
@given(some.records, some.instants_near_now)
def test_a_record_against_itself_is_the_same_or_no_evidence(record: Record, now: datetime) -> None:
    found = resolve(record, record, now)
    assert found.outcome in (Outcome.SAME, Outcome.KEEP)
    assert not found.refreshes_check or record.kind == Kind.ARTICLE


@every
@given(some.records, some.records, some.instants_near_now)
def test_a_refreshed_check_is_not_refreshed_again(current: Record, incoming: Record, now: datetime) -> None:
    found = resolve(current, incoming, now)
    if found.refreshes_check and current.kind != Kind.ARTICLE:
        assert incoming.check is not None
        kept = current.check.confirmed_by if current.check else None
        check = replace(incoming.check, confirmed_by=incoming.check.confirmed_by or kept)
        assert not resolve(replace(current, check=check), incoming, now).refreshes_check


@every
@given(some.records, some.records)
def test_being_about_the_same_thing_is_mutual(one: Record, other: Record) -> None:
    assert about_same_thing(one, other) == about_same_thing(other, one)


@every
@given(some.sound_records, some.sound_records, some.instants_near_now)
def test_backend_text_and_what_does_not_count_beat_nothing(current: Record, incoming: Record, now: datetime) -> None:
    worse: list[dict[str, Any]] = [
        {"kind": "derived"}, {"review": "held"}, {"review": "rejected"}, {"state": "revoked"}, {"trust": "odd"},
    ]  # fmt: skip
    for changes in worse:
        assert resolve(current, replace(incoming, **changes), now).outcome == Outcome.KEEP


@every
@given(some.records, some.records, some.instants_near_now)
def test_what_a_person_confirmed_falls_only_to_a_person(current: Record, incoming: Record, now: datetime) -> None:
    if current.kind == Kind.ARTICLE or not (current.check and current.check.confirmed_by):
        return
    if resolve(current, incoming, now).outcome == Outcome.SUPERSEDE:
        assert incoming.check is not None
        assert incoming.check.confirmed_by


@every
@given(some.records, some.records, some.instants_near_now)
def test_what_supersedes_says_something_else_unless_it_is_reviewed(
    current: Record, incoming: Record, now: datetime
) -> None:
    if resolve(current, incoming, now).outcome == Outcome.SUPERSEDE and not is_approved(current):
        assert not same_value(current, incoming)


@every
@given(some.records, some.records, some.instants_near_now, some.written_times, some.validities)
def test_only_checks_values_and_approvals_decide(
    current: Record, incoming: Record, now: datetime, at: str | datetime | None, valid: Validity | None
) -> None:
    moved = replace(incoming, ingested_at=at, event_at=at, valid=valid, polarity="supports")
    same = replace(incoming, polarity="supports")
    assert resolve(replace(current, ingested_at=at, event_at=at), moved, now) == resolve(current, same, now)
