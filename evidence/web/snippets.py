"""What an agent needs to reach this desk, ready to be copied: a first proposal over REST, and the settings of an MCP client."""

from __future__ import annotations

import json
from dataclasses import dataclass

PLACEHOLDER = "<token of the agent>"
_PROPOSAL = {
    "statement": "Backups run every night at two.",
    "trust_class": "direct_user_instruction",
    "durability": "project",
    "evidence": [
        {
            "source": {"id": "session:AGENT/first-thread/conversation/1"},
            "excerpt": "User: backups run every night at two.",
            "event_at": "2026-01-01T12:00:00Z",
        }
    ],
}


@dataclass(frozen=True, slots=True)
class Snippet:
    id: str
    title: str
    text: str


def snippets(address: str, secret: str, agent: str) -> tuple[Snippet, ...]:
    """`address` is the desk's own, with a slash at its end; without a secret a placeholder stands for it."""
    token = secret or PLACEHOLDER
    body = json.dumps(_PROPOSAL, indent=2).replace("AGENT", json.dumps(agent or "AGENT")[1:-1])
    rest = "\n".join(
        (
            f"curl -sS {address}api/v1/proposals \\",
            f"  -H 'Authorization: Bearer {token}' \\",
            "  -H 'Content-Type: application/json' \\",
            f"  -d @- <<'END'\n{body}\nEND",
        )
    )
    server = {"type": "http", "url": f"{address}mcp", "headers": {"Authorization": f"Bearer {token}"}}
    mcp = json.dumps({"mcpServers": {"evidence-desk": server}}, indent=2)
    return (Snippet("rest", "REST", rest), Snippet("mcp", "MCP", mcp))
