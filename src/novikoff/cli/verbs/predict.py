"""`novikoff predict`: predict the classes of new rows, one per line, in constant memory."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from novikoff.cli.options import model_rows
from novikoff.cli.options.engine_options import engine_of, engine_options
from novikoff.cli.options.output_files import OutputFileOrParts, is_folder
from novikoff.cli.options.verb import Verb
from novikoff.cli.text import formatting
from novikoff.cli.text.prediction_json import PredictionDocument, json_lines
from novikoff.errors import InputError


@click.command(cls=Verb)
@click.argument("model", type=click.Path())
@click.argument("data", type=click.Path())
@model_rows.new_row_options
@click.option("-o", "--output", type=OutputFileOrParts(), metavar="FILE",
              help="Output file, or a folder (its name ends in /) with a file for each input file. Default: stdout."
              )  # fmt: skip
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
    novikoff predict model.nvk new.csv --json
    cat new.csv | novikoff predict model.nvk - --format csv
    novikoff predict model.nvk 'part-*.csv' --engine threads -o answers/
    novikoff predict spam.nvk letters/
    novikoff predict spam.nvk letter.txt --format texts

    Rows are read and prepared as in training. The label column (as in training, or --label) is optional: if its name is
    not in the header, or the table has one column fewer, all columns are features; --no-label states this. Lines of an
    svmlight file start with a label, which is ignored. A folder or a single file of text needs no labels either;
    the name of each file follows its class (and scores), after a tab.

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
    chosen = PredictedFile(learner, how, model, request, scores, on_missing == "fail", as_json)
    with engine_of(ctx, request) as engine:
        if output is not None and is_folder(output):
            return in_parts(chosen, data, Path(output), engine, quiet)
        texts = chosen.texts(data, engine)
        if output is None and as_json:
            texts.print()
        elif output is None:
            written(texts, sys.stdout)
        else:
            rows = chosen.write(texts, Path(output))
            if not quiet:
                click.echo(f"wrote {output}: {formatting.count(rows, 'row')}", err=True)
    for line in () if quiet else chosen.report(data):
        click.echo(line, err=True)
    return 0


@dataclass
class PredictedFile:
    """Operation on a file of new rows: write the predictions to another. It can be sent to another process.

    reader: of the model's rows. request: how the rows are read. fails: whether a missing value is an error.
    """

    learner: Any
    reader: Any
    model: str
    request: Mapping[str, Any]
    scores: bool
    fails: bool
    as_json: bool

    def __call__(self, paths: tuple[str, Path]) -> tuple[int, list[str]]:
        """Write the predictions for a file; return how many rows it has, and what a person should know about them."""
        from novikoff.engines.engine import SERIAL

        data, output = paths
        own = replace(self, reader=deepcopy(self.reader))
        return own.write(own.texts(data, SERIAL), output), own.report(data)

    def texts(self, data: str, engine: Any) -> Any:
        """Return the lines of the predictions, some at a time; with --json the document."""
        op = (JsonLines if self.as_json else Lines)(self.learner, self.reader.prep, data, self.scores)
        found = (text for _, text in model_rows.predictions(self.reader, op, engine, self.request))
        texts = with_blanks(found, self.reader)
        if self.fails:
            texts = without_blanks(texts, data)
        if not self.as_json:  # the document has the names itself
            return with_file_names(texts, self.reader)
        head = {"model": self.model, "data": data, "classes": self.learner.classes_.tolist()}
        return PredictionDocument(head, texts, self.reader)

    def write(self, texts: Any, output: Path) -> int:
        """Write a file, completely or not at all, and return the number of rows."""
        from novikoff.records.atomic_write import replacing

        with replacing(output) as file:
            rows = written(iter(texts), file)
        return texts.n if self.as_json else rows

    def report(self, data: str) -> list[str]:
        """Return what a person should know about the rows that were read."""
        blank, self.reader.dropped = self.reader.dropped, 0
        have = "row has" if blank == 1 else "rows have"
        instead = "the class null" if self.as_json else "a blank line"
        said = [f"{data}: {blank:,} {have} a missing value and {instead}"] if blank else []
        return [*said, *self.reader.report()]


def in_parts(op: PredictedFile, data: str, folder: Path, engine: Any, quiet: bool) -> int:
    """Write a folder with a file for each input file, in their order: part-00000.csv and so on."""
    from novikoff.io.reader import check_readable
    from novikoff.io.stream.memory_limit import files_of
    from novikoff.records.atomic_write import new_folder

    check_readable(data)
    files = files_of(data)
    if not files:
        raise InputError(f"{data}: no file matches this pattern")
    ending = "json" if op.as_json else "tsv" if op.scores else "csv"
    with new_folder(folder) as draft:
        outputs = [draft / f"part-{k:05}.{ending}" for k in range(len(files))]
        named, rows = files, 0
        if engine.kind == "dask":  # workers may run in other folders
            named, outputs = [os.path.abspath(file) for file in files], [output.absolute() for output in outputs]
        found = engine.each(op, zip(named, outputs, strict=True))
        for file, name, (many, said) in zip(files, named, found, strict=True):
            rows += many
            for line in () if quiet else (one.replace(name, file) for one in said):
                click.echo(line if line.startswith(file) else f"{file}: {line}", err=True)
    if not quiet:
        parts = f"{formatting.count(rows, 'row')} in {formatting.count(len(files), 'file')}"
        click.echo(f"wrote {folder}: {parts}", err=True)
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


def with_file_names(texts: Iterator[str], reader: Any) -> Iterator[str]:
    """Yield the lines, each followed by the name of its file where every row is a file."""
    row = 0
    for text in texts:
        names = getattr(reader.source, "file_names", None)
        if names is None:
            yield text
            continue
        lines = text.split("\n")[:-1]
        yield "".join(f"{line}\t{_in_one_line(names[row + k])}\n" for k, line in enumerate(lines))
        row += len(lines)


def _in_one_line(name: str) -> str:
    """Return the name of a file in one line: a tab is spelled \\t, bytes that are no text \\x80."""
    printable = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in name)
    return printable.encode("utf-8", "backslashreplace").decode()


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
