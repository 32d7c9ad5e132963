"""Read new rows for a model: from files of any format, read and prepared as its training rows were.

The label's column is that of training, unless another is given. New rows may lack it: its name is missing, or the table
has one column fewer.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from novikoff.data.format_numbers import left_out
from novikoff.errors import InputError
from novikoff.io.file_formats import FORMATS, TABLES, check_readable, format_of
from novikoff.io.reader import open_source
from novikoff.io.reading import DEFAULT, Reading
from novikoff.io.row_labels import among, renamed
from novikoff.io.rows import Form, Reader, form_of, has_names, no_rows, raw_chunks, read_rows
from novikoff.io.source import Files
from novikoff.io.spill import Spill
from novikoff.prepare import Preparation
from novikoff.prepare.raw_columns import Raw

TAKEN_AS_NAMES = "the first line was taken as the columns' names"
IS_A_ROW = "header=False says that it is a row"
SHOWN = 10  # names


@dataclass
class ModelReader:
    """Reads the rows of a model, and counts what it does not know: beyond, numbers in other columns; unknown, rows
    with other categories, by column; dropped, rows left out; imputed, rows with imputed values.

    prep: the model's fitted preparation. form, label_as, decimal_comma, missing, transpose, format: how its training
    rows were read.

    Examples
    --------
    >>> import novikoff as nv, pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "old.csv").write_text("a,b,label\\n0,0,no\\n1,0,yes\\n0,1,yes\\n1,1,yes\\n")
    >>> _ = (folder / "new.csv").write_text("b,a,label\\n7,5,yes\\n")
    >>> data = nv.open_data(folder / "old.csv").prepare(scale=True)
    >>> clf = nv.Perceptron().fit(data.X, data.y)
    >>> X, y = model_reader_of(data.preparation).labelled(folder / "new.csv", clf.classes_)
    >>> clf.predict(X).tolist(), y.tolist()
    (['yes'], ['yes'])
    """

    prep: Preparation
    form: Form
    label_as: Sequence[tuple[str, str]] = ()
    decimal_comma: bool = False
    missing: str = "fail"
    transpose: bool = False
    format: str | None = None
    beyond: int = 0
    dropped: int = 0
    imputed: int = 0
    unknown: dict[str, int] = field(default_factory=dict)
    notes: dict[str, None] = field(default_factory=dict)  # each once, in order
    source: Files | None = None  # of the rows that were read last
    rows: int = 0  # how many these were, with those left out

    @property
    def known(self) -> tuple[str, ...]:
        """The names of the model's columns; empty if the training rows had none."""
        columns = self.prep.columns
        named = has_names(columns, self.form)
        return (*(columns.named or ()), *columns.text, *columns.categories) if named else ()

    def format_for(self, path: str) -> str:
        """Return the format of a file of new rows: by its name, else that of the training rows."""
        try:
            return format_of(path)
        except InputError:
            if self.format is None:
                raise
            return self.format

    def raws(
        self, path: str, how: Reading = DEFAULT, label_as: Sequence[tuple[str, str]] = ()
    ) -> Iterator[tuple[Any, Raw, np.ndarray]]:
        """Yield labels (or None), rows that are not yet prepared, and their numbers (from 0), chunk by chunk.

        label_as: as of `open_data`. Rows that are left out are not among them.
        """
        source = self._open(path, how)
        with self._errors_name_header(source):
            for found in raw_chunks(source, self._reader(source), source.chunks()):
                self.count(found.beyond, {})
                self._compare_names(source)
                labels = None if found.labels is None else renamed(found.labels, (*label_as, *self.label_as))
                yield labels, found.raw, found.numbers
                self.dropped -= found.raw.n
        if not source.rows:
            raise no_rows(path, 0, f"; {TAKEN_AS_NAMES}: {IS_A_ROW}" if _header_of(source) else "")
        self._compare_names(source)
        self.rows = source.rows
        self.dropped += source.rows

    def labelled(self, path: str, classes: Any, how: Reading = DEFAULT, spill: Spill | None = None) -> tuple[Any, Any]:
        """Return all rows, prepared, and their labels; raise InputError for a row without a label of these classes.

        spill: where the rows are kept.
        """
        source = self._open(path, replace(how, label_required=True))
        with self._errors_name_header(source):
            stored = read_rows(source, spill, self._reader(source))
        try:
            X = stored.vectors(self.prep)
        except InputError as error:
            raise InputError(error.message if error.argument == "X" else str(error), file=source.name) from error
        self.count(stored.beyond, stored.unknown, sum(stored.imputed))
        self._compare_names(source)
        self.dropped += stored.dropped
        labels = None if stored.y is None else renamed(stored.y, self.label_as)
        return X, among(labels, classes, path, stored.numbering)

    def count(self, beyond: int, unknown: Mapping[str, int], imputed: int = 0) -> None:
        """Add to the counts of what the model does not know."""
        self.beyond += beyond
        self.imputed += imputed
        for name, count in unknown.items():
            self.unknown[name] = self.unknown.get(name, 0) + count

    def report(self) -> list[str]:
        """Return what a person should know about the rows that were read."""
        lines = list(self.notes)
        if self.dropped:
            lines.append(left_out(self.dropped))
        if self.imputed:
            have = "row has" if self.imputed == 1 else "rows have"
            lines.append(f"{self.imputed:,} {have} a missing value, which was imputed")
        if self.beyond:
            are, them = ("number is", "it was") if self.beyond == 1 else ("numbers are", "they were")
            lines.append(f"{self.beyond:,} {are} in columns that the model does not have; {them} ignored")
        return [*lines, *unknown_categories(self.unknown)]

    def _open(self, path: str, how: Reading) -> Files:
        """Open a file of new rows."""
        check_readable(path)
        form, columns = self.form, self.prep.columns
        kind = how.format or self.format_for(path)
        text, categories = form.text, form.categories
        if form.width is None and kind in TABLES:  # trained on a file without columns: by name
            text, categories = tuple(columns.text), tuple(columns.categories)
        source = open_source(
            path,
            replace(
                how,
                format=kind,
                label=form.label if how.label is None else how.label,
                label_known=form.label is not None or form.width is None,
                text=text,
                categories=categories,
                decimal_comma=self.decimal_comma,
                drop=(*(c for c in form.dropped if isinstance(c, int)), *how.drop),
                missing=self.missing,
                transpose=self.transpose and kind in ("csv", "tsv"),
                trained=form.width or columns.d + len(columns.text) + len(columns.categories) + 1,
                names=tuple(columns.named or ()),
                known=self.known,
            ),
        )
        self.source = source
        return source

    def _reader(self, source: Files) -> Reader:
        return Reader(source, self.prep.columns, 1 if self.form.first is None else self.form.first)

    @contextlib.contextmanager
    def _errors_name_header(self, source: Files) -> Iterator[None]:
        """Make an error in a table whose names the model does not know say how its first line was taken."""
        try:
            yield
        except InputError as error:
            named = self.prep.columns.named
            if not named or not _header_of(source) or {*named} & {*_header_of(source)}:
                raise
            raise InputError(f"{error}; {TAKEN_AS_NAMES}, and the model knows none of them: {IS_A_ROW}") from error

    def _compare_names(self, source: Files) -> None:
        """Note if only the file or only the model has names of columns, and columns that the model does not have."""
        layout, named = source.layout, self.prep.columns.named
        if layout is None:
            return
        extra = [name for name in map(layout.name_of, layout.ignored) if name not in self.form.dropped]
        if extra and self.known:
            shown = ", ".join(extra[:SHOWN]) + (f" and {len(extra) - SHOWN} more" if len(extra) > SHOWN else "")
            many = "column is" if len(extra) == 1 else "columns are"
            self.notes[f"{source.name}: {len(extra)} {many} ignored, which the model does not have: {shown}"] = None
        if self.decimal_comma and layout.separator == ",":
            as_read = (
                "commas separate its cells, not semicolons or tabs as in training; its numbers have decimal points"
            )
            self.notes[f"{source.name}: {as_read}"] = None
        if len(layout.numbers) < 2:
            return
        if layout.header is None and named:
            self.notes[f"{source.name}: has no names of columns; they are taken in the order of training"] = None
        if layout.header is not None and not named:
            self.notes[f"{source.name}: the model knows no names of columns; they are taken in their order"] = None


def unknown_categories(counts: Mapping[str, int]) -> list[str]:
    """Return a sentence for each column in which rows have an unknown category, from the counts of these rows."""
    have = {name: f"{many:,} {'row has' if many == 1 else 'rows have'}" for name, many in counts.items() if many}
    return [f"column {name!r}: {rows} an unknown category" for name, rows in have.items()]


def model_reader_of(prep: Preparation) -> ModelReader:
    """Return the reader of a model's rows, from what its fitted preparation remembers."""
    try:
        plain = dict(prep.report.get("read") or {})
        label_as = [(str(pattern), str(label)) for pattern, label in plain.pop("label_as", [])]
    except (TypeError, ValueError):
        raise InputError("preparation: its reading options are invalid; train the model again") from None
    comma, drop, transpose = (plain.pop(name, False) is True for name in ("decimal_comma", "drop", "transpose"))
    kind = plain.pop("format", None)
    if kind not in (None, *FORMATS):
        raise InputError(f"preparation: found the format {str(kind)[:40]!r}; expected one of {', '.join(FORMATS)}")
    missing = "impute" if prep.columns.cells is not None else "drop" if drop else "fail"
    return ModelReader(prep, form_of(plain), label_as, comma, missing, transpose, kind)


def _header_of(source: Files) -> tuple[str, ...]:
    """Return the names in a table's first line, if it was taken so."""
    layout = source.layout
    return () if layout is None or not layout.separator else layout.header or ()
