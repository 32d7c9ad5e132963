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

SMALL = 2000  # points up to which Python's own integers are used: nothing has to be imported
LARGEST_BITS = 4_000_000  # of an exact count: about a minute


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
    _check_size(P, P, N)  # the denominator has up to P bits
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
    if N >= P:
        _check_size(P, P, N)
        return 1 << P
    if 2 * N > P:
        _check_size(P, P, N)
        return (1 << P) - _count(P, P - N)
    if N == 0:
        return 0
    _check_size(P, _bits(P, N), N)
    _, below, above = _series(1, N, P - 1) if N > 1 else (1, 1, 0)
    return int(2 * (below + above) // below)


def _series(first: int, end: int, n: int) -> tuple[Any, Any, Any]:
    """Return (p, q, t) with p/q = Π (n − i + 1)/i and t/q = Σ_k Π_{i ≤ k} (n − i + 1)/i, first ≤ i, k < end.

    Binary splitting: almost all multiplications are of small numbers.
    """
    if end - first == 1:
        integer = _fast_integer() if n > SMALL else int
        return integer(n - first + 1), integer(first), integer(n - first + 1)
    middle = (first + end) // 2
    p, q, t = _series(first, middle, n)
    p2, q2, t2 = _series(middle, end, n)
    return p * p2, q * q2, t * q2 + p * t2


def _fast_integer() -> Any:
    """Return the integers of python-flint, whose long products are fast."""
    from flint import fmpz

    return fmpz


def _bits(P: int, N: int) -> int:
    """Return an upper bound of the bits of C(P, N), N ≤ P/2: binom(n, k) ≤ (e·n/k)^k."""
    from math import e, log2

    k = max(N - 1, 1)
    return min(P, int(k * (log2(e) + log2(max(P - 1, 1)) - log2(k)) + log2(2 * N) + 2))


def _check_size(P: int, bits: int, N: int) -> None:
    if bits > LARGEST_BITS:
        digits = bits * 3 // 10
        raise InputError(
            f"found P = {P:.6g}, N = {N:.6g}; the exact count would have about {digits:.3g} digits, at most "
            f"{LARGEST_BITS * 3 // 10:,} were expected; log10_cover_count and approximate_fraction take larger sizes",
            "P, N",
        )
