"""How far an agent has read the signals of its namespace: a cursor that outlives restarts and ends with a restore. Pure.

`s1.<payload>`: JSON of epoch, namespace and position in URL-safe base64. The position is sealed: the plain number would tell
how many signals there are that the agent may not read. Sealing is deterministic; no other position is a cursor.
A cursor permits nothing: what is behind it is looked at anew by who asks.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
from dataclasses import dataclass
from enum import StrEnum

from evidence.rules.chain import canonical_json

VERSION = "s1"
LONGEST = 1_200
_TAG, _NUMBER = 12, 8


class CursorFault(StrEnum):
    """What is wrong with a cursor, in the order in which it is looked for."""

    FORM = "form"
    NAMESPACE = "namespace"
    EPOCH = "epoch"


class BadCursor(ValueError):
    def __init__(self, fault: CursorFault) -> None:
        super().__init__(str(fault))
        self.fault = fault


@dataclass(frozen=True, slots=True)
class Place:
    """Whose numbers a position counts: a namespace of this desk since its last restore."""

    epoch: str
    namespace: str


def cursor_of(place: Place, position: int, secret: bytes) -> str:
    number = position.to_bytes(_NUMBER, "big")
    tag = _mac(secret, "tag", place, number)[:_TAG]
    sealed = tag + _masked(number, secret, place, tag)
    body = {"epoch": place.epoch, "namespace": place.namespace, "at": sealed.hex()}
    payload = base64.urlsafe_b64encode(canonical_json(body).encode()).decode().rstrip("=")
    return f"{VERSION}.{payload}"


def position_of(cursor: str, here: Place, secret: bytes) -> int:
    """Raises `BadCursor`: no cursor of this desk, one of another namespace, one of before the last restore."""
    place, sealed = _parsed(cursor)
    if place.namespace != here.namespace:
        raise BadCursor(CursorFault.NAMESPACE)
    if place.epoch != here.epoch:
        raise BadCursor(CursorFault.EPOCH)
    tag = sealed[:_TAG]
    number = _masked(sealed[_TAG:], secret, here, tag)
    if not hmac.compare_digest(_mac(secret, "tag", here, number)[:_TAG], tag):
        raise BadCursor(CursorFault.FORM)
    return int.from_bytes(number, "big")


def _parsed(cursor: str) -> tuple[Place, bytes]:
    version, _, payload = cursor.partition(".")
    try:
        if version != VERSION or len(cursor) > LONGEST:
            raise ValueError
        text = base64.b64decode(payload + "=" * (-len(payload) % 4), altchars=b"-_", validate=True)
        body = json.loads(text.decode("utf-8"))
        place, sealed = Place(body["epoch"], body["namespace"]), bytes.fromhex(body["at"])
        named: tuple[object, object] = (body["epoch"], body["namespace"])
        if not (all(isinstance(one, str) for one in named) and len(sealed) == _TAG + _NUMBER):
            raise ValueError
    except (ValueError, KeyError, TypeError, RecursionError, binascii.Error) as error:
        raise BadCursor(CursorFault.FORM) from error
    return place, sealed


def _mac(secret: bytes, use: str, place: Place, value: bytes) -> bytes:
    # JSON keeps the parts apart whatever is in them.
    said = json.dumps([use, place.epoch, place.namespace, value.hex()]).encode()
    return hmac.new(secret, said, hashlib.sha256).digest()


def _masked(number: bytes, secret: bytes, place: Place, tag: bytes) -> bytes:
    mask = _mac(secret, "mask", place, tag)
    return bytes(one ^ other for one, other in zip(number, mask, strict=False))
