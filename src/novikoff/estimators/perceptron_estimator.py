"""scikit-learn's words for the perceptron: tags, checks, warnings and callbacks, around the plain learner."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, column_or_1d

from novikoff.arguments.unknown_arguments import PERCEPTRON as OTHER_WORDS
from novikoff.arguments.unknown_arguments import KnownNames
from novikoff.data.labelled_points import unpacked
from novikoff.data.labels.label_codes import Coded
from novikoff.estimators.learner import Learner, Take
from novikoff.estimators.sklearn_glue.sklearn_callbacks import Callbacks, CallbackSupport, with_callbacks
from novikoff.estimators.sklearn_glue.sklearn_names import check_columns, take_columns
from novikoff.estimators.sklearn_glue.sklearn_params import PERCEPTRON, NotSeparatedWarning, in_scikit_learns_words
from novikoff.perceptron.run.observer import Observer

__all__ = ["NotSeparatedWarning", "Perceptron"]


class Perceptron(KnownNames, CallbackSupport, Learner, ClassifierMixin, BaseEstimator):
    """The perceptron with exact decisions, for two classes or more.

    w ← w + η·y·x,  b ← b + η·y   whenever   y·(w·x + b) ≤ 0

    From the notes: T3 C6 Z6 (the algorithm), R7 (pocket), Z14 (stopping), S7 R6 (start and rate), T7 R1 Z5 (ties).
    Whether a look is a mistake is the sign of the exact dot product of the stored numbers, so the mistakes and every
    bit of the weights are the same for float32, float64, dense and sparse storage of the same numbers, on every
    machine.

    Parameters
    ----------
    rule : update rule: "perceptron" (y·score ≤ 0: w + η·y·x), "margin" (the same for y·score ≤ `threshold`), or
        the passive-aggressive "pa", "pa1", "pa2" (y·score < 1: a step from score and |x|², limited or softened by
        `C`)
    keep : which weights are returned: "pocket" (the fewest training errors among the weights that were counted; a
        tie is an error), "last", "average" or "vote". Where no plane separates the points, the pocket goes on: in
        random draws (seed random_state, 0 when None) where its order repeats itself or brings nothing better
    order : order of the rows: "cyclic" (rows sorted by class learn slowly this way: use "shuffle"), "first"
        (after an update again from the first row), "shuffle", "random" or "worst" (the row farthest on the wrong
        side, found by a whole pass)
    eta0 : learning rate η > 0; with rule "perceptron" from a zero start it scales the weights and changes no decision
    fit_intercept : whether the plane may miss the origin
    max_iter : at most this many passes
    max_updates, max_time : at most this many updates, seconds; None: no limit
    train_patience : stop when the pocket (other keeps: the mistakes of a pass) did not improve for so many passes;
        None: never. "auto" is 100 passes, for the pocket and 10,000 looks without a better one, for other keeps never
        before 10 million looks in all. It asks `decide` then (the pocket after half of it), or at the end of max_iter ≥
        100 passes: if no plane separates the points, `verdict_` proves it, and the run ends ("not_separable"; the
        pocket goes on to the end of its patience); if one does, it goes on to max_iter (with None it ends:
        "train_stalled"), and `verdict_` holds a plane. Of max_time, decide gets what
        is left; undecided is as if it had not been asked. A number or None never asks, nor does a run of fewer passes,
        with validation points, of more than two classes, or on points so wide that an answer may take long
        (min(n, D)²·D > 300,000, where D counts the features and the bias: more than 66 on many points)
    early_stopping : keep `validation_fraction` of the points aside and stop when their errors did not fall for
        `valid_patience` passes; the weights with the fewest validation errors are returned (also when `fit` is
        given X_valid, y_valid)
    schedule : "constant", "inverse" (1/k), "inverse-sqrt" (1/√k), or a function k → factor of η for the k-th update,
        k = 1, 2, …; two classes
    warm_start : go on from the state of the last fit
    random_state : seed of the orders "shuffle" and "random" and of the validation split; the one used is `seed_`
    tie : what a score of exactly 0 predicts: "negative" (the class that sorts first) or "positive"
    class_weight : {class: weight} or "balanced" (n/(classes·count)): multiplies the steps and the counted errors of
        each class
    verbose : 1 prints a line at passes 1, 2, 4, 8, …
    multi_class : with more than two classes: "ova" (one plane for each class against all others), "ovo" (one for each
        pair) or "joint" (planes changed together: the class's and its highest rival's)
    ovo : how pairs decide: "vote" (the class that wins most pairs; of equal ones the highest sum of its pairs' scores,
        then the first), or "sum" (the highest sum)
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
        repeat itself it ends there ("cycle"); otherwise average and vote go on to the end of pass 20. The pocket goes
        on, and ends as "not_separable" where one error is left: no plane has fewer
    random_from_ : the first pass in which the pocket drew rows at random though another order was asked for; or None
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
    _other_words = OTHER_WORDS
    _warning = NotSeparatedWarning
    _check_parameters = in_scikit_learns_words(Learner._check_parameters)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """The share of points (of `sample_weight`) that `predict` gives their label; points of `read` have theirs."""
        _, y = unpacked(X, y)
        return float(super().score(X, np.asarray(y) if isinstance(y, Coded) else y, sample_weight))

    fit = with_callbacks(Learner.fit)

    def _observers(self, X: Any, y: Any, take: Take) -> list[Observer]:
        callbacks = [Callbacks(self, X, y, take)] if getattr(self, "_skl_callbacks", None) else []
        return [*callbacks, *super()._observers(X, y, take)]

    def _parameters(self) -> dict[str, Any]:
        """The choices by name, those of a subclass too."""
        return dict(self.get_params(deep=False))

    def _labels(self, y: Any) -> Any:
        is_column = getattr(y, "ndim", 1) == 2 and y.shape[1] == 1
        return np.asarray(column_or_1d(y, warn=True)) if is_column else super()._labels(y)

    def _check_fitted(self) -> None:
        check_is_fitted(self)

    def _take_columns(self, X: Any, d: int) -> None:
        take_columns(self, X)

    def _check_columns(self, X: Any, d: int) -> None:
        check_columns(self, X)
