"""The shorthand of the phrase tables, and what keeps every pattern linear."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.rules.phrases.authority import AUTHORITY
from evidence.rules.phrases.english import ENGLISH, SHOUTED
from evidence.rules.phrases.languages import LANGUAGES
from evidence.rules.phrases.links import LINKS
from evidence.rules.phrases.needles import needles
from evidence.rules.phrases.personas import PERSONAS
from evidence.rules.phrases.phrase import Phrase, PhraseTable, phrases
from evidence.rules.phrases.tools import TOOLS
from tests.rules.pattern_trees import unbounded_groups

CASED = (*SHOUTED, *PERSONAS)
TABLES = (*ENGLISH, *CASED, *LANGUAGES, *AUTHORITY, *TOOLS, *LINKS)


@pytest.mark.parametrize("phrase", TABLES)
def test_only_single_characters_repeat_without_end(phrase: Any) -> None:
    """A group without a bound can cost the square of a text's length, and a text may be as long as a door allows."""
    assert [turn.source for turn in phrase.turns if unbounded_groups(turn.source)] == []


@pytest.mark.parametrize("phrase", TABLES)
def test_every_turn_has_a_needle_so_that_a_plain_text_costs_little(phrase: Any) -> None:
    assert all(turn.needles for turn in phrase.turns)


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        (r"\bignore the rules\b", ("ignore the rules",)),
        (r"ignor(?:e|ing)[a-z]rules", ("rules", "ignore ignoring")),
        (r"th(?:is|ese)\s{1,3}memor(?:y|ies)", ("memory memories", "this these")),
        (r"(?:please )?reveal", ("reveal",)),
        (r"reveal(?=.{0,40}\bprompt)", ("prompt", "reveal")),
        (r"a[bc]d", ()),
        (r"(?:reveal|[a-z]+)", ()),
    ],
)
def test_needles_are_words_without_which_nothing_matches(pattern: str, words: tuple[str, ...]) -> None:
    found = {" ".join(sorted(each)) for each in needles(pattern)}
    assert {" ".join(sorted(each.split())) if " the " not in each else each for each in words} <= found
    assert bool(found) is bool(words)


@given(st.sampled_from([turn for phrase in TABLES if phrase not in CASED for turn in phrase.turns]), st.data())
def test_what_a_pattern_matches_the_table_finds(turn: Any, data: st.DataObject) -> None:
    """The needles never hide a match: for any text that a pattern matches, the table with this pattern alone finds it."""
    text = data.draw(
        st.from_regex(re.compile(turn.pattern.pattern), fullmatch=False).filter(lambda text: len(text) < 400)
    )
    table = PhraseTable((Phrase("test", (turn,)),))
    assert bool(list(table.spans(text, text))) is bool(turn.pattern.search(text))


def _found(pattern: str, text: str) -> list[str]:
    phrase = phrases("test", (pattern,), {"drop": "ignore|forget"})
    found = [text[start:end] for start, end in phrase.spans(text)]
    assert [text[start:end] for _, start, end, _ in PhraseTable((phrase,)).spans(text, text)] == found
    return found


def test_a_space_is_any_small_gap_and_a_number_is_so_many_words() -> None:
    assert _found("ignore all", "x ignore,   all and ignore_all") == ["ignore,   all", "ignore_all"]
    assert _found("ignore <2>rules", "x ignore all my rules") == ["ignore all my rules"]
    assert _found("ignore <1>rules", "x ignore all my rules") == []
    assert _found("ignore <2>rules", "x ignore. the rules") == []


def test_groups_classes_and_escapes() -> None:
    assert _found(r"\b{drop} it", "y forget it") == ["forget it"]
    assert _found(r"a[ b]c\.", "x a c. abc. a  c.") == ["a c.", "abc."]
    assert _found(r"(?:all )*end", "x " + "all " * 9 + "end") == ["all all all all end"]


def test_every_pattern_reads_folded_text_only() -> None:
    """Outside the cased ones no pattern has a capital letter of its own: it could never match."""
    capital = re.compile(r"(?<!\\)[A-Z]")
    assert [
        turn.pattern.pattern
        for phrase in TABLES
        if phrase not in CASED
        for turn in phrase.turns
        if capital.search(turn.pattern.pattern)
    ] == []


def test_a_cased_phrase_is_read_as_written() -> None:
    table = PhraseTable((phrases("test", (r"\bYou are [A-Z]\w+",), cased=True),))
    assert list(table.spans("then you are omega", "then You are Omega")) == [(0, 5, 18, True)]
    assert list(table.spans("then you are late", "then You are late")) == []
