"""The list items of a rule file: each is a candidate of its own, the paragraphs between them are context.

No file that an item or a paragraph names with @ is read; where one is named, that is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from evidence.exchange import front_matter
from evidence.exchange.items import Note, Place, Problem, Read
from evidence.exchange.markdown_blocks import blocks
from evidence.exchange.remembered import Remembered, hash_of, item_or_problem
from evidence.rules.vocab import Durability, TrustClass

_AT = re.compile(r"(?:^|\s)@[\w~./-]*[\w/]")
NO_FOLLOW = Note("import_not_followed", "it names another file with @; such files are not read")


def rule_items(
    *, store: str, file: str, container: str, head: front_matter.Head, lines: Sequence[str],
    extra: Mapping[str, object] | None = None,
) -> Iterator[Read]:  # fmt: skip
    """Every list item outside code, with what is nested below it. `container` names the file inside the store."""
    for block in blocks(list(lines), first_line=head.body_line):
        place = Place(file, line=block.line)
        follows = bool(_AT.search(block.text))
        if not block.is_item:
            if follows:
                yield Problem(place, NO_FOLLOW.code, NO_FOLLOW.detail)
            continue
        headings = " / ".join(block.headings)
        yield item_or_problem(
            Remembered(
                place=place, store=store, scheme="entry", content=block.text, ident=f"{container}#{hash_of(block.text)}",
                says={"text": block.text}, trust_class=TrustClass.REPOSITORY_TEXT, durability=Durability.REPOSITORY,
                extra={**(extra or {}), **({"headings": headings} if headings else {})},
                notes=(NO_FOLLOW,) if follows else (),
            )
        )  # fmt: skip
