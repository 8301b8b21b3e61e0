"""What a piece of news is called, alone and among others, in the language that is active. Holds no text of anybody."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from evidence.rules.telling import Channel, Choice, DeliveryState, NoticeKind


def heading(kind: NoticeKind, number: int) -> str:
    """One line for so many of a kind."""
    n = max(number, 1)
    words = {
        NoticeKind.HIGH_RISK: ngettext(
            "A high-risk item waits for review", "%(n)d high-risk items wait for review", n
        ),
        NoticeKind.WAITING: ngettext("A new item waits for review", "%(n)d new items wait for review", n),
        NoticeKind.QUESTION: ngettext("A question waits for an answer", "%(n)d questions wait for an answer", n),
        NoticeKind.OVERDUE: ngettext("A question is overdue", "%(n)d questions are overdue", n),
        NoticeKind.EVIDENCE: ngettext(
            "Evidence came for an open question", "Evidence came for %(n)d open questions", n
        ),
        NoticeKind.RECHECK: ngettext("A fact is due to be checked again", "%(n)d facts are due to be checked again", n),
        NoticeKind.USED_GONE: ngettext(
            "A run used a record that does not stand any more", "%(n)d runs used records that do not stand any more", n
        ),
        NoticeKind.SECOND: ngettext(
            "An approval needs a second person", "%(n)d approvals need a second person", n
        ),
        NoticeKind.VOIDED: ngettext(
            "A first approval no longer counts: the item changed",
            "%(n)d first approvals no longer count: the items changed", n,
        ),
        NoticeKind.OVERTURNED: ngettext("A decision was overturned", "%(n)d decisions were overturned", n),
        NoticeKind.IMPORTED: ngettext("An import finished", "%(n)d imports finished", n),
        NoticeKind.JOB: ngettext(
            "A bulk job finished, and not every item was done", "%(n)d bulk jobs finished with items not done", n
        ),
        NoticeKind.WEBHOOK: ngettext("A webhook no longer answers", "%(n)d webhooks no longer answer", n),
    }  # fmt: skip
    return words[kind] % {"n": n}


NAMES: dict[str, object] = {
    NoticeKind.HIGH_RISK: gettext_lazy("A high-risk item waits for you"),
    NoticeKind.WAITING: gettext_lazy("Other new items wait"),
    NoticeKind.QUESTION: gettext_lazy("A question for you"),
    NoticeKind.OVERDUE: gettext_lazy("A question that is overdue"),
    NoticeKind.EVIDENCE: gettext_lazy("Evidence came for your question"),
    NoticeKind.RECHECK: gettext_lazy("Facts to check again"),
    NoticeKind.USED_GONE: gettext_lazy("Runs that used a record which does not stand any more"),
    NoticeKind.SECOND: gettext_lazy("An approval needs you as the second person"),
    NoticeKind.VOIDED: gettext_lazy("Your first approval no longer counts"),
    NoticeKind.OVERTURNED: gettext_lazy("Your decision was undone, or what it approved does not stand any more"),
    NoticeKind.IMPORTED: gettext_lazy("An import finished"),
    NoticeKind.JOB: gettext_lazy("Your bulk job ended with items not done"),
    NoticeKind.WEBHOOK: gettext_lazy("A webhook no longer answers"),
}

CHOICES: dict[str, object] = {
    Choice.AT_ONCE: gettext_lazy("at once"),
    Choice.DIGEST: gettext_lazy("in the daily digest"),
    Choice.OFF: gettext_lazy("off"),
}

# An inbox disturbs nobody: there a thing is, or is not.
SHOWN = gettext_lazy("shown")

CHANNELS: dict[str, object] = {
    Channel.INBOX: gettext_lazy("Inbox"),
    Channel.MAIL: gettext_lazy("Mail"),
    Channel.WEBHOOK: gettext_lazy("Webhook"),
}

STATES: dict[str, object] = {
    DeliveryState.COLLECTING: gettext_lazy("collecting"),
    DeliveryState.WAITING: gettext_lazy("waiting to be sent"),
    DeliveryState.CLAIMED: gettext_lazy("being sent"),
    DeliveryState.HANDING: gettext_lazy("being sent"),
    DeliveryState.SENT: gettext_lazy("sent"),
    DeliveryState.DOUBTFUL: gettext_lazy("may not have arrived"),
    DeliveryState.DEAD: gettext_lazy("given up"),
    DeliveryState.DROPPED: gettext_lazy("nothing left to say"),
}


_ERRORS: dict[str, object] = {
    "private_address": gettext_lazy("it leads to a private address"),
    "no_such_host": gettext_lazy("there is no host of that name"),
    "unreachable": gettext_lazy("nobody answers there"),
    "tls_failed": gettext_lazy("no encrypted connection came about"),
    "no_answer": gettext_lazy("it did not answer in time"),
    "no_http": gettext_lazy("what it answered is no HTTP"),
    "address_refused": gettext_lazy("its address is none that may be called"),
    "recipient_refused": gettext_lazy("the mail server refused the recipient"),
    "mail_login_refused": gettext_lazy("the mail server refused the login"),
    "worker_died": gettext_lazy("the worker ended while it was leaving"),
    "internal": gettext_lazy("an error of the desk; its log says more"),
}


def error_words(word: str) -> str:
    """Why something did not arrive, from the word that is kept of it."""
    if word in _ERRORS:
        return str(_ERRORS[word])
    kind, _sign, code = word.partition("_")
    if kind == "status" and code.isdecimal():
        return _("it answered with status %(code)s") % {"code": code}
    if kind == "smtp" and code.isdecimal():
        return _("the mail server answered %(code)s") % {"code": code}
    return _("an error of the kind %(word)s") % {"word": word} if word else ""


def and_more(number: int) -> str:
    return ngettext("and one more", "and %(n)d more", number) % {"n": number}


def withheld() -> str:
    return _("(the text is left out: it holds something shaped like a secret)")
