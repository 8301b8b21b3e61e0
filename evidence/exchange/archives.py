"""Unpacking a ZIP or tar that somebody sent, into an empty folder of ours: all of it, or nothing and why.

Refused whole: names that lead elsewhere, links, devices, encrypted entries, names that stand twice, and whatever unpacks to more
than it may. What is counted are the bytes that come out, never what the archive says of itself.
"""

from __future__ import annotations

import gzip
import os
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, BinaryIO

from evidence.exchange.files import CorruptSource, shown

ENTRIES_MAX = 20_000
UNPACKED_MAX = 2 * 1024**3
# Text packs ten to one; so much more than that is made to fill a disk.
RATIO_MAX = 100
RATIO_FREE = 32 * 1024**2
DEPTH_MAX = 24
NAME_MAX = 255
_BLOCK = 64 * 1024
# A tar's header may ask for any number of bytes at once.
_ASKED_MAX = 1024**2
# The end of a ZIP, with the longest comment; and how long its list of entries may be.
_END, _END_64, _TAIL = b"PK\x05\x06", b"PK\x06\x07", 22 + 65_535
_DIRECTORY_MAX = ENTRIES_MAX * 512
_ZIP, _GZIP, _TAR = b"PK\x03\x04", b"\x1f\x8b", b"ustar"
_BROKEN = (
    zipfile.BadZipFile, tarfile.TarError, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError, ValueError,
    UnicodeError, OverflowError,
)  # fmt: skip


class _Hostile(Exception):
    """Why the archive is refused, in words for whoever sent it."""


@dataclass(slots=True)
class Limits:
    """How much may come out of one archive; counted down while it does."""

    packed: int
    unpacked_max: int = UNPACKED_MAX
    entries_max: int = ENTRIES_MAX
    entries: int = 0
    unpacked: int = 0
    names: set[str] = field(default_factory=set)

    def one_more(self) -> None:
        self.entries += 1
        if self.entries > self.entries_max:
            raise _Hostile(f"it holds more than {self.entries_max:,} entries")

    def count(self, size: int) -> None:
        self.unpacked += size
        if self.unpacked > self.unpacked_max:
            raise _Hostile(f"it unpacks to more than {self.unpacked_max // 1024**2:,} MiB")
        if self.unpacked > max(RATIO_FREE, RATIO_MAX * self.packed):
            raise _Hostile("it unpacks to far more than such an archive can honestly hold")


def is_archive(file: Path) -> bool:
    """Whether it is one that can be unpacked here, by its first bytes."""
    with file.open("rb") as opened:
        head = opened.read(512)
    return head.startswith((_ZIP, _GZIP)) or head[257:262] == _TAR


def unpack(archive: Path, folder: Path, *, name: str, limits: Limits | None = None) -> None:
    """Unpack into `folder`, which is empty. `CorruptSource` under `name`; what came out by then is the caller's to remove."""
    counted = limits or Limits(archive.stat().st_size)
    try:
        with archive.open("rb") as opened:
            head = opened.read(4)
            opened.seek(0)
            if head == _ZIP:
                _unzip(opened, folder, counted)
            elif head.startswith(_GZIP):
                with _ungzipped(opened, folder, counted) as plain:
                    _untar(plain, folder, counted)
            else:
                _untar(opened, folder, counted)
    except _Hostile as hostile:
        raise CorruptSource(shown(name), str(hostile)) from hostile
    except (MemoryError, RecursionError, *_BROKEN) as error:
        raise CorruptSource(shown(name), "the archive is damaged, or no archive that can be read here") from error
    if not counted.entries:
        raise CorruptSource(shown(name), "the archive is empty")


def root_in(folder: Path) -> Path:
    """What was meant: the one folder that everything lies in, where there is such a one and it is not hidden."""
    inside = list(folder.iterdir())
    alone = len(inside) == 1 and not inside[0].name.startswith(".")
    return inside[0] if alone else folder


def _check_directory(opened: BinaryIO) -> None:
    """The list of a ZIP's entries is read into memory whole: no longer than a list of so many can be."""
    opened.seek(0, os.SEEK_END)
    length = opened.tell()
    opened.seek(max(0, length - _TAIL))
    tail = opened.read(_TAIL)
    opened.seek(0)
    at = tail.rfind(_END)
    if at < 0 or len(tail) < at + 16:
        raise zipfile.BadZipFile
    size = int.from_bytes(tail[at + 12 : at + 16], "little")
    if size > _DIRECTORY_MAX or tail[max(0, at - 20) : at].startswith(_END_64):
        raise _Hostile("the list of its entries is too long")


def _unzip(opened: BinaryIO, folder: Path, limits: Limits) -> None:
    _check_directory(opened)
    with zipfile.ZipFile(opened) as archive:
        for entry in archive.infolist():
            limits.one_more()
            mode = entry.external_attr >> 16
            if entry.flag_bits & 0x1:
                raise _Hostile("an entry is encrypted")
            if mode & 0o170000 not in (0, 0o100000, 0o040000):
                raise _Hostile("an entry is a link or no file at all")
            target = _target(folder, entry.orig_filename, limits)
            if entry.is_dir():
                target.mkdir(parents=True, exist_ok=True)
                continue
            with archive.open(entry) as source:
                _copy(source, target, limits)


def _untar(opened: BinaryIO, folder: Path, limits: Limits) -> None:
    with tarfile.open(fileobj=_Careful(opened), mode="r:", errorlevel=2, encoding="utf-8") as archive:  # type: ignore[call-overload]
        for entry in archive:
            archive.members = []  # type: ignore[attr-defined]  # they are kept for ever otherwise
            limits.one_more()
            if entry.isdir():
                _target(folder, entry.name, limits).mkdir(parents=True, exist_ok=True)
                continue
            if not entry.isreg() or entry.issparse():
                raise _Hostile("an entry is a link or no file at all")
            source = archive.extractfile(entry)
            assert source is not None
            _copy(source, _target(folder, entry.name, limits), limits)


class _Careful:
    """A file that gives no more at once than any honest header asks for."""

    def __init__(self, opened: BinaryIO) -> None:
        self._opened = opened

    def read(self, size: int = -1) -> bytes:
        if not 0 <= size <= _ASKED_MAX:
            raise _Hostile("one of its headers is too long")
        return self._opened.read(size)

    def seek(self, place: int, whence: int = 0) -> int:
        return self._opened.seek(place, whence)

    def tell(self) -> int:
        return self._opened.tell()


@contextmanager
def _ungzipped(opened: BinaryIO, folder: Path, limits: Limits) -> Iterator[BinaryIO]:
    """The tar inside, beside the folder: it has to be read back and forth."""
    plain = folder.with_name(f"{folder.name}.tar")
    counted = Limits(limits.packed, unpacked_max=limits.unpacked_max)
    try:
        with gzip.open(opened) as source:
            _copy(source, plain, counted)
        with plain.open("rb") as found:
            yield found
    finally:
        plain.unlink(missing_ok=True)


def _target(folder: Path, name: str, limits: Limits) -> Path:
    """Where the entry goes: below the folder, under a name of its own."""
    bare = name.removeprefix("./").rstrip("/")
    if bare in ("", "."):
        return folder
    steps = bare.split("/")
    wrong = bare.startswith("/") or "\\" in name or "\0" in name or ":" in steps[0]
    if wrong or any(step in ("", ".", "..") for step in steps):
        raise _Hostile("the name of an entry leads out of the archive")
    if len(steps) > DEPTH_MAX or any(len(step.encode("utf-8", "surrogateescape")) > NAME_MAX for step in steps):
        raise _Hostile("the name of an entry is too long or lies too deep")
    if name.endswith("/"):
        return folder.joinpath(*steps)
    if bare.casefold() in limits.names:
        raise _Hostile("two of its entries have one name")
    limits.names.add(bare.casefold())
    return folder.joinpath(*steps)


def _copy(source: IO[bytes], target: Path, limits: Limits) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    handle = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    with os.fdopen(handle, "wb") as made:
        while block := source.read(_BLOCK):
            limits.count(len(block))
            made.write(block)
