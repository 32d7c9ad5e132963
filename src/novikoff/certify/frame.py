"""Better numbers for floats, exactly undone: columns shifted by a dyadic centre and scaled by powers of two.

    a = ((x − y c)·2^(−s), y)·2^(−t)     the plane (g, h) of these rows is  w_j = g_j·2^(−s_j),  b = h − ⟨c, w⟩

Separability is the same before and after. The rows may be rounded, for floats only point at an answer; the way back is
exact. c has only as many digits as centring needs, so that planes stay short.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from novikoff.certify.whole import whole_multiple

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
            spread = unit * (Y.std(axis=0) if pad else np.sqrt((Y * Y).mean(axis=0)))
        spread = np.where((low < high if pad else scale > 0) & (spread > 0), spread, 1.0)
        self.powers = np.rint(np.log2(spread)).astype(np.int64)
        self.centre = np.zeros(X.shape[1])
        if pad:
            step = np.ldexp(1.0, np.clip(self.powers - FINE, -1070, 900))
            centre = unit * Y.mean(axis=0)
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

    def back(self, g: np.ndarray, digits: int) -> list[int] | None:
        """The plane g of the frame, rounded to so many binary digits, as whole numbers; None where it is no plane."""
        largest = float(np.abs(g).max(initial=0.0))
        if not 0.0 < largest < np.inf:
            return None
        top = int(np.frexp(largest)[1])
        whole = [int(v) for v in np.rint(np.ldexp(g, digits - top))]
        d = self.centre.size
        w = [_times(v, -int(s)) for v, s in zip(whole[:d], self.powers, strict=True)]
        if self.pad:
            shift = sum((Fraction(float(c)) * v for c, v in zip(self.centre, w, strict=True) if v and c), Fraction(0))
            w.append(whole[-1] - shift)
        return whole_multiple(w) if any(w) else None


def _times(v: int, power: int) -> Fraction:
    """v·2^power."""
    return Fraction(v << power) if power >= 0 else Fraction(v, 1 << -power)
