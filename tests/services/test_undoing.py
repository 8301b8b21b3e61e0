"""Undo: everything back under higher versions, blocked by later decisions, never an erased row (contract 10)."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from evidence.models import Decision, Evidence, Inquiry, RecallItem, RecallLog
from evidence.rules.vocab import Action, Role
from evidence.selectors.audit import verify_chain
from evidence.services.drafts import EvidenceDraft
from evidence.services.errors import Refused
from evidence.services.filing import file_evidence
from evidence.services.records import recheck_record, revoke_record
from evidence.services.undoing import undo
from tests.services import make

pytestmark = pytest.mark.django_db


def take_back(decided, who):
    return undo(decision_id=decided.decision.id, actor=make.person(who))


def test_undoing_an_approval_restores_statuses_records_and_questions_under_higher_versions():
    current = make.fact("The account is active.", about=make.claim("active"))
    held = make.proposal(statement="The account is past due.", claim=make.claim("past due"))
    before = (held.version, current.version)
    reviewer = make.reviewer()
    decided = make.approve(held, reviewer)
    undone = take_back(decided, reviewer)

    held.refresh_from_db()
    current.refresh_from_db()
    assert (held.status, current.state, current.superseded_by) == ("waiting", "active", "")
    assert held.version > before[0] + 1
    assert current.version > before[1] + 1
    assert Inquiry.objects.get(held=held).status == "open"
    assert [row.claim_value for row in Evidence.objects.filter(kind="fact", state="active")] == ["active"]
    made = Evidence.objects.get(kind="fact", source_version=str(decided.decision.id))
    assert (made.state, made.content, made.claim_value) == ("revoked", "", "")
    assert undone.decision.undoes == decided.decision.id
    assert Decision.objects.filter(pk=decided.decision.id).exists()
    assert verify_chain().ok


def test_what_was_undone_can_be_decided_again_and_that_undone_too():
    held = make.proposal(claim=make.claim())
    reviewer = make.reviewer()
    for _ in range(3):
        decided = make.approve(held, reviewer)
        take_back(decided, reviewer)
        held.refresh_from_db()
    assert held.status == "waiting"
    make.approve(held, reviewer)
    assert Evidence.objects.filter(kind="fact", state="active").count() == 1


def test_equal_proposals_that_closed_come_back():
    first = make.proposal(claim=make.claim())
    other = make.proposal(make.agent("qa-agent"), claim=make.claim())
    reviewer = make.reviewer()
    decided = make.approve(first, reviewer)
    take_back(decided, reviewer)
    other.refresh_from_db()
    assert (other.status, other.replaced_by_id) == ("waiting", None)


def test_undo_is_blocked_by_a_later_decision_about_what_it_touched_and_names_it():
    held = make.proposal(claim=make.claim("past due"), statement="The account is past due.")
    reviewer, other = make.reviewer(), make.reviewer("reviewer2")
    decided = make.approve(held, reviewer)
    later = make.proposal(claim=make.claim("active"), statement="The account is active.")
    second = make.approve(later, other)
    with pytest.raises(Refused) as info:
        take_back(decided, reviewer)
    assert (info.value.code, info.value.extra["decided_by"]) == ("undo_blocked", "reviewer2")
    take_back(second, other)
    with pytest.raises(Refused, match="undo_blocked"):
        take_back(second, other)


def test_decisions_about_one_record_are_taken_back_one_after_the_other_the_last_one_first():
    reviewer = make.reviewer()
    texts = (
        "Backups run every night at two.",
        "Every night at two backups run.",
        "The backups run every night at two.",
    )
    decided = []
    for number, text in enumerate(texts):
        held = make.proposal(make.agent(f"agent-{number}"), text)
        decided.append(make.approve(held, reviewer))
    fact = Evidence.objects.get(kind="fact", state="active")
    with pytest.raises(Refused, match="undo_blocked"):
        take_back(decided[0], reviewer)
    take_back(decided[2], reviewer)
    with pytest.raises(Refused, match="undo_blocked") as stands:
        take_back(decided[0], reviewer)
    assert stands.value.extra["decision"] == str(decided[1].decision.id)
    take_back(decided[1], reviewer)
    take_back(decided[0], reviewer)
    fact.refresh_from_db()
    assert fact.state == "revoked"
    assert [one.held.__class__.objects.get(pk=one.held.pk).status for one in decided] == ["waiting"] * 3
    assert verify_chain().ok


def test_only_the_decider_or_an_administrator_undoes():
    held = make.proposal()
    decided = make.approve(held, make.reviewer())
    with pytest.raises(Refused) as info:
        take_back(decided, make.reviewer("reviewer2"))
    assert info.value.status == 403
    assert take_back(decided, make.user("admin", Role.ADMINISTRATOR)).decision.actor_name == "admin"


@pytest.mark.parametrize("action", [Action.REJECT, Action.SNOOZE])
def test_rejections_and_snoozes_are_undone_too(action):
    held = make.proposal()
    reviewer = make.reviewer()
    until = timezone.now() + timedelta(days=1)
    decided = make.act(held, reviewer, action, reason_code="wrong", until=until)
    take_back(decided, reviewer)
    held.refresh_from_db()
    assert (held.status, held.snoozed_until) == ("waiting", None)
    observation = held.fact_proposal.observation
    assert observation.review == "held"


def test_a_first_approval_is_undone():
    held = make.proposal(**make.risky())
    first = make.reviewer()
    make.reviewer("reviewer2")
    decided = make.approve(held, first)
    take_back(decided, first)
    held.refresh_from_db()
    assert held.first_approver_id is None


def test_undo_lists_the_recalls_that_showed_it():
    held = make.proposal(claim=make.claim())
    reviewer = make.reviewer()
    decided = make.approve(held, reviewer)
    held.refresh_from_db()
    log = RecallLog.objects.create(namespace="default", agent="sales-agent", query_hash="h")
    record_id = held.fact_proposal.result.record_id
    RecallItem.objects.create(
        recall=log, namespace="default", record_id=record_id, label="verified", rank=1, at=timezone.now()
    )
    assert [item.recall.agent for item in take_back(decided, reviewer).shown] == ["sales-agent"]


def test_the_same_undo_twice_is_one():
    held = make.proposal()
    reviewer = make.reviewer()
    decided = make.approve(held, reviewer)
    first = undo(decision_id=decided.decision.id, actor=make.person(reviewer), idempotency_key="u")
    again = undo(decision_id=decided.decision.id, actor=make.person(reviewer), idempotency_key="u")
    assert again.decision.id == first.decision.id


def test_undoing_ends_ones_own_snooze_and_nobody_elses():
    held = make.proposal()
    first, second = make.reviewer(), make.reviewer("reviewer2")
    until = timezone.now() + timedelta(days=1)
    decided = make.act(held, first, Action.SNOOZE, until=until)
    later = make.act(held, second, Action.SNOOZE, until=until + timedelta(days=1))
    with pytest.raises(Refused) as info:
        take_back(decided, first)
    assert (info.value.code, info.value.extra["decided_by"]) == ("undo_blocked", "reviewer2")
    take_back(later, second)
    held.refresh_from_db()
    assert held.snoozed_until is None


def test_what_closed_against_the_fact_waits_again_when_the_fact_is_undone():
    held = make.proposal(claim=make.claim())
    reviewer = make.reviewer()
    decided = make.approve(held, reviewer)
    repeat = make.proposal(make.agent("qa-agent"), claim=make.claim())
    own_repeat = make.proposal(
        claim=make.claim(), evidence=(make.inline("The vendor account is past due.", thread="t-9"),)
    )
    assert (repeat.status, own_repeat.status) == ("superseded", "superseded")
    take_back(decided, reviewer)
    for row in (held, repeat, own_repeat):
        row.refresh_from_db()
    assert (held.status, repeat.status) == ("waiting", "waiting")
    assert (own_repeat.status, own_repeat.replaced_by_id) == ("superseded", held.id)
    assert held.links.filter(evidence__thread="t-9").exists()
    assert repeat.fact_proposal.observation.state == "active"
    make.approve(held, reviewer)
    repeat.refresh_from_db()
    assert (repeat.status, repeat.replaced_by_id) == ("superseded", held.id)


def test_undoing_an_approved_capture_withdraws_what_it_asked():
    make.fact("The account is active.", about=make.claim("active"))
    draft = EvidenceDraft(
        source_id="entry:ops-agent/billing", content="The account is past due.", claim=make.claim(), channel="webhook"
    )
    filed = file_evidence(filer=make.filer(), draft=draft)
    reviewer = make.reviewer()
    decided = make.approve(filed.held, reviewer)
    question = Inquiry.objects.open().get()
    take_back(decided, reviewer)
    question.refresh_from_db()
    filed.record.refresh_from_db()
    assert (question.status, filed.record.review) == ("withdrawn", "held")


@pytest.mark.parametrize("verb", [recheck_record, revoke_record])
def test_what_was_decided_about_a_record_is_undone(verb):
    row = make.fact("The account is active.", about=make.claim("active"), checked=timezone.now() - timedelta(days=9))
    before = (row.state, row.content, row.claim_value, row.check_at, row.check_confirmed_by)
    owner = make.user("owner", Role.OWNER, of=make.agent())
    decision = verb(record_pk=row.pk, seen_version=row.version, actor=make.person(owner), reason="I looked.")
    undo(decision_id=decision.id, actor=make.person(owner))
    row.refresh_from_db()
    assert (row.state, row.content, row.claim_value, row.check_at, row.check_confirmed_by) == before
    assert row.version == 3


def test_an_undo_under_a_key_that_was_used_for_another_is_refused():
    first, second = make.proposal(), make.proposal(statement="Lunch is at noon in the north office.")
    reviewer = make.reviewer()
    decided = [make.approve(held, reviewer) for held in (first, second)]
    undo(decision_id=decided[0].decision.id, actor=make.person(reviewer), idempotency_key="u")
    with pytest.raises(Refused, match="idempotency_conflict"):
        undo(decision_id=decided[1].decision.id, actor=make.person(reviewer), idempotency_key="u")
