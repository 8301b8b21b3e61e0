"""Topic keys (contract 7, 12.10): a rewording keeps the key, another proposition has another, and no text breaks it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.rules.matching import match, match_key
from evidence.rules.records import Candidate, Claim, MemoryRecord, Reach
from evidence.rules.text import norm
from evidence.rules.vocab import MatchKind

Said = tuple[str, tuple[str, ...]]

SAME: dict[str, list[tuple[str, str]]] = {
    "case and punctuation": [
        ("Sign every tag with the team key", "SIGN EVERY TAG, with the team key!"),
        ("Sign every tag with the team key", "  sign  every\ttag with the **team** key."),
        ("Don't push to main", "Don’t push to main"),
        ("The STRASSE field is required", "The straße field is required"),
    ],
    "word order": [
        ("Price lists are mailed every Monday", "Every Monday price lists are mailed"),
        ("Engineers review migrations of the ledger", "Migrations of the ledger are reviewed by engineers"),
        ("The portal's cache lives in Frankfurt", "In Frankfurt lives the cache of the portal"),
        ("Großkunden erhalten innerhalb eines Tages Antwort", "Innerhalb eines Tages erhalten Großkunden Antwort"),
    ],
    "forms of words and numbers": [
        ("Deploys are approved by leads", "A deploy is approved by the lead"),
        ("pre-commit hooks are run", "pre commit hooks run"),
        ("Retry the upload five times", "Retry the upload 5 times"),
        ("Sessions expire after 2 days", "Sessions expire after 48 hours"),
        ("The e-mail db", "The email database"),
    ],
    "what contradicts meets": [
        ("Backups are encrypted at rest", "Backups are not encrypted at rest"),
        ("Backups are encrypted at rest", "Backups are no longer encrypted at rest"),
        ("The API calls the worker", "The worker calls the API"),
        ("Use pnpm instead of yarn", "Use pnpm, not yarn"),
        ("On ne publie plus le rapport", "On publie le rapport"),
        ("测试环境不使用真实数据", "测试环境使用真实数据"),
    ],
    "what comes behind the first six words": [
        (
            "Nightly exports of supplier price lists skip rows without an article number",
            "Nightly exports of supplier price lists skip rows that nobody ordered",
        ),
    ],
    "letters of one sound": [
        ("Le café ouvre tôt", "Le cafe\u0301 ouvre to\u0302t"),
        ("バックアップの保存", "バックアップの保存。"),
        ("Проверка перед релизом", "ПРОВЕРКА перед релизом"),
    ],
    "values alone": [("5 times", "five times"), ("2 days", "48 hours")],
    "nothing but small words": [("It is what it is", "it is what IT is."), ("the", "The"), ("", "  ")],
}

OTHER: dict[str, list[tuple[str, str]]] = {
    "another proposition": [
        ("Host 12 of the fleet has a fan", "Host 13 of the fleet has a fan"),
        ("The exporter retries 3 times", "The exporter retries 5 times"),
        ("Sign every release tag with the team key", "Feature branches carry the ticket number"),
        ("Keep 30 days of backups", "Keep 5 copies of backups"),
        ("The portal is cached", "The portal is deployed"),
        ("Run the exporter", "Run the scanner"),
        ("The cache is flushed at night", "The cache is copied at night"),
        ("Errors go to Sentry", "Invoices go to Sentry"),
    ],
    "scripts": [
        ("日志清理", "安全手册"),
        ("日志", "手册"),
        ("Проверка перед релизом", "Проверка лицензий"),
        ("गेटवे चालू है", "पोर्टल बंद है"),
        ("백업 저장", "로그 저장"),
        ("القاعدة الأولى", "التقرير الأول"),
    ],
    "no words": [("...", "!"), ("", "..."), ("🚀", "🔥"), ("It is what it is", "Be that as it may"), ("5", "7")],
    "values alone": [("5 times", "7 times"), ("8080", "8443"), ("2 days", "3 days")],
}


def _key(statement: str, *tags: str, rule_type: str = "", profile: str = "default", reach: Reach | None = None) -> str:
    return match_key(Candidate("c", statement, tags=tags, rule_type=rule_type, profile=profile, reach=reach))


@pytest.mark.parametrize(("reason", "one", "other"), [(name, *pair) for name, pairs in SAME.items() for pair in pairs])
def test_must_share(reason: str, one: str, other: str) -> None:
    assert _key(one, "git") == _key(other, "git")


@pytest.mark.parametrize(("reason", "one", "other"), [(name, *pair) for name, pairs in OTHER.items() for pair in pairs])
def test_must_not_share(reason: str, one: str, other: str) -> None:
    assert _key(one, "git") != _key(other, "git")


TEXT = "Sign every release tag with the team key"


@pytest.mark.parametrize(
    ("tags", "others", "same"),
    [
        (("git",), ("git",), True),
        (("git",), ("Git ",), True),
        (("git",), ("#git",), True),
        (("git",), ("workflow", "git"), True),
        (("git",), ("Avoid_Pattern", "TESTING", "git", "ci"), True),
        (("git",), ("avoid-pattern", "git"), True),
        (("git",), ("", " ", "git"), True),
        (("git",), ("supersedes:m-8", "git"), True),
        (("load_tests",), ("Load tests",), True),
        (("webhooks",), ("webhook",), True),
        ((), ("workflow",), True),
        ((), ("Supersede", "note", "tool", "general"), True),
        (("git",), (), False),
        (("git",), ("ci",), False),
        (("git", "ci"), ("ci", "git"), False),
        (("c",), ("c++",), False),
        (("工具",), ("日志",), False),
        (("🚀",), ("🔥",), False),
    ],
)
def test_the_first_specific_tag_counts(tags: tuple[str, ...], others: tuple[str, ...], same: bool) -> None:
    assert (_key(TEXT, *tags) == _key(TEXT, *others)) is same


@pytest.mark.parametrize(
    ("change", "same"),
    [
        ({"rule_type": "Preference "}, True),
        ({"rule_type": "convention"}, False),
        ({"profile": " DEFAULT"}, True),
        ({"profile": "other"}, False),
        ({"reach": Reach("PROJECT", " kestrel")}, True),
        ({"reach": Reach("project", "osprey")}, False),
        ({"reach": None}, False),
    ],
)
def test_the_other_parts_of_the_key(change: dict[str, object], same: bool) -> None:
    parts = {"rule_type": "preference", "reach": Reach("project", "kestrel")}
    assert (_key(TEXT, **parts) == _key(TEXT, **{**parts, **change})) is same  # type: ignore[arg-type]


def test_a_claim_and_a_topic_never_share() -> None:
    claimed = match_key(Candidate("c", TEXT, claim=Claim("sign", "release", "x")))
    assert claimed != _key(TEXT)
    assert claimed == match_key(MemoryRecord("m", "Other words", claim=Claim(" SIGN", "Release", "y")))


def test_another_value_has_another_key_and_is_met_all_the_same() -> None:
    one, other = "The exporter retries 3 times", "The exporter retries 5 times"
    assert _key(one) != _key(other)
    assert match(Candidate("c", one), [MemoryRecord("m", other)]).kind == MatchKind.POTENTIAL_CONFLICT


texts = st.one_of(st.text(max_size=30), st.text(alphabet=st.characters(exclude_categories=()), max_size=20))


@given(texts, st.lists(texts, max_size=3), texts, texts)
def test_every_text_has_a_key_that_can_be_stored(statement: str, tags: list[str], rule_type: str, profile: str) -> None:
    key = _key(statement, *tags, rule_type=rule_type, profile=profile)
    assert "\0" not in key
    key.encode()
    assert key == _key(statement, *tags, rule_type=rule_type, profile=profile)


@given(st.text(alphabet="abcdé ßİ日本\u0301'-", max_size=20))
def test_normal_forms_share(statement: str) -> None:
    assert _key(statement) == _key(norm(statement))
