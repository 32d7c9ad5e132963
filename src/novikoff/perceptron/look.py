"""What every compiled pass does at a look: check a new row, bound the error of its score, decide the rule.  (compiled)

|w| is bounded by Novikoff's own inequality: m ≤ θ ⇒ |w + ηyx|² ≤ |w|² + 2ηθ + η²R². So the threshold of a look is
constant between updates, and is computed anew only when the bound has grown fourfold.

From the notes: T4 (2), R5 (5), Z9.
"""

from __future__ import annotations

import numpy as np

from novikoff.kernels.dense import fetch, finite, look64, square, tidy
from novikoff.kernels.exact_sign import BIG, TINY, first_difference, reach, unit32
from novikoff.kernels.mark import EXACT, kernel
from novikoff.kernels.row_signs import NOT_FINITE, TOO_LARGE, sign
from novikoff.perceptron.rules import margin, pa, pa1, pa2, perceptron

PERCEPTRON, MARGIN, PA, PA1 = range(4)  # places in RULES; pa2 follows
# why a stretch of looks ended; 1 to 3 are the faults of a row (row_signs)
DONE, UPDATES_SPENT, QUEUE_FULL, RETURNED, WINDOW_OVER, RATES_SPENT, ALL_RIGHT = 0, 4, 5, 6, 7, 8, 9
AHEAD = 1024  # rows whose columns are checked together
SOON = 6  # looks before its own at which a listed row is prefetched


@kernel(EXACT, inside=True)
def row_of(A, order, t, hi, run):
    """Return the row of look t < hi; that of a later look is prefetched where rows are listed."""
    if run.restarts:
        return np.int64(run.place)
    if order.size == 0:
        return np.int64(t)
    fetch(A, np.int64(order[min(t + SOON, hi - 1)]))
    return np.int64(order[t])


@kernel(EXACT)
def tidy_until(A, i, end, d):
    """Return a row, at most `end`, before which the columns from row i on are valid; i if not even its own are."""
    if not tidy(A, i, end, d):
        end = i + 1
        if not tidy(A, i, end, d):
            end = i
    return end


@kernel(EXACT)
def measure(A, i, run):
    """Take the norm of a row that is larger than all before, or name its fault."""
    q = square(A, i)
    if not (q < BIG):
        return TOO_LARGE if finite(A, i) else NOT_FINITE
    if q > run.seen:
        run.seen = q
        run.radius2 = max(run.radius2, (q + run.pad * run.pad) * 1.01 + TINY)
    return DONE


@kernel(EXACT)
def set_seen(run):
    """Set the |x|² up to which `radius2` holds."""
    run.seen = run.radius2 * 0.99 - run.pad * run.pad - TINY - TINY


@kernel(EXACT)
def set_error(plane, run, d, single):
    """Bound the error of a look's y·score − θ, for weights up to twice as long; single: float32 scores."""
    plane.cap = 4.0 * plane.norm2
    if single:
        plane.error = (d + 18) * unit32(plane.cap, run.radius2)
    else:
        plane.error = reach(d + 2, plane.cap, run.radius2)
    plane.error += (d + 12) * 2.0**-53 * 1.01 * run.threshold


@kernel(EXACT)
def excess_of(A, i, w, plane, run, side, m, acc):
    """Return m − θ of a look, or a number of its exact sign where the error of m could change it."""
    excess = m - run.threshold
    if excess < -plane.error or excess > plane.error:
        return excess
    return float(side * sign(A, i, w, plane.bias, run.pad, -side * run.threshold, acc))


@kernel(EXACT)
def is_mistake(A, i, w, plane, run, side, m, acc):
    """Return whether a row that needs an update is on the wrong side, m ≤ 0; of the rule margin it may be right."""
    if run.rule == MARGIN and not (abs(m) > plane.error):
        return side * sign(A, i, w, plane.bias, run.pad, 0.0, acc) <= 0
    return run.rule == PERCEPTRON or m <= 0.0


@kernel(EXACT)
def step_of(run, excess, m, q, eta):
    """Return the step of the rule: excess has the sign of m − θ, q is |x|² + pad²."""
    if run.rule == PERCEPTRON:
        return perceptron(excess, eta)
    if run.rule == MARGIN:
        return margin(excess, eta, 0.0)
    return eta * (pa(m, q) if run.rule == PA else pa1(m, q, run.C) if run.rule == PA1 else pa2(m, q, run.C))


@kernel(EXACT)
def grow(plane, run, m, q, step, d, single):
    """Bound |w|² after an update; return whether the weights stay small enough.

    passive-aggressive: |w + ηyx|² = |w|² + η(2m + η|x|²), and a margin for the roundings of all of this.
    """
    if run.rule <= MARGIN:
        plane.norm2 += (2.0 * step * run.threshold + (step * np.sqrt(run.radius2)) ** 2) * 1.01
        if plane.norm2 <= plane.cap:
            return True
        set_error(plane, run, d, single)
        return plane.cap < BIG
    after = plane.norm2 + step * (2.0 * m + step * q) + (d + 32) * 2.0**-51 * (plane.norm2 + step * (step * q)) + TINY
    plane.norm2 = max(after, TINY) if after < BIG else BIG
    return 4.0 * plane.norm2 < BIG


@kernel(EXACT)
def add_loss(A, i, w, plane, run, side, m, single):
    """Add the loss max(θ − m, 0) of an update to that of the pass; a float32 score is computed again in binary64."""
    if single:
        m = side * (look64(A, i, w) + plane.bias * run.pad)
    run.loss += max(run.threshold - m, 0.0)


@kernel(EXACT, inside=True)
def weight_in_sum(plane, run, g, looks):
    """Return the factor of an update in the sum for the average, after adding that of the bias."""
    h = g * float(looks - 1)
    plane.bias_sum += h * run.pad
    return h


@kernel(EXACT)
def end_streak(W, each, queue, run, looks):
    """End the streak of right looks of the present planes; if it is the longest so far, they wait for the pocket.

    With `every` all of them wait, however short their streak.
    """
    streak = looks - 1 - run.streak_from
    if streak > run.longest or run.every:
        run.longest = max(run.longest, streak)
        if not run.counted:
            for k in range(each.size):
                for j in range(W.shape[0]):
                    queue[run.waiting, k, j] = W[j, k]
                queue[run.waiting, k, W.shape[0]] = each[k].bias
            run.waiting += 1
    run.streak_from = looks
    run.counted = False


@kernel(EXACT)
def note(log, run, i, looks, g):
    """Note an update for the vote: the row, the look, the bits of the signed step."""
    at = run.waiting
    log[at, 0], log[at, 1], log[at, 2] = i, looks, np.float64(g).view(np.int64)
    run.waiting = at + 1


@kernel(EXACT)
def is_back(w, bias, reference, run):
    """Return whether the weights are the saved ones, by a witness: a column in which they differ.

    It is sought anew only when it no longer does.
    """
    if bias != run.saved_bias or w[run.witness] != reference[run.witness]:
        return False
    run.witness = max(first_difference(w, reference), 0)
    return w[run.witness] == reference[run.witness]
