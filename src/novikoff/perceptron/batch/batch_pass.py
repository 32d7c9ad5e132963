"""The compiled pass of the order `batch`: looks at points with weights that do not change, and the sum of the mistakes.

    look      m = y·(⟨w, x⟩ + b·pad)
    mistake   m ≤ 0, decided by the exact sign:   sums ← sums + factor·y·(x, pad)

From the notes: Z10a (Zhang, the gradient of the perceptron loss: all of Σ y·x over the mistakes before w changes). The
update itself is made after the pass (`run.batch_step`). Written against the verbs of `dense`.
"""

from __future__ import annotations

import functools

import numpy as np

from novikoff.kernels.dense import add_row, first_look, look, look64
from novikoff.kernels.exact_sign import LIMBS, muladd, product
from novikoff.kernels.mark import FAST, kernel
from novikoff.kernels.row_signs import NOT_TIDY, sign
from novikoff.perceptron import slots
from novikoff.perceptron.passes import AHEAD, DONE, add_loss, measure, set_bounds, tidy_until


# The pass makes looks lo ≤ i < hi and returns (why it ended, the next look, the row it ended at). sums: (d + 1,), that
# of the bias last. first: whether rows may be new.
@functools.cache
def make_batch(first: bool):  # type: ignore[no-untyped-def]
    """Return the pass for new or known rows."""

    @kernel(FAST)
    def batch_over(A, y, sums, lo, hi, S):
        w, v, _, _, _, _, factors, mistakes, _, num, cnt = S
        pad, b, positive, d = num[slots.PAD], num[slots.B], cnt[slots.POSITIVE], w.size
        acc, checked, i = np.empty(LIMBS, np.int64), lo, np.int64(-1)
        why, end, far = DONE, hi, set_bounds(w, num)
        for t in range(lo, hi):
            i = t
            if first:
                if i >= checked:
                    checked = tidy_until(A, i, min(i + AHEAD, hi), d)
                    if checked == i:
                        why, end = NOT_TIDY, t
                        break
                s, q = first_look(A, i, w, v)
                if not (q <= num[slots.SEEN]):
                    why, far = measure(A, i, d, num), num[slots.FAR]
                    if why != DONE:
                        end = t
                        break
            else:
                s = look(A, i, w, v)
            side, raw = 1.0 if y[i] == positive else -1.0, s
            s = side * (raw + b * pad)
            right = s > far
            if not right and not (s < -far):
                right = side * sign(A, i, w, b, pad, 0.0, acc) > 0.0
            if right:
                continue
            g = product(factors[1 if side > 0.0 else 0], side)
            add_row(A, i, sums, g)  # sums ← sums + factor·y·x
            sums[d] = muladd(sums[d], g, pad)
            add_loss(side * (look64(A, i, w, raw) + b * pad), num)
            mistakes[i] += 1
            cnt[slots.MISTAKES] += 1
        cnt[slots.LOOKS] += end - lo
        return why, end, i

    return batch_over
