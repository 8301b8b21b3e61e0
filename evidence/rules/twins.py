"""Whether two texts say the same in other words, so surely that one decision may stand for both (for `clusters`).

Stricter than the likeness of `match`: a value, a name, a negation, a condition or an exchanged word sets two texts apart,
also where nothing shows that they contradict each other. Every question is answered the same whichever text comes first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from evidence.rules.gists import Gist, gist_of, is_value
from evidence.rules.near_words import TURNING
from evidence.rules.opposition import oppose
from evidence.rules.roles import turned_about
from evidence.rules.wordings import begins_alike
from evidence.rules.words import language_of

ONE_SIDED: Final = 0.7
"""Least likeness of two texts of which only one says more."""
BOTH_SIDED: Final = 0.75
"""Least likeness where each says a word that the other does not."""
IN_ORDER: Final = 0.75
"""Least likeness of texts without spaces: the signs of one stand in the other, in order."""
_WORDS: Final = 3
"""Words that two texts share at least, where one says more."""


def alike(one: Gist, other: Gist, *, same_claim: bool = False) -> float | None:
    """How alike two texts are, 0 to 1, where they say nearly the same; none where they do not.

    `same_claim`: both were filed with one structured claim, so that other words for it are no difference.
    """
    if not compatible(one, other, same_claim=same_claim):
        return None
    share = likeness(one, other)
    if one.bag == other.bag or same_claim:
        return share
    if one.has_runs or other.has_runs:
        return share if share >= IN_ORDER and len(one.bag & other.bag) >= _WORDS else None
    ours, theirs = _own(one, other), _own(other, one)
    if len(one.bag & other.bag) < _WORDS:
        return None
    if ours and theirs:
        return share if len(ours) == len(theirs) == 1 and share >= BOTH_SIDED else None
    return share if share >= ONE_SIDED else None


def likeness(one: Gist, other: Gist) -> float:
    """Shared plain words by the mean count (Dice), 0 to 1."""
    return 2 * len(one.bag & other.bag) / (len(one.bag) + len(other.bag)) if one.bag and other.bag else 0.0


def compatible(one: Gist, other: Gist, *, same_claim: bool = False) -> bool:
    """Whether nothing sets two texts apart, however many words they share; two texts without words are not."""
    if not one.words or not other.words or one.block != other.block:
        return False
    if one.language != other.language:
        language = language_of(one.text, other.text)
        one, other = gist_of(one.text, language), gist_of(other.text, language)
    if {"may", "must"} <= one.marks ^ other.marks or _names_differ(one, other) or _names_differ(other, one):
        return False
    if not same_claim and (turned_about(one, other) or _exchanged(one, other)):
        return False
    first, second = sorted((one.text, other.text))
    return oppose(first, second) is None


def own_spoken(one: Gist, other: Gist) -> tuple[str, ...]:
    """What one text says and the other does not, as written, in order; each word once."""
    spoken: list[str] = []
    last = -2
    for at, (word, written) in enumerate(zip(one.words, one.spoken, strict=True)):
        if word in other.bag:
            continue
        if len(written) == 1 and last == at - 1 and spoken:
            spoken[-1] += written  # signs of a run belong together
        elif written not in spoken:
            spoken.append(written)
        last = at
    return tuple(spoken)


def _own(one: Gist, other: Gist) -> frozenset[str]:
    """Plain words that only one text has, spellings of one word aside ("approve", "approval")."""
    theirs = [word for word in other.bag - one.bag if _is_open(word)]
    return frozenset(
        word
        for word in one.bag - other.bag
        if not (_is_open(word) and any(begins_alike(word, twin) for twin in theirs))
    )


def _is_open(word: str) -> bool:
    return not word.startswith("=") and not word.endswith("+er") and not is_value(word)


def _names_differ(one: Gist, other: Gist) -> bool:
    """Whether a text names a thing of which the other has no trace."""
    return any(
        name not in other.known
        and not stems <= other.known
        and not any(begins_alike(name, form) for form in other.known if "-" not in name)
        for name, stems in one.names
    )


def _exchanged(one: Gist, other: Gist) -> bool:
    """Whether a word of one text stands where the other has another word; of runs: whether neither holds the other."""
    if one.has_runs or other.has_runs:
        return not _holds(one, other)
    ours, theirs = _own(one, other), _own(other, one)
    return bool(ours and theirs) and bool(_places(one.words, ours) & _places(other.words, theirs))


def _places(words: Sequence[str], own: frozenset[str]) -> set[tuple[str, str]]:
    """Where own words stand: behind what, before what; the neighbours are words of both texts, or an end of the text."""
    found: set[tuple[str, str]] = set()
    for at, word in enumerate(words):
        if word in own:
            before = words[at - 1] if at else "^"
            after = words[at + 1] if at + 1 < len(words) else "$"
            found |= {("behind", before), ("before", after)}
    return found


def _holds(one: Gist, other: Gist) -> bool:
    """Whether the signs of the shorter text stand in the longer one in order, and what that has more turns nothing."""
    short, long = sorted((one, other), key=lambda gist: (len(gist.words), gist.words))
    rest: list[str] = []
    at = 0
    for word in long.words:
        if at < len(short.words) and short.words[at] == word:
            at += 1
        else:
            rest.append(word)
    return at == len(short.words) and TURNING.isdisjoint(rest)
