"""Two things that changed places, and phrases, lists and voices that merely moved (contract 12.7: "swapped order")."""

from __future__ import annotations

import pytest

from evidence.rules.frames import Frame, frames_of
from evidence.rules.scenes import goes_on, is_scene
from evidence.rules.shuffles import exchanged
from evidence.rules.slots import Slot, slot_of


def frame(text: str) -> Frame:
    (found,) = frames_of(text, "en")
    return found


@pytest.mark.parametrize(
    ("one", "other", "pair"),
    [
        (
            "The bridge was designed by Marta Kovacs and painted by Louis Arnaud",
            "The bridge was designed by Louis Arnaud and painted by Marta Kovacs",
            {"Marta Kovacs", "Louis Arnaud"},
        ),
        (
            "The novel tells of a rich merchant with a poor servant",
            "The novel tells of a poor merchant with a rich servant",
            {"rich", "poor"},
        ),
        ("Helga reports to Bruno about the budget", "Bruno reports to Helga about the budget", {"Helga", "Bruno"}),
        (
            "The brook Rusca feeds the pond behind the mill",
            "The pond feeds the brook Rusca behind the mill",
            {"brook Rusca", "pond"},
        ),
    ],
)
def test_what_changed_places(one: str, other: str, pair: set[str]) -> None:
    there, back = exchanged(frame(one), frame(other)), exchanged(frame(other), frame(one))
    assert there is not None
    assert back is not None
    assert set(there) == set(back) == pair


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("In 1962 the factory was moved from Turin to Graz", "The factory was moved from Turin to Graz in 1962"),
        ("He played in Ghent, Bruges and Antwerp last year", "Last year he played in Antwerp, Bruges and Ghent"),
        ("The capital of the district is Halden", "Halden is the capital of the district"),
        ("The singer wrote most of the songs", "Most of the songs were written by the singer"),
        (
            "The northern part is hilly and the southern part is flat",
            "The southern part is flat and the northern part is hilly",
        ),
        ("Alerts for disks fire above the limit", "Disk alerts fire above the limit"),
        ("The rounding error is fixed in the next release", "The next release fixes the rounding error"),
        ("Marco's mentor is Aylin from the sales team", "Aylin from the sales team mentors Marco"),
        ("", ""),
    ],
)
def test_what_merely_moved(one: str, other: str) -> None:
    for ours in frames_of(one, "en"):
        for theirs in frames_of(other, "en"):
            assert exchanged(ours, theirs) is None


@pytest.mark.parametrize(
    ("text", "going_on", "scene"),
    [
        ("A man is playing a flute", True, True),
        ("There is no boy climbing the wall", True, True),
        ("Nobody is slicing an onion", True, True),
        ("An onion is being sliced by a cook", True, True),
        ("The man is not slowly opening the door", True, False),
        ("We are migrating the invoices", True, False),
        ("Maria is planting a tree", True, False),
        ("The nightly run is pending", False, False),
        ("Deploys are blocked during the freeze", False, False),
        ("The building is old", False, False),
        ("Ein Mann spielt Flöte", False, False),
    ],
)
def test_scenes(text: str, going_on: bool, scene: bool) -> None:
    assert goes_on(frame(text)) is going_on
    assert is_scene(frame(text)) is scene


@pytest.mark.parametrize(
    ("text", "stems", "slot"),
    [
        ("Deploys go through Buildkite", {"buildkit"}, Slot("deploy", "through", "")),
        ("Deploys go through the old Jenkins host", {"jenkin"}, Slot("old", "", "host")),
        ("The company was founded by Ruth Amsel in Bonn", {"ruth"}, Slot("found", "by", "bonn")),
        ("Labels are printed in Oslo", {"absent"}, Slot("", "", "print")),
    ],
)
def test_slots(text: str, stems: set[str], slot: Slot) -> None:
    assert slot_of(frame(f"{text}, always"), stems)[:2] == slot[:2]
    assert slot_of(frame(text), stems).right == slot.right
