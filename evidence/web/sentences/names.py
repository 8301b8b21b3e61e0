"""Parts of sentences: places in texts, kinds of differences, ways in which something was checked."""

from __future__ import annotations

from django.utils.translation import gettext_noop as _

TEMPLATES: tuple[str, ...] = (
    _("the statement"),
    _("the claim's subject"),
    _("the claim's attribute"),
    _("the claim's value"),
    _("a tag"),
    _("the source's excerpt"),
    _("the %(nth)s source's excerpt"),
    _("the %(nth)s source's summary"),
    _("the source's summary"),
    _("number"),
    _("date"),
    _("time"),
    _("version"),
    _("name"),
    _("unit"),
    _("checked by the approver"),
    _("date given by the approver"),
    _("as of the source"),
    _("still true, checked now"),
    _("owner said"),
    _("decided by"),
)
