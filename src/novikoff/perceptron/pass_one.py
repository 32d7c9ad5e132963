"""The pass of one plane: looks at points in an order, and an update where the rule says so.  (compiled)

    look      m = y·(⟨w, x⟩ + b·pad)
    update    w ← w + step·y·x,  b ← b + step·y·pad    perceptron: m ≤ 0;  margin: m ≤ θ;  pa, pa1, pa2: m < 1

Perceptron and margin decide by the exact sign of m − θ. The passive-aggressive rules score by ordered sums: first
column to last, one product and one addition at a time in binary64, never fused, the bias last. Zeros add nothing, so
every storage and every CPU gives the same bits; whether the plane separates the points is counted exactly in any case.

The order batch (w ← w + (η/n)·Σ y·x after a pass) adds its mistakes to `batch` and leaves w as it is.

From the notes: T3, C6, Z6, R (2), S7, R4, Z10a. Written against the row operations of `dense`.
"""

from __future__ import annotations

import numpy as np

from novikoff.kernels.dense import add_row, copy_row, fetch, first_look, look, ordered_sums
from novikoff.kernels.mark import EXACT, kernel, record
from novikoff.kernels.row_signs import NOT_TIDY, TOO_LARGE, sign
from novikoff.perceptron.look import (
    AHEAD,
    ALL_RIGHT,
    DONE,
    MARGIN,
    PERCEPTRON,
    RATES_SPENT,
    SOON,
    UPDATES_SPENT,
    after_update,
    end_streak,
    grow,
    measure,
    note,
    put_in_queue,
    row_of,
    set_error,
    set_seen,
    step_of,
    tidy_until,
    weight_in_sum,
)
from novikoff.perceptron.state import LOG, STREAKS, SUMS


@kernel(EXACT)
def pass_one(A, y, order, lo, hi, S):
    """Make the looks lo ≤ t < hi; return (why they ended, the next look, the row they ended at). S: `Planes.flat`."""
    w, v, u, reference = S.weights, S.fast, S.sums, S.reference
    rates, row_updates, batch, acc = S.rates, S.row_updates, S.batch, S.limbs
    plane, run = record(S.each, 0), record(S.run, 0)
    d, pad, single, aggressive, before = w.size, run.pad, v.itemsize == 4, run.rule > MARGIN, run.looks - lo
    why, end, checked, first_checked, i, q = DONE, hi, 0, 0, np.int64(-1), 0.0
    ahead = AHEAD if order.size == 0 and not run.restarts else 1  # rows whose columns are checked together
    set_seen(run)
    set_error(plane, run, d, single)
    sure = run.threshold + (0.0 if aggressive else plane.error)  # m above it needs no closer look
    for t in range(lo, hi):
        i = row_of(order, t, run)
        fetch(A, row_of(order, min(t + SOON, hi - 1), run), order.size > 0)
        if run.new and not first_checked <= i < checked:
            first_checked, checked = i, tidy_until(A, i, min(i + ahead, y.size), d)
            if checked == i:
                why, end = NOT_TIDY, t
                break
        if aggressive:
            s, q = ordered_sums(A, i, w)
        elif run.new:
            s, q = first_look(A, i, v)
        else:
            s = look(A, i, v)
        if run.new and not (q <= run.seen):
            why = measure(A, i, run)
            if why != DONE:
                end = t
                break
            set_error(plane, run, d, single)
            sure = run.threshold + (0.0 if aggressive else plane.error)
        side = 1.0 if y[i] > 0 else -1.0
        m = side * (s + plane.bias * pad)
        right = m > sure
        if not right:
            excess = m - run.threshold
            if not aggressive and not (abs(excess) > plane.error):
                excess = float(side * sign(A, i, w, plane.bias, pad, -side * run.threshold, acc))
            right = excess > 0.0 or (aggressive and excess == 0.0)
        if right:
            if run.restarts:
                run.place = i + 1
                if i + 1 == y.size:
                    why, end = ALL_RIGHT, t + 1
                    break
            continue
        rate = plane.positive if side > 0.0 else plane.negative
        s = side * (look(A, i, w) + plane.bias * pad) if single else m  # for the loss
        if run.batch:
            run.loss += max(-s, 0.0)
            add_row(A, i, batch, rate * side)
            batch[d] += rate * side * pad
            run.mistakes += 1
            row_updates[i] += 1
            continue
        place = 0 if rates.size == 1 else run.updates - run.rates_from
        if run.updates == run.limit or place == rates.size:
            why, end = (UPDATES_SPENT, t + 1) if run.updates == run.limit else (RATES_SPENT, t)
            break
        rate = step_of(run, excess, m, q + pad * pad, rates[place] * rate)
        if run.rule == MARGIN and not (abs(m) > plane.error):
            m = float(side * sign(A, i, w, plane.bias, pad, 0.0, acc))
        run.mistakes += run.rule == PERCEPTRON or m <= 0.0
        if not grow(plane, run, m, q + pad * pad, rate, d, single):
            why, end = TOO_LARGE, t
            break
        sure = run.threshold + (0.0 if aggressive else plane.error)
        looks, g = before + t + 1, rate * side
        run.loss += max(run.threshold - s, 0.0)
        if run.records == STREAKS:
            waits = end_streak(run, looks)
            if waits >= 0:
                put_in_queue(S.queue, waits, 0, w, plane.bias)
        elif run.records == LOG:
            note(S.log, run, i, looks, g)
        elif run.records == SUMS:
            add_row(A, i, u, weight_in_sum(plane, run, g, looks))
        add_row(A, i, w, g)  # w ← w + step·y·x
        if single:
            copy_row(A, i, w, v)
        plane.bias += g * pad
        run.updates += 1
        row_updates[i] += 1
        if run.restarts:
            run.farthest, run.place = max(run.farthest, i + 1), 0
        why = after_update(w, reference, plane, run, i, S.queue.shape[0])
        if why != DONE:
            end = t + 1
            break
    run.farthest, run.looks = max(run.farthest, run.place), before + end
    plane.looks, plane.updates, plane.mistakes = run.looks, run.updates, run.mistakes
    return why, end, i


@kernel(EXACT)
def replay(A, log, w, b, pad, planes):
    """Set planes[k] = (w, b) after the first k updates of the log, made again bit for bit.

    The last ones are left in w; returns b.
    """
    for k in range(log.shape[0] + 1):
        if k < planes.shape[0]:
            for j in range(w.size):
                planes[k, j] = w[j]
            planes[k, w.size] = b
        if k < log.shape[0]:
            g = np.int64(log[k, 2]).view(np.float64)
            add_row(A, log[k, 0], w, g)
            b = b + g * pad
    return b
