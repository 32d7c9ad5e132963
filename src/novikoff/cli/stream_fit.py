"""`fit -` with --max-passes 1: present every row of a stream once, in its order, without storing it.

Memory does not grow with the stream. Every row is predicted before it is learned, so the share of mistakes is an
estimate of the error on new rows: the progressive error.

From the notes: R2 (incremental presentation).
"""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Iterator, Mapping
from contextlib import closing
from fractions import Fraction
from typing import Any

import click

from novikoff.cli.options import row_options
from novikoff.cli.options.class_weights import named_classes
from novikoff.cli.options.learning_options import OPTIONS
from novikoff.cli.options.model_rows import new_rows, reader_of
from novikoff.cli.parts import labelled
from novikoff.cli.text import formatting
from novikoff.cli.text.answer import note
from novikoff.cli.text.option_table import parameters, spelled, typed
from novikoff.cli.text.progress import Progress
from novikoff.errors import InputError
from novikoff.estimators.parameter_table import FREE, PER_FIT, PERCEPTRON

ONE_PASS = "not available for a stream, which is read once; use a file"
REFUSED = {  # option: why a stream does not have it
    **dict.fromkeys(("auto", "test_every", "holdout", "valid_file", "stall_valid", "w0", "checkpoint"), ONE_PASS),
    **dict.fromkeys(("engine", "workers", "scheduler"), "a stream is one look after the other; leave it out"),
    **dict.fromkeys(("mix", "partitions"), "the rows of a stream have no partitions; use a file"),
}


def learn_stream(ctx: click.Context, request: Mapping[str, Any], learner: Any) -> tuple[Any, int, Any]:
    """Train on the rows of a stream; return the perceptron, the number of rows and the fitted preparation.

    learner: a new perceptron; with --from that of the model is trained in its place.
    """
    for name, why in REFUSED.items():
        if typed(ctx, name):
            raise click.UsageError(f"{spelled(ctx, name)}: {why}", ctx)
    if request["order"] not in ("auto", "cyclic"):
        raise click.UsageError(f"--order {request['order']}: a stream comes in its own order; leave it out", ctx)
    chunks: Chunks | ModelChunks
    if request["from_model"] is None:
        chunks = Chunks(request)
    else:
        learner, reader = continued(ctx, request)
        chunks = ModelChunks(reader, request)
    rows = 0
    with warnings.catch_warnings(), closing(Progress(request["quiet"])) as progress:
        try:
            for labels, X in chunks.prepared():
                named = None if rows else named_classes(request["classes"])
                rows += len(labels)
                learner.partial_fit(X, labels, named, grow=chunks.grows)
                mistakes, bound = mistakes_of(learner), learner.mistake_bound_
                progress.on_rows(rows, mistakes, bound)
                if bound is not None and mistakes > bound * (1.0 + 1e-9):
                    warnings.filterwarnings("ignore", "known_margin")  # it was reported
        except KeyboardInterrupt:  # the weights so far are a model, if there are two classes
            if len(getattr(learner, "classes_", ())) < 2 or not rows:
                raise
            learner.stop_reason_ = "interrupted"
    name = chunks.source.name
    if not rows:
        raise InputError(f"{name}: found no rows; expected points, one a line")
    if len(learner.classes_) < 2:
        only = learner.classes_.tolist()[0]
        raise InputError(f"{name}: only one class, {only!r}; two classes are needed to find a plane between them")
    note(request["quiet"], row_options.label_notes(name, learner.classes_))
    return learner, rows, chunks.remembered(rows)


class Chunks:
    """The rows of a stream, prepared chunk by chunk with steps that need no fitting.

    Sparse rows have as many columns as the widest so far: each chunk has a preparation of its own width, and the last
    one, which is the widest, is that of the model.
    """

    def __init__(self, request: Mapping[str, Any]) -> None:
        from novikoff.io.reader import open_source

        path = request["data"]
        self.source = open_source(path, row_options.reading_of(path, request))
        self.request, self.first = request, int(request["first_column"] or 1)
        self.prep = row_options.preparation(request, True)
        self.grows = False  # whether rows are sparse

    def prepared(self) -> Iterator[tuple[Any, Any]]:
        """Yield labels and points."""
        from novikoff.io.row_labels import renamed
        from novikoff.io.rows import Reader, raw_chunks
        from novikoff.io.spill import labels_of

        labels: list[Any] = []

        def raws() -> Iterator[Any]:
            for found in raw_chunks(self.source, Reader(self.source, first=self.first), self.source.chunks()):
                if found.labels is None:
                    raise InputError(f"{self.source.name}: no column is left for the label; name it with label=")
                labels.append(renamed(labels_of(found.labels), self.request["label_as"]))
                yield found.raw

        found = raws()
        for raw in found:
            self.grows = hasattr(raw.numbers, "indptr") and not raw.text and not raw.categories
            if not self.grows:
                for made in self.prep.stream(itertools.chain([raw], found)):
                    yield labels.pop(), made.X
                return
            yield labels.pop(), self._of_its_width(raw)

    def _of_its_width(self, raw: Any) -> Any:
        """Return sparse rows, prepared."""
        before = self.prep.columns.d if self.prep.report else raw.d
        if raw.d != before and any(step.kind == "products" for step in self.prep.steps):
            raise InputError(
                f"--features: columns grow from {before:,} to {raw.d:,} in this stream, so products cannot be formed; "
                "give a file"
            )
        self.prep = row_options.preparation(self.request, True)
        (made,) = self.prep.stream([raw])
        return made.X

    def remembered(self, rows: int) -> Any:
        """Return the preparation, with what a model records of the stream."""
        from novikoff.io.reader import reading_record
        from novikoff.io.rows import form_in

        how = row_options.reading_of(self.request["data"], self.request)
        read = form_in(self.source, first=self.first).plain() | reading_record(how, self.request["label_as"])
        self.prep.report |= {"rows": rows, "read": read}
        return self.prep


def mistakes_of(learner: Any) -> int:
    """Return at how many rows the weights changed; with the rule perceptron, those without a right prediction."""
    return int(learner.n_mistakes_.sum())


def test_rows(learner: Any, prep: Any, request: Mapping[str, Any]) -> tuple[Any, Any]:
    """Return the rows of --test and their labels."""
    from novikoff.io.model_reader import model_reader_of

    return labelled(model_reader_of(prep), request["test_file"], learner.classes_, {**request, "kind": None})


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

        from novikoff.io.rows import applied
        from novikoff.io.spill import labels_of

        path = self.request["data"]
        how = new_rows(path, {**self.request, "no_label": False}, self.reader, required=True)
        for labels, raw, numbers in self.reader.raws(path, how, self.request["label_as"]):
            named = isinstance(labels, np.ndarray) and labels.dtype.kind in "OU"
            yield labels if named else labels_of(labels), applied(self.prep, raw, path, numbers).X

    def remembered(self, rows: int) -> Any:
        """Return the preparation, with what a model records of the stream."""
        self.prep.report |= {"rows": rows}
        return self.prep
