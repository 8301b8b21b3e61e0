"""The same calls about signals through REST and through MCP, so that one table proves both doors."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from tests.api.conftest import Door
from tests.mcp.conftest import Agent


@dataclass(frozen=True)
class Answered:
    """`code` and `reason` of a refusal; else the answer."""

    body: dict[str, Any]
    code: str = ""

    @property
    def reason(self) -> str:
        return str(self.body.get("reason") or "")

    @property
    def signal(self) -> dict[str, Any]:
        found: dict[str, Any] = self.body["signal"]
        return found


class Speaks(Protocol):
    def publish(self, content: str, **members: Any) -> Answered: ...
    def poll(self, **members: Any) -> Answered: ...
    def claim(self, **members: Any) -> Answered: ...
    def extend(self, signal: str, **members: Any) -> Answered: ...
    def ack(self, signal: str, **members: Any) -> Answered: ...


class OverRest:
    def __init__(self, secret: str) -> None:
        self._door = Door(secret)

    def publish(self, content: str, **members: Any) -> Answered:
        return self._answer(self._door.post("signals", {"content": content} | members))

    def poll(self, **members: Any) -> Answered:
        tags = [f"tags={tag}" for tag in members.pop("tags", [])]
        query = "&".join([*tags, *(f"{name}={value}" for name, value in members.items())])
        return self._answer(self._door.get(f"signals?{query}"))

    def claim(self, **members: Any) -> Answered:
        return self._answer(self._door.post("signals/claim", members))

    def extend(self, signal: str, **members: Any) -> Answered:
        return self._answer(self._door.post(f"signals/{signal}/extend", members))

    def ack(self, signal: str, **members: Any) -> Answered:
        return self._answer(self._door.post(f"signals/{signal}/ack", members))

    def _answer(self, answer: Any) -> Answered:
        body = answer.json()
        assert answer.status_code < 500, body
        return Answered(body, body["code"] if answer.status_code >= 400 else "")


class OverMcp:
    def __init__(self, secret: str) -> None:
        self._agent = Agent(secret)

    def publish(self, content: str, **members: Any) -> Answered:
        return self._call("publish_signal", content=content, **members)

    def poll(self, **members: Any) -> Answered:
        return self._call("poll_signals", **members)

    def claim(self, **members: Any) -> Answered:
        return self._call("claim_signal", **members)

    def extend(self, signal: str, **members: Any) -> Answered:
        return self._call("extend_signal_lease", signal=signal, **members)

    def ack(self, signal: str, **members: Any) -> Answered:
        return self._call("ack_signal", signal=signal, **members)

    def _call(self, tool: str, **members: Any) -> Answered:
        result = self._agent.call(tool, **members)
        body = result["structuredContent"]
        assert body.get("status") != 500, body
        return Answered(body, body["code"] if result.get("isError") else "")


DOORS: dict[str, Callable[[str], Speaks]] = {"rest": OverRest, "mcp": OverMcp}
NOBODYS = str(uuid.UUID(int=0))
