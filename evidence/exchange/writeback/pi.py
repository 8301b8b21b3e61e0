"""Write-back to pi: a patch of its own form, put beside the others as proposed. Its user applies it with pi's own command.

pi changes its store by patches and nothing else; a patch file is the one thing that may be added from outside. No line of the
store is rewritten here, and a candidate that is not what was imported stops the whole run.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evidence.exchange import files, strict_json
from evidence.exchange.files import CorruptSource
from evidence.exchange.pi.candidates import candidate_digest
from evidence.exchange.pi.layout import INBOX, LAYERS, PATCHES, Store
from evidence.exchange.pi.records import DECISION_REF, record_digest
from evidence.rules.errors import BadInput
from evidence.rules.text import collapse

CADENCE_DAYS = 30
_TARGETS = {"L1": LAYERS[0], "L2": LAYERS[1]}


@dataclass(frozen=True, slots=True)
class Decided:
    """One decision about a candidate. `digest` names its line as imported; `replaces` the records with theirs."""

    candidate: str
    decision: str
    approved: bool
    by: str
    reason: str
    statement: str
    layer: str
    rule_type: str
    tags: tuple[str, ...]
    reach: tuple[str, str]
    profile: str
    digest: str
    replaces: Mapping[str, str] = field(default_factory=dict)


def still_to_write(path: Path, decided: Sequence[Decided]) -> list[Decided]:
    """Those that no patch of the store names yet. `CorruptSource` where anything is not what was imported."""
    store = Store.at(path)
    named = _named_decisions(store)
    left = [one for one in decided if one.decision not in named]
    lines = {line["id"]: line for _place, line in store.lines(INBOX) if isinstance(line, dict) and "id" in line}
    wanted = {memory_id for one in left for memory_id in one.replaces}
    records = {
        line["id"]: record_digest(line)
        for _place, line in store.record_lines()
        if isinstance(line, dict) and line.get("id") in wanted
    }
    for one in left:
        line = lines.get(one.candidate)
        changed = line is None or candidate_digest(line) != one.digest
        if changed or any(records.get(memory_id) != digest for memory_id, digest in one.replaces.items()):
            raise CorruptSource(
                f"{INBOX} {files.shown(one.candidate)}",
                "it, or a record that the decision replaces, changed or went since it was imported; import it again and"
                " decide anew",
            )
    return left


def _named_decisions(store: Store) -> frozenset[str]:
    found: set[str] = set()
    for _name, path in store.folder_files(PATCHES, ".json"):
        try:
            patch = strict_json.parse_object(files.read_document(path, largest=files.ARTICLE_MAX))
        except (BadInput, OSError):
            continue
        operations = patch.get("ops")
        for one in operations if isinstance(operations, list) else []:
            if isinstance(one, dict) and isinstance(one.get("desk_decision"), str):
                found.add(one["desk_decision"])
    return frozenset(found)


def write_patch(path: Path, decided: Sequence[Decided], *, now: str) -> str:
    """Put one new patch beside the others and return its id. `now` is ISO 8601 in UTC. Nothing that is there is replaced."""
    folder = files.root_of(path) / PATCHES
    folder.mkdir(exist_ok=True)
    if folder.is_symlink():
        raise CorruptSource(PATCHES, "it is a link; links are not followed")
    stamp = "".join(letter for letter in now if letter.isdigit())[:12]
    for number in range(1, 1_000):
        patch_id = f"patch_{stamp}_{number:03d}"
        partial, target = folder / f".{patch_id}.partial", folder / f"{patch_id}.json"
        if target.exists():
            continue
        text = json.dumps(_patch(patch_id, decided, now), ensure_ascii=False, indent=2)
        partial.write_text(f"{text}\n", encoding="utf-8")
        try:
            # A hard link is made whole or not at all, and never onto a file that is there.
            os.link(partial, target)
        except FileExistsError:
            continue
        finally:
            partial.unlink()
        return patch_id
    raise CorruptSource(PATCHES, "it holds a thousand patches of this minute")


def _patch(patch_id: str, decided: Sequence[Decided], now: str) -> dict[str, Any]:
    operations = [_operation(one, number, now) for number, one in enumerate(decided, start=1)]
    return {
        "patch_id": patch_id, "created_at": now, "generated_by": "manual", "mode": "supervised",
        "summary": f"{len(operations)} decisions of the evidence desk", "ops": operations, "status": "proposed",
    }  # fmt: skip


def _operation(one: Decided, number: int, now: str) -> dict[str, Any]:
    why = f"decided by {collapse(one.by)}" + (f": {collapse(one.reason)}" if one.reason else "")
    shared: dict[str, Any] = {
        "op_id": f"op_{number:03d}", "candidate_id": one.candidate, "rationale": why, "desk_decision": one.decision,
        "risk": "low", "default_selected": True,
    }  # fmt: skip
    if not one.approved:
        return shared | {"op": "reject_candidate", "reason": why}
    record = _record(one, now)
    if not one.replaces:
        return shared | {"op": "add", "target": _TARGETS.get(one.layer, LAYERS[1]), "record": record}
    target = next(iter(one.replaces))
    return shared | {"op": "supersede", "target_id": target, "to_record": record | {"supersedes": list(one.replaces)},
                     "reason": why}  # fmt: skip


def _record(one: Decided, now: str) -> dict[str, Any]:
    """The record, with everything that pi's own check of its shape asks for."""
    level, ref = one.reach
    scope = {"type": "project", "project": ref} if level == "project" else {"type": "global"}
    if level == "domain":
        scope = {"type": "domain", "domains": ref.split("+")}  # type: ignore[dict-item]
    day = now[:10]
    return {
        "id": f"mem{one.candidate.removeprefix('cap')}" if one.candidate.startswith("cap") else one.candidate,
        **({"profile_id": one.profile} if one.profile else {}),
        "layer": one.layer, "scope": scope, "tags": list(one.tags), "statement": one.statement,
        "evidence": [
            {"type": "artifact", "ref": f"{DECISION_REF}{one.decision}", "note": f"decided by {collapse(one.by)}"}
        ],
        "confidence": 0.9, "stability": "semi-stable", "created_at": day, "updated_at": day,
        "review": {
            "cadence_days": CADENCE_DAYS, "next_review": day, "change_condition": "Revise when the evidence desk decides anew."
        },
        "status": "active", "supersedes": [], "superseded_by": [], "vault_ref": None,
        **({"ruleType": one.rule_type} if one.rule_type else {}),
    }  # fmt: skip
