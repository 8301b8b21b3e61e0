"""What holds of every row after whatever was done: labels, search copies, links, chains (contract 2, 3, 5, 10)."""

from __future__ import annotations

import contextlib
import random
import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from evidence.models import Decision, Evidence, HeldRecord, Inquiry, Tombstone
from evidence.rules.labels import label, label_of_window
from evidence.rules.vocab import Action, Role
from evidence.selectors.audit import verify_chain
from evidence.selectors.planning import window_of
from evidence.selectors.sides import answers_of
from evidence.services.answering import answer_inquiry
from evidence.services.deciding import decide
from evidence.services.drafts import EvidenceDraft
from evidence.services.editing import edit_held
from evidence.services.errors import Refused
from evidence.services.filing import file_evidence
from evidence.services.index_upkeep import index_health
from evidence.services.records import recheck_record, revoke_record
from evidence.services.undoing import UNDOABLE, undo
from evidence.services.verification import verify_held
from tests.services import make

pytestmark = pytest.mark.django_db

STEPS = 60


class Desk:
    """A small desk where people and agents do what comes to their mind; refusals are part of it."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.agents = [make.agent(name) for name in ("ops-agent", "qa-agent")]
        self.people = [
            make.reviewer("r1"),
            make.user("r2", Role.REVIEWER, Role.OWNER),
            make.user("boss", Role.ADMINISTRATOR),
        ]
        self.now = timezone.now()

    def step(self) -> None:
        verb = self.dice.choice(
            [self.propose, self.propose, self.report, self.decide, self.decide, self.decide, self.answer, self.answer,
             self.edit, self.undo, self.undo, self.amend, self.recheck, self.revoke]
        )  # fmt: skip
        with contextlib.suppress(Refused):
            verb()
        for held in HeldRecord.objects.waiting():
            verify_held(held_id=held.id)

    def any(self, rows):
        found = list(rows.order_by("pk"))
        return self.dice.choice(found) if found else None

    def claim(self):
        return make.claim(self.dice.choice(["active", "past due", "closed"]), f"account {self.dice.randrange(2)}")

    def propose(self) -> None:
        about, who = self.claim(), self.dice.choice(self.agents)
        said = make.inline(
            f"{about.subject} {about.attribute} is {about.value}.", of=who.id, thread=f"t-{self.dice.randrange(4)}"
        )
        make.proposal(
            who, statement=f"It is {about.value}.", claim=about, evidence=(said,),
            scope_access=self.dice.choice(["public", "private"]), volatility=self.dice.choice(["billing", "stable"]),
            check_at=self.dice.choice(["", make.days_ago(self.dice.randrange(1, 9))]),
        )  # fmt: skip

    def report(self) -> None:
        about, who = self.claim(), self.dice.choice(self.agents)
        draft = EvidenceDraft(
            source_id=f"entry:{who.id}/{about.subject}", source_version=str(self.dice.randrange(99)), claim=about,
            content=f"It is {about.value}.", channel=self.dice.choice(["api", "webhook"]), scope_access="public",
            check_at=make.days_ago(self.dice.randrange(1, 9)), durability="project", volatility="billing",
        )  # fmt: skip
        file_evidence(filer=make.filer(who), draft=draft)

    def decide(self) -> None:
        held = self.any(HeldRecord.objects.waiting())
        if held is not None:
            action = self.dice.choice([Action.APPROVE, Action.APPROVE, Action.REJECT, Action.SUPERSEDE])
            named = self.any(Evidence.objects.active().filter(kind="fact"))
            make.act(
                held, self.dice.choice(self.people), action, reason_code="wrong" if action != Action.APPROVE else "",
                supersedes=[named.record_id] if named and action == Action.SUPERSEDE else [],
                checked_at=self.dice.choice(["", "now"]),
            )  # fmt: skip

    def answer(self) -> None:
        row = self.any(Inquiry.objects.open())
        if row is not None:
            turn = self.now - timedelta(days=2)
            answer_inquiry(
                inquiry_id=row.id, answer=self.dice.choice(answers_of(row)), seen_version=row.version, value="frozen",
                actor=make.person(self.people[1]), idempotency_key=uuid.uuid4().hex,
                validity={"current": (None, turn), "incoming": (turn, None)},
            )  # fmt: skip

    def edit(self) -> None:
        held = self.any(HeldRecord.objects.waiting())
        if held is not None:
            edit_held(
                held_id=held.id,
                seen_version=held.version,
                actor=make.person(self.people[0]),
                reason="r",
                claim=self.claim(),
            )

    def undo(self) -> None:
        row = self.any(Decision.objects.filter(action__in=UNDOABLE))
        if row is not None:
            undo(decision_id=row.id, actor=make.person(self.people[2]))

    def amend(self) -> None:
        row = self.any(Decision.objects.filter(action__in=["approve", "reject", "supersede"]))
        if row is not None:
            held = HeldRecord.objects.get(pk=row.target_id)
            who = next(one for one in self.people if str(one.pk) == row.actor_id)
            decide(
                held_id=held.id, action="reject", seen_version=held.version, reason_code="wrong", actor=make.person(who),
                idempotency_key=uuid.uuid4().hex, amends=row.id,
            )  # fmt: skip

    def recheck(self) -> None:
        row = self.any(Evidence.objects.active().filter(kind="fact"))
        if row is not None:
            recheck_record(record_pk=row.pk, seen_version=row.version, actor=make.person(self.people[1]))

    def revoke(self) -> None:
        row = self.any(Evidence.objects.active().filter(kind="fact"))
        if row is not None:
            revoke_record(record_pk=row.pk, seen_version=row.version, actor=make.person(self.people[1]), reason="gone")


@pytest.mark.parametrize("seed", range(5))
def test_whatever_is_done_the_rows_agree(seed):
    desk = Desk(seed)
    for _ in range(STEPS):
        desk.step()
    assert Decision.objects.exclude(action="file").count() > 2
    rows = list(Evidence.objects.all())
    ids = {row.record_id for row in rows}
    for row in rows:
        for at in (desk.now - timedelta(days=3), desk.now, desk.now + timedelta(days=3)):
            assert label_of_window(window_of(row), at) == label(row.to_record(), at), row
        if row.state == "active":
            assert row.superseded_by == "", row
        if row.superseded_by:
            assert row.superseded_by in ids, row
        if row.state == "revoked":
            assert (row.content, row.summary, row.excerpt, row.claim_value) == ("", "", "", ""), row
        if row.kind == "fact" and row.state == "active":
            assert row.check_confirmed_by, row
    for row in rows:
        before = [
            one for one in rows if one.superseded_by == row.record_id and one.kind == "fact" and row.kind == "fact"
        ]
        assert {one.record_id for one in before} <= set(row.relations.get("supersedes", [])), row
    for held in HeldRecord.objects.filter(kind="fact_proposal").select_related("fact_proposal__observation"):
        observation = held.fact_proposal.observation
        assert observation.review in ("held", "rejected")
        assert (held.status == "waiting") == (observation.state == "active" and observation.review == "held"), (
            held.status
        )
        assert (held.status == "waiting") == (held.decided_at is None), held.status
    assert not Inquiry.objects.open().filter(held__isnull=False).exclude(held__status="waiting").exists()
    assert all(report.ok for report in index_health()), index_health()
    assert not Tombstone.objects.exists()
    assert verify_chain().ok
