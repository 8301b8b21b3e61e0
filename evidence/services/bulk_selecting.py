"""Taking items of a preview in and out. What the button says is what these rows say."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction

from evidence.models import Job, User
from evidence.rules.bulk import Mark, can_be_done, rivals_of, selection_digest
from evidence.rules.vocab import Action
from evidence.selectors.bulk import members_of, rows_to_plan
from evidence.services.bulk_jobs import in_preview, lock_own, rows_of
from evidence.services.errors import Refused
from evidence.services.texts import check_word

ALL, NONE, HIGH_RISK = "all", "none", "high_risk"
# Whoever has a neighbour that it excludes is marked so, or is the one that such a mark names.
_EXCLUSIVE = (Mark.EQUAL, Mark.RIVAL)


@dataclass(frozen=True, slots=True)
class Selected:
    """What became of a choice. `kept_out`: positions that were picked and are not in all the same."""

    job: Job
    kept_out: list[int]
    changed: bool


def select_items(*, job_id: UUID | str, user: User, shown: Iterable[int], picked: Iterable[int]) -> Selected:
    """Of the items `shown`, those `picked` are in, the others out. What cannot be done in bulk stays out."""
    with transaction.atomic():
        job = lock_own(job_id, user)
        in_preview(job)
        return _select(job, frozenset(shown), frozenset(picked))


def _select(job: Job, shown: frozenset[int], picked: frozenset[int]) -> Selected:
    rows = {row.position: row for row in rows_of(job).filter(position__in=shown)}
    wanted = {place for place in picked & rows.keys() if can_be_done(rows[place].code)}
    before = {place for place, row in rows.items() if row.selected}
    added = sorted(wanted - before)
    excluded = _excluded(job, added)
    # Two that exclude each other and were ticked at once: the later one counts.
    inside = {place for place in added if place not in excluded or place == added[-1]}
    out = (before - wanted) | (excluded - inside)
    rows_of(job).filter(position__in=out).update(selected=False)
    rows_of(job).filter(position__in=inside).update(selected=True)
    chosen = (before & wanted - out) | inside
    return Selected(job, sorted(picked & rows.keys() - chosen), bool(added or out))


def _excluded(job: Job, added: list[int]) -> set[int]:
    """Positions of what cannot be in together with those just taken in."""
    if not added or not rows_of(job).filter(code__in=_EXCLUSIVE).exists():
        return set()
    rows = list(rows_of(job))
    held = rows_to_plan([row.subject for row in rows])
    members = members_of(
        [(row.position, held[row.subject]) for row in rows if row.subject in held], Action(job.detail["action"])
    )
    by_position = {member.position: member for member in members}
    return {rival for place in added if place in by_position for rival in rivals_of(by_position[place], members)}


def take(*, job_id: UUID | str, user: User, which: str) -> Job:
    """`all`: what can be done and is left out for no reason; `none`; `high_risk`: these too."""
    check_word("take", which, [ALL, NONE, HIGH_RISK])
    with transaction.atomic():
        job = lock_own(job_id, user)
        in_preview(job)
        rows = rows_of(job)
        if which == NONE:
            rows.update(selected=False)
            return job
        rows.filter(code=Mark.EQUAL).update(selected=False)  # it closes with one of those that come in now
        rows.filter(code=Mark.HIGH_RISK if which == HIGH_RISK else "").update(selected=True)
    return job


def chosen_differently(job: Job) -> dict[str, bool]:
    """What the person took out or in by hand, by item."""
    rows = rows_of(job).values_list("subject", "code", "selected")
    return {subject: selected for subject, code, selected in rows if can_be_done(code) and selected == bool(code)}


def digest_of(job: Job) -> tuple[int, str]:
    """How many are in, and the name of exactly this selection."""
    rows = list(rows_of(job).filter(selected=True).values_list("position", "version", "plan_digest"))
    choices = {"action": job.detail["action"], "checked_at": job.detail["checked_at"]}
    return len(rows), selection_digest([(place, version or 0, digest) for place, version, digest in rows], choices)


def same_selection(job: Job, *, number: int | None, selection: str) -> int:
    """The number that is in. 409 when the page showed another selection than this one, 422 when it is empty."""
    count, digest = digest_of(job)
    if not count:
        raise Refused("empty_selection", "Nothing is selected: nothing was done.", field="picked")
    if number != count or selection != digest:
        raise Refused(
            "version_conflict", f"The selection changed: {count:,} are in it now. Nothing was done yet.", count=count
        )
    return count
