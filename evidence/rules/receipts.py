"""The receipt of a recall: a signed list of what was shown, in which order and in which words. Pure.

`v1.<payload>.<signature>`, both in URL-safe base64 without padding. The payload is canonical JSON, signed as it stands in the
token (HMAC-SHA256). It is tamper-evident and not encrypted; it proves neither who asked nor that anything was used, and it
permits nothing.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from evidence.rules.chain import canonical_json
from evidence.rules.identity import content_hash
from evidence.rules.records import Record
from evidence.rules.text import sha256_hex
from evidence.rules.times import read_time, to_iso

VERSION = "v1"
LIFE = timedelta(minutes=15)
LONGEST = 32 * 1024
_MEMBERS = frozenset({"key", "instance", "epoch", "namespace", "query", "mode", "issued", "expires", "shown"})


class ReceiptFault(StrEnum):
    """What is wrong with a receipt, in the order in which it is looked for."""

    FORM = "form"
    KEY = "key"
    SIGNATURE = "signature"
    INSTANCE = "instance"
    NAMESPACE = "namespace"
    EXPIRED = "expired"
    EPOCH = "epoch"
    MEMBER = "member"
    CONTENT = "content"


class BadReceipt(ValueError):
    """A receipt that does not hold; `fault` says which look at it failed."""

    def __init__(self, fault: ReceiptFault) -> None:
        super().__init__(str(fault))
        self.fault = fault


@dataclass(frozen=True, slots=True)
class Exposed:
    """One result: which record, at which place (from 1), in which words."""

    record_id: str
    rank: int
    content_version: str


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a token says. `query` is a keyed hash; `key` names the key that signed it."""

    key: str
    instance: str
    epoch: str
    namespace: str
    query: str
    mode: str
    issued: datetime
    expires: datetime
    shown: tuple[Exposed, ...]


@dataclass(frozen=True, slots=True)
class Here:
    """Where a receipt is looked at: this desk, its epoch, the namespace of the credential, the time."""

    instance: str
    epoch: str
    namespace: str
    now: datetime


def content_version(record: Record) -> str:
    """Names the words of a record, so that feedback about other words is noticed."""
    return content_hash(record)[:32]


def token_hash(token: str) -> str:
    """All that is kept of a token."""
    return sha256_hex("receipt", token)


def mint(receipt: Receipt, secret: bytes) -> str:
    """The token."""
    body = {
        "key": receipt.key, "instance": receipt.instance, "epoch": receipt.epoch, "namespace": receipt.namespace,
        "query": receipt.query, "mode": receipt.mode, "issued": to_iso(receipt.issued), "expires": to_iso(receipt.expires),
        "shown": [[one.record_id, one.rank, one.content_version] for one in receipt.shown],
    }  # fmt: skip
    payload = _encode(canonical_json(body).encode())
    return f"{VERSION}.{payload}.{_encode(_mac(payload, secret))}"


def verify(token: str, *, keys: Mapping[str, bytes], here: Here) -> Receipt:
    """What the token says, once everything holds. Raises `BadReceipt` for the first that does not, in this order: form, key,
    signature, instance, namespace, expired, epoch. What it says of one record, `exposed` looks at.
    """
    receipt, payload, signature = _parsed(token)
    secret = keys.get(receipt.key)
    if secret is None:
        raise BadReceipt(ReceiptFault.KEY)
    if not hmac.compare_digest(_mac(payload, secret), signature):
        raise BadReceipt(ReceiptFault.SIGNATURE)
    looks = (
        (receipt.instance == here.instance, ReceiptFault.INSTANCE),
        (receipt.namespace == here.namespace, ReceiptFault.NAMESPACE),
        (receipt.issued <= here.now + timedelta(minutes=1) and here.now < receipt.expires, ReceiptFault.EXPIRED),
        (receipt.epoch == here.epoch, ReceiptFault.EPOCH),
    )
    for holds, fault in looks:
        if not holds:
            raise BadReceipt(fault)
    return receipt


def exposed(receipt: Receipt, *, record_id: str, rank: int) -> Exposed:
    """The result that is spoken of. Raises `BadReceipt` member: it was not shown, or not at that place."""
    for one in receipt.shown:
        if (one.record_id, one.rank) == (record_id, rank):
            return one
    raise BadReceipt(ReceiptFault.MEMBER)


def _parsed(token: str) -> tuple[Receipt, str, bytes]:
    parts = token.split(".")
    if len(token) > LONGEST or len(parts) != 3 or parts[0] != VERSION:
        raise BadReceipt(ReceiptFault.FORM)
    try:
        body, signature = json.loads(_decode(parts[1])), _decode(parts[2])
        return _read(body), parts[1], signature
    except (ValueError, TypeError, KeyError, RecursionError, binascii.Error) as error:
        raise BadReceipt(ReceiptFault.FORM) from error


def _read(body: object) -> Receipt:
    if not isinstance(body, dict) or set(body) != _MEMBERS:
        raise ValueError("members")
    texts = {name: body[name] for name in ("key", "instance", "epoch", "namespace", "query", "mode")}
    times = {name: read_time(body[name]) for name in ("issued", "expires")}
    if not all(isinstance(text, str) for text in texts.values()):
        raise ValueError("texts")
    issued, expires = times["issued"], times["expires"]
    if issued is None or expires is None:
        raise ValueError("times")
    return Receipt(**texts, issued=issued, expires=expires, shown=_shown(body["shown"]))


def _shown(rows: Sequence[Sequence[object]]) -> tuple[Exposed, ...]:
    found: list[Exposed] = []
    for record_id, rank, version in rows:
        if not isinstance(record_id, str) or not isinstance(rank, int) or not isinstance(version, str):
            raise ValueError("shown")
        found.append(Exposed(record_id, rank, version))
    return tuple(found)


def _mac(payload: str, secret: bytes) -> bytes:
    return hmac.new(secret, payload.encode("ascii"), hashlib.sha256).digest()


def _encode(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode("ascii")


def _decode(text: str) -> bytes:
    """Strict: one text for one value, so that a token has one hash."""
    raw = base64.b64decode(text.encode("ascii") + b"=" * (-len(text) % 4), altchars=b"-_", validate=True)
    if _encode(raw) != text:
        raise ValueError("not canonical")
    return raw
