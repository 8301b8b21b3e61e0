"""Which answers a question allows (contract 10 "Inquiry"). Pure. What each of them does: `answer_plans`."""

from __future__ import annotations

from dataclasses import dataclass

from evidence.rules.vocab import Answer, InquiryKind


@dataclass(frozen=True, slots=True)
class Sides:
    """Which sides still stand. `article`: the current side is a reviewed article. `asked`: how many sides there were."""

    current: bool
    incoming: bool
    article: bool = False
    asked: int = 2


_BOTH = (
    Answer.CURRENT, Answer.INCOMING, Answer.OTHER_VALUE, Answer.BOTH_SCOPE, Answer.BOTH_TIME, Answer.NEITHER,
    Answer.NEED_EVIDENCE,
)  # fmt: skip


def allowed_answers(kind: str, sides: Sides) -> tuple[Answer, ...]:
    """With one side gone only the surviving side's answer, or `neither` (contract 10, scenario S27).

    A question that never had a second side has lost none: evidence can still be asked for.
    """
    if kind == InquiryKind.RECHECK:
        return (Answer.CURRENT, Answer.NEITHER, Answer.NEED_EVIDENCE) if sides.current else (Answer.NEITHER,)
    if not sides.asked:
        # Plainly asked, without anything that stands or is proposed: the answer is a value.
        return (Answer.OTHER_VALUE, Answer.NEITHER, Answer.NEED_EVIDENCE)
    if not sides.current and not sides.incoming:
        return (Answer.NEITHER,)
    whole = (Answer.NEED_EVIDENCE,) if sides.asked < 2 else ()
    if not sides.incoming:
        return (Answer.CURRENT, Answer.NEITHER, *whole)
    if not sides.current:
        return (Answer.INCOMING, Answer.NEITHER, *whole)
    if sides.article:
        # Reviewed text changes only through its review: it is never narrowed, dated or revoked by an answer.
        return (Answer.CURRENT, Answer.INCOMING, Answer.OTHER_VALUE, Answer.ARTICLE_SHOULD_CHANGE, Answer.NEED_EVIDENCE)
    return _BOTH
