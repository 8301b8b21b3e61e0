"""What the verifier found, as the card shows it: rows of checks, and the stretches of text that they point at. Reads nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from evidence.models import Evidence, HeldLink
from evidence.selectors import items
from evidence.web import wording
from evidence.web.sentences import told
from evidence.web.texts import Mark


@dataclass(frozen=True, slots=True)
class CheckRow:
    title: str
    outcome: str
    detail: str
    share: object = None
    missing: tuple[str, ...] = ()


def check_rows(view: items.ItemView) -> tuple[list[CheckRow], list[CheckRow]]:
    """The verifier's results: those to look at (and how far the sources support it), and those that simply passed.

    The match has a row of its own above them.
    """
    found = view.verification.checks if view.verification else []
    rows = [(str(check.get("name")), _check_row(check)) for check in found if check.get("name") != "match"]
    to_read = [row for name, row in rows if row.outcome != "pass" or name == "source_support"]
    return sorted(to_read, key=lambda row: row.outcome == "pass"), [row for _, row in rows if row not in to_read]


def _check_row(check: Mapping[str, Any]) -> CheckRow:
    name, words = str(check.get("name", "")), check.get("words") or {}
    missing = [word for kind in ("missing_values", "missing_negations", "missing") for word in words.get(kind, ())]
    return CheckRow(
        title=str(wording.CHECKS.get(name) or wording.plain(name).capitalize()),
        outcome=str(check.get("outcome", "review")),
        detail=told(check.get("detail", "")),
        share=(check.get("numbers") or {}).get("share"),
        missing=tuple(dict.fromkeys(str(word) for word in missing)),
    )


Marks = dict[str, list[Mark]]


def marks_of(view: items.ItemView) -> Marks:
    """What the checks point at, by place: `statement`, or `<record id>.excerpt` and `.summary`."""
    found: Marks = {}
    for check in view.verification.checks if view.verification else []:
        for span in check.get("spans") or []:
            found.setdefault(str(span["place"]), []).append(Mark(span["start"], span["end"], str(span["state"])))
    return found


@dataclass(frozen=True, slots=True)
class Quote:
    """A linked piece of evidence with the text that is shown of it: the excerpt, else the summary, else all there is."""

    link: HeldLink
    row: Evidence
    text: str
    marks: list[Mark]
    is_long: bool


def quotes_of(view: items.ItemView, marks: Marks) -> list[Quote]:
    return [_quote(link, marks) for link in view.links]


def _quote(link: HeldLink, marks: Marks) -> Quote:
    row = link.evidence
    for place, text in (("excerpt", row.excerpt), ("summary", row.summary)):
        if text:
            return Quote(link, row, text, marks.get(f"{row.record_id}.{place}", []), is_long=False)
    return Quote(link, row, row.content, [], is_long=len(row.content) > 1000)


def statement_marks(marks: Marks) -> list[Mark]:
    """In the claim itself only what speaks against it is marked: words without support, and signals."""
    return [mark for mark in marks.get("statement", []) if mark.state != "matched"]
