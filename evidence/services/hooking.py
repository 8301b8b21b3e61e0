"""What a webhook is sent: ids, words of the vocabulary and links, never a text of anybody; signed, and with an id of its own."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime

from django.conf import settings
from django.utils import translation

from evidence.models import Delivery, Webhook
from evidence.rules.characters import visible
from evidence.rules.signing import ID_HEADER, SIGNATURE_HEADER, TIME_HEADER, secret_of, signature
from evidence.rules.telling import HookFormat
from evidence.rules.times import to_iso
from evidence.selectors.telling import Section, Told, bounded, sections
from evidence.selectors.telling_words import and_more
from evidence.services.mailing import absolute

EVENTS_SHOWN = 100
LINES_SHOWN = 10
VERSION = 1
TEST = "test"


def secret_for(webhook: Webhook) -> str:
    return secret_of(settings.SECRET_KEY, webhook.salt)


def body_for(webhook: Webhook, delivery: Delivery, told: Sequence[Told]) -> bytes:
    """The body, the same bytes for every attempt of this delivery while nothing it tells of changed."""
    with translation.override(settings.LANGUAGE_CODE):
        make = _slack if webhook.format == HookFormat.SLACK else _generic
        return json.dumps(make(delivery, told), ensure_ascii=False, separators=(",", ":")).encode()


def headers_for(webhook: Webhook, delivery: Delivery, body: bytes, now: datetime) -> dict[str, str]:
    at = int(now.timestamp())
    message = str(delivery.pk)
    return {
        "Content-Type": "application/json",
        ID_HEADER: message,
        TIME_HEADER: str(at),
        SIGNATURE_HEADER: signature(secret_for(webhook), message, at, body),
    }


def _generic(delivery: Delivery, told: Sequence[Told]) -> dict[str, object]:
    return {
        "version": VERSION,
        "id": str(delivery.pk),
        "type": TEST if delivery.lane == TEST else "news",
        "digest": len(told) > 1,
        "count": sum(one.number for one in told),
        "events": [_event(one) for one in told[:EVENTS_SHOWN]],
        "left_out": max(len(told) - EVENTS_SHOWN, 0),
        # An event is history and permits nothing (contract 1).
        "grants": [],
    }


def _event(one: Told) -> dict[str, object]:
    return {
        "id": str(one.news.pk),
        "kind": one.news.kind,
        "at": to_iso(one.news.at),
        "subject": {"kind": one.news.subject_kind, "id": one.news.subject_id},
        "agent": one.news.agent,
        "namespace": one.news.namespace,
        "count": one.number,
        "url": absolute(one.path),
    }


def _slack(delivery: Delivery, told: Sequence[Told]) -> dict[str, object]:
    """Slack's message: one text, in which only our own links are links."""
    if delivery.lane == TEST:
        return {"text": "Evidence Desk: this is a test, nothing happened."}
    lines = [line for part in sections(told, shown=LINES_SHOWN) for line in _slack_lines(part)]
    return {"text": "\n".join(lines)}


def _slack_lines(part: Section) -> list[str]:
    lines = [f"*{slack_text(part.heading)}*"]
    for row in part.rows:
        name = slack_text(visible(bounded(row.news.agent))) or "…"
        lines.append(f"• <{absolute(row.path)}|{name}>" if settings.PUBLIC_URL else f"• {name}")
    return [*lines, and_more(part.more)] if part.more else lines


_SLACK_SIGNS = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "|": "¦", "*": "∗", "_": "＿", "~": "∼", "`": "ˋ"}


def slack_text(text: str) -> str:
    """Text in which Slack sees neither a link, nor a mention, nor formatting."""
    return "".join(_SLACK_SIGNS.get(sign, sign) for sign in text)
