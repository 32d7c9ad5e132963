"""What a verdict says, refuses to say, and how input that cannot be used is refused."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

import novikoff as nv

XOR = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]


def test_a_separable_verdict_is_true_and_has_a_plane_of_whole_numbers() -> None:
    v = nv.decide(XOR, [0, 1, 1, 1])
    assert v
    assert v.kind == "complete"
    assert v.w is not None
    assert v.b is not None
    assert all(isinstance(a, int) for a in (*v.w, v.b))
    assert [sum(a * x for a, x in zip(v.w, row, strict=True)) + v.b > 0 for row in XOR] == [False, True, True, True]
    assert (v.support, v.weights, v.held, v.held_weights) == ((), (), (), ())
    assert v.separated.tolist() == [0, 1, 2, 3]
    assert v.rows_read == 4


def test_a_verdict_of_no_has_rows_and_weights() -> None:
    v = nv.decide(XOR, [0, 1, 1, 0])
    assert not v
    assert (v.kind, v.w, v.b) == ("overlap", None, None)
    assert (v.support, v.weights) == ((0, 1, 2, 3), (1, 1, 1, 1))
    assert "4 rows prove it" in repr(v)


def test_a_quasi_complete_verdict_has_both_proofs() -> None:
    v = nv.decide([[-2.0], [0.0], [0.0], [2.0]], [0, 0, 1, 1])
    assert (v.separable, v.kind, v.w, v.b) == (False, "quasi-complete", (1,), 0)
    assert (v.support, v.weights, v.held, v.held_weights) == ((1, 2), (1, 1), (1, 2), (1, 1))
    assert v.separated.tolist() == [0, 3]


def test_one_class_is_trivially_separable_and_says_so() -> None:
    v = nv.decide([[1.0, 2.0], [-1.0, 5.0]], ["a", "a"])
    assert v
    assert (v.w, v.b, v.how, v.rows_read) == ((0, 0), 1, "one class only", 0)
    assert v.check([[1.0, 2.0], [-1.0, 5.0]], ["a", "a"])


def test_a_point_at_the_origin_without_a_bias_is_a_proof() -> None:
    v = nv.decide([[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]], [1, -1, 1], fit_intercept=False)
    assert (v.separable, v.kind, v.support, v.weights) == (False, "quasi-complete", (1,), (1,))
    assert (v.held, v.held_weights, v.separated.tolist()) == ((), (), [0, 2])


def test_two_points_on_one_ray_are_a_proof() -> None:
    v = nv.decide([[1.0, 3.0], [2.0, 6.0], [5.0, 0.0]], [1, -1, 1], fit_intercept=False)
    assert (v.support, v.weights, v.how) == ((0, 1), (2, 1), "two points on one ray")


def test_a_check_against_other_points_says_no() -> None:
    for y in ([0, 1, 1, 1], [0, 1, 1, 0]):
        v = nv.decide(XOR, y)
        assert v.check(XOR, y)
        assert not v.check(XOR, [1, 0, 1, 1])
        assert not v.check(XOR[:3], y[:3])
        assert not v.check([[*x, 0.0] for x in XOR], y)


def test_time_that_is_up_leaves_it_undecided() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((3000, 40)), rng.integers(0, 2, 3000)
    v = nv.decide(X, y, max_time=1e-9)
    assert (v.separable, v.kind, v.w, v.b, v.support) == (None, "undecided", None, None, ())
    assert "stopped by max_time" in repr(v)
    for question in (bool, lambda v: v.separated, lambda v: v.held, lambda v: v.check(X, y)):
        with pytest.raises(nv.UndecidedError, match="max_time"):
            question(v)


def test_points_changed_before_the_kind_was_asked_for_are_noticed() -> None:
    X = np.array([[-2.0], [0.0], [0.0], [2.0]])
    v = nv.decide(X, [0, 0, 1, 1])
    X[1] = 7.0
    with pytest.raises(nv.InputError, match="changed after decide"):
        v.kind  # noqa: B018


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_what_is_no_number_is_refused_with_its_place(bad: float) -> None:
    for n in (4, 3000):
        X = np.random.default_rng(0).standard_normal((n, 3))
        y = (X[:, 0] > 0).astype(int)
        y[:2] = 0, 1
        X[:2, 0] = -1.0, 1.0
        X[3, 1] = bad
        with pytest.raises(nv.InputError, match=r"row 4 \(3 counted from 0\), column 2"):
            nv.decide(X, y)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"X": []}, "X: "),
        ({"y": [0, 1, 2, 3], "positive": 1}, "positive: found 1 and more than two classes"),
        ({"y": [0, 1]}, "2 labels"),
        ({"y": [1, 1]}, "2 labels"),
        ({"y": [np.nan] * 4}, "NaN"),
        ({"y": [np.inf] * 4}, "infinity"),
        ({"y": [None] * 4}, "y: "),
        ({"y": [0.5] * 4}, "y: "),
        ({"fit_intercept": 2}, "fit_intercept"),
        ({"proof": "yes"}, "proof"),
        ({"max_time": 0}, "max_time"),
        ({"max_time": "soon"}, "max_time"),
        ({"engine": "dask"}, "engine"),
    ],
)
def test_bad_input_is_named(change: dict[str, object], message: str) -> None:
    with pytest.raises(nv.InputError, match=message):
        nv.decide(**({"X": XOR, "y": [0, 1, 1, 0]} | change))


def test_the_three_way_answer_of_many_rows_is_that_of_all_of_them() -> None:
    """A working set grows to the same answer as all rows at once."""
    rng = np.random.default_rng(5)
    X = rng.integers(-3, 4, (4000, 3)).astype(float)
    X[:, 0] = np.abs(X[:, 0]) * (rng.random(4000) < 0.02)
    y = np.where(X[:, 0] > 0, 1, rng.integers(0, 2, 4000))
    v = nv.decide(X, y)
    assert (v.kind, v.separated.tolist()) == ("quasi-complete", np.flatnonzero(X[:, 0] > 0).tolist())


def test_the_three_proofs_of_a_no_have_the_same_weights() -> None:
    rng = np.random.default_rng(8)
    X, y = rng.standard_normal((80, 9)), rng.integers(0, 2, 80)
    verdicts = [nv.decide(X, y, proof=proof) for proof in ("auto", "rational", "interval")]
    assert {(v.support, v.weights, v.kind) for v in verdicts} == {(verdicts[0].support, verdicts[0].weights, "overlap")}
    v = verdicts[0]
    assert v.held == v.support
    assert v.held_weights == v.weights
    assert all(v.check(X, y) for v in verdicts)
    moved = X.copy()
    moved[v.support[0], 0] += 1.0
    assert not any(v.check(moved, y) for v in [*verdicts, nv.decide(X, y)])


@pytest.mark.slow
def test_a_check_does_not_depend_on_which_bounds_can_be_had() -> None:
    """The bounds of one order of the rows may be too wide where those of another were not: whole numbers decide."""
    rng = np.random.default_rng(31)
    for _ in range(2000):
        X = 1e9 + rng.integers(-2, 3, (6, 4))
        y = rng.choice([-1, 1], 6)
        v = nv.decide(X, y, fit_intercept=False)
        assert v.check(X, y)


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
