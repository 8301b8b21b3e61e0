"""Sample memories of four systems for tests: copied, with the placeholders of secrets filled in where a test asks for it.

No secret is in the samples or here: values are built from parts when they are needed.
"""

from __future__ import annotations

import hashlib
import random
import re
import shutil
import string
from collections.abc import Mapping
from pathlib import Path

SAMPLES = Path(__file__).resolve().parent.parent / "data"
_PLACE = re.compile(r"@@FAKE_SECRET:(\w+)@@")
_LETTERS = string.ascii_letters + string.digits


def memories(tmp_path: Path, system: str) -> Path:
    """A copy of a system's samples."""
    return Path(shutil.copytree(SAMPLES / system, tmp_path / system))


def fake_secrets(seed: int = 7) -> Mapping[str, str]:
    """A value for each kind of placeholder."""
    lot = random.Random(seed)

    def letters(count: int) -> str:
        return "".join(lot.choices(_LETTERS, k=count))

    return {
        "bearer_token": f"Bearer {letters(40)}",
        "url_password": f"https://user:{letters(12)}@sandbox.example",
        "github_token": "ghp" + "_" + letters(36),
        "openai_api_key": "sk" + "-" + letters(48),
    }


def with_secrets(folder: Path) -> str:
    """Fill the placeholders in; returns the value of the one that was there."""
    secrets, used = fake_secrets(), ""
    for path in sorted(folder.rglob("*")):
        found = _PLACE.search(path.read_text(encoding="utf-8")) if path.is_file() else None
        if found:
            used = secrets[found[1]]
            path.write_text(_PLACE.sub(used, path.read_text(encoding="utf-8")), encoding="utf-8")
    return used


def hashes(folder: Path) -> Mapping[str, str]:
    """What every file and every name of a folder is, to prove that nothing was touched or added."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
        for path in sorted(folder.rglob("*"))
    }
