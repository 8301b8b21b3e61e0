"""Compiled views: what an agent should know when it starts, and for one task, as lines within a budget (doors "context").

Every line names its record and its label, and a stale one says that it has to be looked at again. Made anew each time from what
the gate lets through; never an authority. Reads only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from evidence.models import Token
from evidence.rules.records import Record
from evidence.rules.times import to_iso
from evidence.rules.vocab import Kind, Label
from evidence.selectors.browsing import newest
from evidence.selectors.questions import open_questions_of
from evidence.selectors.recall import Found
from evidence.selectors.tokens import reader_of

LINE_LONGEST = 500
BUDGET = 4_000
LEAST_BUDGET, MOST_BUDGET = 500, 50_000
_LOOKED_AT = 150
"""The newest of each kind; what a start needs to know of older ones is asked for when it is needed."""
_NOTICE = "Not an authority: cite the ids, and re-check what is marked."
_FIRST = (Label.APPROVED, Label.VERIFIED, Label.STALE, Label.UNVERIFIED)


@dataclass(frozen=True, slots=True)
class Line:
    """One record in one line."""

    id: str
    label: str
    text: str
    advice: str = ""
    conflicts_with: tuple[str, ...] = ()

    @property
    def markdown(self) -> str:
        notes = [self.label, *([self.advice] if self.advice else [])]
        if self.conflicts_with:
            notes.append(f"contradicted by {', '.join(self.conflicts_with)}")
        return f"- [{self.id}] ({'; '.join(notes)}) {self.text}"


@dataclass(frozen=True, slots=True)
class Compiled:
    """`left_out`: that there was more than the budget holds, not how much."""

    kind: str
    made_at: datetime
    budget: int
    lines: tuple[Line, ...]
    questions: int
    left_out: bool

    @property
    def markdown(self) -> str:
        return (
            "\n".join([*_head(self.kind, self.made_at, self.questions), *(line.markdown for line in self.lines)]) + "\n"
        )


def startup_context(*, token: Token, budget: int, now: datetime) -> Compiled:
    """Facts and articles that the agent may read: what people stand behind first, then the newest."""
    reader = reader_of(token)
    found = [
        one
        for kind in (Kind.FACT, Kind.ARTICLE)
        for one in newest(reader=reader, namespace=token.namespace, kind=kind, now=now, limit=_LOOKED_AT)
    ]
    found.sort(key=lambda one: _FIRST.index(one.label))
    return _compiled("startup", found, budget, now, questions=len(open_questions_of(token)))


def task_context(*, found: Sequence[Found], budget: int, now: datetime) -> Compiled:
    """What a recall found for the task, in its order."""
    return _compiled("task", found, budget, now, questions=0)


def one_line(text: str, longest: int = LINE_LONGEST) -> str:
    """A text as part of a list: no line of it can pose as another entry."""
    flat = " ".join(text.split())
    return flat if len(flat) <= longest else flat[: longest - 1] + "…"


def text_of(record: Record) -> str:
    """What a record says, in a line. An article is named by its title."""
    if record.kind == Kind.ARTICLE:
        return one_line(f"{record.summary or record.source.id} (article {record.source.id})")
    claim = record.claim
    said = record.content or record.excerpt or record.summary
    if not said and claim is not None:
        said = f"{claim.subject} · {claim.attribute}: {claim.value}"
    return one_line(said)


def lines_of(found: Iterable[Found]) -> Iterator[Line]:
    for one in found:
        yield Line(one.record.id, str(one.label), text_of(one.record), one.advice, one.conflicts_with)


def _compiled(kind: str, found: Sequence[Found], budget: int, now: datetime, *, questions: int) -> Compiled:
    left = budget - sum(len(line) + 1 for line in _head(kind, now, questions))
    kept: list[Line] = []
    for line in lines_of(found):
        left -= len(line.markdown) + 1
        if left < 0:
            break
        kept.append(line)
    return Compiled(kind, now, budget, tuple(kept), questions, len(kept) < len(found))


def _head(kind: str, now: datetime, questions: int) -> list[str]:
    head = [f"# What you may rely on ({kind}), made {to_iso(now)}", _NOTICE]
    if questions:
        head.append(f"{questions} open question(s) wait for evidence from you.")
    return [*head, ""]
