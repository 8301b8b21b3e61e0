"""Whose call this is, for the length of a call; and work of the desk in a thread that may use the database.

The SDK's handlers are coroutines, Django's ORM is not: everything of the desk runs in one thread per connection of the transport.
A call that is cancelled has either not begun or is carried out to its end there, so that nothing is half-written.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from asgiref.sync import sync_to_async
from django.db import close_old_connections
from django.utils import timezone

from evidence.models import Token
from evidence.rules.vocab import Door, Right
from evidence.selectors.tokens import token_for
from evidence.services.actors import Filer
from evidence.services.tokens import agent_with, filer_of

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Caller:
    """The credential of a connection. `owns_connection`: no request of Django's begins and ends around the call."""

    secret: str
    owns_connection: bool = False

    def token(self) -> Token | None:
        """Looked up anew for each call: a token may be revoked or run out while a program goes on."""
        return token_for(self.secret)


@dataclass(frozen=True, slots=True)
class Call:
    """One call that was let in."""

    token: Token
    now: datetime

    @property
    def filer(self) -> Filer:
        return filer_of(self.token, Door.MCP)


caller: ContextVar[Caller] = ContextVar("evidence_mcp_caller")


async def at_the_desk(right: Right, work: Callable[[Call], Result]) -> Result:
    """Do the work for the caller. Raises `Refused`: unauthenticated, right_missing, and what the work raises."""
    who = caller.get()

    def carry_out() -> Result:
        if who.owns_connection:
            close_old_connections()
        try:
            return work(Call(agent_with(who.token(), right), timezone.now()))
        finally:
            if who.owns_connection:
                close_old_connections()

    return await sync_to_async(carry_out, thread_sensitive=True)()
