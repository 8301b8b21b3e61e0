"""A Markdown text as plain blocks: paragraphs and list items with the line they stand on and the headings above them.

Nothing is rendered, no link is followed. What stands inside a code fence is no item: it belongs to the block that it touches,
else it is a paragraph of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*$")
_ITEM = re.compile(r"(\s*)(?:[-*+]|\d{1,9}[.)])[ \t]+(.*)$")
_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_ENDS = (".", ":", ";", "!", "?")


@dataclass(slots=True)
class Block:
    """`lines` is its own text; `inner` are the items nested below an item, at any depth, in order."""

    line: int
    is_item: bool
    headings: tuple[str, ...]
    lines: list[str] = field(default_factory=list)
    inner: list[str] = field(default_factory=list)

    @property
    def own(self) -> str:
        return " ".join(" ".join(self.lines).split())

    @property
    def text(self) -> str:
        """One line: an item with what is nested below it."""
        text = self.own
        for one in self.inner:
            part = " ".join(one.split())
            text = f"{text}{' ' if text.endswith(_ENDS) else '; '}{part}" if text and part else text or part
        return text


def blocks(lines: Iterable[str], *, first_line: int = 1, nested: bool = True) -> Iterator[Block]:
    """The blocks in order. `nested=False` gives every item as a block of its own, whatever its indent."""
    return _Reader(first_line, nested).read(lines)


class _Reader:
    def __init__(self, first_line: int, nested: bool) -> None:
        self.number = first_line - 1
        self.nested = nested
        self.headings: list[tuple[int, str]] = []
        self.block: Block | None = None
        self.indent = 0
        self.gap = False
        self.fence = ""

    def read(self, lines: Iterable[str]) -> Iterator[Block]:
        for line in lines:
            self.number += 1
            yield from self._line(line)
        if self.block is not None and self.block.text:
            yield self.block

    def _line(self, line: str) -> Iterator[Block]:
        """Takes a line in; gives the block that it ended, if it ended one that says anything."""
        done = self._code(line) if self.fence or _FENCE.match(line) else self._prose(line)
        if done is not None and done.text:
            yield done

    def _prose(self, line: str) -> Block | None:
        heading, item = _HEADING.match(line), _ITEM.match(line)
        if heading:
            done = self._end()
            level = len(heading[1])
            self.headings = [one for one in self.headings if one[0] < level] + [(level, heading[2].strip())]
            return done
        if item:
            return self._item(len(item[1].expandtabs(4)), item[2])
        if not line.strip():
            self.gap = True
            return None
        return self._text(line)

    def _code(self, line: str) -> Block | None:
        fence = _FENCE.match(line)
        if not self.fence:
            assert fence is not None
            self.fence = fence[1]
            return None if self._goes_on(line) else self._start("", is_item=False, indent=0)
        if fence and fence[1].startswith(self.fence) and not line.strip().strip(self.fence[0]):
            self.fence = ""
        else:
            self._add(line)
        return None

    def _item(self, indent: int, text: str) -> Block | None:
        block = self.block
        if self.nested and block is not None and block.is_item and indent > self.indent:
            block.inner.append(text)
            self.gap = False
            return None
        return self._start(text, is_item=True, indent=indent)

    def _text(self, line: str) -> Block | None:
        if not self._goes_on(line):
            return self._start(line, is_item=False, indent=0)
        self._add(line)
        return None

    def _goes_on(self, line: str) -> bool:
        """Whether a line belongs to the block before it: it follows at once, or is indented below an item."""
        block = self.block
        return block is not None and (not self.gap or (block.is_item and line[0].isspace()))

    def _add(self, line: str) -> None:
        assert self.block is not None
        if self.block.inner:
            self.block.inner[-1] += f" {line.strip()}"
        else:
            self.block.lines.append(line.strip())
        self.gap = False

    def _start(self, text: str, *, is_item: bool, indent: int) -> Block | None:
        done = self._end()
        self.block = Block(self.number, is_item, tuple(text for _level, text in self.headings), [text.strip()])
        self.indent, self.gap = indent, False
        return done

    def _end(self) -> Block | None:
        done, self.block = self.block, None
        return done
