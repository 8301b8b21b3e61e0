"""What counts as a repeat of text that was served (contract 6)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.rules.echo import MOST_RUNS, repeats, runs_of

SERVED = (
    "The kestrel service deploys on Tuesday mornings after the nightly backup has ended.",
    "Payments are retried at most four times.",
    "发布在每个星期二上午进行，备份之后。",
)
CASES = [
    (SERVED[0], True),
    ("the KESTREL service deploys on Tuesday mornings, after the nightly backup has ended", True),
    ("deploys on Tuesday mornings after the nightly backup", True),  # a part of it
    (f"{SERVED[1]} {SERVED[0]}", True),  # two of them
    (f"According to my notes: {SERVED[0]}", True),
    ("From memory, payments are retried at most four times", True),
    ("发布在每个星期二上午进行", True),
    ("The kestrel service deploys on Wednesday mornings after the nightly backup has ended.", False),  # another value
    ("The kestrel service deploys on Tuesday mornings after the nightly backup has failed.", False),
    ("The kestrel service never deploys on Tuesday mornings after the nightly backup has ended.", False),
    ("Payments are not retried at most four times.", False),
    ("Payments are retried at most five times.", False),
    ("In 3 tests payments are retried at most four times.", False),  # what was counted is of its own
    ("Payments are retried at most four times. I saw it in the log of the worker.", False),  # it adds something
    ("I looked at the deploy script, read the whole log of the worker and asked: payments are retried at most four times", False),
    ("kestrel", False),
    ("Tuesday", False),
    ("Invoices are sent by post.", False),
    ("", False),
    ("发布在每个星期三下午进行", False),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), CASES, ids=[str(number) for number in range(len(CASES))])
def test_repeats(text: str, expected: bool) -> None:
    served = frozenset(run for one in SERVED for run in runs_of(one))
    assert repeats(text, served) is expected
    assert not repeats(text, frozenset())


@given(st.text(max_size=300), st.text(max_size=300))
def test_any_text(one: str, other: str) -> None:
    runs = runs_of(other)
    assert len(runs) <= MOST_RUNS
    assert repeats(one, frozenset(runs)) in (True, False)
