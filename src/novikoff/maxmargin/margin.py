"""Compute the margin between two classes, and a bound of the mistakes that a perceptron can make.

From the notes: T4 R5 S10 C7 Z9 (mistakes ≤ (R/γ)²), S10a (from any start), Z11 (the widest plane is unique).
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from novikoff.arguments import argument_checks
from novikoff.arguments.signature_types import Label, Labels, Points
from novikoff.data.column_names import names_for_people
from novikoff.data.format_numbers import ends_in_words, json_interval
from novikoff.data.labelled_points import Labelled
from novikoff.data.plain_files import plane_of
from novikoff.engines.engine import Engine, engine_of
from novikoff.errors import InputError, NotSeparableError, UndecidedError
from novikoff.exact.deadline import Clock, TimeIsUpError
from novikoff.exact.integer_rows import whole
from novikoff.exact.radius import radius2
from novikoff.exact.signed_rows import Signed
from novikoff.maxmargin.margin_in_words import in_words, width_values
from novikoff.maxmargin.mistake_bound import Interval, above, below, most_updates, root_near, roots
from novikoff.maxmargin.widest_plane import ProvedMargin, widest, widest_exactly
from novikoff.maxmargin.width import Width, endless_width, proof_of, width_of
from novikoff.perceptron.orders import Order
from novikoff.perceptron.plan import Plan, Rates
from novikoff.perceptron.run import Run
from novikoff.perceptron.stops import Stops
from novikoff.perceptron.train import train
from novikoff.scoring.scorer import Scorer
from novikoff.separate.decide import decide
from novikoff.separate.proof_points import ProofPoints

if TYPE_CHECKING:
    from novikoff.proof.certificate import Certificate

MOST_UPDATES, MOST_PASSES, MOST_NUMBERS = 1_000_000, 100_000, 1 << 31  # of the perceptron run beside its bound


class UpdateCount(NamedTuple):
    """The updates of a perceptron, and whether it converged."""

    updates: int
    finished: bool


@dataclass(eq=False)
class Margin:
    """Both margins of separable points, their radius, and the mistake bound.

    geometric : margin of the points: their distances from the plane
    padded : margin in the bound: distances of z = y(x, 1) in the space that has the bias as one more dimension;
        without a bias the same as geometric

    Only the geometric margin is computed at once. Padded, radius and updates are computed when first used, from the
    points as they are then; each may take `max_time` seconds, then UndecidedError is raised (updates: not `finished`).
    To allow more time, set `m.max_time = 60` and use the property again.
    """

    geometric: Width
    n: int
    d: int
    fit_intercept: bool
    _gap: float | None = field(repr=False)
    _touching: np.ndarray = field(repr=False)  # the touching points at the time of `margin`
    _source: ProofPoints = field(repr=False)  # the points with their labels
    max_time: float | None = None  # seconds for each property; None: no limit
    names: tuple[str, ...] | None = None  # of the columns

    @property
    def _points(self) -> Signed:
        return self._source

    @cached_property
    def padded(self) -> Width:
        """The widest plane of the padded points."""
        if not self.fit_intercept:
            return self.geometric
        self._check_same_points()
        with within(self._points, self.max_time, "padded"):
            found = widest(self._points, False, self._gap) or widest_exactly(self._points, False)
        return width_of(found, self._points.problem)

    @cached_property
    def radius2(self) -> tuple[Fraction, Fraction]:
        """(lower, upper) of R² = max |(x, 1)|²: equal unless very many rows are nearly as long as the longest."""
        self._check_same_points()
        with within(self._points, self.max_time, "radius") as clock:
            return radius2(self._points.problem, self._points.engine, clock)

    def certificate(self, file: Mapping[str, Any] | None = None) -> Certificate:
        """Return the proof that `save` writes: both margins and the radius, checked against the current points."""
        from novikoff.proof.verify import CertificateError, MalformedError

        try:
            proof = self._certificate(file)
            self._source.proves(proof.record())
        except MalformedError as error:
            raise InputError(
                f"certificate: too large for the checkers ({error}); use a larger gap: margin(gap=1e-9)"
            ) from None
        except CertificateError as error:
            raise InputError(f"the points were changed after margin ({error}); ask for margin again", "X") from None
        return proof

    def _certificate(self, file: Mapping[str, Any] | None) -> Certificate:
        """Return the certificate, not checked: of each margin a plane in integers, and weights of rows."""
        from novikoff.proof import certificate as write

        found = {"geometric": self.geometric._proved if self.fit_intercept else None, "padded": proof_of(self.padded)}
        directions: list[dict[str, Any]] = []
        margins: dict[str, Any] = {"geometric": None, "padded": None, "radius2": write.between(*self.radius2)}
        for name, proved in found.items():
            if proved is None:
                continue
            plane, common = write.vector(whole(proved.plane)), math.gcd(*proved.weights.values())
            if plane not in directions:
                directions.append(plane)
            against = write.against_other(self._points.problem.y[[*proved.weights]].tolist())
            mixture = write.weights(proved.weights, against, [m // common for m in proved.weights.values()])
            margins[name] = {"direction": directions.index(plane), "mixture": mixture}
            margins[name] |= write.between(proved.low2, proved.high2)
        model = write.labels_model(self._source.classes, self.fit_intercept)
        parts = {"directions": directions, "margins": margins}
        return write.certificate_of("complete", self._source.digest(), (self.n, self.d), model, file, **parts)

    def save(self, path: str | os.PathLike[str], file: Mapping[str, Any] | None = None) -> None:
        """Write the margins as a certificate that `novikoff.verify`, or its checker alone, can check against the data.

        Parameters
        ----------
        path : of the certificate
        file : `data.file` of the certificate, with `made_by`; None: the CSV file that `novikoff convert` writes
        """
        from novikoff.proof.certificate import check_path

        check_path(path)
        self.certificate(file).save(path)

    def _check_same_points(self) -> None:
        if not np.array_equal(self._points.floats(self.geometric.indices), self._touching):
            raise InputError("the points were changed after margin; read padded, radius and updates before", "X")

    @property
    def radius(self) -> float:
        """R, the length of the longest (x, 1); without a bias of the longest x."""
        return root_near(self.radius2[1])

    @property
    def shortest(self) -> Interval:
        """B = 1/γ: the length of the shortest (w, b) with y(w·x + b) ≥ 1 for every row (lower, upper)."""
        proved = proof_of(self.padded)
        return roots(1 / proved.high2, 1 / proved.low2)

    @property
    def mistake_bound(self) -> Interval:
        """(R/γ)² (lower, upper): a perceptron that starts at 0 makes no more mistakes, in any order."""
        proved = proof_of(self.padded)
        return below(self.radius2[0] / proved.high2), above(self.radius2[1] / proved.low2)

    def mistake_bound_from(self, w0: Sequence[Any], eta: Any = 1) -> int:
        """Return the largest number of mistakes that a perceptron from w0 with rate eta can make.

        The largest n with w⁰·u + nηγ ≤ √(|w⁰|² + nη²R²), u the unit vector of the widest padded plane.

        w0 : d numbers, and one for the bias where there is one
        """
        proved, start, rate = proof_of(self.padded), self._start(w0), _rate(eta)
        a = sum((p * q for p, q in zip(start, proved.plane, strict=True)), Fraction(0))
        w2 = sum(p * p for p in proved.plane)
        start2 = sum((p * p for p in start), Fraction(0))
        return most_updates(a, rate * proved.t, Fraction(w2), start2, rate * rate * self.radius2[1])

    @cached_property
    def _made(self) -> UpdateCount:
        return self.made_from([0] * len(proof_of(self.padded).plane))

    @property
    def updates(self) -> int:
        """The updates that a perceptron makes from 0, in cyclic order, on the current points; see `finished`."""
        return self._made.updates

    @property
    def finished(self) -> bool:
        """Whether the perceptron converged: it is stopped after a million updates, or some seconds of passes."""
        return self._made.finished

    def made_from(self, w0: Sequence[Any], eta: Any = 1) -> UpdateCount:
        """Count the updates that a perceptron makes from w0 with rate eta, in cyclic order, on the current points."""
        start = np.zeros(self.d + 1)
        given = [float(v) for v in self._start(w0)]
        start[: len(given)] = given
        rates = Rates(float(_rate(eta)), None, not start.any())
        problem = self._points.problem.ready(None, "cyclic")
        passes = min(MOST_PASSES, 1 + MOST_NUMBERS // max(problem.stored, 1))
        stops = Stops(passes, MOST_UPDATES, self.max_time, None)
        result = train(Run.begin(problem, Plan(Order("cyclic"), "last", stops, rates), start))
        if result.stop_reason == "interrupted":
            raise KeyboardInterrupt
        return UpdateCount(result.updates, result.stop_reason == "separated")

    def _start(self, w0: Sequence[Any]) -> list[Fraction]:
        D = self.d + self.fit_intercept
        try:
            start = [Fraction(v) if isinstance(v, Fraction) else Fraction(float(v)) for v in w0]
        except (TypeError, ValueError, OverflowError):
            raise InputError(f"w0: found {w0!r}; {D} finite numbers were expected") from None
        if len(start) != D:
            last = ", the bias last" if self.fit_intercept else ""
            raise InputError(f"w0: found {len(start)} numbers; {D} were expected{last}")
        return start

    @property
    def source(self) -> ProofPoints:
        """The points with their labels."""
        return self._source

    def to_dict(self, in_time: bool = True) -> dict[str, Any]:
        """Return plain values for JSON; rows are numbered from 0.

        in_time : whether to compute the padded margin, the bound and the updates; else None stands for what is missing
        """
        from novikoff.separate.obstruction import plain_label

        sides = [None if c is None else plain_label(c) for c in self.source.classes]
        info = {"separable": True, "n": self.n, "d": self.d, "bias": self.fit_intercept, "classes": sides}
        info["geometric"] = width_values(self.geometric)
        if not in_time:
            padded = vars(self).get("padded")  # found, or not computed again
            info["padded"] = None if padded is None else width_values(padded)
            return info | dict.fromkeys(("radius", "radius2", "shortest", "mistake_bound", "updates", "finished"))
        low, high = self.radius2
        info |= {"padded": width_values(self.padded), "radius": self.radius}
        info |= {"radius2": str(high) if low == high else None, "shortest": json_interval(self.shortest)}
        info |= {"mistake_bound": json_interval(self.mistake_bound), "updates": self.updates}
        return info | {"finished": self.finished}

    def __str__(self) -> str:
        """Return what `novikoff margin` prints; points are numbered from 1."""
        try:
            in_time = bool(self.padded and self.radius2)
        except UndecidedError:
            in_time = False
        return "\n".join(in_words(self.to_dict(in_time), self.names))

    def _repr_html_(self) -> str:
        """Return the margins and the bound for a notebook, with a picture for two features."""
        from novikoff.pages.displays import margin_display

        return margin_display(self)

    def __repr__(self) -> str:
        gamma = ends_in_words(self.geometric.gamma, joint="…")
        return f"Margin(geometric {gamma}, {self.geometric.touching.size} points touch)"


def margin(
    X: Points,
    y: Labels | None = None,
    fit_intercept: bool = True,
    engine: Engine | None = None,
    gap: float | None = None,
    max_time: float | None = None,
    positive: Label | None = None,
) -> Margin:
    """Compute the widest planes of separable points, their margins, and the mistake bound, each between proved bounds.

    padded  γ = max min_i y_i(w·x_i + b)/|(w, b)|      geometric  max min_i y_i(w·x_i + b)/|w|      R = max |(x_i, 1)|

    Parameters
    ----------
    X, y : points (n, d) in any storage, and their labels of two classes (of one class the geometric margin is inf)
    fit_intercept : whether the plane may miss the origin
    engine : how the rows are scanned, as in `novikoff.engine("threads")`; None: serially. No result depends on it
    gap : relative width of an interval of γ that is narrow enough; None: exact if at most 64 vertices determine the
        plane, else as narrow as floats allow (mostly 1e-9 to 1e-13)
    max_time : seconds; an interval that is proved by then is the result, even if it is not exact. Properties of the
        result may each take as long again
    positive : the class on which the plane is above 0, as of `decide`

    Raises
    ------
    NotSeparableError : no plane separates the points; its `verdict` has the proof
    UndecidedError : no interval was proved within `max_time`

    Examples
    --------
    >>> import novikoff as nv
    >>> m = nv.margin([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 1])
    >>> m.padded.gamma2, m.geometric.gamma2, m.mistake_bound, m.updates
    (Fraction(1, 9), Fraction(1, 8), (27.0, 27.0), 9)
    """
    argument_checks.truth("fit_intercept", fit_intercept)
    if gap is not None:
        argument_checks.positive("gap", gap)
    if max_time is not None:
        argument_checks.positive("max_time", max_time)
    names = X.names if isinstance(X, Labelled) else names_for_people(X)
    points = source = ProofPoints.of(X, y, bool(fit_intercept), engine_of(engine), positive)
    surveyed(points)
    two, d = bool(points.pad), points.problem.d
    with within(points, max_time, "geometric") as clock:
        if two and points.problem.only_sign is not None:
            found = endless_width(d)
        else:
            found = width_of(proved(points, two, X, y, gap, clock, positive), points.problem)
    touching = points.floats(found.indices)
    return Margin(found, points.n, d, bool(fit_intercept), gap, touching, source, max_time, names)


@contextmanager
def within(points: Signed, max_time: float | None, question: str) -> Iterator[Clock]:
    """Limit the time of a block, checked between partitions and rounds of the search; then raise UndecidedError."""
    clock = Clock(max_time)
    try:
        with points.watched(clock):
            yield clock
    except TimeIsUpError:
        raise UndecidedError(
            f"margin: {question} was not found within max_time, {max_time:g} seconds; undecided; allow more time"
        ) from None


def signed_points(X: Any, y: Any, fit_intercept: bool, positive: Any = None) -> Signed:
    """Return the signed rows, checked, with scores in binary64."""
    return surveyed(ProofPoints.of(X, y, fit_intercept, positive=positive))


def surveyed(points: Signed) -> Signed:
    """Return the same points, with scores in binary64, after checking every row."""
    points.judge = Scorer(points.problem, filtered=False)
    points.survey()
    return points


def proved(
    points: Signed, two: bool, X: Any, y: Any, gap: float | None, clock: Clock | None = None, positive: Any = None
) -> ProvedMargin:
    """Return the widest plane; raise NotSeparableError if there is none."""
    found = widest(points, two, gap)
    if found is not None:
        return found
    left = None if clock is None else clock.max_time
    verdict: Any = decide(X, y, fit_intercept=bool(points.pad), max_time=left, engine=points.engine, positive=positive)
    if verdict.separable is None:
        raise TimeIsUpError
    if not verdict:
        shown = ", ".join(str(verdict.place(i)) for i in verdict.support[:8]) + (
            "" if len(verdict.support) <= 8 else ", …"
        )
        raise NotSeparableError(
            f"X, y: no {plane_of(verdict.fit_intercept)} separates the points: with their signs and positive weights "
            f"(in the error's `verdict`), {len(verdict.support)} points (row {shown}) sum to zero; "
            "Perceptron(keep='pocket') finds a plane with few errors",
            verdict,
        )
    return widest_exactly(points, two)


def _rate(eta: Any) -> Fraction:
    try:
        rate = eta if isinstance(eta, Fraction) else Fraction(float(eta))
    except (TypeError, ValueError, OverflowError):
        rate = Fraction(0)
    if rate <= 0:
        raise InputError(f"eta: found {eta!r}; a finite number above 0 was expected")
    return rate
