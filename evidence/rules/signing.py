"""The signature of a webhook: HMAC-SHA256 over id, time and body, as the Standard Webhooks specification writes it. Pure."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac

PREFIX = "whsec_"
ID_HEADER, TIME_HEADER, SIGNATURE_HEADER = "webhook-id", "webhook-timestamp", "webhook-signature"


def secret_of(installation_key: str, salt: str) -> str:
    """The secret as it is shown: made of the installation's key and a random salt, so that neither alone signs anything."""
    raw = hmac.new(installation_key.encode(), f"webhook:{salt}".encode(), hashlib.sha256).digest()
    return PREFIX + base64.b64encode(raw).decode()


def signature(secret: str, message_id: str, timestamp: int, body: bytes) -> str:
    signed = f"{message_id}.{timestamp}.".encode() + body
    digest = hmac.new(_key(secret), signed, hashlib.sha256).digest()
    return "v1," + base64.b64encode(digest).decode()


def is_signed(secret: str, message_id: str, timestamp: int, body: bytes, given: str) -> bool:
    """Whether one of the signatures in the header is ours."""
    wanted = signature(secret, message_id, timestamp, body)
    return any(hmac.compare_digest(wanted.encode(), one.encode()) for one in given.split(" "))


def _key(secret: str) -> bytes:
    try:
        return base64.b64decode(secret.removeprefix(PREFIX), validate=True)
    except binascii.Error as error:
        raise ValueError("a webhook's secret is base64 behind whsec_") from error
