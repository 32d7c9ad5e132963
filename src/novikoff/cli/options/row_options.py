"""How a verb gets its rows: a file of any format or an example, its columns' roles, and their preparation.

`row_options` and `preparation_options` add the options, `training_rows` reads what they ask for, `preparation` makes
the steps. How the file was read goes into the model with them (`memory`), so that new rows are read alike.
"""

from __future__ import annotations

import stat
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from novikoff.cli.options.option_checks import check_format
from novikoff.cli.text import formatting
from novikoff.data import EXAMPLES
from novikoff.errors import InputError

Command = TypeVar("Command", bound=Callable[..., Any])
FORMATS = ("csv", "tsv", "svmlight", "svm", "jsonl", "vw", "npz", "npy", "idx", "parquet", "arrow", "texts", "nvc")


@dataclass(frozen=True)
class TrainingRows:
    """Rows to learn from. labels: as the file has them; y: by the names that --label-as gives. rows: their numbers."""

    name: str
    raw: Any
    labels: Any
    y: Any
    rows: Any
    form: Any
    fit_intercept: bool
    dropped: int = 0
    digest: str | None = None  # of all of them, where the file has it
    whole: bool = True  # whether all rows that were read are here

    def part(self, which: Any) -> tuple[Any, Any]:
        """Some rows and their labels."""
        from novikoff.io.raw_rows import part

        return part(self.raw, which), self.y[which]


def options(*added: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """Options as one decorator, shown in this order."""

    def decorate(command: Command) -> Command:
        for option in reversed(added):
            command = option(command)
        return command

    return decorate


def column(text: str) -> str | int:
    """A column: a number from 1 becomes one from 0, all else is a name."""
    if text.isascii() and text.isdigit():
        if int(text) == 0:
            raise click.BadParameter("columns are numbered from 1")
        return int(text) - 1
    return text


def alike(text: str) -> tuple[str, str]:
    """`PATTERN:LABEL` as a pair."""
    pattern, colon, label = text.rpartition(":")
    if not colon or not pattern or not label:
        raise click.BadParameter(f"{text!r}: write PATTERN:LABEL, as in 'spam*:spam'")
    return pattern, label


format_option = click.option("--format", "kind", type=click.Choice(FORMATS), help="Where the name does not tell it.")
label_option = click.option("--label", type=column, metavar="NAME|NUMBER",
                            help="The label's column; by number, the first is 1.")  # fmt: skip
label_as_option = click.option("--label-as", type=alike, multiple=True, metavar="PATTERN:LABEL",
                               help="Labels that fit the pattern (*, ?) get this name; the first one.")  # fmt: skip
header_option = click.option("--header/--no-header", default=None,
                             help="Whether a table's first line has names (else found out).")  # fmt: skip
inside_option = click.option("--inside", default="", metavar="FOLDER", help="Only the texts in this folder of a tar.")

positive_option = click.option(
    "--positive",
    metavar="CLASS",
    help="The class on which planes are above 0.  [default: +, yes, true, spam, else the last]",
)

memory_option = click.option(
    "--memory", metavar="SIZE", help="As in 512M or 8G: larger files are not read whole.  [default: half the machine's]"
)

row_options = options(
    click.argument("data", type=click.Path(), metavar="[DATA]", required=False),
    click.option("--example", metavar="NAME", shell_complete=formatting.examples,
                 help=f"Instead of a file: {', '.join(EXAMPLES)}."),
    format_option,
    label_option,
    label_as_option,
    click.option("--classes", metavar="A,B", help="Only the rows of these classes; of a stream: all there are."),
    click.option("--text", type=column, multiple=True, metavar="COLUMN", help="A text: its words are counted."),
    click.option("--one-hot", is_flag=True, help="Columns that are no numbers are categories, one column for each."),
    click.option("--category", type=column, multiple=True, metavar="COLUMN", help="This column is one of categories."),
    header_option,
    click.option("--decimal-comma", is_flag=True, help="A table writes 0,5 for a half."),
    click.option("--missing", type=click.Choice(["fail", "drop"]), default="fail", show_default=True,
                 help="What to do with rows that miss a number, a category or the label."),
    click.option("--on-bad-row", type=click.Choice(["fail", "skip"]), default="fail", show_default=True,
                 help="What to do with lines of a table or svmlight file that cannot be read."),
    click.option("--transpose", is_flag=True, help="A table has a column for each point."),
    click.option("--first-column", type=click.Choice(["0", "1"]), help="From where svmlight columns count."),
    inside_option,
)  # fmt: skip

preparation_options = options(
    click.option("--tfidf", is_flag=True, help="Words weighed by rarity, rows of length 1."),
    click.option("--min-df", type=click.IntRange(min=1), metavar="K", help="Leave out words of fewer than K texts."),
    click.option("--hash-bits", type=click.IntRange(1, 30), metavar="B", help="Words hashed to 2^B columns."),
    click.option("--scale", is_flag=True, help="Numbers to mean 0 and variance 1."),
    click.option(
        "--scale-by", type=formatting.positive, metavar="NUMBER", help="Numbers divided by this: 255 for pixels."
    ),
    click.option("--normalize", is_flag=True, help="Every row to length 1."),
    click.option("--features", type=click.Choice(["poly2"]), help="poly2: all products of two columns."),
)


# ---- the rows ------------------------------------------------------------------------------------------------------


def training_rows(ctx: click.Context, request: Mapping[str, Any]) -> TrainingRows:
    """The rows that the options ask for, in memory."""
    path, example = request["data"], request["example"]
    check_one(ctx, path, example)
    if path is None:
        return _example_rows(ctx, request)
    from novikoff.io.raw_rows import rows_of

    source = training_source(path, request)
    rows = rows_of(source, request["one_hot"], request["text"], stream=is_stream(path))
    report_bad_rows(source, bool(request.get("quiet")))
    if rows.y is None:
        raise InputError(f"{path}: no column is left for the label; name it with --label")
    y = renamed(rows.y, request["label_as"])
    report_labels(path, y, bool(request.get("quiet")))
    report_categories(path, rows.raw.categories, bool(request.get("quiet")))
    which = _chosen(y, path, request["classes"])
    digest = None if request["label_as"] else rows.digest
    at = which if rows.numbering is None else rows.numbering[which]
    data = TrainingRows(
        str(path), rows.raw, rows.y, y, at, rows.form, request["bias"] is not False, rows.dropped, digest
    )
    if len(which) == len(y):
        return data
    raw, y = data.part(which)
    return TrainingRows(data.name, raw, rows.y[which], y, at, rows.form, data.fit_intercept, rows.dropped, whole=False)


def limit_of(request: Mapping[str, Any]) -> int:
    """--memory, in bytes, or what it is by default."""
    from novikoff.io.stream.memory_limit import size_of

    try:
        return size_of(request.get("memory"))
    except InputError as error:
        raise InputError(f"--{error}") from None


def report_bad_rows(source: Any, quiet: bool = False) -> None:
    """How many rows could not be read, and files of a folder that are no texts of a label, on stderr."""
    if quiet:
        return
    if lying := getattr(source, "passed_over", 0):
        are = "lies in no folder and is" if lying == 1 else "lie in no folder and are"
        click.echo(
            f"{source.name}: {formatting.count(lying, 'file')} {are} passed over; a text's folder is its label",
            err=True,
        )
    bad = [one.bad for one in getattr(source, "sources", [source]) if hasattr(one, "bad") and one.bad.count]
    if bad:
        many = formatting.count(sum(one.count for one in bad), "bad row")
        click.echo(f"{many} left out; the first: {bad[0].first}", err=True)


def report_labels(path: str, y: Any, quiet: bool = False) -> None:
    """Classes whose name may mean that the label is missing, on stderr."""
    if quiet:
        return
    from novikoff.data.text.plain_files import MISSING

    different = y.classes.tolist() if hasattr(y, "classes") else set(y.tolist())
    for label in sorted(label for label in different if isinstance(label, str) and label.lower() in MISSING):
        click.echo(f"{path}: the label {label!r} is taken as a class; --missing drop leaves such rows out", err=True)


def report_categories(path: str, categories: Mapping[str, Sequence[str]], quiet: bool = False) -> None:
    """Categories whose name may mean that the cell is missing, on stderr."""
    if quiet:
        return
    from novikoff.data.text.plain_files import MISSING

    for name, column in categories.items():
        for value in sorted(value for value in set(column) if value.strip().lower() in MISSING):
            many = formatting.count(sum(one == value for one in column), "row")
            said = f"{path}, column {name!r}: {value!r} ({many}) is taken as a category"
            click.echo(f"{said}; --missing drop leaves such rows out", err=True)


def check_one(ctx: click.Context, path: str | None, example: str | None) -> None:
    """A file or an example, one of them."""
    if path is not None and example is not None:
        raise click.UsageError(f"both {path} and --example {example}: give one of them", ctx)
    if path is None and example is None:
        raise click.UsageError("no data: name a file, or use --example NAME, as in --example cornwell", ctx)


def _example_rows(ctx: click.Context, request: Mapping[str, Any]) -> TrainingRows:
    from novikoff.io.raw_rows import Form
    from novikoff.prepare import Raw

    for option in ("label", "text", "category", "one_hot", "transpose", "kind", "header", "decimal_comma", "inside"):
        if request[option] not in (None, False, (), "") or (option == "header" and request[option] is not None):
            name = "format" if option == "kind" else option.replace("_", "-")
            raise click.UsageError(f"--{name} is for files; an example has its points", ctx)
    name, X, y, fit_intercept = formatting.example(
        ctx, request["example"], request["bias"], request.get("quiet", False)
    )
    X, y, rows = formatting.chosen_classes(X, y, name, request["classes"])
    return TrainingRows(name, Raw(X), y, renamed(y, request["label_as"]), rows, Form(), fit_intercept)


def _chosen(y: Any, name: str, classes: str | None) -> Any:
    import numpy as np

    if classes is None:
        return np.arange(len(y))
    places = np.arange(len(y))
    _, _, rows = formatting.chosen_classes(places, y, name, classes)
    return rows


def renamed(labels: Any, label_as: Sequence[tuple[str, str]]) -> Any:
    """Labels by the names that --label-as gives."""
    if not label_as:
        return labels
    from fnmatch import fnmatchcase

    from novikoff.data.labels.label_types import typed

    listed = [str(label) for label in labels]
    names = {
        label: next((name for pattern, name in label_as if fnmatchcase(label, pattern)), label) for label in set(listed)
    }
    return typed([names[label] for label in listed])


def training_source(path: str, request: Mapping[str, Any]) -> Any:
    """Where the rows of a file come from, as the options say."""
    from novikoff.io.reader import Reading, check_droppable, format_of
    from novikoff.io.table_layout import ReadRequest

    check_readable(path)
    kind = kind_of(request["kind"]) or format_of(path)
    check_format(path, kind, request)
    check_droppable(request["missing"] == "drop", kind, path, "--missing drop")
    if request["category"] and kind not in ("csv", "tsv", "jsonl"):
        raise InputError(f"--category: is for csv, tsv and jsonl; {path} is read as {kind}, where --one-hot finds them")
    info = ReadRequest(request["label"], request["text"], request["category"], request["header"])
    drop, skip = request["missing"] == "drop", request["on_bad_row"] == "skip"
    how = Reading(kind, info, request["decimal_comma"], drop, None, request["inside"], skip, limit=limit_of(request))
    return opened_source(path, how, request["transpose"], request["one_hot"], request["first_column"])


def opened_source(
    path: str, how: Any, transpose: bool = False, one_hot: bool = False, first_column: str | None = None
) -> Any:
    """The source of a file; --transpose, --one-hot and --first-column are said for the formats they are for."""
    from dataclasses import replace

    from novikoff.io.reader import several

    is_table = how.format in ("csv", "tsv")
    if transpose:
        if not is_table:
            raise InputError(f"--transpose: is for csv and tsv; {path} is read as {how.format}")
        from novikoff.io.transpose import Transposed, transposed

        table = transposed(path, how.format == "tsv", how.limit, how.comma)
        with table.info():
            return Transposed(
                opened_source(table.written, replace(how, format="csv"), False, one_hot, first_column), table
            )
    if one_hot and is_table:
        from novikoff.io.find_categories import with_categories

        request = with_categories(path, how.format == "tsv", how.request, how.limit, how.comma)
        how = replace(how, request=request)
    if one_hot and how.format == "jsonl":
        raise InputError("--one-hot: name the columns of JSON lines, as in --category city")
    source = several(path, how)
    if first_column is not None:
        if how.format != "svmlight":
            raise InputError(f"--first-column: is for svmlight; {path} is read as {how.format}")
        source.counts_from = int(first_column)
    return source


def kind_of(request: str | None) -> str | None:
    """`svm` is short for svmlight."""
    return "svmlight" if request == "svm" else request


def check_readable(path: str) -> None:
    """A file that is not there is told before anything else."""
    if path == "-" or Path(path).exists() or any(mark in path for mark in "*?["):
        return
    raise InputError(f"{path}: cannot be read (No such file or directory)")


def is_stream(path: str | None) -> bool:
    """Whether the rows pass once: standard input, or a pipe."""
    if path is None or path == "-":
        return path == "-"
    try:
        return stat.S_ISFIFO(Path(path).stat().st_mode)
    except OSError:
        return False


# ---- their preparation ---------------------------------------------------------------------------------------------


def preparation(request: Mapping[str, Any], categories: bool) -> Any:
    """The steps that the options ask for, not yet fitted."""
    from novikoff.prepare import requested

    by = request["scale_by"]
    return requested(
        tfidf=request["tfidf"],
        min_df=request["min_df"],
        hash_bits=request["hash_bits"],
        one_hot=categories and (request["one_hot"] or bool(request["category"])),
        scale=request["scale"],
        scale_by=None if by is None else formatting.binary64(by, "--scale-by"),
        normalize=request["normalize"],
        features=request["features"],
    )


def memory(form: Any, request: Mapping[str, Any]) -> dict[str, Any]:
    """How the rows were read, as a model keeps it: plain data."""
    return {
        **form.plain(),
        "label_as": [list(pair) for pair in request["label_as"]],
        "decimal_comma": request["decimal_comma"],
        "drop": request["missing"] == "drop",
        "transpose": request["transpose"],
    }
