"""How far a decision reaches: of the last recalls, how many showed what it would replace, or asked for what it says.

A look back at a sample, never a promise. Queries are matched by words only where the policy lets their text be kept.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from evidence.models import HeldRecord, RecallItem, RecallLog
from evidence.rules.access import readable
from evidence.rules.records import Reader
from evidence.rules.words import stems

SAMPLE = 200
ENOUGH = 2
"""Words that a longer query must share with the statement to count; of a shorter one all of them."""


@dataclass(frozen=True, slots=True)
class Reach:
    """Of `sample` recalls in the namespace `replaced` showed a record that would be replaced. `asked`: of the `kept` ones whose
    text is known and whose agent may read the item, those with its words."""

    sample: int = 0
    replaced: int = 0
    kept: int = 0
    asked: int = 0


def reach_of(held: HeldRecord, replaced: Collection[str]) -> Reach:
    """`replaced`: ids of the records that approving would replace."""
    recalls = RecallLog.objects.filter(namespace=held.namespace).order_by("-at")
    recent = list(recalls.values_list("id", "agent", "query_text")[:SAMPLE])
    if not recent:
        return Reach()
    shown = RecallItem.objects.filter(
        recall_id__in=[row[0] for row in recent], namespace=held.namespace, record_id__in=list(replaced)
    )
    kept = [(agent, text) for _, agent, text in recent if text]
    words = stems(held.statement)
    asked = sum(
        _asks(stems(text), words) for agent, text in kept if readable(held.scope, Reader(agent=agent, projects=()))
    )
    return Reach(len(recent), len(set(shown.values_list("recall_id", flat=True))), len(kept), asked)


def _asks(query: frozenset[str], words: frozenset[str]) -> bool:
    return bool(query) and len(query & words) >= min(ENOUGH, len(query))
