"""Secrets in a text, by shape (contract 9, 12.5): which kinds, and never the value.

Invisible characters are removed first; full-width letters, escapes and encodings are read through. Prose about tokens,
placeholders, digests and references are none. Pure and linear; counting and refusing are the services' part.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator
from urllib.parse import unquote

from evidence.rules.characters import strip_hidden
from evidence.rules.confusables import latin_skeleton
from evidence.rules.encodings import decoded_runs
from evidence.rules.secret_shapes.assignments import has_assigned_secret
from evidence.rules.secret_shapes.commands import has_command_secret
from evidence.rules.secret_shapes.headers import has_bearer_token, has_private_key, has_url_credentials
from evidence.rules.secret_shapes.plugins import plugin_kinds
from evidence.rules.secret_shapes.providers import SHAPES
from evidence.rules.secret_shapes.structures import has_structured_secret
from evidence.rules.vocab import SecretKind

_ORDER = tuple(SecretKind)
_ESCAPED = re.compile(r"\\([_\-.:=/+])")
_UNICODE_ESCAPE = re.compile(r"\\u00([2-7][0-9a-fA-F])")
_PERCENT = re.compile(r"%[2-7][0-9a-fA-F]")
_LONG_WORD = re.compile(r"\S{16,}")
# A literal that goes on in the next one: "abc" + "def", 'abc' . 'def', one under the other, a line ended by a backslash.
_SEAM = re.compile(
    r"(?<=[\w+/=-])(?:([\"'])[^\S\n]{0,40}\n?[^\S\n]{0,40}[+.&][^\S\n]{0,40}\n?[^\S\n]{0,40}\1"
    r"|([\"'])[^\S\n]{0,40}\\?\n[^\S\n]{0,40}\2(?=[^\"'\n]{1,200}[\"'](?!\s{0,4}:))"
    r"|\\\n[^\S\n]{0,40})(?=[\w+/=-])"
)
# Nothing that counts as a secret comes without one of these: plain prose ends here.
_SUSPECT = re.compile(r"[A-Za-z0-9_+/=-]{16}|[:=>@%\\&]|[\"'] ?[+.]? ?[\"'\n]", re.ASCII)
_TOKEN = re.compile(r"[A-Za-z0-9_+/=.:~$-]{16}")
_SUSPECT_WORDS = (
    "pass", "secret", "token", "key", "bearer", "basic", "login", "sudo", "mysql", "mariadb", "identified", "redis-",
    "snmp", "seed",
)  # fmt: skip


def secret_kinds(text: str) -> tuple[str, ...]:
    """The kinds of secrets in the text, in the order of the contract's list; empty when there are none."""
    if not text:
        return ()
    found: set[SecretKind] = set()
    for reading in _readings(text):
        found |= _kinds(reading)
    return tuple(kind.value for kind in _ORDER if kind in found)


def has_secret(text: str) -> bool:
    """Whether the text holds any secret."""
    return bool(secret_kinds(text))


def _readings(text: str) -> Iterator[str]:
    """The text as its readers take it: plain, with escapes undone, put together, and what its encoded runs say."""
    plain = _plain(text)
    if plain.isascii() and not _SUSPECT.search(plain) and not any(map(plain.lower().__contains__, _SUSPECT_WORDS)):
        return
    yield plain
    undone = _undone(plain)
    if undone != plain:
        yield undone
    if not undone.isascii() and (latin := _LONG_WORD.sub(_as_latin, undone)) != undone:
        yield latin
    if (joined := _SEAM.sub("", undone)) != undone:
        yield joined
    for run in decoded_runs(plain):
        if len(run.text) >= 8:
            yield run.text


def _undone(text: str) -> str:
    """Escapes of Markdown, JSON, HTML and addresses read through; an address may be escaped twice."""
    if "\\" in text:
        text = _ESCAPED.sub(r"\1", _UNICODE_ESCAPE.sub(lambda each: chr(int(each.group(1), 16)), text))
        text = text.replace('\\"', '"')
    if "&" in text and ";" in text:
        text = html.unescape(text)
    for _ in range(2):
        if _PERCENT.search(text):
            text = unquote(text)
    return text


def _as_latin(found: re.Match[str]) -> str:
    """A long run of Latin letters and digits with look-alikes among them; a word of another language stays."""
    run = found.group()
    own = sum(char.isascii() for char in run)
    return latin_skeleton(run) if own * 2 > len(run) and not run.isascii() else run


def _plain(text: str) -> str:
    """Without invisible characters, full-width and styled letters as plain ones."""
    visible = strip_hidden(text)
    return visible if visible.isascii() else unicodedata.normalize("NFKC", visible)


def _kinds(text: str) -> set[SecretKind]:
    found: set[SecretKind] = set()
    if _TOKEN.search(text):
        found |= {shape.kind for shape in SHAPES if shape.matches(text)}
        found |= plugin_kinds(text)
    if has_private_key(text):
        found.add(SecretKind.PRIVATE_KEY)
    if has_bearer_token(text):
        found.add(SecretKind.BEARER_TOKEN)
    if has_url_credentials(text):
        found.add(SecretKind.URL_CREDENTIALS)
    if has_assigned_secret(text) or has_structured_secret(text) or has_command_secret(text):
        found.add(SecretKind.ASSIGNED_SECRET)
    return found
