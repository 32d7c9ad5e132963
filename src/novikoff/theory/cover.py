"""Count the linearly separable dichotomies of points in general position, with Cover's theorem.

    C(P, N) = 2·Σ_{k<N} binom(P − 1, k)        of the 2^P labellings of P points in N dimensions, planes through 0
    C(P, d + 1)                                planes with a bias, points with d features: N = d + 1 parameters

Consequences: C = 2^P for P ≤ N, C(2N, N) = 2^(2N−1), C ~ P^(N−1) for P much larger than N, and the recursion
C(P + 1, N) = C(P, N) + C(P, N − 1). Points that are not in general position have fewer separable dichotomies.

From the notes: S5 S6 (Sompolinsky, Cover's Function Counting Theorem, Cover 1965).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from novikoff.arguments import argument_checks
from novikoff.errors import InputError

LARGEST_BITS, MOST_TERMS = 4_000_000, 100_000  # of an exact count, and of its sum: some seconds


def cover_count(P: int, N: int, fit_intercept: bool = False) -> int:
    """Return how many labellings of P points in general position a plane can separate.

    C(P, N) = 2·Σ_{k<N} binom(P − 1, k)

    Parameters
    ----------
    P : number of points, at least 1
    N : number of dimensions
    fit_intercept : False: planes through the origin, N parameters. True: planes with a bias, N + 1 parameters

    Examples
    --------
    >>> import novikoff as nv
    >>> nv.cover_count(4, 2), nv.cover_count(4, 2, fit_intercept=True), nv.cover_count(10, 5) == 2**9
    (8, 14, True)
    """
    P, N = sizes(P, N, fit_intercept)
    return _count(P, N)


def separable_fraction(P: int, N: int, fit_intercept: bool = False) -> Fraction:
    """Return the fraction of all labellings of P points in general position that a plane can separate.

    C(P, N) / 2^P = probability of at most N − 1 heads in P − 1 tosses of a fair coin

    Parameters
    ----------
    P, N, fit_intercept : as in `cover_count`

    Examples
    --------
    >>> import novikoff as nv
    >>> nv.separable_fraction(10, 5), round(float(nv.separable_fraction(7, 5)), 3)
    (Fraction(1, 2), 0.891)
    """
    P, N = sizes(P, N, fit_intercept)
    _check_size(P <= LARGEST_BITS, P, N)  # the denominator has up to P bits
    count = _count(P, N)
    if not count:
        return Fraction(0)
    twos = (count & -count).bit_length() - 1
    return Fraction(count >> twos, 1 << (P - twos))


def sizes(P: Any, N: Any, fit_intercept: Any = False) -> tuple[int, int]:
    """Return P and the number of parameters; raise InputError unless they are sizes."""
    argument_checks.whole("P", P, 1, optional=False)
    argument_checks.whole("N", N, 0, optional=False)
    argument_checks.truth("fit_intercept", fit_intercept)
    return int(P), int(N) + bool(fit_intercept)


def _count(P: int, N: int) -> int:
    """Return C(P, N); the smaller of the two halves of the binomial expansion is summed."""
    if 2 * N > P:
        _check_size(P <= LARGEST_BITS, P, N)
        return (1 << P) - (_count(P, P - N) if N < P else 0)
    _check_size(N <= MOST_TERMS, P, N)
    total, term = 0, 1
    for k in range(N):
        total, term = total + term, term * (P - 1 - k) // (k + 1)
    return 2 * total


def _check_size(is_small: bool, P: int, N: int) -> None:
    if not is_small:
        raise InputError(f"found P = {P:.6g}, N = {N:.6g}; the exact count takes too long or has too many digits; "
                         "log10_cover_count and approximate_fraction take larger sizes", "P, N")  # fmt: skip
