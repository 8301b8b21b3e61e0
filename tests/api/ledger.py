"""One agent at the run ledger through either door: what is done, and the code of what is refused."""

from __future__ import annotations

from typing import Any, Protocol

from tests.api.conftest import Door, refusal
from tests.mcp.conftest import Agent


class Ledger(Protocol):
    def ask(self, action: str, run: str = "", **members: Any) -> tuple[str, dict[str, Any]]: ...


class OverRest:
    """`ask` gives the code of a refusal, or "" and the answer."""

    def __init__(self, secret: str) -> None:
        self.door = Door(secret)

    def ask(self, action: str, run: str = "", **members: Any) -> tuple[str, dict[str, Any]]:
        if action == "get":
            said = "&".join(f"{name}={value}" for name, value in members.items())
            answer = self.door.get(f"runs/{run}?{said}")
        else:
            path = {"begin": "runs", "event": f"runs/{run}/events", "complete": f"runs/{run}/complete"}.get(
                action, action
            )
            answer = self.door.post(path, members)
        if answer.status_code >= 400:
            return refusal(answer)[1], answer.json()
        assert answer.status_code == (201 if answer.json().get("created", False) else 200)
        return "", answer.json()


class OverMcp:
    def __init__(self, secret: str) -> None:
        self.agent = Agent(secret)

    def ask(self, action: str, run: str = "", **members: Any) -> tuple[str, dict[str, Any]]:
        tool = {"begin": "begin_run", "event": "record_run_event", "get": "get_run", "complete": "complete_run"}
        named = {"run_id": run} if action in ("event", "get", "complete") else {}
        result = self.agent.call(tool.get(action, action), **named, **members)
        if result.get("isError"):
            return str(result["structuredContent"]["code"]), result["structuredContent"]
        return "", result["structuredContent"]


class Teller:
    """Says it shortly: what has to succeed gives its answer, `no` gives the code of what has to be refused."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger

    def does(self, action: str, run: str = "", **members: Any) -> dict[str, Any]:
        code, answer = self.ledger.ask(action, run, **members)
        assert code == "", answer
        assert answer.get("grants") == []
        return answer

    def no(self, action: str, run: str = "", **members: Any) -> str:
        code, answer = self.ledger.ask(action, run, **members)
        assert code, answer
        return code

    def begin(self, **members: Any) -> dict[str, Any]:
        return self.does("begin", **{"workspace_key": "project:kestrel", "goal": "Restore the database."} | members)

    def event(self, run: str, word: str = "observation", **members: Any) -> dict[str, Any]:
        return self.does("event", run, **{"event_type": word, "summary": "It was so."} | members)

    def no_event(self, run: str, word: str = "observation", **members: Any) -> str:
        return self.no("event", run, **{"event_type": word, "summary": "It was so."} | members)

    def complete(self, run: str, word: str = "partial_success", **members: Any) -> dict[str, Any]:
        return self.does("complete", run, **{"outcome": word, "evaluator_type": "agent"} | members)

    def no_complete(self, run: str, word: str = "partial_success", **members: Any) -> str:
        return self.no("complete", run, **{"outcome": word, "evaluator_type": "agent"} | members)

    def ended(self, word: str = "partial_success", **members: Any) -> tuple[str, dict[str, Any]]:
        """A run that did nothing else, and its outcome."""
        run = self.begin(**members)["run_id"]
        self.event(run, "work_item_completed")
        judged = (
            {"evaluator_type": "deterministic_verifier", "evidence": ["pytest:1"]} if word == "verified_success" else {}
        )
        return run, self.complete(run, word, **judged)
