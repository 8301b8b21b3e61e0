"""The address of MCP: who may ask there, what it takes, and that nothing hostile gets more than a clear error."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client, override_settings

from evidence.models import Evidence
from tests.api.bodies import evidence
from tests.builders import a_token
from tests.mcp.conftest import Agent

MODERN = "2026-07-28"
META = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
LIST = b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}'


def code_of(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"].get("data", {}).get("code", "")


@pytest.mark.parametrize("method", ["GET", "HEAD", "DELETE", "PUT", "PATCH", "OPTIONS"])
def test_only_post_is_taken(method: str, ada: Agent) -> None:
    answer = Client().generic(method, "/mcp", headers={"Authorization": f"Bearer {ada.secret}"})
    assert (answer.status_code, answer.headers["Allow"]) == (405, "POST")


@pytest.mark.parametrize("given", ["", "Bearer", "Bearer eda_none", "Basic YTpi", "Bearer edp_none", "bearer \u00e9"])
def test_without_a_live_token_there_is_nothing(given: str, db: None) -> None:
    answer = Agent().post(LIST, Authorization=given)
    assert code_of(answer) == (401, "unauthenticated")
    assert answer.headers["WWW-Authenticate"].startswith("Bearer ")


def test_a_session_of_the_desk_is_no_credential(client: Client, django_user_model: Any, db: None) -> None:
    client.force_login(django_user_model.objects.create_superuser("root", password="p"))
    assert client.post("/mcp", LIST, content_type="application/json").status_code == 401


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("http://testserver", 200),
        ("https://desk.example", 200),
        ("https://evil.example", 403),
        ("http://testserver.evil.example", 403),
        ("null", 403),
        ("http://testserver:99", 403),
    ],
)
def test_pages_of_other_origins_may_not_ask(origin: str, status: int, ada: Agent) -> None:
    with override_settings(PUBLIC_URL="https://desk.example"):
        assert ada.post(LIST, Origin=origin).status_code == status


def test_another_host_is_refused(ada: Agent) -> None:
    assert ada.post(LIST, Host="evil.example").status_code == 400


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b"", (400, "malformed")),
        (b"{", (400, "malformed")),
        (b"\xff\xfe", (400, "malformed")),
        (b'{"a":1,"a":2}', (400, "malformed")),
        (b'{"id":NaN}', (400, "malformed")),
        (b"[" * 20_000, (400, "malformed")),
        (b'{"jsonrpc":"2.0","id":1,"method":"a\\u0000b"}', (400, "invalid_text")),
        (b'{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}', (400, "invalid_text")),
        (b'"' + b"x" * 300_000 + b'"', (413, "too_large")),
    ],
)
def test_what_is_no_message_is_refused(raw: bytes, expected: tuple[int, str], ada: Agent) -> None:
    assert code_of(ada.post(raw)) == expected


@pytest.mark.parametrize(
    "raw",
    [
        b"[]", b"1", b"null", b"{}", b"[" + LIST + b"]", b'{"jsonrpc":"2.0"}',
        b'{"jsonrpc":"2.0","id":1,"method":7}', b'{"jsonrpc":"2.0","id":1,"method":"tools/call"}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"recall","arguments":[]}}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"recall","arguments":{"query":"\\ud800"}}}',
        b'{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"evidence://record/' + b"x" * 5_000 + b'"}}',
        b'{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"evidence://record/%00"}}',
        b'{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"evidence://context/task/%ED%A0%80%00"}}',
        b'{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///etc/passwd"}}',
        b'{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"nothing"}}',
        b'{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"file_a_good_proposal","arguments":{"x":"y"}}}',
        b'{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{}}',
        b'{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"evidence://questions"}}',
    ],
)  # fmt: skip
def test_messages_that_make_no_sense_get_an_error(raw: bytes, ada: Agent) -> None:
    for version in ("2025-11-25", MODERN, "1999-01-01"):
        answer = ada.post(raw, MCP_Protocol_Version=version)
        assert 400 <= answer.status_code < 500 or (answer.status_code == 200 and "error" in answer.json()), (
            answer.content
        )
        assert b"Traceback" not in answer.content


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])
def test_other_media_types_are_refused(kind: str, ada: Agent) -> None:
    answer = Client().post("/mcp", LIST, content_type=kind, headers={"Authorization": f"Bearer {ada.secret}"})
    assert answer.status_code == 400


def test_the_newest_protocol_needs_no_handshake(ada: Agent) -> None:
    message = {
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "store", "arguments": evidence(), "_meta": META},
    }  # fmt: skip
    headers = {"MCP_Protocol_Version": MODERN, "Mcp_Method": "tools/call", "Mcp_Name": "store"}
    answer = ada.post(json.dumps(message).encode(), **headers)
    assert answer.status_code == 200, answer.content
    assert answer.json()["result"]["structuredContent"]["created"] is True
    assert Evidence.objects.get().filed_by == "ada"


def test_the_credential_goes_no_further(ada: Agent) -> None:
    from django.test import RequestFactory

    from evidence.mcp.http import _scope

    request = RequestFactory().post("/mcp", headers={"Authorization": f"Bearer {ada.secret}", "Cookie": "a=b"})
    names = {name for name, _ in _scope(request)["headers"]}
    assert names.isdisjoint({b"authorization", b"cookie"})


def test_two_agents_do_not_meet(ada: Agent, bob: Agent) -> None:
    ada.does("store", **evidence())
    assert bob.does("browse")["items"] == []
    assert bob.does("stats")["agent"] == "bob"
    assert ada.does("stats")["kinds"]["observation"]["count"] == 1


def test_a_database_that_is_away_is_said(ada: Agent) -> None:
    from django.db import connection

    def away(*_: Any) -> Any:
        from django.db import OperationalError

        raise OperationalError("gone")

    def only_in_the_tool(execute: Any, sql: str, *rest: Any) -> Any:
        return away() if "evidence_evidence" in sql else execute(sql, *rest)

    with connection.execute_wrapper(only_in_the_tool):
        assert ada.refused("stats") == "unavailable"


def test_a_token_of_another_namespace_sees_only_that(ada: Agent) -> None:
    ada.does("store", **evidence(scope={"access": "public"}))
    assert Agent(a_token("ada", namespace="elsewhere").secret).does("browse")["items"] == []
