"""Answer the questions of a run: whether a plane separates its points, or those of each plane of many classes.

From the notes: T1 Z7 (a strict plane, or none), C4 (a criterion for "not separable"). `decide` is imported when it is
first needed.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from novikoff.data.problem import Problem
from novikoff.engines.engine import engine_of
from novikoff.errors import UndecidedError
from novikoff.perceptron.scheme import Scheme
from novikoff.scoring.scorer import Scorer

if TYPE_CHECKING:
    from novikoff.separate.proof_points import ProofPoints
    from novikoff.separate.verdict import Verdict

FIRST_ROWS = 2  # rows per column to begin with
LARGEST = 1 << 24  # numbers of the first working set: with more of them nothing is asked, to save memory
LARGEST_WEIGHT = 2.0**500
KIND = 5_000  # min(n, D)²·D up to which the kind of a verdict is computed at once: D = 17 for many points


@dataclass
class DecideInTraining:
    """Decides for the planes of one run; its answers are verdicts that store only the rows of their proofs."""

    scheme: Scheme
    classes: list[Any]
    engine: Any = None
    _numbers: int = field(default=0, repr=False)

    def numbers(self, problem: Problem) -> int:
        """Return how many numbers of a row are not zero, on average, rounded up; the storage makes no difference."""
        if not self._numbers:
            self._numbers = -(-nonzeros(problem) // problem.n) + 1
        return self._numbers

    def decide(
        self, problem: Problem, plane: int, mistakes: np.ndarray, work: int, seconds: float | None
    ) -> tuple[Verdict | None, int]:
        """Return the verdict, or None if the work is not enough, and the work spent.

        mistakes: how often each row was added; the search begins with those added most often. Two of these that are
        one point with both labels, as in tables of categories, are found with less work than any other proof.
        """
        from novikoff.exact.deadline import Clock, TimeIsUpError
        from novikoff.separate.decide import decided_within
        from novikoff.separate.separator_search import likely_work

        which, D = self._rows(problem, plane), problem.d + int(problem.pad)
        n = problem.n if which is None else which.size
        first = min(n, FIRST_ROWS * D + 20)
        if first * D > LARGEST:
            return None, 0
        source, watch = self._source(problem, plane), Clock(seconds, work)
        hardest = np.argsort(-(mistakes if which is None else mistakes[which]).astype(np.int64), kind="stable")[:first]
        try:
            verdict = decided_within(
                source, watch, np.sort(hardest), n * self.numbers(problem), enough=likely_work(first, D) <= work
            )
        except TimeIsUpError:
            raise TimeoutError from None
        return None if verdict is None else _alone(verdict, n, D), watch.spent

    def plane(self, problem: Problem, plane: int, verdict: Any, work: int, seconds: float | None) -> np.ndarray | None:
        """Return (w, b) in binary64 for points that a verdict proved separable.

        The widest plane, or if the work is not enough that of the verdict; of these the first that an exact check finds
        to have every point on its own side. None if rounding to binary64 leaves none.
        """
        from novikoff.exact.deadline import Clock, TimeIsUpError, WorkIsUpError
        from novikoff.exact.integer_rows import whole_rows
        from novikoff.maxmargin.widest_plane import nearly_widest

        points, watch, found = self._source(problem, plane), Clock(seconds, work), list[np.ndarray]()
        points.judge = Scorer(points.problem, filtered=False)
        try:
            with points.watched(watch):
                widest = nearly_widest(points, bool(points.pad))
                found += [] if widest is None else [widest]
        except WorkIsUpError:
            pass
        except TimeIsUpError:
            raise TimeoutError from None
        found.append(_rounded(verdict._plane))
        for one in found:
            if (np.abs(one) < LARGEST_WEIGHT).all() and not points.violators(whole_rows(one[None])[0][0], 0)[0]:
                return np.append(one, [0.0] * (1 - points.pad))
        return None

    def record(self, verdict: Any) -> dict[str, Any]:
        """Return a verdict as plain values; integers as hexadecimal texts."""
        found: dict[str, Any] = {"separable": verdict.separable, "how": verdict.how, "rows_read": verdict.rows_read}
        if verdict.separable:
            return found | {"plane": [hex(v) for v in verdict._plane]}
        weights = [hex(v) for v in verdict.weights] if verdict.weights_known else None
        return found | {"indices": list(verdict.indices), "weights": weights}

    def restored(self, problem: Problem, plane: int, record: Any) -> Verdict:
        """Return the verdict of a record; raise ValueError unless its proof holds for the points."""
        from novikoff.exact.deadline import Clock
        from novikoff.separate.interval_proof import positive_relation
        from novikoff.separate.relation import Relation
        from novikoff.separate.verdict import Verdict

        source = self._source(problem, plane)
        points = source
        n, D, shape = points.n, points.D, (points.n, points.D - points.pad, bool(points.pad))
        match record:
            case {"separable": True, "how": str(how), "rows_read": int(read), "plane": texts, **rest} if not rest:
                w = _integers(texts)
                if len(w) != D or not (points.margins(w) > 0).all():
                    raise ValueError
                found = Verdict(True, *shape, how=how, rows_read=read, _source=source, _plane=tuple(w))
            case {
                "separable": False,
                "how": str(how),
                "rows_read": int(read),
                "indices": [*rows],
                "weights": texts,
                **rest,
            } if not rest and rows and all(type(i) is int and 0 <= i < n for i in rows) and rows == sorted(set(rows)):
                weights = None if texts is None else _integers(texts)
                relation = Relation(points.floats(rows), weights)
                if weights is None:
                    good = positive_relation(relation.Z, reproducible=True)
                else:
                    good = len(weights) == len(rows) and min(weights) > 0 and relation.holds(relation.Z, Clock(None))
                if not good:
                    raise ValueError
                found = Verdict(False, *shape, how=how, rows_read=read, _source=source, indices=tuple(rows),
                                _relation=relation)  # fmt: skip
            case _:
                raise ValueError
        return _alone(found, n, D)

    def _rows(self, problem: Problem, plane: int) -> np.ndarray | None:
        """Return the rows that the plane is about; None for all."""
        positive, negative = self.scheme.pairs[plane]
        if self.scheme.is_binary or negative < 0:
            return None
        return np.flatnonzero((problem.y == positive) | (problem.y == negative))

    def _source(self, problem: Problem, plane: int) -> ProofPoints:
        """Return the points of a plane, each with the sign of its side."""
        from novikoff.separate.proof_points import ProofPoints

        positive, negative = self.scheme.pairs[plane]
        names = (self.classes[negative], self.classes[positive]) if negative >= 0 else (False, True)
        if not self.scheme.is_binary:
            if (which := self._rows(problem, plane)) is not None:
                problem = problem.part(which)
            problem = replace(problem, y=np.where(problem.y == positive, np.int8(1), np.int8(-1)))
        return ProofPoints(problem, engine_of(self.engine), problem.y, names)


def _rounded(plane: tuple[int, ...]) -> np.ndarray:
    """Return integers divided by the power of two that makes the largest of them about 1, each rounded once."""
    unit = 1 << max(abs(v) for v in plane).bit_length()
    return np.array([v / unit for v in plane])


def automatic_scheme(problem: Problem, classes: int, engine: Any) -> str:
    """Return "ovo" if the planes of all pairs have no more weights than the rows have numbers that are not 0.

    A class between two others has no good plane against both at once, and the scores of one-vs-all planes, which were
    trained apart, are compared: pairs are more accurate. Each row is shown to as many planes or fewer.
    """
    if classes < 3:
        return "ova"
    weights = classes * (classes - 1) // 2 * (problem.d + int(problem.pad))
    return "ovo" if weights <= sum(engine_of(engine).map(nonzeros, problem)) else "ova"


def nonzeros(problem: Problem) -> int:
    """Return how many numbers of all rows are not zero: the same for every storage."""
    total = 0
    if problem.sparse and not problem.in_blocks and not problem.matrix().has_canonical_format:
        problem = problem.tidied()
    for rows, _, lo, hi in problem.pieces():
        numbers = rows[0][rows[2][lo] : rows[2][hi]] if isinstance(rows, tuple) else rows[lo:hi]
        total += int(np.count_nonzero(numbers))
    return total


def _alone(verdict: Verdict, n: int, D: int) -> Verdict:
    """Return the verdict without its points; its kind is computed from them first, where that is fast."""
    if min(n, D) ** 2 * D <= KIND:
        with suppress(UndecidedError):
            _ = verdict.kind
    return verdict.alone()


def _integers(texts: Any) -> list[int]:
    """Return integers from hexadecimal texts; raise ValueError for anything else."""
    if type(texts) is not list or any(type(text) is not str for text in texts):
        raise ValueError
    return [int(text, 16) for text in texts]
