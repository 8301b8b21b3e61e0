"""The house stays as drawn: import contracts, migrations that match the models, files and functions of a readable size."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import call_command

ROOT = Path(__file__).resolve().parent.parent
CODE = ("evidence", "reviewapp")
FILE_LINES = 400
FUNCTION_LINES = 60


def code_files() -> Iterator[Path]:
    for package in CODE:
        yield from (path for path in sorted((ROOT / package).rglob("*.py")) if "migrations" not in path.parts)


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    yield from (node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)))


def test_imports_run_downwards_only() -> None:
    lint = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([lint, "--no-logo", "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.django_db
def test_every_model_change_has_its_migration() -> None:
    call_command("makemigrations", check=True, dry_run=True, interactive=False, verbosity=3)


def test_no_file_is_too_long_to_read() -> None:
    lengths = {str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines()) for path in code_files()}
    assert {name: lines for name, lines in lengths.items() if lines > FILE_LINES} == {}


def test_no_function_is_too_long_to_read() -> None:
    long = [
        f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"
        for path in code_files()
        for node in functions(path)
        if (node.end_lineno or 0) - node.lineno + 1 > FUNCTION_LINES
    ]
    assert long == []


def test_every_function_says_what_it_takes_and_gives() -> None:
    bare = [
        f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"
        for path in code_files()
        for node in functions(path)
        if node.returns is None
    ]
    assert bare == []


def test_every_module_says_what_it_is() -> None:
    silent = [
        str(path.relative_to(ROOT))
        for path in code_files()
        if path.read_text(encoding="utf-8").strip()
        and not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert silent == []


def test_doors_ask_selectors_and_services() -> None:
    doors = [path for name in ("web", "api", "mcp", "tasks") for path in (ROOT / "evidence" / name).rglob("*.py")]
    asking = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in doors
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if ".objects." in line
    ]
    assert asking == []
