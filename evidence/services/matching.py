"""Matching at the moment of filing, so that the answer can say at once what the proposal is about (doors 201).

The verifier matches again later; this only fills the same columns early. Expects the caller's transaction and locks.
"""

from __future__ import annotations

from datetime import datetime

from evidence.models import HeldRecord
from evidence.rules.eligibility import effective_trust_class, independent_sources, judge
from evidence.rules.vocab import HeldKind, Polarity
from evidence.selectors.matching import links_of, matching_of
from evidence.services.verification import linked_evidence, set_priority, signals_in


def match_at_filing(held: HeldRecord, now: datetime) -> None:
    """Match kind, matched records, a first risk and the queue's sort key of a new item."""
    links = links_of(held)
    evidence = linked_evidence(links)
    supporting = [item.trust_class for item in evidence if item.polarity == Polarity.SUPPORTS]
    effective = effective_trust_class(held.trust_class, supporting)
    found = signals_in(held, evidence)
    standing = judge(
        trust_class=effective, durability=held.durability, layer=held.layer,
        independent_sources=independent_sources(evidence), signals=found, claimed_class=held.trust_class,
    )  # fmt: skip
    if held.kind == HeldKind.FACT_PROPOSAL:
        found_match = matching_of(held, links, now).match
        held.match_kind = found_match.kind
        held.matched, held.match_cues = list(found_match.matched), list(found_match.cues)
    held.risk, held.eligibility, held.effective_trust_class = standing.risk, standing.eligibility, effective
    held.independent_sources = independent_sources(evidence)
    held.flags = sorted({str(flag) for flag in found} | set(held.flags))
    set_priority(held, now)
    held.save(
        update_fields=[
            "match_kind",
            "matched",
            "match_cues",
            "risk",
            "eligibility",
            "effective_trust_class",
            "independent_sources",
            "flags",
            "priority",
            "priority_parts",
            "expires_at",
        ]
    )
