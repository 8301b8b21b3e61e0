"""Throughput of each rule: calls in a second of CPU time on one core, without a database.

    python -m bench.rules [RULE ...]        (or: python -m bench rules)

One JSON object a line, then the same as a Markdown table. `floor` is the least that can be done to a text,
`str.casefold().split()` on the candidates' statements, measured in the same run: `ratio` is a rule's calls a second by the
floor's, and compares between machines where calls a second do not; the table has it turned round, as floors a call.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property, partial
from itertools import cycle, islice, starmap

from bench import rule_inputs
from bench.rule_inputs import HITS, NOW, Corpus
from evidence.rules.access import readable
from evidence.rules.blocking import Blocks
from evidence.rules.eligibility import CLASSES, judge
from evidence.rules.gate import gate
from evidence.rules.identity import record_id
from evidence.rules.labels import label
from evidence.rules.matching import Match, match
from evidence.rules.records import Candidate, LinkedEvidence, Record
from evidence.rules.resolving import resolve
from evidence.rules.secrets import secret_kinds
from evidence.rules.signals import signals
from evidence.rules.usability import usable
from evidence.rules.verifier import Verdict, verify
from evidence.rules.vocab import Durability
from reviewapp.memory import settle

ACTIVE_RECORDS = 10_000
CANDIDATES = 3_000
WARM_UP = 500
"""Candidates judged before the clock runs: the records' own words and the patterns of the signals are then known, as in a
process that has run a while. The first text that a process looks at for signals costs it about half a second, once."""
SIMPLE = 5_000
ROUNDS = 9
"""Rules that read no text: so often over the same inputs; the median round counts."""
AIMS = {"label": 200_000, "access": 200_000, "resolve": 50_000, "match+verify": 1_000}

Inputs = Sequence[tuple[object, ...]]


@dataclass(frozen=True, slots=True)
class Figure:
    """`per_second`: calls in a second of CPU time; `ratio`: against the floor; `aim`: what is promised, if anything."""

    rule: str
    per_second: int
    ratio: float
    aim: int | None
    calls: int
    what: str


@dataclass(frozen=True, slots=True)
class Part:
    """One thing to measure. `rounds` > 1: the same inputs again, for rules that keep nothing of a call."""

    what: str
    call: Callable[..., object]
    inputs: Inputs
    rounds: int = 1

    def per_second(self) -> float:
        return statistics.median(_once(self.call, self.inputs) for _ in range(self.rounds))


def _once(call: Callable[..., object], inputs: Inputs) -> float:
    settle()  # as servers and workers do: the records and their index are there to stay
    began = time.process_time()
    deque(starmap(call, inputs), maxlen=0)
    return len(inputs) / max(time.process_time() - began, 1e-9)


class Bench:
    """The inputs, each made once and only when asked for, and a part for every rule."""

    def __init__(self, memory: rule_inputs.Memories = rule_inputs.varied) -> None:
        self._memory = memory

    @cached_property
    def corpus(self) -> Corpus:
        return rule_inputs.corpus(ACTIVE_RECORDS, CANDIDATES + WARM_UP, self._memory)

    @cached_property
    def blocks(self) -> Blocks:
        """The index over the active records, warm."""
        blocks = Blocks(self.corpus.records)
        for candidate, evidence in zip(self.corpus.candidates[:WARM_UP], self.corpus.evidence, strict=False):
            _match_and_verify(blocks, candidate, evidence)
        return blocks

    @cached_property
    def records(self) -> list[Record]:
        return rule_inputs.records(SIMPLE)

    def _texts(self) -> Inputs:
        return [(text,) for text in self.corpus.statements[WARM_UP:]]

    def _cases(self) -> Iterator[tuple[Candidate, LinkedEvidence]]:
        return islice(zip(self.corpus.candidates, self.corpus.evidence, strict=True), WARM_UP, None)

    def floor(self) -> Part:
        return Part("`str.casefold().split()` on a statement", _fold, self._texts(), ROUNDS)

    def identity(self) -> Part:
        return Part("a record's id", record_id, [(record.source,) for record in self.records], ROUNDS)

    def label(self) -> Part:
        return Part("a parsed record", label, [(record, NOW) for record in self.records], ROUNDS)

    def resolve(self) -> Part:
        pairs = zip(self.records[::2], self.records[1::2], strict=True)
        call = partial(resolve, scan_secrets=False)
        return Part("two parsed records on one claim, texts scanned before", call, [(*p, NOW) for p in pairs], ROUNDS)

    def usable(self) -> Part:
        """Texts are scanned: each record is a new one."""
        return Part("a parsed record, its texts scanned for secrets", usable, [(record,) for record in self.records])

    def usable_scanned(self) -> Part:
        call = partial(usable, scan_secrets=False)
        return Part("a parsed record, texts scanned before", call, [(record,) for record in self.records], ROUNDS)

    def access(self) -> Part:
        inputs = [(record.scope, rule_inputs.reader(at)) for at, record in enumerate(self.records)]
        return Part("a parsed scope and reader", readable, inputs, ROUNDS)

    def gate(self) -> Part:
        store = {record.id: record for record in self.records}
        lists = rule_inputs.hit_lists(self.records, 200)
        call = partial(gate, scan_secrets=False)
        inputs = [(store, hits, rule_inputs.reader(at), NOW) for at, hits in enumerate(lists)]
        return Part(f"an answer of {HITS} hits, records' texts scanned before", call, inputs)

    def eligibility(self) -> Part:
        words = [(c, d, layer, n) for c in CLASSES for d in Durability for layer in ("L1", "L2") for n in (1, 2)]
        return Part("class, durability, layer and sources", _judge, list(islice(cycle(words), SIMPLE)), ROUNDS)

    def match(self) -> Part:
        inputs = [(self.blocks, candidate) for candidate, _ in self._cases()]
        return Part(f"a candidate against {ACTIVE_RECORDS:,} active records, by blocking", _match, inputs)

    def verify(self) -> Part:
        call = partial(verify, records=())
        inputs: Inputs = [(candidate, [evidence], []) for candidate, evidence in self._cases()]
        return Part("all checks, one piece of evidence", call, inputs)

    def match_and_verify(self) -> Part:
        inputs = [(self.blocks, candidate, evidence) for candidate, evidence in self._cases()]
        return Part("both of the above, one after the other", _match_and_verify, inputs)

    def secrets(self) -> Part:
        return Part("a statement", secret_kinds, self._texts())

    def signals(self) -> Part:
        return Part("a statement", signals, self._texts())


PARTS: dict[str, Callable[[Bench], Part]] = {
    "identity": Bench.identity,
    "label": Bench.label,
    "resolve": Bench.resolve,
    "usable": Bench.usable,
    "usable, scanned": Bench.usable_scanned,
    "access": Bench.access,
    "gate": Bench.gate,
    "eligibility": Bench.eligibility,
    "match": Bench.match,
    "verify": Bench.verify,
    "match+verify": Bench.match_and_verify,
    "match, alike": Bench.match,
    "match+verify, alike": Bench.match_and_verify,
    "secrets": Bench.secrets,
    "signals": Bench.signals,
}


def figures(rules: Sequence[str]) -> Iterator[Figure]:
    """The floor first, then each rule. Every rule has inputs of its own, so that none is faster for what another left."""
    floor = Bench().floor()
    least = floor.per_second()
    yield Figure("floor", round(least), 1.0, None, len(floor.inputs), floor.what)
    for rule in rules:
        _forget()
        part = PARTS[rule](Bench(rule_inputs.alike if rule.endswith(", alike") else rule_inputs.varied))
        speed = part.per_second()
        yield Figure(rule, round(speed), float(f"{speed / least:.4g}"), AIMS.get(rule), len(part.inputs), part.what)


def table(found: Sequence[Figure]) -> str:
    """The figures as a Markdown table."""
    rows = [
        f"| {each.rule} | {each.per_second:,} | {f'{each.aim:,}' if each.aim else ''} | {1 / each.ratio:,.1f} | {each.what} |"
        for each in found
    ]
    return "\n".join(("| rule | calls/s | aim | floors a call | what one call is |", "|---|---:|---:|---:|---|", *rows))


def main(arguments: Sequence[str]) -> int:
    unknown = [name for name in arguments if name not in PARTS]
    if unknown:
        print(f"unknown: {', '.join(unknown)}; there are {', '.join(PARTS)}")
        return 2
    found = []
    for figure in figures(arguments or list(PARTS)):
        found.append(figure)
        print(json.dumps(asdict(figure)), flush=True)
    print(f"\n{table(found)}")
    return 0


def _fold(text: str) -> list[str]:
    return text.casefold().split()


def _judge(trust_class: str, durability: str, layer: str, sources: int) -> object:
    return judge(trust_class=trust_class, durability=durability, layer=layer, independent_sources=sources)


def _match(blocks: Blocks, candidate: Candidate) -> Match:
    return match(candidate, blocks.near(candidate))


def _match_and_verify(blocks: Blocks, candidate: Candidate, evidence: LinkedEvidence) -> Verdict:
    return verify(candidate, [evidence], [], blocks.near(candidate))


def _forget() -> None:
    """Empty every cache of the rules: what is kept between calls has to be earned inside a part."""
    for name, module in list(sys.modules.items()):
        if name.startswith("evidence.rules"):
            for value in vars(module).values():
                if clear := getattr(value, "cache_clear", None):
                    clear()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
