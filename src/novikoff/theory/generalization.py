"""Bound the error on new points of a model without training errors, and find how many points are enough.

With probability at least 1 − δ over n points drawn independently from any one distribution, a model chosen by the data
that makes no error on them has an error on new points of at most

    Occam         (b·ln 2 + ln 1/δ)/n                     b: bits of a prefix-free code of the model
    VC            (2/n)·(log2 C(2n, N) + log2 2/δ)        N: parameters, d + 1 with a bias; C: Cover's count
    compression   (ln binom(n, k) + ln n/δ)/(n − k)       k: rows ever updated on, cyclic order from w = 0

Sources: Blumer, Ehrenfeucht, Haussler, Warmuth, Occam's razor (1987) and Learnability and the Vapnik–Chervonenkis
dimension (1989), Theorem A2.1 with Cover's count as growth function; Littlestone and Warmuth (1986), Floyd and Warmuth
(1995), compression: the run on the k rows alone makes the same updates, so that these rows are the model. k is at most
the number of updates, and so at most (R/γ)²: this is the bound by the margin.

From the notes: T8 (Tao: training error 0, then a bound on the true error), T4 (the mistake bound limits k).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from novikoff.arguments import argument_checks
from novikoff.data.format_numbers import at_least, at_most
from novikoff.errors import InputError
from novikoff.theory.cover_logs import log10_cover_count, log_binomial

LARGEST = 10**11  # points of a sample


@dataclass(frozen=True)
class GeneralizationBound:
    """An upper bound of the error on new points that holds with probability 1 − delta; None if not applicable.

    method: occam, vc, compression or held-out. value: the bound, or None. n, delta: as given. size: b, N, k, or the
    errors on held-out points. why: the reason
    why there is no bound, or what the bound assumes.
    """

    method: str
    value: float | None
    n: int
    delta: float
    size: int
    why: str

    @property
    def vacuous(self) -> bool:
        """Whether the bound says nothing: it is 1 or more."""
        return self.value is not None and self.value >= 1

    def __str__(self) -> str:
        name = f"{self.method:<12}"
        if self.value is None:
            return f"{name}not applicable: {self.why}"
        said = "  vacuous: every error is at most 1" if self.vacuous else ""
        sure = at_least(1 - Fraction(repr(self.delta)), ".6g")
        return f"{name}error ≤ {at_most(self.value, '.4g')} with probability {sure}{said}"


ASSUMED = {
    "held-out": "the points are drawn independently from the same distribution and were not used in training",
    "occam": "the points are drawn independently from one distribution; the code was fixed before they were seen",
    "vc": "the points are drawn independently from one distribution; the model is a plane without training errors",
    "compression": "the points are drawn independently from one distribution; the run was cyclic, from w = 0",
}


def generalization_bound(
    n: int,
    delta: float = 0.05,
    bits: int | None = None,
    parameters: int | None = None,
    updated_rows: int | None = None,
    errors: int = 0,
    held_out: tuple[int, int] | None = None,
) -> tuple[GeneralizationBound, ...]:
    """Return bounds of the error on new points of a model without errors on n training points.

    (b·ln 2 + ln 1/δ)/n,   (2/n)·(log2 C(2n, N) + log2 2/δ),   (ln binom(n, k) + ln n/δ)/(n − k)

    Parameters
    ----------
    n : number of training points, drawn independently from one distribution
    delta : the probability that a bound does not hold, between 0 and 1
    bits : b, for the Occam bound: the length of the model's code, as `encoding_bits` returns it
    parameters : N, for the VC bound: d + 1 with a bias, d without
    updated_rows : k, for the compression bound: how many rows were ever updated on, in cyclic order from w = 0
    errors : training errors of the model; with any of them none of these bounds is applicable
    held_out : errors and number of further points that were not used in training; adds the bound of Clopper and
        Pearson, which also holds for a model with training errors

    Examples
    --------
    >>> import novikoff as nv
    >>> for bound in nv.generalization_bound(1000, bits=100, parameters=3, updated_rows=4):
    ...     print(bound)
    occam       error ≤ 0.07232 with probability 0.95
    vc          error ≤ 0.05451 with probability 0.95
    compression error ≤ 0.03449 with probability 0.95
    """
    argument_checks.whole("n", n, 1, optional=False)
    argument_checks.share("delta", delta)
    argument_checks.whole("errors", errors, 0, optional=False)
    given = (
        []
        if held_out is not None and bits is parameters is updated_rows is None
        else _given(bits, parameters, updated_rows)
    )
    found = [_bound(method, int(n), float(delta), size, int(errors)) for method, size in given]
    return (*found, *([] if held_out is None else [_held_out(held_out, float(delta))]))


def sample_size(
    error: float,
    delta: float = 0.05,
    bits: int | None = None,
    parameters: int | None = None,
    updated_rows: int | None = None,
) -> dict[str, int]:
    """Return how many points are enough for each bound to be at most `error`.

    smallest n with bound(n) ≤ error, and ≤ error for all larger n

    Parameters
    ----------
    error : the error on new points, between 0 and 1
    delta, bits, parameters, updated_rows : as in `generalization_bound`

    Examples
    --------
    >>> import novikoff as nv
    >>> nv.sample_size(0.01, bits=100, parameters=3, updated_rows=4)
    {'occam': 7232, 'vc': 6534, 'compression': 4152}
    """
    argument_checks.share("error", error)
    argument_checks.share("delta", delta)
    given = _given(bits, parameters, updated_rows)
    return {method: _enough(method, float(error), float(delta), size) for method, size in given}


def _given(bits: Any, parameters: Any, updated_rows: Any) -> list[tuple[str, int]]:
    """Return the sizes that were given, by method."""
    found = [("occam", bits, "bits", 1), ("vc", parameters, "parameters", 1)]
    found.append(("compression", updated_rows, "updated_rows", 0))
    if all(value is None for _, value, _, _ in found):
        raise InputError("found none of them; at least one was expected: each gives one bound",
                         "bits, parameters, updated_rows")  # fmt: skip
    for _, value, name, low in found:
        argument_checks.whole(name, value, low)
    return [(method, int(value)) for method, value, _, _ in found if value is not None]


def _bound(method: str, n: int, delta: float, size: int, errors: int) -> GeneralizationBound:
    if errors:
        return GeneralizationBound(method, None, n, delta, size, f"the model makes {errors:,} training errors")
    if method == "compression" and size >= n:
        return GeneralizationBound(method, None, n, delta, size, "no point is left that was never updated on")
    return GeneralizationBound(method, FORMULAS[method](n, delta, size), n, delta, size, ASSUMED[method])


def _held_out(held_out: tuple[int, int], delta: float) -> GeneralizationBound:
    """Return the upper end of the one-sided interval of Clopper and Pearson for the error on held-out points."""
    try:
        errors, n = held_out
    except (TypeError, ValueError):
        raise InputError(f"found {held_out!r}; (errors, points) was expected", "held_out") from None
    argument_checks.whole("held_out", n, 1, optional=False)
    argument_checks.whole("held_out", errors, 0, optional=False)
    if errors > n:
        raise InputError(f"found {errors:,} errors on {n:,} points; at most as many errors as points were expected",
                         "held_out")  # fmt: skip
    from scipy.special import betaincinv

    value = 1.0 if errors == n else float(betaincinv(errors + 1, n - errors, 1 - delta))
    return GeneralizationBound("held-out", value, int(n), delta, int(errors), ASSUMED["held-out"])


def occam(n: int, delta: float, bits: int) -> float:
    """Return (b·ln 2 + ln 1/δ)/n."""
    return (bits * math.log(2) + math.log(1 / delta)) / n


def vapnik_chervonenkis(n: int, delta: float, parameters: int) -> float:
    """Return (2/n)·(log2 C(2n, N) + log2 2/δ)."""
    return 2 / n * (log10_cover_count(2 * n, parameters) / math.log10(2) + math.log2(2 / delta))


def compression(n: int, delta: float, kept: int) -> float:
    """Return (ln binom(n, k) + ln n/δ)/(n − k) for k < n."""
    return (log_binomial(n, kept) + math.log(n / delta)) / (n - kept)


FORMULAS: dict[str, Callable[[int, float, int], float]] = {
    "occam": occam, "vc": vapnik_chervonenkis, "compression": compression,
}  # fmt: skip


def _enough(method: str, error: float, delta: float, size: int) -> int:
    """Return the smallest n from which on the bound is at most `error`: all bounds below 1 decrease with n."""
    low = size if method == "compression" else 0
    high = low + 1
    formula = FORMULAS[method]
    while formula(high, delta, size) > error:
        low, high = high, 2 * high
        if high > LARGEST:
            raise InputError(f"more than {LARGEST:.0e} points would be needed; allow a larger error", "error")
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if formula(middle, delta, size) > error else (low, middle)
    return high
