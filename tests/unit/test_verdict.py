"""What a verdict says as values and in words, which rows must go, and what it says of pairs of classes."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest
from scipy import sparse

import novikoff as nv
from commands import novikoff

POINTS = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]
XOR, OR = [0, 1, 1, 0], [0, 1, 1, 1]
QUASI = ([[-2.0], [0.0], [0.0], [2.0]], [0, 0, 1, 1])
HALF = Fraction(1, 2)


def noise(n: int, d: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    return rng.standard_normal((n, d)), rng.integers(0, 2, n)


# ---- values

VALUES: dict[str, tuple[Any, Any, bool, dict[str, Any]]] = {
    "separable": (POINTS, OR, True, {"separable": True, "kind": "complete", "w": (2, 2), "b": -1, "support": (),
                                     "weights": (), "held": (), "held_weights": (), "rows_read": 4}),
    "not": (POINTS, XOR, True, {"separable": False, "kind": "overlap", "w": None, "b": None, "support": (0, 1, 2, 3),
                                "weights": (1, 1, 1, 1)}),
    "quasi-complete": (*QUASI, True, {"separable": False, "kind": "quasi-complete", "w": (1,), "b": 0,
                                      "support": (1, 2), "weights": (1, 1), "held": (1, 2), "held_weights": (1, 1)}),
    "one class": ([[1.0, 2.0], [-1.0, 5.0]], ["a", "a"], True,
                  {"separable": True, "w": (0, 0), "b": 1, "how": "one class only", "rows_read": 0}),
    "the origin": ([[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]], [1, -1, 1], False,
                   {"separable": False, "kind": "quasi-complete", "support": (1,), "weights": (1,), "held": ()}),
    "one ray": ([[1.0, 3.0], [2.0, 6.0], [5.0, 0.0]], [1, -1, 1], False,
                {"separable": False, "support": (0, 1), "weights": (2, 1), "how": "two points on one ray"}),
}  # fmt: skip
SEPARATED = {"separable": [0, 1, 2, 3], "quasi-complete": [0, 3], "the origin": [0, 2]}


@pytest.mark.parametrize("case", VALUES)
def test_a_verdict_has_its_plane_or_its_proof(case: str) -> None:
    X, y, bias, wanted = VALUES[case]
    v = nv.decide(X, y, fit_intercept=bias)
    assert {name: getattr(v, name) for name in wanted} == wanted
    assert bool(v) == wanted["separable"]
    assert case not in SEPARATED or v.separated.tolist() == SEPARATED[case]
    assert v.check(X, y)


def test_a_check_against_other_points_says_no() -> None:
    for v, y in ((nv.decide(POINTS, OR), OR), (nv.decide(POINTS, XOR), XOR)):
        assert not v.check(POINTS, [1, 0, 1, 1])
        assert not v.check(POINTS[:3], y[:3])
        assert not v.check([[*x, 0.0] for x in POINTS], y)


def test_time_that_is_up_leaves_it_undecided() -> None:
    X, y = noise(3000, 40)
    v = nv.decide(X, y, max_time=1e-9)
    assert (v.separable, v.kind, v.w, v.b, v.support) == (None, "undecided", None, None, ())
    assert "stopped by max_time" in repr(v)
    assert str(v).startswith("undecided: 3,000 points of 40 numbers; stopped by max_time")
    assert v.explain().startswith("UNDECIDED")
    ask: list[Callable[[Any], Any]] = [bool, lambda v: v.separated, lambda v: v.held, lambda v: v.check(X, y)]
    for question in (*ask, lambda v: v.obstruction, lambda v: nv.removal(v)):
        with pytest.raises(nv.UndecidedError):
            question(v)


def test_points_changed_before_the_kind_was_asked_for_are_noticed() -> None:
    X = np.array(QUASI[0])
    v = nv.decide(X, QUASI[1])
    X[1] = 7.0
    with pytest.raises(nv.InputError, match="changed after decide"):
        v.kind  # noqa: B018


def test_the_three_way_answer_of_many_rows_is_that_of_all_of_them() -> None:
    """A working set grows to the same answer as all rows at once."""
    rng = np.random.default_rng(5)
    X = rng.integers(-3, 4, (4000, 3)).astype(float)
    X[:, 0] = np.abs(X[:, 0]) * (rng.random(4000) < 0.02)
    y = np.where(X[:, 0] > 0, 1, rng.integers(0, 2, 4000))
    v = nv.decide(X, y)
    assert (v.kind, v.separated.tolist()) == ("quasi-complete", np.flatnonzero(X[:, 0] > 0).tolist())


def test_the_three_proofs_of_a_no_have_the_same_weights() -> None:
    X, y = noise(80, 9)
    verdicts = [nv.decide(X, y, proof=proof) for proof in ("auto", "rational", "interval")]
    v = verdicts[0]
    assert {(v.support, v.weights, v.kind) for v in verdicts} == {(v.support, v.weights, "overlap")}
    assert (v.held, v.held_weights) == (v.support, v.weights)
    moved = X.copy()
    moved[v.support[0], 0] += 1.0
    assert all(v.check(X, y) for v in verdicts)
    assert not any(v.check(moved, y) for v in verdicts)


@pytest.mark.slow
def test_a_check_does_not_depend_on_which_bounds_can_be_had() -> None:
    """The bounds of one order of the rows may be too wide where those of another were not: whole numbers decide."""
    rng = np.random.default_rng(31)
    for _ in range(500):
        X = 1e9 + rng.integers(-2, 3, (6, 4))
        y = rng.choice([-1, 1], 6)
        assert nv.decide(X, y, fit_intercept=False).check(X, y)


def test_more_columns_than_points_is_the_perceptrons_case() -> None:
    rng = np.random.default_rng(9)
    S = sparse.random(60, 3000, 0.01, format="csr", random_state=1)
    y = rng.integers(0, 2, 60)
    v = nv.decide(S, y)
    assert (v.separable, v.how, v.rows_read) == (True, "perceptron", 60)
    assert v.check(S, y)
    S = S.tolil()
    S[7] = S[3]
    S, y[3], y[7] = S.tocsr(), 0, 1
    v = nv.decide(S, y)
    assert (v.separable, v.support, v.weights) == (False, (3, 7), (1, 1))


# ---- words


def test_the_hulls_of_xor_meet_in_the_middle_as_in_the_lecture() -> None:
    v = nv.decide(POINTS, XOR)
    why = v.obstruction
    assert why is not None
    assert (why.how, why.rows, why.point) == ("hulls", (0, 1, 2, 3), (HALF, HALF))
    assert (why.positive.label, why.positive.rows, why.positive.weights) == (1, (1, 2), (HALF, HALF))
    assert why.to_dict()["negative"] == {"label": 0, "rows": [0, 3], "weights": ["1/2", "1/2"]}
    assert v.explain().splitlines()[3:] == [
        "       class 1:  1/2·p2 + 1/2·p3 = 1/2·(1, 0) + 1/2·(0, 1) = (1/2, 1/2)",
        "       class 0:  1/2·p1 + 1/2·p4 = 1/2·(0, 0) + 1/2·(1, 1) = (1/2, 1/2)",
        "       suppose a plane had each of these points on its own side:",
        "         p1:  −b > 0",
        "         p2:  w1 + b > 0",
        "         p3:  w2 + b > 0",
        "         p4:  −w1 − w2 − b > 0",
        "       multiplied by 1, 1, 1, 1 and added, the left sides sum to 0, but must be > 0: a contradiction",
    ]
    assert "4 rows prove it" in repr(v)
    assert str(v).startswith("not separable: overlap, proved by 4 of 4 points")


SHORT: list[tuple[Any, Any, bool, str, str]] = [
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
]  # fmt: skip


@pytest.mark.parametrize(("X", "y", "bias", "how", "said"), SHORT)
def test_short_proofs_are_said_in_their_own_words(X: Any, y: Any, bias: bool, how: str, said: str) -> None:
    v = nv.decide(X, y, fit_intercept=bias)
    assert v.obstruction is not None
    assert v.obstruction.how == how
    assert said in v.explain()


def test_separable_and_quasi_complete_answers_in_words() -> None:
    v = nv.decide(POINTS, OR)
    assert v.obstruction is None
    assert v.explain() == (
        "SEPARABLE  a plane has every one of the 4 points strictly on its own side (checked exactly).\n"
        "plane  2·x1 + 2·x2 − 1   > 0 on 1, < 0 on 0"
    )
    assert "2·left + 2·right − 1" in v.explain(names=["left", "right"])
    assert str(v).startswith("separable: a plane has each of 4 points of 2 numbers")
    assert "only one class, yes" in nv.decide(POINTS, ["yes"] * 4).explain()
    assert "w·x + b with 40 whole numbers" in nv.decide(np.eye(40), [0, 1] * 20).explain()
    quasi = nv.decide(*QUASI)
    assert str(quasi).startswith("not separable: proved by 2 of 4")
    assert str(quasi).count("quasi-complete") <= 1
    assert quasi.explain(place=lambda i: i + 11).splitlines()[1:5] == [
        "sides  + is 1, − is 0",
        "plane  x1   ≥ 0 on 1, ≤ 0 on 0",
        "       separated: 2 (points 11 and 14)",
        "       on it, with every such plane: 2 (points 12 and 13)",
    ]


def test_long_proofs_are_cut_and_long_numbers_marked() -> None:
    v = nv.decide(*noise(100, 30))
    short, text = v.explain(weights=False), v.explain()
    assert "positive weights exist" in short
    assert "p1" not in short
    assert "more)" in text
    assert "≈" in text
    assert max(map(len, text.splitlines())) < 400


# ---- rows whose removal makes points separable (that it is the smallest: property/test_explanations)


def test_the_words_of_a_removal_and_that_it_takes_a_verdict() -> None:
    found = nv.removal([[0.0], [1.0]], [0, 1])
    assert (found.rows, found.at_least, bool(found.rest)) == ((), 0, True)
    xor = nv.removal(POINTS, XOR)
    assert (len(xor.rows), xor.at_least, repr(xor)) == (1, 1, "Removal(exactly 1 row)")
    assert nv.removal(nv.decide(POINTS, XOR)).rows == xor.rows
    assert nv.removal(nv.decide(POINTS, OR)).rows == ()
    late = nv.removal(*noise(400, 3), max_time=1e-9)
    assert (late.rows, late.rest, late.at_least, repr(late)) == (None, None, 0, "Removal(at least 0 rows)")


@pytest.mark.compiled
def test_wrong_labels_are_found_and_the_rest_is_proved() -> None:
    rng = np.random.default_rng(0)
    X, w = rng.standard_normal((3000, 4)), rng.standard_normal(4)
    X = X[abs(X @ w) > 0.5]
    y = (X @ w > 0).astype(int)
    bad = rng.choice(y.size, 4, replace=False)
    y[bad] ^= 1
    found = nv.removal(X, y)
    assert set(found.rows) <= set(bad.tolist())
    keep = np.setdiff1d(np.arange(y.size), found.rows)
    assert found.rest is not None
    assert found.rest.check(X[keep], y[keep])
    for row in found.rows:
        back = np.sort([*keep, row])
        assert not nv.decide(X[back], y[back])


# ---- pairs of classes


def test_decide_answers_for_each_pair_of_many_classes(tmp_path: Path) -> None:
    assert list(nv.decide_pairs([[0.0], [1.0]], ["b", "a"])) == [("a", "b")]
    X, y = nv.example("iris")
    found = nv.decide(X, y)
    assert (found.separable, bool(found), list(found)) == (False, False, list(nv.decide_pairs(X, y)))
    assert {pair: found[pair].kind for pair in found} == found.kinds
    assert list(found.kinds.values()) == ["complete", "complete", "overlap"]
    assert str(found) == "2 of 3 pairs of classes are separable, each by a plane checked exactly"
    assert found.explain() == "\n".join(novikoff("certify", "--example", "iris").out.splitlines()[:4])
    assert bool(nv.decide(X[:, :2] + [[1e6 * (label == "virginica"), 0] for label in y], y, proof="rational"))
    found["setosa", "virginica"].save(tmp_path / "pair.json")
    of_two = np.isin(y, ["setosa", "virginica"])
    assert nv.verify(tmp_path / "pair.json", X[of_two], y[of_two]) == "complete"
    with pytest.raises(nv.InputError, match=r"found\['setosa', 'versicolor'\]\.save"):
        found.save(tmp_path / "all.json")
    assert pickle.loads(pickle.dumps(nv.decide_pairs([[0.0], [1.0]], [0, 1]))).separable


def test_many_classes_without_a_bias() -> None:
    points, classes = [[1.0], [2.0], [-3.0]], ["a", "b", "c"]
    assert nv.decide([[0.0], [1.0], [2.0]], classes).separable
    without = nv.decide(points, classes, fit_intercept=False)
    assert [verdict.separable for verdict in without.values()] == [False, True, True]
    assert "a plane through the origin" in str(without)
    with pytest.raises(nv.InputError, match="positive: found 'b' and more than two classes"):
        nv.decide(points, classes, positive="b")


def test_a_decision_passes_few_functions() -> None:
    """Functions of the package in one call; kernels are one function each, compiled or not. The number only falls."""
    X, y = noise(60, 8)
    nv.decide(X, y)
    seen, folder = set(), str(Path(nv.__file__).parent)

    def profile(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(folder) and "kernel" not in code.co_filename:
            seen.add((code.co_filename.removeprefix(folder), code.co_qualname))

    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        nv.decide(X, y)
    finally:
        sys.setprofile(before)
    seen = {(name, function) for name, function in seen if not name.endswith("active_set.py")}
    assert len(seen) <= 63, sorted(seen)
