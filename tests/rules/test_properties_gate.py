"""What holds of everything that passes the gate (contract 5, 12.16), odd words and empty names included."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from evidence.rules.access import readable
from evidence.rules.gate import conflicts_among, gate
from evidence.rules.labels import label
from evidence.rules.records import Hit, Reader, Record
from evidence.rules.resolving import about_same_thing, same_value
from evidence.rules.usability import usable
from evidence.rules.vocab import Kind
from tests.rules import strategies as some
from tests.rules.build import NOW
from tests.rules.strategies import Question

every = settings(deadline=None, max_examples=80)


@every
@given(some.questions())
def test_nothing_passes_the_gate_that_may_not_be_seen(asked: Question) -> None:
    store, hits, reader = asked.store, asked.hits, asked.reader
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
@given(some.questions())
def test_every_hit_is_shown_or_dropped_and_each_once(asked: Question) -> None:
    store, hits, reader = asked.store, asked.hits, asked.reader
    answer = gate(store, hits, reader, NOW)
    shown = [result.record.id for result in answer.results]
    assert len(shown) == len(set(shown))
    assert {hit.id for hit in hits} <= {*shown, *(id_.removeprefix("d-") for id_ in shown)} | {
        dropped.id for dropped in answer.dropped
    }
    assert gate(store, hits + hits, reader, NOW) == answer


@every
@given(st.lists(some.records, max_size=6, unique_by=lambda record: record.id))
def test_conflicts_are_mutual_and_of_one_key(records: list[Record]) -> None:
    named = conflicts_among(records)
    by_id = {record.id: record for record in records}
    for one, others in named.items():
        assert one not in others
        for other in others:
            assert one in named[other]
            assert about_same_thing(by_id[one], by_id[other])
            assert not same_value(by_id[one], by_id[other])


@every
@given(some.questions())
def test_what_came_through_the_gate_comes_through_again(asked: Question) -> None:
    store, hits, reader = asked.store, asked.hits, asked.reader
    first = gate(store, hits, reader, NOW)
    held = {result.record.id: result.record for result in first.results}
    again = gate(held, [Hit(id_, record.source.version) for id_, record in held.items()], reader, NOW)
    assert [replace(result, score=0.0) for result in first.results] == list(again.results)
    assert again.dropped == ()


@every
@given(some.questions())
def test_what_may_not_be_read_leaves_no_trace(asked: Question) -> None:
    store, hits, reader = asked.store, asked.hits, asked.reader
    seen = {id_: record for id_, record in store.items() if readable(record.scope, reader)}
    # Backend text under an id that was issued is dropped whoever may read the record.
    fair = [hit for hit in hits if hit.derived_from is None or hit.id not in store]
    assert gate(seen, fair, reader, NOW).results == gate(store, fair, reader, NOW).results


@every
@given(some.questions())
def test_fewer_projects_show_no_more(asked: Question) -> None:
    store, hits, reader = asked.store, asked.hits, asked.reader

    def shown(one: Reader) -> set[str]:
        return {result.record.id for result in gate(store, hits, one, NOW).results}

    assert shown(replace(reader, projects=reader.projects[1:])) <= shown(reader)
