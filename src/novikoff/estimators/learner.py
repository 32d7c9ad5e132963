"""Train a perceptron: from points and labels to planes, in passes (`fit`) or row by row (`partial_fit`).

From the notes: T3 C6 Z6 (the algorithm), Z1 (training apart from prediction), R2 (a stream). There is one way to the
line that changes w: `fit`, `train`, a pass. The command line uses this class; `novikoff.Perceptron` adds what
scikit-learn expects of an estimator.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from novikoff.arguments.argument_checks import seed_of
from novikoff.arguments.signature_types import Labels, Points
from novikoff.arguments.unknown_arguments import known_arguments
from novikoff.data.column_names import columns_of
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
from novikoff.estimators.parameter_table import FIXED_BY_A_RUN, FREE_IN_A_RUN, MIXING
from novikoff.estimators.stream import Stream
from novikoff.maxmargin.mistake_bound import bound_of
from novikoff.perceptron.checkpoint import Checkpoints, identity_of
from novikoff.perceptron.keeps.validation import hold_out
from novikoff.perceptron.mixing import MixedRun, in_partitions, mixing_table
from novikoff.perceptron.observer import Observer
from novikoff.perceptron.orders import Order
from novikoff.perceptron.plan import Plan
from novikoff.perceptron.rates import Rates
from novikoff.perceptron.result import Result
from novikoff.perceptron.run import Run
from novikoff.perceptron.schedules import schedule_of
from novikoff.perceptron.scheme import Scheme
from novikoff.perceptron.stops import Stops
from novikoff.perceptron.train import train


class Learner(Trained):
    """A perceptron without scikit-learn; parameters and attributes are those of `novikoff.Perceptron`."""

    _warning: type[Warning] = NotSeparated
    _run: Any  # the run state, with warm_start

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
            raise InputError(f"y: {WITHOUT_LABELS}; novikoff.auto(df, label='column') takes them from the frame")
        given, (X, y) = (X, X_valid), unpacked(X, y)
        self._check_collection(X)
        X_valid, y_valid = unpacked(X_valid, y_valid, "y_valid")
        store = self._checkpoints(checkpoint, resume)
        run, take = self._begin(given, X, y, X_valid, y_valid, coef_init, intercept_init, store)
        reports = [PassReport()] if self.verbose else [LongRun()] if observer is None else []
        result = train(run, [one for one in (*reports, store, observer) if one is not None])
        self._check_size(result)
        self.mistake_bound_ = None
        if self.known_margin is not None:
            self.mistake_bound_ = bound_of(run.radius2(), self.known_margin, run.bound_factor)
        problem = run.scorer.problem
        take(result)
        in_order = run.order.name == "cyclic"
        in_classes = in_order and sorted_by_class(problem.y)
        plane = plane_of(self.fit_intercept)
        warn_of(result, problem.n, len(self.classes_), in_classes, self._warning, plane)
        made = int(result.mistakes.sum()) if run.order.is_batch else result.updates
        formula = f"{'n·' if run.order.is_batch else 'P·' if self.mix else ''}(R/γ)²"
        warn_of_margin(made, self.mistake_bound_, self.known_margin, self._warning, plane, result, formula)
        if run.pressed:
            raise KeyboardInterrupt  # what was learned is stored
        return self

    def _begin(
        self,
        both: tuple[Any, Any],
        X: Any,
        y: Any,
        X_valid: Any,
        y_valid: Any,
        coef_init: Any,
        intercept_init: Any,
        store: Checkpoints | None,
    ) -> tuple[Run, Callable[[Result], None]]:
        """Return a new or resumed run, and the function that stores its result. both: X and X_valid as given."""
        given, named, labels = both[0], columns_of(both[1]), self._labels(y)
        problem, classes = problem_of(X, labels, fit_intercept=self.fit_intercept, many=True)
        problem = replace(problem, origin=origin_of(given))
        self._check_for_many(len(classes), X_valid is not None)
        if (X_valid is None) != (y_valid is None):
            raise InputError("X_valid and y_valid: one was given without the other; give both or neither")
        if named is not None and columns_of(given) not in (None, named):
            raise InputError(f"X_valid: columns {named}; those of X were expected, {columns_of(given)}")
        problem = problem if self.mix else problem.ready(self.max_iter, self.order)
        scheme = Scheme(self._scheme_for(problem, len(classes)), len(classes), self.ovo)
        chosen = 0 if self.random_state is None and self.order == "auto" else self.random_state
        seed = store.seed if store and store.seed is not None else seed_of(chosen)
        problem, valid, kept = self._with_validation(problem, classes, X_valid, y_valid, seed)
        start = start_of(coef_init, intercept_init, scheme.planes, problem.d, self.fit_intercept)
        self._check_start_at_zero(start)
        last = self._resumable(problem, classes) if coef_init is None and intercept_init is None else None
        if last is not None:
            self._check_columns(given, problem.d)
        patience = None if valid is None else self.valid_patience
        stops = Stops(self.max_iter, self.max_updates, self.max_time, self.train_patience, patience)
        seed = last.plan.order.seed if last else seed
        plan = self._plan(Order(self.order, seed), stops, start, problem.n if self.order == "batch" else 1,
                          factors=factors_of(self.class_weight, classes, problem.y),
                          draw_seed=0 if self.random_state is None else seed)  # fmt: skip
        if last:
            self._check_as_many(last.plan.rates.rows, plan.rates.rows)
            run: Run = last.go_on(problem, replace(plan, rates=last.plan.rates), valid)
        elif self.mix:
            table = mixing_table(problem.n, self.partitions)
            problem = in_partitions(problem, len(table))
            run = MixedRun.begin_mixed(problem, plan, start, valid, scheme, engine_of(self.engine), table)
        else:
            run = Run.begin(problem, plan, start, valid, scheme)
        decider = DecideInTraining(scheme, classes.tolist(), self.engine)
        if not self.mix and valid is None and not scheme.is_joint:
            run.questions.decider = decider
        if store:
            store.resume_run(run, identity_of(self._identity(), problem, classes, valid, start))

        def take(made: Result) -> None:
            self._take_columns(given, problem.d)
            self._take(made, classes, scheme.name, plan.order.seed, None if self.mix else kept)
            if not scheme.is_binary and made.verdicts:
                self.verdict_ = {decider.name(plane): verdict for plane, verdict in made.verdicts.items()}

        return run, take

    def _scheme_for(self, problem: Problem, classes: int) -> str:
        """Return the scheme of a run: a warm start keeps that of the run before."""
        if self.multi_class != "auto":
            return self.multi_class
        before = getattr(self, "_run", None) if self.warm_start else None
        return automatic_scheme(problem, classes, self.engine) if before is None else before.scheme.name

    def _identity(self) -> dict[str, Any]:
        """Return the parameters that a resumed run must have."""
        return {n: value for n, value in self._parameters().items() if n not in (*FREE_IN_A_RUN, *MIXING)}

    def _check_size(self, result: Result) -> None:
        """Raise InputError for weights that are too large for binary64."""
        with np.errstate(over="ignore", invalid="ignore"):
            if np.isfinite(result.w.sum() + np.sum(result.b)):
                return  # a sum of numbers of which one is not finite is not finite
            if not (np.abs(result.w) < np.inf).all() or not (np.abs(result.b) < np.inf).all():
                raise InputError(f"{self.eta0!r} makes the weights too large for binary64; use a smaller one", "eta0")

    def _checkpoints(self, folder: Any, resume: Any) -> Checkpoints | None:
        """Return what writes checkpoints of the run; None without a folder."""
        if folder is None:
            if resume:
                raise InputError("no checkpoint was given; set checkpoint to the folder of the checkpoints", "resume")
            return None
        if self.mix or self.keep == "vote":
            what = "mix=True" if self.mix else "keep='vote'"
            raise InputError(f"runs with {what} have no checkpoints; train without one", "checkpoint")
        if self.warm_start and getattr(self, "_run", None) is not None:
            raise InputError(
                "warm_start continues an earlier fit, which a checkpoint does not contain; use a "
                "new estimator, or no checkpoint",
                "checkpoint",
            )
        return Checkpoints(folder, bool(resume))

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
            points = self._as_wide(points, given)
        elif not first and ready is None:
            self._check_columns(given, points.d)
        stream = self._stream_to_go_on(classes) or self._new_stream(classes)
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

    def _as_wide(self, points: Problem, given: Any) -> Problem:
        """Return sparse rows with as many columns as the model, or more if the rows have more."""
        if not points.sparse or hasattr(self, "feature_names_in_") or columns_of(given) is not None:
            raise InputError("grow: found dense rows, or columns with names; sparse rows without names were expected")
        return replace(points, d=max(points.d, getattr(self, "n_features_in_", 0)))

    def _stream_to_go_on(self, classes: Any) -> Stream | None:
        """Return the stream of the last call, if there was one."""
        stream: Stream | None = getattr(self, "_stream", None)
        if stream is None:
            return None
        self._check_same_choices("partial_fit", "the calls before")
        if classes is not None and np.unique(classes).tolist() != stream.classes.tolist():
            raise InputError(
                f"classes: found {np.unique(classes).tolist()}, but the stream began with {stream.classes.tolist()}; "
                "name them at the first call only"
            )
        return stream

    def _new_stream(self, classes: Any) -> Stream:
        named = np.zeros(0) if classes is None else named_classes(classes)
        start = None
        if hasattr(self, "coef_"):
            named = self.classes_ if classes is None else named
            if named.tolist() != self.classes_.tolist():
                raise InputError(
                    f"classes: found {named.tolist()}, but fit had {self.classes_.tolist()}; use a new estimator"
                )
            start = np.column_stack([self.coef_, self.intercept_])
            self._check_start_at_zero(start)
        if classes is not None and named.size < 2:
            raise InputError(f"classes: found {named.tolist()}; at least two classes were expected")
        plan = self._plan(Order("cyclic"), Stops(None, None, None, None), start, once=True)
        if named.size and self.class_weight != "balanced":
            factors_of(self.class_weight, named, named)
        counts = np.zeros(named.size, np.int64)
        scheme = "ova" if self.multi_class == "auto" else self.multi_class
        scheme = self.multi_class_ if start is not None else scheme
        return Stream(plan, scheme, named, named.size > 0, self.class_weight, start, self.known_margin,
                      seen=counts, mistakes=counts.copy())  # fmt: skip

    def _check_start_at_zero(self, start: np.ndarray) -> None:
        if self.known_margin is not None and start.any():
            raise InputError(
                f"{self.known_margin!r}, but the bound (R/γ)² is for a start at 0; "
                "begin with a new estimator, without coef_init and intercept_init, or leave out known_margin",
                "known_margin",
            )

    def _check_as_many(self, before: int, now: int) -> None:
        if before != now:
            raise InputError(
                f"warm_start: order='batch' divides each step by the number of rows, {before} in the last fit and "
                f"{now} now; give as many rows, or use a new estimator"
            )

    def _check_same_choices(self, what: str, when: str) -> None:
        for name, was in self._chosen.items():
            if getattr(self, name) != was:
                raise InputError(
                    f"{what}: {name} is {getattr(self, name)!r} now and was {was!r} in {when}; "
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

    def _with_validation(
        self, problem: Problem, classes: np.ndarray, X_valid: Any, y_valid: Any, seed: int
    ) -> tuple[Problem, Problem | None, np.ndarray | None]:
        """Return training points, validation points or None, and the mask of the training rows or None for all."""
        if X_valid is not None:
            return problem, valid_points(X_valid, y_valid, classes, problem), None
        if not self.early_stopping:
            return problem, None, None
        kept = hold_out(problem.y, float(self.validation_fraction), seed)
        return problem.part(kept), problem.part(~kept), kept

    def _resumable(self, problem: Problem, classes: np.ndarray) -> Any:
        """Return the state of the last fit for a warm start; raise InputError if points or parameters differ."""
        run = getattr(self, "_run", None) if self.warm_start else None
        if run is None:
            return None
        before = (self.coef_.shape[1], self.classes_.tolist())
        if before != (problem.d, classes.tolist()):
            raise InputError(
                f"warm_start: the last fit had {before[0]} features and classes {before[1]}, "
                f"now {problem.d} and {classes.tolist()}; use a new estimator"
            )
        self._check_same_choices("warm_start", "the last fit")
        now, plane = np.column_stack([self.coef_, self.intercept_]), self._plane
        if not np.array_equal(now, np.atleast_2d(plane) * self._scale):
            raise InputError(
                "warm_start: coef_ or intercept_ was changed since the last fit; give the weights as coef_init and "
                "intercept_init, or leave them as they were"
            )
        return run

    def _take(self, result: Result, classes: np.ndarray, scheme: str, seed: int, kept: np.ndarray | None) -> None:
        self.classes_, self.multi_class_ = classes, scheme
        self.coef_ = np.atleast_2d(result.w)
        self.intercept_ = np.atleast_1d(result.b)
        self.stop_reason_ = result.stop_reason
        self.n_iter_, self.n_updates_, self.n_looks_ = result.passes, result.updates, result.looks
        self.n_mistakes_ = _spread(result.mistakes.copy() if self.warm_start else result.mistakes, kept)
        self.cycle_counts_ = None if result.cycle_counts is None else _spread(result.cycle_counts, kept)
        self.random_from_ = result.random_from
        self.order_, self.partition_rows_ = result.order, result.partition_rows
        self.verdict_ = result.verdict
        self.history_ = result.history
        self.seed_ = seed
        self._voters = result.voters
        self._with_bias = bool(self.fit_intercept)
        self._chosen = {name: getattr(self, name) for name in FIXED_BY_A_RUN}
        self._plane, self._scale = result.plane, result.scale
        self._run, self._stream = result.run if self.warm_start else None, None
        if self._run is not None:
            self._run.rest(result.voters)


def _spread(counts: np.ndarray, kept: np.ndarray | None) -> np.ndarray:
    """Convert counts per training row to counts per given row."""
    if kept is None:
        return counts
    full = np.zeros(kept.size, np.int64)
    full[kept] = counts
    return full
