"""Better numbers for floats, exactly undone: columns shifted by a dyadic centre and scaled by powers of two.

    a = ((x − y c)·2^(−s), y)·2^(−t)     the plane (g, h) of these rows is  w_j = g_j·2^(−s_j),  b = h − ⟨c, w⟩

Separability is the same before and after. The rows may be rounded, for floats only point at an answer; the way back is
exact. c has only as many digits as centring needs, so that planes stay short.
"""

from __future__ import annotations

import numpy as np

from novikoff.certify.whole import BITS, primitive

FINE = 3  # binary digits of the centre below the spread of its column
ROUNDINGS = (12, 24, 36, 53)  # digits of the planes tried


class Frame:
    """The coordinates in which floats work, chosen from some of the rows."""

    def __init__(self, Z: np.ndarray, pad: int) -> None:
        self.pad = pad
        X = Z[:, :-1] * Z[:, -1:] if pad else Z
        with np.errstate(all="ignore"):
            low, high = X.min(axis=0), X.max(axis=0)
            scale = np.maximum(np.abs(low), np.abs(high))
            unit = np.ldexp(1.0, np.frexp(np.where(scale > 0, scale, 1.0))[1])
            Y = X / unit  # squares of anything stay in range
            mean = Y.sum(axis=0) / len(Y) if pad else np.zeros(Y.shape[1])
            V = Y - mean
            spread = unit * np.sqrt(np.einsum("ij,ij->j", V, V) / len(V))
        spread = np.where((low < high if pad else scale > 0) & (spread > 0), spread, 1.0)
        self.powers = np.rint(np.log2(spread)).astype(np.int64)
        self.centre = np.zeros(X.shape[1])
        if pad:
            step = np.ldexp(1.0, np.clip(self.powers - FINE, -1070, 900))
            centre = unit * mean
            with np.errstate(all="ignore"):
                rounded = np.rint(centre / step) * step
            self.centre = np.where(low == high, low, np.where(np.isfinite(rounded), rounded, centre))

    def apply(self, Z: np.ndarray) -> np.ndarray:
        """The rows in the frame, each about 1 long."""
        A = Z.copy()
        d = self.centre.size
        if self.pad:
            A[:, :d] -= Z[:, -1:] * self.centre
        with np.errstate(all="ignore"):
            A[:, :d] = np.ldexp(A[:, :d], -self.powers)
            size = np.abs(A).max(axis=1, initial=0.0)
        _, power = np.frexp(np.where((size > 0) & np.isfinite(size), size, 1.0))
        return np.asarray(np.ldexp(A, -power[:, None]))

    def back(self, g: np.ndarray) -> list[int]:
        """The plane g of the frame, whole numbers, as whole numbers."""
        d = self.centre.size
        w, powers = g[:d].tolist(), (-self.powers).tolist()
        if not self.pad:
            return _aligned([int(v) for v in w], powers)
        parts, tops = np.frexp(self.centre)
        digits = np.ldexp(parts, BITS).astype(np.int64).tolist()
        terms = [-c * int(v) for c, v in zip(digits, w, strict=True)]  # of −⟨c, w⟩
        lows = [int(t) - BITS + p for t, p in zip(tops, powers, strict=True)]
        low = min((p for v, p in zip(terms, lows, strict=True) if v), default=0)
        low = min(low, 0)
        b = (int(g[d]) << -low) + sum(v << (p - low) for v, p in zip(terms, lows, strict=True) if v)
        return _aligned([*(int(v) for v in w), b], [*powers, low])


def rounded(g: np.ndarray, digits: int) -> np.ndarray:
    """A multiple of the vector, rounded to whole numbers of so many binary digits."""
    top = int(np.frexp(np.abs(g).max())[1])
    return np.asarray(np.rint(np.ldexp(g, digits - top)))


def _aligned(numbers: list[int], powers: list[int]) -> list[int]:
    """Whole numbers without a common factor that are a positive multiple of numbers·2^powers."""
    low = min((p for v, p in zip(numbers, powers, strict=True) if v), default=0)
    return primitive([v << (p - low) if v else 0 for v, p in zip(numbers, powers, strict=True)])
