"""Promotion proposals `_proposals/<id>.json`, one a file, each with the article that lies beside it.

An approval arrives only with a proposal that AgentX approved and whose content is still the article's, hash for hash (doors
"Files"); otherwise it stays history and the article is unverified.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from evidence.exchange import files, strict_json
from evidence.exchange.agentx.articles import Article, Wiki, content_hash
from evidence.exchange.agentx.layout import PROPOSALS, Checkout
from evidence.exchange.agentx.ledger import decision_of
from evidence.exchange.checked import EXCERPT_MAX, SUMMARY_MAX, cut, cut_notes, objects, small_count, unreadable
from evidence.exchange.items import FactItem, ForeignDecision, Linked, Note, Place, Problem, PromotionItem, Read
from evidence.exchange.strict_json import digest_of
from evidence.rules.errors import BadInput
from evidence.rules.identity import record_id
from evidence.rules.members import Members
from evidence.rules.records import Approval, Record, Scope, Source
from evidence.rules.vocab import Access, Kind, Trust, TrustClass, Volatility


def read_promotions(checkout: Checkout, wiki: Wiki) -> Iterator[Read]:
    """Each article once, before the first proposal that is about it; approved proposals first, so that it arrives with them."""
    folder = checkout.folder(PROPOSALS)
    if folder is None:
        return
    loaded: list[tuple[Place, dict[str, Any], Article]] = []
    for name, path in files.walk(folder, ".json"):
        place = Place(f"{PROPOSALS}/{files.shown(name)}")
        try:
            entry = _load(path)
            loaded.append((place, entry, wiki.article(_article_of(entry).required_text("path"))))
        except BadInput as bad:
            yield Problem(place, bad.code, bad.detail)
    for article in {article.source_id: article for _place, _entry, article in loaded}.values():
        about = [entry for _place, entry, other in loaded if other.source_id == article.source_id]
        if article.record is not None:
            yield _article_item(article, article.record, about)
    for place, entry, article in loaded:
        try:
            yield _promotion_item(entry, place, article)
        except BadInput as bad:
            yield Problem(place, bad.code, bad.detail)


def _load(path: Path) -> dict[str, Any]:
    try:
        entry = strict_json.parse_object(files.read_document(path, largest=files.ARTICLE_MAX))
    except OSError as error:
        raise BadInput("malformed", "it cannot be read") from error
    if Members(entry).required_text("id") != path.name.removesuffix(".json"):
        raise BadInput("malformed", "the file is not named after the id in it", "id")
    return entry


def _article_of(entry: dict[str, Any]) -> Members:
    article = Members(entry).members("article")
    if article is None:
        raise BadInput("invalid_value", "article is required", "article")
    return article


def _article_item(article: Article, record: Record, about: list[dict[str, Any]]) -> FactItem:
    approved = _approving(record, about)
    digest: dict[str, object] = {
        "source": article.source_id,
        "version": record.source.version,
        "access": record.scope.access,
    }
    if approved:
        record = replace(record, approval=approved)
        digest["approval"] = approved.proposal
    return FactItem(
        place=Place(article.file),
        foreign_id=article.source_id,
        agent=article.owner,
        digest=digest_of(digest),
        notes=unreadable("last_updated", str(record.event_at or ""), serious=False),
        record=record,
    )


def _approving(record: Record, about: list[dict[str, Any]]) -> Approval | None:
    """The newest approval among the proposals whose content is what lies there, if one names who gave it."""
    found = [approval for entry in about if (approval := _approval_in(entry, record)) is not None]
    return max(found, key=lambda one: str(one.at), default=None)


def _approval_in(entry: dict[str, Any], record: Record) -> Approval | None:
    try:
        members = Members(entry)
        same_text = content_hash(_article_of(entry).text("content")) == record.source.version
        if members.text("status") != "approved" or not same_text or not members.text("decidedBy"):
            return None
        return Approval(members.text("decidedBy"), members.text("decidedAt"), members.text("id"))
    except BadInput:
        return None  # reported where the proposal itself is read


def _promotion_item(entry: dict[str, Any], place: Place, article: Article) -> PromotionItem:
    members, text = Members(entry), _article_of(entry)
    evidence = members.members("evidence") or Members({})
    agents = tuple(dict.fromkeys(name for name in evidence.texts("agents") if name)) or (article.owner,)
    decided = decision_of(members)
    replaces = members.members("replaces")
    title, created = text.required_text("title"), members.text("createdAt")
    linked, notes = _linked(evidence)
    return PromotionItem(
        place=place,
        foreign_id=members.required_text("id"),
        agent=agents[0],
        digest=digest_of(entry),
        notes=(*unreadable("createdAt", created), *notes, *_approval_notes(decided, text, article)),
        decided=decided,
        statement=title,
        evidence=linked,
        event_at=created,
        volatility=Volatility.STABLE,
        scope=Scope(article.owner, Access.PUBLIC),
        trust=Trust.INTERNAL,
        trust_class=TrustClass.AGENT_INFERENCE,
        tags=text.texts("tags"),
        target=article.source_id,
        base_version=replaces.text("contentHash") if replaces else "",
        title=title,
        content=text.required_text("content").strip(),
        article_type=text.text("type"),
        related=text.texts("related"),
        agents=agents,
        occurrences=small_count(evidence, "occurrences"),
    )


def _approval_notes(decided: ForeignDecision | None, text: Members, article: Article) -> tuple[Note, ...]:
    if decided is None or decided.status != "approved":
        return ()
    lies_there = article.record is not None and article.record.source.version == content_hash(text.text("content"))
    if lies_there and decided.by:
        return ()
    return (
        Note("approval_kept_as_history", "the article is not, or no longer, what was approved; here it is unverified"),
    )


def _linked(evidence: Members) -> tuple[tuple[Linked, ...], tuple[Note, ...]]:
    found: list[Linked] = []
    notes: list[Note] = []
    for source in objects(evidence, "sources"):
        agent, stamp = source.required_text("agentId"), source.required_text("stamp")
        texts = [("summary", source.text("description"), SUMMARY_MAX), ("excerpt", source.text("excerpt"), EXCERPT_MAX)]
        notes += cut_notes(texts)
        summary, excerpt = (cut(text, longest) for _field, text, longest in texts)
        threads = (source.text("taskId"), *source.texts("sessions"), *source.texts("tasks"))
        name, version = _source_of(stamp, source.text("kind"), agent)
        record = Record(
            id=record_id(Source(name, version)), kind=Kind.OBSERVATION, source=Source(name, version), summary=summary,
            excerpt=excerpt, event_at=source.text("updatedAt") or None, volatility=Volatility.WORK_STATE,
            scope=Scope(agent, Access.PRIVATE), trust=Trust.INTERNAL, trust_class=_class_of(source.text("kind")),
            durability="unknown",
        )  # fmt: skip
        found.append(Linked(record, next((thread for thread in threads if thread), "")))
    return tuple(found), tuple(notes)


def _source_of(stamp: str, kind: str, agent: str) -> tuple[str, str]:
    """`memory:<agent>/<type>_<name>@<updatedAt>` is the contract's own name; other stamps become entries of their agent."""
    name, at, version = stamp.rpartition("@")
    if not at or not name:
        name, version = stamp, "1"
    if kind == "memory" and name.startswith(f"memory:{agent}/"):
        return name, version
    return f"entry:{agent}/{name.replace(':', '-', 1)}", version


def _class_of(kind: str) -> TrustClass:
    """A failure was seen by a tool in a session; memory and reviews are what a model made of it."""
    return TrustClass.SINGLE_SESSION_OBSERVATION if kind == "failure" else TrustClass.AGENT_INFERENCE
