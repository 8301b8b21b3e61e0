"""The full-text backend: keeps one index row per record, searches inside the reader's partitions, ranks the newest matches.

Writes `IndexEntry` only (the database derives its search structures from it), so that a change inside a transaction is found
as soon as that transaction commits, and never before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import combinations

from django.db import DatabaseError, connection
from django.utils import timezone

from evidence.backends import copies
from evidence.backends.port import RANKED, BackendFailed, BackendHealth, Deadline, Document, Search, digest
from evidence.backends.sql.dialects import Ask, bounded, is_dense, statement
from evidence.backends.sql.ranking import Match, rank
from evidence.backends.sql.terms import Wanted, claim_place, kind_place, partition_place, places_of, terms_of, wanted
from evidence.models import IndexEntry, fulltext
from evidence.rules.records import Hit
from evidence.rules.vocab import Kind

Places = tuple[tuple[str, ...], ...]

# Ranking looks at the beginning of a text; what the database found further down counts all the same.
_CHARACTERS = 4_000
_COMMON_UP_TO = 5
_SHORTEST_PREFIX = 3
_SIMILAR_SECONDS = 1.0


class SqlBackend:
    """`Backend` on the desk's own database. Stateless: one instance serves every thread."""

    name = "sql"
    modes = frozenset({"lexical"})
    keeps_text_in_partition = True
    is_local = True

    def upsert(self, documents: Collection[Document], *, deadline: Deadline) -> None:
        """As the port says. Rows that hold the same already are left alone, so a repeat costs one read."""
        latest = {copies.key_of(document): document for document in documents}
        for chunk in copies.chunks(list(latest.values())):
            deadline.check()
            self._upsert(chunk)

    def _upsert(self, documents: Sequence[Document]) -> None:
        held = copies.digests(self.name, documents)
        rows = [
            row for row in map(self._row, documents) if held.get((row.namespace, row.record_id)) != row.digest
        ]  # fmt: skip
        if rows:
            IndexEntry.objects.bulk_create(
                rows,
                update_conflicts=True,
                unique_fields=["backend", "namespace", "record_id"],
                update_fields=["source_version", "partitions", "digest", "places", "terms", "indexed_at"],
            )

    def _row(self, document: Document) -> IndexEntry:
        places = places_of(document.namespace, document.partitions, document.kind, document.claim_key)
        return IndexEntry(
            backend=self.name, namespace=document.namespace, record_id=document.record_id,
            source_version=document.source_version, partitions=sorted(document.partitions), digest=digest(document),
            places=" ".join(places), terms=" ".join(terms_of(document.text)), indexed_at=timezone.now(),
        )  # fmt: skip

    def retrieve(self, search: Search, *, deadline: Deadline) -> tuple[Hit, ...]:
        """As the port says: all words first; where those are too few, any of them; unknown words at last as beginnings."""
        asked = wanted(search.text)
        if not search.partitions or not (asked.terms or search.claim_key):
            return ()
        with bounded(connection, deadline):
            found = self._find(search, asked)
        ranked = rank(found.values(), asked)
        return tuple(Hit(row.record_id, row.source_version, score) for score, row in ranked[: search.limit])

    def _find(self, search: Search, asked: Wanted) -> dict[int, Match]:
        places, terms = _where(search), asked.terms
        found: dict[int, Match] = {}
        every = Ask(places, terms, RANKED, (1 << len(terms)) - 1)
        if is_dense(connection, every):
            _run(found, [every], dense=True)
        if len(found) < RANKED:
            _run(found, [every])
        if len(terms) > 1 and len(found) < search.limit:
            _any_of(found, places, terms)
        if len(found) < search.limit:
            _beginnings(found, places, terms)
        return found

    def similar(self, *, namespace: str, text: str, partitions: Iterable[str], limit: int) -> list[str]:
        """Ids of facts and articles that share words with a text, nearest first: what a new statement is matched with."""
        search = Search(namespace, text, tuple(partitions), limit, kinds=(Kind.FACT, Kind.ARTICLE))
        return [hit.id for hit in self.retrieve(search, deadline=Deadline(_SIMILAR_SECONDS))]

    def delete(self, namespace: str, record_ids: Collection[str], *, deadline: Deadline) -> None:
        for chunk in copies.chunks(sorted(record_ids)):
            deadline.check()
            IndexEntry.objects.filter(backend=self.name, namespace=namespace, record_id__in=chunk).delete()

    def health(self, *, deadline: Deadline) -> BackendHealth:
        try:
            absent = fulltext.missing(connection)
            if absent:
                return BackendHealth(False, f"missing: {', '.join(absent)}; run manage.py migrate")
            probe = Search("", "probe", ("probe",), 1)
            self.retrieve(probe, deadline=deadline)
        except (BackendFailed, DatabaseError) as error:
            return BackendHealth(False, type(error).__name__)
        return BackendHealth(True, f"full text on {connection.vendor}")


def _where(search: Search) -> Places:
    groups = [tuple(partition_place(search.namespace, partition) for partition in search.partitions)]
    if search.kinds:
        groups.append(tuple(kind_place(kind) for kind in search.kinds))
    if search.claim_key:
        groups.append((claim_place(search.claim_key),))
    return tuple(groups)


def _any_of(found: dict[int, Match], places: Places, terms: tuple[str, ...]) -> None:
    """The newest matches of each word by itself, so that a common word's cannot bury a rare one's; then of each pair of
    words that are both common (a list that was not filled holds all there is, so pairs with such a word add nothing)."""
    share = RANKED // (2 * len(terms))
    filled = _run(found, [Ask(places, (term,), share, 1 << number) for number, term in enumerate(terms)])
    common = [number for number in range(len(terms)) if filled.get(1 << number, 0) >= share]
    pairs = list(combinations(common, 2)) if len(common) <= _COMMON_UP_TO else []
    if pairs:
        share = RANKED // (2 * len(pairs))
        _run(found, [Ask(places, (terms[a], terms[b]), share, 1 << a | 1 << b) for a, b in pairs])


def _beginnings(found: dict[int, Match], places: Places, terms: tuple[str, ...]) -> None:
    """A word that no match has may be the beginning of one that is there."""
    known = 0
    for match in found.values():
        known |= match.found
    asks = [
        Ask(places, (term,), RANKED // len(terms), 1 << number, as_prefix=True)
        for number, term in enumerate(terms)
        if not known >> number & 1 and (len(term) >= _SHORTEST_PREFIX or not term.isascii())
    ]
    if asks:
        _run(found, asks)


def _run(found: dict[int, Match], asks: Sequence[Ask], *, dense: bool = False) -> Counter[int]:
    """Add the matches of these lists to those found before, up to as many as are ranked. Gives each list's length by its bits."""
    sql, parameters = statement(connection, asks, _CHARACTERS, dense=dense)
    lengths: Counter[int] = Counter()
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        rows = cursor.fetchall()
    if not found and len(asks) == 1:
        # The usual case: one list, in which every row is new.
        found.update((row[0], Match(*row)) for row in rows)
        lengths[asks[0].bits] = len(rows)
        return lengths
    for entry, record_id, source_version, terms, bits in rows:
        lengths[bits] += 1
        match = found.get(entry)
        if match is None:
            if len(found) >= RANKED:
                continue
            match = found[entry] = Match(entry, record_id, source_version, terms)
        match.found |= bits
    return lengths
