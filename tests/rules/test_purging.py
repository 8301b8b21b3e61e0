"""What a purge finds and leaves: one table, and that nothing of a text stays in any value that held it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.rules.purging import CUT, PURGED, SHORTEST, forms_of, purgeable, without

LONG = 'The lighthouse of "Quail" is dark, has been dark since May, and nobody knows for how long it will stay so.'
SHORT = "Quail is dark."


@pytest.mark.parametrize(
    ("value", "left"),
    [
        ("nothing of it", "nothing of it"),
        (f"It says: {SHORT} Really.", f"It says: {PURGED} Really."),
        (f"{LONG[:CUT]}…", PURGED),
        (json.dumps({"said": LONG}), PURGED),
        (json.dumps({"said": LONG}, ensure_ascii=False)[: CUT + 20], PURGED),
        ({"a": [SHORT, 7, None, {SHORT: True}]}, {"a": [PURGED, 7, None, {PURGED: True}]}),
        (f"{LONG} {SHORT}", f"{PURGED} {PURGED}"),
        (7, 7),
    ],
)
def test_what_is_left(value: object, left: object) -> None:
    assert without(value, purgeable([SHORT, LONG])) == left


def test_short_texts_are_not_looked_for() -> None:
    assert purgeable(["active", "a" * SHORTEST, "", "a" * (SHORTEST - 1)]) == ["a" * SHORTEST]


@given(
    st.text(min_size=SHORTEST, max_size=200),
    st.recursive(
        st.text(max_size=20),
        lambda deeper: st.lists(deeper) | st.dictionaries(st.text(max_size=9), deeper),
        max_leaves=8,
    ),
    st.text(max_size=20),
)
def test_nothing_of_it_stays(text: str, other: object, around: str) -> None:
    texts = purgeable([text])
    for value in ([other, around + text + around], {around: text, "other": other}, json.dumps([around, text])):
        left = json.dumps(without(value, texts), ensure_ascii=False)
        assert not any(form in left for form in forms_of(texts) if form not in json.dumps(PURGED))
