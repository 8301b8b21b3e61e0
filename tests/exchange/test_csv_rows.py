"""Tables: what a header may say, how rows become entries, and what a cell can do (nothing)."""

from __future__ import annotations

from pathlib import Path

import pytest

from evidence.exchange import csv_rows
from evidence.exchange.files import CorruptSource
from evidence.exchange.items import AnyItem, EvidenceItem, FactItem, Problem, ProposalItem, Read
from evidence.rules.records import Check, Claim

FULL = (
    "kind,id,agent,statement,subject,attribute,value,event_at,checked_at,checked_by,check_method,volatility,ttl_days,access,"
    "trust,trust_class,durability,tags,source_id,source_version,excerpt,thread"
)


def table(tmp_path: Path, text: str | bytes) -> list[Read]:
    path = tmp_path / "table.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    before = path.read_bytes()
    found = list(csv_rows.read(path))
    assert path.read_bytes() == before
    return found


def items(found: list[Read]) -> list[AnyItem]:
    return [item for item in found if not isinstance(item, Problem)]


def statements(found: list[Read]) -> list[str]:
    return [item.statement for item in found if isinstance(item, ProposalItem)]


def problems(found: list[Read]) -> list[tuple[int, str]]:
    return [(item.place.line, item.code) for item in found if isinstance(item, Problem)]


def test_a_row_is_a_proposal_with_its_evidence(tmp_path: Path) -> None:
    row = (
        "proposal,p-1,ada,The till opens at nine,till,opens,nine,2026-10-05T10:00:00Z,2026-10-05T10:00:00Z,,looked,account,1.5,"
        "public,internal,agent_inference,project,till;shop,session:ada/t-1/message/3,,opens at nine,t-1"
    )
    (found,) = table(tmp_path, f"{FULL}\n{row}\n")
    assert isinstance(found, ProposalItem)
    assert (found.foreign_id, found.agent, found.statement) == ("p-1", "ada", "The till opens at nine")
    assert found.claim == Claim("till", "opens", "nine")
    assert found.check == Check("2026-10-05T10:00:00Z", "ada", "looked")
    assert (found.ttl_days, found.scope.access, found.trust, found.tags) == (
        1.5,
        "public",
        "internal",
        ("till", "shop"),
    )
    (linked,) = found.evidence
    assert (linked.record.excerpt, linked.thread) == ("opens at nine", "t-1")


def test_rows_may_be_records_too(tmp_path: Path) -> None:
    head = (
        "kind,agent,statement,source_id,source_version,subject,attribute,value,trust,checked_at,checked_by,confirmed_by"
    )
    found = table(
        tmp_path,
        f"{head}\nobservation,ada,Seen,entry:ada/1,1,,,,internal,,,\n"
        "fact,ada,Opens at nine,fact:1,1,till,opens,nine,internal,2026-10-05T10:00:00Z,ada,operator\n"
        "observation,ada,From outside,entry:ada/2,1,,,,,,,\n"
        "proposal,ada,Lifted,,,,,,internal,,,operator\n",
    )
    seen, fact, outside = items(found)
    assert isinstance(seen, EvidenceItem)
    assert isinstance(fact, FactItem)
    assert fact.record.check == Check("2026-10-05T10:00:00Z", "ada", "", "operator")
    assert isinstance(outside, EvidenceItem)
    assert (outside.record.trust, outside.record.review) == ("external", "held")
    assert problems(found) == [(5, "invalid_value")]  # a proposal is confirmed by deciding it


@pytest.mark.parametrize(
    "text",
    [
        "statement,agent\nThe till; it opens,ada\n",
        "agent;statement\nada;The till\\; it opens\n".replace("\\;", ","),
        "\ufeffagent\tstatement\r\nada\tThe till, it opens\r\n",
        '"Agent","Statement"\n"ada","The till, it opens"',
        "agent,statement\n\n,\nada,The till opens\n\n",
    ],
    ids=["comma", "semicolon", "tab, mark and CRLF", "quoted, no last line end", "blank rows"],
)
def test_dialects(tmp_path: Path, text: str) -> None:
    (statement,) = statements(table(tmp_path, text))
    assert statement.startswith("The till")


def test_formulas_quotes_and_lines_are_just_text(tmp_path: Path) -> None:
    found = table(
        tmp_path,
        'agent,statement\nada,"=HYPERLINK(""http://x.example"",""a"")"\nada,@SUM(A1)\nada,-1+1|calc\n'
        'ada,"one\n\ntwo, ""three"""\n',
    )
    assert statements(found) == ['=HYPERLINK("http://x.example","a")', "@SUM(A1)", "-1+1|calc", 'one\n\ntwo, "three"']
    assert [item.place.line for item in items(found)] == [2, 3, 4, 5]


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("", "no header"),
        ("\xff\xfe".encode("latin-1") + "agent,statement".encode("utf-16-le"), "UTF-16"),
        (b"agent,statement\xff\n", "no header"),
        (b"agent,state\0ment\n", "no header"),
        (b"PK\x03\x04", "ZIP"),
        ("agent,text\n", "lacks statement"),
        ("agent,statement,mood\n", r"unknown columns \(mood\)"),
        ("agent,statement,agent\n", "twice"),
        ('agent,"statement\n', "lacks"),
        ("x" * 200_000, "no header"),
    ],
    ids=["empty", "utf-16", "no utf-8", "nul", "zip", "missing", "unknown", "twice", "open quote", "enormous"],
)
def test_a_header_that_is_none_is_refused_whole(tmp_path: Path, text: str | bytes, match: str) -> None:
    with pytest.raises(CorruptSource, match=match):
        table(tmp_path, text)


def test_an_unknown_column_is_not_repeated_where_it_may_be_a_secret(tmp_path: Path) -> None:
    with pytest.raises(CorruptSource) as corrupt:
        table(tmp_path, "agent,statement,Token of the till: a1-b2-c3\n")
    assert "a1" not in str(corrupt.value)


def test_bad_rows_are_named_and_the_rest_is_read(tmp_path: Path) -> None:
    rows = [
        b"ada,one,,", b"ada,two,", b"ada,three,,,", b"ada,bad \xff byte,,", b"ada,n\0ul,,", b"ada,four,2026-10-05T10:00:00,",
        b"ada,five,,weather", b",six,,", b"ada,,,", b"ada," + b"x" * 300_000 + b",,", b'ada,"se"ven,,', b"ada,eight,,stable",
    ]  # fmt: skip
    found = table(tmp_path, b"agent,statement,event_at,volatility\n" + b"\n".join(rows))
    assert statements(found) == ["one", "eight"]
    assert [line for line, _code in problems(found)] == [3, 4, 5, 6, 7, 8, 9, 10, 11, 12]


def test_a_quote_that_is_never_closed_is_given_up(tmp_path: Path) -> None:
    rows = "".join(f"ada,row {number}\n" for number in range(20_000))
    found = table(tmp_path, f'agent,statement\nada,first\nada,"open\n{rows}ada,last\n')
    assert statements(found)[0] == "first"
    assert statements(found)[-1] == "last"
    assert problems(found)[0] == (3, "malformed")
