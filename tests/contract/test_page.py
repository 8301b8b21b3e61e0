"""docs/contract.md says what the rules say: every example and command on it is run, and its tables of cases are current."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path

import pytest
from django.core.management import call_command

from evidence.rules.explain import EXPLAIN, explain_line
from evidence.rules.secrets import secret_kinds
from tests.contract import generate
from tests.contract.page import (
    PAGE,
    ROOT,
    Command,
    Example,
    anchors,
    code_words,
    commands,
    differences,
    examples,
    links,
    table_rows,
)

TEXT = PAGE.read_text(encoding="utf-8")
EXAMPLES = examples(TEXT)
COMMANDS = commands(TEXT)
NAMED = "a stale wiki fact against a newer verified result"


def answered(rule: str, line: object) -> dict[str, object]:
    answer, _ = explain_line(rule, json.dumps(line).encode())
    return json.loads(json.dumps(answer, allow_nan=False))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_the_page_shows_what_the_rule_answers(example: Example) -> None:
    answer, taken = explain_line(example.rule, example.asked)
    answer = json.loads(json.dumps(answer, allow_nan=False))
    assert taken, answer
    assert differences(example.shown, answer, whole=example.whole) == ""


@pytest.mark.parametrize("rule", sorted(EXPLAIN))
def test_the_command_answers_the_whole_page(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In this process, where no test without the mark reaches a database; tests/rules/test_explain.py starts others."""
    asked = [example for example in EXAMPLES if example.rule == rule]
    lines, said = BytesIO(b"\n".join(example.asked for example in asked)), StringIO()
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(lines, encoding="ascii"))
    call_command("explain", rule, stdout=said)  # a line that is not taken would be a SystemExit
    answers = [json.loads(line) for line in said.getvalue().splitlines()]
    for example, answer in zip(asked, answers, strict=True):
        assert differences(example.shown, answer, whole=example.whole) == "", example.name


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: f"line {command.row}")
def test_a_command_of_the_page_prints_what_it_says(command: Command, tmp_path: Path) -> None:
    here = {".venv/bin/python": sys.executable, "manage.py": str(ROOT / "manage.py")}
    script = re.sub("|".join(map(re.escape, here)), lambda found: shlex.quote(here[found[0]]), command.script)
    done = subprocess.run(
        ["bash", "-c", script],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=bare(tmp_path),
        timeout=120,
        check=False,
    )
    assert (done.stdout, done.stderr) == (command.output, "")


def bare(data_dir: Path) -> dict[str, str]:
    """An environment without a database to reach: the command needs none."""
    env = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    return env | {"DATABASE_URL": "postgres://nobody@127.0.0.1:9/nothing", "DATA_DIR": str(data_dir)}


def test_every_rule_has_examples_and_one_has_its_name() -> None:
    count = Counter(example.rule for example in EXAMPLES)
    assert set(count) == set(EXPLAIN)
    [named] = [example for example in EXAMPLES if example.line.get("case") == NAMED]
    assert (named.rule, named.whole) == ("resolve", True)
    assert f"Example: {NAMED}" in [title for _, title, _ in anchors(TEXT)]
    assert COMMANDS


def test_names_of_examples_are_unique_in_a_rule() -> None:
    count = Counter((example.rule, example.line.get("case")) for example in EXAMPLES)
    assert [name for name, often in count.items() if often > 1] == []


def test_tables_of_cases_are_current() -> None:
    assert generate.rewritten(TEXT) == TEXT, f"run: {generate.HOW}"
    assert [found["rule"] for found in generate.SECTION.finditer(TEXT)] == [*generate.TABLES]
    assert set(generate.TABLES) == set(EXPLAIN)


def test_a_table_that_was_touched_is_found_and_written_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        TEXT.replace("| billing fact checked a day ago | `verified` |", "| billing fact checked a day ago | `stale` |"),
        encoding="utf-8",
    )
    monkeypatch.setattr(generate, "PAGE", page)
    assert generate.main(["--check"]) == 1
    assert generate.HOW in capsys.readouterr().out
    assert generate.main([]) == 0
    assert page.read_text(encoding="utf-8") == TEXT
    assert generate.main(["--check"]) == 0


def test_the_contents_name_every_section() -> None:
    listed = TEXT.split("## Contents", 1)[1].split("\n## ", 1)[0]
    missing = [title for level, title, anchor in anchors(TEXT) if level == 2 and f"(#{anchor})" not in listed]
    assert missing == ["Contents"]


def test_every_link_leads_somewhere() -> None:
    here = {f"#{anchor}" for _, _, anchor in anchors(TEXT)}
    lost = [to for to in links(TEXT) if to not in here and not (PAGE.parent / to).exists()]
    assert lost == []


def test_the_page_itself_holds_nothing_shaped_like_a_secret() -> None:
    assert secret_kinds(TEXT) == ()
    assert [line for line in TEXT.splitlines() if secret_kinds(line)] == []


@pytest.mark.parametrize(
    "row", [row for row in table_rows(TEXT) if row[0] in EXPLAIN and len(row) == 4], ids=lambda row: row[0]
)
def test_the_table_of_rules_names_what_is_asked_and_answered(row: list[str]) -> None:
    rule, needed, possible, answer = row[0], *(cell.split(", ") if cell else [] for cell in row[1:])
    [example, *_] = [each for each in EXAMPLES if each.rule == rule]
    assert set(needed) <= set(example.line)
    given = {name for each in EXAMPLES if each.rule == rule for name in each.line}
    assert given <= {"case", *needed, *possible}
    for name in needed:
        found = answered(rule, {member: value for member, value in example.line.items() if member != name})
        assert (found.get("field"), found.get("code")) == (name, "invalid_value")
    assert list(answered(rule, example.line)) == ["case", *answer]


def test_the_table_of_rules_has_every_rule() -> None:
    assert {row[0] for row in table_rows(TEXT) if row[0] in EXPLAIN and len(row) == 4} == set(EXPLAIN)


def test_parts_and_wholes_are_told_apart() -> None:
    answer = {
        "case": 1,
        "kind": "new",
        "checks": [{"name": "a", "outcome": "pass"}, {"name": "b", "outcome": "review"}],
    }
    assert differences(answer, answer, whole=True) == ""
    assert differences({"case": 1}, answer, whole=True)
    assert differences({"case": 1}, answer, whole=False) == ""
    assert differences({"case": True}, answer, whole=False)
    assert differences({"checks": [{"name": "b", "outcome": "review"}]}, answer, whole=False) == ""
    assert differences({"checks": [{"name": "b", "outcome": "pass"}]}, answer, whole=False)
    assert differences({"checks": [{"name": "c"}]}, answer, whole=False)
    assert differences({"kind": "new", "cues": []}, answer, whole=False)


def test_an_example_that_is_wrong_would_be_seen() -> None:
    example = next(example for example in EXAMPLES if example.rule == "label")
    answer = answered(example.rule, example.line)
    wrong = replace(example, shown={**example.shown, "label": "approved"})
    assert differences(wrong.shown, answer, whole=wrong.whole)


def test_words_are_read_from_prose_and_hand_written_tables_only() -> None:
    fence, cases = "```json explain:label\n`two`\n```", "<!-- cases: x -->\n\n`three`\n\n<!-- end of cases -->"
    assert code_words(f"`one`\n\n{fence}\n\n{cases}\n\n| a |\n|---|\n| `four` |\n") == {"one", "four"}
