"""What holds of every label (contract 2), odd words and unreadable dates included."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import example, given, settings
from hypothesis import strategies as st

from evidence.rules.known_words import unknown_words
from evidence.rules.labels import is_approved, label, label_of_window, label_window
from evidence.rules.records import Check, Record
from evidence.rules.times import read_time
from evidence.rules.usability import usable
from evidence.rules.vocab import Kind, Label
from tests.rules import strategies as some
from tests.rules.build import NOW, checked

every = settings(deadline=None, max_examples=80)


RELIANCE = {Label.UNVERIFIED: 0, Label.STALE: 1, Label.VERIFIED: 2, Label.APPROVED: 3}
MICROSECOND = timedelta(microseconds=1)


@every
@given(some.records, st.one_of(some.instants_near_now, some.any_instants))
@example(checked(2), NOW)
@example(replace(checked(0), ttl_days=0), NOW)
def test_the_window_says_what_the_label_says(record: Record, now: datetime) -> None:
    window = label_window(record)
    turns = [at for at in (window.verified_from, window.expires_at) if at is not None]
    for moment in (now, *turns, *(at - MICROSECOND for at in turns), *(at + MICROSECOND for at in turns)):
        assert label_of_window(window, moment) == label(record, moment)


@every
@given(some.records, some.instants_near_now, some.instants_near_now)
def test_a_label_never_improves_by_waiting(record: Record, one: datetime, other: datetime) -> None:
    earlier, later = sorted((one, other))
    checked_at = read_time(record.check.at) if record.check else None
    if checked_at is None or checked_at <= earlier:
        assert RELIANCE[label(record, later)] <= RELIANCE[label(record, earlier)]


@every
@given(some.records, some.instants_near_now)
def test_only_a_clean_record_is_more_than_unverified(record: Record, now: datetime) -> None:
    if unknown_words(record) or record.kind == Kind.DERIVED:
        assert label(record, now) == Label.UNVERIFIED
    assert (label(record, now) == Label.APPROVED) == is_approved(record)


@every
@given(some.records, some.instants_near_now, some.written_times)
def test_when_it_was_stored_is_never_read(record: Record, now: datetime, stored: str | datetime | None) -> None:
    moved = replace(record, ingested_at=stored)
    assert label(moved, now) == label(record, now)
    assert usable(moved) == usable(record)


@every
@given(some.records, some.records, some.instants_near_now)
def test_a_label_is_of_kind_check_class_approval_and_words_alone(record: Record, other: Record, now: datetime) -> None:
    told = {
        name: getattr(other, name)
        for name in ("id", "source", "claim", "content", "namespace", "valid", "event_at", "derived_from")
    }
    assert label(replace(record, **told), now) == label(record, now)


@every
@given(some.sound_records, some.instants_near_now)
def test_no_check_that_can_be_read_is_no_more_than_unverified(record: Record, now: datetime) -> None:
    checked_at = read_time(record.check.at) if record.check else None
    if record.kind != Kind.ARTICLE and (checked_at is None or checked_at > now):
        assert label(record, now) == Label.UNVERIFIED


@every
@given(some.sound_records, some.instants_near_now)
def test_a_person_does_not_stop_the_clock(record: Record, now: datetime) -> None:
    if record.check is not None:
        confirmed = replace(record, check=replace(record.check, confirmed_by="rhea"))
        assert label(confirmed, now) == label(record, now)


@every
@given(some.any_instants)
def test_a_check_in_any_year_has_a_label(at: datetime) -> None:
    record = replace(checked(0), check=Check(at=at.astimezone(UTC)))
    assert label(record, NOW) in list(Label)
