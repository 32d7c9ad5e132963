"""`nv.margin`: the published answers, every storage, every refusal."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_iris, load_wine

import novikoff as nv
from data.storages import storages_of
from oracles import nearest_points as hulls
from oracles.plain_points import read_plain


def relative(interval: tuple[float, float]) -> float:
    low, high = interval
    return (high - low) / high


# ---- published answers -----------------------------------------------------------------------------------------------


def test_iris() -> None:
    X, y = load_iris(return_X_y=True)
    m = nv.margin(X, y == 0)
    low, high = m.padded.gamma
    assert low <= 0.74911733208202796 <= high + 1e-15
    assert relative(m.padded.gamma) < 1e-15
    assert m.mistake_bound[0] == pytest.approx(221.784, abs=5e-4)
    assert relative(m.mistake_bound) < 1e-15


@pytest.mark.compiled
def test_sonar(shared_data: Callable[[str], Path]) -> None:
    plain = read_plain(shared_data("separation/sonar.csv"), None)
    m = nv.margin(plain.X, plain.y)
    assert m.mistake_bound[0] == pytest.approx(1.41045e7, rel=5e-6)
    assert relative(m.padded.gamma) < 1e-15
    assert relative(nv.margin(plain.X, plain.y, gap=1e-9).padded.gamma) < 1e-9


@pytest.mark.parametrize("k", range(1, 53))
def test_one_against_hardly_more_than_one(k: int) -> None:
    m = nv.margin([[1.0], [1 + 2.0**-k]], [0, 1])
    assert m.geometric.gamma == (2.0 ** -(k + 1),) * 2
    assert m.padded.gamma2 == hulls.padded2([[1], [1 + 2.0**-k]], [-1, 1])


def test_the_margin_of_crossing_pairs_is_not_taken_for_that_of_the_hulls() -> None:
    """(0, −1) is 1 away from (0, 0), which lies between (1, 0) and (−1e9, 0): at most 1/2; it was called √(1/2)."""
    X, y = [[1, 0], [-1e9, 0], [0, -1], [1e20, -1e20]], [1, 1, -1, -1]
    assert nv.margin(X, y).geometric.gamma2 == Fraction(1, 4) == hulls.geometric2(X, y)
    assert nv.MaxMargin().fit(X, y).predict(X).tolist() == y


# ---- what is handed back ---------------------------------------------------------------------------------------------


def test_the_plane_is_one_at_the_points_that_touch() -> None:
    X, y = load_iris(return_X_y=True)
    signs = np.where(y == 0, 1, -1)
    m = nv.margin(X, signs)
    for width in (m.padded, m.geometric):
        w, b = width.plane
        scores = signs * (X @ w + b)
        assert np.flatnonzero(scores < 1 + 1e-9).tolist() == width.touching.tolist()
        np.testing.assert_allclose(scores[width.touching], 1, rtol=1e-12)
    assert 1 / np.linalg.norm(m.geometric.plane[0]) == pytest.approx(m.geometric.gamma[0], rel=1e-12)
    assert np.hypot(np.linalg.norm(m.padded.plane[0]), m.padded.plane[1]) == pytest.approx(m.shortest[0], rel=1e-12)


def test_the_weights_make_the_nearest_points() -> None:
    X, y = load_wine(return_X_y=True)
    signs = np.where(y == 0, 1, -1)
    m = nv.margin(X, signs)
    Z = signs[:, None] * np.column_stack([X, np.ones(len(X))])
    nearest = m.padded.weights @ Z[m.padded.touching]
    assert np.linalg.norm(nearest) == pytest.approx(m.padded.gamma[0], rel=1e-9)
    between = m.geometric.weights @ Z[m.geometric.touching]
    assert np.linalg.norm(between) / 2 == pytest.approx(m.geometric.gamma[0], rel=1e-9)
    assert m.padded.weights.sum() == pytest.approx(1)
    assert m.geometric.weights.sum() == pytest.approx(2)
    assert m.geometric.weights @ signs[m.geometric.touching] == pytest.approx(0)


def test_without_a_bias_both_margins_are_one() -> None:
    X, y = nv.example("tao")
    m = nv.margin(X, y, fit_intercept=False)
    assert m.padded is m.geometric
    assert m.padded.plane[1] == 0.0


def test_one_class_has_an_endless_geometric_margin() -> None:
    m = nv.margin([[1.0, 2.0], [3.0, 4.0]], ["a", "a"])
    assert m.geometric.gamma == (math.inf, math.inf)
    assert m.padded.gamma2 == hulls.padded2([[1, 2], [3, 4]], [1, 1])
    assert m.mistake_bound[0] <= Fraction(26) / m.padded.gamma2 <= m.mistake_bound[1]
    alone = nv.margin([[1.0, 2.0], [3.0, 4.0]], ["a", "a"], fit_intercept=False)
    assert alone.geometric.gamma2 == 5


@pytest.mark.compiled
@pytest.mark.parametrize("gap", [1e-2, 1e-6, 1e-10])
def test_a_gap_is_kept(gap: float) -> None:
    """Also from a working set: 3,000 rows of which few are looked at."""
    rng = np.random.default_rng(1)
    X = rng.standard_normal((3000, 6))
    y = X @ np.arange(1, 7) > 0.5
    exact, m = nv.margin(X, y), nv.margin(X, y, gap=gap)
    for name in ("padded", "geometric"):
        low, high = getattr(m, name).gamma
        assert relative((low, high)) <= gap
        assert low <= getattr(exact, name).gamma[0] <= getattr(exact, name).gamma[1] <= high


@pytest.mark.compiled
def test_more_vertices_than_are_made_exact() -> None:
    """Above 64 vertices floats find the plane; the bounds are proved all the same."""
    rng = np.random.default_rng(2)
    X = rng.standard_normal((400, 90))
    y = X @ rng.standard_normal(90) > 0
    m = nv.margin(X, y)
    assert m.geometric.gamma2 is None
    assert 0 < relative(m.geometric.gamma) < 1e-9
    assert len(m.geometric.touching) > 64


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
        assert want.mistake_bound == got.mistake_bound, name
        assert want.updates == got.updates, name


# ---- refusals --------------------------------------------------------------------------------------------------------


def test_overlap_is_an_error_that_carries_the_proof() -> None:
    X, y = nv.example("xor")
    with pytest.raises(nv.NotSeparableError, match=r"no plane .*\(row 1, 2, 3, 4\)") as refused:
        nv.margin(X, y)
    assert refused.value.verdict.check(X, y)
    assert not isinstance(refused.value, nv.InputError)


@pytest.mark.parametrize(
    ("X", "y", "how", "message"),
    [
        ([[1.0], [math.nan]], [0, 1], {}, "NaN"),
        ([[1.0], [math.inf]], [0, 1], {}, "infinity"),
        ([[1.0], [2.0], [3.0]], [0, 1, 2], {}, "Found 3 classes"),
        ([[1.0], [2.0]], [0, 1, 1], {}, "2 rows and 3 labels"),
        (np.zeros((0, 2)), [], {}, "no labels"),
        ([[1.0], [2.0]], [0, 1], {"gap": 0}, "gap: found 0"),
        ([[1.0], [2.0]], [0, 1], {"engine": "threads"}, "engine: found 'threads'"),
        ([[1.0], [2.0]], [0, 1], {"fit_intercept": "yes"}, "fit_intercept"),
        ([[1.0], [1e200]], [0, 1], {}, "too large"),
    ],
)
def test_bad_input_is_refused_in_words(X: Any, y: Any, how: dict[str, Any], message: str) -> None:
    with pytest.raises(nv.InputError, match=message):
        nv.margin(X, y, **how)


@pytest.mark.parametrize("w0", [[1], [1, 2, 3, 4], ["x", 0, 0], [math.inf, 0, 0], 5])
def test_a_start_that_is_none_is_refused(w0: Any) -> None:
    X, y = nv.example("or")
    with pytest.raises(nv.InputError, match="w0: found"):
        nv.margin(X, y).mistake_bound_from(w0)


@pytest.mark.parametrize("eta", [0, -1, math.nan, math.inf, "fast"])
def test_a_rate_that_is_none_is_refused(eta: Any) -> None:
    X, y = nv.example("or")
    with pytest.raises(nv.InputError, match="eta: found"):
        nv.margin(X, y).mistake_bound_from([0, 0, 0], eta)


def test_points_changed_in_between_are_noticed() -> None:
    X, y = nv.example("or")
    m = nv.margin(X, y)
    X[0] -= 1
    with pytest.raises(nv.InputError, match="changed after margin"):
        m.padded  # noqa: B018


@pytest.mark.parametrize("size", [1e-300, 1e-290, 1e-150, 1e150])
def test_tiny_and_huge_points(size: float) -> None:
    m = nv.margin([[size], [0.0]], [0, 1])
    low, high = m.geometric.gamma
    assert low <= Fraction(size) / 2 <= high
    assert high - low <= 1e-9 * high
    assert m.mistake_bound[0] <= m.mistake_bound[1]


@pytest.mark.compiled
def test_many_columns_do_not_widen_the_interval() -> None:
    """Two passes of Gram and Schmidt: one left Q crooked, and the interval 0.4 % wide."""
    rng = np.random.default_rng(1)
    X, w = rng.normal(size=(20_000, 100)), rng.normal(size=100)
    low, high = nv.margin(X, X @ w > 0).geometric.gamma
    assert high - low <= 1e-9 * high
