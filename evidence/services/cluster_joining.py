"""A member of a cluster in its turn: decided as it was seen, after the item that was on the screen.

Once that one was approved, the others match its record and are verified anew, by a worker or right here: version and plan move
without anybody having touched them. What a person saw of them is therefore compared by what it says, and what the approval may
do is named instead of a plan.
"""

from __future__ import annotations

from typing import Any

from evidence.models import HeldLink, HeldRecord, Inquiry, Job, JobItem
from evidence.rules.chain import canonical_json
from evidence.rules.joining import FIRST, SEEN, Joining
from evidence.rules.text import sha256_hex
from evidence.rules.vocab import Action
from evidence.services.errors import Refused
from evidence.services.locks import lock_deciding, lock_held


def look_of(held: HeldRecord) -> dict[str, Any]:
    """What there is to see of an item apart from how it stands to the records: texts, evidence, risk, open questions."""
    links = HeldLink.objects.linked().filter(held=held).order_by("evidence_id")
    said = [
        held.statement, held.content_hash, str(held.risk), str(held.trust), held.rule_type, held.tags, held.supersedes,
        [[str(pk), polarity] for pk, polarity in links.values_list("evidence_id", "polarity")],
    ]  # fmt: skip
    questions = Inquiry.objects.open().filter(held=held).order_by("pk").values_list("pk", flat=True)
    return {"text": sha256_hex(canonical_json(said)), "questions": [str(pk) for pk in questions]}


def as_it_was_seen(job: Job, row: JobItem) -> dict[str, Any]:
    """What `decide` is to compare: version and plan, or for an approval that joins a record what may be done."""
    seen = job.detail.get(SEEN, {}).get(row.subject)
    if seen is None or job.detail["action"] != Action.APPROVE:
        return {"seen_version": row.version, "plan_digest": row.plan_digest or None}
    lock_deciding(row.subject)  # as `decide` does, which takes the same locks again
    held = lock_held(row.subject)
    now = look_of(held)
    if held.is_waiting and (now["text"] != seen["text"] or not set(now["questions"]) <= set(seen["questions"])):
        raise Refused("version_conflict", "It was changed since you saw it.", current_version=held.version)
    joining = Joining(_record_of(job), frozenset(job.detail[SEEN]), frozenset(seen["questions"]))
    return {"seen_version": held.version, "joining": joining}


def _record_of(job: Job) -> str:
    """The record that the item on the screen became, or that it was added to."""
    first = HeldRecord.objects.select_related("fact_proposal__result").get(pk=job.detail[FIRST])
    result = first.fact_proposal.result
    return result.record_id if result is not None else ""
