"""Choose a solver by shape, density, loss and cost.

q = C·mean(|x|² + 1) says how far the loss outweighs the penalty.

    penalty l1                              proximal Newton
    sparse, many columns                    coordinates; with a large q, for the hinge then Newton on a Gram matrix,
                                            for the smooth losses then Newton by conjugate gradients; free bias: Newton
                                            by conjugate gradients
    small q, hinge or many columns          coordinates
    otherwise                               Newton
"""

from __future__ import annotations

from dataclasses import replace

from novikoff.errors import InputError
from novikoff.softmargin.losses import HINGE, LOGISTIC
from novikoff.softmargin.soft_problem import BestPoints, Limits, SoftProblem
from novikoff.softmargin.solvers.coordinates import SPARSE, coordinates
from novikoff.softmargin.solvers.gram_finish import gram_finish
from novikoff.softmargin.solvers.newton import Start, newton
from novikoff.softmargin.solvers.newton_finish import newton_finish
from novikoff.softmargin.solvers.proximal_newton_l1 import proximal_newton_l1

MANY_COLUMNS = 3000
SOME_COLUMNS = 200
SMALL, LARGE, LARGE_SMOOTH = 1.5, 10.0, 20.0  # q
BY_COORDINATES = {"coordinates": coordinates, "gram": gram_finish, "coordinates_newton": newton_finish}
PRECISE = 1e-8  # for smaller gaps coordinates are too slow


def chosen_solver(problem: SoftProblem, gap: float) -> str:
    """Return the name of the solver for a problem and a relative gap."""
    if problem.l1:
        return "proximal_newton"
    products, scale = problem.products, problem.scale
    if not problem.free and gap >= PRECISE:
        if products.sparse and products.D > MANY_COLUMNS:
            if problem.loss == HINGE:
                return "gram" if scale > LARGE else "coordinates"
            return "coordinates_newton" if scale > LARGE_SMOOTH else "coordinates"
        if scale <= SMALL and _suits_coordinates(problem):
            return "coordinates"
    return "newton"


def _suits_coordinates(problem: SoftProblem) -> bool:
    """Return whether coordinates are faster than Newton's method for a small C."""
    if problem.loss == LOGISTIC and not problem.products.sparse and problem.products.D <= SOME_COLUMNS:
        return False
    return problem.loss == HINGE or problem.products.D > SOME_COLUMNS


def solve(
    problem: SoftProblem, limits: Limits, solver: str = "auto", start: Start | None = None, seed: int = 0
) -> tuple[BestPoints, str]:
    """Return the best points found, and the name of the solver."""
    name = chosen_solver(problem, limits.gap) if solver == "auto" else solver
    if problem.l1 != (name == "proximal_newton"):
        wanted = "'proximal_newton'" if problem.l1 else "another solver"
        raise InputError(
            f"found {name!r} with penalty={'l1' if problem.l1 else 'l2'!r}; {wanted} was expected", "solver"
        )
    if name == "proximal_newton":
        return proximal_newton_l1(problem, limits, start), name
    if name == "newton":
        return newton(problem, limits, start), name
    if not problem.products.sparse and (name == "gram" or _is_sparse_inside(problem)):
        problem = replace(problem, products=problem.products.compressed)
    return BY_COORDINATES[name](problem, limits, start, seed), name


def _is_sparse_inside(problem: SoftProblem) -> bool:
    """Return whether dense rows are mostly zeros, by a sample of them."""
    products = problem.products
    some = products.rows[:: max(1, products.n // 256)]
    return products.D > SOME_COLUMNS // 4 and float((some != 0).mean()) < SPARSE
