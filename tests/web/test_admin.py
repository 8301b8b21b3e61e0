"""The admin site: everything can be read by staff, nothing can be changed, no big table is counted."""

from __future__ import annotations

import re

import pytest
from django.apps import apps
from django.db import connection, models
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from evidence.models import Decision, Membership
from evidence.rules.vocab import Role
from tests.services import make
from tests.web.conftest import SignIn

pytestmark = pytest.mark.django_db

MODELS = list(apps.get_app_config("evidence").get_models())


@pytest.fixture
def staff(sign_in: SignIn) -> Client:
    return sign_in(make.user("root", Role.ADMINISTRATOR, is_staff=True, is_superuser=True))


def address(model: type[models.Model], what: str, *args: object) -> str:
    return reverse(f"admin:evidence_{model._meta.model_name}_{what}", args=args)


@pytest.fixture
def filled() -> None:
    make.fact("The account is active.", about=make.claim("active"))
    make.proposal(statement="The account is past due.", claim=make.claim("past due"))
    make.approve(make.proposal(statement="Backups run at two."), make.reviewer())


def test_every_table_can_be_read_and_none_changed(staff: Client, filled: None) -> None:
    for model in MODELS:
        page = staff.get(address(model, "changelist"))
        assert page.status_code == 200, model
        assert staff.get(address(model, "add")).status_code == 403, model
        row = model._default_manager.first()
        if row is None:
            continue
        assert staff.get(address(model, "change", row.pk)).status_code == 200, model
        assert staff.post(address(model, "change", row.pk), {"statement": "x"}).status_code == 403, model
        assert staff.post(address(model, "delete", row.pk), {"post": "yes"}).status_code == 403, model


def test_no_list_counts_or_sorts_a_whole_table(staff: Client, filled: None) -> None:
    for model in MODELS:
        with CaptureQueriesContext(connection) as queries:
            staff.get(address(model, "changelist"))
        counting = [one["sql"] for one in queries if "COUNT(" in one["sql"] and "LIMIT" not in one["sql"]]
        assert counting == [], model


def test_no_page_shows_what_would_open_a_door(staff: Client, filled: None) -> None:
    from evidence.models import Token
    from tests import builders

    builders.a_token("ops-agent")
    token, user = Token.objects.get(), make.reviewer()
    for page in (staff.get(address(Token, "change", token.pk)), staff.get(address(Token, "changelist"))):
        assert token.secret_hash not in page.content.decode()
    assert user.password not in staff.get(address(type(user), "change", user.pk)).content.decode()


def test_only_staff_comes_in_and_by_the_desks_own_sign_in(desk: Client, client: Client) -> None:
    assert desk.get(reverse("admin:index")).status_code == 302
    sign_in = client.get(reverse("admin:login"))
    assert sign_in.status_code == 302
    assert sign_in["Location"].startswith("/accounts/login/")


def test_search_is_by_exact_id(staff: Client, filled: None) -> None:
    from evidence.models import HeldRecord

    wanted = HeldRecord.objects.first()
    found = staff.get(address(HeldRecord, "changelist"), {"q": str(wanted.pk)}).content.decode()
    assert len(re.findall(r'class="field-id"', found)) == 1
    assert staff.get(address(HeldRecord, "changelist"), {"q": "no uuid"}).status_code == 200


def test_an_administrator_makes_an_owner_a_deputy_with_a_reason(staff: Client) -> None:
    owner = make.user("olga", Role.OWNER, of=make.agent())
    membership = Membership.objects.get(user=owner)
    chosen = {"action": "make_deputy", "_selected_action": [membership.pk], "reason": ""}
    listing = address(Membership, "changelist")
    assert "Say why." in staff.post(listing, chosen, follow=True).content.decode()
    membership.refresh_from_db()
    assert not membership.deputy
    staff.post(listing, chosen | {"reason": "Olga is on leave."}, follow=True)
    membership.refresh_from_db()
    assert membership.deputy
    row = Decision.objects.get(action="membership", effects__0__kind="deputy_made")
    assert (row.actor_name, row.door) == ("root", "admin")
    staff.post(listing, chosen | {"action": "end_deputy", "reason": "She is back."}, follow=True)
    membership.refresh_from_db()
    assert not membership.deputy


def test_staff_without_the_role_changes_nobody_into_a_deputy(sign_in: SignIn) -> None:
    membership = Membership.objects.get(user=make.user("olga", Role.OWNER, of=make.agent()))
    only_staff = sign_in(make.user("sam", Role.AUDITOR, is_staff=True))
    chosen = {"action": "make_deputy", "_selected_action": [membership.pk], "reason": "Because."}
    only_staff.post(address(Membership, "changelist"), chosen, follow=True)
    membership.refresh_from_db()
    assert not membership.deputy
