"""What holds of every scope and reader (contract 4), odd words and empty names included."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import example, given, settings
from hypothesis import strategies as st

from evidence.rules.access import covers, overlaps, partitions_lost, partitions_of, partitions_searched, readable
from evidence.rules.records import Reader, Scope
from tests.rules import strategies as some

every = settings(deadline=None, max_examples=80)


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


@every
@given(some.scopes, some.scopes)
def test_what_is_lost_was_there_and_is_not_kept(old: Scope, new: Scope) -> None:
    lost = partitions_lost(old, new)
    assert lost <= partitions_of(old)
    assert lost.isdisjoint(partitions_of(new))
    assert partitions_of(old) - lost <= partitions_of(new)
    assert partitions_lost(old, old) == frozenset()


@every
@given(some.scopes, some.readers, st.data())
def test_what_adds_nothing_to_a_scope_makes_no_reader_more(scope: Scope, reader: Reader, data: st.DataObject) -> None:
    again = data.draw(st.lists(st.sampled_from(["", *scope.shared_with, scope.owner]), max_size=3))
    idle = replace(scope, shared_with=(*scope.shared_with, *again), project=scope.project or "")
    assert readable(idle, reader) == readable(scope, reader)
    assert partitions_of(idle) == partitions_of(scope)
    if scope.access != "shared":
        assert readable(replace(scope, shared_with=(reader.agent, "ada")), reader) == readable(scope, reader)


@every
@given(some.scopes, some.readers, st.sampled_from(["", "kestrel", "osprey"]))
def test_another_project_takes_nothing_from_a_reader(scope: Scope, reader: Reader, project: str) -> None:
    wider = replace(reader, projects=(*reader.projects, project))
    assert readable(scope, wider) or not readable(scope, reader)
    if readable(scope, wider) and not readable(scope, reader):
        assert project == scope.project != ""
    assert set(partitions_searched(reader)) <= set(partitions_searched(wider))


def _narrower(scope: Scope) -> st.SearchStrategy[Scope]:
    """Scopes that one step of narrowing makes of this one."""
    steps = [replace(scope, access="private", owner=""), replace(scope, access="team")]
    if scope.access == "public":
        steps += [replace(scope, access=access) for access in ("shared", "private")]
    if scope.access == "shared":
        steps += [replace(scope, access="private")]
        steps += [replace(scope, shared_with=scope.shared_with[:n] + scope.shared_with[n + 1 :]) for n in range(3)]
    if not scope.project:
        steps += [replace(scope, project="kestrel")]
    return st.sampled_from(steps)


@every
@given(some.scopes.flatmap(lambda scope: st.tuples(st.just(scope), _narrower(scope).flatmap(_narrower))), some.readers)
def test_narrowing_never_gives_a_reader_more(scopes: tuple[Scope, Scope], reader: Reader) -> None:
    old, new = scopes
    assert readable(old, reader) or not readable(new, reader)
    if not old.project and new.project:
        assert partitions_lost(old, new) == partitions_of(old)


@every
@given(some.scopes, some.scopes, some.readers)
def test_what_covers_a_scope_is_read_by_all_its_readers(wide: Scope, narrow: Scope, reader: Reader) -> None:
    if covers(wide, narrow) and readable(narrow, reader):
        assert readable(wide, reader)


@every
@given(some.scopes, some.readers)
def test_a_reader_without_a_name_reads_only_what_is_public(scope: Scope, reader: Reader) -> None:
    nobody = replace(reader, agent="")
    if readable(scope, nobody):
        assert scope.access == "public"
    if readable(scope, reader) and scope.project:
        assert scope.project in reader.projects
