"""What scikit-learn expects of a classifier: tags, score, labels in a column, names of features.

scikit-learn reads the names of the columns of a frame. Points of a file (`Labelled`) have names of their own, which are
checked here: other names or another order raise an error; if only one side has names, scikit-learn's warning is given.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted, column_or_1d, validate_data

from novikoff.arguments.signature_types import Labels, Points
from novikoff.arguments.unknown_arguments import KnownNames
from novikoff.data.column_names import check_names
from novikoff.data.dask_rows import computed, empty_frame, is_dask_frame
from novikoff.data.frames import is_frame
from novikoff.data.labelled_points import Labelled, unpacked
from novikoff.data.labels import labels_of
from novikoff.estimators.messages import NotSeparated


class NotSeparatedWarning(NotSeparated, ConvergenceWarning):
    """The run ended before every point was on its own side: which rule ended it, and what is left.

    Examples
    --------
    >>> import warnings
    >>> import novikoff as nv
    >>> with warnings.catch_warnings(record=True) as said:
    ...     warnings.simplefilter("always")
    ...     clf = nv.Perceptron().fit(*nv.example("xor"))
    >>> said[0].category.__name__, str(said[0].message).partition(":")[0]
    ('NotSeparatedWarning', 'cycle')
    """


class SklearnClassifier(KnownNames, ClassifierMixin, BaseEstimator):
    """Base class of the estimators."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def score(self, X: Points, y: Labels | None = None, sample_weight: ArrayLike | None = None) -> float:
        """Return the fraction of points (of `sample_weight`) that are predicted correctly; points of `read` have their
        own labels.
        """
        _, y = unpacked(X, y)
        return float(super().score(X, computed(y), computed(sample_weight)))

    def _html_repr(self) -> str:
        """Return the estimator for a notebook, without script: changed parameters, and after a fit its results.

        scikit-learn's `_repr_html_` and `_repr_mimebundle_` call it, unless its option `display` is "text".
        """
        from novikoff.estimators.fit_results import estimator_html

        return estimator_html(self)

    def _labels(self, y: Any) -> Any:
        """Return the labels, checked; a column of labels gives scikit-learn's warning."""
        is_column = getattr(y, "ndim", 1) == 2 and y.shape[1] == 1
        return np.asarray(column_or_1d(y, warn=True)) if is_column else labels_of(y)

    def _check_fitted(self) -> None:
        check_is_fitted(self)

    def _take_columns(self, X: Any, d: int) -> None:
        """Store the number and the names of the columns."""
        validate_data(self, _with_columns(X), reset=True, skip_check_array=True)
        if isinstance(X, Labelled) and X.names is not None:
            self.feature_names_in_ = np.array(X.names, dtype=object)

    def _check_columns(self, X: Any, d: int) -> None:
        """Raise ValueError for other columns than those of training."""
        rows, known = _with_columns(X), getattr(self, "feature_names_in_", None)
        named = isinstance(X, Labelled) and X.names is not None and not is_frame(rows)
        if named and known is not None:
            check_names(X.names, known.tolist())
            return
        validate_data(self, rows, reset=False, skip_check_array=True)
        if named:
            name = type(self).__name__
            warnings.warn(
                f"X has feature names, but {name} was fitted without feature names", UserWarning, stacklevel=2
            )


def _with_columns(X: Any) -> Any:
    """Return rows whose columns scikit-learn can read: those of a dask frame without its rows."""
    rows = unpacked(X)[0]
    return empty_frame(rows) if is_dask_frame(rows) else rows
