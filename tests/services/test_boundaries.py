"""Inputs and records at the edge of what a decision may reach (contract 3, 4, 12.5; scenarios S1, S13)."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone

from evidence.models import Evidence, HeldRecord, IndexEntry, Snapshot
from evidence.rules.records import Claim, Scope
from evidence.rules.vocab import Action, Role
from evidence.services.deciding import decide
from evidence.services.drafts import PromotionTarget
from evidence.services.editing import edit_held
from evidence.services.errors import Refused
from evidence.services.filing import file_evidence
from evidence.services.leasing import claim, skip
from evidence.services.proposing import file_proposal
from evidence.services.records import recheck_record, revoke_record
from evidence.services.verification import verify_held
from tests.services import make

pytestmark = pytest.mark.django_db

TOKEN = "gh" + "p_" + "aB3dE5gH7jK9mN1pQ3sT5vX7zA9cF2hJ4kL6"


def refused(code: str):
    return pytest.raises(Refused, match=f"^{code}:")


# -- what superseding may name --


def supersede(held, who, *record_ids):
    return make.act(held, who, Action.SUPERSEDE, reason_code="stale", supersedes=list(record_ids))


def test_a_named_article_is_not_superseded_even_by_what_repeats_a_fact():
    make.fact("Backups run every night at two.", checked=timezone.now() - timedelta(days=9))
    held = make.proposal(check_at=make.days_ago(1), check_method="console")
    assert held.match_kind in ("duplicate", "strengthens_existing")
    article = make.article()
    with refused("reviewed_article"):
        supersede(held, make.reviewer(), article.record_id)
    article.refresh_from_db()
    assert article.state == "active"


def test_a_proposal_that_waits_is_not_superseded_by_name():
    other = make.proposal(make.agent("qa-agent"), statement="Lunch is at noon in the north office.")
    held = make.proposal()
    with refused("invalid_value"):
        supersede(held, make.reviewer(), other.fact_proposal.observation.record_id)
    other.refresh_from_db()
    assert (other.status, other.fact_proposal.observation.state) == ("waiting", "active")


def test_records_of_agents_that_are_not_theirs_are_not_superseded_by_name():
    foreign = make.fact("Wages are paid on Friday.", scope_owner="hr-agent", scope_access="private")
    held = make.proposal()
    own_reviewer = make.user("own", Role.REVIEWER, of=make.agent())
    with refused("invalid_value"):
        supersede(held, own_reviewer, foreign.record_id)
    foreign.refresh_from_db()
    assert foreign.state == "active"


def test_a_record_of_another_namespace_is_not_there():
    foreign = make.fact("Backups run weekly.", namespace="elsewhere")
    held = make.proposal()
    with refused("invalid_value"):
        supersede(held, make.reviewer(), foreign.record_id)


def test_a_named_record_and_its_successor_are_linked_both_ways():
    old = [make.fact("Backups run weekly at the old site."), make.fact("Backups run monthly at the old site.")]
    held = make.proposal()
    supersede(held, make.reviewer(), *(row.record_id for row in old))
    held.refresh_from_db()
    fact = held.fact_proposal.result
    assert sorted(fact.relations["supersedes"]) == sorted(row.record_id for row in old)
    assert {row.superseded_by for row in Evidence.objects.filter(state="superseded", kind="fact")} == {fact.record_id}


# -- texts --


@pytest.mark.parametrize("text", ["nul\0inside", "half \ud800", "x" * 3000, TOKEN])
@pytest.mark.parametrize("member", ["reason", "question", "supersedes", "idempotency_key", "durability", "checked_at"])
def test_no_text_of_a_decision_breaks_it(member, text):
    if member == "idempotency_key" and text == TOKEN:
        return  # only its hash is kept
    held = make.proposal()
    value = [text] if member == "supersedes" else text
    with pytest.raises(Refused) as info:
        make.act(
            held,
            make.reviewer(),
            Action.SUPERSEDE,
            **({"reason_code": "stale", "supersedes": ["e-0"]} | {member: value}),
        )
    assert info.value.status in (400, 413, 422)
    assert TOKEN not in str(info.value)
    assert not Snapshot.objects.filter(body__contains=TOKEN).exists()


@pytest.mark.parametrize("text", ["nul\0inside", "half \ud800", TOKEN])
@pytest.mark.parametrize("member", ["reason", "statement", "subject", "attribute", "value", "reader", "unlink"])
def test_no_text_of_an_edit_breaks_it(member, text):
    held = make.proposal()
    arguments = {"reason": "r", "statement": "Backups run at three."}
    if member in ("reason", "statement"):
        arguments[member] = text
    elif member == "reader":
        arguments["scope"] = Scope("ops-agent", "shared", (text,))
    elif member == "unlink":
        arguments["unlink"] = [text]
    else:
        arguments["claim"] = replace(Claim("s", "a", "v"), **{member: text})
    with pytest.raises(Refused) as info:
        edit_held(held_id=held.id, seen_version=held.version, actor=make.person(make.reviewer()), **arguments)
    assert info.value.status in (400, 422)
    held.refresh_from_db()
    assert held.version == HeldRecord.objects.get(pk=held.pk).version
    assert not Snapshot.objects.filter(body__contains=TOKEN).exists()


@pytest.mark.parametrize("text", ["nul\0inside", "half \ud800", TOKEN])
@pytest.mark.parametrize("member", ["article_type", "related", "agents", "title", "base_version"])
def test_no_text_of_a_target_breaks_it(member, text):
    target = PromotionTarget("graph/a.md", "", "Title", "Content of the article.")
    value = (text,) if member in ("related", "agents") else text
    with pytest.raises(Refused) as info:
        file_proposal(filer=make.filer(), draft=make.draft(target=replace(target, **{member: value})))
    assert info.value.status in (400, 422)


@pytest.mark.parametrize(
    "member", ["check_by", "check_confirmed_by", "event_at", "check_at", "valid_from", "scope_owner"]
)
@pytest.mark.parametrize("text", ["nul\0inside", "half \ud800", TOKEN])
def test_no_text_of_imported_evidence_breaks_it(member, text):
    draft = replace(make.inline("Backups run at two.", check_at=make.days_ago(1)), **{member: text})
    with pytest.raises(Refused) as info:
        file_evidence(filer=make.filer(is_import=True), draft=draft)
    assert info.value.status in (400, 422)


@pytest.mark.parametrize("at", ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"])
def test_times_at_the_end_of_the_calendar_do_no_harm(at):
    held = make.proposal(event_at=at, check_at=at, claim=make.claim(), volatility="billing", ttl_days=36_500)
    assert held.status == "waiting"
    with pytest.raises(Refused, match="check_date_required") if at.startswith("9999") else nullcontext():
        make.approve(held, make.reviewer())


def test_the_same_claim_in_another_unicode_form_is_the_same_claim():
    make.proposal(claim=Claim("Caf\u00e9  Zentral", "\u00d6ffnungszeit", "acht"), statement="It opens at eight.")
    again = make.proposal(
        make.agent("qa-agent"),
        claim=Claim("cafe\u0301 zentral", "o\u0308FFNUNGSZEIT", "ACHT"),
        statement="At eight it opens.",
    )
    assert len(set(HeldRecord.objects.values_list("claim_key", "value_key"))) == 1
    make.approve(again, make.reviewer())
    assert not HeldRecord.objects.waiting().exists()


# -- namespaces --


def test_two_namespaces_never_meet():
    make.fact("The account is active.", about=make.claim("active"), namespace="elsewhere")
    other = make.agent("far-agent", "elsewhere")
    theirs = make.proposal(other, claim=make.claim(), statement="It is past due.")
    ours = make.proposal(claim=make.claim(), statement="It is past due.")
    assert (theirs.match_kind, ours.match_kind) == ("potential_conflict", "new")
    make.approve(ours, make.reviewer())
    theirs.refresh_from_db()
    assert theirs.status == "waiting"
    assert Evidence.objects.filter(kind="fact", state="active").count() == 2


# -- versions --


def test_leases_skips_and_snoozes_leave_the_version_and_edits_and_evidence_raise_it():
    held = make.proposal(claim=make.claim())
    reviewer = make.reviewer()
    now = timezone.now()
    claim(held_id=held.id, user=reviewer, now=now)
    skip(held_id=held.id, user=reviewer, now=now)
    make.act(held, reviewer, Action.SNOOZE, until=now + timedelta(days=1))
    make.act(held, reviewer, Action.ASK_OWNER, question="Is it?")
    verify_held(held_id=held.id)
    assert HeldRecord.objects.get(pk=held.pk).version == held.version
    versions = [held.version]
    make.proposal(claim=make.claim(), evidence=(make.inline("The vendor account is past due.", thread="t-7"),))
    versions.append(HeldRecord.objects.get(pk=held.pk).version)
    edit_held(
        held_id=held.id,
        seen_version=versions[-1],
        actor=make.person(reviewer),
        reason="r",
        scope=Scope("ops-agent", "private"),
    )
    versions.append(HeldRecord.objects.get(pk=held.pk).version)
    assert versions == sorted(set(versions))


# -- keys --


def test_a_key_that_was_used_for_another_request_is_refused():
    held = make.proposal()
    reviewer = make.reviewer()
    make.act(held, reviewer, Action.REJECT, reason_code="wrong", idempotency_key="k")
    for members in ({"reason_code": "stale"}, {"action": Action.APPROVE}):
        asked = {"action": Action.REJECT, "reason_code": "wrong"} | members
        with refused("idempotency_conflict"):
            decide(
                held_id=held.id, seen_version=held.version, actor=make.person(reviewer), idempotency_key="k", **asked
            )


def test_a_first_supersede_of_two_is_replayed_as_what_it_was():
    held = make.proposal(**make.risky())
    old = make.fact("Backups run weekly at the old site.")
    reviewer = make.reviewer()
    make.reviewer("reviewer2")
    asked = {"reason_code": "stale", "supersedes": [old.record_id], "idempotency_key": "k"}
    first = make.act(held, reviewer, Action.SUPERSEDE, **asked)
    again = make.act(held, reviewer, Action.SUPERSEDE, **asked)
    assert (again.replay, again.decision.id, again.approvals) == (True, first.decision.id, first.approvals)


def test_a_key_about_one_record_says_nothing_about_another():
    rows = [make.fact("One.", about=make.claim("1", "a")), make.fact("Two.", about=make.claim("2", "b"))]
    who = make.person(make.user("owner", Role.OWNER, of=make.agent()))
    recheck_record(record_pk=rows[0].pk, seen_version=1, actor=who, idempotency_key="k")
    with refused("idempotency_conflict"):
        recheck_record(record_pk=rows[1].pk, seen_version=1, actor=who, idempotency_key="k")
    with refused("idempotency_conflict"):
        revoke_record(record_pk=rows[0].pk, seen_version=1, actor=who, idempotency_key="k", reason="gone")


def test_the_same_edit_twice_is_one():
    held = make.proposal()
    who = make.person(make.reviewer())
    asked = {"seen_version": held.version, "reason": "r", "statement": "Backups run at three.", "idempotency_key": "k"}
    first = edit_held(held_id=held.id, actor=who, **asked)
    assert edit_held(held_id=held.id, actor=who, **asked).version == first.version


# -- captures --


def test_a_capture_is_not_edited_into_something_else():
    draft = make.inline("Backups run at two.", channel="webhook")
    held = file_evidence(filer=make.filer(), draft=draft).held
    with refused("invalid_value"):
        edit_held(
            held_id=held.id,
            seen_version=held.version,
            actor=make.person(make.reviewer()),
            reason="r",
            statement="Harmless.",
        )


# -- who is served --


def test_a_proposal_for_more_readers_is_not_closed_by_a_record_that_they_cannot_read():
    make.fact("The account is past due.", about=make.claim(), scope_access="private", scope_owner="hr-agent")
    held = make.proposal(claim=make.claim(), scope_access="public")
    assert held.status == "waiting"


def test_a_check_dated_in_the_future_does_not_outlive_a_real_one():
    row = make.fact(
        "It is so.", about=make.claim("so"), checked=timezone.now() + timedelta(days=30), volatility="billing"
    )
    who = make.person(make.user("owner", Role.OWNER, of=make.agent()))
    recheck_record(record_pk=row.pk, seen_version=1, actor=who)
    row.refresh_from_db()
    assert row.check_at <= timezone.now() < row.expires_at


def test_narrowing_and_revoking_take_the_copies_along():
    row = make.fact("The account is active.", about=make.claim("active"))
    who = make.person(make.user("owner", Role.OWNER, of=make.agent()))
    assert IndexEntry.objects.filter(record_id=row.record_id).exists()
    revoke_record(record_pk=row.pk, seen_version=1, actor=who, reason="No longer.", idempotency_key="k")
    assert not IndexEntry.objects.filter(record_id=row.record_id).exists()
