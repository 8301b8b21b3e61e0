"""The AgentX reader: what the sample becomes, and what is refused whole or in part."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import pytest

from evidence.exchange import agentx
from evidence.exchange.agentx.articles import content_hash
from evidence.exchange.files import CorruptSource
from evidence.exchange.items import (
    EvidenceItem,
    FactItem,
    ForeignDecision,
    Problem,
    PromotionItem,
    ProposalItem,
    QuestionItem,
    Read,
)
from evidence.rules.records import Check, Claim
from tests.exchange.checkouts import append_line, change, memory_line, sample, with_corrupt_ledger


def by_id(found: list[Read]) -> dict[str, Read]:
    return {item.foreign_id: item for item in found if not isinstance(item, Problem)}


def problems(found: list[Read]) -> list[tuple[str, str]]:
    return [(str(item.place), item.code) for item in found if isinstance(item, Problem)]


@pytest.fixture
def items(tmp_path: Path) -> dict[str, Read]:
    return by_id(list(agentx.read(sample(tmp_path))))


def test_everything_in_the_sample_is_read(tmp_path: Path) -> None:
    found = list(agentx.read(sample(tmp_path)))
    kinds = [type(item).__name__ for item in found]
    counts = {kind: kinds.count(kind) for kind in set(kinds)}
    # Five facts and one article; four fact proposals and two contributions.
    assert counts == {"FactItem": 6, "EvidenceItem": 6, "ProposalItem": 6, "PromotionItem": 3, "QuestionItem": 5}


def test_the_folder_itself_can_be_named(tmp_path: Path) -> None:
    checkout = sample(tmp_path)
    assert list(agentx.read(checkout / ".agentx")) == list(agentx.read(checkout))


def test_a_fact_keeps_its_check_and_an_undated_one_has_none(items: dict[str, Read]) -> None:
    confirmed, undated = items["f-8c328526b6"], items["f-719b957c6e"]
    assert isinstance(confirmed, FactItem)
    assert isinstance(undated, FactItem)
    assert confirmed.record.check == Check("2026-09-02T10:00:00.000Z", "operator", "owner said", "operator")
    assert confirmed.record.source.version == "2026-09-02T10:00:00.000Z"
    assert (confirmed.record.scope.access, confirmed.record.trust) == ("public", "internal")
    assert undated.record.check is None
    assert [note.code for note in undated.notes] == ["undated"]


def test_the_history_of_a_fact_arrives_superseded(items: dict[str, Read]) -> None:
    fact = items["f-a224c442cd"]
    assert isinstance(fact, FactItem)
    (past,) = fact.history
    assert past.claim == Claim("Northwind hosting account", "billing status", "past due")
    assert (past.state, past.superseded_by) == ("superseded", fact.record.id)
    assert past.source.id == fact.record.source.id
    assert past.id != fact.record.id


def test_a_summary_that_nobody_checked_has_no_check(items: dict[str, Read]) -> None:
    memo, cited = items["fp-c1bbd5b662"], items["fp-3b80c44f90"]
    assert isinstance(memo, ProposalItem)
    assert isinstance(cited, ProposalItem)
    assert (memo.check, memo.evidence) == (None, ())
    assert memo.claim == Claim("Fabrikam invoice 2041", "billing status", "overdue since 10-01")
    assert cited.check == Check("2026-10-04T00:00:00.000Z", "ops-agent", "GET /health")
    assert cited.claim is None  # AgentX could not read it as a claim
    assert [linked.record.summary for linked in cited.evidence] == ["Cited check: GET /health"]


def test_decisions_of_agentx_are_kept_as_its_own(items: dict[str, Read]) -> None:
    rejected, approved, waiting = items["fp-e4ae17df0b"], items["fp-31d5cde689"], items["fp-c1bbd5b662"]
    assert isinstance(rejected, ProposalItem)
    assert rejected.decided == ForeignDecision(
        "rejected", "operator", "2026-10-03T09:00:00.000Z", "account is active in the vendor console"
    )
    assert isinstance(approved, ProposalItem)
    assert approved.decided == ForeignDecision("approved", "owner", "2026-10-06T15:10:00.000Z")
    assert isinstance(waiting, ProposalItem)
    assert waiting.decided is None


def test_a_promotion_is_bound_to_the_article_beside_it(items: dict[str, Read]) -> None:
    article = items["wiki:memory-promoter/flat/decisions/deploy-window.md"]
    promotion = items["2026-10-07-decisions-deploy-window-k3x9"]
    assert isinstance(article, FactItem)
    assert isinstance(promotion, PromotionItem)
    assert promotion.target == article.record.source.id
    assert promotion.base_version == article.record.source.version == content_hash(article.record.content)
    assert article.record.approval is None
    assert [linked.record.source.id for linked in promotion.evidence] == ["memory:ops-agent/feedback_no_friday_deploys"]


def test_an_approval_arrives_only_with_the_text_that_was_approved(tmp_path: Path) -> None:
    checkout = sample(tmp_path)
    name = "wiki/_proposals/2026-10-07-decisions-deploy-window-k3x9.json"

    def approve(document: dict[str, object]) -> None:
        document |= {"status": "approved", "decidedBy": "operator", "decidedAt": "2026-10-08T09:00:00.000Z"}

    change(checkout, name, approve)
    article = by_id(list(agentx.read(checkout)))["wiki:memory-promoter/flat/decisions/deploy-window.md"]
    assert isinstance(article, FactItem)
    assert article.record.approval is None  # the file beside it still says what it said before

    text = json.loads((checkout / ".agentx" / name).read_text())["article"]["content"]
    (checkout / ".agentx/wiki/decisions/deploy-window.md").write_text(f"---\nowner: memory-promoter\n---\n\n{text}\n")
    article = by_id(list(agentx.read(checkout)))["wiki:memory-promoter/flat/decisions/deploy-window.md"]
    assert isinstance(article, FactItem)
    assert article.record.approval is not None
    assert (article.record.approval.by, article.record.approval.proposal) == (
        "operator", "2026-10-07-decisions-deploy-window-k3x9"
    )  # fmt: skip


def test_external_memory_is_held_whatever_its_line_says(items: dict[str, Read]) -> None:
    for foreign_id in ("mg8a1b2c-x1y2", "mg8a1b2d-q7w8", "mg8a1b2e-e3r4"):
        line = items[foreign_id]
        assert isinstance(line, EvidenceItem)
        assert (line.record.trust, line.record.review) == ("external", "held")
    approved_there = items["mg8a1b2e-e3r4"]
    assert isinstance(approved_there, EvidenceItem)
    assert approved_there.decided == ForeignDecision("approved", "operator", "2026-10-05T12:00:00.000Z")


def test_internal_memory_is_private_and_unchecked(items: dict[str, Read]) -> None:
    line, state = items["mg8a1b2g-u7i8"], items["mg8a1b2h-o9p0"]
    assert isinstance(line, EvidenceItem)
    assert (line.record.review, line.record.check, line.record.scope.access) == (None, None, "private")
    assert line.extra["unverified"] == {"since": "2026-09-28T12:00:00.000Z", "reason": "volatile, no source"}
    assert isinstance(state, EvidenceItem)
    assert state.record.durability == "task"
    assert state.record.valid is not None
    assert state.record.valid.until == "2026-10-12T10:00:00.000Z"


def test_a_stated_trust_never_lifts_the_channels(tmp_path: Path) -> None:
    checkout = sample(tmp_path)
    append_line(checkout, "support-agent", memory_line(source={"channel": "web-chat", "trust": "operator"}))
    line = by_id(list(agentx.read(checkout)))["m-1"]
    assert isinstance(line, EvidenceItem)
    assert (line.record.trust, line.record.review) == ("external", "held")


def test_counters_are_no_change_of_a_memory_line(tmp_path: Path) -> None:
    checkout = sample(tmp_path)
    append_line(checkout, "support-agent", memory_line())
    before = by_id(list(agentx.read(checkout)))["m-1"]
    append_line(checkout, "support-agent", memory_line(accessCount=4, lastAccessed="2026-11-01T10:00:00.000Z"))
    after = by_id(list(agentx.read(checkout)))["m-1"]
    assert isinstance(before, EvidenceItem)
    assert isinstance(after, EvidenceItem)
    assert before.digest == after.digest


def test_an_open_contradiction_has_both_sides(items: dict[str, Read]) -> None:
    dated, undated = items["ac3afdf91914"], items["84c6edb7ef06"]
    assert isinstance(dated, QuestionItem)
    assert dated.current_source == "fact:f-8c328526b6"
    assert dated.incoming is not None
    assert dated.incoming.claim == Claim("Lakeside store", "opening hours", "10:00-18:00 Mon-Sat")
    assert dated.incoming.check == Check("2026-10-07T08:00:00.000Z", "support-agent", "store website")
    assert isinstance(undated, QuestionItem)
    assert undated.incoming is not None
    assert undated.incoming.check is None


def test_gaps_are_plain_questions(items: dict[str, Read]) -> None:
    gap, dismissed = items["489ba3b3569b"], items["aaa9dba0ba4b"]
    assert isinstance(gap, QuestionItem)
    assert (gap.kind, gap.incoming, gap.decided) == ("question", None, None)
    assert isinstance(dismissed, QuestionItem)
    assert dismissed.decided is not None
    assert dismissed.decided.status == "dismissed"


def test_a_corrupt_ledger_stops_everything_and_stays_untouched(tmp_path: Path) -> None:
    checkout = with_corrupt_ledger(tmp_path)
    ledger = checkout / ".agentx/wiki/_facts.json"
    before = hashlib.sha256(ledger.read_bytes()).hexdigest()
    with pytest.raises(CorruptSource, match=r"wiki/_facts\.json: it is not JSON"):
        agentx.read(checkout)
    assert hashlib.sha256(ledger.read_bytes()).hexdigest() == before


@pytest.mark.parametrize(
    "text",
    [
        "[]", "null", "{}", "", "3", '{"facts": {}}', '{"facts": [null]}', '{"facts": [{"id": "f-1"}]}',
        '{"facts": [], "proposals": [{"id": "fp-1"}]}', '{"facts": [], "facts": []}', '{"facts": [NaN]}',
        "[" * 100_000,
    ],
)  # fmt: skip
def test_a_ledger_of_another_shape_is_corrupt(tmp_path: Path, text: str) -> None:
    checkout = sample(tmp_path)
    (checkout / ".agentx/wiki/_facts.json").write_text(text)
    with pytest.raises(CorruptSource):
        agentx.read(checkout)


def test_a_ledger_that_is_a_link_is_not_followed(tmp_path: Path) -> None:
    checkout = sample(tmp_path)
    ledger = checkout / ".agentx/wiki/_facts.json"
    elsewhere = tmp_path / "elsewhere.json"
    ledger.rename(elsewhere)
    ledger.symlink_to(elsewhere)
    with pytest.raises(CorruptSource, match="link"):
        agentx.read(checkout)


def test_a_checkout_without_a_ledger_has_the_rest(tmp_path: Path) -> None:
    checkout = sample(tmp_path)
    (checkout / ".agentx/wiki/_facts.json").unlink()
    kinds = {type(item).__name__ for item in agentx.read(checkout)}
    assert kinds == {"EvidenceItem", "FactItem", "ProposalItem", "PromotionItem", "QuestionItem"}


@pytest.mark.parametrize("name", ["nothing", "facts.jsonl"])
def test_what_is_no_checkout_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "facts.jsonl").write_text("{}")
    with pytest.raises(CorruptSource):
        agentx.read(tmp_path / name)
    with pytest.raises(CorruptSource, match=r"no \.agentx folder"):
        agentx.read(tmp_path)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"{", "malformed"),
        (b"[]", "malformed"),
        (b'{"id": "a", "id": "b"}', "malformed"),
        (b"\xff\xfe{}", "invalid_text"),
        (memory_line() + b"\0", "invalid_text"),
        (memory_line(content="a\0b"), "invalid_text"),
        (memory_line(content="\ud800"), "invalid_text"),
        (memory_line(content="x" * 600_000), "too_large"),
        (memory_line(agentId="ops-agent"), "not_your_source"),
        (memory_line(category="rumour"), "invalid_value"),
        (memory_line(category="secret"), "secret_detected"),
        (memory_line(review="perhaps"), "invalid_value"),
        (memory_line(source={"channel": "telegram", "trust": "total"}), "invalid_value"),
        (memory_line(content=""), "invalid_value"),
        (memory_line(content=3), "invalid_value"),
        (memory_line(keywords="till"), "invalid_value"),
    ],
)
def test_a_bad_line_is_a_problem_and_the_rest_goes_in(tmp_path: Path, line: bytes, code: str) -> None:
    checkout = sample(tmp_path)
    append_line(checkout, "support-agent", line)
    append_line(checkout, "support-agent", memory_line(id="after"))
    found = list(agentx.read(checkout))
    assert problems(found) == [("memory/support-agent.jsonl:7", code)]
    assert "after" in by_id(found)


def test_windows_line_ends_and_a_byte_order_mark_are_taken(tmp_path: Path) -> None:
    checkout = sample(tmp_path)
    file = checkout / ".agentx/memory/other-agent.jsonl"
    file.write_bytes(
        b"\xef\xbb\xbf"
        + memory_line(agentId="other-agent")
        + b"\r\n\r\n"
        + memory_line(agentId="other-agent", id="m-2")
    )
    found = list(agentx.read(checkout))
    assert problems(found) == []
    assert {"m-1", "m-2"} <= set(by_id(found))


def test_a_time_without_a_zone_is_said_and_is_no_date(tmp_path: Path) -> None:
    checkout = sample(tmp_path)
    change(checkout, "wiki/_facts.json", lambda ledger: ledger["facts"][0].update(verifiedAt="2026-10-08T09:12:00"))
    fact = by_id(list(agentx.read(checkout)))["f-a224c442cd"]
    assert isinstance(fact, FactItem)
    assert fact.record.check is not None
    assert fact.record.check.at == "2026-10-08T09:12:00"  # as it came: unreadable to every rule
    assert [(note.code, note.serious) for note in fact.notes] == [("unreadable_time", True)]


@pytest.mark.parametrize(
    ("member", "value"), [("volatility", "weather"), ("value", "  "), ("history", "none"), ("undated", "yes")]
)
def test_a_fact_that_makes_no_sense_is_a_problem_of_its_own(tmp_path: Path, member: str, value: str) -> None:
    checkout = sample(tmp_path)
    change(checkout, "wiki/_facts.json", lambda ledger: ledger["facts"][0].update({member: value}))
    found = list(agentx.read(checkout))
    assert problems(found) == [("wiki/_facts.json facts[0]", "invalid_value")]
    assert "f-8c328526b6" in by_id(found)


def test_an_unknown_status_is_never_guessed(tmp_path: Path) -> None:
    checkout = sample(tmp_path)
    change(checkout, "wiki/_facts.json", lambda ledger: ledger["proposals"][0].update(status="parked"))
    change(checkout, "wiki/_questions.json", lambda document: document["questions"][0].update(status="parked"))
    assert problems(list(agentx.read(checkout))) == [
        ("wiki/_facts.json proposals[0]", "invalid_value"),
        ("wiki/_questions.json questions[0]", "invalid_value"),
    ]


@pytest.mark.parametrize(
    "path", ["../../../etc/passwd", "/etc/passwd", "a/../../b.md", "..", "", "a//b.md", "a\\b.md", "é" * 200]
)
def test_a_promotion_that_points_out_of_the_wiki_is_refused(tmp_path: Path, path: str) -> None:
    checkout = sample(tmp_path)
    name = "wiki/_proposals/2026-10-07-patterns-retry-mail-export-p0q1.json"
    change(checkout, name, lambda document: document["article"].update(path=path))
    assert problems(list(agentx.read(checkout))) == [(name, "invalid_value")]


def test_an_article_that_is_a_link_is_not_followed(tmp_path: Path) -> None:
    checkout = sample(tmp_path)
    (tmp_path / "private.md").write_text("# Not for you")
    article = checkout / ".agentx/wiki/decisions/deploy-window.md"
    article.unlink()
    article.symlink_to(tmp_path / "private.md")
    found = list(agentx.read(checkout))
    assert problems(found) == [("wiki/_proposals/2026-10-07-decisions-deploy-window-k3x9.json", "invalid_value")]
    assert "Not for you" not in repr(found)


def test_a_pipe_among_the_memory_files_does_not_hang(tmp_path: Path) -> None:
    checkout = sample(tmp_path)
    os.mkfifo(checkout / ".agentx/memory/pipe.jsonl")
    with pytest.raises(CorruptSource, match="no regular file"):
        agentx.read(checkout)


def test_a_broken_proposal_file_is_a_problem_of_its_own(tmp_path: Path) -> None:
    checkout = sample(tmp_path)
    folder = checkout / ".agentx/wiki/_proposals"
    (folder / "broken.json").write_text("{")
    (folder / "other-name.json").write_text(json.dumps({"id": "a", "article": {"path": "a.md"}}))
    found = list(agentx.read(checkout))
    assert problems(found) == [
        ("wiki/_proposals/broken.json", "malformed"),
        ("wiki/_proposals/other-name.json", "malformed"),
    ]
    assert sum(isinstance(item, PromotionItem) for item in found) == 3


@pytest.mark.parametrize(
    ("member", "value"), [("status", "a\0b"), ("decidedBy", ["x"]), ("evidence", 3), ("article", {"path": "a.md"})]
)
def test_a_promotion_that_makes_no_sense_is_a_problem_of_its_own(tmp_path: Path, member: str, value: Any) -> None:
    checkout = sample(tmp_path)
    name = "wiki/_proposals/2026-10-07-decisions-deploy-window-k3x9.json"
    change(
        checkout, name, lambda document: document.update({"status": "approved", "decidedBy": "operator", member: value})
    )
    assert [place for place, _code in problems(list(agentx.read(checkout)))] == [name]


def test_a_contribution_becomes_a_claim(items: dict[str, Read]) -> None:
    created, rejected = items["c-5d20e1f7a9"], items["c-0b7711aa42"]
    assert isinstance(created, ProposalItem)
    assert created.statement == "Fabrikam Ltd Wholesale: Wholesale arm of Fabrikam."
    assert created.extra["reason"] == "possible duplicate of Fabrikam Ltd"
    assert isinstance(rejected, ProposalItem)
    assert rejected.claim == Claim("Rhea Lind", "phone", "+1 555 0111")
    assert rejected.decided is not None
    assert (rejected.decided.status, rejected.decided.reason) == ("rejected", "")


def test_a_contribution_that_takes_away_is_reported(tmp_path: Path) -> None:
    checkout = sample(tmp_path)
    change(checkout, "wiki/_contributions/held.json", lambda held: held[0]["patch"].update(kind="remove"))
    assert problems(list(agentx.read(checkout))) == [("wiki/_contributions/held.json [0]", "invalid_value")]
