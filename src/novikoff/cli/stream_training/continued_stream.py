"""`fit - --from MODEL`: train a model further on a stream, whose rows are read and prepared as its own were."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import click

from novikoff.cli.options.learning_options import OPTIONS
from novikoff.cli.options.model_rows import new_rows, reader_of
from novikoff.cli.options.option_checks import spelled, typed
from novikoff.cli.text import formatting
from novikoff.cli.text.option_table import parameters
from novikoff.estimators.parameters.parameter_table import FREE, PER_FIT, PERCEPTRON


def continued(ctx: click.Context, request: Mapping[str, Any]) -> tuple[Any, Any]:
    """Return the perceptron of --from and the reader of its rows; raise UsageError for options that it fixes."""
    from novikoff.model import resumable

    path = request["from_model"]
    for name in parameters("model"):
        if name in request and typed(ctx, name):
            raise click.UsageError(f"{spelled(ctx, name)}: the model {path} has it already; leave it out", ctx)
    learner = resumable(path)
    for name, option in OPTIONS.items():
        if not typed(ctx, option.key) or PERCEPTRON[name].scope == PER_FIT:
            continue
        value = request[option.key]
        value = formatting.binary64(value, option.flag) if isinstance(value, Fraction) else value
        if PERCEPTRON[name].scope == FREE:
            setattr(learner, name, value)
        elif getattr(learner, name) != value:
            found = f"{option.flag} {request[option.key]}: {path} was trained with {getattr(learner, name)}"
            raise click.UsageError(f"{found}; leave it out", ctx)
    return learner, reader_of(learner, path)


class ModelChunks:
    """The rows of a stream, prepared chunk by chunk as the earlier rows of a model were."""

    grows = False

    def __init__(self, reader: Any, request: Mapping[str, Any]) -> None:
        self.reader, self.prep, self.request = reader, reader.prep, request

    @property
    def source(self) -> Any:
        """What the rows are read from."""
        return self.reader.source

    def prepared(self) -> Iterator[tuple[Any, Any]]:
        """Yield labels and points."""
        import numpy as np

        from novikoff.io.stored_rows import applied
        from novikoff.io.stream.label_scan import labels_of

        path = self.request["data"]
        how = new_rows(path, {**self.request, "no_label": False}, self.reader, required=True)
        for labels, raw in self.reader.raws(path, how, self.request["label_as"]):
            named = isinstance(labels, np.ndarray) and labels.dtype.kind in "OU"
            yield labels if named else labels_of(labels), applied(self.prep, raw, path).X

    def remembered(self, rows: int) -> Any:
        """Return the preparation, with what a model records of the stream."""
        self.prep.report |= {"rows": rows}
        return self.prep
