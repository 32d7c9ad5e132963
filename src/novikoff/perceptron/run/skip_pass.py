"""A pass that leaves out the rows that are surely right: fewer looks, the same run.

Only the rows listed are looked at, those with τ ≤ LIMIT; all others are right as long as sin θ ≤ LIMIT (`angles`). A
row left out is a right look: it changes nothing, and the number of a look is its row's place in the pass, as it would
be without. When an update carries sin θ past the limit, a longer list is made and the pass continues after that row.
"""

from __future__ import annotations

import numpy as np

from novikoff.kernels.mark import EXACT, FAST, kernel
from novikoff.perceptron import slots
from novikoff.perceptron.passes import DONE, DRIFTED, SOME, make
from novikoff.perceptron.skip_bounds import LIMIT, LISTED, LOOKED, SINE, relist

GROWTH = 1.15  # of the limit over the sine that passed it

some = make(SOME, False, False)


@kernel(FAST)
def looks(A, y, angles, lo, hi, S):
    """The looks lo ≤ t < hi of a pass in order, row t each; returns (why it ended, the next look, the row)."""
    rows, tau, _, _, num, cnt = angles
    before = S.cnt[slots.LOOKS] - lo
    while True:
        if num[SINE] > num[LIMIT]:
            relist(tau, rows, num[SINE] * GROWTH, num, cnt)
        first, end = place_of(rows, lo, cnt[LISTED]), place_of(rows, hi, cnt[LISTED])
        S.cnt[slots.LOOKS] = before + first
        why, k, i = some(A, y, angles, first, end, S)
        cnt[LOOKED] += k - first
        lo = hi if why == DONE else i + 1
        S.cnt[slots.LOOKS] = before + lo
        if why != DRIFTED:
            return why, lo, i


@kernel(EXACT)
def place_of(rows, row, size):
    """The first place of the list with this row or a later one."""
    lo, hi = np.int64(0), np.int64(size)
    while lo < hi:
        k = (lo + hi) >> 1
        if rows[k] < row:
            lo = k + 1
        else:
            hi = k
    return lo
