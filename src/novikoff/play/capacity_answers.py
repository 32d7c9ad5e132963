"""Answer with Cover's curve, and measure it: random labellings, each decided with a proof."""

from __future__ import annotations

from typing import Any

from novikoff.errors import InputError
from novikoff.play.answers import Settings
from novikoff.play.posted_points import whole
from novikoff.theory.cover import cover_count, separable_fraction
from novikoff.theory.experiments.capacity_experiment import measured_fractions

MOST_DIMENSIONS, MOST_TRIALS = 200, 2_000
FINE, COARSE = 20, 5  # points of the curve, and of the simulation, for each unit of P/N
END = 4  # largest P/N


def curve(request: dict[str, Any], settings: Settings) -> dict[str, Any]:
    """Return P, P/N and the separable fraction C(P, N)/2^P for P/N up to 4; at P also the count and 1 − fraction.

    sizes : the numbers of points to measure
    """
    N = _dimensions(request)
    P = whole(request, "P", 2 * N, 1, END * MOST_DIMENSIONS)
    rows = [{"P": p, "ratio": p / N, "fraction": float(separable_fraction(p, N))} for p in _sizes(N, FINE)]
    one = separable_fraction(P, N)
    found = {"N": N, "rows": rows, "sizes": _sizes(N, COARSE), "P": P, "count": str(cover_count(P, N))}
    return found | {"fraction": float(one), "exact": str(one), "rest": float(1 - one)}


def simulate(request: dict[str, Any], settings: Settings) -> dict[str, Any]:
    """Return the measured fraction for one number of points, with its 95 % confidence interval."""
    N, trials = _dimensions(request), whole(request, "trials", 100, 1, MOST_TRIALS)
    P = whole(request, "P", 2 * N, 1, END * MOST_DIMENSIONS)
    row = measured_fractions([(N, P)], trials, whole(request, "seed", 0, 0, 2**31))[0]
    return row | {"N": N, "P": P, "ratio": P / N, "theory": float(separable_fraction(P, N))}


def _dimensions(request: dict[str, Any]) -> int:
    try:
        return whole(request, "N", 5, 1, MOST_DIMENSIONS)
    except InputError as error:
        raise InputError(f"{error}: the page draws curves up to {MOST_DIMENSIONS} dimensions") from None


def _sizes(N: int, density: int) -> list[int]:
    return list(dict.fromkeys(max(1, round(k * N / density)) for k in range(1, END * density + 1)))
