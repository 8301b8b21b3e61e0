"""What became of records in runs, counted from the ledger: kept with every write, made again at any time. It ranks nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef

from evidence.models import Feedback, MemoryUtility, RunMemoryLink, RunOutcome
from evidence.rules.run_vocab import MemoryRelation
from evidence.rules.runs import Told, Utility, utility_of
from evidence.rules.vocab import FeedbackOutcome, FeedbackType

Version = tuple[str, str, str]
_COUNTED = ("helpful", "misleading", "outdated", "not_applicable", "supporting", "contradicting", "score")


def refresh(versions: Iterable[Version]) -> None:
    """Count these versions of records again, in the caller's transaction, in one order. (namespace, record, content version)"""
    for namespace, record_id, version in sorted(set(versions)):
        named: dict[str, Any] = {"namespace": namespace, "record_id": record_id, "content_version": version}
        MemoryUtility.objects.get_or_create(**named)
        row = MemoryUtility.objects.select_for_update().get(**named)
        wanted = counted(namespace, record_id, version)
        MemoryUtility.objects.filter(pk=row.pk).update(**{name: getattr(wanted, name) for name in _COUNTED})


def refresh_of_run(run_id: UUID) -> None:
    """A run got its outcome: what it says of records counts from now on."""
    refresh(RunMemoryLink.objects.filter(run_id=run_id).told().values_list("namespace", "record_id", "content_version"))


def refresh_of_word(word: Feedback) -> None:
    """A word took the place of another one: where runs rested on that, it is counted again."""
    chain = Feedback.objects.filter(subject=word.subject)
    linked = RunMemoryLink.objects.filter(feedback__in=chain).values_list("namespace", "record_id", "content_version")
    refresh(list(linked[:100]))


def counted(namespace: str, record_id: str, version: str) -> Utility:
    """From the links, the words behind them, and whether their runs have ended."""
    links = RunMemoryLink.objects.about(namespace, record_id).told().filter(content_version=version)
    ended = RunOutcome.objects.filter(run_id=OuterRef("run_id"))
    rows: Iterable[tuple[Any, ...]] = links.annotate(ended=Exists(ended)).values_list(
        "run_id", "relation", "feedback__outcome", "feedback__type", "feedback__superseded_by", "ended"
    )
    return utility_of(
        Told(
            run=str(run), relation=MemoryRelation(relation), outcome=FeedbackOutcome(outcome),
            is_head=later is None and word != FeedbackType.RETRACTION, run_has_outcome=has_outcome,
        )
        for run, relation, outcome, word, later, has_outcome in rows
        if outcome
    )  # fmt: skip


def drifted() -> Iterator[Version]:
    """Versions whose numbers are not what the ledger gives."""
    told = RunMemoryLink.objects.told().values_list("namespace", "record_id", "content_version").distinct()
    kept = {(row.namespace, row.record_id, row.content_version): row for row in MemoryUtility.objects.iterator(500)}
    for version in {*told, *kept}:
        row = kept.get(version)
        wanted = counted(*version)
        if row is None or any(getattr(row, name) != getattr(wanted, name) for name in _COUNTED):
            yield version


def repair() -> list[Version]:
    """Count again whatever drifted; returns it."""
    found = sorted(drifted())
    for version in found:
        with transaction.atomic():
            refresh([version])
    return found
