"""Count the pocket's candidate while the looks of the next pass are made: the rows are read once for both.

At the end of pass k the errors of the present w are needed, and pass k + 1 begins with the same w. So the looks of pass
k + 1 are made at once, ahead of their time, on a copy of the state, and each row that is read is scored under the
candidate too (`candidate`). Then pass k ends as if the candidate had been counted by itself: history, stopping rules,
callbacks and checkpoints see the state without those looks. When pass k + 1 begins from the state that the copy began
from, it takes the looks over; otherwise, or if the run has ended, they are thrown away.

Whatever is chosen here, the run is the same to the bit. Rows are looked at ahead where each is shown once a pass and
all steps are equal, and where the rows are many; it takes a copy of the state.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from novikoff.kernels.compile import clock
from novikoff.perceptron import slots
from novikoff.perceptron.candidates.candidate_counts import MOST, Candidates
from novikoff.perceptron.orders import NO_ROWS
from novikoff.perceptron.passes import DONE, WINDOW_OVER
from novikoff.perceptron.run.pieces import Piece
from novikoff.perceptron.slots import Planes
from novikoff.perceptron.stops import Interrupt
from novikoff.scoring.scorer import aligned_copy, weighed

SMALLEST = 1 << 20  # numbers stored, from which on a second read of the rows costs more than a copy of the state
CHANGED = ("w", "v", "ref", "num", "cnt", "mistakes", "settled")  # in a pass; and the queue, of which nothing waits
COMPARED = ("w", "num", "cnt", "rates", "factors")


@dataclass
class Ahead:
    """Looks of the next pass that were made ahead."""

    run: Any  # a copy of the run after these looks
    began: dict[str, np.ndarray]  # some of its state before them
    ended: tuple[int, int]  # why the last of them ended, the row it ended at

    def follows(self, run: Any) -> bool:
        """Return whether the pass that has begun would make the same looks."""
        same = all(_same_bits(getattr(run.S, name), array) for name, array in self.began.items())
        alike = run.passes == self.run.passes and run.order == self.run.order
        return same and alike and run.shown == 0

    def piece(self, run: Any) -> Piece:
        """Return the looks as a piece of the pass of `run`, which takes over the state after them."""

        def take_over(*arguments: Any) -> tuple[int, int, int]:
            run.S = self.run.S
            run.kind = replace(self.run.kind, beside=None)
            return self.ended[0], self.run.shown, self.ended[1]

        p = run.scorer.problem
        return Piece(take_over, (p.rows, p.y, NO_ROWS, 0, self.run.shown, run.S), None)


def count(run: Any, sets: np.ndarray) -> np.ndarray:
    """Return the training errors of each set of planes as `run.count` does; some may be counted beside looks."""
    if not (_may_look_ahead(run) and _same_bits(sets[-1], run.S.present)):
        return np.asarray(run.count(sets))
    first = max(0, len(sets) - MOST)
    errors = look_ahead(run, sets[first:, 0])
    if errors is None:
        return np.asarray(run.count(sets))
    counted = weighed(errors, run.scorer.factors)
    return np.concatenate([run.count(sets[:first]), counted]) if first else counted


def look_ahead(run: Any, planes: np.ndarray) -> np.ndarray | None:
    """Make the looks of the next pass on a copy of the run, and let the run keep them.

    Return the errors of the planes (c, b), negative and positive, if all looks were made before something else must be
    done.
    """
    kind = replace(run.kind, beside=_candidates(run, planes))
    ahead = replace(run, kind=kind, S=_copied(run.S))
    ahead.S.total[slots.COUNTED] = 1
    ahead.begin_pass()
    began = {name: getattr(ahead.S, name).copy() for name in COMPARED}
    why, row = DONE, -1
    for piece in ahead.pieces():
        why, end, row = piece.compiled_pass(*piece.arguments)
        if why not in (DONE, WINDOW_OVER) or ahead.S.total[slots.QUEUED] == len(ahead.S.queue):
            ahead.shown += end - piece.arguments[3]
            break
        ahead.after(piece, (why, end, row))
        why = DONE
        if run.plan.stops.by_clock(bool(Interrupt.is_pressed()), clock() - run.clock) is not None:
            break
    run.kind.ahead = Ahead(ahead, began, (why, row))
    return kind.beside.errors[: len(planes)] if ahead.shown == run.scorer.problem.n else None


def pieces(run: Any) -> Iterator[Piece]:
    """Yield the looks of the pass that begins which were made ahead, if they are those that it would make."""
    made, run.kind.ahead = run.kind.ahead, None
    if made is not None and made.follows(run):
        yield made.piece(run)


def _may_look_ahead(run: Any) -> bool:
    """Return whether another pass will probably follow, in which every row is read once by the perceptron rule."""
    p, plan, made = run.scorer.problem, run.plan, run.passes - run.passes_before
    last = plan.stops.max_passes is not None and made >= plan.stops.max_passes
    if run.reason is not None or last or run.random_from is not None or p.in_blocks or p.stored < SMALLEST:
        return False
    order = plan.order.of_pass(run.passes + 1).name
    steps = plan.rule == "perceptron" and plan.rates.schedule is None
    return order in ("cyclic", "shuffle") and steps


def _candidates(run: Any, planes: np.ndarray) -> Candidates:
    """Return planes (c, b) that are counted beside the looks from the present w on: one, or three."""
    planes = planes[[0, 1, 1]] if len(planes) == 2 else planes.copy()
    weights = run.scorer.for_looks_beside(run.S.w[0], planes)
    return Candidates(NO_ROWS, planes, weights, np.zeros((len(planes), 2), np.int64), np.zeros(2, np.int64))


def _copied(S: Planes) -> Planes:
    """Return the state with copies of what a pass changes, aligned as the arrays of a new run."""
    return S._replace(**{name: aligned_copy(getattr(S, name)) for name in CHANGED})


def _same_bits(a: np.ndarray, b: np.ndarray) -> bool:
    return a.shape == b.shape and bool((a.view(np.int64) == b.view(np.int64)).all())
