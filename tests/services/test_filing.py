"""Filing: what is stored, what is held, what is refused, and that nothing current ever changes by it (contract 1, 10, 13)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evidence.models import Decision, Evidence, HeldRecord, Inquiry, Tombstone
from evidence.rules.records import Claim
from evidence.rules.vocab import Access, Action, Trust
from evidence.services.drafts import EvidenceDraft, PromotionTarget
from evidence.services.errors import Refused
from evidence.services.filing import file_evidence
from evidence.services.proposing import file_proposal, withdraw_proposal
from tests.services import make

pytestmark = pytest.mark.django_db


def refused(code: str):
    return pytest.raises(Refused, match=f"^{code}:")


def observation(**members) -> EvidenceDraft:
    return EvidenceDraft(
        **({"source_id": "memory:ops-agent/m-1", "source_version": "1", "content": "It rained."} | members)
    )


def store(draft, **filer):
    return file_evidence(filer=make.filer(**filer), draft=draft)


def test_evidence_is_stored_private_to_its_agent_and_the_same_again_changes_nothing():
    first = store(observation())
    again = store(observation(content="It  rained. ", tags=("ignored",)))
    assert (first.created, again.created, again.record.pk) == (True, False, first.record.pk)
    assert (first.record.scope_owner, first.record.scope_access, first.record.review) == ("ops-agent", "private", "")
    assert Decision.objects.filter(action="file").count() == 1


def test_the_same_version_with_other_content_is_refused_and_nothing_changes():
    store(observation())
    with refused("source_version_conflict"):
        store(observation(content="It snowed."))
    assert Evidence.objects.get().content == "It rained."


def test_a_source_that_the_token_may_not_read_says_nothing_even_when_equal():
    store(observation(source_id="session:default/t-1/conversation/m-1", content="Shared session."))
    other = make.agent("sales-agent")
    with refused("source_version_conflict"):
        file_evidence(
            filer=make.filer(other),
            draft=observation(source_id="session:default/t-1/conversation/m-1", content="Shared session."),
        )


def test_an_edited_memory_replaces_its_older_version_and_excerpts_of_a_session_are_siblings():
    old = store(observation()).record
    new = store(observation(source_version="2", content="It snowed.")).record
    old.refresh_from_db()
    assert (old.state, old.superseded_by) == ("superseded", new.record_id)
    for text in ("one thing", "another thing"):
        store(make.inline(text))
    assert Evidence.objects.filter(source_id__startswith="session:", state="active").count() == 2


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("memory:sales-agent/m-1", "not_your_source"),
        ("fact:abc", "not_your_source"),
        ("proposal:abc", "not_your_source"),
        ("backend:abc", "not_your_source"),
        ("", "invalid_value"),
        ("memory:ops-agent/nul\0", "invalid_text"),
    ],
)
def test_a_token_files_under_its_own_sources_only(source, code):
    with refused(code):
        store(observation(source_id=source))
    assert not Evidence.objects.exists()


@pytest.mark.parametrize(
    ("members", "code"),
    [
        ({"kind": "fact"}, "invalid_value"),
        ({"kind": "derived"}, "invalid_value"),
        ({"volatility": "sometimes"}, "invalid_value"),
        ({"trust_class": "saint"}, "invalid_value"),
        ({"polarity": "maybe"}, "invalid_value"),
        ({"event_at": "2026-11-30T12:00:00"}, "invalid_value"),
        ({"event_at": "yesterday"}, "invalid_value"),
        ({"ttl_days": float("nan")}, "invalid_value"),
        ({"ttl_days": -1.0}, "invalid_value"),
        ({"content": "x" * (64 * 1024 + 1)}, "too_large"),
        ({"summary": "x" * 301}, "too_large"),
        ({"excerpt": "x" * 1001}, "too_large"),
        ({"content": "nul\0"}, "invalid_text"),
        ({"content": "\ud800"}, "invalid_text"),
        ({"content": " "}, "invalid_value"),
        ({"claim": Claim("a", "b", " ")}, "invalid_value"),
        ({"valid_from": "2026-02-01T00:00:00Z", "valid_until": "2026-01-01T00:00:00Z"}, "invalid_value"),
        ({"tags": ("x" * 201,)}, "too_large"),
    ],
)
def test_bad_evidence_is_refused_with_a_code_and_nothing_is_stored(members, code):
    with refused(code):
        store(observation(**members))
    assert not Evidence.objects.exists()
    assert not Decision.objects.exists()


@pytest.mark.parametrize("field", ["content", "summary", "excerpt", "tags", "claim", "source_id", "check_method"])
def test_a_secret_anywhere_is_refused_by_kind(field):
    token = "AK" + "IA" + "Q3ZT7RX2LM5PWV4K"
    value = {"tags": (token,), "claim": Claim("key", "id", token), "source_id": f"memory:ops-agent/{token}"}.get(
        field, token
    )
    with pytest.raises(Refused) as info:
        store(observation(**{field: value}))
    assert (info.value.code, info.value.extra["kinds"]) == ("secret_detected", ["aws_key"])
    assert not Evidence.objects.exists()


def test_nothing_wider_than_the_credential_allows():
    with refused("not_your_scope"):
        store(observation(scope_access="public"), max_access=Access.PRIVATE)
    assert store(observation(scope_access="public")).record.scope_access == "public"


@pytest.mark.parametrize("channel", ["webhook", "web-chat", "never-heard-of", ""])
def test_what_comes_from_outside_is_held_and_counts_only_when_approved(channel):
    filed = store(observation(channel=channel, trust_class="direct_user_instruction"))
    assert (filed.record.trust, filed.record.review, filed.held.kind) == ("external", "held", "held_evidence")
    assert filed.record.trust_class == "third_party_documentation"
    held = HeldRecord.objects.get(pk=filed.held.pk)
    make.approve(held, make.reviewer())
    filed.record.refresh_from_db()
    assert (filed.record.review, filed.record.has_check, filed.record.check_confirmed_by) == ("approved", False, "")


def test_rejected_outside_evidence_stays_out():
    filed = store(observation(channel="webhook"))
    make.act(filed.held, make.reviewer(), Action.REJECT, reason_code="poisoned")
    filed.record.refresh_from_db()
    assert filed.record.review == "rejected"


def test_a_credential_never_raises_the_trust_of_its_channel():
    assert store(observation(channel="cli"), channel_class=Trust.INTERNAL).record.trust == "internal"
    external = store(observation(source_version="2", channel="api"), channel_class=Trust.EXTERNAL)
    assert external.record.trust == "external"


def test_a_deleted_record_does_not_come_back():
    row = store(observation()).record
    Evidence.objects.filter(pk=row.pk).update(state="deleted")
    with refused("tombstoned"):
        store(observation())
    Evidence.objects.filter(pk=row.pk).update(namespace="elsewhere")
    Tombstone.objects.create(namespace="default", record_id=row.record_id)
    with refused("tombstoned"):
        store(observation())


def checked(value: str, **members) -> EvidenceDraft:
    about = make.claim(value)
    defaults = {"claim": about, "content": f"It is {value}.", "scope_access": "public", "check_at": make.days_ago(0.1)}
    return observation(**(defaults | members))


def test_a_newer_check_of_the_same_value_refreshes_the_check_by_policy():
    current = make.fact("It is active.", about=make.claim("active"))
    filed = store(checked("active"))
    current.refresh_from_db()
    assert filed.finding.outcome == "same"
    assert current.check_at == filed.record.check_at
    assert Decision.objects.get(action="refresh_check").actor_kind == "policy"


def test_a_newer_check_of_another_value_files_a_proposal_and_changes_nothing():
    current = make.fact("It is active.", about=make.claim("active"))
    filed = store(checked("past due"))
    current.refresh_from_db()
    held = HeldRecord.objects.get(pk=filed.finding.held_id)
    assert (filed.finding.outcome, held.match_kind, current.state) == ("supersede", "updates_existing", "active")


def test_an_unchecked_report_of_another_value_opens_one_question():
    make.fact("It is active.", about=make.claim("active"))
    filed = store(checked("past due", check_at=""))
    assert filed.finding.outcome == "conflict"
    assert Inquiry.objects.get().id == filed.finding.inquiry_id
    store(checked("past due", check_at=""))
    assert Inquiry.objects.count() == 1


# Proposals


def propose(draft=None, agent=None, **filer):
    return file_proposal(filer=make.filer(agent, **filer), draft=draft or make.draft())


def test_a_proposal_waits_behind_a_held_observation():
    held = propose().held
    observation_row = held.fact_proposal.observation
    assert (held.status, held.version, held.verification_status) == ("waiting", 1, "pending")
    assert (observation_row.review, observation_row.source_id) == ("held", f"proposal:{held.id}")


def test_the_same_claim_of_the_same_agent_attaches_its_evidence_to_the_first():
    first = propose(make.draft(claim=make.claim())).held
    again = propose(
        make.draft("The account is past due!", claim=make.claim(), evidence=(make.inline("new", thread="t-2"),))
    )
    assert (again.created, again.held.pk) == (False, first.pk)
    assert (again.held.version, again.held.links.count()) == (2, 2)
    same = propose(make.draft(claim=make.claim(), evidence=(make.inline("new", thread="t-2"),)))
    assert same.held.version == 2


def test_the_same_claim_of_another_agent_is_its_own_item():
    propose(make.draft(claim=make.claim()))
    other = propose(make.draft(claim=make.claim(), evidence=()), make.agent("qa-agent"))
    assert other.created


def test_a_rejected_claim_returns_only_with_evidence_from_elsewhere():
    held = make.proposal(claim=make.claim())
    make.act(held, make.reviewer(), Action.REJECT, reason_code="wrong")
    with pytest.raises(Refused) as info:
        propose(make.draft(claim=make.claim(), evidence=(make.inline("again", thread="t-1"),)))
    assert (info.value.code, info.value.extra["reason_code"]) == ("already_rejected", "wrong")
    assert propose(make.draft(claim=make.claim(), evidence=(make.inline("elsewhere", thread="t-7"),))).created


@pytest.mark.parametrize(
    ("members", "code"),
    [
        ({"statement": ""}, "invalid_value"),
        ({"statement": "x" * 2001}, "too_large"),
        ({"layer": "L3"}, "invalid_value"),
        ({"durability": "eternal"}, "invalid_value"),
        ({"reach_level": "galaxy"}, "invalid_value"),
        ({"evidence": ("e-unknown",)}, "invalid_value"),
        ({"event_at": "2026-11-30"}, "invalid_value"),
        ({"target": PromotionTarget("../etc/passwd", "", "t", "c")}, "invalid_value"),
        ({"target": PromotionTarget("wiki:sales-agent/graph/a.md", "", "t", "c")}, "not_your_source"),
    ],
)
def test_a_bad_proposal_is_refused_whole(members, code):
    with refused(code):
        propose(make.draft(**members) if "statement" in members else replace(make.draft(), **members))
    assert not HeldRecord.objects.exists()
    assert not Evidence.objects.exists()


def test_one_bad_piece_of_evidence_stores_none_of_it():
    bad = replace(make.inline("fine"), trust_class="saint")
    with refused("invalid_value"):
        propose(make.draft(evidence=(make.inline("good"), bad)))
    assert not Evidence.objects.exists()


def test_evidence_of_others_cannot_be_named():
    private = file_evidence(
        filer=make.filer(make.agent("sales-agent")), draft=observation(source_id="memory:sales-agent/m-1")
    ).record
    with refused("invalid_value"):
        propose(make.draft(evidence=(private.record_id,)))


def test_text_without_a_cited_source_is_generated_content():
    assert propose(make.draft(evidence=())).held.trust_class == "generated_content"


def test_a_promotion_proposal_is_bound_to_its_base_and_approval_writes_the_article():
    before = make.article()
    target = PromotionTarget("graph/runbooks/deploy.md", before.source_version, "Deploys", "# Deploys\n\nOn Thursday.")
    held = propose(make.draft("Deploys happen on Thursday.", target=target, evidence=())).held
    make.approve(held, make.reviewer())
    before.refresh_from_db()
    held.refresh_from_db()
    after = held.promotion.result
    assert (before.state, before.superseded_by) == ("superseded", after.record_id)
    assert (after.kind, after.approval_by, after.approval_proposal, after.label_base) == (
        "article", "reviewer", str(held.id), "approved",
    )  # fmt: skip


def test_a_promotion_proposal_written_against_an_older_text_is_refused():
    make.article()
    target = PromotionTarget("graph/runbooks/deploy.md", "another-version", "Deploys", "# Deploys")
    held = propose(make.draft("Deploys.", target=target, evidence=())).held
    with refused("base_changed"):
        make.approve(held, make.reviewer())


def test_withdrawing_ends_it_and_only_its_filer_can():
    held = propose().held
    with refused("not_found"):
        withdraw_proposal(held_id=held.id, filer=make.filer(make.agent("qa-agent")))
    assert withdraw_proposal(held_id=held.id, filer=make.filer()).status == "withdrawn"
    with refused("closed"):
        withdraw_proposal(held_id=held.id, filer=make.filer())


def test_a_burst_from_one_agent_is_flagged_and_high_risk():
    from evidence.services import proposing
    from evidence.services.verification import verify_held

    for number in range(proposing.BURST):
        propose(make.draft(f"Note {number} about thing {number}.", evidence=()))
    held = propose(make.draft("One more note.", evidence=())).held
    verify_held(held_id=held.id)
    held.refresh_from_db()
    assert ("source_burst" in held.flags, held.risk) == (True, "high")
