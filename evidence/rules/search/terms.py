"""The parts of a search, and how they are written: every query has one plain spelling that reads back as itself."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum


class Op(StrEnum):
    """How a term compares. Words and phrases have no field."""

    IS = ":"
    OVER = ">"
    UNDER = "<"
    WORD = "word"
    PHRASE = "phrase"


@dataclass(frozen=True, slots=True)
class Term:
    """One condition; any of `values` will do. `start` and `end` are its place in the text that was typed."""

    field: str
    op: Op
    values: tuple[str, ...]
    negated: bool = False
    start: int = 0
    end: int = 0

    @property
    def is_text(self) -> bool:
        return self.op in (Op.WORD, Op.PHRASE)

    def __str__(self) -> str:
        minus = "-" if self.negated else ""
        if self.op is Op.WORD:
            return minus + self.values[0]
        if self.op is Op.PHRASE:
            return minus + quoted(self.values[0])
        sign = self.op.value if self.op in (Op.OVER, Op.UNDER) else ""
        return f"{minus}{self.field}:{sign}{','.join(map(value_text, self.values))}"


@dataclass(frozen=True, slots=True)
class Problem:
    """What could not be taken: the word at `start`…`end`, why, and what may have been meant in its place."""

    code: str
    message: str
    start: int
    end: int
    suggestions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Query:
    """Terms that all must hold. What is in `problems` is in no term: it neither widens nor narrows unseen."""

    terms: tuple[Term, ...] = ()
    problems: tuple[Problem, ...] = ()

    def __str__(self) -> str:
        return " ".join(map(str, self.terms))

    @property
    def is_lost(self) -> bool:
        """Nothing of what was typed could be read, so there is nothing to show."""
        return bool(self.problems) and not self.terms

    def of(self, *fields: str) -> tuple[Term, ...]:
        return tuple(term for term in self.terms if term.field in fields)

    @property
    def texts(self) -> tuple[Term, ...]:
        return tuple(term for term in self.terms if term.is_text)


@dataclass(frozen=True, slots=True)
class Span:
    """A length of time as it is written: a number and a unit."""

    number: int
    unit: str

    @property
    def length(self) -> timedelta:
        return self.number * UNITS[self.unit]

    def __str__(self) -> str:
        return f"{self.number}{self.unit}"


UNITS: dict[str, timedelta] = {
    "m": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
    "w": timedelta(weeks=1),
}
MOST_UNITS = 9_999  # about two centuries in weeks: no date falls off the calendar


def read_span(text: str) -> Span | None:
    number, unit = text[:-1], text[-1:].lower()
    if unit not in UNITS or not number.isascii() or not number.isdigit() or int(number[:9]) > MOST_UNITS:
        return None
    return Span(int(number), unit) if len(number) <= 4 else None


def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def value_text(value: str) -> str:
    """A value as it can stand behind a colon."""
    plain = value and value[0] not in '"<>' and not any(sign == "," or sign.isspace() for sign in value)
    return value if plain else quoted(value)


def term_text(field: str, value: str) -> str:
    """A term with one value, to be put into a search."""
    return f"{field}:{value_text(value)}"
