"""The benchmark of passive-aggressive fits on toy data; nothing here says how fast anything is."""

from __future__ import annotations

import numpy as np
from benchmarks import passive_aggressive


def test_both_keeps_are_compared_with_the_peer_and_the_perceptron() -> None:
    rng = np.random.default_rng(0)
    rows = list(passive_aggressive.one_set("toy", rng.standard_normal((30, 3)), rng.integers(0, 3, 30), 2))
    assert [(row.word, row.bar) for row in rows] == [("the speed", 1.2)] * 2 + [("the time", None)]
    assert all(row.ratio is not None and row.ratio > 0.0 for row in rows)
    assert [row.peer.rpartition("=")[2] for row in rows] == ["last", "average", "perceptron"]
