"""Articles of the wiki that a promotion proposal is about: where they lie, who owns them, what their body hashes to."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from evidence.exchange import files
from evidence.exchange.agentx.layout import Checkout
from evidence.exchange.checked import word
from evidence.rules.errors import BadInput
from evidence.rules.identity import record_id
from evidence.rules.members import Members
from evidence.rules.records import Record, Scope, Source
from evidence.rules.vocab import Access, Kind, Trust, TrustClass, Volatility

# AgentX writes promoted articles as this owner, public.
PROMOTER = "memory-promoter"
# Wiki modes with a folder of their own; articles directly under `wiki` are the legacy flat form.
MODES = ("graph", "unified")
FLAT = "flat"
HASH_DIGITS = 16


def content_hash(body: str) -> str:
    """AgentX's hash of an article: 16 hex digits of SHA-256 over the body without front matter, trimmed."""
    return hashlib.sha256(body.strip().encode()).hexdigest()[:HASH_DIGITS]


@dataclass(frozen=True, slots=True)
class Article:
    """`source_id` names it; `record` is what lies there now, none where nothing does."""

    source_id: str
    owner: str
    file: str
    record: Record | None = None


@dataclass(frozen=True, slots=True)
class Wiki:
    checkout: Checkout

    def article(self, path: str) -> Article:
        """The article at a path of the wiki. `BadInput` for a path that leaves it, a link, an unreadable file."""
        mode, file = self._find(path)
        relative = f"wiki/{path}" if mode == FLAT else f"wiki/{mode}/{path}"
        if file is None:
            return Article(f"wiki:{PROMOTER}/{mode}/{path}", PROMOTER, relative)
        try:
            head, body = front_matter(files.read_document(file, largest=files.ARTICLE_MAX))
        except OSError as error:
            raise BadInput("invalid_value", "the article beside it cannot be read") from error
        owner = head.text("owner") or PROMOTER
        source = Source(f"wiki:{owner}/{mode}/{path}", content_hash(body))
        return Article(source.id, owner, relative, _record(source, owner, head, body.strip()))

    def _find(self, path: str) -> tuple[str, Path | None]:
        for mode in MODES:
            found = files.inside(self.checkout.root, f"wiki/{mode}/{path}")
            if found.exists():
                return mode, found
        found = files.inside(self.checkout.root, f"wiki/{path}")
        return FLAT, found if found.exists() else None


def front_matter(text: str) -> tuple[Members, str]:
    """The head of an article (values are JSON or plain text) and its body. Nothing in it is followed or executed."""
    lines = text.replace("\r\n", "\n").split("\n")
    if lines[0].strip() != "---" or "---" not in (line.strip() for line in lines[1:]):
        return Members({}), text
    end = next(number for number, line in enumerate(lines[1:], start=1) if line.strip() == "---")
    found: dict[str, object] = {}
    for line in lines[1:end]:
        name, colon, value = line.partition(":")
        if colon and name.strip():
            found[name.strip()] = _value(value.strip())
    return Members(found), "\n".join(lines[end + 1 :])


def _value(text: str) -> object:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return value if isinstance(value, list | str) else text


def _record(source: Source, owner: str, head: Members, body: str) -> Record:
    return Record(
        id=record_id(source),
        kind=Kind.ARTICLE,
        source=source,
        content=body,
        summary=head.text("title")[:300],
        event_at=head.text("last_updated") or head.text("created") or None,
        volatility=Volatility.STABLE,
        scope=Scope(owner, word("access", head.text("access"), Access, default=Access.PUBLIC)),
        trust=Trust.INTERNAL,
        trust_class=TrustClass.AGENT_INFERENCE,
        durability="unknown",
        tags=head.texts("tags"),
    )
