"""What every test has: the shared fixtures, a folder that goes away at the end, and a clear word where no browser is found."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests.fixtures.needs import REQUIRED, chromium

pytest_plugins = [
    "tests.fixtures.browser",
    "tests.fixtures.database",
    "tests.fixtures.receivers",
    "tests.fixtures.servers",
    "tests.fixtures.worker",
]

# Playwright leaves an event loop running in the main thread for the rest of the session, and Django then takes every later
# database call of that thread, in whatever test, for one made from async code.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"

# How long an example takes says something of the machine's neighbours only.
settings.register_profile("desk", deadline=None, max_examples=50, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("desk")

TESTS = Path(__file__).parent
E2E = TESTS / "e2e"
# Files that take long come first: one that a worker begins last is what all others wait for.
FIRST = ("e2e", "runtime", "tasks", "web", "services")
MARKS = ("races", "postgres")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    no_browser = pytest.mark.skip(reason="Chromium is not available: no chromium on PATH")
    for item in items:
        if E2E in item.path.parents:
            item.add_marker(pytest.mark.e2e)
            if chromium() is None and not REQUIRED:
                item.add_marker(no_browser)
    items.sort(key=lambda item: _turn(item.path))


def _turn(path: Path) -> int:
    folder = path.relative_to(TESTS).parts[0] if path.is_relative_to(TESTS) else ""
    return FIRST.index(folder) if folder in FIRST else len(FIRST)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Where only marked tests run, files without a mark are not even read: each worker would import all of them."""
    if config.option.markexpr == " or ".join(MARKS) and collection_path.suffix == ".py" and collection_path.is_file():
        text = collection_path.read_text(encoding="utf-8")
        return True if not any(f"mark.{mark}" in text for mark in MARKS) else None
    return None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, Any, Any]:
    """A test without a browser sees no loop of one, from its setup to its end: it may want a loop of its own, and Django keeps
    one connection for inside a loop and another for outside."""
    running = None if E2E in item.path.parents else asyncio._get_running_loop()
    if running is None:
        return (yield)
    asyncio._set_running_loop(None)
    try:
        return (yield)
    finally:
        asyncio._set_running_loop(running)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, Any, Any]:
    """Half characters in what a test says would end the whole run: reports travel between processes as UTF-8."""
    report = yield
    report.sections = [(name, _whole(text)) for name, text in report.sections]
    if report.longrepr is not None and not report.skipped and _whole(str(report.longrepr)) != str(report.longrepr):
        report.longrepr = _whole(str(report.longrepr))
    return report


def _whole(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()


def pytest_unconfigure(config: pytest.Config) -> None:
    root = os.environ.get("TEST_ROOT")
    if root and not hasattr(config, "workerinput"):  # xdist's workers share the folder; their controller removes it
        shutil.rmtree(root, ignore_errors=True)
