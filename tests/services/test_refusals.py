"""What was refused because of a secret is counted by kind, door and agent, and nothing of it is kept."""

from __future__ import annotations

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from evidence.models import Tally
from evidence.models.tallies import Figure
from evidence.rules.vocab import Action
from evidence.services.batching import flush_all
from evidence.services.errors import Refused
from evidence.services.refusals import count_refused
from evidence.services.tokens import issue_agent_token
from tests.services import make

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nothing_of_other_tests(db: None) -> None:
    """What they had refused waits to be written as well."""
    flush_all()
    Tally.objects.all().delete()


SECRET = "ghp_" + "a1B2c3D4e5F6" * 3


def refused() -> dict[tuple[str, str, str], int]:
    """(agent, kind, door) -> number."""
    flush_all()
    return Tally.objects.of(Figure.REFUSED).by("agent", "word", "detail")


def test_a_refusal_is_counted_although_its_transaction_is_taken_back():
    held, reviewer = make.proposal(), make.reviewer()
    with pytest.raises(Refused) as caught, transaction.atomic():
        make.act(held, reviewer, Action.REJECT, reason_code="wrong", reason=f"Its token is {SECRET}")
    assert caught.value.code == "secret_detected"
    assert refused() == {("", "github_token", ""): 1}


def test_the_api_counts_for_the_agent_that_sent_it(client: Client):
    admin = make.user("admin", "administrator")
    issued = issue_agent_token(agent_id=make.agent().pk, namespace="default", actor=make.person(admin))
    for _ in range(2):
        answer = client.post(
            "/api/v1/proposals", {"statement": f"The token is {SECRET}", "evidence": []},
            content_type="application/json", headers={"authorization": f"Bearer {issued.secret}"},
        )  # fmt: skip
        assert answer.status_code == 422
        assert answer.json()["kinds"] == ["github_token"]
    assert refused() == {("ops-agent", "github_token", "api"): 2}


def test_a_page_counts_without_a_name(client: Client):
    held, reviewer = make.proposal(), make.reviewer()
    client.force_login(reviewer)
    form = {
        "action": "reject",
        "version": held.version,
        "reason_code": "wrong",
        "reason": SECRET,
        "idempotency_key": "k",
    }
    assert client.post(reverse("decide", args=[held.id]), form).status_code == 422
    assert refused() == {("", "github_token", ""): 1}


def test_only_kinds_of_the_vocabulary_are_counted_and_no_text_is_kept():
    count_refused(kinds=["github_token", "github_token", SECRET, "jwt"], door="mcp", agent="ops-agent")
    assert refused() == {("ops-agent", "github_token", "mcp"): 1, ("ops-agent", "jwt", "mcp"): 1}
    assert not any(SECRET in str(value) for row in Tally.objects.values_list() for value in row)
