"""Corrections in the admin site: a form for one row, with the version that was seen, a reason, and what it is to become.

The form names what it does before it is sent; the service checks role, reason and version, writes the audit, and decides.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db import models
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import URLPattern, path, reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from evidence.models import Evidence, HeldRecord, Tombstone
from evidence.rules.characters import visible
from evidence.rules.errors import BadInput
from evidence.rules.vocab import Door
from evidence.services import correcting, purging
from evidence.services.actors import Actor
from evidence.services.errors import Refused
from evidence.services.texts import REASON_MAX, STATEMENT_MAX


class Reason(forms.Form):
    """The version is that of the page on which the row was read: a stale form is refused (scenario S23)."""

    version = forms.IntegerField(widget=forms.HiddenInput, required=False)
    reason = forms.CharField(
        label=_("Why"), max_length=REASON_MAX, widget=forms.Textarea(attrs={"rows": 2, "class": "vLargeTextField"})
    )


class Words(Reason):
    statement = forms.CharField(
        label=_("How it should read"),
        max_length=STATEMENT_MAX,
        widget=forms.Textarea(attrs={"rows": 4, "class": "vLargeTextField"}),
    )
    value = forms.CharField(
        label=_("Value of its claim"),
        max_length=STATEMENT_MAX,
        required=False,
        widget=forms.TextInput(attrs={"class": "vTextField"}),
    )


Carry = Callable[[Any, Actor, dict[str, Any]], object]


@dataclass(frozen=True, slots=True)
class Correction:
    """`name` stands in the address; `consequence` is said before it is sent; `carry_out` calls the service."""

    name: str
    title: str | Promise
    consequence: str | Promise
    carry_out: Carry
    form: type[Reason] = Reason


def _record(service: Callable[..., object]) -> Carry:
    return lambda row, actor, said: service(
        record_pk=row.pk, seen_version=said["version"], actor=actor, reason=said["reason"]
    )


def _correct(row: Evidence, actor: Actor, said: dict[str, Any]) -> object:
    return correcting.correct_record(
        record_pk=row.pk, seen_version=said["version"], actor=actor, reason=said["reason"], statement=said["statement"],
        value=said["value"],
    )  # fmt: skip


PURGE = _(
    "For privacy: the text is taken out of every table, also where others quote it; what says it is deleted or ends."
    " This cannot be undone. Afterwards run manage.py compact."
)
OF_RECORDS = (
    Correction(
        "correct", _("Correct its words"),
        _("A new version takes its place, with the same check, readers and validity; the old one stays and names it."),
        _correct, Words,
    ),
    Correction(
        "revoke", _("Revoke it"), _("Its texts are emptied and agents get it no more. It may be reported again."),
        _record(correcting.revoke_for_correction),
    ),
    Correction(
        "redact", _("Redact its excerpt"),
        _("Excerpt and summary are emptied; what waits and rests on it is checked again and can then not be approved."),
        _record(correcting.redact_record),
    ),
    Correction(
        "delete", _("Delete it"),
        _("Its texts are emptied for good, and nothing that says the same comes back. This cannot be undone."),
        _record(correcting.delete_record),
    ),
    Correction("purge", _("Purge its text"), PURGE, _record(purging.purge_record)),
)  # fmt: skip
OF_ITEMS = (
    Correction(
        "reopen", _("Open it again"), _("It waits again, under a new version, and is checked again."),
        lambda row, actor, said: correcting.reopen_item(
            held_id=row.pk, seen_version=said["version"], actor=actor, reason=said["reason"]
        ),
    ),
    Correction(
        "reverify", _("Check it again"), _("A worker runs all checks on it again; nothing else changes."),
        lambda row, actor, said: correcting.reverify_item(held_id=row.pk, actor=actor, reason=said["reason"]),
    ),
    Correction(
        "purge", _("Purge its text"), PURGE,
        lambda row, actor, said: purging.purge_item(
            held_id=row.pk, seen_version=said["version"], actor=actor, reason=said["reason"]
        ),
    ),
)  # fmt: skip
OF_TOMBSTONES = (
    Correction(
        "lift", _("Lift it"), _("What was deleted may be filed again. Two administrators have to agree, where there are two."),
        lambda row, actor, said: correcting.lift_tombstone(tombstone_id=row.pk, actor=actor, reason=said["reason"]),
    ),
)  # fmt: skip
CORRECTIONS: dict[type[models.Model], tuple[Correction, ...]] = {
    Evidence: OF_RECORDS, HeldRecord: OF_ITEMS, Tombstone: OF_TOMBSTONES,
}  # fmt: skip


class Corrected(admin.ModelAdmin):  # type: ignore[type-arg]
    """A page that is read, with links to what can be corrected."""

    change_form_template = "admin/correctable.html"
    corrections: tuple[Correction, ...] = ()

    def get_urls(self) -> list[URLPattern]:
        name = f"evidence_{self.model._meta.model_name}_correct"
        own = path("<path:object_id>/correct/<slug:what>/", self.admin_site.admin_view(self.correct), name=name)
        return [own, *super().get_urls()]

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        row = context["original"]
        links = [(self._address(row, one), one.title) for one in self.corrections] if row else []
        return super().render_change_form(request, context | {"corrections": links}, *args, **kwargs)

    def _address(self, row: models.Model, one: Correction) -> str:
        return reverse(f"admin:evidence_{self.model._meta.model_name}_correct", args=[row.pk, one.name])

    def correct(self, request: HttpRequest, object_id: str, what: str) -> HttpResponse:
        row = self.get_object(request, object_id)
        one = next((one for one in self.corrections if one.name == what), None)
        if row is None or one is None or not self.has_view_permission(request, row):
            raise Http404("There is no such row, or nothing of the kind to correct.")
        form = one.form(request.POST or None, initial=_first(row))
        if request.method == "POST" and form.is_valid() and self._sent(request, row, one, form):
            return HttpResponseRedirect(reverse(f"admin:evidence_{self.model._meta.model_name}_change", args=[row.pk]))
        context = self.admin_site.each_context(request) | {
            "title": one.title, "correction": one, "form": form, "row": visible(str(row)), "says": visible(_says(row)),
            "opts": self.model._meta,
        }  # fmt: skip
        return render(request, "admin/correct.html", context, status=422 if form.errors else 200)

    def _sent(self, request: HttpRequest, row: models.Model, one: Correction, form: Reason) -> bool:
        try:
            done = one.carry_out(row, Actor.person(request.user, Door.ADMIN), form.cleaned_data)  # type: ignore[arg-type]
        except (Refused, BadInput) as refused:
            form.add_error(None, visible(refused.detail))
            return False
        text = _("Done.") if done is not None else _("Noted. Another administrator has to agree.")
        self.message_user(request, text, messages.SUCCESS)
        return True


def _says(row: Any) -> str:
    """What is corrected, as far as it says anything: nobody deletes by an id alone."""
    if isinstance(row, Evidence):
        return row.content or row.summary or row.excerpt
    return row.statement if isinstance(row, HeldRecord) else ""


def _first(row: Any) -> dict[str, object]:
    first: dict[str, object] = {"version": getattr(row, "version", None)}
    if isinstance(row, Evidence):
        first |= {"statement": row.content, "value": row.claim_value}
    return first
