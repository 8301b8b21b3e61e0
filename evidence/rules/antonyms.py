"""Opposite words (contract 7: "antonym"), and words that deny what they speak of (contract 12.7: the closed list of cues).

Data with look-ups by stem. Whether two opposites stand in one frame is for `opposition`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from evidence.rules.opposites import CLASS_ROWS, FOREIGN_ROWS, ROWS
from evidence.rules.words import stem

_PREFIXES: Final = ("un", "in", "im", "ir", "il", "dis", "non", "de", "mis", "a")

DENYING_VERBS: Final[dict[str, str]] = {
    form: verb
    for verb, forms in {
        "avoid": "avoid avoids avoided avoiding",
        "stop": "stop stops stopped stopping",
        "replace": "replace replaces replaced replacing",
        "deprecated": "deprecate deprecates deprecated deprecating",
        "disable": "disable disables disabled disabling",
        "remove": "remove removes removed removing",
        "deny": "deny denies denied denying",
        "forbid": "forbid forbids forbidden forbade forbidding",
        "prohibit": "prohibit prohibits prohibited prohibiting prohibition",
        "bar": "barred barring",
        "outlaw": "outlaw outlaws outlawed outlawing",
        "prevent": "prevent prevents prevented preventing",
        "refuse": "refuse refuses refused refusing",
        "fail": "fails failed failing fail",
        "discourage": "discourage discourages discouraged discouraging",
        "lack": "lack lacks lacked lacking",
        "skip": "skip skips skipped skipping",
        "drop": "drop drops dropped dropping",
        "retire": "retire retires retired retiring",
        "ban": "ban bans banned banning",
        "cease": "cease ceases ceased ceasing",
        "vermeiden": "vermeide vermeiden vermeidet",
        "verbieten": "verboten verbietet",
    }.items()
    for form in forms.split()
}
"""Inflected form -> the verb that denies its object (or, in the passive, its subject)."""

DENYING_STATES: Final = frozenset("off inactive unavailable gone obsolete impossible absent".split())
"""Words that, said of a subject ("is off"), deny that it is there."""

CLOSED_CUES: Final = frozenset("avoid stop replace deprecated disable remove forbid".split())
"""The verbs of the contract's own list (12.7); the others deny only with a full frame behind them."""


def _table(rows: str, language: str = "en") -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for row in rows.strip().splitlines():
        groups = [{_stemmed(word, language) for word in group.split()} for group in row.split("/")]
        for group in groups:
            others = set().union(*(other for other in groups if other is not group))
            for word in group:
                found.setdefault(word, set()).update(others - group)
    return found


def _stemmed(word: str, language: str) -> str:
    verb, joint, particle = word.partition("_")
    return f"{stem(verb, language)}{joint}{particle}"


def _merged(*tables: dict[str, set[str]]) -> dict[str, frozenset[str]]:
    words = frozenset().union(*tables)
    return {word: frozenset().union(*(table.get(word, ()) for table in tables)) for word in words}


_OPPOSITES: Final = _merged(_table(ROWS), *(_table(rows, language) for language, rows in FOREIGN_ROWS.items()))
_CLASSES: Final = _merged(_table(CLASS_ROWS))
PARTICLES: Final[dict[str, frozenset[str]]] = {
    verb: frozenset(word.partition("_")[2] for word in _OPPOSITES if word.startswith(f"{verb}_"))
    for verb in {word.partition("_")[0] for word in _OPPOSITES if "_" in word}
}
"""Stem of a verb -> the particles with which it stands in the table (`turn` -> on, off, up, down): `turn_off`."""


def opposite_pair(ones: Iterable[str], others: Iterable[str], *, classes: bool = True) -> tuple[str, str] | None:
    """The first pair of opposites with one stem in each, also by prefix ("reachable", "unreachable").

    `classes`: also two of a kind that exclude each other (two colours, two environments).
    """
    there = others if isinstance(others, frozenset) else frozenset(others)
    met = [word for word in ones if not _facing(word).isdisjoint(there)] if there else []
    for word in sorted(met):
        opposites = _facing(word) if classes else _OPPOSITES.get(word, _NONE) | _turned(word)
        if facing := opposites & there:
            return word, min(facing)
    return None


@lru_cache(maxsize=65536)
def _facing(word: str) -> frozenset[str]:
    """All that is the opposite of a word, or another of its class."""
    return _OPPOSITES.get(word, _NONE) | _CLASSES.get(word, _NONE) | _turned(word)


_NONE: Final[frozenset[str]] = frozenset()
_FACING: Final = (("over", "under"), ("up", "down"), ("in", "out"), ("on", "off"), ("pre", "post"), ("max", "min"))
"""Beginnings that turn a word round: "overpaid" and "underpaid", "upstream" and "downstream"."""
_LONG_ENOUGH, _REST = 4, 3
"""Letters of a word, and of the rest behind a facing beginning, from which a likeness is no accident."""


@lru_cache(maxsize=4096)
def _turned(word: str) -> frozenset[str]:
    """The words that a prefix makes the opposite: with a denying one put before it or taken off, or with a facing one."""
    found: set[str] = set()
    for prefix in _PREFIXES:
        if len(word) >= _LONG_ENOUGH:
            found |= {prefix + word, f"{prefix}-{word}"}
        rest = word.removeprefix(prefix).removeprefix("-")
        if rest != word and word.startswith(prefix) and len(rest) >= _LONG_ENOUGH:
            found.add(rest)
    for pair in _FACING:
        for one, other in (pair, pair[::-1]):
            if word.startswith(one) and len(word) >= len(one) + _REST:
                found.add(other + word.removeprefix(one))
    return frozenset(found)
