"""What every compiled pass does at a look: check a new row, bound the error of its score, decide the rule.  (compiled)

|w| is bounded by Novikoff's own inequality: m ≤ θ ⇒ |w + ηyx|² ≤ |w|² + 2ηθ + η²R². So the threshold of a look is
constant between updates, and is computed anew only when the bound has grown fourfold.

From the notes: T4 (2), R5 (5), Z9.
"""

from __future__ import annotations

import numpy as np

from novikoff.kernels.dense import finite, square, tidy
from novikoff.kernels.exact_sign import BIG, TINY, doubt, first_difference
from novikoff.kernels.mark import EXACT, kernel
from novikoff.kernels.row_signs import NOT_FINITE, TOO_LARGE
from novikoff.perceptron.rules import margin, pa, pa1, pa2, perceptron
from novikoff.perceptron.state import STREAKS

PERCEPTRON, MARGIN, PA, PA1 = range(4)  # places in RULES; pa2 follows
# why a stretch of looks ended; 1 to 3 are the faults of a row (row_signs)
DONE, UPDATES_SPENT, QUEUE_FULL, RETURNED, WINDOW_OVER, RATES_SPENT, ALL_RIGHT = 0, 4, 5, 6, 7, 8, 9
AHEAD = 1024  # rows of an order without a list whose columns are checked together
SOON = 6  # looks before its own at which a listed row is prefetched


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
    plane.error = doubt(d + 2, plane.cap, run.radius2, single) + (d + 12) * 2.0**-53 * 1.01 * run.threshold


@kernel(EXACT, inside=True)
def step_of(run, excess, m, q, eta):
    """Return the step of the rule: excess has the sign of m − θ, q is |x|² + pad²."""
    if run.rule == PERCEPTRON:
        return perceptron(excess, eta)
    if run.rule == MARGIN:
        return margin(excess, eta, 0.0)
    return eta * (pa(m, q) if run.rule == PA else pa1(m, q, run.C) if run.rule == PA1 else pa2(m, q, run.C))


@kernel(EXACT, inside=True)
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


@kernel(EXACT, inside=True)
def weight_in_sum(plane, run, g, looks):
    """Return the factor of an update in the sum for the average, after adding that of the bias."""
    h = g * float(looks - 1)
    plane.bias_sum += h * run.pad
    return h


@kernel(EXACT)
def end_streak(run, looks):
    """End the streak of right looks of the present planes; return their place in the queue of the pocket, or −1.

    They wait there to be counted if the streak is the longest so far; with `every` all of them, however short.
    """
    streak, place = looks - 1 - run.streak_from, np.int64(-1)
    if streak > run.longest or run.every:
        run.longest = max(run.longest, streak)
        if not run.counted:
            place = run.waiting
            run.waiting += 1
    run.streak_from = looks
    run.counted = False
    return place


@kernel(EXACT)
def put_in_queue(queue, place, k, w, bias):
    """Copy plane k to its place in the queue of the pocket."""
    for j in range(w.size):
        queue[place, k, j] = w[j]
    queue[place, k, w.size] = bias


@kernel(EXACT)
def note(log, run, i, looks, g):
    """Note an update for the vote: the row, the look, the bits of the signed step."""
    at = run.waiting
    log[at, 0], log[at, 1], log[at, 2] = i, looks, np.float64(g).view(np.int64)
    run.waiting = at + 1


@kernel(EXACT, inside=True)
def row_of(order, t, run):
    """Return the row of look t."""
    return np.int64(order[t]) if order.size else np.int64(run.place if run.restarts else t)


@kernel(EXACT, inside=True)
def after_update(w, reference, plane, run, i, places):
    """Return why the pass ends after an update at row i: w is back, it is time to save it, or the queue is full.

    A return to another place in the order is not reported for a while (`patience`).
    """
    back = plane.bias == run.saved_bias and w[run.witness] == reference[run.witness] and is_back(w, reference, run)
    if back and (run.patience == 0 or i + 1 + run.offset == run.home):
        return RETURNED
    run.patience -= back
    if run.updates >= run.window:
        return WINDOW_OVER
    return QUEUE_FULL if run.records == STREAKS and run.waiting == places else DONE


@kernel(EXACT)
def is_back(w, reference, run):
    """Return whether the weights are the saved ones, and set the witness: a column in which they differ."""
    run.witness = max(first_difference(w, reference), 0)
    return w[run.witness] == reference[run.witness]
