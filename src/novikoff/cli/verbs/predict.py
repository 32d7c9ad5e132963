"""`novikoff predict`: predict the classes of new rows, one per line, in constant memory."""

from __future__ import annotations

import csv
import io
import json
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from novikoff.cli.options import model_rows, row_options
from novikoff.cli.options.engine_options import engine_of, engine_options
from novikoff.cli.options.output_files import Output
from novikoff.cli.options.verb import Verb
from novikoff.cli.text import formatting
from novikoff.cli.text.answer import note
from novikoff.cli.text.option_table import NAMED
from novikoff.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from novikoff.io.model_reader import ModelReader

PREDICTED = "predicted"  # the column of the class, beside the columns of --with
MEMORY = 1 << 24  # bytes of a document that are kept in memory until it is complete


@click.command(cls=Verb)
@click.argument("model", type=click.Path())
@click.argument("data", type=click.Path())
@model_rows.new_row_options
@click.option("-o", "--output", type=Output(), metavar="FILE", help="Output file. Default: stdout.")
@click.option("--with", "columns_kept", type=row_options.column_list, metavar="COLUMNS|all",
              help="Write a CSV table with a header: these columns of DATA, or all, and the class.")  # fmt: skip
@click.option("--scores", is_flag=True, help="Also print the score (of each class, if more than two), after tabs.")
@click.option("--on-missing", type=click.Choice(["fail", "blank"]), default="blank", show_default=True,
              help="Rows with a missing number, if the model imputes none: print a blank line, or fail.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Write one JSON document instead of lines.")
@engine_options
@click.option("--quiet", is_flag=True, help="Print only errors on stderr.")
@click.pass_context
def command(
    ctx: click.Context,
    /,
    model: str,
    data: str,
    output: str | None,
    columns_kept: tuple[str | int, ...] | None,
    scores: bool,
    on_missing: str,
    as_json: bool,
    quiet: bool,
    **request: Any,
) -> int:
    """Predict the classes of new rows, one per line.

    \b
    novikoff predict model.nvk new.csv
    novikoff predict model.nvk new.svm.gz --scores -o answers.tsv
    novikoff predict model.nvk new.csv --with all --scores -o answers.csv
    novikoff predict model.nvk new.csv --json
    cat new.csv | novikoff predict model.nvk - --format csv
    novikoff predict model.nvk 'part-*.csv' --engine threads -o answers.txt

    Rows are read and prepared as in training. The label column (as in training, or --label) is optional: if its name is
    not in the header, or the table has one column fewer, all columns are features; --no-label states this. Lines of an
    svmlight file start with a label, which is ignored.

    --with writes a CSV table instead of lines: the columns of DATA that it names (or all of them), then the column
    predicted, and with --scores a column for each class, called as the class.

    Line k of the output is row k: no row is skipped, even if training skipped rows with missing numbers. A model
    trained with --missing impute imputes missing values; else a row with a missing number has an empty line, and
    stderr says how many there are; with --on-missing fail it is an error that names its line. Columns are found by
    name, in any order; others are ignored, and named on stderr.
    """
    learner, how = model_rows.model_of(model)
    if how.missing != "impute":
        # a model that dropped rows with a missing category has no answer for them; "fail" alone is about numbers
        drops = how.missing == "drop" and (how.prep.columns.categories or on_missing == "blank")
        how.missing = "drop" if drops else "fail" if on_missing == "fail" else "numbers"
    if columns_kept is not None:
        check_with(ctx, data, how, as_json)
    classes = learner.classes_.tolist()
    op = model_rows.Predict(learner, how.prep, data, scores)
    with engine_of(ctx, request) as engine:
        rows = AllRows(model_rows.predictions(how, op, engine, request), how, data if on_missing == "fail" else None)
        if as_json:
            texts = json_document(rows, classes, {"model": model, "data": data, "classes": classes})
        elif columns_kept is not None:
            kind = request["kind"] or how.format_for(data)
            texts = csv_table(rows, how, data, kind, columns_kept, classes, scores)
        else:
            texts = lines(rows, classes)
        if output is None:
            print_texts(texts, complete=as_json)
        else:
            from novikoff.records.atomic_write import replacing

            with replacing(Path(output)) as file:
                file.writelines(texts)
            note(quiet, [f"wrote {output}: {formatting.count(rows.n, 'row')}"])
    if not quiet:
        blank, how.dropped = how.dropped, 0
        if blank:
            have, instead = "row has" if blank == 1 else "rows have", "the class null" if as_json else "a blank line"
            instead = "a blank cell" if columns_kept is not None else instead
            click.echo(f"{data}: {blank:,} {have} a missing value and {instead}", err=True)
        model_rows.print_report(how)
    return 0


# ---- every row of the file -----------------------------------------------------------------------------------------


class Block(NamedTuple):
    """Predictions for some rows. row: the number of the first; classes: the numbers of their classes, −1 for a row
    that was left out; scores: None unless requested.
    """

    row: int
    classes: NDArray[Any]
    scores: NDArray[Any] | None

    def scored(self) -> Iterator[tuple[int, list[float]]]:
        """Yield the number of the class and the scores of each row: one of two classes, one for each of more."""
        if self.scores is None:
            yield from ((k, []) for k in self.classes.tolist())
        else:
            yield from zip(self.classes.tolist(), self.scores.reshape(len(self.classes), -1).tolist(), strict=True)


class AllRows:
    """Predictions for every row of a file, in its order; n: how many rows were predicted or left out so far.

    missing: how many of them were left out. complete: the name of a file that must not miss a value, or None.
    """

    def __init__(self, predicted: Iterator[tuple[Any, Any, Any]], reader: ModelReader, complete: str | None) -> None:
        self.predicted, self.reader, self.complete, self.n, self.missing = predicted, reader, complete, 0, 0

    def __iter__(self) -> Iterator[Block]:
        import numpy as np

        for _, (scores, classes), rows in self.predicted:
            here, n = rows - self.n, int(rows[-1]) + 1 - self.n
            if n > len(here):  # some rows were left out
                classes, few = np.full(n, -1), classes
                classes[here] = few
                if scores is not None:
                    scores, few = np.zeros((n, *scores.shape[1:])), scores
                    scores[here] = few
            yield self._block(classes, scores)
        if self.reader.rows > self.n:
            yield self._block(np.full(self.reader.rows - self.n, -1), None)

    def _block(self, classes: NDArray[Any], scores: NDArray[Any] | None) -> Block:
        """Count the rows; raise InputError at the first that was left out, if none may be."""
        from novikoff.io.table_block import BLANK

        left_out, row = (classes < 0).nonzero()[0], self.n
        if self.complete is not None and len(left_out):
            raise InputError(f"{self.complete}, row {row + left_out[0] + 1}: found a missing value{BLANK}")
        self.n, self.missing = row + len(classes), self.missing + len(left_out)
        return Block(row, classes, scores)


# ---- written as lines, as a JSON document, as a CSV table ----------------------------------------------------------


def lines(rows: AllRows, classes: list[Any]) -> Iterator[str]:
    """Yield lines: the class, and its scores if requested."""
    called = [*map(str, classes), ""]  # the last is that of a row without a prediction
    for block in rows:
        if block.scores is None:
            yield of_labels([f"{label}\n" for label in called], block.classes)
            continue
        cells = ([called[k], *(map(repr, scores) if k >= 0 else ())] for k, scores in block.scored())
        yield "".join("\t".join(row) + "\n" for row in cells)


def of_labels(lines: list[str], number: Any) -> str:
    """Return lines[k] for each number k, using fixed-length byte strings whose padding is removed."""
    import numpy as np

    if any("\0" in line for line in lines):
        return "".join([lines[k] for k in number.tolist()])
    filled: bytes = np.array([line.encode() for line in lines])[number].tobytes()
    return filled.replace(b"\0", b"").decode()


def json_document(rows: AllRows, classes: list[Any], head: dict[str, Any]) -> Iterator[str]:
    """Yield a JSON document, in constant memory; one row of the file is one line.

    {"schema": …, "model": …, "data": …, "classes": […], "predictions": [
    {"row": 0, "class": "ham", "score": -1.5},
    …
    ], "n": 1000, "missing": 0}

    The class is null where a row has a missing value and the model imputes none. With --scores two classes have one
    score, above 0 for the second of `classes`; more have `scores`, in the order of `classes`.
    """
    called = [*map(json.dumps, classes), "null"]
    yield json.dumps({"schema": "novikoff/predict/1", **head}, allow_nan=False)[:-1] + ', "predictions": ['
    for block in rows:
        found = []
        for row, (k, scores) in enumerate(block.scored(), start=block.row):
            said = ""
            if scores and k >= 0:
                values = scores if len(scores) > 1 else scores[0]
                said = f', "{"scores" if len(scores) > 1 else "score"}": {json.dumps(values, allow_nan=False)}'
            found.append(f'{"," if row else ""}\n{{"row": {row}, "class": {called[k]}{said}}}')
        yield "".join(found)
    yield f'\n], "n": {rows.n}, "missing": {rows.missing}}}\n'


def print_texts(texts: Iterator[str], complete: bool) -> None:
    """Print texts as they come; or when all are complete, so that nothing is printed on an error."""
    if not complete:
        sys.stdout.writelines(texts)
        return
    with tempfile.SpooledTemporaryFile(MEMORY, "w+", encoding="utf-8") as file:
        file.writelines(texts)
        file.seek(0)
        shutil.copyfileobj(file, sys.stdout)


def check_with(ctx: click.Context, data: str, reader: Any, as_json: bool) -> None:
    """Raise an error if rows cannot be written with their columns."""
    if as_json:
        raise click.UsageError("--with and --json: --with writes a CSV table; leave one of them out", ctx)
    if data == "-":
        raise click.UsageError("--with: reads DATA a second time, which standard input cannot be; name a file", ctx)
    kind = ctx.params["kind"] or reader.format_for(data)
    if kind not in NAMED or reader.transpose:
        what = "a transposed table" if reader.transpose else kind
        raise click.UsageError(f"--with: is for tables ({', '.join(NAMED)}); {data} is read as {what}", ctx)


def csv_table(
    rows: AllRows, reader: Any, data: str, kind: str, chosen: tuple[str | int, ...], classes: list[Any], scored: bool
) -> Iterator[str]:
    """Yield a CSV table: its header, then for each row the chosen columns, the class, and its scores by class.

    With two classes the score of the first is minus that of the second.
    """
    cells: Iterator[Sequence[str]] | None = None
    blank = [""] * len(classes) * scored
    for block in rows:
        written_now = io.StringIO()
        table = csv.writer(written_now, lineterminator="\n")
        if cells is None:  # the first rows were read: the reader knows whether the table has a header
            cells, places, names = _columns_of(data, kind, reader, chosen)
            head = [*names, PREDICTED, *(map(str, classes) if scored else ())]
            if len(set(head)) < len(head):
                twice = next(name for name in head if head.count(name) > 1)
                raise InputError(f"--with: two columns would be called {twice!r}; name the columns to write")
            table.writerow(head)
        for k, scores in block.scored():
            if (row := next(cells, None)) is None:
                raise InputError(f"{data}: has fewer rows than a moment ago; it was changed while it was read")
            by_class = [-scores[0], scores[0]] if len(scores) == 1 else scores
            found = [classes[k], *by_class] if k >= 0 else ["", *blank]
            table.writerow([*(row[c] for c in places), *found])
        yield written_now.getvalue()


def _columns_of(
    data: str, kind: str, reader: Any, chosen: tuple[str | int, ...]
) -> tuple[Iterator[Sequence[str]], list[int], list[str]]:
    """Return the rows of a table as texts, and the places and the names of the chosen columns."""
    from novikoff.data.plain_files import similar
    from novikoff.io.column_contents import cells_of_table
    from novikoff.io.reading import Reading

    layout = None if reader.source is None else reader.source.layout
    header = None if layout is None else layout.header is not None
    how = Reading(format=kind, header=header, decimal_comma=reader.decimal_comma, labelled=False)
    all_names, rows = cells_of_table(data, how)
    names = [f"x{name + 1}" if isinstance(name, int) else name for name in all_names]
    if chosen == ("all",):
        return rows, list(range(len(names))), names
    for column in chosen:
        if column not in names and not (isinstance(column, int) and column < len(names)):
            named = f"there is no column {column + 1}" if isinstance(column, int) else f"no column is named {column!r}"
            raise InputError(
                f"--with: {data}: {named}{similar(column, names)}; the columns are {', '.join(names)[:200]}"
            )
    places = [column if isinstance(column, int) else names.index(column) for column in chosen]
    return rows, places, [names[c] for c in places]
