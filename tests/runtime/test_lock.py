"""One supervisor per data folder, and none beside the remains of another."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from reviewapp.runtime.lock import FolderBusy, FolderLock
from tests.runtime.programs import pids_of, running, start_supervisor, wait_for


def test_the_second_is_told_who_holds_the_folder(tmp_path: Path) -> None:
    first = FolderLock(tmp_path)
    first.acquire()
    with pytest.raises(FolderBusy) as busy:
        FolderLock(tmp_path).acquire()
    assert busy.value.holder == str(os.getpid())
    first.release()
    FolderLock(tmp_path).acquire()


def test_the_folder_stays_taken_until_the_last_child_of_a_killed_supervisor_has_ended(tmp_path: Path) -> None:
    process = start_supervisor(tmp_path, how="stubborn")  # they ignore TERM, so the guard needs its grace
    everybody = [pid for name in ("broker", "worker", "beat", "web") for pid in pids_of(tmp_path, name)]
    process.kill()
    process.wait()
    lock = FolderLock(tmp_path)

    def taken_over() -> bool:
        try:
            lock.acquire()
        except FolderBusy:
            return False
        return True

    wait_for(taken_over)
    assert not any(running(pid) for pid in everybody)
