"""Where a changed claim is suggested to stand in an article."""

from __future__ import annotations

import pytest

from evidence.rules.placing import filled_in

ARTICLE = """# Deploys

Deploys of harbor-api happen on Tuesday.

## Freeze

No deploys in the last week of the quarter.

```
window: Tuesday
```
"""


@pytest.mark.parametrize(
    ("text", "old", "new", "expected"),
    [
        ("Deploys of harbor-api happen on Thursday.", "Tuesday", "Thursday", "Deploys of harbor-api happen on Thursday."),
        ("The deploy window is Thursday.", "Tuesday", "Thursday", "window: Thursday"),
        ("The freeze of the quarter is two weeks.", "", "", "last week of the quarter.\n\nThe freeze of the quarter is two weeks.\n"),
        ("Parcels are weighed in grams.", "", "", "```\n\nParcels are weighed in grams.\n"),
        ("Nothing", "week", "month", "No deploys in the last month of the quarter."),
    ],
)  # fmt: skip
def test_the_place(text: str, old: str, new: str, expected: str) -> None:
    made = filled_in(ARTICLE, text, old, new)
    assert expected in made
    assert made.endswith("\n")


def test_only_whole_words_are_replaced_and_only_in_one_place() -> None:
    assert filled_in("It is active, not inactive.", "x", "active", "closed") == "It is closed, not inactive.\n"
    assert filled_in("a b\n\na b", "c", "a", "z") == "a b\n\na b\n\nc\n"
    assert filled_in("costs $5 (five)", "x", "$5", r"\1") == "costs \\1 (five)\n"


def test_an_empty_article_is_the_text() -> None:
    assert filled_in("", "The text.", "", "") == "The text.\n"


def test_a_text_without_words_changes_nothing() -> None:
    assert filled_in(ARTICLE, " ", "", "") == ARTICLE
