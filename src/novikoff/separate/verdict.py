"""The answer of `decide`, with its proof."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from novikoff.data.format_numbers import by_what, count
from novikoff.data.plain_files import plane_of
from novikoff.errors import InputError, UndecidedError
from novikoff.exact.deadline import Clock, TimeIsUpError
from novikoff.separate.facial_reduction import COMPLETE, OVERLAP, Kind, kind_of_points
from novikoff.separate.proof_points import ProofPoints
from novikoff.separate.relation import Relation
from novikoff.separate.wolfe import Circuit

if TYPE_CHECKING:
    from novikoff.proof.certificate import Certificate
    from novikoff.separate.obstruction import Obstruction

UNDECIDED, NOT_SEPARABLE = "undecided", "not separable"
FEW = 64  # rows of a proof whose weights are computed for a sentence
WIDEST = 4000  # columns for which the kind is sought: it takes a matrix of as many rows


@dataclass(eq=False)
class Verdict:
    """Whether a plane separates the points, with a proof.

    separable: ⟨(w, b), (x, 1)⟩ > 0 on the positive class, `classes[1]`, and < 0 on the other, in integers.
    not separable: Σ weights_i·y_i·(x_i, 1) = 0 over the rows `support`, all weights positive integers.

    Rows are numbered from 0 as in the user's file or frame, also where rows were left out of it or the verdict is about
    some of its rows; `indices` are the same rows as `support`, counted among the given points: X[v.indices].

    The weights, the kind, and the rows and weights of its proof, `held`, are computed when first used, from the points
    as they are then. Each may take `max_time` seconds; then UndecidedError is raised, and the verdict stays as it is.
    To allow more time, set `verdict.max_time = 60` and use the property again.
    """

    separable: bool | None  # None: undecided
    n: int
    d: int
    fit_intercept: bool
    rows_read: int
    how: str  # the method that decided
    indices: tuple[int, ...] = ()  # of the rows of `support` among the points
    max_time: float | None = None  # seconds for each property; None: no limit
    _relation: Relation | None = field(default=None, repr=False)
    _plane: tuple[int, ...] | None = field(default=None, repr=False)
    _kind: Kind | None = field(default=None, repr=False)
    _source: ProofPoints | None = field(default=None, repr=False)
    _info: tuple[tuple[Any, Any], tuple[int, ...], dict[int, int | str]] | None = field(default=None, repr=False)

    def __bool__(self) -> bool:
        if self.separable is None:
            raise UndecidedError(f"decide: {self.how}; undecided. Allow more time with max_time")
        return self.separable

    @property
    def kind(self) -> str:
        """`complete` (separable), `quasi-complete`, `overlap`, or `undecided`."""
        return UNDECIDED if self.separable is None else self._three_way().kind

    @property
    def w(self) -> tuple[int, ...] | None:
        """The plane's weights, integers; for quasi-complete points, of a plane that separates every row that can be."""
        plane = None if self.separable is None else self._three_way().w
        return None if plane is None else tuple(plane[: self.d])

    @property
    def b(self) -> int | None:
        """The plane's bias, an integer; 0 without one."""
        plane = None if self.separable is None else self._three_way().w
        return None if plane is None else plane[self.d] if self.fit_intercept else 0

    @property
    def support(self) -> tuple[int, ...]:
        """The rows of the proof that no plane separates the points, by their numbers in the user's file or frame."""
        if self._info is not None:
            return self._info[1]
        return tuple(self._numbers(self.indices).tolist())

    @property
    def weights(self) -> tuple[int, ...]:
        """Positive integers, one for each row of `support`."""
        if self._relation is None:
            return ()
        found: tuple[int, ...] = self._within("weights", self._relation.weights)
        return found

    @property
    def separated(self) -> np.ndarray:
        """The numbers (from 0) of the rows that some plane separates while none is on its wrong side."""
        return self._numbers(self.separated_indices)

    @property
    def separated_indices(self) -> np.ndarray:
        """The rows of `separated`, counted among the given points."""
        return self._three_way().separated

    @property
    def held(self) -> tuple[int, ...]:
        """Rows that with `held_weights` sum to zero and span every row not separated."""
        return self.support if self.held_indices == self.indices else tuple(self._numbers(self.held_indices).tolist())

    @property
    def held_indices(self) -> tuple[int, ...]:
        """The rows of `held`, counted among the given points."""
        return tuple(self._three_way().held)

    @property
    def held_weights(self) -> tuple[int, ...]:
        """Positive integers, one for each row of `held`."""
        found = self._three_way().weights
        return self.weights if found is None else tuple(found)

    @property
    def weights_known(self) -> bool:
        """Whether the weights are computed already."""
        return self._relation is not None and self._relation.known

    @property
    def weights_bytes(self) -> int | None:
        """Estimate of the size of a certificate whose weights are not computed, if that is too large for checkers."""
        from novikoff.proof.verify import LARGEST_FILE

        if self._relation is None or self._relation.known:
            return None
        size = self._relation.digits
        return size if size > LARGEST_FILE else None

    @property
    def classes(self) -> tuple[Any, Any]:
        """The labels of the negative and the positive side; None for one that does not occur."""
        return self._info[0] if self._info is not None else self.check_source("classes").classes

    def place(self, row: int) -> int | str:
        """Return how a message refers to the row with this number: counted from 1, or [its name] in a frame's index."""
        if self._info is not None and row in self._info[2]:
            return self._info[2][row]
        return self.check_source("place").problem.called(row)

    def alone(self) -> Verdict:
        """Return the verdict without its points; classes and the places of the support's rows stay known."""
        places = {row: self.place(row) for row in self.support}
        return replace(self, _source=None, _info=(self.classes, self.support, places))

    @cached_property
    def obstruction(self) -> Obstruction | None:
        """Where the hulls of the two classes meet; None if a plane separates the points."""
        from novikoff.separate.obstruction import obstruction

        return None if self else obstruction(self, self.check_source("obstruction"))

    def explain(
        self,
        names: Sequence[str] | None = None,
        place: Callable[[int], int | str] | None = None,
        weights: bool = True,
    ) -> str:
        """Return the answer and its proof as text; points are numbered from 1.

        names: of the columns. place: how to refer to the row with this number, if not as `place` does. weights: whether
        to compute them where an interval proof has none.
        """
        from novikoff.separate.explanation import explained

        return explained(self, self.check_source("explain"), names, place, weights)

    def save(self, path: str | os.PathLike[str], file: Mapping[str, Any] | None = None) -> None:
        """Write the proof as a certificate that `novikoff.verify`, or its checker alone, can check against the data.

        The digest is that of the points as they are now, and the proof is checked against them before it is written.
        The weights are computed where the proof is by intervals.

        Parameters
        ----------
        path : of the certificate
        file : `data.file` of the certificate, with `made_by`; None: the CSV file that `novikoff convert` writes
        """
        from novikoff.proof.certificate import check_path

        check_path(path)
        self.certificate(file).save(path)

    def certificate(self, file: Mapping[str, Any] | None = None) -> Certificate:
        """Return the certificate that `save` writes: the plane, the relation, and the rows that prove the kind."""
        from novikoff.proof import certificate as write
        from novikoff.proof.verify import LARGEST_FILE, CertificateError

        self.__bool__()
        source, size = self.check_source("certificate"), self.weights_bytes
        if size is not None:
            raise InputError(
                f"proof: no {plane_of(self.fit_intercept)} separates the points, by an interval proof, which cannot be "
                f"saved: with weights it would have about {size:,} bytes, and checkers read {LARGEST_FILE:,}; to "
                "compute the weights all the same use proof='rational'"
            )

        def weights(rows: Sequence[int], values: Sequence[int]) -> dict[str, Any]:
            signs = source.problem.y[np.asarray(rows, np.int64)].tolist()
            return write.weights(rows, write.against_other(signs), values)

        try:
            claim, sections = self.kind_in_time(), dict[str, Any]()
            known = None if claim == NOT_SEPARABLE else self._three_way()
            planes = [] if known is None or known.w is None else [known.w]
            sections["directions"] = [write.vector(plane) for plane in planes]
            if not self.separable and (known is None or known.weights is not None or not known.held):
                sections["strict"] = weights(self.indices, self.weights)
            if known is not None and claim != COMPLETE:
                sections["zero_sum"] = weights(known.held, self.held_weights)
                rows = source.whole(known.held)[0] if known.held else []
                sections["complement"] = write.complement(rows, planes, range(source.D))
            model = write.labels_model(source.classes, self.fit_intercept)
            made = write.certificate_of(claim, source.digest(), (self.n, self.d), model, file, **sections)
            source.proves(made.record())
        except CertificateError as error:
            raise InputError(
                f"X: the points were changed after decide ({error}); decide again, and save then"
            ) from None
        return made

    def check(self, X: Any, y: Any) -> bool:
        """Return whether the proof holds for these points, with exact signs and sums."""
        self.__bool__()
        known = self._source is not None or self._info is not None
        positive = self.classes[1] if known else None
        points = ProofPoints.of(X, y, self.fit_intercept, positive=positive)
        if (points.n, points.D) != (self.n, self.d + self.fit_intercept):
            return False
        if self.separable:
            return not points.violators(self._plane or (), 0)[0]
        relation, rows = self._relation, points.floats(self.indices)
        return relation is not None and self._within("check", lambda clock: relation.holds(rows, clock))

    @property
    def has_points(self) -> bool:
        """Whether the verdict stores its points; the verdict of a run (`verdict_`) does not."""
        return self._source is not None

    def with_points(self, X: Any, y: Any = None) -> Verdict:
        """Return the verdict of a run (`verdict_`) with its points, to explain and save it; InputError for others.

        For a class against the others, y says whether each row is of this class.
        """
        if not self.check(X, y):
            raise InputError("X, y: found points for which this proof does not hold; expected those of the verdict")
        source = ProofPoints.of(X, y, self.fit_intercept, positive=self.classes[1])
        return replace(self, _source=source, _info=None)

    @property
    def _spans(self) -> bool:
        """Whether the proof of "not separable" proves overlap, too."""
        return self._relation is not None and self._relation.spans

    def kind_in_time(self) -> str:
        """Return the kind, or `not separable` if it is not found in time."""
        try:
            return self.kind
        except UndecidedError:
            return NOT_SEPARABLE

    def _three_way(self) -> Kind:
        if self._kind is None:
            if self:
                self._kind = Kind(COMPLETE, list(self._plane or ()), np.arange(self.n), [], [])
            elif self._spans:
                self._kind = Kind(OVERLAP, None, np.zeros(0, np.int64), list(self.indices), None)
            else:
                self._kind = self._within("kind", self._staged)
        return self._kind

    def _staged(self, clock: Clock) -> Kind:
        relation, points = self._relation, self.check_source("kind")
        if relation is None or not np.array_equal(points.floats(self.indices), relation.Z):
            raise InputError("X: the points were changed after decide; ask for kind before changing them")
        if points.D > WIDEST:
            raise UndecidedError(
                f"kind: not computed for more than {WIDEST:,} columns; these points have {points.D:,} (it is proved "
                f"that no {plane_of(self.fit_intercept)} separates them)"
            )
        return kind_of_points(points, Circuit(list(self.indices), list(relation.weights(clock))), clock)

    def _within(self, question: str, answer: Callable[[Clock], Any]) -> Any:
        """Return an answer, or raise UndecidedError when the time for it is over."""
        try:
            return answer(Clock(self.max_time))
        except TimeIsUpError:
            raise UndecidedError(
                f"{question}: not found within max_time, {self.max_time:g} seconds (it is settled that no "
                f"{plane_of(self.fit_intercept)} separates the points); increase the max_time of the verdict, or set "
                "it to None, and try again"
            ) from None

    def _numbers(self, indices: Any) -> np.ndarray:
        """Return the user's row numbers of some of the points."""
        rows = np.asarray(indices, np.int64)
        return rows if self._source is None else np.asarray(self._source.problem.numbers(rows))

    def check_source(self, question: str) -> ProofPoints:
        if self._source is None:
            raise InputError(f"{question}: this verdict does not store its points; use with_points(X, y)")
        return self._source

    def _repr_html_(self) -> str:
        """Return the verdict and its proof for a notebook, with a picture for two features."""
        from novikoff.pages.displays import verdict_display

        return verdict_display(self)

    @property
    def _by(self) -> str:
        return by_what(self.fit_intercept)

    def __repr__(self) -> str:
        if self.separable is None:
            return f"Verdict(undecided: {self.how})"
        rows = len(self.indices)
        proof = f"{count(rows, 'row')} {'proves' if rows == 1 else 'prove'} it"
        word = f"separable{self._by}" if self.separable else f"not separable{self._by}, {proof}"
        return f"Verdict({word}; {self.how})"

    def __str__(self) -> str:
        """Return one sentence, from what is known already; the weights of few rows are computed."""
        what = f"{count(self.n, 'point')} of {count(self.d, 'number')}"
        if self.separable is None:
            return f"undecided: {what}; {self.how}"
        if self.separable:
            return (
                f"separable: a {plane_of(self.fit_intercept)} has each of {what} strictly on its own side ({self.how})"
            )
        if len(self.indices) <= FEW:
            with suppress(UndecidedError):
                _ = self.weights
        kind = f"{OVERLAP}, " if self._spans else f"{self._kind.kind}, " if self._kind else ""
        if self._relation is not None and not self._relation.known:
            return (
                f"not separable{self._by}: {kind}proved by intervals on {len(self.indices):,} of {what} ({self.how}): "
                "positive weights exist with which they sum to zero; `weights` computes them"
            )
        ask = "explain()" if self._source is not None else "with_points(X, y).explain()"
        return f"not separable{self._by}: {kind}proved by {len(self.indices):,} of {what} ({self.how}); {ask} says why"
