"""Texts hidden in an encoding: runs of base64, hex, escapes and the like that decode to something a person could read.

Digests, UUIDs, pictures and keys decode to noise and are none. Whether a decoded text matters is for the callers
(signals, secrets) to say; nothing here knows them.
"""

from __future__ import annotations

import base64
import binascii
import html
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from urllib.parse import unquote_to_bytes


@dataclass(frozen=True, slots=True)
class Decoded:
    """A run of the text (start, end), how it was encoded, and what it says."""

    start: int
    end: int
    encoding: str
    text: str
    usual: bool = False
    """Written so every day (a percent-encoded link, JSON escapes of a foreign script): matters only for what it says."""


_RUN = r"[A-Za-z0-9+/=_-]"
_LONG_RUN = re.compile(rf"{_RUN}{{12}}")
# Plain words, also joined by marks, are no run; an encoding has capitals or digits within.
_WORDLESS_RUN = re.compile(
    rf"(?<!{_RUN})(?![A-Z]?[a-z]+(?:[-_/]?[A-Z][a-z]+|[-_/][a-z]+)*[-_/]?(?!{_RUN})){_RUN}{{12}}"
)
# Rows of escapes, bits, bytes, codes and Morse signs; several quick looks cost less than one that tries all.
_ROWS = tuple(
    map(re.compile, (r"[%&\\]", r"[01]{7}", r"(?:[0-9a-fA-F]{2,3}[ :,;]{1,2}){6}", r"(?:[.-]{1,6}[ /]{1,3}){7}"))
)
_BASE64 = re.compile(r"(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/_-]{12,}={0,2}(?![A-Za-z0-9+/_-])")
_BASE64_LINES = re.compile(r"(?:^|(?<=\s))(?:[A-Za-z0-9+/]{40,80}\r?\n){2,}[A-Za-z0-9+/]{1,80}={0,2}")
_BASE32 = re.compile(r"(?<![A-Z0-9=])[A-Z2-7]{16,}={0,6}(?![A-Za-z0-9=])")
_HEX = re.compile(r"(?<![0-9A-Za-z])(?:0x)?(?:[0-9a-fA-F]{2}){8,}(?![0-9A-Za-z])")
_SPACED_HEX = re.compile(r"(?<![0-9A-Za-z])(?:(?:0x)?[0-9a-fA-F]{2}[ :,]{1,2}){7,}(?:0x)?[0-9a-fA-F]{2}(?![0-9A-Za-z])")
_ESCAPED_HEX = re.compile(r"(?:\\x[0-9a-fA-F]{2}){6,}")
_PERCENT = re.compile(r"(?:%[0-9a-fA-F]{2}){6,}")
_QUERY_TEXT = re.compile(r"(?:[A-Za-z0-9+._'-]{1,40}%[0-9a-fA-F]{2}){2,}[A-Za-z0-9+._'-]{0,40}")
_UNICODE = re.compile(r"(?:\\u(?:[0-9a-fA-F]{4}|\{[0-9a-fA-F]{1,6}\})|U\+00[2-7][0-9a-fA-F] ?){6,}")
_ENTITIES = re.compile(r"(?:&#(?:x[0-9a-fA-F]{2,6}|\d{2,7});){6,}")
_BINARY = re.compile(r"(?<![01])(?:[01]{8}[ ,]?){4,}(?![01])")
_CODES = re.compile(r"(?<!\d)(?:\d{2,3}[ ,;]{1,2}){9,}\d{2,3}(?!\d)")
_ASCII85 = re.compile(r"<~[!-u]{20,}~>")
# Marks of three kinds that neither words, paths nor links have side by side.
_BASE85 = re.compile(
    r"(?<!\S)(?=\S{0,60}[&*?@^`{|}~!#$%])(?![\w.+-]{1,20}:)[0-9A-Za-z!#$%&()*+\-;<=>?@^_`{|}~]{40,}(?!\S)"
)
_MORSE = re.compile(r"(?<![.\-\w])(?:[.-]{1,6}(?: {1,3}/ {1,3}| {1,3}|/)){7,}[.-]{1,6}(?![.\-\w])")
_MORSE_CODE = dict(
    zip(
        ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -.."
        "- -.-- --..".split(),
        "abcdefghijklmnopqrstuvwxyz",
        strict=True,
    )
)

_MORSE_CODE |= dict(
    zip(
        "----- .---- ..--- ...-- ....- ..... -.... --... ---.. ----. .-.-.- --..-- ..--.. .----. -.-.-- -..-. -....- ---... "
        "-.--. -.--.- .-..-. -...-".split(),
        "0123456789.,?'!/-:()\"=",
        strict=True,
    )
)

_READABLE = re.compile(r"[^\W\d_]{2,}")
_COMMON_LETTERS = re.compile(r"[aeiouyàâäéèêëíîïóôöúûüаеиоуыэюя]", re.IGNORECASE)
_HINT = re.compile(
    r"\b(?:decode|decoded|decoding|base64|b64|atob|entschlüssel\w*|dekodier\w*|décode\w*|decodific\w*|unhex|"
    r"(?:hex|hexadecimal|binary|ascii|url)[- ]?encoded|encoded (?:instruction|message|text|command|payload)s?)\b",
    re.IGNORECASE,
)


def _as_text(raw: bytes) -> str | None:
    """The bytes as printable UTF-8 (or UTF-16 of ASCII), or none."""
    if len(raw) > 3 and raw[1::2].count(0) * 2 > len(raw) - 2:
        raw = raw[0::2]
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return text if all(char.isprintable() or char in "\t\r\n" for char in text) else None


def reads_as_words(text: str, words: int = 2) -> bool:
    """Whether a person could read it: mostly letters and spaces, and that many words with vowels (or wide letters)."""
    if not text:
        return False
    letters = sum(char.isalpha() or char == " " for char in text)
    if letters < 0.7 * len(text):
        return False
    if any(char >= "\u2e80" for char in text) and letters >= 6:
        return True
    found = [word for word in _READABLE.findall(text) if _COMMON_LETTERS.search(word)]
    return len(found) >= words and sum(map(len, found)) >= 0.5 * len(text)


def _base64(run: str) -> str | None:
    body = run.rstrip("=").replace("-", "+").replace("_", "/")
    if len(body) % 4 == 1:
        return None
    try:
        return _as_text(base64.b64decode(body + "=" * (-len(body) % 4), validate=True))
    except (binascii.Error, ValueError):
        return None


def _lines(run: str) -> str | None:
    return _base64("".join(run.split()))


def _base32(run: str) -> str | None:
    body = run.rstrip("=")
    try:
        return _as_text(base64.b32decode(body + "=" * (-len(body) % 8)))
    except (binascii.Error, ValueError):
        return None


def _hex(run: str) -> str | None:
    digits = re.sub(r"0x|\\x|[ :,]", "", run)
    return _as_text(bytes.fromhex(digits)) if len(digits) % 2 == 0 else None


def _percent(run: str) -> str | None:
    return _as_text(unquote_to_bytes(run.replace("+", " ")))


def _unicode(run: str) -> str | None:
    codes = [int(code, 16) for code in re.findall(r"(?:\\u|U\+)\{?([0-9a-fA-F]{1,6})", run)]
    return "".join(chr(code) for code in codes if code < 0x110000 and not 0xD800 <= code < 0xE000)


def _ascii85(run: str) -> str | None:
    try:
        return _as_text(base64.a85decode(run, adobe=run.startswith("<~")))
    except ValueError:
        return None


def _base85(run: str) -> str | None:
    try:
        return _as_text(base64.b85decode(run))
    except ValueError:
        return None


def _entities(run: str) -> str | None:
    return html.unescape(run)


def _binary(run: str) -> str | None:
    digits = re.sub(r"[ ,]", "", run)
    return _as_text(int(digits, 2).to_bytes(len(digits) // 8, "big"))


def _codes(run: str) -> str | None:
    codes = [int(code) for code in re.findall(r"\d+", run)]
    return "".join(map(chr, codes)) if all(32 <= code <= 126 for code in codes) else None


def _morse(run: str) -> str | None:
    words = re.split(r" {0,3}/ {0,3}| {2,3}", run)
    letters = [[_MORSE_CODE.get(code) for code in word.split()] for word in words]
    known = sum(letter is not None for word in letters for letter in word)
    if known < sum(map(len, letters)) * 0.9:
        return None
    return " ".join("".join(letter or "?" for letter in word) for word in letters)


_DECODERS: tuple[tuple[str, re.Pattern[str], Callable[[str], str | None]], ...] = (
    ("base64", _BASE64_LINES, _lines),
    ("base64", _BASE64, _base64),
    ("hex", _HEX, _hex),
    ("hex", _SPACED_HEX, _hex),
    ("hex escapes", _ESCAPED_HEX, _hex),
    ("percent escapes", _PERCENT, _percent),
    ("percent-encoded text", _QUERY_TEXT, _percent),
    ("unicode escapes", _UNICODE, _unicode),
    ("entities", _ENTITIES, _entities),
    ("base32", _BASE32, _base32),
    ("ascii85", _ASCII85, _ascii85),
    ("base85", _BASE85, _base85),
    ("binary", _BINARY, _binary),
    ("character codes", _CODES, _codes),
    ("morse", _MORSE, _morse),
)


def decoded_runs(text: str) -> Iterator[Decoded]:
    """Every encoded run that decodes to printable text, whatever it says; in the order of the encodings."""
    if not _may_hold_runs(text):
        return
    for encoding, pattern, decode in _DECODERS:
        for found in pattern.finditer(text):
            plain = decode(found.group())
            if plain:
                yield Decoded(found.start(), found.end(), encoding, plain, _is_usual(encoding, plain))


def _may_hold_runs(text: str) -> bool:
    if _LONG_RUN.search(text) and _WORDLESS_RUN.search(text):
        return True
    return any(row.search(text) for row in _ROWS)


def _is_usual(encoding: str, plain: str) -> bool:
    if encoding == "percent-encoded text":
        return True
    escaped = encoding in ("percent escapes", "unicode escapes", "entities")
    return escaped and sum(char.isascii() and char.isalnum() for char in plain) * 2 < len(plain)


def has_decode_hint(text: str) -> bool:
    """Whether the words around a run ask to decode it."""
    return bool(_HINT.search(text))
