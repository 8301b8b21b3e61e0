"""What contradicts what, by which pair, and what does not (contract 7.4, 12.7)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.rules.denials import denials_of
from evidence.rules.frames import frames_of
from evidence.rules.opposition import oppose
from tests.rules.everyday_harmless import EVERYDAY_HARMLESS
from tests.rules.everyday_opposed import EVERYDAY_OPPOSED
from tests.rules.harmless_pairs import HARMLESS
from tests.rules.opposed_pairs import OPPOSED


def _rows(table: dict[str, list[tuple[str, str]]]) -> list[object]:
    return [
        pytest.param(*pair, id=f"{rule}: {pair[0][:50]} | {pair[1][:40]}")
        for rule, pairs in table.items()
        for pair in pairs
    ]


@pytest.mark.parametrize(("one", "other"), _rows(OPPOSED) + _rows(EVERYDAY_OPPOSED))
def test_opposed(one: str, other: str) -> None:
    there, back = oppose(one, other), oppose(other, one)
    assert there is not None
    assert back is not None
    assert there.cue
    assert all(word in there.reason for word in there.pair[0].split()[-1:])


@pytest.mark.parametrize(("one", "other"), _rows(HARMLESS) + _rows({"everyday": EVERYDAY_HARMLESS}))
def test_not_opposed(one: str, other: str) -> None:
    assert oppose(one, other) is None
    assert oppose(other, one) is None


@pytest.mark.parametrize(
    ("one", "other", "cue", "pair"),
    [
        ("Retry uploads 5 times", "Retry uploads 3 times", "times", ("5 times", "3 times")),
        ("Wait 30 minutes for the gateway", "Wait 30 s for the gateway", "duration", ("30 minutes", "30 s")),
        ("Build with Node 22 in CI", "Build with Node 20 in CI", "number", ("22", "20")),
        ("Pin the parser to v1.2", "Pin the parser to v1.3", "version", ("v1.2", "v1.3")),
        ("Deploys go through Buildkite", "Deploys go through Jenkins", "name", ("Buildkite", "Jenkins")),
        ("Allow traffic to the mirror", "Deny traffic to the mirror", "antonym", ("Allow", "Deny")),
        ("Restart the proxy before the cache", "Restart the cache before the proxy", "order", ("proxy", "cache")),
        (
            "Use pnpm instead of yarn for the client",
            "Use yarn for the client",
            "instead of",
            ("instead of yarn", "yarn"),
        ),
        ("Keep at least 3 tags", "Keep at most 3 tags", "bound", ("at least 3", "at most 3")),
        ("Tests run against preview hosts", "Tests run against laptop hosts", "object", ("preview", "laptop")),
    ],
)
def test_the_reason_names_the_pair(one: str, other: str, cue: str, pair: tuple[str, str]) -> None:
    found = oppose(one, other)
    assert found is not None
    assert (found.cue, found.pair) == (cue, pair)
    assert all(part.split()[-1] in found.reason for part in pair)


@pytest.mark.parametrize(
    ("text", "cue", "scope"),
    [
        ("Release notes are no longer drafted by hand, the bot collects them", "no longer", {"draft", "hand"}),
        ("Use pnpm instead of yarn to install packages", "instead of", {"yarn"}),
        ("Vite replaces webpack as the bundler", "replace", {"webpack"}),
        ("The export endpoint is deprecated, clients move", "deprecated", {"export", "endpoint"}),
        ("Restore drills happen quarterly, without a fixed weekday, says Ana", "without", {"fix", "weekday"}),
        ("Price lists are PDF, not spreadsheets", "not", {"spreadsheet"}),
    ],
)
def test_what_a_denial_reaches(text: str, cue: str, scope: set[str]) -> None:
    (frame,) = frames_of(text, "en")
    (denial,) = denials_of(frame)
    assert (denial.cue, denial.scope) == (cue, scope)


@pytest.mark.parametrize(
    "text", ["Tests cannot run without a database", "Never fail to sign", "Do not merge until CI is green"]
)
def test_two_denials_say_yes(text: str) -> None:
    (frame,) = frames_of(text, "en")
    assert denials_of(frame) == ()


vocabulary = st.sampled_from(
    """the cache proxy is are not never no without before after from to with replaces deprecated use stop avoid 5 five 3 days
    hours Monday Jenkins Node 22 20 enable disable on off always , . but and instead of rather than by""".split()
)
sentences = st.lists(vocabulary, max_size=14).map(" ".join)
any_text = st.one_of(sentences, st.text(), st.text(alphabet=st.characters(exclude_categories=())))


@given(any_text, any_text)
def test_opposition_is_total_and_the_same_both_ways(one: str, other: str) -> None:
    assert (oppose(one, other) is None) == (oppose(other, one) is None)


@given(sentences)
def test_nothing_opposes_itself(text: str) -> None:
    assert oppose(text, f"  {text}\n") is None
    assert oppose(text, text.replace(" ", "  ") + " !") is None
