"""What any match of a pattern must contain, read off the pattern itself, so that a text without it costs no pattern.

`needles(pattern)` gives sets of words; of each set one stands in the `spaced` form of every text that the pattern matches. A
pattern of which nothing can be said gives no set and is always run.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from re import _constants as c  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

Words = frozenset[str]
"""Of these one is in every match."""

STRETCH = 4
"""Texts are known by their stretches of so many letters."""

SEPARATORS = "_*>#,:;\"'`~|()/[]-"
"""Marks that may part two words of one sentence, beside white space."""

_MOST_SETS = 3
_MOST_WORDS = 200
_TO_SPACES = str.maketrans(dict.fromkeys(SEPARATORS, " "))
_PARTING = frozenset(map(ord, SEPARATORS + " \t\n"))
# Words that stand in so many texts that they tell nothing.
_EVERYDAY = frozenset(
    "with from that this these those your have will what when where which there their they then than been were into about "
    "only also must should could would before after every each other some such like just more over must need here does "
    "note text data user time make file part list access read through".split()
)
# Shares of the letters of running text, one rare letter making a word rare.
_LETTERS = {letter: share / 100 for letter, share in zip("etaoinshrdlcumwfgypbvk ", (
    12.7, 9.1, 8.2, 7.5, 7.0, 6.7, 6.3, 6.1, 6.0, 4.3, 4.0, 2.8, 2.8, 2.4, 2.4, 2.2, 2.0, 2.0, 1.9, 1.5, 1.0, 0.8, 15.0
), strict=True)}  # fmt: skip
# Stretches that many words share.
_COMMON = frozenset(word for word in _EVERYDAY if len(word) == STRETCH) | frozenset(
    "ever very work form view send keep port star mail post run with ment cons comp tion writ".split()
)
_ENDINGS = (
    "ing",
    "ion",
    "ent",
    "ers",
    "ter",
    "est",
    "ate",
    "con",
    "pro",
    "port",
    "ed ",
    "the",
    " to",
    " in",
    " of",
    "is ",
)
_NO_WIDTH = {c.AT, c.ASSERT, c.ASSERT_NOT}


def spaced(text: str) -> str:
    """The text with one space for whatever parts its words: how needles are written and where they are looked for."""
    return " ".join(text.translate(_TO_SPACES).split())


def stretches(text: str) -> frozenset[str]:
    """Every stretch of four letters in the text."""
    return frozenset(map("".join, zip(text, text[1:], text[2:], text[3:], strict=False)))


@lru_cache(maxsize=8192)
def rarest(word: str) -> str:
    """The stretch of a word of four letters or more that fewest texts have."""
    return min(sorted(stretches(word)), key=_share)


def needles(pattern: str) -> tuple[Words, ...]:
    """Up to three sets of words, the most telling first; case is as in the pattern."""
    found = sorted(set(_sets(parser.parse(pattern))), key=_order)
    kept: list[Words] = []
    for words in found:
        if len(words) <= _MOST_WORDS and not any(words >= other for other in kept):
            kept.append(words)
    return tuple(kept[:_MOST_SETS])


@lru_cache(maxsize=8192)
def _share(letters: str) -> float:
    share = math.prod(_LETTERS.get(letter, 0.005) for letter in letters)
    return share * 30 if letters in _COMMON or any(ending in letters for ending in _ENDINGS) else share


def _order(words: Words) -> tuple[float, str]:
    """How many texts have to be looked at more closely for these words; short ones and everyday ones tell too little.

    The least word settles a draw, so that a pattern has the same needles in every process.
    """
    return math.fsum(map(_frequency, words)), min(words)


@lru_cache(maxsize=8192)
def _frequency(word: str) -> float:
    if len(word) < STRETCH:
        return 12.0 / len(word) ** 1.5 if word.isascii() else 0.1
    return 0.7 if word.lower() in _EVERYDAY else 500 * _share(rarest(word.lower()))


def _sets(items: Iterable[Any]) -> Iterator[Words]:
    """Every set that the items of a sequence give; neighbouring letters, and words one gap apart, are one word."""
    run = ""
    for item in items:
        letters = _letters(item)
        if letters:
            run += letters
            continue
        operation, argument = item
        if operation is c.BRANCH and run:
            yield from _words(run + _opening(branch) for branch in argument[1])
        if operation not in _NO_WIDTH:
            yield from _words((run,))
            run = ""
        yield from _INSIDE.get(operation, _nothing)(argument)
    yield from _words((run,))


def _letters(item: Any) -> str:
    """What the item always is: its letter, or a space for a gap between words; empty when it is neither."""
    operation, argument = item
    if operation is c.LITERAL:
        return chr(argument)
    if operation in (c.MAX_REPEAT, c.MIN_REPEAT) and argument[0] > 0 and len(argument[2]) == 1:
        operation, argument = argument[2][0]
    return " " if operation is c.IN and all(map(_parts, argument)) else ""


def _parts(member: Any) -> bool:
    """Whether a member of a class of characters only parts words."""
    kind, value = member
    return (kind is c.LITERAL and value in _PARTING) or (kind is c.CATEGORY and value is c.CATEGORY_SPACE)


def _opening(items: Iterable[Any]) -> str:
    """The letters that a sequence begins with: `th(?:is|ese)` is kept by its parser as one stem and two endings."""
    run = ""
    for item in items:
        letters = _letters(item)
        if not letters:
            break
        run += letters
    return run


def _words(runs: Iterable[str]) -> Iterator[Words]:
    """One set of the runs as they are looked for, if each of them says something."""
    words = frozenset(map(spaced, runs))
    if all(len(word) > 1 or (word and not word.isalnum()) for word in words):
        yield words


def _nothing(_argument: Any) -> Iterator[Words]:
    return iter(())


def _group(argument: Any) -> Iterator[Words]:
    return _sets(argument[3])


def _repeat(argument: Any) -> Iterator[Words]:
    return _sets(argument[2]) if argument[0] > 0 else iter(())


def _assertion(argument: Any) -> Iterator[Words]:
    return _sets(argument[1])


def _branch(argument: Any) -> Iterator[Words]:
    """One word of the best set of each branch; nothing if a branch gives none."""
    best: list[Words] = []
    for branch in argument[1]:
        options = list(_sets(branch))
        if not options:
            return
        best.append(min(options, key=_order))
    yield frozenset().union(*best)


_INSIDE: dict[Any, Callable[[Any], Iterator[Words]]] = {
    c.SUBPATTERN: _group,
    c.MAX_REPEAT: _repeat,
    c.MIN_REPEAT: _repeat,
    c.ASSERT: _assertion,
    c.BRANCH: _branch,
}
