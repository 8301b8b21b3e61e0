"""Saved views: a person's own named searches of the queue. No audit row: nobody else sees them, and they decide nothing."""

from __future__ import annotations

from uuid import UUID

from django.db import IntegrityError, transaction

from evidence.models import SavedView, User
from evidence.rules.search import parse
from evidence.selectors.saved_views import MOST_VIEWS
from evidence.services.errors import Refused
from evidence.services.texts import check_text

NAME_MAX = 60
QUERY_MAX = 600


def save_view(*, user: User, name: str, query: str) -> SavedView:
    """Keep a search under a new name. Raises `Refused`; at most twenty for each person."""
    named, wanted = _name(name), _query(query)
    with transaction.atomic():
        # Whoever adds one waits for the others of the same person, so that the number holds.
        User.objects.select_for_update().get(pk=user.pk)
        if SavedView.objects.filter(user=user).count() >= MOST_VIEWS:
            raise Refused("invalid_value", f"You have {MOST_VIEWS} views already. Delete one first.", field="name")
        _refuse_taken(user, named)
        return SavedView.objects.create(user=user, name=named, query=wanted)


def rename_view(*, user: User, view_id: UUID, name: str) -> None:
    """Raises `Refused` not_found for a view that is not theirs."""
    named = _name(name)
    with transaction.atomic():
        _refuse_taken(user, named, but=view_id)
        try:
            with transaction.atomic():
                renamed = SavedView.objects.filter(pk=view_id, user=user).update(name=named)
        except IntegrityError:
            raise _taken(named) from None
        if not renamed:
            raise Refused("not_found", "There is no such view.")


def delete_view(*, user: User, view_id: UUID) -> None:
    """What is gone already is gone: a second click is no error. Only one's own."""
    SavedView.objects.filter(pk=view_id, user=user).delete()


def _name(text: str) -> str:
    name = " ".join(text.split())
    if not name:
        raise Refused("invalid_value", "Give the view a name.", field="name")
    return check_text("name", name, longest=NAME_MAX)


def _query(text: str) -> str:
    query = text.strip()
    check_text("q", query, longest=QUERY_MAX)
    read = parse(query)
    if read.problems:
        raise Refused("invalid_value", f"Correct the search first. {read.problems[0].message}", field="q")
    if not read.terms:
        raise Refused("invalid_value", "There is no search to save.", field="q")
    return query


def _refuse_taken(user: User, name: str, but: UUID | None = None) -> None:
    same = SavedView.objects.filter(user=user, name=name)
    if (same.exclude(pk=but) if but else same).exists():
        raise _taken(name)


def _taken(name: str) -> Refused:
    return Refused("invalid_value", f"You have a view called “{name}” already.", field="name")
