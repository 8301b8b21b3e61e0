"""What an answer to a question would do, as a value that the page shows and the answer is held to (contract 10 "Inquiry").

Pure: what the two sides, the held item and their neighbours are is gathered elsewhere, `now` is in the label previews. The
digest names what the person saw; when that moved meanwhile the digests differ and the answer is 409 with the new plan.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from evidence.rules.answer_steps import AnswerChoices, AnswerPlan, AnswerSituation, SideState, Step, StepKind
from evidence.rules.chain import canonical_json
from evidence.rules.permissions import Refusal
from evidence.rules.planning import LabelPreview
from evidence.rules.records import Scope
from evidence.rules.text import sha256_hex
from evidence.rules.vocab import Answer, HeldKind, InquiryKind, Kind


def gettext_noop(text: str) -> str:
    """Marks a sentence for translators; the rules themselves speak English."""
    return text


def plan_answer(situation: AnswerSituation, answer: str, choices: AnswerChoices | None = None) -> AnswerPlan:
    """What `answer` would do here. Never raises. Whether the answer is allowed at all says `answers.allowed_answers`."""
    word = Answer(answer)
    refusal = _refusal(situation, word)
    steps = () if refusal else tuple(_steps(situation, word, choices or AnswerChoices()))
    return AnswerPlan(word.value, steps, refusal, answer_digest(situation, word))


def plan_count(inquiry_id: str, answer: str) -> AnswerPlan:
    """The one question that is answered by yes (`incoming`) or no: whether what nobody reviewed counts as reviewed."""
    if answer == Answer.INCOMING:
        words = gettext_noop(
            "Every listed article that is still as it was listed counts as reviewed, by a decision of its own."
        )
        return AnswerPlan(answer, (_step(StepKind.COUNT_REVIEWED, "inquiry", inquiry_id, words),))
    words = gettext_noop("All of them stay unverified; nobody is asked about them again.")
    return AnswerPlan(answer, (_step(StepKind.KEEP_RECORD, "inquiry", inquiry_id, words),))


def answer_digest(situation: AnswerSituation, answer: str) -> str:
    """Names everything the outcome depends on apart from the question's own version, the person and what they choose."""
    item = situation.item
    seen: dict[str, object] = {
        "answer": str(answer), "inquiry": situation.inquiry_id, "sides": [_seen(situation.current), _seen(situation.incoming)],
        "item": [item.id, item.content] if item else None,
    }  # fmt: skip
    if answer != Answer.NEED_EVIDENCE:
        for name in ("reports", "equals", "questions"):
            seen[name] = sorted([one.id, one.version] for one in getattr(situation, name))
    if answer in _MAKES_FACT and not situation.article:
        seen["neighbours"] = sorted([one.id, one.version] for one in situation.neighbours)
        seen["policy"] = situation.policy_version
    return sha256_hex(canonical_json(seen))[:32]


def _seen(side: SideState | None) -> list[object] | None:
    # The label counts: an owner who confirms what is stale should have seen that it is.
    return [side.record_id, side.version, str(side.label)] if side else None


_APPROVES = frozenset({Answer.INCOMING, Answer.BOTH_SCOPE, Answer.BOTH_TIME})
_MAKES_FACT = _APPROVES | {Answer.OTHER_VALUE}


def _refusal(situation: AnswerSituation, word: Answer) -> Refusal | None:
    if situation.article or situation.item is None:
        return None
    if word in _MAKES_FACT and situation.lasting is not None:
        return situation.lasting
    return situation.approving if word in _APPROVES else None


def _steps(situation: AnswerSituation, word: Answer, chosen: AnswerChoices) -> Iterator[Step]:
    if word == Answer.NEED_EVIDENCE:
        yield _step(
            StepKind.ASK_AGENT, "inquiry", situation.inquiry_id,
            gettext_noop("The question stays open; %(text_agent)s is asked for evidence and answers through its own door."),
            text_agent=situation.item.agent if situation.item else situation.agent,
        )  # fmt: skip
        return
    done = list(_BY_ANSWER[word](situation, chosen))
    if not done:
        words = gettext_noop("Nothing that agents see changes; the question is closed.")
        done = [_step(StepKind.KEEP_RECORD, "inquiry", situation.inquiry_id, words)]
    yield from done
    for question in situation.questions:
        yield _step(
            StepKind.CLOSE_QUESTION,
            "inquiry",
            question.id,
            gettext_noop("Answers another open question about the item."),
        )


def _current(situation: AnswerSituation, chosen: AnswerChoices) -> Iterator[Step]:
    if situation.current is not None:
        yield _confirmed(situation.current)
    yield from _turned_down(situation)


def _incoming(situation: AnswerSituation, chosen: AnswerChoices) -> Iterator[Step]:
    if situation.article:
        yield from _article_should_change(situation, chosen)
        return
    yield from _current_superseded(situation)
    yield from _said_so(situation, chosen)


def _other_value(situation: AnswerSituation, chosen: AnswerChoices) -> Iterator[Step]:
    if situation.article:
        yield from _article_should_change(situation, chosen)
        return
    yield from _current_superseded(situation)
    said = chosen.value or "…"
    yield _new_fact(situation, gettext_noop("“%(text)s” becomes the fact, confirmed by you."), text=said)
    yield from _displaced(situation, chosen)
    yield from _turned_down(situation)


def _both_scope(situation: AnswerSituation, chosen: AnswerChoices) -> Iterator[Step]:
    if situation.current is not None:
        mine = chosen.current_scope
        yield _step(
            StepKind.RESCOPE_RECORD, "record", situation.current.record_id,
            gettext_noop("“%(text)s” stays, for %(who_readers)s."), text=situation.current.text,
            who_readers=_readers(mine) if mine else gettext_noop("the readers you name"),
        )  # fmt: skip
        if situation.current.kind != Kind.ARTICLE:
            yield _confirmed(situation.current)
    theirs = chosen.incoming_scope
    yield from _said_so(situation, chosen, _readers(theirs) if theirs else gettext_noop("the readers you name"))


def _both_time(situation: AnswerSituation, chosen: AnswerChoices) -> Iterator[Step]:
    if situation.current is not None:
        yield _step(
            StepKind.RETIME_RECORD, "record", situation.current.record_id,
            gettext_noop("“%(text)s” stays, for the time that you say."), text=situation.current.text,
        )  # fmt: skip
        if situation.current.kind != Kind.ARTICLE:
            yield _confirmed(situation.current)
    yield from _said_so(situation, chosen)


def _neither(situation: AnswerSituation, chosen: AnswerChoices) -> Iterator[Step]:
    current = situation.current
    if current is not None and current.reviewed:
        yield _kept_article(current)
    elif current is not None:
        words = gettext_noop(
            "“%(text)s” (%(word_label)s) is revoked: its text is emptied and nobody recalls it any more."
        )
        yield _step(
            StepKind.REVOKE_RECORD, "record", current.record_id, words, text=current.text, word_label=str(current.label)
        )
    yield from _turned_down(situation)


def _article_should_change(situation: AnswerSituation, chosen: AnswerChoices) -> Iterator[Step]:
    assert situation.current is not None
    yield _step(
        StepKind.OPEN_PROPOSAL, "record", situation.current.record_id,
        gettext_noop("A new text for the article is proposed for its review, filled in; a reviewer decides it."),
    )  # fmt: skip
    yield _kept_article(situation.current)
    if situation.item is not None:
        yield _step(
            StepKind.REPLACE_ITEM, "held", situation.item.id,
            gettext_noop("The item is closed: the proposal for the article takes its place."),
        )  # fmt: skip


_BY_ANSWER: dict[Answer, Callable[[AnswerSituation, AnswerChoices], Iterator[Step]]] = {
    Answer.CURRENT: _current,
    Answer.INCOMING: _incoming,
    Answer.OTHER_VALUE: _other_value,
    Answer.BOTH_SCOPE: _both_scope,
    Answer.BOTH_TIME: _both_time,
    Answer.NEITHER: _neither,
    Answer.ARTICLE_SHOULD_CHANGE: _article_should_change,
}


def _confirmed(side: SideState) -> Step:
    if side.kind == Kind.ARTICLE:
        # No check of an article is ever read (contract 2).
        return _kept_article(side)
    return _step(
        StepKind.CONFIRM_RECORD, "record", side.record_id, gettext_noop("“%(text)s” is confirmed by you, checked now."),
        gives=side.confirmed, text=side.text,
    )  # fmt: skip


def _kept_article(side: SideState) -> Step:
    words = gettext_noop("The article stays as it is: its text changes only through its review.")
    return _step(StepKind.KEEP_RECORD, "record", side.record_id, words)


def _current_superseded(situation: AnswerSituation) -> Iterator[Step]:
    current = situation.current
    if current is not None:
        yield _superseded(current.record_id, current.text, str(current.label))


def _superseded(record_id: str, text: str, label: str = "") -> Step:
    if not label:
        return _step(
            StepKind.SUPERSEDE_RECORD,
            "record",
            record_id,
            gettext_noop("“%(text)s” becomes superseded, too."),
            text=text,
        )
    words = gettext_noop("“%(text)s” (%(word_label)s) becomes superseded.")
    return _step(StepKind.SUPERSEDE_RECORD, "record", record_id, words, text=text, word_label=label)


def _said_so(situation: AnswerSituation, chosen: AnswerChoices, readers: str = "") -> Iterator[Step]:
    """What is proposed or reported is true: it becomes the fact, or the text from outside counts."""
    incoming, item = situation.incoming, situation.item
    if item is not None and item.kind == HeldKind.HELD_EVIDENCE and incoming is not None:
        words = gettext_noop("The text from outside counts as reviewed: it may be shown.")
        yield _step(StepKind.APPROVE_EVIDENCE, "record", incoming.record_id, words)
    text = item.text if item is not None else incoming.text if incoming is not None else ""
    if makes_fact(situation):
        if readers:
            yield _new_fact(
                situation,
                gettext_noop("“%(text)s” becomes a fact, confirmed by you, for %(who_readers)s."),
                text=text,
                who_readers=readers,
            )
        else:
            yield _new_fact(situation, gettext_noop("“%(text)s” becomes the fact, confirmed by you."), text=text)
        yield from _displaced(situation, chosen)
        yield from _reports_step_back(situation)
    elif incoming is not None:
        yield _confirmed(incoming)
    if item is not None:
        words = gettext_noop("The item in the queue is approved by this answer.")
        yield _step(StepKind.APPROVE_ITEM, "held", item.id, words)
    for one in situation.equals:
        words = gettext_noop("Closes the equal proposal of %(text_agent)s, credited.")
        yield _step(StepKind.CLOSE_EQUAL, "held", one.id, words, text_agent=one.words)


def makes_fact(situation: AnswerSituation) -> bool:
    """A text from outside that says nothing of a claim and contradicts nothing is confirmed as what it is."""
    item, incoming = situation.item, situation.incoming
    if item is None or item.kind != HeldKind.HELD_EVIDENCE or incoming is None:
        return True
    return incoming.has_claim or situation.current is not None


def _new_fact(situation: AnswerSituation, template: str, **texts: str) -> Step:
    return _step(StepKind.CREATE_RECORD, "inquiry", situation.inquiry_id, template, gives=situation.new_label, **texts)


def _displaced(situation: AnswerSituation, chosen: AnswerChoices) -> Iterator[Step]:
    for one in chosen.displaced:
        if situation.current is None or one.id != situation.current.record_id:
            yield _superseded(one.id, one.words)


def _reports_step_back(situation: AnswerSituation) -> Iterator[Step]:
    """A report stays behind the fact that was made of it, as where it came from."""
    if situation.item is None or situation.item.kind == HeldKind.HELD_EVIDENCE:
        yield from _reports(situation)


def _reports(situation: AnswerSituation) -> Iterator[Step]:
    incoming = situation.incoming
    if incoming is not None:
        # Where two records stand, the second one was believed, and nobody only reported it.
        words = (
            gettext_noop("The record “%(text)s” steps back behind the answer.")
            if incoming.kind == Kind.FACT
            else gettext_noop("The report “%(text)s” steps back behind the answer.")
        )
        yield _step(StepKind.SUPERSEDE_RECORD, "record", incoming.record_id, words, text=incoming.text)
    for one in situation.reports:
        words = gettext_noop("So does another report of the same, “%(text)s”.")
        yield _step(StepKind.SUPERSEDE_RECORD, "record", one.id, words, text=one.words)


def _turned_down(situation: AnswerSituation) -> Iterator[Step]:
    if situation.kind == InquiryKind.RECHECK:
        return
    if situation.item is not None:
        words = gettext_noop("The item in the queue is rejected; %(text_agent)s is told why.")
        yield _step(StepKind.REJECT_ITEM, "held", situation.item.id, words, text_agent=situation.item.agent)
    else:
        yield from _reports(situation)


def _step(
    kind: StepKind, target_kind: str, target_id: str, template: str, *, gives: LabelPreview | None = None, **texts: str
) -> Step:
    return Step(kind, target_kind, target_id, template, texts, gives)


def _readers(scope: Scope) -> str:
    if scope.access == "public":
        return gettext_noop("everybody")
    return ", ".join(dict.fromkeys([scope.owner, *scope.shared_with])) if scope.access == "shared" else scope.owner
