"""Test a model on held-out rows: errors, accuracy and the confusion matrix."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from novikoff.cli.text import formatting
from novikoff.errors import InputError

MOST_CLASSES = 100  # of a confusion matrix in a document


def tested(model: Any, X: Any, y: Any) -> dict[str, Any]:
    """Return how many rows of a test have a wrong prediction, and how many rows of each class get each class.

    confusion: rows are the classes of the points, columns the predicted ones, both in the order of `classes_`; None if
    there are many classes, or labels that training did not have.
    """
    import numpy as np

    from novikoff.data.labelled_points import in_chunks
    from novikoff.data.labels import known_numbers

    errors, many = 0, len(model.classes_)
    counts: Any = np.zeros(many * many, np.int64) if many <= MOST_CLASSES else None
    for rows, labels in in_chunks(X, y):
        predicted = model.predict(rows)
        errors += int((predicted != labels).sum())
        if counts is None:
            continue
        try:
            own, called = (known_numbers(part, model.classes_, "y", "the classes") for part in (labels, predicted))
        except InputError:
            counts = None
        else:
            counts += np.bincount(own * many + called, minlength=many * many)
    confusion = None if counts is None else counts.reshape(many, many).tolist()
    return {"n": len(y), "errors": errors, "accuracy": 1 - errors / len(y), "confusion": confusion}


def tested_in_words(test: Mapping[str, Any]) -> str:
    """Format the errors and the accuracy of a test."""
    verb = "is" if test["n"] == 1 else "are"
    right = f"{test['n'] - test['errors']:,} of {formatting.count(test['n'], 'point')} held out {verb}"
    return f"test   {right} classified correctly: accuracy {100 * test['accuracy']:.2f} %"


def widest_tested(margin: Any, classes: list[Any], train: tuple[Any, Any], held: tuple[Any, Any]) -> dict[str, Any]:
    """Return the errors of the plane of the largest geometric margin, as of MaxMargin, on its rows and on others.

    classes: sorted; train, held: rows and labels.
    """
    import numpy as np

    from novikoff.estimators.maxmargin_estimator import MaxMargin

    w, b = margin.geometric.plane
    side = 1.0 if margin.source.classes[1] == classes[1] else -1.0
    model = MaxMargin()
    model.classes_, model.n_features_in_ = np.array(classes), w.size
    model.coef_, model.intercept_ = side * w[None, :], np.array([side * float(b)])
    return {"train_errors": tested(model, *train)["errors"], "test": tested(model, *held)}
