"""Rescale rows for floating point, exactly invertible: columns shifted by a dyadic centre, scaled by powers of two.

    a = ((x − y c)·2^(−s), y)·2^(−t)     the plane (g, h) of these rows is  w_j = g_j·2^(−s_j),  b = h − ⟨c, w⟩

Separability is the same before and after. The rows may be rounded, since floats only suggest an answer; converting a
plane back is exact. c has only as many digits as centring needs, so that planes stay short.
"""

from __future__ import annotations

from functools import cached_property
from operator import mul

import numpy as np

from novikoff.exact import rescale_kernels
from novikoff.exact.integer_rows import primitive
from novikoff.exact.rescale_kernels import ROUNDINGS
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
        """Return the rows in the frame, each of length about 1."""
        A = np.empty(Z.shape)
        kernel_of(rescale_kernels.framed, rescale_kernels, Z.size)(Z, self.pad, self.powers, self.centre, A)
        return A

    def short(self, w: np.ndarray, A: np.ndarray) -> list[int]:
        """Return the plane w of the frame rounded to few digits, as integers; its margin on A is hardly less."""
        g = np.empty(w.size)
        kernel_of(rescale_kernels.short, rescale_kernels, A.size)(A, w, g)
        return self.back(g)

    def back(self, g: np.ndarray) -> list[int]:
        """Return the plane g of the frame, integers as floats, as a plane of the points: integers of any size."""
        plane = g.astype(np.int64).tolist()
        factors, centre, shift = self._integers
        if self.pad:
            plane[-1] = (plane[-1] << shift) - sum(map(mul, centre, plane))
        return primitive(list(map(mul, factors, plane)))

    @cached_property
    def _integers(self) -> tuple[list[int], list[int], int]:
        """(F, C, k) with w_j = F_j·g_j and b = F_d·(g_d·2^k − Σ C_j·g_j), up to one positive factor."""
        scales = (-self.powers).tolist()
        ratios = [c.as_integer_ratio() for c in self.centre.tolist()]
        lows = [
            s + 1 - q.bit_length() for (_, q), s in zip(ratios, scales, strict=True)
        ]  # centre_j·w_j = p·g_j·2^low_j
        low = min([0, *lows])
        centre = [p << (at - low) for (p, _), at in zip(ratios, lows, strict=True)]
        scales += [low] * self.pad
        least = min(scales)
        return [1 << (s - least) for s in scales], centre, -low


def rounded(g: np.ndarray, digits: int) -> np.ndarray:
    """Return a multiple of the vector, rounded to integers of so many binary digits."""
    top = int(np.frexp(np.abs(g).max())[1])
    return np.asarray(np.rint(np.ldexp(g, digits - top)))
