"""What agents said of what they were shown, counted. Reads only, and nothing is ranked by it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from evidence.models import Evidence, Feedback, Token, User
from evidence.models.visibility import agents_of
from evidence.rules.vocab import FeedbackOutcome

MOST_COUNTED = 1_000
MOST_LISTED = 8


@dataclass(frozen=True, slots=True)
class Said:
    """What stands now, by outcome. `capped`: there was more, and the newest were taken."""

    helpful: int = 0
    misleading: int = 0
    outdated: int = 0
    not_applicable: int = 0
    not_used: int = 0
    capped: bool = False

    @property
    def any(self) -> bool:
        return bool(self.helpful + self.misleading + self.outdated + self.not_applicable + self.not_used)


def said_of(row: Evidence) -> Said:
    """Of one record, by all agents of its namespace: each agent's last word for each query."""
    rows = Feedback.objects.about(row.namespace, row.record_id).effective().order_by("-at")
    return _said(list(rows.values_list("outcome", flat=True)[: MOST_COUNTED + 1]))


def last_words(row: Evidence, user: User) -> list[Feedback]:
    """What stands now of one record, newest first, from agents that the person may see."""
    seen = agents_of(user)
    rows = Feedback.objects.about(row.namespace, row.record_id).effective().order_by("-at")
    return list((rows if seen is None else rows.filter(agent__in=seen))[:MOST_LISTED])


@dataclass(frozen=True, slots=True)
class RecordSaid:
    """A record, and what was said of it."""

    row: Evidence
    said: Said


def most_said(user: User, since: datetime) -> list[RecordSaid]:
    """Records that agents spoke of since then, those that misled first; of the newest words, as far as the person may see
    both the agents and the records.
    """
    seen = agents_of(user)
    rows = Feedback.objects.effective().filter(at__gte=since)
    rows = rows if seen is None else rows.filter(agent__in=seen)
    newest = rows.order_by("-at").values_list("namespace", "record_id", "outcome")[:MOST_COUNTED]
    found: dict[tuple[str, str], list[str]] = {}
    for namespace, record_id, outcome in newest:
        found.setdefault((namespace, record_id), []).append(outcome)
    counted = {key: _said(outcomes) for key, outcomes in found.items()}
    first = sorted(counted, key=lambda key: (-_against(counted[key]), -counted[key].helpful, key))[: MOST_LISTED * 4]
    records = Evidence.objects.visible_to(user).filter(record_id__in=[record_id for _, record_id in first])
    by_key = {(row.namespace, row.record_id): row for row in records}
    return [RecordSaid(by_key[key], counted[key]) for key in first if key in by_key][:MOST_LISTED]


def _against(said: Said) -> int:
    return said.misleading + said.outdated


def _said(outcomes: Sequence[str]) -> Said:
    numbers = Counter(outcomes[:MOST_COUNTED])
    counted = {word.value: numbers[word.value] for word in FeedbackOutcome}
    return Said(**counted, capped=len(outcomes) > MOST_COUNTED)


def own_word(token: Token, feedback_id: str) -> Feedback | None:
    return Feedback.objects.filter(pk=feedback_id, namespace=token.namespace, agent=token.agent_id).first()
