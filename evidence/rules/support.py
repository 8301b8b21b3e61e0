"""Whether what was cited says what is claimed (contract 8.1, 12.11): which words, values and denials are there, and which not.

Reads the claim and the texts of *supporting* evidence; which evidence supports is for the verifier. The result carries
the places of every match in every text, so that a page can mark them and name what is missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from evidence.rules.antonyms import opposite_pair
from evidence.rules.claimed_values import Values, find_values
from evidence.rules.counterparts import predicate, said_otherwise
from evidence.rules.denials import denials_of
from evidence.rules.frames import Frame, frames_of
from evidence.rules.given_names import missing_names
from evidence.rules.met_denials import missing_denials
from evidence.rules.opposition import Opposition
from evidence.rules.places import Places
from evidence.rules.quotes import Quote, find_quote
from evidence.rules.spans import Taken
from evidence.rules.synonyms import meaning_of
from evidence.rules.wordings import Word, Wordings, wording_of
from evidence.rules.words import language_of, plain

THRESHOLD: Final = 0.35
"""Share of the claim's content words that must be found (contract 8.1); a policy default."""


@dataclass(frozen=True, slots=True)
class Cited:
    """One text of a piece of evidence: `place` says whose and which (`ev-1.excerpt`)."""

    place: str
    text: str


class Span(NamedTuple):
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
    is_quote: bool = False
    """A text says it word for word."""

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
            found.append(f"no source names {_listed(self.missing_names)}")
        if self.unsaid and self.share >= self.threshold:
            found.append("the sources speak of its subject, but of what it says about that no word is found")
        if self.missing_denials:
            found.append(f"no source denies what it denies ({_listed(self.missing_denials)})")
        if self.opposition is not None:
            found.append(f"a source says otherwise: {self.opposition.reason}")
        return tuple(found)


def _listed(words: Sequence[str]) -> str:
    return ", ".join(f"“{word}”" for word in words[:6]) + (" …" if len(words) > 6 else "")


def support(statement: str, cited: Sequence[Cited], threshold: float = THRESHOLD) -> Support:
    """How far the cited texts carry the statement. Without any text nothing is found."""
    copies = _copies([item for item in cited if item.text])
    texts = list(copies)
    language = language_of(statement, *texts)
    words = wording_of(statement, language)
    quote = find_quote(statement, texts, language) if words else None
    if quote is not None:
        return _quoted(statement, quote, words, copies, threshold)
    said = Wordings(texts, language)
    found = _Coverage(words, said)
    values, names = find_values(statement, texts, language), missing_names(statement, texts, language, said)
    claim = frames_of(statement, language)
    is_near = found.share >= threshold
    denies = any(token.role == "denial" for frame in claim for token in frame.tokens)
    sources = [frame for text in texts for frame in frames_of(text, language)] if is_near or denies else []
    places = Places(statement)
    return Support(
        share=found.share,
        matched=_written(statement, places, found.matched),
        missing=_written(statement, places, found.missing),
        missing_values=_cut(statement, places, values.missing),
        missing_names=_cut(statement, places, names),
        missing_denials=missing_denials(claim, sources),
        unsaid=not found.says_predicate(claim, said),
        opposition=said_otherwise(statement, texts, language, said) if is_near else None,
        spans=(*found.spans(places, values, names), *_in_sources((*found.hits, *values.hits), copies)),
        threshold=threshold,
    )


def _quoted(
    statement: str, quote: Quote, words: Sequence[Word], copies: Mapping[str, Sequence[_Copy]], threshold: float
) -> Support:
    """Everything is found: word for word."""
    ours = Places(statement)
    spans = dict.fromkeys((word.start, word.end) for word in words)
    marks = [Span("statement", *ours.span(start, end), "matched") for start, end in spans]
    hits = [(quote.at, start + quote.start, end + quote.start) for start, end in spans]
    marks += _in_sources(hits, copies)
    return Support(
        1.0, _written(statement, ours, words), (), (), (), (), False, None, tuple(marks), threshold, is_quote=True
    )


_LABEL: Final = re.compile(r"[\w ]{1,24}: ")


class _Copy(NamedTuple):
    """A cited text, and which stretch of the text read in its place it repeats, in plain text; all of it: its own."""

    item: Cited
    start: int
    end: int
    shift: int
    """What brings a place there to the place here."""


def _copies(cited: Sequence[Cited]) -> dict[str, list[_Copy]]:
    """The texts to read, with where each is cited. One that another holds whole is not read: summaries repeat excerpts."""
    copies: dict[str, list[_Copy]] = {}
    bare_texts = [(item, *_bare(plain(item.text))) for item in cited]
    for item, skipped, bare in sorted(bare_texts, key=lambda entry: len(entry[2]), reverse=True):
        host, start = next(((host, at) for host in copies if (at := plain(host).find(bare)) >= 0), (item.text, 0))
        if host == item.text:
            copies.setdefault(host, []).append(_Copy(item, 0, len(plain(host)), 0))
        else:
            copies[host].append(_Copy(item, start, start + len(bare), skipped - start))
    return {item.text: copies[item.text] for item in cited if item.text in copies}


def _bare(text: str) -> tuple[int, str]:
    """A text without the label before it ("Conversation: ") and the dots behind it; how long the label is."""
    label = _LABEL.match(text)
    skipped = label.end() if label else 0
    return skipped, text[skipped:].rstrip(" .…")


def _in_sources(hits: Iterable[tuple[int, int, int]], copies: Mapping[str, Sequence[_Copy]]) -> Iterator[Span]:
    """Marks of what was found in every cited text, also where one repeats another."""
    by_text: dict[int, set[tuple[int, int]]] = {}
    for at, start, end in hits:
        by_text.setdefault(at, set()).add((start, end))
    marked = [(copy, sorted(by_text.get(at, ()))) for at, group in enumerate(copies.values()) for copy in group]
    for copy, spans in marked:
        places = Places(copy.item.text)
        for start, end in spans:
            if copy.start <= start and end <= copy.end:
                yield Span(copy.item.place, *places.span(start + copy.shift, end + copy.shift), "matched")


class _Coverage:
    """The claim's content words, sorted into those that some cited text holds and those that none does."""

    def __init__(self, words: Sequence[Word], said: Wordings) -> None:
        self.matched: list[Word] = []
        self.missing: list[Word] = []
        self.hits: list[tuple[int, int, int]] = []
        known: dict[str, bool] = {}
        for word in words:
            if word.form not in known:
                hits = said.hits(word.form, word.stem)
                known[word.form] = bool(hits)
                self.hits += [(at, hit.start, hit.end) for at, hit in hits]
            (self.matched if known[word.form] else self.missing).append(word)

    @property
    def share(self) -> float:
        total = len(self.matched) + len(self.missing)
        return len(self.matched) / total if total else 0.0

    def says_predicate(self, claim: Sequence[Frame], said: Wordings) -> bool:
        """Whether anything is found of what stands behind a verb, if in another word for it; values are told elsewhere."""
        behind = frozenset[str]().union(*(predicate(frame) for frame in claim if not denials_of(frame)))
        if (
            not behind
            or not behind.isdisjoint(word.stem for word in self.matched)
            or any(":" in stem for stem in behind)
        ):
            return True
        there = said.stems
        return (
            not behind.isdisjoint(there)
            or not {*map(meaning_of, behind)}.isdisjoint(map(meaning_of, there))
            or opposite_pair(behind, there) is not None  # "optional", "not required"
        )

    def spans(self, places: Places, values: Values, names: Sequence[tuple[int, int]]) -> Iterator[Span]:
        """Marks in the claim. A value or name is one as a whole, also where a word in it ("days") is found or not."""
        taken = Taken(max((word.end for word in (*self.matched, *self.missing)), default=0))
        marked: dict[tuple[int, int], str] = {}
        for spans, state in (((*values.missing, *names), "missing"), (values.given, "matched")):
            for start, end in spans:
                marked.setdefault((start, end), state)
                taken.cover(start, end)
        for words, state in ((self.matched, "matched"), (self.missing, "missing")):
            for word in words:
                if taken.is_free(word.start, word.end):
                    marked[word.start, word.end] = state
        for (start, end), state in sorted(marked.items()):
            yield Span("statement", *places.span(start, end), state)


def _cut(statement: str, places: Places, spans: Sequence[tuple[int, int]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(statement[slice(*places.span(*span))] for span in spans))


def _written(statement: str, places: Places, words: Sequence[Word]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(statement[slice(*places.span(word.start, word.end))] for word in words))
