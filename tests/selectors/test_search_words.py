"""Words: what they find, that the index follows every change of the items, and that no text is an error. On both databases."""

from __future__ import annotations

import pytest
from django.db import connection, transaction
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evidence.models import HeldRecord, User, heldwords
from evidence.rules.vocab import Action, Role
from evidence.selectors import queue_pages, search_words
from evidence.selectors.queue import QueueFilter, count, listing, next_candidate
from tests.selectors.rows import found, held_rows, statements
from tests.services import make

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]

TEXTS = {
    "account": "The vendor’s account is past due.",
    "backups": "Backups run at two, on harbor-api 3.12.",
    "german": "Der Ärger mit der Straße beginnt früh.",
    "hebrew": "השלום בא",
    "japanese": "請求書の期限が切れています。",
    "hindi": "हिन्दी में लिखा",
    "markup": '<img src=x onerror="alert(1)"> 100% of _all_ {{ things }}',
}

FINDS = [
    ("past due", ["account"]),
    ("due past", ["account"]),
    ("PAST", ["account"]),
    ("pas", ["account"]),
    ("pa", []),
    ("as", []),
    ('"past due"', ["account"]),
    ('"due past"', []),
    ('"past du"', []),
    ("vendor", ["account"]),
    ("vendor’s", ["account"]),
    ("past backups", []),
    ("harbor-api", ["backups"]),
    ("harbor", ["backups"]),
    ("api", ["backups"]),
    ("api-harbor", []),
    ('"two, on"', ["backups"]),
    ("3.12", ["backups"]),
    ("ärger", ["german"]),
    ("ÄRGER", ["german"]),
    ("straße", ["german"]),
    ("השלום", ["hebrew"]),
    ("期限", ["japanese"]),
    ("期", ["japanese"]),
    ('"期限 切"', []),
    ("हिन्दी", ["hindi"]),
    ("onerror", ["markup"]),
    ("100%", ["markup"]),
    ("%all", ["markup"]),
    ("a_l", []),
    ("-past", ["backups", "german", "hebrew", "hindi", "japanese", "markup"]),
    ("run -harbor", []),
    ("run -account", ["backups"]),
    ('run -"two on"', []),
    ("run -期限", ["backups"]),
    ("-期限 -past -run -onerror", ["german", "hebrew", "hindi"]),
    ("past risk:high", []),
    ("past risk:medium", ["account"]),
    ("past status:rejected", []),
    ("past -agent:ops-agent", []),
    ("run:now", []),
]


@pytest.fixture
def reviewer() -> User:
    return make.reviewer()


@pytest.fixture
def rows(reviewer: User) -> dict[str, HeldRecord]:
    return {name: held_rows(1, statement=text)[0] for name, text in TEXTS.items()}


@pytest.mark.parametrize(("text", "names"), FINDS)
def test_words_find_what_they_say(reviewer: User, rows: dict[str, HeldRecord], text: str, names: list[str]) -> None:
    now = timezone.now()
    assert sorted(found(reviewer, text, now)) == sorted(TEXTS[name] for name in names)
    assert count(reviewer, QueueFilter(text), now).number == len(names)
    item = next_candidate(reviewer, QueueFilter(text), now)
    assert (item.statement in [TEXTS[name] for name in names]) if item else not names


def test_words_are_looked_for_in_the_claim_and_the_foreign_id_too(reviewer: User) -> None:
    held_rows(1, statement="It is late.", claim_subject="lighthouse", claim_value="dark", origin_id="fp_2026/17")
    now = timezone.now()
    assert [found(reviewer, text, now) for text in ("lighthouse", "dark", "fp_2026/17", "17")] == [["It is late."]] * 4


def test_an_id_finds_its_item(reviewer: User, rows: dict[str, HeldRecord]) -> None:
    wanted, now = rows["backups"], timezone.now()
    assert found(reviewer, str(wanted.id), now) == [wanted.statement]
    assert found(reviewer, wanted.id.hex, now) == [wanted.statement]
    assert found(reviewer, f"{wanted.id} risk:high", now) == []
    assert found(reviewer, f"-{wanted.id} run", now) == []
    stranger = make.user("stranger", Role.REVIEWER, of=make.agent("other"))
    assert found(stranger, str(wanted.id), now) == []


def test_the_newest_match_comes_first(reviewer: User) -> None:
    held_rows(4, statement="One light.", priority=1)
    (newest,) = held_rows(1, statement="Another light.", priority=9)
    assert listing(reviewer, QueueFilter("light"), timezone.now()).rows[0] == newest


def test_the_index_follows_every_change(reviewer: User) -> None:
    now = timezone.now()
    held = make.proposal(statement="The lighthouse is dark.")
    assert found(reviewer, "lighthouse", now) == ["The lighthouse is dark."]
    HeldRecord.objects.filter(pk=held.pk).update(statement="The windmill is dark.")
    assert found(reviewer, "lighthouse", now) == []
    assert found(reviewer, "windmill", now) == ["The windmill is dark."]
    held.refresh_from_db()
    make.act(held, reviewer, Action.REJECT, reason_code="wrong")
    assert found(reviewer, "windmill", now) == []
    assert found(reviewer, "windmill status:rejected", now) == ["The windmill is dark."]
    make.agent("other")
    HeldRecord.objects.filter(pk=held.pk).update(agent="other")
    assert found(reviewer, "windmill status:any agent:other", now) == ["The windmill is dark."]
    (bare,) = held_rows(1, statement="A windmill of no evidence.")
    bare.delete()
    assert found(reviewer, "windmill status:any", now) == ["The windmill is dark."]


def test_risk_kind_and_match_are_settled_by_the_index_too(reviewer: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """A common word and a rare risk: only rows that have both are looked at, so that no page is cut short."""
    (rare,) = held_rows(
        1, statement="billing rare", risk="high", kind="promotion_proposal", match_kind="potential_conflict"
    )
    common = held_rows(40, statement="billing often", risk="low")
    monkeypatch.setattr(queue_pages, "SCAN_LIMIT", 2)
    monkeypatch.setattr(queue_pages, "FIRST_CHUNK", 2)
    now = timezone.now()
    for asked in (
        "risk:high",
        "risk:high,medium",
        "match:conflict",
        "match:potential_conflict kind:promotion_proposal",
    ):
        page = listing(reviewer, QueueFilter(f"billing {asked}"), now)
        assert (page.rows, page.stopped_after) == ([rare], None), asked
    HeldRecord.objects.filter(pk=common[3].pk).update(risk="high")
    HeldRecord.objects.filter(pk=rare.pk).update(risk="low")
    for asked in ("risk:high", "kind:fact_proposal risk:high", "risk:high -match:conflict"):
        assert listing(reviewer, QueueFilter(f"billing {asked}"), now).rows == [common[3]], asked
    assert found(reviewer, "billing risk:medium", now) == []


def test_what_is_rolled_back_is_found_by_nobody(reviewer: User) -> None:
    with transaction.atomic():
        held_rows(1, statement="The lighthouse is dark.")
        transaction.set_rollback(True)
    assert found(reviewer, "lighthouse", timezone.now()) == []


def test_what_is_missing_is_put_back_and_filled(reviewer: User) -> None:
    now = timezone.now()
    held_rows(1, statement="The first lighthouse.")
    assert heldwords.missing(connection) == []
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(f"DROP TRIGGER {heldwords.FTS}_insert")
        else:
            cursor.execute(f"DROP TRIGGER {heldwords.FTS}_row ON {heldwords.HELD}")
    held_rows(1, statement="The second lighthouse.")
    assert heldwords.missing(connection) != []
    assert found(reviewer, "lighthouse", now) == ["The first lighthouse."]
    heldwords.install(connection)
    assert heldwords.missing(connection) == []
    assert found(reviewer, "lighthouse", now) == ["The second lighthouse.", "The first lighthouse."]
    HeldRecord.objects.filter(statement__startswith="The first").update(statement="The first windmill.")
    assert found(reviewer, "lighthouse", now) == ["The second lighthouse."]


def test_pages_of_words_lose_and_repeat_nothing(reviewer: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue_pages, "FIRST_CHUNK", 7)
    monkeypatch.setattr(search_words, "WINDOW", 5)
    made = held_rows(30, statement="A light.") + held_rows(5, statement="A light.", of="other")
    now, wanted = timezone.now(), QueueFilter("light -by:nobody")
    seen: list[HeldRecord] = []
    after = ""
    while True:
        page = listing(reviewer, wanted, now, after=after, limit=4)
        seen += page.rows
        HeldRecord.objects.filter(pk__in=[row.pk for row in page.rows[::2]]).update(status="rejected")
        held_rows(1, statement="A later light.")
        after = page.after
        if not after:
            break
    assert [row.pk for row in seen] == [row.pk for row in reversed(made)]


@pytest.mark.parametrize("window", [3, 20_000])
def test_pages_of_words_go_back_the_way_they_came(reviewer: User, monkeypatch: pytest.MonkeyPatch, window: int) -> None:
    monkeypatch.setattr(search_words, "WINDOW", window)
    held_rows(11, statement="A light.")
    now, wanted = timezone.now(), QueueFilter("light")
    pages = [listing(reviewer, wanted, now, limit=4)]
    while pages[-1].after:
        pages.append(listing(reviewer, wanted, now, after=pages[-1].after, limit=4))
    assert [len(page.rows) for page in pages] == [4, 4, 3]
    back = listing(reviewer, wanted, now, before=pages[2].before, limit=4)
    assert back.rows == pages[1].rows
    assert listing(reviewer, wanted, now, before=back.before, limit=4).rows == pages[0].rows
    assert listing(reviewer, wanted, now, after=back.after, limit=4).rows == pages[2].rows


def test_a_search_that_looks_at_too_much_says_so_and_goes_on(reviewer: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue_pages, "SCAN_LIMIT", 10)
    monkeypatch.setattr(queue_pages, "FIRST_CHUNK", 5)
    made = held_rows(25, statement="A light.")
    wanted = [made[1], made[24]]
    HeldRecord.objects.filter(pk__in=[row.pk for row in wanted]).update(filed_by="ada")
    now, seen, looks, after = timezone.now(), [], 0, ""
    while True:
        page = listing(reviewer, QueueFilter("light by:ada"), now, after=after, limit=4)
        seen, looks, after = seen + page.rows, looks + 1, page.after
        if not after:
            break
        assert page.stopped_after == 10
    assert (seen, looks) == ([made[24], made[1]], 3)


HOSTILE = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=30),
    st.lists(
        st.sampled_from(
            ['"', "'", "*", "(", ")", "-", ":", "^", "AND", "OR", "NOT", "NEAR", "{words}", "words :", "&", "|", "!", "<->", "\\",
             ";", "--", "%", "_", "é", "期限", "light", "\u202e", "\u200b", "🫶", "𝒶", "ﷺ"]
        ),
        max_size=8,
    ).map(" ".join),
)  # fmt: skip


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(HOSTILE)
def test_no_text_is_an_error(reviewer: User, text: str) -> None:
    now = timezone.now()
    listing(reviewer, QueueFilter(text), now)
    listing(reviewer, QueueFilter(f"light {text}"), now)
    count(reviewer, QueueFilter(text), now)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=40))
def test_any_statement_can_be_stored_and_its_other_words_found(reviewer: User, text: str) -> None:
    with transaction.atomic():
        held_rows(1, statement=f"{text} lighthouse {'x' * 1500}")
        assert len(found(reviewer, "lighthouse", timezone.now())) == 1
        transaction.set_rollback(True)


def test_statements_are_listed_as_they_are(rows: dict[str, HeldRecord], reviewer: User) -> None:
    assert sorted(statements(listing(reviewer, QueueFilter(), timezone.now()).rows)) == sorted(TEXTS.values())
