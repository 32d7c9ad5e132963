"""The kernels under `decide` against plain arithmetic: frames and planes, opposite rows, lists of the worst rows."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import novikoff as nv
from novikoff.exact import rescale_kernels
from novikoff.exact.rescale import Frame
from novikoff.certify.solve import active_set
from novikoff.kernels import compile
from novikoff.kernels.compile import compiler_is_off, kernel_of

seeds = st.integers(0, 2**32 - 1)


def rows_of(rng: np.random.Generator, pad: int) -> np.ndarray:
    """Signed rows whose columns have scales of their own, some of them constant."""
    n, d = int(rng.integers(1, 12)), int(rng.integers(1, 5))
    scale = 2.0 ** rng.integers(-40, 40, d)
    X = rng.standard_normal((n, d)) * scale + rng.choice([0.0, 1.0, 100.0], d) * scale
    if rng.random() < 0.3:
        X[:, 0] = X[0, 0]
    y = rng.choice([-1.0, 1.0], n)[:, None]
    return np.asarray(np.hstack([X, np.ones((n, 1))]) * y if pad else X * y)


def margins(plane: list[int], Z: np.ndarray) -> list[Fraction]:
    return [sum((w * Fraction(v) for w, v in zip(plane, z, strict=True)), Fraction(0)) for z in Z.tolist()]


@given(seeds, st.integers(0, 1))
def test_a_plane_of_the_frame_is_the_same_plane_in_the_points_own_numbers(seed: int, pad: int) -> None:
    """w_j = g_j·2^(−s_j), b = h − ⟨c, w⟩."""
    rng = np.random.default_rng(seed)
    Z = rows_of(rng, pad)
    frame = Frame(Z, pad)
    g = np.rint(rng.standard_normal(Z.shape[1]) * 2.0 ** rng.choice([3, 12, 24, 53]))
    plane = frame.back(g)
    exact = [Fraction(v) / Fraction(2) ** s for v, s in zip(g.tolist(), frame.powers.tolist(), strict=False)]
    if pad:
        exact.append(
            Fraction(g[-1]) - sum((Fraction(c) * w for c, w in zip(frame.centre, exact, strict=True)), Fraction(0))
        )
    if any(exact):
        at = next(i for i, v in enumerate(exact) if v)
        factor = plane[at] / exact[at]
        assert factor > 0
        assert plane == [factor * v for v in exact]


@given(seeds, st.integers(0, 1))
def test_a_short_plane_keeps_most_of_the_margin(seed: int, pad: int) -> None:
    rng = np.random.default_rng(seed)
    Z = rows_of(rng, pad)
    frame = Frame(Z, pad)
    w = rng.standard_normal(Z.shape[1])
    Z = Z[np.asarray(frame.A @ w > 1e-9 * np.abs(w).max())]
    if len(Z):
        assert min(margins(frame.short(w, frame.apply(Z)), Z)) > 0


@given(seeds)
def test_rows_of_zeros_and_rows_on_opposite_rays_are_found(seed: int) -> None:
    rng = np.random.default_rng(seed)
    Z = rng.integers(-2, 3, (int(rng.integers(1, 30)), int(rng.integers(1, 5)))).astype(float)
    Z *= 2.0 ** rng.integers(-5, 6, len(Z))[:, None]
    pair = np.zeros(2, np.int64)
    found = kernel_of(rescale_kernels.opposite, rescale_kernels, Z.size)(Z, pair)
    rays = Z / np.where(Z.any(axis=1), np.abs(Z).max(axis=1), 1.0)[:, None]
    there = [(i, j) for j in range(len(Z)) for i in range(j + 1) if (rays[i] == -rays[j]).all()]
    assert bool(found) == bool(there)
    if found:
        assert tuple(pair.tolist()) in there


def test_many_rows_on_one_ray_take_no_time() -> None:
    """Rows on a ray that is known are not kept again."""
    Z = np.tile([[1.0, 2.0, 3.0]], (50_000, 1)) * np.arange(1.0, 50_001.0)[:, None]
    if compiler_is_off():
        Z = Z[:500]
    pair = np.zeros(2, np.int64)
    assert not kernel_of(rescale_kernels.opposite, rescale_kernels, 10**9)(Z, pair)
    Z[-1] *= -1
    assert kernel_of(rescale_kernels.opposite, rescale_kernels, 10**9)(Z, pair)
    assert pair.tolist() == [0, len(Z) - 1]


@given(seeds)
def test_the_list_holds_the_worst_rows_in_order(seed: int) -> None:
    rng = np.random.default_rng(seed)
    A, w = rng.integers(-9, 10, (int(rng.integers(1, 40)), 3)).astype(float), rng.integers(-9, 10, 3).astype(float)
    near, m = np.zeros(int(rng.integers(1, 9)), np.int64), np.zeros(9)
    listed = kernel_of(active_set.worst, active_set, A.size)(A, w, near, m)
    assert listed == min(near.size, len(A))
    assert m[:listed].tolist() == np.sort(A @ w)[:listed].tolist()
    assert (A @ w)[near[:listed]].tolist() == m[:listed].tolist()
    assert len(set(near[:listed].tolist())) == listed


def test_numbers_that_are_none_or_too_large_are_told() -> None:
    y, which = np.array([1, -1], np.int8), np.array([1, 0])
    for bad, fine in ((1.0, True), (np.nan, False), (np.inf, False), (2.0**600, False)):
        X, Z = np.array([[1.0, 2.0], [3.0, bad]]), np.empty((2, 3))
        assert kernel_of(rescale_kernels.signed_rows, rescale_kernels, 4)(X, y, which, 1, Z) == fine
    X, Z = np.array([[1.0, 2.0], [3.0, 4.0]]), np.empty((2, 3))
    kernel_of(rescale_kernels.signed_rows, rescale_kernels, 4)(X, y, which, 1, Z)
    assert Z.tolist() == [[-3.0, -4.0, -1.0], [1.0, 2.0, 1.0]]


@pytest.mark.skipif(compiler_is_off(), reason="nothing is compiled")
def test_many_small_calls_come_to_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """The interpreter takes the first numbers of all calls together, not of each call."""
    request: list[bool] = []

    def made(compiled: bool) -> Any:
        return lambda function, verbs: request.append(compiled) or len

    monkeypatch.setattr(compile, "bind", made(True))
    monkeypatch.setattr(compile, "interpreted", made(False))
    monkeypatch.setattr(compile, "work", compile.Work())
    monkeypatch.setattr(compile, "_is_cached", lambda *_: False)
    for _ in range(3):
        kernel_of(rescale_kernels.framed, rescale_kernels, compile.limits.worth // 2)
    assert request == [False, False, True]


def test_a_point_with_both_labels_is_the_proof_even_where_others_are_on_rays_too() -> None:
    v = nv.decide([[1.0, 2.0], [2.0, 4.0], [1.0, 2.0], [5.0, 1.0]], [1, 1, 0, 0])
    assert (v.support, v.weights, v.how) == ((0, 2), (1, 1), "one point with both labels")
