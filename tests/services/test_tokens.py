"""Issuing and revoking credentials: who may, what they carry, what the audit keeps (contract 13; DESIGN "Who may what")."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from evidence.models import Decision, Token
from evidence.rules.records import Reader
from evidence.rules.vocab import Access, Door, Role, Trust
from evidence.selectors.tokens import reader_of, token_for
from evidence.services.actors import Actor
from evidence.services.errors import Refused
from evidence.services.tokens import ensure_agent, filer_of, issue_agent_token, issue_person_token, revoke_token
from tests.builders import COMMAND, a_person, a_token, an_agent

pytestmark = pytest.mark.django_db


def code_of(call: Any, **arguments: Any) -> str:
    with pytest.raises(Refused) as refused:
        call(**arguments)
    return refused.value.code


def test_defaults_are_narrow() -> None:
    an_agent("ada")
    token = issue_agent_token(agent_id="ada", namespace="default", actor=COMMAND).token
    assert (token.channel_class, token.max_access, token.projects) == (Trust.INTERNAL, Access.PRIVATE, [])
    assert token.rights == ["file", "recall", "runs", "signals"]
    assert token.expires_at is not None
    assert token.expires_at - timezone.now() < timedelta(days=366)


def test_two_secrets_differ_and_each_finds_its_token() -> None:
    one, other = a_token("ada"), a_token("ada")
    assert one.secret != other.secret
    assert token_for(one.secret) == one.token
    assert token_for(other.secret) == other.token
    assert token_for("") is None


def test_the_token_is_the_reader_and_the_filer() -> None:
    token = a_token(
        "ada", namespace="elsewhere", projects=["kestrel"], channel_class="external", max_access="shared",
        trust_ceiling="agent_inference",
    ).token  # fmt: skip
    assert reader_of(token) == Reader("ada", ("kestrel",))
    filer = filer_of(token, Door.API)
    assert (filer.agent.id, filer.namespace, filer.projects) == ("ada", "elsewhere", ("kestrel",))
    assert (filer.channel_class, filer.max_access, filer.trust_ceiling) == ("external", "shared", "agent_inference")
    assert not filer.is_import


def test_issuing_and_revoking_are_audited_without_the_secret() -> None:
    issued = a_token("ada")
    for _ in range(2):
        revoke_token(token_id=issued.token.pk, actor=COMMAND)
    rows = Decision.objects.filter(target_id=str(issued.token.pk)).order_by("seq")
    assert [(row.action, row.agent, row.door) for row in rows] == [
        ("token_issue", "ada", "command"), ("token_revoke", "ada", "command"),
    ]  # fmt: skip
    assert issued.secret not in str(list(Decision.objects.values()))
    assert token_for(issued.secret) is None


def person_as(role: Role | None, agent_id: str = "ada") -> Actor:
    roles = [role] if role else []
    agent = None if role == Role.ADMINISTRATOR else an_agent(agent_id)
    return Actor.person(a_person(f"{role}-{agent_id}", *roles, agent=agent), Door.WEB)


ISSUING: list[tuple[str, Actor | Role | None, dict[str, Any], str]] = [
    ("an administrator", Role.ADMINISTRATOR, {"channel_class": "operator", "projects": ["p"]}, ""),
    ("the owner", Role.OWNER, {"max_access": "shared"}, ""),
    ("the owner, operator", Role.OWNER, {"channel_class": "operator"}, "right_missing"),
    ("the owner, projects", Role.OWNER, {"projects": ["p"]}, "right_missing"),
    ("a reviewer", Role.REVIEWER, {}, "right_missing"),
    ("an auditor", Role.AUDITOR, {}, "right_missing"),
    ("nobody in particular", None, {}, "right_missing"),
]


@pytest.mark.parametrize(("role", "options", "code"), [case[1:] for case in ISSUING], ids=[case[0] for case in ISSUING])
def test_who_may_issue_an_agents_token(role: Role | None, options: dict[str, Any], code: str) -> None:
    an_agent("ada")
    arguments = {"agent_id": "ada", "namespace": "default", "actor": person_as(role)} | options
    if not code:
        assert issue_agent_token(**arguments).token.agent_id == "ada"
    else:
        assert code_of(issue_agent_token, **arguments) == code
        assert not Token.objects.exists()


def test_an_owner_of_another_agent_and_an_agent_itself_may_not_issue() -> None:
    an_agent("ada")
    for actor in (person_as(Role.OWNER, "bob"), Actor.agent("ada", Door.API), Actor.policy(Door.COMMAND)):
        assert code_of(issue_agent_token, agent_id="ada", namespace="default", actor=actor) == "right_missing"


def test_who_may_issue_a_persons_token() -> None:
    rita = a_person("rita")
    assert issue_person_token(user=rita, actor=Actor.person(rita, Door.WEB)).secret.startswith("edp_")
    assert issue_person_token(user=rita, actor=person_as(Role.ADMINISTRATOR)).token.user == rita
    assert code_of(issue_person_token, user=rita, actor=person_as(Role.OWNER)) == "right_missing"
    rita.is_active = False
    rita.save()
    assert code_of(issue_person_token, user=rita, actor=COMMAND) == "not_found"


def test_who_may_revoke() -> None:
    issued = a_token("ada")
    for actor in (person_as(Role.REVIEWER), person_as(Role.OWNER, "bob"), Actor.agent("ada", Door.API)):
        assert code_of(revoke_token, token_id=issued.token.pk, actor=actor) == "not_found"
    revoke_token(token_id=issued.token.pk, actor=person_as(Role.OWNER))
    rita = a_person("rita")
    own = issue_person_token(user=rita, actor=COMMAND)
    revoke_token(token_id=own.token.pk, actor=Actor.person(rita, Door.WEB))
    assert not Token.objects.live().exists()


@pytest.mark.parametrize(
    "options",
    [
        {"rights": ["fly"]}, {"rights": []}, {"channel_class": "root"}, {"max_access": "world"}, {"days": 0}, {"days": 9_999},
        {"trust_ceiling": "gospel"}, {"projects": [""]}, {"projects": [f"p{n}" for n in range(101)]}, {"namespace": " "},
    ],
)  # fmt: skip
def test_odd_options_are_refused(options: dict[str, Any]) -> None:
    an_agent("ada")
    arguments = {"agent_id": "ada", "namespace": "default", "actor": COMMAND} | options
    assert code_of(issue_agent_token, **arguments) == "invalid_value"


def test_agents_are_added_by_administrators_only() -> None:
    assert ensure_agent(agent_id="new", namespace="n", actor=COMMAND).namespace == "n"
    assert ensure_agent(agent_id="new", namespace="other", actor=person_as(Role.OWNER)).namespace == "n"
    assert code_of(ensure_agent, agent_id="newer", namespace="n", actor=person_as(Role.OWNER)) == "right_missing"
    assert code_of(ensure_agent, agent_id=" x", namespace="n", actor=COMMAND) == "invalid_value"
    assert code_of(ensure_agent, agent_id="x\0", namespace="n", actor=COMMAND) == "invalid_text"
