"""The benchmark of the rules measures every rule that `explain` answers, and prints what it says it prints."""

from __future__ import annotations

import json

import pytest

from bench import rules
from evidence.rules.explain import EXPLAIN

SMALL = {"ACTIVE_RECORDS": 60, "CANDIDATES": 10, "WARM_UP": 5, "SIMPLE": 20, "ROUNDS": 1}


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in SMALL.items():
        monkeypatch.setattr(rules, name, value)


def test_every_rule_is_measured() -> None:
    assert set(rules.PARTS) >= {*EXPLAIN, "match+verify"}
    assert set(rules.AIMS) <= set(rules.PARTS)


def test_figures_come_as_json_lines_and_as_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert rules.main([]) == 0
    lines, table = capsys.readouterr().out.split("\n\n")
    found = [json.loads(line) for line in lines.splitlines()]
    assert [each["rule"] for each in found] == ["floor", *rules.PARTS]
    assert all(each["per_second"] > 0 and each["ratio"] > 0 and each["calls"] > 0 for each in found)
    assert [row.split(" | ")[0].strip("| ") for row in table.splitlines()[2:]] == ["floor", *rules.PARTS]


def test_a_name_that_is_no_rule_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert rules.main(["nonsense"]) == 2
    assert "match+verify" in capsys.readouterr().out
