"""One phrase of a table: a name for the reviewer, words of which one must be there, and a pattern.

The words are looked for first, so that a plain text costs a few substring searches and no pattern runs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

# A space in a pattern stands for what may part two words of one sentence, obfuscated or not: never more than six marks.
_BETWEEN = r"(?:[\s_*>#,:;\"'`~|()/\[\]-]{1,6})"
# `<n>` in a pattern: up to n words, each with what follows it, of one sentence. Bounded, so that matching stays linear.
_WORDS = r"(?:[^\s.!?;,:]{1,30}[\s,:]{1,4}){0,%s}?"
# Character classes and escapes are left as they are: a space in them means a space.
_SHORTHAND = re.compile(r"\[(?:\\.|[^\]\\])*\]|\\.|<(\d)>( ?)| |\)[*+]", re.DOTALL)


# A group that repeats without end would make a long run of its words cost the square of its length.
_REPEATS = {")*": "){0,4}", ")+": "){1,4}"}


def _long(found: re.Match[str]) -> str:
    if found.group() == " ":
        return _BETWEEN
    if found.group() in _REPEATS:
        return _REPEATS[found.group()]
    return _WORDS % found.group(1) if found.group(1) else found.group()


@dataclass(frozen=True, slots=True)
class Phrase:
    """Turns of phrase with one meaning. `name` says in plain words what was found; of `cues` one must be in the text."""

    name: str
    cues: tuple[str, ...]
    patterns: tuple[re.Pattern[str], ...]

    def stands_in(self, text: str) -> bool:
        """Whether one of its cues does, so that a pattern is worth a run."""
        return any(map(text.__contains__, self.cues))

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        if self.stands_in(text):
            for pattern in self.patterns:
                yield from (found.span() for found in pattern.finditer(text))


_GRAM = 4
_COMMON = "zqxjkvbpygfwmucldrhsnioate "
"""Letters by how common they are in running text; what is not among them is rarer than all."""


class PhraseTable:
    """Many phrases, of which a text is held against few: those with a rare stretch of a cue in it."""

    def __init__(self, phrases: Iterable[Phrase]) -> None:
        self._by_gram: dict[str, set[int]] = {}
        self._short: list[tuple[str, int]] = []
        for at, phrase in enumerate(phrases):
            for cue in phrase.cues:
                if len(cue) < _GRAM:
                    self._short.append((cue, at))
                else:
                    self._by_gram.setdefault(min(_grams(cue), key=_commonness), set()).add(at)

    # The stretch is the rarest of its cue, and sets of stretches meet faster than hundreds of cues are looked for.
    def possible(self, text: str) -> list[int]:
        """The places in the table, in order, of the phrases that may stand in the text."""
        met = {at for cue, at in self._short if cue in text}
        for gram in self._by_gram.keys() & _grams(text):
            met |= self._by_gram[gram]
        return sorted(met)


@lru_cache(maxsize=64)
def _grams(text: str) -> frozenset[str]:
    return frozenset(map("".join, zip(text, text[1:], text[2:], text[3:], strict=False)))


def _commonness(gram: str) -> int:
    return sum(_COMMON.find(letter) + 1 for letter in gram)


def phrases(name: str, cues: str, patterns: Iterable[str], groups: Mapping[str, str] | None = None) -> Phrase:
    """Build one: `cues` parted by `|`; in a pattern a space, `<n>` (a gap) and `{group}` are shorthand."""
    return Phrase(name, tuple(cues.split("|")), tuple(_compiled(pattern, groups or {}) for pattern in patterns))


def _compiled(pattern: str, groups: Mapping[str, str]) -> re.Pattern[str]:
    for key, words in groups.items():
        pattern = pattern.replace("{" + key + "}", f"(?:{words})")
    return re.compile(_SHORTHAND.sub(_long, pattern))
