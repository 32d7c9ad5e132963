"""The maximum-margin classifier as a scikit-learn estimator.

From the notes: Z11 (it depends on no start and no order), S10 C7 (the largest margin).
"""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from novikoff.arguments.signature_types import Labels, Points
from novikoff.arguments.unknown_arguments import MAX_MARGIN, known_arguments
from novikoff.data.labelled_points import Numbered, unpacked
from novikoff.data.labels import signs_of
from novikoff.data.problem import unlabelled
from novikoff.data.row_numbers import origin_of
from novikoff.estimators.allowed_values import OneOf
from novikoff.estimators.messages import caller_level
from novikoff.estimators.parameter_table import FIXED, CheckedParameters, documented, parameter
from novikoff.estimators.plane_classifier import PlaneClassifier
from novikoff.estimators.sklearn_classifier import NotSeparatedWarning, SklearnClassifier
from novikoff.maxmargin.margin import proved, signed_points, within
from novikoff.maxmargin.width import width_of

BIASES = ("free", "padded")


@dataclass(kw_only=True, repr=False, eq=False)
class MaxMarginParameters(CheckedParameters):
    """The parameters of MaxMargin."""

    bias: str = parameter("free", OneOf(BIASES), FIXED, "no verb fits it; novikoff margin reports both margins",
        "How to measure the margin.",
        '"free": in the original space. "padded": with the bias as one more dimension')  # fmt: skip


@documented
class MaxMargin(SklearnClassifier, PlaneClassifier, MaxMarginParameters):
    """The plane farthest from the points of two separable classes.

    bias="free"     max over (w, b) of  min_i y_i(w·x_i + b)/|w|
    bias="padded"   max over (w, b) of  min_i y_i(w·x_i + b)/|(w, b)|       the plane of the mistake bound

    With at most 64 support vertices the plane is solved in rational numbers and each number is rounded once: the same
    bits in every order of the rows and from every storage. Otherwise it is found in floating point, and its margin lies
    between proved bounds.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    coef_ (1, d), intercept_ (1,), classes_ : the plane, with y(w·x + b) = 1 at the support points; the class that
        sorts last is positive
    margin_ (lower, upper) : proved bounds of its margin
    support_ : indices of the support points in X (from 0), even if X is points of `read` with skipped rows
    dual_coef_ (1, n_support) : y_i α_i with w = Σ y_i α_i x_i over `support_`
    n_features_in_, feature_names_in_

    Raises
    ------
    NotSeparableError : by `fit`, if no plane separates the points; its `verdict` has the proof

    Examples
    --------
    >>> from novikoff import MaxMargin
    >>> clf = MaxMargin().fit([[0, 0], [1, 0], [0, 1], [1, 1]], ["no", "no", "no", "yes"])
    >>> clf.coef_.tolist(), clf.intercept_.tolist(), clf.support_.tolist(), clf.margin_
    ([[2.0, 2.0]], [-3.0], [1, 2, 3], (0.35355339059327373, 0.3535533905932738))
    """

    _other_words = MAX_MARGIN
    _max_time: float | None = None  # seconds for a fit, then UndecidedError; a report sets it

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    @known_arguments
    def fit(self, X: Points, y: Labels | None = None) -> MaxMargin:
        """Find the maximum-margin plane for points X (n, d), dense or sparse, and labels y of two classes; or for
        points from `read`.
        """
        self.check_parameters()
        given, (X, y) = X, unpacked(X, y)
        labels = np.asarray(self._labels(y))
        unlabelled(X)  # report faults of the points first
        classes, _ = signs_of(labels)
        points = signed_points(X, labels, True, positive=classes[1])
        numbered = Numbered(X, labels, numbering=origin_of(given))
        with within(points, self._max_time, "the plane") as clock:
            found = proved(points, self.bias == "free", numbered, None, None, clock, positive=classes[1])
        width = width_of(found, points.problem)
        self._take_columns(given, points.problem.d)
        w, b = width.plane
        self.classes_, self.margin_, self.support_ = classes, width.gamma, width.indices
        self.coef_, self.intercept_ = w[None, :], np.array([b])
        size = math.fsum(v * v for v in (w.tolist() if self.bias == "free" else [*w.tolist(), b]))
        half = 0.5 if self.bias == "free" else 1.0  # w = x/t, and |x| is twice t for two hulls
        self.dual_coef_ = (points.problem.y[width.indices] * width.weights * size * half)[None, :]
        scores = points.judge.scores(w, float(b)) * points.problem.y
        if wrong := int(np.count_nonzero(scores <= 0)):  # points are closer than its rounded numbers can resolve
            warnings.warn(
                f"MaxMargin: the widest plane separates all points, but rounded to binary64 it has {wrong:,} of "
                f"{points.n:,} on the wrong side or on the plane; subtract the mean of each column first",
                NotSeparatedWarning,
                stacklevel=caller_level(),
            )
        return self
