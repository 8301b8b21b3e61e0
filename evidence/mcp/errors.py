"""What goes wrong in a call, as a result that a program can act on: `isError`, the code and what else helps (doors "Errors")."""

from __future__ import annotations

import structlog
from django.db import InterfaceError, OperationalError
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, CallToolResult, TextContent

from evidence.rules.errors import BadInput
from evidence.services.errors import Refused, problem_members

log = structlog.get_logger(__name__)

# An error without a status of HTTP has one all the same: programs that know the REST door read it.
_UNAVAILABLE, _INTERNAL = 503, 500


def error_members(error: Exception) -> dict[str, object]:
    """The members of a problem. What nobody foresaw is logged; the answer has nothing of it, since it may quote what was sent."""
    if isinstance(error, BadInput):
        error = Refused.of(error)
    if isinstance(error, Refused):
        return problem_members(error.status, error.code, error.detail, **error.extra)
    if isinstance(error, OperationalError | InterfaceError):
        log.error("mcp_without_database", error=type(error).__name__)
        return problem_members(_UNAVAILABLE, "unavailable", "The desk cannot reach its database just now. Try again.")
    log.error("mcp_error", exc_info=error)
    return problem_members(_INTERNAL, "internal", "Something went wrong here; it was logged.")


def as_result(error: Exception) -> CallToolResult:
    members = error_members(error)
    text = f"{members['code']}: {members['detail']}"
    return CallToolResult(content=[TextContent(text=text)], structured_content=members, is_error=True)


def as_protocol_error(error: Exception) -> MCPError:
    """For what has no result to put an error into: resources and prompts."""
    members = error_members(error)
    return MCPError(INVALID_PARAMS, f"{members['code']}: {members['detail']}", members)
