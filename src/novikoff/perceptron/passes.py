"""The compiled pass: looks at points, and an update at each mistake.

    look      m = y·(⟨w, x⟩ + b·pad)
    update    w ← w + step·y·x,  b ← b + step·y·pad   if   m ≤ θ, decided by the exact sign
              perceptron: θ = 0;  margin: θ > 0    (`passive_aggressive` has a pass of its own)

|w| is bounded by Novikoff's own inequality: at a mistake y⟨w, x⟩ ≤ 0 holds exactly, hence |w + ηyx|² ≤ |w|² + η²R². So
the threshold of a look is constant between updates and is computed anew only when the bound has grown fourfold.

From the notes: T3, C6, Z6, R (2), S7, R4; the bound on |w| is T4 (2), R5 (5), Z9.

The state `slots.State` of the plane is changed in place. Written against the verbs of `dense`.
"""

from __future__ import annotations

import functools

import numpy as np

from novikoff.kernels.dense import (
    add_row,
    changed,
    doubt,
    fetch,
    finite,
    first_look,
    look,
    look64,
    square,
    step,
    tidy,
)
from novikoff.kernels.exact_sign import (
    BIG,
    LIMBS,
    TINY,
    first_difference,
    muladd,
    norm2,
    product,
    unit32,
)
from novikoff.kernels.mark import EXACT, FAST, kernel
from novikoff.kernels.row_signs import NOT_FINITE, NOT_TIDY, TOO_LARGE, sign
from novikoff.perceptron import slots
from novikoff.perceptron.rules import margin, perceptron

# how the next row is found
IN_ORDER, LISTED, FROM_THE_FIRST = 0, 1, 2
PERCEPTRON, MARGIN = 0, 1  # places in RULES
# why a stretch ended; 1 to 3 are the faults of a row (row_signs)
DONE, UPDATES_SPENT, QUEUE_FULL, RETURNED, WINDOW_OVER, RATES_SPENT, ALL_RIGHT = 0, 4, 5, 6, 7, 8, 9

AHEAD = 1024  # rows whose columns are checked together
SOON = 6  # looks before its own at which a listed row is prefetched


# The pass makes looks lo ≤ t < hi and returns (why it ended, the next look, the row it ended at).
# first: whether rows may be new. graded: whether the threshold may be above 0 (rule margin).
@functools.cache
def make(order: int, first: bool, graded: bool):  # type: ignore[no-untyped-def]
    """Return the pass for one way of finding rows, for new or known rows, and for one of the rules."""

    @kernel(FAST)
    def pass_over(A, y, rows, lo, hi, S):
        w, v, u, ref, queue, rates, factors, mistakes, log, num, cnt = S
        pad, b, keep, updates = num[slots.PAD], num[slots.B], cnt[slots.KEEP], cnt[slots.UPDATES]
        threshold, positive = num[slots.THRESHOLD], cnt[slots.POSITIVE]
        acc, before, checked, i = np.empty(LIMBS, np.int64), cnt[slots.LOOKS] - lo, lo, np.int64(-1)
        why, end, far = DONE, hi, set_bounds(w, num)
        for t in range(lo, hi):
            i = t if order == IN_ORDER else cnt[slots.NEXT] if order == FROM_THE_FIRST else listed_row(A, rows, t, hi)
            if first:
                if order != IN_ORDER or i >= checked:
                    checked = tidy_until(A, i, min(i + AHEAD, hi) if order == IN_ORDER else i + 1, w.size)
                    if checked == i:
                        why, end = NOT_TIDY, t
                        break
                s, q = first_look(A, i, w, v)
                if not (q <= num[slots.SEEN]):
                    why, far = measure(A, i, w.size, num), num[slots.FAR]
                    if why != DONE:
                        end = t
                        break
            else:
                s = look(A, i, w, v)
            side, raw = 1.0 if y[i] == positive else -1.0, s
            s = side * (raw + b * pad) - (threshold if graded else 0.0)
            m, right = s, s > far  # m: the score, or one with the exact sign
            if not right and not (s < -far):
                m = side * sign(A, i, w, b, pad, -side * threshold, acc)
                right = m > 0.0
            if right:
                if order == FROM_THE_FIRST:
                    cnt[slots.NEXT] = i + 1
                    if i + 1 == y.size:
                        why, end = ALL_RIGHT, t + 1
                        break
                continue
            place = 0 if rates.size == 1 else updates - cnt[slots.RATE0]
            if updates == cnt[slots.LIMIT] or place == rates.size:
                why, end = (UPDATES_SPENT, t + 1) if updates == cnt[slots.LIMIT] else (RATES_SPENT, t)
                break
            rate, wrong = product(rates[place], factors[1 if side > 0.0 else 0]), True
            if graded:
                rate, wrong = graded_step(A, i, w, b, side, s, m, rate, num, cnt, acc)
            else:
                rate = perceptron(m, rate)
                grow(rate, num)
            if num[slots.W2] > num[slots.CAP]:
                far = set_new_bounds(w, num)
                if far < 0.0:
                    why, end = TOO_LARGE, t
                    break
            looks, g = before + t + 1, product(rate, side)
            mistakes[i] += 1
            cnt[slots.MISTAKES] += wrong
            if keep == slots.RUNS:
                end_run(w, b, queue, cnt, looks)
            elif keep == slots.LOG:
                note(log, cnt, i, looks, g)
            elif keep == slots.SUMS:
                add_row(A, i, u, sum_bias(num, g, looks))
            add_loss(side * (look64(A, i, w, raw) + b * pad), num)
            step(A, i, w, v, g)  # w ← w + step·y·x
            b = muladd(b, g, pad)
            updates += 1
            if order == FROM_THE_FIRST:
                cnt[slots.FARTHEST], cnt[slots.NEXT] = max(cnt[slots.FARTHEST], i + 1), 0
            why = after_update(b == num[slots.REFB] and is_back(A, i, w, ref, cnt), i, updates, queue.shape[0], cnt)
            if why != DONE:
                end = t + 1
                break
        cnt[slots.FARTHEST] = max(cnt[slots.FARTHEST], cnt[slots.NEXT])
        num[slots.B], cnt[slots.UPDATES], cnt[slots.LOOKS] = b, updates, before + end
        return why, end, i

    return pass_over


@kernel(EXACT, inside=True)
def listed_row(A, listed, t, hi):
    """Return the row of look t < hi; the row of a later look is prefetched."""
    fetch(A, np.int64(listed[min(t + SOON, hi - 1)]))
    return np.int64(listed[t])


@kernel(EXACT)
def tidy_until(A, i, end, d):
    """Return the row before which the columns are known to be in order; i itself if not even row i is."""
    if not tidy(A, i, end, d):
        end = i + 1
        if not tidy(A, i, end, d):
            end = i
    return end


@kernel(EXACT, inside=True)
def sum_bias(num, g, looks):
    """The weight of an update in the sum for the average; the sum of the bias takes it."""
    h = product(g, float(looks - 1))
    num[slots.UB] = muladd(num[slots.UB], h, num[slots.PAD])
    return h


@kernel(EXACT)
def graded_step(A, i, w, b, side, s, m, rate, num, cnt, acc):
    """Return (step, whether the point is on the wrong side) for either rule, and set the bound on |w|² after it.

    s: the score less the threshold, m: the same or a number of its exact sign.
    """
    threshold, far, pad = num[slots.THRESHOLD], num[slots.FAR], num[slots.PAD]
    wrong = True
    if cnt[slots.RULE] == MARGIN:
        sure = s + threshold < -far or s + threshold > far
        score = s + threshold if sure else side * sign(A, i, w, b, pad, 0.0, acc)
        rate, wrong = margin(m, rate, 0.0), score <= 0.0
    else:
        rate = perceptron(m, rate)
    grow(rate, num)
    return rate, wrong


@kernel(EXACT)
def set_new_bounds(w, num):
    """The bounds of the looks to come, as `set_bounds`; −1: the weights are too large."""
    return set_bounds(w, num) if 4.0 * num[slots.W2] < BIG else -1.0


@kernel(EXACT)
def note(log, cnt, i, looks, g):
    """Note an update for the vote: the row, the look, the bits of the signed step."""
    at = cnt[slots.QUEUED]
    log[at, 0], log[at, 1], log[at, 2] = i, looks, np.float64(g).view(np.int64)
    cnt[slots.QUEUED] = at + 1


@kernel(EXACT, inside=True)
def after_update(back, i, updates, places, cnt):
    """Why the pass ends after an update: the weights are back, it is time to save them, or the queue is full."""
    if back:
        if cnt[slots.PATIENCE] == 0 or i + 1 == cnt[slots.HOME]:
            return RETURNED
        cnt[slots.PATIENCE] -= 1
    if updates >= cnt[slots.WINDOW]:
        return WINDOW_OVER
    return QUEUE_FULL if cnt[slots.KEEP] == slots.RUNS and cnt[slots.QUEUED] == places else DONE


@kernel(EXACT, inside=True)
def add_loss(m, num):
    """Add the loss max(θ − m, 0) of an update to that of the pass."""
    num[slots.LOSS] += max(num[slots.THRESHOLD] - m, 0.0)


@kernel(EXACT)
def grow(rate, num):
    """Set the bound on |w|² after an update of the rules perceptron and margin.

    m ≤ θ  ⇒  |w + ηyx|² ≤ |w|² + 2ηθ + η²R²   (Novikoff's inequality with a threshold)
    """
    num[slots.W2] += (2.0 * rate * num[slots.THRESHOLD] + (rate * np.sqrt(num[slots.R2])) ** 2) * 1.01


@kernel(EXACT)
def set_bounds(w, num):
    """The bounds of the looks to come, from |w|² and the largest |x|² seen so far."""
    if num[slots.W2] < 0.0:
        num[slots.W2] = norm2(w, num[slots.B])
    num[slots.SEEN] = (
        num[slots.R2] * 0.99 - num[slots.PAD] * num[slots.PAD] - TINY - TINY
    )  # |x|² ≤ SEEN  ⇒  |x|² + pad² ≤ R2
    num[slots.CAP] = 4.0 * num[slots.W2]
    num[slots.FAR] = far_of(w.size, num)
    num[slots.UNIT] = unit32(num[slots.CAP], num[slots.R2])
    return num[slots.FAR]


@kernel(EXACT)
def far_of(d, num):
    """How far a look's m − θ may be from the exact one."""
    return doubt(d + 2, num[slots.CAP], num[slots.R2]) + (d + 12) * 2.0**-53 * 1.01 * num[slots.THRESHOLD]


@kernel(EXACT)
def measure(A, i, d, num):
    """A row larger than all before, or with a number that is none: widen the bounds, or name the fault."""
    q = square(A, i)
    if not (q < BIG):
        return TOO_LARGE if finite(A, i) else NOT_FINITE
    if q > num[slots.SEEN]:
        num[slots.SEEN] = q
        num[slots.R2] = max(num[slots.R2], (q + num[slots.PAD] * num[slots.PAD]) * 1.01 + TINY)
        num[slots.FAR] = far_of(d, num)
    return DONE


@kernel(EXACT)
def end_run(w, b, queue, cnt, looks):
    """The run of the present w ends: if it is the longest so far, w waits to be counted for the pocket.

    With EVERY each w waits, however short its run.
    """
    run = looks - 1 - cnt[slots.CREATED]
    if run > cnt[slots.LONGEST] or cnt[slots.EVERY] != 0:
        cnt[slots.LONGEST] = max(cnt[slots.LONGEST], run)
        if cnt[slots.COUNTED] == 0:
            k = cnt[slots.QUEUED]
            for j in range(w.size):
                queue[k, j] = w[j]
            queue[k, w.size] = b
            cnt[slots.QUEUED] = k + 1
    cnt[slots.CREATED] = looks
    cnt[slots.COUNTED] = 0


@kernel(EXACT)
def is_back(A, i, w, ref, cnt):
    """Whether w = ref, by a witness: a coordinate in which they differ, sought anew only when it no longer does."""
    j = cnt[slots.WITNESS]
    if w[j] != ref[j]:
        return False
    j = changed(A, i, w, ref)
    if j < 0:
        j = first_difference(w, ref)
    cnt[slots.WITNESS] = max(j, 0)
    return j < 0


@kernel(EXACT)
def replay(A, log, w, b, pad, planes):
    """planes[k] = (w, b) after the first k updates of the log, made again bit for bit.

    The last ones are left in w; returns b.
    """
    d = w.size
    v = np.zeros(d, np.float32)
    for k in range(log.shape[0] + 1):
        if k < planes.shape[0]:
            for j in range(d):
                planes[k, j] = w[j]
            planes[k, d] = b
        if k < log.shape[0]:
            g = np.int64(log[k, 2]).view(np.float64)
            step(A, log[k, 0], w, v, g)
            b = muladd(b, g, pad)
    return b
