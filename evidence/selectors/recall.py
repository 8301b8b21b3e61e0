"""Recall: what an agent may be told about a question. Backends find, the gate decides over our own rows (contract 5).

Reads only. Nothing here says how many hits were dropped, to anybody but the operator: an agent must not learn that a record it
may not read exists.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from itertools import chain

from evidence.backends.asking import Answer, ask_all
from evidence.backends.fusion import fused
from evidence.backends.port import RANKED, Backend, BackendFailed, Search
from evidence.backends.registry import backends
from evidence.models import Evidence, Inquiry, InquiryEvidence
from evidence.rules.access import partitions_searched
from evidence.rules.gate import GateResult, conflicts_among, gate
from evidence.rules.identity import claim_key_hash
from evidence.rules.labels import label_window
from evidence.rules.reasons import DropReason
from evidence.rules.records import Claim, Hit, Reader, Record
from evidence.rules.vocab import Label

SECONDS = 2.0
"""For each backend; it then counts as failed, and the answer goes out without it."""
MOST_RESULTS = 100
_SPARE_ROWS = 5
_CHUNK = 50
_SPARE = 60
"""Hits asked for beyond the limit: a few may be dropped, and filters take some."""
ADVICE = "re-check before stating"
NO_EVIDENCE = "this source gave no evidence"
NO_MEANING = "no backend here searches by meaning; this source gave no evidence"


class SourceStatus(StrEnum):
    OK = "ok"
    NO_EVIDENCE = "no_evidence"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Ask:
    """One question. Empty tuples: no restriction. `claim` asks for a claim key (its value is not looked at)."""

    query: str
    limit: int = 10
    kinds: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    claim: Claim | None = None
    backends: tuple[str, ...] = ()
    mode: str = "lexical"


@dataclass(frozen=True, slots=True)
class Source:
    """What one backend contributed; a reason only where it failed."""

    backend: str
    status: SourceStatus
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """One record that goes out, with the label that it goes out under."""

    result: GateResult
    backend: str
    conflicts_with: tuple[str, ...] = ()

    @property
    def record(self) -> Record:
        return self.result.record

    @property
    def label(self) -> Label:
        return self.result.label

    @property
    def expires_at(self) -> datetime | None:
        """When a verified record turns stale, or turned; none for what never does."""
        return label_window(self.record).expires_at if self.label in (Label.VERIFIED, Label.STALE) else None

    @property
    def advice(self) -> str:
        return ADVICE if self.label == Label.STALE else ""


@dataclass(frozen=True, slots=True)
class Recalled:
    """`dropped` counts hits by reason, for the operator's eyes only. `receipt`: of a text query, once it is minted."""

    results: tuple[Found, ...]
    sources: tuple[Source, ...]
    dropped: Counter[DropReason] = field(default_factory=Counter)
    receipt: str = ""


def recall(*, reader: Reader, namespace: str, ask: Ask, now: datetime) -> Recalled:
    """Search every asked backend, gate what they found, put conflicts and both sides of open questions in.

    A backend that fails is a source that says so; the answer goes out all the same.
    """
    watch = _Watch(reader, namespace, ask, now)
    asked = _asked_backends(ask)
    answers = ask_all(asked, {backend.name: watch.search_for(backend) for backend in asked}, seconds=SECONDS)
    searched = [watch.gated(backend, answers[backend.name]) for backend in asked]
    lists = [found for found, _ in searched]
    sources = [source for _, source in searched]
    if ask.mode == "semantic" and not lists:
        sources.append(Source("semantic", SourceStatus.FAILED, NO_MEANING))
    merged = [found for _, found in fused(lists, key=lambda found: found.record.id)][: ask.limit]
    complete = watch.with_other_sides(merged)
    conflicts = watch.disagreements(complete)
    results = tuple(replace(found, conflicts_with=conflicts.get(found.record.id, ())) for found in complete)
    return Recalled(results, tuple(sources), watch.dropped)


def record_for(*, reader: Reader, namespace: str, record_id: str, now: datetime) -> Found | None:
    """One record by its id, by the rules of recall; none for unknown and for unreadable alike."""
    row = Evidence.objects.in_namespace(namespace).filter(record_id=record_id[:100]).first()
    if row is None:
        return None
    answer = gate({row.record_id: row.to_record()}, [Hit(row.record_id, row.source_version)], reader, now)
    return Found(answer.results[0], "") if answer.results else None


def _asked_backends(ask: Ask) -> list[Backend]:
    """Those named, whatever the mode; else those that can search in it. A hybrid search takes whatever there is."""
    if ask.backends:
        return [backend for backend in backends() if backend.name in ask.backends]
    return [backend for backend in backends() if ask.mode == "hybrid" or ask.mode in backend.modes]


class _Watch:
    """One call's constants, and what was dropped on the way."""

    def __init__(self, reader: Reader, namespace: str, ask: Ask, now: datetime) -> None:
        self._reader = reader
        self._namespace = namespace
        self._ask = ask
        self._now = now
        self._claim_key = claim_key_hash(ask.claim) if ask.claim else ""
        self._asked: list[tuple[str, str]] = []
        self.dropped: Counter[DropReason] = Counter()

    def search_for(self, backend: Backend) -> Search:
        ask = self._ask
        return Search(
            namespace=self._namespace, text=ask.query, partitions=partitions_searched(self._reader),
            # Labels turn with time and are in no index: they are picked out of all that is ranked.
            limit=RANKED if ask.labels else ask.limit + _SPARE, kinds=ask.kinds, claim_key=self._claim_key,
        )  # fmt: skip

    def gated(self, backend: Backend, hits: Answer) -> tuple[list[Found], Source]:
        """What this backend found and the reader may have, best first, at most as many as asked for."""
        ask = self._ask
        if isinstance(hits, BackendFailed):
            return [], Source(backend.name, SourceStatus.FAILED, NO_EVIDENCE)
        found: list[Found] = []
        for chunk in _chunks(hits, first=ask.limit + _SPARE_ROWS):
            found += self._gated(backend, chunk)
            if len(found) >= ask.limit:
                break
        # A source whose every hit was dropped says what one without hits says: the agent must not tell them apart.
        status = SourceStatus.OK if found else SourceStatus.NO_EVIDENCE
        return found[: ask.limit], Source(backend.name, status)

    def _gated(self, backend: Backend, hits: Sequence[Hit]) -> list[Found]:
        ids = chain((hit.id for hit in hits), *(hit.derived_from or () for hit in hits))
        # An index of this database holds no record with a secret in it; a backend elsewhere may name one that it was never sent.
        answer = gate(
            self._records(ids), hits, self._reader, self._now,
            own_text_partitioned=backend.keeps_text_in_partition, scan_secrets=not backend.is_local,
        )  # fmt: skip
        self.dropped.update(drop.reason for drop in answer.dropped)
        return [Found(result, backend.name) for result in answer.results if self._is_asked_for(result)]

    def _records(self, ids: Iterable[str]) -> dict[str, Record]:
        rows = Evidence.objects.in_namespace(self._namespace).filter(record_id__in=list(dict.fromkeys(ids)))
        return {row.record_id: row.to_record() for row in rows}

    def _is_asked_for(self, result: GateResult) -> bool:
        ask, record = self._ask, result.record
        if (ask.kinds and record.kind not in ask.kinds) or (ask.labels and result.label not in ask.labels):
            return False
        return ask.claim is None or (record.claim is not None and record.claim.key == ask.claim.key)

    def disagreements(self, found: Sequence[Found]) -> dict[str, tuple[str, ...]]:
        """Who contradicts whom: by their claims, and the two sides of a conflict that somebody is asked about."""
        known = {one.record.id: one.record for one in found}
        named = {one: set(others) for one, others in conflicts_among(list(known.values())).items()}
        for one, other in self._asked:
            if one in known and other in known and not _on_one_claim(known[one], known[other]):
                named.setdefault(one, set()).add(other)
                named.setdefault(other, set()).add(one)
        return {one: tuple(sorted(others)) for one, others in named.items()}

    def with_other_sides(self, found: list[Found]) -> list[Found]:
        """While a question is open, whoever finds one side gets both, past kinds, labels and limit (contract 5)."""
        shown = {one.record.id: one for one in found}
        partner: dict[str, str] = {}
        self._asked = _open_questions(self._namespace, list(shown))
        for one, other in self._asked:
            for here, there in ((one, other), (other, one)):
                if here in shown and there and there not in shown:
                    partner.setdefault(there, here)
        if not partner:
            return found
        store = self._records(partner)
        hits = [
            Hit(record.id, record.source.version, shown[partner[record.id]].result.score) for record in store.values()
        ]
        answer = gate(store, hits, self._reader, self._now, scan_secrets=False)
        beside: dict[str, list[Found]] = {}
        for result in answer.results:
            here = partner[result.record.id]
            beside.setdefault(here, []).append(Found(result, shown[here].backend))
        return [each for one in found for each in (one, *beside.get(one.record.id, ()))]


def _open_questions(namespace: str, record_ids: list[str]) -> list[tuple[str, str]]:
    """The two sides of each open question of which one is here; another report of the incoming one counts as it."""
    if not record_ids:
        return []
    sides = list(Inquiry.objects.naming(namespace, record_ids).values_list("current_record", "incoming_record"))
    reports = InquiryEvidence.objects.reports_on(namespace, record_ids)
    return sides + list(reports.values_list("inquiry__current_record", "evidence__record_id"))


def _on_one_claim(one: Record, other: Record) -> bool:
    """Whether their claims tell already whether they disagree."""
    return one.claim is not None and other.claim is not None and one.claim.key == other.claim.key


def _chunks(hits: Sequence[Hit], *, first: int) -> Iterator[Sequence[Hit]]:
    """Loading a row costs more than finding it: at first hardly more than are asked for, then more at a time."""
    yield hits[:first]
    for start in range(first, len(hits), _CHUNK):
        yield hits[start : start + _CHUNK]
