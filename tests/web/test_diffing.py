"""Word differences: they give both texts back, never cut a grapheme, and show what cannot be seen (scenarios S12, S14)."""

from __future__ import annotations

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from evidence.web.diffing import Op, changed, tokens, word_diff

FAMILY, FAMILY_OF_BOYS = "👨‍👩‍👧", "👨‍👩‍👦"

TEXTS = st.text(
    st.sampled_from(
        [*"ab é\n\t.,-'0", "\u0301", "\u200b", "\u200d", "👩", "👧", "🏽", "🇩", "🇪", "部", "署", "ก", "\u0e34"]
    ),
    max_size=24,
)


def shape(old: str, new: str) -> list[tuple[str, str]]:
    return [(piece.op.value, piece.text) for piece in word_diff(old, new)]


@pytest.mark.parametrize(
    ("old", "new", "pieces"),
    [
        ("it is up.", "it is slow.", [("same", "it is "), ("removed", "up"), ("added", "slow"), ("same", ".")]),
        ("the same", "the same", [("same", "the same")]),
        ("", "all new", [("added", "all new")]),
        ("all gone", "", [("removed", "all gone")]),
        ("", "", []),
        ("v1.2.3", "v1.2.4", [("removed", "v1.2.3"), ("added", "v1.2.4")]),
        ("at 14:30.", "at 15:30.", [("same", "at "), ("removed", "14:30"), ("added", "15:30"), ("same", ".")]),
        ("部署在星期二", "部署在星期四", [("same", "部署在星期"), ("removed", "二"), ("added", "四")]),
        (f"hi {FAMILY}", f"hi {FAMILY_OF_BOYS}", [("same", "hi "), ("removed", FAMILY), ("added", FAMILY_OF_BOYS)]),
        ("👍", "👍🏽", [("removed", "👍"), ("added", "👍🏽")]),
        ("🇩🇪", "🇩🇰", [("removed", "🇩🇪"), ("added", "🇩🇰")]),
        ("résumé", "re\u0301sume\u0301", [("removed", "résumé"), ("added", "re\u0301sume\u0301")]),
        ("one two", "one\u200b two", [("same", "one"), ("added", "\u200b"), ("same", " two")]),
        ("at two\nnightly", "at two\r\nnightly", [("same", "at two"), ("removed", "\n"), ("added", "\r\n"), ("same", "nightly")]),
    ],
)  # fmt: skip
def test_what_changed_is_marked_as_words(old: str, new: str, pieces: list[tuple[str, str]]) -> None:
    assert shape(old, new) == pieces


@given(TEXTS, TEXTS)
def test_both_texts_can_be_read_out_of_a_difference(old: str, new: str) -> None:
    pieces = word_diff(old, new)
    assert "".join(piece.text for piece in pieces if piece.op is not Op.ADDED) == old
    assert "".join(piece.text for piece in pieces if piece.op is not Op.REMOVED) == new
    assert changed(pieces) == (old != new)


@given(TEXTS)
def test_tokens_are_made_of_whole_graphemes(text: str) -> None:
    cut = tokens(text)
    assert "".join(cut) == text
    assert [cluster for token in cut for cluster in regex.findall(r"\X", token)] == regex.findall(r"\X", text)


def test_a_long_text_is_compared_word_by_word() -> None:
    old = " ".join(f"word{number}" for number in range(3000))
    assert shape(old, old.replace("word2999", "end"))[-2:] == [("removed", "word2999"), ("added", "end")]
