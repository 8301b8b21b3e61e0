"""What people are told of, when, and in which form (scenario S28). Pure: every time, zone and choice is an argument.

What happens is told once: at once, or in the day's digest, or not. A message waits a little for others that come with it, so
that a burst is one message, and nothing is sent in a person's quiet hours. What did not change is never said again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from enum import StrEnum

from evidence.rules.vocab import Role

DAY_MINUTES = 24 * 60
MORNING = 9 * 60


class NoticeKind(StrEnum):
    """What can be told. Agents are told nothing: they ask."""

    HIGH_RISK = "high_risk"
    WAITING = "waiting"
    QUESTION = "question"
    OVERDUE = "question_overdue"
    EVIDENCE = "evidence_came"
    RECHECK = "recheck_due"
    USED_GONE = "used_record_gone"
    SECOND = "second_approval"
    VOIDED = "approval_voided"
    OVERTURNED = "decision_overturned"
    IMPORTED = "import_finished"
    JOB = "job_failures"
    WEBHOOK = "webhook_dead"


class SubjectKind(StrEnum):
    """What a piece of news is about; its id stands beside it, its texts are read when it is shown."""

    HELD = "held"
    INQUIRY = "inquiry"
    RECORD = "record"
    DECISION = "decision"
    JOB = "job"
    AGENT = "agent"
    WEBHOOK = "webhook"
    RUN = "run"


class Channel(StrEnum):
    INBOX = "inbox"
    MAIL = "mail"
    WEBHOOK = "webhook"


class Choice(StrEnum):
    """What a person wants of one kind on one channel."""

    AT_ONCE = "at_once"
    DIGEST = "digest"
    OFF = "off"


class Lane(StrEnum):
    """Which message a notice goes into: the next one, or the day's digest."""

    AT_ONCE = "at_once"
    DIGEST = "digest"


class DeliveryState(StrEnum):
    """`collecting` takes more in. `claimed`: somebody prepares it. `handing`: it may be leaving at this moment.

    `doubtful`: whoever handed it over died or lost the line, and nobody knows whether it arrived. `dropped`: nothing of it
    was worth saying any more when its time came. The last four are final.
    """

    COLLECTING = "collecting"
    WAITING = "waiting"
    CLAIMED = "claimed"
    HANDING = "handing"
    SENT = "sent"
    DOUBTFUL = "doubtful"
    DEAD = "dead"
    DROPPED = "dropped"


OPEN_STATES = frozenset({DeliveryState.COLLECTING, DeliveryState.WAITING})


class HookFormat(StrEnum):
    GENERIC = "generic"
    SLACK = "slack"


# Who a kind is for, where it does not name the people itself.
ROLE_OF: Mapping[NoticeKind, Role] = {
    NoticeKind.HIGH_RISK: Role.REVIEWER,
    NoticeKind.WAITING: Role.REVIEWER,
    NoticeKind.SECOND: Role.REVIEWER,
    NoticeKind.QUESTION: Role.OWNER,
    NoticeKind.OVERDUE: Role.OWNER,
    NoticeKind.EVIDENCE: Role.OWNER,
    NoticeKind.RECHECK: Role.OWNER,
    NoticeKind.USED_GONE: Role.OWNER,
    NoticeKind.IMPORTED: Role.ADMINISTRATOR,
    NoticeKind.WEBHOOK: Role.ADMINISTRATOR,
}

# More of these is no news that anybody has to act on at this moment: they are never said at once.
DIGEST_ONLY = frozenset({NoticeKind.WAITING, NoticeKind.RECHECK})
# What a webhook may carry; that one of them is dead cannot go through them.
HOOK_KINDS: tuple[NoticeKind, ...] = tuple(kind for kind in NoticeKind if kind != NoticeKind.WEBHOOK)


def choices_for(kind: NoticeKind, channel: Channel) -> tuple[Choice, ...]:
    """What a person may choose. The inbox disturbs nobody: it has a thing or it has not."""
    if channel == Channel.INBOX:
        return (Choice.AT_ONCE, Choice.OFF)
    return (Choice.DIGEST, Choice.OFF) if kind in DIGEST_ONLY else tuple(Choice)


def default_choice(kind: NoticeKind, channel: Channel) -> Choice:
    if channel == Channel.INBOX:
        # That something waits is what the queue says.
        return Choice.OFF if kind == NoticeKind.WAITING else Choice.AT_ONCE
    if kind == NoticeKind.IMPORTED:
        return Choice.OFF
    return Choice.DIGEST if kind in DIGEST_ONLY else Choice.AT_ONCE


def lane_for(kind: NoticeKind, channel: Channel, chosen: Choice | None) -> Lane | None:
    """At once, in the digest, or not at all; a choice that is not offered counts as the default."""
    allowed = choices_for(kind, channel)
    choice = chosen if chosen in allowed else default_choice(kind, channel)
    return None if choice == Choice.OFF else Lane(choice)


# -- when --


@dataclass(frozen=True, slots=True)
class Pace:
    """`settle`: how long a message waits for more after the last thing. `longest`: but no longer than this after the first.
    `gap`: the least time between two messages to the same place."""

    settle: timedelta
    longest: timedelta
    gap: timedelta


PACES: Mapping[Channel, Pace] = {
    Channel.MAIL: Pace(timedelta(seconds=30), timedelta(minutes=10), timedelta(minutes=10)),
    Channel.WEBHOOK: Pace(timedelta(seconds=5), timedelta(minutes=2), timedelta(minutes=1)),
    # What comes within this joins the entry that stands in the inbox unread.
    Channel.INBOX: Pace(timedelta(minutes=10), timedelta(hours=1), timedelta(0)),
}


@dataclass(frozen=True, slots=True)
class Hours:
    """A person's times, in minutes after midnight of their own zone. Quiet from and until the same minute: never."""

    zone: tzinfo
    quiet_from: int | None = None
    quiet_until: int | None = None
    digest_at: int = MORNING


def due_at(
    *, lane: Lane, channel: Channel, first_at: datetime, last_at: datetime, last_sent_at: datetime | None, hours: Hours
) -> datetime:
    """When the message that collects things since `first_at` may go out."""
    if lane == Lane.DIGEST:
        return after_quiet(next_digest(first_at, hours), hours)
    pace = PACES[channel]
    due = min(last_at + pace.settle, first_at + pace.longest)
    if last_sent_at is not None:
        due = max(due, last_sent_at + pace.gap)
    return after_quiet(due, hours)


def joins(*, first_at: datetime, last_at: datetime, at: datetime, pace: Pace) -> bool:
    """Whether something at `at` belongs to the entry that began and went on at those times."""
    return at - last_at <= pace.settle and at - first_at <= pace.longest


def after_quiet(moment: datetime, hours: Hours) -> datetime:
    """The moment, or the end of the quiet hours that it falls into."""
    if not is_quiet(moment, hours):
        return moment
    assert hours.quiet_until is not None
    return _next_wall(moment, hours.quiet_until, hours.zone, also_repeated=True)


def is_quiet(moment: datetime, hours: Hours) -> bool:
    start, end = hours.quiet_from, hours.quiet_until
    if start is None or end is None or start == end:
        return False
    local = moment.astimezone(hours.zone)
    minute = local.hour * 60 + local.minute
    return start <= minute < end if start < end else minute >= start or minute < end


def next_digest(moment: datetime, hours: Hours) -> datetime:
    """The next time that the person's digest is due, once a day, also on the day when an hour comes twice."""
    return _next_wall(moment, hours.digest_at, hours.zone, also_repeated=False)


def _next_wall(moment: datetime, minute: int, zone: tzinfo, *, also_repeated: bool) -> datetime:
    """The first instant after `moment` at which clocks of the zone come to this minute of a day.

    Where the clocks leap over it, it is the leap. Where they show it twice, it is the first time; the second one only counts
    where it is asked for.
    """
    today = moment.astimezone(zone).date()
    for days in range(-1, 3):
        day = today + timedelta(days=days)
        for fold in (0, 1) if also_repeated else (0,):
            wall = datetime(day.year, day.month, day.day, minute // 60, minute % 60, tzinfo=zone, fold=fold)
            instant = _existing(wall)
            if instant > moment:
                return instant
    raise AssertionError("a day has every minute once within three days")


_UTC_STEP = timedelta(minutes=1)


def _existing(wall: datetime) -> datetime:
    """The instant of a wall time; of one that clocks leap over, the instant of the leap."""
    late, early = wall.replace(fold=0).astimezone(UTC), wall.replace(fold=1).astimezone(UTC)
    if late <= early:  # an ordinary minute, or one that comes twice
        return wall.astimezone(UTC)
    zone = wall.tzinfo
    assert zone is not None
    before, low, high = early.astimezone(zone).utcoffset(), early, late
    while high - low > _UTC_STEP:
        middle = low + (high - low) / 2
        if middle.astimezone(zone).utcoffset() == before:
            low = middle
        else:
            high = middle
    return high.replace(second=0, microsecond=0)


# -- trying again --

BACK_OFF: tuple[timedelta, ...] = (
    timedelta(seconds=20), timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=20), timedelta(hours=1),
    timedelta(hours=3), timedelta(hours=8),
)  # fmt: skip
JITTER = 0.25


def retry_after(attempts: int, lot: float) -> timedelta | None:
    """How long to wait after that many failed attempts; none when enough were made. `lot`: 0 to 1, spreads the crowd."""
    if attempts > len(BACK_OFF):
        return None
    return BACK_OFF[attempts - 1] * (1 + JITTER * (2 * lot - 1))
