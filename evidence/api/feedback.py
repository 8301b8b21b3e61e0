"""`POST feedback`: what an agent says of what it was shown (doors "Recall")."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import Router

from evidence.api.auth import AgentToken, token_of
from evidence.api.once import answered_once
from evidence.api.shapes import errors
from evidence.models import Token
from evidence.rules.vocab import Right
from evidence.selectors.answer_shapes import FeedbackOut
from evidence.selectors.answers import feedback_json
from evidence.selectors.feedback import own_word
from evidence.services.errors import Refused
from evidence.services.feedback import give_feedback
from evidence.services.feedback_shapes import FeedbackShape
from evidence.services.idempotency import Outcome

router = Router(tags=["Recall"])


@router.post(
    "feedback",
    auth=AgentToken(Right.RECALL),
    response={201: FeedbackOut, 200: FeedbackOut, **errors(400, 401, 403, 409, 413, 422)},
    operation_id="give_feedback",
    summary="Say whether it helped",
)
def post_feedback(request: HttpRequest, body: FeedbackShape) -> HttpResponse:
    """Say of one result whether it helped. One word for each query and record; another one takes its place as a correction.
    People see it; nothing is ranked, hidden or changed by it. A receipt that does not hold: 422 with the `fault`.
    """
    token = token_of(request)

    def work() -> Outcome:
        given = give_feedback(token=token, **body.to_arguments())
        return Outcome(201 if given.created else 200, {"feedback": str(given.row.pk), "created": given.created})

    return answered_once(request, work, lambda ids: _answer(token, ids))


def _answer(token: Token, ids: Mapping[str, Any]) -> dict[str, Any]:
    row = own_word(token, str(ids["feedback"]))
    if row is None:
        raise Refused("not_found", "There is no such feedback.")
    return feedback_json(row, created=bool(ids["created"]))
