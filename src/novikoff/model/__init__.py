"""Save and load models: `save` writes a fitted estimator, `load` reads it; loading executes nothing.

From the notes: Z1 (training, prediction and evaluation are separate: training passes the model to the others).
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from novikoff.arguments.signature_types import Model
from novikoff.errors import InputError
from novikoff.prepare.preparation import Preparation

if TYPE_CHECKING:
    from novikoff.estimators.maxmargin_estimator import MaxMargin
    from novikoff.estimators.perceptron_estimator import Perceptron
    from novikoff.estimators.soft_margin_estimator import SoftMargin
    from novikoff.records.container import Contents

FORMAT = "novikoff-model/1"

__all__ = ["FORMAT", "describe", "load", "resumable", "save", "trained"]


def save(
    clf: Model,
    path: str | os.PathLike[str],
    *,
    counts: bool = True,
    preparation: Preparation | None = None,
    data_digest: str | None = None,
    certificate_digest: str | None = None,
) -> str:
    """Write a fitted estimator to a file atomically and return the SHA-256 stored in it.

    A scikit-learn Pipeline is stored as its last step and a preparation that makes the same columns; an InputError
    names a step that cannot be stored. The loaded model takes the rows that the pipeline takes.

    The same run gives the same bytes. A full disk or a read-only folder leaves the old file unchanged.

    Parameters
    ----------
    counts : whether the counts per training point (`n_mistakes_`, `cycle_counts_`) go along
    preparation : how rows were made points, as `clf.preparation_` of a loaded model
    data_digest, certificate_digest : SHA-256 of the data, and of a certificate about it

    Examples
    --------
    >>> import os, tempfile
    >>> import novikoff as nv
    >>> X, y = nv.example("cornwell")
    >>> path = os.path.join(tempfile.mkdtemp(), "cornwell.nvk")
    >>> digest = nv.save(nv.Perceptron().fit(X, y), path)
    >>> clf = nv.load(path)
    >>> clf.stop_reason_, clf.coef_.tolist(), clf.intercept_.tolist()
    ('separated', [[4.0, -0.5]], [1.0])
    """
    from novikoff.model.model_record import record_of
    from novikoff.model.pipelines import is_pipeline, model_of_pipeline
    from novikoff.records.container import save_file

    if is_pipeline(clf):
        if preparation is not None:
            raise InputError("preparation: a pipeline has its own; omit it", "preparation")
        clf, preparation = model_of_pipeline(clf)
    digests = {"data_digest": data_digest, "certificate_digest": certificate_digest}
    record, tensors = record_of(clf, counts, preparation, digests)
    return save_file(path, FORMAT, record, tensors)


def load(path: str | os.PathLike[str]) -> Perceptron | MaxMargin | SoftMargin:
    """Load an estimator written by `save`; an InputError names the file and the fault.

    It predicts and scores exactly as the saved one, bit for bit. `partial_fit`, and `fit` with `warm_start=True`, begin
    at its weights. A model with a preparation takes raw rows: a data frame, a list
    of dictionaries, a list of texts; an array or a sparse matrix is taken as prepared rows.

    Examples
    --------
    >>> import os, tempfile
    >>> import novikoff as nv
    >>> X, y = nv.example("cornwell")
    >>> path = os.path.join(tempfile.mkdtemp(), "cornwell.nvk")
    >>> digest = nv.save(nv.Perceptron().fit(X, y), path)
    >>> nv.load(path).predict(X).tolist() == y.tolist()
    True
    """
    from novikoff.estimators.perceptron_estimator import Perceptron

    clf: Perceptron | MaxMargin | SoftMargin = _loaded(path, Perceptron)[1]
    return clf


def resumable(path: str | os.PathLike[str]) -> Any:
    """Load a perceptron that can be trained further, without scikit-learn."""
    from novikoff.estimators.learner import Learner

    clf = _loaded(path, Learner)[1]
    if not isinstance(clf, Learner):
        raise InputError(
            f"{path}: found a {type(clf).__name__}; a perceptron was expected, which can be trained further"
        )
    return clf


def trained(path: str | os.PathLike[str]) -> Any:
    """Load a model for prediction only: a perceptron without scikit-learn, which cannot be trained further."""
    from novikoff.estimators.fitted import Trained

    return _loaded(path, Trained)[1]


def describe(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Return the contents of a model file as plain values: its record, its SHA-256, and the shapes of its tensors."""
    from novikoff.estimators.fitted import Trained

    contents, _ = _loaded(path, Trained)
    shapes = {name: list(tensor.shape) for name, tensor in contents.tensors.items()}
    return {"format": FORMAT, "sha256": contents.sha256, **contents.record, "tensors": shapes}


def _loaded(path: str | os.PathLike[str], kind: type) -> tuple[Contents, Any]:
    """Return the contents of a file and its estimator; a perceptron is of class `kind`."""
    from novikoff.model.model_record import estimator_of
    from novikoff.records.container import load_file

    contents = load_file(path, FORMAT)
    try:
        return contents, estimator_of(contents.record, contents.tensors, str(path), kind)
    except (RecursionError, MemoryError) as error:
        raise InputError(f"{path}: cannot be read ({type(error).__name__}); save the model again") from None
