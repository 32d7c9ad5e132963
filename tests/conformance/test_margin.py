"""Margins: the published answers, what is handed back, every storage, and rows of which one cell is spoilt."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_iris, load_wine

import novikoff as nv
from data.storages import storages_of
from oracles import nearest_points as hulls

SLIDES = {
    "tao": (Fraction(1, 2), 2),
    "cornwell": (Fraction(1, 5), 55),
    "or": (Fraction(1, 9), 27),
    "and": (Fraction(1, 17), 51),
    "spam": (Fraction(1, 3), 15),
}


def relative(interval: tuple[float, float]) -> float:
    low, high = interval
    return (high - low) / high


def iris() -> tuple[np.ndarray, np.ndarray]:
    X, y = load_iris(return_X_y=True)
    return X, np.where(y == 0, 1, -1)


@pytest.mark.parametrize("name", SLIDES)
def test_T4_R5_S10_C7_Z9_the_slides(name: str) -> None:
    """γ² is rational, the bound is a whole number, and both are found exactly."""
    gamma2, bound = SLIDES[name]
    X, y = nv.example(name)
    m = nv.margin(X, y, fit_intercept=name != "tao")
    assert m.padded.gamma2 == gamma2
    assert m.mistake_bound == (bound, bound)
    assert Fraction(m.padded.gamma[0]) ** 2 <= gamma2 <= Fraction(m.padded.gamma[1]) ** 2
    assert m.finished
    assert m.updates <= bound
    assert m.shortest[0] <= 1 / math.sqrt(gamma2) <= m.shortest[1]


def test_S10a_taos_points_from_afar() -> None:
    """22 updates from (−10, −10); −10·√2 + n/√2 ≤ √(200 + n) up to n = 42."""
    X, y = nv.example("tao")
    m = nv.margin(X, y, fit_intercept=False)
    assert m.padded is m.geometric  # without a bias both margins are one
    assert m.padded.plane[1] == 0.0
    assert m.made_from([-10, -10]) == (22, True)
    assert m.mistake_bound_from([-10, -10]) == 42
    assert m.mistake_bound_from([-10, -10], Fraction(1, 2)) > 42
    assert m.mistake_bound_from([0, 0]) == m.updates == 2


@pytest.mark.compiled
def test_published_margins_of_iris_and_sonar(shared_data: Callable[[str], Path]) -> None:
    m = nv.margin(*iris())
    assert m.padded.gamma[0] <= 0.74911733208202796 <= m.padded.gamma[1] + 1e-15
    assert m.mistake_bound[0] == pytest.approx(221.784, abs=5e-4)
    assert max(relative(m.padded.gamma), relative(m.mistake_bound)) < 1e-15
    points = nv.read(shared_data("separation/sonar.csv"), header=False)
    m = nv.margin(points)
    assert m.mistake_bound[0] == pytest.approx(1.41045e7, rel=5e-6)
    assert relative(m.padded.gamma) < 1e-15
    assert relative(nv.margin(points, gap=1e-9).padded.gamma) < 1e-9


def test_margins_known_by_construction() -> None:
    for k in range(1, 53):  # 1 against hardly more than 1
        m = nv.margin([[1.0], [1 + 2.0**-k]], [0, 1])
        assert m.geometric.gamma == (2.0 ** -(k + 1),) * 2
        assert m.padded.gamma2 == hulls.padded2([[1], [1 + 2.0**-k]], [-1, 1])
    for size in (1e-300, 1e-290, 1e-150, 1e150):
        m = nv.margin([[size], [0.0]], [0, 1])
        assert m.geometric.gamma[0] <= Fraction(size) / 2 <= m.geometric.gamma[1]
        assert relative(m.geometric.gamma) <= 1e-9
        assert m.mistake_bound[0] <= m.mistake_bound[1]
    m = nv.margin([[1.0, 2.0], [3.0, 4.0]], ["a", "a"])  # one class has an endless geometric margin
    assert m.geometric.gamma == (math.inf, math.inf)
    assert m.padded.gamma2 == hulls.padded2([[1, 2], [3, 4]], [1, 1])
    assert m.mistake_bound[0] <= Fraction(26) / m.padded.gamma2 <= m.mistake_bound[1]
    assert nv.margin([[1.0, 2.0], [3.0, 4.0]], ["a", "a"], fit_intercept=False).geometric.gamma2 == 5


def test_the_margin_of_crossing_pairs_is_not_taken_for_that_of_the_hulls() -> None:
    """(0, −1) is 1 away from (0, 0), which lies between (1, 0) and (−1e9, 0): at most 1/2; it was called √(1/2)."""
    X, y = [[1, 0], [-1e9, 0], [0, -1], [1e20, -1e20]], [1, 1, -1, -1]
    assert nv.margin(X, y).geometric.gamma2 == Fraction(1, 4) == hulls.geometric2(X, y)
    assert nv.MaxMargin().fit(X, y).predict(X).tolist() == y


def test_the_plane_is_one_at_the_points_that_touch_and_their_weights_make_the_nearest_points() -> None:
    X, signs = iris()
    m = nv.margin(X, signs)
    for width in (m.padded, m.geometric):
        w, b = width.plane
        scores = signs * (X @ w + b)
        assert np.flatnonzero(scores < 1 + 1e-9).tolist() == width.touching.tolist()
        np.testing.assert_allclose(scores[width.touching], 1, rtol=1e-12)
    assert 1 / np.linalg.norm(m.geometric.plane[0]) == pytest.approx(m.geometric.gamma[0], rel=1e-12)
    assert np.hypot(np.linalg.norm(m.padded.plane[0]), m.padded.plane[1]) == pytest.approx(m.shortest[0], rel=1e-12)
    Z = signs[:, None] * np.column_stack([X, np.ones(len(X))])
    nearest, between = (width.weights @ Z[width.touching] for width in (m.padded, m.geometric))
    assert np.linalg.norm(nearest) == pytest.approx(m.padded.gamma[0], rel=1e-9)
    assert np.linalg.norm(between) / 2 == pytest.approx(m.geometric.gamma[0], rel=1e-9)
    assert (m.padded.weights.sum(), m.geometric.weights.sum()) == pytest.approx((1, 2))
    assert m.geometric.weights @ signs[m.geometric.touching] == pytest.approx(0)


@pytest.mark.compiled
def test_many_rows_many_vertices_and_many_columns_keep_the_gap() -> None:
    rng = np.random.default_rng(1)
    X = rng.standard_normal((3000, 6))
    y = X @ np.arange(1, 7) > 0.5
    exact = nv.margin(X, y)
    for gap in (1e-2, 1e-6, 1e-10):  # from a working set, too: of 3,000 rows few are looked at
        m = nv.margin(X, y, gap=gap)
        for name in ("padded", "geometric"):
            low, high = getattr(m, name).gamma
            assert relative((low, high)) <= gap
            assert low <= getattr(exact, name).gamma[0] <= getattr(exact, name).gamma[1] <= high
    rng = np.random.default_rng(2)
    X = rng.standard_normal((400, 90))
    m = nv.margin(X, X @ rng.standard_normal(90) > 0)  # above 64 vertices floats find the plane
    assert m.geometric.gamma2 is None
    assert 0 < relative(m.geometric.gamma) < 1e-9
    assert len(m.geometric.touching) > 64
    rng = np.random.default_rng(1)
    X, w = rng.normal(size=(20_000, 100)), rng.normal(size=100)
    assert relative(nv.margin(X, X @ w > 0).geometric.gamma) <= 1e-9  # with a crooked Q it was 0.4 % wide


def test_every_storage_has_the_same_margins() -> None:
    rng = np.random.default_rng(4)
    X = rng.integers(0, 2, (60, 5)).astype(float)
    y = np.where(X @ [3, 1, -2, 1, -2] > 0.5, "yes", "no")
    want = nv.margin(X, y)
    for name, store in storages_of(X):
        got = nv.margin(store, y)
        for which in ("padded", "geometric"):
            one, other = getattr(want, which), getattr(got, which)
            assert one.gamma2 == other.gamma2, name
            assert one.touching.tolist() == other.touching.tolist(), name
            assert one.plane[0].tobytes() == other.plane[0].tobytes(), name
        assert (want.mistake_bound, want.updates) == (got.mistake_bound, got.updates), name


def test_overlap_is_an_error_that_carries_the_proof_and_changed_points_are_noticed() -> None:
    X, y = nv.example("xor")
    with pytest.raises(nv.NotSeparableError, match=r"no plane .*\(row 1, 2, 3, 4\)") as refused:
        nv.margin(X, y)
    assert refused.value.verdict.check(X, y)
    assert not isinstance(refused.value, nv.InputError)
    X, y = nv.example("or")
    m = nv.margin(X, y)
    X[0] -= 1
    with pytest.raises(nv.InputError, match="changed after margin"):
        m.padded  # noqa: B018


@pytest.mark.parametrize("size", [*(10.0**k for k in range(6, 17, 2)), 1e15, 9.97e36])
@pytest.mark.parametrize("load", [load_iris, load_wine])
def test_a_margin_never_grows_by_adding_a_row_with_a_typing_error(load: Callable[..., tuple], size: float) -> None:
    """36 of 231 grew at 1e15. Both ends are checked by the checker that is handed out, too."""
    X, y = load(return_X_y=True)
    y = np.where(y == 0, "a", "b")
    rng = np.random.default_rng(int(math.log10(size)))
    for _ in range(4):
        row, column, sign = int(rng.integers(len(y))), int(rng.integers(X.shape[1])), float(rng.choice([-1, 1]))
        changed = X.copy()
        changed[row, column] = sign * size
        others = np.arange(len(y)) != row
        before = nv.margin(X[others], y[others])
        try:
            after = nv.margin(changed, y)
        except nv.NotSeparableError as error:
            assert error.verdict.check(changed, y), "the proof holds"  # noqa: PT017
            continue
        assert after.geometric.gamma[0] <= before.geometric.gamma[1]
        assert after.padded.gamma[0] <= before.padded.gamma[1]
        assert nv.verify(after.certificate().record(), changed, y, slow=True) == "complete"
