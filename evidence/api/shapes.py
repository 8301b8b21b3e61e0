"""What only REST's pages of OpenAPI say: which errors an operation has, and where things are.

What requests and answers look like is known below (`services.request_shapes`, `selectors.answer_shapes`): MCP takes the same.
"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from evidence.api.problems import Problem


def errors(*statuses: int) -> dict[int, type[BaseModel]]:
    return dict.fromkeys(statuses, Problem)


EVIDENCE_ERRORS = errors(400, 401, 403, 409, 413, 422)
PROPOSAL_ERRORS = errors(400, 401, 403, 409, 413, 422)
WITHDRAW_ERRORS = errors(400, 401, 403, 404, 409, 413, 422)
RECALL_ERRORS = errors(400, 401, 403, 413, 422)
NOT_FOUND = errors(401, 403, 404)


class About(BaseModel):
    """Where things are."""

    model_config = ConfigDict(extra="forbid")

    name: str
    api: str
    openapi: str
    docs: str
