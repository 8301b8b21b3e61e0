"""The line format: strict on words, times and members; what it says of approvals and reviews is history."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evidence.exchange import jsonl
from evidence.exchange.files import LINE_MAX, CorruptSource
from evidence.exchange.items import EvidenceItem, FactItem, Problem, PromotionItem, ProposalItem, Read

BACKLOG = Path(jsonl.__file__).resolve().parent.parent / "demo" / "backlog"


def record(**members: Any) -> dict[str, Any]:
    return {
        "kind": "observation", "source": {"id": "entry:ada/1", "version": "1"}, "content": "The till opens at nine.",
        "event_at": "2026-10-05T10:00:00Z", "scope": {"owner": "ada", "access": "private"}, "trust": "internal",
    } | members  # fmt: skip


def proposal(**members: Any) -> dict[str, Any]:
    return {"agent": "ada", "statement": "The till opens at nine.", "trust": "internal"} | members


def read_all(tmp_path: Path, *lines: dict[str, Any] | bytes) -> list[Read]:
    path = tmp_path / "lines.jsonl"
    path.write_bytes(b"\n".join(line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines))
    return list(jsonl.read(path))


def one(tmp_path: Path, line: dict[str, Any] | bytes) -> Read:
    (found,) = read_all(tmp_path, line)
    return found


def test_the_demo_is_read_without_a_problem() -> None:
    found = list(jsonl.read(BACKLOG))
    assert [type(item).__name__ for item in found] == ["FactItem"] * 60 + ["ProposalItem"] * 102
    facts = [json.loads(line) for line in (BACKLOG / "facts.jsonl").read_text().splitlines()]
    assert [item.record.id for item in found if isinstance(item, FactItem)] == [fact["id"] for fact in facts]
    held = [item for item in found if isinstance(item, ProposalItem) and item.trust == "external"]
    assert len(held) == 8


def test_a_file_can_be_named_as_well_as_a_folder() -> None:
    assert len(list(jsonl.read(BACKLOG / "proposals.jsonl"))) == 102


def test_a_time_that_the_desk_could_not_read_is_kept_as_text(tmp_path: Path) -> None:
    line = record(event_at_text="last spring", check={"at_text": "2026-10-05T10:00", "by": "ada"})
    del line["event_at"]
    found = one(tmp_path, line)
    assert isinstance(found, EvidenceItem)
    assert found.record.check is not None
    assert (found.record.event_at, found.record.check.at) == ("last spring", "2026-10-05T10:00")
    smuggled = one(tmp_path, line | {"event_at_text": "2026-10-05T10:00:00Z"})
    assert isinstance(smuggled, Problem)
    both = one(tmp_path, record(event_at_text="last spring"))
    assert isinstance(both, Problem)
    found = one(tmp_path, proposal(event_at_text="last spring", check={"at_text": "then", "by": "ada"}))
    assert isinstance(found, ProposalItem)
    assert (found.event_at, found.check and found.check.at) == ("last spring", "then")


def test_an_approval_in_a_line_is_history(tmp_path: Path) -> None:
    line = record(
        kind="article", source={"id": "wiki:ada/graph/till.md", "version": "1"},
        approval={"by": "operator", "at": "2026-10-05T10:00:00Z", "proposal": "p-7"},
    )  # fmt: skip
    article = one(tmp_path, line)
    assert isinstance(article, FactItem)
    assert article.record.approval is None
    assert article.decided is not None
    assert (article.decided.status, article.decided.by, article.decided.reason) == ("approved", "operator", "p-7")
    assert [note.code for note in article.notes] == ["approval_kept_as_history"]


@pytest.mark.parametrize("review", [None, "held", "approved"])
def test_external_stays_held(tmp_path: Path, review: str | None) -> None:
    found = one(tmp_path, record(trust="external", review=review))
    assert isinstance(found, EvidenceItem)
    assert found.record.review == "held"


def test_trust_that_nobody_states_is_external(tmp_path: Path) -> None:
    line = record()
    del line["trust"]
    found = one(tmp_path, line)
    assert isinstance(found, EvidenceItem)
    assert (found.record.trust, found.record.review) == ("external", "held")
    channel = one(tmp_path, line | {"channel": "Telegram@node-3"})
    assert isinstance(channel, EvidenceItem)
    assert channel.record.trust == "internal"


def test_a_session_has_the_version_of_its_excerpt(tmp_path: Path) -> None:
    source = {"id": "session:ada/t-1/message/3"}
    short = one(tmp_path, record(source=source, excerpt="The till opens at nine."))
    named = one(tmp_path, record(source=source | {"version": "7"}, excerpt=" The till  opens at nine."))
    assert isinstance(short, EvidenceItem)
    assert isinstance(named, EvidenceItem)
    assert short.record.id == named.record.id
    assert short.thread == "t-1"


def test_long_texts_are_cut_before_they_are_hashed(tmp_path: Path) -> None:
    found = one(tmp_path, record(source={"id": "session:ada/t-1/message/3"}, excerpt="x" * 1_500, summary="y" * 301))
    assert isinstance(found, EvidenceItem)
    assert (len(found.record.excerpt), len(found.record.summary)) == (1_000, 300)
    assert [note.code for note in found.notes] == ["cut", "cut"]
    again = one(tmp_path, record(source={"id": "session:ada/t-1/message/3"}, excerpt=found.record.excerpt))
    assert isinstance(again, EvidenceItem)
    assert again.record.id == found.record.id


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (record(event_at="2026-10-05T10:00:00"), "invalid_value"),
        (record(event_at="yesterday"), "invalid_value"),
        (record(check={"at": "2026-10-05"}), "invalid_value"),
        (record(valid={"from": "2026-10-05"}), "invalid_value"),
        (record(kind="rumour"), "invalid_value"),
        (record(volatility="weather"), "invalid_value"),
        (record(trust="total"), "invalid_value"),
        (record(scope={"owner": "ada", "access": "secret"}), "invalid_value"),
        (record(scope={"access": "public"}), "invalid_value"),
        (record(ttl_days=-1), "invalid_value"),
        (record(state="lost"), "invalid_value"),
        (record(review="perhaps"), "invalid_value"),
        (record(mood="good"), "unknown_member"),
        (record(scope={"owner": "ada", "mood": "good"}), "unknown_member"),
        (record(kind="derived", derived_from=["e-1"]), "reserved"),
        (record(source={"id": "backend:h-7", "version": "1"}), "reserved"),
        (record(source={"id": "proposal:1", "version": "1"}), "reserved"),
        (record(source={"id": "just text", "version": "1"}), "invalid_value"),
        (record(source={"id": "entry:ada/a\0b", "version": "1"}), "invalid_text"),
        (record(content="\udfff"), "invalid_text"),
        (record(content=["a"]), "invalid_value"),
        (record(kind=None), "invalid_value"),
        (proposal(agent=""), "invalid_value"),
        (proposal(statement=""), "invalid_value"),
        (proposal(event_at="2026-10-05 10:00"), "invalid_value"),
        (proposal(layer="L3"), "invalid_value"),
        (proposal(reach={"level": "galaxy"}), "invalid_value"),
        (proposal(evidence=[3]), "invalid_value"),
        (proposal(evidence=["e-\ud800"]), "invalid_text"),
        (proposal(evidence="e-1"), "invalid_value"),
        (proposal(evidence=[{"source": {"id": "fact:f-1", "version": "1"}, "summary": "a"}]), "reserved"),
        (proposal(evidence=[{"source": {"id": "entry:ada/1"}, "summary": "a", "polarity": "maybe"}]), "invalid_value"),
        (proposal(evidence=[{"source": {"id": "entry:ada/1"}, "review": "approved"}]), "unknown_member"),
        (proposal(check={"at": "2026-10-05T10:00:00Z", "confirmed_by": "operator"}), "reserved"),
        (proposal(ttl_days=float("inf")), "malformed"),
        (proposal(risk="low"), "unknown_member"),
        (proposal(target={"path": "graph/till.md", "title": "Till"}), "invalid_value"),
        ({"text": "neither"}, "malformed"),
        (b'[{"statement": "a"}]', "malformed"),
        (b'{"statement": "a", "statement": "b", "agent": "ada"}', "malformed"),
        (b'{"statement": ', "malformed"),
        (b"\xc3\x28", "invalid_text"),
        (b'{"statement": "a\0"}', "invalid_text"),
        (b'{"a":' * 120_000, "too_large"),
        (b'{"a":' * 10_000, "malformed"),
        (b'{"a":' + b"9" * 5_000 + b"}", "malformed"),
        (b'{"statement": "a", "agent": "ada", "ttl_days": 1e999}', "malformed"),
        (b'{"statement": "a", "agent": "ada", "tags": ' + b"[" * 500 + b"]" * 500 + b"}", "malformed"),
    ],
)
def test_a_bad_line_is_a_problem(tmp_path: Path, line: dict[str, Any] | bytes, code: str) -> None:
    found = read_all(tmp_path, line, proposal())
    assert isinstance(found[0], Problem)
    assert (found[0].code, str(found[0].place)) == (code, "lines.jsonl:1")
    assert isinstance(found[1], ProposalItem)


def test_a_problem_never_repeats_what_the_line_says(tmp_path: Path) -> None:
    hidden = "correct-horse-battery-staple"
    found = read_all(
        tmp_path, record(volatility=hidden), record(event_at=hidden), record(**{hidden: 1}), hidden.encode(),
        proposal(layer=hidden),
    )  # fmt: skip
    assert len(found) == 5
    assert all(isinstance(item, Problem) for item in found)
    assert hidden not in repr(found)


def test_the_longest_line_that_is_taken(tmp_path: Path) -> None:
    fits = json.dumps(record(content="x")).encode()
    fits = fits.replace(b'"x"', b'"' + b"x" * (LINE_MAX - len(fits) + 1) + b'"')
    assert len(fits) == LINE_MAX
    found = read_all(tmp_path, fits, fits + b" ", fits)
    assert [type(item).__name__ for item in found] == ["EvidenceItem", "Problem", "EvidenceItem"]


def test_an_enormous_line_costs_neither_memory_nor_the_rest(tmp_path: Path) -> None:
    import tracemalloc

    path = tmp_path / "lines.jsonl"
    with path.open("wb") as file:
        file.write(b'{"statement": "')
        for _ in range(64):
            file.write(b"x" * 1024 * 1024)
        file.write(b'"}\n' + json.dumps(proposal()).encode())
    tracemalloc.start()
    try:
        found = list(jsonl.read(path))
        _now, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert [getattr(item, "code", "") for item in found] == ["too_large", ""]
    assert peak < 4 * 1024 * 1024


@pytest.mark.parametrize(
    ("data", "word"),
    [
        ("statement".encode("utf-16"), "UTF-16"),
        (b"SQLite format 3\0", "SQLite"),
        (b"PK\x03\x04", "ZIP"),
        (b"\x1f\x8b\x08", "compressed"),
    ],
)
def test_a_file_of_another_kind_is_refused_whole(tmp_path: Path, data: bytes, word: str) -> None:
    (tmp_path / "a.jsonl").write_text(json.dumps(proposal()))
    (tmp_path / "b.jsonl").write_bytes(data)
    with pytest.raises(CorruptSource, match=word):
        jsonl.read(tmp_path)


def test_a_byte_order_mark_and_windows_line_ends_are_taken(tmp_path: Path) -> None:
    found = read_all(
        tmp_path,
        b"\xef\xbb\xbf" + json.dumps(proposal()).encode() + b"\r",
        b"\r",
        json.dumps(proposal()).encode() + b"\r",
    )
    assert [type(item).__name__ for item in found] == ["ProposalItem", "ProposalItem"]
    assert [item.place.line for item in found] == [1, 3]


def test_links_in_a_folder_are_named_and_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside.jsonl"
    outside.write_text(json.dumps(proposal(statement="not for you")))
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "a.jsonl").write_text(json.dumps(proposal()))
    (folder / "b.jsonl").symlink_to(outside)
    found = list(jsonl.read(folder))
    assert [(type(item).__name__, item.place.file) for item in found] == [
        ("Problem", "b.jsonl"),
        ("ProposalItem", "a.jsonl"),
    ]
    assert "not for you" not in repr(found)


def test_what_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CorruptSource):
        jsonl.read(tmp_path / "nothing.jsonl")
    with pytest.raises(CorruptSource, match=r"no \.jsonl file"):
        jsonl.read(tmp_path)


def test_equal_proposals_without_an_id_have_the_same_one(tmp_path: Path) -> None:
    first, second, third = read_all(
        tmp_path, proposal(), proposal(statement="The  till opens at NINE."), proposal(agent="bob")
    )
    assert isinstance(first, ProposalItem)
    assert isinstance(second, ProposalItem)
    assert isinstance(third, ProposalItem)
    assert first.foreign_id == second.foreign_id != third.foreign_id


def test_a_target_makes_it_a_promotion(tmp_path: Path) -> None:
    target = {"path": "graph/till.md", "base_version": "v1", "title": "Till", "content": "# Till"}
    found = one(tmp_path, proposal(target=target))
    assert isinstance(found, PromotionItem)
    assert (found.target, found.base_version) == ("wiki:ada/graph/till.md", "v1")
