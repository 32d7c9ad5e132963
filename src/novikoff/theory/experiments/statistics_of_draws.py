"""Intervals of fractions and of exponents, from draws."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

RESAMPLES = 400


def fraction_interval(hits: int, trials: int, level: float = 0.95) -> tuple[float, float]:
    """Return the Clopper–Pearson interval of a probability: its coverage is at least the level.

    Examples
    --------
    >>> [round(v, 4) for v in fraction_interval(0, 10)], [round(v, 4) for v in fraction_interval(5, 10)]
    ([0.0, 0.3085], [0.1871, 0.8129])
    """
    from scipy.special import betaincinv

    half = (1 - level) / 2
    low = 0.0 if hits == 0 else float(betaincinv(hits, trials - hits + 1, half))
    high = 1.0 if hits == trials else float(betaincinv(hits + 1, trials - hits, 1 - half))
    return low, high


def power_fit(
    draws: Sequence[Sequence[float]], factors: Sequence[Sequence[float]], names: Sequence[str], of: str,
    theory: Sequence[float | None], level: float = 0.999,
) -> list[dict[str, Any]]:  # fmt: skip
    """Fit ln(median) = a + Σ exponent·ln(factor) over the cells by least squares, with intervals from resampled draws.

    draws: of each cell; infinity for a run that was stopped at a limit (censored): its size counts, its value does not.
    factors: of each cell, in the order of `names`. Factors that do not vary are left out.
    """
    from scipy.special import erfinv

    logs = np.log(np.asarray(factors, np.float64))
    vary = [j for j in range(logs.shape[1]) if np.ptp(logs[:, j]) > 0]
    design = np.hstack([np.ones((len(logs), 1)), logs[:, vary]])
    medians = np.array([np.median(cell) for cell in draws])
    usable = np.isfinite(medians) & (medians > 0)
    if not vary or np.linalg.matrix_rank(design[usable]) < design.shape[1]:
        return []
    solve = np.linalg.pinv(design[usable])
    exponents = solve @ np.log(medians[usable])
    spread = _spread([np.asarray(cell, np.float64) for cell, used in zip(draws, usable, strict=True) if used], solve)
    wide = math.sqrt(2) * float(erfinv(level))
    fits = []
    for k, j in enumerate(vary, start=1):
        middle, half = float(exponents[k]), wide * float(spread[k])
        fits.append({"of": of, "in": names[j], "exponent": middle, "interval": [middle - half, middle + half],
                     "level": level, "theory": theory[j]})  # fmt: skip
    return fits


def _spread(draws: list[np.ndarray], solve: np.ndarray) -> np.ndarray:
    """Return the standard deviations of the coefficients over resampled draws (bootstrap, a fixed seed)."""
    rng = np.random.default_rng(0)
    found = []
    for _ in range(RESAMPLES):
        medians = [np.median(cell[rng.integers(cell.size, size=cell.size)]) for cell in draws]
        if np.isfinite(medians).all() and min(medians) > 0:
            found.append(solve @ np.log(medians))
    if len(found) < 2:
        return np.full(solve.shape[0], math.inf)
    return np.asarray(np.std(found, axis=0, ddof=1))
