"""The passes of many planes: a row's numbers are read once for all of them.  (compiled)

    one-vs-all   plane k: class k is positive, all others negative; every plane looks at every row
    one-vs-one   plane (a, b), a < b: class b is positive, class a negative; a row is shown to its class's planes
    joint        one plane for each class; a mistake on class a if some l ≠ a has ⟨w_a − w_l, x⟩ ≤ 0:
                 w_a ← w_a + η·x,  w_l ← w_l − η·x  for the highest such l (Kesler's construction)

A plane of one-vs-all or one-vs-one is a run of its own, with the bits of `pass_one`: looks of different planes do not
touch each other. One that made a whole pass without an update is at rest: as such a run it would have ended there.

From the notes: Z15. Written against the row operations of `dense`; W[:, k] is plane k.
"""

from __future__ import annotations

import numpy as np

from novikoff.kernels.dense import (
    add_row,
    copy_row,
    fetch,
    fetch_weights,
    look,
    ordered_scores,
    ordered_sums,
    scores,
    square,
)
from novikoff.kernels.exact_sign import BIG
from novikoff.kernels.mark import EXACT, kernel, record
from novikoff.kernels.row_signs import NOT_TIDY, TOO_LARGE, compare, sign
from novikoff.perceptron.look import (
    DONE,
    MARGIN,
    PERCEPTRON,
    QUEUE_FULL,
    SOON,
    UPDATES_SPENT,
    end_streak,
    grow,
    measure,
    put_in_queue,
    row_of,
    set_error,
    set_seen,
    step_of,
    tidy_until,
    weight_in_sum,
)
from novikoff.perceptron.rules import perceptron
from novikoff.perceptron.state import STREAKS, SUMS


@kernel(EXACT)
def pass_many(A, labels, order, lo, hi, S):
    """Make the looks lo ≤ t < hi of planes that are independent; return (why they ended, the next look, the row)."""
    W, V, sums, sides = S.weights, S.fast, S.sums, S.sides
    each, run, row_updates, acc = S.each, record(S.run, 0), S.row_updates, S.limbs
    d, pad, single, aggressive, i = W.shape[0], run.pad, V.itemsize == 4, run.rule > MARGIN, np.int64(-1)
    scored = S.scores
    begin_looks(each, run, d, single)
    for t in range(lo, hi):
        i = row_of(order, t, run)
        fetch_weights(A, row_of(order, min(t + 1, hi - 1), run), V)
        fetch(A, row_of(order, min(t + SOON, hi - 1), run), order.size > 0)
        if run.new:
            why = meet(A, i, each, run, d, single)
            if why != DONE:
                return why, t, i
        a, q, before = labels[i], -1.0, run.updates
        if aggressive:
            ordered_scores(A, i, V, scored)
        else:
            scores(A, i, V, sides[a], scored)
        run.looks += 1
        for k in range(each.size):
            plane, side = record(each, k), float(sides[a, k])
            if side == 0.0 or plane.resting:
                continue
            plane.looks += 1
            m = side * (np.float64(scored[k]) + plane.bias * pad)
            if m > run.threshold + (0.0 if aggressive else plane.error):
                continue
            excess = m - run.threshold
            if not aggressive and not (abs(excess) > plane.error):
                excess = float(side * sign(A, i, W[:, k], plane.bias, pad, -side * run.threshold, acc))
            if excess > 0.0 or (aggressive and excess == 0.0):
                continue
            if run.updates == run.limit:
                return UPDATES_SPENT, t + 1, i
            if aggressive and q < 0.0:
                q = ordered_sums(A, i, W[:, k])[1] + pad * pad
            s = side * (look(A, i, W[:, k]) + plane.bias * pad) if single else m  # for the loss
            rate = S.rates[0] * (plane.positive if side > 0.0 else plane.negative)
            rate = step_of(run, excess, m, q, rate)
            if not grow(plane, run, m, q, rate, d, single):
                return TOO_LARGE, t, i
            run.loss += max(run.threshold - s, 0.0)
            if run.records == STREAKS and run.updates == before:
                waits = end_streak(run, run.looks)
                for p in range(each.size if waits >= 0 else 0):
                    put_in_queue(S.queue, waits, p, W[:, p], record(each, p).bias)
            elif run.records == SUMS:
                add_row(A, i, sums[k], weight_in_sum(plane, run, rate * side, plane.looks))
            if run.rule == MARGIN and not (abs(m) > plane.error):
                m = float(side * sign(A, i, W[:, k], plane.bias, pad, 0.0, acc))
            plane.mistakes += run.rule == PERCEPTRON or m <= 0.0
            run.mistakes += run.rule == PERCEPTRON or m <= 0.0
            change(A, i, W, V, k, plane, rate * side, pad, single)
            run.updates += 1
            row_updates[i] += 1
        if run.records == STREAKS and run.waiting == S.queue.shape[0]:
            return QUEUE_FULL, t + 1, i
    return DONE, hi, i


@kernel(EXACT)
def pass_joint(A, labels, order, lo, hi, S):
    """Make the looks lo ≤ t < hi of the joint planes; return (why they ended, the next look, the row)."""
    W, V, sums, row_updates = S.weights, S.fast, S.sums, S.row_updates
    each, run, acc = S.each, record(S.run, 0), S.limbs
    d, pad, single, i = W.shape[0], run.pad, V.itemsize == 4, np.int64(-1)
    all_, scored = record(each, 0), S.scores  # the bounds of the first plane are those of all together
    begin_looks(each, run, d, single)
    for t in range(lo, hi):
        i = row_of(order, t, run)
        if run.new:
            why = meet(A, i, each, run, d, single)
            if why != DONE:
                return why, t, i
        a, best = labels[i], -np.inf
        scores(A, i, V, S.sides[a], scored)
        run.looks += 1
        rival = 1 if a == 0 else 0  # if no score is a number in float32, whose range is smaller
        for k in range(each.size):
            s = np.float64(scored[k]) + record(each, k).bias * pad
            if k != a and s > best:
                best, rival = s, k
        gap, far = np.float64(scored[a]) + record(each, a).bias * pad - best, 2.0 * all_.error
        if gap > far:
            continue
        for k in range(each.size):  # the highest rival, exactly; the lowest class of equal ones
            if k != a and k != rival and not (np.float64(scored[k]) + record(each, k).bias * pad < best - far):
                higher = compare(A, i, W[:, k], record(each, k).bias, W[:, rival], record(each, rival).bias, pad, acc)
                if higher > 0 or (higher == 0 and k < rival):
                    rival = k
        if not (gap < -2.0 * far):
            gap = float(compare(A, i, W[:, a], record(each, a).bias, W[:, rival], record(each, rival).bias, pad, acc))
            if gap > 0.0:
                continue
        if run.updates == run.limit:
            return UPDATES_SPENT, t + 1, i
        rate = perceptron(gap, S.rates[0] * record(each, a).positive)
        all_.norm2 += 2.0 * (rate * np.sqrt(run.radius2)) ** 2 * 1.01  # |W + …|² ≤ |W|² + 2η²R²
        if not (4.0 * all_.norm2 < BIG):
            return TOO_LARGE, t, i
        set_error(all_, run, d, single)
        own = look(A, i, W[:, a]) + record(each, a).bias * pad
        run.loss += max(look(A, i, W[:, rival]) + record(each, rival).bias * pad - own, 0.0)
        for side in range(2):
            k, g = (a, rate) if side == 0 else (rival, -rate)
            if run.records == SUMS:
                add_row(A, i, sums[k], weight_in_sum(record(each, k), run, g, run.looks))
            change(A, i, W, V, k, record(each, k), g, pad, single)
        run.mistakes += 1
        run.updates += 1
        row_updates[i] += 1
    return DONE, hi, i


@kernel(EXACT)
def begin_looks(each, run, d, single):
    """Set the bounds with which a stretch of looks begins."""
    set_seen(run)
    for k in range(each.size):
        set_error(record(each, k), run, d, single)


@kernel(EXACT)
def meet(A, i, each, run, d, single):
    """Check a row that may be new, and widen the bounds of all planes if it is larger than all before."""
    if tidy_until(A, i, i + 1, d) == i:
        return NOT_TIDY
    largest = run.radius2
    why = DONE if square(A, i) <= run.seen else measure(A, i, run)
    if why == DONE and run.radius2 > largest:
        for k in range(each.size):
            set_error(record(each, k), run, d, single)
    return why


@kernel(EXACT)
def change(A, i, W, V, k, plane, g, pad, single):
    """w_k ← w_k + g·x, b_k ← b_k + g·pad."""
    add_row(A, i, W[:, k], g)
    if single:
        copy_row(A, i, W[:, k], V[:, k])
    plane.bias += g * pad
    plane.updates += 1
