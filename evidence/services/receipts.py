"""Receipts of recalls: minted for every text query, and looked at again when somebody says something of what was shown.

A recall is worth more than its receipt: where no key can be had, the answer goes out without one, and the log says so.
"""

from __future__ import annotations

from datetime import datetime

import structlog
from django.db import transaction
from django.utils import timezone

from evidence.models import DeskMark, Evidence, Token
from evidence.models.receipts import new_mark
from evidence.rules.access import readable
from evidence.rules.receipts import (
    LIFE,
    BadReceipt,
    Exposed,
    Here,
    Receipt,
    ReceiptFault,
    content_version,
    exposed,
    mint,
    verify,
)
from evidence.rules.records import Record
from evidence.rules.usability import usable
from evidence.selectors.tokens import reader_of
from evidence.services.errors import Refused
from evidence.services.receipt_keys import NoKeys, receipt_keys

log = structlog.get_logger(__name__)

WORDS: dict[ReceiptFault, str] = {
    ReceiptFault.FORM: "It is no receipt.",
    ReceiptFault.KEY: "Its key is not known here any more.",
    ReceiptFault.SIGNATURE: "Its signature is wrong.",
    ReceiptFault.INSTANCE: "It is of another desk.",
    ReceiptFault.NAMESPACE: "It is of another namespace.",
    ReceiptFault.EXPIRED: "It has expired: recall again.",
    ReceiptFault.EPOCH: "It is of before the last restore: recall again.",
    ReceiptFault.MEMBER: "It does not show this record at this place.",
    ReceiptFault.CONTENT: "The record is gone, or says something else now: recall again.",
}


def mark_of_desk() -> DeskMark:
    """The desk's own row; made where there is none yet."""
    return DeskMark.objects.first() or DeskMark.objects.get_or_create(pk=DeskMark.ONLY)[0]


def rotate_epoch(*, now: datetime | None = None) -> DeskMark:
    """After a restore: what was shown before it is not what is here now, so every receipt that is out ends."""
    with transaction.atomic():
        DeskMark.objects.get_or_create(pk=DeskMark.ONLY)
        mark = DeskMark.objects.select_for_update().get(pk=DeskMark.ONLY)
        mark.epoch, mark.since = new_mark(), now or timezone.now()
        mark.save(update_fields=["epoch", "since"])
    log.info("epoch_rotated", since=mark.since.isoformat())
    return mark


def receipt_for(*, namespace: str, query_hash: str, mode: str, shown: list[Record], now: datetime) -> str:
    """The token for an answer, also for an empty one; empty where there is no key to sign it. Its times are whole seconds, so
    that its length tells nothing but the number of results.
    """
    try:
        keys = receipt_keys()
    except NoKeys as error:
        log.error("receipt_without_key", error=str(error))
        return ""
    mark, issued = mark_of_desk(), now.replace(microsecond=0)
    members = tuple(Exposed(one.id, rank, content_version(one)) for rank, one in enumerate(shown, start=1))
    receipt = Receipt(
        key=keys.current, instance=mark.instance, epoch=mark.epoch, namespace=namespace, query=query_hash, mode=mode,
        issued=issued, expires=issued + LIFE, shown=members,
    )  # fmt: skip
    return mint(receipt, keys.by_id[keys.current])


def look_at(token: Token, receipt: str, *, record_id: str, rank: int, now: datetime) -> tuple[Receipt, Exposed]:
    """What a receipt says of one result, once all of it holds. Raises `Refused` invalid_value with the `fault`."""
    found = opened(token, receipt, now)
    return found, shown_in(token, found, record_id=record_id, rank=rank)[0]


def opened(token: Token, receipt: str, now: datetime) -> Receipt:
    """What a receipt says, once it holds by itself. Raises `Refused` invalid_value with the `fault`."""
    mark = mark_of_desk()
    here = Here(instance=mark.instance, epoch=mark.epoch, namespace=token.namespace, now=now)
    try:
        return verify(receipt, keys=receipt_keys().by_id, here=here)
    except BadReceipt as bad:
        raise faulty(bad.fault) from bad
    except NoKeys as error:
        log.error("receipt_without_key", error=str(error))
        raise faulty(ReceiptFault.KEY) from error


def shown_in(token: Token, receipt: Receipt, *, record_id: str, rank: int) -> tuple[Exposed, Evidence]:
    """One result of an opened receipt, with the record that still says so. Raises `Refused` invalid_value with the `fault`."""
    try:
        one = exposed(receipt, record_id=record_id, rank=rank)
        row = _says_it_still(token, one)
        if row is None:
            raise BadReceipt(ReceiptFault.CONTENT)
    except BadReceipt as bad:
        raise faulty(bad.fault) from bad
    return one, row


def faulty(fault: ReceiptFault) -> Refused:
    return Refused("invalid_value", f"receipt: {WORDS[fault]}", field="receipt", fault=str(fault))


def _says_it_still(token: Token, one: Exposed) -> Evidence | None:
    """By the rules of recall: what may not be shown now is answered like what is gone."""
    row = Evidence.objects.in_namespace(token.namespace).filter(record_id=one.record_id).first()
    if row is None or not readable(row.scope, reader_of(token)):
        return None
    record = row.to_record()
    says = usable(record, scan_secrets=False).usable and content_version(record) == one.content_version
    return row if says else None
