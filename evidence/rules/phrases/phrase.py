"""Turns of phrase and the table that a text is held against: few patterns run, because each says what it cannot do without.

Patterns are written in a shorthand for folded text; a space, `<n>` (a gap of words) and `{group}` are expanded here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from evidence.rules.phrases.needles import SEPARATORS, STRETCH, Words, needles, rarest, spaced, stretches

# A space in a pattern stands for what may part two words of one sentence, obfuscated or not: never more than six marks.
_BETWEEN = rf"(?:[\s{re.escape(SEPARATORS)}]{{1,6}})"
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
class Needle:
    """Words of which one must be in the text: the long ones by a rare stretch of theirs, the short ones as they are."""

    stretches: frozenset[str]
    short: tuple[str, ...]

    def is_missed(self, text: str, known: frozenset[str]) -> bool:
        """Whether none of them is in the text, of whose stretches `known` has all that any needle asks for."""
        if not self.stretches.isdisjoint(known):
            return False
        return not self.short or not any(map(text.__contains__, self.short))


@dataclass(frozen=True, slots=True)
class Turn:
    """One pattern, written out. A cased one is read on the text as it was written.

    Both the compiled pattern and what it cannot do without (the rarest first) are worked out when first asked for: hundreds
    of patterns cost a second, and most of them meet no text of a process.
    """

    source: str
    cased: bool = False

    @property
    def pattern(self) -> re.Pattern[str]:
        return _compiled(self.source)

    @property
    def needles(self) -> tuple[Needle, ...]:
        return tuple(map(_needle, needles(self.source)))


@dataclass(frozen=True, slots=True)
class Phrase:
    """Turns of phrase with one meaning. `name` says in plain words what was found."""

    name: str
    turns: tuple[Turn, ...]

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Where any of its turns stands in the text, each tried."""
        for turn in self.turns:
            yield from (found.span() for found in turn.pattern.finditer(text))


class PhraseTable:
    """Many phrases, of which a text is held against few: those with a rare stretch of each of their needles in it."""

    def __init__(self, phrases: Iterable[Phrase]) -> None:
        self._turns: list[tuple[int, Turn, tuple[Needle, ...]]] = []
        self._by_stretch: dict[str, set[int]] = {}
        self._short: dict[str, set[int]] = {}
        self._short_abroad: dict[str, set[int]] = {}
        self._always: set[int] = set()
        for place, phrase in enumerate(phrases):
            for turn in phrase.turns:
                wanted = turn.needles
                self._file(len(self._turns), wanted)
                self._turns.append((place, turn, wanted[1:]))  # the first is what leads to the turn
        others = (each.stretches for _, _, wanted in self._turns for each in wanted)
        self._asked = frozenset(self._by_stretch).union(*others)

    def _file(self, at: int, wanted: tuple[Needle, ...]) -> None:
        if not wanted:
            self._always.add(at)
            return
        for word in wanted[0].short:
            (self._short if word.isascii() else self._short_abroad).setdefault(word, set()).add(at)
        for stretch in wanted[0].stretches:
            self._by_stretch.setdefault(stretch, set()).add(at)

    # Sets of stretches meet faster than hundreds of words are looked for.
    def spans(self, text: str, written: str) -> Iterator[tuple[int, int, int, bool]]:
        """The place of a phrase in the table, start and end of where it stands, and whether that is in `written`.

        `text` is the plain form of the text (lower case), `written` the text as it is.
        """
        key = spaced(text)
        known = self._asked & stretches(key)
        met = set(self._always)
        for word, turns in self._short.items():
            if word in key:
                met |= turns
        for word, turns in () if key.isascii() else self._short_abroad.items():
            if word in key:
                met |= turns
        for stretch in known & self._by_stretch.keys():
            met |= self._by_stretch[stretch]
        for at in sorted(met):
            place, turn, wanted = self._turns[at]
            for needle in wanted:
                if needle.is_missed(key, known):
                    break
            else:
                for found in turn.pattern.finditer(written if turn.cased else text):
                    yield place, found.start(), found.end(), turn.cased


def phrases(
    name: str, patterns: Iterable[str], groups: Mapping[str, str] | None = None, *, cased: bool = False
) -> Phrase:
    """Build one; in a pattern a space, `<n>` (a gap) and `{group}` are shorthand. Capitals count where `cased` says so."""
    return Phrase(name, tuple(_turn(pattern, groups or {}, cased) for pattern in patterns))


def _turn(pattern: str, groups: Mapping[str, str], cased: bool) -> Turn:
    for key, words in groups.items():
        pattern = pattern.replace("{" + key + "}", f"(?:{words})")
    return Turn(_SHORTHAND.sub(_long, pattern), cased)


@cache
def _compiled(source: str) -> re.Pattern[str]:
    return re.compile(source)


def _needle(words: Words) -> Needle:
    """Needles are looked for in the plain text, so those of a cased pattern lose their capitals."""
    lower = {word.lower() for word in words}
    long = [word for word in lower if len(word) >= STRETCH]
    return Needle(frozenset(map(rarest, long)), tuple(word for word in lower if len(word) < STRETCH))
