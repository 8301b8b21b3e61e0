"""`explain`: any line gets one answer that is JSON, in order, without a database (contract 11)."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import BinaryIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evidence.rules.explain import EXPLAIN, explain_line

ROOT = Path(__file__).parents[2]
FACT = {"kind": "fact", "source": {"id": "fact:a", "version": "1"}}
NOW = "2026-09-14T09:00:00Z"


def ask(rule: str, line: object) -> tuple[dict[str, object], bool]:
    answer, taken = explain_line(rule, line if isinstance(line, bytes) else json.dumps(line).encode())
    assert ("error" in answer) != taken
    return json.loads(json.dumps(answer, allow_nan=False)), taken


BROKEN: list[tuple[str, object, str | None]] = [
    ("label", b"", None),
    ("label", b"{", None),
    ("label", b"[]", None),
    ("label", b"7", None),
    ("label", b"\xff\xfe", None),
    ("label", b'{"now": ' + b"9" * 5000 + b"}", None),
    ("label", b"[" * 100_000, None),
    ("label", b'{"record": ' + b'{"a":' * 100_000, None),
    ("label", {}, "record"),
    ("label", {"record": FACT}, "now"),
    ("label", {"record": FACT, "now": "2026-09-14"}, "now"),
    ("label", {"record": FACT, "now": 7}, "now"),
    ("label", {"record": FACT | {"content": "\ud800"}, "now": NOW}, "record.content"),
    ("resolve", {"current": FACT, "now": NOW}, "incoming"),
    ("usable", {"record": [FACT]}, "record"),
    ("identity", {"source": {"id": "fact:a"}}, "source.version"),
    ("identity", {"source": {"id": "fact:a", "version": None}}, "source.version"),
    ("identity", {"source": {"id": "fact:a", "version": 1}}, "source.version"),
    ("identity", {"source": {"id": "fact:a", "version": "a\0"}}, "source.version"),
    ("identity", {"source": {"id": "backend:h", "version": "a\0"}}, "source.version"),
    ("identity", {"source": {"id": "", "version": "1"}}, "source.id"),
    ("access", {"scope": {}}, "reader"),
    ("access", {"scope": None, "reader": {}}, "scope"),
    ("access", {"scope": {"owner": ["a"]}, "reader": {}}, "scope.owner"),
    ("gate", {"store": [FACT, 7], "hits": [], "reader": {}, "now": NOW}, "store[1]"),
    ("gate", {"store": {}, "hits": [], "reader": {}, "now": NOW}, "store"),
    ("gate", {"store": [], "hits": [{}], "reader": {}, "now": NOW}, "hits[0].id"),
    ("eligibility", {"trust_class": "unknown", "durability": "task", "layer": "L2"}, "independent_sources"),
    (
        "eligibility",
        {"trust_class": "unknown", "durability": "task", "layer": "L2", "independent_sources": True},
        "independent_sources",
    ),
    ("eligibility", {"durability": "task", "layer": "L2", "independent_sources": 1}, "trust_class"),
    ("match", {"records": []}, "candidate"),
    ("match", {"candidate": {"statement": "s"}, "records": [], "same_key": 1}, "same_key"),
    ("match", {"candidate": {"statement": "s"}, "records": [], "now": "noon"}, "now"),
    ("verify", {"candidate": {"statement": "s"}, "evidence": []}, "tombstones"),
    ("secrets", {"text": ["a"]}, "text"),
    ("signals", {}, "text"),
]


@pytest.mark.parametrize(
    ("rule", "line", "field"), BROKEN, ids=[f"{rule}-{field}-{n}" for n, (rule, _, field) in enumerate(BROKEN)]
)
def test_a_line_that_cannot_be_taken_says_why(rule: str, line: object, field: str | None) -> None:
    answer, taken = ask(rule, line)
    assert not taken
    assert answer["field"] == field
    assert answer["error"]
    assert answer["code"] in ("malformed", "invalid_text", "invalid_value")
    assert "case" in answer


def test_a_case_comes_back_also_with_an_error() -> None:
    assert ask("label", {"case": "c-1"})[0]["case"] == "c-1"
    assert ask("access", {"case": "c-2", "scope": {}, "reader": {}})[0] == {"case": "c-2", "allowed": False}


def test_a_case_that_json_cannot_say_comes_back_as_well_as_it_can() -> None:
    line = b'{"case": ["\\ud800", NaN, {"a": -Infinity}], "text": "plain"}'
    answer, _ = explain_line("signals", line)
    assert answer["case"] == ["\ufffd", None, {"a": None}]


def test_numbers_that_json_does_not_have_are_taken_where_they_are_ignored() -> None:
    check = b'"check": {"at": "2026-09-13T09:00:00Z"}, "volatility": "billing"'
    for ttl in (b"NaN", b"Infinity", b"-Infinity", b"1e999", b"-1", b'"5"'):
        record = (
            b'{"kind": "fact", "source": {"id": "fact:a", "version": "1"}, "ttl_days": ' + ttl + b", " + check + b"}"
        )
        answer, _ = explain_line("label", b'{"record": ' + record + b', "now": "2026-09-14T09:00:00Z"}')
        assert answer == {"case": None, "label": "verified"}


def test_a_ttl_that_is_no_number_leaves_the_gate_as_json() -> None:
    record = FACT | {"trust": "internal", "scope": {"access": "public"}, "ttl_days": float("inf"), "event_at": "Friday"}
    hit = {"id": "e-1", "source_version": "1", "score": float("nan")}
    line = {"store": [record | {"id": "e-1"}], "hits": [hit], "reader": {}, "now": NOW}
    answer, taken = ask("gate", line)
    assert taken
    [result] = answer["results"]  # type: ignore[misc]
    assert (result["record"]["ttl_days"], result["score"], result["record"]["event_at"]) == (None, None, "Friday")


def test_backend_text_has_an_id_without_a_version() -> None:
    assert ask("identity", {"source": {"id": "backend:h-1"}})[0]["id"] == "d-h-1"


def test_an_empty_version_is_one_as_given() -> None:
    answer, taken = ask("identity", {"source": {"id": "fact:a", "version": ""}})
    assert taken
    assert answer["id"] == "e-" + hashlib.sha256(b"fact:a\0").hexdigest()[:32]


@pytest.mark.parametrize("word", [None, "", 7, True, ["L2"], {"a": 1}, "hearsay"], ids=str)
def test_words_of_any_type_are_read_restrictively(word: object) -> None:
    line = {"trust_class": "user_correction", "durability": "project", "layer": "L2", "independent_sources": 1}
    answer, taken = ask("eligibility", line | {"verification_status": word})
    assert taken
    assert answer["eligibility"] == "auto_candidate"  # an unknown status counts as review_required, which is no block
    if word is not None:
        assert ask("eligibility", line | {"trust_class": word})[0]["weight"] == 0.1
        assert ask("eligibility", line | {"durability": word})[0]["poisoning_risk"] == "medium"
        assert ask("eligibility", line | {"layer": word})[0]["eligibility"] == "l1_review_only"


def test_a_defect_in_a_rule_is_named_and_costs_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evidence.rules.explain.EXPLAIN", {"access": lambda line: line["scope"]["gone"]})
    answer, taken = ask("access", {"case": "c-1", "scope": {}})
    assert not taken
    assert answer == {"case": "c-1", "error": "the rule failed: KeyError", "code": "failed", "field": None}


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from([NOW, "fact", "e-1"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)
members = st.sampled_from(
    "record now current incoming scope reader store hits source id version kind claim check at trust state text candidate "
    "records evidence tombstones statement tags access owner shared_with projects derived from layer durability".split()
)
lines = st.dictionaries(
    members,
    json_values | st.dictionaries(members, json_values, max_size=4) | st.lists(json_values, max_size=2),
    max_size=6,
)


@settings(deadline=None, max_examples=100)
@given(st.sampled_from(sorted(EXPLAIN)), lines)
def test_no_object_is_too_odd_for_an_answer(rule: str, line: dict[str, object]) -> None:
    answer, taken = ask(rule, line)
    assert taken or answer["code"] != "failed"


@settings(deadline=None, max_examples=100)
@given(st.sampled_from(sorted(EXPLAIN)), st.binary(max_size=40))
def test_no_bytes_are_too_odd_for_an_answer(rule: str, line: bytes) -> None:
    answer, taken = ask(rule, line)
    assert taken or answer["code"] != "failed"


def start(rule: str, lines: int | BinaryIO, data_dir: Path) -> subprocess.Popen[bytes]:
    """The command in a process of its own, with a database that does not exist and streams that know only ASCII."""
    env = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    env |= {
        "DATABASE_URL": "postgres://nobody@127.0.0.1:9/nothing",
        "DATA_DIR": str(data_dir),
        "PYTHONIOENCODING": "ascii",
    }
    pipe = subprocess.PIPE
    command = [sys.executable, "manage.py", "explain", rule]
    return subprocess.Popen(command, stdin=lines, stdout=pipe, stderr=pipe, cwd=ROOT, env=env)


def run(rule: str, lines: bytes, data_dir: Path) -> tuple[int, list[dict[str, object]], bytes]:
    """Exit status, answers, and what was written to the error stream."""
    with start(rule, subprocess.PIPE, data_dir) as command:
        out, err = command.communicate(lines, timeout=120)
    return command.returncode, [json.loads(line) for line in out.splitlines()], err


def test_the_command_answers_line_by_line_without_a_database(tmp_path: Path) -> None:
    lines = [
        '\ufeff{"case": "größe", "source": {"id": "fact:a", "version": "1"}}'.encode(),
        b"",
        b"\xff",
        b'{"case": 2, "source": {"id": "fact:a"}}',
        b"[" * 50_000,
        b'{"case": 3, "source": {"id": "backend:h", "version": "1"}}',
    ]
    status, answers, errors = run("identity", b"\n".join(lines), tmp_path)
    assert [answer["case"] for answer in answers] == ["größe", None, 2, None, 3]
    assert ["error" in answer for answer in answers] == [False, True, True, True, False]
    assert (status, errors) == (2, b"")


def test_the_command_ends_well_when_every_line_was_taken(tmp_path: Path) -> None:
    line = b'{"case": 1, "scope": {"access": "public"}, "reader": {}}\n'
    assert run("access", line, tmp_path) == (0, [{"case": 1, "allowed": True}], b"")


def test_the_command_ends_quietly_when_nobody_reads_on(tmp_path: Path) -> None:
    many = tmp_path / "lines.jsonl"
    many.write_bytes(b'{"scope": {"access": "public"}, "reader": {}}\n' * 20_000)  # more answers than a pipe holds
    with many.open("rb") as lines, start("access", lines, tmp_path) as command:
        assert command.stdout is not None
        assert command.stderr is not None
        assert json.loads(command.stdout.readline())["allowed"] is True
        command.stdout.close()
        assert command.stderr.read() == b""
    assert command.returncode == 0
