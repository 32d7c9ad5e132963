"""Base class of the estimators: the planes of a fit, and their predictions.

From the notes: Z1 (prediction apart from training), Z5 (what a tie predicts), Z15 (argmax of scores, of summed pairwise
scores, of votes). Nothing here imports the training loop or scikit-learn, so a saved model predicts soon after
start-up.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from novikoff.arguments.signature_types import Points
from novikoff.data.column_names import check_names, columns_of, few
from novikoff.data.problem import Problem, unlabelled
from novikoff.errors import InputError
from novikoff.estimators.new_rows import preparation_of, prepared_rows
from novikoff.perceptron.scheme import (
    Scheme,
    lost_of_many,
    squashed,
    ties_of_many,
    winner_highest,
    winners,
)
from novikoff.scoring.scorer import Scorer

if TYPE_CHECKING:
    from novikoff.perceptron.keeps import Voters

MOST = float(np.finfo(np.float64).max)
Answers = tuple[np.ndarray, np.ndarray]  # scores (n,) or (n, classes), class index of each point


class PlaneClassifier:
    """Predicts from one plane for two classes, from several for more; the estimators document the attributes."""

    classes_: np.ndarray
    coef_: np.ndarray
    intercept_: np.ndarray
    n_features_in_: int
    feature_names_in_: np.ndarray
    multi_class_: str = "ova"
    tie: str = "negative"
    _plane: np.ndarray | None = None  # as trained, before η
    _scale: float = 1.0  # η
    _voters: Voters | None = None  # with keep="vote"
    _with_bias: bool = True

    def decision_function(self, X: Points) -> np.ndarray:
        """Return the scores of each point: (n,) for two classes, (n, classes) for more.

        Two classes: w·x + b with the sign of the exact score, 0 only at a tie; with keep="vote" the votes for minus
        against. More classes: the score of each class, or its votes; one-vs-one: the pairs it won plus the sum of its
        pairs' scores squashed to between −1/3 and 1/3 (ovo="sum": that sum). Its argmax is `predict`.
        """
        return self.scores_and_classes(X)[0]

    def predict(self, X: Points) -> np.ndarray:
        """Return the class of each point; with two classes a score of exactly 0 gives the class that sorts first, or
        that of a parameter `tie`; with more the first of equal classes wins.
        """
        _, number = self.scores_and_classes(X, scored=False)
        return np.asarray(self.classes_[number])

    def scores_and_classes(self, X: Points, scored: bool = True) -> Answers:
        """Return (scores, class index) of each point; for many classes, scores only if `scored`."""
        self._check_fitted()
        if len(self.classes_) < 2:
            raise InputError(
                f"predict: only one class, {self.classes_.tolist()[0]!r}, was seen so far; add rows of a second class"
            )
        scorer = Scorer(self._points(X), filtered=False)
        planes, scale = self.as_trained()
        if len(self.classes_) > 2:
            return _answers_of_many(scorer, planes, scale, self.scheme_of_many(), scored)
        if self._voters is None:
            scores = _times(scorer.scores(planes[0, :-1], float(planes[0, -1])), scale)
        else:
            scorer.survey()
            scores = self._voters.votes(scorer).astype(np.float64)
        return scores, (scores >= 0.0 if self.tie == "positive" else scores > 0.0).astype(np.intp)

    def with_summed_pairs(self, X: Points) -> np.ndarray:
        """Return the summed scores of each class if pairs vote: they break ties between classes with equal votes."""
        scorer, summed = Scorer(self._points(X), filtered=False), replace(self.scheme_of_many(), ovo="sum")
        return _answers_of_many(scorer, *self.as_trained(), summed, True)[0]

    def lost_and_tied(self, X: Points, y: np.ndarray) -> tuple[int, int]:
        """Count the points that do not get their own class alone (y: class indices), and the ties among them.

        A tie is a score of 0 with two classes; with more, a point that no class wins alone.
        """
        if len(self.classes_) == 2:
            scores, number = self.scores_and_classes(X)
            tied = scores == 0.0
            return int(((number != y) | tied).sum()), int(tied.sum())
        scorer = Scorer(replace(self._points(X), y=y), filtered=False)
        scorer.survey()
        planes, scheme = self.as_trained()[0], self.scheme_of_many()
        lost = int(lost_of_many(scorer, planes, scheme).sum())
        return lost, ties_of_many(scorer, planes, scheme) if lost else 0

    def scheme_of_many(self) -> Scheme:
        """Return the planes of more than two classes and how they decide."""
        return Scheme(self.multi_class_, len(self.classes_))

    def as_trained(self) -> tuple[np.ndarray, float]:
        """Return the planes as trained, and η: their rounded product is coef_ and intercept_.

        Decisions use the trained planes, so that rounding by η cannot contradict `separated`; if coef_ or intercept_
        were changed since, these are used.
        """
        planes = self.scheme_of_many().planes if self._plane is None else len(np.atleast_2d(self._plane))
        shape = (planes, self.n_features_in_)
        if np.shape(self.coef_) != shape or np.shape(self.intercept_) != shape[:1]:
            raise InputError(
                f"coef_, intercept_: shapes {np.shape(self.coef_)} and {np.shape(self.intercept_)}; "
                f"{shape} and {shape[:1]} were expected"
            )
        now = np.column_stack([self.coef_, self.intercept_])
        if not self._with_bias and now[:, -1].any():
            raise InputError("intercept_: not 0 in a model without a bias; fit with fit_intercept=True to have one")
        if self._plane is not None and np.array_equal(now, np.atleast_2d(self._plane) * self._scale):
            return np.atleast_2d(self._plane), self._scale
        if not (np.abs(now) < 2.0**500).all():
            raise InputError(
                "coef_, intercept_: not finite, or beyond 2^500; smaller numbers were expected: larger ones belong to "
                "very small points: scale the points"
            )
        return now, 1.0

    def _points(self, X: Points) -> Problem:
        """Return the points X; raw rows of a loaded model are prepared first."""
        ready, steps = prepared_rows(self, X), preparation_of(self)
        if ready is not None:
            problem = unlabelled(ready, fit_intercept=self._with_bias)
            PlaneClassifier._check_columns(self, ready, problem.d)
            return problem
        way = "" if steps is None or steps.is_plain else (
            "this model prepares its rows: give raw rows as a data frame, as a list of dictionaries"
            f"{' or of texts' if len(steps.columns.text) == 1 else ''}, or prepared rows: {steps.call()}"
        )  # fmt: skip
        if way and (names := columns_of(X)) is not None:
            raise InputError(f"found the columns {few(names)}; {way}", "X")
        try:
            problem = unlabelled(X, fit_intercept=self._with_bias)
            self._check_columns(X, problem.d)
        except ValueError as error:
            if not way:
                raise
            kind = type(error) if isinstance(error, InputError) else InputError
            raise kind(f"{error}\n{way[0].upper()}{way[1:]}") from error
        return problem

    def _check_fitted(self) -> None:
        if not hasattr(self, "coef_"):
            raise InputError(f"{type(self).__name__}: not fitted yet; call fit first")

    def _take_columns(self, X: Points, d: int) -> None:
        """Store the number and the names of the columns."""
        self.n_features_in_, names = d, columns_of(X)
        vars(self).pop("feature_names_in_", None)
        if names is not None:
            self.feature_names_in_ = np.array(names, dtype=object)

    def _check_columns(self, X: Points, d: int) -> None:
        """Raise InputError for columns that differ from training."""
        if d != self.n_features_in_:
            raise InputError(f"found {d:,} columns; {self.n_features_in_:,} were expected, as in training", "X")
        found, known = columns_of(X), getattr(self, "feature_names_in_", None)
        if found is not None and known is not None:
            check_names(found, known.tolist())


def _answers_of_many(scorer: Scorer, planes: np.ndarray, scale: float, scheme: Scheme, scored: bool) -> Answers:
    """Predict more than two classes; the first of equal classes wins. scored: return scores."""
    scorer.survey()
    votes, number, _ = winners(scorer, planes, scheme)
    if not scored:
        return np.zeros((len(number), 0)), number
    each = scheme.class_planes(planes)
    scores = _times(np.column_stack([scorer.scores(one[:-1].copy(), float(one[-1])) for one in each]), scale)
    return winner_highest(scores if votes is None else votes + squashed(scores), number), number


def _times(scores: np.ndarray, scale: float) -> np.ndarray:
    """Multiply scores by η and keep their signs: 0 only at a tie."""
    if scale == 1.0:
        return scores
    with np.errstate(over="ignore", under="ignore"):
        scaled = np.clip(scores * scale, -MOST, MOST)
    lost = (scaled == 0.0) & (scores != 0.0)
    return np.where(lost, np.copysign(5e-324, scores), scaled)
