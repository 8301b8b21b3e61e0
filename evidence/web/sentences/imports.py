"""Why an import that a person asked for was not begun (services)."""

from __future__ import annotations

from django.utils.translation import gettext_noop as _

TEMPLATES: tuple[str, ...] = (
    _("Only an administrator of all agents imports."),
    _("Imports are for administrators and auditors."),
    _("This import was carried out or cancelled already, or is still being looked at."),
    _("This import is over already."),
    _("There is no such import."),
    _("A file may have at most %(text)s MiB."),
    _("Choose a file that is not empty."),
    _("The settings name no such store."),
    _("There is no such plan."),
    _("There is nothing to carry out, or it was carried out already."),
    _("What would be written is not what was shown any more: look at it again."),
    _("Only an administrator of all agents carries decisions back."),
    _("The file could not be kept; is there room for it?"),
    _("The format has to be one of: %(words)s."),
)
