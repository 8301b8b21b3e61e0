"""What each answer to a question does, and which answers a question allows (contract 10 "Inquiry"). Pure."""

from __future__ import annotations

from dataclasses import dataclass

from evidence.rules.vocab import Answer, InquiryKind


@dataclass(frozen=True, slots=True)
class Sides:
    """Which sides still stand. `article`: the current side is a reviewed article."""

    current: bool
    incoming: bool
    article: bool = False


_BOTH = (
    Answer.CURRENT, Answer.INCOMING, Answer.OTHER_VALUE, Answer.BOTH_SCOPE, Answer.BOTH_TIME, Answer.NEITHER,
    Answer.NEED_EVIDENCE,
)  # fmt: skip


def allowed_answers(kind: str, sides: Sides) -> tuple[Answer, ...]:
    """With one side gone only the surviving side's answer, or `neither` (contract 10, scenario S27)."""
    if kind == InquiryKind.RECHECK:
        return (Answer.CURRENT, Answer.NEITHER, Answer.NEED_EVIDENCE) if sides.current else (Answer.NEITHER,)
    if not sides.current and not sides.incoming:
        return (Answer.NEITHER,)
    if not sides.incoming:
        return (Answer.CURRENT, Answer.NEITHER)
    if not sides.current:
        return (Answer.INCOMING, Answer.NEITHER)
    if sides.article:
        # Reviewed text changes only through its review: it is never narrowed, dated or revoked by an answer.
        return (Answer.CURRENT, Answer.INCOMING, Answer.OTHER_VALUE, Answer.ARTICLE_SHOULD_CHANGE, Answer.NEED_EVIDENCE)
    return _BOTH


ANSWER_WORDS: dict[Answer, str] = {
    Answer.CURRENT: "The one that stands is true: it is confirmed, the other is turned down.",
    Answer.INCOMING: "The new one is true: it becomes the fact, the other is superseded.",
    Answer.OTHER_VALUE: "Neither value: the one you give becomes the fact, both others step back.",
    Answer.BOTH_SCOPE: "Both are true, each for its own readers.",
    Answer.BOTH_TIME: "Both are true, each in its own time.",
    Answer.NEITHER: "Neither is true: the one that stands is revoked, the other is turned down.",
    Answer.NEED_EVIDENCE: "Not to be said yet: the question stays open and the agent is asked for evidence.",
    Answer.ARTICLE_SHOULD_CHANGE: "The article should change: a new text is proposed for its review.",
}
