"""The search language: what each text means, where it is wrong, and that no text breaks it."""

from __future__ import annotations

from datetime import timedelta
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from evidence.rules.search import FIELDS, Holds, Op, Place, Query, parse, place_at, term_text
from evidence.rules.search.parsing import LONGEST, MOST_TERMS, MOST_VALUES
from evidence.rules.search.terms import read_span, value_text

ID = "0192f1e2-8a3c-7d4e-9f00-112233445566"

MEANINGS = [
    ("", ""),
    ("past due", "past due"),
    ('"past due"', '"past due"'),
    ("risk:high", "risk:high"),
    ("RISK:High", "risk:high"),
    ("risk:high,medium", "risk:high,medium"),
    ("risk:high,,high,", "risk:high"),
    ("-risk:low", "-risk:low"),
    ('-"past due" -sold', '-"past due" -sold'),
    ("kind:fact,article,evidence", "kind:fact_proposal,promotion_proposal,held_evidence"),
    ("match:Potential-Conflict", "match:potential_conflict"),
    ("match:conflict", "match:conflict"),
    ("match:supersedes", "match:supersedes_existing"),
    ("status:any", "status:any"),
    ("is:first_approved", "is:first-approved"),
    ("has:history", "has:history"),
    ("age:>3d", "age:>3d"),
    ("age:<02H", "age:<2h"),
    ("expires:<1w", "expires:<1w"),
    ('agent:"my agent, the second"', 'agent:"my agent, the second"'),
    ("agent:Ops-Agent,b", "agent:Ops-Agent,b"),
    ("agent:>x", 'agent:">x"'),
    ("source:session:ops-agent/t-1", "source:session:ops-agent/t-1"),
    (f"same:{ID.replace('-', '').upper()}", f"same:{ID}"),
    ("https://registry.example/a 12:30", "https://registry.example/a 12:30"),
    ('say"so', 'say"so'),
    ('"a \\"b\\" \\\\ c"', '"a \\"b\\" \\\\ c"'),
    ('"a"b', '"a" b'),
    ("due due risk:high due", "due risk:high"),
    ("tag#1 c++", "tag#1 c++"),
    ("Риск:высокий", "Риск:высокий"),
]

PROBLEMS = [
    ("riks:high", "unknown_field", "riks:", ("risk:",), "“riks:” is no field; did you mean “risk:”?"),
    ("due -Agnet:x", "unknown_field", "Agnet:", ("agent:",), "“Agnet:” is no field; did you mean “agent:”?"),
    ("qqqq:x", "unknown_field", "qqqq:", (), "“qqqq:” is no field; put it in quotes to look for it as a word."),
    ("risk:hgih", "unknown_value", "hgih", ("high",), "“risk:” does not know “hgih”; did you mean “high”?"),
    ("risk:high,mediun", "unknown_value", "mediun", ("medium",), None),
    ("risk:zzz", "unknown_value", "zzz", (), "“risk:” does not know “zzz”; it can be high, medium, low."),
    ("status:rej", "unknown_value", "rej", ("rejected",), None),
    ("risk:", "missing_value", "risk:", (), "“risk:” needs a value right behind it, such as risk:high,medium."),
    ("risk: high", "missing_value", "risk:", (), None),
    ('agent:" "', "missing_value", '" "', (), None),
    ("age:3d", "bad_span", "3d", (">3d", "<3d"), None),
    ("age:>3y", "bad_span", ">3y", (), None),
    ("age:>1d,<2d", "bad_span", ">1d", (), None),
    ("age:>99999d", "bad_span", ">99999d", (), None),
    ("age:>٣d", "bad_span", ">٣d", (), None),
    ("expires:soon", "bad_span", "soon", (), None),
    ("same:me", "not_an_id", "me", (), None),
    (f"same:{ID[:-1]}x", "not_an_id", f"{ID[:-1]}x", (), None),
    ('due "past', "unclosed_quote", '"past', ('"past"',), "The quotation mark is not closed."),
    ('agent:"a b', "unclosed_quote", '"a b', ('"a b"',), None),
    ("%_", "no_word", "%_", (), "“%_” has no letter or digit to look for."),
    ("-", "no_word", "-", (), None),
    ('""', "no_word", '""', (), None),
    ("a\0b", "invalid_text", "a\0b", (), None),
    ("agent:\ud800", "invalid_text", "\ud800", (), None),
]


@pytest.mark.parametrize(("text", "plain"), MEANINGS)
def test_a_text_has_one_plain_spelling(text: str, plain: str) -> None:
    query = parse(text)
    assert (str(query), query.problems) == (plain, ())


@pytest.mark.parametrize(("text", "code", "word", "suggestions", "message"), PROBLEMS)
def test_a_problem_points_at_the_word_and_says_what_may_have_been_meant(
    text: str, code: str, word: str, suggestions: tuple[str, ...], message: str | None
) -> None:
    (problem,) = parse(text).problems
    assert (problem.code, text[problem.start : problem.end], problem.suggestions) == (code, word, suggestions)
    assert message is None or problem.message == message


@pytest.mark.parametrize(("text", "code", "word", "suggestions", "message"), [row for row in PROBLEMS if row[3]])
def test_what_is_suggested_can_be_read_in_its_place(
    text: str, code: str, word: str, suggestions: tuple[str, ...], message: str | None
) -> None:
    (problem,) = parse(text).problems
    for offered in problem.suggestions:
        assert parse(text[: problem.start] + offered + text[problem.end :]).problems == ()


def test_one_wrong_term_leaves_the_others_as_they_are() -> None:
    query = parse("due riks:high risk:high,hgih -agent:x")
    assert str(query) == "due -agent:x"
    assert not query.is_lost
    assert parse("riks:high").is_lost
    assert not parse("").is_lost


def test_terms_know_their_place() -> None:
    text = '  due -risk:high  "past due"'
    assert [text[term.start : term.end] for term in parse(text).terms] == ["due", "-risk:high", '"past due"']


def test_long_searches_say_that_they_were_cut() -> None:
    text = " ".join(f"w{number}" for number in range(MOST_TERMS + 2))
    query = parse(text)
    assert len(query.terms) == MOST_TERMS
    (problem,) = query.problems
    assert (problem.code, text[problem.start : problem.end]) == ("too_many", "w40 w41")
    text = "due " + "a" * LONGEST
    query = parse(text)
    (problem,) = query.problems
    assert (str(query), problem.code, problem.start, problem.end) == ("due", "too_long", 3, len(text))
    assert parse("due" + " " * LONGEST).problems == ()
    (problem,) = parse("agent:" + ",".join(str(number) for number in range(MOST_VALUES + 1))).problems
    assert problem.code == "too_many"


@pytest.mark.parametrize("name", list(FIELDS))
def test_every_example_of_the_help_is_a_search(name: str) -> None:
    field = FIELDS[name]
    text = field.example.replace("0192f1e2-…", ID)
    query = parse(text)
    assert [term.field for term in query.terms] == [name]
    assert query.problems == ()
    assert all(parse(f"{name}:{word}").terms[0].values == (field.word(word),) for word in field.spellings)
    assert (field.holds is Holds.WORDS) == bool(field.words)


PARTS = st.sampled_from(
    ["risk:", "RISK:high", "riks:", "-", '"', "\\", ",", " ", ":", "age:>", "3d", "agent:", "due", "\0", "\ud800", "\u202e", "期限", "//",
     "status:any", "<", "same:", ID, "\t"]
)  # fmt: skip
TEXTS = st.one_of(st.text(max_size=80), st.lists(PARTS, max_size=14).map("".join))


@given(TEXTS)
@example("agent:\\")
@example('agent:"\\')
def test_any_text_gives_a_query_and_problems_inside_it(text: str) -> None:
    query = parse(text)
    for found in (*query.terms, *query.problems):
        assert 0 <= found.start < found.end <= len(text)
    spans = sorted((term.start, term.end) for term in query.terms)
    assert all(one[1] <= other[0] for one, other in pairwise(spans))
    overlapping = [
        (str(term), inside.code) for term in query.terms for inside in query.problems
        if inside.start < term.end and term.start < inside.end
    ]  # fmt: skip
    assert overlapping == []


@given(TEXTS)
def test_the_plain_spelling_reads_back_as_itself(text: str) -> None:
    plain = str(parse(text))
    again = parse(plain)
    assert str(again) == plain
    assert again.problems == ()
    assert [(term.field, term.op, term.values, term.negated) for term in again.terms] == [
        (term.field, term.op, term.values, term.negated) for term in parse(text).terms
    ]


@given(st.text(min_size=1, max_size=30).filter(lambda text: text.strip() and "\0" not in text and text.isprintable()))
def test_a_name_of_any_letters_can_be_put_into_a_search(name: str) -> None:
    (term,) = parse(term_text("agent", name)).terms
    assert (term.field, term.op, term.values) == ("agent", Op.IS, (name,))


@given(st.lists(st.sampled_from(['a"b', " ", "a,b", "<x", "-y", "\\", "z"]), min_size=1, max_size=4))
def test_values_are_quoted_where_they_need_it(values: list[str]) -> None:
    query = parse(f"by:{','.join(map(value_text, values))}")
    kept = tuple(dict.fromkeys(values))
    assert (query.terms[0].values == kept) if query.terms else " " in values


@pytest.mark.parametrize(
    ("text", "length"),
    [("3d", timedelta(days=3)), ("15m", timedelta(minutes=15)), ("2H", timedelta(hours=2)), ("9999w", timedelta(weeks=9999)),
     ("", None), ("d", None), ("-1d", None), ("1.5d", None), ("10000d", None), ("3", None)],
)  # fmt: skip
def test_spans_are_a_number_and_a_unit(text: str, length: timedelta | None) -> None:
    span = read_span(text)
    assert (span.length if span else None) == length


@pytest.mark.parametrize(
    ("text", "caret", "place"),
    [
        ("", 0, Place("", 0, 0)),
        ("ri", 2, Place("ri", 0, 2)),
        ("due ri", 6, Place("ri", 4, 6)),
        ("due -ri", 7, Place("ri", 5, 7)),
        ("risk:", 5, Place("", 5, 5, FIELDS["risk"])),
        ("Risk:hi", 7, Place("hi", 5, 7, FIELDS["risk"])),
        ("risk:high,m", 11, Place("m", 10, 11, FIELDS["risk"])),
        ("risk:h due", 6, Place("h", 5, 6, FIELDS["risk"])),
        ("-is:", 4, Place("", 4, 4, FIELDS["is"])),
        ("risk:high", 3, None),
        ("riks:", 5, None),
        ('"past ri', 8, None),
        ('agent:"my a', 11, None),
        ('agent:"my a",b', 14, Place("b", 13, 14, FIELDS["agent"])),
        ("ri", 99, Place("ri", 0, 2)),
        ("ri", -3, None),
    ],
)
def test_what_is_being_typed_at_the_caret(text: str, caret: int, place: Place | None) -> None:
    assert place_at(text, caret) == place


@given(TEXTS, st.integers(-3, 99))
def test_the_place_of_a_caret_holds_what_it_says(text: str, caret: int) -> None:
    place = place_at(text, caret)
    assert place is None or text[place.start : place.end] == place.typed


def test_a_query_gives_its_terms_by_field() -> None:
    query = parse("due risk:high is:mine is:flagged")
    assert [str(term) for term in query.of("is")] == ["is:mine", "is:flagged"]
    assert [str(term) for term in query.texts] == ["due"]
    assert Query() == parse("   ")
