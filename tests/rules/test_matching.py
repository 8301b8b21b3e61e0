"""The match kinds in the contract's order, keys, supersession, structured claims (contract 7, 12.8, 12.9, 12.18)."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.rules.matching import Match, match, match_key, named_ids
from evidence.rules.records import Approval, Candidate, Check, Claim, MemoryRecord, Reach
from evidence.rules.vocab import MatchKind

RULE = "Run the linter and unit tests before pushing a branch"
REACH = Reach("project", "kestrel")
CANDIDATE = Candidate("c-1", RULE, tags=("ci",), rule_type="workflow", profile="kestrel", reach=REACH)
RECORD = MemoryRecord("m-1", RULE, tags=("ci",), rule_type="workflow", profile="kestrel", reach=REACH)


def said(statement: str, existing: str, *, same_key: bool = True) -> Match:
    return match(replace(CANDIDATE, statement=statement), [replace(RECORD, statement=existing)], same_key=same_key)


@pytest.mark.parametrize(
    ("statement", "existing", "kind"),
    [
        (RULE, RULE.upper() + " !", "duplicate"),
        ("Retry uploads **five times** before an alert", "Retry uploads 5 times before an alert", "duplicate"),
        (f"Do not {RULE.lower()}", RULE, "potential_conflict"),
        ("Retry uploads 5 times before an alert", "Retry uploads 3 times before an alert", "potential_conflict"),
        ("Run retries in the client instead of the proxy, now", "Retries run in the proxy", "potential_conflict"),
        ("Feature flags expire in March", "Log files are rotated by the agent", "new"),
        ("日志文件在每周日自动清理", "新成员入职时先阅读安全手册", "new"),
        ("...", "...", "new"),
        ("Updated the escalation page with weekend contacts", "The escalation page names contacts", "updates_existing"),
        ("The checklist now includes a named observer", "The checklist names the owner", "updates_existing"),
        ("Adding the audit service to the restore drill", "The restore drill covers the ledger", "updates_existing"),
        (
            "Dependency updates are merged by the lead, as agreed",
            "Dependency updates are merged",
            "strengthens_existing",
        ),
        (
            "Pull requests touching billing get a second reader",
            "Billing pull requests get a reader",
            "strengthens_existing",
        ),
        (
            "The knowledge base answers billing questions too",
            "The knowledge base answers questions",
            "strengthens_existing",
        ),
    ],
)
def test_kinds_of_plain_statements(statement: str, existing: str, kind: str) -> None:
    found = said(statement, existing)
    assert found.kind == kind
    assert found.matched == (() if kind == "new" else ("m-1",))


def test_a_conflict_says_by_what() -> None:
    assert said("Deploys go through Buildkite", "Deploys go through Jenkins").cues == (
        "name",
        "another name: “Buildkite” and “Jenkins”",
    )


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        ({}, "duplicate"),
        ({"profile": "KESTREL "}, "duplicate"),
        ({"profile": "osprey"}, "new"),
        ({"reach": Reach("Project", " Kestrel")}, "duplicate"),
        ({"reach": Reach("project", "osprey")}, "new"),
        ({"reach": Reach("global", "kestrel")}, "new"),
        ({"reach": None}, "new"),
        ({"rule_type": "preference"}, "duplicate"),
        ({"tags": ("testing", "Workflow")}, "duplicate"),
        ({"status": "superseded"}, "new"),
        ({"status": "odd"}, "new"),
        ({"kind": "article"}, "new"),
        ({"kind": "article", "approval": Approval("ana", "2026-01-01T00:00:00Z")}, "duplicate"),
        ({"kind": "derived"}, "new"),
        ({"kind": "observation"}, "new"),
        ({"kind": "observation", "check": Check("2026-01-01T00:00:00Z")}, "duplicate"),
        ({"statement": "Linter and unit tests are run before a branch is pushed"}, "strengthens_existing"),
        ({"statement": "Feature branches carry the ticket number"}, "new"),
    ],
)
def test_which_record_is_met(change: dict[str, object], kind: str) -> None:
    assert match(CANDIDATE, [replace(RECORD, **change)]).kind == kind  # type: ignore[arg-type]


def test_same_key_skips_the_key_but_not_the_profile() -> None:
    other = replace(RECORD, reach=Reach("project", "osprey"))
    assert match(CANDIDATE, [other], same_key=True).kind == MatchKind.DUPLICATE
    assert match(CANDIDATE, [replace(RECORD, profile="osprey")], same_key=True).kind == MatchKind.NEW


def test_two_active_records_are_ambiguous_even_where_one_is_the_same() -> None:
    twin, gone = replace(RECORD, id="m-2"), replace(RECORD, id="m-3", status="deleted")
    found = match(CANDIDATE, [RECORD, twin, gone])
    assert (found.kind, found.matched) == (MatchKind.AMBIGUOUS, ("m-1", "m-2"))


def test_observations_count_only_where_nothing_is_curated_and_the_newest_of_them() -> None:
    old = replace(RECORD, id="o-1", kind="observation", check=Check("2026-01-01T00:00:00Z"))
    new = replace(RECORD, id="o-2", kind="observation", check=Check("2026-02-01T00:00:00Z"))
    assert match(CANDIDATE, [old, new]).matched == ("o-2",)
    assert match(CANDIDATE, [old, RECORD, new]).matched == ("m-1",)


@pytest.mark.parametrize(
    ("statement", "supersedes", "tags", "found"),
    [
        ("Hooks run it", ("m-7",), (), ("m-7",)),
        ("Hooks run it", ("m-404", "m-8", "m-7"), (), ("m-8", "m-7")),
        ("Hooks run it", ("m-404",), (), ()),
        ("Hooks run it", ("M-7",), (), ()),
        ("Hooks run it; supersedes m-7", (), (), ("m-7",)),
        ("Hooks run it. SUPERSEDES m-7.", (), (), ("m-7",)),
        ("This superseded m-7 and m-8 at once", (), (), ("m-7", "m-8")),
        ("Supersedes: m-7, m-8", (), (), ("m-7", "m-8")),
        ("supersedes m-70", (), (), ()),
        ("supersedes the older rule m-7", (), (), ()),
        ("see m-7", (), (), ()),
        ("Hooks run it", (), ("supersedes:m-8",), ("m-8",)),
        ("Hooks run it", ("", "m-7", "m-7"), (), ("m-7",)),
    ],
)
def test_named_supersession(
    statement: str, supersedes: tuple[str, ...], tags: tuple[str, ...], found: tuple[str, ...]
) -> None:
    candidate = replace(CANDIDATE, statement=statement, supersedes=supersedes, tags=tags)
    assert named_ids(candidate, ["m-7", "m-8", ""]) == found


def test_supersession_reaches_inactive_records_of_the_profile_on_any_key() -> None:
    gone = replace(RECORD, id="m-7", status="superseded", statement="Something else", reach=None)
    candidate = replace(CANDIDATE, supersedes=("m-7",))
    assert match(candidate, [RECORD, gone]).kind == MatchKind.SUPERSEDES
    assert match(candidate, [RECORD, gone]).matched == ("m-7",)
    assert match(candidate, [RECORD, replace(gone, profile="osprey")]).kind == MatchKind.DUPLICATE


PLAN = Claim("Lumen CDN", "plan", "team")
EARLY, LATE = Check("2026-03-01T09:00:00Z"), Check("2026-03-05T09:00:00Z")


@pytest.mark.parametrize(
    ("candidate", "record", "kind"),
    [
        ({}, {}, "duplicate"),
        ({"claim": Claim("lumen  CDN", "PLAN", "Team ")}, {}, "duplicate"),
        ({"threads": ("t-2",)}, {"threads": ("t-1",)}, "strengthens_existing"),
        ({"threads": ("t-1",)}, {"threads": ("t-1", "t-2")}, "duplicate"),
        ({"threads": ("",)}, {}, "duplicate"),
        ({"claim": replace(PLAN, value="pro")}, {}, "potential_conflict"),
        ({"claim": replace(PLAN, value="pro"), "check": LATE}, {"check": EARLY}, "updates_existing"),
        ({"claim": replace(PLAN, value="pro"), "check": LATE}, {}, "updates_existing"),
        ({"claim": replace(PLAN, value="pro"), "check": EARLY}, {"check": LATE}, "potential_conflict"),
        ({"claim": replace(PLAN, value="pro"), "check": LATE}, {"check": LATE}, "potential_conflict"),
        ({"claim": replace(PLAN, value="pro"), "check": Check("soon")}, {}, "potential_conflict"),
        ({"claim": replace(PLAN, value="pro"), "check": LATE, "trust": "external"}, {}, "potential_conflict"),
        (
            {"claim": replace(PLAN, value="pro"), "check": replace(EARLY, confirmed_by="ana")},
            {"check": LATE},
            "updates_existing",
        ),
        (
            {"claim": replace(PLAN, value="pro"), "check": LATE},
            {"kind": "article", "approval": Approval("ana", "2026-01-01T00:00:00Z")},
            "potential_conflict",
        ),
        ({"claim": replace(PLAN, attribute="seats")}, {}, "new"),
        ({"reach": Reach("project", "osprey")}, {}, "new"),
        ({"profile": "osprey"}, {}, "new"),
        ({"statement": "Wholly other words"}, {"statement": "About the plan"}, "duplicate"),
    ],
)
def test_structured_claims(candidate: dict[str, object], record: dict[str, object], kind: str) -> None:
    ours = replace(CANDIDATE, **{"claim": PLAN, **candidate})  # type: ignore[arg-type]
    theirs = replace(RECORD, **{"claim": PLAN, **record})  # type: ignore[arg-type]
    assert match(ours, [theirs]).kind == kind


def test_a_check_after_now_is_none() -> None:
    candidate = replace(CANDIDATE, claim=replace(PLAN, value="pro"), check=LATE)
    records = [replace(RECORD, claim=PLAN, check=EARLY)]
    assert match(candidate, records, now=datetime(2026, 3, 5, 9, tzinfo=UTC)).kind == MatchKind.UPDATES
    assert match(candidate, records, now=datetime(2026, 3, 5, 8, tzinfo=UTC)).kind == MatchKind.POTENTIAL_CONFLICT


def test_a_claim_on_one_side_only_leaves_the_words_to_decide() -> None:
    claimed = replace(RECORD, claim=Claim("branches", "before pushing", "linter and unit tests"))
    assert match(CANDIDATE, [claimed]).kind == MatchKind.DUPLICATE
    assert match(replace(CANDIDATE, statement=f"Do not {RULE}"), [claimed]).kind == MatchKind.POTENTIAL_CONFLICT


def test_one_tag_does_not_glue_two_propositions() -> None:
    one = replace(CANDIDATE, statement="Sign every release tag with the team key", tags=("git",))
    other = replace(RECORD, statement="Feature branches carry the ticket number as prefix", tags=("git",))
    assert match_key(one) != match_key(other)


@pytest.mark.parametrize(
    "change",
    [
        {"statement": RULE.upper() + "!"},
        {"tags": ("Workflow", "GENERAL", "ci")},
        {"reach": Reach("PROJECT", " kestrel ")},
        {"statement": RULE + " to the shared repository"},
    ],
)
def test_spelling_does_not_split_a_key(change: dict[str, object]) -> None:
    assert match_key(replace(CANDIDATE, **change)) == match_key(CANDIDATE) == match_key(RECORD)  # type: ignore[arg-type]


def test_letters_of_every_script_make_a_key() -> None:
    keys = {
        match_key(replace(CANDIDATE, statement=text, tags=()))
        for text in ("日志清理", "安全手册", "Перед релизом", "...", "!")
    }
    assert len(keys) == 5


texts = st.one_of(st.text(max_size=40), st.text(alphabet=st.characters(exclude_categories=()), max_size=20))
claims = st.one_of(st.none(), st.builds(Claim, texts, texts, texts))
reaches = st.one_of(st.none(), st.builds(Reach, texts, texts))
checks = st.one_of(st.none(), st.builds(Check, st.one_of(st.none(), texts, st.just("2026-03-01T09:00:00Z"))))
known = st.builds(
    MemoryRecord,
    id=texts,
    statement=texts,
    claim=claims,
    tags=st.tuples(texts),
    reach=reaches,
    status=st.sampled_from(["active", "x", ""]),
    check=checks,
    kind=st.sampled_from(["fact", "article", "observation", "derived", "odd"]),
)
proposed = st.builds(
    Candidate, id=texts, statement=texts, claim=claims, tags=st.tuples(texts), reach=reaches, check=checks
)


@given(proposed, st.lists(known, max_size=3), st.booleans())
def test_every_input_has_a_kind(candidate: Candidate, records: list[MemoryRecord], same_key: bool) -> None:
    found = match(candidate, records, same_key=same_key)
    assert set(found.matched) <= {record.id for record in records}
    assert bool(found.matched) == (found.kind != MatchKind.NEW)
    assert "\0" not in found.key
    found.key.encode()
    assert match(candidate, records, same_key=same_key) == found


@given(proposed)
def test_what_is_told_twice_is_no_conflict(candidate: Candidate) -> None:
    record = MemoryRecord("m", candidate.statement, candidate.claim, candidate.tags, reach=candidate.reach)
    assert match(replace(candidate, supersedes=()), [record], same_key=True).kind in {
        MatchKind.DUPLICATE,
        MatchKind.NEW,
        MatchKind.SUPERSEDES,
    }
