"""Proposals over REST: filing, following, withdrawing; one's own only; what a decision tells; ETags."""

from __future__ import annotations

import uuid
from typing import Any

from evidence.models import Evidence, HeldRecord
from evidence.rules.records import Claim
from evidence.rules.vocab import Access, Action, HeldStatus, Role
from evidence.rules.vocab import Door as DoorWord
from evidence.services.actors import Actor
from evidence.services.deciding import decide
from evidence.services.undoing import undo
from evidence.services.verification import verify_held
from tests.api.bodies import CLAIM, evidence, proposal
from tests.api.conftest import Door, refusal
from tests.builders import a_person, a_record, a_token


def test_a_proposal_waits_with_its_evidence_and_is_recalled_by_nobody(door: Door) -> None:
    answer = door.post("proposals", proposal(claim=CLAIM))
    assert answer.status_code == 201
    body = answer.json()
    held = HeldRecord.objects.get()
    assert body["id"] == str(held.id)
    assert (body["status"], body["match_kind"], body["matched"]) == ("waiting", "new", [])
    assert body["verification"] == {"status": "pending", "reasons": [], "checks": []}
    assert body["url"] == f"/queue/{held.id}/"
    assert held.links.count() == 1
    assert [row for row in door.ids("kestrel deploys") if row == held.fact_proposal.observation.record_id] == []


def test_verification_is_told(door: Door) -> None:
    held_id = door.post("proposals", proposal()).json()["id"]
    run = verify_held(held_id=held_id)
    assert run is not None
    told = door.get(f"proposals/{held_id}").json()["verification"]
    assert (told["status"], told["reasons"], told["checks"]) == (run.status, run.reasons, run.checks)


def test_the_same_claim_while_one_waits_is_that_one_with_the_new_evidence(door: Door) -> None:
    first = door.post("proposals", proposal(claim=CLAIM)).json()
    more = evidence(source={"id": "session:ada/t2/summary/1"}, content="Deploys ran on Tuesday again.")
    again = door.post("proposals", proposal(claim=CLAIM, evidence=[more]))
    assert (again.status_code, again.json()["id"]) == (200, first["id"])
    assert again.json()["version"] == first["version"] + 1
    assert HeldRecord.objects.get().links.count() == 2


def test_evidence_by_id_must_be_readable(door: Door) -> None:
    own = door.post("evidence", evidence()).json()["id"]
    hidden = a_record("Hidden.", scope_owner="bob", scope_access="private").record_id
    assert door.post("proposals", proposal(evidence=[own])).status_code == 201
    there = door.post("proposals", proposal(statement="Another.", evidence=[hidden]))
    absent = door.post("proposals", proposal(statement="Another.", evidence=["e-" + "0" * 32]))
    assert refusal(there) == (422, "invalid_value")
    assert there.content == absent.content


def test_anothers_proposal_does_not_exist(door: Door, stranger: Door) -> None:
    held_id = door.post("proposals", proposal()).json()["id"]
    unknown = stranger.get(f"proposals/{uuid.uuid4()}")
    for answer in (
        stranger.get(f"proposals/{held_id}"),
        stranger.get("proposals/nonsense"),
        stranger.post(f"proposals/{held_id}/withdraw"),
        stranger.post(f"proposals/{uuid.uuid4()}/withdraw"),
    ):
        assert (answer.status_code, answer.content) == (404, unknown.content)


def test_a_scope_wider_than_the_token_s_is_a_wish_for_the_reviewer(db: None) -> None:
    narrow = Door(a_token("ada", max_access=Access.PRIVATE).secret)
    answer = narrow.post("proposals", proposal(scope={"access": "public"}))
    assert answer.status_code == 201
    held = HeldRecord.objects.get(pk=answer.json()["id"])
    assert held.scope_access == Access.PUBLIC
    assert [link.evidence.scope_access for link in held.links.all()] == [Access.PRIVATE]
    wide = proposal(statement="It is Monday.", evidence=[evidence(scope={"access": "public"})])
    assert refusal(narrow.post("proposals", wide)) == (403, "not_your_scope")


def test_withdrawing(door: Door) -> None:
    body = door.post("proposals", proposal()).json()
    path = f"proposals/{body['id']}/withdraw"
    assert refusal(door.post(path, {"version": body["version"] + 1})) == (409, "version_conflict")
    answer = door.post(path, {"version": body["version"]})
    assert (answer.status_code, answer.json()["status"], answer.json()["grants"]) == (200, "withdrawn", [])
    assert refusal(door.post(path)) == (409, "closed")


def test_an_unchanged_proposal_costs_a_304(door: Door) -> None:
    held_id = door.post("proposals", proposal()).json()["id"]
    first = door.get(f"proposals/{held_id}")
    tag = first.headers["ETag"]
    for known in (tag, f"W/{tag}", f'"other", {tag}', "*"):
        again = door.get(f"proposals/{held_id}", If_None_Match=known)
        assert (again.status_code, again.content, again.headers["ETag"]) == (304, b"", tag)
    door.post(f"proposals/{held_id}/withdraw")
    changed = door.get(f"proposals/{held_id}", If_None_Match=tag)
    assert changed.status_code == 200
    assert changed.headers["ETag"] != tag


def decided(held_id: str, action: Action, key: str = "", **options: Any) -> HeldRecord:
    reviewer = a_person("rita", Role.REVIEWER)
    verify_held(held_id=held_id)
    version = HeldRecord.objects.get(pk=held_id).version
    return decide(
        held_id=held_id, action=action, seen_version=version, actor=Actor.person(reviewer, DoorWord.WEB),
        idempotency_key=f"{held_id}-{action}-{key}", **options,
    ).held  # fmt: skip


def test_an_approval_names_the_record_which_recall_then_shows(door: Door) -> None:
    held_id = door.post("proposals", proposal(claim=CLAIM)).json()["id"]
    decided(held_id, Action.APPROVE, checked_at="now")
    body = door.get(f"proposals/{held_id}").json()
    fact = Evidence.objects.get(kind="fact")
    assert (body["status"], body["record_id"], body["grants"]) == ("approved", fact.record_id, [])
    found = door.post("recall", {"query": "kestrel deploys", "kinds": ["fact"]}).json()["results"]
    assert [(each["record"]["id"], each["label"]) for each in found] == [(fact.record_id, "verified")]


def test_undoing_an_approval_takes_it_out_of_recall_and_superseding_replaces_it(door: Door) -> None:
    first = door.post("proposals", proposal(claim=CLAIM)).json()["id"]
    approved = decided(first, Action.APPROVE, checked_at="now")
    assert approved.decision_id is not None
    undo(decision_id=approved.decision_id, actor=Actor.person(a_person("rita"), DoorWord.WEB))
    assert door.ids("kestrel deploys", kinds=["fact"]) == []
    decided(first, Action.APPROVE, checked_at="now", key="again")
    (old,) = door.ids("kestrel deploys", kinds=["fact"])
    newer = proposal(
        statement="The kestrel deploys on Fridays.", claim=CLAIM | {"value": "Friday"},
        evidence=[evidence(source={"id": "session:ada/t2/summary/1"}, content="The kestrel deploys on Fridays now.")],
    )  # fmt: skip
    second = door.post("proposals", newer).json()["id"]
    decided(second, Action.SUPERSEDE, checked_at="now", supersedes=[old], reason_code="stale")
    (shown,) = door.ids("kestrel deploys", kinds=["fact"])
    assert shown == door.get(f"proposals/{second}").json()["record_id"] != old
    assert door.get(f"records/{old}").status_code == 404


def test_a_rejection_tells_its_reason_and_shows_nothing(door: Door) -> None:
    held_id = door.post("proposals", proposal(claim=CLAIM)).json()["id"]
    decided(held_id, Action.REJECT, reason_code="too_vague", reason="Which kestrel?")
    body = door.get(f"proposals/{held_id}").json()
    assert (body["status"], body["reason_code"], body["reason"]) == ("rejected", "too_vague", "Which kestrel?")
    assert body["record_id"] is None
    assert door.ids("kestrel deploys", kinds=["fact"]) == []
    assert refusal(door.post("proposals", proposal(claim=CLAIM)))[1] == "already_rejected"


def test_matches_that_the_filer_may_not_read_are_not_told(door: Door) -> None:
    claim = Claim("kestrel", "deploy day", "Monday")
    a_record("It is Monday.", claim=claim, scope_owner="bob", scope_access="private")
    body = door.post("proposals", proposal(claim=CLAIM, scope={"access": "public"})).json()
    verify_held(held_id=body["id"])
    told = door.get(f"proposals/{body['id']}").json()
    held = HeldRecord.objects.get()
    assert held.match_kind == "potential_conflict"  # what the reviewer sees
    assert (told["match_kind"], told["matched"]) == ("new", [])
    assert "match_requires_review" not in told["verification"]["reasons"]


def test_a_readable_match_is_told(door: Door) -> None:
    known = a_record("It is Monday.", claim=Claim("kestrel", "deploy day", "Monday"))
    body = door.post("proposals", proposal(claim=CLAIM, scope={"access": "public"})).json()
    assert (body["match_kind"], body["matched"]) == ("potential_conflict", [known.record_id])


def test_an_article_is_proposed_with_a_target(door: Door) -> None:
    target = {"path": "graph/kestrel.md", "base_version": "", "title": "Kestrel", "content": "# Kestrel\n\nDeploys."}
    body = door.post("proposals", proposal(target=target)).json()
    held = HeldRecord.objects.get(pk=body["id"])
    assert (held.kind, held.status) == ("promotion_proposal", HeldStatus.WAITING)
    assert held.promotion.target_source == "wiki:ada/graph/kestrel.md"
