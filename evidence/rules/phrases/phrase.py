"""One phrase of a table: a name for the reviewer, words of which one must be there, and a pattern.

The words are looked for first, so that a plain text costs a few substring searches and no pattern runs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

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

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        if any(map(text.__contains__, self.cues)):
            for pattern in self.patterns:
                yield from (found.span() for found in pattern.finditer(text))


def phrases(name: str, cues: str, patterns: Iterable[str], groups: Mapping[str, str] | None = None) -> Phrase:
    """Build one: `cues` parted by `|`; in a pattern a space, `<n>` (a gap) and `{group}` are shorthand."""
    return Phrase(name, tuple(cues.split("|")), tuple(_compiled(pattern, groups or {}) for pattern in patterns))


def _compiled(pattern: str, groups: Mapping[str, str]) -> re.Pattern[str]:
    for key, words in groups.items():
        pattern = pattern.replace("{" + key + "}", f"(?:{words})")
    return re.compile(_SHORTHAND.sub(_long, pattern))
