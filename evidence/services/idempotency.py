"""Requests that are sent twice happen once (doors "Idempotency-Key"): a key, the hash of its body, the ids of its result.

Kept for 24 hours and no text of it: an answer is built again from the ids, under today's permissions. Errors are not kept. The
work and the note that it is done commit together, so a crash leaves either both or neither.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from evidence.models import IdempotencyKey
from evidence.rules.chain import canonical_json
from evidence.rules.text import sha256_hex
from evidence.services.errors import Refused

KEPT = timedelta(hours=24)
# A request that runs this long has died with its process: the next one with its key takes over.
IN_FLIGHT = timedelta(seconds=60)
LONGEST_KEY = 200
_SALT = "evidence.idempotency"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the work came to: an HTTP status and ids from which its answer can be built."""

    status: int
    ids: Mapping[str, Any]
    replay: bool = False


@dataclass(frozen=True, slots=True)
class Request:
    """Whose request it is and what it asks. `key` is the caller's; an empty one means that every request counts."""

    credential: str
    method: str
    path: str
    key: str
    body: object

    @property
    def scope(self) -> str:
        return sha256_hex(self.credential, self.method, self.path, self.key)

    @property
    def body_hash(self) -> str:
        """Keyed: the body of a short request could be guessed from a bare hash."""
        return salted_hmac(_SALT, canonical_json(self.body), algorithm="sha256").hexdigest()


def once(*, request: Request, work: Callable[[], Outcome]) -> Outcome:
    """Do the work, or say what it came to when it was done before under the same key.

    Raises `Refused`: idempotency_conflict (another body), in_progress (the first still runs), and whatever the work refuses.
    """
    if not request.key:
        return work()
    check_key(request.key)
    claimed = _claim(request)
    if isinstance(claimed, Outcome):
        return claimed
    try:
        with transaction.atomic():
            outcome = work()
            _finish(claimed, outcome)
    except BaseException:
        _mine(claimed).delete()
        raise
    return outcome


def check_key(key: str) -> None:
    if len(key) > LONGEST_KEY or not key.isascii() or not key.isprintable():
        detail = f"Idempotency-Key has to be 1 to {LONGEST_KEY} printable ASCII characters."
        raise Refused("invalid_value", detail, field="Idempotency-Key")


def _claim(request: Request) -> IdempotencyKey | Outcome:
    """This request's own row in flight, or the outcome of the one before it."""
    now = timezone.now()
    try:
        with transaction.atomic():
            return IdempotencyKey.objects.create(scope=request.scope, body_hash=request.body_hash, created_at=now)
    except IntegrityError:
        pass  # known: what became of it decides
    known = IdempotencyKey.objects.filter(scope=request.scope).first()
    if known is None or known.created_at <= now - KEPT:
        return _take_over(known, request, now)
    if known.body_hash != request.body_hash:
        raise Refused("idempotency_conflict", "This Idempotency-Key was used with another body.")
    if known.status:
        return Outcome(known.status, known.result, replay=True)
    if known.created_at <= now - IN_FLIGHT:
        return _take_over(known, request, now)
    raise Refused("in_progress", "The first request with this Idempotency-Key still runs; ask again in a moment.")


def _take_over(known: IdempotencyKey | None, request: Request, now: datetime) -> IdempotencyKey:
    """Make a lapsed row this request's own. One of several that try at once succeeds; a row that just went is made anew."""
    if known is None:
        try:
            with transaction.atomic():
                return IdempotencyKey.objects.create(scope=request.scope, body_hash=request.body_hash, created_at=now)
        except IntegrityError:
            raise _busy() from None
    fresh = {"created_at": now, "body_hash": request.body_hash, "status": 0, "result": {}}
    if not IdempotencyKey.objects.filter(pk=known.pk, created_at=known.created_at).update(**fresh):
        raise _busy()
    for name, value in fresh.items():
        setattr(known, name, value)
    return known


def _finish(claimed: IdempotencyKey, outcome: Outcome) -> None:
    """Note the result, in the work's own transaction. A request that was taken over meanwhile undoes its work."""
    if not _mine(claimed).update(status=outcome.status, result=dict(outcome.ids)):
        raise _busy()


def _mine(claimed: IdempotencyKey) -> Any:
    """The row as long as it is still this request's: whoever takes over moves `created_at`."""
    return IdempotencyKey.objects.filter(pk=claimed.pk, created_at=claimed.created_at, status=0)


def _busy() -> Refused:
    return Refused("in_progress", "Another request with this Idempotency-Key runs; ask again in a moment.")
