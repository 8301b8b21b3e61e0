"""A folder to read: one file for each article, one for each agent with what it holds, with ids and labels.

Texts of agents stand in code blocks that they cannot close, with what is invisible shown; an article's text is its file's body,
of which nothing runs, fetches or hides where the folder is looked at. The exact text is in the JSON lines.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path

from evidence.exchange.writing.entries import PROPOSAL, Entry
from evidence.exchange.writing.inert import inert
from evidence.rules.characters import visible
from evidence.rules.text import sha256_hex

NOTICE = "A copy made for reading. It is no authority: ask the desk by the id."
_NOT_PLAIN = re.compile(r"[^A-Za-z0-9]+")
_TICKS = re.compile(r"`+")


def write(path: Path, entries: Iterable[Entry], made_at: str) -> int:
    """Writes into a new folder. Files are opened one at a time, so that any number of agents has room."""
    count = 0
    for folder in (path, path / "articles", path / "agents"):
        folder.mkdir()
    for one in entries:
        count += 1
        if one.kind == "article":
            _write_article(path / "articles" / _name(one.id, _source_of(one)), one, made_at)
        else:
            _append(path / "agents" / _name(one.agent, one.agent), one, made_at)
    return count


def _name(unique: str, shown: str) -> str:
    """A file name that no text can steer: plain letters, and a part that tells equal ones apart."""
    plain = _NOT_PLAIN.sub("-", shown).strip("-").lower()[:60]
    return f"{plain or 'unnamed'}-{sha256_hex(unique)[:8]}.md"


def _source_of(one: Entry) -> str:
    return str(one.entry["source"]["id"]).removeprefix("wiki:").removesuffix(".md")


def _write_article(path: Path, one: Entry, made_at: str) -> None:
    head = {
        "id": one.id, "source": one.entry["source"]["id"], "version": one.entry["source"]["version"], "label": one.label,
        "state": one.entry.get("state", ""), "exported_at": made_at, "notice": NOTICE,
    }  # fmt: skip
    lines = "\n".join(f"{name}: {json.dumps(visible(str(value)))}" for name, value in head.items())
    path.write_text(f"---\n{lines}\n---\n\n{inert(one.text)}\n", encoding="utf-8")


def _append(path: Path, one: Entry, made_at: str) -> None:
    begins = not path.exists()
    with path.open("a", encoding="utf-8") as file:
        if begins:
            file.write(f"# Records of one agent\n\n{NOTICE} Made {made_at}.\n\n{_fenced(one.agent)}\n")
        status = "waiting" if one.kind == PROPOSAL else one.label
        state = one.entry.get("state", "active")
        past = f", {state}" if state != "active" else ""
        file.write(f"\n## {one.kind} `{one.id}`: {status}{past}\n\n{_fenced(one.text or '(empty)')}\n")


def _fenced(text: str) -> str:
    """A code block with a fence that is longer than any run of backticks in the text."""
    longest = max((len(run) for run in _TICKS.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{visible(text)}\n{fence}"
