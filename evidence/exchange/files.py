"""Opening foreign files safely: regular files inside the given folder only, no links followed, nothing ever written.

Line files are read line by line; a line that is too long is passed over without being held in memory.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from evidence.rules.errors import BadInput

# The longest content there is (64 Ki characters), however its letters are written, with everything else of its record.
LINE_MAX = 512 * 1024
# A whole-file format is parsed in memory; a ledger of ten thousand facts is about 5 MB.
DOCUMENT_MAX = 64 * 1024 * 1024
ARTICLE_MAX = 1024 * 1024
# What file systems take as one name, in bytes; a longer one is an error there, not an absent file.
NAME_MAX = 255

_UTF8_MARK = b"\xef\xbb\xbf"
_NO_LINES = (
    (b"SQLite format 3\0", "an SQLite database"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"\x1f\x8b", "a compressed file"),
)
_WIDE_MARKS = (b"\xff\xfe", b"\xfe\xff")


class CorruptSource(Exception):
    """The source cannot be taken at all; nothing of it is stored. `where` is relative to what was imported."""

    def __init__(self, where: str, detail: str) -> None:
        super().__init__(f"{where}: {detail}")
        self.where = where
        self.detail = detail


def root_of(path: Path) -> Path:
    """The real path of what the operator named; raises `CorruptSource` where there is nothing to read."""
    try:
        return path.resolve(strict=True)
    except (OSError, ValueError, RuntimeError) as error:
        raise CorruptSource(shown(path.name) or "the path", "there is no such file or folder") from error


def shown(name: str) -> str:
    """A file name that can be stored and printed: undecodable bytes and control characters are escaped."""
    safe = name.encode("utf-8", "backslashreplace").decode("utf-8")
    return "".join(letter if letter.isprintable() else f"\\x{ord(letter):02x}" for letter in safe)


def inside(root: Path, relative: str) -> Path:
    """`root/relative`, if every step stays inside and none is a link; else `BadInput`. The file need not exist."""
    steps = relative.split("/")
    unsafe = (
        not relative
        or len(relative.encode()) > 16 * NAME_MAX
        or PurePosixPath(relative).is_absolute()
        or "\\" in relative
        or "\0" in relative
    )
    if unsafe or any(step in ("", ".", "..") or len(step.encode()) > NAME_MAX for step in steps):
        raise BadInput("invalid_value", "the path leaves the folder or is no relative path", "path")
    found = root
    for step in steps:
        found = found / step
        if found.is_symlink():
            raise BadInput("invalid_value", "the path leads through a link; links are not followed", "path")
    return found


def open_regular(path: Path, *, largest: int | None = None) -> BinaryIO:
    """The file, opened for reading. `BadInput` for links, devices, pipes, and files over `largest` bytes; `OSError` as usual."""
    if path.is_symlink():
        raise BadInput("invalid_value", "it is a link; links are not followed")
    # Non-blocking: opening a pipe would otherwise wait for its writer for ever.
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    about = os.fstat(handle)
    if not stat.S_ISREG(about.st_mode):
        os.close(handle)
        raise BadInput("invalid_value", "it is no regular file")
    if largest is not None and about.st_size > largest:
        os.close(handle)
        raise BadInput("too_large", f"it is larger than {largest // 1024:,} KiB")
    return os.fdopen(handle, "rb")


def read_document(path: Path, *, largest: int = DOCUMENT_MAX) -> str:
    """The whole text of a UTF-8 file (a byte-order mark is dropped), or `BadInput`."""
    with open_regular(path, largest=largest) as file:
        data = file.read(largest + 1)
    return decode(data.removeprefix(_UTF8_MARK))


def decode(data: bytes) -> str:
    """UTF-8 without NUL, or `BadInput` invalid_text."""
    if b"\0" in data:
        raise BadInput("invalid_text", "it contains a NUL character")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadInput("invalid_text", f"it is not UTF-8 (byte {error.start})") from error


def check_lines(path: Path, where: str) -> None:
    """Raises `CorruptSource` where a file cannot be a file of UTF-8 lines: unreadable, UTF-16, an archive, a database."""
    try:
        with open_regular(path) as file:
            head = file.read(16)
    except BadInput as bad:
        raise CorruptSource(where, bad.detail) from bad
    except OSError as error:
        raise CorruptSource(where, f"it cannot be read ({error.strerror or 'input/output error'})") from error
    if head.startswith(_WIDE_MARKS):
        raise CorruptSource(where, "it is UTF-16 or UTF-32; save it as UTF-8")
    for mark, what in _NO_LINES:
        if head.startswith(mark):
            raise CorruptSource(where, f"it is {what}, not a file of lines")


def read_lines(path: Path, *, longest: int = LINE_MAX) -> Iterator[tuple[int, bytes | BadInput]]:
    """(line number, bytes without the line end) for every line that is not blank; `BadInput` for one that is too long."""
    with open_regular(path) as file:
        number = 0
        while raw := file.readline(longest + 2):
            number += 1
            if number == 1:
                raw = raw.removeprefix(_UTF8_MARK)
            whole = raw.endswith(b"\n")
            line = raw.rstrip(b"\r\n")
            if len(line) > longest:
                if not whole:
                    _skip_line(file)
                yield number, BadInput("too_large", f"the line is longer than {longest // 1024} KiB")
            elif line.strip():
                yield number, line


def _skip_line(file: BinaryIO) -> None:
    while (rest := file.readline(LINE_MAX)) and not rest.endswith(b"\n"):
        pass


def walk(root: Path, suffix: str) -> Iterator[tuple[str, Path]]:
    """(relative name, path) of files that end with `suffix`, sorted, links and hidden entries included by name only.

    A link is yielded like a file; opening it is what refuses it, so that the report names it.
    """
    entries = sorted(root.iterdir(), key=lambda entry: os.fsencode(entry.name))
    for entry in entries:
        if entry.name.endswith(suffix) and (entry.is_symlink() or not entry.is_dir()):
            yield entry.name, entry
