"""Unknown words in the enumerated fields of a record (contract 1, 12.3).

One answer for label, usability and the doors: which fields hold a word outside their list. Absent is not unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum

from evidence.rules.records import Record
from evidence.rules.text import norm
from evidence.rules.vocab import (
    Access,
    Durability,
    Kind,
    Layer,
    Polarity,
    ReachLevel,
    Redaction,
    Review,
    State,
    Trust,
    TrustClass,
    Volatility,
)


def _required(words: type[StrEnum]) -> frozenset[str]:
    return frozenset(words)


def _optional(words: type[StrEnum]) -> frozenset[str]:
    """Also the empty word: nobody said anything."""
    return frozenset((*words, ""))


def _normal(word: str) -> str:
    return norm(word) or word


_FIELDS: Mapping[str, tuple[Callable[[Record], str | None], frozenset[str]]] = {
    "kind": (lambda record: record.kind, _required(Kind)),
    "state": (lambda record: record.state, _required(State)),
    "volatility": (lambda record: record.volatility, _optional(Volatility)),
    "scope.access": (lambda record: record.scope.access, _optional(Access)),
    "trust": (lambda record: record.trust, _optional(Trust)),
    "review": (lambda record: record.review, _optional(Review)),
    "layer": (lambda record: record.layer, _optional(Layer)),
    "trust_class": (lambda record: record.trust_class, _optional(TrustClass)),
    "durability": (lambda record: record.durability, _optional(Durability)),
    "polarity": (lambda record: record.polarity, _optional(Polarity)),
    "redaction": (lambda record: record.redaction, _optional(Redaction)),
    # Reach is normalised wherever it is compared (contract 12.1), so "Project" is a known level; a blank one is no word.
    "reach.level": (lambda record: _normal(record.reach.level) if record.reach else "", _optional(ReachLevel)),
}


def unknown_words(record: Record) -> tuple[str, ...]:
    """The fields whose word is not in their list, in a fixed order; empty for a record that is well formed."""
    return tuple(field for field, (read, known) in _FIELDS.items() if (read(record) or "") not in known)
