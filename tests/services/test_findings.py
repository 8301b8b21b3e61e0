"""What new evidence says about the record that stands: found and asked, never carried out (contract 3, 10, 13)."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from evidence.models import Evidence, HeldRecord, Inquiry
from evidence.rules.vocab import Action, Trust
from evidence.services.drafts import EvidenceDraft
from evidence.services.errors import Refused
from evidence.services.filing import file_evidence
from evidence.services.proposing import file_proposal
from tests.services import make

pytestmark = pytest.mark.django_db


def report(version: str = "1", value: str = "past due", **members) -> EvidenceDraft:
    """A dated entry of the agent about the vendor account."""
    defaults = {
        "content": f"The account is {value}.", "claim": make.claim(value), "check_at": make.days_ago(1),
        "volatility": "stable", "trust_class": "direct_user_instruction", "durability": "project",
    }  # fmt: skip
    return EvidenceDraft(source_id="entry:ops-agent/billing", source_version=version, **(defaults | members))


@pytest.fixture
def old_fact():
    return make.fact("The account is active.", about=make.claim("active"), checked=timezone.now() - timedelta(days=9))


def test_a_proposal_whose_own_evidence_is_newer_than_the_fact_is_one_proposal(old_fact):
    said = make.inline("The vendor account is past due.", claim=make.claim(), check_at=make.days_ago(1))
    filed = file_proposal(filer=make.filer(), draft=make.draft("It is past due.", claim=make.claim(), evidence=(said,)))
    assert filed.created
    assert HeldRecord.objects.count() == 1
    old_fact.refresh_from_db()
    assert (old_fact.state, old_fact.version) == ("active", 1)


def test_evidence_of_a_proposal_about_something_else_is_judged_like_any_other(old_fact):
    said = make.inline("The vendor account is past due.", claim=make.claim(), check_at=make.days_ago(1))
    file_proposal(filer=make.filer(), draft=make.draft("Payments need a second look.", evidence=(said,)))
    assert sorted(held.claim_value for held in HeldRecord.objects.all()) == ["", "past due"]


def test_an_approved_capture_gets_its_finding_and_changes_no_fact(old_fact):
    filed = file_evidence(filer=make.filer(), draft=report(channel="webhook"))
    assert filed.finding is None
    make.approve(filed.held, make.reviewer())
    old_fact.refresh_from_db()
    filed.record.refresh_from_db()
    assert (old_fact.state, filed.record.review, filed.record.check_confirmed_by) == ("active", "approved", "")
    proposed = HeldRecord.objects.filter(kind="fact_proposal", claim_value="past due")
    assert Inquiry.objects.open().exists() or proposed.exists()


def test_an_approved_capture_replaces_the_version_of_its_source_before(old_fact):
    first = file_evidence(filer=make.filer(), draft=report("1", value="active"))
    second = file_evidence(filer=make.filer(), draft=report("2", value="active", channel="webhook", content="Active."))
    first.record.refresh_from_db()
    assert first.record.state == "active"
    make.approve(second.held, make.reviewer())
    first.record.refresh_from_db()
    assert (first.record.state, first.record.superseded_by) == ("superseded", second.record.record_id)


def test_what_was_rejected_does_not_come_back_through_evidence_of_the_same_source(old_fact):
    first = file_evidence(filer=make.filer(), draft=report("1"))
    held = HeldRecord.objects.get(pk=first.finding.held_id)
    make.act(held, make.reviewer(), Action.REJECT, reason_code="wrong")
    again = file_evidence(filer=make.filer(), draft=report("2", content="The account is past due, again."))
    assert (again.created, again.finding.outcome, again.finding.held_id) == (True, "supersede", None)
    assert not HeldRecord.objects.waiting().exists()
    other = EvidenceDraft(**(members(report("1")) | {"source_id": "entry:ops-agent/mailbox"}))
    assert file_evidence(filer=make.filer(), draft=other).finding.held_id is not None


def members(draft: EvidenceDraft) -> dict:
    return {name: getattr(draft, name) for name in EvidenceDraft.__slots__}


def test_a_proposal_made_of_evidence_keeps_to_its_readers(old_fact):
    importer = make.filer(is_import=True)
    filed = file_evidence(filer=importer, draft=report(scope_project="kestrel", scope_owner="sales-agent"))
    held = HeldRecord.objects.get(pk=filed.finding.held_id)
    assert (held.scope, held.fact_proposal.observation.scope) == (filed.record.scope, filed.record.scope)


def test_a_newer_version_of_an_article_that_nobody_reviewed_replaces_the_older():
    def page(version: str) -> Evidence:
        draft = EvidenceDraft(
            source_id="wiki:ops-agent/graph/notes/deploy.md", source_version=version, kind="article",
            content=f"# Deploys, version {version}",
        )  # fmt: skip
        return file_evidence(filer=make.filer(), draft=draft).record

    reviewed = make.article(source_id="wiki:ops-agent/graph/notes/deploy.md")
    first, second = page("a"), page("b")
    for row in (reviewed, first, second):
        row.refresh_from_db()
    assert (reviewed.state, first.state, second.state) == ("active", "superseded", "active")
    assert first.superseded_by == second.record_id


def test_a_confirmation_in_a_file_is_not_lost_where_its_date_is_the_same(old_fact):
    importer = make.filer(is_import=True, channel_class=Trust.OPERATOR)
    at = old_fact.check_at.isoformat()
    filed = file_evidence(
        filer=importer,
        draft=report(value="active", check_at=at, check_by="ada", check_confirmed_by="ada", trust="operator"),
    )
    assert filed.finding.outcome == "same"
    old_fact.refresh_from_db()
    assert (old_fact.check_confirmed_by, old_fact.check_at.isoformat()) == ("ada", at)


@pytest.mark.parametrize("review", ["held", "rejected"])
def test_another_agents_text_that_may_not_be_shown_cannot_be_cited(review):
    hidden = make.fact("Something unreviewed.", kind="observation", review=review, scope_owner="sales-agent")
    with pytest.raises(Refused, match="does not exist for you"):
        file_proposal(filer=make.filer(), draft=make.draft(evidence=(hidden.record_id,)))
