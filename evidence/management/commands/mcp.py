"""`manage.py mcp`: the MCP door on standard input and output, with the agent's token from the environment."""

from __future__ import annotations

import os

from django.core.management.base import BaseCommand, CommandError

from evidence.selectors.tokens import token_for
from evidence.services.batching import stop

VARIABLE = "EVIDENCE_TOKEN"


class Command(BaseCommand):
    help = (
        f"Speak MCP on standard input and output, as the agent whose token is in {VARIABLE}. Logs go to standard error."
    )
    requires_system_checks: list[str] = []

    def handle(self, **options: object) -> None:
        from evidence.mcp.stdio import serve

        secret = os.environ.pop(VARIABLE, "").strip()
        if not secret:
            raise CommandError(f"Put the token of an agent into {VARIABLE} (manage.py agent_token AGENT prints one).")
        token = token_for(secret)
        if token is None:
            raise CommandError(f"The token in {VARIABLE} is not valid (any more).")
        if token.agent_id is None:
            raise CommandError(f"{VARIABLE} holds the token of a person; this needs one of an agent.")
        try:
            serve(secret)
        except KeyboardInterrupt:
            pass
        finally:
            stop()
