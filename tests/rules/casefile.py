"""Worked cases of the rules: loading a file of `tests/rules/cases/`, and comparing an answer with what a case expects.

Both follow the README of the cases: split texts are joined, only members of `expect` are compared, by the table there.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from evidence.rules.times import read_time

CASES = Path(__file__).with_name("cases")
RULES = tuple(sorted(path.stem for path in CASES.glob("*.jsonl")))


@dataclass(frozen=True)
class Case:
    """One line: `line` is what goes to `explain` (with `case`), `expect` what must hold in the answer."""

    rule: str
    id: str
    about: str
    line: dict[str, object]
    expect: dict[str, object]


def load(rule: str) -> list[Case]:
    """The cases of one rule, in the order of the file."""
    lines = (CASES / f"{rule}.jsonl").read_text(encoding="utf-8").splitlines()
    return [_case(rule, joined(json.loads(line))) for line in lines if line.strip()]


def load_all() -> list[Case]:
    return [case for rule in RULES for case in load(rule)]


def joined(value: object) -> object:
    """The value with every `{"text_parts": [...]}` replaced by the string that its parts give."""
    if isinstance(value, dict):
        if set(value) == {"text_parts"}:
            return "".join(value["text_parts"])
        return {name: joined(member) for name, member in value.items()}
    return [joined(member) for member in value] if isinstance(value, list) else value


def differences(case: Case, answer: Mapping[str, object]) -> list[str]:
    """What of `expect` does not hold in the answer, in words; empty when the answer agrees."""
    if "error" in answer:
        return [f"error: {answer['error']}"]
    found = []
    for member, wanted in case.expect.items():
        holds = _COMPARE.get((case.rule, member)) or _COMPARE.get(("", member)) or _plain(member)
        if not holds(wanted, answer):
            found.append(f"{member}: wanted {wanted!r}, got {answer.get(member.removesuffix('_include'))!r}")
    return found


def _case(rule: str, data: object) -> Case:
    assert isinstance(data, dict)
    line = {name: member for name, member in data.items() if name not in ("about", "expect")}
    return Case(rule, data["case"], data.get("about", ""), line, data["expect"])


Compare = Callable[[object, Mapping[str, object]], bool]


def _plain(member: str) -> Compare:
    return lambda wanted, answer: _equal(wanted, answer.get(member))


def _equal(wanted: object, got: object) -> bool:
    """Equal; numbers within 1e-9; an empty answer member and null are not confused with false or zero."""
    if _is_number(wanted) and _is_number(got):
        return abs(wanted - got) <= 1e-9  # type: ignore[operator]
    return type(wanted) is type(got) and wanted == got if isinstance(wanted, bool) else wanted == got


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _same_ids(member: str) -> Compare:
    return lambda wanted, answer: sorted(wanted) == sorted(answer.get(member) or [])  # type: ignore[call-overload]


def _includes(member: str) -> Compare:
    return lambda wanted, answer: set(wanted) <= set(answer.get(member) or [])  # type: ignore[call-overload]


def _any(member: str) -> Compare:
    return lambda wanted, answer: wanted is bool(answer.get(member))


def _dropped(wanted: object, answer: Mapping[str, object]) -> bool:
    return sorted(wanted) == sorted(drop["id"] for drop in answer["dropped"])  # type: ignore[call-overload, attr-defined]


def _results(wanted: object, answer: Mapping[str, object]) -> bool:
    got = {result["record"]["id"]: result for result in answer["results"]}  # type: ignore[attr-defined]
    if len(got) != len(answer["results"]) or sorted(got) != sorted(w["id"] for w in wanted):  # type: ignore[arg-type, attr-defined]
        return False
    return all(_one_result(result, got[result["id"]]) for result in wanted)  # type: ignore[attr-defined]


def _one_result(wanted: Mapping[str, object], got: Mapping[str, object]) -> bool:
    same = wanted["label"] == got["label"]
    conflicts = sorted(wanted.get("conflicts_with") or []) == sorted(got.get("conflicts_with") or [])  # type: ignore[call-overload]
    return same and conflicts and _part_of(wanted.get("record", {}), got["record"])


def _part_of(wanted: object, got: object) -> bool:
    """Each member that `wanted` names is equal; null means none or absent; times compare as instants."""
    if isinstance(wanted, dict):
        return isinstance(got, dict) and all(_part_of(member, got.get(name)) for name, member in wanted.items())
    instant = read_time(wanted)
    return instant == read_time(got) if instant else _equal(wanted, got)


_COMPARE: dict[tuple[str, str], Compare] = {
    ("resolve", "refreshes_check"): lambda wanted, answer: wanted is bool(answer.get("refreshes_check", False)),
    ("gate", "results"): _results,
    ("gate", "dropped"): _dropped,
    ("match", "matched"): _same_ids("matched"),
    ("verify", "reasons_include"): _includes("reasons"),
    ("secrets", "found"): _any("kinds"),
    ("secrets", "kinds_include"): _includes("kinds"),
    ("signals", "signals_any"): _any("signals"),
    ("signals", "signals_include"): _includes("signals"),
}
