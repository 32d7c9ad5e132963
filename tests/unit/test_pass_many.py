"""One-vs-all at sparse rows: planes have the bits of dense rows, however long a stretch of looks is."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import novikoff as nv
from data.kernel_mode import RunKernels
from data.small_sets import fit_quietly
from novikoff.data.problem import Problem
from novikoff.perceptron import run_state
from novikoff.perceptron.orders import Order
from novikoff.perceptron.plan import Plan
from novikoff.perceptron.run import Run
from novikoff.perceptron.scheme import Scheme
from novikoff.perceptron.stops import Stops
from novikoff.perceptron.train import train

LAST = {"keep": "last", "order": "cyclic", "train_patience": None, "multi_class": "ova"}
ALL_THE_SAME = ("coef_", "intercept_", "n_mistakes_", "n_updates_", "n_looks_", "stop_reason_")

CHOICES: dict[str, dict[str, Any]] = {
    "last": LAST,
    "average": LAST | {"keep": "average"},
    "auto": {},
    "pocket": {"keep": "pocket"},
    "a limit": LAST | {"max_updates": 37},
    "margin": LAST | {"rule": "margin", "threshold": 0.5},
    "pa1": LAST | {"rule": "pa1"},
    "shuffle": LAST | {"order": "shuffle"},
    "no bias": LAST | {"fit_intercept": False},
    "weights": LAST | {"class_weight": "balanced"},
    "steps": LAST | {"eta0": 0.3},
}


def points(n: int, d: int, K: int, seed: int = 0, scale: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """Small whole numbers times a power of two, most of them 0, so that many looks are exact ties."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-3, 4, (n, d)) * (rng.random((n, d)) < 0.4) * scale
    return X, rng.integers(0, K, n)


def learned(X: Any, y: np.ndarray, **choices: Any) -> list[Any]:
    """What a fit returns, bit for bit, with its history but the loss; or its message."""
    try:
        clf = fit_quietly(nv.Perceptron(**({"max_iter": 5, "random_state": 1} | choices)), X, y)
    except nv.InputError as error:
        return [str(error)]
    found = [getattr(clf, name) for name in ALL_THE_SAME]
    history = {name: column for name, column in clf.history_.items() if name not in ("seconds", "loss")}
    return [one.tobytes() if isinstance(one, np.ndarray) else one for one in found] + [history, *clf.predict(X)]


@pytest.mark.bounds
@pytest.mark.parametrize("mode", ["interpreted", "compiled"])
@pytest.mark.parametrize("choice", CHOICES)
def test_sparse_rows_have_the_bits_and_the_history_of_dense_ones(
    choice: str, mode: str, run_kernels: RunKernels
) -> None:
    """Whole groups and incomplete ones; ties; the norms of each pass, too."""
    run_kernels(mode)  # type: ignore[arg-type]
    for K, d in ((3, 7), (5, 7), (9, 9)):
        X, y = points(40, d, K, seed=K)
        assert learned(sp.csr_matrix(X), y, **CHOICES[choice]) == learned(X, y, **CHOICES[choice])


@pytest.mark.parametrize("scale", [2.0**-1074, 2.0**-500, 2.0**-140, 2.0**200, 2.0**490])
@pytest.mark.parametrize("choice", ["last", "pocket", "margin"])
def test_subnormal_and_huge_numbers_make_no_difference(choice: str, scale: float) -> None:
    X, y = points(30, 7, 6, scale=scale)
    assert learned(sp.csr_matrix(X), y, **CHOICES[choice]) == learned(X, y, **CHOICES[choice])


def begun(X: np.ndarray, y: np.ndarray, plan: Plan, start: np.ndarray | None = None) -> Run:
    """A run of one-vs-all at the sparse rows of X."""
    S = sp.csr_matrix(X)
    scheme = Scheme("ova", int(y.max()) + 1)
    start = np.zeros((scheme.planes, X.shape[1] + 1)) if start is None else start
    problem = Problem((S.data, S.indices, S.indptr), y.astype(np.int32), X.shape[1], 1.0)
    return Run.begin(problem, plan, start, None, scheme)


def plan_of(K: int, passes: int = 4, **more: Any) -> Plan:
    return Plan(Order("cyclic"), "last", Stops(passes, None, None, None), factors=(1.0,) * K, **more)


@pytest.mark.parametrize("most", [1, 3, 8, 11, 1000])
@pytest.mark.parametrize("shared", [True, False])
def test_the_length_of_a_stretch_changes_no_bit(most: int, shared: bool) -> None:
    X, y = points(40, 9, 6)
    whole = train(begun(X, y, plan_of(6)))
    run = begun(X, y, plan_of(6), None if shared else np.zeros((6, 10)))
    run.most = most
    parts = train(run)
    assert parts.w.tobytes() == whole.w.tobytes()
    assert parts.history["norm"] == whole.history["norm"]
    assert parts.mistakes.tolist() == whole.mistakes.tolist()


@pytest.mark.parametrize("row", [0, 5, 38])
def test_rows_out_of_order_are_sorted_and_faults_named_as_of_dense_rows(row: int) -> None:
    X, y = points(40, 9, 6)
    X[row, [2, 5]] = 1.0, 2.0
    mixed = sp.csr_matrix(X)
    at = slice(*mixed.indptr[row : row + 2])
    mixed.indices[at], mixed.data[at] = mixed.indices[at][::-1].copy(), mixed.data[at][::-1].copy()
    assert learned(mixed, y, **LAST) == learned(X, y, **LAST)
    for wrong in (np.nan, np.inf, 2.0**600):
        X[row, 2] = wrong
        assert learned(sp.csr_matrix(X), y, **LAST) == learned(X, y, **LAST)
        assert len(learned(X, y, **LAST)) == 1


def test_weights_that_grow_too_large_are_named_at_the_first_row_of_any_group() -> None:
    """A later group may reach the limit at an earlier row than the first one did."""
    X, y = points(60, 7, 9, seed=3, scale=2.0**498)
    dense = learned(X, y, **LAST, max_iter=400)
    assert dense == learned(sp.csr_matrix(X), y, **LAST, max_iter=400)
    assert "2^500" in dense[0]


@pytest.mark.parametrize("seed", range(40))
def test_a_row_much_larger_than_those_before_is_decided_exactly_by_every_plane(seed: int) -> None:
    """Its score under the first plane is nearly 0: the error bound must grow with the row."""
    rng, d = np.random.default_rng(seed), 70
    X = rng.standard_normal((13, d)).astype(np.float32) * 2.0**-10
    y = np.array([0, 1, 2] * 4 + [seed % 3])
    once = LAST | {"max_iter": 1, "fit_intercept": False}
    w = fit_quietly(nv.Perceptron(**once), X[:12], y[:12]).coef_[0]
    X[12] = rng.integers(-(2**20), 2**20, d) * 2.0**10
    k = int(np.argmax(np.abs(w)))
    X[12, k] = 0.0
    X[12, k] = -(X[12].astype(float) @ w) / w[k]
    alone = fit_quietly(nv.Perceptron(**once), X.astype(float), (y == 0) * 1).coef_[0]
    for rows in (X, X.astype(float), sp.csr_matrix(X)):
        assert fit_quietly(nv.Perceptron(**once), rows, y).coef_[0].tobytes() == alone.tobytes()


@pytest.mark.parametrize("seed", range(4))
def test_joint_planes_beyond_float32_have_the_same_bits_from_dense_and_sparse_rows(seed: int) -> None:
    X, y = points(40, 7, 5, seed, 2.0**200)
    joint = LAST | {"multi_class": "joint"}
    assert learned(sp.csr_matrix(X), y, **joint) == learned(X, y, **joint)
    scaled = fit_quietly(nv.Perceptron(**joint, max_iter=5, fit_intercept=False), X, y).coef_
    plain = fit_quietly(nv.Perceptron(**joint, max_iter=5, fit_intercept=False), X * 2.0**-200, y).coef_
    assert scaled.tobytes() == (plain * 2.0**200).tobytes()


# ---- no copies of all planes


def test_the_weights_of_a_model_are_its_own() -> None:
    """The weights of the run become coef_; changed by hand they are used, and a second fit starts anew."""
    X, y = points(40, 7, 6)
    rows = sp.csr_matrix(X)
    clf = fit_quietly(nv.Perceptron(**LAST, max_iter=3), rows, y)
    coef, scores = clf.coef_.copy(), clf.decision_function(rows)
    assert np.allclose(scores, X @ coef.T + clf.intercept_)
    assert np.array_equal(pickle.loads(pickle.dumps(clf)).decision_function(rows), scores)
    clf.coef_[:] *= 2.0
    clf.intercept_ *= 2.0
    assert np.array_equal(clf.decision_function(rows), 2.0 * scores)
    clf.coef_[0, 0] = np.inf
    with pytest.raises(nv.InputError, match="not finite"):
        clf.predict(rows)
    assert fit_quietly(clf, rows, y).coef_.tobytes() == coef.tobytes()
    clf.coef_ = coef[:2]
    with pytest.raises(nv.InputError, match=r"\(6, 7\)"):
        clf.predict(rows)


def test_a_run_that_is_continued_or_observed_keeps_its_weights() -> None:
    X, y = points(40, 7, 6)
    halves = nv.Perceptron(**LAST, max_iter=3, warm_start=True)
    first = fit_quietly(halves, sp.csr_matrix(X), y).coef_.copy()
    halves.coef_[:] = first  # the same numbers, written again
    assert learned(X, y, **LAST, max_iter=6)[0] == fit_quietly(halves, sp.csr_matrix(X), y).coef_.tobytes()


@pytest.mark.parametrize("scheme", ["ova", "ovo", "joint"])
@pytest.mark.parametrize("numbers", [91, 333, 1000])
def test_the_loss_does_not_depend_on_the_storage(scheme: str, numbers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Dense rows have shorter stretches than sparse ones."""
    monkeypatch.setattr(run_state, "NUMBERS_AT_ONCE", numbers)
    rng = np.random.default_rng(numbers)
    X = np.where(rng.random((240, 30)) < 0.2, rng.standard_normal((240, 30)), 0.0) * np.linspace(1, 40, 240)[:, None]
    y = np.append(np.arange(4), rng.integers(0, 4, 236))
    how = {"max_iter": 2, "order": "cyclic", "keep": "last", "multi_class": scheme}
    first, *others = [fit_quietly(nv.Perceptron(**how), Z, y) for Z in (X, sp.csr_array(X), np.asfortranarray(X))]
    for other in others:
        assert other.history_["loss"] == pytest.approx(first.history_["loss"], rel=1e-12)
        assert other.coef_.tobytes() == first.coef_.tobytes()
