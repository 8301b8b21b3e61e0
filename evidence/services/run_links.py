"""What a run did with records: recalled by a receipt, then applied or rejected; each link names the exact words (contract 1).

A link to what a recall of the same run showed may carry the feedback that was given on it, and then counts. One that is named
by hand is kept, marked as to be reviewed, and counts for nothing. A recall that found nothing backs one event without links.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from evidence.models import Evidence, Feedback, Run, RunEvent, RunMemoryLink, Token
from evidence.rules.access import readable
from evidence.rules.labels import label
from evidence.rules.receipts import content_version, token_hash
from evidence.rules.run_vocab import MemoryRelation, RunEventType
from evidence.rules.runs import GOES_WITH, RELATION_OF
from evidence.rules.usability import usable
from evidence.rules.vocab import FeedbackType
from evidence.selectors.tokens import reader_of
from evidence.services.errors import Refused
from evidence.services.receipts import opened, shown_in
from evidence.services.run_shapes import ITEMS_MAX, Attributed, Attribution, Happening
from evidence.services.run_utility import refresh

_FIELD = "memory_attribution"


@dataclass(frozen=True, slots=True)
class Planned:
    """Links still without their event, and what is kept of the receipt that backs it."""

    links: tuple[RunMemoryLink, ...] = ()
    receipt: dict[str, Any] = field(default_factory=dict)

    def store(self, event: RunEvent) -> None:
        for link in self.links:
            link.event = event
        RunMemoryLink.objects.bulk_create(self.links)
        refresh((one.namespace, one.record_id, one.content_version) for one in self.links if one.feedback_id)


NOTHING = Planned()


def planned_links(token: Token, run: Run, happening: Happening, now: datetime) -> Planned:
    """What the event links, or `Refused`. Writes nothing."""
    relation, said = RELATION_OF.get(happening.type), happening.attribution
    if relation is None:
        if said is not None:
            raise _bad(f"Only {_words(RELATION_OF)} say what was done with records.")
        return NOTHING
    if said is None:
        raise _bad(f"{happening.type} says which records it is about.")
    _once_each(said.items or ())
    if relation == MemoryRelation.RECALLED:
        return _recalled(token, run, said, now)
    if said.receipt:
        raise _bad("A receipt backs a recall; name the recall's event here.", "receipt")
    if not said.items:
        raise _bad(f"{happening.type} names at least one record.", "items")
    if said.source is not None:
        return Planned(tuple(_followed(token, run, said, relation, now)))
    return Planned(tuple(_by_hand(token, run, one, relation, now) for one in said.items))


def _recalled(token: Token, run: Run, said: Attribution, now: datetime) -> Planned:
    if not said.receipt:
        raise _bad("A recall is shown by its receipt.", "receipt")
    if said.source is not None:
        raise _bad("A recall follows no other one.", "source_event")
    receipt = opened(token, said.receipt, now)
    hashed = token_hash(said.receipt)
    kept = {"receipt_hash": hashed, "receipt_results": len(receipt.shown)}
    if not receipt.shown:
        if said.items:
            raise _bad("This recall showed nothing, so there is nothing to link.", "items")
        if RunEvent.objects.filter(receipt_hash=hashed, receipt_results=0).exists():
            raise Refused("closed", "A recall that showed nothing backs one event, and does already.", field=_FIELD)
        return Planned((), kept)
    items = said.items
    if items is None:
        items = tuple(Attributed(one.record_id, one.rank) for one in receipt.shown)
    if not items or len(items) > ITEMS_MAX:
        raise _bad(f"A recall that showed something names 1 to {ITEMS_MAX} of its results.", "items")
    # A receipt counts whole seconds, and it was shown within that one.
    then = min(now, receipt.issued + timedelta(seconds=1))
    links = []
    for one in items:
        if one.rank is None or one.feedback is not None:
            raise _bad("A recalled record is named by its id and rank, and nothing was said of it yet.", "items")
        shown, row = shown_in(token, receipt, record_id=one.record_id, rank=one.rank)
        links.append(
            RunMemoryLink(
                run=run, relation=MemoryRelation.RECALLED, namespace=run.namespace, record_id=shown.record_id,
                content_version=shown.content_version, label=label(row.to_record(), then),
                receipt_hash=hashed, rank=shown.rank, at=now,
            )
        )  # fmt: skip
    return Planned(tuple(links), kept)


def _followed(
    token: Token, run: Run, said: Attribution, relation: MemoryRelation, now: datetime
) -> Iterable[RunMemoryLink]:
    source = RunEvent.objects.filter(pk=str(said.source), run=run, type=RunEventType.MEMORY_RECALLED).first()
    if source is None:
        raise _bad("source_event names no recall of this run.", "source_event")
    shown = list(RunMemoryLink.objects.filter(event=source).order_by("rank"))
    for one in said.items or ():
        found = [link for link in shown if link.record_id == one.record_id and one.rank in (None, link.rank)]
        if len(found) != 1 or one.content_version not in ("", found[0].content_version):
            raise _bad("That recall did not show this record so.", "items")
        link = found[0]
        word = _word(token, link, one, relation) if one.feedback is not None else None
        row = _row(run, one.record_id)
        yield RunMemoryLink(
            run=run, source=source, relation=relation, namespace=run.namespace, record_id=link.record_id,
            content_version=link.content_version, label=label(row.to_record(), now) if row else link.label,
            receipt_hash=link.receipt_hash, rank=link.rank, feedback=word, at=now,
        )  # fmt: skip


def _word(token: Token, link: RunMemoryLink, one: Attributed, relation: MemoryRelation) -> Feedback:
    """The word that stands behind a link: the agent's own last one about these very words, and one that goes with it."""
    word = Feedback.objects.filter(pk=str(one.feedback), namespace=token.namespace, agent=token.agent_id).first()
    if word is None or (word.record_id, word.content_version) != (link.record_id, link.content_version):
        raise _bad("feedback names no word of yours about this record as the recall showed it.", "items")
    if word.type == FeedbackType.RETRACTION or Feedback.objects.filter(supersedes=word).exists():
        raise Refused("version_conflict", "Another word took the place of this feedback.", field=f"{_FIELD}.items")
    if word.outcome not in GOES_WITH[relation]:
        raise _bad(f"A record that was {relation} has feedback of: {_words(GOES_WITH[relation])}.", "items")
    return word


def _by_hand(token: Token, run: Run, one: Attributed, relation: MemoryRelation, now: datetime) -> RunMemoryLink:
    if one.feedback is not None or one.rank is not None:
        raise _bad("Without a source_event there is no rank and no credit: leave rank and feedback out.", "items")
    row = _row(run, one.record_id)
    if (
        row is None
        or not readable(row.scope, reader_of(token))
        or not usable(row.to_record(), scan_secrets=False).usable
    ):
        raise Refused("not_found", "There is no such record.", field=f"{_FIELD}.items")
    record = row.to_record()
    return RunMemoryLink(
        run=run, relation=relation, namespace=run.namespace, record_id=one.record_id,
        content_version=one.content_version or content_version(record), label=label(record, now), review_required=True,
        at=now,
    )  # fmt: skip


def _row(run: Run, record_id: str) -> Evidence | None:
    return Evidence.objects.in_namespace(run.namespace).filter(record_id=record_id).first()


def _once_each(items: Iterable[Attributed]) -> None:
    named = [(one.record_id, one.rank) for one in items]
    if len(set(named)) != len(named):
        raise _bad("Each record is named once.", "items")


def _words(words: Iterable[object]) -> str:
    return ", ".join(sorted(str(word) for word in words))


def _bad(detail: str, member: str = "") -> Refused:
    return Refused("invalid_value", detail, field=f"{_FIELD}.{member}" if member else _FIELD)
