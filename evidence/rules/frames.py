"""A text as sentence frames: its tokens by role, its values and names, and what it denies (contract 7, 12.7).

Reads one text alone. Comparing two is for `opposition`. Scopes are judged from word order and small words, without a
grammar: a denial reaches to the end of its clause, or only over the noun behind it where the cue is a contrast.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice
from operator import itemgetter
from typing import Final, NamedTuple

from evidence.rules.entities import entity_spans
from evidence.rules.negation import negation_spans
from evidence.rules.quantities import Quantity, quantity_spans
from evidence.rules.spans import Taken
from evidence.rules.words import Spelt, bigrams, fold, is_unspaced, lower, plain, readings, spelt

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
CONTRASTS: Final = re.compile(
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


@dataclass(frozen=True, eq=False)
class Frame:
    """One sentence; compared by identity, so that what is read from it can be cached.

    Sets are of stems; a value stands in them as `key_of` gives it.
    """

    language: str
    tokens: tuple[Token, ...]
    values: tuple[Quantity, ...]
    names: dict[str, str]
    """Named things, sure ones and guesses: folded -> as written."""
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
    def wording(self) -> tuple[str, ...]:
        """All stems in order: equal where two sentences say the same word for word."""
        return tuple(token.stem for token in self.tokens)

    @cached_property
    def sequence(self) -> tuple[Token, ...]:
        """The words that say something and the values, in order."""
        return tuple(token for token in self.tokens if token.role in {"word", "value"})

    @cached_property
    def initials(self) -> str:
        """First letters of the words that say something, as a short form of several of them would be spelt."""
        return "".join(token.form[0] for token in self.tokens if token.role == "word")

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
    marks, taken = _marks(clear, text, language)
    names = [name for name in entity_spans(text, language) if taken.is_free(name.start, name.start + 1)]  # "kB" is none
    spelling = spelt(text)
    starts = [word.start for word in spelling]
    found: list[Frame] = []
    for start, end in _sentences(clear):
        if clear.startswith(("# ", "## ", "### "), start) and end < len(clear):
            continue  # a heading says nothing of its own
        inside = [mark for mark in marks if start <= mark.start < end]
        words = spelling[bisect_left(starts, start) : bisect_left(starts, end)]
        items: list[_Mark | Spelt] = [*inside, *_unmarked(words, taken)]
        items.sort(key=_START)
        tokens = tuple(islice(_tokens(clear, (start, end), language, items), MAX_TOKENS))
        if any(token.role in {"word", "value"} for token in tokens):
            named = {name.name: clear[name.start : name.end] for name in names if start <= name.start < end}
            spoken = {token.stem: clear[token.start : token.end] for token in reversed(tokens)}
            said = tuple(mark.value for mark in inside if mark.value)
            found.append(Frame(language, tokens, said, named, spoken))
        if len(found) == MAX_SENTENCES:
            break
    return tuple(found)


def _sentences(clear: str) -> Iterator[tuple[int, int]]:
    at = 0
    for cut in _SENTENCE.finditer(clear):
        if cut.start() > at and not _SHORT.search(clear, max(at, cut.start() - 8), cut.start()):
            yield at, cut.start()
            at = cut.end()
    if at < len(clear):
        yield at, len(clear)


_START: Final = itemgetter(1)


class _Mark(NamedTuple):
    """A stretch read as one: a denial or contrast with its cue, a value with its quantity. Starts as `Spelt` does."""

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
    for role, cues in (
        ("contrast", ((" ".join(hit[0].split()), *hit.span()) for hit in CONTRASTS.finditer(lower(clear)))),
        ("denial", negation_spans(text, language)),
    ):
        found += [_Mark(clear[start:end].casefold(), start, end, role, cue, cue) for cue, start, end in cues]
    kept = [mark for mark in found if taken.take(mark.start, mark.end)]
    return sorted(kept, key=_START), taken


def _unmarked(words: tuple[Spelt, ...], taken: Taken) -> Iterator[Spelt]:
    """The words that no mark covers; of a run without spaces the stretches that none covers."""
    for word in words:
        form, start, end = word
        if is_unspaced(form):
            yield from (Spelt("", begin, until) for begin, until in taken.free_stretches(start, end))
        elif taken.is_free(start, end):
            yield word


def _tokens(clear: str, span: tuple[int, int], language: str, items: Sequence[_Mark | Spelt]) -> Iterator[Token]:
    """The marks and words of a sentence in order, with their clause."""
    breaks = [hit.start() for hit in _BREAK.finditer(clear, *span)]
    clause = passed = 0
    for item in items:
        start, end = item.start, item.end
        if breaks:
            reached = bisect_left(breaks, start)
            clause += reached > passed
            passed = reached
        if isinstance(item, _Mark):
            yield Token(item.form, item.stem, item.role, clause, start, end, item.cue)
            continue
        clause += item.form in _BREAK_WORDS[language] and start > span[0]
        if item.form:
            for form, stemmed, is_small in readings(item.form, language):
                yield Token(form, stemmed, "stop" if is_small else "word", clause, start, end)
        else:
            for pair in bigrams(fold(clear[start:end])):
                yield Token(pair, pair, "word", clause, start, end)
