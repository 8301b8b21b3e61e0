"""What a text says, brought to the form in which near-duplicates are compared (for `twins` and `clusters`).

Reads one text alone. Words of one meaning become one, small words that bend a claim become marks, values their normal form.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Final

from evidence.rules.antonyms import DENYING_STATES, DENYING_VERBS
from evidence.rules.entities import NAMED_VERBS
from evidence.rules.frames import Frame, frames_of, key_of
from evidence.rules.near_words import ENDINGS, MARKS, PARTICLES, plain_word
from evidence.rules.words import is_unspaced, language_of, plain, stem

_MARKED: Final = {word: mark for mark, words in MARKS.items() for word in words}
_ARTICLES: Final = frozenset(
    """the a an all every each any its our their der die das den dem ein eine einen einem la le les el los las il lo un une
    una uno het de""".split()
)
_DENYING: Final = DENYING_STATES | frozenset(
    form
    for form, verb in DENYING_VERBS.items()
    if verb not in {"remove", "replace", "drop", "skip", "fail", "retire"}  # what is done, more often than denied
)
_PERIODS: Final = frozenset({"period", "duration"})
_WEEK: Final = "duration:604800s"


@dataclass(frozen=True, eq=False)
class Gist:
    """A text read for comparison; compared by identity, so that it can be a key."""

    text: str
    language: str
    words: tuple[str, ...]
    """Plain words (see `near_words.plain_word`) and values in order; of scripts without spaces the signs."""
    spoken: tuple[str, ...]
    """The same as written, one for one."""
    forms: tuple[str, ...]
    """The same folded, one for one."""
    values: tuple[str, ...]
    """Numbers, dates, sizes in normal form, sorted; what an aside mentions is left out."""
    names: tuple[tuple[str, frozenset[str]], ...]
    """Named things, each with the stems of its parts."""
    known: frozenset[str]
    """Every form and stem of the text, small words too: what a name of another text may be met by."""
    denials: int
    """Negations, contrasts ("instead of") and denying verbs: what is denied on one side only is told apart by their number."""
    marks: frozenset[str]
    """What bends the claim, see `near_words.MARKS`; `question` where it asks."""
    acts: frozenset[str]
    """Plain words that do something to what stands behind them ("calls the worker")."""
    has_runs: bool
    """Whether some of it is written without spaces."""

    @cached_property
    def bag(self) -> frozenset[str]:
        return frozenset(self.words)

    @cached_property
    def once(self) -> dict[str, int]:
        """The words that stand once, with their places."""
        counts = Counter(self.words)
        return {word: at for at, word in enumerate(self.words) if counts[word] == 1}

    @cached_property
    def block(self) -> tuple[object, ...]:
        """What near-duplicates have in common for certain: the values, how much is denied, what bends the claim."""
        return self.values, self.denials, tuple(sorted(self.marks - {"may", "must"}))


def gist_of(text: str, language: str | None = None) -> Gist:
    """The gist of any text; one without anything to compare has no words."""
    return _read(text, language or language_of(text))


@lru_cache(maxsize=32768)
def _read(text: str, language: str) -> Gist:
    frames = frames_of(text, language)
    clear = plain(text)
    found = [item for frame in frames for item in _words(frame, clear)]
    tokens = [token for frame in frames for token in frame.tokens]
    marks = {_MARKED[token.form] for token in tokens if token.form in _MARKED}
    if clear.rstrip().endswith(("?", "？")):
        marks.add("question")
    return Gist(
        text=text,
        language=language,
        words=tuple(word for word, _, _ in found),
        spoken=tuple(written for _, written, _ in found),
        forms=tuple(form for _, _, form in found),
        values=_values(frames),
        names=tuple(_names(frames)),
        known=frozenset(part for token in tokens for part in (token.form, token.stem)),
        denials=sum(token.role in {"denial", "contrast"} or token.form in _DENYING for token in tokens),
        marks=frozenset(marks),
        acts=frozenset(word for frame in frames for word in _acts(frame)),
        has_runs=any(token.role == "word" and is_unspaced(token.form) for token in tokens),
    )


def _words(frame: Frame, clear: str) -> Iterator[tuple[str, str, str]]:
    """Plain word, as written, folded; what stands in an aside only is left out."""
    run = (-1, -1)
    for token in frame.tokens:
        if token.stem in frame.asides or token.role not in {"word", "value"}:
            continue
        written = clear[token.start : token.end]
        if token.role == "value":
            yield _value(token.stem), written, token.form
        elif not is_unspaced(token.form):
            if word := plain_word(token.form, token.stem, frame.language):
                yield word, written, token.form
        elif run != (token.start, token.end):
            run = (token.start, token.end)
            yield from ((sign, sign, sign) for sign in ENDINGS.sub("", written) if sign not in PARTICLES)


def _acts(frame: Frame) -> Iterator[str]:
    """Words with an article or a name right behind them, and known verbs: guesses, good enough to ask who does it."""
    named = frozenset[str]().union(*(stems for _, stems in _names((frame,))))
    for at, (token, following) in enumerate(pairwise(frame.tokens)):
        if token.role != "word" or token.stem in named or token.clause != following.clause:
            continue
        if following.form in _ARTICLES or following.stem in named or (at and token.form in NAMED_VERBS):
            yield plain_word(token.form, token.stem, frame.language)


def is_value(word: str) -> bool:
    """Whether a plain word is a value: its kind, a colon, its normal form."""
    return ":" in word


def _value(key: str) -> str:
    """ "every 90 seconds" and "an interval of 90 seconds" tell one thing."""
    kind, _, rest = key.partition(":")
    return f"duration:{rest}" if kind in _PERIODS else key


def _values(frames: tuple[Frame, ...]) -> tuple[str, ...]:
    found = {_value(key_of(value)) for frame in frames for value in frame.values if key_of(value) not in frame.asides}
    if any(value.startswith("weekday:") for value in found):
        found.discard(_WEEK)  # "weekly on Monday"
    return tuple(sorted(found))


def _names(frames: tuple[Frame, ...]) -> Iterator[tuple[str, frozenset[str]]]:
    for frame in frames:
        for name in frame.names:
            parts = name.replace("/", "-").replace(".", "-").replace("_", "-").split("-")
            stems = frozenset(stem(part, frame.language) for part in parts if part)
            if not stems <= frame.asides and not any(map(is_unspaced, name)):  # a run with a digit in it is no name
                yield name, stems
