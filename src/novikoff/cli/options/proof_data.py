"""The data of a proof: a file of any format or an example, prepared.

A certificate records how the file was read: format, label, header and first column, which the standalone checker uses,
and all other options as they were typed, with which `novikoff verify` reads the file again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from novikoff.cli.options import row_options
from novikoff.cli.options.automatic_options import expanded, typed_option
from novikoff.cli.options.formula_data import formula_option, formula_points
from novikoff.cli.options.model_rows import print_report
from novikoff.cli.text.answer import note
from novikoff.cli.text.label_names import class_list
from novikoff.cli.text.option_table import parameters
from novikoff.data.plain_files import a_row, is_row
from novikoff.errors import InputError

STANDALONE = ("csv", "svmlight")

data_options = row_options.options(
    row_options.row_options,
    row_options.preparation_options,
    row_options.memory_option,
    row_options.spill_option,
    click.option("--bias/--no-bias", default=None, help="Allow a bias, or only planes through the origin."),
    click.option("--json", "as_json", is_flag=True, help="Print one JSON document on stdout."),
)


@dataclass(frozen=True)
class ProofData:
    """Points and labels for a verb.

    name: of the file or example. names: of the columns, or None. rows: the number (from 0) of each row in the file or
    example. how: how the file was read, for a certificate; None for an example. prepared: whether the points differ
    from the numbers in the file. whole: whether these are all rows that were read. label: the label's column, by name
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
    how: Mapping[str, Any] | None
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

        numbering = None if isinstance(self.rows, range) else self.rows
        return Numbered(self.X, self.y, numbering, self.names, self.label, self.factors)

    @property
    def classes(self) -> list[Any]:
        """The distinct labels, sorted."""
        from novikoff.data.labels import class_counts

        found: list[Any] = class_counts(self.y)[0].tolist()
        return found

    def check_two_classes(self) -> None:
        """Raise InputError for more than two classes."""
        if len(found := self.classes) > 2:
            pair = ",".join(map(str, found[:2]))
            listed = class_list(found)
            raise InputError(f"{self.name} has {len(found)} classes ({listed}): choose two, as in --classes {pair}")


def data_of(ctx: click.Context, request: Mapping[str, Any]) -> ProofData:
    """Return the points that the options of `data_options` request."""
    from novikoff.io.model_reader import model_reader_of

    request = expanded(ctx, request)
    path = request["data"]
    how = None if path is None else how_read(path, request, options_of(ctx))
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
    bias = row_options.has_bias(request)
    steps = data.preparation.columns.categories if prepared else {}
    factors = {name: step.categories for name, step in steps.items()}
    points = data.name, data.rows, data.labels, rows, data.names
    more = data.label, factors, data.preparation, held, data.source
    return ProofData(*points, bias, how, bool(prepared), data.whole, *more)


def _by_formula(ctx: click.Context, request: Mapping[str, Any], how: Mapping[str, Any] | None) -> ProofData:
    """Return the design that --formula states."""
    from novikoff.certify.separation.formulas import response_of

    data, X, y, names, notes = formula_points(ctx, request)
    label = response_of(request["formula"])
    if how is not None and request.get("counts") is not None:
        how = {**how, "options": [*how.get("options", ()), "--counts", request["counts"]]}
    rows = range(data.n) if data.numbering is None else data.numbering
    return ProofData(data.name, X, y, rows, names, False, how, True, data.whole, label, notes=notes)


def is_prepared(request: Mapping[str, Any]) -> bool:
    """Whether the options change the numbers of the file."""
    return request["missing"] == "impute" or bool(row_options.steps_of(request))


# ---- how a file was read, for a certificate ------------------------------------------------------------------------


def how_read(path: str, request: Mapping[str, Any], options: list[str]) -> dict[str, Any]:
    """Return the record of how a file is read: format, label, header, first column, other options."""
    from novikoff.io.file_formats import check_readable, format_of

    check_readable(path)
    kind = request["kind"] or format_of(path)
    how: dict[str, Any] = {"format": "csv" if kind == "tsv" else kind}
    how |= {name: request[name] for name in ("label", "header") if request[name] is not None}
    if request["first_column"] is not None:
        how["first_column"] = int(request["first_column"])
    return how | ({"options": options} if options else {})


def check_header(data: ProofData) -> None:
    """Raise InputError if a checker would not believe that the first line of a table is its header."""
    layout: Any = None if data.source is None else data.source.layout
    header, label = getattr(layout, "header", None), getattr(layout, "label", None)
    if header and layout.separator and label is not None and is_row([header[c] for c in layout.numbers], header[label]):
        raise InputError(f"{data.name}: {a_row(header)}")


def with_digest(path: str, how: Mapping[str, Any]) -> dict[str, Any]:
    """Return the record with the SHA-256 of the file, if it is one file."""
    import hashlib

    if path == "-" or not Path(path).is_file():
        return dict(how)
    with open(path, "rb") as file:
        return {**how, "sha256": hashlib.file_digest(file, "sha256").hexdigest()}


def options_of(ctx: click.Context) -> list[str]:
    """Return the options of reading and preparing that were given, as they are typed."""
    found: list[str] = []
    for param in ctx.command.params:
        name = param.name or ""
        if name not in parameters("proof") or ctx.get_parameter_source(name) is ParameterSource.DEFAULT:
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


def requested_again(options: list[str]) -> dict[str, Any]:
    """Return the values of a certificate's options; raise InputError for any but those of reading and preparing."""
    try:
        request: dict[str, Any] = again.main(options, "certificate", standalone_mode=False)
    except click.ClickException as error:
        raise InputError(f"certificate: file: options: {error.format_message()}") from None
    named = {"data": None, "example": None, "kind": None, "label": None, "classes": None}
    if not isinstance(request, dict) or any(request[name] is not value for name, value in named.items()):
        raise InputError("certificate: file: options: expected options of reading and preparing only")
    return request


def standalone(data: ProofData) -> bool:
    """Whether the checker alone can read the file as it was read here."""
    from novikoff.certify.check.checker_files import first_line, is_utf8
    from novikoff.io.text_blocks import is_packed

    how = data.how or {}
    if how.get("format") not in STANDALONE or "options" in how or not Path(data.name).is_file() or is_packed(data.name):
        return False
    as_cut = how["format"] != "csv" or len(first_line(data.name)) == int(data.X.shape[1]) + 1
    return as_cut and is_utf8(data.name)


def refuse_classes(data: ProofData, request: Mapping[str, Any]) -> None:
    """Raise InputError if a certificate about a part of a file is to be saved."""
    if request["output"] is not None and data.how is not None and request["classes"] is not None and not data.whole:
        raise InputError("--classes: a certificate is about a whole file; write these rows to a separate file")
