"""Run the perceptron of the lecture in exact fractions, and keep every update.

    y·⟨w, x⟩ ≤ 0   is a mistake;   then   w ← w + η·y·x

Nothing is rounded. `novikoff trace` shows these runs, and tests compare the compiled passes with them: on data where no
update rounds (small integers, halves, quarters: every slide) both make the same updates in the same order. Standard
library only; NumPy is imported only for the orders `shuffle` and `random`. `trace_tables` writes the tables.

From the notes: T3 (Tao, "Perceptron"), C6 (Cornwell), Z6 (Zhang, Algorithm 1), S7 R6 (start and learning rate), Z10a
(batch), Z12 S3 (Zhang, "What happens if we run Perceptron regardless?").
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from math import lcm
from operator import index, mul
from typing import TYPE_CHECKING, Any, TypeAlias

from novikoff.data.exact_points import Vector, exact_number, exact_rows, exact_signs, exact_vector
from novikoff.data.labelled_points import Labelled, unpacked_in_memory
from novikoff.data.row_numbers import origin_of, row_names_of
from novikoff.errors import InputError
from novikoff.perceptron import TRACED_ORDERS
from novikoff.perceptron.rules import margin, pa, pa1, pa2, perceptron
from novikoff.perceptron.schedules import Schedule, schedule_of
from novikoff.perceptron.trace_tables import Added, Step, Trace

if TYPE_CHECKING:  # both import NumPy, which a trace of lists does without
    from numpy.typing import ArrayLike

    from novikoff.arguments.signature_types import Label, Labels, Number, Points, Schedule as NamedSchedule

Rate: TypeAlias = Callable[[int], Fraction]
Rule: TypeAlias = Callable[[Fraction, Fraction, Fraction], Fraction]

WINDOW = 64  # updates before cycle detection saves its second vector


def trace(
    X: Points,
    y: Labels | None = None,
    *,
    order: str = "cyclic",
    fit_intercept: bool = True,
    eta0: Number = 1,
    w0: ArrayLike | Sequence[Number] | None = None,
    seed: int = 0,
    max_updates: int = 10_000,
    schedule: NamedSchedule = "constant",
    positive: Label | None = None,
    rule: str = "perceptron",
    threshold: Number = 1,
    C: Number = 1,
) -> Trace:
    """Run the perceptron in exact fractions and keep every update.

    w ← w + η·y·x   while some point has   y·⟨w, x⟩ ≤ 0

    Convention: a tie is a mistake; the bias is the last weight; the positive class is as of `decide`.

    Parameters
    ----------
    X : rows of numbers (int, float, Fraction, Decimal, decimal strings, NumPy's), each used exactly
    y : one of two labels for each row; omitted if X is points of `read`
    order : "cyclic"; "first" (after an update look again from the first point); "shuffle"; "random" (both by `seed`);
        "batch" (one update after each pass, w + (η/n)·Σ y·x over all its mistakes; each of the `steps` then has the
        `points` that it added and their `sum`)
    fit_intercept : whether the plane may miss the origin
    eta0 : the learning rate; with a constant rate from w0 = 0 the mistakes do not depend on it
    w0 : the initial weights, as many as columns and one more for the bias; zeros by default
    max_updates : the run stops at the mistake that would need one more
    schedule : "constant", "inverse" (1/k), "inverse-sqrt" (1/√k), or a function k → factor of eta0 for the k-th update
    positive : the class on which the plane is above 0; None: `+`, yes, true or spam if it is one of the labels, else
        the label that sorts last
    rule : "perceptron"; "margin", which also updates where y·⟨w, x⟩ ≤ threshold; "pa", "pa1", "pa2"
        (passive-aggressive, the last two with C), whose fractions grow with every update. A run ends after a pass
        without an update, or without a mistake if then every point is on its own side
    threshold, C : of these rules

    Raises
    ------
    InputError : names the argument, what was found and what was expected.

    Examples
    --------
    >>> import novikoff as nv
    >>> t = nv.trace([(-1, 3), (-1, -1), (3, -1), (0, "1.5")], [-1, -1, 1, 1])
    >>> len(t.steps), t.stop_reason, t.plane()
    (9, 'separated', '4·x1 − 1/2·x2 + 1 = 0')
    """
    if order not in TRACED_ORDERS:
        raise InputError(f"order: found {order!r}, expected one of {', '.join(TRACED_ORDERS)}")
    max_updates, seed = _at_least(1, max_updates, "max_updates"), _at_least(0, seed, "seed")
    if seed >= 2**63:
        raise InputError(f"seed: found {seed}, expected a whole number below 2^63")
    origin, named, columns = origin_of(X), row_names_of(X), None
    if not isinstance(X, list | tuple):
        from novikoff.data.column_names import names_for_people

        columns = names_for_people(X)
    X, y = _read(X, y) if isinstance(X, Labelled) else (X, y)
    rows = exact_rows(X, fit_intercept)
    classes, signs = exact_signs(y, len(rows), positive)
    start = _start(w0, len(rows[0]), fit_intercept)
    falling = schedule_of(schedule)
    numbers = None if origin is None else tuple(int(origin[i]) for i in range(len(rows)))
    step, detects = _rule(rule, threshold, C), falling is None and rule in ("perceptron", "margin")
    run = _TraceRun(rows, signs, start, _rate(eta0, falling), step, detects, numbers)
    run.at_mistakes_only = rule == "perceptron"
    batch = order == "batch"
    if batch and not run.at_mistakes_only:
        raise InputError(f"rule: found {rule!r}, expected 'perceptron' with the order 'batch'")
    stop_reason = _play_batch(run, max_updates) if batch else _play(run, order, seed, max_updates)
    return Trace(
        steps=tuple(run.steps),
        start=start,
        w=run.w,
        stop_reason=stop_reason,
        n_looks=run.looks,
        passes=-(-run.looks // run.n),
        counts=tuple(run.counts),
        cycle_counts=tuple(run.cycle.counts) if run.is_back else None,
        classes=classes,
        order=order,
        d=len(rows[0]) - bool(fit_intercept),
        fit_intercept=bool(fit_intercept),
        row_numbers=numbers,
        row_names=named,
        points=tuple(rows),
        signs=tuple(signs),
        rule=rule,
        names=columns,
    )


def _read(points: Labelled, y: Any) -> tuple[Any, Any]:
    """Return the numbers of points read from a file, and their labels."""
    from novikoff.data.problem import unlabelled

    X, y = unpacked_in_memory(points, y, "a trace")
    numbers = unlabelled(X).matrix()
    return numbers.toarray() if hasattr(numbers, "toarray") else numbers, y


def _play(run: _TraceRun, order: str, seed: int, max_updates: int) -> str:
    """Present one point after another and return why the run ended."""
    for row in _shown(run, order, seed):
        if not run.look(row, len(run.steps) < max_updates):
            return "max_updates"
        if run.is_back:
            return "cycle"
    return "separated"


def _play_batch(run: _TraceRun, max_updates: int) -> str:
    """Make one update after each pass over the points, and return why the run ended."""
    while wrong := run.look_at_all():
        if len(run.steps) == max_updates:
            return "max_updates"
        run.add_mean(wrong)
        if run.is_back:
            return "cycle"
    return "separated"


def _shown(run: _TraceRun, order: str, seed: int) -> Iterator[int]:
    """Yield the rows in the order they are presented, until no mistake can be left."""
    wrong = 0  # mistakes before this pass
    if order == "first":
        row = 0
        while row < run.n:
            if run.looks and run.looks % run.n == 0:
                if run.mistakes == wrong and run.errors() == 0:
                    return
                wrong = run.mistakes
            before = len(run.steps)
            yield row
            row = row + 1 if len(run.steps) == before else 0
        return
    for pass_number in itertools.count():
        before, wrong = len(run.steps), run.mistakes
        yield from _rows_of_pass(order, run.n, seed, pass_number)
        clean = len(run.steps) == before and order != "random"
        if clean or (run.mistakes == wrong and run.errors() == 0):
            return


def _rows_of_pass(order: str, n: int, seed: int, pass_number: int) -> Iterable[int]:
    if order == "cyclic":
        return range(n)
    from novikoff.perceptron.orders import rows_of_pass

    return map(int, rows_of_pass(order, n, seed, pass_number))


class _TraceRun:
    """The weights, counts and updates of a run.

    Signs of scores are computed from integers: w and each row times their common denominators, which are positive.
    """

    def __init__(
        self,
        rows: list[Vector],
        signs: list[int],
        start: Vector,
        rate: Rate,
        rule: Rule,
        detects: bool,
        numbers: Sequence[int] | None = None,
    ) -> None:
        self.numbers = range(len(rows)) if numbers is None else numbers
        self.rows, self.signs, self.n, self.rate, self.rule = rows, signs, len(rows), rate, rule
        self.squares = [sum((v * v for v in x), Fraction(0)) for x in rows]
        self.reflected = [tuple(sign * v for v in x) for x, sign in zip(rows, signs, strict=True)]  # y·x
        self.whole_rows = [_whole(z) for z in self.reflected]
        self.counts = [0] * self.n
        self.looks = self.mistakes = 0
        self.steps: list[Step] = []
        self.cycle = _CycleDetector(start, self.n)
        self.detects = detects
        self.is_back = False
        self.at_mistakes_only = False  # whether the rule updates only where y·⟨w, x⟩ ≤ 0
        self._move_to(start)

    def _move_to(self, w: Vector) -> None:
        self.w = w
        self.whole_w, self.scale = _whole(w)

    def look(self, row: int, may_update: bool) -> bool:
        """Present one point and update at a mistake; return False if an update is needed and not allowed."""
        self.looks += 1
        whole_z, scale = self.whole_rows[row]
        signed = sum(map(mul, whole_z, self.whole_w))
        if signed <= 0:
            self.mistakes += 1
        elif self.at_mistakes_only:
            return True  # the usual case, without a fraction
        score = Fraction(self.signs[row] * signed, scale * self.scale)
        if not self.at_mistakes_only and not self.updates_at(row, score):
            return True
        if may_update:
            self._update(row, score)
        return may_update

    def updates_at(self, row: int, score: Fraction) -> bool:
        """Return whether the rule updates at this row; that does not depend on the learning rate."""
        return self.rule(self.signs[row] * score, Fraction(1), self.squares[row]) > 0

    def _update(self, row: int, score: Fraction) -> None:
        x, sign, norm2 = self.rows[row], self.signs[row], self.squares[row]
        eta = self.rule(sign * score, self.rate(len(self.steps) + 1), norm2)
        step = eta * sign
        self._move_to(tuple(a + step * v if v else a for a, v in zip(self.w, x, strict=True)))
        self.counts[row] += 1
        self.is_back = self.detects and self.cycle.returned(self.w, row)
        self._add_step((row,), self.reflected[row], eta, score, norm2)

    def _add_step(self, rows: Sequence[int], total: Vector, eta: Fraction, *of_one: Fraction) -> None:
        points = tuple(Added(self.numbers[i], self.signs[i], self.rows[i], i) for i in rows)
        number, pass_number = len(self.steps) + 1, (self.looks - 1) // self.n + 1
        self.steps.append(Step(number, pass_number, points, total, eta, self.w, self.errors(), self.looks, *of_one))

    def look_at_all(self) -> list[int]:
        """Present all points; return the mistakes."""
        self.looks += self.n
        return [row for row, (z, _) in enumerate(self.whole_rows) if _dot(z, self.whole_w) <= 0]

    def add_mean(self, wrong: list[int]) -> None:
        """Update with all mistakes of a pass: w ← w + (η/n)·Σ y·x."""
        total = tuple(sum(column, Fraction(0)) for column in zip(*(self.reflected[i] for i in wrong), strict=True))
        eta = self.rate(len(self.steps) + 1) / self.n
        self._move_to(tuple(a + eta * v for a, v in zip(self.w, total, strict=True)))
        for row in wrong:
            self.counts[row] += 1
        self.is_back = self.detects and self.cycle.returned(self.w, *wrong)
        self._add_step(wrong, total, eta)

    def errors(self) -> int:
        """Return how many points have y·⟨w, x⟩ ≤ 0, exactly."""
        w = self.whole_w
        return sum([sum(map(mul, z, w)) <= 0 for z, _ in self.whole_rows])


class _CycleDetector:
    """Detect a cycle: w equals the vector saved last (Brent's method: windows double, so every cycle is found).

    w = saved   ⇒   Σ kᵢ·yᵢ·xᵢ = 0 over the updates in between: no plane has all points on their own sides
    """

    def __init__(self, w: Vector, n: int) -> None:
        self.saved, self.window, self.counts, self.made = w, WINDOW, [0] * n, 0

    def returned(self, w: Vector, *rows: int) -> bool:
        """Count an update with these rows that led to w; return whether w is the saved vector."""
        self.made += 1
        for row in rows:
            self.counts[row] += 1
        if w == self.saved:
            return True
        if self.made == self.window:
            self.saved, self.window, self.counts, self.made = w, 2 * self.window, [0] * len(self.counts), 0
        return False


def _dot(a: Sequence[int], b: Sequence[int]) -> int:
    return sum(map(mul, a, b))


def _whole(v: Vector) -> tuple[list[int], int]:
    """Return the vector times the common denominator of its numbers, and that denominator."""
    scale = lcm(*(value.denominator for value in v))
    return [value.numerator * (scale // value.denominator) for value in v], scale


def _start(w0: Any, length: int, fit_intercept: bool) -> Vector:
    if w0 is None:
        return (Fraction(0),) * length
    start = exact_vector(w0, "w0")
    if len(start) != length:
        bias = ", the bias last" if fit_intercept else ""
        raise InputError(f"w0: found {len(start)} numbers, expected {length}{bias}")
    return start


def _rate(eta0: Any, schedule: Schedule | None) -> Rate:
    """Return the learning rate of the k-th update, as a function of k."""
    eta = _positive(eta0, "eta0")
    if schedule is None:
        return lambda k: eta
    return lambda k: eta * _positive(schedule(k), f"schedule({k})")


def _rule(rule: str, threshold: Any, C: Any) -> Rule:
    """Return the step of a rule as a function of y·⟨w, x⟩, the learning rate and |x|²."""
    theta, largest = _positive(threshold, "threshold"), _positive(C, "C")
    steps: dict[str, Rule] = {
        "perceptron": lambda m, eta, q: perceptron(m, eta),
        "margin": lambda m, eta, q: margin(m, eta, theta),
        "pa": lambda m, eta, q: pa(m, q),
        "pa1": lambda m, eta, q: pa1(m, q, largest),
        "pa2": lambda m, eta, q: pa2(m, q, largest),
    }
    if not isinstance(rule, str) or rule not in steps:
        raise InputError(f"rule: found {rule!r}, expected one of {', '.join(steps)}")
    return steps[rule]


def _at_least(least: int, value: Any, name: str) -> int:
    if isinstance(value, bool) or not hasattr(value, "__index__") or index(value) < least:
        raise InputError(f"found {value!r}, expected a whole number of at least {least}", name)
    return index(value)


def _positive(value: Any, name: str) -> Fraction:
    number = exact_number(value, name)
    if number <= 0:
        raise InputError(f"found {value!r}, expected a number above 0", name)
    return number
