"""Sentences that rules and services make, in the language of the reader (rules know no language but English).

A sentence stays English wherever it is made, kept or sent to a program; a page says it again with `told`. It is found among the
templates of this package, whose gaps are named after what they hold:

- `text…`  what somebody wrote, a number, a name: taken as it is
- `nth…`   a place in a row, "2nd"
- `word…`  a word of the vocabulary
- `words…` several of them, with commas between
- `who…`   those who read it: a sentence of these tables, else names
- `said…`  a sentence of these tables or a word of the vocabulary, or several with semicolons between
- `places…` several sentences with commas between

What fits no template is shown as it came.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from django.utils.translation import get_language, gettext

from evidence.web.sentences import answers, articles, checks, imports, names, plans, refusals, search
from evidence.web.vocabulary import WORDS, plain

TEMPLATES: tuple[str, ...] = (
    *names.TEMPLATES, *plans.TEMPLATES, *checks.TEMPLATES, *refusals.TEMPLATES, *search.TEMPLATES,
    *articles.TEMPLATES, *answers.TEMPLATES, *imports.TEMPLATES,
)  # fmt: skip
_GAP = re.compile(r"%\((?P<name>[a-z]+_?[a-z0-9]*)\)s")
_NTH = re.compile(r"\d+(?:st|nd|rd|th)")
_LONGEST_WORDS = 200
_BETWEEN = {"said": "; ", "words": ", ", "places": ", "}


def told(text: object) -> str:
    """The sentence in the language of the page."""
    given = "" if text is None else str(text)
    language = get_language() or "en"
    return given if language.partition("-")[0] == "en" else _told(given, language)


@lru_cache(maxsize=4096)
def _told(text: str, language: str) -> str:
    """`language` is part of the question: the answers are kept."""
    found = _matched(text)
    return found if found is not None else _told_in_parts(text)


def _matched(text: str) -> str | None:
    if text in _whole():
        return gettext(text)
    for template, pattern, names_ in _with_gaps():
        found = pattern.fullmatch(text)
        if found is None:
            continue
        values = {name: _filled(name, found[name]) for name in names_}
        if None not in values.values():
            return gettext(template) % values
    return None


def _told_in_parts(text: str) -> str:
    """Several sentences of the tables that were put together as one: a capital, semicolons, a full stop."""
    if not text.endswith("."):
        return text
    parts = f"{text[:1].lower()}{text[1:-1]}".split("; ")
    found = [_matched(part) for part in parts]
    if not any(found):
        return text
    whole = "; ".join(new or old for new, old in zip(found, parts, strict=True))
    return f"{whole[:1].upper()}{whole[1:]}."


def _filled(name: str, value: str) -> str | None:
    """What stands in a gap; none where it is no sentence of these tables, so that a template takes only what is its own."""
    kind = name.partition("_")[0].rstrip("0123456789")
    if kind == "text":
        return value
    if kind == "who":
        return _said(value) or value
    if kind == "nth":
        return f"{value[:-2]}." if _NTH.fullmatch(value) else None
    between = _BETWEEN.get(kind, "\0")
    if kind in ("word", "words"):
        # A word is short: what is longer is a sentence that another template takes.
        if len(value) > _LONGEST_WORDS or ": " in value:
            return None
        return between.join(plain(part) for part in value.split(between))
    whole = _said(value)
    if whole is not None:
        return whole
    parts = [said for part in value.split(between) if (said := _said(part)) is not None]
    return between.join(parts) if len(parts) == value.count(between) + 1 else None


def _said(text: str) -> str | None:
    return str(WORDS[text]) if text in WORDS else _matched(text)


@cache
def _whole() -> frozenset[str]:
    return frozenset(template for template in TEMPLATES if not _GAP.search(template))


@cache
def _with_gaps() -> tuple[tuple[str, re.Pattern[str], tuple[str, ...]], ...]:
    """The templates that say most come first: "The risk is …: …." before "The risk is ….", which would fit as well."""
    found = [template for template in TEMPLATES if _GAP.search(template)]
    found.sort(key=lambda template: -len(_GAP.sub("", template)))
    return tuple((template, pattern_of(template), gaps_of(template)) for template in found)


def gaps_of(template: str) -> tuple[str, ...]:
    return tuple(found["name"] for found in _GAP.finditer(template))


def pattern_of(template: str) -> re.Pattern[str]:
    parts, at = [], 0
    for found in _GAP.finditer(template):
        parts += [re.escape(template[at : found.start()]), f"(?P<{found['name']}>.+?)"]
        at = found.end()
    return re.compile("".join([*parts, re.escape(template[at:])]).replace("%%", "%"), re.DOTALL)
