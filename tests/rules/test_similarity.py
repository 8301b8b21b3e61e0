"""How alike two texts are (contract 7.5, 7.6, 12.18), and which records a candidate is held against."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.rules.blocking import Blocks
from evidence.rules.matching import match
from evidence.rules.records import Candidate, Claim, MemoryRecord, Reach
from evidence.rules.repeating import repeats
from evidence.rules.similarity import likeness, nearly_the_same, overlap


@pytest.mark.parametrize(
    ("one", "other", "least", "most"),
    [
        ("Run the linter", "run the LINTER.", 1, 1),
        ("Run the linter", "the linter run", 1, 1),
        ("Retry 5 times", "Retry **five times**", 1, 1),
        ("pre-commit hooks run", "pre commit hooks run", 1, 1),
        ("Run the linter", "Feature flags expire", 0, 0),
        ("", "", 0, 0),
        ("...", "...", 0, 0),
        ("Run the linter now", "Run the linter", 0.7, 0.8),
        ("日志文件自动清理", "新成员阅读安全手册", 0, 0),
    ],
)
def test_likeness(one: str, other: str, least: float, most: float) -> None:
    assert least <= likeness(one, other) <= most
    assert likeness(one, other) == likeness(other, one)


@pytest.mark.parametrize(
    ("one", "other", "value"),
    [
        ("A drill restores the ledger", "The drill", 1),
        ("A drill restores the ledger", "Drills restore a search index", 2 / 3),
        ("a drill", "a ledger", 0),
        ("the", "the", 0),
        ("", "drill", 0),
        ("Keep 30 days", "kept for one month or 720 hours", 1),
    ],
)
def test_overlap(one: str, other: str, value: float) -> None:
    assert overlap(one, other) == pytest.approx(value)
    assert overlap(other, one) == pytest.approx(value)


@pytest.mark.parametrize(
    ("one", "other", "near"),
    [
        (
            "Screenshots for bug reports are taken at 1280 pixels width",
            "Bug report screenshots use a width of 1280 px",
            True,
        ),
        (
            "Per service the registry keeps the last 30 tags",
            "The registry keeps the last 30 tags of each service",
            True,
        ),
        (
            "Großkunden erhalten innerhalb eines Werktags Antwort",
            "Innerhalb eines Werktags erhalten Großkunden Antwort",
            True,
        ),
        ("A quote is valid for 30 days", "A quote is valid for 14 days", True),
        ("Analytics run on BigQuery", "Analytics run on ClickHouse", True),
        (
            "Signature checks may be skipped for hotfixes",
            "# Signing\n\nTags are signed. Signature checks are never skipped.",
            True,
        ),
        ("Publish wheels", "Publish wheels nightly", True),
        ("Price exports land nightly in s3-eu-central-archive", "Price exports land nightly in Glacier", True),
        ("On ne publie plus le vendredi", "On publie le vendredi", True),
        ("Backups run at 03:00 and are kept for 30 days", "Backups run at 04:00 and are kept for 30 hours", True),
        ("tracking-api listens on port 8110", "portal-web listens on port 8120", False),
        ("The DHX account is active", "The ORU account is active", False),
        ("quote-engine runs on Python 3.12", "quote-engine 1.9.7 runs in production", False),
        ("A quote is valid for 30 days", "A quote is cached for 15 minutes", False),
        ("", "", False),
        ("the", "the", False),
    ],
)
def test_nearly_the_same(one: str, other: str, near: bool) -> None:
    assert nearly_the_same(one, other) is near
    assert nearly_the_same(other, one) is near


@pytest.mark.parametrize(
    ("one", "other", "again"),
    [
        ("Run the linter before pushing", "run the LINTER before pushing!", True),
        ("Retry uploads **five times**", "Retry uploads 5 times", True),
        ("Before each commit run make lint", "Run make lint before each commit", True),
        (
            "In 1934 the old bridge was painted by the town council",
            "The old bridge was painted by the town council in 1934",
            True,
        ),
        ("Run the linter before pushing a branch", "Run the linter", False),
        ("The doctor is helping the patient", "The patient is helping the doctor", False),
        (
            "The north wing houses the archive of the museum and the south wing its library",
            "The south wing of the museum houses its archive and the library the north wing",
            False,
        ),
        (
            "Der Prüfer liest montags vor der Freigabe alle Verträge",
            "Vor der Freigabe liest der Prüfer montags alle Verträge",
            True,
        ),
        (
            "Ask the night shift to move the label printers before the big stock count on the upper floor",
            "Before the big stock count ask the upper floor to move the night shift on the label printers",
            False,
        ),
        (
            "The night shift moves the printers. The day crew counts the stock upstairs.",
            "The day shift moves the stock. The night crew counts the printers upstairs.",
            False,
        ),
        (
            "Before the stock count the night shift moves all label printers upstairs",
            "The night shift moves all label printers upstairs before the stock count",
            True,
        ),
        ("", "", False),
    ],
)
def test_what_is_said_twice(one: str, other: str, again: bool) -> None:
    assert repeats(one, other) is again
    assert repeats(other, one) is again


LONG = "The night shift restarts the label printers of both warehouses after the price lists were imported"


@pytest.mark.parametrize(
    ("other", "near"),
    [
        ("After the import of the price lists the label printers in both warehouses are restarted at night", True),
        ("Once price lists are imported, the night shift restarts label printers, Ana says, in the warehouses", True),
        ("The price lists of all suppliers are checked by purchasing before the warehouses open again", False),
        ("The label printers were bought in spring", False),
    ],
)
def test_a_long_sentence_in_other_words_is_near(other: str, near: bool) -> None:
    assert nearly_the_same(LONG, other) is near
    assert nearly_the_same(other, LONG) is near


NOUNS = ["ledger", "portal", "gateway", "exporter", "scanner", "mailer"]
statements = st.builds(
    "The {} {} the {} {}".format,
    st.sampled_from(NOUNS),
    st.sampled_from(["reads", "writes", "checks", "restarts"]),
    st.sampled_from(NOUNS),
    st.sampled_from(["every night", "5 times", "after 30 seconds", "in Frankfurt", "without approval", ""]),
)
records = st.builds(
    MemoryRecord,
    id=st.sampled_from(["m-1", "m-2", "m-3", "m-4", "m-5"]),
    statement=statements,
    claim=st.one_of(
        st.none(), st.builds(Claim, st.sampled_from(NOUNS[:2]), st.just("plan"), st.sampled_from(["a", "b"]))
    ),
    profile=st.sampled_from(["p", "q"]),
    reach=st.sampled_from([None, Reach("project", "x")]),
    status=st.sampled_from(["active", "active", "superseded"]),
)
candidates = st.builds(
    Candidate,
    id=st.just("c"),
    statement=st.one_of(statements, st.just("Mailer rule; supersedes m-2")),
    claim=st.one_of(
        st.none(), st.builds(Claim, st.sampled_from(NOUNS[:2]), st.just("plan"), st.sampled_from(["a", "b"]))
    ),
    profile=st.sampled_from(["p", "q"]),
    reach=st.sampled_from([None, Reach("project", "x")]),
)


@given(candidates, st.lists(records, max_size=12, unique_by=lambda record: record.id))
def test_blocks_leave_out_nothing_that_would_match(candidate: Candidate, known: list[MemoryRecord]) -> None:
    assert match(candidate, Blocks(known).near(candidate)) == match(candidate, known)


REST = "before any of these weekly runs begins so that nobody waits long"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Most of the hotels along Quay Street close at ten", "Most of the homes along Quay Street close at ten", False),
        (f"Warm the label cache {REST}", f"Warm the labels cache {REST}", True),
        (f"Cache the warm labels {REST}", f"Cahce the warm labels {REST}", True),
        (f"Cache the warm labels {REST}", f"Print the warm labels {REST}", False),
        ("Clear the label cache in staging before each of the weekly runs", "Clear the label cache before each of the weekly runs", False),
        ("Leave logs in place after the run of the old importer in trial", "Leave logs in place after the run of the old importer", False),
        ("The importer also reads the whole shelf list at night", "The importer reads the whole shelf list at night", True),
        ("Jedes Etikett wird vor dem Druck im Lager geprüft und gezählt", "Jedes Etikett wird vor dem Druck im Lager geprüft und gezählt.", True),
    ],
)  # fmt: skip
def test_a_text_repeats_another_unless_it_tells_of_another_thing_or_a_narrower_place(
    one: str, other: str, same: bool
) -> None:
    assert repeats(one, other) is same
    assert repeats(other, one) is same
