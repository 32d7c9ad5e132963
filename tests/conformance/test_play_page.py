"""The play page shows the lectures: what its server answers about the examples of the notes, number by number."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import novikoff as nv
from novikoff.play import capacity_answers, plane_answers
from novikoff.play.answers import Settings

NONE = Settings()
TABLE = [  # example, order, last weights, updates, R², γ², bound
    ("tao", "cyclic", ["1", "1"], 2, "1", "1/2", 2),
    ("tao", "first", ["1", "1"], 2, "1", "1/2", 2),
    ("cornwell", "cyclic", ["4", "-1/2", "1"], 9, "11", "1/5", 55),
    ("cornwell", "first", ["4", "-1/2", "1"], 9, "11", "1/5", 55),
    ("or", "cyclic", ["2", "2", "-1"], 9, "3", "1/9", 27),
    ("or", "first", ["2", "2", "-1"], 9, "3", "1/9", 27),
    ("spam", "cyclic", ["0", "2", "0", "-1", "1", "0"], 4, "5", "1/3", 15),
    ("spam", "first", ["1", "3", "0", "-2", "3", "0"], 8, "5", "1/3", 15),
]


def posted(name: str) -> dict[str, Any]:
    """An example as the page sends it."""
    X, y = nv.example(name)
    positive = sorted(set(y.tolist()))[-1]
    return {"X": X.tolist(), "y": np.where(y == positive, 1, -1).tolist(), "bias": name != "tao"}


@pytest.mark.parametrize(("name", "order", "w", "updates", "R2", "gamma2", "bound"), TABLE)
def test_T3_C5_C6_Z3_Z4_Z6_the_examples_of_the_lectures(
    name: str, order: str, w: list[str], updates: int, R2: str, gamma2: str, bound: int
) -> None:
    run = plane_answers.steps(posted(name) | {"order": order}, NONE)
    found = plane_answers.verdict(posted(name) | {"margin": True}, NONE)["margin"]
    assert (run["w"], run["updates"], run["stop_reason"]) == (w, updates, "separated")
    assert (found["radius2"], found["padded"]["gamma2"], int(found["bound"])) == (R2, gamma2, bound)


def test_C6_looks_of_both_orders() -> None:
    looks = [plane_answers.steps(posted("cornwell") | {"order": order}, NONE)["looks"] for order in ("cyclic", "first")]
    assert looks == [24, 29]


def test_Z12_S3_the_cycle_of_xor_is_its_proof() -> None:
    run = plane_answers.steps(posted("xor"), NONE)
    assert (run["stop_reason"], run["updates"], run["w"]) == ("cycle", 4, ["0", "0", "0"])
    assert run["cycle_counts"] == [1, 1, 1, 1]
    found = plane_answers.verdict(posted("xor"), NONE)
    assert (found["weights"], found["obstruction"]["point"]) == (["1"] * 4, ["1/2", "1/2"])


def test_Z11_many_orders_keep_to_the_bound_and_their_planes_differ() -> None:
    found = plane_answers.runs(posted("cornwell"), NONE)
    assert max(row["updates"] for row in found["rows"]) <= 55
    assert len({tuple(row["plane"]) for row in found["rows"]}) > 1


def test_S5_S6_covers_curve_at_the_ratios_of_the_figure() -> None:
    values = {
        5: {7: 0.891, 8: 0.773, 9: 0.637, 10: 0.5, 11: 0.377, 12: 0.274},
        65: {91: 1.0, 104: 0.995, 117: 0.886, 130: 0.5, 143: 0.138, 156: 0.018},
    }
    for N, expected in values.items():
        rows = {row["P"]: row["fraction"] for row in capacity_answers.curve({"N": N}, NONE)["rows"]}
        assert {P: round(rows[P], 3) for P in expected} == expected
