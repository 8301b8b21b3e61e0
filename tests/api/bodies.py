"""The smallest bodies that the filing doors take, and a token-shaped text in parts so that no scanner trips over this file."""

from __future__ import annotations

from typing import Any

SECRET = "ghp_" + "a1B2" * 9


def evidence(**members: Any) -> dict[str, Any]:
    return {
        "source": {"id": "session:ada/t1/summary/1"},
        "content": "The kestrel deploys on Tuesdays.",
        "event_at": "2026-03-01T09:30:00Z",
    } | members


def proposal(**members: Any) -> dict[str, Any]:
    return {
        "statement": "The kestrel deploys on Tuesdays.",
        "evidence": [evidence()],
        "trust_class": "single_session_observation",
        "durability": "project",
    } | members


CLAIM = {"subject": "kestrel", "attribute": "deploy day", "value": "Tuesday"}
