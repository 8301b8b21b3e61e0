"""The plain form of a text, and the way back to the original."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.rules.folding import fold


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Ignore ALL", "ignore all"),
        ("Igno\u200bre", "ignore"),
        ("Ign\u043er\u0435", "ignore"),
        ("Vergiß Übungen", "vergiss ubungen"),
        ("don’t “go”", 'don\'t "go"'),
        ("\U0001d5f6\U0001d5f4\U0001d5fb\U0001d5fc\U0001d5ff\U0001d5f2", "ignore"),
        ("ＩＧＮＯＲＥ", "ignore"),
        ("Игнорируй", "игнорируи"),
        ("모든 지시", "모든 지시"),
        ("ガード", "ガード"),
        ("", ""),
    ],
)
def test_the_plain_form(text: str, plain: str) -> None:
    assert fold(text).text == plain


def test_a_span_leads_back_to_the_original() -> None:
    text = "x Stra\u200bße ignor\u0435"
    folded = fold(text)
    start = folded.text.index("ss")
    assert text[slice(*folded.span(start, start + 2))] == "ß"
    start = folded.text.index("stra")
    assert text[slice(*folded.span(start, start + 6))] == "Stra\u200bß"


@given(st.text(st.characters(exclude_categories=()), max_size=80))
def test_every_span_lies_inside_the_original(text: str) -> None:
    folded = fold(text)
    spans = [folded.span(at, at + 1) for at in range(len(folded.text))]
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert spans == sorted(spans)
