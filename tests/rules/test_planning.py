"""The plan of a decision (contract 10, 13): refusals, what is still missing, effects, and what the digest names."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from evidence.rules.planning import Affected, Choices, LabelPreview, Need, Ref, Situation, label_words, plan
from tests.rules.build import DAY, NOW

PREVIEW = LabelPreview("verified", NOW, NOW + 2 * DAY)
FACT = Situation(
    held_id="h-1", kind="fact_proposal", status="waiting", agent="ada", match_kind="new", risk="low", layer="L2",
    durability="project", verification_status="verified", policy_version=1, source_label=PREVIEW, now_label=PREVIEW,
)  # fmt: skip
EVIDENCE = replace(FACT, kind="held_evidence", evidence_record="e-9", source_label=None, now_label=None)
ARTICLE = replace(
    FACT, kind="promotion_proposal", source_label=None, now_label=None, target_source="wiki:ada/graph/a.md",
    base_version="1", current_version="1",
)  # fmt: skip
OLD = Affected("e-1", 3, "fact", "the plan is team", "stale", on_key=True)
SAME = replace(OLD, record_id="e-2", same_value=True)
NEAR = replace(OLD, record_id="e-3", on_key=False)
REVIEWED = Affected("e-4", 1, "article", "the plan is team", "approved", reviewed=True, on_key=True)


def effects(situation: Situation, action: str, choices: Choices | None = None) -> list[tuple[str, str]]:
    return [(str(effect.kind), effect.target_id) for effect in plan(situation, action, choices).effects]


@pytest.mark.parametrize(
    ("situation", "action", "code"),
    [
        (FACT, "approve", None),
        (replace(FACT, status="approved"), "approve", "already_decided"),
        (replace(FACT, status="withdrawn"), "reject", "already_decided"),
        (replace(FACT, status="expired"), "snooze", "already_decided"),
        (replace(FACT, verification_status="rejected"), "approve", "verification_rejected"),
        (replace(FACT, verification_status="rejected"), "supersede", "verification_rejected"),
        (replace(FACT, verification_status="rejected"), "reject", None),
        (replace(FACT, verification_status="review_required"), "approve", None),
        (replace(FACT, affected=(REVIEWED,)), "approve", "reviewed_article"),
        (replace(FACT, affected=(REVIEWED,)), "reject", None),
        (replace(FACT, affected=(replace(REVIEWED, same_value=True),)), "approve", None),
        (replace(FACT, named=(replace(REVIEWED, same_value=True),)), "supersede", "reviewed_article"),
        (replace(ARTICLE, current_version="2"), "approve", "base_changed"),
        (replace(ARTICLE, current_version="2"), "reject", None),
        (replace(ARTICLE, affected=(REVIEWED,)), "approve", None),
        (ARTICLE, "supersede", "invalid_value"),
        (EVIDENCE, "supersede", "invalid_value"),
        (replace(EVIDENCE, verification_status="rejected"), "approve", "verification_rejected"),
    ],
)
def test_what_is_impossible_is_refused_and_does_nothing(situation: Situation, action: str, code: str | None) -> None:
    made = plan(situation, action)
    assert (made.refusal.code if made.refusal else None) == code
    if code:
        assert (made.effects, made.needs) == ((), ())
        assert made.refusal is not None
        assert made.refusal.detail


@pytest.mark.parametrize(
    ("situation", "action", "choices", "missing"),
    [
        (FACT, "approve", Choices(), []),
        (FACT, "reject", Choices(), ["reason_required"]),
        (FACT, "reject", Choices(reason_code="wrong"), []),
        (FACT, "supersede", Choices(), ["reason_required", "supersedes_required"]),
        (FACT, "supersede", Choices(reason_code="stale", supersedes=("e-1",)), []),
        (replace(FACT, layer="L1"), "approve", Choices(), ["ratification_required"]),
        (replace(FACT, layer="L1"), "approve", Choices(ratify=True), []),
        (replace(FACT, durability="task"), "approve", Choices(), ["conversion_required"]),
        (replace(FACT, durability="session"), "approve", Choices(durability="project"), []),
        (replace(FACT, durability="unknown"), "approve", Choices(), []),
        (replace(FACT, source_label=None), "approve", Choices(), ["check_date_required"]),
        (replace(FACT, source_label=None), "approve", Choices(checked="source"), ["check_date_required"]),
        (replace(FACT, source_label=None), "approve", Choices(checked="now"), []),
        (replace(FACT, source_label=None), "approve", Choices(checked="date"), []),
        (replace(FACT, match_kind="ambiguous"), "approve", Choices(), ["supersedes_required"]),
        (replace(ARTICLE, layer="L1", durability="task"), "approve", Choices(),
         ["ratification_required", "conversion_required"]),
        (replace(EVIDENCE, layer="L1", durability="task"), "approve", Choices(), []),
        (replace(FACT, layer="L1", source_label=None), "snooze", Choices(), []),
    ],
)  # fmt: skip
def test_what_the_person_still_has_to_say(
    situation: Situation, action: str, choices: Choices, missing: list[str]
) -> None:
    made = plan(situation, action, choices)
    assert [str(need.kind) for need in made.needs] == missing
    assert all(isinstance(made.need(need.kind), Need) for need in made.needs)


@pytest.mark.parametrize(
    ("situation", "action", "choices", "expected"),
    [
        (FACT, "approve", Choices(), [("create_record", "h-1")]),
        (FACT, "reject", Choices(), [("reject", "h-1")]),
        (FACT, "snooze", Choices(), [("snooze", "h-1")]),
        (FACT, "ask_owner", Choices(), [("open_question", "h-1")]),
        (EVIDENCE, "approve", Choices(), [("approve_evidence", "e-9")]),
        (ARTICLE, "approve", Choices(), [("write_article", "wiki:ada/graph/a.md")]),
        (replace(FACT, affected=(OLD,)), "approve", Choices(), [("create_record", "h-1"), ("supersede_record", "e-1")]),
        (replace(FACT, affected=(SAME,)), "approve", Choices(), [("link_evidence", "e-2"), ("refresh_check", "e-2")]),
        (replace(FACT, affected=(replace(REVIEWED, same_value=True),)), "approve", Choices(), [("link_evidence", "e-4")]),
        # What is only near the key is replaced where the match says so, and never by a duplicate.
        (replace(FACT, affected=(NEAR,)), "approve", Choices(), [("create_record", "h-1")]),
        (replace(FACT, affected=(NEAR,), match_kind="duplicate"), "approve", Choices(), [("create_record", "h-1")]),
        (replace(FACT, affected=(NEAR,), match_kind="updates_existing"), "approve", Choices(),
         [("create_record", "h-1"), ("supersede_record", "e-3")]),
        (replace(FACT, affected=(OLD, NEAR), named=(NEAR,)), "supersede", Choices(supersedes=("e-3",)),
         [("create_record", "h-1"), ("supersede_record", "e-1"), ("supersede_record", "e-3")]),
        (replace(FACT, named=(OLD,), affected=(OLD,)), "supersede", Choices(supersedes=("e-1",)),
         [("create_record", "h-1"), ("supersede_record", "e-1")]),
        # An equal record that is itself to be replaced gets no new evidence.
        (replace(FACT, affected=(SAME,), named=(SAME,)), "supersede", Choices(supersedes=("e-2",)),
         [("create_record", "h-1"), ("supersede_record", "e-2")]),
        (replace(FACT, equals=(Ref("h-2", 1),), questions=(Ref("q-1", 1),)), "approve", Choices(),
         [("create_record", "h-1"), ("close_equal", "h-2"), ("close_question", "q-1")]),
        (replace(FACT, equals=(Ref("h-2", 1),), questions=(Ref("q-1", 1),)), "reject", Choices(),
         [("reject", "h-1"), ("close_question", "q-1")]),
        (replace(FACT, approvals_needed=2), "approve", Choices(), [("first_approval", "h-1")]),
        (replace(FACT, approvals_needed=2, approvals_have=1), "approve", Choices(), [("create_record", "h-1")]),
        (replace(ARTICLE, approvals_needed=2), "approve", Choices(), [("first_approval", "h-1")]),
        (replace(FACT, approvals_needed=2), "reject", Choices(), [("reject", "h-1")]),
    ],
)  # fmt: skip
def test_what_happens(situation: Situation, action: str, choices: Choices, expected: list[tuple[str, str]]) -> None:
    assert effects(situation, action, choices) == expected
    assert all(effect.words.endswith(".") for effect in plan(situation, action, choices).effects)


SEEN: list[dict[str, Any]] = [
    {"affected": (OLD,)},
    {"equals": (Ref("h-2", 1),)},
    {"match_kind": "updates_existing"},
    {"risk": "medium"},
    {"layer": "L1"},
    {"durability": "task"},
    {"approvals_needed": 2},
    {"approvals_have": 1},
    {"source_label": replace(PREVIEW, label="stale")},
    {"source_label": None},
    {"policy_version": 2},
    {"questions": (Ref("q-1", 1),)},
    {"status": "approved"},
    {"held_id": "h-2"},
]


@pytest.mark.parametrize("changes", SEEN, ids=str)
def test_a_digest_changes_with_what_an_approval_depends_on(changes: dict[str, Any]) -> None:
    assert plan(replace(FACT, **changes), "approve").digest != plan(FACT, "approve").digest


def test_a_text_that_nobody_reviewed_is_not_called_reviewed() -> None:
    """What an article's proposal replaces may have been imported, and reviewed by nobody."""
    assert plan(ARTICLE, "approve").effects[0].words.startswith("Replaces the text of ")


def test_a_digest_sees_versions_and_no_order() -> None:
    two = replace(FACT, affected=(OLD, NEAR))
    assert plan(two, "approve").digest == plan(replace(FACT, affected=(NEAR, OLD)), "approve").digest
    newer = replace(FACT, affected=(replace(OLD, version=4), NEAR))
    assert plan(two, "approve").digest != plan(newer, "approve").digest
    assert plan(FACT, "approve").digest != plan(FACT, "supersede").digest


def test_a_digest_of_less_sees_less() -> None:
    asked = replace(FACT, affected=(OLD,), questions=(Ref("q-1", 1),))
    assert plan(asked, "snooze").digest == plan(FACT, "snooze").digest
    assert plan(replace(FACT, affected=(OLD,)), "reject").digest == plan(FACT, "reject").digest
    assert plan(asked, "reject").digest != plan(FACT, "reject").digest
    chosen = Choices(checked="now", supersedes=("e-1",), reason_code="wrong")
    assert plan(FACT, "approve", chosen).digest == plan(FACT, "approve").digest


def test_the_page_is_told_the_label_of_each_date() -> None:
    assert plan(FACT, "approve").labels == {"source": PREVIEW, "now": PREVIEW}
    assert plan(replace(FACT, source_label=None), "approve").labels == {"now": PREVIEW}
    assert plan(FACT, "reject").labels == {}
    assert plan(ARTICLE, "approve").labels == {}
    assert label_words(PREVIEW) == "verified until 2026-09-16T09:00:00Z"
    assert label_words(replace(PREVIEW, label="stale")) == "stale"
    assert label_words(replace(PREVIEW, expires_at=None)) == "verified"
