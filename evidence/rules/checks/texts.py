"""The verifier's checks that read texts (contract 8.1, 8.4, 8.10): support, poisoning risk, secrets.

Each gives one result in words a reviewer reads; none knows of another.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from evidence.rules.checks.question import PASS, REJECTED, REVIEW, CheckResult, Question, listed, plain_word
from evidence.rules.eligibility import CLASSES, independent_sources, judge, known_class
from evidence.rules.signals import findings
from evidence.rules.support import Cited, Span, Support, support
from evidence.rules.vocab import Risk, Signal, TrustClass

HIGH_RISK_CLASSES: Final = frozenset(word for word, standing in CLASSES.items() if standing.risk == Risk.HIGH)

SIGNS: Final[Mapping[Signal, str]] = {
    Signal.INVISIBLE_CHARACTERS: "invisible characters",
    Signal.BIDI_CONTROLS: "signs that turn the text's direction",
    Signal.CONFUSABLE_LETTERS: "look-alike letters",
    Signal.INSTRUCTION_LIKE: "what reads like an instruction",
    Signal.ENCODED_PAYLOAD: "an encoded payload",
    Signal.EXFILTRATION_LINK: "a link that carries data out",
    Signal.TOOL_DIRECTIVE: "a tool directive",
    Signal.AUTHORITY_CLAIM: "a claim of authority",
}


def source_support(question: Question) -> CheckResult:
    """8.1: the cited texts say what is claimed."""
    if not question.linked:
        return CheckResult("source_support", REVIEW, "", "No linked evidence was found, so nothing can support it.")
    cited = [
        Cited(f"{piece.id}.{part}", text)
        for piece in question.supporting
        for part, text in (("summary", piece.summary), ("excerpt", piece.excerpt))
        if text
    ]
    found = support(question.candidate.statement, cited)
    # Where any text holds a secret no word of it is told: the value could be among them (contract 12.5).
    is_telling = not question.secrets
    return CheckResult(
        "source_support",
        PASS if found.is_supported else REVIEW,
        "" if found.is_supported else "source_not_supportive",
        _support_detail(found, any_text=bool(cited))
        if is_telling
        else "Its texts hold a secret, so none is quoted here.",
        {
            "share": round(found.share, 2),
            "found": len(found.matched),
            "needed": found.threshold,
            "sources": len(question.supporting),
        },
        _support_words(found) if is_telling else {},
        found.spans,
    )


def _support_words(found: Support) -> dict[str, tuple[str, ...]]:
    named = {part for name in found.missing_names for part in name.split()}
    words = tuple(word for word in found.missing if word.removesuffix("'s") not in named)
    return {
        "matched": found.matched,
        "missing": (*words, *found.missing_names, *found.missing_values, *found.missing_denials),
        "missing_values": found.missing_values,
        "missing_names": found.missing_names,
        "missing_negations": found.missing_denials,
    }


def _support_detail(found: Support, *, any_text: bool) -> str:
    if not any_text:
        return "None of the linked evidence supports it with a text that can be read."
    if found.is_quote and found.is_supported:
        return "A source says it word for word."
    if found.is_supported:
        return f"{found.share:.0%} of the claim's words are found in its sources, with every number, date and negation."
    text = "; ".join(found.problems)
    return text[:1].upper() + text[1:] + "."


def poisoning(question: Question) -> CheckResult:
    """8.4, 6, 12.15: where it comes from, and what in its texts speaks to a model."""
    seen: dict[Signal, list[str]] = {}
    spans: list[Span] = []
    for place, text in question.texts:
        for found in findings(text):
            seen.setdefault(found.signal, []).append(place)
            spans.append(Span(place, found.start, found.end, found.signal.value))
    standing = judge(
        trust_class=question.effective_class,
        durability=question.candidate.durability,
        layer=question.candidate.layer,
        independent_sources=independent_sources(question.supporting),
        signals=seen,
        claimed_class=question.candidate.trust_class,
    )
    planted = bool(question.supporting) and all(
        known_class(piece.trust_class) in HIGH_RISK_CLASSES for piece in question.supporting
    )
    risk = Risk.HIGH if planted else standing.risk
    reasons = [f"{SIGNS[signal]} in {listed(map(question.told, places))}" for signal, places in seen.items()]
    if risk == Risk.HIGH and (planted or known_class(question.effective_class) in HIGH_RISK_CLASSES):
        reasons.append("every source is of a kind that others can write into")
    elif (
        known_class(question.candidate.trust_class) in HIGH_RISK_CLASSES
        and question.effective_class == TrustClass.UNKNOWN
    ):
        reasons.append(f"it was filed as {plain_word(question.candidate.trust_class)}, and nobody knows its sources")
    high = risk == Risk.HIGH
    return CheckResult(
        "poisoning_risk", REVIEW if high else PASS, "high_poisoning_risk" if high else "",
        f"The risk is {risk}" + (f": {'; '.join(reasons)}." if reasons else "."),
        {"signals": len(seen)}, {"signals": tuple(signal.value for signal in Signal if signal in seen), "risk": (risk.value,)},
        tuple(spans),
    )  # fmt: skip


def secret(question: Question) -> CheckResult:
    """8.10: a secret in the statement or its evidence: the kind and the place, never the value."""
    found = question.secrets
    if not found:
        return CheckResult("secret", PASS, "", "No secret in its texts.")
    told = "; ".join(f"{listed(kinds)} in {question.told(place)}" for place, kinds in found)
    kinds = tuple(dict.fromkeys(kind for _, kinds in found for kind in kinds))
    return CheckResult(
        "secret", REJECTED, "secret_detected", f"Found by shape: {told}.", {"places": len(found)}, {"kinds": kinds}
    )
