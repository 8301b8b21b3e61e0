"""Keyset pages and their signed cursors (scenario S11)."""

from __future__ import annotations

import uuid
from datetime import UTC

import pytest
from django.core import signing
from hypothesis import given
from hypothesis import strategies as st

from evidence.models import HeldRecord
from evidence.rules.errors import BadInput
from evidence.selectors.paging import Capped, Keyset, page, read_cursor, write_cursor
from tests.services import make

IN_ORDER = Keyset("order", ("priority", "id"))
BACKWARDS = Keyset("back", ("-priority", "-id"))

VALUES = st.one_of(st.integers(-(2**62), 2**62), st.uuids(), st.datetimes(timezones=st.just(UTC)), st.text(max_size=5))


@given(VALUES, VALUES)
def test_a_cursor_gives_its_place_back_exactly(first: object, second: object) -> None:
    assert read_cursor(IN_ORDER, write_cursor(IN_ORDER, (first, second))) == (first, second)


@pytest.mark.parametrize(
    "text",
    [
        "", "x", "a:b:c", write_cursor(BACKWARDS, (1, uuid.uuid4())), write_cursor(IN_ORDER, (1,)),
        signing.dumps(["order", 1, 2], salt="another"), signing.dumps("order", salt="evidence.keyset"),
        signing.dumps([], salt="evidence.keyset"), signing.dumps(["order", {"u": "no"}, 1], salt="evidence.keyset"),
        signing.dumps(["order", {"t": "soon"}, 1], salt="evidence.keyset"),
    ],
    ids=[
        "empty", "letter", "parts", "backwards", "short", "salt", "word", "nothing", "uuid", "time",
    ],  # signatures hold the time, and every test process must collect the same names
)  # fmt: skip
def test_a_cursor_of_another_list_or_nobody_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="first page"):
        read_cursor(IN_ORDER, text)


@pytest.mark.django_db
@pytest.mark.parametrize(("keyset", "backwards"), [(IN_ORDER, False), (BACKWARDS, True)])
def test_pages_of_any_size_give_every_row_once_in_order(keyset: Keyset, backwards: bool) -> None:
    agent = make.agent()
    made = HeldRecord.objects.bulk_create(
        HeldRecord(kind="fact_proposal", agent=agent, statement="s", scope_owner="a", priority=place // 4)
        for place in range(11)
    )
    wanted = [row.pk for row in sorted(made, key=lambda row: (row.priority, row.id), reverse=backwards)]
    for limit in (1, 3, 4, 11, 50):
        seen, after = [], ""
        while True:
            found = page(HeldRecord.objects.all(), keyset, after=after, limit=limit)
            seen += [row.pk for row in found.rows]
            after = found.after
            if not after:
                break
        assert seen == wanted


def test_a_capped_number_says_that_there_are_more() -> None:
    assert [str(Capped(number)) for number in (0, 1000, 1001)] == ["0", "1000", "1000+"]
    assert [bool(Capped(number)) for number in (0, 1)] == [False, True]
