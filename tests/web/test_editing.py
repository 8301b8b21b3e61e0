"""Editing from the page: a step of its own, both authors named, nothing lost on a conflict (contract 10 "Edit")."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from evidence.models import HeldRecord
from evidence.rules.vocab import Role
from tests.services import make
from tests.web.conftest import SignIn

pytestmark = pytest.mark.django_db


def fields(held: HeldRecord, **changed: object) -> dict[str, object]:
    shown = {
        "version": held.version, "statement": held.statement, "claim_subject": held.claim_subject,
        "claim_attribute": held.claim_attribute, "claim_value": held.claim_value, "volatility": held.volatility,
        "scope_access": held.scope_access, "scope_shared_with": ", ".join(held.scope_shared_with), "reason": "because",
        "seen": held.statement, "idempotency_key": "k",
    }  # fmt: skip
    return shown | changed


def test_an_edit_makes_a_new_version_and_goes_back_to_the_item(desk: Client) -> None:
    held = make.proposal()
    page = desk.get(reverse("edit", args=[held.id])).content.decode()
    assert held.statement in page
    answer = desk.post(reverse("edit", args=[held.id]), fields(held, statement="Backups run every night at three."))
    assert (answer.status_code, answer["Location"]) == (302, reverse("item", args=[held.id]))
    before = held.version
    held.refresh_from_db()
    assert (held.statement, held.version > before) == ("Backups run every night at three.", True)
    shown = desk.get(answer["Location"]).content.decode()
    assert "Edited by" in shown


def test_only_what_was_changed_is_changed(desk: Client) -> None:
    held = make.proposal(claim=make.claim(), scope_access="shared", scope_shared_with=("sales-agent",))
    before = {name: getattr(held, name) for name in ("claim_key", "value_key", "scope_access", "scope_shared_with")}
    assert desk.post(reverse("edit", args=[held.id]), fields(held, volatility="billing")).status_code == 302
    held.refresh_from_db()
    assert {name: getattr(held, name) for name in before} == before
    assert held.volatility == "billing"


def test_the_evidence_can_be_unlinked(desk: Client) -> None:
    held = make.proposal()
    record = held.links.get().evidence
    assert desk.post(reverse("edit", args=[held.id]), fields(held, unlink=record.record_id)).status_code == 302
    assert not held.links.linked().exists()


def test_a_conflict_shows_what_changed_and_keeps_what_was_typed(desk: Client) -> None:
    held = make.proposal(statement="Backups run every night at two.")
    stale = fields(held, statement="Backups run at noon.", reason="my long reason")
    desk.post(reverse("edit", args=[held.id]), fields(held, statement="Backups run every night at three."))
    answer = desk.post(reverse("edit", args=[held.id]), stale | {"idempotency_key": "other"})
    text = answer.content.decode()
    assert answer.status_code == 409
    assert "<ins>three</ins>" in text
    assert "Backups run at noon.</textarea>" in text
    assert "my long reason</textarea>" in text
    held.refresh_from_db()
    assert f'name="version" value="{held.version}"' in text


@pytest.mark.parametrize(
    "changed",
    [
        {"reason": "  "}, {"version": ""}, {"statement": " "}, {"claim_subject": "only this"}, {"volatility": "often"},
        {"scope_access": "everybody"}, {"statement": "x" * 2001}, {},
    ],
)  # fmt: skip
def test_what_cannot_be_saved_is_said_and_nothing_is_lost(desk: Client, changed: dict[str, object]) -> None:
    held = make.proposal()
    answer = desk.post(reverse("edit", args=[held.id]), fields(held, reason="kept words") | changed)
    assert answer.status_code in (413, 422)
    assert 'role="alert"' in answer.content.decode()
    before = held.version
    held.refresh_from_db()
    assert held.version == before


def test_hidden_characters_are_shown_beside_the_field_that_cannot_show_them(desk: Client) -> None:
    held = make.proposal(statement="The registry is reg\u200bistry.example.")
    assert ">ZWSP</span>" in desk.get(reverse("edit", args=[held.id])).content.decode()


def test_a_plain_statement_without_a_claim_comes_with_a_suggestion(desk: Client) -> None:
    held = make.proposal(statement="The session store of the portal is Redis.")
    address = reverse("edit", args=[held.id])
    offered = desk.get(address).content.decode()
    assert "Could be the claim" in offered
    assert 'name="claim_value" data-draft="claim_value" maxlength="500" value=""' in offered
    filled = desk.get(address, {"fill": "claim"}).content.decode()
    assert 'name="claim_subject" data-draft="claim_subject" maxlength="500" value="portal"' in filled
    assert 'name="claim_value" data-draft="claim_value" maxlength="500" value="Redis"' in filled
    assert "nothing is stored until you save" in filled
    held.refresh_from_db()
    assert held.claim is None


def test_nothing_is_suggested_beside_a_claim_or_for_an_involved_statement(desk: Client) -> None:
    claimed = make.proposal(statement="The session store is Redis.", claim=make.claim())
    involved = make.proposal(statement="The session store is Redis if the portal needs one.")
    for held in (claimed, involved):
        page = desk.get(reverse("edit", args=[held.id]), {"fill": "claim"}).content.decode()
        assert "Could be the claim" not in page
        assert "as a suggestion" not in page
        assert f'name="claim_value" data-draft="claim_value" maxlength="500" value="{held.claim_value}"' in page


def test_who_may_not_edit_gets_no_form(sign_in: SignIn, desk: Client) -> None:
    held = make.proposal()
    auditor = sign_in(make.user("audrey", Role.AUDITOR))
    assert 'name="statement"' not in auditor.get(reverse("edit", args=[held.id])).content.decode()
    assert auditor.post(reverse("edit", args=[held.id]), fields(held, statement="Else.")).status_code == 403
    make.approve(held, make.reviewer("ada"))
    assert "can no longer be edited" in desk.get(reverse("edit", args=[held.id])).content.decode()
