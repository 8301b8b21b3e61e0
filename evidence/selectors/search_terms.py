"""What each term of a search means for a row (rules/search says how it is written). Knows no order and no page."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Exists, F, OuterRef, Q, TextField, Value
from django.db.models.functions import Cast, Length, Substr
from django.db.models.lookups import Contains, Exact

from evidence.models import HeldEvidence, HeldLink, HeldRecord, User
from evidence.models.visibility import agents_of
from evidence.rules.search import Op, Term
from evidence.rules.search.fields import CONFLICT
from evidence.rules.search.terms import read_span
from evidence.rules.vocab import MATCH_NEEDS_REVIEW, HeldKind, HeldStatus, Label, VerificationStatus
from evidence.selectors.clusters import in_cluster_of

SOON = timedelta(days=2)


@dataclass(frozen=True, slots=True)
class Asking:
    """Who asks, and when: `is:mine` and `age:` depend on it. `seen` are the agents that they may see; none means all."""

    user: User
    now: datetime
    seen: frozenset[str] | None

    @classmethod
    def of(cls, user: User, now: datetime) -> Asking:
        return cls(user, now, agents_of(user))


def condition(term: Term, asking: Asking) -> Q:
    """The rows for which a term with a field holds."""
    found = _SPANS[term.field](term, asking) if term.field in _SPANS else Q()
    if term.field not in _SPANS:
        for value in term.values:
            found |= _VALUES[term.field](value, asking)
    return ~found if term.negated else found


def among(column: str, values: Collection[str] | None) -> Q:
    """One of the values; none means any. A single one is compared as such, which lets an index give the order."""
    if values is None:
        return Q()
    return Q(**{column: next(iter(values))}) if len(values) == 1 else Q(**{f"{column}__in": sorted(values)})


def match_kinds(values: tuple[str, ...]) -> tuple[str, ...]:
    """The kinds of match that the words stand for; `conflict` is all that disagree."""
    kinds = dict.fromkeys(kind for value in values for kind in _kinds(value))
    return tuple(kinds)


def _kinds(value: str) -> tuple[str, ...]:
    return tuple(sorted(MATCH_NEEDS_REVIEW)) if value == CONFLICT else (value,)


def _column(name: str) -> Callable[[str, Asking], Q]:
    return lambda value, asking: Q(**{name: value})


def _match(value: str, asking: Asking) -> Q:
    return among("match_kind", _kinds(value))


def _flag(value: str, asking: Asking) -> Q:
    # As text: SQLite has no lookup into a JSON list, and a flag is one of a list of plain words.
    return Q(Contains(Cast("flags", TextField()), Value(f'"{value}"')))


def dated(now: datetime) -> Q:
    """A fact whose source has a date by now (`selectors.planning.source_date`)."""
    at = Q(has_check=True, check_at__lte=now) | Q(has_check=False, event_at__lte=now)
    return Q(kind=HeldKind.FACT_PROPOSAL) & at


def _label(value: str, asking: Asking) -> Q:
    now = asking.now
    over = Q(expires_at__isnull=False, expires_at__lte=now)
    meanings = {
        Label.APPROVED: Q(kind=HeldKind.PROMOTION_PROPOSAL),
        Label.VERIFIED: dated(now) & ~over,
        Label.STALE: dated(now) & over,
        Label.UNVERIFIED: ~Q(kind=HeldKind.PROMOTION_PROPOSAL) & ~dated(now),
    }
    return meanings[Label(value)]


def _source(value: str, asking: Asking) -> Q:
    """Exactly as written: LIKE would take `_` for any letter, and on SQLite a for A."""
    begins = Exact(Substr("evidence__source_id", 1, Length(Value(value))), Value(value))
    linked = HeldLink.objects.linked().filter(held=OuterRef("pk")).filter(Q(begins) | Q(evidence__thread=value))
    capture = HeldEvidence.objects.filter(held=OuterRef("pk")).filter(Q(begins) | Q(evidence__thread=value))
    return Q(Exists(linked)) | Q(Exists(capture))


def _history(value: str, asking: Asking) -> Q:
    """Something was decided on the same claim before, or on the very same statement."""
    decided = HeldRecord.objects.filter(namespace=OuterRef("namespace")).exclude(pk=OuterRef("pk"))
    decided = decided.exclude(status=HeldStatus.WAITING)
    on_claim = decided.filter(claim_key=OuterRef("claim_key")).exclude(claim_key="")
    on_statement = decided.filter(claim_key="", statement_key=OuterRef("statement_key")).exclude(statement_key="")
    return (~Q(claim_key="") & Q(Exists(on_claim))) | (Q(claim_key="") & Q(Exists(on_statement)))


def _same(value: str, asking: Asking) -> Q:
    """Others that say the same; an item that the person may not see says nothing."""
    held = HeldRecord.objects.filter(among("agent_id", asking.seen)).filter(pk=value).first()
    return Q(pk__in=HeldRecord.objects.equal_to(held).values("pk")) if held else Q(pk__in=())


def _cluster(value: str, asking: Asking) -> Q:
    """Those in one cluster with the item; one that the person may not see is in none."""
    seen = HeldRecord.objects.filter(among("agent_id", asking.seen)).filter(pk=value).exists()
    return in_cluster_of(value) if seen else Q(pk__in=())


def _state(value: str, asking: Asking) -> Q:
    leased = Q(lease_until__gt=asking.now, lease_holder__isnull=False)
    standing = Q(first_approval_version=F("version")) | Q(first_approval_hash=F("content_hash"))
    meanings = {
        "leased": leased,
        "mine": Q(lease_until__gt=asking.now, lease_holder=asking.user),
        "snoozed": Q(snoozed_until__gt=asking.now),
        "flagged": ~Q(flags=[]),
        "first-approved": Q(first_approver__isnull=False) & standing,
        "unverified": Q(verification_status=VerificationStatus.PENDING),
        "expiring": Q(expires_at__gt=asking.now, expires_at__lte=asking.now + SOON),
    }
    return meanings[value]


_VALUES: dict[str, Callable[[str, Asking], Q]] = {
    "match": _match,
    "flag": _flag,
    "label": _label,
    "source": _source,
    "has": _history,
    "same": _same,
    "cluster": _cluster,
    "is": _state,
    "risk": _column("risk"),
    "kind": _column("kind"),
    "agent": _column("agent_id"),
    "ns": _column("namespace"),
    "by": _column("filed_by"),
    "trust": _column("trust"),
    "class": _column("effective_trust_class"),
}


def _age(term: Term, asking: Asking) -> Q:
    since = asking.now - span_of(term)
    return Q(created_at__lt=since) if term.op is Op.OVER else Q(created_at__gt=since)


def _expires(term: Term, asking: Asking) -> Q:
    then = asking.now + span_of(term)
    return Q(expires_at__gt=then) if term.op is Op.OVER else Q(expires_at__gt=asking.now, expires_at__lte=then)


def span_of(term: Term) -> timedelta:
    span = read_span(term.values[0])
    assert span is not None, "the parser lets no other value through"
    return span.length


_SPANS: dict[str, Callable[[Term, Asking], Q]] = {"age": _age, "expires": _expires}
