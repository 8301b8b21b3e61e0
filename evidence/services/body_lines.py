"""A body of lines, read as it arrives and never held as a whole: one line at a time, each within its limit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

LONGEST_LINE = 64 * 1024
_PIECE = 16 * 1024


class Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


def lines_of(stream: Readable, *, longest: int = LONGEST_LINE) -> Iterator[bytes | None]:
    """The lines in order, without their ends; None stands for one that is longer than `longest` bytes, which is read past.

    What ends without a line feed is a line too. An `OSError` of the connection is the caller's.
    """
    rest, skipping = b"", False
    while piece := stream.read(_PIECE):
        *whole, rest = (rest + piece).split(b"\n")
        for line in whole:
            yield None if skipping or len(line) > longest else line.removesuffix(b"\r")
            skipping = False
        if len(rest) > longest:
            rest, skipping = b"", True
    if skipping or rest:
        yield None if skipping else rest.removesuffix(b"\r")
