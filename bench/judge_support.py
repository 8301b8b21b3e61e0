"""Judge support: does the check tell what was cited for a claim from everything else.

    python -m bench.judge_support [--half dev|held] [--misses]
    python -m bench.judge_support --pairs FILE [FILE ...] [--corpus FILE] [--misses]
    python -m bench.judge_support --backlog FOLDER

Without `--pairs`: the pairs in `support_pairs.txt`. FILE holds tab-separated claim, evidence, label; or claim, cited text,
another text of the same document; or JSON lines as the public sets come (FEVER-symmetric, VitaminC, Climate-FEVER; SciFact
with its `--corpus`). FOLDER holds `proposals.jsonl` and `groups.json` as in the samples.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bench.claim_changes import changed_claims
from evidence.rules.support import Cited, support

OWN = Path(__file__).with_name("support_pairs.txt")
STRANGERS = 5
"""Texts cited for other claims that every claim is held against."""
KINDS = {"V": "value (by hand)", "N": "name (by hand)", "D": "denial (by hand)"}
LABELS = {"SUPPORTS": "S", "SUPPORT": "S", "REFUTES": "R", "CONTRADICT": "R", "REFUTE": "R"}


@dataclass
class Claim:
    """A claim with texts that support it, refute it, or stand beside the supporting one; and changed claims by kind."""

    text: str
    cited: list[str] = field(default_factory=list)
    refuting: list[str] = field(default_factory=list)
    beside: list[str] = field(default_factory=list)
    neutral: list[str] = field(default_factory=list)
    changed: list[tuple[str, str]] = field(default_factory=list)
    group: str = ""
    """Claims of one group say the same: none is a stranger to the other."""


class Tally:
    """Right and wrong answers by what was asked; a wrong one is shown when asked for."""

    def __init__(self, show: bool) -> None:
        self._show = show
        self.passed, self.asked = Counter[str](), Counter[str]()

    def ask(self, what: str, claim: str, texts: Sequence[str], *, wanted: bool) -> bool:
        found = support(claim, [Cited(f"source {at}", text) for at, text in enumerate(texts)])
        self.asked[what] += 1
        self.passed[what] += found.is_supported
        if self._show and found.is_supported is not wanted:
            print(f"   {what} | {claim} | {' / '.join(texts)}\n      {found.share:.2f} {'; '.join(found.problems)}")
        return found.is_supported

    def rate(self, what: str) -> float:
        return self.passed[what] / self.asked[what]

    def line(self, what: str) -> str:
        return f"{self.passed[what]}/{self.asked[what]} ({self.rate(what):.1%})"


def judge(name: str, claims: Sequence[Claim], show: bool) -> None:
    """Every figure that the claims allow."""
    tally = Tally(show)
    for at, claim in enumerate(claims):
        passed = [tally.ask("cited", claim.text, [text], wanted=True) for text in claim.cited]
        for text in _strangers(claims, at):
            tally.ask("unrelated", claim.text, [text], wanted=False)
        for text in claim.beside:
            tally.ask("beside", claim.text, [text], wanted=False)
        for text in claim.refuting:
            tally.ask("refuting", claim.text, [text], wanted=False)
        for text in claim.neutral:
            tally.ask("neutral", claim.text, [text], wanted=False)
        others = [other.text for other in claims if other is not claim]
        changes = [*claim.changed, *(changed_claims(claim.text, others) if claim.cited else ())]
        for text, is_carried in zip(claim.cited, passed, strict=True):
            for kind, changed in changes if is_carried else ():
                tally.ask(f"changed {kind}", changed, [text], wanted=False)
    _report(name, claims, tally)


def _report(name: str, claims: Sequence[Claim], tally: Tally) -> None:
    print(f"{name}: {len(claims)} claims")
    if tally.asked["cited"]:
        print(f"   cited text that supports, passed: {tally.line('cited')}")
    for what, against in (
        ("unrelated", "a text cited for another claim"),
        ("beside", "another text of the same source"),
        ("refuting", "a text that refutes it"),
        ("neutral", "a text labelled as not enough"),
    ):
        if tally.asked[what]:
            print(f"   {against}, passed: {tally.line(what)}", end="")
            balanced = (tally.rate("cited") + 1 - tally.rate(what)) / 2 if tally.asked["cited"] else None
            print(f"; balanced accuracy {balanced:.3f}" if balanced is not None else "")
    kinds = [what for what in tally.asked if what.startswith("changed ")]
    for what in kinds:
        print(f"   {what}, passed: {tally.line(what)}")
    if kinds:
        passed, asked = sum(tally.passed[what] for what in kinds), sum(tally.asked[what] for what in kinds)
        print(f"   changed, all kinds, passed: {passed}/{asked} ({passed / asked:.1%})")


def _strangers(claims: Sequence[Claim], at: int) -> Iterator[str]:
    """The texts cited for claims further down the list, of which none is cited for or against this one."""
    known = {*claims[at].cited, *claims[at].refuting, *claims[at].neutral}
    first = set(claims[at].text.casefold().split()[:2])
    found = 0
    for step in range(1, len(claims)):
        other = claims[(at + 7 * step) % len(claims)]
        is_kin = bool(other.group) and other.group == claims[at].group
        if other is claims[at] or is_kin or first == set(other.text.casefold().split()[:2]):
            continue
        for text in other.cited[:1]:
            if text not in known:
                yield text
                found += 1
        if found == STRANGERS:
            return


def own_pairs(half: str | None) -> list[Claim]:
    """The pairs of the project; `dev` and `held` are every other one."""
    claims: list[Claim] = []
    for line in OWN.read_text(encoding="utf-8").splitlines():
        mark, _, text = line.partition(" ")
        if mark == "C":
            claims.append(Claim(text))
        elif mark == "S":
            claims[-1].cited.append(text)
        elif mark == "B":
            claims[-1].beside.append(text)
        elif mark in KINDS:
            claims[-1].changed.append((KINDS[mark], text))
    return claims if half is None else claims[half == "held" :: 2]


def read_pairs(path: Path, corpus: Path | None) -> list[Claim]:
    """The claims of a file in any of the forms, in the order in which they first stand there."""
    claims: dict[str, Claim] = {}
    documents = _documents(corpus) if corpus else {}
    for claim, text, label in _json_rows(path, documents) if path.suffix in {".jsonl", ".json"} else _tabbed_rows(path):
        known = claims.setdefault(claim, Claim(claim))
        side = LABELS.get(label.upper())
        if side == "S":
            known.cited.append(text)
        elif side == "R":
            known.refuting.append(text)
        elif label.upper() in {"NOT ENOUGH INFO", "NOT_ENOUGH_INFO", "NEI", "DISPUTED"}:
            known.neutral.append(text)
        else:
            known.cited += [text] if text not in known.cited else []
            known.beside.append(label)
    return list(claims.values())


def _tabbed_rows(path: Path) -> Iterator[tuple[str, str, str]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        claim, text, label = line.split("\t")
        yield claim, text, label


def _json_rows(path: Path, documents: dict[str, list[str]]) -> Iterator[tuple[str, str, str]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if "evidences" in row:  # Climate-FEVER
            yield from (
                (row["claim"], item["evidence"], item["evidence_label"].replace("_", " ")) for item in row["evidences"]
            )
        elif isinstance(row.get("evidence"), dict):  # SciFact: sentences of abstracts; the others stand beside them
            yield from _abstracts(row, documents)
        else:
            text = row.get("evidence_sentence") or row.get("evidence")
            yield row["claim"], text, str(row.get("gold_label") or row.get("label"))


def _abstracts(row: dict, documents: dict[str, list[str]]) -> Iterator[tuple[str, str, str]]:  # type: ignore[type-arg]
    for document, rationales in row["evidence"].items():
        sentences = documents.get(document, [])
        used = {at for rationale in rationales for at in rationale["sentences"]}
        for rationale in rationales:
            yield row["claim"], " ".join(sentences[at] for at in rationale["sentences"]), rationale["label"]
        if rationales[0]["label"] == "SUPPORT":
            yield from (
                (row["claim"], sentences[min(used)], text) for at, text in enumerate(sentences) if at not in used
            )


def _documents(corpus: Path) -> dict[str, list[str]]:
    rows = map(json.loads, corpus.read_text(encoding="utf-8").splitlines())
    return {str(row["doc_id"]): row["abstract"] for row in rows}


def backlog_claims(folder: Path) -> list[Claim]:
    """Proposals with the excerpts that support them; beside them stands what was cited for another of the same tag."""
    rows = [json.loads(line) for line in (folder / "proposals.jsonl").read_text(encoding="utf-8").splitlines()]
    clusters = json.loads((folder / "groups.json").read_text(encoding="utf-8"))["clusters"]
    groups = {member: name for name, members in clusters.items() for member in members}
    claims = []
    for row in rows:
        cited = [item["excerpt"] for item in row["evidence"] if item["polarity"] == "supports"]
        if cited:
            claims.append((Claim(row["statement"], cited, group=groups.get(row["id"], "")), row))
    for claim, row in claims:
        claim.beside = [text for other, twin in claims for text in other.cited[:1] if _is_near(row, twin)]
    return [claim for claim, _ in claims]


def _is_near(row: dict, other: dict) -> bool:  # type: ignore[type-arg]
    """Of one tag, but about another attribute: another claim of the same corner."""
    if not row["claim"] or not other["claim"] or row["id"] == other["id"]:
        return False
    subjects = row["claim"]["subject"].casefold() == other["claim"]["subject"].casefold()
    attributes = row["claim"]["attribute"].casefold() == other["claim"]["attribute"].casefold()
    return (
        bool(set(row["tags"]) & set(other["tags"])) and not attributes and (subjects or row["agent"] == other["agent"])
    )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--pairs", type=Path, nargs="+", default=[])
    options.add_argument("--corpus", type=Path)
    options.add_argument("--backlog", type=Path)
    options.add_argument("--half", choices=["dev", "held"])
    options.add_argument("--misses", action="store_true", help="show what was judged wrongly")
    chosen = options.parse_args()
    parts = [(path.name, read_pairs(path, chosen.corpus)) for path in chosen.pairs]
    if chosen.backlog:
        parts.append(("backlog", backlog_claims(chosen.backlog)))
    if not parts:
        parts.append((f"own pairs ({chosen.half or 'all'})", own_pairs(chosen.half)))
    for name, claims in parts:
        judge(name, claims, chosen.misses)


if __name__ == "__main__":
    main()
