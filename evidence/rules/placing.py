"""Where in an article a changed claim belongs: a suggestion for a person, who edits it before it is approved (contract 3)."""

from __future__ import annotations

import re

from evidence.rules.words import content_words

_FENCE = re.compile(r"\s*(```|~~~)")


def filled_in(content: str, text: str, old_value: str, new_value: str) -> str:
    """The article with the new value in place of the old one, where that stands in one place only; else with the new text
    behind the paragraph that is nearest to it in words, or at its end.
    """
    lines = content.rstrip().split("\n")
    if old_value and new_value:
        holding = [number for number, line in enumerate(lines) if _count(line, old_value)]
        if len(holding) > 1:
            holding = _nearest(lines, holding, text)
        if len(holding) == 1 and _count(lines[holding[0]], old_value) == 1:
            lines[holding[0]] = _word(old_value).sub(lambda _: new_value, lines[holding[0]])
            return "\n".join(lines) + "\n"
    if not text.strip():
        return content
    at = _end_of_paragraph(lines, text)
    return "\n".join([*lines[:at], "", text.strip(), *lines[at:]]).strip("\n") + "\n"


def _word(value: str) -> re.Pattern[str]:
    """The value where it stands as whole words, in any case."""
    return re.compile(rf"(?<!\w){re.escape(value)}(?!\w)", re.IGNORECASE)


def _count(line: str, value: str) -> int:
    return len(_word(value).findall(line))


def _nearest(lines: list[str], numbers: list[int], text: str) -> list[int]:
    """Those of the lines that share most words with the text."""
    wanted = set(content_words(text))
    shared = {number: len(wanted & set(content_words(lines[number]))) for number in numbers}
    most = max(shared.values())
    return [number for number in numbers if shared[number] == most]


def _end_of_paragraph(lines: list[str], text: str) -> int:
    """Behind the paragraph that shares most words with the text, the last of equals; at the end where none shares any."""
    wanted = set(content_words(text))
    best, at, words, fenced = 0, len(lines), set[str](), False
    for number, line in enumerate([*lines, ""]):
        if _FENCE.match(line):
            fenced = not fenced
        if line.strip() or fenced:
            words |= set(content_words(line))
            continue
        if wanted & words and len(wanted & words) >= best:
            best, at = len(wanted & words), number
        words = set()
    return at
