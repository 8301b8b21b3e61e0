"""Holding an answer to a question against its plan: every step, everything that ended, what is recalled, and its undoing."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.db.models import F
from django.utils import timezone

from evidence.models import Decision, Evidence, HeldRecord, Inquiry, User
from evidence.rules.answer_steps import AnswerPlan, Step
from evidence.rules.labels import label_of_window
from evidence.rules.records import Reader
from evidence.selectors.answer_plans import Chosen, answer_plan, rows_of
from evidence.selectors.planning import window_of
from evidence.selectors.recall import Ask, recall
from evidence.services.undoing import undo
from tests.services import disputes, make

Picture = dict[str, dict[str, Any]]


def plan_of(question: Inquiry, who: User, word: str) -> AnswerPlan:
    """As the page shows it once everything that belongs to the answer was chosen."""
    chosen = {name: value for name, value in disputes.said(question, word).items() if name != "reason"}
    return answer_plan(rows_of(question, question.held), word, Chosen(**chosen), user=who, now=timezone.now())


def picture() -> Picture:
    """Everything that a person could see of what stands, by id."""
    records = Evidence.objects.values(
        "record_id", "state", "review", "superseded_by", "scope_access", "scope_owner", "valid_from", "valid_until",
        text=F("content"), value=F("claim_value"), check=F("check_at"), by=F("check_confirmed_by"),
    )  # fmt: skip
    held = HeldRecord.objects.values("id", "status", replaced=F("replaced_by_id"))
    asked = Inquiry.objects.values(
        "id", "status", "answer", "answer_value", "evidence_wanted", "decision_id", asked=F("evidence_asked_at")
    )
    found: Picture = {str(row["record_id"]): dict(row) for row in records}
    for row in found.values():
        row["scope"] = (row["scope_access"], row["scope_owner"])
        row["valid"] = (row["valid_from"], row["valid_until"])
    return found | {str(row["id"]): dict(row) for row in [*held, *asked]}


def recalled(question: Inquiry) -> dict[str, str]:
    """What its agent gets about the question, and another one: record ids with their labels."""
    found: dict[str, str] = {}
    for agent in (question.agent_id, "sales-agent"):
        answer = recall(
            reader=Reader(agent, ()), namespace=question.namespace, ask=Ask(query=question.question, limit=50),
            now=timezone.now(),
        )  # fmt: skip
        found |= {one.record.id: str(one.label) for one in answer.results}
    return found


def label_of(record_id: str) -> str:
    return str(label_of_window(window_of(Evidence.objects.get(record_id=record_id)), timezone.now()))


def _replaced(step: Step, was: dict[str, Any], now: dict[str, Any]) -> None:
    assert now["status"] == "superseded"
    assert HeldRecord.objects.get(pk=now["replaced"]).kind == "promotion_proposal"


def _moved(state: str, name: str) -> Callable[..., None]:
    def check(step: Step, was: dict[str, Any], now: dict[str, Any]) -> None:
        assert (was[name], now[name]) == tuple(state.split())

    return check


def _changed(name: str) -> Callable[..., None]:
    def check(step: Step, was: dict[str, Any], now: dict[str, Any]) -> None:
        assert was[name] != now[name]

    return check


def _kept(step: Step, was: dict[str, Any], now: dict[str, Any]) -> None:
    assert step.target_kind == "inquiry" or was == now


def _revoked(step: Step, was: dict[str, Any], now: dict[str, Any]) -> None:
    assert (now["state"], now["text"], now["value"]) == ("revoked", "", "")


def _asked(step: Step, was: dict[str, Any], now: dict[str, Any]) -> None:
    assert now["status"] == "open"
    assert now["asked"] is not None


def _proposed(step: Step, was: dict[str, Any], now: dict[str, Any]) -> None:
    source = Evidence.objects.get(record_id=step.target_id).source_id
    assert HeldRecord.objects.waiting().filter(kind="promotion_proposal", promotion__target_source=source).exists()


_LOOKS: dict[str, Callable[..., None]] = {
    "supersede_record": _moved("active superseded", "state"), "revoke_record": _revoked,
    "rescope_record": _changed("scope"), "retime_record": _changed("valid"), "keep_record": _kept,
    "approve_evidence": _moved("held approved", "review"), "approve_item": _moved("waiting approved", "status"),
    "reject_item": _moved("waiting rejected", "status"), "replace_item": _replaced,
    "close_equal": _moved("waiting superseded", "status"), "close_question": _moved("open answered", "status"),
    "open_proposal": _proposed, "ask_agent": _asked,
}  # fmt: skip


def look(step: Step, before: Picture, after: Picture, who: str) -> None:
    """Hold one step of the plan against what is there now."""
    if step.kind == "confirm_record":
        assert (after[step.target_id]["by"], after[step.target_id]["state"]) == (who, "active")
        same_label(step, step.target_id)
    elif step.kind == "create_record":
        made = after.keys() - before.keys()
        (record,) = [one for one in made if Evidence.objects.filter(record_id=one, kind="fact").exists()]
        assert (after[record]["by"], after[record]["state"]) == (who, "active")
        same_label(step, record)
    else:
        _LOOKS[step.kind.value](step, before.get(step.target_id, {}), after.get(step.target_id, {}))


def same_label(step: Step, record_id: str) -> None:
    assert step.label is not None
    row = Evidence.objects.get(record_id=record_id)
    assert label_of(record_id) == step.label.label
    if step.label.expires_at is None:
        assert row.expires_at is None
    else:
        assert row.expires_at is not None
        assert abs(row.expires_at - step.label.expires_at) < timedelta(minutes=1)


def ended(before: Picture, after: Picture) -> set[str]:
    """What stood and does not stand any more, apart from held observations, which go with their item."""
    observations = set(
        Evidence.objects.filter(source_id__startswith="proposal:").values_list("record_id", flat=True)
    )  # fmt: skip
    return {
        one for one, was in before.items()
        if one not in observations
        and (was.get("state", was.get("status")), after[one].get("state", after[one].get("status"))) in _ENDS
    }  # fmt: skip


_ENDS = {(one, two) for one in ("active", "waiting") for two in ("superseded", "revoked", "rejected", "approved")}


def hold(question: Inquiry, who: User, word: str, plan: AnswerPlan, give: Callable[[], Decision]) -> None:
    """`give` answers with `word` as `plan` was shown; afterwards everything is as it said, and taken back again."""
    before, heard = picture(), recalled(question)
    decision = give()
    after = picture()
    for step in plan.steps:
        look(step, before, after, who.username)
    assert ended(before, after) <= {step.target_id for step in plan.steps}, "something ended that the plan did not name"
    row = Decision.objects.get(pk=decision.pk)
    assert [effect["kind"] for effect in row.effects] == [word, *(step.kind.value for step in plan.steps)]
    assert [effect["target_id"] for effect in row.effects[1:]] == [step.target_id for step in plan.steps]
    for record_id, label in recalled(question).items():
        assert Evidence.objects.get(record_id=record_id, namespace=question.namespace).state == "active"
        assert label == label_of(record_id)
    undo(decision_id=decision.pk, actor=make.person(who))
    back = picture()
    # The undone fact stays known, emptied; a held observation waits as it did.
    assert {one: back[one] for one in before} == before
    assert recalled(question) == heard
