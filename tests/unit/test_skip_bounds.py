"""The bounds of `skip_bounds` against fractions: no cosine is too large, no sine too small, rounded or not."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from data.kernel_mode import RunKernels
from data.problems import KINDS, LASTING, Problem, lasting, near_ties, problem
from novikoff.data.problem import problem_of
from novikoff.kernels import dense
from novikoff.kernels.compile import interpreted
from novikoff.perceptron import skip_bounds, slots
from novikoff.perceptron.orders import Order
from novikoff.perceptron.plan import Plan
from novikoff.perceptron.rates import Rates
from novikoff.perceptron.run import skip_pass, skip_policy
from novikoff.perceptron.run.run import Run
from novikoff.perceptron.skip_bounds import LIMIT, LISTED, OFF, RB, RW, SINE, UNKNOWN, W2R
from novikoff.perceptron.stops import Stops
from novikoff.perceptron.train import train
from novikoff.scoring import scorer

Vector = list[Fraction]


def vector(w: Any, *more: float) -> Vector:
    return [Fraction(float(v)) for v in (*w, *more)]


def dot(a: Vector, b: Vector) -> Fraction:
    return sum((x * y for x, y in zip(a, b, strict=True)), Fraction(0))


def problems(count: int) -> list[Problem]:
    rng = np.random.default_rng(41)
    makers = [lambda k: lasting(list(LASTING)[k % len(LASTING)], rng), lambda k: near_ties(rng)]
    makers.append(lambda k: problem(list(KINDS)[k % len(KINDS)], rng))
    return [makers[k % 3](k) for k in range(count)]


@pytest.mark.parametrize(("storage", "columns"), [(np.float64, 10**6), (np.float32, 10**6), (np.float32, 1)])
def test_no_cosine_is_too_large_and_no_sine_too_small(
    storage: Any, columns: int, run_kernels: RunKernels, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Followed through runs in the interpreter, update by update."""
    run_kernels("interpreted")
    monkeypatch.setattr(scorer, "FILTERED", columns)
    monkeypatch.setattr(skip_policy, "WHEN", skip_policy.ALWAYS)
    seen = {"cosines": 0, "sines": 0}
    for k, p in enumerate(problems(36)):
        if storage is np.float32 and not p.float32:
            continue
        stored, _ = problem_of(p.X.astype(storage), p.y, fit_intercept=p.fit_intercept)
        eta = (1.0, 0.1, 3.0)[k % 3]
        start = np.zeros(stored.d + 1)
        start[0] = float(k % 2)
        plan = Plan(Order("cyclic"), "last", Stops(8, None, None, None), Rates(eta, None, not start.any()))
        run = Run.begin(stored, plan, start)
        watch(run, p, seen)
        train(run)
    assert seen["cosines"] > 100, seen
    assert seen["sines"] > 100, seen


def watch(run: Run, p: Problem, seen: dict[str, int]) -> None:
    """After each stretch of the run compare its bounds with the angles as they are."""
    react = run.react

    def checked(why: int, row: int) -> None:
        here = run.kind.fewer.angles
        if here is not None:
            check(run, p, here, seen)
        react(why, row)

    run.react = checked  # type: ignore[method-assign]
    run.most = 12


def check(run: Run, p: Problem, here: skip_bounds.Angles, seen: dict[str, int]) -> None:
    w, r = vector(run.S.w[0], run.S.num[0, slots.B]), vector(here.r, here.num[RB])
    rr, ww, rw = dot(r, r), dot(w, w), dot(r, w)
    assert Fraction(here.num[W2R]) >= ww
    assert abs(Fraction(here.num[RW]) - rw) <= Fraction(here.num[OFF])
    sine = Fraction(here.num[SINE])
    if sine < UNKNOWN:
        seen["sines"] += 1
        assert rw > 0
        assert sine**2 * rr * ww >= rr * ww - rw**2
    listed = set(here.rows[: here.cnt[LISTED]].tolist())
    for i, (x, sign, tau) in enumerate(zip(p.X, p.y, here.tau, strict=True)):
        assert (i in listed) == (tau <= here.num[LIMIT])
        if tau > 0:
            seen["cosines"] += 1
            z = vector(x, float(p.fit_intercept))
            rz = int(sign) * dot(r, z)
            assert rz > 0
            assert Fraction(float(tau)) ** 2 * rr * dot(z, z) <= rz**2
            if tau > here.num[SINE]:
                assert int(sign) * dot(w, z) > 0


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("rate", [1.0, 0.1, 2.0**-30])
def test_the_bounds_hold_through_thousands_of_updates(rate: float, seed: int) -> None:
    """Labels by chance and one snapshot: every update rounds, and no rounding may be lost."""
    rng = np.random.default_rng([42, seed])
    X, w, b, v = rng.standard_normal((20, 3)), rng.standard_normal(3), 0.5, np.zeros(1, np.float32)
    r, num = rng.standard_normal(3), np.zeros(len(skip_bounds.NUM))
    num[RB] = -0.7
    skip_bounds.begin(w, b, r, num)
    step = interpreted(dense.step, dense)
    for k in range(2400):
        i, side = k % 20, float(rng.choice([-1.0, 1.0]))
        if side * (w @ X[i] + b) >= -1e-9:
            continue
        skip_bounds.drift(X, i, w, b, 1.0, side, rate, r, num)
        step(X, i, w, v, rate * side, 1.0)
        b += rate * side
        if k % 16 == 0:
            exact_w, exact_r = vector(w, b), vector(r, num[RB])
            assert Fraction(num[W2R]) >= dot(exact_w, exact_w)
            assert abs(Fraction(num[RW]) - dot(exact_w, exact_r)) <= Fraction(num[OFF])


def test_a_sine_of_nearly_nothing_is_never_zero() -> None:
    assert 2.0**-24 < skip_bounds.sine_above(1.0, 0.0, 1.0, 1.0) < 2.0**-23
    assert skip_bounds.sine_above(1.0, 1.0, 1.0, 1.0) == UNKNOWN
    assert skip_bounds.sine_above(float("nan"), 0.0, 1.0, 1.0) == UNKNOWN


@pytest.mark.parametrize("score", [0.0, -1.0, 1e-12, float("nan")])
def test_a_row_without_a_sure_cosine_is_never_left_out(score: float) -> None:
    assert skip_bounds.cosine_below(score, 1e-10, 1.0, 1.0) == -1.0
    with np.errstate(all="ignore"):
        assert skip_bounds.cosine_below(score, float("inf"), 1.0, float("inf")) == -1.0


def test_the_place_of_a_row_in_the_list() -> None:
    rows = np.array([2, 3, 7, 9, 9], np.int32)  # four of them are listed
    assert [int(skip_pass.place_of(rows, row, 4)) for row in (0, 2, 3, 4, 7, 9, 10)] == [0, 0, 1, 2, 2, 3, 4]
    assert skip_pass.place_of(rows, 5, 0) == 0
