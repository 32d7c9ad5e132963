"""`novikoff predict`: predict the classes of new rows, one per line, in constant memory."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from novikoff.cli.options import model_rows, row_options
from novikoff.cli.options.engine_options import engine_of, engine_options
from novikoff.cli.options.option_checks import NAMED
from novikoff.cli.options.output_files import Output
from novikoff.cli.options.verb import Verb
from novikoff.cli.text import formatting
from novikoff.cli.text.prediction_json import PredictionDocument, json_lines
from novikoff.errors import InputError

PREDICTED = "predicted"  # the column of the class, beside the columns of --with


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
        drops = how.missing == "drop" and (how.columns.categories or on_missing == "blank")
        how.missing = "drop" if drops else "fail" if on_missing == "fail" else "numbers"
    if columns_kept is not None:
        check_with(ctx, data, how, as_json)
    op = (Lines if columns_kept is None and not as_json else JsonLines)(learner, how.prep, data, scores)
    with engine_of(ctx, request) as engine:
        texts: Any = with_blanks((text for _, text in model_rows.predictions(how, op, engine, request)), how)
        if on_missing == "fail":
            texts = without_blanks(texts, data)
        if as_json:
            head = {"model": model, "data": data, "classes": learner.classes_.tolist()}
            texts = PredictionDocument(head, texts)
        elif columns_kept is not None:
            kind = request["kind"] or how.format_for(data)
            texts = with_columns(texts, how, data, kind, columns_kept, learner.classes_.tolist() if scores else [])
        if output is None and as_json:
            texts.print()
        elif output is None:
            written(texts, sys.stdout)
        else:
            from novikoff.records.atomic_write import replacing

            with replacing(Path(output)) as file:
                rows = written(iter(texts), file)
            if not quiet:
                many = formatting.count(texts.n if as_json else rows - (columns_kept is not None), "row")
                click.echo(f"wrote {output}: {many}", err=True)
    if not quiet:
        blank, how.dropped = how.dropped, 0
        if blank:
            have, instead = "row has" if blank == 1 else "rows have", "the class null" if as_json else "a blank line"
            instead = "a blank cell" if columns_kept is not None else instead
            click.echo(f"{data}: {blank:,} {have} a missing value and {instead}", err=True)
        model_rows.print_report(how)
    return 0


def with_blanks(texts: Iterator[str], reader: Any) -> Iterator[str]:
    """Yield the lines of the rows that were read, with a blank line for each row that was left out."""
    kept = taken = 0
    waiting: list[int] = []  # for each row left out that has no line yet: how many rows were kept before it
    for text in texts:
        lines = text.count("\n")
        taken = _add_left_out(waiting, reader, taken)
        blanks = [k - kept for k in waiting if k < kept + lines]
        if blanks:
            parts = text.split("\n")
            for many, k in enumerate(blanks):
                parts.insert(k + many, "")
            text = "\n".join(parts)
            del waiting[: len(blanks)]
        kept += lines
        yield text
    _add_left_out(waiting, reader, taken)
    if waiting:
        yield "\n" * len(waiting)


def without_blanks(texts: Iterator[str], data: str) -> Iterator[str]:
    """Yield the lines; raise InputError at the first blank one."""
    from novikoff.io.formats.table_block import BLANK

    row = 0
    for text in texts:
        for number, line in enumerate(text.split("\n")[:-1], start=1):
            if not line:
                raise InputError(f"{data}, row {row + number}: found a missing value{BLANK}")
        row += text.count("\n")
        yield text


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


def with_columns(
    texts: Iterator[str], reader: Any, data: str, kind: str, chosen: tuple[str | int, ...], classes: list[Any]
) -> Iterator[str]:
    """Yield a CSV table: its header, then for each row the chosen columns, the class, and its scores by class.

    texts: lines of `json_lines`. classes: whose scores are written. With two classes the score of the first is minus
    that of the second.
    """
    rows: Iterator[Sequence[str]] | None = None
    for text in texts:
        written_now = io.StringIO()
        table = csv.writer(written_now, lineterminator="\n")
        if rows is None:  # the first rows were read: the reader knows whether the table has a header
            rows, places, names = _columns_of(data, kind, reader, chosen)
            head = [*names, PREDICTED, *map(str, classes)]
            if len(set(head)) < len(head):
                twice = next(name for name in head if head.count(name) > 1)
                raise InputError(f"--with: two columns would be called {twice!r}; name the columns to write")
            table.writerow(head)
        for line in text.split("\n")[:-1]:
            answer, cells = json.loads(f"{{{line}}}"), next(rows, None)
            if cells is None:
                raise InputError(f"{data}: has fewer rows than a moment ago; it was changed while it was read")
            scores = answer.get("scores", [-answer["score"], answer["score"]] if "score" in answer else [])
            found = [answer.get("class", ""), *(scores or [""] * len(classes))]
            table.writerow([*(cells[c] for c in places), *found])
        yield written_now.getvalue()


def _columns_of(
    data: str, kind: str, reader: Any, chosen: tuple[str | int, ...]
) -> tuple[Iterator[Sequence[str]], list[int], list[str]]:
    """Return the rows of a table as texts, and the places and the names of the chosen columns."""
    from novikoff.data.text.plain_files import similar
    from novikoff.io.reading import Reading
    from novikoff.io.tables.column_contents import cells_of_table

    layout = getattr(reader.source, "layout", None)
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


def _add_left_out(waiting: list[int], reader: Any, taken: int) -> int:
    """Add the rows left out of the chunks after the first `taken` that left out any, and return how many did."""
    rows = getattr(reader.source, "left_out", None)
    before = [] if rows is None else rows.before
    for some in before[taken:]:
        waiting += some.tolist()
    return len(before)


def written(texts: Iterator[str], file: Any) -> int:
    """Write the lines as they come and return their number."""
    lines = 0
    for text in texts:
        file.write(text)
        lines += text.count("\n")
    return lines


class Lines(model_rows.Predict):
    """Format the predictions for some rows as one text."""

    def result(self, scores: Any, number: Any) -> str:
        """Format one line per row: the label, and its scores if requested."""
        labels = self.learner.classes_.tolist()
        if not self.scored:
            return of_labels([f"{label}\n" for label in labels], number)
        begun = [f"{label}\t" for label in labels]
        if scores.ndim == 1:
            pairs = zip(number.tolist(), scores.tolist(), strict=True)
            return "".join([f"{begun[k]}{score!r}\n" for k, score in pairs])
        rows = zip(number.tolist(), scores.tolist(), strict=True)
        return "".join([begun[k] + "\t".join(map(repr, row)) + "\n" for k, row in rows])


class JsonLines(model_rows.Predict):
    """Format the predictions for some rows as lines of a JSON document."""

    def result(self, scores: Any, number: Any) -> str:
        """Format one line per row."""
        return json_lines(self.learner.classes_.tolist(), number, scores if self.scored else None)


def of_labels(lines: list[str], number: Any) -> str:
    """Return lines[k] for each number k, using fixed-length byte strings whose padding is removed."""
    import numpy as np

    if any("\0" in line for line in lines):
        return "".join([lines[k] for k in number.tolist()])
    filled: bytes = np.array([line.encode() for line in lines])[number].tobytes()
    return filled.replace(b"\0", b"").decode()
