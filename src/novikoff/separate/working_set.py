"""The working-set loop: solve for a few rows, scan all rows for violators, add the worst, repeat.

    W ← some rows, drawn with a fixed seed
    repeat:  a solution for W that is one for any rows that contain W (a circuit)      → the answer
             a solution for W that no row violates (a plane)                           → the answer
             else add the worst violators to W

Every round adds rows that were not in W, and the last solution of a round is exact, so the loop ends. It needs few rows
in memory (Clarkson: at most D + 1 rows matter) and one pass over all rows for each plane.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np


class Final(NamedTuple):
    """A solution for W that is the answer for all rows, without a scan."""

    answer: Any


def run_working_set(
    solutions: Callable[[], Iterable[Any]],
    violators: Callable[[Any], Any],
    join: Callable[[Any], None],
    between: Callable[[], None] = lambda: None,
) -> Any:
    """Return the first solution that no row violates, or the answer of the first that is final.

    Parameters
    ----------
    solutions : yields solutions for W, the cheapest first and an exact one last
    violators : the rows outside W that violate a solution, one or more of them; empty: only rows of W do, as rounding
        may have it, and the next solution is tried; None: no row does
    join : adds violators to W
    between : called before each round; it may raise
    """
    while True:
        between()
        for solution in solutions():
            if isinstance(solution, Final):
                return solution.answer
            new = violators(solution)
            if new is None:
                return solution
            if len(new):
                join(new)
                break
        else:
            raise ArithmeticError("an exact solution for W is violated by a row of W")  # cannot happen


def few_rows(D: int) -> int:
    """Return the size of the first W for rows of D numbers."""
    return 4 * D + 10


def most_joining(D: int) -> int:
    """Return how many rows of D numbers may be added to W in a round."""
    return 2 * D + 10


def draw_rows(n: int, few: int, seed: int | np.random.Generator = 0, all_up_to: int = 0) -> np.ndarray:
    """Return all of n rows if they are at most 2·few or `all_up_to`, else `few` of them, drawn at random, in order."""
    if n <= max(2 * few, all_up_to):
        return np.arange(n)
    return np.sort(np.random.default_rng(seed).choice(n, few, replace=False))


def worst_rows(rows: np.ndarray, margins: np.ndarray, D: int) -> np.ndarray:
    """Return the rows with the least margins, as many as may be added to W in a round, the worst first."""
    return np.asarray(rows[np.argsort(margins[rows], kind="stable")[: most_joining(D)]])
