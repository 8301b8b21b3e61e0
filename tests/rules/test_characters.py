"""Hidden characters: which are found, what they are called, where they belong, and that nothing of a text is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.rules.characters import MarkKind, Run, hidden_marks, mark_name, reveal, strip_hidden, visible

NAMED = [
    ("\u200b", "ZWSP"),
    ("\u200c", "ZWNJ"),
    ("\u200d", "ZWJ"),
    ("\u2060", "WJ"),
    ("\ufeff", "BOM"),
    ("\u00ad", "SHY"),
    ("\u3164", "HANGUL FILLER"),
    ("\u115f", "HANGUL CHOSEONG FILLER"),
    ("\u202e", "RLO"),
    ("\u202d", "LRO"),
    ("\u202c", "PDF"),
    ("\u2066", "LRI"),
    ("\u2069", "PDI"),
    ("\u200e", "LRM"),
    ("\u200f", "RLM"),
    ("\u061c", "ALM"),
    ("\ufe0f", "VS16"),
    ("\U000e0100", "VS17"),
    ("\U000e0069", "TAG i"),
    ("\U000e0020", "TAG SPACE"),
    ("\U000e007f", "CANCEL TAG"),
    ("\x00", "NUL"),
    ("\x1b", "ESC"),
    ("\x08", "BS"),
    ("\x7f", "DEL"),
    ("\x90", "U+0090"),
    ("\U000e0fff", "U+E0FFF"),
]
LAYOUT = [("\t", "TAB"), ("\r", "CR"), ("\x0b", "VT"), ("\x0c", "FF"), ("\u2028", "LINE SEPARATOR"), ("\x85", "NEL")]
AT_HOME = [
    "👩\u200d💻",
    "👩🏽\u200d🚒",
    "🏳\ufe0f\u200d🌈",
    "❤\ufe0f and 1\ufe0f\u20e3",
    "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "می\u200cخواهم",
    "ه\u200d",
    "क्\u200dष",
    "葛\U000e0100城",
    "\u200fשלום",
    "ភាសា\u200bខ្មែរ",
    "ᠠ\u180bᠭ",
    "⠓⠑⠇⠇⠕⠀⠺",
]
_ANY = st.text(st.characters(exclude_categories=()), max_size=60) | st.text(
    st.sampled_from([*(char for char, _ in NAMED + LAYOUT), *"ab 1👩💻क्षש葛🏴\n"]), max_size=30
)


@pytest.mark.parametrize(("char", "name"), NAMED)
def test_a_hidden_character_is_named(char: str, name: str) -> None:
    assert mark_name(char) == name
    assert [mark.name for mark in hidden_marks(f"a{char}b")] == [name]
    assert reveal(f"a{char}b") == (Run("a"), Run(char, name), Run("b"))
    assert strip_hidden(f"a{char}b") == "ab"


@pytest.mark.parametrize(("char", "name"), LAYOUT)
def test_layout_is_shown_and_is_no_finding(char: str, name: str) -> None:
    assert hidden_marks(f"a{char}b") == ()
    assert reveal(f"a{char}b") == (Run("a"), Run(char, name), Run("b"))
    assert strip_hidden(f"a{char}b") == f"a{char}b"


@pytest.mark.parametrize("text", AT_HOME)
def test_a_joiner_at_home_stays_in_its_word(text: str) -> None:
    assert hidden_marks(text) == ()
    assert reveal(text) == (Run(text),)


@pytest.mark.parametrize(
    "text",
    [
        "fi\u200dle",
        "re\u200cview",
        "👩\u200d",
        "👩\u200d\u200d💻",
        "a\ufe0f\ufe0f",
        "❤\ufe0f\ufe0f",
        "x\U000e0100",
        "\U000e0067\U000e0062",
        "a\u2800b",
        "a\u180bb",
    ],
)
def test_a_joiner_elsewhere_is_found(text: str) -> None:
    assert hidden_marks(text) != ()


def test_the_kinds_tell_what_a_character_does() -> None:
    kinds = [mark.kind for mark in hidden_marks("a\u200bb\u202ec\u200fd\x00e")]
    assert kinds == [MarkKind.INVISIBLE, MarkKind.BIDI, MarkKind.MARK, MarkKind.CONTROL]


def test_repeats_are_one_run_with_a_count() -> None:
    assert reveal("a" + "\u200b" * 12) == (Run("a"), Run("\u200b" * 12, "ZWSP ×12"))
    assert visible("a\u200b\u200b\u202eb") == "a[ZWSP ×2][RLO]b"


def test_plain_text_is_one_run_and_empty_text_none() -> None:
    assert reveal("Backups run at 03:30.\nDaily.") == (Run("Backups run at 03:30.\nDaily."),)
    assert reveal("") == ()


@given(_ANY)
def test_runs_joined_give_the_text_back(text: str) -> None:
    runs = reveal(text)
    assert "".join(run.text for run in runs) == text
    assert all(run.text for run in runs)


@given(_ANY)
def test_marks_point_at_hidden_characters_in_order(text: str) -> None:
    marks = hidden_marks(text)
    assert [mark.index for mark in marks] == sorted({mark.index for mark in marks})
    assert all(strip_hidden(text[mark.index]) == "" for mark in marks)


@given(_ANY)
def test_a_stripped_text_has_nothing_hidden_left(text: str) -> None:
    stripped = strip_hidden(text)
    assert hidden_marks(stripped) == ()
    assert strip_hidden(stripped) == stripped
