"""The head of a Markdown file between two `---` lines: names with texts or lists of texts, and nothing else of YAML.

No anchors, tags, references or types: a value is the text that stands there, quotes taken off. What goes beyond that (nested
members, texts over several lines) is not guessed; its name is kept in `unread`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

FENCE = "---"
HEAD_MAX = 200
_MEMBER = re.compile(r"([A-Za-z_][\w .-]{0,63}):(?:[ \t]+(.*))?$")
_ENTRY = re.compile(r"\s*-[ \t]+(.*)$")
_QUOTED = re.compile(r"""("(?:[^"\\]|\\.)*"|'((?:[^']|'')*)')\s*(?:#.*)?$""")
_COMMENT = re.compile(r"(?:^|\s)#.*$")
_BEYOND = ("&", "*", "!", "|", ">", "{", "%", "@", "`")


@dataclass(slots=True)
class Head:
    """`body_line` is the line (from 1) on which the body begins."""

    texts: dict[str, str] = field(default_factory=dict)
    lists: dict[str, tuple[str, ...]] = field(default_factory=dict)
    unread: list[str] = field(default_factory=list)
    body_line: int = 1

    def text(self, name: str) -> str:
        return self.texts.get(name, "")

    def words(self, name: str) -> tuple[str, ...]:
        """A list, or a text of several parts with commas between."""
        found = self.lists.get(name)
        return found if found is not None else tuple(part for part in _parts(self.text(name)) if part)

    def others(self, known: frozenset[str]) -> Mapping[str, object]:
        """Members that nobody interprets, for display."""
        found: dict[str, object] = {name: text for name, text in self.texts.items() if name not in known}
        found |= {name: list(texts) for name, texts in self.lists.items() if name not in known}
        return found


def split(text: str) -> tuple[Head, list[str]]:
    """The head and the lines of the body. A text without a closed head is all body."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if lines[0].rstrip() != FENCE:
        return Head(), lines
    end = next((at for at, line in enumerate(lines[1 : HEAD_MAX + 1], start=1) if line.rstrip() in (FENCE, "...")), 0)
    if not end:
        return Head(), lines
    head = Head(body_line=end + 2)
    _read(head, lines[1:end])
    return head, lines[end + 1 :]


def _read(head: Head, lines: list[str]) -> None:
    name = ""
    for line in lines:
        entry, member = _ENTRY.match(line), _MEMBER.match(line)
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if entry and name and not head.text(name):
            head.texts.pop(name, None)
            head.lists[name] = (*head.lists.get(name, ()), unquoted(entry[1]))
        elif member and not line[0].isspace():
            name = member[1].strip()
            _set(head, name, (member[2] or "").strip())
        elif name:
            # It goes on below in a way that is not read here: what was taken of it so far may be half of it.
            _forget(head, name)


def _set(head: Head, name: str, value: str) -> None:
    if name in head.texts or name in head.lists or name in head.unread or value.startswith(_BEYOND):
        _forget(head, name)
    elif value.startswith("[") and value.endswith("]"):
        head.lists[name] = tuple(part for part in _parts(value[1:-1]) if part)
    else:
        head.texts[name] = unquoted(value)


def _forget(head: Head, name: str) -> None:
    head.texts.pop(name, None)
    head.lists.pop(name, None)
    if name not in head.unread:
        head.unread.append(name)


def _parts(text: str) -> list[str]:
    return [unquoted(part) for part in text.split(",")]


def unquoted(text: str) -> str:
    """A scalar without its quotes and without the comment behind it."""
    text = text.strip()
    quoted = _QUOTED.match(text)
    if not quoted:
        return _COMMENT.sub("", text).strip()
    if quoted[2] is not None:
        return quoted[2].replace("''", "'")
    try:
        return str(json.loads(quoted[1]))
    except ValueError:
        return quoted[1][1:-1]
