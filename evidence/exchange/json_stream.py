"""The elements of one long JSON array, one after the other: the document is never held as a whole.

The array is the document itself, or the member of its object that has one of the given names. Everything is read once before
anything is given, so that a document that is cut off or malformed anywhere is refused whole.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from evidence.exchange import strict_json
from evidence.exchange.files import CorruptSource, open_regular
from evidence.rules.errors import BadInput

CHUNK = 64 * 1024
ELEMENT_MAX = 4 * 1024 * 1024
_MARK = "\ufeff"
_SPACE = re.compile(r"[ \t\n\r]*")
_STRUCTURE = re.compile(r'["\[\]{}]')
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_SCALAR = re.compile(r"[^\s,\]}\"\[{]+")


def check(path: Path, where: str, names: Sequence[str] = ()) -> int:
    """How many elements there are; `CorruptSource` where the document has no such array or is malformed anywhere."""
    return sum(1 for _element in elements(path, where, names))


def elements(path: Path, where: str, names: Sequence[str] = ()) -> Iterator[Any]:
    """Each element, parsed. `CorruptSource` as soon as something does not add up; `check` comes first."""
    try:
        with open_regular(path) as file:
            yield from _Reader(file, names).read()
    except BadInput as bad:
        raise CorruptSource(where, bad.detail) from bad
    except UnicodeDecodeError as error:
        raise CorruptSource(where, "it is not UTF-8") from error
    except OSError as error:
        raise CorruptSource(where, f"it cannot be read ({error.strerror or 'input/output error'})") from error


class _Reader:
    def __init__(self, file: BinaryIO, names: Sequence[str]) -> None:
        self.file = file
        self.names = names
        self.decoder = codecs.getincrementaldecoder("utf-8")()
        self.buffer = ""
        self.at = 0
        self.ended = False

    def read(self) -> Iterator[Any]:
        while not self.buffer and self._more():
            pass
        self.buffer = self.buffer.removeprefix(_MARK)
        begins = self._next()
        if begins == "[":
            yield from self._array()
        elif begins == "{" and self.names:
            yield from self._object()
        else:
            raise BadInput(strict_json.MALFORMED, f"it is not JSON, or it is {self._wanted()}")
        if self._next():
            raise BadInput(strict_json.MALFORMED, "it is not JSON: something follows its end")

    def _wanted(self) -> str:
        return f"no list of entries, and has none under {' or '.join(self.names)}" if self.names else "no array"

    def _object(self) -> Iterator[Any]:
        """The wanted member's elements; the other members are read, and that is all."""
        found: set[str] = set()
        given = False
        self.at += 1
        goes_on = self._next() != "}"
        self.at += 0 if goes_on else 1
        while goes_on:
            name = self._name(found)
            if name in self.names and not given and self._next() == "[":
                given = True
                yield from self._array()
            else:
                strict_json.parse(self._value())
            goes_on = self._more_follow("}")
        if not given:
            raise BadInput(strict_json.MALFORMED, f"it is {self._wanted()}")

    def _name(self, found: set[str]) -> str:
        name = strict_json.parse(self._value())
        if not isinstance(name, str) or name in found or self._take() != ":":
            raise BadInput(strict_json.MALFORMED, "it is not JSON: a member is malformed or named twice")
        found.add(name)
        return name

    def _array(self) -> Iterator[Any]:
        self.at += 1
        if self._next() == "]":
            self.at += 1
            return
        while True:
            yield strict_json.parse(self._value())
            if not self._more_follow("]"):
                return

    def _more_follow(self, close: str) -> bool:
        sign = self._take()
        if sign not in (",", close):
            raise BadInput(strict_json.MALFORMED, "it is not JSON: it is cut off, or a comma is missing")
        return sign == ","

    def _take(self) -> str:
        sign = self._next()
        self.at += 1
        return sign

    def _next(self) -> str:
        """The next letter that is no space, "" at the end."""
        while True:
            space = _SPACE.match(self.buffer, self.at)
            assert space is not None
            self.at = space.end()
            if self.at < len(self.buffer):
                return self.buffer[self.at]
            if not self._more():
                return ""

    def _value(self) -> str:
        """The text of the next value, whatever it is."""
        begins = self._next()
        if begins and begins in '{["':
            text = self._nested()
        else:
            while (scalar := _SCALAR.match(self.buffer, self.at)) and scalar.end() == len(self.buffer) and self._more():
                pass
            text = scalar[0] if scalar else ""
        if not text:
            raise BadInput(strict_json.MALFORMED, "it is not JSON: it is cut off, or a value is missing")
        self.at += len(text)
        return text

    def _nested(self) -> str:
        depth, at = 0, self.at
        while True:
            sign = _STRUCTURE.search(self.buffer, at)
            if sign is None:
                at = len(self.buffer)
            elif sign[0] == '"':
                string = _STRING.match(self.buffer, sign.start())
                at = string.end() if string else sign.start()
                sign = string
            else:
                depth += 1 if sign[0] in "[{" else -1
                at = sign.end()
            if sign is not None and depth <= 0:
                return self.buffer[self.at : at]
            if sign is None:
                at -= self._drop()
                if len(self.buffer) > ELEMENT_MAX:
                    raise BadInput("too_large", f"an element is larger than {ELEMENT_MAX // 1024:,} KiB")
                if not self._more():
                    raise BadInput(strict_json.MALFORMED, "it is not JSON: it is cut off")

    def _drop(self) -> int:
        """Forget what was read; returns how much."""
        dropped, self.at = self.at, 0
        self.buffer = self.buffer[dropped:]
        return dropped

    def _more(self) -> bool:
        if self.ended:
            return False
        data = self.file.read(CHUNK)
        self.ended = not data
        self._drop()
        self.buffer += self.decoder.decode(data, final=self.ended)
        return not self.ended
