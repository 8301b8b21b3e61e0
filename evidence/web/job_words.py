"""How pages speak of bulk work."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from evidence.rules.bulk import JobStatus
from evidence.rules.vocab import Action


@dataclass(frozen=True, slots=True)
class JobWords:
    """The action on the button, and what an item is when it is done."""

    do: str | Promise
    done: str | Promise


JOBS: dict[str, JobWords] = {
    Action.APPROVE: JobWords(_("Approve"), pgettext_lazy("word", "approved")),
    Action.REJECT: JobWords(_("Reject"), pgettext_lazy("word", "rejected")),
    Action.SNOOZE: JobWords(_("Snooze"), pgettext_lazy("word", "snoozed")),
    "undo": JobWords(_("Take back"), pgettext_lazy("word", "taken back")),
}

STATUSES: dict[str, str | Promise] = {
    JobStatus.PREPARING: _("being prepared"),
    JobStatus.PREVIEW: _("preview, nothing done yet"),
    JobStatus.WAITING: _("waits for a worker"),
    JobStatus.RUNNING: _("running"),
    JobStatus.DONE: _("complete"),
    JobStatus.FAILED: _("failed"),
    JobStatus.CANCELLED: _("cancelled"),
}

# What the heading says after the number when an item ended otherwise.
OUTCOMES: dict[str, str | Promise] = {
    "changed": _("changed meanwhile"),
    "refused": _("refused"),
    "gone": _("gone"),
    "skipped": _("not reached"),
}
