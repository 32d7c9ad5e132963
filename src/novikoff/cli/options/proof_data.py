"""The data of a proof: a file of any format or an example, prepared as asked for, in memory or where it lies.

How the file was read goes into a certificate: format, label, header and first column, which the standalone checker
reads, and all other options as they are typed, with which `novikoff verify` reads the file again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from novikoff.cli.options import row_options
from novikoff.cli.options.model_rows import print_report
from novikoff.cli.text import formatting
from novikoff.errors import InputError

READING = ("label_as", "text", "one_hot", "category", "decimal_comma", "missing", "on_bad_row", "transpose", "inside")
PREPARING = ("tfidf", "min_df", "hash_bits", "scale", "scale_by", "normalize", "features")
STANDALONE = ("csv", "svmlight")

data_options = row_options.options(
    row_options.row_options,
    row_options.preparation_options,
    row_options.memory_option,
    click.option("--bias/--no-bias", default=None, help="Any plane, or only planes through the origin."),
    click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout."),
)


@dataclass(frozen=True)
class ProofData:
    """Points and labels as a verb gets them.

    name: how a person calls them. names: the columns' names, where there are any. rows: their numbers (from 0) in the
    file or example. how: how the file was read, for a certificate; None of an example. prepared: whether the points are
    not the numbers as the file has them. whole: whether all rows that were read are here.
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

    @property
    def points(self) -> Any:
        """Rows, labels and the rows' numbers in the file, as `decide` and its like take them."""
        from novikoff.data.labelled_points import Numbered

        return Numbered(self.X, self.y, None if isinstance(self.rows, range) else self.rows, self.names)

    @property
    def classes(self) -> list[Any]:
        """The different labels, in order."""
        from novikoff.data.labels.label_codes import class_counts

        found: list[Any] = class_counts(self.y)[0].tolist()
        return found

    @property
    def in_a_file(self) -> bool:
        """Whether the rows stay in their file."""
        return bool(getattr(self.X, "in_a_file", False))


def data_of(ctx: click.Context, request: Mapping[str, Any], numbers: str = "binary64") -> ProofData:
    """The points that the options of `data_options` ask for."""
    from novikoff.io.model_reader import model_reader_of

    path = request["data"]
    row_options.check_one(ctx, path, request["example"])
    if numbers == "decimal":
        return _spelled(ctx, path, request)
    how = None if path is None else how_read(path, request, options_of(ctx))
    data = row_options.opened(ctx, request, row_options.stays(path, request))
    prepared = is_prepared(request) or data.stored.texts or data.stored.categories
    if prepared:
        data = data.prepare(row_options.preparation(request, data.stored.categories))
        print_report(model_reader_of(data.preparation), bool(request.get("quiet")))
    rows = range(data.n) if data.numbering is None else data.numbering
    bias = row_options.has_bias(request)
    return ProofData(data.name, data.rows, data.labels, rows, data.names, bias, how, prepared, data.whole)


def _spelled(ctx: click.Context, path: str | None, request: Mapping[str, Any]) -> ProofData:
    """Numbers as they are written, by the checker's own reader."""
    if path is None:
        raise click.UsageError("--numbers decimal is for text files; an example is binary64", ctx)
    given = [word for word in options_of(ctx) if word.startswith("--")]
    given += ["--header" for _ in range(request["header"] is not None)]
    given += ["--first-column" for _ in range(request["first_column"] is not None)]
    kind = row_options.kind_of(request["kind"])
    if given or kind not in (None, "csv", "tsv", "svmlight"):
        what = given[0] if given else f"--format {kind}"
        raise InputError(
            f"{what}: --numbers decimal takes the numbers of CSV and svmlight files as they are written; leave it out"
        )
    from novikoff.certify.check.checker_files import read_plain
    from novikoff.io.reader import check_readable

    check_readable(path)
    plain = read_plain(path, request["label"], "decimal")
    bias = request["bias"] is not False
    if request["classes"] is None:
        return ProofData(path, plain.X, plain.y, range(len(plain.y)), plain.names, bias, plain.how)
    X, y, rows = formatting.chosen_classes(plain.X, plain.y, path, request["classes"])
    return ProofData(path, X, y, rows, plain.names, bias, plain.how, whole=len(rows) == len(plain.y))


def is_prepared(request: Mapping[str, Any]) -> bool:
    """Whether the points are not the numbers as they lie in the file."""
    return any(request[name] for name in PREPARING)


# ---- how a file was read, for a certificate ------------------------------------------------------------------------


def how_read(path: str, request: Mapping[str, Any], options: list[str]) -> dict[str, Any]:
    """The record: format, label, header, first column, other options, and the SHA-256 of a single file."""
    from novikoff.io.reader import check_readable, format_of

    check_readable(path)
    kind = row_options.kind_of(request["kind"]) or format_of(path)
    how: dict[str, Any] = {"format": "csv" if kind == "tsv" else kind}
    how |= {name: request[name] for name in ("label", "header") if request[name] is not None}
    if request["first_column"] is not None:
        how["first_column"] = int(request["first_column"])
    return how | ({"options": options} if options else {})


def with_digest(path: str, how: Mapping[str, Any]) -> dict[str, Any]:
    """The record with the SHA-256 of the file as it lies, where it is one file."""
    import hashlib

    if path == "-" or not Path(path).is_file():
        return dict(how)
    with open(path, "rb") as file:
        return {**how, "sha256": hashlib.file_digest(file, "sha256").hexdigest()}


def options_of(ctx: click.Context) -> list[str]:
    """The options of reading and preparing that were given, as they are typed."""
    found: list[str] = []
    for param in ctx.command.params:
        name = param.name or ""
        if name not in READING + PREPARING or ctx.get_parameter_source(name) is ParameterSource.DEFAULT:
            continue
        value = ctx.params[name]
        for one in value if getattr(param, "multiple", False) else [value]:
            found += [param.opts[0]] if one is True else [param.opts[0], _typed(name, one)] if one is not False else []
    return found


def _typed(name: str, value: Any) -> str:
    if name == "label_as":
        return ":".join(value)
    return str(value + 1) if name in ("text", "category") and isinstance(value, int) else str(value)


@click.command(add_help_option=False)
@row_options.row_options
@row_options.preparation_options
def again(**request: Any) -> dict[str, Any]:
    """The options in a certificate, read as if they were typed."""
    return request


def requested_again(options: list[str]) -> dict[str, Any]:
    """What the options of a certificate ask for; InputError for what is no option of reading or preparing."""
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
    from novikoff.io.stream.memory_limit import is_packed

    how = data.how or {}
    if how.get("format") not in STANDALONE or "options" in how or not Path(data.name).is_file() or is_packed(data.name):
        return False
    as_cut = how["format"] != "csv" or len(first_line(data.name)) == int(data.X.shape[1]) + 1
    return as_cut and is_utf8(data.name)


def refuse_classes(data: ProofData, request: Mapping[str, Any], what: str) -> None:
    """A certificate speaks of whole files: no part of one."""
    if data.how is not None and request["classes"] is not None:
        if data.whole:
            return
        raise InputError(f"--classes: {what} speaks of a whole file; write these rows to one of their own")
