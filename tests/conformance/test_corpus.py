"""What some hundreds of runs gave when they were recorded, they give today (tests/corpus)."""

from __future__ import annotations

import pytest

from corpus.record import compare, load
from corpus.runs import results, runs

PARTS = 16


@pytest.mark.compiled
@pytest.mark.parametrize("part", range(PARTS))
def test_every_recorded_run_gives_what_it_gave(part: int) -> None:
    found = dict(results(part=part, parts=PARTS))
    assert len(found) >= len(load()) // PARTS
    assert list(compare(load(), found)) == []


def test_every_recorded_run_is_made() -> None:
    names = [name for name, _ in runs()]
    assert len(set(names)) == len(names)
    assert set(load()) == set(names)
