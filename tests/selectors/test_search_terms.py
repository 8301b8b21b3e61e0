"""What each term of a search finds. The same on both databases."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from evidence.models import HeldRecord, User
from evidence.rules.search import FIELDS
from evidence.rules.vocab import Action, Role
from evidence.selectors.planning import label_preview, source_date
from evidence.selectors.queue import QueueFilter, count, listing
from evidence.selectors.search_terms import Asking, condition
from evidence.services.clustering import place as place_in_clusters
from tests.selectors.rows import found, held_rows
from tests.services import make

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


@pytest.fixture
def reviewer() -> User:
    return make.reviewer()


def row(statement: str, **columns: object) -> HeldRecord:
    (made,) = held_rows(1, **({"statement": statement, "statement_key": statement} | columns))  # type: ignore[arg-type]
    return made


COLUMNS = [
    ("risk:high", {"risk": "high"}, {"risk": "low"}),
    ("risk:high,low", {"risk": "high"}, {"risk": "medium"}),
    ("-risk:high", {"risk": "low"}, {"risk": "high"}),
    ("kind:article", {"kind": "promotion_proposal"}, {"kind": "held_evidence"}),
    ("match:conflict", {"match_kind": "ambiguous"}, {"match_kind": "updates_existing"}),
    ("-match:conflict", {"match_kind": "new"}, {"match_kind": "supersedes_existing"}),
    ("match:new,updates", {"match_kind": "updates_existing"}, {"match_kind": "duplicate"}),
    ("ns:team", {"namespace": "team"}, {"namespace": "Team"}),
    ("by:ada", {"filed_by": "ada"}, {"filed_by": "adam"}),
    ("trust:internal", {"trust": "internal"}, {"trust": "external"}),
    ("class:repository_text", {"effective_trust_class": "repository_text"}, {"trust_class": "repository_text"}),
    ("flag:echo", {"flags": ["echo"]}, {"flags": ["source_burst"]}),
    ("flag:echo,source_burst", {"flags": ["source_burst", "bidi_controls"]}, {"flags": []}),
    ("-flag:echo", {"flags": []}, {"flags": ["bidi_controls", "echo"]}),
    ("is:flagged", {"flags": ["echo"]}, {"flags": []}),
    ("-is:flagged", {"flags": []}, {"flags": ["echo"]}),
    ("is:unverified", {"verification_status": "pending"}, {"verification_status": "verified"}),
    ("agent:other", {"of": "other"}, {"of": "another"}),
    ("agent:other,third", {"of": "third"}, {"of": "another"}),
    ("-agent:other", {"of": "another"}, {"of": "other"}),
    ("status:rejected", {"status": "rejected"}, {"status": "waiting"}),
    ("-status:waiting", {"status": "expired"}, {"status": "waiting"}),
    ("status:rejected,approved -status:approved", {"status": "rejected"}, {"status": "approved"}),
    ("risk:high match:new kind:fact", {"risk": "high"}, {"risk": "high", "match_kind": "ambiguous"}),
]


@pytest.mark.parametrize(("text", "hit", "miss"), COLUMNS)
def test_a_term_finds_what_it_says_and_nothing_else(
    reviewer: User, text: str, hit: dict[str, object], miss: dict[str, object]
) -> None:
    row("Hit.", **hit)
    row("Miss.", **miss)
    assert found(reviewer, text, timezone.now()) == ["Hit."]


TIMES = [
    ("age:>3d", {"created_at": -4}, {"created_at": -2}),
    ("age:<12h", {"created_at": -0.4}, {"created_at": -0.6}),
    ("-age:>3d", {"created_at": -2}, {"created_at": -4}),
    ("expires:<2d", {"expires_at": 1}, {"expires_at": 3}),
    ("expires:<2d", {"expires_at": 1}, {"expires_at": -1}),
    ("expires:>2d", {"expires_at": 3}, {"expires_at": 1}),
    ("-expires:<2d", {}, {"expires_at": 1}),
    ("is:expiring", {"expires_at": 1.9}, {"expires_at": 2.1}),
    ("is:snoozed", {"snoozed_until": 1}, {"snoozed_until": -1}),
    ("-is:snoozed", {"snoozed_until": -1}, {"snoozed_until": 1}),
]


@pytest.mark.parametrize(("text", "hit", "miss"), TIMES)
def test_times_count_from_now(reviewer: User, text: str, hit: dict[str, float], miss: dict[str, float]) -> None:
    now = timezone.now()
    for statement, days in (("Hit.", hit), ("Miss.", miss)):
        row(statement, **{name: now + timedelta(days=number) for name, number in days.items()})
    assert found(reviewer, text, now) == ["Hit."]


def test_leases_are_of_now_and_of_somebody(reviewer: User) -> None:
    now, soon = timezone.now(), timezone.now() + timedelta(minutes=1)
    row("Mine.", lease_holder=reviewer, lease_until=soon)
    row("Hers.", lease_holder=make.reviewer("ada"), lease_until=soon)
    row("Over.", lease_holder=make.reviewer("ada"), lease_until=now - timedelta(seconds=1))
    assert found(reviewer, "is:leased", now) == ["Mine.", "Hers."]
    assert found(reviewer, "is:mine", now) == ["Mine."]
    assert found(reviewer, "is:leased -is:mine", now) == ["Hers."]
    assert found(reviewer, "-is:leased", now) == ["Over."]
    assert found(reviewer, "is:leased,snoozed risk:medium", now) == ["Mine.", "Hers."]


def test_a_first_approval_counts_for_what_was_approved(reviewer: User) -> None:
    row("Given.", first_approver=reviewer, first_approval_version=1, version=1)
    row(
        "Same text.",
        first_approver=reviewer,
        first_approval_version=1,
        version=2,
        first_approval_hash="h",
        content_hash="h",
    )
    row(
        "Changed.",
        first_approver=reviewer,
        first_approval_version=1,
        version=2,
        first_approval_hash="h",
        content_hash="x",
    )
    row("None.")
    assert found(reviewer, "is:first-approved", timezone.now()) == ["Given.", "Same text."]


def test_labels_are_those_that_an_approval_would_give(reviewer: User) -> None:
    now = timezone.now()
    shapes: list[dict[str, object]] = [
        {"event_at": make.days_ago(1), "volatility": "stable"},
        {"event_at": make.days_ago(1), "volatility": "billing"},
        {"event_at": make.days_ago(9), "volatility": "billing"},
        {"event_at": "", "volatility": "billing"},
        {"event_at": make.days_ago(9), "check_at": make.days_ago(1), "volatility": "outage"},
    ]
    made = [make.proposal(statement=f"Claim number {place}.", **shape) for place, shape in enumerate(shapes)]
    expected: dict[str, set[str]] = {}
    for held in made:
        at = source_date(held, now)
        word = str(label_preview(held, at, now).label) if at else "unverified"
        expected.setdefault(word, set()).add(held.statement)
    row("An article.", kind="promotion_proposal")
    row("A capture.", kind="held_evidence", event_at=now)
    expected.setdefault("approved", set()).add("An article.")
    expected["unverified"].add("A capture.")
    assert set(expected) == {"approved", "verified", "stale", "unverified"}
    for word, texts in expected.items():
        assert set(found(reviewer, f"label:{word}", now)) == texts, word


def test_sources_are_compared_by_their_beginning_and_exactly(reviewer: User) -> None:
    make.proposal(statement="Backups run at two.", evidence=(make.inline("Backups run at two.", thread="t_1"),))
    make.proposal(statement="Backups run at six.", evidence=(make.inline("Backups run at six.", thread="tx1"),))
    now = timezone.now()
    assert found(reviewer, "source:session:ops-agent/t_1", now) == ["Backups run at two."]
    assert found(reviewer, "source:t_1", now) == ["Backups run at two."]
    assert len(found(reviewer, "source:session:ops-agent", now)) == 2
    assert found(reviewer, "source:session:Ops-agent", now) == []
    assert found(reviewer, "-source:t_1", now) == ["Backups run at six."]
    held = HeldRecord.objects.get(statement="Backups run at two.")
    held.links.update(unlinked_at=now)
    assert found(reviewer, "source:t_1", now) == []


def test_history_is_what_was_decided_on_the_same_claim(reviewer: User) -> None:
    for value in ("active", "past due"):
        held = make.proposal(statement=f"The account is {value}.", claim=make.claim(value))
        if value == "active":
            make.act(held, reviewer, Action.REJECT, reason_code="wrong")
    make.proposal(statement="Backups run at two.")
    repeated = make.proposal(statement="Offices close at six.")
    row("Offices close at six.", statement_key=repeated.statement_key, status="rejected")
    now = timezone.now()
    assert set(found(reviewer, "has:history", now)) == {"The account is past due.", "Offices close at six."}
    assert found(reviewer, "-has:history", now) == ["Backups run at two."]


def test_the_same_is_said_by_claim_else_by_statement(reviewer: User) -> None:
    first = make.proposal(statement="The account is past due.", claim=make.claim("past due"))
    make.proposal(of=make.agent("other"), statement="Vendor account: past due", claim=make.claim("past due"))
    make.proposal(of=make.agent("third"), statement="The account is active.", claim=make.claim("active"))
    now = timezone.now()
    assert found(reviewer, f"same:{first.id}", now) == ["Vendor account: past due"]
    assert found(reviewer, f"same:{uuid.uuid4()}", now) == []
    stranger = make.user("stranger", Role.REVIEWER, of=make.agent("other"))
    assert found(stranger, f"same:{first.id}", now) == []


def test_a_cluster_is_found_by_any_of_its_members(reviewer: User) -> None:
    texts = [
        "Portal logs are kept for 7 days.",
        "We keep the logs of the portal for 7 days.",
        "Portal logs are kept for 9 days.",
    ]
    made = [make.proposal(make.agent(f"agent-{place}"), text) for place, text in enumerate(texts)]
    for held in made:
        place_in_clusters(held_id=held.pk)
    now = timezone.now()
    assert set(found(reviewer, f"cluster:{made[0].id}", now)) == set(texts[:2])
    assert set(found(reviewer, f"cluster:{made[1].id}", now)) == set(texts[:2])
    assert found(reviewer, f"cluster:{made[2].id}", now) == []
    assert found(reviewer, f"-cluster:{made[0].id}", now) == [texts[2]]
    assert count(reviewer, QueueFilter(f"cluster:{made[0].id}"), now).number == 2
    stranger = make.user("stranger", Role.REVIEWER, of=make.agent("agent-1"))
    assert found(stranger, f"cluster:{made[0].id}", now) == []
    assert found(stranger, f"cluster:{made[1].id}", now) == [texts[1]]


def test_any_status_is_all_of_them(reviewer: User) -> None:
    for status in ("waiting", "rejected", "expired"):
        row(f"{status}.", status=status)
    now = timezone.now()
    assert found(reviewer, "status:any", now) == ["expired.", "rejected.", "waiting."]
    assert found(reviewer, "status:any,waiting", now) == ["expired.", "rejected.", "waiting."]
    assert found(reviewer, "-status:any", now) == []
    assert found(reviewer, "status:waiting status:rejected", now) == []


@pytest.mark.parametrize("name", [name for name in FIELDS if name != "status"])
def test_every_field_of_the_language_is_translated(reviewer: User, name: str) -> None:
    field = FIELDS[name]
    words = [word for word in field.words if word != "any"] or [
        field.example.split(":", 1)[1].replace("0192f1e2-…", str(uuid.uuid4()))
    ]
    asking = Asking.of(reviewer, timezone.now())
    for word in words:
        for minus in ("", "-"):
            (term,) = QueueFilter(f"{minus}{name}:{word}").search.terms
            assert list(HeldRecord.objects.filter(condition(term, asking))) == []


def test_what_a_person_may_not_see_is_found_by_no_search() -> None:
    row("Mine: the lighthouse.", of="ops-agent")
    row("Not mine: the lighthouse.", of="other")
    stranger = make.user("stranger", Role.REVIEWER, of=make.agent("ops-agent"))
    nobody = make.user("nobody")
    now = timezone.now()
    texts = [
        "", "lighthouse", "status:any", "-risk:low", "agent:ops-agent,other", "-agent:third", "lighthouse status:any",
        "-agent:ops-agent", "is:unverified", "age:<1d", "-lighthouse", "not", "agent:other lighthouse",
    ]  # fmt: skip
    for text in texts:
        assert all(statement.startswith("Mine") for statement in found(stranger, text, now)), text
        assert found(nobody, text, now) == [], text
    assert listing(stranger, QueueFilter("lighthouse"), now).rows != []
