"""The soft-margin classifier as a scikit-learn estimator.

From the notes: Z10 Z13 (losses and soft margin), Z11 (as C grows on separable points, the maximum-margin plane), Z15
(several classes).
"""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import ConvergenceWarning

from novikoff.arguments.argument_checks import seed_of
from novikoff.arguments.signature_types import Labels, Points
from novikoff.arguments.unknown_arguments import SOFT_MARGIN, known_arguments
from novikoff.data.format_numbers import at_most
from novikoff.data.labelled_points import unpacked
from novikoff.data.problem import problem_of, unlabelled
from novikoff.errors import InputError
from novikoff.estimators.fit_arguments import check_costs, row_weights
from novikoff.estimators.messages import caller_level
from novikoff.estimators.parameter_checks import NotAvailableError, refuse, where_it_can
from novikoff.estimators.parameter_table import documented
from novikoff.estimators.plane_classifier import PlaneClassifier
from novikoff.estimators.sklearn_classifier import SklearnClassifier
from novikoff.estimators.soft_margin_parameters import SoftMarginParameters
from novikoff.perceptron.scheme import Scheme
from novikoff.perceptron.stops import Interrupt
from novikoff.softmargin import PERCEPTRON_LOSS
from novikoff.softmargin.certified_fit import automatic_gap
from novikoff.softmargin.losses import LOSSES
from novikoff.softmargin.planes import SoftPlanes, automatic_scheme, fit_planes
from novikoff.softmargin.row_products import products_of
from novikoff.softmargin.solvers.choose_solver import BY_COORDINATES

REASONS = (
    "interrupted",
    "max_time",
    "max_iter",
    "stalled",
    "precision",
    "gap",
)  # of several planes the first is reported


class GapNotReachedWarning(ConvergenceWarning):  # type: ignore[misc]
    """The fit ended before the requested gap was proved: by a limit, or because the solver made no progress."""


@documented
class SoftMargin(SklearnClassifier, PlaneClassifier, SoftMarginParameters):
    """The soft-margin plane: support vector machine or logistic regression, solved to a proved gap.

    penalty="l2"   min over (w, b) of  ½|w|² + C Σ s_i·loss(y_i(w·x_i + b))
    penalty="l1"   min over (w, b) of  |w|₁ + C Σ s_i·loss(y_i(w·x_i + b))          s_i: weight of a row

    `gap_` is a proved bound of objective minus minimum, rounding included; with penalty="l2", w is within √(2·gap_) of
    the optimal one (bias="padded": w and b together). A row of weight k counts as k copies.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    coef_ (planes, d), intercept_ (planes,), classes_ : the planes; the class that sorts last is positive
    multi_class_ : the multiclass scheme that was used, "ova" or "ovo"
    gap_ : proved upper bound of objective minus minimum, not relative; of several planes an array
    objective_ : the objective of the plane, rounded down: the exact value is not smaller, but may be larger by more
        than `gap_`, if rounding errors of C Σ s_i·loss are (for large C). objective_ − gap_ is a lower bound of the
        minimum, and gap_/objective_ an upper bound of the relative gap. Of several planes an array
    stop_reason_ : "gap": the requested gap is proved. "precision": rounding errors keep the solver or the proof from a
        smaller one. "stalled": the solver made no progress, far from the optimum (it warns; scale the columns).
        "max_iter", "max_time": a limit (it warns). "interrupted": Ctrl-C. Of several planes the worst
    hard_margin_ : whether it is proved that the plane separates the points, with at least 0.999 of the maximum margin,
        min y(w·x + b)/|w| (bias="padded": /|(w, b)|). Points of weight 0 do not count; of several planes, whether it
        is proved for all. False for other losses than the hinge, and if stop_reason_ is not "gap" or "precision"
    C_ : the C that was used
    path_ : with C="auto" the columns "C", "errors" (on held-out rows) and "gap" (relative), up to the value at which
        max_time or Ctrl-C ended the path; else None
    history_ : columns "plane", "seconds", "primal", "dual": the best objective and the best lower bound so
        far, in floating point and without a proof
    solver_ : the solver of each plane
    n_iter_ : most steps of a plane
    n_features_in_, feature_names_in_

    Examples
    --------
    >>> from novikoff import SoftMargin
    >>> clf = SoftMargin(C=10.0, bias="free").fit([[0, 0], [1, 0], [0, 1], [1, 1]], ["no", "no", "no", "yes"])
    >>> clf.coef_.round(6).tolist(), clf.intercept_.round(6).tolist(), clf.hard_margin_, clf.gap_ < 1e-10
    ([[2.0, 2.0]], [-3.0], True, True)
    """

    _other_words = SOFT_MARGIN

    def check_parameters(self) -> None:
        if isinstance(self.loss, str) and self.loss == "perceptron":
            raise InputError(PERCEPTRON_LOSS, "loss")
        super().check_parameters()
        l1, free = self.penalty == "l1", self.bias == "free"
        refuse(self, (
            ("penalty", l1 and self.loss == "hinge", " with loss='hinge'; l1 needs a smooth loss: use "
             "loss='squared_hinge' or loss='logistic', or penalty='l2'"),
            ("solver", (self.solver == "proximal_newton") != l1 and self.solver != "auto",
             f" with penalty={self.penalty!r}; 'proximal_newton' is the solver of penalty='l1' only: use "
             "solver='auto'"),
            ("solver", self.solver in BY_COORDINATES and free, " with bias='free'; one multiplier at a time cannot "
             "keep their sum at 0: use solver='newton' or bias='padded'"),
        ), found="found ")  # fmt: skip

    @known_arguments
    def fit(self, X: Points, y: Labels | None = None, sample_weight: ArrayLike | None = None) -> SoftMargin:
        """Fit points X (n, d), dense or sparse, and labels y, or points of `read`; sample_weight (n,): weights ≥ 0.

        After Ctrl-C the best weights so far are stored, with their proved gap (`stop_reason_` "interrupted"), then
        KeyboardInterrupt is raised. A second press raises it at once.
        """
        self.check_parameters()
        given, (X, y) = X, unpacked(X, y)
        points, (problem, classes) = unlabelled(given), problem_of(X, self._labels(y), many=True)  # faults of X first
        problem = replace(problem, origin=points.origin, named=points.named)
        numbers = (problem.y > 0).astype(np.int32) if len(classes) == 2 else problem.y
        weights = row_weights(sample_weight, self.class_weight, classes, numbers)
        products = products_of(problem)
        C = None if isinstance(self.C, str) else float(self.C)
        check_costs(C or 1.0, weights, float(products.squared_norms.max()))
        self._take_columns(given, problem.d)
        gap = automatic_gap(problem.n, problem.d) if isinstance(self.gap, str) else float(self.gap)
        scheme = self.multi_class
        if scheme == "auto":
            scheme = automatic_scheme(LOSSES[self.loss], len(classes), products)
        with Interrupt() as pressed:
            found = fit_planes(
                products, numbers, weights, Scheme(scheme, len(classes)), loss=LOSSES[self.loss],
                free=self.bias == "free", l1=self.penalty == "l1", C=C, gap=gap,
                solver=self.solver, max_steps=self.max_iter, max_time=self.max_time,
                seed=0 if self.random_state is None else seed_of(self.random_state),
            )  # fmt: skip
        self.classes_, self.multi_class_ = classes, scheme
        self._take(found)
        if self.stop_reason_ in ("max_iter", "max_time", "stalled"):
            self._warn(gap, found)
        if pressed:
            raise KeyboardInterrupt  # the planes are stored
        return self

    def _take(self, found: SoftPlanes) -> None:
        """Store the planes."""
        planes = found.planes
        W = np.array([plane.w for plane in planes])
        self.coef_, self.intercept_ = W[:, :-1].copy(), W[:, -1].copy()
        one = len(planes) == 1
        gaps, objectives = np.array([p.gap for p in planes]), np.array([p.objective for p in planes])
        self.gap_: Any = float(gaps[0]) if one else gaps
        self.objective_: Any = float(objectives[0]) if one else objectives
        self.stop_reason_ = next(reason for reason in REASONS if any(p.stop_reason == reason for p in planes))
        self.hard_margin_ = all(plane.hard for plane in planes)
        self.C_, self.solver_ = found.C, [plane.solver for plane in planes]
        self.n_iter_ = max(1, *(plane.steps for plane in planes))
        self.path_ = None
        if found.path is not None:
            self.path_ = {name: [getattr(point, name) for point in found.path] for name in ("C", "errors", "gap")}
        rows = [(k, *row) for k, plane in enumerate(planes) for row in plane.history]
        columns = zip(*rows, strict=True)
        self.history_ = dict(zip(("plane", "seconds", "primal", "dual"), map(list, columns), strict=True))

    def _warn(self, gap: float, found: SoftPlanes) -> None:
        worst = max(plane.relative_gap for plane in found.planes)
        name = self.stop_reason_
        end, advice = f"{name}={getattr(self, name, None)} ended the fit", f"raise {name}, or gap"
        if name == "stalled":
            end = "the solver made no further progress"
            advice = "columns of very different sizes are a common cause; standardize them, or use a smaller C"
        warnings.warn(
            f"SoftMargin: {end} at a proved relative gap of {at_most(worst)}; {gap:g} was requested: {advice}",
            GapNotReachedWarning,
            stacklevel=caller_level(),
        )

    def _check_for_predict_proba(self) -> None:
        """Raise NotAvailableError if there are no probabilities."""
        refuse(self, (
            ("loss", self.loss != "logistic", " has scores (decision_function) and no probabilities (predict_proba); "
             "use loss='logistic'"),
            ("multi_class", self.multi_class == "ovo", " has votes and no probabilities (predict_proba); use 'ova'"),
        ), NotAvailableError)  # fmt: skip

    _check_for_predict_log_proba = _check_for_predict_proba

    @where_it_can
    def predict_proba(self, X: Points) -> np.ndarray:
        """Return the probability of each class (n, classes): 1/(1 + exp(−score)) of the class that sorts last.

        More than two classes: these of each one-vs-all plane, divided by their sum.
        """
        scores = self.decision_function(X)
        with np.errstate(over="ignore"):
            p = 1.0 / (1.0 + np.exp(-scores))
            if scores.ndim == 1:
                return np.column_stack([1.0 / (1.0 + np.exp(scores)), p])
        p = np.maximum(p, 1e-300)
        return np.asarray(p / p.sum(axis=1, keepdims=True))

    @where_it_can
    def predict_log_proba(self, X: Points) -> np.ndarray:
        """Return the logarithm of `predict_proba`."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.predict_proba(X)))
