"""The benchmark question `play`: its rows, and that its run has the updates it claims."""

from __future__ import annotations

import pytest
from benchmarks import play
from benchmarks.harness import Size

import novikoff as nv

pytestmark = pytest.mark.slow


def test_the_long_run_makes_its_updates() -> None:
    run = play.long_run()
    assert nv.trace(run["X"], run["y"], max_updates=play.UPDATES).stop_reason == "max_updates"


def test_the_labels_are_what_their_names_say() -> None:
    for moved in (0, 7, 39):
        for name, y in play.labels().items():
            assert nv.decide(play.grid(moved), y).separable == (name == "separable")


@pytest.mark.compiled
def test_the_round_trips_are_measured_against_their_limits() -> None:
    rows = list(play.ask(Size((60, 8), (60, 50), 1)))
    assert [row.theirs for row in rows] == [play.PAGE, play.DRAG, play.DRAG, None, play.TRACE]
    assert all(row.ours is not None and row.ours > 0 for row in rows)
