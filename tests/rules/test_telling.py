"""When people are told: at once, in the digest, after the quiet hours; over days on which clocks change (scenario S28)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.rules.telling import (
    BACK_OFF,
    DIGEST_ONLY,
    PACES,
    Channel,
    Choice,
    Hours,
    Lane,
    NoticeKind,
    after_quiet,
    choices_for,
    default_choice,
    due_at,
    is_quiet,
    joins,
    lane_for,
    next_digest,
    retry_after,
)

BERLIN, NEW_YORK, AUCKLAND, KATHMANDU = map(
    ZoneInfo, ("Europe/Berlin", "America/New_York", "Pacific/Auckland", "Asia/Kathmandu")
)
NIGHT = (22 * 60, 7 * 60)


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)


def hours(zone: ZoneInfo = BERLIN, quiet: tuple[int, int] = NIGHT, digest: int = 9 * 60) -> Hours:
    return Hours(zone, *quiet, digest)


# kind, channel, what was chosen -> the lane
LANES = [
    (NoticeKind.HIGH_RISK, Channel.MAIL, None, Lane.AT_ONCE),
    (NoticeKind.HIGH_RISK, Channel.MAIL, Choice.DIGEST, Lane.DIGEST),
    (NoticeKind.HIGH_RISK, Channel.MAIL, Choice.OFF, None),
    (NoticeKind.WAITING, Channel.MAIL, None, Lane.DIGEST),
    (NoticeKind.WAITING, Channel.MAIL, Choice.AT_ONCE, Lane.DIGEST),  # never at once, whatever an old row says
    (NoticeKind.WAITING, Channel.INBOX, None, None),
    (NoticeKind.WAITING, Channel.INBOX, Choice.AT_ONCE, Lane.AT_ONCE),
    (NoticeKind.RECHECK, Channel.MAIL, None, Lane.DIGEST),
    (NoticeKind.RECHECK, Channel.INBOX, None, Lane.AT_ONCE),
    (NoticeKind.IMPORTED, Channel.MAIL, None, None),
    (NoticeKind.QUESTION, Channel.INBOX, Choice.DIGEST, Lane.AT_ONCE),  # an inbox has no digest
    (NoticeKind.WAITING, Channel.WEBHOOK, None, Lane.DIGEST),
    (NoticeKind.QUESTION, Channel.WEBHOOK, None, Lane.AT_ONCE),
]


@pytest.mark.parametrize(("kind", "channel", "chosen", "lane"), LANES)
def test_lanes(kind: NoticeKind, channel: Channel, chosen: Choice | None, lane: Lane | None) -> None:
    assert lane_for(kind, channel, chosen) == lane


@pytest.mark.parametrize("kind", NoticeKind)
@pytest.mark.parametrize("channel", Channel)
def test_the_default_is_one_of_what_is_offered(kind: NoticeKind, channel: Channel) -> None:
    assert default_choice(kind, channel) in choices_for(kind, channel)
    assert Choice.OFF in choices_for(kind, channel)
    if kind in DIGEST_ONLY and channel == Channel.MAIL:
        assert Choice.AT_ONCE not in choices_for(kind, channel)


# the moment -> when what falls due at it may go out, with quiet hours from 22:00 to 07:00
QUIET = [
    (BERLIN, "2026-11-30T12:00+01:00", "2026-11-30T12:00+01:00"),
    (BERLIN, "2026-11-30T22:00+01:00", "2026-12-01T07:00+01:00"),
    (BERLIN, "2026-12-01T06:59:59+01:00", "2026-12-01T07:00+01:00"),
    (BERLIN, "2026-12-01T07:00+01:00", "2026-12-01T07:00+01:00"),
    (AUCKLAND, "2026-11-30T09:30+00:00", "2026-11-30T18:00+00:00"),  # 22:30 there
    (KATHMANDU, "2026-11-30T17:00+00:00", "2026-12-01T01:15+00:00"),  # 22:45 there
    # The night in which Berlin loses an hour, and the one in which it gains one.
    (BERLIN, "2026-03-28T23:00+01:00", "2026-03-29T07:00+02:00"),
    (BERLIN, "2026-10-24T23:00+02:00", "2026-10-25T07:00+01:00"),
    (NEW_YORK, "2026-03-07T23:00-05:00", "2026-03-08T07:00-04:00"),
    (NEW_YORK, "2026-10-31T23:00-04:00", "2026-11-01T07:00-05:00"),
]


@pytest.mark.parametrize(("zone", "moment", "until"), QUIET)
def test_quiet_hours_hold_back_to_their_end(zone: ZoneInfo, moment: str, until: str) -> None:
    assert after_quiet(at(moment), hours(zone)) == at(until)


# quiet hours that end within the hour that is lost (02:00 to 03:00) or comes twice
ODD = [
    ((60, 150), "2026-03-29T01:30+01:00", "2026-03-29T03:00+02:00"),  # 02:30 does not exist: clocks leap to 03:00
    ((60, 150), "2026-10-25T02:15+02:00", "2026-10-25T02:30+02:00"),  # the first time
    ((60, 150), "2026-10-25T02:15+01:00", "2026-10-25T02:30+01:00"),  # the second time
    ((12 * 60, 13 * 60), "2026-06-01T12:30+02:00", "2026-06-01T13:00+02:00"),  # a nap, not over midnight
    ((600, 600), "2026-06-01T10:00+02:00", "2026-06-01T10:00+02:00"),  # from and until the same: never
]


@pytest.mark.parametrize(("quiet", "moment", "until"), ODD)
def test_quiet_hours_on_odd_days(quiet: tuple[int, int], moment: str, until: str) -> None:
    assert after_quiet(at(moment), hours(quiet=quiet)) == at(until)


DIGESTS = [
    (9 * 60, "2026-11-30T08:59+01:00", "2026-11-30T09:00+01:00"),
    (9 * 60, "2026-11-30T09:00+01:00", "2026-12-01T09:00+01:00"),
    (9 * 60, "2026-03-28T10:00+01:00", "2026-03-29T09:00+02:00"),
    (150, "2026-03-28T10:00+01:00", "2026-03-29T03:00+02:00"),  # at 02:30, which is leapt over
    (150, "2026-10-25T00:00+02:00", "2026-10-25T02:30+02:00"),
    (150, "2026-10-25T02:30+02:00", "2026-10-26T02:30+01:00"),  # not once more when the clock shows it again
    (0, "2026-11-30T23:59+01:00", "2026-12-01T00:00+01:00"),
]


@pytest.mark.parametrize(("minute", "moment", "due"), DIGESTS)
def test_a_digest_comes_once_a_day(minute: int, moment: str, due: str) -> None:
    assert next_digest(at(moment), hours(digest=minute)) == at(due)


@given(
    st.integers(0, 365 * 24 * 60), st.sampled_from([BERLIN, NEW_YORK, AUCKLAND, KATHMANDU]),
    st.integers(0, 1439), st.integers(0, 1439), st.integers(0, 1439),
)  # fmt: skip
def test_nothing_goes_out_in_quiet_hours_or_too_early(
    minutes: int, zone: ZoneInfo, start: int, end: int, digest: int
) -> None:
    moment = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=minutes)
    mine = Hours(zone, start, end, digest)
    sent = after_quiet(moment, mine)
    assert moment <= sent <= moment + timedelta(hours=26)
    assert not is_quiet(sent, mine)
    following = next_digest(moment, mine)
    assert moment < following <= moment + timedelta(hours=26)
    assert next_digest(following, mine) - following >= timedelta(hours=22)


DAY = Hours(ZoneInfo("UTC"))
NOON = at("2026-11-30T12:00+00:00")
MAIL = PACES[Channel.MAIL]


def due(first: int, last: int, sent: int | None = None, *, lane: Lane = Lane.AT_ONCE, of: Hours = DAY) -> float:
    """Seconds after noon at which it is due, all times given in seconds after noon."""
    moment = due_at(
        lane=lane, channel=Channel.MAIL, first_at=NOON + timedelta(seconds=first),
        last_at=NOON + timedelta(seconds=last), hours=of,
        last_sent_at=None if sent is None else NOON + timedelta(seconds=sent),
    )  # fmt: skip
    return (moment - NOON).total_seconds()


def test_a_message_waits_for_more_but_not_for_ever_and_not_right_after_the_last_one() -> None:
    settle, longest, gap = (part.total_seconds() for part in (MAIL.settle, MAIL.longest, MAIL.gap))
    assert due(0, 0) == settle
    assert due(0, 20) == 20 + settle
    assert due(0, int(longest)) == longest
    assert due(0, 0, sent=-10) == gap - 10
    assert due(0, 0, sent=-86_400) == settle
    assert due(0, 0, lane=Lane.DIGEST) == 21 * 3600
    assert due(0, 0, of=Hours(ZoneInfo("UTC"), 12 * 60, 14 * 60)) == 2 * 3600


def test_what_belongs_together_in_an_inbox() -> None:
    pace, minute = PACES[Channel.INBOX], timedelta(minutes=1)
    assert joins(first_at=NOON, last_at=NOON, at=NOON + 9 * minute, pace=pace)
    assert not joins(first_at=NOON, last_at=NOON, at=NOON + 11 * minute, pace=pace)
    assert not joins(first_at=NOON, last_at=NOON + 60 * minute, at=NOON + 61 * minute, pace=pace)


def test_tries_come_further_apart_and_end() -> None:
    waits = [retry_after(attempts, 0.5) for attempts in range(1, len(BACK_OFF) + 1)]
    assert waits == list(BACK_OFF) == sorted(BACK_OFF)
    assert retry_after(len(BACK_OFF) + 1, 0.5) is None
    early, late = retry_after(1, 0.0), retry_after(1, 1.0)
    assert early is not None
    assert late is not None
    assert early == BACK_OFF[0] * 0.75 < late == BACK_OFF[0] * 1.25
