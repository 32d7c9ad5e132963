"""Make the arrays of a run's planes: at the start, wider, and with float32 copies."""

from __future__ import annotations

import numpy as np

from novikoff.data.problem import Problem
from novikoff.kernels import dense32
from novikoff.kernels.score_tiles import GROUP
from novikoff.perceptron import RULES, slots
from novikoff.perceptron.keeps.keep import Last
from novikoff.perceptron.multiclass.multi_pass import BLOCK as ROWS_TOGETHER
from novikoff.perceptron.multiclass.scheme import Scheme
from novikoff.perceptron.orders import BLOCK
from novikoff.perceptron.plan import Plan
from novikoff.perceptron.slots import Planes
from novikoff.perceptron.stops import NEVER
from novikoff.scoring.scorer import Scorer, aligned

NUMBERS_AT_ONCE = 1 << 22  # of a stretch: some milliseconds, after which clock and keyboard are checked
MOST = 4096  # rows of a stretch, of several planes


def first_planes(scorer: Scorer, plan: Plan, scheme: Scheme, keep: Last, start: np.ndarray, most: int) -> Planes:
    """Return the state before the first look; start: (planes, d + 1).

    -0.0 in the start becomes 0.0, so that the storage of the points makes no difference.
    """
    M, d = start.shape[0], start.shape[1] - 1
    w = zero_weights(M, d, plan)
    np.add(start[:, :-1], 0.0, out=w)
    none = np.zeros((M, 1), np.float32)
    S = Planes(
        w=w,
        v=none,
        t=none,
        ref=np.zeros((M, d if M == 1 else 1)),
        num=np.zeros((M, len(slots.NUM))),
        cnt=np.zeros((M, len(slots.CNT)), np.int64),
        positive=np.array([a for a, _ in scheme.pairs]),
        members=scheme.members(),
        factors=scheme.factors(plan.factors),
        resting=np.zeros(M, bool),
        rates=np.ones(1),
        mistakes=np.zeros(scorer.problem.n, np.int32),
        all=np.zeros(len(slots.ALL), np.int64),
        **keep.arrays(M, d, most),
    )
    S.num[:, slots.B], S.num[:, slots.PAD] = start[:, -1] + 0.0, scorer.problem.pad
    S.num[:, slots.W2], S.num[:, slots.REFB] = -1.0, np.nan
    S.num[:, slots.THRESHOLD], S.num[:, slots.C] = plan.bound, plan.C
    S.cnt[:, slots.RULE], S.cnt[:, slots.POSITIVE] = RULES.index(plan.rule), S.positive
    S.cnt[:, slots.WINDOW] = S.cnt[:, slots.LIMIT] = NEVER
    pocket = plan.keep == "pocket"  # of several planes it keeps them together
    S.cnt[:, slots.KEEP] = slots.NOTHING if pocket and M > 1 else keep.code
    S.all[slots.KEEP], S.all[slots.FIRST] = slots.RUNS if pocket else slots.NOTHING, 1
    return with_float32(S, scorer, scheme, plan)


def zero_weights(M: int, d: int, plan: Plan) -> np.ndarray:
    """Return M planes at 0; under a passive-aggressive rule the weights of a column are adjacent in memory."""
    return aligned((d, M), np.float64).T if plan.is_aggressive else aligned((M, d), np.float64)


def with_float32(S: Planes, scorer: Scorer, scheme: Scheme, plan: Plan) -> Planes:
    """Return the state with new float32 copies of the weights, where the looks of the scorer's points use them."""
    if plan.is_aggressive:
        return S
    if len(S.w) > 1:
        if in_turn(scorer.problem, scheme, plan):
            t = aligned((1, scorer.problem.d, GROUP), np.float64)
        else:
            t = scorer.for_tile(S.w)
        return S._replace(t=t, v=t[: len(S.w)] if scorer.verbs is dense32 else np.zeros((len(S.w), 1), np.float32))
    if scorer.verbs is not dense32:
        return S._replace(v=np.zeros((1, 1), np.float32))
    v = aligned(S.w.shape)
    with np.errstate(over="ignore"):
        v[:] = S.w
    return S._replace(v=v)


def in_turn(problem: Problem, scheme: Scheme, plan: Plan) -> bool:
    """Return whether groups of planes make their looks of a stretch one after the other, in an array for one group.

    That needs planes that are independent and not counted together after each row, and stretches that are long beside
    the time to fill the array.
    """
    apart = scheme.name == "ova" and plan.keep != "pocket" and plan.stops.max_updates is None and not plan.once
    long = min(problem.stored, NUMBERS_AT_ONCE) >= problem.d and not problem.in_blocks
    return problem.sparse and apart and long and scheme.planes > GROUP


def widened_planes(S: Planes, keep: Last, d: int, most: int, plan: Plan) -> Planes:
    """Return the state with d columns: the weights of new columns are 0."""
    M, old = S.w.shape
    w, arrays = zero_weights(M, d, plan), keep.arrays(M, d, most)
    w[:, :old] = S.w
    if arrays["u"].shape[1] == d:
        arrays["u"][:, :old] = S.u
    if M == 1:
        arrays["ref"] = np.full((1, d), np.nan)
        arrays["ref"][:, :old] = S.ref
    return S._replace(w=w, **arrays)


def widened(planes: np.ndarray, d: int) -> np.ndarray:
    """Return the planes (…, w, b) with zeros for new columns."""
    new = np.zeros((*planes.shape[:-1], d + 1 - planes.shape[-1]))
    return np.concatenate([planes[..., :-1], new, planes[..., -1:]], axis=-1)


def looks_at_once(problem: Problem, scheme: Scheme) -> int:
    """Return how many looks make a stretch of some milliseconds.

    Sparse rows of one-vs-all: a group of planes makes all looks of a stretch, so more of them pay.
    """
    numbers = max(1, problem.stored // problem.n)
    many = scheme.is_binary or (problem.sparse and scheme.name == "ova")
    looks = int(np.clip(NUMBERS_AT_ONCE // numbers, 1, BLOCK if many else MOST))
    return looks if scheme.is_binary else max(ROWS_TOGETHER, looks)
