"""scikit-learn's words for the perceptron."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, column_or_1d, validate_data

from novikoff.advice import NotSeparatedWarning, tell_pass, tell_stream, warn_of, warn_of_margin
from novikoff.answers import Answers, answers_of_many, answers_of_two
from novikoff.callbacks import CallbackSupport, Take, watched, with_callbacks
from novikoff.constraints import PERCEPTRON, Checked, where_it_can
from novikoff.errors import InputError
from novikoff.multiclass.family import Family
from novikoff.multiclass.scheme import Scheme
from novikoff.perceptron.choices import factors_of, seed_of, start_of
from novikoff.perceptron.course import Course, Plan, Result, Tally
from novikoff.perceptron.orders import Order
from novikoff.perceptron.rates import Rates
from novikoff.perceptron.stops import Stops
from novikoff.perceptron.train import Run, train
from novikoff.perceptron.validation import hold_out
from novikoff.points.coded import Coded
from novikoff.points.frames import names_of
from novikoff.points.labelled import unpacked
from novikoff.points.labels import known_numbers, labels_of, sorted_by_class
from novikoff.points.problem import Problem, problem_of, unlabelled
from novikoff.sides.bulk import judge_of
from novikoff.spread.checkpoint import Checkpoints
from novikoff.spread.identity import identity_of
from novikoff.stall import answerable, decided
from novikoff.stream import Stream, mistake_bound

__all__ = ["NotSeparatedWarning", "Perceptron"]

# choices that a warm start cannot change
FIXED_BY_A_RUN = (
    "rule",
    "keep",
    "order",
    "eta0",
    "fit_intercept",
    "multi_class",
    "schedule",
    "C",
    "threshold",
    "class_weight",
    "known_margin",
)


class Perceptron(CallbackSupport, Checked, ClassifierMixin, BaseEstimator):
    """The perceptron with exact decisions, for two classes or more.

    w ← w + η·y·x,  b ← b + η·y   whenever   y·(w·x + b) ≤ 0

    From the notes: T3 C6 Z6 (the algorithm), R7 (pocket), Z14 (stopping), S7 R6 (start and rate), T7 R1 Z5 (ties).
    Whether a look is a mistake is the sign of the exact dot product of the stored numbers, so the mistakes and every
    bit of the weights are the same for float32, float64, dense and sparse storage of the same numbers, on every
    machine.

    Parameters
    ----------
    rule : what a look does: "perceptron" (y·score ≤ 0: w + η·y·x), "margin" (the same for y·score ≤ `threshold`), or
        the passive-aggressive "pa", "pa1", "pa2" (y·score < 1: a step from score and |x|², limited or softened by
        `C`)
    keep : which weights are handed back: "pocket" (fewest training errors), "last", "average" or "vote"
    order : who is presented next: "cyclic" (rows sorted by class learn slowly this way: use "shuffle"), "first"
        (after an update again from the first row), "shuffle", "random" or "worst" (the row farthest on the wrong
        side, found by a whole pass)
    eta0 : learning rate η > 0; with rule "perceptron" from a zero start it scales the weights and changes no decision
    fit_intercept : whether the plane may miss the origin
    max_iter : at most this many passes
    max_updates, max_time : at most this many updates, seconds; None: no limit
    train_patience : stop when the pocket (other keeps: the mistakes of a pass) did not improve for so many passes;
        None: never. "auto" is 100 passes, but never before 10 million looks, and asks `decide` then, or at the end of
        max_iter ≥ 100 passes: if no plane separates the points, the run ends ("not_separable"); if one does, it goes on
        to max_iter (with None it ends: "train_stalled"), and `verdict_` holds a plane. Of max_time, decide gets what
        is left; undecided is as if it had not been asked. A number or None never asks, nor does a run of fewer passes,
        with validation points, of more than two classes, or on points so wide that an answer may take long
        (min(n, D)²·D > 300,000, where D counts the features and the bias: more than 66 on many points)
    early_stopping : keep `validation_fraction` of the points aside and stop when their errors did not fall for
        `valid_patience` passes; the weights with the fewest validation errors are handed back (also when `fit` is
        given X_valid, y_valid)
    schedule : "constant", or a function k → factor of η for the k-th update, k = 1, 2, …
    warm_start : go on from the state of the last fit
    random_state : seed of the orders "shuffle" and "random" and of the validation split; the one used is `seed_`
    tie : what a score of exactly 0 predicts: "negative" (the class that sorts first) or "positive"
    class_weight : {class: weight} or "balanced" (n/(classes·count)): multiplies the steps and the counted errors of
        each class
    verbose : 1 prints a line at passes 1, 2, 4, 8, …
    multi_class : with more than two classes: "ova" (one plane for each class against all others), "ovo" (one for each
        pair, scores summed) or "joint" (planes changed together: the class's and its highest rival's)
    known_margin : a margin γ that some plane is known to have on the padded points: the mistakes are then told against
        the bound (R/γ)² (`mistake_bound_`), and more of them than that are a warning; two classes, rule "perceptron"
    engine : who goes over the rows when a stall asks decide, as in `novikoff.engine("threads")`; the run itself is one
        look after the other, and no bit depends on it

    Attributes
    ----------
    coef_ (planes, d), intercept_ (planes,), classes_ : the plane; the class that sorts last is on its positive side.
        With keep="vote" the plane is the last one, and predictions are votes
    stop_reason_ : the rule that ended the run ("separated", "cycle", "not_separable", "rounding", "max_passes",
        "max_updates", "max_seconds", "train_stalled", "valid_stalled", "interrupted", "stream_ended")
    verdict_ : the answer of `decide` with its proof, where it was asked; else None. It keeps the rows that prove it and
        no others: `verdict_.check(X, y)` checks it; to save it, ask decide(X, y)
    n_iter_, n_updates_, n_looks_ : passes begun, updates, looks
    n_mistakes_ (n,) : how often each point was added; with equal steps w is η times the sum of these signed points.
        After `partial_fit` (classes,): how often a point of each class was added
    mistake_bound_ : (R/γ)², with `known_margin`
    cycle_counts_ (n,) or None : once the weights came back, how often each point was added on the way back: with
        their signs these points sum to zero, which proves that no plane separates them. Where the run would only
        repeat itself it ends there ("cycle"); otherwise pocket, average and vote go on to the end of pass 20
    history_ : columns by name, one entry for each pass; after `partial_fit` when the rows pass a power of two
    seed_, n_features_in_, feature_names_in_

    Examples
    --------
    >>> from novikoff import Perceptron
    >>> clf = Perceptron().fit([[0, 0], [1, 0], [0, 1], [1, 1]], ["no", "yes", "yes", "yes"])
    >>> clf.stop_reason_, clf.n_updates_, clf.predict([[2, 2]]).tolist()
    ('separated', 9, ['yes'])
    """

    _parameter_constraints = PERCEPTRON

    def __init__(
        self,
        *,
        rule: str = "perceptron",
        keep: str = "pocket",
        order: str = "cyclic",
        eta0: float = 1.0,
        fit_intercept: bool = True,
        max_iter: int | None = 10_000,
        max_updates: int | None = None,
        max_time: float | None = None,
        train_patience: int | str | None = "auto",
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        valid_patience: int = 5,
        multi_class: str = "ova",
        C: float = 1.0,
        threshold: float = 1.0,
        schedule: Any = "constant",
        known_margin: float | None = None,
        class_weight: Any = None,
        warm_start: bool = False,
        random_state: Any = None,
        tie: str = "negative",
        verbose: int = 0,
        engine: Any = None,
    ) -> None:
        self.rule = rule
        self.keep = keep
        self.order = order
        self.eta0 = eta0
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.max_updates = max_updates
        self.max_time = max_time
        self.train_patience = train_patience
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.valid_patience = valid_patience
        self.multi_class = multi_class
        self.C = C
        self.threshold = threshold
        self.schedule = schedule
        self.known_margin = known_margin
        self.class_weight = class_weight
        self.warm_start = warm_start
        self.random_state = random_state
        self.tie = tie
        self.verbose = verbose
        self.engine = engine

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def fit(
        self,
        X: Any,
        y: Any = None,
        X_valid: Any = None,
        y_valid: Any = None,
        coef_init: Any = None,
        intercept_init: Any = None,
        *,
        checkpoint: str | os.PathLike[str] | None = None,
        resume: bool = False,
    ) -> Perceptron:
        """Train on points X (n, d), dense or sparse, with labels y of two or more classes; or on points of `read`.

        X_valid, y_valid : points to choose the weights on, instead of a split
        coef_init (planes, d), intercept_init (planes,) : the start w⁰, b⁰; zero if not given
        checkpoint : a folder in which the state of the run is kept, so that it can go on after any end
        resume : go on from the checkpoint, if there is one: the model is, to the bit, that of a run that was never
            broken off. Other points or other parameters (but max_time, verbose, tie) are refused
        """
        self._check_parameters()
        X, y = unpacked(X, y)
        X_valid, y_valid = unpacked(X_valid, y_valid, "y_valid")
        with self._checkpoints(checkpoint, resume) as store:
            labels = self._labels(y)
            problem, classes = problem_of(X, labels, fit_intercept=self.fit_intercept, many=True)
            scheme = Scheme(self.multi_class, len(classes)) if len(classes) > 2 else None
            self._check_for_many(self.multi_class, len(classes), X_valid)
            if (X_valid is None) != (y_valid is None):
                raise InputError("X_valid and y_valid: one was given without the other; give both or neither")
            if X_valid is not None and names_of(X_valid) != names_of(X):
                raise InputError(f"X_valid: columns {names_of(X_valid)}; those of X were expected, {names_of(X)}")
            problem = problem.ready(self.max_iter, self.order)
            seed = store.seed_of_run(self.random_state) if store else seed_of(self.random_state)
            problem, valid, kept = self._with_validation(problem, classes, X_valid, y_valid, seed)
            start = start_of(coef_init, intercept_init, scheme.planes if scheme else 1, problem.d, self.fit_intercept)
            self._demand_start_at_zero(start)
            last = self._resumable(problem, classes) if coef_init is None and intercept_init is None else None
            if last is not None:
                validate_data(self, X, reset=False, skip_check_array=True)
            plan = self._plan(problem, classes, valid, seed, start, last)
            if last:
                run = last.go_on(problem, plan, valid)
            elif scheme:
                run = Family.begin(problem, plan, scheme, start, valid)
            else:
                run = Run.begin(problem, plan, start[0], valid)
            run.on_pass = tell_pass if self.verbose else None
            if scheme is None and valid is None and answerable(problem.n, problem.d + bool(problem.pad)):
                run.on_stall = lambda seconds: decided(X, labels, bool(self.fit_intercept), seconds, self.engine)
            if store:
                store.watch(run, identity_of(self.get_params(deep=False), problem, classes, valid, start))
            result = self._learn(run, X, y, lambda model, made: model._take(made, classes, plan.order.seed, kept))
            in_classes = self.order == "cyclic" and sorted_by_class(problem.y)
            warn_of(result, problem.n, len(classes), in_classes)
            warn_of_margin(result.updates, self.mistake_bound_, self.known_margin)
            return self

    def _checkpoints(self, folder: Any, resume: Any) -> AbstractContextManager[Checkpoints | None]:
        """What keeps the state of the run, if that is asked for."""
        if folder is None:
            if resume:
                raise InputError("resume: no checkpoint was named to go on from; give its folder as checkpoint")
            return nullcontext()
        if self.warm_start and getattr(self, "_run", None) is not None:
            raise InputError(
                "checkpoint: this fit goes on from the last one (warm_start), which a checkpoint does not hold; use a "
                "new estimator, or no checkpoint"
            )
        return Checkpoints(folder, bool(resume))

    @with_callbacks  # type: ignore[untyped-decorator]
    def _learn(self, run: Course, X: Any, y: Any, take: Take) -> Result:
        """Train, and take over what was learned; scikit-learn's callbacks are told of each pass."""
        result = train(watched(run, self, X, y, take))
        with np.errstate(over="ignore"):
            if not (np.abs(result.w) < np.inf).all() or not (np.abs(result.b) < np.inf).all():
                raise InputError(f"eta0: {self.eta0!r} makes the weights too large for binary64; use a smaller one")
        validate_data(self, X, reset=True, skip_check_array=True)
        self.mistake_bound_ = None
        if self.known_margin is not None:
            self.mistake_bound_ = mistake_bound(run.judge.R2, self.known_margin)
        take(self, result)
        return result

    @where_it_can
    def partial_fit(self, X: Any, y: Any = None, classes: Any = None, *, grow: bool = False) -> Perceptron:
        """Show each of these rows once, in their order, and learn from it: a stream, in chunks of any size.

        However the rows are cut into chunks, the model is the same to the bit; with all classes named it is that of one
        pass of `fit` (keep "last" or "average"; the pocket of a stream is the w with the longest run of right looks, as
        nothing can be counted). A bad row or label leaves the model as it was. After `fit` it goes on from the weights
        that were kept.

        classes : all classes there are, named at the first call; without it a class is born at its first row
        grow : whether sparse rows may have more columns than those before, or fewer: the model is then, to the bit, as
            if the number of columns had been known at the start
        """
        self._check_parameters()
        X, y = unpacked(X, y)
        points, labels = unlabelled(X, fit_intercept=self.fit_intercept), np.asarray(self._labels(y))
        if points.n != labels.size:
            raise InputError(f"X and y: {points.n} rows and {labels.size} labels; give one label for each row")
        first = not hasattr(self, "coef_")
        if grow:
            points = self._as_wide(points)
        elif not first:
            validate_data(self, X, reset=False, skip_check_array=True)
        stream = self._stream_to_go_on(classes) or self._new_stream(classes)
        told = len(stream.history["looks"])
        pressed = stream.learn(points, labels, lambda K: self._check_for_many(self.multi_class, K, None))
        if first:
            validate_data(self, X, reset=True, skip_check_array=True)
        self.n_features_in_ = points.d
        self._take_stream(stream)
        warn_of_margin(int(self.n_mistakes_.sum()), self.mistake_bound_, self.known_margin)
        if self.verbose and len(stream.history["looks"]) > told:
            tell_stream({name: column[-1] for name, column in stream.history.items()})
        if pressed:
            raise KeyboardInterrupt  # every row of the chunk was shown
        return self

    def _as_wide(self, points: Problem) -> Problem:
        """Sparse rows with the columns of the model, and more of them where the rows have more."""
        if not points.sparse or hasattr(self, "feature_names_in_"):
            raise InputError("grow: found dense rows, or columns with names; sparse rows without names were expected")
        return replace(points, d=max(points.d, getattr(self, "n_features_in_", 0)))

    def _stream_to_go_on(self, classes: Any) -> Stream | None:
        """The stream of the last call, if there was one."""
        stream: Stream | None = getattr(self, "_stream", None)
        if stream is None:
            return None
        self._demand_same_choices("partial_fit", "the calls before")
        if classes is not None and np.unique(classes).tolist() != stream.classes.tolist():
            raise InputError(
                f"classes: found {np.unique(classes).tolist()}, but the stream began with {stream.classes.tolist()}; "
                "name them at the first call only"
            )
        return stream

    def _new_stream(self, classes: Any) -> Stream:
        named = np.zeros(0) if classes is None else _named(classes)
        start = None
        if hasattr(self, "coef_"):
            named = self.classes_ if classes is None else named
            if named.tolist() != self.classes_.tolist():
                raise InputError(
                    f"classes: found {named.tolist()}, but fit had {self.classes_.tolist()}; use a new estimator"
                )
            start = np.column_stack([self.coef_, self.intercept_])
            self._demand_start_at_zero(start)
        if classes is not None and named.size < 2:
            raise InputError(f"classes: found {named.tolist()}; at least two classes were expected")
        rates = Rates(float(self.eta0), None if self.schedule == "constant" else self.schedule,
                      self.rule == "perceptron" and (start is None or not start.any()))  # fmt: skip
        plan = Plan(Order("cyclic"), self.keep, Stops(None, None, None, None), rates, rule=self.rule,
                    threshold=float(self.threshold), C=float(self.C), once=True)  # fmt: skip
        if named.size and self.class_weight != "balanced":
            factors_of(self.class_weight, named, named)
        counts = np.zeros(named.size, np.int64)
        return Stream(plan, self.multi_class, named, named.size > 0, self.class_weight, start, self.known_margin,
                      seen=counts, mistakes=counts.copy())  # fmt: skip

    def _demand_start_at_zero(self, start: np.ndarray) -> None:
        if self.known_margin is not None and start.any():
            raise InputError(
                f"known_margin: {self.known_margin!r}, but the bound (R/γ)² is for a start at 0; "
                "begin with a new estimator, without coef_init and intercept_init, or leave out known_margin"
            )

    def _take_stream(self, stream: Stream) -> None:
        course = stream.course
        self._stream: Stream | None = stream
        planes = np.zeros((0, self.n_features_in_ + 1)) if course is None else np.atleast_2d(course.kept())
        scale = stream.plan.rates.scale
        tally = course.tally() if course else Tally()
        self.classes_, self.stop_reason_ = stream.classes, "stream_ended"
        self.history_ = {name: list(column) for name, column in stream.history.items()}
        self._plane, self._scale = planes, scale
        self.coef_, self.intercept_ = planes[:, :-1] * scale, planes[:, -1] * scale
        self.n_iter_, self.n_updates_, self.n_looks_ = 1, tally.updates, tally.looks
        self.n_mistakes_, self.seed_ = stream.mistakes.copy(), 0
        self.cycle_counts_: np.ndarray | None = None
        self.verdict_: Any = None
        self.mistake_bound_ = stream.mistake_bound
        self._voters: Any = None
        self._run: Any = None
        self._with_bias, self._scheme = bool(self.fit_intercept), self.multi_class
        self._chosen = {name: getattr(self, name) for name in FIXED_BY_A_RUN}

    def _demand_same_choices(self, what: str, when: str) -> None:
        for name, was in self._chosen.items():
            if getattr(self, name) != was:
                raise InputError(
                    f"{what}: {name} is {getattr(self, name)!r} now and was {was!r} in {when}; "
                    "leave it as it was, or use a new estimator"
                )

    def _plan(
        self, problem: Problem, classes: np.ndarray, valid: Problem | None, seed: int, start: np.ndarray, resume: Any
    ) -> Plan:
        from_zero = self.rule == "perceptron" and not start.any()
        rates = Rates(float(self.eta0), None if self.schedule == "constant" else self.schedule, from_zero)
        if resume:
            seed, rates = resume.plan.order.seed, resume.plan.rates
        factors = factors_of(self.class_weight, classes, problem.y)
        order, stops = Order(self.order, seed), self._stops(valid)
        return Plan(order, self.keep, stops, rates, factors, self.rule, float(self.threshold), float(self.C))

    def decision_function(self, X: Any) -> np.ndarray:
        """Scores of each point: (n,) for two classes, (n, classes) for more.

        Two classes: w·x + b with the sign of the exact score, 0 only at a tie; with keep="vote" the votes for minus
        against. More classes: the score of each class (one-vs-one: the sum over its pairs), or its votes.
        """
        return self._decide(X)[0]

    def predict(self, X: Any) -> np.ndarray:
        """The class of each point; with two classes a score of exactly 0 goes by `tie`, else the first class wins."""
        _, number = self._decide(X, scored=False)
        return np.asarray(self.classes_[number])

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """The share of points (of `sample_weight`) that `predict` gives their label; points of `read` have theirs."""
        X, y = unpacked(X, y)
        return float(super().score(X, np.asarray(y) if isinstance(y, Coded) else y, sample_weight))

    def _decide(self, X: Any, scored: bool = True, in_bulk: bool = False) -> Answers:
        """(scores, number of the class) of each point; of many classes, scores where they are asked for.

        in_bulk: the points are some of those of a file, which are read once.
        """
        check_is_fitted(self)
        if len(self.classes_) < 2:
            raise InputError(
                f"predict: only one class, {self.classes_.tolist()[0]!r}, was seen so far; show rows of a second one"
            )
        X, _ = unpacked(X)
        problem = unlabelled(X, fit_intercept=self._with_bias)
        validate_data(self, X, reset=False, skip_check_array=True)
        judge = judge_of(problem, in_bulk)
        planes, scale = self._planes()
        if len(self.classes_) == 2:
            return answers_of_two(judge, planes[0], scale, self._voters, self.tie)
        scheme = Scheme(self._scheme, len(self.classes_))
        return answers_of_many(judge, planes, scale, self._voters, scheme, scored)

    def _planes(self) -> tuple[np.ndarray, float]:
        """The planes as they were trained, and η: their product, rounded, is what coef_ and intercept_ hold.

        Decisions are taken with the trained planes, so that rounding by η cannot contradict `separated`; whoever has
        changed coef_ or intercept_ since is answered with those.
        """
        shape = (len(np.atleast_2d(self._plane)), self.n_features_in_)
        if np.shape(self.coef_) != shape or np.shape(self.intercept_) != shape[:1]:
            raise InputError(
                f"coef_, intercept_: shapes {np.shape(self.coef_)} and {np.shape(self.intercept_)}; "
                f"{shape} and {shape[:1]} were expected"
            )
        now = np.column_stack([self.coef_, self.intercept_])
        if not self._with_bias and now[:, -1].any():
            raise InputError("intercept_: not 0 in a model without a bias; fit with fit_intercept=True to have one")
        if np.array_equal(now, np.atleast_2d(self._plane) * self._scale):
            return np.atleast_2d(self._plane), self._scale
        if not (np.abs(now) < 2.0**500).all():
            raise InputError("coef_, intercept_: not finite, or beyond 2^500; smaller numbers were expected")
        return now, 1.0

    def _labels(self, y: Any) -> Any:
        if isinstance(y, Coded):
            return y
        is_column = getattr(y, "ndim", 1) == 2 and y.shape[1] == 1
        return np.asarray(column_or_1d(y, warn=True)) if is_column else labels_of(y)

    def _stops(self, valid: Problem | None) -> Stops:
        patience = self.valid_patience if valid is not None else None
        return Stops(self.max_iter, self.max_updates, self.max_time, self.train_patience, patience)

    def _with_validation(
        self, problem: Problem, classes: np.ndarray, X_valid: Any, y_valid: Any, seed: int
    ) -> tuple[Problem, Problem | None, np.ndarray | None]:
        """(training points, validation points or None, which rows are trained on or None for all)."""
        if X_valid is not None:
            return problem, _valid_points(X_valid, y_valid, classes, problem), None
        if not self.early_stopping:
            return problem, None, None
        kept = hold_out(problem.y, float(self.validation_fraction), seed)
        return problem.part(kept), problem.part(~kept), kept

    def _resumable(self, problem: Problem, classes: np.ndarray) -> Any:
        """The state of the last fit, if it fits these points and this plan."""
        run = getattr(self, "_run", None) if self.warm_start else None
        if run is None:
            return None
        before = (self.coef_.shape[1], self.classes_.tolist())
        if before != (problem.d, classes.tolist()):
            raise InputError(
                f"warm_start: the last fit had {before[0]} features and classes {before[1]}, "
                f"now {problem.d} and {classes.tolist()}; use a new estimator"
            )
        self._demand_same_choices("warm_start", "the last fit")
        if not np.array_equal(np.column_stack([self.coef_, self.intercept_]), np.atleast_2d(self._plane) * self._scale):
            raise InputError(
                "warm_start: coef_ or intercept_ was changed since the last fit; give the weights as coef_init and "
                "intercept_init, or leave them as they were"
            )
        return run

    def _take(self, result: Result, classes: np.ndarray, seed: int, kept: np.ndarray | None) -> None:
        self.classes_ = classes
        self.coef_ = np.atleast_2d(result.w)
        self.intercept_ = np.atleast_1d(result.b)
        self.stop_reason_ = result.stop_reason
        self.n_iter_, self.n_updates_, self.n_looks_ = result.passes, result.updates, result.looks
        self.n_mistakes_ = _spread(result.mistakes.copy() if self.warm_start else result.mistakes, kept)
        self.cycle_counts_ = None if result.cycle_counts is None else _spread(result.cycle_counts, kept)
        self.verdict_ = result.verdict
        self.history_ = result.history
        self.seed_ = seed
        self._voters = result.voters
        self._with_bias = bool(self.fit_intercept)
        self._scheme = self.multi_class
        self._chosen = {name: getattr(self, name) for name in FIXED_BY_A_RUN}
        self._plane, self._scale = result.plane, result.scale
        self._run, self._stream = result.run if self.warm_start else None, None
        if self._run is not None:
            self._run.rest(result.voters)


def _named(classes: Any) -> np.ndarray:
    """The classes named at the beginning of a stream, in order."""
    try:
        return np.unique(labels_of(list(classes) if isinstance(classes, set | frozenset) else classes))
    except (InputError, TypeError) as error:
        raise InputError(f"classes: {str(error).removeprefix('y: ')}; a list of all classes was expected") from None


def _valid_points(X: Any, y: Any, classes: np.ndarray, problem: Problem) -> Problem:
    """The validation points, with the training points' classes and width."""
    points = unlabelled(X, fit_intercept=bool(problem.pad), name="X_valid")
    labels = y if isinstance(y, Coded) else labels_of(y)
    if points.d != problem.d or points.n != labels.size:
        raise InputError(
            f"X_valid, y_valid: shape ({points.n}, {points.d}) and {labels.size} labels; "
            f"{problem.d} features and a label for each row were expected"
        )
    found = known_numbers(labels, classes, "y_valid", "the training classes")
    return replace(points, y=found if len(classes) > 2 else (found * 2 - 1).astype(np.int8))


def _spread(counts: np.ndarray, kept: np.ndarray | None) -> np.ndarray:
    """Counts per training row as counts per given row."""
    if kept is None:
        return counts
    full = np.zeros(kept.size, np.int64)
    full[kept] = counts
    return full
