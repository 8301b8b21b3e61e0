"""Editing the article of a promotion proposal: title, place, text, and the version that it is written against (contract 10).

A part of `editing.edit_held`, inside its transaction. Bringing the text onto the article as it stands now is an edit, too.
"""

from __future__ import annotations

from dataclasses import dataclass

from evidence.models import Evidence, HeldRecord
from evidence.rules.matching import match
from evidence.rules.merging import changed_blocks, has_marks, lines_of, merge
from evidence.rules.records import Candidate, MemoryRecord
from evidence.rules.sources import source_name
from evidence.rules.vocab import HeldKind, Kind, MatchKind
from evidence.selectors.planning import current_article_version
from evidence.services.errors import Refused
from evidence.services.held_rows import check_article_name
from evidence.services.texts import CONTENT_MAX, SOURCE_MAX, SUMMARY_MAX, check_shape, check_text

# Changed stretches that are compared one by one; a text with more of them says something else.
MOST_BLOCKS = 40


@dataclass(frozen=True, slots=True)
class ArticleEdit:
    """The article as it should be. None leaves a member alone. `path` is `<folder>/<path>`: whose article it is stays.

    `onto`: the version that the text was brought onto, where it is another than it was written against.
    """

    title: str | None = None
    path: str | None = None
    content: str | None = None
    onto: str | None = None


@dataclass(frozen=True, slots=True)
class ArticleText:
    """Where a proposal writes what, over which version."""

    target: str
    base_version: str
    title: str
    content: str


def article_text(held: HeldRecord) -> ArticleText | None:
    """The proposal's article as it stands; none for other kinds."""
    if held.kind != HeldKind.PROMOTION_PROPOSAL:
        return None
    row = held.promotion
    return ArticleText(row.target_source, row.base_version, row.title, row.content)


def check_article_edit(edit: ArticleEdit) -> None:
    """Shapes, lengths and secrets, before anything is locked."""
    if edit.title is not None:
        check_text("title", edit.title, longest=SUMMARY_MAX)
    if edit.path is not None:
        check_text("path", edit.path, longest=SOURCE_MAX)
    if edit.content is not None:
        check_text("content", edit.content, longest=CONTENT_MAX)
    if edit.onto is not None:
        check_shape("onto", edit.onto, longest=SOURCE_MAX)
    if edit.title is not None and not edit.title.strip():
        raise Refused("invalid_value", "An article needs a title.", field="title")
    if edit.content is not None and not edit.content.strip():
        raise Refused("invalid_value", "An article needs a text.", field="content")


def change_article(held: HeldRecord, edit: ArticleEdit) -> bool:
    """Write the edit into the detail row; whether anything changed. Precondition: the held row is locked."""
    before = article_text(held)
    if before is None:
        raise Refused("invalid_value", "Only an article proposal has an article to edit.", field="content")
    after = _edited(held, before, edit)
    if after == before:
        return False
    # Where marks stood already, they are part of the text.
    if has_marks(after.content) and not has_marks(before.content):
        raise Refused(
            "invalid_value", "A conflict is left in the text: keep one side, and remove the lines that mark it.",
            field="content",
        )  # fmt: skip
    row = held.promotion
    row.target_source, row.base_version = after.target, after.base_version
    row.title, row.content = after.title, after.content
    row.save(update_fields=["target_source", "base_version", "title", "content"])
    return True


def _edited(held: HeldRecord, before: ArticleText, edit: ArticleEdit) -> ArticleText:
    target = before.target
    if edit.path is not None:
        target = f"wiki:{source_name(before.target).owner}/{edit.path.strip()}"
        if target != before.target:
            check_article_name(target)
    onto = before.base_version if edit.onto is None else edit.onto
    current = current_article_version(held.namespace, target)
    if onto != before.base_version and onto != current:
        raise Refused(
            "base_changed", "The article changed again while you brought the text onto it.", seen_version=held.version,
            current_version=held.version,
        )  # fmt: skip
    if target != before.target and edit.onto is None:
        # Another place: written against what stands there, which the page then shows beside it.
        onto = current
    content = before.content if edit.content is None else edit.content
    return ArticleText(target, onto, before.title if edit.title is None else edit.title.strip(), content)


def changes_meaning(held: HeldRecord, before: ArticleText | None) -> bool:
    """Whether the editor is the author of what the article says now (contract 10 "Edit").

    Another place or title that says something else, or a changed stretch that the matcher calls no duplicate. A text that is
    what bringing it onto the current version makes of it is nobody's but the two who wrote those.
    """
    after = article_text(held)
    if before is None or after is None or before == after:
        return False
    if after.target != before.target or not _says_the_same(held, before.title, after.title):
        return True
    old = before.content
    if after.base_version != before.base_version:
        brought = brought_onto(held.namespace, before, after.base_version)
        old = brought if brought is not None else old
    blocks = changed_blocks(old, after.content)
    if len(blocks) > MOST_BLOCKS:
        return True
    return not all(_says_the_same(held, "\n".join(one.old), "\n".join(one.new)) for one in blocks)


def brought_onto(namespace: str, text: ArticleText, version: str) -> str | None:
    """The proposed text on another version of its article, where both versions are here and nothing conflicts."""
    base, onto = (content_of(namespace, text.target, one) for one in (text.base_version, version))
    if base is None or onto is None:
        return None
    made = merge(base, onto, text.content)
    return None if made.conflicts else made.text


def content_of(namespace: str, source_id: str, version: str) -> str | None:
    """The text of one version of an article; none where it is not here or was emptied."""
    rows = Evidence.objects.in_namespace(namespace).filter(source_id=source_id, source_version=version)
    content = rows.filter(kind=Kind.ARTICLE).values_list("content", flat=True).first()
    return content or None


def _says_the_same(held: HeldRecord, old: str, new: str) -> bool:
    if lines_of(old) == lines_of(new):
        return True
    if not old.strip() or not new.strip():
        return False
    said = Candidate(id="after", statement=new, profile=held.namespace)
    text = MemoryRecord(id="before", statement=old, profile=held.namespace)
    return match(said, [text], same_key=True).kind == MatchKind.DUPLICATE
