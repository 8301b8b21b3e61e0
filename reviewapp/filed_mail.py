"""Mail without a mail server: each message a file in the data folder, and one line in the log that says it is there.

The line names whom it is for, what it is about, and the page that it leads to. Of the links in a mail it takes none that is
worth something by itself (an answer without signing in, a new password): those stand in the file, which only its owner reads.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import structlog
from django.core.mail import EmailMessage
from django.core.mail.backends.filebased import EmailBackend as FileBackend

log = structlog.get_logger(__name__)

# A line of its own, as the mails about news have them; a text of an agent never stands alone in its line.
_PAGE = re.compile(
    r"^\s*((?:https?://[^/\s]+)?/(?:queue|inquiries|rechecks|records|audit|jobs|imports|inbox)/\S*)\s*$", re.MULTILINE
)


class EmailBackend(FileBackend):
    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        sent = super().send_messages(email_messages) or 0
        for message in email_messages[:sent]:
            log.info(
                "mail_filed", to=", ".join(message.to), subject=str(message.subject), link=page_in(str(message.body))
            )
        return sent


def page_in(body: str) -> str:
    """The first page that the mail leads to, if any."""
    found = _PAGE.search(body)
    return found[1] if found else ""
