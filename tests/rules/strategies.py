"""Hypothesis strategies for rule inputs: well-formed and odd records, scopes, readers, hits.

Names come from tiny pools, so that equal ones meet often; words include unknown and empty ones.
"""

from __future__ import annotations

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


def records(*, odd: bool = True) -> st.SearchStrategy[Record]:
    """Any record; with `odd=False` every enumerated field holds a word of its list."""
    return st.builds(
        Record,
        id=st.sampled_from([f"e-{n}" for n in range(6)]),
        kind=words(Kind, odd=odd),
        source=st.builds(
            Source, st.sampled_from(["fact:a", "wiki:ada/graph/a.md", "task:bob/1"]), st.sampled_from(["1", "2"])
        ),
        claim=claims,
        content=st.sampled_from(["", "the plan is team", "the  plan is team", "the plan is free"]),
        namespace=st.sampled_from(["default", "other"]),
        layer=words(Layer, odd=odd, empty=True),
        reach=reaches if odd else st.none(),
        valid=validities,
        event_at=written_times,
        check=checks,
        volatility=words(Volatility, odd=odd, empty=True),
        ttl_days=ttls,
        scope=scopes if odd else scopes.filter(lambda scope: scope.access in frozenset(Access)),
        trust=words(Trust, odd=odd, empty=True),
        review=st.one_of(st.none(), words(Review, odd=odd, empty=True)),
        approval=approvals,
        state=st.one_of(st.just("active"), words(State, odd=odd)),
        derived_from=st.lists(st.just("e-0"), max_size=1).map(tuple),
        trust_class=words(TrustClass, odd=odd, empty=True),
        durability=words(Durability, odd=odd, empty=True),
        polarity=words(Polarity, odd=odd, empty=True),
        redaction=words(Redaction, odd=odd, empty=True),
    )


hit_ids = st.sampled_from([*(f"e-{n}" for n in range(7)), "h-1", "h-2"])
hits = st.builds(
    Hit,
    id=hit_ids,
    source_version=st.sampled_from(["1", "2"]),
    score=st.floats(0, 1),
    derived_content=st.just("what a backend wrote"),
    derived_from=st.one_of(st.none(), st.lists(hit_ids, max_size=3).map(tuple)),
)
evidence = st.builds(
    LinkedEvidence,
    id=st.just("e-1"),
    polarity=words(Polarity),
    thread=st.sampled_from(["", "t1", "t2", "t3"]),
    agent=st.sampled_from(["", "ada", "bob", "cleo"]),
)
