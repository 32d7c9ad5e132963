"""Names of columns as scikit-learn keeps them: `feature_names_in_`, of frames and of the points of a file alike.

scikit-learn itself looks at frames. The points of `read` know their names beside their rows, and are asked here: other
names or another order are refused; where only one side has names, its warning is given.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.utils.validation import validate_data

from novikoff.data.column_names import check_names
from novikoff.data.frames import is_frame
from novikoff.data.labelled_points import Labelled, unpacked


def take_columns(clf: Any, X: Any) -> None:
    """Remember the columns of the points."""
    validate_data(clf, unpacked(X)[0], reset=True, skip_check_array=True)
    if isinstance(X, Labelled) and X.names is not None:
        clf.feature_names_in_ = np.array(X.names, dtype=object)


def check_columns(clf: Any, X: Any) -> None:
    """ValueError for other columns than those that are remembered."""
    rows, known = unpacked(X)[0], getattr(clf, "feature_names_in_", None)
    if not isinstance(X, Labelled) or X.names is None or is_frame(rows):
        validate_data(clf, rows, reset=False, skip_check_array=True)
    elif known is not None:
        check_names(X.names, known.tolist())
    else:
        validate_data(clf, rows, reset=False, skip_check_array=True)
        warnings.warn(
            f"X has feature names, but {type(clf).__name__} was fitted without feature names", UserWarning, stacklevel=2
        )
