"""New rows for a loaded model: prepare tables, dictionaries and texts as in training.

An array or a sparse matrix holds prepared rows. A data frame, a list of dictionaries, a list of texts and points with
names hold raw rows: their columns are found by name, and the model's preparation is applied.
"""

from __future__ import annotations

import warnings
from typing import Any

from novikoff.errors import UnknownCategoryWarning
from novikoff.prepare.preparation import Preparation


def preparation_of(clf: Any) -> Preparation | None:
    """Return the preparation that was loaded with the present planes, if there is one."""
    origin, steps = getattr(clf, "_origin", None), getattr(clf, "preparation_", None)
    if origin is None or not isinstance(steps, Preparation):
        return None
    plane = getattr(clf, "_plane", None)
    return steps if origin[0] is (clf.coef_ if plane is None else plane) else None


def prepared_rows(clf: Any, X: Any) -> Any:
    """Return raw rows, prepared as the training rows of a loaded model were; None if X is not a table of raw rows.

    Warn about categories that no training row had.
    """
    steps = preparation_of(clf)
    if steps is None:
        return None
    from novikoff.io.python_rows import is_table, raw_rows_of

    if not is_table(X):
        return None
    made = steps.apply(raw_rows_of(X, steps))
    if any(made.unknown.values()):
        from novikoff.estimators.messages import caller_level
        from novikoff.io.model_reader import unknown_categories

        said = f"X: {'; '.join(unknown_categories(made.unknown))}"
        warnings.warn(said, UnknownCategoryWarning, stacklevel=caller_level())
    return made.X


def keep_preparation(clf: Any, steps: Preparation | None, data_digest: str | None = None) -> None:
    """Keep the preparation of a model whose planes were trained, if it makes as many columns."""
    if steps is not None and len(steps.names) == clf.n_features_in_:
        clf._origin = (clf._plane, {"data_digest": data_digest, "preparation": steps})
