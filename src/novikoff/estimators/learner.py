"""Train a perceptron: from points and labels to planes, in passes (`fit`) or row by row (`partial_fit`).

From the notes: T3 C6 Z6 (the algorithm), Z1 (training apart from prediction), R2 (a stream). There is one way to the
line that changes w: `fit`, `train`, a pass. The command line uses this class; `novikoff.Perceptron` adds what
scikit-learn expects of an estimator.
"""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from novikoff.arguments.argument_checks import seed_of
from novikoff.arguments.signature_types import Labels, Points
from novikoff.arguments.unknown_arguments import known_arguments
from novikoff.data.column_names import columns_of
from novikoff.data.dask_rows import is_dask
from novikoff.data.frames import is_frame
from novikoff.data.labelled_points import unpacked
from novikoff.data.labels import WITHOUT_LABELS, labels_of, sorted_by_class
from novikoff.data.plain_files import plane_of
from novikoff.data.problem import Problem, problem_of, unlabelled
from novikoff.data.row_numbers import origin_of
from novikoff.engines.engine import engine_of
from novikoff.errors import InputError
from novikoff.estimators.decide_in_training import DecideInTraining, automatic_scheme
from novikoff.estimators.fit_arguments import factors_of, named_classes, start_of, valid_points
from novikoff.estimators.fitted import Trained
from novikoff.estimators.messages import LongRun, NotSeparated, PassReport, report_stream, warn_of, warn_of_margin
from novikoff.estimators.new_rows import keep_preparation, preparation_of, prepared_rows
from novikoff.estimators.parameter_checks import where_it_can
from novikoff.estimators.parameter_table import FIXED_BY_A_RUN, FREE_IN_A_RUN
from novikoff.estimators.stream import Stream
from novikoff.maxmargin.mistake_bound import bound_of
from novikoff.perceptron.checkpoint import Checkpoints, identity_of
from novikoff.perceptron.keeps import hold_out
from novikoff.perceptron.mixing import MixedRun, in_partitions, mixing_table
from novikoff.perceptron.observer import Observer
from novikoff.perceptron.orders import Order
from novikoff.perceptron.plan import Plan, Rates
from novikoff.perceptron.result import Result
from novikoff.perceptron.run import Run
from novikoff.perceptron.schedules import schedule_of
from novikoff.perceptron.scheme import Scheme
from novikoff.perceptron.stops import Stops
from novikoff.perceptron.train import train


class PointsToFit(NamedTuple):
    """What a run learns from: points, their classes, and the planes of these."""

    given: Points  # X as it was given
    problem: Problem
    classes: np.ndarray
    scheme: Scheme
    seed: int
    valid: Problem | None  # the validation points
    kept: np.ndarray | None  # the mask of the training rows; None for all

    def name(self, plane: int) -> Any:
        """Return the key of a plane in `verdict_` of many classes: its class, or its pair of classes."""
        positive, negative = self.scheme.pairs[plane]
        classes = self.classes.tolist()
        return classes[positive] if negative < 0 else (classes[negative], classes[positive])


class Learner(Trained):
    """A perceptron without scikit-learn; parameters and attributes are those of `novikoff.Perceptron`."""

    _warning: type[Warning] = NotSeparated

    @known_arguments
    def fit(
        self,
        X: Points,
        y: Labels | None = None,
        X_valid: Points | None = None,
        y_valid: Labels | None = None,
        coef_init: ArrayLike | None = None,
        intercept_init: ArrayLike | None = None,
        *,
        checkpoint: str | os.PathLike[str] | None = None,
        resume: bool = False,
        observer: Observer | None = None,
    ) -> Self:
        """Train on points X (n, d), dense or sparse, with labels y of two or more classes; or on points of `read`.

        After Ctrl-C the weights so far are stored (`stop_reason_` "interrupted"), then KeyboardInterrupt is raised.

        Parameters
        ----------
        X_valid, y_valid : points to choose the weights on, instead of a split
        coef_init (planes, d), intercept_init (planes,) : the start w⁰, b⁰; zero if not given
        checkpoint : a folder to which the state of the run is written, so that it can be resumed
        resume : resume from the checkpoint, if there is one: the model is the same, bit for bit, as without the
            interruption. Other points or parameters (but max_time, verbose, tie) raise an error
        observer : an object whose methods are called during the run, of a subclass of
            `novikoff.perceptron.observer.Observer`
        """
        if not isinstance(observer, Observer | None):
            raise InputError(f"observer: found {observer!r}; an object of a subclass of Observer was expected, or None")
        self.check_parameters()
        if y is None and is_frame(X):
            raise InputError(f"{WITHOUT_LABELS}; novikoff.auto(df, label='column') takes them from the frame", "y")
        given, named, (X, y) = X, columns_of(X_valid), unpacked(X, y)
        if named is not None and columns_of(given) not in (None, named):
            raise InputError(f"X_valid: columns {named}; those of X were expected, {columns_of(given)}")
        if is_dask(X) and not self.mix:
            raise InputError(
                "found a dask collection, which fit trains on only with mix=True (parameter mixing); without it "
                "training is sequential: pass X.compute() and y.compute()",
                "X",
            )
        X_valid, y_valid = unpacked(X_valid, y_valid, "y_valid")
        store = self._checkpoints(checkpoint, bool(resume))
        points = self._points_to_fit(given, X, y, X_valid, y_valid, store)
        run = self._begin(points, coef_init, intercept_init, store)
        reports = [PassReport()] if self.verbose else [LongRun()] if observer is None else []
        result = train(run, [one for one in (*reports, store, observer) if one is not None])
        with np.errstate(over="ignore", invalid="ignore"):
            if not np.isfinite(result.w).all() or not np.isfinite(result.b).all():
                raise InputError(f"{self.eta0!r} makes the weights too large for binary64; use a smaller one", "eta0")
        self.mistake_bound_ = None
        if self.known_margin is not None:
            self.mistake_bound_ = bound_of(run.radius2(), self.known_margin, run.bound_factor)
        problem = run.scorer.problem
        self._take_columns(points.given, problem.d)
        self._take(result, points.classes, points.scheme.name, run.plan.order.seed, None if self.mix else points.kept)
        if not points.scheme.is_binary and result.verdicts:
            self.verdict_ = {points.name(plane): verdict for plane, verdict in result.verdicts.items()}
        in_classes = run.order.name == "cyclic" and sorted_by_class(problem.y)
        plane, batch = plane_of(self.fit_intercept), run.order.is_batch
        warn_of(result, problem.n, len(self.classes_), in_classes, self._warning, plane)
        made = int(result.mistakes.sum()) if batch else result.updates
        formula = f"{'n·' if batch else 'P·' if self.mix else ''}(R/γ)²"
        warn_of_margin(made, self.mistake_bound_, self.known_margin, self._warning, plane, result, formula)
        if run.pressed:
            raise KeyboardInterrupt  # what was learned is stored
        return self

    def _points_to_fit(
        self, given: Points, X: Any, y: Any, X_valid: Any, y_valid: Any, store: Checkpoints | None
    ) -> PointsToFit:
        """Return the training and validation points, and the planes of their classes."""
        problem, classes = problem_of(X, self._labels(y), fit_intercept=self.fit_intercept, many=True)
        problem = replace(problem, origin=origin_of(given))
        self._check_for_many(len(classes), X_valid is not None)
        if (X_valid is None) != (y_valid is None):
            raise InputError("X_valid and y_valid: one was given without the other; give both or neither")
        problem = problem if self.mix else problem.ready(self.max_iter, self.order)
        name = self.multi_class
        if name == "auto":  # a warm start keeps the scheme of the fit before
            name = self.multi_class_ if self._is_warm() else automatic_scheme(problem, len(classes), self.engine)
        chosen = 0 if self.random_state is None and self.order == "auto" else self.random_state
        seed = store.seed if store and store.seed is not None else seed_of(chosen)
        valid = kept = None
        if X_valid is not None:
            valid = valid_points(X_valid, y_valid, classes, problem)
        elif self.early_stopping:
            kept = hold_out(problem.y, float(self.validation_fraction), seed)
            problem, valid = problem.part(kept), problem.part(~kept)
        return PointsToFit(given, problem, classes, Scheme(name, len(classes), self.ovo), seed, valid, kept)

    def _begin(self, points: PointsToFit, coef: Any, intercept: Any, store: Checkpoints | None) -> Run:
        """Return a new or resumed run from these weights (zero if not given)."""
        problem, scheme, valid = points.problem, points.scheme, points.valid
        if coef is None and intercept is None and self._is_warm():
            coef, intercept = self._weights_before(points)
        start = start_of(coef, intercept, scheme.planes, problem.d, self.fit_intercept)
        self._check_start_at_zero(start)
        patience = None if valid is None else self.valid_patience
        stops = Stops(self.max_iter, self.max_updates, self.max_time, self.train_patience, patience)
        plan = self._plan(Order(self.order, points.seed), stops, start, problem.n if self.order == "batch" else 1,
                          factors=factors_of(self.class_weight, points.classes, problem.y),
                          draw_seed=0 if self.random_state is None else points.seed)  # fmt: skip
        if self.mix:
            table = mixing_table(problem.n, self.partitions)
            cut = in_partitions(problem, len(table))
            run: Run = MixedRun.begin_mixed(cut, plan, start, valid, scheme, engine_of(self.engine), table)
        else:
            run = Run.begin(problem, plan, start, valid, scheme)
        if not self.mix and valid is None and not scheme.is_joint:
            run.questions.decider = DecideInTraining(scheme, points.classes.tolist(), self.engine)
        if store:
            own = {n: value for n, value in self._parameters().items() if n not in FREE_IN_A_RUN}
            store.resume_run(run, identity_of(own, problem, points.classes, valid, start))
        return run

    def _checkpoints(self, folder: str | os.PathLike[str] | None, resume: bool) -> Checkpoints | None:
        """Return what writes checkpoints of the run; None without a folder."""
        if folder is None:
            if resume:
                raise InputError("no checkpoint was given; set checkpoint to the folder of the checkpoints", "resume")
            return None
        if self.mix or self.keep == "vote":
            what = "mix=True" if self.mix else "keep='vote'"
            raise InputError(f"runs with {what} have no checkpoints; train without one", "checkpoint")
        return Checkpoints(folder, resume)

    @where_it_can
    @known_arguments
    def partial_fit(
        self, X: Points, y: Labels | None = None, classes: ArrayLike | None = None, *, grow: bool = False
    ) -> Self:
        """Learn from each of these rows once, in their order: a stream, in chunks of any size.

        The model is the same, bit for bit, for any division into chunks. If all classes are named, it is that of one
        pass of `fit` with keep "last" or "average"; the pocket of a stream is the w with the longest run of correct
        looks, as errors cannot be counted. A bad row or label leaves the model unchanged. After `fit`, and on a loaded
        model, it begins a stream from the returned weights; raw rows (a data frame, dictionaries, texts) are prepared
        as the rows before.

        classes : all classes, named at the first call; without it a class is added at its first row
        grow : whether sparse rows may have more or fewer columns than those before: the model is then the same, bit
            for bit, as if the number of columns had been known at the start
        """
        self.check_parameters()
        given, (X, y), prep, ready = X, unpacked(X, y), preparation_of(self), prepared_rows(self, X)
        rows = X if ready is None else ready
        points, labels = unlabelled(rows, fit_intercept=self.fit_intercept), np.asarray(self._labels(y))
        if points.n != labels.size:
            raise InputError(f"X and y: {points.n} rows and {labels.size} labels; give one label for each row")
        first = not hasattr(self, "coef_")
        if grow:
            if not points.sparse or hasattr(self, "feature_names_in_") or columns_of(given) is not None:
                raise InputError(
                    "grow: found dense rows, or columns with names; sparse rows without names were expected"
                )
            points = replace(points, d=max(points.d, getattr(self, "n_features_in_", 0)))
        elif not first and ready is None:
            self._check_columns(given, points.d)
        stream = self._stream
        if stream is None:
            stream = self._new_stream(None if classes is None else named_classes(classes))
        else:
            self._check_same_choices()
            if classes is not None and np.unique(classes).tolist() != stream.classes.tolist():
                raise InputError(
                    f"classes: found {np.unique(classes).tolist()}, but the stream began with "
                    f"{stream.classes.tolist()}; name them at the first call only"
                )
        info = len(stream.history["looks"])
        pressed = stream.learn(points, labels, self._check_for_many)
        if first:
            self._take_columns(given, points.d)
        self.n_features_in_ = points.d
        self._take(stream.result(points.d), stream.classes, stream.scheme, 0, None)
        self._stream, self.mistake_bound_ = stream, stream.mistake_bound
        keep_preparation(self, prep)
        plane = plane_of(self.fit_intercept)
        warn_of_margin(int(self.n_mistakes_.sum()), self.mistake_bound_, self.known_margin, self._warning, plane)
        if self.verbose and len(stream.history["looks"]) > info:
            report_stream({name: column[-1] for name, column in stream.history.items()})
        if pressed:
            self.stop_reason_ = "interrupted"
            raise KeyboardInterrupt  # every row of the chunk was shown
        return self

    def _new_stream(self, named: np.ndarray | None) -> Stream:
        """Return a stream from the weights so far, of these classes; None: of those so far, or as they come."""
        if named is not None and named.size < 2:
            raise InputError(f"classes: found {named.tolist()}; at least two classes were expected")
        start, classes = None, np.zeros(0) if named is None else named
        scheme = "ova" if self.multi_class == "auto" else self.multi_class
        if hasattr(self, "coef_"):
            if named is not None and named.tolist() != self.classes_.tolist():
                raise InputError(
                    f"classes: found {named.tolist()}, but fit had {self.classes_.tolist()}; use a new estimator"
                )
            start, classes, scheme = np.column_stack([self.coef_, self.intercept_]), self.classes_, self.multi_class_
            self._check_start_at_zero(start)
        weights = None if isinstance(self.class_weight, str) else self.class_weight
        if classes.size:
            factors_of(weights, classes, classes)
        plan = self._plan(Order("cyclic"), Stops(None, None, None, None), start, once=True)
        return Stream(plan, scheme, classes, classes.size > 0, weights, start, self.known_margin,
                      mistakes=np.zeros(classes.size, np.int64))  # fmt: skip

    def _check_start_at_zero(self, start: np.ndarray) -> None:
        if self.known_margin is not None and start.any():
            raise InputError(
                f"{self.known_margin!r}, but the bound (R/γ)² is for a start at 0; "
                "begin with a new estimator, without coef_init and intercept_init, or leave out known_margin",
                "known_margin",
            )

    def _check_same_choices(self) -> None:
        for name, was in self._chosen.items():
            if getattr(self, name) != was:
                raise InputError(
                    f"partial_fit: {name} is {getattr(self, name)!r} now and was {was!r} in the calls before; "
                    "leave it as it was, or use a new estimator"
                )

    def _plan(self, order: Order, stops: Stops, start: np.ndarray | None, rows: int = 1, **more: Any) -> Plan:
        """Return the plan of a run that starts with these planes (None: zero); rows: by which steps are divided."""
        from_zero = self.rule == "perceptron" and (start is None or not start.any())
        rates = Rates(float(self.eta0), schedule_of(self.schedule), from_zero, rows)
        return Plan(order, self.keep, stops, rates, rule=self.rule, threshold=float(self.threshold), C=float(self.C),
                    **more)  # fmt: skip

    def _labels(self, y: Any) -> Any:
        return labels_of(y)

    def _is_warm(self) -> bool:
        return self.warm_start and hasattr(self, "coef_")

    def _weights_before(self, points: PointsToFit) -> tuple[np.ndarray, np.ndarray | None]:
        """Return the weights of the last fit for a warm start; raise InputError if points or planes differ."""
        before, now = (self.coef_.shape, self.classes_.tolist()), (
            (points.scheme.planes, points.problem.d), points.classes.tolist()
        )  # fmt: skip
        if before != now:
            (planes, d), classes = before
            raise InputError(
                f"warm_start: the last fit had {planes} × {d} weights and classes {classes}, "
                f"now {now[0][0]} × {now[0][1]} and {now[1]}; use a new estimator"
            )
        self._check_columns(points.given, points.problem.d)
        return self.coef_, self.intercept_ if self.fit_intercept else None

    def _take(self, result: Result, classes: np.ndarray, scheme: str, seed: int, kept: np.ndarray | None) -> None:
        self.classes_, self.multi_class_ = classes, scheme
        self.coef_ = np.atleast_2d(result.w)
        self.intercept_ = np.atleast_1d(result.b)
        self.stop_reason_ = result.stop_reason
        self.n_iter_, self.n_updates_, self.n_looks_ = result.passes, result.updates, result.looks
        self.n_mistakes_ = _spread(result.mistakes, kept)
        self.cycle_counts_ = None if result.cycle_counts is None else _spread(result.cycle_counts, kept)
        self.random_from_ = result.random_from
        self.order_, self.partition_rows_ = result.order, result.partition_rows
        self.verdict_ = result.verdict
        self.history_ = result.history
        self.seed_ = seed
        self._voters = result.voters
        self._with_bias = bool(self.fit_intercept)
        self._chosen = {name: getattr(self, name) for name in FIXED_BY_A_RUN}
        self._plane, self._scale = np.atleast_2d(result.plane), result.scale
        self._stream = None


def _spread(counts: np.ndarray, kept: np.ndarray | None) -> np.ndarray:
    """Convert counts per training row to counts per given row."""
    if kept is None:
        return counts
    full = np.zeros(kept.size, np.int64)
    full[kept] = counts
    return full
