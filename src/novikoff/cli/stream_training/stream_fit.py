"""`fit -` with --max-passes 1: present every row of a stream once, in its order, without storing it.

Memory does not grow with the stream. Every row is predicted before it is learned, so the share of mistakes is an
estimate of the error on new rows: the progressive error.

From the notes: R2 (incremental presentation).
"""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Iterator, Mapping
from typing import Any

import click

from novikoff.cli.options import row_options
from novikoff.cli.options.splits import TESTS, labelled
from novikoff.cli.text.progress import Progress
from novikoff.errors import InputError

REFUSED = {**TESTS, "valid_file": "--valid", "stall_valid": "--stall-valid", "w0": "--w0",
           "checkpoint": "--checkpoint"}  # fmt: skip


def learn_stream(ctx: click.Context, request: Mapping[str, Any], learner: Any) -> tuple[Any, int, Any]:
    """Train on the rows of a stream; return the perceptron, the number of rows and the fitted preparation.

    learner: a new perceptron; with --from that of the model is trained in its place.
    """
    check_options(ctx, request)
    reader = None
    if request["from_model"] is not None:
        from novikoff.cli.stream_training.continued_stream import continued

        learner, reader = continued(ctx, request)
    chunks = _chunks(request, reader)
    progress, source = Progress(request["quiet"]), chunks.source
    try:
        with warnings.catch_warnings():
            _learn(chunks, learner, request, progress)
    except KeyboardInterrupt:  # the weights so far are a model, if there are two classes
        if not rows_of(learner) or len(learner.classes_) < 2:
            raise
        learner.stop_reason_ = "interrupted"
    finally:
        progress.close()
        source = chunks.source or source
    rows = rows_of(learner)
    if not rows:
        raise InputError(f"{source.name}: found no rows; expected points, one a line")
    if len(learner.classes_) < 2:
        only = learner.classes_.tolist()[0]
        raise InputError(
            f"{source.name}: only one class, {only!r}; two classes are needed to find a plane between them"
        )
    row_options.report_labels(source.name, learner.classes_, request["quiet"])
    return learner, rows, chunks.remembered(rows)


def check_options(ctx: click.Context, request: Mapping[str, Any]) -> None:
    """Raise UsageError for options that a stream cannot have."""
    if request["auto"]:
        raise click.UsageError("--auto: not available for a stream, which is read once; use a file", ctx)
    for name, option in REFUSED.items():
        if request[name] and name != "test_file":
            raise click.UsageError(f"{option}: not available for a stream, which is read once; use a file", ctx)
    if request["engine"] != "serial" or request["workers"] is not None or request["scheduler"] is not None:
        raise click.UsageError(
            "--engine, --workers, --scheduler: a stream is one look after the other; leave them out", ctx
        )
    if request["mix"] or request["partitions"] is not None:
        raise click.UsageError("--mix, --partitions: the rows of a stream have no partitions; use a file", ctx)
    if request["order"] not in ("auto", "cyclic"):
        raise click.UsageError(f"--order {request['order']}: a stream comes in its own order; leave it out", ctx)


def _learn(chunks: Any, learner: Any, request: Mapping[str, Any], progress: Progress) -> None:
    """Present the rows of all chunks."""
    named = None
    if request["classes"] is not None:
        from novikoff.data.labels.label_types import typed

        named = typed([label.strip() for label in request["classes"].split(",")])
    for labels, rows in chunks.prepared():
        learner.partial_fit(rows, labels, named, grow=chunks.grows)
        named = None
        mistakes, bound = mistakes_of(learner), learner.mistake_bound_
        progress.on_rows(rows_of(learner), mistakes, bound)
        if bound is not None and mistakes > bound * (1.0 + 1e-9):
            warnings.filterwarnings("ignore", "known_margin")  # it was reported


def _chunks(request: Mapping[str, Any], reader: Any) -> Any:
    """Return the rows of the stream in chunks. reader: that of the model of --from, or None."""
    from novikoff.io.reader import open_source

    path = request["data"]
    if reader is None:
        return Chunks(open_source(path, row_options.reading_of(path, request)), request)
    from novikoff.cli.stream_training.continued_stream import ModelChunks

    return ModelChunks(reader, request)


class Chunks:
    """The rows of a stream, prepared chunk by chunk with steps that need no fitting.

    Sparse rows have as many columns as the widest so far: each chunk has a preparation of its own width, and the last
    one, which is the widest, is that of the model.
    """

    def __init__(self, source: Any, request: Mapping[str, Any]) -> None:
        self.source, self.request, self.first = source, request, int(request["first_column"] or 1)
        self.prep = row_options.preparation(request, True)
        self.grows = False  # whether rows are sparse

    def prepared(self) -> Iterator[tuple[Any, Any]]:
        """Yield labels and points."""
        from novikoff.io.raw_rows import stream_of
        from novikoff.io.row_labels import renamed
        from novikoff.io.stream.label_scan import labels_of

        labels: list[Any] = []

        def raws() -> Iterator[Any]:
            for given, raw, _ in stream_of(self.source, first=self.first):
                if given is None:
                    raise InputError(f"{self.source.name}: no column is left for the label; name it with label=")
                labels.append(renamed(labels_of(given), self.request["label_as"]))
                yield raw

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
        from novikoff.io.raw_rows import form_in
        from novikoff.io.reader import reading_record

        how = row_options.reading_of(self.request["data"], self.request)
        read = form_in(self.source, first=self.first).plain() | reading_record(how, self.request["label_as"])
        self.prep.report |= {"rows": rows, "read": read}
        return self.prep


def rows_of(learner: Any) -> int:
    """Return how many rows were presented."""
    stream = getattr(learner, "_stream", None)
    return 0 if stream is None else int(stream.seen.sum())


def mistakes_of(learner: Any) -> int:
    """Return at how many rows the weights changed; with the rule perceptron, those without a right prediction."""
    return int(learner.n_mistakes_.sum())


def test_rows(learner: Any, prep: Any, request: Mapping[str, Any]) -> tuple[Any, Any]:
    """Return the rows of --test and their labels."""
    from novikoff.io.model_reader import model_reader_of

    return labelled(model_reader_of(prep), request["test_file"], learner.classes_, {**request, "kind": None})
