"""Invented inputs for `bench.rules`: team memories by the thousand, what is proposed about them, records and hits.

Seeded, so that two runs measure the same work. No two statements are equal: a rule that remembers texts gains nothing.
Two kinds of memories: *varied* ones, put together from many words, and *alike* ones, which follow a dozen patterns, so
that each has hundreds of near neighbours: what an agent leaves behind that writes like a form.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from evidence.rules.identity import record_id
from evidence.rules.records import (
    Approval,
    Candidate,
    Check,
    Claim,
    Hit,
    LinkedEvidence,
    MemoryRecord,
    Reader,
    Record,
    Scope,
    Source,
)
from evidence.rules.times import to_iso

NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)
HITS = 20
_PLACES = "ledger portal gateway importer exporter scheduler archive mailer console indexer billing catalogue".split()
_BIRDS = "quail heron plover curlew siskin dunlin avocet whimbrel godwit fulmar gannet shrike bunting linnet".split()
_TOOLS = "Sentry Jenkins Grafana ClickHouse Terraform Ansible Redis Kafka Postgres Nginx Vault Loki".split()
_TEAMS = "platform payments support data search mobile security finance".split()
_DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
_UNITS = "minutes hours days seconds".split()
_ACTS = "restart snapshot compact rotate migrate reindex drain verify mirror prune warm audit".split()
_PATTERNS = (
    "The {bird} {place} is restarted every {n} {unit} by the {team} team",
    "{Act} the {bird} {place} before the {team} team deploys on {day}",
    "Errors of the {bird} {place} are reported to {tool}, queue {n}",
    "Keep at most {n} old releases of the {bird} {place} in {tool}",
    "Retry failed calls to the {bird} {place} {n} times, then page the {team} team",
    "Backups of the {bird} {place} run on {day} and are kept for {n} {unit}",
    "The {team} team owns the {bird} {place} and reviews its changes on {day}",
    "Sessions of the {bird} {place} last {n} {unit} when opened through {tool}",
    "Use {tool} to {act} the {bird} {place}, and note the ticket {n}",
    "The {bird} {place} needs version 4.{n} of {tool} since the {team} team moved it",
    "Alerts of the {bird} {place} wait {n} {unit} before the {team} team is called",
    "Reports of the {bird} {place} are sent to the {team} team on {day} at 0{digit}:15, list {n}",
)
_SUBJECTS = ("the {bird} {place}", "the {team} side of the {place}", "{tool} behind the {bird} {place}")
_VERBS = (
    "compresses mirrors signs rejects archives translates caches imports numbers counts prints rounds hides merges locks "
    "encrypts samples tags bundles exports queues splits sorts renames validates tests drops copies moves publishes"
).split()
_OBJECTS = (
    "invoices labels parcels avatars contacts orders drafts threads prices receipts tickets vouchers manifests payloads "
    "schemas dumps images packages reports cookies headers tokens sessions pallets routes shifts contracts surveys photos "
    "translations certificates migrations snapshots subscriptions refunds customs forms replies logs quotas"
).split()
_KINDS = (
    "stale incoming foreign wholesale nightly oversized anonymous duplicate partial unpaid signed legacy quarterly raw "
    "manual regional temporary fragile internal scanned empty bilingual seasonal recent disputed"
).split()
_CONDITIONS = (
    "during the freeze", "since the last audit", "for wholesale customers", "on {day}", "when the queue is full",
    "while a migration runs", "in the Polish shop", "for trainees", "unless somebody objects", "at month end",
    "after a failed login", "inside the VPN", "with the blue pipeline", "if stock is low", "until the contract ends",
    "for the mobile client", "before the parade of demos", "in release branches", "as the carrier demands",
    "behind the proxy", "for orders above {n} euro", "by default", "in the sandbox", "once legal agrees",
)  # fmt: skip
_OPENINGS = ("As agreed, ", "Please remember: ", "For the record, ", "Note that ")


@dataclass(frozen=True)
class Corpus:
    """`records`: active, of one profile. `candidates[i]` cites `evidence[i]`; most of them speak of a record."""

    records: list[MemoryRecord]
    candidates: list[Candidate]
    evidence: list[LinkedEvidence]

    @property
    def statements(self) -> list[str]:
        return [candidate.statement for candidate in self.candidates]


Memories = Callable[[random.Random], str]


def corpus(records: int, candidates: int, memory: Memories, seed: int = 11) -> Corpus:
    """That many distinct records and candidates: new claims, rewordings, other numbers and denials in equal parts."""
    chance = random.Random(seed)
    texts = distinct(memory, chance)
    stored = [MemoryRecord(f"m-{at}", next(texts), tags=(f"area-{at % 40}",)) for at in range(records)]
    said: dict[str, None] = {}
    while len(said) < candidates:
        about = chance.choice(stored).statement
        said[chance.choice((next(texts), _reworded(about, chance), _renumbered(about, chance), _denied(about)))] = None
    proposed = [
        Candidate(
            f"c-{at}", text, tags=(f"area-{at % 40}",), trust_class="user_correction", durability="project",
            evidence_ids=(f"ev-{at}",),
        )
        for at, text in enumerate(said)
    ]  # fmt: skip
    cited = [
        LinkedEvidence(
            f"ev-{at}", "user_correction", "project", excerpt=f"{chance.choice(_OPENINGS)}{text}.", thread=f"th-{at}"
        )
        for at, text in enumerate(said)
    ]
    return Corpus(stored, proposed, cited)


def varied(chance: random.Random) -> str:
    text = " ".join(chance.choice(part) for part in (_SUBJECTS, _VERBS, _KINDS, _OBJECTS, _CONDITIONS))
    filled = _filled(text, chance)
    return f"{filled[:1].upper()}{filled[1:]}"


def alike(chance: random.Random) -> str:
    return _filled(chance.choice(_PATTERNS), chance)


def distinct(memory: Memories, chance: random.Random) -> Iterator[str]:
    """Statements without end, no two of them equal."""
    seen = set[str]()
    while True:
        text = memory(chance)
        if text not in seen:
            seen.add(text)
            yield text


def _filled(pattern: str, chance: random.Random) -> str:
    act = chance.choice(_ACTS)
    return pattern.format(
        bird=chance.choice(_BIRDS), place=chance.choice(_PLACES), tool=chance.choice(_TOOLS), team=chance.choice(_TEAMS),
        day=chance.choice(_DAYS), unit=chance.choice(_UNITS), act=act, Act=act.capitalize(), n=chance.randint(2, 900),
        digit=chance.randint(1, 9),
    )  # fmt: skip


def _reworded(text: str, chance: random.Random) -> str:
    opening = chance.choice(_OPENINGS)
    return f"{opening}{text[:1].lower()}{text[1:]}"


def _renumbered(text: str, chance: random.Random) -> str:
    return " ".join(f"{chance.randint(901, 1900)}" if word.isdigit() else word for word in text.split(" "))


def _denied(text: str) -> str:
    for auxiliary in (" is ", " are "):
        if auxiliary in text:
            return text.replace(auxiliary, f"{auxiliary}not ", 1)
    return f"Never {text[:1].lower()}{text[1:]}"


def records(count: int, seed: int = 12) -> list[Record]:
    """Facts, observations and articles of many ages, classes and scopes, about claims that meet in pairs."""
    chance = random.Random(seed)
    texts = distinct(varied, chance)
    return [_record(at, next(texts), chance) for at in range(count)]


def _record(at: int, text: str, chance: random.Random) -> Record:
    source = Source(f"fact:{at}", "1")
    checked = to_iso(NOW - timedelta(hours=chance.randint(1, 200)))
    kind = chance.choice(("fact", "fact", "observation", "article"))
    return Record(
        id=record_id(source), kind=kind, source=source, content=text, summary=text[:60],
        claim=Claim(f"host {at // 2}", "owner", chance.choice(_TEAMS)), event_at=checked,
        check=Check(checked, by="ops-agent") if chance.random() < 0.8 else None,
        volatility=chance.choice(("billing", "deploy", "stable")), trust=chance.choice(("internal", "operator")),
        approval=Approval("rhea", checked) if kind == "article" and chance.random() < 0.5 else None,
        scope=Scope(f"agent-{at % 5}", chance.choice(("public", "private", "shared")), (f"agent-{at % 7}",)),
    )  # fmt: skip


def reader(number: int) -> Reader:
    return Reader(f"agent-{number % 5}", ("kestrel",) if number % 2 else ())


def hit_lists(stored: list[Record], count: int, seed: int = 13) -> list[list[Hit]]:
    """What a backend might return: records under their ids, and one text in ten that it wrote itself."""
    chance = random.Random(seed)
    return [[_hit(f"{at}-{rank}", chance.sample(stored, 2), rank) for rank in range(HITS)] for at in range(count)]


def _hit(name: str, some: list[Record], rank: int) -> Hit:
    score = 1 / (rank + 1)
    if rank % 10 == 9:
        return Hit(f"h-{name}", "1", score, some[0].content, tuple(record.id for record in some))
    return Hit(some[0].id, some[0].source.version, score)
