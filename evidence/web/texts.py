"""Texts of agents as markup: escaped, hidden characters named, stretches marked, differences drawn (scenarios S12, S14).

Knows no template and no request; `tags` hands these to templates. Nothing here trusts a character of what it is given.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

import regex
from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from evidence.rules.characters import reveal
from evidence.web import wording
from evidence.web.diffing import Op, word_diff

_CLUSTER = regex.compile(r"\X")
_DIFF_TAGS = {Op.REMOVED: "del", Op.ADDED: "ins"}


@dataclass(frozen=True, slots=True, order=True)
class Mark:
    """A stretch of a text, in code points, and what it is: `matched`, `missing`, or the name of a signal."""

    start: int
    end: int
    state: str


def revealed(text: str) -> SafeString:
    """Escaped, every hidden character as a small boxed name."""
    return format_html_join("", "{}", ((_run(run.text, run.name),) for run in reveal(text)))


def _run(text: str, name: str | None) -> SafeString:
    if name is None:
        return conditional_escape(text)
    return format_html('<span class="hidden-char" title="{}">{}</span>', _("hidden character"), name)


def with_marks(text: str, marks: Sequence[Mark]) -> SafeString:
    """Marks in order; where two overlap the earlier one keeps its place. Hidden characters are judged in the whole text."""
    states = _states(text, marks)
    parts: list[tuple[SafeString]] = []
    for state, group in groupby(_stretches(text, states), key=lambda part: part[0]):
        parts.append((_mark(state, format_html_join("", "{}", ((html,) for _, html in group))),))
    return format_html_join("", "{}", parts)


def _states(text: str, marks: Sequence[Mark]) -> list[Mark | None]:
    """The mark of every character. A mark that touches a grapheme covers all of it (scenario S14)."""
    states: list[Mark | None] = [None] * len(text)
    edges = set(range(len(text) + 1)) if text.isascii() else _cluster_edges(text)
    for mark in sorted(marks):
        start, end = min(max(mark.start, 0), len(text)), max(0, min(mark.end, len(text)))
        while start not in edges:
            start -= 1
        while end not in edges:
            end += 1
        if start < end and not any(states[start:end]):
            states[start:end] = [mark] * (end - start)
    return states


def _cluster_edges(text: str) -> set[int]:
    return {0, *(found.end() for found in _CLUSTER.finditer(text))}


def _stretches(text: str, states: list[Mark | None]) -> Iterator[tuple[Mark | None, SafeString]]:
    """Pieces of one mark each, as markup, in order."""
    at = 0
    for run in reveal(text):
        end = at + len(run.text)
        if run.name is not None:
            yield states[at], _run(run.text, run.name)
            at = end
        for state, places in groupby(range(at, end), key=lambda place: states[place]):
            found = list(places)
            yield state, _run(text[found[0] : found[-1] + 1], None)
        at = end


def _mark(mark: Mark | None, html: SafeString) -> SafeString:
    if mark is None:
        return html
    if mark.state == "matched":
        return format_html("<mark>{}</mark>", html)
    if mark.state == "missing":
        return format_html('<mark class="missing" title="{}">{}</mark>', _("not found in the evidence"), html)
    title = wording.SIGNALS.get(mark.state, wording.plain(mark.state))
    return format_html('<mark class="signal" title="{}">{}</mark>', title, html)


def difference(old: str, new: str, *, keep: frozenset[Op]) -> SafeString:
    kept = [piece for piece in word_diff(old, new) if piece.op in keep]
    return format_html_join("", "{}", ((_marked(piece.text, _DIFF_TAGS.get(piece.op)),) for piece in kept))


def _marked(text: str, tag: str | None) -> SafeString:
    """The text in its tag. Blanks at the edge stay outside it, unless they are all there is."""
    bare = text.strip(" ")
    if tag is None or not bare:
        bare = text
    before, _, after = text.partition(bare)
    body = format_html("<{}>{}</{}>", tag, revealed(bare), tag) if tag else revealed(bare)
    return format_html("{}{}{}", before, body, after)
