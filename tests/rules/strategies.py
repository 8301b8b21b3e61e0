"""Hypothesis strategies for rule inputs: well-formed and odd records, scopes, readers, hits.

Names come from tiny pools, so that equal ones meet often; words include unknown and empty ones.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum

from hypothesis import strategies as st

from evidence.rules.records import (
    Approval,
    Check,
    Claim,
    Hit,
    LinkedEvidence,
    Reach,
    Reader,
    Record,
    Scope,
    Source,
    Validity,
)
from evidence.rules.vocab import (
    Access,
    Durability,
    Kind,
    Layer,
    Polarity,
    Redaction,
    Review,
    State,
    Trust,
    TrustClass,
    Volatility,
)
from tests.rules.build import NOW

ODD = "weird"

# Around NOW in half days, so that the instants at which labels turn are met exactly.
instants_near_now = st.builds(
    lambda halves, micro: NOW + timedelta(days=halves / 2, microseconds=micro),
    st.integers(-20, 6),
    st.sampled_from([-1, 0, 0, 0, 1]),
)
# Bounds without a zone are what `datetimes` wants.
any_instants = st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30), timezones=st.just(UTC))  # noqa: DTZ001
written_times = st.one_of(
    st.none(),
    instants_near_now,
    instants_near_now.map(lambda at: at.isoformat()),
    st.sampled_from(["", "last Tuesday", "2026-09-13T09:00:00", "2026-09-13", "2026-09-13T09:00:00+0200"]),
    any_instants,
)
ttls = st.one_of(
    st.none(),
    st.sampled_from([0, 1, 1.5, 2, 0.25, 10**30, 3_652_059, -1, float("nan"), float("inf"), True, "5", [5]]),
    st.floats(min_value=0, max_value=20),
)


def words(enum: type[StrEnum], *, odd: bool = True, empty: bool = False) -> st.SearchStrategy[str]:
    """Words of a list as plain text, now and then one outside it, and the empty one where that may be."""
    known = [str(word) for word in enum]
    return st.sampled_from(known * 4 + ([ODD] if odd else []) + ([""] if empty else []))


names = st.sampled_from(["ada", "bob", "cleo"])
record_ids = st.sampled_from([f"e-{n}" for n in range(6)])
record_sources = st.builds(
    Source,
    st.sampled_from(["fact:a", "wiki:ada/graph/a.md", "wiki:ada/graph/a.md", "task:bob/1"]),
    st.sampled_from(["1", "2"]),
)
contents = st.sampled_from(["", "the plan is team", "the  plan is team", "the plan is free"])
odd_names = st.sampled_from(["ada", "bob", "", "ada@kestrel", "kestrel", "a,b", "a|b", "%40"])
projects = st.sampled_from([None, None, "", "kestrel", "osprey", "osprey@kestrel"])
scopes = st.builds(
    Scope,
    owner=odd_names,
    access=words(Access, empty=True),
    shared_with=st.lists(odd_names, max_size=3).map(tuple),
    project=projects,
)
readers = st.builds(
    Reader,
    agent=odd_names,
    projects=st.lists(st.sampled_from(["kestrel", "osprey", "osprey@kestrel", ""]), max_size=3).map(tuple),
)
reaches = st.one_of(
    st.none(),
    st.builds(
        Reach, st.sampled_from(["project", "Project ", "global", "", ODD]), st.sampled_from(["", "Kestrel", "a:b"])
    ),
)
claims = st.one_of(
    st.none(),
    st.builds(
        Claim, st.sampled_from(["CDN", "cdn ", "DNS"]), st.just("plan"), st.sampled_from(["team", " TEAM", "free", ""])
    ),
)
checks = st.one_of(
    st.none(),
    st.builds(Check, at=written_times, by=names, confirmed_by=st.sampled_from([None, None, "", "rhea"])),
)
approvals = st.one_of(st.none(), st.builds(Approval, by=st.sampled_from(["rhea", "rhea", ""]), at=written_times))
validities = st.one_of(st.none(), st.builds(Validity, written_times, written_times))


wild_records = st.builds(
    Record,
    id=record_ids,
    kind=words(Kind),
    source=record_sources,
    claim=claims,
    content=contents,
    namespace=st.sampled_from(["default", "other"]),
    layer=words(Layer, empty=True),
    reach=reaches,
    valid=validities,
    event_at=written_times,
    check=checks,
    volatility=words(Volatility, empty=True),
    ttl_days=ttls,
    scope=scopes,
    trust=words(Trust, empty=True),
    review=st.one_of(st.none(), words(Review, empty=True)),
    approval=approvals,
    state=st.one_of(st.just("active"), words(State)),
    derived_from=st.lists(st.just("e-0"), max_size=1).map(tuple),
    trust_class=words(TrustClass, empty=True),
    durability=words(Durability, empty=True),
    polarity=words(Polarity, empty=True),
    redaction=words(Redaction, empty=True),
)
# Usable, checked in the past and about one thing, in a scope that somebody of the pool reads.
sound_records = st.builds(
    Record,
    id=record_ids,
    kind=st.sampled_from(["fact", "observation", "article"]),
    source=record_sources,
    claim=st.builds(
        Claim, st.sampled_from(["CDN", "cdn "]), st.just("plan"), st.sampled_from(["team", "TEAM", "free"])
    ),
    content=contents,
    event_at=instants_near_now,
    check=st.builds(
        Check,
        at=st.integers(0, 8).map(lambda halves: NOW - timedelta(days=halves / 2)),
        confirmed_by=st.sampled_from([None, None, "rhea"]),
    ),
    volatility=words(Volatility, odd=False),
    scope=st.builds(
        Scope,
        owner=names,
        access=words(Access, odd=False),
        shared_with=st.lists(names, max_size=2).map(tuple),
        project=st.sampled_from([None, None, None, "kestrel"]),
    ),
    trust=st.sampled_from(["operator", "internal"]),
    review=st.sampled_from([None, "approved"]),
    approval=st.one_of(st.none(), st.builds(Approval, by=st.just("rhea"), at=instants_near_now)),
)
# Two of these are often versions of one reviewed article.
reviewed_articles = st.builds(
    replace,
    sound_records,
    kind=st.just("article"),
    source=st.builds(Source, st.just("wiki:ada/graph/a.md"), st.sampled_from(["1", "2"])),
    approval=st.builds(Approval, by=st.just("rhea"), at=instants_near_now),
)
_MEMBERS = sorted(member.name for member in fields(Record))


def _mixed(sound: Record, wild: Record, taken: set[str]) -> Record:
    return replace(sound, **{name: getattr(wild, name) for name in taken})


# Any record, but mostly one whose story goes on: with a few members of a wild one.
records = st.one_of(
    sound_records,
    st.builds(_mixed, sound_records, wild_records, st.sets(st.sampled_from(_MEMBERS), max_size=4)),
    wild_records,
)


@dataclass(frozen=True)
class Question:
    """A store, what a backend returned of it and of nothing, and who asked."""

    store: dict[str, Record]
    hits: list[Hit]
    reader: Reader


@st.composite
def questions(draw: st.DrawFn) -> Question:
    """Mostly hits on what is held, in its version, by a reader with a name; now and then anything else."""
    store = {record.id: record for record in draw(st.lists(records, max_size=6))}
    ids = st.sampled_from([*sorted(store) * 3, "e-6", "h-1"])
    hits = draw(st.lists(st.one_of(_record_hits(store, ids), _texts(ids)), max_size=6))
    reader = st.builds(Reader, names, st.sampled_from([(), ("kestrel",), ("kestrel", "osprey")]))
    return Question(store, hits, draw(st.one_of(reader, readers)))


def _record_hits(store: dict[str, Record], ids: st.SearchStrategy[str]) -> st.SearchStrategy[Hit]:
    def hit(id_: str, other: str, score: float) -> Hit:
        return Hit(id_, other or (store[id_].source.version if id_ in store else "1"), score)

    return st.builds(hit, ids, st.sampled_from(["", "", "", "2"]), st.floats(0, 1))


def _texts(ids: st.SearchStrategy[str]) -> st.SearchStrategy[Hit]:
    return st.builds(
        Hit,
        id=st.one_of(st.sampled_from(["h-1", "h-2", "h-3"]), ids),
        source_version=st.just("1"),
        score=st.floats(0, 1),
        derived_content=st.just("what a backend wrote"),
        derived_from=st.one_of(st.lists(ids, min_size=1, max_size=1), st.lists(ids, max_size=3)).map(tuple),
    )


evidence = st.builds(
    LinkedEvidence,
    id=st.just("e-1"),
    polarity=words(Polarity),
    thread=st.sampled_from(["", "t1", "t2", "t3"]),
    agent=st.sampled_from(["", "ada", "bob", "cleo"]),
)
