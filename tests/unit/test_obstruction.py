"""Why no plane separates the points, as values and in words."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import novikoff as nv

XOR = [[0, 0], [1, 0], [0, 1], [1, 1]]
HALF = Fraction(1, 2)


def test_C4_the_hulls_of_xor_meet_in_the_middle() -> None:
    why = nv.decide(XOR, [0, 1, 1, 0]).obstruction
    assert why is not None
    assert (why.how, why.rows, why.point) == ("hulls", (0, 1, 2, 3), (HALF, HALF))
    assert (why.positive.label, why.positive.rows, why.positive.weights) == (1, (1, 2), (HALF, HALF))
    assert (why.negative.label, why.negative.rows, why.negative.weights) == (0, (0, 3), (HALF, HALF))
    assert why.to_dict()["negative"] == {"label": 0, "rows": [0, 3], "weights": ["1/2", "1/2"]}


def test_Z12_xor_reads_like_the_contradiction_of_the_lecture() -> None:
    assert nv.decide(XOR, [0, 1, 1, 0]).explain().splitlines()[3:] == [
        "       class 1:  1/2·p2 + 1/2·p3 = 1/2·(1, 0) + 1/2·(0, 1) = (1/2, 1/2)",
        "       class 0:  1/2·p1 + 1/2·p4 = 1/2·(0, 0) + 1/2·(1, 1) = (1/2, 1/2)",
        "       suppose a plane had each of these points on its own side:",
        "         p1:  −b > 0",
        "         p2:  w1 + b > 0",
        "         p3:  w2 + b > 0",
        "         p4:  −w1 − w2 − b > 0",
        "       multiplied by 1, 1, 1, 1 and added, the left sides sum to 0, but must be > 0: a contradiction",
    ]


@pytest.mark.parametrize(
    ("X", "y", "bias", "how", "said"),
    [
        ([[5, 1], [1, 2], [1, 2], [9, 9]], ["a", "a", "b", "b"], True, "same point",
         "points 2 and 3 are the same point with different labels (a and b)"),
        ([[1, 0], [0, 0], [0, 1]], [1, -1, 1], False, "origin",
         "point 2 is at the origin, and every plane without a bias goes through it"),
        ([[1, 3], [2, 6], [5, 0]], [1, -1, 1], False, "ray",
         "points 1 and 2 are on one ray from the origin with different labels (1 and -1): 2·p1 = p2"),
        ([[1, 3], [-2, -6], [5, 1]], [1, 1, -1], False, "opposite",
         "points 1 and 2 are both 1 and on opposite rays from the origin: 2·p1 + p2 = 0"),
        ([[1, 0], [0, 1], [1, 1]], [1, 1, -1], False, "cones",
         "the cones of the classes intersect: a vector is a positive combination of points of each class"),
        ([[1, 0], [-1, 1], [0, -1]], [1, 1, 1], False, "cones",
         "points of one class sum to the origin, with positive weights"),
    ],
)  # fmt: skip
def test_T2_short_proofs_are_said_in_their_own_words(X: Any, y: Any, bias: bool, how: str, said: str) -> None:
    v = nv.decide(X, y, fit_intercept=bias)
    assert v.obstruction is not None
    assert v.obstruction.how == how
    assert said in v.explain()


def test_a_separable_answer_is_the_plane_as_a_sum() -> None:
    v = nv.decide(XOR, [0, 1, 1, 1])
    assert v.obstruction is None
    assert v.explain() == (
        "SEPARABLE  a plane has every one of the 4 points strictly on its own side (checked exactly).\n"
        "plane  2·x1 + 2·x2 − 1   > 0 on 1, < 0 on 0"
    )
    assert "2·left + 2·right − 1" in v.explain(names=["left", "right"])
    assert "only one class, yes" in nv.decide(XOR, ["yes"] * 4).explain()
    wide = nv.decide(np.eye(40), [0, 1] * 20).explain()
    assert "w·x + b with 40 whole numbers" in wide


def test_a_quasi_complete_answer_names_the_rows_of_both_parts() -> None:
    lines = nv.decide([[-2.0], [0.0], [0.0], [2.0]], [0, 0, 1, 1]).explain(place=lambda i: i + 11).splitlines()
    assert lines[1:5] == [
        "sides  + is 1, − is 0",
        "plane  x1   ≥ 0 on 1, ≤ 0 on 0",
        "       separated: 2 (points 11 and 14)",
        "       on it, with every such plane: 2 (points 12 and 13)",
    ]


def test_long_proofs_are_cut_and_long_numbers_marked() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((100, 30)), rng.integers(0, 2, 100)
    short = nv.decide(X, y).explain(weights=False)
    assert "positive weights exist" in short
    assert "p1" not in short
    text = nv.decide(X, y).explain()
    assert "more)" in text
    assert "≈" in text
    assert max(map(len, text.splitlines())) < 400


def test_a_verdict_says_what_it_is_in_one_line() -> None:
    assert str(nv.decide(XOR, [0, 1, 1, 1])).startswith("separable: a plane has each of 4 points of 2 numbers")
    xor = nv.decide(XOR, [0, 1, 1, 0])
    assert str(xor).startswith("not separable: overlap, proved by 4 of 4 points")
    assert xor.weights == (1, 1, 1, 1)
    assert str(xor).startswith("not separable: overlap, proved by 4 of 4 points")
    quasi = nv.decide([[-2.0], [0.0], [0.0], [2.0]], [0, 0, 1, 1])
    assert str(quasi).startswith("not separable: proved by 2 of 4")
    assert quasi.kind in str(quasi) or str(quasi).count("quasi-complete") == 1
    rng = np.random.default_rng(0)
    late = nv.decide(rng.standard_normal((3000, 40)), rng.integers(0, 2, 3000), max_time=1e-9)
    assert str(late).startswith("undecided: 3,000 points of 40 numbers; stopped by max_time")
    assert late.explain().startswith("UNDECIDED")
    with pytest.raises(nv.UndecidedError):
        late.obstruction  # noqa: B018
