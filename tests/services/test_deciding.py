"""Deciding: one decision, the plan that was seen, coded refusals, and what an approval leaves behind (contract 10, 13)."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from evidence.models import Decision, Evidence, HeldRecord, Inquiry, Outbox, Snapshot
from evidence.rules.vocab import Action, AuditAction, ReasonCode
from evidence.selectors.audit import verify_chain
from evidence.selectors.planning import plan_for
from evidence.services.deciding import decide
from evidence.services.errors import Refused
from tests.services import make

pytestmark = pytest.mark.django_db


def refused(code: str, **members: object):
    return pytest.raises(Refused, match=f"^{code}:")


def test_an_approval_makes_a_confirmed_fact_and_keeps_where_it_came_from():
    held = make.proposal(claim=make.claim("nightly", "backups", "schedule"))
    reviewer = make.reviewer()
    decided = make.approve(held, reviewer)

    held.refresh_from_db()
    fact = held.fact_proposal.result
    assert (held.status, fact.kind, fact.state, fact.review) == ("approved", "fact", "active", "approved")
    assert fact.source_id.startswith("fact:")
    assert fact.source_version == str(decided.decision.id)
    assert (fact.check_confirmed_by, fact.check_by) == ("reviewer", "ops-agent")
    observation = held.fact_proposal.observation
    observation.refresh_from_db()
    assert (observation.state, observation.superseded_by) == ("superseded", fact.record_id)
    assert fact.derived_from == [observation.record_id]
    assert [link.evidence for link in fact.backing.all()] == [link.evidence for link in held.links.all()]


def test_a_decision_names_who_when_and_what_was_on_the_screen():
    held = make.proposal()
    decided = make.approve(held, make.reviewer())
    row = decided.decision
    assert (row.actor_kind, row.actor_name, row.door, row.action) == ("person", "reviewer", "web", "approve")
    shown = Snapshot.objects.get(pk=row.commitments["shown"]["snapshot"])
    assert held.statement in (shown.body or "")
    assert held.statement not in str(row.effects) + str(row.commitments)
    assert verify_chain().ok


def test_the_check_is_as_of_the_source_or_now_as_the_person_says():
    held = make.proposal(volatility="billing", event_at=make.days_ago(5), claim=make.claim())
    plan = plan_for(held, action=Action.APPROVE, user=make.reviewer(), now=timezone.now())
    assert (plan.labels["source"].label, plan.labels["now"].label) == ("stale", "verified")
    make.approve(held, make.reviewer(), checked_at="now")
    held.refresh_from_db()
    fact = held.fact_proposal.result
    assert timezone.now() - fact.check_at < timedelta(minutes=1)
    assert fact.check_by == "reviewer"


@pytest.mark.parametrize("event_at", ["", "2999-01-01T00:00:00Z"])
def test_without_a_usable_source_date_the_person_must_choose(event_at):
    held = make.proposal(event_at=event_at)
    with refused("check_date_required"):
        make.approve(held, make.reviewer())
    make.approve(held, make.reviewer(), checked_at=make.days_ago(1))
    held.refresh_from_db()
    assert held.status == "approved"


def test_approving_another_value_supersedes_the_current_fact_and_closes_the_question():
    current = make.fact("The account is active.", about=make.claim("active"))
    held = make.proposal(statement="The account is past due.", claim=make.claim("past due"))
    assert held.match_kind == "potential_conflict"
    question = Inquiry.objects.open().get(held=held)
    make.approve(held, make.reviewer())

    current.refresh_from_db()
    question.refresh_from_db()
    held.refresh_from_db()
    assert (current.state, current.superseded_by) == ("superseded", held.fact_proposal.result.record_id)
    assert (question.status, question.answer, question.answered_by) == ("answered", "incoming", "reviewer")
    active = Evidence.objects.filter(claim_key=held.claim_key, state="active", kind="fact")
    assert [row.claim_value for row in active] == ["past due"]


def test_rejecting_keeps_the_current_fact_and_answers_the_question():
    current = make.fact("The account is active.", about=make.claim("active"))
    held = make.proposal(statement="The account is past due.", claim=make.claim("past due"))
    make.act(held, make.reviewer(), Action.REJECT, reason_code=ReasonCode.WRONG, reason="I looked at the invoice page.")
    held.refresh_from_db()
    current.refresh_from_db()
    assert (held.status, held.reason_code, current.state) == ("rejected", "wrong", "active")
    assert Inquiry.objects.get(held=held).answer == "current"
    assert held.fact_proposal.observation.review == "rejected"


def test_a_rejection_needs_a_reason_code():
    held = make.proposal()
    with refused("reason_required"):
        make.act(held, make.reviewer(), Action.REJECT)


def test_supersede_replaces_the_named_records_only():
    old = make.fact("Backups run weekly on Sundays at the old site.")
    other = make.fact("Deploys happen on Tuesday.")
    held = make.proposal()
    with refused("supersedes_required"):
        make.act(held, make.reviewer(), Action.SUPERSEDE, reason_code="stale")
    make.act(held, make.reviewer(), Action.SUPERSEDE, reason_code="stale", supersedes=[old.record_id])
    old.refresh_from_db()
    other.refresh_from_db()
    assert (old.state, other.state) == ("superseded", "active")


def test_superseding_what_is_no_longer_active_is_refused_whole():
    old = make.fact("Backups run weekly on Sundays at the old site.")
    held = make.proposal()
    Evidence.objects.filter(pk=old.pk).update(state="revoked")
    with refused("version_conflict"):
        make.act(held, make.reviewer(), Action.SUPERSEDE, reason_code="stale", supersedes=[old.record_id])
    held.refresh_from_db()
    assert held.status == "waiting"
    assert not Evidence.objects.filter(kind="fact", state="active").exists()


def test_no_version_is_422_and_an_old_one_409_with_who_and_when():
    held = make.proposal()
    reviewer, other = make.reviewer(), make.reviewer("reviewer2")
    with refused("version_required"):
        make.act(held, reviewer, Action.APPROVE, seen_version=None)
    make.act(held, other, Action.REJECT, reason_code="wrong")
    with pytest.raises(Refused) as info:
        make.approve(held, reviewer)
    assert info.value.status == 409
    assert info.value.code == "already_decided"
    assert info.value.extra["decided_by"] == "reviewer2"


def test_the_same_request_twice_is_one_decision_and_a_replay():
    held = make.proposal()
    reviewer, key = make.reviewer(), "card-1"
    first = make.approve(held, reviewer, idempotency_key=key)
    second = make.approve(held, reviewer, idempotency_key=key)
    assert (first.replay, second.replay) == (False, True)
    assert second.decision.id == first.decision.id
    assert Decision.objects.filter(action="approve").count() == 1


def test_a_key_of_another_request_is_refused():
    one, two = make.proposal(), make.proposal(statement="The staging host is called quail.")
    reviewer = make.reviewer()
    make.approve(one, reviewer, idempotency_key="k")
    with refused("idempotency_conflict"):
        make.approve(two, reviewer, idempotency_key="k")


def test_a_plan_that_changed_is_409_with_the_new_plan():
    held = make.proposal(claim=make.claim("past due"), statement="The account is past due.")
    reviewer = make.reviewer()
    seen = plan_for(held, action=Action.APPROVE, user=reviewer, now=timezone.now())
    make.fact("The account is active.", about=make.claim("active"))
    with pytest.raises(Refused) as info:
        make.approve(held, reviewer, plan_digest=seen.digest)
    assert info.value.code == "version_conflict"
    assert any(effect.kind == "supersede_record" for effect in info.value.extra["plan"].effects)
    held.refresh_from_db()
    assert held.status == "waiting"


def test_only_a_reviewer_of_that_agent_decides_and_others_learn_nothing():
    held = make.proposal()
    from evidence.rules.vocab import Role

    auditor = make.user("auditor", Role.AUDITOR)
    stranger = make.user("stranger", Role.REVIEWER, of=make.agent("other-agent"))
    with refused("not_reviewer"):
        make.approve(held, auditor)
    with refused("not_found"):
        make.approve(held, stranger)
    with refused("not_found"):
        decide(held_id=uuid.uuid4(), action="approve", seen_version=1, actor=make.person(auditor), idempotency_key="x")


def test_equal_proposals_close_with_the_approved_one_credited():
    first = make.proposal(claim=make.claim())
    others = [make.proposal(make.agent(name), claim=make.claim()) for name in ("sales-agent", "qa-agent")]
    first.refresh_from_db()
    make.approve(first, make.reviewer())
    first.refresh_from_db()
    for other in others:
        other.refresh_from_db()
        assert (other.status, other.replaced_by_id) == ("superseded", first.id)
    fact = first.fact_proposal.result
    assert fact.backing.count() == 3
    rows = Decision.objects.filter(action=AuditAction.CLOSE_EQUAL)
    assert {row.actor_kind for row in rows} == {"system"}
    assert rows.count() == 2


def test_a_repeat_of_the_current_fact_is_closed_by_the_system_with_its_evidence_linked():
    current = make.fact("The account is past due.", about=make.claim())
    held = make.proposal(claim=make.claim(), statement="Our vendor account is past due.")
    assert (held.status, held.reason_code) == ("superseded", "duplicate")
    assert current.backing.count() == 1


def test_a_repeat_with_a_newer_check_waits_and_refreshes_the_check_when_approved():
    current = make.fact("The account is past due.", about=make.claim(), checked=timezone.now() - timedelta(days=9))
    held = make.proposal(claim=make.claim(), check_at=make.days_ago(1), check_method="invoice page")
    assert held.status == "waiting"
    make.approve(held, make.reviewer())
    current.refresh_from_db()
    assert timezone.now() - current.check_at < timedelta(days=2)
    assert current.check_confirmed_by == "reviewer"
    assert Evidence.objects.filter(kind="fact", state="active").count() == 1


def test_a_reviewed_article_is_not_changed_by_a_fact():
    make.article(about=make.claim("Tuesday", "deploys", "weekday"))
    held = make.proposal(statement="Deploys happen on Thursday.", claim=make.claim("Thursday", "deploys", "weekday"))
    with refused("reviewed_article"):
        make.approve(held, make.reviewer())


@pytest.mark.parametrize(
    ("members", "code", "choice"),
    [
        ({"durability": "session"}, "conversion_required", {"durability": "project"}),
        ({"layer": "L1"}, "ratification_required", {"ratify": True}),
    ],
)
def test_what_the_plan_needs_is_asked_for(members, code, choice):
    held = make.proposal(**members)
    with refused(code):
        make.approve(held, make.reviewer())
    make.approve(held, make.reviewer(), **choice)
    held.refresh_from_db()
    assert held.status == "approved"
    assert held.fact_proposal.result.durability == choice.get("durability", "project")


def test_a_high_risk_item_takes_two_people():
    held = make.proposal(**make.risky())
    assert held.risk == "high"
    first, second = make.reviewer(), make.reviewer("reviewer2")
    decided = make.approve(held, first)
    assert decided.approvals == {"have": 1, "need": 2}
    held.refresh_from_db()
    assert held.status == "waiting"
    with refused("four_eyes"):
        make.approve(held, first)
    make.approve(held, second)
    held.refresh_from_db()
    assert held.status == "approved"


def test_alone_a_high_risk_approval_goes_through_and_is_marked_solo():
    held = make.proposal(**make.risky())
    assert make.approve(held, make.reviewer()).decision.solo


def test_an_owner_does_not_approve_the_high_risk_item_of_their_own_agent():
    from evidence.rules.vocab import Role

    held = make.proposal(**make.risky())
    owner = make.user("owner", Role.REVIEWER)
    make.user("owner", Role.OWNER, of=make.agent())
    make.reviewer("reviewer2")
    with refused("four_eyes"):
        make.approve(held, owner)


def test_two_accounts_of_one_person_are_not_four_eyes():
    held = make.proposal(**make.risky())
    first, second = make.reviewer("ada"), make.reviewer("ada-too")
    for account in (first, second):
        account.verified_identity = "ada@example.org"
        account.save()
    assert make.approve(held, first).decision.solo


def test_snoozing_hides_without_deciding_and_leaves_the_version():
    held = make.proposal()
    until = timezone.now() + timedelta(days=3)
    make.act(held, make.reviewer(), Action.SNOOZE, until=until)
    version = held.version
    held.refresh_from_db()
    assert (held.status, held.snoozed_until, held.version) == ("waiting", until, version)
    with refused("invalid_value"):
        make.act(held, make.reviewer(), Action.SNOOZE, until=timezone.now() - timedelta(days=1))


def test_asking_the_owner_opens_a_question_and_the_item_waits_on():
    held = make.proposal()
    make.act(held, make.reviewer(), Action.ASK_OWNER, question="Is that still so?")
    question = Inquiry.objects.get(held=held, kind="question")
    held.refresh_from_db()
    assert (question.question, held.status) == ("Is that still so?", "waiting")


@pytest.mark.parametrize("text", ["nul\0inside", "half \ud800 character", "x" * 2001])
def test_a_bad_reason_is_refused_and_nothing_is_written(text):
    held = make.proposal()
    before = (Decision.objects.count(), Snapshot.objects.count(), Outbox.objects.count())
    with pytest.raises(Refused) as info:
        make.act(held, make.reviewer(), Action.REJECT, reason_code="wrong", reason=text)
    assert info.value.status in (400, 413)
    assert (Decision.objects.count(), Snapshot.objects.count(), Outbox.objects.count()) == before


def test_a_secret_in_a_reason_is_refused_with_its_kind_only():
    held = make.proposal()
    token = "gh" + "p_" + "aB3dE5gH7jK9mN1pQ3sT5vX7zA9cF2hJ4kL6"
    with pytest.raises(Refused) as info:
        make.act(held, make.reviewer(), Action.REJECT, reason_code="wrong", reason=f"see {token}")
    assert info.value.extra["kinds"] == ["github_token"]
    assert token not in str(info.value) + str(info.value.extra)
    assert not Snapshot.objects.filter(body__contains=token).exists()


def test_what_the_verifier_rejects_cannot_be_approved_until_the_evidence_is_unlinked():
    from evidence.services.editing import edit_held

    good, bad = (
        make.inline("Backups run every night at two."),
        make.inline("old note", thread="t-2", redaction="redacted"),
    )
    held = make.proposal(evidence=(good, bad))
    assert held.verification_status == "rejected"
    reviewer = make.reviewer()
    with refused("verification_rejected"):
        make.approve(held, reviewer)
    bad_id = Evidence.objects.get(redaction="redacted").record_id
    edit_held(
        held_id=held.id, seen_version=held.version, actor=make.person(reviewer), reason="redacted", unlink=[bad_id]
    )
    held.refresh_from_db()
    assert held.verification_status == "verified"
    make.approve(held, reviewer)


def test_an_unverified_item_is_verified_inline_before_it_counts():
    held = make.proposal()
    HeldRecord.objects.filter(pk=held.pk).update(verification_status="pending")
    held.refresh_from_db()
    make.approve(held, make.reviewer())
    held.refresh_from_db()
    assert (held.status, held.verification_status) == ("approved", "verified")
