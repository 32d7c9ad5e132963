"""Predict from weights: scores with the exact sign, and the class of each point.

From the notes: Z1 (prediction), Z5 (what a tie predicts), Z15 (argmax of scores, of summed pairwise scores, of votes).
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from functools import wraps
from typing import Any

import numpy as np

from novikoff.data.column_names import check_names, columns_of
from novikoff.data.dask_rows import is_dask, mapped_rows
from novikoff.errors import InputError
from novikoff.estimators.new_rows import preparation_of
from novikoff.perceptron.scheme import Scheme
from novikoff.perceptron.winning_class import squashed, winner_highest, winners
from novikoff.scoring.scorer import Scorer

Method = Callable[[Any, Any], np.ndarray]
MOST = float(np.finfo(np.float64).max)
WEIGHTS_EXPECTED = (
    "coef_, intercept_: one finite number below 2^500 for each feature, and a bias, expected; weights beyond it belong "
    "to very small points: scale the points"
)
Answers = tuple[np.ndarray, np.ndarray]  # scores (n,) or (n, classes), class index of each point


def answers_of_two(scorer: Scorer, plane: np.ndarray, scale: float, voters: Any, tie: str) -> Answers:
    """Predict two classes: from one plane (w, b) as trained, times `scale`; or from the votes."""
    if voters is None:
        scores = _times(scorer.scores(plane[:-1], float(plane[-1])), scale)
    else:
        scorer.survey()
        scores = voters.votes(scorer).astype(np.float64)
    upper = scores >= 0.0 if tie == "positive" else scores > 0.0
    return scores, upper.astype(np.intp)


def answers_of_many(scorer: Scorer, planes: np.ndarray, scale: float, scheme: Scheme, scored: bool = True) -> Answers:
    """Predict more classes from the planes of a scheme; the first of equal classes wins. scored: return scores."""
    scorer.survey()
    each = scheme.class_planes(planes)
    votes, number, _ = winners(scorer, planes, scheme)
    if not scored:
        return np.zeros((len(number), 0)), number
    scores = np.column_stack([scorer.scores(plane[:-1].copy(), float(plane[-1])) for plane in each])
    scores = _times(scores, scale)
    return winner_highest(scores if votes is None else votes + squashed(scores), number), number


def _times(scores: np.ndarray, scale: float) -> np.ndarray:
    """Multiply scores by η and keep their signs: 0 only at a tie."""
    if scale == 1.0:
        return scores
    with np.errstate(over="ignore", under="ignore"):
        scaled = np.clip(scores * scale, -MOST, MOST)
    lost = (scaled == 0.0) & (scores != 0.0)
    return np.where(lost, np.copysign(5e-324, scores), scaled)


def lazy_on_dask(method: Method) -> Method:
    """Decorate `predict` or `decision_function`: a dask array or frame gives a dask array, computed when it is needed.

    Each block of rows is one call of the method.
    """

    @wraps(method)
    def called(model: Any, X: Any) -> Any:
        if not is_dask(X):
            return method(model, X)
        model._check_fitted()
        _check_lazy_columns(model, X)
        classes = model.classes_
        scored = method.__name__ != "predict"
        tail = (len(classes),) if scored and len(classes) > 2 else ()
        return mapped_rows(OfBlock(model, method.__name__), X, tail, np.dtype(float) if scored else classes.dtype)

    return called


def _check_lazy_columns(model: Any, X: Any) -> None:
    """Raise InputError for columns of a dask collection that differ from training, before anything is computed.

    A frame may have the raw columns of a loaded model, which its preparation finds by name.
    """
    names, known = columns_of(X), getattr(model, "feature_names_in_", None)
    if names is not None and preparation_of(model) is not None:
        return
    if names is not None and known is not None:
        check_names(names, known.tolist())
    width = len(X.columns) if names is not None else X.shape[1] if X.ndim == 2 else model.n_features_in_
    if width != model.n_features_in_ and width == width:  # NaN: not known yet
        raise InputError(f"X: found {width:,} columns; {model.n_features_in_:,} were expected, as in training")


class OfBlock:
    """Operation on a block of rows in memory: a method of a fitted model, without its engine and run state."""

    def __init__(self, model: Any, name: str) -> None:
        self.model, self.name = copy(model), name
        for unused in ("engine", "_run"):
            if hasattr(self.model, unused):
                setattr(self.model, unused, None)

    def __call__(self, block: Any) -> np.ndarray:
        return np.asarray(getattr(self.model, self.name)(block))
