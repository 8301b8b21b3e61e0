"""Why an item stands where it stands in the queue, as a sentence (the numbers are those of `rules.priority`)."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop, ngettext

from evidence.models import HeldRecord, User
from evidence.rules.vocab import Access, MatchKind, Risk
from evidence.web.numbers import grouped

BY_LOT = gettext_noop("Picked at random, so that nothing starves.")

_RISKS: dict[str, str | Promise] = {
    Risk.HIGH: gettext_lazy("its risk is high"),
    Risk.MEDIUM: gettext_lazy("its risk is medium"),
}
_MATCHES: dict[str, str | Promise] = {
    MatchKind.POTENTIAL_CONFLICT: gettext_lazy("it disagrees with a record"),
    MatchKind.SUPERSEDES: gettext_lazy("it wants to replace a record"),
    MatchKind.AMBIGUOUS: gettext_lazy("it may be about several records"),
    MatchKind.UPDATES: gettext_lazy("it changes a record"),
}
_REACHES: dict[str, str | Promise] = {
    Access.PUBLIC: gettext_lazy("every agent may read it"),
    Access.SHARED: gettext_lazy("several agents may read it"),
}
_EXPIRY = gettext_lazy("it goes stale soon after filing")


def order_words(held: HeldRecord, user: User, now: datetime) -> str:
    """ "Waiting 7 days; counts as 57 days older because its risk is high (+28), …"; empty for what does not wait."""
    if not held.is_waiting:
        return ""
    drawn = held.drawn or (held.lease_by_lot and held.lease_holder_id == user.pk and held.leased_at(now))
    waited = span(now - held.created_at)
    parts = _parts(held)
    if not parts:
        words = _("Waiting %(time)s; nothing moves it forward: the oldest come first.") % {"time": waited}
    else:
        older = span(timedelta(hours=sum(hours for _, hours in parts)))
        reasons = [f"{words} (+{_days(hours)})" for words, hours in parts]
        words = _("Waiting %(time)s; counts as %(older)s older because %(reasons)s.") % {
            "time": waited,
            "older": older,
            "reasons": _listed(reasons),
        }
    return f"{_(BY_LOT)} {words}" if drawn else words


def span(length: timedelta) -> str:
    """Whole days from a day on, else hours or less."""
    if length >= timedelta(days=1):
        days = length // timedelta(days=1)
        return ngettext("%(n)s day", "%(n)s days", days) % {"n": grouped(days)}
    hours = length // timedelta(hours=1)
    return ngettext("%(n)s hour", "%(n)s hours", hours) % {"n": hours} if hours > 0 else _("less than an hour")


def _parts(held: HeldRecord) -> list[tuple[str, int]]:
    """What moved it forward, in words and whole hours, the strongest first."""
    words = {
        "risk": _RISKS.get(held.risk, _("its risk is not known")),
        "match": _MATCHES.get(held.match_kind, _("of what it matches")),
        "reach": _REACHES.get(held.scope_access, _("of who may read it")),
        "expiry": _EXPIRY,
    }
    parts = [
        (str(words.get(name, name)), hours)
        for name, hours in held.priority_parts.items()
        if isinstance(hours, int) and hours > 0
    ]
    return sorted(parts, key=lambda part: -part[1])


def _days(hours: int) -> str:
    return str(hours // 24) if hours >= 24 else _("%(n)s h") % {"n": hours}


def _listed(words: list[str]) -> str:
    if len(words) == 1:
        return words[0]
    return _("%(several)s and %(last)s") % {"several": ", ".join(words[:-1]), "last": words[-1]}
