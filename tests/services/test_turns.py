"""Turns at the writer: in the order in which they were asked for, and nobody waits for ever."""

from __future__ import annotations

import threading
import time

from evidence.services.turns import Turns


def waits_for(turns: Turns, number: int) -> None:
    """Until so many stand in line."""
    while len(turns._waiting) < number:
        time.sleep(0.001)


def test_turns_are_given_in_the_order_in_which_they_were_asked_for() -> None:
    turns, order = Turns(), list[int]()

    def work(number: int) -> None:
        with turns.one():
            order.append(number)

    threads = []
    with turns.one():
        for number in range(5):
            threads.append(threading.Thread(target=work, args=(number,)))
            threads[-1].start()
            waits_for(turns, number + 1)
    for thread in threads:
        thread.join()
    assert order == [0, 1, 2, 3, 4]


def test_whoever_waits_too_long_goes_without_and_leaves_no_gap() -> None:
    turns, order = Turns(), list[str]()

    def work(name: str, patience: float) -> None:
        with turns.one(patience):
            order.append(name)

    with turns.one():
        hasty = threading.Thread(target=work, args=("hasty", 0.01))
        hasty.start()
        hasty.join()
        patient = threading.Thread(target=work, args=("patient", 60.0))
        patient.start()
        waits_for(turns, 1)
        assert order == ["hasty"]
    patient.join()
    assert order == ["hasty", "patient"]
    with turns.one(0.0):
        assert not turns._waiting


def test_an_error_gives_the_turn_back() -> None:
    turns = Turns()
    try:
        with turns.one():
            raise ValueError
    except ValueError:
        pass
    assert not turns._is_taken
