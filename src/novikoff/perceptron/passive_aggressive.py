"""The compiled pass of the passive-aggressive rules, for one plane or several.

    look      m = y·(⟨w, x⟩ + b·pad)      needs an update if m < 1
    update    w ← w + η·step·y·x,  step from m and q = |x|² + pad²   (pa, pa1, pa2: `rules`)

Scores and |x|² are ordered sums: first column to last, one product and one addition at a time in binary64, never fused,
the bias last. Zeros add nothing, so that every storage and every CPU gives the same bits. The sign of m is that of the
ordered sum; whether the planes separate the points is counted exactly, as for the other rules.

Several planes make the looks of a row together: their weights in a column are adjacent in memory
(`plane_arrays.zero_weights`). The state `slots.Planes` of all planes is changed in place.
"""

from __future__ import annotations

import numpy as np

from novikoff.kernels.dense import finite, ordered_scores, ordered_step, ordered_sums, tidy
from novikoff.kernels.exact_sign import BIG, TINY, norm2
from novikoff.kernels.mark import EXACT, kernel
from novikoff.kernels.row_signs import NOT_FINITE, NOT_TIDY, TOO_LARGE
from novikoff.perceptron import slots
from novikoff.perceptron.passes import ALL_RIGHT, DONE, QUEUE_FULL, RATES_SPENT, UPDATES_SPENT, note
from novikoff.perceptron.rules import pa, pa1, pa2

PA, PA1 = 2, 3  # places in RULES; pa2 follows


@kernel(EXACT)
def aggressive(A, labels, rows, lo, hi, P):
    """Looks lo ≤ t < hi of all planes; returns (why it ended, the next look, the row)."""
    w, _, _, u, _, num, cnt, positive, members, factors, resting, rates, mistakes, log, queue, all_ = P
    M, d, pad, keep, w0 = positive.size, w.shape[1], num[0, slots.PAD], cnt[0, slots.KEEP], w[0]
    total = cnt[0] if M == 1 else all_
    fresh, restarts, rule, C = all_[slots.FIRST] != 0, all_[slots.RESTARTS] != 0, cnt[0, slots.RULE], num[0, slots.C]
    planes, S, i, q = np.zeros(1, np.int64), np.empty(M), np.int64(-1), 0.0
    for k in range(M):
        if num[k, slots.W2] < 0.0:
            num[k, slots.W2] = norm2(w[k], num[k, slots.B])
    for t in range(lo, hi):
        i = cnt[0, slots.NEXT] if restarts else np.int64(rows[t]) if rows.size else t
        if fresh and not tidy(A, i, i + 1, d):
            return NOT_TIDY, t, i
        if M == 1:
            S[0], q = ordered_sums(A, i, w0)
        else:
            planes = members[labels[i]]
            q = ordered_scores(A, i, w, planes, S)
        q += pad * pad
        if not (q * 1.01 + TINY <= num[0, slots.R2]):
            if not (q < BIG):
                return TOO_LARGE if finite(A, i) else NOT_FINITE, t, i
            for k in range(M):
                num[k, slots.R2] = q * 1.01 + TINY
        before = total[slots.UPDATES]
        total[slots.LOOKS] += 1
        for p in range(planes.size):
            k = planes[p]
            if resting[k]:
                continue
            if M > 1:
                cnt[k, slots.LOOKS] += 1
            side = 1.0 if labels[i] == positive[k] else -1.0
            m = side * (S[p] + num[k, slots.B] * pad)
            if m >= 1.0:
                continue
            updates = cnt[k, slots.UPDATES]
            place = 0 if rates.size == 1 else updates - cnt[k, slots.RATE0]
            if total[slots.UPDATES] == total[slots.LIMIT]:
                return UPDATES_SPENT, t + 1, i
            if place == rates.size:
                total[slots.LOOKS] -= 1
                return RATES_SPENT, t, i
            rate = rates[place] * factors[k, 1 if side > 0.0 else 0]
            rate = rate * step_length(m, q, rule, C)
            num[k, slots.W2] = length_after(m, q, rate, d, num[k, slots.W2])
            if not (4.0 * num[k, slots.W2] < BIG):
                return TOO_LARGE, t, i
            if total[slots.KEEP] == slots.RUNS:
                end_run(w, num, queue, total)
            g, looks = rate * side, cnt[k, slots.LOOKS]
            if keep == slots.LOG:
                note(log, cnt[k], i, looks, g)
            if keep == slots.SUMS:
                h = g * float(looks - 1)
                ordered_step(A, i, u, k, h)
                num[k, slots.UB] += h * pad
            ordered_step(A, i, w, k, g)  # w ← w + η·step·y·x
            num[k, slots.B] += g * pad
            num[k, slots.LOSS] += 1.0 - m
            mistakes[i] += 1
            cnt[k, slots.UPDATES] = updates + 1
            cnt[k, slots.MISTAKES] += m <= 0.0
            if M > 1:
                all_[slots.UPDATES] += 1
                all_[slots.MISTAKES] += m <= 0.0
        if restarts:
            cnt[0, slots.FARTHEST] = max(cnt[0, slots.FARTHEST], i + 1)
            cnt[0, slots.NEXT] = i + 1 if total[slots.UPDATES] == before else 0
            if cnt[0, slots.NEXT] == labels.size:
                return ALL_RIGHT, t + 1, i
        if total[slots.KEEP] == slots.RUNS and total[slots.QUEUED] == queue.shape[0]:
            return QUEUE_FULL, t + 1, i
    return DONE, hi, i


@kernel(EXACT, inside=True)
def step_length(m, q, rule, C):
    """Return the step of the rule for the score m of a point with |x|² + pad² = q."""
    return pa(m, q) if rule == PA else pa1(m, q, C) if rule == PA1 else pa2(m, q, C)


@kernel(EXACT, inside=True)
def length_after(m, q, rate, d, W2):
    """Return a bound on |w|² after the update w + rate·y·x, from one before it.

    |w + ηyx|² = |w|² + η(2m + η|x|²), and a margin for the roundings of m and |x|², of the update, and of this sum.
    """
    length2 = rate * (rate * q)
    after = W2 + rate * (2.0 * m + rate * q) + (d + 32) * 2.0**-51 * (W2 + length2) + TINY
    return max(after, TINY) if after < BIG else BIG


@kernel(EXACT)
def end_run(w, num, queue, total):
    """The run of the present planes ends: if it is the longest so far, they wait to be counted for the pocket.

    With EVERY all of them wait, however short their run.
    """
    run = total[slots.LOOKS] - 1 - total[slots.CREATED]
    if run > total[slots.LONGEST] or total[slots.EVERY] != 0:
        total[slots.LONGEST] = max(total[slots.LONGEST], run)
        if total[slots.COUNTED] == 0:
            place = total[slots.QUEUED]
            for k in range(w.shape[0]):
                for j in range(w.shape[1]):
                    queue[place, k, j] = w[k, j]
                queue[place, k, w.shape[1]] = num[k, slots.B]
            total[slots.QUEUED] = place + 1
    total[slots.CREATED] = total[slots.LOOKS]
    total[slots.COUNTED] = 0
