"""The rounded twin: the judge of every fast path, on all data, bit for bit.

    decision   the sign of y·(⟨w, x⟩ + b), exact: whole numbers of any size, nothing is rounded
    update     w_j ← w_j + (η·y)·x_j in Python floats, one coordinate after the other: two roundings, never fused
    batch      s_j ← s_j + y·x_j over the mistakes of a pass in their order, then w_j ← w_j + (η/n)·s_j
    pa         m and |x|² are ordered sums, one product and one addition at a time: first column to last, then the bias

A constant η (batch: η/n) from w⁰ = 0 runs with step 1 and is multiplied in once, at the end. Slow, short and plain on
purpose: nothing here is shared with the package, but the rows of a shuffled or random pass. `problems` has data to run
it on.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from data.problems import KINDS, NEAR_TIES, Problem, near_ties, problem
from oracles.passes import rows_of_pass

__all__ = ["KINDS", "NEAR_TIES", "Problem", "Rounded", "near_ties", "problem", "rounded"]

Array = NDArray[np.float64]
Weights = tuple[tuple[float, ...], float]  # w and b


@dataclass(frozen=True)
class Rounded:
    """What a run of the rounded twin did; rows from 0, looks from 1, all weights times η."""

    w: Array
    b: float
    rows: list[int]  # the mistakes in their order; each is an update, but those of a batch pass are one together
    at_looks: list[int]  # and the look at which each was made
    looks: int
    passes: int  # begun
    stop: str  # separated, cycle, max_passes, max_updates
    average: Weights | None
    pockets: list[tuple[Weights, int]]  # the pocket and its errors after every pass
    votes: list[tuple[Weights, int]]  # every vector and the looks after which it was the present one
    cycle_counts: list[int] | None


def rounded(
    X: Any,
    y_sign: Sequence[float],
    *,
    order: str = "cyclic",
    seed: int = 0,
    fit_intercept: bool = True,
    eta0: float = 1.0,
    w0: Sequence[float] | None = None,
    b0: float = 0.0,
    passes: int = 10,
    max_updates: int | None = None,
    keep: str = "last",
    schedule: Callable[[int], float] | None = None,
    cycles: bool = False,
    rule: str = "perceptron",
    threshold: float = 1.0,
    C: float = 1.0,
    draw_seed: int = 0,
) -> Rounded:
    """Train with exact decisions and rounded updates.

    keep: "average" and "pocket" are kept only if asked for, the last weights and the votes always are; schedule(k) is
    the factor of eta0 for the k-th update; cycles: stop when w comes back and the rows added in between sum to
    zero exactly. The pocket goes on then: from the next pass on in random draws of draw_seed if the order would only
    repeat itself, until one error is left.
    """
    run = _Run(X, y_sign, fit_intercept, keep)
    run.rule, run.threshold, run.C = rule, threshold, C
    run.divisor = run.n if order == "batch" else 1
    run.start(w0, b0, eta0, schedule)
    watch = _Watch(run) if cycles and schedule is None and rule in ("perceptron", "margin") else None
    run.draw_seed = draw_seed
    play = _play_batch if order == "batch" else _play
    stop = play(run, order, seed, passes, math.inf if max_updates is None else max_updates, watch)
    return run.result(stop, watch.counts if watch and stop == "cycle" and run.proof is None else run.proof)


def _play(run: _Run, order: str, seed: int, passes: int, max_updates: float, watch: _Watch | None) -> str:
    for row in _shown(run, order, seed, passes):
        if len(run.created) > max_updates and run.needs_update(row):
            run.looks += 1
            return run.end_of_pass("max_updates")
        if run.look(row) and watch and watch.sees(row):
            home = watch.is_home(order, row)
            if run.keep == "pocket":
                run.proof = run.proof or list(watch.counts)
                run.draws = home
                watch = None if run.draws or order in ("shuffle", "random") else watch.go_on()
            elif run.keep == "last" or home:
                return run.end_of_pass("cycle")
            else:
                run.proof, watch = watch.counts, None  # but the keep may still improve: 20 passes are given
        if run.looks % run.n == 0:
            run.end_of_pass()
            if run.proof and run.keep == "pocket" and run.pocket.errors == 1 and run.looks < passes * run.n:
                return run.end_of_pass("not_separable", counted=True)
    if run.looks % run.n:
        run.end_of_pass()  # order first may end within a pass
    return run.stop


def _play_batch(run: _Run, order: str, seed: int, passes: int, max_updates: float, watch: _Watch | None) -> str:
    for number in range(passes):
        wrong = [row for row in range(run.n) if run.is_mistake(row)]
        if not wrong:
            run.looks += run.n
            return run.end_of_pass("separated")
        if number >= max_updates:
            run.looks += run.n
            return run.end_of_pass("max_updates")
        run.add_mean(wrong)
        if watch and watch.sees(*wrong):
            if run.keep != "pocket":
                return run.end_of_pass("cycle")
            run.proof, run.draws = list(watch.counts), True
        run.end_of_pass()
        if run.draws and run.pocket.errors == 1 and run.looks < passes * run.n:
            return run.end_of_pass("not_separable", counted=True)
        if run.draws:
            return _play(run, order, seed, passes, max_updates, None)
    return run.stop


def _shown(run: _Run, order: str, seed: int, passes: int) -> Iterator[int]:
    """The rows in the order they are shown; `run.stop` says why there are no more."""
    run.begin_pass(order == "random")
    yield from _in_order(run, order, seed, passes)
    while run.draws and run.looks < passes * run.n:
        run.begin_pass(True)
        yield from _rows_of_pass("random", run.n, run.draw_seed, run.looks // run.n)


def _in_order(run: _Run, order: str, seed: int, passes: int) -> Iterator[int]:
    """The rows of the passes in this order; to the end of a pass if random draws are to follow."""
    if order == "first":
        row = wrong = 0
        while row < run.n:
            if run.draws and run.looks % run.n == 0:
                return
            if run.looks and run.looks % run.n == 0:
                if run.mistakes == wrong and run.errors() == 0:
                    break
                wrong = run.mistakes
            if run.looks == passes * run.n:
                return
            before = len(run.rows)
            yield row
            row = row + 1 if len(run.rows) == before else 0
            if row == run.n and run.aggressive and run.errors():
                row = 0
        run.stop = "separated"
        return
    for number in range(passes):
        if run.draws:
            return
        run.begin_pass(order == "random")
        before, wrong = len(run.rows), run.mistakes
        yield from _rows_of_pass(order, run.n, seed, number)
        clean = len(run.rows) == before and order != "random" and not run.aggressive
        if clean or (run.mistakes == wrong and run.errors() == 0):
            run.stop = "separated"
            return


def _rows_of_pass(order: str, n: int, seed: int, number: int) -> Iterable[int]:
    if order == "cyclic":
        return range(n)
    return map(int, rows_of_pass(order, n, seed, number))


class _Run:
    """The present weights, and what is kept on the way."""

    def __init__(self, X: Any, y_sign: Sequence[float], fit_intercept: bool, keep: str) -> None:
        self.X = [[float(v) for v in row] for row in X]
        self.y = [int(sign) for sign in y_sign]
        self.n, self.d = len(self.X), len(self.X[0])
        self.pad, self.keep = (1.0 if fit_intercept else 0.0), keep
        self.exact = [whole([*row, self.pad]) for row in self.X]
        self.rule, self.threshold, self.C = "perceptron", 1.0, 1.0
        self.mistakes = 0
        self.proof: list[int] | None = None  # counts of a return that did not end the run
        self.draws, self.draw_seed = False, 0  # whether random draws follow, as the order would repeat itself
        self.every = False  # whether each vector is counted for the pocket
        self.divisor = 1  # of the steps: n of the order batch
        self.rows: list[int] = []
        self.at_looks: list[int] = []
        self.looks = 0
        self.stop = "max_passes"
        self.pocket = _Pocket()
        self.created: list[tuple[Weights, int]] = []  # every vector and the first look after which it was there

    def start(
        self, w0: Sequence[float] | None, b0: float, eta0: float, schedule: Callable[[int], float] | None
    ) -> None:
        w = [0.0] * self.d if w0 is None else [float(v) + 0.0 for v in w0]  # + 0.0: no −0.0
        b = float(b0) + 0.0 if self.pad else 0.0
        from_zero = schedule is None and not any(w) and not b and self.rule == "perceptron"
        n = self.divisor
        self.eta_at_the_end = float(eta0) / n if from_zero else 1.0
        constant = 1.0 if from_zero else float(eta0) / n
        self.step_of = (lambda k: eta0 * schedule(k) / n) if schedule else (lambda k: constant)
        self.u, self.ub = [0.0] * self.d, 0.0
        self._move_to(w, b)

    def _move_to(self, w: list[float], b: float) -> None:
        self.w, self.b = w, b
        self.exact_w = whole([*w, b])
        self.pocket.new_vector()
        self.created.append(((tuple(w), b), max(1, self.looks)))

    def is_mistake(self, row: int) -> bool:
        """y·(⟨w, x⟩ + b) ≤ 0, exactly; a tie is a mistake."""
        return self.y[row] * sum(a * x for a, x in zip(self.exact_w, self.exact[row], strict=True)) <= 0

    def m(self, row: int) -> Fraction:
        """y·(⟨w, x⟩ + b), exactly."""
        x = [*self.X[row], self.pad]
        return self.y[row] * sum(
            (Fraction(a) * Fraction(v) for a, v in zip([*self.w, self.b], x, strict=True)), Fraction(0)
        )

    def needs_update(self, row: int) -> bool:
        if self.rule == "perceptron":
            return self.is_mistake(row)
        return self.m(row) <= Fraction(self.threshold) if self.rule == "margin" else self.ordered_m(row) < 1

    @property
    def aggressive(self) -> bool:
        """Whether the rule is passive-aggressive: then only a count says that no point is on the wrong side."""
        return self.rule.startswith("pa")

    def ordered_m(self, row: int) -> float:
        """y·(⟨w, x⟩ + b), summed in order."""
        return self.y[row] * ordered_sum([*self.w, self.b], [*self.X[row], self.pad])

    def _passive_aggressive(self, row: int) -> float:
        """The step from m and |x|², both summed in order."""
        m, x = self.ordered_m(row), [*self.X[row], self.pad]
        q = ordered_sum(x, x)
        if self.rule == "pa2":
            return (1 - m) / (q + 1 / (2 * self.C))
        tau = (1 - m) / q if q > 0 else 0.0
        return min(self.C, tau) if self.rule == "pa1" else tau

    def begin_pass(self, draws: bool) -> None:
        """In random draws a run of right looks is compared with those of its pass; of few points every w is counted."""
        self.every = draws and self.n**2 * self.d <= 2**24
        if draws:
            self.pocket.longest = 0

    def errors(self) -> int:
        return sum(self.is_mistake(row) for row in range(self.n))

    def look(self, row: int) -> bool:
        """Show one row; whether it was a mistake."""
        self.looks += 1
        if self.needs_update(row):
            self.mistakes += self.ordered_m(row) <= 0 if self.aggressive else self.is_mistake(row)
            self._update(row)
            return True
        if self.keep == "pocket" and self.pocket.right_look():
            self._offer()
        return False

    def _update(self, row: int) -> None:
        if self.every and self.keep == "pocket" and not self.pocket.counted:
            self._offer()
        x = self.X[row]
        g = float(self.step_of(len(self.rows) + 1))
        if self.aggressive:
            g = g * self._passive_aggressive(row)
        g = g * float(self.y[row])
        late = g * float(self.looks - 1)
        self.u = [u + late * v for u, v in zip(self.u, x, strict=True)]
        self.ub = self.ub + late * self.pad
        self.rows.append(row)
        self.at_looks.append(self.looks)
        self._move_to([a + g * v for a, v in zip(self.w, x, strict=True)], self.b + g * self.pad)

    def add_mean(self, wrong: list[int]) -> None:
        """Show all rows, and update with the sum of those that are wrong."""
        if self.keep == "pocket" and not self.pocket.counted:
            self._offer()
        sums = [0.0] * (self.d + 1)
        for row in wrong:
            g = float(self.y[row])
            sums = [s + g * v for s, v in zip(sums, [*self.X[row], self.pad], strict=True)]
        self.rows += wrong
        self.at_looks += [self.looks + row + 1 for row in wrong]
        self.mistakes += len(wrong)
        self.looks += self.n
        rate = float(self.step_of(len(self.created)))
        late = float(self.looks - 1) * rate
        self.u = [u + late * s for u, s in zip(self.u, sums, strict=False)]
        self.ub = self.ub + late * sums[-1]
        self._move_to([a + rate * s for a, s in zip(self.w, sums, strict=False)], self.b + rate * sums[-1])

    def end_of_pass(self, stop: str | None = None, counted: bool = False) -> str:
        """The present vector is counted, if it was not yet; a pass that a limit cuts short ends too."""
        if self.keep == "pocket" and not counted:
            if not self.pocket.counted:
                self._offer()
            self.pocket.after_pass.append((self.pocket.best, self.pocket.errors))
        self.stop = stop or self.stop
        return self.stop

    def _offer(self) -> None:
        self.pocket.offer((tuple(self.w), self.b), self.errors())

    def result(self, stop: str, cycle_counts: list[int] | None) -> Rounded:
        w, b = self._times_eta((tuple(self.w), self.b))
        return Rounded(
            w=np.array(w),
            b=b,
            rows=self.rows,
            at_looks=self.at_looks,
            looks=self.looks,
            passes=-(-self.looks // self.n),
            stop=stop,
            average=self._average() if self.keep == "average" else None,
            pockets=[(self._times_eta(best), int(errors)) for best, errors in self.pocket.after_pass],
            votes=[(self._times_eta(vector), weight) for vector, weight in self._survivals()],
            cycle_counts=cycle_counts,
        )

    def _times_eta(self, vector: Weights) -> Weights:
        w, b = vector
        return tuple(v * self.eta_at_the_end for v in w), b * self.eta_at_the_end

    def _average(self) -> Weights:
        """The mean of the vectors that were present after each look: w − u / looks."""
        looks = float(self.looks)
        w = tuple(a - u / looks for a, u in zip(self.w, self.u, strict=True))
        return self._times_eta((w, self.b - self.ub / looks))

    def _survivals(self) -> Iterator[tuple[Weights, int]]:
        until = [look for _, look in self.created[1:]] + [self.looks + 1]
        for (vector, since), end in zip(self.created, until, strict=True):
            yield vector, end - since


@dataclass
class _Pocket:
    """The naive ratchet: count a vector when its run of right looks is the longest so far, and when a pass ends."""

    best: Weights = ((), 0.0)
    errors: float = math.inf
    longest: int = 0
    run: int = 0
    counted: bool = False
    after_pass: list[tuple[Weights, float]] = field(default_factory=list)

    def new_vector(self) -> None:
        self.run, self.counted = 0, False

    def right_look(self) -> bool:
        """Whether the present vector must be counted now."""
        self.run += 1
        if self.run <= self.longest:
            return False
        self.longest = self.run
        return not self.counted

    def offer(self, vector: Weights, errors: int) -> None:
        self.counted = True
        if errors < self.errors:
            self.best, self.errors = vector, errors


class _Watch:
    """Brent's method on the rounded weights; a return counts only if the rows in between sum to zero exactly."""

    def __init__(self, run: _Run) -> None:
        self.run, self.window = run, 64
        self.row = run.n - 1
        self._save()

    def _save(self) -> None:
        self.saved, self.counts, self.made = (self.run.w, self.run.b), [0] * self.run.n, 0
        self.home = self.row

    def is_home(self, order: str, row: int) -> bool:
        """Whether what follows is what followed the saved vector."""
        return order == "first" or (order == "cyclic" and row == self.home)

    def sees(self, *rows: int) -> bool:
        """One update with these rows."""
        self.row, self.made = rows[-1], self.made + 1
        for row in rows:
            self.counts[row] += 1
        if (self.run.w, self.run.b) == self.saved and self._sum_is_zero():
            return True
        self.go_on()
        return False

    def go_on(self) -> _Watch:
        if self.made >= self.window:
            self.window *= 2
            self._save()
        return self

    def _sum_is_zero(self) -> bool:
        run = self.run
        for column in zip(*run.X, strict=True):
            weighted = zip(self.counts, run.y, whole(list(column)), strict=True)
            if sum(k * sign * x for k, sign, x in weighted):
                return False
        return not run.pad or sum(k * sign for k, sign in zip(self.counts, run.y, strict=True)) == 0


def ordered_sum(a: list[float], b: list[float]) -> float:
    """Σ a_j·b_j in floats, first to last, each product and each sum rounded."""
    total = 0.0
    for u, v in zip(a, b, strict=True):
        total += u * v
    return total


def whole(values: list[float]) -> list[int]:
    """The floats times one power of two that makes all of them whole: exact, and no sign changes."""
    ratios = [value.as_integer_ratio() for value in values]
    scale = max(bottom for _, bottom in ratios)
    return [top * (scale // bottom) for top, bottom in ratios]
