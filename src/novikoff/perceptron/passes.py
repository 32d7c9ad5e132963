"""A stretch of looks: the compiled heart of training.

    look      m = y·(⟨w, x⟩ + b·pad)
    mistake   m ≤ 0, decided by the exact sign
    update    w ← w + η·y·x,  b ← b + η·y·pad

|w| is bounded by Novikoff's own inequality: at a mistake y⟨w, x⟩ ≤ 0 holds exactly, hence |w + ηyx|² ≤ |w|² + η²R². So
the threshold of a look is constant between updates and is computed anew only when the bound has grown fourfold.

From the notes: T3, C6, Z6, R (2), S7, R4; the bound on |w| is T4 (2), R5 (5), Z9.

`State` is all that a run carries from look to look; it is changed in place. Written against the verbs of `sides.dense`.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np

from novikoff.compile import EXACT, FAST, kernel
from novikoff.sides.dense import changed, doubt, finite, first_look, look, square, step, step_and_sum, tidy
from novikoff.sides.exact import BIG, LIMBS, TINY, first_difference, muladd, norm2
from novikoff.sides.scores import NOT_FINITE, NOT_TIDY, TOO_LARGE, sign

# how the next row is found
IN_ORDER, LISTED, FROM_THE_FIRST = 0, 1, 2
# what is kept on the way
NOTHING, RUNS, SUMS, LOG = 0, 1, 2, 3
# why a stretch ended; 1 to 3 are the faults of a row (sides.scores)
DONE, UPDATES_SPENT, QUEUE_FULL, RETURNED, WINDOW_OVER, RATES_SPENT, ALL_RIGHT = 0, 4, 5, 6, 7, 8, 9

AHEAD = 64  # rows whose columns are checked together

# places in State.num
NUM = range(7)
B, PAD, R2, W2, UB, REFB, LOSS = NUM
# places in State.cnt
CNT = range(15)
LOOKS, UPDATES, LIMIT, INSIDE = CNT[:4]
BORN, LONGEST, COUNTED, QUEUED = CNT[4:8]  # the run of the present w; the queue of the pocket, or the log
WITNESS, HOME, PATIENCE, WINDOW = CNT[8:12]  # Brent's method
NEXT, FARTHEST, RATE0 = CNT[12:]  # order `first`; update number of rates[0]


class State(NamedTuple):
    """Everything a run carries from look to look."""

    w: Any  # weights, float64
    v: Any  # the same in float32 (dense32 only)
    u: Any  # Σ step·(looks before)·y·x, for the average
    ref: Any  # the weights saved by Brent's method
    queue: Any  # candidates (w, b) for the pocket
    rates: Any  # η, or the next ones of a schedule
    factors: Any  # by which a step for the negative, the positive class is multiplied
    mistakes: Any  # how often each row was added, int64
    log: Any  # (row, look) of each mistake of the stretch, for the vote
    num: Any  # floats by place
    cnt: Any  # whole numbers by place
    settled: Any  # doubtful looks settled by the second look, by the exact sum


@kernel(EXACT)
def is_back(A, i, w, ref, cnt):
    """Whether w = ref, by a witness: a coordinate in which they differ, sought anew only when it no longer does."""
    j = cnt[WITNESS]
    if w[j] != ref[j]:
        return False
    j = changed(A, i, w, ref)
    if j < 0:
        j = first_difference(w, ref)
    cnt[WITNESS] = max(j, 0)
    return j < 0


@functools.cache
def make(order: int, first: bool, keep: int):  # type: ignore[no-untyped-def]
    """The stretch of looks for one way of finding rows, rows never seen or seen before, one thing kept."""

    @kernel(FAST)
    def stretch(A, y, rows, lo, hi, S):
        """Looks lo ≤ t < hi; returns (why it ended, the next look, the row it ended at)."""
        w, v, u, ref, num, cnt = S.w, S.v, S.u, S.ref, S.num, S.cnt
        d = w.size
        n = y.size
        b, pad, r2, w2, loss = num[B], num[PAD], num[R2], num[W2], num[LOSS]
        before = cnt[LOOKS] - lo
        if w2 < 0.0:
            w2 = norm2(w, b)
        seen = r2 * 0.99 - pad * pad - TINY - TINY  # |x|² ≤ seen  ⇒  |x|² + pad² ≤ r2
        cap = 4.0 * w2
        far = doubt(d + 1, cap, r2)
        acc = np.empty(LIMBS, np.int64)
        m = cnt[UPDATES]
        i = np.int64(-1)
        pos = cnt[NEXT]
        checked = lo
        why = DONE
        end = hi
        for t in range(lo, hi):
            if order == IN_ORDER:
                i = t
            elif order == LISTED:
                i = rows[t]
            else:
                i = pos
            if first:
                if order != IN_ORDER or i >= checked:
                    checked = min(i + AHEAD, hi) if order == IN_ORDER else i + 1
                    if not tidy(A, i, checked, d):
                        checked = i + 1
                        if not tidy(A, i, checked, d):
                            why, end = NOT_TIDY, t
                            break
                s, q = first_look(A, i, w, v)
                if not (q <= seen):
                    q = square(A, i)
                    if not (q < BIG):
                        why, end = (TOO_LARGE if finite(A, i) else NOT_FINITE), t
                        break
                    if q > seen:
                        seen = q
                        r2 = max(r2, (q + pad * pad) * 1.01 + TINY)
                        far = doubt(d + 1, cap, r2)
            else:
                s = look(A, i, w, v)
            side = float(y[i])
            s = side * (s + b * pad)
            if s > far:
                if order == FROM_THE_FIRST:
                    pos = i + 1
                    if pos == n:
                        why, end = ALL_RIGHT, t + 1
                        break
                continue
            if not (s < -far):
                cnt[INSIDE] += 1
                if side * sign(A, i, w, b, pad, acc, S.settled) > 0.0:
                    if order == FROM_THE_FIRST:
                        pos = i + 1
                        if pos == n:
                            why, end = ALL_RIGHT, t + 1
                            break
                    continue
            # a mistake
            if m == cnt[LIMIT]:
                why, end = UPDATES_SPENT, t + 1
                break
            rate = S.rates[0]
            if S.rates.size > 1:
                if m - cnt[RATE0] == S.rates.size:
                    why, end = RATES_SPENT, t
                    break
                rate = S.rates[m - cnt[RATE0]]
            rate *= S.factors[1 if side > 0.0 else 0]
            grown = w2 + rate * rate * r2 * 1.01
            if grown > cap:
                if not (4.0 * grown < BIG):
                    why, end = TOO_LARGE, t
                    break
                cap = 4.0 * grown
                far = doubt(d + 1, cap, r2)
            w2 = grown
            if s < 0.0:
                loss -= s
            looks = before + t + 1
            if keep == RUNS:
                run = looks - 1 - cnt[BORN]
                if run > cnt[LONGEST]:
                    cnt[LONGEST] = run
                    if cnt[COUNTED] == 0:
                        k = cnt[QUEUED]
                        for j in range(d):
                            S.queue[k, j] = w[j]
                        S.queue[k, d] = b
                        cnt[QUEUED] = k + 1
                cnt[BORN] = looks
                cnt[COUNTED] = 0
            g = rate * side
            if keep == SUMS:
                h = g * float(looks - 1)
                step_and_sum(A, i, w, v, g, u, h)
                num[UB] = muladd(num[UB], h, pad)
            else:
                step(A, i, w, v, g)
            b = muladd(b, g, pad)
            if keep == LOG:
                k = cnt[QUEUED]
                S.log[k, 0] = i
                S.log[k, 1] = looks
                cnt[QUEUED] = k + 1
            S.mistakes[i] += 1
            m += 1
            if order == FROM_THE_FIRST:
                cnt[FARTHEST] = max(cnt[FARTHEST], i + 1)
                pos = 0
            end = t + 1
            if b == num[REFB] and is_back(A, i, w, ref, cnt):
                here = pos if order == FROM_THE_FIRST else (i + 1 if i + 1 < n else 0)
                if cnt[PATIENCE] == 0 or (here == cnt[HOME]):
                    why = RETURNED
                    break
                cnt[PATIENCE] -= 1
            if m >= cnt[WINDOW]:
                why = WINDOW_OVER
                break
            if keep == RUNS and cnt[QUEUED] == S.queue.shape[0]:
                why = QUEUE_FULL
                break
            end = hi
        if order == FROM_THE_FIRST:
            cnt[FARTHEST] = max(cnt[FARTHEST], pos)
        num[B], num[R2], num[W2], num[LOSS] = b, r2, w2, loss
        cnt[LOOKS], cnt[UPDATES], cnt[NEXT] = before + end, m, pos
        return why, end, i

    return stretch


@kernel(EXACT)
def replay(A, y, log, rates, factors, w, b, pad, C):
    """C[k] = (w, b) after the first k mistakes of the log, made again bit for bit.

    The last ones are left in w, returns b.
    """
    d = w.size
    v = np.zeros(d, np.float32)
    for k in range(log.shape[0] + 1):
        if k < C.shape[0]:
            for j in range(d):
                C[k, j] = w[j]
            C[k, d] = b
        if k < log.shape[0]:
            i = log[k, 0]
            g = rates[k] * factors[1 if y[i] > 0 else 0] * float(y[i])
            step(A, i, w, v, g)
            b = muladd(b, g, pad)
    return b
