"""The perceptron as a scikit-learn estimator: tags, checks and warnings.

From the notes: T3 C6 Z6 (the algorithm), R7 (pocket), Z10a (batch), Z14 (stopping), S7 R6 (start and rate), T7 R1 Z5
(ties).
"""

from __future__ import annotations

from typing import Any

from novikoff.arguments.unknown_arguments import PERCEPTRON as OTHER_WORDS
from novikoff.estimators.learner import Learner
from novikoff.estimators.parameter_table import documented
from novikoff.estimators.sklearn_classifier import NotSeparatedWarning, SklearnClassifier

__all__ = ["NotSeparatedWarning", "Perceptron"]


@documented
class Perceptron(SklearnClassifier, Learner):
    """The perceptron with exact decisions, for two classes or more.

    w ← w + η·y·x,  b ← b + η·y   whenever   y·(w·x + b) ≤ 0

    Mixing is that of McDonald, Hall and Mann (2010). Whether a presented point is a mistake depends on the sign of the
    exact dot product of the stored numbers. So the mistakes and every bit of the weights are the same for float32,
    float64, dense and sparse storage of the same numbers, on every machine.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    coef_ (planes, d), intercept_ (planes,), classes_ : the plane; the class that sorts last is on its positive side.
        With keep="vote" the plane is the last one, and predictions are votes
    multi_class_ : the multiclass scheme that was used: "ova", "ovo" or "joint"
    stop_reason_ : the rule that ended the run ("separated", "separable", "cycle", "not_separable", "rounding",
        "max_passes", "max_updates", "max_seconds", "train_stalled", "valid_stalled", "interrupted", "stream_ended")
    verdict_ : the verdict of `decide` with its proof, or None if nothing was decided. It stores only the rows of the
        proof: `verdict_.check(X, y)` checks it; to save a proof, call decide(X, y). With more than two classes, a dict
        of the verdicts that were found: by class c, which `verdict_[c].check(X, y == c)` checks; with one-vs-one by
        pair of classes, about the rows of these two
    n_iter_, n_updates_, n_looks_ : passes begun, updates, presented points (looks)
    n_mistakes_ (n,) : how often each point was added to w; with constant steps the last w of the run is η times the
        sum of these signed points, with order "batch" η/n times. An averaged or computed plane ("separable") is not
        that sum. After `partial_fit` (classes,): how often a point of each class was added.
        With mix (partitions,): how often a point of each partition was added
    partition_rows_ (partitions,) : with mix, the number of rows of each partition, in their order; else None
    mistake_bound_ : with `known_margin` (R/γ)², rounded up; with order "batch" n·(R/γ)², with mix P·(R/γ)² for P
        partitions. None if no double holds it
    cycle_counts_ (n,) or None : if the weights returned to an earlier value, how often each point was added in between:
        with their signs these points sum to zero, which proves that no plane separates them. If the run would only
        repeat itself, it ends there ("cycle"); otherwise auto, average and vote continue to the end of pass 20. The
        pocket continues, and ends as "not_separable" when one error is left, as no plane has fewer
    order_ : the order of the last pass
    random_from_ : the first pass in which the pocket drew rows at random instead of in the requested order; or None
    history_ : dict of columns, one entry per pass; after `partial_fit` one entry after 1, 2, 4, … rows. A model file
        has at most 1,000 entries, evenly spaced, the first and the last among them
    seed_, n_features_in_, feature_names_in_

    Examples
    --------
    >>> from novikoff import Perceptron
    >>> clf = Perceptron().fit([[0, 0], [1, 0], [0, 1], [1, 1]], ["no", "yes", "yes", "yes"])
    >>> clf.stop_reason_, clf.n_updates_, clf.predict([[2, 2]]).tolist()
    ('separated', 9, ['yes'])
    """

    _other_words = OTHER_WORDS
    _warning = NotSeparatedWarning

    def _parameters(self) -> dict[str, Any]:
        """Return the parameters by name, those of a subclass too."""
        return dict(self.get_params(deep=False))
