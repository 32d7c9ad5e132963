"""Better numbers for floats, exactly undone: columns shifted by a dyadic centre and scaled by powers of two.

    a = ((x − y c)·2^(−s), y)·2^(−t)     the plane (g, h) of these rows is  w_j = g_j·2^(−s_j),  b = h − ⟨c, w⟩

Separability is the same before and after. The rows may be rounded, for floats only point at an answer; the way back is
exact. c has only as many digits as centring needs, so that planes stay short.
"""

from __future__ import annotations

import numpy as np

from novikoff.certify.numbers import rescale_kernels
from novikoff.certify.numbers.integer_rows import BITS, primitive
from novikoff.certify.numbers.rescale_kernels import ROUNDINGS
from novikoff.kernels.compile import kernel_of

__all__ = ["ROUNDINGS", "Frame", "rounded"]


class Frame:
    """The coordinates in which floats work, chosen from some of the rows."""

    def __init__(self, Z: np.ndarray, pad: int) -> None:
        self.pad = pad
        self.powers = np.empty(Z.shape[1] - pad, np.int64)
        self.centre = np.empty(self.powers.size)
        self.A = np.empty(Z.shape)  # these rows in the frame
        kernel_of(rescale_kernels.frame_of, rescale_kernels, Z.size)(Z, pad, self.powers, self.centre, self.A)

    def apply(self, Z: np.ndarray) -> np.ndarray:
        """The rows in the frame, each about 1 long."""
        A = np.empty(Z.shape)
        kernel_of(rescale_kernels.framed, rescale_kernels, Z.size)(Z, self.pad, self.powers, self.centre, A)
        return A

    def short(self, w: np.ndarray, A: np.ndarray) -> list[int]:
        """The plane w of the frame in few digits, as whole numbers: its margin on the rows A is hardly less."""
        g, plane = np.empty(w.size), np.empty(w.size, np.int64)
        fits = kernel_of(rescale_kernels.short, rescale_kernels, A.size)(A, w, self.powers, self.centre, g, plane)
        return list(plane.tolist()) if fits else self.back(g)

    def back(self, g: np.ndarray) -> list[int]:
        """The plane g of the frame, whole numbers, as whole numbers of any size."""
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
