"""Roles from the command line: accounts, audit, and what is refused."""

from __future__ import annotations

import io

import pytest
from django.core.management import CommandError, call_command

from evidence.models import Decision, Membership, User
from evidence.rules.vocab import Role
from evidence.selectors.audit import verify_chain
from evidence.selectors.people import is_reviewer
from tests.services import make

pytestmark = pytest.mark.django_db


def grant(*words: str) -> str:
    out = io.StringIO()
    call_command("grant", *words, stdout=out)
    return out.getvalue()


def test_a_new_reviewer_gets_an_account_a_role_and_a_password_that_works(client):
    make.agent()
    said = grant("rhea", "reviewer")
    person = User.objects.get(username="rhea")
    assert is_reviewer(person, "ops-agent")
    assert client.login(username="rhea", password=said.split("the password is ")[1].strip())
    assert Decision.objects.get(action="membership").effects[0]["role"] == "reviewer"
    assert verify_chain().ok


def test_again_changes_nothing_and_a_role_can_end():
    grant("rhea", "reviewer")
    assert "already" in grant("rhea", "reviewer")
    assert Membership.objects.count() == 1
    assert "no longer" in grant("rhea", "reviewer", "--end")
    assert not is_reviewer(User.objects.get(username="rhea"), "ops-agent")
    assert "is not" in grant("rhea", "reviewer", "--end")
    grant("rhea", "reviewer")
    assert Membership.objects.active().count() == 1


def test_only_for_one_agent():
    make.agent()
    grant("rhea", "owner", "--agent", "ops-agent")
    assert Membership.objects.get().agent_id == "ops-agent"
    with pytest.raises(CommandError, match="no agent"):
        grant("rhea", "owner", "--agent", "nobody")


def test_an_administrator_gets_into_the_admin_site():
    grant("root", "administrator")
    person = User.objects.get(username="root")
    assert (person.is_staff, person.memberships.get().role) == (True, Role.ADMINISTRATOR)


def test_a_weak_password_is_refused_with_its_reason(monkeypatch):
    monkeypatch.setenv("NEW_PASSWORD", "1234")
    with pytest.raises(CommandError, match="password"):
        grant("rhea", "reviewer")
    assert not User.objects.get(username="rhea").has_usable_password()
