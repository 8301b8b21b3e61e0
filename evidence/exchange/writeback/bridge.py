"""Write-back to Agent Memory Bridge: what each decision becomes there, whether the database still is what was imported, the call.

Approve is a durable memory and a receipt that names it; reject, expire and merge are a receipt. Nothing is written by SQL: the
bridge's own package keeps its search index, tags, relations and hashes together.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evidence.exchange.bridge.content import Memory
from evidence.exchange.bridge.layout import Bridge
from evidence.exchange.bridge.reviews import reviews_of
from evidence.exchange.files import CorruptSource, shown
from evidence.exchange.items import DECISION_FIELD
from evidence.rules.text import collapse

HAND = Path(__file__).with_name("bridge_hand.py")
COMMAND = "agent-memory-bridge"
SECONDS = 600
_TYPES = {"decision": "decision", "procedure": "procedure"}


@dataclass(frozen=True, slots=True)
class Decided:
    """One decision of the desk about a candidate of a bridge. `hashes` are the contents that it was made for, by memory id."""

    candidate: str
    namespace: str
    decision: str
    outcome: str  # approved, rejected, merged, expired
    by: str
    reason: str
    reason_code: str
    statement: str
    tags: tuple[str, ...]
    candidate_ref: str
    authority: str
    epoch: str
    target: str = ""
    replaces: tuple[str, ...] = ()
    reviews: frozenset[str] = frozenset()
    hashes: dict[str, str] = field(default_factory=dict)

    @property
    def step(self) -> dict[str, Any]:
        """What the bridge's package is asked for."""
        record_type = _TYPES.get(self.authority, "learn")
        review: dict[str, Any] = {
            "namespace": self.namespace, "candidate_ref": collapse(self.candidate_ref),
            "source_candidate_id": self.candidate, "review_decision": self.outcome, "reviewed_by": collapse(self.by),
            "review_reason": collapse(self.reason), "reason_codes": [self.reason_code] if self.reason_code else [],
            "supersedes_record_ids": list(self.replaces), "review_session_id": self.decision,
            "review_runtime": "evidence-desk", "target_record_id": self.target,
        }  # fmt: skip
        record = None
        if self.outcome == "approved":
            review["target_record_type"] = record_type
            record = {
                "namespace": self.namespace, "title": collapse(self.statement)[:120], "actor": collapse(self.by),
                "content": self._content(record_type), "revises": self.replaces[0] if self.replaces else "",
                "tags": [f"kind:{record_type}", *(tag for tag in self.tags if tag.startswith(("domain:", "topic:")))],
            }  # fmt: skip
        return {"candidate": self.candidate, "hashes": self.hashes, "record": record, "review": review}

    def _content(self, record_type: str) -> str:
        """Nothing is escaped there: a line break would become a field of its own, so there is none in any value."""
        lines = [
            f"record_type: {record_type}", f"claim: {collapse(self.statement)}",
            f"derived_from_candidate_id: {self.candidate}", f"{DECISION_FIELD}: {self.decision}",
        ]  # fmt: skip
        if self.by.startswith("human:"):
            lines.insert(2, "confidence: human-reviewed")
        return "\n".join(lines)


def still_to_write(path: Path, decided: Sequence[Decided]) -> list[Decided]:
    """Those that the database does not hold yet. `CorruptSource` where anything is not what was imported: then nothing is."""
    bridge = Bridge.at(path)
    try:
        left: list[Decided] = []
        for one in decided:
            written = _written(bridge, one)
            if written:
                continue
            for why in _drift(bridge, one):
                raise CorruptSource(
                    f"{bridge.file} memories[{shown(one.candidate)}]", f"{why}; import it again and decide anew"
                )
            left.append(one)
        return left
    finally:
        bridge.database.close()


def _written(bridge: Bridge, one: Decided) -> bool:
    """Whether the receipt of this very decision lies there already."""
    for review in reviews_of(bridge, one.candidate).found:
        row = bridge.memory(review.id)
        if row is not None and Memory.of(row).cells["session_id"] == one.decision:
            return True
    return False


def _drift(bridge: Bridge, one: Decided) -> Iterator[str]:
    if bridge.epoch != one.epoch:
        yield "the database was restored since, or is another one"
    for memory_id, expected in one.hashes.items():
        row = bridge.memory(memory_id)
        if row is None:
            yield "a memory that the decision is about is gone"
        elif Memory.of(row).cells["exact_content_hash"] != expected:
            yield "a memory that the decision is about changed since"
    if {review.id for review in reviews_of(bridge, one.candidate).found} - one.reviews:
        yield "somebody reviewed it there since"


@dataclass(frozen=True, slots=True)
class Written:
    candidate: str
    record: str
    receipt: str


class WriteBackStopped(Exception):
    """The other system's package refused or failed. What was written before it is in `done`."""

    def __init__(self, detail: str, done: Sequence[Written]) -> None:
        super().__init__(detail)
        self.detail = detail
        self.done = tuple(done)


def carry_out(path: Path, decided: Sequence[Decided], *, python: str = "") -> list[Written]:
    """Write the decisions through the bridge's package, in the Python that has it."""
    plan = {"epoch": decided[0].epoch, "steps": [one.step for one in decided]}
    arguments = [python or python_of_bridge(), "-I", str(HAND), str(path.resolve())]
    try:
        # A list of arguments, no shell: the program is the operator's, the script is ours.
        ran = subprocess.run(  # noqa: S603
            arguments, input=json.dumps(plan).encode(), capture_output=True, timeout=SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise WriteBackStopped(f"the bridge's Python could not be run ({type(error).__name__})", ()) from error
    done: list[Written] = []
    for line in ran.stdout.decode("utf-8", "replace").splitlines():
        said = _said(line)
        if "error" in said:
            raise WriteBackStopped(str(said["error"])[:300], done)
        if "receipt" in said:
            done.append(Written(said["candidate"], said["record"], said["receipt"]))
    if ran.returncode or len(done) != len(decided):
        raise WriteBackStopped(f"the bridge's package failed (exit status {ran.returncode})", done)
    return done


def _said(line: str) -> dict[str, Any]:
    """A line of the script; anything else that the package prints is passed over."""
    try:
        found = json.loads(line)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def python_of_bridge() -> str:
    """The Python of the installed command: the one that its first line names."""
    command = shutil.which(COMMAND)
    if command is not None:
        with Path(command).open("rb") as file:
            first = file.readline(1_000).decode("utf-8", "replace").strip()
        if first.startswith("#!") and Path(first[2:]).is_file():
            return first[2:]
    raise WriteBackStopped(f"{COMMAND} is not installed here; name the Python that has it with --python", ())
