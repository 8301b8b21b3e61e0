"""Reading credentials: from the secret that a request carries to the token, and from the token to the reader it stands for.

Only a SHA-256 of a secret is stored; it needs no slow hash, since a secret has 256 random bits (contract 13).
"""

from __future__ import annotations

import hashlib

from evidence.models import Token
from evidence.rules.records import Reader

AGENT_PREFIX = "eda_"
PERSON_PREFIX = "edp_"
LONGEST_SECRET = 200


def token_hash(secret: str) -> str:
    """64 hex digits."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def token_for(secret: str) -> Token | None:
    """The live token with this secret, its agent or person loaded; none when unknown, revoked, expired or of a blocked person.

    The same work whatever is wrong with it: one hash, one look-up by that hash.
    """
    found = Token.objects.live().select_related("agent", "user").filter(secret_hash=token_hash(secret[:LONGEST_SECRET]))
    token = found.first()
    if token is None or not secret.startswith(AGENT_PREFIX if token.agent_id else PERSON_PREFIX):
        return None
    return token if token.user is None or token.user.is_active else None


def reader_of(token: Token) -> Reader:
    """Whom an agent's token lets read: its agent, with the projects that an administrator gave it (contract 4, 13)."""
    return Reader(token.agent_id or "", tuple(token.projects))
