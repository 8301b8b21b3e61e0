"""Who may decide an item: separation of duties (DESIGN "One way to decide"; scenario S21). Pure."""

from __future__ import annotations

from dataclasses import dataclass

from evidence.rules.vocab import Action, Layer, Risk

_APPROVING = frozenset({Action.APPROVE, Action.SUPERSEDE})


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why not: a stable code (doors "Errors") and plain words."""

    code: str
    detail: str


@dataclass(frozen=True, slots=True)
class Standpoint:
    """What is known of the person who is about to decide, seen from this item."""

    is_reviewer: bool
    other_reviewer_exists: bool
    changed_meaning_last: bool = False
    owns_agent: bool = False
    gave_first_approval: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    refusal: Refusal | None
    solo: bool = False


def approvals_needed(*, risk: str, layer: str, two_approvals: bool, other_reviewer_exists: bool) -> int:
    """Two people for a high-risk or L1 item where the policy says so and a second one exists."""
    return 2 if _takes_two(risk, layer, two_approvals) and other_reviewer_exists else 1


def may_decide(action: str, person: Standpoint, *, risk: str, layer: str, strict: bool, two_approvals: bool) -> Verdict:
    """Whether this person may take this action, and whether it counts as solo because nobody else could have."""
    if not person.is_reviewer:
        return Verdict(Refusal("not_reviewer", "You are not a reviewer for this agent."))
    if action not in _APPROVING:
        return Verdict(None)
    own = _own_work(person, risk=risk, strict=strict)
    if person.other_reviewer_exists:
        return Verdict(own)
    return Verdict(None, solo=own is not None or _takes_two(risk, layer, two_approvals))


def may_approve_by_answer(
    person: Standpoint, *, risk: str, layer: str, strict: bool, two_approvals: bool, approvals_have: int
) -> Verdict:
    """Whether an owner's answer may approve the held item. No reviewer membership is asked for; the same eyes are."""
    own = _own_work(person, risk=risk, strict=strict)
    weighty = _takes_two(risk, layer, two_approvals)
    if not person.other_reviewer_exists:
        return Verdict(None, solo=own is not None or weighty)
    if own is None and weighty and not approvals_have:
        own = Refusal("four_eyes", "Approving this takes two people: its reviewers decide it in the queue.")
    return Verdict(own)


def may_recheck(*, is_owner: bool) -> Verdict:
    """Whether this person may say that a fact is still true, or no longer (DESIGN "Who may what": owners, and they alone)."""
    if is_owner:
        return Verdict(None)
    return Verdict(Refusal("not_reviewer", "The owner of the agent says whether this is still true."))


def _takes_two(risk: str, layer: str, two_approvals: bool) -> bool:
    return two_approvals and (risk == Risk.HIGH or layer == Layer.L1)


def _own_work(person: Standpoint, *, risk: str, strict: bool) -> Refusal | None:
    if person.changed_meaning_last:
        return Refusal("own_edit", "You were the last to change what this claims; another reviewer has to approve it.")
    if person.owns_agent and (risk == Risk.HIGH or strict):
        return Refusal("four_eyes", "You own the agent that proposes this; another reviewer has to approve it.")
    if person.gave_first_approval:
        return Refusal("four_eyes", "You gave the first approval; the second has to come from another reviewer.")
    return None
