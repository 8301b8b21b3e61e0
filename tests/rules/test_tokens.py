"""What is read out of a text: words, stems, negations, quantities, names (contract 12.7, 12.10)."""

from __future__ import annotations

import threading

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from evidence.rules import tokens
from evidence.rules.words import bigrams, lower, plain


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Run the Linter.", ("run", "the", "linter")),
        ("pre-commit hooks", ("pre-commit", "pre", "commit", "hooks")),
        ("e\u0301te\u0301", ("été",)),
        ("Straße STRASSE", ("strasse", "strasse")),
        ("don’t don't", ("don't", "don't")),
        ("the lead's phone", ("the", "lead's", "lead", "phone")),
        ("20,000 at 03:30 on 2027-02-01", ("20000", "at", "03:30", "on", "2027-02-01")),
        ("snake_case and a.b", ("snake_case", "snake", "case", "and", "a.b", "a", "b")),
        ("日志文件", ("日志", "志文", "文件")),
        ("日", ("日",)),
        ("ログ3件", ("ログ", "3", "件")),
        ("C++ and C#", ("c++", "and", "c#")),
        ("Перед релизом", ("перед", "релизом")),
        ("हिन्दी पाठ", ("हिन्दी", "पाठ")),
        ("soft\u00adhyphen", ("softhyphen",)),
        ("**bold** `code` (x)!", ("bold", "code", "x")),
        ("", ()),
        ("... !?", ()),
    ],
)
def test_words(text: str, found: tuple[str, ...]) -> None:
    assert tokens.words(text) == found


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Run the linter before pushing", "en"),
        ("Der Hotfix wird am Freitag ausgerollt", "de"),
        ("Les sauvegardes de la base sont copiées", "fr"),
        ("Los informes se envían por correo", "es"),
        ("I backup vengono copiati sul secondo sito", "it"),
        ("Os backups ficam no servidor", "pt"),
        ("De back-ups worden niet versleuteld", "nl"),
        ("Резервные копии шифруются", "ru"),
        ("日志文件", "en"),
        ("", "en"),
    ],
)
def test_language(text: str, language: str) -> None:
    assert tokens.language_of(text) == language


def test_content_words_leave_out_small_words_of_the_texts_language() -> None:
    assert tokens.content_words("The linter is run before the push") == ("linter", "run", "push")
    assert tokens.content_words("Der Hotfix wird nicht am Freitag ausgerollt") == ("hotfix", "freitag", "ausgerollt")
    assert tokens.content_words("Les sauvegardes ne sont pas copiées") == ("sauvegardes", "copiées")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("deploys", "deploying"),
        ("repo", "repositories"),
        ("synced", "synchronise"),
        ("Approval", "approvals"),
        ("kept", "keeps"),
        ("релизом", "релиза"),
        ("COLOUR", "colors"),
    ],
)
def test_words_of_one_stem(one: str, other: str) -> None:
    assert tokens.stem(one) == tokens.stem(other)


def test_a_stem_belongs_to_its_language() -> None:
    assert tokens.stem("Sicherungen", "de") == tokens.stem("Sicherung", "de")
    assert tokens.stems("Die Sicherungen der Kunden") == tokens.stems("die Sicherung des Kunden", "de")


def test_stems_are_right_from_several_threads_at_once() -> None:
    words = [
        f"{word}{end}" for word in ("deploy", "restor", "reconcil", "migrat") for end in ("ed", "ing", "ation", "es")
    ]
    expected = [tokens.stem.__wrapped__(word) for word in words]
    wrong: list[str] = []

    def check() -> None:
        for _ in range(200):
            wrong.extend(w for w, e in zip(words, expected, strict=True) if tokens.stem.__wrapped__(w) != e)

    threads = [threading.Thread(target=check) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Do not merge", ("not",)),
        ("Don’t merge", ("not",)),
        ("dont merge", ("not",)),
        ("don´t merge", ("not",)),
        ("don＇t merge", ("not",)),
        ("n\u200bever merge", ("never",)),
        ("We can't and won't", ("not", "not")),
        ("cannot", ("not",)),
        ("It is no longer used", ("no longer",)),
        ("It is not used any more", ("no longer",)),
        ("It isn't used anymore", ("no longer",)),
        ("never without a test", ("never", "without")),
        ("Nobody knows nothing", ("no", "no")),
        ("NOT now", ("not",)),
        ("no more than five", ()),
        ("not only the lead", ()),
        ("no later than Friday", ()),
        ("whether or not it runs", ()),
        ("a notable note", ()),
        ("use the no-cache flag", ()),
        ("Der Hotfix wird nicht ausgerollt", ("not",)),
        ("Kein Zugriff für die Entwickler", ("no",)),
        ("Die Tests laufen nicht mehr", ("no longer",)),
        ("Les copies ne sont pas faites", ("not",)),
        ("Il n'est plus utilisé par les équipes", ("no longer",)),
        ("Il ne garde que les logs", ()),
        ("Los informes no se envían", ("not",)),
        ("I backup non vengono mai copiati", ("not", "never")),
        ("Os relatórios não são enviados", ("not",)),
        ("Os backups ficam no servidor", ()),
        ("De tests worden niet gedraaid", ("not",)),
        ("不使用缓存", ("not",)),
        ("没有备份", ("no",)),
        ("不同的版本", ()),
        ("保存しません", ("not",)),
        ("使われない", ("not",)),
        ("Копии не шифруются", ("not",)),
    ],
)
def test_negations(text: str, found: tuple[str, ...]) -> None:
    assert tokens.negations(text) == found


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Deploys go through Buildkite", {"buildkite"}),
        ("Use portal-web and docs/adr", {"portal-web", "docs/adr"}),
        ("Ask in #lantern-incidents or mail ops@lantern.example", {"#lantern-incidents", "ops@lantern.example"}),
        ("Call `make up` in node.js", {"make up", "node.js"}),
        ("See https://lantern.example/a?b=1.", {"https://lantern.example/a?b=1"}),
        ("Set read_only for API and maxRetries", {"read_only", "api", "maxretries"}),
        ("The end-to-end suite is read-only", set()),
        ("It runs on Monday in March", set()),
        ("Keep 20,000 rows for 30 days", set()),
        ("Alle Dienste laufen im Rechenzentrum", set()),
    ],
)
def test_entities(text: str, names: set[str]) -> None:
    assert tokens.entities(text) == names


odd_texts = st.one_of(
    st.text(),
    st.text(alphabet=st.characters(exclude_categories=())),
    st.text(alphabet="0123456789.,:/-%€$ vVhmsdk年月日天不没ないndtar'’\u00ad\n"),
    st.lists(
        st.sampled_from("not no never 5 five Monday 2 days h v1.2 March 03:30 € the A-b once a every".split())
    ).map(" ".join),
)


@given(odd_texts)
@example("İ")
@example("\ud800")
@example("1" * 5000)
@example("a-" * 3000)
def test_every_text_is_read(text: str) -> None:
    tokens.stems(text)
    tokens.entities(text)
    clear = plain(text)
    assert len(lower(clear)) == len(clear)
    assert all(word for word in tokens.words(text))
    for start, end in [found[-2:] for found in tokens.quantity_spans(text)] + [
        found[-2:] for found in tokens.negation_spans(text)
    ]:
        assert 0 <= start < end <= len(clear)


@given(st.text(alphabet="日志文件ログ", min_size=2))
def test_bigrams_cover_a_run(run: str) -> None:
    pairs = bigrams(run)
    assert pairs[0][0] + "".join(pair[-1] for pair in pairs) == run
