"""Reading docs/contract.md: its worked examples, its tables of examples, its links, and the words it uses.

An example is a fence `json explain:RULE` (one object, laid out) or `jsonl explain:RULE` (an object a line), followed by a
fence with `answer` that shows the answers. Where the line before the answer says "in part", members are left out; what is
shown is exact. A table behind `<!-- examples: NAME -->` is a list of short examples; `BUILDERS` says what a row asks.
A fence `sh run` is a command, and the fence `text output` behind it what it prints.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

from tests.rules.casefile import joined

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "contract.md"
MARKER = re.compile(r"<!-- examples: (\w+) -->")
Answer = dict[str, object]


@dataclass(frozen=True)
class Example:
    """One question on the page. `shown`: what the page says of the answer; `whole`: it says all of it. `row`: 1 is the top."""

    rule: str
    line: Mapping[str, object]
    shown: Answer
    whole: bool
    row: int

    @property
    def name(self) -> str:
        return f"line {self.row}: {self.line.get('case')}"

    @property
    def asked(self) -> bytes:
        return json.dumps(self.line).encode()


@dataclass(frozen=True)
class Command:
    script: str
    output: str
    row: int


def tokens(text: str) -> list[Token]:
    return MarkdownIt("commonmark").enable("table").parse(text)


def examples(text: str) -> list[Example]:
    """Every worked example of the page, those of fences first."""
    return [*_fenced(tokens(text)), *_tabled(tokens(text))]


def commands(text: str) -> list[Command]:
    fences = [token for token in tokens(text) if token.type == "fence"]
    found = []
    for fence, after in zip(fences, [*fences[1:], None], strict=True):
        if fence.info == "sh run":
            assert after is not None
            assert after.info == "text output", f"line {_row(fence)}: a command without its output"
            found.append(Command(fence.content, after.content, _row(fence)))
    return found


def differences(shown: object, answer: object, *, whole: bool) -> str:
    """Where what is shown is not what is answered, in words; empty when it agrees.

    In part, an object may leave members out, and a list of named objects (`checks`) may leave objects out.
    """
    if isinstance(shown, dict) and isinstance(answer, dict):
        if whole and set(shown) != set(answer):
            return f"members {sorted(shown)}, answered {sorted(answer)}"
        found = (differences(member, answer.get(name), whole=whole) for name, member in shown.items())
        return "; ".join(f"{name}: {said}" for name, said in zip(shown, found, strict=True) if said)
    if isinstance(shown, list) and isinstance(answer, list):
        if not whole and all(isinstance(item, dict) and "name" in item for item in [*shown, *answer]):
            answer = [item for item in answer if item["name"] in {each["name"] for each in shown}]
        if len(shown) == len(answer):
            return "; ".join(
                filter(None, (differences(*pair, whole=whole) for pair in zip(shown, answer, strict=True)))
            )
    return "" if type(shown) is type(answer) and shown == answer else f"shown {shown!r}, answered {answer!r}"


def anchors(text: str) -> list[tuple[int, str, str]]:
    """(level, title, anchor) of every heading, with the anchors that GitHub gives them."""
    found, seen = [], dict[str, int]()
    stream = tokens(text)
    for token, inline in pairwise(stream):
        if token.type == "heading_open":
            plain = "".join(child.content for child in inline.children or [])
            slug = re.sub(r"[^\w\- ]", "", plain.lower()).replace(" ", "-")
            seen[slug] = seen.get(slug, -1) + 1
            found.append((int(token.tag[1]), plain, f"{slug}-{seen[slug]}" if seen[slug] else slug))
    return found


def links(text: str) -> set[str]:
    """Every target that the page links to."""
    return {
        str(child.attrs["href"])
        for token in tokens(text)
        for child in token.children or []
        if child.type == "link_open"
    }


def code_words(text: str) -> set[str]:
    """Every word that stands on the page as code, written by hand: not in an example, not in a generated table."""
    kept = re.sub(r"<!-- cases: .*?<!-- end of cases -->", "", text, flags=re.DOTALL)
    return {child.content for token in tokens(kept) for child in token.children or [] if child.type == "code_inline"}


def table_rows(text: str) -> list[list[str]]:
    """The cells of every row of every table, without emphasis and code marks."""
    return [row for _, rows in _tables(tokens(text)) for row in rows]


def _fenced(stream: Sequence[Token]) -> Iterator[Example]:
    said, question = "", None
    for token in stream:
        if token.type == "inline":
            said = token.content
        if token.type != "fence":
            continue
        language, _, purpose = token.info.partition(" ")
        if purpose.startswith("explain:"):
            assert question is None, f"line {_row(token)}: the example before has no answer"
            question = (purpose.removeprefix("explain:"), _objects(token, language), _row(token))
        elif purpose == "answer":
            assert question is not None, f"line {_row(token)}: an answer without an example"
            rule, asked, row = question
            answers = _objects(token, language)
            assert len(asked) == len(answers), f"line {_row(token)}: not as many answers as questions"
            yield from (Example(rule, *pair, "in part" not in said, row) for pair in zip(asked, answers, strict=True))
            question = None
    assert question is None, "the last example has no answer"


def _objects(fence: Token, language: str) -> list[Answer]:
    texts = fence.content.splitlines() if language == "jsonl" else [fence.content]
    found = [joined(json.loads(text)) for text in texts if text.strip()]
    assert all(isinstance(each, dict) for each in found), f"line {_row(fence)}: not an object"
    return found  # type: ignore[return-value]


def _tabled(stream: Sequence[Token]) -> Iterator[Example]:
    for at, rows in _tables(stream):
        marker = MARKER.search(stream[at - 1].content) if at else None
        if marker:
            for number, row in enumerate(rows[1:]):
                rule, line, shown = BUILDERS[marker[1]](*row)
                place = _row(stream[at]) + 2 + number
                yield Example(rule, {"case": f"{marker[1]} in line {place}", **line}, shown, False, place)


def _tables(stream: Sequence[Token]) -> Iterator[tuple[int, list[list[str]]]]:
    """Where each table opens, and its rows of cells."""
    opened, rows = 0, list[list[str]]()
    for at, token in enumerate(stream):
        if token.type == "table_open":
            opened, rows = at, []
        elif token.type == "tr_open":
            rows.append([])
        elif token.type == "inline" and stream[at - 1].type in ("th_open", "td_open"):
            rows[-1].append("".join(child.content for child in token.children or []))
        elif token.type == "table_close":
            yield opened, rows


def _row(token: Token) -> int:
    return token.map[0] + 1 if token.map else 0


Built = tuple[str, dict[str, object], Answer]


def _match_row(_differs: str, incoming: str, existing: str, kind: str) -> Built:
    record = {"id": "m-1", "statement": existing}
    return "match", {"candidate": {"statement": incoming}, "records": [record], "same_key": True}, {"kind": kind}


def _verify_row(claim: str, excerpt: str, verdict: str) -> Built:
    origin = {"trust_class": "user_correction", "durability": "project"}
    reasons = [] if verdict == "verified" else verdict.split(", ")
    status = "review_required" if reasons else "verified"
    line: dict[str, object] = {
        "candidate": {"id": "c-1", "statement": claim, "evidence_ids": ["ev-1"], **origin},
        "evidence": [{"id": "ev-1", "excerpt": excerpt, **origin}],
        "tombstones": [],
    }
    return "verify", line, {"status": status, "reasons": reasons}


def _signals_row(text: str, found: str) -> Built:
    return "signals", {"text": text}, {"signals": [] if found == "none" else found.split(", ")}


BUILDERS: Mapping[str, Callable[..., Built]] = {"match": _match_row, "verify": _verify_row, "signals": _signals_row}
