"""Whether what was cited says what is claimed (contract 8.1, 12.11): which words, values and denials are there, and which not.

Reads the claim and the texts of *supporting* evidence; which evidence supports is for the verifier. The result carries
the places of every match in every text, so that a page can mark them and name what is missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from evidence.rules.claimed_names import missing_names
from evidence.rules.claimed_values import missing_values
from evidence.rules.counterparts import missing_denials, predicate, said_otherwise
from evidence.rules.frames import Frame, frames_of
from evidence.rules.opposition import Opposition
from evidence.rules.places import Places
from evidence.rules.wordings import Word, Wordings, wording_of
from evidence.rules.words import language_of

THRESHOLD: Final = 0.35
"""Share of the claim's content words that must be found (contract 8.1); a policy default."""


@dataclass(frozen=True, slots=True)
class Cited:
    """One text of a piece of evidence: `place` says whose and which (`ev-1.excerpt`)."""

    place: str
    text: str


@dataclass(frozen=True, slots=True)
class Span:
    """A place in the claim (`statement`) or in a cited text, in code points, end exclusive.

    `state` is `matched` or, in the claim only, `missing`; checks on signals put a signal's name there.
    """

    place: str
    start: int
    end: int
    state: str

    def as_dict(self) -> dict[str, object]:
        return {"place": self.place, "start": self.start, "end": self.end, "state": self.state}


@dataclass(frozen=True, slots=True)
class Support:
    """What was found of a claim. `share` is the found part of its content words, 0 to 1."""

    share: float
    matched: tuple[str, ...]
    missing: tuple[str, ...]
    missing_values: tuple[str, ...]
    missing_names: tuple[str, ...]
    missing_denials: tuple[str, ...]
    unsaid: bool
    """Of what the claim says about its subject no word is found."""
    opposition: Opposition | None
    spans: tuple[Span, ...]
    threshold: float = THRESHOLD

    @property
    def is_supported(self) -> bool:
        return not self.problems

    @property
    def problems(self) -> tuple[str, ...]:
        """In plain words, why it does not support; empty when it does."""
        found = []
        if not self.matched and not self.missing:
            found.append("the claim has no words to look for")
        elif self.share < self.threshold:
            found.append(f"{self.share:.0%} of its words are found, {self.threshold:.0%} are needed")
        if self.missing_values:
            found.append(f"not found: {_listed(self.missing_values)}")
        if self.missing_names:
            found.append(f"not named: {_listed(self.missing_names)}")
        if self.unsaid and self.share >= self.threshold:
            found.append("only what it is about is found, not what it says of it")
        if self.missing_denials:
            found.append(f"no source denies what it denies ({_listed(self.missing_denials)})")
        if self.opposition is not None:
            found.append(f"a source says otherwise: {self.opposition.reason}")
        return tuple(found)


def _listed(words: Sequence[str]) -> str:
    return ", ".join(f"“{word}”" for word in words[:6]) + (" …" if len(words) > 6 else "")


def support(statement: str, cited: Sequence[Cited], threshold: float = THRESHOLD) -> Support:
    """How far the cited texts carry the statement. Without any text nothing is found."""
    cited = [item for item in cited if item.text]
    texts = _distinct([item.text for item in cited])
    language = language_of(statement, *texts)
    said = Wordings([item.text for item in cited], language)
    found = _Coverage(statement, said, language)
    places = Places(statement)
    values, names = missing_values(statement, texts, language), missing_names(statement, texts, language, said)
    claim = frames_of(statement, language)
    sources = [frame for text in texts for frame in frames_of(text, language)]
    return Support(
        share=found.share,
        matched=_written(statement, places, found.matched),
        missing=_written(statement, places, found.missing),
        missing_values=_cut(statement, places, values),
        missing_names=_cut(statement, places, names),
        missing_denials=missing_denials(claim, sources),
        unsaid=not found.says_predicate(claim),
        opposition=said_otherwise(statement, texts, language, said),
        spans=tuple(found.spans(places, (*values, *names), cited)),
        threshold=threshold,
    )


_LABEL: Final = re.compile(r"^[\w ]{1,24}: ")


def _distinct(texts: Sequence[str]) -> list[str]:
    """Without texts that another one holds whole, as a summary often repeats the excerpt: sentences are read once."""
    kept: list[str] = []
    for text in sorted(texts, key=len, reverse=True):
        bare = _LABEL.sub("", text).rstrip(" .…")
        if not any(bare in other for other in kept):
            kept.append(text)
    return [text for text in dict.fromkeys(texts) if text in kept]


class _Coverage:
    """The claim's content words, sorted into those that some cited text holds and those that none does."""

    def __init__(self, statement: str, said: Wordings, language: str) -> None:
        self.matched: list[Word] = []
        self.missing: list[Word] = []
        self._hits: dict[tuple[int, int, int], None] = {}
        for word in wording_of(statement, language):
            hits = said.hits(word.form, word.stem)
            (self.matched if hits else self.missing).append(word)
            self._hits |= {(at, hit.start, hit.end): None for at, hit in hits}

    @property
    def share(self) -> float:
        total = len(self.matched) + len(self.missing)
        return len(self.matched) / total if total else 0.0

    def says_predicate(self, claim: Sequence[Frame]) -> bool:
        """Whether anything is found of what stands behind a verb; what is lacking of values is told elsewhere."""
        found = {word.stem for word in self.matched}
        behind = [predicate(frame) for frame in claim]
        return not any(behind) or any(stem in found or ":" in stem for stems in behind for stem in stems)

    def spans(self, places: Places, lacking: Sequence[tuple[int, int]], cited: Sequence[Cited]) -> Iterator[Span]:
        marked = {(word.start, word.end): "matched" for word in self.matched}
        marked |= {(word.start, word.end): "missing" for word in self.missing}
        for start, end in lacking:
            # A value or name is missed as a whole, also where a word in it ("days") is found.
            marked = {span: state for span, state in marked.items() if not (start <= span[0] and span[1] <= end)}
            marked[start, end] = "missing"
        for (start, end), state in sorted(marked.items()):
            yield Span("statement", *places.span(start, end), state)
        where = [Places(item.text) for item in cited]
        hits = sorted((cited[at].place, start, end, at) for at, start, end in self._hits)
        for place, start, end, at in hits:
            yield Span(place, *where[at].span(start, end), "matched")


def _cut(statement: str, places: Places, spans: Sequence[tuple[int, int]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(statement[slice(*places.span(*span))] for span in spans))


def _written(statement: str, places: Places, words: Sequence[Word]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(statement[slice(*places.span(word.start, word.end))] for word in words))
