"""Who calls: bearer tokens of agents and of people. Which agent, namespace and rights a token has is fixed in the token."""

from __future__ import annotations

from django.http import HttpRequest
from ninja.security import HttpBearer

from evidence.models import Token, User
from evidence.rules.vocab import Right
from evidence.selectors.tokens import token_for
from evidence.services.errors import Refused
from evidence.services.rate_limits import Lane, take_turn
from evidence.services.tokens import agent_with, note_use


class AgentToken(HttpBearer):
    """An agent's token (`eda_…`) with one right. A person's token is refused here: people do not file or recall as an agent."""

    openapi_description = "A token of an agent (`eda_…`); `manage.py agent_token AGENT` prints one."

    def __init__(self, right: Right, lane: Lane | None = None) -> None:
        super().__init__()
        self._right, self._lane = right, lane

    def __call__(self, request: HttpRequest) -> Token:
        """The token, or `Refused`: unauthenticated (whatever is wrong with it), right_missing, rate_limited."""
        return agent_with(super().__call__(request), self._right, self._lane)

    def authenticate(self, request: HttpRequest, token: str) -> Token | None:
        return token_for(token.strip())


class PersonToken(HttpBearer):
    """A person's token (`edp_…`). It reads and decides what the person's roles allow; an agent's token is refused here."""

    openapi_description = "A token of a person (`edp_…`); `manage.py person_token USER` prints one."

    def __init__(self, lane: Lane = Lane.OTHER) -> None:
        super().__init__()
        self._lane = lane

    def __call__(self, request: HttpRequest) -> Token:
        """The token, or `Refused`: unauthenticated (whatever is wrong with it), right_missing for an agent's, rate_limited."""
        token = super().__call__(request)
        if token is None:
            raise Refused("unauthenticated", "A valid bearer token is needed.")
        if token.user is None:
            raise Refused("right_missing", "This needs the token of a person; agents file and recall.")
        take_turn(token.pk, self._lane)
        note_use(token)
        return token

    def authenticate(self, request: HttpRequest, token: str) -> Token | None:
        return token_for(token.strip())


def person_of(request: HttpRequest) -> User:
    """The person whose token an operation's `auth` has let in."""
    user = token_of(request).user
    assert user is not None
    return user


def token_of(request: HttpRequest) -> Token:
    """The token that an operation's `auth` has let in."""
    return request.auth  # type: ignore[attr-defined,no-any-return]
