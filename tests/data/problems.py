"""Random problems with known troubles: ties, cancellation, scales far apart, underflow.

`problem(kind, rng)` draws one of the `KINDS`; `near_ties(rng)` draws from the `NEAR_TIES`, where looks lie within a few
roundings of the plane.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Generator = np.random.Generator
Maker = Callable[[Generator, int, int], Array]
LabelledMaker = Callable[[Generator, int, int, bool], tuple[Array, Array]]


def draws(many: int) -> int:
    """So many problems; a sixth of them where kernels are interpreted, which takes a hundred times as long."""
    return -(-many // 6) if os.environ.get("NUMBA_DISABLE_JIT") == "1" else many


@dataclass(frozen=True)
class Problem:
    """Points, signs, and whether to train with a bias (where near ties were made, they were made for this choice).

    float32: every number is one of float32 too; integers: every number is whole.
    """

    kind: str
    X: Array
    y: Array
    fit_intercept: bool

    @property
    def float32(self) -> bool:
        with np.errstate(all="ignore"):
            return bool(np.all(self.X.astype(np.float32).astype(np.float64) == self.X))

    @property
    def integers(self) -> bool:
        return bool(np.all(np.floor(self.X) == self.X))


def problem(kind: str, rng: Generator) -> Problem:
    """A random problem of one of the `KINDS`, with zeros here and there and labels that a teacher may have given."""
    n, d = int(rng.integers(4, 40)), int(rng.integers(1, 12))
    X = KINDS[kind](rng, n, d)
    if rng.random() < 0.5:
        X[rng.random((n, d)) < 0.4] = 0.0
    if rng.random() < 0.1:
        X[int(rng.integers(n))] = 0.0
    return Problem(kind, X, _labels(rng, X), bool(rng.integers(2)))


def _labels(rng: Generator, X: Array) -> Array:
    """A coin for each row, or a teacher's plane through the origin; both signs occur."""
    y = rng.choice([-1.0, 1.0], len(X))
    if rng.random() < 0.5:
        y = np.where(X @ rng.standard_normal(X.shape[1]) > 0, 1.0, -1.0)
    y[0], y[-1] = (1.0, -1.0) if abs(y.sum()) == len(y) else (y[0], y[-1])
    return y


def gaussian(rng: Generator, n: int, d: int) -> Array:
    return rng.standard_normal((n, d))


def small_integers(rng: Generator, n: int, d: int) -> Array:
    """Many exact ties."""
    return rng.integers(-3, 4, (n, d)).astype(float)


def mirrored_float32(rng: Generator, n: int, d: int) -> Array:
    """Numbers of float32; the second half are earlier rows reflected."""
    return _mirrored(rng, rng.standard_normal((n, d)).astype(np.float32).astype(float))


def _mirrored(rng: Generator, X: Array) -> Array:
    n = len(X)
    X[n // 2 :] = -X[rng.integers(0, n // 2 + 1, n - n // 2)]
    return X


def combinations(rng: Generator, n: int, d: int) -> Array:
    """Rows that are rounded combinations of earlier ones: near ties."""
    X = rng.standard_normal((n, d))
    for i in range(2, n):
        a, b = X[rng.integers(0, i)], X[rng.integers(0, i)]
        X[i] = [a - b, -(a + b), a * 3 - b, np.nextafter(-a, 9)][int(rng.integers(4))]
    return X


def scaled_columns(rng: Generator, n: int, d: int) -> Array:
    """Columns from 2^−230 to 2^230."""
    return rng.standard_normal((n, d)) * np.ldexp(1.0, rng.integers(-230, 230, d))


def scaled_entries(rng: Generator, n: int, d: int) -> Array:
    """Single numbers from 2^−60 to 2^60."""
    return np.ldexp(rng.standard_normal((n, d)), rng.integers(-60, 60, (n, d)))


def cancellation(rng: Generator, n: int, d: int) -> Array:
    """Pairs of columns (a, −a) where some −a is one step off."""
    X = rng.standard_normal((n, d))
    for j in range(0, d - 1, 2):
        X[:, j] = np.ldexp(1.0 + rng.integers(0, 4, n) * 2.0**-52, int(rng.integers(0, 50)))
        X[:, j + 1] = -X[:, j]
        off = rng.random(n) < 0.3
        X[off, j + 1] = np.nextafter(X[off, j + 1], 0)
    return X


def subnormals(rng: Generator, n: int, d: int) -> Array:
    """Down to 2^−1074, where products and updates underflow."""
    return np.ldexp(rng.standard_normal((n, d)), rng.integers(-1074, -480, (n, d)))


def decimals(rng: Generator, n: int, d: int) -> Array:
    return rng.integers(-9, 10, (n, d)) / 10.0


def zeros_and_ones(rng: Generator, n: int, d: int) -> Array:
    return (rng.random((n, d)) < 0.4).astype(float)


def large_integers(rng: Generator, n: int, d: int) -> Array:
    """Sums that pass 2^53."""
    X = rng.integers(-(2**30), 2**30, (n, d)).astype(float)
    X[:, : d // 2] = np.round(X[:, : d // 2] / 2**25)
    return _mirrored(rng, X)


def quarters(rng: Generator, n: int, d: int) -> Array:
    return rng.integers(-8, 9, (n, d)) / 4.0


KINDS: dict[str, Maker] = {
    make.__name__: make
    for make in (
        gaussian,
        small_integers,
        mirrored_float32,
        combinations,
        scaled_columns,
        scaled_entries,
        cancellation,
        subnormals,
        decimals,
        zeros_and_ones,
        large_integers,
        quarters,
    )
}


def near_ties(rng: Generator) -> Problem:
    """A problem many of whose looks lie within a few roundings of the plane."""
    n, d = int(rng.integers(6, 30)), int(rng.integers(2, 10))
    kind = list(NEAR_TIES)[int(rng.integers(len(NEAR_TIES)))]
    bias = bool(rng.integers(2))
    X, y = NEAR_TIES[kind](rng, n, d, bias)
    return Problem(kind, X, y, bias)


def against_the_weights(rng: Generator, n: int, d: int, bias: bool) -> tuple[Array, Array]:
    """Each row lies on the plane that the run has reached by then, as nearly as float64 can, or one step beside it."""
    return _against(rng, rng.standard_normal((n, d)), bias, np.float64)


def against_the_weights_float32(rng: Generator, n: int, d: int, bias: bool) -> tuple[Array, Array]:
    """The same with numbers of float32."""
    return _against(rng, rng.standard_normal((n, d)), bias, np.float32)


def against_scaled_weights(rng: Generator, n: int, d: int, bias: bool) -> tuple[Array, Array]:
    """The same with columns from 2^−230 to 2^230."""
    return _against(rng, scaled_columns(rng, n, d), bias, np.float64)


def against_tiny_weights(rng: Generator, n: int, d: int, bias: bool) -> tuple[Array, Array]:
    """The same at the edge of underflow."""
    return _against(rng, np.ldexp(rng.standard_normal((n, d)), rng.integers(-1060, -1000, d)), bias, np.float64)


def _against(rng: Generator, X: Array, bias: bool, dtype: type) -> tuple[Array, Array]:
    n, d = X.shape
    y = rng.choice([-1.0, 1.0], n)
    y[:2] = 1.0, -1.0
    X = X.astype(dtype).astype(float)
    w = [0.0] * (d + 1)
    for i in range(n):
        x = [*X[i].tolist(), float(bias)]
        j = int(rng.integers(d))
        if i > 1 and w[j]:
            x[j] = X[i, j] = _onto_the_plane(rng, w, x, j, dtype)
        score = sum(Fraction(a) * Fraction(v) for a, v in zip(w, x, strict=True))
        if int(y[i]) * score <= 0:  # int: numpy's float would round the fraction
            w = [a + float(y[i]) * v for a, v in zip(w, x, strict=True)]
    return X, y


def _onto_the_plane(rng: Generator, w: list[float], x: list[float], j: int, dtype: type) -> float:
    """The j-th coordinate that makes ⟨w, x⟩ = 0 but for one rounding, sometimes a step beside it."""
    rest = math.fsum(a * v for k, (a, v) in enumerate(zip(w, x, strict=True)) if k != j)
    with np.errstate(all="ignore"):
        value = dtype(-rest / w[j])
        beside = np.nextafter(value, dtype(rng.choice([-9, 9])))
    moved = float(value if rng.random() < 0.5 else beside)
    return moved if abs(moved) < 2.0**300 else 1.0


def _made(make: Maker) -> LabelledMaker:
    def labelled(rng: Generator, n: int, d: int, bias: bool) -> tuple[Array, Array]:
        X = make(rng, n, d)
        return X, _labels(rng, X)

    return labelled


def neighbours(rng: Generator, n: int, d: int) -> Array:
    """A few rows, and their reflections moved by single steps of nextafter."""
    X = rng.standard_normal((n, d))
    for i in range(3, n):
        X[i] = rng.choice([-1.0, 1.0]) * X[int(rng.integers(3))]
        j = int(rng.integers(d))
        X[i, j] = np.nextafter(X[i, j], rng.choice([-9.0, 9.0]))
    return X


def combinations_of_scaled(rng: Generator, n: int, d: int) -> Array:
    """Rounded sums and differences of rows whose columns lie 2^±230 apart."""
    X = scaled_columns(rng, n, d)
    for i in range(2, n):
        a, b = X[rng.integers(0, 2)], X[i - 1]
        X[i] = [a - b, -(a + b), a * 3 - b][int(rng.integers(3))]
    return X


NEAR_TIES: dict[str, LabelledMaker] = {
    "against_the_weights": against_the_weights,
    "against_the_weights_float32": against_the_weights_float32,
    "against_scaled_weights": against_scaled_weights,
    "against_tiny_weights": against_tiny_weights,
    "combinations": _made(combinations),
    "combinations_of_scaled": _made(combinations_of_scaled),
    "cancellation": _made(cancellation),
    "neighbours": _made(neighbours),
    "subnormals": _made(subnormals),
}


def lasting(kind: str, rng: Generator) -> Problem:
    """A problem that a plane separates, or nearly, and on which a run lasts: most rows are right for many passes."""
    n, d = int(rng.integers(20, 90)), int(rng.integers(2, 9))
    bias = bool(rng.integers(2))
    X, y = LASTING[kind](rng, n, d, bias)
    y[0], y[-1] = (1.0, -1.0) if abs(y.sum()) == len(y) else (y[0], y[-1])
    return Problem(kind, X, y, bias)


def _by_a_teacher(rng: Generator, X: Array, bias: bool) -> tuple[Array, Array]:
    """Labels by a plane; rows far nearer to it than the rest are few."""
    shift = rng.standard_normal() if bias else 0.0
    w = rng.standard_normal(X.shape[1]) / np.maximum(np.abs(X).max(axis=0), 1e-300)
    return X, np.where(X @ w + shift > 0, 1.0, -1.0)


def teacher(rng: Generator, n: int, d: int, bias: bool) -> tuple[Array, Array]:
    """float32 numbers, a few labels wrong in every second problem."""
    X, y = _by_a_teacher(rng, rng.standard_normal((n, d)).astype(np.float32).astype(float), bias)
    return X, np.where(rng.random(n) < rng.choice([0.0, 0.03]), -y, y)


def teacher_with_zeros(rng: Generator, n: int, d: int, bias: bool) -> tuple[Array, Array]:
    """Rows of zeros, and rows with many."""
    X = rng.standard_normal((n, d)) * (rng.random((n, d)) < 0.6)
    X[rng.integers(0, n, 2)] = 0.0
    return _by_a_teacher(rng, X, bias)


def teacher_of_whole_numbers(rng: Generator, n: int, d: int, bias: bool) -> tuple[Array, Array]:
    """Many exact ties."""
    return _by_a_teacher(rng, rng.integers(-3, 4, (n, d)).astype(float), bias)


def teacher_of_scaled_columns(rng: Generator, n: int, d: int, bias: bool) -> tuple[Array, Array]:
    """Columns from 2^−40 to 2^40."""
    return _by_a_teacher(rng, rng.standard_normal((n, d)) * np.ldexp(1.0, rng.integers(-40, 41, d)), bias)


def teacher_of_scaled_rows(rng: Generator, n: int, d: int, bias: bool) -> tuple[Array, Array]:
    """Rows of length 1e−8 to 1e8."""
    return _by_a_teacher(rng, rng.standard_normal((n, d)) * 10.0 ** rng.uniform(-8, 8, (n, 1)), bias)


def teacher_and_rows_on_the_plane(rng: Generator, n: int, d: int, bias: bool) -> tuple[Array, Array]:
    """A third of the rows lie on the planes the run goes through, as nearly as float64 can, or one step beside."""
    X, y = _by_a_teacher(rng, rng.standard_normal((n, d)), bias)
    near, signs = _against(rng, rng.standard_normal((n // 3, d)), bias, np.float64)
    X[: n // 3], y[: n // 3] = near, signs
    return X, y


LASTING: dict[str, LabelledMaker] = {
    make.__name__: make
    for make in (
        teacher,
        teacher_with_zeros,
        teacher_of_whole_numbers,
        teacher_of_scaled_columns,
        teacher_of_scaled_rows,
        teacher_and_rows_on_the_plane,
    )
}
