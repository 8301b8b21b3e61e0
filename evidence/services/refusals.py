"""Counting what was refused because of a secret: kind, door and agent, by quarters of an hour; of the text nothing is kept.

A refusal takes its transaction back, so the count is written apart from it, a moment later (`batching`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from django.utils import timezone

from evidence.models import Tally
from evidence.models.tallies import Figure, slot_of
from evidence.rules.vocab import SecretKind
from evidence.services.batching import Queue

Noted = tuple[str, str, str, int]
_KINDS = frozenset(SecretKind)


def count_refused(*, kinds: Iterable[str], door: str = "", agent: str = "") -> None:
    """One refusal, of each kind that was found. `agent` and `door` are empty where the place of refusing does not know them."""
    slot = slot_of(timezone.now())
    for kind in dict.fromkeys(str(kind) for kind in kinds):
        if kind in _KINDS:
            _refused.put((agent, kind, door, slot))


def _write(noted: Sequence[Noted]) -> None:
    Tally.objects.bulk_create(
        Tally(figure=Figure.REFUSED, agent=agent, word=kind, detail=door, slot=slot, number=number)
        for (agent, kind, door, slot), number in sorted(Counter(noted).items())
    )


_refused: Queue[Noted] = Queue("refusals", _write)
