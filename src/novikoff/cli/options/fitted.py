"""Fit any estimator to the training rows, and state what a document says of every fit."""

from __future__ import annotations

import time
import warnings
from typing import Any

from novikoff.cli.options.class_weights import in_document
from novikoff.cli.options.splits import Parts
from novikoff.cli.text import formatting
from novikoff.cli.text.held_out import tested

FEW_FEATURES = 50  # up to here the weights are in the document


def timed_fit(learner: Any, parts: Parts, ended: type[Warning], **kept: Any) -> float:
    """Fit an estimator and return the seconds it took; ended: its warning, which is part of the report instead."""
    from novikoff.data.row_numbers import naming_rows_of_file

    begin = time.perf_counter()
    with (
        warnings.catch_warnings(),
        naming_rows_of_file(parts.rows),
        formatting.about(parts.name, label=parts.known.form.label),
    ):
        warnings.simplefilter("ignore", ended)
        try:
            learner.fit(parts.X, parts.y, **kept)
        except KeyboardInterrupt:
            if not hasattr(learner, "coef_"):  # Ctrl-C twice, or before anything was learned
                raise
    return time.perf_counter() - begin


def facts(learner: Any, n: int, errors: int | None, seconds: float) -> dict[str, Any]:
    """Return what the document of every fit states."""
    many = len(learner.classes_) > 2
    return {
        "stop_reason": learner.stop_reason_,
        "separated": errors == 0,
        "train_errors": errors,
        "n": n,
        "d": int(learner.n_features_in_),
        "bias": bool(getattr(learner, "fit_intercept", True)),
        "classes": learner.classes_.tolist(),
        "multi": learner.multi_class_ if many else None,
        "ovo": getattr(learner, "ovo", "vote") if many and learner.multi_class_ == "ovo" else None,
        "seed": int(learner.random_state or 0),
        "seconds": seconds,
        "model": None,
    } | in_document(learner.class_weight)


def of_parts(learner: Any, parts: Parts) -> dict[str, Any]:
    """Return what the document states of the rows, the weights (if they are few) and the test."""
    document = {"label": parts.known.form.label, **parts.named}
    if learner.n_features_in_ <= FEW_FEATURES:
        w, b = learner.coef_.tolist(), learner.intercept_.tolist()
        document |= {"w": w, "b": b} if len(learner.classes_) > 2 else {"w": w[0], "b": b[0]}
    return document | ({"test": tested(learner, parts.X_test, parts.y_test)} if len(parts.y_test) else {})
