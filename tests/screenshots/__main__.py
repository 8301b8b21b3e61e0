"""Starts a desk with the demo on a free port and a folder of its own, photographs it, stops it, and writes docs/screens.md.

python -m tests.screenshots [name …]     # only these pictures; docs/screens.md is left alone then
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.fixtures.browser import QUIET
from tests.fixtures.needs import chromium
from tests.runtime.desk import Desk
from tests.runtime.programs import ROOT

IMAGES, INDEX = ROOT / "docs" / "img", ROOT / "docs" / "screens.md"
SCHEMES = ("light", "dark")
SIZES = {"wide": (1440, 900), "narrow": (390, 844)}
MOST_BYTES = 6_000_000


def main(only: Sequence[str]) -> int:
    path = chromium()
    if path is None:
        print("Chromium is needed (chromium, chromium-browser or google-chrome on PATH).")
        return 1
    # Told to stop, it stops its desk first.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with tempfile.TemporaryDirectory(prefix="evidence-shots-") as folder:
        desk = Desk(Path(folder) / "data", demo=True)
        try:
            desk.start()
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=path, args=list(QUIET))
                return _photograph(desk, browser, frozenset(only))
        finally:
            desk.end()


def _photograph(desk: Desk, browser: Browser, only: frozenset[str]) -> int:
    """In three rounds: the demo as it comes, with what another system held, then with hostile texts in it."""
    os.environ |= {"DATA_DIR": str(desk.data_dir), "DJANGO_SETTINGS_MODULE": "reviewapp.settings"}
    # Playwright's event loop runs in this thread, and Django would take every question to the database for one from async code.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    import django

    django.setup()
    from django.core.management import call_command

    from evidence.models import User
    from tests.screenshots.hostile import file_hostile
    from tests.screenshots.shots import REVIEWER, Shot, hostile_shots, imported_shots, plain_shots

    def bring_in() -> Iterator[Shot]:
        with contextlib.suppress(SystemExit):  # it says by its status that some lines were refused
            call_command("import", "bridge", str(ROOT / "tests" / "data" / "bridge" / "bridge.db"), verbosity=0)
        return imported_shots()

    camera = Camera(
        browser, f"http://127.0.0.1:{desk.port}", json.loads((desk.data_dir / "demo.json").read_text())["password"]
    )
    IMAGES.mkdir(parents=True, exist_ok=True)
    done: list[Shot] = []
    for shots in (plain_shots, bring_in, lambda: hostile_shots(file_hostile(User.objects.get(username=REVIEWER)))):
        wanted = [shot for shot in shots() if not only or shot.name in only]
        camera.take(wanted)
        done += wanted
    if not only:
        INDEX.write_text(index_of((shot.name, shot.title) for shot in done), encoding="utf-8")
    print(f"{camera.number} pictures, {camera.size:,} bytes in docs/img")
    return int(camera.size > MOST_BYTES)


class Camera:
    """One signed-in context for each person and scheme."""

    def __init__(self, browser: Browser, address: str, password: str) -> None:
        self.browser, self.address, self.password = browser, address, password
        self.number = self.size = 0
        self.canvas = browser.new_page()
        self.pages: dict[tuple[str, str], Page] = {}

    def take(self, shots: Iterable[object]) -> None:
        from tests.screenshots import pictures
        from tests.screenshots.shots import Shot

        for shot in shots:
            assert isinstance(shot, Shot)
            for scheme in SCHEMES:
                for size, (width, height) in SIZES.items():
                    picture = self._look(shot, scheme, width, height)
                    file = IMAGES / f"{shot.name}-{scheme}-{size}.png"
                    self.size += pictures.write(file, pictures.small(self.canvas, picture))
                    self.number += 1

    def _look(self, shot: object, scheme: str, width: int, height: int) -> bytes:
        from tests.screenshots.shots import Shot

        assert isinstance(shot, Shot)
        page = self.pages.get((shot.who, scheme)) or self._arrive(shot.who, scheme)
        page.set_viewport_size({"width": width, "height": height})
        page.goto(self.address + shot.address)
        page.wait_for_load_state("networkidle")
        if shot.press:
            page.get_by_role("button", name=shot.press, exact=True).first.click()
        return page.screenshot(animations="disabled", caret="hide")

    def _arrive(self, who: str, scheme: str) -> Page:
        context = self.browser.new_context(
            color_scheme="dark" if scheme == "dark" else "light", reduced_motion="reduce", locale="en-GB"
        )
        page = self.pages[(who, scheme)] = context.new_page()
        if who:
            page.goto(f"{self.address}/accounts/login/")
            page.get_by_label("User name").fill(who)
            page.get_by_label("Password").fill(self.password)
            page.get_by_role("button", name="Sign in").click()
            page.wait_for_url(f"{self.address}/")
        return page


def index_of(shots: Iterable[tuple[str, str]]) -> str:
    """docs/screens.md: light and wide first, the others one click away."""
    lines = [
        "# All pages, as they look",
        "",
        "Made by `make screenshots` with the data of the demo, light and dark, 1440 and 390 pixels wide; the last with texts",
        "that nobody would write in good faith.",
    ]
    for name, title in shots:
        others = " · ".join(
            f"[{scheme}, {size}](img/{name}-{scheme}-{size}.png)" for scheme in SCHEMES for size in SIZES
        )
        lines += ["", f"## {title}", "", f"![{title}](img/{name}-light-wide.png)", "", others]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
