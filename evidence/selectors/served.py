"""What an agent was served: by recalls, lists, exports and compiled context, as the recall log remembers it (contract 6)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from evidence.backends.port import BackendFailed, Deadline, Search
from evidence.backends.registry import default_backend
from evidence.models import Evidence, RecallItem, RecallLog
from evidence.rules.access import partitions_searched
from evidence.rules.echo import MOST_WORDS, runs_of
from evidence.rules.records import Reader

LATELY = timedelta(days=2)
MOST_ANSWERS = 100
"""Of the newest answers everything is looked at, also what has been deleted or replaced meanwhile."""
MOST_RECORDS = 300
_NEAR = 20
_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Served:
    """A record that was served, and the runs of words of all that it says. Text that a backend wrote has no source here."""

    record_id: str
    runs: frozenset[str]
    source_id: str = ""


def served_to(
    *, namespace: str, reader: Reader, text: str, now: datetime, lately: timedelta = LATELY, near: bool = True
) -> Iterator[Served]:
    """What the agent was served that the text may repeat: its newest answers, then (`near`) what the index finds near it."""
    if not reader.agent:
        return
    seen: set[str] = set()
    recent = _recent(namespace, reader.agent, now, lately)
    yield from _derived(recent)
    yield from _own([record_id for record_id, _ in recent], namespace, seen)
    alike = [record_id for record_id in _near(namespace, reader, text) if record_id not in seen] if near else []
    if alike:
        items = RecallItem.objects.filter(
            namespace=namespace, record_id__in=alike, recall__agent=reader.agent, at__lte=now
        )
        yield from _own(items.values_list("record_id", flat=True).distinct(), namespace, seen)


def _recent(namespace: str, agent: str, now: datetime, lately: timedelta) -> list[tuple[str, list[str]]]:
    logs = RecallLog.objects.filter(namespace=namespace, agent=agent, at__gte=now - lately, at__lte=now)
    newest = list(logs.order_by("-at").values_list("id", flat=True)[:MOST_ANSWERS])
    items = RecallItem.objects.filter(recall_id__in=newest).order_by("-at", "rank")
    found: dict[str, list[str]] = {}
    for record_id, runs in items.values_list("record_id", "runs"):
        found.setdefault(record_id, runs)
        if len(found) >= MOST_RECORDS:
            break
    return list(found.items())


def _derived(recent: Sequence[tuple[str, list[str]]]) -> Iterator[Served]:
    """Of text that a backend wrote only the runs are kept."""
    for record_id, runs in recent:
        if runs:
            yield Served(record_id, frozenset(runs))


def _own(record_ids: Iterable[str], namespace: str, seen: set[str]) -> Iterator[Served]:
    wanted = [one for one in dict.fromkeys(record_ids) if one not in seen]
    seen.update(wanted)
    rows = Evidence.objects.in_namespace(namespace).filter(record_id__in=wanted)
    for record_id, source_id, *texts in rows.values_list("record_id", "source_id", "content", "summary", "excerpt"):
        runs = frozenset(run for text in texts if text for run in runs_of(text, MOST_WORDS))
        yield Served(record_id, runs, source_id)


def _near(namespace: str, reader: Reader, text: str) -> list[str]:
    search = Search(namespace, text, partitions_searched(reader), _NEAR)
    try:
        return [hit.id for hit in default_backend().retrieve(search, deadline=Deadline(_SECONDS))]
    except BackendFailed:
        return []
