"""What an administrator corrects: one service each, with a reason, a version and an audit row; the record says so everywhere."""

from __future__ import annotations

import pytest

from evidence.models import Decision, Evidence, HeldRecord, IndexEntry, Inquiry, News, Snapshot, Tombstone, User
from evidence.rules.errors import BadInput
from evidence.rules.vocab import Action, AuditAction, HeldStatus, Redaction, Role, State
from evidence.services import correcting
from evidence.services.audit_verifying import verify_audit
from evidence.services.errors import Refused
from evidence.services.outbox import deliver_due
from evidence.services.records import ask_agent_about
from evidence.services.undoing import undo
from evidence.services.verification import verify_held
from evidence.tasks import outbox as _outbox  # noqa: F401 - as in a worker, where the handlers are known
from tests.services import make

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]


@pytest.fixture
def root() -> User:
    return make.user("root", Role.ADMINISTRATOR)


@pytest.fixture
def fact() -> Evidence:
    return make.fact("The account is active.", about=make.claim("active"))


def said(row: Evidence, who: User, **members: object) -> dict[str, object]:
    return {
        "record_pk": row.pk,
        "seen_version": row.version,
        "actor": make.person(who),
        "reason": "It was misread.",
    } | members


def test_a_correction_is_a_new_version_that_supersedes_and_is_no_fresher(fact, root):
    decision = correcting.correct_record(**said(fact, root, statement="The account is past due.", value="past due"))
    old, new = Evidence.objects.get(pk=fact.pk), Evidence.objects.active().get(kind="fact")
    assert (old.state, old.superseded_by, new.relations["supersedes"]) == (
        State.SUPERSEDED,
        new.record_id,
        [old.record_id],
    )
    assert (new.content, new.claim_value) == ("The account is past due.", "past due")
    same = ("check_at", "check_by", "check_confirmed_by", "expires_at", "label_base", "scope_key", "trust", "valid_key")
    assert {name: getattr(new, name) for name in same} == {name: getattr(fact, name) for name in same}
    assert (decision.action, decision.actor_name) == (AuditAction.CORRECT, "root")
    assert Snapshot.objects.get(pk=decision.commitments["reason"]["snapshot"]).body == "It was misread."
    assert set(IndexEntry.objects.values_list("record_id", flat=True)) == {new.record_id}
    assert verify_audit().ok


def test_a_fact_without_a_claim_is_replaced_as_well_and_comes_back_by_undo(root):
    make.approve(make.proposal(statement="The lighthouse is dark."), make.reviewer())
    old = Evidence.objects.active().get(kind="fact")
    decision = correcting.correct_record(**said(old, root, statement="The lighthouse is lit."))
    (new,) = Evidence.objects.active().filter(kind="fact")
    old.refresh_from_db()
    assert (new.content, old.state, old.superseded_by) == ("The lighthouse is lit.", State.SUPERSEDED, new.record_id)
    assert new.relations["supersedes"] == [old.record_id]
    undo(decision_id=decision.pk, actor=make.person(root))
    assert [row.content for row in Evidence.objects.active().filter(kind="fact")] == ["The lighthouse is dark."]


def test_a_correction_can_be_taken_back(fact, root):
    decision = correcting.correct_record(**said(fact, root, statement="The account is past due.", value="past due"))
    undo(decision_id=decision.pk, actor=make.person(root))
    assert [row.content for row in Evidence.objects.active().filter(kind="fact")] == ["The account is active."]


def test_a_deleted_record_leaves_no_text_and_does_not_come_back(fact, root):
    correcting.delete_record(**said(fact, root))
    row = Evidence.objects.get(pk=fact.pk)
    assert (row.state, row.content, row.claim_value, row.version) == (State.DELETED, "", "", fact.version + 1)
    assert not IndexEntry.objects.filter(record_id=fact.record_id).exists()
    decision = Decision.objects.get(action=AuditAction.DELETE)
    kept = Snapshot.objects.filter(pk__in=[one["snapshot"] for one in decision.commitments.values()])
    assert not any("active" in (one.body or "") for one in kept)
    again = make.proposal(statement="The account is active.", claim=make.claim("active"))
    verify_held(held_id=again.pk)
    again.refresh_from_db()
    assert again.verification_status == "rejected"
    with pytest.raises(Refused, match="cannot be undone"):
        undo(decision_id=decision.pk, actor=make.person(root))


def test_a_redacted_excerpt_takes_what_rests_on_it_along(root):
    held = make.proposal(statement="The lighthouse is dark.")
    report = held.links.first().evidence
    correcting.redact_record(**said(report, root))
    deliver_due(limit=50)
    report.refresh_from_db()
    held.refresh_from_db()
    assert (report.excerpt, report.summary, report.redaction) == ("", "", Redaction.REDACTED)
    assert held.verification_status == "rejected"


def test_revoked_by_an_administrator_it_may_be_reported_again(fact, root):
    correcting.revoke_for_correction(**said(fact, root))
    row = Evidence.objects.get(pk=fact.pk)
    assert (row.state, row.content, Tombstone.objects.count()) == (State.REVOKED, "", 0)


def test_a_tombstone_is_lifted_by_two(fact, root):
    correcting.delete_record(**said(fact, root))
    other = make.user("rita", Role.ADMINISTRATOR)
    stone = Tombstone.objects.get()
    lift = {"tombstone_id": stone.pk, "reason": "Deleted by mistake."}
    assert correcting.lift_tombstone(actor=make.person(root), **lift) is None
    with pytest.raises(Refused, match="Another administrator"):
        correcting.lift_tombstone(actor=make.person(root), **lift)
    decision = correcting.lift_tombstone(actor=make.person(other), **lift)
    assert (decision.solo, Tombstone.objects.count()) == (False, 0)
    again = make.proposal(statement="The account is active.", claim=make.claim("active"))
    verify_held(held_id=again.pk)
    again.refresh_from_db()
    assert again.verification_status != "rejected"


def test_where_there_is_one_administrator_a_tombstone_is_lifted_alone_and_the_audit_says_so(fact, root):
    correcting.delete_record(**said(fact, root))
    decision = correcting.lift_tombstone(
        tombstone_id=Tombstone.objects.get().pk, actor=make.person(root), reason="Mistake."
    )
    assert decision.solo


@pytest.mark.parametrize("status", ["rejected", "expired", "withdrawn"])
def test_what_ended_without_effect_waits_again(root, status):
    held = make.proposal(statement="The lighthouse is dark.")
    make.act(held, make.reviewer(), Action.REJECT, reason_code="wrong", reason="no")
    HeldRecord.objects.filter(pk=held.pk).update(status=status)
    held.refresh_from_db()
    again = correcting.reopen_item(
        held_id=held.pk, seen_version=held.version, actor=make.person(root), reason="New light."
    )
    deliver_due(limit=50)
    again.refresh_from_db()
    assert (again.status, again.decision_id) == (HeldStatus.WAITING, None)
    assert again.version > held.version
    assert again.verification_status != "pending"
    assert (
        make.act(again, make.reviewer("second"), Action.REJECT, reason_code="wrong", reason="still").held.status
        == "rejected"
    )
    assert verify_audit().ok


def test_what_was_approved_is_not_opened_again(root):
    held = make.approve(make.proposal(statement="The lighthouse is dark."), make.reviewer()).held
    with pytest.raises(Refused, match="not opened again"):
        correcting.reopen_item(held_id=held.pk, seen_version=held.version, actor=make.person(root), reason="x")


def test_checks_run_again_when_asked_for(root):
    held = make.proposal(statement="The lighthouse is dark.")
    verify_held(held_id=held.pk)
    correcting.reverify_item(held_id=held.pk, actor=make.person(root), reason="The rules changed.")
    held.refresh_from_db()
    assert held.verification_status == "pending"


VERBS = {
    "correct": lambda row, **members: correcting.correct_record(**said(row, **members), statement="Another text."),
    "revoke": lambda row, **members: correcting.revoke_for_correction(**said(row, **members)),
    "delete": lambda row, **members: correcting.delete_record(**said(row, **members)),
}


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize(
    ("members", "code"),
    [
        ({"reason": " "}, "reason_required"),
        ({"reason": "a\0b"}, "invalid_text"),
        ({"seen_version": None}, "version_required"),
        ({"seen_version": 77}, "version_conflict"),
        ({"record_pk": "01a22ef1-b7a8-70b9-ae84-494afdb10c2a"}, "not_found"),
    ],
)
def test_what_is_wrong_changes_nothing(fact, root, verb, members, code):
    with pytest.raises((Refused, BadInput)) as refused:
        VERBS[verb](fact, who=root, **members)
    assert refused.value.code == code
    assert Evidence.objects.get(pk=fact.pk).version == fact.version


@pytest.mark.parametrize("role", [Role.REVIEWER, Role.OWNER, Role.AUDITOR])
@pytest.mark.parametrize("verb", VERBS)
def test_only_an_administrator_corrects(fact, role, verb):
    with pytest.raises(Refused) as refused:
        VERBS[verb](fact, who=make.user("somebody", role))
    assert refused.value.code == "right_missing"


def test_a_correction_stands_against_a_decision_on_the_old_version(fact, root):
    """S23: who has the old version open is told, and nothing is written over the correction."""
    correcting.correct_record(**said(fact, root, statement="The account is past due.", value="past due"))
    with pytest.raises(Refused) as refused:
        correcting.delete_record(**said(fact, root))
    assert refused.value.code == "closed"


@pytest.mark.parametrize("verb", VERBS)
def test_who_administers_another_agent_does_not_even_find_it(fact, verb):
    elsewhere = make.user("elsa", Role.ADMINISTRATOR, of=make.agent("other-agent"))
    with pytest.raises(Refused) as refused:
        VERBS[verb](fact, who=elsewhere)
    assert refused.value.code == "not_found"


def test_what_reaches_beyond_one_agent_is_for_administrators_of_all(fact, root):
    correcting.delete_record(**said(fact, root))
    one = make.user("olaf", Role.ADMINISTRATOR, of=make.agent())
    with pytest.raises(Refused) as refused:
        correcting.lift_tombstone(tombstone_id=Tombstone.objects.get().pk, actor=make.person(one), reason="Mistake.")
    assert refused.value.code == "right_missing"


def test_the_same_request_twice_is_one_correction(fact, root):
    once, again = (correcting.delete_record(**said(fact, root), idempotency_key="k-1") for _ in range(2))
    assert once == again
    assert Decision.objects.filter(action=AuditAction.DELETE).count() == 1


@pytest.mark.parametrize("verb", ["revoke", "delete"])
def test_whoever_asked_whether_it_is_still_true_is_answered(fact, root, verb):
    make.agent()
    owner = make.user("olga", Role.OWNER)
    ask_agent_about(record_pk=fact.pk, seen_version=fact.version, actor=make.person(owner))
    fact.refresh_from_db()
    VERBS[verb](fact, who=root)
    assert not Inquiry.objects.open().exists()


@pytest.mark.parametrize("verb", VERBS)
def test_whoever_approved_it_is_told(root, verb):
    ada = make.reviewer("ada")
    made = make.approve(make.proposal(statement="The lighthouse is dark."), ada)
    VERBS[verb](Evidence.objects.active().get(kind="fact"), who=root)
    (news,) = News.objects.filter(kind="decision_overturned")
    assert (news.people, news.subject_id) == (
        [ada.pk],
        str(Decision.objects.order_by("-seq").filter(actor_name="root")[0].pk),
    )
    assert made.held.status == "approved"
