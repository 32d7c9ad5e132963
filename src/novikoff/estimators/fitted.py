"""A fitted perceptron: its planes and their predictions.

From the notes: Z1 (prediction apart from training), Z5 (what a tie predicts). Nothing here imports the training loop or
scikit-learn, so a saved model predicts soon after start-up.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from novikoff.arguments.signature_types import Points
from novikoff.data.column_names import check_names, columns_of
from novikoff.data.problem import Problem, unlabelled
from novikoff.errors import InputError
from novikoff.estimators.new_rows import prepared_rows, raw_row_error
from novikoff.estimators.parameter_checks import Parameters
from novikoff.estimators.prediction import Answers, answers_of_many, answers_of_two, lazy_on_dask
from novikoff.perceptron.scheme import Scheme
from novikoff.perceptron.winning_class import lost_of_many, ties_of_many
from novikoff.scoring.scorer import Scorer


class Trained(Parameters):
    """Base class with the fitted attributes; `novikoff.Perceptron` documents each of them."""

    classes_: np.ndarray
    coef_: np.ndarray
    intercept_: np.ndarray
    n_features_in_: int
    feature_names_in_: np.ndarray
    stop_reason_: str | None
    n_iter_: int
    n_updates_: int
    n_looks_: int
    n_mistakes_: np.ndarray
    cycle_counts_: np.ndarray | None
    random_from_: int | None
    order_: str
    partition_rows_: np.ndarray | None
    verdict_: Any
    mistake_bound_: float | None
    history_: dict[str, list[Any]]
    seed_: int
    _plane: np.ndarray  # as trained, before η
    _scale: float  # η
    _voters: Any  # with keep="vote"
    _stream: Any  # after partial_fit: the stream; None after `fit` and in a loaded model
    _with_bias: bool
    multi_class_: str
    _chosen: dict[str, Any]  # FIXED_BY_A_RUN, at the time of the fit

    @lazy_on_dask
    def decision_function(self, X: Points) -> np.ndarray:
        """Return the scores of each point: (n,) for two classes, (n, classes) for more.

        Two classes: w·x + b with the sign of the exact score, 0 only at a tie; with keep="vote" the votes for minus
        against. More classes: the score of each class, or its votes; one-vs-one: the pairs it won plus the sum of its
        pairs' scores squashed to between −1/3 and 1/3 (ovo="sum": that sum). Its argmax is `predict`.
        """
        return self.scores_and_classes(X)[0]

    @lazy_on_dask
    def predict(self, X: Points) -> np.ndarray:
        """Return the class of each point; with two classes `tie` decides a score of exactly 0, else the first class
        wins.
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
        if len(self.classes_) == 2:
            return answers_of_two(scorer, planes[0], scale, self._voters, self.tie)
        return answers_of_many(scorer, planes, scale, self.scheme_of_many(), scored)

    def _points(self, X: Any) -> Problem:
        """Return the points X; raw rows of a loaded model are prepared first."""
        ready = prepared_rows(self, X)
        if ready is not None:
            return unlabelled(ready, fit_intercept=self._with_bias)
        with raw_row_error(self, X):
            problem = unlabelled(X, fit_intercept=self._with_bias)
            self._check_columns(X, problem.d)
        return problem

    def scheme_of_many(self) -> Scheme:
        """Return the planes of more than two classes and how they decide; runs from before `ovo` summed the pairs'
        scores.
        """
        return Scheme(self.multi_class_, len(self.classes_), self._chosen.get("ovo", "sum"))

    def with_summed_pairs(self, X: Points) -> np.ndarray:
        """Return the summed scores of each class if pairs vote: they break ties between classes with equal votes."""
        scorer = Scorer(unlabelled(X, fit_intercept=self._with_bias), filtered=False)
        planes, scale = self.as_trained()
        return answers_of_many(scorer, planes, scale, replace(self.scheme_of_many(), ovo="sum"))[0]

    def lost_and_tied(self, X: Points, y: np.ndarray) -> tuple[int, int]:
        """Count the points that do not get their own class alone (y: class indices), and the ties among them.

        A tie is a score of 0 with two classes; with more, a point that no class wins alone.
        """
        if len(self.classes_) == 2:
            scores, number = self.scores_and_classes(X)
            tied = scores == 0.0
            return int(((number != y) | tied).sum()), int(tied.sum())
        scorer = Scorer(replace(unlabelled(X, fit_intercept=self._with_bias), y=y), filtered=False)
        scorer.survey()
        request = scorer, self.as_trained()[0], self.scheme_of_many()
        lost = int(lost_of_many(*request).sum())
        return lost, ties_of_many(*request) if lost else 0

    def as_trained(self) -> tuple[np.ndarray, float]:
        """Return the planes as trained, and η: their rounded product is coef_ and intercept_.

        Decisions use the trained planes, so that rounding by η cannot contradict `separated`; if coef_ or intercept_
        were changed since, these are used.
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

    def _check_fitted(self) -> None:
        if not hasattr(self, "coef_"):
            raise InputError(f"{type(self).__name__}: not fitted yet; call fit first")

    def _take_columns(self, X: Any, d: int) -> None:
        """Remember the columns of the points."""
        self.n_features_in_, names = d, columns_of(X)
        vars(self).pop("feature_names_in_", None)
        if names is not None:
            self.feature_names_in_ = np.array(names, dtype=object)

    def _check_columns(self, X: Any, d: int) -> None:
        """Raise InputError for columns that differ from training."""
        if d != self.n_features_in_:
            raise InputError(f"X: found {d:,} columns; {self.n_features_in_:,} were expected, as in training")
        found, known = columns_of(X), getattr(self, "feature_names_in_", None)
        if found is not None and known is not None:
            check_names(found, known.tolist())
