"""Secrets whose name and value stand apart: pairs of fields, defaults of a lookup, cells of a table, a Secret's manifest.

What joins them is the form of the file (`name`/`value`, a column, `data:`); names and values are judged as in assignments.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator

from evidence.rules.secret_shapes.assignments import bare_value, is_harmless
from evidence.rules.secret_shapes.names import NAME, NEVER_BEFORE, OTHER_BEFORE, SUFFIX, WEAK, may_name_secret
from evidence.rules.secret_shapes.randomness import is_mixed, is_wordy, looks_drawn

_NAME = rf"(?P<name>{NAME}){SUFFIX}"
_LATE_NAME = rf"[\w.-]{{0,60}}?{_NAME}"
_QUOTED = r"\\?[\"'](?P<b>[^\"'\n\\]{8,600})\\?[\"']"
_VALUE = r"\\?[\"']?(?P<b>[^\s\"',}]{8,600})"
_VALUE_KEYS = r"(?:value|default|val|plain|secretstring|stringvalue|content)"
_IS = r"\\?[\"']?\s{0,3}[:=]\s{0,3}"
_FIELDS = rf"\b(?:name|key|variable|id|env){_IS}\\?[\"']?{_LATE_NAME}\\?[\"']?[\s,]{{1,40}}\\?[\"']?"

# Of each pair the first is what must be in the text before the pattern is worth a run.
_PAIRS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (cue, re.compile(pattern, re.IGNORECASE))
    for cue, pattern in (
        # {"name": "DB_PASSWORD", "value": "..."}, the same in YAML, XML and Terraform
        *((key, _FIELDS + rf"{key}{_IS}{_VALUE}") for key in ("value", "default", "content")),
        (
            "default",
            rf"\bvariable\s{{1,4}}[\"']{_LATE_NAME}[\"']\s{{0,4}}\{{[^{{}}]{{0,400}}?\bdefault\s{{0,20}}=\s{{0,4}}{_QUOTED}",
        ),
        # "password": {"value": "..."}
        ("{", rf"{_NAME}{_IS}\{{\s{{0,20}}\\?[\"']?{_VALUE_KEYS}{_IS}{_VALUE}"),
        # getenv("DB_PASSWORD", "..."), define('DB_PASSWORD', '...'), ("password", "...")
        (",", rf"{_NAME}[\"']\s{{0,3}},\s{{0,3}}(?:default\s?=\s?)?{_QUOTED}"),
        # process.env.DB_PASSWORD || "...", ${{DB_PASSWORD:-...}}
        ("|", rf"{_NAME}(?:[\"']?[\])])?\s{{0,3}}\|\|\s{{0,3}}{_QUOTED}"),
        ("?", rf"{_NAME}(?:[\"']?[\])])?\s{{0,3}}\?[?:]\s{{0,3}}{_QUOTED}"),
        ("${", rf"\$\{{{_LATE_NAME}:?-(?P<b>[^\s\"'}}$]{{8,200}})\}}"),
        # password: >-            passwords:
        #   ...                     - ...
        (
            "\n",
            rf"{_NAME}s?\\?[\"']?:[^\S\n]{{0,4}}(?:[|>][+-]?\d?)?[^\S\n]{{0,4}}\n[^\S\n]{{1,20}}(?:-\s{{1,4}})?{_VALUE}[^\S\n]*(?:\n|$)",
        ),
    )
)
_SPLIT = re.compile(r"\s*[|,;\t]\s*")
_CELL = re.compile(rf"(?i)[\w .-]{{0,30}}?(?:{NAME}){SUFFIX}")
_ROW = re.compile(rf"(?i){_NAME}[`*\"]{{0,3}}\s{{0,4}}[|\t]\s{{0,4}}[`*\"]{{0,3}}(?P<b>[^\s|`*\"]{{8,400}})")
_MANIFEST = re.compile(r"(?m)^\s{0,8}[\"']?kind[\"']?:\s{0,4}[\"']?Secret[\"']?\s{0,4},?$")
_KIND = re.compile(r"(?m)^\s{0,8}kind:")
_BLOCK = re.compile(r"(?m)^(?P<pad>[ ]{0,12})(?P<form>data|stringData):[^\S\n]*\n")
_ENTRY = re.compile(r"[ ]{1,16}[\"']?[\w.-]{1,80}[\"']?:[ ]{1,4}[\"']?(?P<b>[^\s\"']{8,4000})[\"']?[ \r]{0,4}(?:\n|$)")


def has_structured_secret(text: str) -> bool:
    """Whether a pair of fields, a default, a table or a Secret's manifest holds a secret as it stands."""
    if "kind" in text and _MANIFEST.search(text) and any(_in_manifest(text)):
        return True
    if not may_name_secret(text):
        return False
    lower = text.casefold()
    if any(cue in lower and any(map(_is_pair, pattern.finditer(text))) for cue, pattern in _PAIRS):
        return True
    if ("|" in text or "\t" in text) and any(_is_pair(found, drawn=True) for found in _ROW.finditer(text)):
        return True
    return "\n" in text and any(_in_table(text.splitlines()))


def _is_pair(found: re.Match[str], *, drawn: bool = False) -> bool:
    start = found.start("name")
    before, value = found.string[max(0, start - 24) : start], bare_value(found.group("b"))
    if found.group("name").casefold() in WEAK and not looks_drawn(value):
        return False
    if NEVER_BEFORE.search(before) or (OTHER_BEFORE.search(before) and not looks_drawn(value)):
        return False
    return _is_value(value, drawn=drawn)


def _is_value(value: str, *, drawn: bool = False) -> bool:
    if is_harmless(value) or any(map(str.isspace, value)):
        return False
    return looks_drawn(value) or (not drawn and is_mixed(value) and not is_wordy(value))


def _in_table(lines: list[str]) -> Iterator[bool]:
    """Under a header with a secret's name, what stands in that column (Markdown, comma, semicolon or tab)."""
    columns: dict[int, int] = {}
    for line in lines:
        cells = _SPLIT.split(line.strip().strip("|").strip()) if len(line) < 2000 else []
        if len(cells) < 2:
            columns = {}
        elif columns:
            yield from (
                _is_value(cells[at].strip("`*\"' "), drawn=True) for at, width in columns.items() if len(cells) == width
            )
        else:
            columns = {at: len(cells) for at, cell in enumerate(cells) if _CELL.fullmatch(cell.strip("`*\"' "))}


def _in_manifest(text: str) -> Iterator[bool]:
    for manifest in _MANIFEST.finditer(text):
        end = next((found.start() for found in _KIND.finditer(text, manifest.end())), len(text))
        for block in _BLOCK.finditer(text, manifest.end(), end):
            at = block.end()
            while entry := _ENTRY.match(text, at, end):
                at = entry.end()
                value = entry.group("b")
                yield _is_value(value if block.group("form") == "stringData" else _decoded(value))


def _decoded(value: str) -> str:
    try:
        plain = base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError):
        return ""
    try:
        text = plain.decode("utf-8")
    except UnicodeDecodeError:
        return value  # bytes: a key
    return "" if text.startswith("-----BEGIN CERT") else text
