"""The verifier's checks on where a claim comes from (contract 8.2, 8.3, 12.12): class, reach, layer, durability.

Each gives one result in words a reviewer reads; none knows of another.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from evidence.rules.checks.question import PASS, REVIEW, CheckResult, Question, listed, plain_word
from evidence.rules.eligibility import CLASSES, known_class, known_durability
from evidence.rules.text import norm
from evidence.rules.vocab import NON_DURABLE, Durability, Layer, ReachLevel, TrustClass

# Contract 8.2: the five lowest classes and `unknown` never carry a claim alone.
LOW_TRUST: Final = frozenset(
    {
        TrustClass.AGENT_INFERENCE, TrustClass.SINGLE_SESSION_OBSERVATION, TrustClass.REPOSITORY_TEXT,
        TrustClass.GENERATED_CONTENT, TrustClass.THIRD_PARTY_DOCUMENTATION, TrustClass.UNKNOWN,
    }
)  # fmt: skip
_TOO_WIDE: Final[Mapping[Durability, frozenset[str]]] = {
    Durability.PROJECT: frozenset({ReachLevel.GLOBAL}),
    Durability.REPOSITORY: frozenset({ReachLevel.GLOBAL}),
    Durability.SESSION: frozenset(ReachLevel) - {ReachLevel.SESSION},
    Durability.TASK: frozenset(ReachLevel) - {ReachLevel.SESSION},
}


def trust(question: Question) -> CheckResult:
    """8.2, 12.12: the effective class may carry a claim alone."""
    claimed, effective = known_class(question.candidate.trust_class), question.effective_class
    low = effective in LOW_TRUST
    turned = "" if claimed == effective else f", though {plain_word(claimed)} was claimed"
    carries = "never carries a claim alone" if low else "may propose this"
    return CheckResult(
        "trust_boundary",
        REVIEW if low else PASS,
        "low_trust_source" if low else "",
        f"The best source is {plain_word(effective)}{turned}: it {carries}.",
        {"weight": CLASSES[effective].weight},
        {"claimed": (str(claimed),), "effective": (str(effective),)},
    )


def scope(question: Question) -> CheckResult:
    """8.2, 12.12: some supporting evidence reaches as far as the claim does."""
    reach = question.candidate.reach
    level = norm(reach.level) if reach else ""
    # An unknown level is read as the widest (contract 12.3); without a level nothing is claimed about reach.
    widest = level if level in frozenset(ReachLevel) else ReachLevel.GLOBAL
    sources = [known_durability(piece.durability) for piece in question.supporting]
    narrow = [word for word in sources if widest in _TOO_WIDE.get(word, frozenset())]
    unsupported = bool(level and sources) and len(narrow) == len(sources)
    detail = (
        "No source was found whose reach could be judged." if not sources else "Its sources reach as far as it does."
    )
    if unsupported:
        detail = f"Evidence for {listed(narrow)} only may not propose a claim of scope “{level}”."
    return CheckResult(
        "scope", REVIEW if unsupported else PASS, "scope_unsupported" if unsupported else "", detail,
        words={"level": (level,) if level else (), "sources": tuple(dict.fromkeys(map(str, sources)))},
    )  # fmt: skip


def layer(question: Question) -> CheckResult:
    """8.2: L1 always by ratification; another word than L2 counts as L1 (contract 12.6)."""
    if question.candidate.layer == Layer.L2:
        return CheckResult("layer", PASS, "", "It is for L2.")
    return CheckResult("layer", REVIEW, "l1_ratification", "It is for L1, which a person must ratify.")


def durability(question: Question) -> CheckResult:
    """8.3: temporary, task, session; unknown."""
    word = known_durability(question.candidate.durability)
    if word in NON_DURABLE:
        detail = f"It lasts for a {word} only; a person must convert it before it is kept."
        return CheckResult(
            "durability", REVIEW, "temporary_durability", detail.replace("a temporary only", "a while only")
        )
    if word == Durability.UNKNOWN:
        return CheckResult("durability", REVIEW, "unknown_durability", "Nobody said how long it holds.")
    return CheckResult("durability", PASS, "", f"It is meant to last ({plain_word(word)}).")
