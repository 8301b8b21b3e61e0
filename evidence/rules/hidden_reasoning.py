"""What a ledger of runs never holds: a model's hidden reasoning under whatever name, whole conversations, and receipts.

Names of members are read as people would read them: case, separators, styled and look-alike letters, invisible characters and
digits for letters change nothing. A name that only points at such a thing or counts it (`transcript_url`, `reasoning_tokens`)
is none. Texts are not judged by what they say; a text that is JSON itself is looked into.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Any, Final

from evidence.rules.characters import strip_hidden
from evidence.rules.confusables import LOOKALIKES

DEEPEST: Final = 64
MOST_KEY: Final = 200


class Hidden(StrEnum):
    REASONING = "hidden_reasoning"
    RECEIPT = "receipt"
    TOO_DEEP = "too_deep"


@dataclass(frozen=True, slots=True)
class Found:
    """The first thing that may not be there: where, and of which kind."""

    path: tuple[str | int, ...]
    kind: Hidden


# A name that is just this.
_EXACT = frozenset(
    """rawcot cot cots chainofthought chainofthoughts transcript transcripts rawtranscript message messages chatmessages
    rawmessages hiddenreasoning reasoning reasonings reasoningtext reasoningtrace analysis rawanalysis thought thoughts
    thinking rawthinking thoughtprocess scratchpad scratchpads scratchspace innermonologue internalmonologue monologue
    innerspeech innervoice innerdialogue internaldialogue selftalk recallreceipt receipttoken modelthoughts
    stepbystepthinking conversationlog chatlog chathistory conversationhistory dialoguehistory""".split()
)
# Long enough that it means nothing else wherever it stands.
_INSIDE = tuple(
    """chainofthought hiddenreasoning hiddenthought innermonologue internalmonologue thoughtprocess scratchpad rawcot
    reasoningtext reasoningtrace reasoningcontent reasoningsteps rawreasoning analysistext recallreceipt receipttoken
    internalreasoning internalthought innerthought privatereasoning privatethought thinkingblock thinkingtext
    thinkingcontent thoughttrace cottrace rawtranscript fulltranscript""".split()
)
# As one word among others.
_WORDS = frozenset(
    "reasoning thought thoughts thinking scratchpad scratchpads monologue monologues cot cots transcript transcripts".split()
)
# A name that ends so names a thing about it, not the thing.
_POINTING = frozenset(
    """digest hash sha256 checksum url uri href link id ids ref refs reference count counts number total tokens bytes size
    length budget effort level mode enabled disabled allowed ms seconds duration time cost path version mime type format
    hidden redacted stored kept""".split()
)
_RAW_PAIRS = re.compile(
    r"(raw|hidden|internal|inner|private|secret|full|model|agent|llm|assistant)(analysis|messages?|deliberations?|rationale)"
)
# Members whose value is a name itself.
_NAMING = frozenset("name key field kind type label channel role tag".split())
_NAMED = frozenset(
    """rawcot cot chainofthought hiddenreasoning reasoning reasoningtext reasoningtrace thought thoughts thinking thoughtprocess
    scratchpad innermonologue internalmonologue monologue""".split()
)
_RECEIPT = re.compile(r"(?<![A-Za-z0-9_-])v[0-9]{1,2}\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{40,}")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_LEET = str.maketrans("01345789@$!|+", "oieastbgasilt")
_LATIN_NAME = re.compile(
    r"LATIN .*?LETTER (?:SMALL CAPITAL |DOTLESS |OPEN |TURNED |REVERSED |SCRIPT )*([A-Z])(?: WITH .*)?"
)


def first_hidden(value: Any) -> Found | None:
    """The first member that may not be there, at any depth; none where all is well."""
    for path, name, item, depth in _walk(value):
        if depth > DEEPEST:
            return Found(path, Hidden.TOO_DEEP)
        if name is not None and holds_receipt(name):
            return Found(path, Hidden.RECEIPT)
        if name is not None and is_hidden_name(name):
            return Found(path, Hidden.REASONING)
        if isinstance(item, str):
            if holds_receipt(item):
                return Found(path, Hidden.RECEIPT)
            if (
                name is not None
                and len(item) <= MOST_KEY
                and plain_name(name) in _NAMING
                and plain_name(item) in _NAMED
            ):
                return Found(path, Hidden.REASONING)
            inner = _as_json(item)
            if inner is not None and (found := first_hidden(inner)) is not None:
                return Found(path, found.kind)
    return None


def _walk(value: Any) -> Iterator[tuple[tuple[str | int, ...], str | None, Any, int]]:
    waiting: list[tuple[tuple[str | int, ...], str | None, Any, int]] = [((), None, value, 0)]
    while waiting:
        path, name, item, depth = waiting.pop()
        yield path, name, item, depth
        if depth > DEEPEST:
            continue
        if isinstance(item, dict):
            waiting.extend(((*path, str(key)), str(key), member, depth + 1) for key, member in item.items())
        elif isinstance(item, (list, tuple)):
            waiting.extend(((*path, number), None, member, depth + 1) for number, member in enumerate(item))


def _as_json(text: str) -> Any:
    """A text that is an object or a list; anything else is a text."""
    bare = text.strip()
    if not (bare.startswith(("{", "[")) and bare.endswith(("}", "]"))):
        return None
    try:
        return json.loads(bare)
    except (ValueError, RecursionError):
        return None


def holds_receipt(text: str) -> bool:
    """Whether a receipt of a recall stands in the text, ours or the bridge's."""
    if "." not in text and text.isascii():
        return False
    return bool(_RECEIPT.search(text) or (not text.isascii() and _RECEIPT.search(_plain(text))))


@lru_cache(maxsize=4096)
def is_hidden_name(name: str) -> bool:
    """Whether a member of this name would hold hidden reasoning, a conversation or a receipt."""
    if len(name) > MOST_KEY:
        return any(piece in plain_name(name) for piece in _INSIDE)
    plain = _plain(name)
    words = [part.lower() for part in _PART.findall(plain)]
    return any(_is_hidden("".join(spelt), spelt) for spelt in (words, [part.lower() for part in _spelt(plain)]))


def _is_hidden(joined: str, words: list[str]) -> bool:
    letters = re.sub(r"[^a-z]", "", joined)
    if letters in _EXACT:
        return True
    if words and _points(words, letters):
        return False
    if any(piece in letters for piece in _INSIDE) or _RAW_PAIRS.fullmatch(letters):
        return True
    return bool(_WORDS.intersection(words))


def _points(words: list[str], letters: str) -> bool:
    """`transcript_url`, `analysis_digest`, `reasoningTokens`; also written together: `transcripturl`."""
    if len(words) > 1 and words[-1] in _POINTING:
        return True
    core = next((word for word in sorted(_EXACT, key=len, reverse=True) if letters.startswith(word)), "")
    return bool(core) and letters.removeprefix(core) in _POINTING


def _spelt(plain: str) -> list[str]:
    """Digits and signs read as the letters that they stand for."""
    return _PART.findall(plain.translate(_LEET))


def plain_name(name: str) -> str:
    """The letters of a name and nothing else, in lower case."""
    return re.sub(r"[^a-z]", "", _plain(name).lower())


def _plain(text: str) -> str:
    """Latin letters for whatever passes for them; case stays, since it parts words."""
    if text.isascii():
        return text
    shown = unicodedata.normalize("NFKD", strip_hidden(text))
    return "".join(_letter(char) for char in shown if not unicodedata.combining(char))


@lru_cache(maxsize=8192)
def _letter(char: str) -> str:
    if char.isascii():
        return char
    if char in LOOKALIKES:
        return LOOKALIKES[char]
    named = _LATIN_NAME.fullmatch(unicodedata.name(char, ""))
    if named is None:
        return char
    return named[1] if char.isupper() else named[1].lower()
