"""The family: other rules, many classes: the same bits from every storage, and the twins agree."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import novikoff as nv
from data.choices import allowed_for_many
from data.kernel_mode import RunKernels
from data.problems import draws
from data.small_sets import fit_quietly
from novikoff.data.problem import Problem as Stored
from novikoff.kernels.compile import bind
from novikoff.perceptron import FIXED_ORDERS, KEEPS, RULES
from novikoff.perceptron.orders import Order
from novikoff.perceptron.plan import Plan
from novikoff.perceptron.rates import Rates
from novikoff.perceptron.result import Result
from novikoff.perceptron.run import Run
from novikoff.perceptron.scheme import Scheme
from novikoff.perceptron.stops import Stops
from novikoff.perceptron.train import train
from novikoff.scoring import scorer
from oracles.twins import KINDS, Problem, near_ties, problem, rounded

pytestmark = pytest.mark.twins


def storages(X: np.ndarray, float32: bool) -> Iterator[tuple[str, Any, int]]:
    """(name, rows, columns from which on float32 is a filter) of every storage that holds these numbers."""
    for name, width in (("64", np.float64), ("32", np.float32))[: 2 if float32 else 1]:
        S = sp.csr_matrix(X).astype(width)
        yield f"dense {name}", np.ascontiguousarray(X, width), 10**6
        yield f"csr {name}", (S.data, S.indices, S.indptr), 10**6
    if float32:
        yield "dense 32 filtered", np.ascontiguousarray(X, np.float32), 1


def tame(p: Problem) -> bool:
    """Numbers whose squares and quotients stay in the range of binary64: what passive-aggressive steps need."""
    size = np.abs(p.X[p.X != 0])
    return not size.size or (size.max() < 1e60 and size.min() > 1e-60)


@pytest.mark.parametrize("batch", range(2))
@pytest.mark.parametrize("rule", RULES)
def test_every_rule_makes_the_twins_updates(
    rule: str, batch: int, run_kernels: RunKernels, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Same updates, looks and bits as the rounded twin for every rule and order, from every storage."""
    run_kernels("compiled")
    rng = np.random.default_rng([batch, RULES.index(rule)])
    for k in range(draws(30)):
        p = near_ties(rng) if k % 2 else problem(list(KINDS)[k % len(KINDS)], rng)
        if not tame(p):
            continue
        keep, order = KEEPS[k % 3], FIXED_ORDERS[int(rng.integers(len(FIXED_ORDERS)))]
        eta, threshold, C = (
            float(rng.choice([1.0, 0.1])),
            float(rng.choice([1.0, 0.3, 7.0])),
            float(rng.choice([1.0, 0.1])),
        )
        passes, seed = int(rng.integers(1, 6)), int(rng.integers(100))
        twin = rounded(
            p.X, p.y.tolist(), order=order, seed=seed, fit_intercept=p.fit_intercept, eta0=eta, passes=passes,
            keep=keep, cycles=True, rule=rule, threshold=threshold, C=C,
        )  # fmt: skip
        want = twin.pockets[-1][0] if keep == "pocket" else twin.average if keep == "average" else (twin.w, twin.b)
        rates = Rates(eta, None, rule == "perceptron")
        plan = Plan(
            Order(order, seed), keep, Stops(passes, None, None, None), rates, rule=rule, threshold=threshold, C=C
        )
        for name, rows, columns in storages(p.X, p.float32):
            monkeypatch.setattr(scorer, "FILTERED", columns)
            stored = Stored(rows, p.y.astype(np.int8), p.X.shape[1], float(p.fit_intercept))
            result = train(Run.begin(stored, plan, np.zeros(stored.d + 1)))
            if result.stop_reason == "rounding":
                continue
            said = f"{p.kind}, {name}, {rule}, {order}, {keep}"
            assert (result.stop_reason, result.looks, result.updates) == (twin.stop, twin.looks, len(twin.rows)), said
            assert np.append(result.w, result.b).tobytes() == np.array([*want[0], want[1]]).tobytes(), said


def drawn(rng: np.random.Generator, k: int) -> tuple[np.ndarray, np.ndarray, int]:
    """Points, class numbers and the number of classes."""
    n, d, K = int(rng.integers(10, 80)), int(rng.integers(1, 7)), int(rng.integers(3, 6))
    X = (
        rng.integers(-3, 4, (n, d)).astype(float)
        if k % 2
        else rng.standard_normal((n, d)).astype(np.float32).astype(float)
    )
    labels = rng.integers(0, K, n) if k % 3 else np.argmax(X @ rng.standard_normal((d, K)), axis=1)
    labels[:K] = np.arange(K)
    return X, labels, K


SEVERAL = [choice for choice in product(("ova", "ovo", "joint"), KEEPS) if allowed_for_many(*choice)]  # name, keep


def many(stored: Stored, plan: Plan, scheme: Scheme) -> Result:
    return train(Run.begin(stored, plan, np.zeros((scheme.planes, stored.d + 1)), None, scheme))


@pytest.mark.parametrize(("name", "keep"), SEVERAL)
def test_Z15_many_classes_have_the_same_bits_from_every_storage(
    name: str, keep: str, run_kernels: RunKernels, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planes, looks, updates and pocket do not depend on the storage."""
    run_kernels("compiled")
    rng = np.random.default_rng(5)
    for k in range(draws(25)):
        X, labels, K = drawn(rng, k)
        order = ("cyclic", "shuffle", "random")[k % 3]
        plan = Plan(Order(order, k), keep, Stops(int(rng.integers(1, 6)), None, None, None), factors=(1.0,) * K)
        found = set()
        for _, rows, columns in storages(X, True):
            monkeypatch.setattr(scorer, "FILTERED", columns)
            stored = Stored(rows, labels, X.shape[1], float(k % 2))
            result = many(stored, plan, Scheme(name, K))
            counts = (result.stop_reason, result.looks, result.updates, result.errors, result.mistakes.tobytes())
            found.add((result.w.tobytes(), np.asarray(result.b).tobytes(), *counts))
        assert len(found) == 1


@pytest.mark.parametrize("rule", ["perceptron", "margin", "pa1"])
@pytest.mark.parametrize("name", ["ova", "ovo"])
@pytest.mark.parametrize("keep", ["last", "average"])
def test_Z15_every_plane_is_a_binary_run_of_its_own(name: str, keep: str, rule: str) -> None:
    """One-vs-all equals c separate binary runs, one-vs-one c(c−1)/2, bit for bit in last and average weights."""
    rng = np.random.default_rng(6)
    compared = 0
    for k in range(draws(9)):
        X, labels, K = drawn(rng, k)
        scheme, bias = Scheme(name, K), float(k % 2)
        rates = Rates(1.0, None, rule == "perceptron")
        plan = Plan(Order("cyclic"), keep, Stops(int(rng.integers(1, 8)), None, None, None), rates, (1.0,) * K, rule)
        result = many(Stored(X, labels, X.shape[1], bias), plan, scheme)
        for plane, (a, b) in enumerate(scheme.pairs):
            part = np.full(len(labels), True) if b < 0 else (labels == a) | (labels == b)
            y = np.where(labels[part] == a, 1, -1).astype(np.int8)
            own = Stored(np.ascontiguousarray(X[part]), y, X.shape[1], bias)
            alone = train(Run.begin(own, replace(plan, factors=(1.0, 1.0)), np.zeros(own.d + 1)))
            if alone.cycle_counts is not None or alone.stop_reason == "rounding":
                continue
            compared += 1
            assert alone.w.tobytes() == result.w[plane].tobytes()
            assert alone.b == result.b[plane]
    assert compared > draws(15)


@pytest.mark.parametrize("mode", ["interpreted", pytest.param("compiled", marks=pytest.mark.compiled)])
@pytest.mark.parametrize("keep", ["last", "average"])
@pytest.mark.parametrize("rule", ["pa", "pa1", "pa2"])
def test_every_plane_of_several_makes_the_ordered_twins_updates(
    rule: str, keep: str, mode: Any, run_kernels: RunKernels
) -> None:
    """Weights, updates and looks of each plane are those of the twin of its two classes, from every storage."""
    run_kernels(mode)
    rng = np.random.default_rng(RULES.index(rule))
    for k in range(4):
        X, labels, K = drawn(rng, k)
        X, labels = X[:20], labels[:20]
        scheme, passes = Scheme(("ova", "ovo")[k % 2], K), int(rng.integers(1, 5))
        plan = Plan(Order("cyclic"), keep, Stops(passes, None, None, None), Rates(0.5, None, False), (1.0,) * K, rule)
        for name, rows, _ in storages(X, True):
            result = many(Stored(rows, labels, X.shape[1], float(k % 2)), plan, scheme)
            for plane, (a, b) in enumerate(scheme.pairs):
                part = np.full(len(labels), True) if b < 0 else (labels == a) | (labels == b)
                sides = np.where(labels[part] == a, 1, -1).tolist()
                twin = rounded(X[part], sides, fit_intercept=bool(k % 2), eta0=0.5, passes=passes, keep=keep, rule=rule)
                want = twin.average if keep == "average" else (twin.w, twin.b)
                assert [*result.w[plane], result.b[plane]] == [*want[0], want[1]], (name, plane)
                counted = result.run.S.each[plane]
                assert [counted["looks"], counted["updates"]] == [twin.looks, len(twin.rows)], (name, plane)


def naive_joint(X: np.ndarray, labels: np.ndarray, K: int, passes: int) -> tuple[list[list[int]], int]:
    """Kesler's construction in whole numbers: the class's plane and that of the highest rival, lowest of equal ones."""
    Z = [[int(v) for v in x] + [1] for x in X]
    W = [[0] * len(Z[0]) for _ in range(K)]
    updates = 0
    for _ in range(passes):
        before = updates
        for z, a in zip(Z, labels.tolist(), strict=True):
            row_signs = [sum(w * v for w, v in zip(plane, z, strict=True)) for plane in W]
            rival = max((k for k in range(K) if k != a), key=lambda k: (row_signs[k], -k))
            if row_signs[a] <= row_signs[rival]:
                W[a] = [w + v for w, v in zip(W[a], z, strict=True)]
                W[rival] = [w - v for w, v in zip(W[rival], z, strict=True)]
                updates += 1
        if updates == before:
            break
    return W, updates


def test_Z15_the_joint_planes_are_those_of_kesler() -> None:
    """On whole numbers, with many exact ties, the joint run is the naive one."""
    rng = np.random.default_rng(7)
    for k in range(60):
        X, labels, K = drawn(rng, 1)
        labels = labels if k % 2 else np.argmax(X @ rng.integers(-2, 3, (X.shape[1], K)), axis=1)
        labels[:K] = np.arange(K)
        plan = Plan(Order("cyclic"), "last", Stops(6, None, None, None), factors=(1.0,) * K)
        result = many(Stored(X, labels, X.shape[1], 1.0), plan, Scheme("joint", K))
        W, updates = naive_joint(X, labels, K, 6)
        assert np.column_stack([result.w, result.b]).tolist() == W
        assert result.updates == updates


@pytest.mark.parametrize("name", ["ova", "ovo"])
def test_Z15_the_class_is_the_highest_score_and_the_pocket_never_gets_worse(name: str) -> None:
    """predict is the argmax of decision_function; ovo="sum" sums pairs; the pocket's count is of its predictions."""
    X, y = nv.example("digits")
    X, y = X[: draws(len(X))], y[: draws(len(y))]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", nv.NotSeparatedWarning)
        clf = nv.Perceptron(multi_class=name, ovo="sum", max_iter=8, keep="pocket").fit(X[::3], y[::3])
        last = nv.Perceptron(multi_class=name, ovo="sum", max_iter=8, keep="last").fit(X[::3], y[::3])
    row_signs = clf.decision_function(X)
    assert row_signs.shape == (len(X), 10)
    assert np.array_equal(clf.classes_[np.argmax(row_signs, axis=1)], clf.predict(X))
    pocket = clf.history_["pocket_errors"]
    assert all(b <= a for a, b in pairwise(pocket))
    assert int((clf.predict(X[::3]) != y[::3]).sum()) == pocket[-1] <= int((last.predict(X[::3]) != y[::3]).sum())
    assert clf.coef_.shape == (45 if name == "ovo" else 10, 64)
    if name == "ovo":
        pairs = X @ clf.coef_.T + clf.intercept_
        sums = np.zeros((len(X), 10))
        for k, (a, b) in enumerate(Scheme("ovo", 10).pairs):
            sums[:, a] += pairs[:, k]
            sums[:, b] -= pairs[:, k]
        assert np.allclose(sums, row_signs)


@pytest.mark.parametrize("d", [1, 2, 63, 64, 70])
@pytest.mark.parametrize("K", [1, 2, 4, 5, 6, 7, 17])
def test_the_scores_of_a_row_under_all_planes_are_those_of_each(K: int, d: int) -> None:
    """In each storage and precision, also where columns and planes are no multiple of those taken at once."""
    rng = np.random.default_rng([K, d])
    X, planes = rng.integers(-9, 10, (6, d)).astype(np.float32), rng.integers(-9, 10, (K, d + 1)).astype(float)
    for _, rows, columns in storages(X, True):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(scorer, "FILTERED", columns)
            request = scorer.Scorer(Stored(rows, np.ones(6, np.int8), d, 1.0))
        for kind in (np.float32, np.float64):
            for compiled in (True, False):
                V = scorer.side_by_side(planes[:, :-1], kind)
                S = np.full(V.shape[1], np.nan, kind)
                scores = bind(request.verbs.scores, request.verbs, compiled)
                for i in range(6):
                    scores(request.problem.rows, i, V, S)
                    assert np.array_equal(S[:K], X[i] @ planes[:, :-1].T)
                    assert not S[K:].any()


def test_the_joint_average_of_points_on_a_line_is_the_mean_over_all_looks() -> None:
    """keep="average" with one column: the mean of the planes after each look, as the naive run has it."""
    X, y = np.array([[1.0], [2.0], [4.0], [-3.0], [-1.0], [0.5]]), np.array([0, 1, 2, 0, 1, 2])
    looks = 4 * len(y)
    W, total = np.zeros((3, 2)), np.zeros((3, 2))
    for t in range(looks):
        z, a = np.append(X[t % 6], 1.0), y[t % 6]
        rival = max((k for k in range(3) if k != a), key=lambda k: (W[k] @ z, -k))
        if W[a] @ z <= W[rival] @ z:
            W[a] += z
            W[rival] -= z
        total += W
    plan = Plan(Order("cyclic"), "average", Stops(4, None, None, None), factors=(1.0,) * 3)
    result = many(Stored(X, y, 1, 1.0), plan, Scheme("joint", 3))
    assert np.allclose(np.column_stack([result.w, result.b]), total / looks)


def test_planes_at_rest_end_the_run() -> None:
    """When all planes rest the run is over."""
    digits, labels = nv.example("digits")
    many = draws(len(labels))
    clf = nv.Perceptron(multi_class="ovo", max_iter=300).fit(digits[:many], labels[:many])
    assert clf.stop_reason_ == "separated"
    assert clf.history_["updates"][-1] == 0
    assert clf.n_iter_ < 300


@pytest.mark.parametrize(("name", "keep"), SEVERAL)
def test_two_fits_of_a_warm_start_are_one_long_fit(name: str, keep: str) -> None:
    """Many classes, too: two halves give the bits of one go."""
    X, y = nv.example("iris")
    choices = {"multi_class": name, "keep": keep, "order": "shuffle", "random_state": 1}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", nv.NotSeparatedWarning)
        whole = nv.Perceptron(max_iter=12, **choices).fit(X, y)
        halves = nv.Perceptron(max_iter=6, warm_start=True, **choices).fit(X, y).fit(X, y)
    assert whole.coef_.tobytes() == halves.coef_.tobytes()
    assert np.array_equal(whole.decision_function(X), halves.decision_function(X))


def test_scores_of_many_classes_are_those_of_the_planes() -> None:
    """decision_function is w·x + b in binary64, also for huge and tiny numbers, and agrees with predict."""
    X, y = nv.example("iris")
    for scale in (1.0, 1e30, 1e-30):
        how: dict[str, Any] = {"multi_class": "ova", "order": "shuffle", "random_state": 0, "keep": "last"}
        clf = nv.Perceptron(max_iter=3, fit_intercept=scale == 1.0, **how)
        fit_quietly(clf, X * scale, y)
        row_signs = clf.decision_function(X * scale)
        assert np.allclose(row_signs, X * scale @ clf.coef_.T + clf.intercept_, rtol=1e-9, atol=0)
        assert np.array_equal(clf.classes_[np.argmax(row_signs, axis=1)], clf.predict(X * scale))


def test_coefficients_changed_by_hand_are_used_or_refused() -> None:
    """Whoever changes coef_ is answered with it; a wrong shape is refused."""
    X, y = nv.example("or")
    clf = nv.Perceptron().fit(X, y)
    clf.coef_ = np.array([[1.0, -1.0]])
    assert clf.decision_function([[3.0, 1.0]])[0] == 2.0 + clf.intercept_[0]
    for wrong in (np.ones((1, 5)), np.array([1.0, -1.0]), np.ones((2, 2))):
        clf.coef_ = wrong
        with pytest.raises(nv.InputError, match=r"coef_.*expected"):
            clf.decision_function(X)


def test_validation_labels_are_matched_by_value() -> None:
    """y_valid may be of another type that holds the same labels."""
    X, y = nv.example("or")
    for given in ([-1, 1, 1, 1], [-1.0, 1.0, 1.0, 1.0], np.array([-1, 1, 1, 1], np.int8)):
        assert nv.Perceptron().fit(X, y, X_valid=X, y_valid=given).score(X, y) == 1.0
