"""The shorthand of the phrase tables, and what keeps every pattern linear."""

from __future__ import annotations

import re
from collections.abc import Iterator
from re import _constants as c
from re import _parser as parser
from typing import Any

import pytest

from evidence.rules.phrases.authority import AUTHORITY
from evidence.rules.phrases.english import ENGLISH, SHOUTED
from evidence.rules.phrases.languages import LANGUAGES
from evidence.rules.phrases.links import LINKS
from evidence.rules.phrases.phrase import phrases
from evidence.rules.phrases.tools import TOOLS

TABLES = (*ENGLISH, *SHOUTED, *LANGUAGES, *AUTHORITY, *TOOLS, *LINKS)
_ONE_CHARACTER = {c.IN, c.LITERAL, c.NOT_LITERAL, c.ANY}


def _endless(tree: Any) -> Iterator[Any]:
    """Bodies of repeats without an upper bound, at any depth."""
    for operation, argument in tree:
        if operation in (c.MAX_REPEAT, c.MIN_REPEAT):
            if argument[1] == c.MAXREPEAT:
                yield argument[2]
            yield from _endless(argument[2])
        elif operation is c.BRANCH:
            for branch in argument[1]:
                yield from _endless(branch)
        elif operation is c.SUBPATTERN:
            yield from _endless(argument[3])
        elif operation in (c.ASSERT, c.ASSERT_NOT):
            yield from _endless(argument[1])


@pytest.mark.parametrize("phrase", TABLES)
def test_only_single_characters_repeat_without_end(phrase: Any) -> None:
    """A group without a bound can cost the square of a text's length, and a text may be as long as a door allows."""
    for pattern in phrase.patterns:
        for body in _endless(parser.parse(pattern.pattern)):
            assert len(body) == 1, pattern.pattern
            assert body[0][0] in _ONE_CHARACTER, pattern.pattern


@pytest.mark.parametrize("phrase", TABLES)
def test_cues_are_written_as_they_are_looked_for(phrase: Any) -> None:
    assert all(cue and (phrase in SHOUTED or cue == cue.casefold()) for cue in phrase.cues)


def _found(pattern: str, text: str) -> list[str]:
    phrase = phrases("test", "x|y", (pattern,), {"drop": "ignore|forget"})
    return [text[start:end] for start, end in phrase.spans(text)]


def test_a_space_is_any_small_gap_and_a_number_is_so_many_words() -> None:
    assert _found("ignore all", "x ignore,   all and ignore_all") == ["ignore,   all", "ignore_all"]
    assert _found("ignore <2>rules", "x ignore all my rules") == ["ignore all my rules"]
    assert _found("ignore <1>rules", "x ignore all my rules") == []
    assert _found("ignore <2>rules", "x ignore. the rules") == []


def test_groups_classes_and_escapes() -> None:
    assert _found(r"\b{drop} it", "y forget it") == ["forget it"]
    assert _found(r"a[ b]c\.", "x a c. abc. a  c.") == ["a c.", "abc."]
    assert _found(r"(?:all )*end", "x " + "all " * 9 + "end") == ["all all all all end"]


def test_without_a_cue_no_pattern_runs() -> None:
    assert _found("ignore", "ignore") == []


def test_every_pattern_reads_folded_text_only() -> None:
    """Outside the shouted ones no pattern has a capital letter of its own: it could never match."""
    capital = re.compile(r"(?<!\\)[A-Z]")
    assert [
        p.pattern for phrase in TABLES if phrase not in SHOUTED for p in phrase.patterns if capital.search(p.pattern)
    ] == []
