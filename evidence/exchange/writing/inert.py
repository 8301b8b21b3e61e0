"""Markdown of agents that stays Markdown and does nothing, whatever program shows it: no raw HTML, no picture, no embedded code.

Links lead to http, https, mail, or a place beside the file. What would do anything else is there to be read, as text. It works on
characters, not on a parse: programs disagree about what a text means, and none of them finds a `<` where there is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from evidence.rules.characters import visible

# Where a link may lead: written plainly, so that no entity, escape or line break can make another address of it.
_ADDRESS = r"\s*(?:https?://\S|mailto:\S|[\w./#?-][^\s:&\\<>]*(?=[\s)]|$)|\))"
_LINK = re.compile(rf"\]\((?!{_ADDRESS})")
_DEFINITION = re.compile(rf"\]:(?!{_ADDRESS})")
_FENCE = re.compile(r"(?P<before>[ \t>*+\-\d.)]*)(?P<fence>`{3,}|~{3,})(?P<words>.*)")


def inert(text: str) -> str:
    """The text, with what is invisible written out, and unchanged where it does nothing but look like something."""
    shown = "\t".join(visible(part, "⟦", "⟧") for part in text.replace("\r\n", "\n").replace("\r", "\n").split("\t"))
    made: list[str] = []
    plain: list[str] = []
    for line, is_code in _lines(shown):
        if is_code:
            made += [*_quiet(plain), line]
            plain = []
        else:
            plain.append(line)
    return "\n".join([*made, *_quiet(plain)])


def _quiet(lines: list[str]) -> list[str]:
    if not lines:
        return []
    text = "\n".join(lines).replace("<", "&lt;").replace("![", "!\\[")
    return [_DEFINITION.sub(r"]\\:", _LINK.sub(r"]\\(", text))]


def _lines(text: str) -> Iterator[tuple[str, bool]]:
    """Each line, and whether it stands in a code block on which all programs agree: its fences at the margin, both there.

    After a fence that stands anywhere else nothing is taken for code any more. Words behind a fence come after the word `text`:
    some name a language whose code is run where it is shown.
    """
    lines = text.split("\n")
    agreed, number = True, 0
    while number < len(lines):
        found = _FENCE.match(lines[number])
        if found is None or ("`" in found["words"] and found["fence"][0] == "`"):
            yield lines[number], False
            number += 1
            continue
        words = f"text {found['words'].strip()}" if found["words"].strip() else ""
        opened = f"{found['before']}{found['fence']}{words}"
        agreed = agreed and not found["before"]
        end = _end_of(lines, number + 1, found["fence"]) if agreed else None
        if end is None:
            agreed = False
            yield opened, False
            number += 1
            continue
        yield opened.replace("<", "&lt;"), True
        for line in lines[number + 1 : end + 1]:
            yield line, True
        number = end + 1


def _end_of(lines: list[str], start: int, fence: str) -> int | None:
    """The line that closes the block: as many of the same sign or more, and nothing else."""
    for number in range(start, len(lines)):
        stripped = lines[number].strip()
        if len(stripped) >= len(fence) and set(stripped) == {fence[0]}:
            # Indented by more than three it would be code for some.
            return number if not lines[number].startswith((" ", "\t")) else None
    return None
