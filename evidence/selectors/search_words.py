"""Finding items by their words, newest first, through the database's own index (`models/heldwords`). Reads only.

Letters and digits count, punctuation and case do not. A word also finds what it begins; a phrase finds the words as they
stand in a row. Scripts that put no blanks between words are not in the index: those words are looked for letter by letter.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import connection
from django.db.models import Q
from django.db.models.expressions import RawSQL

from evidence.models.heldwords import ENTRIES, FTS, MARKS, plain
from evidence.rules.search import Op, Term
from evidence.rules.text import uuid_of
from evidence.rules.words import is_unspaced, spelt

SHORTEST_BEGINNING = 3
MOST_PLACES = 50
WINDOW = 20_000


@dataclass(frozen=True, slots=True)
class Asked:
    """Words that must be there, words that must not, and where: none means anywhere, an empty set nowhere."""

    having: tuple[Term, ...]
    lacking: tuple[Term, ...] = ()
    statuses: frozenset[str] | None = None
    agents: frozenset[str] | None = None
    # Column and values, for those that the index keeps beside the status (`heldwords.MARKS`).
    others: tuple[tuple[str, frozenset[str]], ...] = ()

    @property
    def marks(self) -> list[list[str]]:
        """For each column that narrows down: the names under which the index knows its values."""
        named = [*self.others, *([("status", self.statuses)] if self.statuses is not None else [])]
        return [sorted(f"{MARKS[column]}{value}" for value in values) for column, values in named]


@dataclass(frozen=True, slots=True)
class Entry:
    """The number of an item in the index, which rises as items come, and the item's id."""

    number: int
    held_id: UUID


def id_in(term: Term) -> UUID | None:
    """The id of an item that was put in as a word."""
    text = term.values[0]
    return uuid_of(text) if len(text) in (32, 36) else None


def is_indexed(term: Term) -> bool:
    """Whether the index can find what is meant at all."""
    if id_in(term) is not None:
        return False
    return bool(plain(term.values[0])) and not any(is_unspaced(token.form) for token in spelt(term.values[0]))


def says(term: Term) -> Q:
    """The same question put to the row itself, for what the index does not know. Looks at every row that it meets."""
    text = term.values[0]
    columns = ("statement", "claim_subject", "claim_attribute", "claim_value", "origin_id")
    named = id_in(term)
    found = Q() if named is None else Q(pk=named)
    for column in columns:
        found |= Q(**{f"{column}__icontains": text})
    return ~found if term.negated else found


def newest(asked: Asked, limit: int, *, below: int | None = None, above: int | None = None) -> list[Entry]:
    """The newest matches; `below` and `above` a number. Above one it is the *oldest* of the newer ones, newest first still."""
    find = _newest_in_postgres if connection.vendor == "postgresql" else _selected
    return sorted(find(asked, limit, below, above), key=lambda entry: -entry.number)


def ids(asked: Asked, limit: int) -> RawSQL:
    """The newest matches as a subquery, for `pk__in`."""
    sql, parameters = _select(asked, limit)
    return RawSQL(f"SELECT held_id FROM ({sql}) AS matches", parameters)  # noqa: S611, S608 - our own text, values apart


def _selected(asked: Asked, limit: int, below: int | None, above: int | None) -> list[Entry]:
    return _entries(*_select(asked, limit, below=below, above=above))


def _entries(sql: str, parameters: Sequence[str | int]) -> list[Entry]:
    with connection.cursor() as cursor:
        cursor.execute(sql, list(parameters))
        return [Entry(number, held if isinstance(held, UUID) else UUID(held)) for number, held in cursor.fetchall()]


def _select(
    asked: Asked, limit: int, *, below: int | None = None, above: int | None = None
) -> tuple[str, list[str | int]]:
    is_postgres = connection.vendor == "postgresql"
    number = "id" if is_postgres else "rowid"
    where, parameters = _postgres(asked) if is_postgres else _sqlite(asked)
    order = "DESC"
    if below is not None:
        where, parameters = f"{where} AND {number} < %s", [*parameters, below]
    if above is not None:
        where, parameters, order = f"{where} AND {number} > %s", [*parameters, above], "ASC"
    parameters = [*parameters, limit]
    if is_postgres:
        return f"SELECT id, held_id FROM {ENTRIES} WHERE {where} ORDER BY id {order} LIMIT %s", parameters  # noqa: S608
    matches = f"SELECT rowid AS number FROM {FTS} WHERE {where} ORDER BY rowid {order} LIMIT %s"  # noqa: S608
    return f"SELECT e.id, e.held_id FROM ({matches}) m JOIN {ENTRIES} e ON e.id = m.number", parameters  # noqa: S608


def _beginning(term: Term) -> bool:
    last = plain(term.values[0]).rsplit(" ", 1)[-1]
    return term.op is Op.WORD and (len(last) >= SHORTEST_BEGINNING or not last.isascii())


# ---- SQLite: one expression. Words hold no quotation mark: `plain` takes punctuation out.


def _sqlite(asked: Asked) -> tuple[str, list[str | int]]:
    return f"{FTS} MATCH %s", [_fts5(asked)]


def _fts5(asked: Asked) -> str:
    groups = [f"words : ({' AND '.join(map(_fts5_term, asked.having))})"]
    groups += map(_fts5_places, asked.marks)
    if asked.agents is not None:
        groups.append(_fts5_places(f"a{agent.encode().hex()}" for agent in asked.agents))
    found = " AND ".join(groups)
    for term in asked.lacking:
        found = f"({found}) NOT words : ({_fts5_term(term)})"
    return found


def _fts5_term(term: Term) -> str:
    return f'"{plain(term.values[0])}"' + (" *" if _beginning(term) else "")


def _fts5_places(names: Iterable[str]) -> str:
    # Without any place nothing is found: no item has this word.
    return "places : (" + (" OR ".join(f'"{name}"' for name in sorted(names)) or '"nowhere"') + ")"


# ---- PostgreSQL: each word becomes a tsquery by the same dictionary that made the vectors.


def _newest_in_postgres(asked: Asked, limit: int, below: int | None, above: int | None) -> list[Entry]:
    """First in a window of neighbouring entries, then by GIN. Left alone the planner takes one way for all words: it walks
    the whole table for a rare word, or gathers every match of a common one."""
    where, parameters = _postgres(asked)
    if above is not None:
        edge, far, order = above + WINDOW, "id > %s", "ASC"
        near, bounds = "id > %s AND id <= %s", (above, edge)
    else:
        top = _top() + 1 if below is None else below
        edge, far, order = top - WINDOW, "id < %s", "DESC"
        near, bounds = "id >= %s AND id < %s", (edge, top)
    rows = f"SELECT id, held_id FROM {ENTRIES} WHERE {where}"  # noqa: S608 - our own text, values apart
    found = _entries(f"{rows} AND {near} ORDER BY id {order} LIMIT %s", [*parameters, *bounds, limit])
    if len(found) == limit:
        return found
    gathered = f"WITH matches AS MATERIALIZED ({rows} AND {far}) SELECT * FROM matches ORDER BY id {order} LIMIT %s"  # noqa: S608
    return found + _entries(gathered, [*parameters, edge, limit - len(found)])


def _top() -> int:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT max(id) FROM {ENTRIES}")  # noqa: S608
        return int(cursor.fetchone()[0] or 0)


def _postgres(asked: Asked) -> tuple[str, list[str | int]]:
    parts: list[str] = []
    parameters: list[str | int] = []
    for term in asked.having:
        part, text = _postgres_term(term)
        parts.append(part)
        parameters.append(text)
    for term in asked.lacking:
        part, text = _postgres_term(term)
        parts.append(f"!! {part}")
        parameters.append(text)
    places = [[f"{mark[0].upper()}{mark[1:]}" for mark in marks] for marks in asked.marks]
    if asked.agents is not None:
        places.append([f"A{name}" for name in _hashed(asked.agents)])
    for names in places:
        parts.append("%s::tsquery")
        parameters.append(" | ".join(f"'{name}'" for name in sorted(names)) or "'Nowhere'")
    return f"words @@ ({' && '.join(parts)})", parameters


def _postgres_term(term: Term) -> tuple[str, str]:
    text = plain(term.values[0])
    if _beginning(term):
        return "to_tsquery('simple', %s)", f"'{text}':*"
    return "phraseto_tsquery('simple', %s)", text


def _hashed(agents: frozenset[str]) -> list[str]:
    return [hashlib.md5(agent.encode(), usedforsecurity=False).hexdigest() for agent in agents]
