"""Readers, partitions, overlap and ceilings (contract 4), beyond the worked cases."""

from __future__ import annotations

import pytest

from evidence.rules.access import (
    covers,
    overlaps,
    partitions_lost,
    partitions_of,
    partitions_searched,
    readable,
    within,
)
from evidence.rules.records import Reader, Scope


def test_an_unknown_access_word_shuts_out_even_the_owner() -> None:
    assert not readable(Scope("ada", "team"), Reader("ada"))
    assert not readable(Scope("ada", ""), Reader("ada"))
    assert partitions_of(Scope("ada", "team", ("bob",))) == frozenset()


def test_names_compare_exactly() -> None:
    assert not readable(Scope("Ada", "private"), Reader("ada"))
    assert not readable(Scope("ada ", "private"), Reader("ada"))
    assert not readable(Scope("ada", "public", project="Kestrel"), Reader("ada", ("kestrel",)))


@pytest.mark.parametrize(
    ("scope", "partitions"),
    [
        (Scope("ada", "public"), {"public"}),
        (Scope("ada", "public", ("bob",), "p"), {"public@p"}),
        (Scope("ada", "private", ("bob",)), {"agent:ada"}),
        (Scope("ada", "private", (), "p"), {"agent:ada@p"}),
        (Scope("ada", "shared", ("bob", "", "ada")), {"agent:ada", "agent:bob"}),
        (Scope("", "shared", ("bob",)), {"agent:bob"}),
        (Scope("", "private"), set()),
    ],
)
def test_where_copies_are_kept(scope: Scope, partitions: set[str]) -> None:
    assert partitions_of(scope) == partitions


@pytest.mark.parametrize(
    ("reader", "partitions"),
    [
        (Reader("ada"), ("public", "agent:ada")),
        (Reader(""), ("public",)),
        (Reader("", ("p", "")), ("public", "public@p")),
        (Reader("ada", ("p", "p")), ("public", "agent:ada", "public@p", "agent:ada@p")),
    ],
)
def test_where_a_reader_searches(reader: Reader, partitions: tuple[str, ...]) -> None:
    assert partitions_searched(reader) == partitions


def test_a_name_cannot_pose_as_a_project() -> None:
    posing = Scope("ada@kestrel", "private")
    assert partitions_of(posing).isdisjoint(partitions_searched(Reader("ada", ("kestrel",))))


@pytest.mark.parametrize(
    ("old", "new", "lost"),
    [
        (Scope("ada", "public"), Scope("ada", "shared", ("bob",)), {"public"}),
        (Scope("ada", "shared", ("bob",)), Scope("ada", "private"), {"agent:bob"}),
        (Scope("ada", "private"), Scope("ada", "public"), {"agent:ada"}),
        (Scope("ada", "public"), Scope("ada", "public", project="p"), {"public"}),
        (Scope("ada", "private"), Scope("ada", "private", ("bob",)), set()),
        (Scope("ada", "public", project="p"), Scope("ada", "public"), {"public@p"}),
        (Scope("ada", "shared", ("bob",)), Scope("ada", "shared", ("bob",), "p"), {"agent:ada", "agent:bob"}),
        (Scope("ada", "shared", ("bob",), "p"), Scope("ada", "private", project="p"), {"agent:bob@p"}),
        (Scope("ada", "shared", ("bob",)), Scope("bob", "private"), {"agent:ada"}),
        (Scope("ada", "public"), Scope("ada", "team"), {"public"}),
        (Scope("ada", "private"), Scope("", "private"), {"agent:ada"}),
        (Scope("ada", "public"), Scope("bob", "public", ("cleo",)), set()),
    ],
)
def test_copies_go_where_a_scope_narrows(old: Scope, new: Scope, lost: set[str]) -> None:
    assert partitions_lost(old, new) == lost


@pytest.mark.parametrize(
    ("a", "b", "both"),
    [
        (Scope("ada", "public"), Scope("bob", "private"), True),
        (Scope("ada", "public", project="p"), Scope("bob", "public", project="q"), True),
        (Scope("ada", "private"), Scope("bob", "private"), False),
        (Scope("ada", "private"), Scope("bob", "shared", ("ada",)), True),
        (Scope("ada", "public"), Scope("", "private"), False),
        (Scope("ada", "public"), Scope("bob", "team"), False),
        (Scope("", "private"), Scope("", "private"), False),
    ],
)
def test_scopes_overlap_where_one_reader_could_read_both(a: Scope, b: Scope, both: bool) -> None:
    assert overlaps(a, b) is both
    assert overlaps(b, a) is both


@pytest.mark.parametrize(
    ("wide", "narrow", "covered"),
    [
        (Scope("ada", "public"), Scope("bob", "public"), True),
        (Scope("ada", "public"), Scope("bob", "private"), True),
        (Scope("ada", "public"), Scope("bob", "public", project="p"), True),
        (Scope("ada", "public", project=""), Scope("bob", "shared", ("cleo",), "p"), True),
        (Scope("ada", "public", project="p"), Scope("bob", "private", project="p"), True),
        (Scope("ada", "public", project="p"), Scope("bob", "private"), False),
        (Scope("ada", "public", project="p"), Scope("bob", "public", project="q"), False),
        (Scope("ada", "shared", ("bob",)), Scope("bob", "private"), True),
        (Scope("ada", "shared", ("bob",)), Scope("bob", "shared", ("ada",)), True),
        (Scope("ada", "shared", ("bob",)), Scope("bob", "shared", ("ada", "cleo")), False),
        (Scope("ada", "private"), Scope("ada", "shared", ("", "ada")), True),
        (Scope("ada", "private"), Scope("ada", "public"), False),
        (Scope("ada", "private"), Scope("", "public"), False),
        (Scope("ada", "shared", ("bob",)), Scope("", "private"), True),
        (Scope("ada", "public"), Scope("ada", "team"), False),
        (Scope("ada", "team"), Scope("ada", "team"), False),
        (Scope("ada", "team"), Scope("", "private"), False),
        (Scope("ada", "private"), Scope("ada", "team"), False),
    ],
)
def test_a_scope_covers_another_where_all_its_readers_are_served(wide: Scope, narrow: Scope, covered: bool) -> None:
    assert covers(wide, narrow) is covered


@pytest.mark.parametrize(
    ("access", "widest", "allowed"),
    [
        ("private", "private", True),
        ("shared", "private", False),
        ("shared", "shared", True),
        ("public", "shared", False),
        ("private", "public", True),
        ("team", "public", False),
        ("private", "everything", False),
        ("", "public", False),
    ],
)
def test_access_within_a_ceiling(access: str, widest: str, allowed: bool) -> None:
    assert within(Scope("ada", access), widest) is allowed
