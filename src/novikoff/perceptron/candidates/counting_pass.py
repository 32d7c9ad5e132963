"""The pass that counts candidates of the pocket on the rows that it looks at.  (compiled)

The looks, decisions and updates of `passes.make` for the perceptron rule and rows that were seen before, in order or
listed; each row is scored under the candidates too, and one that may be on either side of them is settled exactly. It
is a kernel of its own: the other passes shall not carry the work, and calls from the row loop would cost more than it.
"""

from __future__ import annotations

import functools

import numpy as np

from novikoff.kernels.dense import look_beside, look_beside_three, step_beside, unit_beside, units_beside
from novikoff.kernels.exact_sign import LIMBS, muladd, product
from novikoff.kernels.mark import FAST, kernel
from novikoff.kernels.row_signs import TOO_LARGE, sign
from novikoff.perceptron import slots
from novikoff.perceptron.candidates.candidate_counts import add_counts, bounds_of, count_beside, settle_beside
from novikoff.perceptron.passes import (
    DONE,
    LISTED,
    RATES_SPENT,
    UPDATES_SPENT,
    add_loss,
    after_update,
    end_run,
    grid_of,
    grow,
    is_back,
    listed_row,
    set_bounds,
    set_new_bounds,
)
from novikoff.perceptron.rules import perceptron


# The pass makes looks lo ≤ t < hi and returns (why it ended, the next look, the row it ended at), as `passes.make`.
# rows: Candidates, with the listed rows for the order LISTED.
@functools.cache
def make_counting(order: int):  # type: ignore[no-untyped-def]
    """Return the pass for one way of finding rows."""

    @kernel(FAST)
    def counting_pass(A, y, rows, lo, hi, S):
        w, v, _, ref, queue, rates, factors, mistakes, _, num, cnt, settled = S
        listed, planes, T, errors, doubted = rows
        pad, b, updates, positive = num[slots.PAD], num[slots.B], cnt[slots.UPDATES], cnt[slots.POSITIVE]
        acc, before, i = np.empty(LIMBS, np.int64), cnt[slots.LOOKS] - lo, np.int64(-1)
        why, end, far = DONE, hi, set_bounds(w, num)
        bounds, several, n0, n1, n2 = bounds_of(planes, num[slots.R2], pad), planes.shape[0] > 1, 0, 0, 0
        t0 = t1 = t2 = 0.0
        for t in range(lo, hi):
            i = listed_row(A, listed, t, hi) if order == LISTED else t
            if several:
                s, t0, t1, t2 = look_beside_three(A, i, w, v, T)
            else:
                s, t0 = look_beside(A, i, w, v, T)
            size = units_beside(A, i)
            far = size * unit_beside(num[slots.FAR], num[slots.UNIT])
            side = 1.0 if y[i] == positive else -1.0
            m0, m1, m2, in_doubt = count_beside(side, t0, t1, t2, size, bounds, several)
            n0, n1, n2 = n0 + m0, n1 + m1, n2 + m2
            if in_doubt:
                settle_beside(A, i, side, t0, t1, t2, size, bounds, pad, planes, errors, doubted, acc)
            s = side * (s + b * pad)
            m, right = s, s > far  # m: the score, or one with the exact sign
            if not right and not (s < -far):
                cnt[slots.INSIDE] += 1
                m = side * sign(A, i, w, b, pad, 0.0, acc, settled)
                right = m > 0.0
            if right:
                continue
            place = 0 if rates.size == 1 else updates - cnt[slots.RATE0]
            if updates == cnt[slots.LIMIT] or place == rates.size:
                why, end = (UPDATES_SPENT, t + 1) if updates == cnt[slots.LIMIT] else (RATES_SPENT, t)
                break
            rate = perceptron(m, product(rates[place], factors[1 if side > 0.0 else 0]))
            grow(rate, num)
            if num[slots.W2] > num[slots.CAP]:
                far = set_new_bounds(w, num)
                if far < 0.0:
                    why, end = TOO_LARGE, t
                    break
            looks, g, grid = before + t + 1, product(rate, side), grid_of(num)
            mistakes[i] += 1
            cnt[slots.MISTAKES] += 1
            if cnt[slots.KEEP] == slots.RUNS:
                end_run(w, b, queue, cnt, looks)
            score = step_beside(A, i, w, v, g, grid, T)  # w ← w + step·y·x
            add_loss(side * muladd(score, b, pad), rate, num)
            b = muladd(b, g, pad)
            updates += 1
            why = after_update(b == num[slots.REFB] and is_back(A, i, w, ref, cnt), i, updates, queue.shape[0], cnt)
            if why != DONE:
                end = t + 1
                break
        cnt[slots.FARTHEST] = max(cnt[slots.FARTHEST], cnt[slots.NEXT])
        add_counts(n0, n1, n2, errors)
        num[slots.B], cnt[slots.UPDATES], cnt[slots.LOOKS] = b, updates, before + end
        return why, end, i

    return counting_pass
