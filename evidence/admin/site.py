"""The admin site reads: every table, no free edits. What is corrected is corrected by an action with a reason, in a service.

No page of it counts or sorts a big table: the numbers are capped, and every list follows its primary key.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from allauth.account.decorators import secure_admin_login
from django import forms
from django.apps import apps
from django.contrib import admin, messages
from django.contrib.admin.helpers import ActionForm
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.db import models
from django.db.models import Q
from django.http import HttpRequest
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from evidence.admin.correcting import CORRECTIONS, Corrected
from evidence.models import Membership
from evidence.rules.characters import visible
from evidence.rules.vocab import Door
from evidence.services.actors import Actor
from evidence.services.errors import Refused
from evidence.services.members import set_deputy
from evidence.services.texts import REASON_MAX

COUNT_LIMIT = 5_000
_LIST_COLUMNS = 7
_TEXT = (models.CharField, models.TextField, models.JSONField)
_LONG = (models.TextField, models.JSONField, models.BinaryField)

# What no page shows: hashes of credentials, and the salts that make commitments to short texts unguessable.
# The address of a webhook may be a credential.
_NEVER_SHOWN = frozenset({"password", "secret_hash", "salt", "target"})
_COLUMNS: dict[str, tuple[str, ...]] = {
    "HeldRecord": ("id", "kind", "status", "risk", "agent", "statement", "created_at"),
    "Evidence": ("record_id", "kind", "state", "scope_owner", "content", "ingested_at"),
    "Decision": ("id", "namespace", "seq", "action", "actor_name", "agent", "at"),
    "Inquiry": ("id", "kind", "status", "agent", "question", "asked_at"),
    "User": ("username", "is_active", "is_staff", "last_login"),
}
# Found by the whole id or name, so that an index answers; words are searched on the desk's own pages.
_SEARCHED: dict[str, tuple[str, ...]] = {
    "Agent": ("id",),
    "User": ("username", "email"),
    "HeldRecord": ("id", "origin_id"),
    "Evidence": ("pk_uuid", "record_id", "source_id", "origin_id"),
    "Decision": ("id", "target_id", "actor_id"),
    "Inquiry": ("id", "origin_id"),
    "Token": ("hint",),
    "Tombstone": ("record_id",),
}


class CappedPaginator(Paginator):  # type: ignore[type-arg]
    """Counts no further than `COUNT_LIMIT`; what lies behind is found by searching, not by leafing."""

    @cached_property
    def count(self) -> int:
        rows = self.object_list
        assert isinstance(rows, models.QuerySet)
        return rows.order_by().values("pk")[:COUNT_LIMIT].count()


class ReadOnlyAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Looking is for staff; adding, changing and deleting is for nobody."""

    actions = None
    paginator = CappedPaginator
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    sortable_by = ()
    list_per_page = 50
    list_max_show_all = 0
    ordering = ("-pk",)

    def get_search_results(
        self, request: HttpRequest, queryset: models.QuerySet[Any], search_term: str
    ) -> tuple[models.QuerySet[Any], bool]:
        """By equality. Django's own search would cast ids to text and read the whole table."""
        text = search_term.strip()
        if not text or not self.search_fields:
            return queryset, False
        found = Q()
        for column in self.search_fields:
            found |= _equals(self.model, str(column), text)
        return queryset.filter(found), False

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return bool(request.user.is_active and request.user.is_staff)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False


def _equals(model: type[models.Model], column: str, text: str) -> Q:
    """The column equals the text; nothing does where the text cannot be a value of it."""
    try:
        return Q(**{column: model._meta.get_field(column).to_python(text)})
    except ValidationError:
        return Q(pk__in=[])


def admin_for(model: type[models.Model]) -> type[ReadOnlyAdmin]:
    """The columns of the list are the model's first short ones; its enumerations are the filters."""
    columns = [field for field in model._meta.concrete_fields if field.name not in _NEVER_SHOWN]
    short = [field.name for field in columns if not isinstance(field, _LONG)][1:_LIST_COLUMNS]
    texts = {field.name: f"{field.name}_text" for field in columns if isinstance(field, _TEXT) and not field.choices}
    fields = [texts.get(field.name, field.name) for field in columns if field.editable or field.primary_key]
    members: dict[str, Any] = {
        "list_display": [texts.get(name, name) for name in _COLUMNS.get(model.__name__, ("__str__", *short))],
        "list_filter": [field.name for field in columns if field.choices][:4],
        "search_fields": _SEARCHED.get(model.__name__, ()),
        "fields": fields,
        "readonly_fields": fields,
        **{shown: _written_out(name) for name, shown in texts.items()},
    }
    return type(f"{model.__name__}Admin", (ReadOnlyAdmin,), members)


def _written_out(name: str) -> Callable[[ReadOnlyAdmin, models.Model], str]:
    """The text of a column with its hidden characters written out; as it is, it could turn or hide what stands beside it."""

    @admin.display(description=name.replace("_", " "))
    def shown(_admin: ReadOnlyAdmin, row: models.Model) -> str:
        value = getattr(row, name)
        return visible(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))

    return shown


class ReasonForm(ActionForm):
    """An action of the list, and why."""

    reason = forms.CharField(required=False, max_length=REASON_MAX)


class MembershipAdmin(admin_for(Membership)):  # type: ignore[misc]
    """Who stands in for whom is set here, with a reason, through the service and into its audit."""

    actions = ("make_deputy", "end_deputy")
    action_form = ReasonForm

    @admin.action(description=_("Make a deputy (with a reason)"))
    def make_deputy(self, request: HttpRequest, rows: models.QuerySet[Membership]) -> None:
        self._set(request, rows, deputy=True)

    @admin.action(description=_("No deputy any more (with a reason)"))
    def end_deputy(self, request: HttpRequest, rows: models.QuerySet[Membership]) -> None:
        self._set(request, rows, deputy=False)

    def _set(self, request: HttpRequest, rows: models.QuerySet[Membership], *, deputy: bool) -> None:
        actor, reason = Actor.person(request.user, Door.ADMIN), request.POST.get("reason", "")  # type: ignore[arg-type]
        for pk in rows.values_list("pk", flat=True):
            try:
                done = set_deputy(membership_id=pk, deputy=deputy, reason=reason, actor=actor)
            except Refused as refused:
                self.message_user(request, visible(refused.detail), messages.ERROR)
            else:
                self.message_user(request, _("Set: %(who)s") % {"who": done})


def _registered(model: type[models.Model]) -> type[ReadOnlyAdmin]:
    if model is Membership:
        return MembershipAdmin
    plain = admin_for(model)
    if model not in CORRECTIONS:
        return plain
    return type(plain.__name__, (Corrected, plain), {"corrections": CORRECTIONS[model]})


for _model in apps.get_app_config("evidence").get_models():
    admin.site.register(_model, _registered(_model))

admin.site.site_header = "Evidence Desk"
admin.site.site_title = "Evidence Desk"
admin.site.index_title = "Everything that is stored, to be read"
# The admin's own form knows no second factor.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]
