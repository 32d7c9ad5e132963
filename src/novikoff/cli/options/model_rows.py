"""A model from a file, and new rows read and prepared as its training rows were.

The label's column is that of training, or --label. New rows may come without it: where its name is not there, or where
a table has one column fewer; --no-label says so where it cannot be seen.
"""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import click

from novikoff.cli.options import row_options
from novikoff.cli.options.option_checks import check_format
from novikoff.cli.text import formatting
from novikoff.errors import InputError

new_row_options = row_options.options(
    row_options.format_option,
    row_options.label_option,
    click.option("--no-label", is_flag=True, help="No column is the label."),
    row_options.header_option,
    row_options.inside_option,
)
EMPTY_REQUEST: Mapping[str, Any] = MappingProxyType({"kind": None, "label": None, "no_label": False, "inside": ""})


@dataclass(frozen=True)
class Predict:
    """What a model says about rows of a file, after so many: (scores, numbers of the classes), and unknown categories.

    It can be sent to another process. `scored`: else there are no scores of more than two classes.
    """

    learner: Any
    prep: Any
    path: str
    scored: bool

    def __call__(self, some: tuple[int, Any]) -> tuple[Any, Mapping[str, int]]:
        from novikoff.io.prepared_rows import applied

        seen, raw = some
        made = applied(self.prep, raw, self.path)
        with formatting.about(self.path, seen):
            return self.said(*self.learner._decide(made.X, self.scored, in_bulk=True)), made.unknown

    def said(self, scores: Any, number: Any) -> Any:
        """The answer."""
        return scores, number


@dataclass
class ModelReader:
    """How a model's rows are read and prepared. beyond: numbers in columns that it has not; unknown: categories."""

    prep: Any
    form: Any
    label_as: Sequence[tuple[str, str]] = ()
    comma: bool = False
    drop: bool = False
    transpose: bool = False
    beyond: int = 0
    dropped: int = 0
    unknown: dict[str, int] = field(default_factory=dict)
    notes: dict[str, None] = field(default_factory=dict)  # each once, in order
    reading: Any = None  # where the rows that are read come from

    def place(self, row: int) -> int:
        """The number in its file, from 1, of a row that was read, by its place (from 0) among those not left out."""
        left_out = getattr(self.reading, "left_out", None)
        return row + 1 if left_out is None else int(left_out.number(row)) + 1

    def raws(
        self, path: str, request: Mapping[str, Any] = EMPTY_REQUEST, labelled: bool = False
    ) -> Iterator[tuple[Any, Any]]:
        """(labels or None, rows as they were read), some at a time; `labelled`: the label's column must be there."""
        from novikoff.io.raw_rows import renamed, stream_of

        source, found = self.source(path, request, labelled), False
        label_as = (*request.get("label_as", ()), *self.label_as)
        with self._reading(source):
            for labels, raw, beyond in stream_of(source, model=self.columns()):
                found = True
                self.count(beyond, {})
                self.look(source)
                yield None if labels is None else renamed(labels, label_as), raw
        if not found:
            taken = "; the first line was taken as the columns' names: --no-header says that it is a row"
            raise InputError(f"{path}: found no rows; expected points, one a line{taken if header_of(source) else ''}")
        self.count(0, {}, source)

    @contextlib.contextmanager
    def _reading(self, source: Any) -> Iterator[None]:
        """Make an error in a table of names that the model does not know say how its first line was taken."""
        self.reading = source
        try:
            yield
        except InputError as error:
            named = self.prep.columns.named
            if not named or not header_of(source) or {*named} & {*header_of(source)}:
                raise
            raise InputError(
                f"{error}; the first line was taken as the columns' names, and the model knows none of them: "
                "--no-header says that it is a row"
            ) from error

    def look(self, source: Any) -> None:
        """Note where names of columns are on one side only."""
        layout, named = getattr(source, "layout", None), self.prep.columns.named
        if layout is None or len(layout.numbers) < 2:
            return
        if layout.header is None and named:
            self.notes[f"{source.name}: has no names of columns; they are taken in the order of training"] = None
        if layout.header is not None and not named:
            self.notes[f"{source.name}: the model knows no names of columns; they are taken in their order"] = None

    def count(self, beyond: int, unknown: Mapping[str, int], source: Any = None) -> None:
        """Count what a person should know; a source that was read to its end tells how many rows it left out."""
        self.beyond += beyond
        for name, count in unknown.items():
            self.unknown[name] = self.unknown.get(name, 0) + count
        if source is not None:
            self.look(source)
            self.dropped += source.dropped
            self.beyond += getattr(source, "unknown", 0)

    def answers(
        self, op: Predict, engine: Any, request: Mapping[str, Any] = EMPTY_REQUEST, labelled: bool = False
    ) -> Iterator[tuple[Any, Any]]:
        """(labels or None, what op says of the rows), some at a time, in the order of the file, by any engine."""
        waiting: deque[Any] = deque()

        def rows() -> Iterator[tuple[int, Any]]:
            seen = 0
            for labels, raw in self.raws(op.path, request, labelled):
                waiting.append(labels)
                yield seen, raw
                seen += raw.n

        for said, unknown in engine.each(op, rows()):
            self.count(0, unknown)
            yield waiting.popleft(), said

    def labelled(
        self, path: str, classes: Any, request: Mapping[str, Any] = EMPTY_REQUEST, in_file: bool = False
    ) -> tuple[Any, Any]:
        """(points, labels) of all rows; InputError for rows without a label, or with one that is not a class."""
        from novikoff.io.prepared_rows import prepared_rows
        from novikoff.io.raw_rows import among, renamed

        source = self.source(path, request, True)
        with self._reading(source):
            found = prepared_rows(source, self.prep, self.columns(), in_file)
        self.count(found.beyond, found.unknown, source)
        labels = None if found.labels is None else renamed(found.labels, self.label_as)
        return found.X, among(labels, classes, path, self.place)

    def said(self) -> list[str]:
        """What a person should know about the rows that were read."""
        lines = list(self.notes)
        if self.dropped:
            lines.append(formatting.left_out(self.dropped))
        if self.beyond:
            stand, it = ("number stands", "it is") if self.beyond == 1 else ("numbers stand", "they are")
            lines.append(f"{self.beyond:,} {stand} in columns that the model has not; {it} passed over")
        for name, many in self.unknown.items():
            if many:
                have = "row has" if many == 1 else "rows have"
                lines.append(f"column {name!r}: {many:,} {have} an unknown category")
        return lines

    def columns(self) -> Any:
        from novikoff.io.raw_rows import ModelColumns

        columns, first = self.prep.columns, self.form.first
        return ModelColumns(columns.d, tuple(columns.text), tuple(columns.categories), 1 if first is None else first)

    def source(self, path: str, request: Mapping[str, Any], labelled: bool) -> Any:
        """Where new rows come from; `labelled`: the label's column must be there."""
        from novikoff.io.reader import check_readable, format_of, open_source
        from novikoff.io.reading import Reading

        check_readable(path)
        form, columns = self.form, self.prep.columns
        kind = row_options.kind_of(request["kind"]) or format_of(path)
        check_format(path, kind, request)
        label = form.label if request["label"] is None else request["label"]
        text, categories = form.text, form.categories
        if form.width is None and kind in ("csv", "tsv", "jsonl"):  # learned from a file without columns: by name
            text, categories = tuple(columns.text), tuple(columns.categories)
        width = form.width or columns.d + len(columns.text) + len(columns.categories) + 1
        how = Reading(
            format=kind,
            label=label,
            text=text,
            categories=categories,
            header=request.get("header"),
            decimal_comma=self.comma,
            drop=self.drop,
            inside=request["inside"],
            transpose=self.transpose and kind in ("csv", "tsv"),
            limit=row_options.limit_of(request),
            labelled=not request["no_label"],
            trained=width,
            label_required=labelled,
            names=tuple(columns.named or ()),
        )
        return open_source(path, how)


def header_of(source: Any) -> tuple[str, ...]:
    """The names in a table's first line, where it was taken so."""
    return getattr(getattr(source, "layout", None), "header", None) or ()


def model_reader_of(prep: Any) -> ModelReader:
    """What a fitted preparation remembers."""
    from novikoff.io.raw_rows import form_of

    try:
        plain = dict(prep.report.get("read") or {})
        label_as = [(str(pattern), str(label)) for pattern, label in plain.pop("label_as", [])]
    except (TypeError, ValueError):
        raise InputError("preparation: not how a file was read; fit the model again") from None
    flags = {name: plain.pop(name, False) is True for name in ("decimal_comma", "drop", "transpose")}
    return ModelReader(prep, form_of(plain), label_as, flags["decimal_comma"], flags["drop"], flags["transpose"])


def model_of(path: str) -> tuple[Any, ModelReader]:
    """The learner of a model file (ours, or LIBLINEAR's), and how its rows are read."""
    import numpy as np

    from novikoff.model import trained
    from novikoff.prepare import Preparation, Raw

    clf = _liblinear(path) if _begins_with(path, b"solver_type") else trained(path)
    prep = getattr(clf, "preparation_", None)
    if prep is None:
        names = getattr(clf, "feature_names_in_", None)
        named = None if names is None else [str(name) for name in names]
        prep = Preparation().fit(Raw(np.zeros((1, clf.n_features_in_)), named))
    try:
        return clf, model_reader_of(prep)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def _liblinear(path: str) -> Any:
    from novikoff.estimators.fitted import Trained
    from novikoff.model.liblinear import perceptron_in

    return perceptron_in(path, Trained)


def _begins_with(path: str, magic: bytes) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(len(magic)) == magic
    except OSError:
        return False  # told by the reader of models


def tell(known: ModelReader, quiet: bool = False) -> None:
    """What `said` says, on stderr."""
    if not quiet:
        for line in known.said():
            click.echo(line, err=True)
