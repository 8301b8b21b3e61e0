"""Editing: a new version, verified again; a change of meaning makes its editor the author, a rewording does not."""

from __future__ import annotations

import pytest

from evidence.models import Decision, Evidence
from evidence.services.editing import edit_held
from evidence.services.errors import Refused
from tests.services import make

pytestmark = pytest.mark.django_db


def edit(held, who, **members):
    members.setdefault("reason", "clearer")
    return edit_held(
        held_id=held.id, seen_version=members.pop("seen_version", held.version), actor=make.person(who), **members
    )


def test_a_rewording_may_be_approved_by_its_editor():
    held = make.proposal(statement="Backups run every night at two.")
    reviewer = make.reviewer()
    make.reviewer("reviewer2")
    edited = edit(held, reviewer, statement="Backups run every night at two")
    assert edited.version > held.version
    assert (edited.meaning_editor, edited.last_editor) == (None, reviewer)
    make.approve(edited, reviewer)


def test_a_change_of_meaning_needs_another_person():
    held = make.proposal(statement="Backups run every night at two.")
    reviewer, other = make.reviewer(), make.reviewer("reviewer2")
    edited = edit(held, reviewer, statement="Backups run every night at four.")
    assert edited.meaning_editor == reviewer
    with pytest.raises(Refused, match="own_edit"):
        make.approve(edited, reviewer)
    make.approve(edited, other)


def test_another_value_of_the_claim_is_a_change_of_meaning():
    held = make.proposal(claim=make.claim("past due"))
    edited = edit(held, make.reviewer(), claim=make.claim("active"))
    assert edited.meaning_editor is not None


def test_alone_the_editor_approves_and_it_is_marked_solo():
    held = make.proposal(claim=make.claim("past due"))
    reviewer = make.reviewer()
    edited = edit(held, reviewer, claim=make.claim("active"))
    assert make.approve(edited, reviewer).decision.solo


def test_the_approval_that_was_open_on_the_old_version_is_impossible():
    held = make.proposal()
    edit(held, make.reviewer(), statement="Backups run every night at four.")
    with pytest.raises(Refused) as info:
        make.approve(held, make.reviewer("reviewer2"))
    assert info.value.code == "version_conflict"
    assert info.value.extra["decided_by"] == "reviewer"


def test_a_change_voids_a_first_approval_unless_the_content_stays_equal():
    members = make.risky()
    more = make.inline("more", thread="t-9", trust_class="third_party_documentation")
    held = make.proposal(**members | {"evidence": (*members["evidence"], more)})
    first, second = make.reviewer(), make.reviewer("reviewer2")
    make.approve(held, first)
    held.refresh_from_db()
    edited = edit(held, second, unlink=[Evidence.objects.get(thread="t-9").record_id])
    from evidence.selectors.people import first_approval_counts

    assert first_approval_counts(edited)
    edited = edit(edited, second, statement="Backups run every night at four.")
    assert not first_approval_counts(edited)


@pytest.mark.parametrize(
    ("members", "code"),
    [
        ({"statement": " "}, "invalid_value"),
        ({"statement": "x" * 2001}, "too_large"),
        ({"statement": "nul\0"}, "invalid_text"),
        ({"volatility": "sometimes"}, "invalid_value"),
        ({"reason": " ", "statement": "new"}, "reason_required"),
        ({"unlink": ["e-unknown"]}, "invalid_value"),
        ({}, "invalid_value"),
        ({"statement": "new", "seen_version": 99}, "version_conflict"),
    ],
)
def test_a_bad_edit_is_refused_and_nothing_changes(members, code):
    held = make.proposal()
    before = Decision.objects.count()
    with pytest.raises(Refused, match=f"^{code}:"):
        edit(held, make.reviewer(), **members)
    version = held.version
    held.refresh_from_db()
    assert (held.version, Decision.objects.count()) == (version, before)
