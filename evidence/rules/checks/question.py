"""What every check of the verifier reads and gives (contract 8): one question, one result. Knows no check."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from evidence.rules.eligibility import effective_trust_class
from evidence.rules.kept import kept
from evidence.rules.records import Candidate, LinkedEvidence, Tombstone
from evidence.rules.secrets import secret_kinds
from evidence.rules.support import Span
from evidence.rules.vocab import Polarity, Redaction, TrustClass

PASS: Final = "pass"  # noqa: S105 - an outcome
REVIEW: Final = "review"
REJECTED: Final = "rejected"


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What one check found. `outcome`: `pass`, `review` or `rejected`; `reason`: the contract's code, empty on a pass.

    `detail` is for a reviewer. `words`: lists of words by what they are (`matched`, `missing` ...). `spans`: places in the
    statement and in cited texts (`ev-1.excerpt`), with `matched`, `missing` or a signal's name. Nothing holds a secret's value.
    """

    name: str
    outcome: str
    reason: str
    detail: str
    numbers: Mapping[str, float] = field(default_factory=dict)
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    spans: tuple[Span, ...] = ()

    def as_dict(self) -> dict[str, object]:
        """Plain values, ready for JSON."""
        return {
            "name": self.name,
            "outcome": self.outcome,
            "reason": self.reason,
            "detail": self.detail,
            "numbers": dict(self.numbers),
            "words": {name: list(words) for name, words in self.words.items()},
            "spans": [span.as_dict() for span in self.spans],
        }


@dataclass(frozen=True)
class Question:
    """What every check reads: the candidate, what it cites, what was deleted, and how it matches."""

    candidate: Candidate
    evidence: Sequence[LinkedEvidence]
    tombstones: Sequence[Tombstone]
    match_kind: str | None = None
    matched: tuple[str, ...] = ()

    @kept
    def linked(self) -> list[LinkedEvidence]:
        """Evidence that the candidate names; what it does not name is not linked to it."""
        named = frozenset(self.candidate.evidence_ids)
        return [piece for piece in self.evidence if piece.id in named]

    @kept
    def supporting(self) -> list[LinkedEvidence]:
        """Linked evidence that supports and can still be read (contract 12.11: `qualifies` does not support)."""
        return [
            piece for piece in self.linked if piece.polarity == Polarity.SUPPORTS and piece.redaction == Redaction.NONE
        ]

    @kept
    def effective_class(self) -> TrustClass:
        return effective_trust_class(self.candidate.trust_class, [piece.trust_class for piece in self.supporting])

    @kept
    def secrets(self) -> list[tuple[str, tuple[str, ...]]]:
        """Places of secrets with their kinds (contract 8.10)."""
        tags = [("tags", text) for text in self.candidate.tags]
        return [(place, kinds) for place, text in (*self.texts, *tags) if (kinds := secret_kinds(text))]

    @kept
    def texts(self) -> list[tuple[str, str]]:
        """Every text a reader of the claim would meet, with its place."""
        claim = self.candidate.claim
        named = [("statement", self.candidate.statement)]
        if claim is not None:
            named += [
                ("claim subject", claim.subject),
                ("claim attribute", claim.attribute),
                ("claim value", claim.value),
            ]
        for piece in self.linked:
            named += [(f"{piece.id}.summary", piece.summary), (f"{piece.id}.excerpt", piece.excerpt)]
        return [(place, text) for place, text in named if text]

    def told(self, place: str) -> str:
        """A place in words: "the statement", "the 2nd source's excerpt"; sources count in the order they were given."""
        owner, _, part = place.rpartition(".")
        ids = [piece.id for piece in self.linked]
        if owner not in ids:
            return _PLACES.get(place, place)
        return f"the source's {part}" if len(ids) == 1 else f"the {_nth(ids.index(owner) + 1)} source's {part}"


_PLACES: Final[Mapping[str, str]] = {
    "statement": "the statement",
    "claim subject": "the claim's subject",
    "claim attribute": "the claim's attribute",
    "claim value": "the claim's value",
    "tags": "a tag",
}


def _nth(number: int) -> str:
    teens = 10 < number % 100 < 14
    return f"{number}{'th' if teens else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


def plain_word(word: str) -> str:
    return str(word).replace("_", " ")


def listed(words: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(plain_word(word) for word in words))
