"""One-vs-all at sparse rows: planes in groups whose weights in a column are adjacent in memory.

The same looks and updates as `multi_pass.independent`, in another order: a group of planes makes all looks of the
stretch before the next group begins, so that its weights stay in the cache. The planes are independent of each other,
so no bit changes. T has the weights of the planes:

    binary64    of one group (`plane_arrays.in_turn`): filled from w before its looks, stored in w after them, so that
                all weights are read once and written once in a stretch
    float32     copies of all planes, for short stretches, and where the planes are counted together after each row
                (near a limit of updates, and for the pocket): then every group makes one look at a time

Rows seen for the first time are checked before the looks.
"""

from __future__ import annotations

import numpy as np

from novikoff.kernels.dense import mirror, terms
from novikoff.kernels.mark import EXACT, FAST, kernel
from novikoff.kernels.score_tiles import (
    GROUP,
    by_group,
    by_group64,
    empty_group,
    fetch_columns,
    fill_group,
)
from novikoff.perceptron import slots
from novikoff.perceptron.multiclass.multi_pass import (
    BLOCK,
    binary_look,
    end_look,
    list_rows,
    meet,
    save_run,
    sure_update,
)
from novikoff.perceptron.passes import DONE, PERCEPTRON, QUEUE_FULL, set_bounds


@kernel(FAST)
def grouped(A, labels, rows, lo, hi, P):
    """Looks lo ≤ t < hi of all planes of one-vs-all; returns (why it ended, the next look, the row)."""
    w, _, T, _, _, num, _, _, _, _, _, _, _, _, queue, all_ = P
    fault, end, bad = DONE, hi, np.int64(-1)
    S, saved = np.empty((1, GROUP)), np.zeros(1, np.bool_)
    if all_[slots.FIRST]:
        fault, end, bad = meet_all(A, rows, lo, hi, w, num)
    groups = -(-w.shape[0] // GROUP)
    far_from_limit = all_[slots.LIMIT] - all_[slots.UPDATES] >= (hi - lo) * w.shape[0]
    apart = T.itemsize == 8 or (all_[slots.KEEP] == 0 and far_from_limit)
    if not apart:
        for k in range(w.shape[0]):
            set_bounds(w[k], num[k])
    for start in range(lo, end, max(end - lo, 1) if apart else 1):
        why, stop, row = DONE, end if apart else start + 1, np.int64(-1)
        all_[slots.LOOKS] += stop - start
        updates, saved[0] = all_[slots.UPDATES], False
        for g in range(groups):
            if apart:
                prepare_group(g, P)
            ended, t, i = look_of_group(A, labels, rows, start, stop, g, P, S, saved)
            if apart:
                store_group(g, P)
            if ended != DONE:
                why, stop, row = ended, t, i  # later groups make only the looks before this one
        if why != DONE:
            return why, stop, row
        if end_look(all_, queue, all_[slots.UPDATES] - updates, saved[0]):
            return QUEUE_FULL, stop, np.int64(rows[start]) if rows.size else start
    return fault, end, bad


@kernel(FAST)
def look_of_group(A, labels, rows, start, stop, g, P, S, saved):
    """Looks start ≤ t < stop of the planes of group g, as in `grouped`."""
    w, _, T, _, _, num, cnt, positive, _, _, resting, _, _, _, queue, all_ = P
    first, after = g * GROUP, min(g * GROUP + GROUP, positive.size)
    own, weights = T.itemsize == 8, T[0]  # own: T has the weights themselves
    values, columns, starts = A
    pad, threshold = num[0, slots.PAD], num[0, slots.THRESHOLD]
    plain = cnt[0, slots.RULE] == PERCEPTRON
    if rests(resting, first, after):
        return DONE, stop, np.int64(-1)
    for t in range(start, stop):
        i = np.int64(rows[t]) if rows.size else t
        if own:
            if t + 1 < stop:
                n = np.int64(rows[t + 1]) if rows.size else t + 1
                fetch_columns(columns, np.uint64(starts[n]), np.uint64(starts[n + 1]), weights)
            by_group64(values, columns, np.uint64(starts[i]), np.uint64(starts[i + 1]), T, S)
        else:
            by_group(values, columns, np.uint64(starts[i]), np.uint64(starts[i + 1]), first, T, S, 0, 0)
        a, size = labels[i], 0 if own else terms(A, i) + 18
        for k in range(first, after):
            if resting[k]:
                continue
            side = 1.0 if a == positive[k] else -1.0
            s = side * (S[0, k - first] + num[k, slots.B] * pad) - threshold
            far = num[k, slots.FAR] if own else size * num[k, slots.UNIT] + 2.0**-50 * threshold
            if s > far:
                cnt[k, slots.LOOKS] += 1
                continue
            if all_[slots.KEEP] and not saved[0]:
                saved[0] = save_run(w, num, queue, all_)
            if plain and s < -far:
                why = sure_update(A, i, k, k - first if own else k, side, s, P)
            else:
                before = cnt[k, slots.UPDATES]
                if own:
                    store_row(A, i, w[k], T, k - first)
                why = binary_look(A, labels, rows, i, k, P)
                if cnt[k, slots.UPDATES] == before and why == DONE:
                    continue
                mirror(A, i, w[k], T, k - first if own else k)
            if why != DONE:
                return why, t, i
            all_[slots.UPDATES] += 1
    return DONE, stop, np.int64(-1)


@kernel(EXACT)
def rests(resting, first, after):
    """Whether all planes of a group are at rest."""
    moving = 0
    for k in range(first, after):
        moving += not resting[k]
    return moving == 0


@kernel(EXACT)
def prepare_group(g, P):
    """Set the bounds of the planes of group g; where T has the weights of one group, fill it with theirs."""
    w, _, T, _, _, num, _, positive, _, _, resting, _, _, _, _, _ = P
    first, after = g * GROUP, min(g * GROUP + GROUP, positive.size)
    for k in range(first, after):
        set_bounds(w[k], num[k])
    if T.itemsize == 8 and not rests(resting, first, after):
        fill_group(w, first, after, T)


@kernel(EXACT)
def store_group(g, P):
    """Where T has the weights of group g, store them in w."""
    w, _, T, _, _, _, _, positive, _, _, resting, _, _, _, _, _ = P
    first, after = g * GROUP, min(g * GROUP + GROUP, positive.size)
    if T.itemsize == 8 and not rests(resting, first, after):
        empty_group(T, w, first, after)


@kernel(EXACT)
def store_row(A, i, w, T, p):
    """Store the weights of plane p of the group in w, in the columns of row i."""
    _, col, ptr = A
    for j in range(np.uint64(ptr[i]), np.uint64(ptr[i + 1])):
        c = np.uint32(col[j])
        w[c] = T[0, c, p]


@kernel(EXACT)
def meet_all(A, rows, lo, hi, w, num):
    """Check rows never seen; return (the first fault, the look before which all are right, its row)."""
    ids = np.empty(2 * BLOCK, np.int64)
    set_bounds(w[0], num[0])
    for start in range(lo, hi, BLOCK):
        size = min(BLOCK, hi - start)
        list_rows(rows, start, size, hi, ids)
        why, r = meet(A, ids, size, w, num)
        if why != DONE:
            return why, start, ids[r]
    return DONE, hi, np.int64(-1)
