"""How a candidate stands to the active records it meets (contract 7, 12.8, 12.9, 12.18): one kind, and which records.

Reads candidates and records only; which records to hold against a candidate is for the caller, who may pass more than
meet it. Rules in the contract's order; the first that applies answers.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import Final

from evidence.rules.opposition import oppose
from evidence.rules.records import Candidate, MemoryRecord, Record, Source
from evidence.rules.repeating import repeats
from evidence.rules.resolving import reach_overlaps, resolve
from evidence.rules.similarity import SIMILAR, nearly_the_same, overlap
from evidence.rules.text import norm
from evidence.rules.times import read_time
from evidence.rules.topics import topic_of
from evidence.rules.vocab import Kind, MatchKind, Outcome, State
from evidence.rules.words import fold, words

SEPARATOR: Final = "\x1f"
_BEGINNING: Final = datetime(1, 1, 2, tzinfo=UTC)
_UPDATE_CUES: Final[dict[str, str]] = {
    form: verb
    for verb, forms in {
        "update": "update updates updated updating",
        "change": "change changes changed changing",
        "revise": "revise revises revised revising",
        "adjust": "adjust adjusts adjusted adjusting",
        "extend": "extend extends extended extending",
        "include": "include includes included including",
        "add": "add adds added adding",
        "now": "now",
    }.items()
    for form in forms.split()
}
_SUPERSEDES: Final = re.compile(r"\bsupersed(?:es?|ed|ing)\b[:\s]*", re.IGNORECASE)
_BETWEEN_IDS: Final = re.compile(r"(?:[\s,;&]|\band\b|\bund\b|\bor\b|[\"'`()\[\]#])+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Match:
    kind: MatchKind
    matched: tuple[str, ...] = ()
    key: str = ""
    cues: tuple[str, ...] = ()
    """What decided, for a reviewer: the opposition and the pair it names, an update cue, a reason of `resolve`."""


_norm: Final = lru_cache(maxsize=65536)(norm)


def match(
    candidate: Candidate, records: Sequence[MemoryRecord], *, same_key: bool = False, now: datetime | None = None
) -> Match:
    """The match kind by contract 7, first rule that applies.

    `records` may hold any records, active or not, of any profile; `same_key` takes them to be on the candidate's key.
    Without `now` no date is in the future.
    """
    key = match_key(candidate)
    profile = _norm(candidate.profile)
    ours = [record for record in records if _norm(record.profile) == profile]
    if superseded := named_ids(candidate, {record.id for record in ours}):
        return Match(MatchKind.SUPERSEDES, superseded, key, ("supersedes",))
    met = _standing(
        [record for record in ours if record.status == State.ACTIVE and (same_key or _meets(candidate, key, record))]
    )
    if not met:
        return Match(MatchKind.NEW, (), key)
    if len(met) > 1:
        return Match(MatchKind.AMBIGUOUS, tuple(record.id for record in met), key)
    record = met[0]
    if candidate.claim is not None and record.claim is not None:
        kind, cues = _by_claim(candidate, record, now)
    else:
        kind, cues = _by_text(candidate.statement, record.statement)
    return Match(kind, () if kind is MatchKind.NEW else (record.id,), key, cues)


def match_key(item: Candidate | MemoryRecord) -> str:
    """The key under which a candidate meets records (contract 7), as text without NUL.

    A structured claim: its claim key. Otherwise rule type and topic. The profile and the reach always.
    """
    if item.claim is not None:
        parts = ("claim", _norm(item.claim.subject), _norm(item.claim.attribute))
    else:
        parts = ("topic", _norm(item.rule_type), topic_of(item.statement, item.tags))
    key = SEPARATOR.join((_norm(item.profile), *_reach(item), *parts))
    return key if key.isascii() and "\0" not in key else key.replace("\0", "").encode("utf-8", "replace").decode()


def named_ids(candidate: Candidate, known: Collection[str]) -> tuple[str, ...]:
    """Ids among the known ones that the candidate says it supersedes, in the field or in its text (contract 12.8)."""
    named = [name for name in candidate.supersedes if name in known]
    for text in (candidate.statement, *candidate.tags):
        if "supersed" in text.casefold() and _SUPERSEDES.search(text):
            named += _named_in_text(text, known)
    return tuple(dict.fromkeys(name for name in named if name))


def _named_in_text(text: str, known: Collection[str]) -> list[str]:
    """Ids behind the word "supersedes", one or a list of them."""
    found: list[str] = []
    longest_first = sorted((name for name in known if name and name in text), key=len, reverse=True)
    for hit in _SUPERSEDES.finditer(text):
        at = hit.end()
        while name := next((name for name in longest_first if _stands_at(text, at, name)), None):
            found.append(name)
            at += len(name)
            between = _BETWEEN_IDS.match(text, at)
            at = between.end() if between else at
            if not between:
                break
    return found


def _stands_at(text: str, at: int, name: str) -> bool:
    """Whether the id stands there as a whole word, a full stop behind it or not."""
    rest = text[at + len(name) :]
    return text.startswith(name, at) and not re.match(r"[\w-]|[.:/]\w", rest)


def _meets(candidate: Candidate, key: str, record: MemoryRecord) -> bool:
    """Whether an active record of the profile is on the candidate's key, or says nearly the same in the same scope."""
    if candidate.claim is not None and record.claim is not None:
        return candidate.claim.key == record.claim.key and reach_overlaps(candidate.reach, record.reach)
    if _reach(candidate) != _reach(record):
        return False
    return nearly_the_same(candidate.statement, record.statement) or _has_key(record, key)


def _has_key(record: MemoryRecord, key: str) -> bool:
    """Whether a record's key is this one: the topic, which ends it, tells nearly all apart."""
    if record.claim is None and key.isascii():
        topic = topic_of(record.statement, record.tags)
        if topic.isascii() and "\0" not in topic and not key.endswith(topic):
            return False
    return match_key(record) == key


def _reach(item: Candidate | MemoryRecord) -> tuple[str, str]:
    return (_norm(item.reach.level), _norm(item.reach.ref)) if item.reach else _NOWHERE


_NOWHERE: Final = ("", "")


def _standing(met: list[MemoryRecord]) -> list[MemoryRecord]:
    """Facts and approved articles; where there is neither, the newest checked observation (contract 7)."""
    curated = [r for r in met if r.kind == Kind.FACT or (r.kind == Kind.ARTICLE and r.approval is not None)]
    if curated:
        return curated
    checked = [
        (at, r) for r in met if r.kind == Kind.OBSERVATION and (at := read_time(r.check.at if r.check else None))
    ]
    return [max(checked, key=lambda pair: pair[0])[1]] if checked else []


def _by_claim(candidate: Candidate, record: MemoryRecord, now: datetime | None) -> tuple[MatchKind, tuple[str, ...]]:
    """Two structured claims on one key (contract 7, 12.9): equal values, or what `resolve` says."""
    assert candidate.claim is not None
    assert record.claim is not None
    if candidate.claim.value_key == record.claim.value_key:
        new_source = set(candidate.threads) - set(record.threads) - {""}
        return (MatchKind.STRENGTHENS, ("new source",)) if new_source else (MatchKind.DUPLICATE, ())
    current, incoming = _as_record(record), _as_record(candidate)
    times = [at for side in (candidate, record) if (at := read_time(side.check.at if side.check else None))]
    answer = resolve(current, incoming, now or max(times, default=_BEGINNING), scan_secrets=False)
    kind = MatchKind.UPDATES if answer.outcome == Outcome.SUPERSEDE else MatchKind.POTENTIAL_CONFLICT
    return kind, (f"“{candidate.claim.value}” / “{record.claim.value}”", str(answer.reason))


def _as_record(item: Candidate | MemoryRecord) -> Record:
    """What `resolve` reads of either side. A candidate counts as a fact that its filer checked as it says."""
    if isinstance(item, Candidate):
        return Record(
            id=item.id, kind=Kind.FACT, source=Source(f"proposal:{item.id}"), claim=item.claim, content=item.statement,
            check=item.check, volatility=item.volatility, ttl_days=item.ttl_days, trust=item.trust, review=item.review,
        )  # fmt: skip
    return Record(
        id=item.id, kind=item.kind, source=item.source or Source(item.id), claim=item.claim, content=item.statement,
        check=item.check, volatility=item.volatility, ttl_days=item.ttl_days, trust="internal", approval=item.approval,
        review="approved" if item.approval else None,
    )  # fmt: skip


def _by_text(statement: str, existing: str) -> tuple[MatchKind, tuple[str, ...]]:
    """Rules 4 to 8 of contract 7."""
    if found := oppose(statement, existing):
        return MatchKind.POTENTIAL_CONFLICT, (found.cue, found.reason)
    if repeats(statement, existing):
        return MatchKind.DUPLICATE, ()
    if overlap(statement, existing) < SIMILAR:
        return MatchKind.NEW, ()
    if cue := _update_cue(statement, existing):
        return MatchKind.UPDATES, (cue,)
    return MatchKind.STRENGTHENS, ()


def _update_cue(statement: str, existing: str) -> str:
    """The first update cue of the statement; a verb that both texts use tells nothing."""
    there = {_UPDATE_CUES[word] for word in words(existing) if word in _UPDATE_CUES}
    return next(
        (verb for word in words(statement) if (verb := _UPDATE_CUES.get(fold(word), "")) and verb not in there), ""
    )
