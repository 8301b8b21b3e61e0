"""A text as sentence frames: its tokens by role, its values and names, and what it denies (contract 7, 12.7).

Reads one text alone. Comparing two is for `opposition`. Scopes are judged from word order and small words, without a
grammar: a denial reaches to the end of its clause, or only over the noun behind it where the cue is a contrast.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final, NamedTuple

from evidence.rules.entities import Entity, entity_spans
from evidence.rules.negation import negation_spans
from evidence.rules.quantities import Quantity, quantity_spans
from evidence.rules.words import TOKEN, bigrams, fold, is_unspaced, lower, plain, readings

MAX_SENTENCES: Final = 60
_SENTENCE: Final = re.compile(r"(?:(?<=[.!?])\s+(?![a-z])|(?<=[;])\s+|[。！？；]|\n+|\s+(?=[-*•]\s))")
_BREAK: Final = re.compile(r"[,;:()\[\]，、：（）]|\s[-–—]+\s|—")
_BREAK_WORDS: Final = frozenset(
    """but because so whereas unless although though however yet aber sondern weil denn obwohl mais car parce pero sino porque
    aunque ma perché mas maar omdat want но потому""".split()
)
_ASIDE_WORDS: Final = frozenset(
    """as confirmed checked verified seen noted agreed says said according reported per decided discussed observed announced
    mentioned laut wie selon según secondo segundo volgens""".split()
)
CONTRASTS: Final = re.compile(
    r"\b(?:instead of|rather than|in place of|as opposed to|apart from|except(?: for)?|excluding|anstatt|statt|anstelle(?: von)?"
    r"|außer|au lieu d(?:e|u|es)|plutôt qu(?:e|')|sauf|en (?:lugar|vez) de(?:l)?|excepto|salvo|invece d(?:i|el|ella)"
    r"|piuttosto che|tranne|em vez d[eoa]s?|exceto|in plaats van|behalve|вместо|кроме)(?!\w)"
)


@dataclass(frozen=True, slots=True)
class Token:
    """One word or value of a sentence. `role`: `word`, `stop`, `value`, `denial` or `contrast`."""

    form: str
    stem: str
    role: str
    clause: int
    start: int
    end: int
    cue: str = ""
    """The plain form of a denial or contrast."""


@dataclass(frozen=True, eq=False)
class Frame:
    """One sentence; compared by identity, so that what is read from it can be cached.

    Sets are of stems; a value stands in them as `key_of` gives it.
    """

    language: str
    tokens: tuple[Token, ...]
    values: tuple[Quantity, ...]
    names: frozenset[str]
    """Named things, sure ones and guesses."""
    spoken: dict[str, str]
    """Stem -> the word as it was written, for reasons."""

    @cached_property
    def content(self) -> frozenset[str]:
        """Stems of the words that say something; values and cues are not among them."""
        return frozenset(token.stem for token in self.tokens if token.role == "word")

    @cached_property
    def everything(self) -> frozenset[str]:
        """`content` and the values."""
        return frozenset(token.stem for token in self.tokens if token.role in {"word", "value"})

    @cached_property
    def forms(self) -> frozenset[str]:
        """All folded words, small ones too."""
        return frozenset(token.form for token in self.tokens)

    @cached_property
    def asides(self) -> frozenset[str]:
        """What stands only in a clause that tells where the sentence comes from ("as agreed in the retro")."""
        first = {token.clause: token.form for token in reversed(self.tokens)}
        aside = {clause for clause, form in first.items() if clause > 0 and form in _ASIDE_WORDS}
        inside = {token.stem for token in self.tokens if token.clause in aside}
        return frozenset(inside - {token.stem for token in self.tokens if token.clause not in aside})


def key_of(value: Quantity) -> str:
    """How a value stands among stems."""
    return f"{value.kind}:{value.value}{value.unit}"


@lru_cache(maxsize=32768)
def frames_of(text: str, language: str) -> tuple[Frame, ...]:
    """The sentences of a text, at most `MAX_SENTENCES`, each with at least one word or value."""
    clear = plain(text)
    marks, names = _marks(clear, text, language), entity_spans(text, language)
    values = {(item.start, item.end): item.quantity for item in quantity_spans(text, language)}
    found: list[Frame] = []
    for start, end in _sentences(clear):
        if clear.startswith(("# ", "## ", "### "), start) and end < len(clear):
            continue  # a heading says nothing of its own
        inside = [mark for mark in marks if start <= mark.start < end]
        tokens = tuple(_tokens(clear, (start, end), language, inside))
        if any(token.role in {"word", "value"} for token in tokens):
            named = frozenset(name.name for name in names if start <= name.start < end and not _inside(name, inside))
            spoken = {token.stem: clear[token.start : token.end] for token in reversed(tokens)}
            said = tuple(values[mark.start, mark.end] for mark in inside if mark.role == "value")
            found.append(Frame(language, tokens, said, named, spoken))
        if len(found) == MAX_SENTENCES:
            break
    return tuple(found)


def _inside(name: Entity, marks: list[_Mark]) -> bool:
    """A unit ("kB") or a month is no name."""
    return any(mark.role == "value" and mark.start <= name.start < mark.end for mark in marks)


def _sentences(clear: str) -> Iterator[tuple[int, int]]:
    at = 0
    for cut in _SENTENCE.finditer(clear):
        if cut.start() > at and not re.search(
            r"\b(?:e\.g|i\.e|etc|vs|cf|ca|approx|no|nr|z\.B|d\.h|bzw|p\.ex)\.$", clear[at : cut.start()]
        ):
            yield at, cut.start()
            at = cut.end()
    if at < len(clear):
        yield at, len(clear)


def _tokens(clear: str, span: tuple[int, int], language: str, marks: list[_Mark]) -> Iterator[Token]:
    """The words of a sentence with the marks in place of the words they cover, in order, with their clause."""
    start, end = span
    items: list[_Mark | tuple[int, int]] = list(marks)
    for hit in TOKEN.finditer(clear, start, end):
        covering = [mark for mark in marks if mark.start < hit.end() and hit.start() < mark.end]
        if is_unspaced(hit.group()):
            items += _uncovered(hit.start(), hit.end(), covering)
        elif not covering:
            items.append(hit.span())
    breaks = [hit.start() for hit in _BREAK.finditer(clear, start, end)]
    clause, at = 0, start
    for item in sorted(items, key=lambda item: (item[0], not isinstance(item, _Mark))):
        here = item[0]
        clause += any(at <= cut < here for cut in breaks)
        at = max(at, here)
        if isinstance(item, _Mark):
            form = clear[item.start : item.end].casefold()
            yield Token(form, item.stem or item.cue, item.role, clause, item.start, item.end, item.cue)
        else:
            form = fold(clear[item[0] : item[1]])
            clause += int(form in _BREAK_WORDS and here > start)
            yield from _word(form, item[0], item[1], clause, language)


def _uncovered(start: int, end: int, marks: list[_Mark]) -> Iterator[tuple[int, int]]:
    """The stretches of a run without spaces that no mark covers."""
    for mark in marks:
        if start < mark.start:
            yield start, mark.start
        start = max(start, mark.end)
    if start < end:
        yield start, end


class _Mark(NamedTuple):
    start: int
    end: int
    role: str
    stem: str
    cue: str


def _marks(clear: str, text: str, language: str) -> list[_Mark]:
    """Values, denials and contrasts of the whole text, none inside another."""
    found = [_Mark(item.start, item.end, "value", key_of(item.quantity), "") for item in quantity_spans(text, language)]
    found += [_Mark(hit.start(), hit.end(), "contrast", "", hit.group()) for hit in CONTRASTS.finditer(lower(clear))]
    for item in negation_spans(text, language):
        if not any(mark.start < item.end and item.start < mark.end for mark in found):
            found.append(_Mark(item.start, item.end, "denial", "", item.plain))
    return sorted(found)


def _word(form: str, start: int, end: int, clause: int, language: str) -> Iterator[Token]:
    if is_unspaced(form):
        for pair in bigrams(form):
            yield Token(pair, pair, "word", clause, start, end)
        return
    for piece in readings(form, language):
        yield Token(piece.form, piece.stem, "stop" if piece.is_stop else "word", clause, start, end)
