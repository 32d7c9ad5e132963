"""Every solver of the soft margin reaches the gap that it is asked for, from every storage, and they agree."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from novikoff.errors import InputError
from novikoff.softmargin import SOLVERS
from novikoff.softmargin.certified_fit import automatic_gap, fit_plane
from novikoff.softmargin.gap import proved_gap
from novikoff.softmargin.losses import HINGE, LOGISTIC, LOSSES, SQUARED_HINGE
from novikoff.softmargin.row_products import RowProducts
from novikoff.softmargin.soft_problem import Limits, SoftProblem, balanced, middle_bias
from novikoff.softmargin.solvers.choose_solver import BY_COORDINATES, chosen_solver, solve
from novikoff.softmargin.solvers.newton_direction import Directions

STORAGES: dict[str, Any] = {
    "C order": np.ascontiguousarray,
    "float32": lambda X: X.astype(np.float32),
    "sparse": lambda X: (sp.csr_matrix(X).data, sp.csr_matrix(X).indices, sp.csr_matrix(X).indptr),
}


def points(n: int = 60, d: int = 4, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Overlapping classes; numbers that float32 holds."""
    draw = np.random.default_rng(seed)
    X = draw.normal(size=(n, d)).astype(np.float32).astype(np.float64)
    X[:, 1] *= X[:, 1] > 0
    return X, np.where(X[:, 0] + 0.7 * draw.normal(size=n) > 0, 1.0, -1.0)


def soft(loss: int, C: float = 1.0, free: bool = False, l1: bool = False, storage: str = "C order") -> SoftProblem:
    X, y = points()
    return SoftProblem(RowProducts(STORAGES[storage](X), X.shape[1]), y, np.full(y.size, C), loss, free, l1)


CASES = [
    (solver, loss, free)
    for solver, loss, free in itertools.product(SOLVERS, LOSSES.values(), (False, True))
    if not (free and solver in BY_COORDINATES) and not (solver == "proximal_newton" and loss == HINGE)
]


@pytest.mark.parametrize(("solver", "loss", "free"), CASES)
@pytest.mark.parametrize("storage", STORAGES)
def test_a_solver_proves_the_requested_gap(solver: str, loss: int, free: bool, storage: str) -> None:
    """And the optimum is the same from every storage: objectives differ by at most the gaps."""
    l1 = solver == "proximal_newton"
    found = fit_plane(soft(loss, 0.5, free, l1, storage), Limits(1e-5, 3000), solver)
    assert found.stop_reason == "gap"
    assert found.relative_gap <= 1e-5
    tight = fit_plane(soft(loss, 0.5, free, l1), Limits(1e-10, 3000))
    rounding = 1e-14 * tight.objective  # of the objectives; the gaps may be smaller
    assert -tight.gap - rounding <= found.objective - tight.objective <= found.gap + rounding


@pytest.mark.parametrize(("loss", "free"), list(itertools.product(LOSSES.values(), (False, True))))
@pytest.mark.parametrize("C", [1e-3, 1.0, 1e3])
def test_the_automatic_solver_proves_one_part_in_a_million_million(loss: int, free: bool, C: float) -> None:
    found = fit_plane(soft(loss, C, free), Limits(1e-12, 2000))
    assert found.stop_reason == "gap"
    assert found.relative_gap <= 1e-12


def test_a_gap_below_precision_says_so() -> None:
    found = fit_plane(soft(HINGE), Limits(1e-19, 2000))
    assert found.stop_reason == "precision"
    assert found.relative_gap < 1e-12


@pytest.mark.parametrize("solver", ["newton", "coordinates"])
def test_limits_end_a_run(solver: str) -> None:
    assert fit_plane(soft(HINGE, 100.0), Limits(1e-12, 1), solver).stop_reason == "max_iter"
    assert fit_plane(soft(HINGE, 100.0), Limits(1e-12, None, 1e-9), solver).stop_reason == "max_time"


def test_history_rises_to_the_objective() -> None:
    """Seconds grow, P falls, D rises, and D is below P."""
    seconds, P, D = np.array(fit_plane(soft(HINGE), Limits(1e-6)).history).T
    assert (np.diff(seconds) >= 0).all()
    assert (np.diff(P) <= 0).all()
    assert (np.diff(D) >= 0).all()
    assert (D <= P * (1 + 1e-12)).all()


@pytest.mark.parametrize("loss", LOSSES.values())
@pytest.mark.parametrize("solver", ["newton", "coordinates"])
def test_a_row_of_cost_zero_is_no_row(loss: int, solver: str) -> None:
    X, y = points()
    costs = np.where(np.arange(y.size) < 40, 1.0, 0.0)
    some = SoftProblem(RowProducts(X, 4), y, costs, loss)
    fewer = SoftProblem(RowProducts(X[:40], 4), y[:40], costs[:40], loss)
    found, other = (fit_plane(p, Limits(1e-10, 20_000), solver) for p in (some, fewer))
    assert abs(found.objective - other.objective) <= found.gap + other.gap + 1e-12


def test_coordinates_refuse_a_free_bias() -> None:
    with pytest.raises(InputError, match="bias='free'"):
        solve(soft(HINGE, free=True), Limits(1e-3), "coordinates")


def test_l1_and_its_solver_go_together() -> None:
    with pytest.raises(InputError, match="proximal_newton"):
        solve(soft(SQUARED_HINGE, l1=True), Limits(1e-3), "newton")
    with pytest.raises(InputError, match="another solver"):
        solve(soft(SQUARED_HINGE), Limits(1e-3), "proximal_newton")


def test_l1_sets_weights_to_zero() -> None:
    """As C falls, more of them; for C below 1/|Σ a y x|∞ at w = 0 all."""
    counts = [np.count_nonzero(fit_plane(soft(LOGISTIC, C, l1=True), Limits(1e-8)).w) for C in (10.0, 0.1, 1e-4)]
    assert counts[0] >= counts[1] > counts[2] == 0


def test_l1_with_many_columns_uses_a_working_set() -> None:
    draw = np.random.default_rng(3)
    X = draw.normal(size=(40, 700))
    y = np.where(X[:, 0] - X[:, 1] > 0, 1.0, -1.0)
    found = fit_plane(SoftProblem(RowProducts(X, 700), y, np.full(40, 1.0), LOGISTIC, l1=True), Limits(1e-6, 500))
    assert found.stop_reason == "gap"
    assert 0 < np.count_nonzero(found.w) < 40


def test_the_choice_of_solver() -> None:
    wide = sp.random(30, 4000, 0.01, format="csr", random_state=0)
    rows = (wide.data, wide.indices, wide.indptr)
    y = np.where(np.arange(30) % 2, 1.0, -1.0)

    def choice(loss: int, C: float, free: bool = False, gap: float = 1e-4) -> str:
        return chosen_solver(SoftProblem(RowProducts(rows, 4000), y, np.full(30, C), loss, free), gap)

    assert choice(HINGE, 0.1) == choice(SQUARED_HINGE, 1.0) == "coordinates"
    assert choice(LOGISTIC, 100.0) == choice(SQUARED_HINGE, 100.0) == "coordinates_newton"
    assert choice(HINGE, 100.0) == "gram"
    assert choice(HINGE, 1.0, free=True) == choice(HINGE, 1.0, gap=1e-12) == "newton"
    assert chosen_solver(soft(HINGE, 1e7), 1e-4) == "newton"
    assert chosen_solver(soft(LOGISTIC, l1=True), 1e-4) == "proximal_newton"


@pytest.mark.parametrize("C", [1e3, 1e6, 1e9])
def test_large_costs_on_separable_points_give_the_maximum_margin(C: float) -> None:
    """The margin is the same for every C, and no multiplier reaches it."""
    X, _ = points(40, 3)
    y = np.where(X[:, 0] + 0.5 * X[:, 2] > 0, 1.0, -1.0)
    X[:, 0] += 0.3 * y
    found = fit_plane(SoftProblem(RowProducts(X, 3), y, np.full(40, C), HINGE, True), Limits(1e-9, 2000))
    assert found.hard
    assert found.a.max() < C
    from novikoff import MaxMargin

    best = MaxMargin().fit(X, y)
    np.testing.assert_allclose(found.w[:-1], best.coef_[0], rtol=1e-4)
    np.testing.assert_allclose(found.w[-1], best.intercept_[0], rtol=1e-4)


@pytest.mark.parametrize("free", [False, True])
def test_directions_solve_the_same_equations(free: bool) -> None:
    """From rows, from columns and by conjugate gradients."""
    X, _ = points(30, 6)
    draw = np.random.default_rng(1)
    h, g = draw.random(30) * (draw.random(30) < 0.5), draw.normal(size=7)
    Z = np.column_stack([X, np.ones(30)])
    N = np.diag([1.0] * 6 + [0.0 if free else 1.0])
    exact = np.linalg.solve(N + Z.T @ (h[:, None] * Z), -g)
    directions = Directions(RowProducts(X, 6), free, False)
    np.testing.assert_allclose(directions._from_rows(h, g), exact, rtol=1e-8)
    np.testing.assert_allclose(directions._from_columns(h, g), exact, rtol=1e-8)
    near = directions._conjugate_gradients(h, g, lambda r: np.linalg.solve(N + Z.T @ (h[:, None] * Z), r))
    np.testing.assert_allclose(near, exact, rtol=1e-6)
    sparse = Directions(RowProducts(STORAGES["sparse"](X), 6), free, False)
    np.testing.assert_allclose(sparse._from_columns(h, g), exact, rtol=1e-8)
    np.testing.assert_allclose(sparse._from_rows(h, g), exact, rtol=1e-8)


@pytest.mark.parametrize("storage", STORAGES)
def test_products_are_those_of_the_matrix(storage: str) -> None:
    X, _ = points(25, 5)
    Z, draw = np.column_stack([X, np.ones(25)]), np.random.default_rng(0)
    p, w, f, h = RowProducts(STORAGES[storage](X), 5), draw.normal(size=6), draw.normal(size=25), draw.random(25)
    f[::3] = h[::4] = 0.0
    np.testing.assert_allclose(p.scores(w), Z @ w, rtol=1e-12)
    np.testing.assert_allclose(p.combination(f), Z.T @ f, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(p.curvature_times(h, w), Z.T @ (h * (Z @ w)), rtol=1e-12)
    np.testing.assert_allclose(p.curvature_diagonal(h), h @ (Z * Z), rtol=1e-12)
    np.testing.assert_allclose(p.squared_norms, (Z * Z).sum(axis=1), rtol=1e-12)
    np.testing.assert_allclose(np.tril(p.hessian(h, np.ones(6), False)), np.tril(np.eye(6) + Z.T @ (h[:, None] * Z)))
    which = np.array([3, 1, 7])
    np.testing.assert_allclose(p.gram(which, True), Z[which] @ Z[which].T, rtol=1e-12)
    np.testing.assert_allclose(p.select(which).scores(w), (Z @ w)[which], rtol=1e-12)


def test_balanced_multipliers_sum_to_zero_within_their_bounds() -> None:
    draw = np.random.default_rng(0)
    for loss in LOSSES.values():
        problem = soft(loss, 2.0, free=True)
        a = np.clip(draw.normal(size=problem.y.size), 0.0, 2.0)
        found = balanced(problem, a)
        assert abs(found @ problem.y) < 1e-12
        assert ((found >= 0.0) & (found <= 2.0)).all()


def test_the_bias_is_the_middle_of_its_interval() -> None:
    """w = 1, points at −3 and 3: every b in [−2, 2] has no loss."""
    problem = SoftProblem(RowProducts(np.array([[-3.0], [3.0]]), 1), np.array([-1.0, 1.0]), np.ones(2), HINGE, True)
    assert middle_bias(problem, np.array([1.0, 1.7])) == 0.0


def test_weights_that_overflow_prove_nothing() -> None:
    problem = soft(HINGE)
    assert proved_gap(problem, np.full(5, 1e200), np.zeros(60)).gap == np.inf


def test_the_automatic_gap() -> None:
    assert automatic_gap(1000, 100) == 1e-12
    assert automatic_gap(1000, 101) == 1e-4
