"""What children say, line by line: on the console with their name in front, and in small rotating files in the data folder."""

from __future__ import annotations

import logging.handlers
import sys
import threading
from pathlib import Path
from typing import TextIO

LOG_BYTES = 1024 * 1024
LOG_FILES = 3
# A child may print what an agent wrote; a terminal must not obey it.
CONTROL = {code: f"\\x{code:02x}" for code in (*range(32), 127, *range(128, 160)) if chr(code) != "\t"}


class Console:
    """Thread-safe; a console that went away (a closed pipe) is no reason to stop working."""

    def __init__(self, log_dir: Path, stream: TextIO | None = None) -> None:
        log_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.log_dir = log_dir
        self.stream = stream or sys.stdout
        self._lock = threading.Lock()
        self._files: dict[str, logging.Handler] = {}

    def line(self, name: str, text: str) -> None:
        """One line of the child `name`: to the console and to its file."""
        clean = text.rstrip("\r\n").translate(CONTROL)
        with self._lock:
            self._print(f"{name:<7}| {clean}")
            self._file(name).emit(logging.makeLogRecord({"msg": clean}))

    def say(self, text: str) -> None:
        """The supervisor's own word; it may hold the demo's password, so it goes into no file."""
        with self._lock:
            for part in text.splitlines():
                self._print(part)

    def close(self) -> None:
        with self._lock:
            for handler in self._files.values():
                handler.close()
            self._files.clear()

    def _print(self, text: str) -> None:
        try:
            self.stream.write(text + "\n")
            self.stream.flush()
        except (OSError, ValueError):
            pass

    def _file(self, name: str) -> logging.Handler:
        if name not in self._files:
            file = self.log_dir / f"{name}.log"
            self._files[name] = logging.handlers.RotatingFileHandler(
                file, maxBytes=LOG_BYTES, backupCount=LOG_FILES, encoding="utf-8", errors="replace"
            )
        return self._files[name]
