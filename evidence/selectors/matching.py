"""Which records a held item is about right now: what the matcher compares it with, and its verdict (contract 7).

Reads only. Used alike when an item is filed, verified, shown and decided, so that one question has one answer.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

from evidence.backends.registry import default_backend
from evidence.models import Evidence, HeldLink, HeldRecord, RecordLink
from evidence.rules.access import overlaps, partitions_of
from evidence.rules.matching import Match, match, match_key
from evidence.rules.records import Candidate, MemoryRecord, Validity
from evidence.rules.resolving import validity_overlaps
from evidence.rules.text import sha256_hex
from evidence.rules.vocab import HeldKind, Kind, Review

# Records looked at for one item; the nearest come first, so more would only be less alike.
NEAR = 40
ON_KEY = 60


@dataclass(frozen=True, slots=True)
class Matching:
    """The verdict, with the rows that it names by contract id."""

    match: Match
    rows: dict[str, Evidence]

    def matched(self) -> list[Evidence]:
        return [self.rows[record_id] for record_id in self.match.matched if record_id in self.rows]


def links_of(held: HeldRecord) -> list[HeldLink]:
    """Linked evidence, oldest first, with its rows."""
    return list(HeldLink.objects.linked().filter(held=held).select_related("evidence").order_by("id"))


def matching_of(held: HeldRecord, links: Iterable[HeldLink], now: datetime) -> Matching:
    """Match a held item against the standing records of its namespace, scope and validity."""
    rows = comparable(held)
    return Matching(match(_candidate(held, links), _memories(rows), now=now), {row.record_id: row for row in rows})


def match_after(
    held: HeldRecord, links: Iterable[HeldLink], now: datetime, *, gone: Collection[str], made: MemoryRecord | None
) -> Match:
    """As `matching_of` would find it once the records `gone` were replaced and `made` stood, where one will."""
    memory = _memories([row for row in comparable(held) if row.record_id not in gone])
    # Items with a claim are compared along its key alone.
    if made is not None and (held.claim is None or (made.claim is not None and made.claim.key == held.claim.key)):
        memory.append(made)
    return match(_candidate(held, links), memory, now=now)


def _candidate(held: HeldRecord, links: Iterable[HeldLink]) -> Candidate:
    linked = list(links)
    return held.to_candidate(
        evidence_ids=[link.evidence.record_id for link in linked],
        threads=sorted({link.evidence.thread for link in linked if link.evidence.thread}),
    )


def _memories(rows: list[Evidence]) -> list[MemoryRecord]:
    threads = _threads_behind(rows)
    return [_memory(row, threads.get(row.record_id, ())) for row in rows]


def comparable(held: HeldRecord) -> list[Evidence]:
    """Standing records that could be about the same thing, plus those that the item names itself (in any state)."""
    if held.kind != HeldKind.FACT_PROPOSAL:
        return []
    standing = Evidence.objects.in_namespace(held.namespace).standing()
    if held.claim_key:
        about = list(standing.on_claim(held.namespace, held.claim_key).order_by("pk_uuid")[:ON_KEY])
        about = about or _newest_checked_observation(held)
    else:
        about = _near(held)
    named = Evidence.objects.in_namespace(held.namespace).filter(record_id__in=_named_ids(held))
    own = {str(held.id)}
    rows = {row.record_id: row for row in about if _meets(held, row)}
    rows |= {row.record_id: row for row in named if row.source_id.removeprefix("proposal:") not in own}
    return list(rows.values())


def _near(held: HeldRecord) -> list[Evidence]:
    """Unstructured statements: the same topic key, or words in common (the index is asked for any of the words)."""
    standing = Evidence.objects.in_namespace(held.namespace).standing()
    key = sha256_hex(match_key(held.to_candidate(evidence_ids=())))
    found = default_backend().similar(
        namespace=held.namespace, text=held.statement, partitions=_partitions(held), limit=NEAR
    )
    # Two questions: of one with "or", SQLite would read the whole table.
    rows = {row.pk: row for row in standing.filter(record_id__in=found)}
    rows |= {row.pk: row for row in standing.on_topic(held.namespace, key).order_by("pk_uuid")[:ON_KEY]}
    return [rows[pk] for pk in sorted(rows)]


def _partitions(held: HeldRecord) -> tuple[str, ...]:
    return tuple(sorted({"public", *partitions_of(held.scope)}))


def _newest_checked_observation(held: HeldRecord) -> list[Evidence]:
    """Where neither fact nor approved article exists, the newest checked observation stands in (contract 7)."""
    rows = (
        Evidence.objects.on_claim(held.namespace, held.claim_key)
        .active()
        .filter(kind=Kind.OBSERVATION, check_at__isnull=False)
        .exclude(review__in=[Review.HELD, Review.REJECTED])
        .exclude(source_id=f"proposal:{held.id}")
    )
    return list(rows.order_by("-check_at")[:1])


def _meets(held: HeldRecord, row: Evidence) -> bool:
    valid = Validity(held.valid_from, held.valid_until)
    return overlaps(held.scope, row.scope) and validity_overlaps(valid, row.validity)


def _named_ids(held: HeldRecord) -> list[str]:
    return [str(one) for one in held.supersedes][:ON_KEY]


def _threads_behind(rows: list[Evidence]) -> dict[str, list[str]]:
    """The threads that already stand behind each record, so that a repeat from one of them strengthens nothing."""
    found: dict[str, list[str]] = {}
    links = RecordLink.objects.filter(record__in=rows).values_list("record__record_id", "evidence__thread")
    for record_id, thread in links:
        if thread:
            found.setdefault(record_id, []).append(thread)
    return found


def _memory(row: Evidence, threads: Iterable[str]) -> MemoryRecord:
    known = row.to_memory_record()
    own = (*known.threads, *threads)
    return MemoryRecord(**{name: getattr(known, name) for name in MemoryRecord.__slots__} | {"threads": own})
