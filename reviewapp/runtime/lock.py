"""One `up` per data folder: a file lock that the kernel lets go of when its last holder ends, however it ends."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path


class FolderBusy(Exception):
    """Another supervisor, or the guard that still cleans up after one, holds the folder."""

    def __init__(self, holder: str) -> None:
        super().__init__(holder)
        self.holder = holder


class FolderLock:
    """Holds `data_dir/run/up.lock`. The guard inherits `handle`, so the folder stays taken until no child is left."""

    def __init__(self, data_dir: Path) -> None:
        self.file = data_dir / "run" / "up.lock"
        self.handle = -1

    def acquire(self) -> None:
        self.file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(self.file, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            holder = os.read(handle, 32).decode("ascii", "replace").strip()
            os.close(handle)
            raise FolderBusy(holder or "unknown") from None
        os.ftruncate(handle, 0)
        os.write(handle, f"{os.getpid()}\n".encode())
        self.handle = handle

    def release(self) -> None:
        if self.handle >= 0:
            os.close(self.handle)
            self.handle = -1
