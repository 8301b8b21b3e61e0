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
from evidence.rules.encodings import decoded_runs
from evidence.rules.secret_shapes.assignments import has_assigned_secret
from evidence.rules.secret_shapes.headers import has_bearer_token, has_private_key, has_url_credentials
from evidence.rules.secret_shapes.plugins import plugin_kinds
from evidence.rules.secret_shapes.providers import SHAPES
from evidence.rules.vocab import SecretKind

_ORDER = tuple(SecretKind)
_ESCAPED = re.compile(r"\\([_\-.:=/+])")
_UNICODE_ESCAPE = re.compile(r"\\u00([2-7][0-9a-fA-F])")
_PERCENT = re.compile(r"%[2-7][0-9a-fA-F]")
# Nothing that counts as a secret comes without one of these: plain prose ends here.
_SUSPECT = re.compile(r"[A-Za-z0-9_+/=-]{16}|[:=>@%\\&]|(?i:pass|secret|token|key|bearer|basic)", re.ASCII)


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
    """The text as its readers take it: plain, with escapes undone, and what its encoded runs say."""
    plain = _plain(text)
    if plain.isascii() and not _SUSPECT.search(plain):
        return
    yield plain
    undone = plain
    if "\\" in undone:
        undone = _ESCAPED.sub(r"\1", _UNICODE_ESCAPE.sub(lambda each: chr(int(each.group(1), 16)), undone))
        undone = undone.replace('\\"', '"')
    if "&" in undone and ";" in undone:
        undone = html.unescape(undone)
    if _PERCENT.search(undone):
        undone = unquote(undone)
    if undone != plain:
        yield undone
    for run in decoded_runs(plain):
        if len(run.text) >= 8:
            yield run.text


def _plain(text: str) -> str:
    """Without invisible characters, full-width and styled letters as plain ones."""
    visible = strip_hidden(text)
    return visible if visible.isascii() else unicodedata.normalize("NFKC", visible)


def _kinds(text: str) -> set[SecretKind]:
    found = {shape.kind for shape in SHAPES if shape.matches(text)}
    found |= plugin_kinds(text)
    if has_private_key(text):
        found.add(SecretKind.PRIVATE_KEY)
    if has_bearer_token(text):
        found.add(SecretKind.BEARER_TOKEN)
    if has_url_credentials(text):
        found.add(SecretKind.URL_CREDENTIALS)
    if has_assigned_secret(text):
        found.add(SecretKind.ASSIGNED_SECRET)
    return found
