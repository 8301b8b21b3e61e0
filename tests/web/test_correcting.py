"""Corrections in the admin site: said before they are sent, refused from a stale form, seen by who had the old version (S23)."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from evidence.admin.correcting import CORRECTIONS
from evidence.models import Decision, Evidence, Tombstone
from evidence.rules.vocab import AuditAction, Role
from tests.services import make
from tests.web.conftest import SignIn

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff(sign_in: SignIn) -> Client:
    return sign_in(make.user("root", Role.ADMINISTRATOR, is_staff=True, is_superuser=True))


@pytest.fixture
def fact() -> Evidence:
    return make.fact("The account is <b>active</b>.", about=make.claim("active"))


def form_of(row: Evidence, what: str) -> str:
    return reverse("admin:evidence_evidence_correct", args=[row.pk, what])


def test_each_row_leads_to_what_can_be_corrected(staff: Client, fact: Evidence) -> None:
    page = staff.get(reverse("admin:evidence_evidence_change", args=[fact.pk])).content.decode()
    for one in CORRECTIONS[Evidence]:
        assert form_of(fact, one.name) in page
        form = staff.get(form_of(fact, one.name)).content.decode()
        assert str(one.consequence) in form
        assert f'name="version" value="{fact.version}"' in form
        assert "<b>active" not in form
        assert "The account is &lt;b&gt;active" in form  # what would be corrected stands there


def test_a_correction_in_the_admin_site_stands_against_who_had_the_old_version_open(
    staff: Client, fact: Evidence, sign_in: SignIn
) -> None:
    said = {"version": fact.version, "reason": "Misread.", "statement": "The account is past due.", "value": "past due"}
    assert staff.post(form_of(fact, "correct"), said).status_code == 302
    row = Decision.objects.get(action=AuditAction.CORRECT)
    assert (row.actor_name, row.door) == ("root", "admin")
    owner = sign_in(make.user("olga", Role.OWNER))
    answer = owner.post(reverse("record-recheck", args=[fact.record_id]), {"version": fact.version, "key": "k1"})
    assert answer.status_code == 409
    fact.refresh_from_db()
    assert fact.state == "superseded"


def test_a_stale_form_is_refused(staff: Client, fact: Evidence) -> None:
    Evidence.objects.filter(pk=fact.pk).update(version=fact.version + 1)
    answer = staff.post(form_of(fact, "delete"), {"version": fact.version, "reason": "Wrong."})
    assert answer.status_code == 422
    assert "changed since you opened it" in answer.content.decode()
    assert Evidence.objects.get(pk=fact.pk).state == "active"


def test_without_a_reason_nothing_happens(staff: Client, fact: Evidence) -> None:
    assert staff.post(form_of(fact, "delete"), {"version": fact.version, "reason": ""}).status_code == 422
    assert not Tombstone.objects.exists()


def test_staff_without_the_role_corrects_nothing(sign_in: SignIn, fact: Evidence) -> None:
    only_staff = sign_in(make.user("sam", Role.AUDITOR, is_staff=True))
    answer = only_staff.post(form_of(fact, "delete"), {"version": fact.version, "reason": "Because."})
    assert (answer.status_code, Tombstone.objects.exists()) == (422, False)
    assert "Only an administrator" in answer.content.decode()


def test_looking_at_a_form_changes_nothing_and_strangers_do_not_see_it(
    staff: Client, client: Client, fact: Evidence, sign_in: SignIn
) -> None:
    assert staff.get(form_of(fact, "delete")).status_code == 200
    assert Evidence.objects.get(pk=fact.pk).state == "active"
    assert staff.get(form_of(fact, "nonsense")).status_code == 404
    assert sign_in(make.reviewer()).get(form_of(fact, "delete")).status_code == 302
