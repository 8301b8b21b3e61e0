"""What one list item of a note is: an observation, a relation, or neither (then it is prose)."""

from __future__ import annotations

import re
from dataclasses import dataclass

# `[ ]`, `[x]` and `[-]` are boxes of tasks; `[text](address)` and `[[note]]` are links.
_BOX = re.compile(r"\[[ xX-]?\](?:\s|$)")
_LINK_ITEM = re.compile(r"!?\[[^\]]*\]\([^)]*\)\s*$")
_CATEGORY = re.compile(r"\[([^\[\]()]{1,100})\](?!\()\s*(.*)$", re.DOTALL)
_RELATION = re.compile(r"(.*?)\[\[([^\[\]]+)\]\]\s*(?:\((.*)\))?\s*$", re.DOTALL)
_CONTEXT = re.compile(r"\s*\(([^()]*)\)\s*$")
_TAG = re.compile(r"(?:(?<=\s)|^)#([\w/-]*[^\W\d][\w/-]*)")
UNNAMED = "links_to"
NOTE = "note"


@dataclass(frozen=True, slots=True)
class Observation:
    category: str
    text: str
    tags: tuple[str, ...] = ()
    context: str = ""


@dataclass(frozen=True, slots=True)
class Relation:
    kind: str
    target: str
    context: str = ""


def is_prose(text: str) -> bool:
    """Whether an item that is neither says something: a box of a task and a bare link do not."""
    return not _BOX.match(text) and not _LINK_ITEM.match(text)


def parsed(text: str) -> Observation | Relation | None:
    """The item, none where it is prose."""
    if not is_prose(text):
        return None
    return _relation(text) or _observation(text)


def _relation(text: str) -> Relation | None:
    found = _RELATION.match(text)
    if not found or found[1].lstrip().startswith("["):
        return None
    kind = found[1].strip().strip('"').strip()
    return Relation(kind or UNNAMED, found[2].strip(), (found[3] or "").strip())


def _observation(text: str) -> Observation | None:
    found = _CATEGORY.match(text)
    category, rest = (found[1].strip(), found[2]) if found else ("", text)
    tags = tags_in(rest)
    if not category and not tags:
        return None
    context = _CONTEXT.search(rest)
    rest = rest[: context.start()] if context else rest
    said = without_tags(rest)
    return Observation(category or NOTE, said, tags, context[1].strip() if context else "") if said else None


def tags_in(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_TAG.findall(text)))


def without_tags(text: str) -> str:
    return " ".join(_TAG.sub("", text).split())
