"""The tables of cases in docs/contract.md, made from the project's case files and from what the rules answer.

    python -m tests.contract.generate            writes them between their markers
    python -m tests.contract.generate --check    says whether they are current; exit status 1 when they are not

A row is one case: what it shows, and the answer of the rule. No text of a case about secrets or signals is shown.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from evidence.rules.explain import explain_line
from tests.contract.page import PAGE, Answer
from tests.rules.casefile import Case, load

HOW = "python -m tests.contract.generate"
SECTION = re.compile(r"(?P<open><!-- cases: (?P<rule>\w+) -->\n).*?(?P<close><!-- end of cases -->)", re.DOTALL)
Cell = Callable[[Case, Answer], str]


@dataclass(frozen=True)
class Table:
    """Which cases are shown (their numbers in the file), and what stands in the columns behind what they show."""

    numbers: Sequence[int]
    columns: Mapping[str, Cell]


def _word(member: str) -> Cell:
    return lambda case, answer: f"`{answer[member]}`"


def _words(member: str) -> Cell:
    return lambda case, answer: ", ".join(f"`{word}`" for word in _list(answer[member])) or "none"


def _yes(member: str) -> Cell:
    return lambda case, answer: "yes" if answer[member] else "no"


def _asked(*path: str) -> Cell:
    """What the case asks, in code: it may hold anything."""

    def cell(case: Case, answer: Answer) -> str:
        value: object = case.line
        for name in path:
            assert isinstance(value, dict)
            value = value[name]
        return f"`{value}`"

    return cell


def _said(case: Case, answer: Answer) -> str:
    return _plain(case.line["candidate"])


def _on_record(case: Case, answer: Answer) -> str:
    return "<br>".join(_plain(record) for record in _list(case.line["records"])) or "–"


def _plain(item: object) -> str:
    """A statement, and the value of its claim where it has one."""
    assert isinstance(item, dict)
    claim = item.get("claim")
    return _escaped(f"{item['statement']}{' [' + claim['value'] + ']' if claim else ''}")


def _why(case: Case, answer: Answer) -> str:
    cues = _list(answer["cues"])
    return _escaped(str(cues[-1])) if cues else ""


def _shown(case: Case, answer: Answer) -> str:
    return "<br>".join(f"{r['record']['kind']}, `{r['label']}`" for r in _dicts(answer["results"])) or "nothing"


def _dropped(case: Case, answer: Answer) -> str:
    return ", ".join(dict.fromkeys(f"`{each['reason']}`" for each in _dicts(answer["dropped"])))


def _refreshed(case: Case, answer: Answer) -> str:
    return f"`{answer['outcome']}`{', check refreshed' if answer['refreshes_check'] else ''}"


TABLES: Mapping[str, Table] = {
    "identity": Table(
        [1, 2, 3, 4, 8],
        {"source": _asked("source", "id"), "version": _asked("source", "version"), "id": _word("id")},
    ),
    "label": Table([1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 14, 15, 16, 17, 18, 21, 22, 24, 25], {"label": _word("label")}),
    "resolve": Table(
        [1, 2, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14, 16, 18, 23, 24, 25, 26, 27, 30, 32, 36, 37, 40],
        {"outcome": _refreshed, "reason": _word("reason")},
    ),
    "usable": Table([1, 3, 6, 7, 9, 11, 12, 13, 14], {"usable": _yes("usable"), "reason": _word("reason")}),
    "access": Table([1, 2, 3, 4, 5, 7, 8, 9, 11, 13, 14, 15], {"readable": _yes("allowed")}),
    "gate": Table(
        [1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15, 17, 18, 19, 24], {"shown": _shown, "dropped because": _dropped}
    ),
    "eligibility": Table(
        [1, 3, 4, 6, 8, 10, 13, 14, 17, 18, 20, 24, 28],
        {"eligibility": _word("eligibility"), "risk": _word("poisoning_risk"), "weight": lambda _, a: f"{a['weight']}"},
    ),
    "match": Table(
        [2, 5, 12, 16, 19, 20, 25, 27, 31, 32, 33, 34, 35, 36, 37, 38, 42, 44, 47, 48, 49, 54, 56, 61, 62, 63, 66, 67, 68, 70],
        {"it says": _said, "on record": _on_record, "kind": _word("kind"), "why": _why},
    ),
    "verify": Table(
        [1, 3, 5, 7, 8, 9, 10, 11, 14, 18, 19, 20, 21, 22, 25, 29, 30, 32, 36, 38, 39, 43, 44, 45, 48],
        {"status": _word("status"), "reasons": _words("reasons")},
    ),
    "secrets": Table(
        [1, 3, 4, 7, 10, 12, 13, 14, 16, 17, 19, 22, 25, 26, 28, 29, 31, 33, 37, 38, 39], {"found": _words("kinds")}
    ),
    "signals": Table(
        [1, 3, 5, 6, 7, 8, 9, 10, 11, 13, 15, 16, 19, 21, 23, 24, 27, 28], {"found": _words("signals")}
    ),
}  # fmt: skip


def rewritten(text: str) -> str:
    """The page with every table of cases as it has to be."""
    return SECTION.sub(lambda found: f"{found['open']}\n{table(found['rule'])}\n\n{found['close']}", text)


def table(rule: str) -> str:
    chosen, cases = TABLES[rule], {case.id: case for case in load(rule)}
    rows = [_row(cases[f"{rule}-{number:03}"], chosen.columns) for number in chosen.numbers]
    names = ["case", "what it shows", *chosen.columns]
    return "\n".join((_line(names), _line("---" for _ in names), *rows))


def _row(case: Case, columns: Mapping[str, Cell]) -> str:
    answer, taken = explain_line(case.rule, json.dumps(case.line).encode())
    assert taken, case.id
    return _line(
        [
            case.id.removeprefix(f"{case.rule}-"),
            _escaped(case.about),
            *(cell(case, answer) for cell in columns.values()),
        ]
    )


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _escaped(text: str) -> str:
    """Text that Markdown shows as it is, in one cell."""
    return re.sub(r"([|\\`*_<\[\]])", r"\\\1", " ".join(text.split()))


def _list(value: object) -> list[object]:
    assert isinstance(value, list | tuple)
    return list(value)


def _dicts(value: object) -> list[dict[str, dict[str, object]]]:
    return _list(value)  # type: ignore[return-value]


def main(arguments: Sequence[str]) -> int:
    text = PAGE.read_text(encoding="utf-8")
    current = rewritten(text)
    if current == text:
        return 0
    if "--check" in arguments:
        print(f"The tables of cases in {PAGE.name} are not current: {HOW}")
        return 1
    PAGE.write_text(current, encoding="utf-8")
    print(f"Wrote the tables of cases in {PAGE.name}.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
