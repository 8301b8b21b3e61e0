"""Why an item stands where it stands in the queue, as a sentence (the numbers are those of `rules.priority`)."""

from __future__ import annotations

from datetime import datetime, timedelta

from evidence.models import HeldRecord, User
from evidence.rules.vocab import Access, MatchKind, Risk

BY_LOT = "Picked at random, so that nothing starves."

_RISKS: dict[str, str] = {Risk.HIGH: "its risk is high", Risk.MEDIUM: "its risk is medium"}
_MATCHES: dict[str, str] = {
    MatchKind.POTENTIAL_CONFLICT: "it disagrees with a record",
    MatchKind.SUPERSEDES: "it wants to replace a record",
    MatchKind.AMBIGUOUS: "it may be about several records",
    MatchKind.UPDATES: "it changes a record",
}
_REACHES: dict[str, str] = {Access.PUBLIC: "every agent may read it", Access.SHARED: "several agents may read it"}
_EXPIRY = "it goes stale soon after filing"


def order_words(held: HeldRecord, user: User, now: datetime) -> str:
    """ "Waiting 7 days; counts as 57 days older because its risk is high (+28), …"; empty for what does not wait."""
    if not held.is_waiting:
        return ""
    drawn = held.drawn or (held.lease_by_lot and held.lease_holder_id == user.pk and held.leased_at(now))
    waited = f"Waiting {span(now - held.created_at)}"
    parts = _parts(held)
    if not parts:
        words = f"{waited}; nothing moves it forward: the oldest come first."
    else:
        older = span(timedelta(hours=sum(hours for _, hours in parts)))
        reasons = [f"{words} (+{_days(hours)})" for words, hours in parts]
        words = f"{waited}; counts as {older} older because {_listed(reasons)}."
    return f"{BY_LOT} {words}" if drawn else words


def span(length: timedelta) -> str:
    """Whole days from a day on, else hours or less."""
    if length >= timedelta(days=1):
        return _numbered(length // timedelta(days=1), "day")
    hours = length // timedelta(hours=1)
    return _numbered(hours, "hour") if hours > 0 else "less than an hour"


def _parts(held: HeldRecord) -> list[tuple[str, int]]:
    """What moved it forward, in words and whole hours, the strongest first."""
    words = {
        "risk": _RISKS.get(held.risk, "its risk is not known"),
        "match": _MATCHES.get(held.match_kind, "of what it matches"),
        "reach": _REACHES.get(held.scope_access, "of who may read it"),
        "expiry": _EXPIRY,
    }
    parts = [
        (words.get(name, name), hours)
        for name, hours in held.priority_parts.items()
        if isinstance(hours, int) and hours > 0
    ]
    return sorted(parts, key=lambda part: -part[1])


def _days(hours: int) -> str:
    return str(hours // 24) if hours >= 24 else f"{hours} h"


def _numbered(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number:,} {word}s"


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
