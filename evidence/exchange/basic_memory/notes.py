"""One note: each observation and each relation a remembered thing, its prose the candidate of an article.

Nothing in a note says that anybody checked it; its date is when it was last changed. `status` and other members of the head
are shown and never read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from evidence.exchange.basic_memory.syntax import Observation, Relation, is_prose, parsed
from evidence.exchange.checked import unreadable
from evidence.exchange.front_matter import Head, split
from evidence.exchange.items import AnyItem, Note, Place, Problem, PromotionItem, Read
from evidence.exchange.markdown_blocks import Block, blocks
from evidence.exchange.remembered import Remembered, hash_of, item_of, tags_of
from evidence.exchange.strict_json import digest_of
from evidence.rules.errors import BadInput
from evidence.rules.members import clean_text
from evidence.rules.records import Scope
from evidence.rules.vocab import Access, Trust, TrustClass

STORE = "basic-memory"
_KNOWN = frozenset({"title", "type", "permalink", "tags", "created", "modified"})
NO_PERMALINK = Note("no_permalink", "the note has no permalink; the path of its file names it")
HEAD_UNREAD = Note("head_unread", "a member of the head is more than a text or a list of texts; it was left out")


@dataclass(frozen=True, slots=True)
class About:
    """What all items of a note share. `permalink` names it."""

    permalink: str
    title: str
    changed: str = ""
    tags: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()
    extra: Mapping[str, object] = field(default_factory=dict)


def read_note(text: str, place: Place) -> Iterator[Read]:
    """Items of a note's text."""
    head, lines = split(text)
    about = _about(head, place)
    prose = list(lines)
    body = list(blocks(lines, first_line=head.body_line, nested=False))
    for block in body:
        found = parsed(block.text) if block.is_item else None
        if found is None:
            continue
        start = block.line - head.body_line
        prose[start : start + len(block.lines)] = [""] * len(block.lines)
        yield said_item(about, found, replace(place, line=block.line))
    if any(_is_prose(block) for block in body):
        yield _article(about, _without_bare_headings(prose), replace(place, line=head.body_line))


def _about(head: Head, place: Place) -> About:
    permalink = head.text("permalink")
    notes = (NO_PERMALINK,) if not permalink else ()
    if head.unread:
        notes = (*notes, HEAD_UNREAD)
    fallback = place.file.removesuffix(".md")
    return About(
        permalink=permalink or fallback,
        title=head.text("title") or fallback.rsplit("/", 1)[-1],
        changed=head.text("modified") or head.text("created"),
        tags=head.words("tags"),
        notes=notes,
        extra={"permalink": permalink or fallback, **head.others(_KNOWN)},
    )


def said_item(about: About, found: Observation | Relation, place: Place) -> AnyItem | Problem:
    """The item of an observation or a relation, named by the note and its text, so that a new title keeps the name."""
    says: dict[str, object]
    tags: tuple[str, ...]
    if isinstance(found, Relation):
        name, tags = hash_of(found.kind, found.target, found.context), ("relation",)
        text = f"{found.kind} {found.target}"
        says = {"relation": [found.kind, found.target, found.context]}
    else:
        name, text, tags = hash_of(found.text), found.text, (found.category, *found.tags)
        says = {"category": found.category, "text": text, "context": found.context, "tags": list(found.tags)}
    between = " " if isinstance(found, Relation) else ": "
    context = f" ({found.context})" if found.context else ""
    try:
        return item_of(
            Remembered(
                place=place, store=STORE, ident=f"{about.permalink}#{name}",
                content=f"{about.title}{between}{text}{context}", says={"title": about.title, **says},
                event_at=about.changed, tags=(*tags, *about.tags), notes=about.notes, extra=about.extra,
            )
        )  # fmt: skip
    except BadInput as bad:
        return Problem(place, bad.code, bad.detail)


# -- prose --


def _is_prose(block: Block) -> bool:
    return is_prose(block.text) and (not block.is_item or parsed(block.text) is None)


def _without_bare_headings(lines: Sequence[str]) -> str:
    """The text without headings under which nothing is left."""
    kept: list[str] = []
    for line in reversed(lines):
        level = len(line) - len(line.lstrip("#"))
        below = next((one for one in reversed(kept) if one.strip()), "")
        bare = 0 < level < 7 and (not below or 0 < len(below) - len(below.lstrip("#")) <= level)
        if not bare:
            kept.append(line)
    text = "\n".join(reversed(kept))
    while "\n\n\n" in text:
        text = text.replace("\n\n\n", "\n\n")
    return text.strip()


def _article(about: About, text: str, place: Place) -> AnyItem | Problem:
    try:
        title, permalink = clean_text(about.title, "title"), clean_text(about.permalink, "permalink")
        digest = digest_of({"id": permalink, "title": title, "text": clean_text(text, "text")})
        return PromotionItem(
            place=place, foreign_id=permalink, agent=STORE, digest=digest,
            notes=(*about.notes, *unreadable("its date", about.changed)), extra=about.extra,
            statement=f"The note “{title}” becomes an article", event_at=about.changed,
            scope=Scope(STORE, Access.PRIVATE), trust=Trust.INTERNAL, trust_class=TrustClass.UNKNOWN,
            tags=tags_of(about.tags), target=f"wiki:{STORE}/flat/{permalink}.md", base_version="", title=title,
            content=text, agents=(STORE,),
        )  # fmt: skip
    except BadInput as bad:
        return Problem(place, bad.code, bad.detail)
