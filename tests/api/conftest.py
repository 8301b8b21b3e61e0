"""A client that speaks for one token, and the shapes that its answers are held against."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.test import Client

from tests.builders import a_token

PROBLEM = "application/problem+json"


@dataclass
class Door:
    """Requests of one credential. `raise_request_exception` is off: an error that escapes is an answer 500, as for a caller."""

    secret: str = ""
    client: Client = field(default_factory=lambda: Client(raise_request_exception=False))

    def send(self, method: str, path: str, body: Any = None, *, raw: bytes | None = None, **headers: str) -> Any:
        data = raw if raw is not None else b"" if body is None else json.dumps(body).encode()
        given = {"Authorization": f"Bearer {self.secret}"} if self.secret else {}
        kind = headers.pop("content_type", "application/json")
        given |= {name.replace("_", "-"): value for name, value in headers.items()}
        return self.client.generic(method, f"/api/v1/{path}", data, content_type=kind, headers=given)

    def get(self, path: str, **headers: str) -> Any:
        return self.send("GET", path, **headers)

    def post(self, path: str, body: Any = None, **headers: Any) -> Any:
        return self.send("POST", path, body, **headers)

    def ids(self, query: str, **more: Any) -> list[str]:
        """The ids that a recall shows, best first."""
        answer = self.post("recall", {"query": query} | more)
        assert answer.status_code == 200, answer.content
        return [found["record"]["id"] for found in answer.json()["results"]]


def refusal(answer: Any) -> tuple[int, str]:
    """Status and code of a problem; asserts that it is one, in full."""
    assert answer.headers["Content-Type"] == PROBLEM, (answer.status_code, answer.content[:500])
    body = answer.json()
    assert {"type", "title", "status", "code", "detail"} <= set(body)
    assert body["status"] == answer.status_code
    return answer.status_code, body["code"]


@pytest.fixture
def door(db: None) -> Door:
    """Ada's token with every right."""
    return Door(a_token("ada").secret)


@pytest.fixture
def stranger(db: None) -> Door:
    """Bob's token in the same namespace."""
    return Door(a_token("bob").secret)
