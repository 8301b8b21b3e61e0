"""What is checked of evidence before anything is stored: words, texts, times, whose source it is, how far it may be read.

Pure of writes: raises `Refused` or returns the row that would be stored (contract 1, 4, 6, 9, 12.19, 13).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from evidence.models import Evidence
from evidence.models.inserting import new_row
from evidence.rules.access import within
from evidence.rules.eligibility import capped_trust_class
from evidence.rules.errors import BadInput
from evidence.rules.identity import computed_version
from evidence.rules.records import Claim, Scope
from evidence.rules.sources import may_file, source_name
from evidence.rules.times import read_time
from evidence.rules.vocab import (
    TRUST_ORDER,
    Access,
    Durability,
    Kind,
    Polarity,
    Redaction,
    Review,
    Trust,
    TrustClass,
    Volatility,
    trust_of_channel,
)
from evidence.services.actors import Filer
from evidence.services.drafts import EvidenceDraft
from evidence.services.errors import Refused
from evidence.services.rows import claim_columns, fill, scope_columns, time_columns
from evidence.services.texts import (
    CLAIM_MEMBER_MAX,
    CONTENT_MAX,
    EXCERPT_MAX,
    NAME_MAX,
    SOURCE_MAX,
    SUMMARY_MAX,
    check_tags,
    check_text,
    check_texts,
    check_word,
)

FILABLE = (Kind.OBSERVATION, Kind.ARTICLE)


@dataclass(frozen=True, slots=True)
class Timed:
    """The time members that a draft of evidence and one of a proposal share."""

    event_at: str
    check_at: str
    valid_from: str
    valid_until: str


def check_claim(claim: Claim | None) -> None:
    if claim is None:
        return
    for name in ("subject", "attribute", "value"):
        text = getattr(claim, name)
        check_text(f"claim.{name}", text, longest=CLAIM_MEMBER_MAX)
        if not text.strip():
            raise Refused("invalid_value", f"claim.{name} is empty.", field=f"claim.{name}")


def check_times(draft: Timed, *, lenient: bool) -> None:
    """Doors refuse a time that is not ISO 8601 with a zone; an import keeps it as it came and reports it (contract 1)."""
    for text in (draft.event_at, draft.check_at, draft.valid_from, draft.valid_until):
        if read_time(text) is None:  # a time holds no secret
            check_text("time", text, longest=NAME_MAX)
    if lenient:
        return
    for name in ("event_at", "check_at", "valid_from", "valid_until"):
        text = getattr(draft, name)
        if text and read_time(text) is None:
            public = name.replace("check_at", "check.at").replace("valid_", "valid.")
            raise Refused("invalid_value", f"{public} is not an ISO 8601 time with a zone.", field=public)
    start, until = read_time(draft.valid_from), read_time(draft.valid_until)
    if start and until and start >= until:
        raise Refused("invalid_value", "valid.from has to be before valid.until.", field="valid.until")


def check_ttl(ttl: float | None) -> None:
    if ttl is not None and not (math.isfinite(ttl) and 0 <= ttl <= 36_500):
        raise Refused("invalid_value", "ttl_days has to be a number from 0 to 36,500.", field="ttl_days")


def scope_for(
    filer: Filer, *, access: str, shared_with: Iterable[str], owner: str = "", project: str = "", is_wish: bool = False
) -> Scope:
    """The scope that a filer may give: no wider than its credential; owner and project from an import only (contract 4).

    A proposal's scope is a wish: it holds from a person's decision on, who sees it and may widen (doors "Proposals").
    """
    readers = tuple(dict.fromkeys(shared_with))
    check_word("scope.access", access or Access.PRIVATE, list(Access))
    for reader in readers:
        check_text("scope.shared_with", reader, longest=NAME_MAX)
    if not filer.is_import and (owner not in ("", filer.agent.id)):
        raise Refused("not_your_scope", "A scope's owner is the filing agent.", field="scope.owner")
    scope = Scope(
        owner=(owner if filer.is_import else "") or filer.agent.id, access=access or Access.PRIVATE,
        shared_with=readers, project=(project or None) if filer.is_import else None,
    )  # fmt: skip
    if not filer.is_import and not is_wish and not within(scope, filer.max_access):
        detail = f"This token may share no wider than {filer.max_access}."
        raise Refused("not_your_scope", detail, field="scope.access")
    return scope


def trust_for(filer: Filer, *, channel: str, stated: str = "") -> Trust:
    """The trust of what arrives: the weaker of its channel and the credential's class; an import states it (contract 13)."""
    if filer.is_import and stated:
        return Trust(check_word("trust", stated, list(Trust)))
    check_text("channel", channel, longest=NAME_MAX)
    return min(trust_of_channel(channel), filer.channel_class, key=TRUST_ORDER.index)


def check_source(filer: Filer, source_id: str) -> None:
    check_text("source.id", source_id, longest=SOURCE_MAX)
    if not source_id.strip():
        raise Refused("invalid_value", "source.id is empty.", field="source.id")
    if not filer.is_import and not may_file(source_id, agent=filer.agent.id, namespace=filer.namespace):
        detail = "You may file only under sources of your own agent or namespace."
        raise Refused("not_your_source", detail, field="source.id")


def build_evidence(filer: Filer, draft: EvidenceDraft) -> Evidence:
    """Check a draft and compute its row; nothing is saved. Raises `Refused`."""
    _check_evidence(filer, draft)
    name = source_name(draft.source_id)
    trust = trust_for(filer, channel=draft.channel, stated=draft.trust)
    scope = scope_for(
        filer, access=draft.scope_access, shared_with=draft.scope_shared_with, owner=draft.scope_owner,
        project=draft.scope_project,
    )  # fmt: skip
    version = draft.source_version
    if name.scheme == "session" or not version:
        version = computed_version(excerpt=draft.excerpt, content=draft.content, summary=draft.summary)
    review = draft.review if filer.is_import else ""
    if trust == Trust.EXTERNAL and review == "":
        review = Review.HELD
    row = new_row(
        Evidence, namespace=filer.namespace, kind=draft.kind, source_id=draft.source_id, source_version=version,
        **claim_columns(draft.claim), content=draft.content, summary=draft.summary, excerpt=draft.excerpt,
        tags=list(draft.tags), volatility=draft.volatility, ttl_days=draft.ttl_days, **scope_columns(scope),
        trust=trust, review=review, durability=draft.durability, polarity=draft.polarity, redaction=draft.redaction,
        trust_class=capped_trust_class(draft.trust_class, trust=trust, ceiling=filer.trust_ceiling or None),
        valid_from=read_time(draft.valid_from), valid_until=read_time(draft.valid_until),
        thread=draft.thread or name.thread, filed_by=filer.actor.name, origin_system=filer.origin_system,
        origin_id=draft.origin_id, **time_columns("event_at", draft.event_at), **_check_columns(filer, draft),
    )  # fmt: skip
    try:
        return fill(row)
    except BadInput as bad:
        raise Refused.of(bad) from bad


def _check_columns(filer: Filer, draft: EvidenceDraft) -> dict[str, object]:
    """The check as the filer claims it; who checked is the filer, unless a file says so (contract 12.19)."""
    if not draft.check_at and not (filer.is_import and draft.check_by):
        return {"has_check": False}
    return {
        "has_check": True,
        **time_columns("check_at", draft.check_at),
        "check_by": (draft.check_by if filer.is_import else "") or filer.agent.id,
        "check_method": draft.check_method,
        "check_confirmed_by": draft.check_confirmed_by if filer.is_import else "",
    }


def _check_evidence(filer: Filer, draft: EvidenceDraft) -> None:
    check_source(filer, draft.source_id)
    allowed = list(Kind) if filer.is_import else list(FILABLE)
    check_word("kind", draft.kind, [kind for kind in allowed if kind != Kind.DERIVED])
    check_word("volatility", draft.volatility, list(Volatility))
    check_word("trust_class", draft.trust_class, list(TrustClass))
    check_word("durability", draft.durability, list(Durability))
    check_word("polarity", draft.polarity, list(Polarity))
    check_word("redaction", draft.redaction, list(Redaction))
    check_texts(
        {
            "source.version": (draft.source_version, SOURCE_MAX),
            "content": (draft.content, CONTENT_MAX),
            "summary": (draft.summary, SUMMARY_MAX),
            "excerpt": (draft.excerpt, EXCERPT_MAX),
            "check.method": (draft.check_method, SUMMARY_MAX),
            "check.by": (draft.check_by, NAME_MAX),
            "check.confirmed_by": (draft.check_confirmed_by, NAME_MAX),
            "scope.owner": (draft.scope_owner, NAME_MAX),
            "scope.project": (draft.scope_project, NAME_MAX),
            "thread": (draft.thread, NAME_MAX),
        }
    )
    check_claim(draft.claim)
    check_tags(draft.tags)
    check_ttl(draft.ttl_days)
    check_times(Timed(draft.event_at, draft.check_at, draft.valid_from, draft.valid_until), lenient=filer.is_import)
    if not (draft.content.strip() or draft.summary.strip() or draft.excerpt.strip() or draft.claim):
        raise Refused("invalid_value", "Evidence needs a content, a summary, an excerpt or a claim.", field="content")
