"""The signed link in a mail that shows one question to one person without signing in (scenario S16).

It is not a session: it opens one page, and that page answers only what is sent from it after a confirmation. It dies with the
question, with the person's right to answer it, with a change of their password, with its time, and with the policy.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from django.conf import settings
from django.core import signing
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac

from evidence.models import Inquiry, User
from evidence.rules.vocab import InquiryStatus
from evidence.selectors.people import is_owner
from evidence.selectors.sides import NEVER_REVIEWED

PURPOSE = "evidence.mail.answer"


@dataclass(frozen=True, slots=True)
class Opened:
    """A link that is good at this moment: who it is for, and the question as that mail saw it."""

    user: User
    inquiry: Inquiry


def answer_link(*, inquiry_id: UUID | str, user: User) -> str:
    """The path of the page; empty for a question that this person cannot answer."""
    inquiry = Inquiry.objects.filter(pk=inquiry_id, status=InquiryStatus.OPEN).first()
    # A question about a list is answered where the list is.
    if inquiry is None or not is_owner(user, inquiry.agent_id) or inquiry.origin_system == NEVER_REVIEWED:
        return ""
    return reverse("mail-question", args=[token_for(inquiry, user)])


def token_for(inquiry: Inquiry, user: User) -> str:
    said = [inquiry.pk.hex, user.pk, inquiry.version, _password_mark(user)]
    return signing.dumps(said, salt=PURPOSE)


def open_link(token: str) -> Opened | None:
    """Whom and what the link is for; none when it is not ours, too old, or anything it stood on is gone."""
    if not settings.MAIL_ANSWERS:
        return None
    try:
        said = signing.loads(token, salt=PURPOSE, max_age=timedelta(days=settings.MAIL_ANSWER_DAYS))
        question, person, version, mark = said
        inquiry = Inquiry.objects.filter(pk=UUID(hex=str(question)), status=InquiryStatus.OPEN, version=version).first()
        user = User.objects.filter(pk=person, is_active=True).first()
    except (signing.BadSignature, ValueError, TypeError, ValidationError):
        return None
    if inquiry is None or user is None or not constant_time_compare(str(mark), _password_mark(user)):
        return None
    if inquiry.origin_system == NEVER_REVIEWED:
        return None
    return Opened(user, inquiry) if is_owner(user, inquiry.agent_id) else None


def _password_mark(user: User) -> str:
    """Changes with the password and with the installation's key, and tells nothing of either."""
    return salted_hmac(f"{PURPOSE}.password", f"{user.pk}:{user.password}", algorithm="sha256").hexdigest()[:20]
