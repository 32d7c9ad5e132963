"""The two slow twins: they agree where nothing rounds, and the rounded one rounds as it says."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from novikoff.data.examples import example
from novikoff.perceptron.trace import trace
from oracles.slides import SLIDES
from oracles.twins import KINDS, NEAR_TIES, Problem, near_ties, problem, rounded

ORDERS = ["cyclic", "first", "shuffle", "random"]
EXACT_KINDS = ["small_integers", "zeros_and_ones", "quarters"]


def signs(y: np.ndarray) -> list[int]:
    return [1 if label == np.unique(y)[-1] else -1 for label in y]


@pytest.mark.parametrize("name", SLIDES)
def test_slides(name: str) -> None:
    """On every slide the rounded twin makes the slide's updates."""
    slide = SLIDES[name]
    X, y = example(slide.example)
    r = rounded(X, signs(y), order=slide.order, fit_intercept=slide.fit_intercept, cycles=True)
    assert (r.rows, r.looks, r.stop) == (slide.rows, slide.looks, slide.stop_reason)
    assert tuple([*r.w.tolist(), r.b][: len(slide.w)]) == slide.w


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("kind", EXACT_KINDS)
def test_twins_agree_where_nothing_rounds(kind: str, order: str) -> None:
    """Whole numbers and quarters: same mistakes at the same looks, same weights, same end, same cycle."""
    rng = np.random.default_rng(11)
    for seed in range(12):
        p = problem(kind, rng)
        start = rng.integers(-2, 3, p.X.shape[1] + p.fit_intercept) if seed % 3 == 0 else None
        how = {"order": order, "seed": seed, "fit_intercept": p.fit_intercept, "max_updates": 300}
        t = trace(p.X, p.y, w0=start, **how)  # type: ignore[arg-type]
        d = p.X.shape[1]
        w0, b0 = (None, 0.0) if start is None else (start[:d], float(start[d]) if p.fit_intercept else 0.0)
        r = rounded(p.X, p.y, w0=w0, b0=b0, passes=2000, cycles=True, **how)  # type: ignore[arg-type]
        assert r.rows == [step.row for step in t.steps]
        assert r.at_looks == [step.looks for step in t.steps]
        assert [*r.w.tolist(), r.b][: len(t.w)] == list(t.w)
        assert (r.stop, r.looks, r.passes) == (t.stop_reason, t.n_looks, t.passes)
        assert (None if r.cycle_counts is None else tuple(r.cycle_counts)) == t.cycle_counts


@pytest.mark.parametrize("kind", KINDS)
def test_updates_are_rounded_twice(kind: str) -> None:
    """w + (η·y)·x in two IEEE operations, as numpy does them elementwise; from w⁰ = 0 with step 1, then times η."""
    rng = np.random.default_rng(12)
    for _ in range(5):
        p = problem(kind, rng)
        scaled = rounded(p.X, p.y, eta0=0.1, passes=3)
        w = np.zeros(p.X.shape[1])
        for row in scaled.rows:
            w = w + p.y[row] * p.X[row]
        assert (w * 0.1).tobytes() == scaled.w.tobytes()
        inside = rounded(p.X, p.y, eta0=0.1, w0=p.X[0], passes=3)
        w = p.X[0] + 0.0
        for row in inside.rows:
            w = w + (0.1 * p.y[row]) * p.X[row]
        assert w.tobytes() == inside.w.tobytes()


def test_mistakes_do_not_depend_on_the_rate() -> None:
    """From w⁰ = 0 every η makes the same mistakes, on data where 0.1·x rounds."""
    rng = np.random.default_rng(13)
    for kind in KINDS:
        p = problem(kind, rng)
        assert rounded(p.X, p.y, eta0=0.1).rows == rounded(p.X, p.y).rows


def test_schedule() -> None:
    """With η_k = 1/k the k-th update is (y/k)·x, rounded."""
    X, y = example("cornwell")
    r = rounded(X, y, schedule=lambda k: 1 / k, passes=100)
    w = np.zeros(2)
    for k, row in enumerate(r.rows, start=1):
        w = w + (1 / k * y[row]) * X[row]
    assert r.stop == "separated"
    assert w.tobytes() == r.w.tobytes()


@pytest.mark.parametrize("order", ORDERS)
def test_votes_and_average(order: str) -> None:
    """Each vector weighs the looks after which it was present: they sum to all looks, and their mean is the average."""
    rng = np.random.default_rng(14)
    for _ in range(10):
        p = problem("quarters", rng)
        r = rounded(p.X, p.y, order=order, passes=6, keep="average", eta0=0.5)
        assert sum(weight for _, weight in r.votes) == r.looks
        assert [weight > 0 for _, weight in r.votes[1:]] == [True] * len(r.rows)
        assert r.votes[-1][0] == (tuple(r.w.tolist()), r.b)
        assert r.average is not None
        for j, value in enumerate([*r.average[0], r.average[1]]):
            mean = sum(weight * Fraction([*w, b][j]) for (w, b), weight in r.votes) / r.looks
            assert value == pytest.approx(float(mean), rel=1e-12, abs=1e-12)


def naive_errors(p: Problem, w: tuple[float, ...], b: float) -> int:
    scores = [sum(Fraction(a) * Fraction(v) for a, v in zip(w, x, strict=True)) + Fraction(b) for x in p.X.tolist()]
    return sum(int(sign) * score <= 0 for sign, score in zip(p.y, scores, strict=True))


@pytest.mark.parametrize("order", ORDERS)
def test_pocket_never_rises_and_is_counted_exactly(order: str) -> None:
    """After every pass the pocket's errors are its own exact count, and they never rise; separated: they are 0."""
    rng = np.random.default_rng(15)
    for kind in KINDS:
        p = problem(kind, rng)
        r = rounded(p.X, p.y, order=order, passes=6, keep="pocket")
        errors = [e for _, e in r.pockets]
        assert len(errors) == r.passes
        assert errors == sorted(errors, reverse=True)
        assert errors == [naive_errors(p, w, b) for (w, b), _ in r.pockets]
        assert (errors[-1] == 0) or r.stop != "separated"


def test_pocket_by_hand() -> None:
    """XOR in turn: no look is right in pass 1, so only (0, 0, 0) is counted, at its end, with 4 errors."""
    X, y = example("xor")
    assert rounded(X, y, passes=1, keep="pocket").pockets == [(((0.0, 0.0), 0.0), 4)]
    # from the first point: (0,0,−1) has the first right look; (2,2,−1) has the run of 3 and 1 error
    last = rounded(X, y, passes=6, order="first", keep="pocket").pockets[-1]
    assert last == (((2.0, 2.0), -1.0), 1)


def test_limits() -> None:
    """A run ends at `passes`, or where one more than `max_updates` is needed; a pass cut short has an end too."""
    X, y = example("xor")
    assert rounded(X, y, passes=3).stop == "max_passes"
    cut = rounded(X, y, max_updates=2, keep="pocket")
    assert (cut.stop, cut.rows, cut.looks, cut.passes) == ("max_updates", [0, 1], 3, 1)
    assert cut.pockets == [(((1.0, 0.0), 0.0), 3)]


def test_a_return_by_rounding_is_no_cycle() -> None:
    """(−1, 1) and (2e-17, 1e-17) freeze w in binary64 although (0, 1) separates them: no cycle is claimed."""
    X, y = [[-1.0, 1.0], [-2e-17, -1e-17]], [1, -1]
    r = rounded(X, y, fit_intercept=False, passes=200, cycles=True)
    assert (r.stop, r.w.tolist()) == ("max_passes", [-1.0, 1.0])
    assert rounded(X, y, fit_intercept=False, w0=[0.0, 1.0]).stop == "separated"


@pytest.mark.parametrize("kind", KINDS)
def test_problems_are_repeatable_and_two_sided(kind: str) -> None:
    """The same generator gives the same problem; both signs occur; all numbers are finite and below 2^500."""
    p, again = (problem(kind, np.random.default_rng(3)) for _ in range(2))
    assert p.X.tobytes() == again.X.tobytes()
    assert p.y.tobytes() == again.y.tobytes()
    assert set(p.y) == {-1.0, 1.0}
    assert np.abs(p.X).max() < 2.0**500
    if kind in [*EXACT_KINDS, "mirrored_float32"]:
        assert p.float32
    if kind in ["small_integers", "zeros_and_ones", "large_integers"]:
        assert p.integers


def test_near_ties_have_teeth() -> None:
    """A plain float loop goes astray on many of them; each kind is drawn, some in numbers of float32."""
    rng = np.random.default_rng(4)
    drawn = [near_ties(rng) for _ in range(120)]
    assert {p.kind for p in drawn} == set(NEAR_TIES)
    assert any(p.float32 for p in drawn)
    astray = sum(plain_rows(p) != rounded(p.X, p.y, fit_intercept=p.fit_intercept, passes=2).rows for p in drawn)
    assert astray > 20


def plain_rows(p: Problem) -> list[int]:
    """The mistakes of two passes with every score rounded."""
    X = np.column_stack([p.X, np.full(len(p.X), float(p.fit_intercept))])
    w = np.zeros(X.shape[1])
    rows = []
    for _ in range(2):
        for i, x in enumerate(X):
            if p.y[i] * np.dot(w, x) <= 0:
                w = w + p.y[i] * x
                rows.append(i)
    return rows
