"""The data of a proof: a file of any format or an example, prepared.

A certificate states the layout of a plain file, which the standalone checker reads. If the points were made of another
file, it states the layout of the file that `convert` writes, and the command; `novikoff verify` reads the file so.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import click
from click.core import ParameterSource

from novikoff.cli.options import row_options
from novikoff.cli.options.automatic_options import expanded, typed_option
from novikoff.cli.options.formula_data import formula_option, formula_points
from novikoff.cli.options.model_rows import print_report
from novikoff.cli.text.answer import note
from novikoff.cli.text.label_names import class_list
from novikoff.cli.text.option_table import parameters
from novikoff.errors import InputError

STANDALONE = ("csv", "tsv", "svmlight")
PLACES = ("kind", "label", "header", "first_column")  # options that say where things are in a file

data_options = row_options.options(
    row_options.row_options,
    row_options.preparation_options,
    row_options.memory_option,
    row_options.spill_option,
    click.option("--bias/--no-bias", default=None, help="Allow a bias, or only planes through the origin."),
    click.option("--json", "as_json", is_flag=True, help="Print one JSON document on stdout."),
)


class HowRead(NamedTuple):
    """How a file was read: its format, the options that a certificate states, and those that say where things are."""

    kind: str
    options: list[str]
    places: list[str]


@dataclass(frozen=True)
class ProofData:
    """Points and labels for a verb.

    name: of the file or example. names: of the columns, or None. rows: the number (from 0) of each row in the file or
    example. how: how the file was read; None for an example. prepared: whether the points differ from the numbers in
    the file. whole: whether these are all rows that were read. label: the label's column, by name
    or by number from 0. factors: the levels of the columns of categories. preparation: of the columns, or None.
    held: the rows of --holdout, which are not among these, or None. source: what the rows were read from. notes: on
    the formula.
    """

    name: str
    X: Any
    y: Any
    rows: Any
    names: tuple[str, ...] | None
    fit_intercept: bool
    how: HowRead | None
    prepared: bool = False
    whole: bool = True
    label: str | int | None = None
    factors: Mapping[str, tuple[str, ...]] | None = None
    preparation: Any = None
    held: Any = None
    source: Any = None
    notes: tuple[str, ...] = ()

    @property
    def unit_names(self) -> Sequence[str] | None:
        """Names of the columns for a printed plane; those of scaled columns say so."""
        return self.names if self.names is None or self.preparation is None else self.preparation.unit_names

    def in_files(self, rows: Sequence[int]) -> list[dict[str, Any]] | None:
        """Return the file and the number there (from 0) of rows, given by their numbers in all files; None for one."""
        if self.source is None or len(self.source.sources) < 2:
            return None
        return [dict(zip(("file", "row"), self.source.row_files.place(i), strict=True)) for i in rows]

    @property
    def points(self) -> Any:
        """Rows, labels and the rows' numbers in the file, as `decide` takes them."""
        from novikoff.data.labelled_points import Numbered

        numbers = None if isinstance(self.rows, range) else self.rows
        return Numbered(self.X, self.y, self.names, numbers, self.label, self.factors)

    @property
    def classes(self) -> list[Any]:
        """The distinct labels, sorted."""
        from novikoff.data.labels import class_counts

        return list(class_counts(self.y)[0].tolist())

    def check_two_classes(self) -> None:
        """Raise InputError for more than two classes."""
        if len(found := self.classes) > 2:
            raise InputError(
                f"{self.name} has {len(found)} classes ({class_list(found)}): choose two, as in "
                f"--classes {','.join(map(str, found[:2]))}"
            )


def data_of(ctx: click.Context, request: Mapping[str, Any]) -> ProofData:
    """Return the points that the options of `data_options` request."""
    from novikoff.io.model_reader import model_reader_of

    request = expanded(ctx, request)
    how = None if request["data"] is None else how_read(ctx, request["data"], request)
    if request.get("formula") is not None:
        return _by_formula(ctx, request, how)
    data = row_options.opened(ctx, request)
    prepared = is_prepared(request) or data.stored.texts or data.stored.categories
    held = None
    if prepared or request.get("holdout") is not None:
        data = data.prepare(row_options.preparation(request, data.stored.categories))
        if request.get("holdout") is not None:
            data, held = data.split(holdout=request["holdout"])
        quiet = bool(request.get("quiet"))
        note(quiet, row_options.imputed_notes(data.name, data.preparation))
        print_report(model_reader_of(data.preparation), quiet)
    rows = range(data.n) if data.numbering is None else data.numbering
    steps = data.preparation.columns.categories if prepared else {}
    return ProofData(
        data.name,
        data.rows,
        data.labels,
        rows,
        data.names,
        row_options.has_bias(request),
        how,
        bool(prepared),
        data.whole,
        data.label,
        {name: step.categories for name, step in steps.items()},
        data.preparation,
        held,
        data.source,
    )


def _by_formula(ctx: click.Context, request: Mapping[str, Any], how: HowRead | None) -> ProofData:
    """Return the design that --formula states."""
    from novikoff.regression.formulas import response_of

    data, X, y, names, notes = formula_points(ctx, request)
    if how is not None and request.get("counts") is not None:
        how = how._replace(options=[*how.options, "--counts", request["counts"]])
    rows = range(data.n) if data.numbering is None else data.numbering
    return ProofData(
        data.name, X, y, rows, names, False, how, True, data.whole, response_of(request["formula"]), notes=notes
    )


def is_prepared(request: Mapping[str, Any]) -> bool:
    """Whether the options change the numbers of the file."""
    return request["missing"] == "impute" or bool(row_options.steps_of(request))


# ---- how a file was read, for a certificate ------------------------------------------------------------------------


def how_read(ctx: click.Context, path: str, request: Mapping[str, Any]) -> HowRead:
    """Return the format of a file, and the options with which it is read and prepared, as they are typed."""
    from novikoff.io.file_formats import check_readable, format_of

    check_readable(path)
    return HowRead(request["kind"] or format_of(path), options_of(ctx, parameters("proof")), options_of(ctx, PLACES))


def file_of(data: ProofData) -> dict[str, Any] | None:
    """Return `data.file` and `made_by` of a certificate; None for an example."""
    from novikoff.proof.certificate import written_file

    if data.how is None:
        return None
    layout = plain_layout(data)
    if layout is not None:
        return layout
    return {**written_file(int(data.X.shape[1])), "made_by": convert_command(data)}


def plain_layout(data: ProofData) -> dict[str, Any] | None:
    """Return `data.file` of a plain file that was read as it is; None for any other."""
    from novikoff.io.rows import first_of
    from novikoff.io.text_blocks import is_packed

    how, path = data.how, Path(data.name)
    if how is None or how.options or how.kind not in STANDALONE or not path.is_file() or is_packed(data.name):
        return None
    if how.kind == "svmlight":
        return {"csv": None, "svmlight": {"first_column": first_of(data.source)}} if is_utf8(path) else None
    layout = data.source.layout
    if layout.width != int(data.X.shape[1]) + 1 or layout.label is None or not is_utf8(path):
        return None
    csv = {"delimiter": layout.separator, "header": layout.header is not None, "label": layout.label}
    return {"csv": csv, "svmlight": None}


def is_utf8(path: Path) -> bool:
    """Return whether a file is UTF-8, as the checker requires."""
    try:
        with open(path, encoding="utf-8") as file:
            return sum(map(len, file)) >= 0
    except UnicodeDecodeError:
        return False


def convert_command(data: ProofData) -> str:
    """Return the command that writes the points as the file that a certificate describes."""
    how = data.how or HowRead("", [], [])
    return shlex.join(["novikoff", "convert", data.name, "prepared.csv", *how.places, *how.options])


def has_header(data: ProofData) -> bool:
    """Return whether the first line of a text was read as a header."""
    layout: Any = getattr(data.source, "layout", None)
    return bool(layout and layout.header and layout.separator)


def check_header(data: ProofData, model: Any) -> None:
    """Raise InputError if a checker would not believe that the first line of a table is its header."""
    from novikoff.proof.verify import is_row

    layout: Any = getattr(data.source, "layout", None)
    cells = [layout.header[c] for c in (*layout.numbers, layout.label or 0)] if has_header(data) else []
    if cells and is_row(cells, model):
        raise InputError(
            f"{data.name}: the first line, {','.join(cells)[:200]}, has numbers and no names: for a proof it is a row "
            "and no header; if it is the header, give the columns names"
        )


def options_of(ctx: click.Context, names: Sequence[str]) -> list[str]:
    """Return those of some options that were given, as they are typed."""
    found: list[str] = []
    for param in ctx.command.params:
        name = param.name or ""
        if name not in names or ctx.get_parameter_source(name) is ParameterSource.DEFAULT:
            continue
        value = ctx.params[name]
        for one in value if getattr(param, "multiple", False) else [value]:
            found += typed_option(param, one)
    return found


@click.command(add_help_option=False)
@row_options.row_options
@row_options.preparation_options
@formula_option
@click.option("--counts")
def again(**request: Any) -> dict[str, Any]:
    """Parse the options in a certificate as if they were typed."""
    return request


def requested_again(made_by: str) -> dict[str, Any]:
    """Return the values of the options in `made_by` of a certificate; raise InputError if it is not such a command."""
    try:
        words = shlex.split(made_by)
        if words[:2] != ["novikoff", "convert"] or len(words) < 4:
            raise InputError(f"certificate: made_by: found {made_by[:80]!r}; expected novikoff convert DATA OUT …")
        request: dict[str, Any] = again.main(words[4:], "certificate", standalone_mode=False)
    except (click.ClickException, ValueError) as error:
        raise InputError(f"certificate: made_by: options: {getattr(error, 'message', error)}") from None
    named = {"data": None, "example": None, "classes": None}
    if not isinstance(request, dict) or any(request[name] is not value for name, value in named.items()):
        raise InputError("certificate: made_by: options: expected options of reading and preparing only")
    return request


def refuse_classes(data: ProofData, request: Mapping[str, Any]) -> None:
    """Raise InputError if a certificate about a part of a file is to be saved."""
    if request["output"] is not None and data.how is not None and request["classes"] is not None and not data.whole:
        raise InputError("--classes: a certificate is about a whole file; write these rows to a separate file")
