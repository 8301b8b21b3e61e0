"""Every kind of question with every answer that it allows: what happens is what the plan said, and undo takes it back."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from evidence.models import Decision, Evidence, HeldRecord, Inquiry, User
from evidence.rules.answer_plans import AnswerPlan, Step
from evidence.rules.labels import label_of_window
from evidence.rules.records import Reader
from evidence.rules.vocab import Answer, State
from evidence.selectors.answer_plans import Chosen, answer_plan, answer_plans, rows_of
from evidence.selectors.audit import verify_chain
from evidence.selectors.planning import window_of
from evidence.selectors.recall import Ask, recall
from evidence.selectors.sides import answers_of
from evidence.services.errors import Refused
from evidence.services.undoing import undo
from tests.services import disputes, make

pytestmark = pytest.mark.django_db

BOTH = ("current", "incoming", "other_value", "both_scope", "both_time", "neither", "need_evidence")
ARTICLE = ("current", "incoming", "other_value", "article_should_change", "need_evidence")
ALLOWED: dict[str, tuple[str, ...]] = {
    "by_report": BOTH, "by_two_reports": BOTH, "by_proposal": BOTH, "with_equals": BOTH, "with_two_questions": BOTH,
    "supersession": BOTH, "ambiguous": BOTH, "about_capture": BOTH, "against_unreviewed": BOTH,
    "asked_by_reviewer": ("incoming", "neither", "need_evidence"),
    "about_plain_capture": ("incoming", "neither", "need_evidence"),
    "against_article": ARTICLE, "article_by_report": ARTICLE,
    "recheck": ("current", "neither", "need_evidence"),
    "current_gone": ("incoming", "neither"), "incoming_gone": ("current", "neither"), "both_gone": ("neither",),
}  # fmt: skip
CASES = [(kind, word) for kind, words in ALLOWED.items() for word in words]


def test_the_table_names_every_question_and_every_answer() -> None:
    assert ALLOWED.keys() == disputes.EVERY.keys()
    assert {word for _, word in CASES} == {word.value for word in Answer}


def plan_of(question: Inquiry, who: User, word: str) -> AnswerPlan:
    """As the page shows it once everything that belongs to the answer was chosen."""
    chosen = {name: value for name, value in disputes.said(question, word).items() if name != "reason"}
    return answer_plan(rows_of(question, question.held), word, Chosen(**chosen), user=who, now=timezone.now())


@pytest.mark.parametrize("kind", ["about_capture", "about_plain_capture"])
def test_an_owner_does_not_let_in_alone_what_came_from_outside(kind: str) -> None:
    who = disputes.owner()
    question = disputes.EVERY[kind]()
    plan = plan_of(question, who, "incoming")
    assert plan.refusal is not None
    assert (plan.refusal.code, plan.steps) == ("four_eyes", ())
    with pytest.raises(Refused, match="four_eyes"):
        disputes.answer(question, who, "incoming")


def picture() -> dict[str, dict[str, Any]]:
    """Everything that a person could see of what stands, by id."""
    records = {
        row.record_id: {
            "state": row.state, "review": row.review, "text": row.content, "value": row.claim_value, "check": row.check_at,
            "by": row.check_confirmed_by, "scope": (row.scope_access, row.scope_owner),
            "valid": (row.valid_from, row.valid_until), "after": row.superseded_by,
        }
        for row in Evidence.objects.all()
    }  # fmt: skip
    held = {str(row.pk): {"status": row.status, "replaced": row.replaced_by_id} for row in HeldRecord.objects.all()}
    asked = {
        str(row.pk): {
            "status": row.status, "answer": row.answer, "value": row.answer_value, "asked": row.evidence_asked_at,
            "wanted": row.evidence_wanted, "decision": row.decision_id,
        }
        for row in Inquiry.objects.all()
    }  # fmt: skip
    return records | held | asked


def recalled() -> dict[str, str]:
    found: dict[str, str] = {}
    for agent in ("ops-agent", "sales-agent"):
        for words in ("account", "till opens", "deploys", "office moves", "backups night"):
            answer = recall(
                reader=Reader(agent, ()), namespace="default", ask=Ask(query=words, limit=50), now=timezone.now()
            )
            found |= {one.record.id: str(one.label) for one in answer.results}
    return found


def label_of(record_id: str) -> str:
    return str(label_of_window(window_of(Evidence.objects.get(record_id=record_id)), timezone.now()))


def look(step: Step, before: dict[str, dict[str, Any]], after: dict[str, dict[str, Any]], made: set[str]) -> None:
    """Hold one step of the plan against what is there now."""
    was, is_now = before.get(step.target_id, {}), after.get(step.target_id, {})
    match step.kind.value:
        case "confirm_record":
            assert is_now["by"] == "owner"
            assert is_now["state"] == "active"
            same_label(step, step.target_id)
        case "create_record":
            (record,) = [one for one in made if Evidence.objects.filter(record_id=one, kind="fact").exists()]
            assert (after[record]["state"], after[record]["by"]) == ("active", "owner")
            same_label(step, record)
        case "supersede_record":
            assert (was["state"], is_now["state"]) == ("active", "superseded")
        case "revoke_record":
            assert (is_now["state"], is_now["text"], is_now["value"]) == ("revoked", "", "")
        case "rescope_record":
            assert was["scope"] != is_now["scope"]
        case "retime_record":
            assert was["valid"] != is_now["valid"]
        case "keep_record":
            assert was == is_now
        case "approve_evidence":
            assert (was["review"], is_now["review"]) == ("held", "approved")
        case "approve_item":
            assert is_now["status"] == "approved"
        case "reject_item":
            assert is_now["status"] == "rejected"
        case "replace_item":
            assert is_now["status"] == "superseded"
            assert HeldRecord.objects.get(pk=is_now["replaced"]).kind == "promotion_proposal"
        case "close_equal":
            assert (was["status"], is_now["status"]) == ("waiting", "superseded")
        case "close_question":
            assert (was["status"], is_now["status"]) == ("open", "answered")
        case "open_proposal":
            assert HeldRecord.objects.get(kind="promotion_proposal").status == "waiting"
        case "ask_agent":
            assert (is_now["status"], is_now["wanted"]) == ("open", "Look at the letter of May.")
        case other:
            pytest.fail(f"nobody looks after a step of kind {other}")


def same_label(step: Step, record_id: str) -> None:
    assert step.label is not None
    row = Evidence.objects.get(record_id=record_id)
    assert label_of(record_id) == step.label.label
    if step.label.expires_at is None:
        assert row.expires_at is None
    else:
        assert row.expires_at is not None
        assert abs(row.expires_at - step.label.expires_at) < timedelta(minutes=1)


def ended(before: dict[str, dict[str, Any]], after: dict[str, dict[str, Any]]) -> set[str]:
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


@pytest.mark.parametrize(("kind", "word"), CASES)
def test_what_happens_is_what_the_plan_said_and_can_be_taken_back(kind: str, word: str) -> None:
    who = disputes.owner(of_all="capture" in kind)
    if "capture" in kind:
        disputes.one_person_is_enough()
    question = disputes.EVERY[kind]()
    assert {str(one) for one in answers_of(question)} == set(ALLOWED[kind])
    before, heard = picture(), recalled()
    shown = plan_of(question, who, word)
    done = disputes.answer(question, who, word, plan_digest=shown.digest)
    after = picture()
    assert [step.kind for step in done.steps] == [step.kind for step in shown.steps]
    made = after.keys() - before.keys()
    for step in done.steps:
        look(step, before, after, set(made))
    planned = {step.target_id for step in done.steps}
    assert ended(before, after) <= planned, "something ended that the plan did not name"
    row = Decision.objects.get(pk=done.decision.pk)
    assert [effect["kind"] for effect in row.effects] == [word, *(step.kind.value for step in shown.steps)]
    for record_id, label in recalled().items():
        assert Evidence.objects.get(record_id=record_id).state == State.ACTIVE
        assert label == label_of(record_id)
    undo(decision_id=done.decision.pk, actor=make.person(who))
    back = picture()
    # The undone fact stays known, emptied; a held observation waits as it did.
    assert {one: back[one] for one in before} == before
    assert recalled() == heard
    assert verify_chain().ok


def test_an_answer_of_which_the_plan_has_changed_is_refused_with_the_new_plan() -> None:
    who = disputes.owner()
    question = disputes.by_proposal()
    seen = answer_plans(question, user=who, now=timezone.now())[Answer.INCOMING]
    make.proposal(make.agent("sales-agent"), "They say it is past due.", claim=make.claim(), volatility="billing")
    with pytest.raises(Refused) as info:
        disputes.answer(question, who, "incoming", plan_digest=seen.digest)
    assert (info.value.code, info.value.status) == ("version_conflict", 409)
    assert any("sales-agent" in words for words in info.value.extra["plan"])  # type: ignore[union-attr]
    question.refresh_from_db()
    assert question.status == "open"
    # The same answer with what is seen now goes through; another answer never depended on it.
    assert disputes.answer(question, who, "incoming").decision.action == "answer"


def test_a_current_side_that_changed_meanwhile_is_another_plan() -> None:
    who = disputes.owner()
    question = disputes.by_report()
    seen = answer_plans(question, user=who, now=timezone.now())[Answer.CURRENT]
    Evidence.objects.filter(record_id=question.current_record).update(version=2)
    with pytest.raises(Refused, match="version_conflict"):
        disputes.answer(question, who, "current", plan_digest=seen.digest)


def test_scopes_that_are_chosen_name_what_else_gives_way() -> None:
    """A fact that stands where the new one is put is in the plan for these choices, and gives way."""
    who = disputes.owner()
    question = disputes.by_proposal()
    other = disputes.stands("frozen", scope_owner="sales-agent", scope_access="private")
    done = disputes.answer(question, who, "both_scope")
    assert other.record_id in {step.target_id for step in done.steps if step.kind == "supersede_record"}
    other.refresh_from_db()
    assert other.state == State.SUPERSEDED
