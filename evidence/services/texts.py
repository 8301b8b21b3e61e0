"""The boundary for texts: NUL, lone surrogates, length and secrets, before anything is stored (contract 9, 12.5).

The refusal names the kind of a secret and the field, never the value.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from evidence.rules.secrets import secret_kinds
from evidence.rules.text import NUL
from evidence.services.errors import Refused
from evidence.services.refusals import count_refused

STATEMENT_MAX = 2_000
CONTENT_MAX = 64 * 1024
SUMMARY_MAX = 300
EXCERPT_MAX = 1_000
NAME_MAX = 200
REASON_MAX = 2_000
SOURCE_MAX = 600
CLAIM_MEMBER_MAX = 500

# Short texts that were looked at and are none of these: names and words come again with every item of an import.
_clean: set[str] = {""}
_SHORT = 40
_CLEAN_MAX = 2_000


def check_text(field: str, text: str, *, longest: int) -> str:
    """The text as it came, or `Refused` invalid_text / too_large / secret_detected. `longest` is in characters."""
    if text in _clean:
        return text if len(text) <= longest else check_shape(field, text, longest=longest)
    check_shape(field, text, longest=longest)
    kinds = secret_kinds(text)
    if kinds:
        count_refused(kinds=kinds)
        raise Refused(
            "secret_detected", f"{field} holds something shaped like a secret.", field=field, kinds=list(kinds)
        )
    if len(text) <= _SHORT:
        if len(_clean) >= _CLEAN_MAX:
            _clean.clear()
        _clean.add(text)
    return text


def check_shape(field: str, text: str, *, longest: int) -> str:
    """As `check_text`, without the scan: for names and words that are compared with lists."""
    if NUL in text:
        raise Refused("invalid_text", f"{field} contains a NUL character.", field=field)
    if not text.isascii() and any("\ud800" <= letter <= "\udfff" for letter in text):
        raise Refused("invalid_text", f"{field} contains half of a character (a lone surrogate).", field=field)
    if len(text) > longest:
        raise Refused("too_large", f"{field} is longer than {longest:,} characters.", field=field, longest=longest)
    return text


def check_texts(texts: Mapping[str, tuple[str, int]]) -> None:
    """Several at once: field -> (text, longest)."""
    for field, (text, longest) in texts.items():
        check_text(field, text, longest=longest)


def check_tags(tags: Iterable[str]) -> tuple[str, ...]:
    kept = tuple(tags)
    if len(kept) > 50:
        raise Refused("too_large", "More than 50 tags.", field="tags", longest=50)
    return tuple(check_text("tags", tag, longest=NAME_MAX) for tag in kept)


def check_word(field: str, word: str, allowed: Iterable[str]) -> str:
    """One word of an enumeration; another is refused at the boundary (contract 1)."""
    known = list(allowed)
    if word not in known:
        raise Refused("invalid_value", f"{field} has to be one of: {', '.join(known)}.", field=field)
    return word
