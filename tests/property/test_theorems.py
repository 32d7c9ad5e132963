"""What the theorems say, on generated data, in fractions.

The margin γ is exact here: the widest plane's normal is the point p of conv{z_i} nearest to the origin, where
z_i = y_i·(x_i, 1), and γ = |p|; it is found by brute force (oracles/nearest_points).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import assume, given, strategies as st

import novikoff as nv
from data.choices import FIXED_ORDERS, KEEPS
from data.kernel_mode import kernels
from data.small_sets import fit_quietly
from oracles.nearest_points import nearest_to_origin
from oracles.passes import rows_of_pass

Vector = list[Fraction]

orders = st.sampled_from(FIXED_ORDERS)
keeps = st.sampled_from(KEEPS)
seeds = st.integers(0, 2**32 - 1)


@dataclass(frozen=True)
class Points:
    """Small whole numbers with signs."""

    X: list[list[int]]
    y: list[int]
    bias: bool

    @property
    def z(self) -> list[Vector]:
        """The signed, padded points."""
        pad = [1] if self.bias else []
        return [[Fraction(sign * v) for v in (*x, *pad)] for x, sign in zip(self.X, self.y, strict=True)]

    @property
    def R2(self) -> Fraction:
        return max(dot(z, z) for z in self.z)


@st.composite
def points(draw: st.DrawFn, largest: int = 4, most: int = 8) -> Points:
    """Up to eight points in one to three dimensions; about half of the sets are separable."""
    d, n = draw(st.integers(1, 3)), draw(st.integers(2, most))
    coordinate = st.integers(-largest, largest)
    X = draw(st.lists(st.lists(coordinate, min_size=d, max_size=d), min_size=n, max_size=n))
    if draw(st.booleans()):
        teacher = draw(st.lists(coordinate, min_size=d + 1, max_size=d + 1))
        y = [1 if sum(map(int.__mul__, teacher, [*x, 1])) > 0 else -1 for x in X]
    else:
        y = draw(st.lists(st.sampled_from([-1, 1]), min_size=n, max_size=n))
    assume(len(set(y)) == 2)
    return Points(X, y, draw(st.booleans()))


def dot(a: Any, b: Any) -> Fraction:
    return sum((p * q for p, q in zip(a, b, strict=True)), Fraction(0))


def widest(z: list[Vector]) -> Vector | None:
    """The point p of conv{z} nearest to the origin: γ = |p|, and p·z_i ≥ |p|² for all i; None if no plane separates."""
    p = list(nearest_to_origin(z))
    return p if any(p) else None


def fit(p: Any, valid: tuple[Any, Any] = (None, None), **how: Any) -> nv.Perceptron:
    """A run on Points, or on rows and labels."""
    X, y, bias = (np.array(p.X, float), p.y, p.bias) if isinstance(p, Points) else (*p, how.pop("bias", True))
    return fit_quietly(nv.Perceptron(fit_intercept=bias, **how), X, y, *valid)


def exact_plane(clf: nv.Perceptron, bias: bool) -> Vector:
    """(w, b) as the fractions they are."""
    return [Fraction(v) for v in [*clf.coef_[0].tolist(), *(clf.intercept_.tolist() if bias else [])]]


# ---- the theorem on mistakes


def test_the_exact_margin_of_known_sets() -> None:
    """Tao's four points have γ² = 1/2 and R² = 1; XOR has none."""
    tao = Points([[1, 0], [0, -1], [0, 1], [-1, 0]], [1, -1, 1, -1], False)
    p = widest(tao.z)
    assert p is not None
    assert (dot(p, p), tao.R2) == (Fraction(1, 2), 1)
    assert widest(Points([[0, 0], [1, 0], [0, 1], [1, 1]], [-1, 1, 1, -1], True).z) is None


@given(points(), orders, st.sampled_from([1.0, 0.5, 3.0]), st.integers(0, 99))
def test_updates_are_at_most_R2_over_gamma2_or_there_is_a_proof(p: Points, order: str, eta: float, seed: int) -> None:
    """From w⁰ = 0: a separable set takes at most (R/γ)² updates in any order at any η.

    No other set is `separated`; a `cycle` has counts by which the signed points sum to zero.
    """
    clf = fit(p, order=order, eta0=eta, random_state=seed, keep="last", max_iter=3000)
    u = widest(p.z)
    if u is None:
        assert clf.stop_reason_ in ("cycle", "max_passes")
        if clf.stop_reason_ == "cycle":
            k = [Fraction(v) for v in clf.cycle_counts_.tolist()]
            assert min(k) >= 0 < max(k)
            assert not any(dot(k, column) for column in zip(*p.z, strict=True))
        return
    assert (clf.stop_reason_, clf.cycle_counts_) == ("separated", None)
    gamma2 = dot(u, u)
    assert clf.n_updates_ * gamma2 <= p.R2
    w = exact_plane(clf, p.bias)
    k, step = clf.n_updates_, Fraction(eta)
    assert dot(w, u) >= k * step * gamma2  # ⟨w, u/γ⟩ ≥ kηγ
    assert dot(w, w) <= k * step**2 * p.R2
    assert all(dot(w, z) > 0 for z in p.z)


@given(points(), st.fractions(Fraction(1, 9), 9, max_denominator=9))
def test_Z10a_batch_makes_at_most_n_times_as_many_mistakes(p: Points, eta: Fraction) -> None:
    """From w⁰ = 0: γM ≤ ⟨w, u/γ⟩·n/η, |w|²·(n/η)² ≤ R²·Σm² after every update, so M ≤ n·(R/γ)² in all."""
    t = nv.trace(p.X, p.y, order="batch", fit_intercept=p.bias, eta0=eta, max_updates=400)
    n, u, made, squares, looks = len(p.y), widest(p.z), 0, 0, 0
    for step in t.steps:
        made, squares, looks = made + len(step.points), squares + len(step.points) ** 2, looks + n
        w = [v * n / eta for v in step.w]
        assert (step.looks, step.eta) == (looks, eta / n)
        assert dot(w, w) <= squares * p.R2
        if u is not None:
            assert dot(w, u) >= made * dot(u, u)
    assert made == sum(t.counts)
    if u is not None:
        assert t.stop_reason == "separated" or len(t.steps) == 400
        assert made * dot(u, u) <= n * p.R2
    else:
        assert t.stop_reason != "separated"


@given(points(), st.booleans())
def test_Z10a_the_compiled_batch_run_is_the_exact_one(p: Points, compiled: bool) -> None:
    """Whole numbers round only when η/n is multiplied in: the same mistakes, updates and end as in fractions."""
    t = nv.trace(p.X, p.y, order="batch", fit_intercept=p.bias, max_updates=300)
    with kernels("compiled" if compiled else "interpreted"):
        clf = fit(p, order="batch", keep="last", train_patience=None, max_updates=300)
    assert (clf.stop_reason_, clf.n_updates_, clf.n_looks_) == (t.stop_reason, len(t.steps), t.n_looks)
    assert clf.n_mistakes_.tolist() == list(t.counts)
    n = len(p.y)
    assert exact_plane(clf, p.bias) == [Fraction(float(v * n) * (1.0 / n)) for v in t.w]


@given(points(), orders, st.fractions(Fraction(1, 9), 9, max_denominator=9), st.integers(0, 99))
def test_every_update_obeys_the_three_inequalities(p: Points, order: str, eta: Fraction, seed: int) -> None:
    """Update k: y⟨w, x⟩ rises by exactly η‖x‖², ⟨w, u⟩ ≥ kηγ and |w|² ≤ kη²R²."""
    t = nv.trace(p.X, p.y, fit_intercept=p.bias, order=order, eta0=eta, seed=seed, max_updates=200)
    u = widest(p.z)
    for k, step in enumerate(t.steps, start=1):
        z = p.z[step.row]
        assert step.sign * step.score <= 0
        assert dot(step.w, z) - step.sign * step.score == eta * dot(z, z)
        assert dot(step.w, step.w) <= k * eta**2 * p.R2
        assert u is None or dot(step.w, u) >= k * eta * dot(u, u)
    assert (t.stop_reason == "separated") <= (u is not None)
    assert (t.stop_reason == "cycle") <= (u is None)


@given(points(), orders, st.tuples(st.integers(1, 4), st.integers(1, 4)), st.integers(0, 99))
def test_class_weights_multiply_the_steps(p: Points, order: str, factors: tuple[int, int], seed: int) -> None:
    """With class weights a step for a class is its weight times the point: w = Σ weight·kᵢ·zᵢ, as in the naive run."""
    assume(order != "first" and factors != (1, 1))  # with equal steps a return of w would end the run
    weight = {-1: factors[0], 1: factors[1]}
    clf = fit(p, order=order, random_state=seed, keep="last", max_iter=6, class_weight=weight)
    w, counts = [Fraction(0)] * len(p.z[0]), [0] * len(p.y)
    for number in range(clf.n_iter_):
        for row in rows_of_pass(order, len(p.y), seed, number).tolist():
            if dot(w, p.z[row]) <= 0:
                w = [a + weight[p.y[row]] * v for a, v in zip(w, p.z[row], strict=True)]
                counts[row] += 1
    assert exact_plane(clf, p.bias) == w
    assert clf.n_mistakes_.tolist() == counts


# ---- what is kept (the pocket: by the rounded twin of test_routes)


def wrong(clf: nv.Perceptron, X: np.ndarray, y: np.ndarray) -> int:
    """How many points the kept weights have on the wrong side or on the plane, counted in fractions."""
    if clf.keep == "vote":
        return int(np.count_nonzero(clf.decision_function(X) * y <= 0))
    plane = exact_plane(clf, True)
    scores = [dot(plane, [Fraction(v) for v in (*x, 1)]) for x in X.tolist()]
    return sum(int(sign) * score <= 0 for sign, score in zip(y, scores, strict=True))


def noisy(seed: int, n: int = 40) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = rng.integers(-4, 5, (n, 2)).astype(float)
    y = np.where(X[:, 0] + rng.standard_normal(n) > 0, 1, -1)
    y[:4] = 1, -1, 1, -1
    return X, y


@given(st.integers(0, 10**6), keeps, orders, st.booleans())
def test_early_stopping_returns_the_best_weights_seen(seed: int, keep: str, order: str, split: bool) -> None:
    """The weights handed back have the fewest validation errors of all that were counted, recounted in fractions."""
    X, y = noisy(seed)
    how = {"keep": keep, "order": order, "random_state": seed, "max_iter": 15, "valid_patience": 3}
    if split:
        clf = fit((X, y), early_stopping=True, validation_fraction=0.3, **how)
        kept = 30 if order == "first" else clf.n_looks_ // clf.n_iter_  # passes of the first order end early
        assert 24 <= kept <= 30, "about three tenths of each class are kept aside"
        assert np.count_nonzero(clf.n_mistakes_) <= kept
        assert max(clf.history_["valid_errors"]) <= 40 - kept
        return
    X_valid, y_valid = noisy(seed + 1)
    clf = fit((X, y), (X_valid, y_valid), **how)
    counts = clf.history_["valid_errors"]
    assert len(counts) == clf.n_iter_
    assert wrong(clf, X_valid, y_valid) == min(counts)


def present(t: nv.trace, n_looks: int) -> Iterator[tuple[tuple[Fraction, ...], int]]:
    """Every vector of a trace with the looks after which it was the present one."""
    created = [1, *(step.looks for step in t.steps), n_looks + 1]
    vectors = [t.start, *(step.w for step in t.steps)]
    yield from ((w, end - begin) for w, begin, end in zip(vectors, created, created[1:], strict=False))


@given(points(), points(), orders, st.integers(0, 99))
def test_the_average_is_the_mean_of_the_vectors_and_the_vote_the_naive_vote(
    p: Points, q: Points, order: str, seed: int
) -> None:
    """keep="average": the exact mean of w over all looks, but for the two roundings of w − u/c.

    keep="vote": each vector votes by its exact side with the looks it lasted; the score is for minus against.
    """
    t = nv.trace(p.X, p.y, fit_intercept=p.bias, order=order, seed=seed, max_updates=200)
    assume(t.stop_reason == "separated")  # after a cycle the average and the vote go on for a while
    mean_of, vote = (fit(p, order=order, random_state=seed, keep=keep, max_iter=None) for keep in ("average", "vote"))
    assert mean_of.n_looks_ == vote.n_looks_ == t.n_looks
    request = [x for x in q.X if len(x) == len(p.X[0])] + p.X
    total, votes = [Fraction(0)] * len(t.w), [0] * len(request)
    for w, looks in present(t, t.n_looks):
        total = [a + looks * v for a, v in zip(total, w, strict=True)]
        for i, x in enumerate(request):
            score = dot(w, [Fraction(v) for v in (*x, *([1] if p.bias else []))])
            votes[i] += looks * ((score > 0) - (score < 0))
    for ours, sum_of, last in zip(exact_plane(mean_of, p.bias), total, t.w, strict=True):
        mean = sum_of / t.n_looks
        assert abs(ours - mean) <= Fraction(2) ** -52 * (abs(mean) + abs(last - mean))
    assert vote.decision_function(np.array(request, float)).tolist() == votes
    assert vote.predict(request).tolist() == [1 if v > 0 else -1 for v in votes]


# ---- signs


def beside_the_plane(rng: np.random.Generator, kind: type) -> tuple[np.ndarray, np.ndarray, float]:
    """Rows within a few roundings of a plane (w, b), and the plane."""
    d, n = int(rng.integers(2, 70)), 12
    w, b = rng.standard_normal(d).astype(kind).astype(float), float(kind(rng.standard_normal()))
    X = rng.standard_normal((n, d)).astype(kind)
    X[rng.random((n, d)) < 0.3] = 0
    for x in X:
        j = int(rng.integers(d))
        rest = math.fsum([b, *(a * float(v) for k, (a, v) in enumerate(zip(w, x, strict=True)) if k != j)])
        x[j] = kind(-rest / w[j])
        if rng.random() < 0.5:
            x[j] = np.nextafter(x[j], kind(rng.choice([-9, 9])))
    if rng.random() < 0.5:  # half of the rows reflected in a plane through the origin: exact ties
        b, X[: n // 2] = 0.0, 0
        X[: n // 2, 0], X[: n // 2, 1] = w[1], -w[0]
    return X, w, b


@given(seeds, st.sampled_from([np.float32, np.float64]), st.booleans())
def test_the_sign_of_decision_function_is_exact(seed: int, kind: type, compiled: bool) -> None:
    """A score has the sign of the exact score, 0 only at a tie: dense, filtered by float32, CSR; margins too."""
    X, w, b = beside_the_plane(np.random.default_rng(seed), kind)
    clf = nv.Perceptron(keep="last", max_updates=0)
    fit_quietly(clf, np.vstack([w, -w]), [1, -1], coef_init=w, intercept_init=b)
    assert clf.coef_[0].tolist() == w.tolist()
    exact = [dot([Fraction(v) for v in (*w.tolist(), b)], [Fraction(v) for v in (*x, 1)]) for x in X.tolist()]
    signs = [(score > 0) - (score < 0) for score in exact]
    with kernels("compiled" if compiled else "interpreted"):
        for store in (X, X.astype(np.float64), sp.csr_matrix(X), np.asfortranarray(X)):
            scores = clf.decision_function(store)
            assert np.sign(scores).tolist() == signs
            assert clf.predict(store).tolist() == [1 if s > 0 else -1 for s in signs]
            near = np.abs(scores - [float(score) for score in exact])
            assert (near <= (1e-14 if kind is np.float64 else 1e-5) * np.linalg.norm([*w, b]) * 20).all()
            y = [1, -1] * (len(X) // 2)
            assert nv.margins(store, y, w, b).sides.tolist() == signs


@pytest.mark.parametrize("eta", [1.0, 0.1, 1 / 3, 0.7, 3.0])
def test_predict_never_contradicts_separated(eta: float) -> None:
    """A run that says `separated` predicts every training point, also when η rounds the weights handed back."""
    for a, b in itertools.product(range(1, 25), repeat=2):
        x = [math.sqrt(a), math.sqrt(b)]
        beside = [x[1], -math.nextafter(x[0], 0)]  # ⟨x, beside⟩ > 0 by less than a rounding
        X, y = np.array([x, [-v for v in x], beside]), [1, -1, 1]
        clf = fit((X, y), bias=False, eta0=eta)
        assert clf.stop_reason_ == "separated"
        assert clf.predict(X).tolist() == y, (a, b)


# ---- storage


def untidy(rng: np.random.Generator, X: np.ndarray) -> sp.csr_matrix:
    """The same numbers in disorder: columns unsorted, zeros of both signs stored, entries given as two halves."""
    values: list[float] = []
    columns: list[int] = []
    starts = [0]
    for x in X.tolist():
        row = [(j, v) for j, v in enumerate(x) if v or rng.random() < 0.3]
        row = [(j, v if v else float(rng.choice([0.0, -0.0]))) for j, v in row]
        halves = [(j, part) for j, v in row for part in ([v / 2, v / 2] if rng.random() < 0.3 else [v])]
        rng.shuffle(halves)
        columns += [int(j) for j, _ in halves]
        values += [v for _, v in halves]
        starts.append(len(columns))
    return sp.csr_matrix((values, columns, starts), shape=X.shape)


@given(seeds, keeps, orders, st.sampled_from([np.float32, np.float64]), st.booleans())
def test_disorder_in_storage_changes_no_bit(seed: int, keep: str, order: str, kind: type, compiled: bool) -> None:
    """Explicit zeros, minus zeros, unsorted columns and duplicate entries give the bits of the tidy matrix."""
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(4, 90)), int(rng.integers(1, 25))
    X = rng.standard_normal((n, d)).astype(np.float32).astype(float)
    X[rng.random((n, d)) < 0.4] = 0.0
    y = np.where(np.arange(n) % 2, 1, -1)
    minus = X.copy()
    minus[X == 0] = -0.0
    rough = untidy(rng, X).astype(kind)
    before = (rough.data.copy(), rough.indices.copy(), rough.indptr.copy())
    how = {"keep": keep, "order": order, "random_state": 3, "max_iter": 5}
    with kernels("compiled" if compiled else "interpreted"):
        tidy = fit((X, y), **how)
        for other in (sp.csr_matrix(X.astype(kind)), minus.astype(kind), rough):
            clf = fit((other, y), **how)
            assert clf.coef_.tobytes() == tidy.coef_.tobytes()
            assert clf.intercept_.tobytes() == tidy.intercept_.tobytes()
            assert clf.n_mistakes_.tolist() == tidy.n_mistakes_.tolist()
            assert clf.history_["loss"] == pytest.approx(tidy.history_["loss"])
            assert np.sign(clf.decision_function(other)).tolist() == np.sign(tidy.decision_function(X)).tolist()
    for ours, theirs in zip((rough.data, rough.indices, rough.indptr), before, strict=True):
        assert ours.tobytes() == theirs.tobytes()  # the user's matrix is as it was
