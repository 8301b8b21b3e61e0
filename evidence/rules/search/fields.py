"""What can stand before a colon, and what behind it. The one list that parser, translation, help and suggestions read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from evidence.rules.vocab import HeldKind, HeldStatus, Label, MatchKind, Risk, Signal, Trust, TrustClass

ANY = "any"
CONFLICT = "conflict"
FLAGS: tuple[str, ...] = (*(signal.value for signal in Signal), "source_burst", "echo")
STATES: tuple[str, ...] = (
    "leased", "mine", "snoozed", "flagged", "first-approved", "unverified", "expiring",
)  # fmt: skip


class Holds(StrEnum):
    """What the values of a field are."""

    WORDS = "words"
    """One of a list."""
    NAME = "name"
    """Any text, compared exactly."""
    SPAN = "span"
    """Longer or shorter than a time."""
    ID = "id"
    """The id of an item."""


@dataclass(frozen=True, slots=True)
class Field:
    """`short` are other spellings of its words; `meaning` and `example` are shown in the help."""

    name: str
    holds: Holds
    meaning: str
    example: str
    words: tuple[str, ...] = ()
    short: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    def word(self, typed: str) -> str | None:
        """The word of the list that was typed, in any case and with - for _; none when it is not on it."""
        plain = typed.casefold().replace("_", "-")
        for word in self.words:
            if word.casefold().replace("_", "-") == plain:
                return word
        return self.short.get(plain)

    @property
    def spellings(self) -> tuple[str, ...]:
        """Everything that `word` takes, for finding what was meant."""
        return (*self.words, *self.short)


def _words(name: str, meaning: str, example: str, words: tuple[str, ...], **short: str) -> Field:
    return Field(name, Holds.WORDS, meaning, example, words, MappingProxyType(short))


_ALL = (
    _words("status", "waiting unless another is named; any: all of them", "status:rejected",
           (*(word.value for word in HeldStatus), ANY)),
    _words("risk", "how much harm it could do", "risk:high,medium", tuple(word.value for word in reversed(Risk))),
    _words("match", "how it stands to what is known; conflict: all that disagree", "match:conflict",
           (CONFLICT, *(word.value for word in MatchKind)),
           strengthens=MatchKind.STRENGTHENS.value, updates=MatchKind.UPDATES.value, supersedes=MatchKind.SUPERSEDES.value),
    _words("kind", "fact, article or evidence", "kind:article", tuple(word.value for word in HeldKind),
           fact=HeldKind.FACT_PROPOSAL.value, article=HeldKind.PROMOTION_PROPOSAL.value,
           evidence=HeldKind.HELD_EVIDENCE.value),
    Field("agent", Holds.NAME, "whose proposal it is", "agent:ops-agent"),
    _words("is", "how it stands right now; mine: leased to you", "is:snoozed", STATES),
    _words("flag", "a warning of the verifier", "flag:instruction_like", FLAGS),
    _words("label", "what an approval as of its source’s date would give", "label:stale",
           tuple(word.value for word in Label)),
    Field("age", Holds.SPAN, "since when it waits: d, h, w, m (minutes)", "age:>3d"),
    Field("expires", Holds.SPAN, "when its label would turn stale", "expires:<2d"),
    _words("trust", "of the channel it came through", "trust:external", tuple(word.value for word in Trust)),
    _words("class", "the trust class of its evidence", "class:repository_text",
           tuple(word.value for word in TrustClass)),
    Field("source", Holds.NAME, "the beginning of an evidence’s source, or its thread", "source:session:ops-agent"),
    Field("by", Holds.NAME, "who filed it", "by:ops-agent"),
    Field("ns", Holds.NAME, "namespace", "ns:default"),
    _words("has", "whether its claim was decided before", "has:history", ("history",)),
    Field("cluster", Holds.ID, "all that say nearly the same as this item", "cluster:0192f1e2-…"),
    Field("same", Holds.ID, "others that say the same as this item", "same:0192f1e2-…"),
)  # fmt: skip

FIELDS: Mapping[str, Field] = MappingProxyType({one.name: one for one in _ALL})
