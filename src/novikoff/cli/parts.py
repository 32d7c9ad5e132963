"""Options for the rows to train on, to validate on, and to test on; fit any estimator to them."""

from __future__ import annotations

import time
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import click

from novikoff.cli.options import row_options
from novikoff.cli.options.automatic_options import expanded
from novikoff.cli.options.class_weights import in_document
from novikoff.cli.options.model_rows import new_rows, print_report
from novikoff.cli.text import formatting
from novikoff.cli.text.answer import note
from novikoff.cli.text.column_hints import column_hints
from novikoff.cli.text.held_out import tested

part_options = row_options.options(
    click.option("--test", "test_file", type=click.Path(), metavar="FILE", help="Rows to test on."),
    click.option("--test-every", type=click.IntRange(min=2), metavar="K", help="Test on each K-th row."),
    click.option("--holdout", type=formatting.part, metavar="F", help="Test on this fraction of rows, evenly spaced."),
    click.option("--valid", "valid_file", type=click.Path(), metavar="FILE",
                 help="Validation rows: return the weights with the fewest errors on them."),
)  # fmt: skip
TESTS = {"test_file": "--test", "test_every": "--test-every", "holdout": "--holdout"}


@dataclass(frozen=True)
class Parts:
    """Prepared points and labels. numbering: the numbers of the training rows in the file; None for 0, 1, 2, …"""

    name: str
    X: Any
    y: Any
    numbering: Any
    X_test: Any
    y_test: Any
    X_valid: Any
    y_valid: Any
    fit_intercept: bool
    known: Any  # the reader of the model's rows
    is_example: bool = False

    @cached_property
    def rows(self) -> Any:
        """The numbers of the training rows in the file or example."""
        import numpy as np

        return np.arange(len(self.y)) if self.numbering is None else self.numbering

    @cached_property
    def counts(self) -> dict[Any, int]:
        """How many training rows each class has."""
        from novikoff.data.labels import class_counts

        return dict(zip(*(part.tolist() for part in class_counts(self.y)), strict=True))

    @property
    def named(self) -> dict[str, str | None]:
        """The source of the points, for a document."""
        return {"example": self.name, "data": None} if self.is_example else {"example": None, "data": self.name}


def parts_of(ctx: click.Context, request: Mapping[str, Any]) -> Parts:
    """Return the parts that the options request; the preparation is fitted on the training rows only."""
    from novikoff.data.labels import class_counts
    from novikoff.io.model_reader import model_reader_of

    given = [option for name, option in TESTS.items() if request[name]]
    if len(given) > 1:
        raise click.UsageError(f"{' and '.join(given)}: use only one of them", ctx)
    request = expanded(ctx, request)
    path, data = request["data"], row_options.opened(ctx, request)
    data = data.prepare(row_options.preparation(request, data.stored.categories))
    train, test = data.split(**{name: request[name] for name in ("holdout", "test_every")})
    X, y = train.rows, train.labels
    known, classes = model_reader_of(train.preparation), class_counts(y)[0]
    X_test, y_test, X_valid, y_valid = None, y[:0], None, None
    if test.n:
        X_test, y_test = test.rows, test.labels
        known.count(0, getattr(test.stored, "unknown", {}))
    elif request["test_file"]:
        X_test, y_test = labelled(known, request["test_file"], classes, request)
    if request["valid_file"]:
        X_valid, y_valid = labelled(known, request["valid_file"], classes, request)
    hints = [] if path is None else column_hints(data, train.preparation, request)
    note(request["quiet"], [*hints, *row_options.imputed_notes(data.name, train.preparation)])
    print_report(known, request["quiet"])
    held, bias = (X_test, y_test, X_valid, y_valid), row_options.has_bias(request)
    return Parts(data.name, X, y, train.numbering, *held, bias, known, path is None)


def labelled(known: Any, path: str, classes: Any, request: Mapping[str, Any]) -> tuple[Any, Any]:
    """Return all rows of another file, and their labels, which must be among the classes."""
    again = {name: request.get(name) for name in ("memory", "spill", "quiet")} | {"label": None, "no_label": False}
    how = new_rows(path, again | {"kind": request["kind"] or known.format_for(path)}, known)
    with row_options.spilling(path, again) as spill:
        found: tuple[Any, Any] = known.labelled(path, classes, how, spill)
    return found


def timed_fit(learner: Any, parts: Parts, ended: type[Warning], **kept: Any) -> float:
    """Fit an estimator and return the seconds it took; ended: its warning, which is part of the report instead."""
    from novikoff.data.labelled_points import Numbered

    points, begin = Numbered(parts.X, parts.y, numbering=parts.numbering), time.perf_counter()
    with warnings.catch_warnings(), formatting.about(parts.name, label=parts.known.form.label):
        warnings.simplefilter("ignore", ended)
        try:
            learner.fit(points, **kept)
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
    if learner.n_features_in_ <= formatting.FEW_FEATURES:
        w, b = learner.coef_.tolist(), learner.intercept_.tolist()
        document |= {"w": w, "b": b} if len(learner.classes_) > 2 else {"w": w[0], "b": b[0]}
    return document | ({"test": tested(learner, parts.X_test, parts.y_test)} if len(parts.y_test) else {})
