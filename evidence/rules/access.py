"""Who may read a scope, and in which partitions it is kept (contract 4).

Two checks of one rule: partitions tell a backend where to look, `readable` decides about each record that comes back.
Names compare exactly; empty ones never match. An unknown access word: nobody reads it (contract 12.3).
"""

from __future__ import annotations

from collections.abc import Iterable

from evidence.rules.records import Reader, Scope
from evidence.rules.vocab import Access

_WIDTH: dict[str, int] = {Access.PRIVATE: 0, Access.SHARED: 1, Access.PUBLIC: 2}

# Characters with a meaning of their own in partition names and scope keys. Without escapes an agent called "ada@kestrel"
# would share a partition with ada's records of the project kestrel.
_ESCAPES = str.maketrans({mark: f"%{ord(mark):02X}" for mark in "%@,|:\0"})


def escaped(name: str) -> str:
    """A name as part of a partition name or scope key: `%`, `@`, `,`, `|`, `:` and NUL as %XX."""
    return name.translate(_ESCAPES)


def readable(scope: Scope, reader: Reader) -> bool:
    """Whether the reader may read what has this scope (contract 4, in its order)."""
    if scope.access not in _WIDTH:
        return False
    if scope.project and scope.project not in reader.projects:
        return False
    if scope.access == Access.PUBLIC:
        return True
    if not reader.agent:
        return False
    return scope.owner == reader.agent or (scope.access == Access.SHARED and reader.agent in scope.shared_with)


def partitions_of(scope: Scope) -> frozenset[str]:
    """The partitions that keep a copy: `public`, `agent:<id>`, with `@<project>` where there is one (contract 4)."""
    if scope.access == Access.PUBLIC:
        places: Iterable[str] = ["public"]
    else:
        places = (f"agent:{escaped(agent)}" for agent in _readers(scope))
    return frozenset(_in_project(place, scope.project) for place in places)


def partitions_searched(reader: Reader) -> tuple[str, ...]:
    """The partitions that a reader searches, each once: without a project first, then per project in the given order."""
    places = ["public", f"agent:{escaped(reader.agent)}"] if reader.agent else ["public"]
    projects = [None, *(project for project in reader.projects if project)]
    return tuple(dict.fromkeys(_in_project(place, project) for project in projects for place in places))


def partitions_lost(old: Scope, new: Scope) -> frozenset[str]:
    """Where copies have to go when a scope narrows (contract 4, 5)."""
    return partitions_of(old) - partitions_of(new)


def overlaps(a: Scope, b: Scope) -> bool:
    """Whether one reader, with whatever projects, could read both (contract 3: "in overlapping scope")."""
    a_public, b_public = a.access == Access.PUBLIC, b.access == Access.PUBLIC
    if a_public and b_public:
        return True
    if a_public or b_public:
        return bool(_readers(b if a_public else a))
    return not _readers(a).isdisjoint(_readers(b))


def covers(wide: Scope, narrow: Scope) -> bool:
    """Whether everybody who can read `narrow` can read `wide`: who is served by one is served by the other."""
    if wide.access not in _WIDTH or narrow.access not in _WIDTH or wide.project not in (None, "", narrow.project):
        return False
    if wide.access == Access.PUBLIC:
        return True
    return narrow.access != Access.PUBLIC and _readers(narrow) <= _readers(wide)


def within(scope: Scope, widest: str) -> bool:
    """Whether the access is no wider than a ceiling such as a credential's (contract 13); unknown words: no."""
    return scope.access in _WIDTH and widest in _WIDTH and _WIDTH[scope.access] <= _WIDTH[widest]


def _readers(scope: Scope) -> frozenset[str]:
    """The agents that may read a private or shared scope, apart from its project."""
    if scope.access == Access.SHARED:
        names: tuple[str, ...] = (scope.owner, *scope.shared_with)
    else:
        names = (scope.owner,) if scope.access == Access.PRIVATE else ()
    return frozenset(name for name in names if name)


def _in_project(place: str, project: str | None) -> str:
    return f"{place}@{escaped(project)}" if project else place
