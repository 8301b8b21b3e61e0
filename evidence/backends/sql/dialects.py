"""How one search is put to SQLite FTS5 and to PostgreSQL: the text of the match, and the end of a statement's time.

Every text that reaches a match expression is a hash or a term made of letters, digits and private-use signs, in quotes: there
is nothing in it to escape, and no query can be an error.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from django.db import DatabaseError, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from evidence.backends.port import BackendFailed, Deadline, DeadlineExceeded
from evidence.models.fulltext import ENTRIES, FTS, VECTOR

_STEPS_BETWEEN_LOOKS = 5_000
"""Virtual machine steps of SQLite between two looks at the clock: well under a millisecond."""


@dataclass(frozen=True, slots=True)
class Ask:
    """One list of matches: in every group of places (any of each), having all `terms`; newest `limit`. `bits` names the terms."""

    places: tuple[tuple[str, ...], ...]
    terms: tuple[str, ...]
    limit: int
    bits: int = 0
    as_prefix: bool = False


# PostgreSQL takes words for independent, and so words that go together for rare: then it would fetch every match there is before
# it sorts out the newest. Of the newest rows so many are looked at; with so many matches among them the others are near, too.
_PROBED, _DENSE, _NEAR = 3_000, 120, 100_000


def is_dense(connection: BaseDatabaseWrapper, ask: Ask) -> bool:
    """Whether the newest matches of several words are quicker found by going back row by row (PostgreSQL only)."""
    if connection.vendor != "postgresql" or len(ask.terms) < 2:
        return False
    newest = f"SELECT {VECTOR} FROM {ENTRIES} ORDER BY id DESC LIMIT {_PROBED}"  # noqa: S608 - our own names
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*) FROM ({newest}) AS newest WHERE {VECTOR} @@ %s::tsquery", [tsquery(ask)])  # noqa: S608
        return bool(cursor.fetchone()[0] >= _DENSE)


def statement(
    connection: BaseDatabaseWrapper, asks: Sequence[Ask], characters: int, *, dense: bool = False
) -> tuple[str, list[str | int]]:
    """One statement for several lists: rows (entry, record_id, source_version, beginning of terms, bits).

    `dense`: going back from the newest row, and not further than they can be expected.
    """
    is_postgres = connection.vendor == "postgresql"
    parameters: list[str | int] = []
    for ask in asks:
        parameters += [ask.bits, tsquery(ask) if is_postgres else fts5_query(ask), ask.limit]
    if is_postgres:
        # The matched table has the columns itself: a join would read it twice.
        one = (_DENSE_POSTGRES if dense else _NEWEST_POSTGRES).format(characters=int(characters))
        return " UNION ALL ".join(one for _ in asks), parameters
    lists = " UNION ALL ".join(_NEWEST_SQLITE for _ in asks)
    sql = (
        f"WITH hit(entry, bits) AS ({lists})"  # noqa: S608 - table names of our own, values as parameters
        f" SELECT e.id, e.record_id, e.source_version, substr(e.terms, 1, {int(characters)}), hit.bits"
        f" FROM hit JOIN {ENTRIES} e ON e.id = hit.entry"
    )
    return sql, parameters


_NEWEST_SQLITE = f"SELECT * FROM (SELECT rowid, %s FROM {FTS} WHERE {FTS} MATCH %s ORDER BY rowid DESC LIMIT %s)"  # noqa: S608
_NEWEST_POSTGRES = (
    "(SELECT id, record_id, source_version, substr(terms, 1, {characters}), %s::bigint FROM"  # noqa: S608
    f" {ENTRIES} WHERE {VECTOR} @@ %s::tsquery ORDER BY id DESC LIMIT %s)"
)


# Inside a function no index is taken for the words, so the rows are read by their numbers.
_DENSE_POSTGRES = (
    "(SELECT id, record_id, source_version, substr(terms, 1, {characters}), %s::bigint FROM"  # noqa: S608
    f" {ENTRIES} WHERE coalesce({VECTOR} @@ %s::tsquery, false) AND id > (SELECT max(id) FROM {ENTRIES}) - {_NEAR}"
    " ORDER BY id DESC LIMIT %s)"
)


def fts5_query(ask: Ask) -> str:
    groups = ["places : (" + " OR ".join(f'"{place}"' for place in group) + ")" for group in ask.places]
    if ask.terms:
        star = "*" if ask.as_prefix else ""
        groups.append("terms : (" + " AND ".join(f'"{term}"{star}' for term in ask.terms) + ")")
    return " AND ".join(groups)


def tsquery(ask: Ask) -> str:
    groups = ["(" + " | ".join(f"'{place}'" for place in group) + ")" for group in ask.places]
    star = ":*" if ask.as_prefix else ""
    groups += [f"'{term}'{star}" for term in ask.terms]
    return " & ".join(groups)


@contextmanager
def bounded(connection: BaseDatabaseWrapper, deadline: Deadline) -> Iterator[None]:
    """Ends whatever statement runs when the deadline is over; database errors become `BackendFailed`. Inside a transaction
    of the caller's the transaction stays usable."""
    deadline.check()
    try:
        if connection.vendor == "postgresql":
            with _postgres_time(connection, deadline):
                yield
        else:
            with _sqlite_time(connection, deadline):
                yield
    except DatabaseError as error:
        if deadline.over:
            raise DeadlineExceeded("the time for this source is up") from error
        raise BackendFailed(type(error).__name__) from error


@contextmanager
def _sqlite_time(connection: BaseDatabaseWrapper, deadline: Deadline) -> Iterator[None]:
    connection.ensure_connection()
    link = connection.connection
    link.set_progress_handler(lambda: int(deadline.over), _STEPS_BETWEEN_LOOKS)
    try:
        yield
    finally:
        link.set_progress_handler(None, 0)


@contextmanager
def _postgres_time(connection: BaseDatabaseWrapper, deadline: Deadline) -> Iterator[None]:
    is_callers = connection.in_atomic_block
    with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
        before = ""
        if is_callers:
            cursor.execute("SELECT current_setting('statement_timeout')")
            before = cursor.fetchone()[0]
        milliseconds = max(1, int(deadline.remaining * 1000))
        cursor.execute("SELECT set_config('statement_timeout', %s, true)", [str(milliseconds)])
        yield
        # It ends with the transaction; inside a caller's it would outlive this block.
        if is_callers:
            cursor.execute("SELECT set_config('statement_timeout', %s, true)", [before])
