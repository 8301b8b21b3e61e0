"""How people are told: the sender of mails, whether a mail may carry a link that answers, where webhooks may lead."""

from __future__ import annotations

from reviewapp.settings import base
from reviewapp.settings.env import env, number

__all__ = ["DEFAULT_FROM_EMAIL", "EMAIL_TIMEOUT", "MAIL_ANSWERS", "MAIL_ANSWER_DAYS", "WEBHOOK_ALLOW_PRIVATE"]

DEFAULT_FROM_EMAIL: str = env.str("MAIL_FROM", default="") or "Evidence Desk <desk@localhost>"
# A mail server that says nothing may not hold a worker for long; well under the time for which a message is claimed.
EMAIL_TIMEOUT: int = getattr(base, "EMAIL_TIMEOUT", None) or 10

# Whether the mail about a question carries a link that shows it without signing in, to be answered by its owner.
MAIL_ANSWERS: bool = env.bool("MAIL_ANSWERS", default=False)
MAIL_ANSWER_DAYS: int = number("MAIL_ANSWER_DAYS", 7)

# Webhooks go to public addresses by https. A desk inside a network of its own may allow that network, and http.
WEBHOOK_ALLOW_PRIVATE: bool = env.bool("WEBHOOK_ALLOW_PRIVATE", default=False)
