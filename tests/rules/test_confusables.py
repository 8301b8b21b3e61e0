"""Look-alike letters: words that pose as others, and the many ways in which scripts meet honestly."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.rules.confusables import confusable_words, latin_skeleton

POSING = [
    "p\u0430yp\u0430l",
    "\u0430dmin",
    "USD\u0422",
    "g\u043e\u043egle",
    "\u0391pple",
    "micr\u03bfsoft",
    "\u0440\u0430\u0443\u0440\u0430\u04cf",
    "c\u0435\u0440\u0432\u0435\u0440",
    "\u13aadmin",
    "\u0581oogle",
    "\U0001d5f6\U0001d5f4\U0001d5fb\U0001d5fc\U0001d5ff\U0001d5f2",
    "\uff49\uff47\uff4e\uff4f\uff52\uff45",
    "\u24d8\u24d6\u24dd\u24de\u24e1\u24d4",
    "\u026a\u0262\u0274\u1d0f\u0280\u1d07",
]
HONEST = [
    "5 µs", "3 \u03bcs", "ΔT", "αmax", "kΩ", "MΩcm", "πr²", "cosθ", "λx", "β-carotene",
    "Команда использует Kubernetes и Grafana", "DNSа", "PRы", "Катим Dockerом всё подряд", "IT-отдел", "СССР", "Ева",
    "Tシャツ", "Kubernetesクラスタ", "ＡＢＣ株式会社", "한국어API", "אני API", "naïve café", "Ελληνικά", "Straße", "Łódź", "ısı",
    "/\u02c8\u026a\u014b\u0261l\u026a\u0283/", "pH", "", "plain",
]  # fmt: skip


@pytest.mark.parametrize("word", POSING)
def test_a_posing_word_is_found_with_its_place(word: str) -> None:
    text = f"Pay at {word} today"
    assert confusable_words(text) == ((7, 7 + len(word)),)


@pytest.mark.parametrize("text", HONEST)
def test_honest_words_of_several_scripts_pass(text: str) -> None:
    assert confusable_words(text) == ()


def test_a_foreign_ending_counts_only_where_the_language_is_spoken() -> None:
    assert confusable_words("Docker\u043e\u043c") != ()
    assert confusable_words("Сегодня Docker\u043e\u043c пользуемся") == ()


def test_the_skeleton_is_what_a_reader_sees() -> None:
    assert latin_skeleton("p\u0430yp\u0430l") == "paypal"
    assert latin_skeleton("\U0001d5f6gnore") == "ignore"


@given(st.text(st.characters(exclude_categories=()), max_size=80))
def test_every_text_has_an_answer(text: str) -> None:
    assert all(0 <= start < end <= len(text) for start, end in confusable_words(text))


@given(st.text(st.characters(codec="ascii"), max_size=80))
def test_ascii_deceives_nobody(text: str) -> None:
    assert confusable_words(text) == ()
