"""Tombstones, inquiries and patches of a store. A patch is how pi decided or would decide: history, and no decision of ours."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from evidence.exchange import files, strict_json
from evidence.exchange.checked import unreadable
from evidence.exchange.items import (
    ForeignDecision,
    HistoryItem,
    Note,
    Place,
    Problem,
    QuestionItem,
    Read,
    TombstoneItem,
)
from evidence.exchange.pi.layout import INQUIRIES, PATCHES, PI_AGENT, TOMBSTONES, Known, Store
from evidence.exchange.strict_json import digest_of
from evidence.rules.errors import BadInput
from evidence.rules.members import Members
from evidence.rules.records import Source
from evidence.rules.vocab import InquiryKind

PATCH_STATUSES = ("proposed", "applied", "partially_applied", "rejected_at_apply")
_CANDIDATE = re.compile(r"\bcandidate (\S+) relate to\b")
_MATCH = re.compile(r"\bmatch=(\w+)")
_KINDS = {
    "potential_conflict": InquiryKind.CONFLICT,
    "supersedes_existing": InquiryKind.SUPERSESSION,
    "ambiguous": InquiryKind.AMBIGUOUS,
}
INQUIRY_STATUSES = ("open", "answered", "withdrawn", "stale")


def deleted_source(memory_id: str) -> Source:
    """The name of a record of which the store holds nothing but its tombstone."""
    return Source(f"fact:{memory_id}", "deleted")


def read_tombstones(store: Store, known: Known) -> Iterator[Read]:
    """The first of an id counts, as in pi."""
    seen: set[str] = set()
    for place, line in store.lines(TOMBSTONES):
        try:
            if isinstance(line, BadInput):
                raise line
            members = Members(line)
            deleted = members.required_text("deleted_record_id")
            if deleted in seen:
                yield Problem(place, "duplicate", "the store holds a tombstone of this id further up", serious=False)
                continue
            seen.add(deleted)
            yield TombstoneItem(
                place=place, foreign_id=deleted, agent=PI_AGENT,
                namespace=members.text("profile_id") or known.profiles.get(deleted, known.only_profile),
                notes=unreadable("deleted_at", members.text("deleted_at")), digest=digest_of(line),
                source=known.records.get(deleted) or deleted_source(deleted), deleted_at=members.text("deleted_at"),
                cause=members.text("deletion_reason"),
                extra={name: value for name, value in line.items() if name != "content_hash"},
            )  # fmt: skip
        except BadInput as bad:
            yield Problem(place, bad.code, bad.detail)


def read_inquiries(store: Store, known: Known) -> Iterator[Read]:
    """A question that was asked again after it was closed has the same id there: the later one gets its date to it."""
    seen: set[str] = set()
    for place, line in store.lines(INQUIRIES):
        try:
            if isinstance(line, BadInput):
                raise line
            item = _inquiry(line, place, seen, known)
            seen.add(item.foreign_id)
            yield item
        except BadInput as bad:
            yield Problem(place, bad.code, bad.detail)


def _inquiry(line: dict[str, Any], place: Place, seen: set[str], known: Known) -> QuestionItem:
    members = Members(line)
    foreign_id, asked = members.required_text("id"), members.text("first_seen")
    status = members.text("status")
    if status not in INQUIRY_STATUSES:
        raise BadInput("invalid_value", f"status has to be one of: {', '.join(INQUIRY_STATUSES)}", "status")
    if foreign_id in seen:
        foreign_id = f"{foreign_id}@{asked}"
    answer = members.text("answer_memory_id")
    decided = None if status == "open" else ForeignDecision(status, "", members.text("last_seen"), answer)
    return QuestionItem(
        place=place,
        foreign_id=foreign_id,
        agent=PI_AGENT,
        digest=digest_of(line, without=frozenset({"last_seen", "sessions_touched"})),
        namespace=members.text("profile_id"),
        notes=unreadable("first_seen", asked),
        decided=decided,
        extra={
            name: value
            for name, value in line.items()
            if name not in ("id", "question") and value not in ([], None, "")
        },
        question=members.required_text("question"),
        **_about(members, known),
        asked_at=asked,
        answer=answer,
    )


def _about(members: Members, known: Known) -> dict[str, Any]:
    """What pi asks of its own accord: how a candidate goes with the record that it matched; of several, which is true."""
    asked, context = _CANDIDATE.search(members.text("question")), _MATCH.search(members.text("context"))
    kind = _KINDS.get(context[1]) if context else None
    found = [known.records[one] for one in members.texts("related_memory_ids") if one in known.records]
    if asked is None or kind is None or not found:
        return {"kind": InquiryKind.QUESTION}
    other = found[1].id if kind == InquiryKind.AMBIGUOUS and len(found) > 1 else ""
    return {"kind": kind, "candidate": asked[1], "current_source": found[0].id, "incoming_source": other}


# -- patches --


@dataclass(frozen=True, slots=True)
class Operation:
    """What a patch would do, or did, with one candidate."""

    patch: str
    op_id: str
    applied_at: str
    shown: dict[str, object]


def load_patches(store: Store) -> dict[str, Operation]:
    """The operation of each candidate, by the newest patch that has one; applied ones before those that only propose."""
    found: dict[str, Operation] = {}
    for _name, path in store.folder_files(PATCHES, ".json"):
        try:
            patch = _load(path)
            for operation, members in _operations(patch):
                candidate = members.text("candidate_id")
                if candidate and (operation.applied_at or not (candidate in found and found[candidate].applied_at)):
                    found[candidate] = operation
        except (BadInput, OSError):
            continue  # reported where the patch itself is read
    return found


def _load(path: Any) -> dict[str, Any]:
    patch = strict_json.parse_object(files.read_document(path, largest=files.ARTICLE_MAX))
    if Members(patch).required_text("patch_id") != path.name.removesuffix(".json"):
        raise BadInput("malformed", "the file is not named after the id in it", "patch_id")
    return patch


def _operations(patch: dict[str, Any]) -> Iterator[tuple[Operation, Members]]:
    whole = Members(patch)
    applied = {one for one in whole.raw_list("applied_ops") if isinstance(one, str)}
    for number, entry in enumerate(whole.raw_list("ops")):
        members = Members(entry, f"ops[{number}]")
        op_id = members.text("op_id") or f"op[{number}]"
        at = whole.text("applied_at") if op_id in applied else ""
        shown: dict[str, object] = {"patch": whole.text("patch_id"), "op_id": op_id, "status": whole.text("status")}
        for name in ("op", "target_id", "reason", "rationale", "risk", "default_selected"):
            if members.raw(name) is not None:
                shown[name] = members.raw(name)
        yield Operation(whole.text("patch_id"), op_id, at, shown), members


def read_patches(store: Store, known: Known) -> Iterator[Read]:
    for name, path in store.folder_files(PATCHES, ".json"):
        place = Place(files.shown(name))
        try:
            patch = _load(path)
            yield _patch(patch, place, known.only_profile)
            yield from _loose(patch, name)
        except BadInput as bad:
            yield Problem(place, bad.code, bad.detail)
        except OSError:
            yield Problem(place, "malformed", "it cannot be read")


def _patch(patch: dict[str, Any], place: Place, profile: str) -> HistoryItem:
    members = Members(patch)
    status = members.text("status")
    if status not in PATCH_STATUSES:
        raise BadInput("invalid_value", f"status has to be one of: {', '.join(PATCH_STATUSES)}", "status")
    decided = ForeignDecision(status, members.text("generated_by"), members.text("applied_at"), members.text("summary"))
    operations = [f"{one.text('op')} {operation.op_id}" for operation, one in _operations(patch)]
    notes: tuple[Note, ...] = unreadable("created_at", members.text("created_at"))
    return HistoryItem(
        place=place, foreign_id=members.required_text("patch_id"), agent=PI_AGENT, namespace=profile, notes=notes,
        digest=digest_of(patch), decided=decided, extra={"operations": operations[:200], "mode": members.text("mode")},
    )  # fmt: skip


def _loose(patch: dict[str, Any], name: str) -> Iterator[Read]:
    """Operations on records themselves: they change or take away what is there, and claim nothing that could be decided."""
    for operation, members in _operations(patch):
        if not members.text("candidate_id") and not operation.applied_at:
            yield Problem(
                Place(files.shown(name), part=files.shown(operation.op_id)), "not_taken_yet",
                "an operation on a record that is there already, without a candidate: not taken yet", serious=False,
            )  # fmt: skip
