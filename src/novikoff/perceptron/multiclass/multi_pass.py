"""Several planes trained side by side, in one pass over the points: the compiled pass of many classes.

    one-vs-all   plane k: class k is positive, all others negative; every plane looks at every row
    one-vs-one   plane (a, b), a < b: class b is positive, class a negative; a row is shown to its class's planes
    joint        one plane for each class; a mistake on class a if some l ≠ a has ⟨w_a − w_l, x⟩ ≤ 0:
                 w_a ← w_a + η·x,  w_l ← w_l − η·x  for the highest such l (Kesler's construction)

From the notes: Z15. A plane of one-vs-all or one-vs-one is a binary run of its own, bit for bit: scores of a few rows
under all planes are taken at once (`tile`), and whatever is not surely right is shown to the binary pass, one look of
`passes`. A plane that made a whole pass without an update is at rest: like the binary run it would have ended there.

The state `slots.Planes` of all planes is changed in place; w[k] is plane k.
"""

from __future__ import annotations

import numpy as np

from novikoff.kernels.dense import (
    add_row,
    fan,
    fetch,
    look,
    look64,
    mirror,
    square_at_most,
    step,
    step_and_mirror,
    terms,
    tidy,
    tile,
)
from novikoff.kernels.exact_sign import BIG, LIMBS, muladd, product
from novikoff.kernels.mark import EXACT, FAST, kernel
from novikoff.kernels.row_signs import NOT_TIDY, ROOM, TOO_LARGE, compare
from novikoff.perceptron import passes, slots
from novikoff.perceptron.passes import (
    DONE,
    PERCEPTRON,
    QUEUE_FULL,
    UPDATES_SPENT,
    grow,
    measure,
    set_bounds,
    set_new_bounds,
    sum_bias,
)
from novikoff.perceptron.rules import perceptron

one_look = passes.make(passes.IN_ORDER, False, True)
BLOCK, NARROW = 8, 100  # rows scored together; half as many if they have this many columns: later ones are scored anew


@kernel(FAST)
def independent(A, labels, rows, lo, hi, P):
    """Looks lo ≤ t < hi of all planes of one-vs-all or one-vs-one; returns (why it ended, the next look, the row)."""
    w, _, t_, _, _, num, cnt, positive, members, _, resting, _, _, _, queue, all_ = P
    M, m = positive.size, members.shape[1]
    pad, threshold = num[0, slots.PAD], num[0, slots.THRESHOLD]
    plain, block = cnt[0, slots.RULE] == PERCEPTRON, BLOCK if w.shape[1] < NARROW else BLOCK // 2
    ids, S = np.empty(2 * block, np.int64), np.empty((block, M + ROOM), np.float32)
    stale = np.empty(M, np.int64)  # planes that moved since the scores of the block were taken
    moved = np.full(M, -1)  # the block in which a plane moved last
    for k in range(M):
        set_bounds(w[k], num[k])
    for start in range(lo, hi, block):
        size = min(block, hi - start)
        list_rows(rows, start, size, hi, ids)
        if all_[slots.FIRST]:
            why, r = meet(A, ids, size, w, num)
            if why != DONE:
                return why, start, ids[r]
        if m == M:
            tile(A, ids, size, M, t_, S)
        strays = 0
        for r in range(size):
            i, a = ids[r], labels[ids[r]]
            if m < M:
                fetch(A, ids[size + r])
                fan(A, i, members[a], m, t_, S, r)
            elif strays:
                fan(A, i, stale, strays, t_, S, r)
            all_[slots.LOOKS] += 1
            updates, saved = all_[slots.UPDATES], False
            for p in range(m):
                k = members[a, p]
                if resting[k]:
                    continue
                side = 1.0 if a == positive[k] else -1.0
                s = side * (S[r, k] + num[k, slots.B] * pad) - threshold
                far = (terms(A, i) + 18) * num[k, slots.UNIT] + 2.0**-50 * threshold
                if s > far:
                    cnt[k, slots.LOOKS] += 1
                    continue
                if all_[slots.KEEP] and not saved:
                    saved = save_run(w, num, queue, all_)
                if plain and s < -far:  # surely a mistake: the update of the binary pass
                    why = sure_update(A, i, k, k, side, s, P)
                    if why != DONE:
                        return why, start + r, i
                else:
                    before = cnt[k, slots.UPDATES]
                    why = binary_look(A, labels, rows, i, k, P)
                    if why != DONE:
                        return why, start + r, i
                    if cnt[k, slots.UPDATES] == before:
                        continue
                    mirror(A, i, w[k], t_, k)
                all_[slots.UPDATES] += 1
                if moved[k] != start:
                    moved[k] = start
                    stale[strays] = k
                    strays += 1
            if end_look(all_, queue, all_[slots.UPDATES] - updates, saved):
                return QUEUE_FULL, start + r + 1, i
    return DONE, hi, -1


@kernel(FAST, inside=True)
def sure_update(A, i, k, place, side, s, P):
    """Make the look and the update of the binary pass for a row that plane k surely has wrong; s: its score.

    The float32 copy of the plane, at `place`, is updated, too; binary64 weights there are updated instead of w.
    """
    w, v, t_, u, _, num, cnt, _, _, factors, _, rates, mistakes, _, _, all_ = P
    pad, keep, one = num[0, slots.PAD], cnt[0, slots.KEEP], num[k]
    cnt[k, slots.LOOKS] += 1
    if all_[slots.UPDATES] == all_[slots.LIMIT]:
        return UPDATES_SPENT
    rate = perceptron(s, product(rates[0], factors[k, 1 if side > 0.0 else 0]))
    grow(rate, one)
    if one[slots.W2] > one[slots.CAP] and set_new_bounds(w[k], one) < 0.0:
        return TOO_LARGE
    g = product(rate, side)
    if t_.itemsize == 4:
        s = side * (row_score(A, i, w[k], v[k]) + one[slots.B] * pad) - one[slots.THRESHOLD]
    one[slots.LOSS] += max(-s, 0.0)
    step_and_mirror(A, i, w[k], v[k], g, t_, place)
    if keep == slots.SUMS:
        add_row(A, i, u[k], sum_bias(one, g, cnt[k, slots.LOOKS]))
    one[slots.B] = muladd(one[slots.B], g, pad)
    cnt[k, slots.UPDATES] += 1
    cnt[k, slots.MISTAKES] += 1
    all_[slots.MISTAKES] += 1
    mistakes[i] += 1
    return DONE


@kernel(FAST, inside=True)
def row_score(A, i, w, v):
    """Return the score of a row in binary64."""
    return look64(A, i, w, look(A, i, w, v))


@kernel(FAST)
def binary_look(A, labels, rows, i, k, P):
    """Show row i to plane k as the binary pass does; returns why that ended. The rows listed are not used."""
    w, v, _, u, ref, num, cnt, _, _, factors, _, rates, mistakes, log, queue, all_ = P
    wrong = cnt[k, slots.MISTAKES]
    cnt[k, slots.LIMIT] = cnt[k, slots.UPDATES] + (all_[slots.LIMIT] - all_[slots.UPDATES])
    one = slots.State(w[k], v[k], u[k], ref[k], queue[0], rates, factors[k], mistakes, log, num[k], cnt[k])
    why, _, _ = one_look(A, labels, rows, i, i + 1, one)
    all_[slots.MISTAKES] += cnt[k, slots.MISTAKES] - wrong
    return why


@kernel(EXACT)
def list_rows(rows, start, size, hi, ids):
    """Write the rows of the block from `start` into ids, and those that come next."""
    for r in range(2 * size):
        t = min(start + r, hi - 1)
        ids[r] = rows[t] if rows.size else t


@kernel(EXACT)
def meet(A, ids, size, w, num):
    """Rows never seen: their norms for all planes, and the first fault among them."""
    for r in range(size):
        if not tidy(A, ids[r], ids[r] + 1, w.shape[1]):
            return NOT_TIDY, r
        if square_at_most(A, ids[r]) <= num[0, slots.SEEN]:
            continue
        largest = num[0, slots.R2]
        why = measure(A, ids[r], w.shape[1], num[0])
        if why != DONE:
            return why, r
        if num[0, slots.R2] > largest:
            for k in range(num.shape[0]):
                num[k, slots.R2] = num[0, slots.R2]
                set_bounds(w[k], num[k])
    return DONE, size


@kernel(EXACT)
def save_run(w, num, queue, all_):
    """Before the planes may change: if their run is the longest so far, they wait for the pocket (unless counted)."""
    if all_[slots.LOOKS] - 1 - all_[slots.CREATED] <= all_[slots.LONGEST]:
        return False
    if all_[slots.COUNTED] == 0:
        for k in range(w.shape[0]):
            for j in range(w.shape[1]):
                queue[all_[slots.QUEUED], k, j] = w[k, j]
            queue[all_[slots.QUEUED], k, w.shape[1]] = num[k, slots.B]
    return True


@kernel(EXACT)
def end_look(all_, queue, moved, saved):
    """Close the look: at an update the run of the planes ends. Whether the queue is full."""
    if moved == 0 or all_[slots.KEEP] == 0:
        return False
    if saved:
        all_[slots.LONGEST] = all_[slots.LOOKS] - 1 - all_[slots.CREATED]
        if all_[slots.COUNTED] == 0:
            all_[slots.QUEUED] += 1
    all_[slots.CREATED] = all_[slots.LOOKS]
    all_[slots.COUNTED] = 0
    return all_[slots.QUEUED] == queue.shape[0]


@kernel(FAST)
def joint(A, labels, rows, lo, hi, P):
    """Looks lo ≤ t < hi of the joint planes; returns (why it ended, the next look, the row)."""
    w, v, t_, u, _, num, cnt, _, _, factors, _, rates, mistakes, _, _, all_ = P
    K = w.shape[0]
    pad, keep = num[0, slots.PAD], cnt[0, slots.KEEP]
    block = BLOCK if w.shape[1] < NARROW else BLOCK // 2
    ids, S = np.empty(2 * block, np.int64), np.empty((block, K + ROOM), np.float32)
    acc = np.empty(LIMBS, np.int64)
    bound_all(w, num)
    for start in range(lo, hi, block):
        size = min(block, hi - start)
        list_rows(rows, start, size, hi, ids)
        if all_[slots.FIRST]:
            why, r = meet(A, ids, size, w, num)
            if why != DONE:
                return why, start, ids[r]
            bound_all(w, num)
        tile(A, ids, size, K, t_, S)
        for r in range(size):
            i = ids[r]
            a = labels[i]
            all_[slots.LOOKS] += 1
            rival = 1 if a == 0 else 0  # if no score is a number in float32, whose range is smaller
            best = -np.inf
            for k in range(K):
                s = S[r, k] + num[k, slots.B] * pad
                if k != a and s > best:
                    best, rival = s, k
            gap = S[r, a] + num[a, slots.B] * pad - best
            far = 2.0 * (terms(A, i) + 18) * num[0, slots.UNIT]
            if gap > far:
                continue
            for k in range(K):  # the highest rival, exactly; the lowest class of equal ones
                if k != a and k != rival and not (S[r, k] + num[k, slots.B] * pad < best - far):
                    g = compare(A, i, w[k], num[k, slots.B], w[rival], num[rival, slots.B], pad, acc)
                    if g > 0 or (g == 0 and k < rival):
                        rival = k
            if not (gap < -2.0 * far):
                gap = compare(A, i, w[a], num[a, slots.B], w[rival], num[rival, slots.B], pad, acc)
                if gap > 0:
                    continue
            if all_[slots.UPDATES] == all_[slots.LIMIT]:
                return UPDATES_SPENT, start + r + 1, i
            rate = perceptron(gap, product(rates[0], factors[a, 1]))
            # |W + …|² ≤ |W|² + 2η²R² for all planes together
            num[0, slots.W2] += 2.0 * (rate * np.sqrt(num[0, slots.R2])) ** 2 * 1.01
            if not (4.0 * num[0, slots.W2] < BIG):
                return TOO_LARGE, start + r, i
            bound_all(w, num)
            own = row_score(A, i, w[a], v[a]) + num[a, slots.B] * pad
            num[0, slots.LOSS] += max(row_score(A, i, w[rival], v[rival]) + num[rival, slots.B] * pad - own, 0.0)
            for side in range(2):
                k = a if side == 0 else rival
                g = rate if side == 0 else -rate
                step(A, i, w[k], v[k], g)
                if keep == slots.SUMS:
                    add_row(A, i, u[k], sum_bias(num[k], g, all_[slots.LOOKS]))
                num[k, slots.B] = muladd(num[k, slots.B], g, pad)
                cnt[k, slots.UPDATES] += 1
                mirror(A, i, w[k], t_, k)
                for q in range(r + 1, size):
                    S[q, k] = look(A, ids[q], w[k], v[k])
            mistakes[i] += 1
            all_[slots.UPDATES] += 1
            all_[slots.MISTAKES] += 1
    return DONE, hi, -1


@kernel(EXACT)
def bound_all(w, num):
    """How far a score may be off under any plane, from the length of all planes together."""
    if num[0, slots.W2] < 0.0:
        total = 0.0
        for k in range(num.shape[0]):
            num[k, slots.W2] = -1.0
            set_bounds(w[k], num[k])
            total += num[k, slots.W2]
        num[0, slots.W2] = total
    set_bounds(w[0], num[0])
