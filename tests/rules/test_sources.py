"""Source names: parts, and under which a credential may file (contract 1, 13)."""

from __future__ import annotations

import pytest

from evidence.rules.sources import SourceName, may_file, source_name


@pytest.mark.parametrize(
    ("source_id", "name"),
    [
        ("wiki:ada/graph/run/restore.md", SourceName("wiki", "ada", "graph/run/restore.md")),
        ("session:lantern/t-9/conversation/message-1", SourceName("session", "lantern", "t-9/conversation/message-1")),
        ("memory:ada/x", SourceName("memory", "ada", "x")),
        ("task:rollout-5512", SourceName("task", "", "rollout-5512")),
        ("fact:ada/x", SourceName("fact", "", "ada/x")),
        ("mail:ada/x", SourceName("mail", "", "ada/x")),
        ("no scheme", SourceName("", "", "no scheme")),
        ("", SourceName("", "", "")),
    ],
)
def test_a_source_id_comes_apart(source_id: str, name: SourceName) -> None:
    assert source_name(source_id) == name


def test_only_sessions_have_threads() -> None:
    assert source_name("session:ada/t-9/file/1").thread == "t-9"
    assert source_name("task:ada/t-9").thread == ""


@pytest.mark.parametrize(
    ("source_id", "summary"),
    [
        ("session:ada/t-9/summary/1", True),
        ("session:ada/t-9/session-summary", True),
        ("session:ada/t-9/sessionSummary/1", True),
        ("session:ada/t-9/SUMMARIES/1", True),
        ("session:ada/t-9/rotation-memo/1", True),
        ("session:ada/t-9/compaction/1", True),
        ("session:ada/t-9/conversation/summary-of-friday", False),
        ("session:ada/summary/conversation/1", False),
        ("session:ada/t-9/memory/1", False),
        ("session:ada/summary", False),
        ("task:ada/t-9/summary/1", False),
        ("", False),
    ],
)
def test_a_summary_of_a_session_is_known_by_its_source_kind(source_id: str, summary: bool) -> None:
    assert source_name(source_id).is_session_summary is summary


@pytest.mark.parametrize(
    "source_id",
    [
        "wiki:ada/graph/a.md",
        "entry:ada/1",
        "memory:ada/1",
        "task:ada/1",
        "run:ada/1",
        "session:ada/t/file/https://example.com//a/../b",
        "session:lantern/t/conversation/message-1",
    ],
)
def test_own_sources_may_be_filed_under(source_id: str) -> None:
    assert may_file(source_id, agent="ada", namespace="lantern")


@pytest.mark.parametrize(
    "source_id",
    [
        "task:bob/1",
        "task:Ada/1",
        "Task:ada/1",
        " task:ada/1",
        "task:1",
        "task:ada/",
        "task:ada",
        "task:/1",
        "task:lantern/1",
        "wiki:lantern/graph/a.md",
        "wiki:ada/../bob/graph/a.md",
        "wiki:ada/graph//a.md",
        "wiki:ada/graph/./a.md",
        "session:bob/t/file/1",
        "fact:ada/1",
        "proposal:ada/1",
        "backend:ada/1",
        "mail:ada/1",
        "ada/1",
        "",
    ],
)
def test_others_reserved_and_unknown_sources_may_not(source_id: str) -> None:
    assert not may_file(source_id, agent="ada", namespace="lantern")


def test_a_credential_without_names_files_nowhere() -> None:
    assert not may_file("session:/t/file/1", agent="", namespace="")
