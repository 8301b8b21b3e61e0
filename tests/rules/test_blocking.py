"""Counting shared words over a whole index at once, held against counting them one by one."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from evidence.rules.blocking import _bits, _mask, _most_shared

ROWS = st.lists(st.lists(st.integers(0, 40), min_size=1, max_size=12, unique=True).map(sorted), min_size=1, max_size=20)


@given(ROWS, st.integers(1, 20))
def test_each_row_comes_once_with_its_own_count_the_most_shared_first(words: list[list[int]], least: int):
    masks = [_mask(rows) for rows in words]
    found = [(count, at) for count, rows in _most_shared(masks, least) for at in _bits(rows, 100)]
    counted = Counter(at for rows in words for at in rows)
    assert {at: count for count, at in found} == {at: count for at, count in counted.items() if count >= least}
    assert len(found) == len({at for _, at in found})
    assert [count for count, _ in found] == sorted((count for count, _ in found), reverse=True)


def test_many_words_that_few_rows_share_hide_no_row():
    masks = [_mask([0]), _mask([1]), _mask([2]), _mask([0])]
    assert list(_most_shared(masks, 1)) == [(2, 0b001), (1, 0b110)]
