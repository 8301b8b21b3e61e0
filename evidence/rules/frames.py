"""A text as sentence frames: its tokens by role, its values and names, and what it denies (contract 7, 12.7).

Reads one text alone. Comparing two is for `opposition`. Scopes are judged from word order and small words, without a
grammar: a denial reaches to the end of its clause, or only over the noun behind it where the cue is a contrast.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from operator import itemgetter
from typing import Final, NamedTuple

from evidence.rules.entities import Entity, entity_spans
from evidence.rules.kept import kept
from evidence.rules.negation import negation_spans
from evidence.rules.quantities import Quantity, quantity_spans
from evidence.rules.spans import Taken
from evidence.rules.words import bigrams, cut, fold, is_unspaced, letter_runs, lower, plain, readings

MAX_SENTENCES: Final = 60
MAX_TOKENS: Final = 300
"""Longer texts are read to here, so that no text costs more than some milliseconds; likeness reads all of it."""
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s(?!\s*[a-z])|(?<=;)\s|[。！？；\n]|\s(?=[-*•]\s)")
_SHORT: Final = re.compile(
    r"\b(?:e\.g|i\.e|etc|vs|cf|ca|approx|no|nr|z\.B|d\.h|bzw|p\.ex|[DM]r|Mrs|Ms|Prof|St|Mt|Gen|Sen|Rep|Gov|Lt|Col|Capt|Hr|Fr)\.$"
)
_BREAK: Final = re.compile(r"[,;:()\[\]，、：（）]|\s[-–—]+\s|—")
_BREAK_WORDS: Final[dict[str, frozenset[str]]] = {
    language: frozenset(words.split())
    for language, words in {
        "en": "but because so whereas unless although though however yet",
        "de": "aber sondern weil denn obwohl",
        "fr": "mais car parce",
        "es": "pero sino porque aunque",
        "it": "ma perché",
        "pt": "mas porque",
        "nl": "maar omdat want",
        "ru": "но потому",
    }.items()
}
_ASIDE_WORDS: Final = frozenset(
    """as confirmed checked verified seen noted agreed says said according reported per decided discussed observed announced
    mentioned laut wie selon según secondo segundo volgens""".split()
)
_CONTRASTS: Final = re.compile(
    (
        r"\b(?:instead of|rather than|in place of|as opposed to|apart from|except(?: for)?|excluding|anstatt|statt"
        r"|anstelle(?: von)?|(?:(?<=anyone\x20)|(?<=nobody\x20)|(?<=everyone\x20)|(?<=nothing\x20))but"
        r"|außer|au lieu d(?:e|u|es)|plutôt qu(?:e|')|sauf|en (?:lugar|vez) de(?:l)?|excepto|salvo"
        r"|invece d(?:i|el|ella)"
        r"|piuttosto che|tranne|em vez d[eoa]s?|exceto|in plaats van|behalve|вместо|кроме)(?!\w)"
    ).replace(" ", r"\s+")  # however wide the gap is
)


class Token(NamedTuple):
    """One word or value of a sentence. `role`: `word`, `stop`, `value`, `denial` or `contrast`."""

    form: str
    stem: str
    role: str
    clause: int
    start: int
    end: int
    cue: str = ""
    """The plain form of a denial or contrast."""


_Row = tuple[str, str, str, int, int, int, str]
"""As `Token`."""


_SAYING: Final = frozenset({"word", "value"})


class _Source:
    """The text that frames were read from, for what few of them are asked for."""

    __slots__ = ("clear", "entities", "language", "taken", "text")

    def __init__(self, text: str, clear: str, language: str, taken: Taken | None) -> None:
        self.text = text
        self.clear = clear
        self.language = language
        self.taken = taken
        self.entities: list[Entity] | None = None

    def names(self, start: int, end: int) -> dict[str, str]:
        """Named things of a stretch: folded -> as written."""
        if self.entities is None:
            spans, taken = entity_spans(self.text, self.language), self.taken
            self.entities = [
                name for name in spans if not taken or taken.is_free(name.start, name.start + 1)
            ]  # no "kB"
        return {name.name: self.clear[name.start : name.end] for name in self.entities if start <= name.start < end}


@dataclass(frozen=True, eq=False)
class Frame:
    """One sentence; compared by identity, so that what is read from it can be cached.

    Sets are of stems; a value stands in them as `key_of` gives it.
    """

    language: str
    rows: tuple[_Row, ...]
    """The tokens as bare tuples: most sentences are put aside before anything but their words is asked for."""
    values: tuple[Quantity, ...]
    content: frozenset[str]
    """Stems of the words that say something; values and cues are not among them."""
    everything: frozenset[str]
    """`content` and the values."""
    source: _Source
    span: tuple[int, int]

    @kept
    def tokens(self) -> tuple[Token, ...]:
        return tuple(map(Token._make, self.rows))

    @kept
    def names(self) -> dict[str, str]:
        """Named things, sure ones and guesses: folded -> as written."""
        return self.source.names(*self.span)

    @kept
    def spoken(self) -> dict[str, str]:
        """Stem -> the word as it was written, for reasons."""
        clear = self.source.clear
        return {token.stem: clear[token.start : token.end] for token in reversed(self.tokens)}

    @kept
    def wording(self) -> tuple[str, ...]:
        """All stems in order: equal where two sentences say the same word for word."""
        return tuple([row[1] for row in self.rows])

    @kept
    def sequence(self) -> tuple[Token, ...]:
        """The words that say something and the values, in order."""
        return tuple([token for token in self.tokens if token.role in _SAYING])

    @kept
    def order(self) -> tuple[str, ...]:
        """The stems of `sequence`."""
        return tuple([row[1] for row in self.rows if row[2] in _SAYING])

    @kept
    def initials(self) -> str:
        """First letters of the words that say something, as a short form of several of them would be spelt."""
        return "".join(token.form[0] for token in self.tokens if token.role == "word")

    @kept
    def forms(self) -> frozenset[str]:
        """All folded words, small ones too."""
        return frozenset([row[0] for row in self.rows])

    @kept
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
    marks, taken = _marks(clear, text, language)
    source = _Source(text, clear, language, taken if marks else None)
    spelling = cut(text)
    free: Sequence[_Piece] = list(_unmarked(spelling, taken)) if marks or not clear.isascii() else spelling
    items: Sequence[_Mark | _Piece] = sorted([*marks, *free], key=_START) if marks else free
    starts = [item[1] for item in items]
    found: list[Frame] = []
    for start, end in _sentences(clear):
        if clear.startswith(("# ", "## ", "### "), start) and end < len(clear):
            continue  # a heading says nothing of its own
        inside = items[bisect_left(starts, start) : bisect_left(starts, end)]
        rows = tuple(islice(_tokens(clear, (start, end), language, inside), MAX_TOKENS))
        content = frozenset([row[1] for row in rows if row[2] == "word"])
        values = [row[1] for row in rows if row[2] == "value"] if marks else ()
        if content or values:
            said = tuple([mark.value for mark in marks if mark.value and start <= mark.start < end]) if marks else ()
            everything = content.union(values) if values else content
            found.append(Frame(language, rows, said, content, everything, source, (start, end)))
        if len(found) == MAX_SENTENCES:
            break
    return tuple(found)


def _sentences(clear: str) -> Iterator[tuple[int, int]]:
    at = 0
    for gap in _SENTENCE.finditer(clear):
        if gap.start() > at and not _SHORT.search(clear, max(at, gap.start() - 8), gap.start()):
            yield at, gap.start()
            at = gap.end()
    if at < len(clear):
        yield at, len(clear)


_START: Final = itemgetter(1)
_Piece = tuple[str, int, int]
"""A word with its span, as `cut` gives it; the form of a stretch without spaces is empty."""


class _Mark(NamedTuple):
    """A stretch read as one: a denial or contrast with its cue, a value with its quantity. Starts as a `_Piece` does."""

    form: str

    start: int
    end: int
    role: str
    stem: str
    cue: str = ""
    value: Quantity | None = None


def _marks(clear: str, text: str, language: str) -> tuple[list[_Mark], Taken]:
    """Values, denials and contrasts of the whole text, none inside another, and what they cover."""
    taken = Taken(len(clear))
    found = [
        _Mark(clear[start:end].casefold(), start, end, "value", key_of(value), "", value)
        for value, start, end in quantity_spans(text, language)
    ]
    for role, cues in (("contrast", contrast_spans(text)), ("denial", negation_spans(text, language))):
        found += [_Mark(clear[start:end].casefold(), start, end, role, cue, cue) for cue, start, end in cues]
    kept = [mark for mark in found if taken.take(mark.start, mark.end)]
    return sorted(kept, key=_START), taken


def contrast_spans(text: str) -> Sequence[tuple[str, int, int]]:
    """The contrasts of a text in plain form, each with its span in the plain text."""
    if _CONTRASTING.isdisjoint(letter_runs(text)):
        return ()
    return [(" ".join(hit[0].split()), *hit.span()) for hit in _CONTRASTS.finditer(lower(plain(text)))]


_CONTRASTING: Final = frozenset(
    """instead rather in as apart except excluding anstatt statt anstelle but außer au plutôt sauf en excepto salvo invece
    piuttosto tranne em exceto behalve вместо кроме""".split()
)
"""The first words of all contrasts."""


def _unmarked(words: Sequence[_Piece], taken: Taken) -> Iterator[_Piece]:
    """The words that no mark covers; of a run without spaces the stretches that none covers."""
    for word in words:
        form, start, end = word
        if form >= "\u0e00" and is_unspaced(form):
            yield from (("", begin, until) for begin, until in taken.free_stretches(start, end))
        elif taken.is_free(start, end):
            yield word


def _tokens(clear: str, span: tuple[int, int], language: str, items: Sequence[_Mark | _Piece]) -> Iterator[_Row]:
    """The marks and words of a sentence in order, with their clause."""
    breaks = [hit.start() for hit in _BREAK.finditer(clear, *span)]
    breaking = _BREAK_WORDS[language]
    clause = passed = 0
    for item in items:
        form, start, end = item[0], item[1], item[2]
        if breaks:
            reached = bisect_left(breaks, start)
            clause += reached > passed
            passed = reached
        if isinstance(item, _Mark):
            yield form, item.stem, item.role, clause, start, end, item.cue
            continue
        if form in breaking and start > span[0]:
            clause += 1
        if form:
            for part, stemmed, is_small in readings(form, language):
                yield part, stemmed, "stop" if is_small else "word", clause, start, end, ""
        else:
            for pair in bigrams(fold(clear[start:end])):
                yield pair, pair, "word", clause, start, end, ""
