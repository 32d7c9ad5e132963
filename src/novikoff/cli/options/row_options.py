"""Options of the verbs that read rows: a file of any format or an example, its columns, and their preparation.

`row_options` and `preparation_options` add the options, `opened` opens the data, `preparation` makes the steps.
"""

from __future__ import annotations

import contextlib
import csv
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from novikoff.cli.text import formatting
from novikoff.cli.text.answer import note
from novikoff.cli.text.option_table import check_format, parameters
from novikoff.data import EXAMPLES
from novikoff.data.format_numbers import left_out
from novikoff.errors import InputError

if TYPE_CHECKING:
    from novikoff.io.spill import Spill

Command = TypeVar("Command", bound=Callable[..., Any])
FORMATS = ("csv", "tsv", "svmlight", "svm", "npz", "parquet", "arrow")


def options(*added: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """Return one decorator that adds options, shown in this order."""

    def decorate(command: Command) -> Command:
        for option in reversed(added):
            command = option(command)
        return command

    return decorate


def column(text: str) -> str | int:
    """Parse a column: a number from 1 becomes one from 0, anything else is a name."""
    if text.isascii() and text.isdigit():
        if int(text) == 0:
            raise click.BadParameter("columns are numbered from 1")
        return int(text) - 1
    return text


def column_list(text: str | tuple[str | int, ...]) -> tuple[str | int, ...]:
    """Parse columns with commas between them; a name that has a comma is in quotes."""
    if isinstance(text, tuple):
        return text
    cells = next(csv.reader([text], skipinitialspace=True), [])
    if not cells or not all(cell.strip() for cell in cells):
        raise click.BadParameter(f"{text!r}: write columns with commas between them, as in age,fare")
    return tuple(column(cell.strip()) for cell in cells)


def alike(text: str) -> tuple[str, str]:
    """Parse `PATTERN:LABEL` as a pair."""
    pattern, colon, label = text.rpartition(":")
    if not colon or not pattern or not label:
        raise click.BadParameter(f"{text!r}: write PATTERN:LABEL, as in 'spam*:spam'")
    return pattern, label


def ngram_lengths(text: str | tuple[int, int]) -> tuple[int, int]:
    """Parse `1,2`, the shortest and the longest n-gram."""
    if isinstance(text, tuple):
        return text
    cells = text.split(",")
    if len(cells) != 2 or not all(cell.strip().isascii() and cell.strip().isdigit() for cell in cells):
        raise click.BadParameter(f"{text!r}: write the shortest and the longest, as in 1,2")
    return int(cells[0]), int(cells[1])


def _format(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """`svm` is short for svmlight."""
    return "svmlight" if value == "svm" else value


format_option = click.option(
    "--format", "kind", type=click.Choice(FORMATS), callback=_format,
    help="File format, if the extension does not determine it.",
)  # fmt: skip
label_option = click.option("--label", type=column, metavar="NAME|NUMBER",
                            help="Label column, by name or by number from 1.")  # fmt: skip
label_as_option = click.option("--label-as", type=alike, multiple=True, metavar="PATTERN:LABEL",
                               help="Rename labels that match the pattern (*, ?); the first match wins.")  # fmt: skip
header_option = click.option("--header/--no-header", default=None,
                             help="Whether the first line of a table is a header.  [default: detected]")  # fmt: skip
columns_option = click.option("--columns", type=column_list, metavar="A,B",
                              help="Use only these columns of a table, and the label.")  # fmt: skip
drop_option = click.option("--drop", type=column_list, default=(), metavar="A,B",
                           help="Do not use these columns of a table.")  # fmt: skip

positive_option = click.option(
    "--positive",
    metavar="CLASS",
    help="Positive class.  [default: +, yes, true or spam, else the label that sorts last]",
)

memory_option = click.option(
    "--memory",
    metavar="SIZE",
    help="Memory limit, as in 512M or 8G; larger data go to temporary files.  [default: half of the memory]",
)
spill_option = click.option(
    "--spill",
    type=click.Path(),
    metavar="DIR",
    help="Folder of the temporary files for data beyond --memory.  [default: TMPDIR or /var/tmp]",
)

source_options = options(
    click.argument("data", type=click.Path(), metavar="[DATA]", required=False),
    click.option("--example", metavar="NAME", shell_complete=formatting.examples,
                 help=f"Instead of a file: {', '.join(EXAMPLES)}."),
)  # fmt: skip
file_options = options(
    format_option,
    label_option,
    label_as_option,
    click.option("--classes", metavar="A,B", help="Use only the rows of these classes; for a stream list all."),
    click.option("--text", type=column, multiple=True, metavar="COLUMN", help="Text column; count its words."),
    click.option("--one-hot", is_flag=True, help="One-hot encode all columns that are not numeric."),
    click.option("--category", type=column, multiple=True, metavar="COLUMN", help="One-hot encode this column."),
    columns_option,
    drop_option,
    header_option,
    click.option("--decimal-comma", is_flag=True, help="The table uses a decimal comma (0,5)."),
    click.option("--missing", type=click.Choice(["fail", "drop", "impute"]), default="fail", show_default=True,
                 help="Rows that miss a number, a category or the label: fail, drop them, or impute."),
    click.option("--impute-numbers", type=click.Choice(["median", "mean"]),
                 help="Impute numbers by the column's median (default) or mean."),
    click.option("--impute-categories", type=click.Choice(["most-frequent", "level"]),
                 help="Impute the most frequent category (default), or one of its own."),
    click.option("--transpose", is_flag=True, help="Transposed table: each column is a point."),
    click.option("--first-column", type=click.Choice(["0", "1"]), help="Number of the first svmlight column."),
)  # fmt: skip
row_options = options(source_options, file_options)

preparation_options = options(
    click.option(
        "--auto",
        is_flag=True,
        help="Prepare a table by what its columns contain; prints the command that does the same.",
    ),
    click.option("--tfidf", is_flag=True, help="Weight words by rarity (TF-IDF); scale rows to length 1."),
    click.option("--min-df", type=click.IntRange(min=1), metavar="K", help="Ignore words in fewer than K texts."),
    click.option("--hash-bits", type=click.IntRange(1, 30), metavar="B", help="Hash words to 2^B columns."),
    click.option("--presence", is_flag=True, help="Count each word at most once per text: 1 if it occurs, else 0."),
    click.option(
        "--ngrams", type=ngram_lengths, metavar="MIN,MAX", help="Count sequences of MIN to MAX words, as in 1,2."
    ),
    click.option(
        "--analyzer",
        type=click.Choice(["word", "char", "char_wb"]),
        default="word",
        show_default=True,
        help="Count words, characters, or characters within words (with --ngrams).",
    ),
    click.option("--scale", is_flag=True, help="Scale numeric columns to mean 0 and variance 1."),
    click.option("--normalize", is_flag=True, help="Scale every row to length 1."),
    click.option("--features", type=click.Choice(["poly2"]), help="poly2: add squares and products of columns."),
)


# ---- the rows ------------------------------------------------------------------------------------------------------


def opened(ctx: click.Context, request: Mapping[str, Any]) -> Any:
    """Open the data that the options name, as a `Dataset`."""
    from novikoff.io.reader import open_rows

    path = request["data"]
    if path is None:
        data = _example(ctx, request)
    else:
        how = reading_of(path, request)
        with spilling(path, request) as spill:
            data = open_rows(path, how, request["label_as"], spill)
        notes = [*name_notes(data), *label_notes(path, data.renamed)]
        if not spill.active and how.missing != "impute":
            notes += category_notes(path, data.stored.raw.categories)
        if data.dropped:
            unlabelled = f"{formatting.count(data.dropped, 'row')} without a label left out"
            notes.append(f"{path}: {unlabelled if how.missing == 'impute' else left_out(data.dropped)}")
        note(bool(request.get("quiet")), notes)
    if request["classes"] is None:
        return data
    return data.select([label.strip() for label in request["classes"].split(",")])


def limit_of(request: Mapping[str, Any]) -> int:
    """Return the memory limit in bytes."""
    from novikoff.io.memory_limit import size_of

    return size_of(request.get("memory"))


@contextlib.contextmanager
def spilling(path: str, request: Mapping[str, Any]) -> Iterator[Spill]:
    """Yield where the rows of a file are kept while it is read; say if they exceed the memory limit, show progress."""
    from novikoff.cli.text.progress import Progress
    from novikoff.io.spill import Spill

    quiet = bool(request.get("quiet"))
    progress, said = Progress(quiet), list[str]()

    def began(spill: Spill) -> None:
        if not said:
            limit = f"larger than the memory limit ({spill.limit:,} bytes)"
            said.append(f"{path}: {limit}; its rows are written to temporary files in {spill.folder}")
            note(quiet, said)

    def tell(share: float) -> None:
        if progress.is_due():
            progress.show(f"reading {path}: {share:.0%}", share)

    try:
        yield Spill(request.get("spill"), limit_of(request), began, tell)
    finally:
        progress.close()


def name_notes(data: Any) -> Iterator[str]:
    """Yield the columns in use without a name, as an index that was written with the table, and names that are not
    UTF-8.
    """
    from novikoff.data.column_names import NAMELESS
    from novikoff.io.table_layout import not_utf8

    form, layout = data.stored.form, None if data.source is None else data.source.layout
    if form.width is None:
        return
    if wrong := not_utf8(getattr(layout, "header", None) or ()):
        yield f"{data.name}: {wrong}"
    used = [str(name) for name in (*(data.stored.names or ()), *form.text, *form.categories)]
    for name in filter(NAMELESS.fullmatch, used):
        typed = shlex.quote(name) if name or layout is None else str(layout.header.index(name) + 1)
        which = name or f"column {typed}"
        yield f"{data.name}: {which} has no name, as an index, and is used; --drop {typed} leaves it out"


def label_notes(path: str, y: Any) -> Iterator[str]:
    """Yield the classes whose name may mean that the label is missing."""
    for label in _missing(y.classes.tolist() if hasattr(y, "classes") else y.tolist()):
        yield f"{path}: the label {label!r} is taken as a class; --missing drop leaves such rows out"


def category_notes(path: str, categories: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield the categories whose name may mean that the cell is missing."""
    for name, column in categories.items():
        for value in _missing(column):
            many = formatting.count(sum(one == value for one in column), "row")
            said = f"{path}, column {name!r}: {value!r} ({many}) is taken as a category"
            yield f"{said}; --missing drop leaves such rows out, --missing impute fills them in"


def imputed_notes(path: str, prep: Any) -> list[str]:
    """Return how many values of each column were imputed in training, and by what."""
    found, cells = prep.report.get("imputed"), prep.columns.cells
    if cells is None or not found or not any(found.values()):
        return []
    fill = dict(zip(prep.columns.number_names, cells.fill.tolist(), strict=True))
    said = [f"{many:,} of {name} ({cells.numbers} {fill[name]:.6g})" for name, many in found["numbers"].items()]
    said += [f"{many:,} of {name} ({cells.frequent[name]})" for name, many in found["categories"].items()]
    return [f"{path}: imputed {', '.join(said)}"]


def _missing(values: Sequence[Any]) -> list[str]:
    from novikoff.data.plain_files import MISSING

    return sorted(v for v in set(values) if isinstance(v, str) and v.strip().lower() in MISSING)


def _example(ctx: click.Context, request: Mapping[str, Any]) -> Any:
    from novikoff.data.examples import example, passes_through_origin
    from novikoff.io.dataset import Dataset
    from novikoff.io.reader import reading_record
    from novikoff.io.row_labels import renamed
    from novikoff.io.rows import Form, StoredRows
    from novikoff.prepare import Raw

    for option in ("label", "text", "category", "one_hot", "columns", "drop", "transpose", "kind", "header",
                   "decimal_comma"):  # fmt: skip
        if request[option] not in (None, False, (), "") or (option == "header" and request[option] is not None):
            name = "format" if option == "kind" else option.replace("_", "-")
            raise click.UsageError(f"--{name} applies only to files, not to --example", ctx)
    name, (X, y) = request["example"], example(request["example"])
    if request["bias"] is None and passes_through_origin(name):
        through = f"{name}: planes through the origin, as in the notes (no bias; --bias adds one)"
        note(bool(request.get("quiet")), [through])
    stored, label_as = StoredRows(raw=Raw(X), y=y, form=Form()), request["label_as"]
    return Dataset(name, stored, renamed(y, label_as), reading_record(_reading(None, request), label_as))


def has_bias(request: Mapping[str, Any]) -> bool:
    """Whether planes have a bias: as --bias says, else not for examples whose planes pass through the origin."""
    if request["data"] is not None or request["bias"] is not None:
        return request["bias"] is not False
    from novikoff.data.examples import passes_through_origin

    return not passes_through_origin(request["example"])


def reading_of(path: str, request: Mapping[str, Any]) -> Any:
    """Return how to read a file, as the options state; raise errors for options that do not apply to its format."""
    from novikoff.io.file_formats import check_readable, check_tables, format_of

    check_readable(path)
    kind = request["kind"] or format_of(path)
    check_format(path, kind, request)
    if request["category"] and kind not in ("csv", "tsv"):
        raise InputError(f"--category: is for csv and tsv; {path} is read as {kind}, where --one-hot finds them")
    how = _reading(kind, request)
    check_tables(how, kind, path)
    return how


def _reading(kind: str | None, request: Mapping[str, Any]) -> Any:
    from novikoff.io.reading import Reading

    first = request["first_column"]
    return Reading(
        format=kind,
        categories=request["category"],
        first_column=None if first is None else int(first),
        limit=limit_of(request),
        **{name: request[name] for name in parameters("reading")},
    )


# ---- their preparation ---------------------------------------------------------------------------------------------


def steps_of(request: Mapping[str, Any]) -> dict[str, Any]:
    """Return the steps that the options request, as arguments of `requested`, without those that have their default."""
    return {name: request[name] for name in parameters("preparing") if request.get(name) and request[name] != "word"}


def preparation(request: Mapping[str, Any], categories: bool) -> Any:
    """Return the preparation that the options request, not yet fitted."""
    from novikoff.prepare import requested

    one_hot = categories and (request["one_hot"] or bool(request["category"]))
    return requested(one_hot=one_hot, **steps_of(request), **{name: request[name] for name in parameters("imputing")})
