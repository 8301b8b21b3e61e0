"""When a question is due, and who is told next when its owner lets it lie (contract 10 "Sweeps"). Pure: `now` is an argument."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import IntEnum

from evidence.rules.vocab import Risk


class Level(IntEnum):
    """How far a question went: with its owner, with their deputies, with the administrators."""

    OWNER = 0
    DEPUTIES = 1
    ADMINISTRATORS = 2


@dataclass(frozen=True, slots=True)
class DuePolicy:
    """Days until a question of each severity is due, and days after that until administrators are told."""

    high: float = 2
    medium: float = 7
    low: float = 14
    deputies_have: float = 2


DEFAULT_DUE = DuePolicy()


def due_at(severity: str, asked_at: datetime, policy: DuePolicy = DEFAULT_DUE) -> datetime:
    """An unknown severity is the most pressing one."""
    days = (
        {Risk.MEDIUM: policy.medium, Risk.LOW: policy.low}.get(Risk(severity), policy.high) if severity else policy.high
    )
    return asked_at + timedelta(days=days)


def level_at(due: datetime | None, now: datetime, *, has_deputies: bool, policy: DuePolicy = DEFAULT_DUE) -> Level:
    """Where the question belongs now. Without deputies the administrators are told as soon as it is due."""
    if due is None or now < due:
        return Level.OWNER
    if has_deputies and now < due + timedelta(days=policy.deputies_have):
        return Level.DEPUTIES
    return Level.ADMINISTRATORS
