"""What holds of every trust class, cap, risk and count of sources (contract 6, 12.12, 12.15, 12.19)."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from evidence.rules.eligibility import (
    Standing,
    capped_trust_class,
    effective_trust_class,
    independent_sources,
    judge,
    known_class,
)
from evidence.rules.records import LinkedEvidence
from evidence.rules.vocab import DURABLE, Durability, Eligibility, Layer, Risk, Signal, Trust, TrustClass
from tests.rules import strategies as some

every = settings(deadline=None, max_examples=80)


classes = some.words(TrustClass)


@every
@given(classes, some.words(Durability), st.lists(some.words(Signal), max_size=3))
def test_signals_never_lower_risk(trust_class: str, durability: str, signals: list[str]) -> None:
    order = list(Risk)

    def risk(found: list[str]) -> int:
        standing = judge(
            trust_class=trust_class, durability=durability, layer="L2", independent_sources=1, signals=found
        )
        return order.index(standing.risk)

    assert risk(signals) >= risk([])
    assert not signals or risk(signals) > min(risk([]), 1)


@every
@given(classes, st.lists(classes, max_size=4))
def test_a_claim_counts_no_more_than_its_best_support(claimed: str, supporting: list[str]) -> None:
    weights = [_weight(word) for word in supporting] or [_weight(claimed)]
    assert _weight(effective_trust_class(claimed, supporting)) == max(weights)


@every
@given(classes, some.words(Trust), st.one_of(st.none(), classes), st.booleans())
def test_no_cap_raises_a_claimed_class(claimed: str, trust: str, ceiling: str | None, cited: bool) -> None:
    capped = capped_trust_class(claimed, trust=trust, ceiling=ceiling, cited=cited)
    assert _weight(capped) <= _weight(claimed)
    assert ceiling is None or _weight(capped) <= _weight(ceiling)


@every
@given(st.lists(some.evidence, max_size=7))
def test_independent_sources_differ_in_thread_and_in_agent(evidence: list[LinkedEvidence]) -> None:
    supporting = [e for e in evidence if e.polarity == "supports"]
    named = list({(e.thread, e.agent) for e in supporting if e.thread or e.agent})
    most = max(size for size in range(len(named) + 1) if any(_apart(chosen) for chosen in combinations(named, size)))
    assert independent_sources(evidence) == (most or bool(supporting))


def _apart(chosen: tuple[tuple[str, str], ...]) -> bool:
    return all(not one or one != other for a, b in combinations(chosen, 2) for one, other in zip(a, b, strict=True))


def _weight(word: str) -> float:
    return judge(trust_class=known_class(word), durability="project", layer="L2", independent_sources=1).weight


@every
@given(st.one_of(classes, st.text()), st.text(), st.text(), st.integers(), st.one_of(st.none(), st.text()))
def test_any_words_have_a_standing(
    trust_class: str, durability: str, layer: str, sources: int, status: str | None
) -> None:
    found = judge(
        trust_class=trust_class, durability=durability, layer=layer, independent_sources=sources,
        verification_status=status, signals=[durability], claimed_class=layer,
    )  # fmt: skip
    assert found.eligibility in list(Eligibility)
    assert found.risk in list(Risk)
    assert 0.1 <= found.weight <= 1


@every
@given(classes, classes, some.words(Durability), some.words(Layer), st.integers(0, 3))
def test_nothing_said_of_a_claim_makes_it_less_risky_or_more_eligible(
    trust_class: str, claimed: str, durability: str, layer: str, sources: int
) -> None:
    def judged(**more: str) -> Standing:
        said = {"trust_class": trust_class, "durability": durability, "layer": layer} | more
        return judge(independent_sources=sources, **said)

    order, plain = list(Risk), judged()
    assert order.index(judged(claimed_class=claimed).risk) >= order.index(plain.risk)
    assert judged(claimed_class=claimed).eligibility == plain.eligibility
    assert judged(verification_status="rejected").eligibility == "never"
    if plain.eligibility == "auto_candidate":
        assert (layer, plain.risk) == ("L2", "low")
        assert durability in DURABLE
