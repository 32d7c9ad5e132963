"""A model from a file, the options for new rows, and what the model predicts for them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from novikoff.cli.options import row_options
from novikoff.cli.text import formatting
from novikoff.cli.text.answer import note
from novikoff.cli.text.option_table import check_format
from novikoff.errors import InputError

if TYPE_CHECKING:
    from novikoff.io.model_reader import ModelReader

new_row_options = row_options.options(
    row_options.format_option,
    row_options.label_option,
    click.option("--no-label", is_flag=True, help="No column is the label."),
    row_options.columns_option,
    row_options.drop_option,
    row_options.header_option,
)


@dataclass(frozen=True)
class Predict:
    """Predicts some rows of a file: scores and class numbers, how many rows have unknown categories, and imputed
    values.

    It can be sent to another process. scored: whether scores of more than two classes are needed.
    """

    learner: Any
    prep: Any
    path: str
    scored: bool

    def __call__(self, some: tuple[Any, Any]) -> tuple[tuple[Any, Any], Mapping[str, int], int]:
        """Predict rows, given their numbers in the file."""
        from novikoff.io.rows import applied

        rows, raw = some
        made = applied(self.prep, raw, self.path, rows)
        with formatting.about(self.path, rows):
            scores, number = self.learner.scores_and_classes(made.X, self.scored)
        return (scores if self.scored else None, number), made.unknown, made.imputed


def predictions(
    reader: ModelReader, op: Predict, engine: Any, request: Mapping[str, Any], required: bool = False
) -> Iterator[tuple[Any, tuple[Any, Any], Any]]:
    """Yield labels or None, scores (or None) with class numbers, and the rows' numbers in the file, some at a time.

    required: whether the rows must have labels.
    """
    waiting: deque[Any] = deque()

    def rows() -> Iterator[tuple[Any, Any]]:
        how = new_rows(op.path, request, reader, required)
        for labels, raw, numbers in reader.raws(op.path, how, request.get("label_as", ())):
            waiting.append((labels, numbers))
            yield numbers, raw

    for found, unknown, imputed in engine.each(op, rows()):
        reader.count(0, unknown, imputed)
        labels, numbers = waiting.popleft()
        yield labels, found, numbers


def new_rows(path: str, request: Mapping[str, Any], reader: ModelReader, required: bool = False) -> Any:
    """Return how to read new rows, as the options state. required: whether they must have labels."""
    from novikoff.io.file_formats import check_readable, check_tables
    from novikoff.io.reading import Reading

    check_readable(path)
    kind = request["kind"] or reader.format_for(path)
    check_format(path, kind, request)
    how = Reading(
        format=kind,
        label=request["label"],
        columns=request.get("columns"),
        drop=request.get("drop", ()),
        header=request.get("header"),
        limit=row_options.limit_of(request),
        labelled=not request["no_label"],
        label_required=required,
    )
    check_tables(how, kind, path)
    return how


def model_of(path: str) -> tuple[Any, ModelReader]:
    """Return the estimator in a model file, and the reader of its rows."""
    from novikoff.model import trained

    clf = trained(path)
    reader = reader_of(clf, path)
    vars(clf).pop("feature_names_in_", None)  # the reader has found the columns by name
    return clf, reader


def reader_of(clf: Any, path: str) -> ModelReader:
    """Return the reader of the rows of an estimator from this file."""
    import numpy as np

    from novikoff.io.model_reader import model_reader_of
    from novikoff.prepare import Preparation, Raw

    prep = getattr(clf, "preparation_", None)
    if prep is None:
        names = getattr(clf, "feature_names_in_", None)
        named = None if names is None else [str(name) for name in names]
        prep = Preparation().fit(Raw(np.zeros((1, clf.n_features_in_)), named))
    try:
        return model_reader_of(prep)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def print_report(reader: ModelReader, quiet: bool = False) -> None:
    """Print on stderr what a person should know about the rows that were read."""
    note(quiet, reader.report())
