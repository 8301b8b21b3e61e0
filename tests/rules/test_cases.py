"""Every worked case of every rule, through `explain` as the command answers it: one test a case."""

from __future__ import annotations

import json

import pytest

from evidence.rules.explain import EXPLAIN, explain_line
from tests.rules.casefile import RULES, Case, differences, load_all


@pytest.mark.parametrize("case", load_all(), ids=lambda case: case.id)
def test_case(case: Case) -> None:
    answer, taken = explain_line(case.rule, json.dumps(case.line).encode())

    answer = json.loads(json.dumps(answer, allow_nan=False))
    assert differences(case, answer) == []
    assert taken
    assert answer["case"] == case.id


def test_every_rule_has_cases() -> None:
    assert set(RULES) == set(EXPLAIN)


def test_case_ids_are_unique() -> None:
    ids = [case.id for case in load_all()]
    assert len(ids) == len(set(ids))
