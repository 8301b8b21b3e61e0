"""A claim with one thing changed, so that what was cited for it no longer says it. For `bench.judge_support`.

Each maker takes a claim and a pool of other claims and gives the changed claim, or none where it finds nothing to change.
Seeded by the claim itself, so that two runs judge the same changes whatever else is in the file.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence

from evidence.rules.words import language_of

_NUMBER = re.compile(r"(?<![\w.:,/-])\d+(?:,\d{3})*(?![\w.:,/-]*\d)(?!\w)")
_YEAR = re.compile(r"(?<![\w.:,/-])(?:19|20)\d\d(?![\w.:,/-])")
_MONTHS = "January February March April May June July August September October November December".split()
_MONTH = re.compile(rf"\b(?:{'|'.join(_MONTHS)})\b")
_VERSION = re.compile(r"(?<![\w.])v?\d+\.\d+(?:\.\d+)?(?![\w.]*\d)(?!\s?(?:%|percent|mm|cm|m|million|billion))")
_UNITS = {
    "minutes": "hours", "seconds": "minutes", "hours": "days", "days": "weeks", "weeks": "days", "euro": "dollars",
    "euros": "dollars", "MB": "GB", "GB": "MB", "kB": "MB", "Minuten": "Stunden", "Stunden": "Tage", "Tage": "Wochen",
    "percent": "pounds", "meters": "feet", "kg": "g", "years": "months",
}  # fmt: skip
_UNIT = re.compile(rf"(?<=\d )(?:{'|'.join(_UNITS)})\b")
_NAME = re.compile(r"(?<=[\w,;] )[A-ZÄÖÜÉ]\w+(?:[ -](?:of |de )?[A-ZÄÖÜÉ]\w+)*")
_NO_NAME = re.compile(
    rf"(?:{'|'.join(_MONTHS)}|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|I|Montag|Freitag)\b"
)
_DENIED = re.compile(
    r"\b(?:not|never|no|without|nor|cannot|nobody|nothing|only|just|merely|nicht|nur|kein\w*|nie|niemals|ohne|pas|jamais|sans|nunca|sin|non|niet|geen)\b"
    r"|n.t\b",
    re.IGNORECASE,
)
_AUXILIARIES = {
    "en": "is are was were must may should can will has had could would",
    "de": "ist sind war waren wird werden muss müssen darf dürfen kann können soll sollen hat haben",
    "fr": "", "es": "", "it": "", "pt": "", "nl": "is zijn wordt worden moet moeten mag", "ru": "",
}  # fmt: skip
_NEGATION = {"en": "not", "de": "nicht", "nl": "niet"}
_BEFORE_VERB = {"es": "no", "it": "non", "pt": "não"}
_ORDERS = frozenset(
    "run use keep send store retry pin put check build restart ask enable allow copy tag write sign wait install".split()
)
Maker = Callable[[str, Sequence[str], random.Random], str | None]


def _number(claim: str, _: Sequence[str], chance: random.Random) -> str | None:
    return _one(claim, _NUMBER, chance, lambda found: str(int(found.replace(",", "")) + chance.choice([1, 3, 7])))


def _year(claim: str, _: Sequence[str], chance: random.Random) -> str | None:
    return _one(claim, _YEAR, chance, lambda found: str(int(found) + chance.choice([-2, 1, 10])))


def _month(claim: str, _: Sequence[str], chance: random.Random) -> str | None:
    return _one(claim, _MONTH, chance, lambda found: chance.choice([month for month in _MONTHS if month != found]))


def _version(claim: str, _: Sequence[str], chance: random.Random) -> str | None:
    return _one(claim, _VERSION, chance, lambda found: found[:-1] + str((int(found[-1]) + 1) % 10))


def _unit(claim: str, _: Sequence[str], chance: random.Random) -> str | None:
    return _one(claim, _UNIT, chance, lambda found: _UNITS[found])


def _name(claim: str, others: Sequence[str], chance: random.Random) -> str | None:
    """Another claim's name in the place of one that does not open the sentence (in German: another noun)."""
    pool = sorted({found for other in others for found in _names(other)} - set(_names(claim)))
    pool = [name for name in pool if not set(name.split()) & set(claim.split())]
    named = _names(claim)
    if not named or not pool:
        return None
    old = chance.choice(named)
    return re.sub(rf"(?<=[\w,;] ){re.escape(old)}\b", chance.choice(pool), claim, count=1)


def _names(claim: str) -> list[str]:
    return [found for found in _NAME.findall(claim) if not _NO_NAME.match(found)]


def _denial(claim: str, _: Sequence[str], __: random.Random) -> str | None:
    """A "not" behind the first auxiliary, a "do not" before an order; none where something is denied already."""
    language = language_of(claim)
    if _DENIED.search(claim):
        return None
    auxiliary = (
        re.search(rf" (?:{_AUXILIARIES[language].replace(' ', '|')}) ", claim) if _AUXILIARIES[language] else None
    )
    if auxiliary and language in _NEGATION:
        return f"{claim[: auxiliary.end()]}{_NEGATION[language]} {claim[auxiliary.end() :]}"
    first = claim.split(" ", 1)[0]
    return f"Do not {first.lower()}{claim[len(first) :]}" if first.lower() in _ORDERS else None


def _straight(claim: str, _: Sequence[str], __: random.Random) -> str | None:
    """What the claim denies, said outright."""
    changed = re.sub(r"\b(is|are|was|were|must|should|may|can|will|could|would|has|have) not\b", r"\1", claim, count=1)
    changed = re.sub(r"\b(?:Do not|Never) (\w)", lambda found: found[1].upper(), changed, count=1)
    changed = re.sub(r" (?:nicht|niet)\b", "", changed, count=1)
    return changed if changed != claim else None


def _one(claim: str, pattern: re.Pattern[str], chance: random.Random, other: Callable[[str], str]) -> str | None:
    found = list(pattern.finditer(claim))
    if not found:
        return None
    chosen = chance.choice(found)
    return f"{claim[: chosen.start()]}{other(chosen.group())}{claim[chosen.end() :]}"


MAKERS: dict[str, Maker] = {
    "number": _number,
    "year": _year,
    "month": _month,
    "version": _version,
    "unit": _unit,
    "name": _name,
    "negation": _denial,
    "negation taken away": _straight,
}


def changed_claims(claim: str, others: Sequence[str]) -> Iterator[tuple[str, str]]:
    """(kind, changed claim) for everything that can be changed in a claim."""
    for kind, make in MAKERS.items():
        changed = make(claim, others, random.Random(f"{kind} {claim}"))
        if changed and changed != claim:
            yield kind, changed
