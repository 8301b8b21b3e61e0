"""Saved views: a person's own, at most twenty, under names of their own."""

from __future__ import annotations

import threading
import uuid

import pytest
from django.db import connection
from django.utils import timezone

from evidence.models import SavedView, User
from evidence.selectors.saved_views import MOST_VIEWS, views_of
from evidence.selectors.search_terms import Asking
from evidence.services.errors import Refused
from evidence.services.saved_views import delete_view, rename_view, save_view
from tests.selectors.rows import held_rows
from tests.services import make

pytestmark = pytest.mark.django_db


@pytest.fixture
def person() -> User:
    return make.reviewer()


def names(user: User) -> list[str]:
    return list(SavedView.objects.filter(user=user).order_by("name").values_list("name", flat=True))


def test_a_search_is_kept_as_it_was_typed(person: User) -> None:
    view = save_view(user=person, name="  Big  risks ", query=" risk:HIGH  -label:stale ")
    assert (view.name, view.query) == ("Big risks", "risk:HIGH  -label:stale")


@pytest.mark.parametrize(
    ("name", "query", "code", "field"),
    [
        ("", "risk:high", "invalid_value", "name"),
        ("   ", "risk:high", "invalid_value", "name"),
        ("x" * 61, "risk:high", "too_large", "name"),
        ("a\0b", "risk:high", "invalid_text", "name"),
        ("half \ud800", "risk:high", "invalid_text", "name"),
        ("mine", "", "invalid_value", "q"),
        ("mine", "riks:high", "invalid_value", "q"),
        ("mine", "due \0", "invalid_text", "q"),
        ("mine", "due " * 200, "too_large", "q"),
        ("ghp_" + "a1B2" * 9, "risk:high", "secret_detected", "name"),
    ],
)
def test_what_cannot_be_kept_is_refused_with_its_field(
    person: User, name: str, query: str, code: str, field: str
) -> None:
    with pytest.raises(Refused) as refused:
        save_view(user=person, name=name, query=query)
    assert (refused.value.code, refused.value.extra["field"]) == (code, field)
    assert names(person) == []


def test_a_name_is_taken_once_for_each_person(person: User) -> None:
    save_view(user=person, name="Big", query="risk:high")
    with pytest.raises(Refused, match="already"):
        save_view(user=person, name=" Big ", query="risk:low")
    save_view(user=make.reviewer("ada"), name="Big", query="risk:low")
    other = save_view(user=person, name="Small", query="risk:low")
    with pytest.raises(Refused, match="already"):
        rename_view(user=person, view_id=other.id, name="Big")
    rename_view(user=person, view_id=other.id, name="Small")
    rename_view(user=person, view_id=other.id, name="Tiny")
    assert names(person) == ["Big", "Tiny"]


def test_there_are_at_most_twenty(person: User) -> None:
    for number in range(MOST_VIEWS):
        save_view(user=person, name=f"View {number}", query="risk:high")
    with pytest.raises(Refused, match="Delete one first"):
        save_view(user=person, name="One more", query="risk:high")
    assert len(names(person)) == MOST_VIEWS


def test_only_ones_own_can_be_changed(person: User) -> None:
    hers = save_view(user=make.reviewer("ada"), name="Hers", query="risk:high")
    with pytest.raises(Refused) as refused:
        rename_view(user=person, view_id=hers.id, name="Mine")
    assert refused.value.code == "not_found"
    with pytest.raises(Refused):
        rename_view(user=person, view_id=uuid.uuid4(), name="Mine")
    delete_view(user=person, view_id=hers.id)
    assert names(hers.user) == ["Hers"]
    delete_view(user=hers.user, view_id=hers.id)
    delete_view(user=hers.user, view_id=hers.id)
    assert names(hers.user) == []


def test_views_come_with_the_number_of_their_rows(person: User) -> None:
    held_rows(3, risk="high")
    held_rows(2, risk="high", filed_by="ada", of="other")
    save_view(user=person, name="By Ada", query="by:ada risk:high")
    save_view(user=person, name="All", query="risk:high")
    views = views_of(Asking.of(person, timezone.now()))
    assert [(view.row.name, str(view.number)) for view in views] == [("All", "5"), ("By Ada", "2")]


@pytest.mark.races
@pytest.mark.django_db(transaction=True)
def test_two_tabs_cannot_keep_one_too_many() -> None:
    person = make.reviewer()
    for number in range(MOST_VIEWS - 1):
        save_view(user=person, name=f"View {number}", query="risk:high")
    start = threading.Barrier(6)
    refused: list[str] = []

    def save(number: int) -> None:
        start.wait()
        try:
            save_view(user=person, name=f"Tab {number}", query="risk:high")
        except Refused as error:
            refused.append(error.code)
        finally:
            connection.close()

    threads = [threading.Thread(target=save, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(names(person)), refused) == (MOST_VIEWS, ["invalid_value"] * 5)
