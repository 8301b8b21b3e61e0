"""REST's way to a body's members. Its size is the business of `services.bodies`, what stands in it of `services.incoming`."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from ninja.parser import Parser

from evidence.services.incoming import read_object


class StrictParser(Parser):
    """ninja's way to the body's members. What it refuses arrives at the error handlers as the cause of ninja's own error."""

    def parse_body(self, request: HttpRequest) -> dict[str, Any]:
        value = read_object(request.body, agent=_agent_of(request))
        request.parsed_body = value  # type: ignore[attr-defined]
        return value


def _agent_of(request: HttpRequest) -> str:
    """Whose token let the request in; a body is only read behind one."""
    return str(getattr(getattr(request, "auth", None), "agent_id", None) or "")
