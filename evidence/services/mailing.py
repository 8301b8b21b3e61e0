"""A mail about news: built when it is sent, from what its reader may see at that moment.

Plain text and simple HTML, both of the same sections, both bounded. Texts of agents are one line each, with hidden characters
written out, escaped in HTML; none stands in a header. The Message-ID is the same however often the mail is built.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from email.utils import parseaddr

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.utils import timezone, translation

from evidence.models import Delivery, User
from evidence.rules.characters import visible
from evidence.rules.telling import Lane, NoticeKind
from evidence.selectors.telling import Section, Told, bounded, sections
from evidence.selectors.telling_words import and_more
from evidence.services.mail_links import answer_link
from evidence.services.notices import zone_of

ROWS_SHOWN = 10
SUBJECT_MAX = 160
_SUBJECTS_NAMED = 2
# Kinds about which the mail may carry a link that answers.
_ASKS = frozenset({NoticeKind.QUESTION, NoticeKind.OVERDUE, NoticeKind.EVIDENCE})


def build_mail(delivery: Delivery, user: User, told: Sequence[Told], now: datetime) -> EmailMultiAlternatives:
    """The whole message to this person, in their language and time zone."""
    with translation.override(user.language or settings.LANGUAGE_CODE), timezone.override(zone_of(user)):
        parts = sections(told, shown=ROWS_SHOWN)
        context = {
            "sections": [_section(part, user, now) for part in parts],
            "digest": delivery.lane == Lane.DIGEST,
            "settings_url": absolute("/settings/telling/"),
            "inbox_url": absolute("/inbox/"),
            "language": translation.get_language(),
        }
        mail = EmailMultiAlternatives(
            subject=subject_of(parts, told),
            body=render_to_string("evidence/mail/news.txt", context),
            to=[user.email],
            headers=_headers(delivery),
        )
        mail.attach_alternative(render_to_string("evidence/mail/news.html", context), "text/html")
        return mail


def subject_of(parts: Sequence[Section], told: Sequence[Told]) -> str:
    """What it is about, and of a single thing whose it is. One line, no direction controls, whatever an agent is called."""
    named = "; ".join(part.heading for part in parts[:_SUBJECTS_NAMED])
    if len(parts) > _SUBJECTS_NAMED:
        named += f"; {and_more(sum(part.number for part in parts[_SUBJECTS_NAMED:]))}"
    agents = {one.news.agent for one in told if one.news.agent}
    if len(agents) == 1:
        named += f" · {agents.pop()}"
    return one_line(f"[Evidence Desk] {named}")


def one_line(text: str) -> str:
    flat = visible(" ".join(text.split()))
    return flat if len(flat) <= SUBJECT_MAX else flat[: SUBJECT_MAX - 1] + "…"


# What mail programs turn into links by themselves: addresses, and names of hosts with a path behind them.
_LINKED = re.compile(r"://|\bwww\.|(?<=\w)\.(?=[a-z]{2,24}[/:?#])|(?<=\w)@(?=\w)|\bmailto:", re.IGNORECASE)


def unlinked(text: str) -> str:
    """Text of others in which no mail program finds a link to click: planted ones would look as if they were ours."""
    return _LINKED.sub(lambda found: f"[{found.group()}]", text)


def absolute(path: str) -> str:
    """The address under which the desk is reached from outside; the path alone where nobody said."""
    return f"{settings.PUBLIC_URL}{path}"


def message_id(delivery: Delivery) -> str:
    """The same for every attempt: a receiver that gets it twice can tell."""
    domain = parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition("@")[2] or "localhost"
    return f"<{delivery.pk.hex}@{domain}>"


def _headers(delivery: Delivery) -> dict[str, str]:
    headers = {
        "Message-ID": message_id(delivery),
        "Auto-Submitted": "auto-generated",
        "X-Auto-Response-Suppress": "All",
    }
    if settings.PUBLIC_URL:
        headers["List-Unsubscribe"] = f"<{absolute('/settings/telling/')}>"
    return headers


def _section(part: Section, user: User, now: datetime) -> dict[str, object]:
    rows = [
        {
            "agent": unlinked(visible(bounded(one.news.agent))),
            "text": unlinked(visible(one.text)),
            "url": absolute(one.path),
            "answer_url": _answer_url(one, user, now),
            "at": one.news.at,
        }
        for one in part.rows
    ]
    return {"heading": part.heading, "rows": rows, "more": and_more(part.more) if part.more else ""}


def _answer_url(one: Told, user: User, now: datetime) -> str:
    if one.kind not in _ASKS or not settings.MAIL_ANSWERS or not settings.PUBLIC_URL:
        return ""
    path = answer_link(inquiry_id=one.news.subject_id, user=user)
    return absolute(path) if path else ""
