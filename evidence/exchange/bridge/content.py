"""The structured content of a memory: lines `label: value`, as the bridge itself reads them; and one row with all it says.

Free text is a memory too. Nothing is escaped there, so a value that held a line break became lines of its own: they are shown,
and a relation counts only where the bridge keeps it as one.
"""

from __future__ import annotations

import re
import sqlite3
from dataclasses import dataclass

from evidence.exchange import files
from evidence.exchange.bridge.layout import listed, text, texts_of

_LABEL = re.compile(r"\s*([A-Za-z][A-Za-z0-9 _-]{0,63}?)\s*:\s?(.*)")
# Lines about the memory, kept as such; the others are what it says.
_ABOUT = frozenset(
    "record_type schema claim scope confidence status domain valid_from valid_until supports contradicts supersedes depends_on"
    " evidence_refs desk_decision derived_from_candidate_id derived_from_belief_id evidence_refs_json supports_record_ids_json"
    " contradicts_record_ids_json supersedes_record_ids_json depends_on_record_ids_json".split()
)
CANDIDATE, REVIEW = "learning-candidate", "learning-review"
MEMORY = "memory"
# Who stands for a row that no agent is named for: an owner has to be an agent, and a person is none.
BRIDGE_AGENT = "bridge"
_PEOPLE = ("human:", "user:", "person:")
_PERSONS = frozenset({"operator", "owner"})


def fields_of(content: str) -> dict[str, str]:
    """The first value of each label, by its normal form."""
    found: dict[str, str] = {}
    for line in content.splitlines():
        match = _LABEL.fullmatch(line)
        if match:
            found.setdefault(_normal(match[1]), match[2].strip())
    return found


def _normal(label: str) -> str:
    return label.strip().lower().replace("-", "_")


def said(content: str) -> str:
    """What a memory says: its claim and the lines that add to it; the whole text where it has no claim."""
    claim = fields_of(content).get("claim", "")
    if not claim:
        return content.strip()
    more: list[str] = []
    for line in content.splitlines():
        match = _LABEL.fullmatch(line)
        if line.strip() and not (match and _normal(match[1]) in _ABOUT):
            more.append(line.strip())
    return "\n".join([claim, *more])


@dataclass(frozen=True, slots=True)
class Memory:
    """One row that is no signal, read."""

    cells: dict[str, str]
    fields: dict[str, str]
    tags: tuple[str, ...]
    confidence: float | None
    hidden: bool

    @classmethod
    def of(cls, row: sqlite3.Row) -> Memory:
        cells = texts_of(row)
        confidence = row["confidence"]
        tags = tuple(dict.fromkeys(tag for tag in listed(cells["tags_json"], "tags") if tag))
        return cls(
            cells, fields_of(cells["content"]), tags, float(confidence) if confidence is not None else None,
            bool(row["is_learning_candidate"]),
        )  # fmt: skip

    @property
    def id(self) -> str:
        return self.cells["id"]

    @property
    def lane(self) -> str:
        """Candidate, review or memory. What calls itself a candidate is one, whatever flag it lacks (contract 12.20)."""
        types = {
            self.cells["record_type"],
            *(tag.removeprefix("kind:") for tag in self.tags if tag.startswith("kind:")),
        }
        if REVIEW in types:
            return REVIEW
        marked = any(tag.startswith("candidate_status:") for tag in self.tags)
        return CANDIDATE if self.hidden or CANDIDATE in types or marked else MEMORY

    @property
    def claim(self) -> str:
        return self.fields.get("claim", "") or self.cells["content"].strip()

    @property
    def agent(self) -> str:
        """The actor, where it is an agent: declared there, never authenticated."""
        actor = self.cells["actor"].strip()
        return actor if actor and not is_person(actor) else BRIDGE_AGENT


def is_person(name: str) -> bool:
    """By how a name is written. It decides whether a review counts as a person's, so no likeness is enough."""
    return name.lower().startswith(_PEOPLE) or name.lower() in _PERSONS


def lane_of(row: sqlite3.Row) -> str:
    """The lane of a row that may not be readable as a whole; then by its flag alone."""
    try:
        return Memory.of(row).lane
    except ValueError:
        return CANDIDATE if row["is_learning_candidate"] else MEMORY


def id_of(row: sqlite3.Row) -> str:
    """The id of a row for its place in the report; "" where it cannot be read."""
    try:
        return files.shown(text(row["id"], "id"))
    except ValueError:
        return ""
