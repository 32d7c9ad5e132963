"""Logarithms of Cover's counts and fractions, for sizes whose exact counts have too many digits.

    ln Σ_{k ≤ m} binom(n, k) = ln binom(n, m) + ln(1 + m/(n−m+1) + m(m−1)/((n−m+1)(n−m+2)) + …),   m < n/2

The series converges at least as fast as a Gaussian sum, and nothing overflows or underflows. For m ≥ n/2 the other half
of the binomial expansion is summed. The logarithm of the largest binomial is computed with interval arithmetic (arb).

From the notes: S5 S6 (Sompolinsky, Figure 3).
"""

from __future__ import annotations

import math

from novikoff.errors import InputError
from novikoff.theory.cover import sizes

LARGEST = 10**12  # points: the series then has millions of terms
SMALL = 2.0**-60  # of the sum: a term that no longer changes it


def approximate_fraction(P: int, N: int, fit_intercept: bool = False) -> float:
    """Return C(P, N)/2^P as a float: 0.0 where it is below the smallest one.

    Parameters
    ----------
    P, N, fit_intercept : as in `cover_count`

    Examples
    --------
    >>> import novikoff as nv
    >>> round(nv.approximate_fraction(143, 65), 3), nv.approximate_fraction(2_000_000, 1_000_000)
    (0.138, 0.5)
    """
    return math.exp(log_fraction(*_sizes(P, N, fit_intercept)))


def log10_fraction(P: int, N: int, fit_intercept: bool = False) -> float:
    """Return log10(C(P, N)/2^P); −inf for N = 0.

    Parameters
    ----------
    P, N, fit_intercept : as in `cover_count`

    Examples
    --------
    >>> import novikoff as nv
    >>> round(nv.log10_fraction(10**6, 5), 1)
    -301007.1
    """
    return log_fraction(*_sizes(P, N, fit_intercept)) / math.log(10)


def log10_cover_count(P: int, N: int, fit_intercept: bool = False) -> float:
    """Return log10 C(P, N), also where C(P, N) itself has too many digits; −inf for N = 0.

    Parameters
    ----------
    P, N, fit_intercept : as in `cover_count`

    Examples
    --------
    >>> import novikoff as nv
    >>> round(nv.log10_cover_count(10**9, 10**8), 3)
    141181736.481
    """
    P, N = _sizes(P, N, fit_intercept)
    if 2 * N > P:
        return (log_fraction(P, N) + P * math.log(2)) / math.log(10)
    return (_log_half(P, N, 0) + math.log(2)) / math.log(10) if N else -math.inf


def log_fraction(P: int, N: int) -> float:
    """Return ln(C(P, N)/2^P)."""
    if N >= P:
        return 0.0
    if N == 0:
        return -math.inf
    if 2 * N == P:
        return -math.log(2)
    if 2 * N > P:
        return math.log1p(-math.exp(_log_half(P, P - N, P - 1)))
    return _log_half(P, N, P - 1)


def _log_half(P: int, N: int, twos: int) -> float:
    """Return ln(Σ_{k<N} binom(P − 1, k)/2^twos) for 1 ≤ N ≤ P/2."""
    n, m = P - 1, N - 1
    term = total = 1.0
    for j in range(m):
        term *= (m - j) / (n - m + 1 + j)
        total += term
        if term < SMALL * total:
            break
    return log_binomial(n, m, twos) + math.log(total)


def log_binomial(n: int, m: int, twos: int = 0) -> float:
    """Return ln(binom(n, m)/2^twos), rounded from an interval of at least 64 bits."""
    from flint import arb, ctx

    with ctx.workprec(128 + 2 * n.bit_length()):
        exact = arb(n + 1).lgamma() - arb(m + 1).lgamma() - arb(n - m + 1).lgamma() - twos * arb(2).log()
        return float(exact.mid())


def _sizes(P: int, N: int, fit_intercept: bool) -> tuple[int, int]:
    P, N = sizes(P, N, fit_intercept)
    if P > LARGEST:
        raise InputError(f"found {P:.6g}; at most {LARGEST:.0e} points were expected", "P")
    return P, N


def fraction_in_words(fraction: float, log10: float) -> str:
    """Format a separable fraction with ten figures; one that is 0 in binary64 as a power of ten.

    Examples
    --------
    >>> fraction_in_words(0.875, -0.058), fraction_in_words(0.0, -18043.76636)
    ('0.875', '10^(-18043.76636)')
    """
    return f"{fraction:.10g}" if fraction > 0.0 or math.isinf(log10) else f"10^({log10:.10g})"
