"""Runs of the demo: one that ended and was put right later, one that is stuck. Written as agents do, at the demo's time."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from evidence.models import Agent, Evidence, Run, Token
from evidence.rules.run_vocab import Evaluator, RunEventType, RunOutcomeWord
from evidence.rules.text import sha256_hex
from evidence.rules.vocab import Kind, Right
from evidence.services.receipts import receipt_for
from evidence.services.run_ending import complete_run
from evidence.services.run_recording import begin_run, record_event
from evidence.services.run_shapes import Asked, Attributed, Attribution, Beginning, Ending, Happening

SHOWN = 3


def seed_runs(*, namespace: str, as_of: datetime) -> int:
    """Repeated it adds nothing: every write has its key. Returns how many runs there are."""
    if Agent.objects.filter(pk__in=["ops-agent", "build-agent"]).count() != 2:
        return 0
    _release(
        _Story.of(
            "ops-agent", namespace, as_of - timedelta(hours=3), "Roll release 1.9.8 of quote-engine out to production."
        )
    )
    _stuck(
        _Story.of(
            "build-agent", namespace, as_of - timedelta(minutes=50), "Move the label service to the new build image."
        )
    )
    return 2


@dataclass(slots=True)
class _Story:
    """A run being told, a few minutes from one event to the next."""

    token: Token
    run: Run
    at: datetime
    step: int = 0
    names: dict[str, UUID] = field(default_factory=dict)

    @classmethod
    def of(cls, agent: str, namespace: str, at: datetime, goal: str) -> _Story:
        # Stands for the agent here; it is no credential and is never stored.
        token = Token(agent_id=agent, namespace=namespace, rights=[Right.RUNS], projects=[])
        asked = Asked(key=f"demo {goal}", body={"goal": goal})
        begun = begin_run(token=token, beginning=Beginning("project:quote-engine", goal), asked=asked, now=at)
        return cls(token, begun.run, at, names={"": begun.root.pk})

    def asked(self) -> Asked:
        self.step += 1
        return Asked(key=f"demo {self.step}", body={"step": self.step})

    def tell(self, word: RunEventType, summary: str, *, part: str = "", minutes: float = 4, **more: Any) -> UUID:
        self.at += timedelta(minutes=minutes)
        work_item = self.names[part] if "goal" not in more else None
        happening = Happening(word, summary, work_item=work_item, **more)
        event = record_event(
            token=self.token, run_id=self.run.pk, happening=happening, asked=self.asked(), now=self.at
        ).event
        if "goal" in more:
            self.names[str(more["goal"])] = event.work_item_id
        return event.pk

    def recall(self, query: str, summary: str) -> tuple[UUID, list[str]] | None:
        """The newest facts of the agent that say something of it, as a recall would have shown them."""
        facts = Evidence.objects.in_namespace(self.run.namespace).active().filter(kind=Kind.FACT)
        own = facts.filter(scope_owner=self.run.agent, content__icontains=query).order_by("-check_at", "record_id")
        shown = [row.to_record() for row in own[:SHOWN]]
        receipt = receipt_for(
            namespace=self.run.namespace, query_hash=sha256_hex("demo", query), mode="lexical", shown=shown, now=self.at
        )
        if not receipt or not shown:
            return None
        items = tuple(Attributed(one.id, rank) for rank, one in enumerate(shown, start=1))
        event = self.tell(
            RunEventType.MEMORY_RECALLED, summary, minutes=0.1, attribution=Attribution(receipt, items=items)
        )
        return event, [one.id for one in shown]


def _release(story: _Story) -> None:
    event = RunEventType
    story.tell(
        event.PLAN_CREATED, "Look up what holds for deploys, build the image, roll it out, watch it for an hour."
    )
    found = story.recall("deploy", "Asked what is known of production deploys.")
    if found is not None:
        source, shown = found
        used = Attribution(source=source, items=(Attributed(shown[0], 1),))
        story.tell(event.MEMORY_APPLIED, "Kept to the day that is meant for it.", minutes=1, attribution=used)
    image, rollout = "Build the image", "Roll it out"
    story.tell(event.WORK_ITEM_STARTED, "Building.", goal=image)
    digest = {"digest": sha256_hex("demo image"), "mime_type": "application/vnd.oci.image.manifest.v1+json",
              "uri": "oci://registry.example.org/quote-engine:1.9.8", "metadata": {"commit": "4f1c2aa"}}  # fmt: skip
    story.tell(event.ARTIFACT_CREATED, "The image.", part=image, minutes=9, payload=digest)
    story.tell(event.WORK_ITEM_COMPLETED, "Built and scanned.", part=image, minutes=2)
    story.tell(event.WORK_ITEM_STARTED, "One depot first.", goal=rollout)
    story.tell(
        event.TOOL_RESULT, "Quotes answer in 180 ms.", part=rollout, minutes=15, payload={"p95_ms": 180, "errors": 0}
    )
    story.tell(event.WORK_ITEM_COMPLETED, "All depots run 1.9.8.", part=rollout, minutes=20)
    story.tell(event.WORK_ITEM_COMPLETED, "Nothing is left to do.", minutes=30)
    checked = Ending(
        RunOutcomeWord.VERIFIED_SUCCESS, Evaluator.DETERMINISTIC_VERIFIER, "smoke tests",
        ("smoke: 41 passed",), {"minutes": 94}, "The hour went by without an error.",
    )  # fmt: skip
    first = _ended(story, checked)
    put_right = Ending(
        RunOutcomeWord.USER_CORRECTED, Evaluator.HUMAN, "owner", ("The Westbrook depot had no quotes after 18:00.",),
        termination_reason="One depot was forgotten.", supersedes=first,
    )  # fmt: skip
    _ended(story, put_right, minutes=40)


def _ended(story: _Story, ending: Ending, minutes: int = 1) -> UUID:
    story.at += timedelta(minutes=minutes)
    done = complete_run(token=story.token, run_id=story.run.pk, ending=ending, asked=story.asked(), now=story.at)
    return done.outcome.pk


def _stuck(story: _Story) -> None:
    event = RunEventType
    story.tell(event.PLAN_CREATED, "Change the base image, build, compare the labels.")
    part = "Change the base image"
    story.tell(event.WORK_ITEM_STARTED, "Changing it.", goal=part)
    story.tell(event.INFORMATION_GAP, "Nobody says which fonts the printers need.", part=part)
    story.tell(event.BLOCKER, "The new image has no font for the barcodes.", part=part, minutes=12)
