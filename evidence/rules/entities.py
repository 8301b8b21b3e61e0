"""Named things of a text: names, identifiers, addresses, paths (contract 7: "named entity").

Heuristic and language-independent: capitals inside a sentence, signs inside a word, code marks. Knows no dictionary of
names; whether two names are one thing is for the rule that compares.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

import regex  # type: ignore[import-untyped]

from evidence.rules.lexicon import NEGATIONS, STOP_WORDS
from evidence.rules.measures import MONTHS, PERSONAL, WEEKDAYS
from evidence.rules.spans import Taken
from evidence.rules.words import fold, is_unspaced, language_of, plain

_IDENTIFIER: Final = regex.compile(
    r"https?://[^\s<>()\"']+[^\s<>()\"'.,;:!?]"  # addresses
    r"|(?<![\w.+-])[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+"  # mail
    r"|`[^`\n]{1,80}`"  # code
    r"|(?<!\w)[#@][\p{L}][\w-]*"  # channels, people
    r"|(?<!\w)--?[a-z][\w-]*(?!\w)"  # command line options
    r"|(?<![\w/])(?:~|\.{1,2})?/(?:[\w.-]+/)*[\w.-]*\w"  # absolute paths
    r"|(?<![\w.-])[\w.-]+(?:/[\w.-]+)+/?(?!\w)"  # relative paths
    r"|(?<!\w)\w+(?:\.\w+)+(?!\w)"  # dotted: hosts, modules, files
    r"|(?<!\w)\p{L}\w*(?:[-_]\w+)+(?!\w)"  # hyphenated, underscored
    r"|(?<!\w)(?=\w*\p{L})(?=\w*\d)\w+(?!\w)"  # letters and digits: h264, 4xx
    r"|(?<!\w)\p{Ll}+\p{Lu}\w*|(?<!\w)\p{Lu}\p{Ll}+\p{Lu}\w*"  # camelCase
    r"|(?<!\w)\p{Lu}{2,}s?(?!\w)"  # acronyms
)
_STRETCH: Final = regex.compile(r"`[^`\n]{1,80}`|\S+")
_SIGN: Final = regex.compile(r"[-./_@#`\d]|\p{Lu}\p{Lu}|\p{Ll}\p{Lu}")
# The same two for a text of ASCII signs, in half the time.
_ASCII_STRETCH: Final = re.compile(_STRETCH.pattern, re.ASCII)
_ASCII_SIGN: Final = re.compile(r"[-./_@#`\d]|[A-Z][A-Z]|[a-z][A-Z]", re.ASCII)
_CAPITAL: Final = regex.compile(r"(?<![\w'./@-])\p{Lu}[\p{L}\p{M}]+(?:'s)?(?![\w@/])")
_START: Final = regex.compile(r"(?:^|[.!?:;\n]\s*|[\"'([*#>-]\s*|[\u3002\uff01\uff1f])$")
NAMED_VERBS: Final = frozenset(
    """is has was does runs uses stores replaces hosts needs requires listens sends handles owns serves builds keeps goes
    supports provides works reads writes calls manages ships deploys prefers likes wants lives becomes starts takes gives
    receives publishes expects accepts approves reviews bundles installs checks offers holds contains returns answers says
    gets leads teaches drives speaks eats cooks maintains monitors operates covers validates generates parses renders
    executes triggers encrypts joins leaves knows thinks believes earns pays lends borrows invests audits sells commutes
    swims rehearses sings develops coordinates organises organizes supervises prescribes diagnoses examines admits
    discharges bakes boils fries grills seasons chops stirs opens closes borders connects weighs lasts begins arrives
    departs supersedes archives saves ignores allows denies revokes enforces restarts""".split()
)
"""Verbs behind which a word without an article at the start of a sentence is taken for a name."""
_PROPER: Final = regex.compile(rf"\s+(?:{'|'.join(sorted(NAMED_VERBS))})\b")
_QUANTITY: Final = regex.compile(r"v?\d[\d.,:/-]*(?:[a-zµ%°]{0,5})|\d{4}-\d\d-\d\dT[\d:.]+Z?", flags=regex.IGNORECASE)
_COMMON_STARTS: Final = frozenset(
    """this that these those there it its they we he she you i all each every some many most any both no none never always
    use run keep put set get add do does please remember note when while before after if since during for in on at by with
    without from to the a an and but or as""".split()
)


class Entity(NamedTuple):
    name: str
    """Folded, without code marks."""
    start: int
    end: int
    """Span in the *plain* text."""
    sure: bool
    """False for a word that is only guessed to be a name from its place at the start of a sentence."""


def entities(text: str, language: str | None = None) -> frozenset[str]:
    """The folded names of a text; guesses are left out."""
    return frozenset(found.name for found in entity_spans(text, language) if found.sure)


def entity_spans(text: str, language: str | None = None) -> tuple[Entity, ...]:
    """Named things in order, with spans; overlapping finds give the longest."""
    return _spans(text, language or language_of(text))


@lru_cache(maxsize=16384)
def _spans(text: str, language: str) -> tuple[Entity, ...]:
    clear = plain(text)
    taken = Taken(len(clear))
    found: list[Entity] = []
    for hit in _identifiers(clear):
        name = hit.group().strip("`")
        if not _is_plain_word(name, language):
            found.append(Entity(fold(name), hit.start(), hit.end(), True))
            taken.cover(*hit.span())
    if language != "de":  # German writes every noun with a capital
        for hit in _CAPITAL.finditer(clear):
            if taken.is_free(hit.start(), hit.start() + 1):
                found.extend(_capitalised(clear, hit.group(), hit.start(), hit.end(), language))
    return tuple(sorted(found, key=lambda entity: entity.start))


def _identifiers(clear: str) -> Iterator[regex.Match[str]]:
    """Identifiers; stretches without any sign of one are passed over."""
    stretch, sign = (_ASCII_STRETCH, _ASCII_SIGN) if clear.isascii() else (_STRETCH, _SIGN)
    for piece in stretch.finditer(clear):
        if sign.search(clear, *piece.span()):
            yield from _IDENTIFIER.finditer(clear, *piece.span())


def _is_plain_word(name: str, language: str) -> bool:
    """Identifiers of the pattern that name nothing: numbers, dates, hyphenated ordinary words, negations in capitals."""
    folded = fold(name)
    if (
        _QUANTITY.fullmatch(name)
        or folded in STOP_WORDS[language]
        or folded in NEGATIONS[language]
        or folded in MONTHS
        or folded in WEEKDAYS
    ):
        return True
    if _HYPHENED.fullmatch(name) and not _UPPER.search(name, 1):
        first = folded.split("-")[0]
        return first in _HYPHEN_STARTS or folded in _HYPHENATED or folded.split("-")[-1] in _HYPHEN_ENDS
    return folded in _SHORTENED or is_unspaced(name)  # figures within a run without spaces


_HYPHENED: Final = regex.compile(r"\p{L}+(?:-\p{L}+)+")
_UPPER: Final = regex.compile(r"\p{Lu}")
_SHORTENED: Final = frozenset({"e.g", "i.e", "and/or", "w/o", "n/a"})


_HYPHEN_STARTS: Final = frozenset(
    """non pre post re un sub multi cross self semi anti co ex inter intra super over under two three four five six seven
    eight nine ten one first second third half full long short high low real end all near up down in out off on read write
    well day week month year same side so time work hand test built single double cut back""".split()
)
_HYPHEN_ENDS: Final = frozenset(
    """run led based backed owned made built held style like related old long sized term scale speed grade class day hour
    minute second week month year line level free only friendly wide side time up out in off on to end down aware safe
    specific by driven first""".split()
)
_HYPHENATED: Final = frozenset("e-mail e-mails by-product trade-off check-in pull-request on-call rate-limit".split())


_TITLES: Final = frozenset(
    """mr mrs ms miss dr prof sir madam jr sr st inc corp ltd co llc plc gmbh rep sen gov gen lt col capt sgt hon rev herr frau
    dott señor señora monsieur madame""".split()
)
"""What stands before or behind a name and is none."""


_TITLED: Final = regex.compile(r"\b(?:Mr|Mrs|Ms|Dr|Prof|Sen|Rep|Gov|Gen|Capt|Herr|Frau)\.?\s$")


def _capitalised(clear: str, word: str, start: int, end: int, language: str) -> list[Entity]:
    folded = fold(word).removesuffix("'s")
    if folded in _TITLES or folded in STOP_WORDS[language] or folded in NEGATIONS[language]:
        return []
    if (folded in MONTHS and folded not in PERSONAL) or folded in WEEKDAYS:
        return []
    is_titled = _TITLED.search(clear, max(0, start - 12), start) is not None
    if is_titled or (start > 0 and not _START.search(clear, max(0, start - 3), start)):
        return [Entity(folded, start, end, True)]
    guessed = folded not in _COMMON_STARTS and not folded.endswith("ly") and _PROPER.match(clear, end) is not None
    return [Entity(folded, start, end, False)] if guessed else []
