"""A client that speaks MCP for one token to the view itself: quick, in the test's transaction. Real clients: `test_clients`."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import jsonschema
import pytest
from django.test import Client

from evidence.mcp.server import DESCRIBED
from tests.builders import a_token

VERSION = "2025-11-25"
_ids = count(1)


@dataclass
class Agent:
    """One credential's calls. What escapes from the view is an answer 500, as for a caller."""

    secret: str = ""
    client: Client = field(default_factory=lambda: Client(raise_request_exception=False))

    def post(self, raw: bytes, **headers: str) -> Any:
        given = {
            "Accept": "application/json, text/event-stream", "MCP-Protocol-Version": VERSION,
        } | ({"Authorization": f"Bearer {self.secret}"} if self.secret else {})  # fmt: skip
        given |= {name.replace("_", "-"): value for name, value in headers.items()}
        return self.client.generic("POST", "/mcp", raw, content_type="application/json", headers=given)

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """The answer of JSON-RPC, whole."""
        message = {"jsonrpc": "2.0", "id": next(_ids), "method": method, "params": params}
        answer = self.post(json.dumps(message).encode())
        body: dict[str, Any] = answer.json()
        return body

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        body = self.ask("tools/call", name=tool, arguments=arguments)
        assert "result" in body, body
        result: dict[str, Any] = body["result"]
        return result

    def does(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The structured answer of a call that has to succeed, held against the tool's schema."""
        result = self.call(tool, **arguments)
        assert not result.get("isError"), result
        jsonschema.validate(result["structuredContent"], DESCRIBED[tool].output_schema)
        assert "code" not in result["structuredContent"]
        assert result["content"][0]["text"]
        answer: dict[str, Any] = result["structuredContent"]
        return answer

    def refused(self, tool: str, **arguments: Any) -> str:
        """The code of a call that has to be refused."""
        result = self.call(tool, **arguments)
        assert result["isError"] is True, result
        members = result["structuredContent"]
        assert {"type", "title", "status", "code", "detail"} <= set(members)
        # Some clients look at this also when the call was refused.
        jsonschema.validate(members, DESCRIBED[tool].output_schema)
        assert result["content"][0]["text"].startswith(members["code"])
        return str(members["code"])


@pytest.fixture
def ada(db: None) -> Agent:
    return Agent(a_token("ada").secret)


@pytest.fixture
def bob(db: None) -> Agent:
    return Agent(a_token("bob").secret)
