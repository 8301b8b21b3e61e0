"""Who is asked when what an agent proposes disagrees with a reviewed article of another agent (contract 3)."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from evidence.models import Decision, HeldRecord, Inquiry, User
from evidence.rules.vocab import Role
from evidence.services.errors import Refused
from evidence.services.inquiry_evidence import bring_evidence
from tests.services import disputes, make
from tests.services.answered import plan_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def asked() -> tuple[User, User, HeldRecord, Inquiry]:
    """The owner of the article's agent, the owner of the agent that proposes, its item, and the question."""
    author, proposer = make.agent("docs-agent"), make.agent("ops-agent")
    of_article, of_proposer = make.user("author", Role.OWNER, of=author), make.user("proposer", Role.OWNER, of=proposer)
    make.article(about=make.claim(*disputes.TUESDAY), scope_owner=author.id)
    held = make.proposal(proposer, "Deploys happen on Thursday.", claim=make.claim(*disputes.THURSDAY))
    return of_article, of_proposer, held, Inquiry.objects.open().get(held=held)


def test_the_owner_of_the_article_is_asked(asked: tuple[User, User, HeldRecord, Inquiry], client: Client) -> None:
    of_article, of_proposer, held, question = asked
    assert (question.agent_id, question.assigned_to) == ("docs-agent", of_article)
    address = reverse("inquiry", args=[question.pk])
    client.force_login(of_proposer)
    assert client.get(address).status_code == 404
    client.force_login(of_article)
    page = client.get(address)
    assert page.status_code == 200
    # The item is another agent's: it is named, and no link leads where this person may not go.
    assert reverse("item", args=[held.pk]) not in page.content.decode()


def test_the_item_goes_back_to_whoever_proposed_it(asked: tuple[User, User, HeldRecord, Inquiry]) -> None:
    of_article, _of_proposer, held, question = asked
    plan = plan_of(question, of_article, "current")
    assert "ops-agent is told why" in " ".join(step.words for step in plan.steps)
    disputes.answer(question, of_article, "current", plan_digest=plan.digest)
    held.refresh_from_db()
    assert (held.status, Decision.objects.get(pk=held.decision_id).actor_name) == ("rejected", "author")


def test_who_proposed_it_is_asked_for_evidence_and_nobody_else(asked: tuple[User, User, HeldRecord, Inquiry]) -> None:
    of_article, _of_proposer, held, question = asked
    plan = plan_of(question, of_article, "need_evidence")
    assert "ops-agent is asked for evidence" in plan.steps[0].words
    disputes.answer(question, of_article, "need_evidence", plan_digest=plan.digest)
    assert not Inquiry.objects.for_agent("docs-agent", "default").exists()
    assert list(Inquiry.objects.for_agent("ops-agent", "default")) == [question]
    evidence = make.inline("Deploys happen on Thursday, says the calendar.", thread="t-9")
    with pytest.raises(Refused, match="not_found"):
        bring_evidence(
            filer=make.filer(question.agent), inquiry_id=question.pk, draft=make.inline("Not asked.", of="docs-agent")
        )
    came = bring_evidence(filer=make.filer(held.agent), inquiry_id=question.pk, draft=evidence)
    assert (came.attached, came.inquiry.version) == (True, question.version + 2)


def test_a_fact_is_still_a_matter_of_the_agent_that_disputes_it() -> None:
    make.fact("The account is active.", about=make.claim("active"), scope_owner=make.agent("docs-agent").id)
    held = make.proposal(make.agent("ops-agent"), "The account is past due.", claim=make.claim())
    assert Inquiry.objects.open().get(held=held).agent_id == "ops-agent"
