"""The commands of credentials and indexes: one line each where a script reads it, a plain error, an exit status that tells."""

from __future__ import annotations

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from evidence.models import Agent, IndexEntry, Token
from evidence.selectors.tokens import token_for
from tests.builders import a_person, a_record, an_agent

pytestmark = pytest.mark.django_db


def printed(*command: str) -> str:
    out = StringIO()
    call_command(*command, stdout=out)
    return out.getvalue()


def test_agent_token_prints_one_line_that_works() -> None:
    line = printed("agent_token", "ada")
    assert line.count("\n") == 1
    token = token_for(line.strip())
    assert token is not None
    assert (token.agent_id, token.namespace, token.channel_class, token.max_access) == (
        "ada", "default", "internal", "private",
    )  # fmt: skip
    assert Agent.objects.get(pk="ada").namespace == "default"


def test_agent_token_takes_its_options() -> None:
    an_agent("ada", "project:x")
    secret = printed(
        "agent_token", "ada", "--project", "a", "--project", "b", "--rights", "file, recall", "--channel", "operator",
        "--max-access", "shared", "--trust-ceiling", "agent_inference", "--days", "7",
    ).strip()  # fmt: skip
    token = token_for(secret)
    assert token is not None
    assert (token.namespace, token.projects, token.rights) == ("project:x", ["a", "b"], ["file", "recall"])
    assert (token.channel_class, token.max_access, token.trust_ceiling) == ("operator", "shared", "agent_inference")
    other = token_for(printed("agent_token", "ada", "--namespace", "other").strip())
    assert other is not None
    assert (other.namespace, Agent.objects.get(pk="ada").namespace) == ("other", "project:x")


@pytest.mark.parametrize(
    "options",
    [["--rights", "fly"], ["--days", "0"], ["--trust-ceiling", "gospel"], ["--project", ""], ["--rights", ""]],
)
def test_a_refused_option_is_a_plain_error_and_leaves_nothing(options: list[str]) -> None:
    with pytest.raises(CommandError):
        printed("agent_token", "ada", *options)
    assert not Token.objects.exists()
    assert not Agent.objects.exists()


def test_person_token() -> None:
    a_person("rita")
    line = printed("person_token", "rita")
    token = token_for(line.strip())
    assert line.count("\n") == 1
    assert token is not None
    assert token.user is not None
    assert (token.user.username, token.agent_id, line[:4]) == ("rita", None, "edp_")
    with pytest.raises(CommandError):
        printed("person_token", "nobody")


def health() -> tuple[int, dict[str, Any]]:
    out = StringIO()
    try:
        call_command("index_health", "--json", stdout=out)
    except SystemExit as ended:
        return int(ended.code or 0), json.loads(out.getvalue())
    return 0, json.loads(out.getvalue())


def test_index_health_and_rebuild() -> None:
    a_record()
    assert health()[0] == 0
    IndexEntry.objects.all().delete()
    status, report = health()
    assert (status, report["ok"], report["backends"][0]["missing"]) == (1, False, 1)
    assert printed("index_rebuild") == "sql: 1 records indexed, 0 leftovers removed\n"
    assert health()[0] == 0
    assert "1 entries, 0 missing" in printed("index_health")


def test_tokens_are_listed_without_their_secrets_and_ended() -> None:
    secret = printed("person_token", a_person("rita").username).strip()
    other = printed("agent_token", "ada").strip()
    listed = printed("tokens")
    assert ("person rita" in listed, "agent ada" in listed) == (True, True)
    assert secret not in listed
    assert other not in listed
    (line,) = printed("tokens", "--user", "rita").splitlines()
    token_id = line.split()[0]
    for _ in range(2):
        assert printed("tokens", "--revoke", token_id) == f"{token_id} revoked\n"
    assert token_for(secret) is None
    assert printed("tokens", "--user", "rita") == ""
    assert "revoked" in printed("tokens", "--user", "rita", "--ended")
    for nothing in ("no-id", "01a22e2d-0000-7000-8000-000000000000"):
        with pytest.raises(CommandError, match="no such token"):
            printed("tokens", "--revoke", nothing)
