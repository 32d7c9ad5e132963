"""`novikoff verify`: check a proof against its data, and report what is proved."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from novikoff.cli.options import row_options
from novikoff.cli.options.engine_options import engine_of, engine_options
from novikoff.cli.options.output_files import Output
from novikoff.cli.options.proof_data import check_header, data_of, has_header, is_utf8, requested_again
from novikoff.cli.options.verb import Verb
from novikoff.cli.text import formatting
from novikoff.cli.text.answer import print_answer, write_file
from novikoff.errors import InputError

REFUSED = 1
SMALL = 1 << 16  # bytes: the trusted checker reads them in 0.2 s, and starts without NumPy
PLAIN = {".csv": "csv", ".tsv": "tsv", ".svm": "svmlight", ".svmlight": "svmlight", ".libsvm": "svmlight"}
WITHOUT_NAMES = ("svmlight", "npz")  # formats without a name for the label column


@click.command(cls=Verb)
@click.argument("certificate", type=click.Path(path_type=Path), metavar="CERTIFICATE", required=False)
@click.argument("data", type=click.Path(), metavar="DATA", required=False)
@row_options.format_option
@click.option("--label", metavar="NAME|NUMBER", help="Label column, if it differs from that in the proof.")
@click.option("--slow", is_flag=True, help="Use the standard-library checker (CSV and svmlight files only).")
@row_options.memory_option
@row_options.spill_option
@engine_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document on stdout.")
@click.option("--quiet", is_flag=True, help="Print only errors on stderr.")
@click.option("--checker", type=Output(path_type=Path), metavar="FILE",
              help="Write the checker as one Python file and exit.")  # fmt: skip
@click.pass_context
def command(
    ctx: click.Context,
    /,
    certificate: Path | None,
    data: str | None,
    slow: bool,
    as_json: bool,
    checker: Path | None,
    **request: Any,
) -> int:
    """Check a proof against its data, exactly, and report what is proved.

    \b
    novikoff verify proof.json data.csv
    novikoff verify proof.json data.parquet
    novikoff verify proof.json data.svm --slow
    novikoff verify --checker verify_novikoff.py

    DATA is a file as for certify, in any format: the same numbers have the same digest. It is read and prepared as the
    certificate states, or it has the prepared points (novikoff convert).

    Exit codes: 0 proved, 1 rejected or different data, 3 cannot be read.
    """
    from novikoff.proof import verify as trusted

    if checker is not None:
        text = Path(trusted.__file__).read_text(encoding="utf-8")
        write_file(checker, text, how=f"; run it by: python {checker} PROOF DATA")
        return 0
    if certificate is None or data is None:
        missing = ctx.command.params[0 if certificate is None else 1]
        raise click.MissingParameter(ctx=ctx, param=missing)
    try:
        proof = trusted.read_certificate(certificate)
        found, header, how = by_reader(ctx, proof, data, {**request, "slow": slow})
    except trusted.MalformedError as error:
        raise InputError(str(error)) from error
    except trusted.CertificateError as error:
        refused = {"proved": False, "kind": None, "reason": str(error)}
        print_answer("verify", refused, [f"REFUSED {error}"], as_json)
        return REFUSED
    lines = list(trusted.report(proof, found, header, how))
    print_answer("verify", {**described(proof, found, header), "slow": slow}, lines, as_json)
    return 0


def described(proof: Any, found: Any, header: Sequence[str]) -> dict[str, Any]:
    """Return the document: what is proved, and of what; rows from 0, fractions as texts."""
    model, data, coefficients = proof.model, proof.data, proof.coefficients
    answer: dict[str, Any] = {
        "proved": True,
        "kind": found.kind,
        "n": data.rows,
        "d": data.columns,
        "bias": model.intercept,
        "family": model.family,
        "classes": model.classes,
        "trials": model.trials,
        "digest": data.digest,
        "made_by": data.made_by,
        "separated": len(found.rows),
        "label": header[-1] if header else None,
    }
    if coefficients is not None:
        out, states = {one.column: "aliased" for one in coefficients.aliased}, iter(coefficients.states)
        places = [*range(data.columns + model.intercept)] * (len(model.classes or "01") - 1)
        answer |= {
            "rows": [*map(int, found.rows)],
            "names": [*header[:-1], *["(Intercept)"] * model.intercept],
            "coefficients": [None if j == model.trials else out.get(j) or next(states) for j in places],
        }
    for name, one in vars(proof.margins).items() if proof.margins is not None else ():
        answer[name] = one and {"lower": str(one.lower), "upper": str(one.upper)}
    return answer


def by_reader(ctx: click.Context, proof: Any, path: str, request: Mapping[str, Any]) -> tuple[Any, Sequence[str], str]:
    """Return what is proved of a file, the names of its columns, the label last, and how it was read.

    The file is read as `made_by` states; or, if that is refused, as `data.file` states; or, if that is the layout of
    certificates of arrays, as the file seems to be. The first refusal is reported.
    """
    from novikoff.proof.verify import CertificateError

    ways: list[Callable[..., tuple[Any, Sequence[str], str]]] = [by_layout]
    usual, csv = (",", True, proof.data.columns), proof.data.file.csv  # `certificate.written_file`
    if proof.data.made_by is not None and not request["slow"]:
        ways.insert(0, partial(by_options, requested_again(proof.data.made_by)))
    elif csv and (csv.delimiter, csv.header, csv.label) == usual and not request["slow"]:
        ways.append(partial(by_options, {}))
    first: Exception | None = None
    for way in ways:
        try:
            return way(ctx, proof, path, request)
        except (CertificateError, InputError, click.UsageError) as error:
            first = first or error
    raise first or AssertionError


def by_layout(ctx: click.Context, proof: Any, path: str, request: Mapping[str, Any]) -> tuple[Any, Sequence[str], str]:
    """Check a file in the stated layout: by the checker itself if it is plain and small, else by fast readers."""
    from novikoff.proof import verify as trusted

    csv, svmlight = proof.data.file.csv, proof.data.file.svmlight
    kind = request["kind"] or PLAIN.get(Path(path).suffix) or by_name(path) or ("csv" if csv else "svmlight")
    if csv and kind in ("csv", "tsv") and csv.delimiter in ",\t":
        csv.delimiter = "\t" if kind == "tsv" else ","
    number = request["label"] is not None and request["label"].isascii() and request["label"].isdigit()
    if csv and number:
        csv.label = int(request["label"]) - 1
    same = kind in (("csv", "tsv") if csv else ("svmlight",)) and (number or request["label"] is None)
    plain = same and request["kind"] is None and Path(path).is_file() and Path(path).stat().st_size <= SMALL
    if request["slow"] or (plain and is_utf8(Path(path))):
        table = trusted.PlainTable(path, proof)
        return trusted.check(proof, table), table.header, ""
    stated = {"label": csv.label, "header": csv.header} if csv else {"first_column": str(svmlight.first_column)}
    return by_options(stated if same else {}, ctx, proof, path, request)


def by_options(
    wanted: Mapping[str, Any], ctx: click.Context, proof: Any, path: str, request: Mapping[str, Any]
) -> tuple[Any, Sequence[str], str]:
    """Check a file that is read with some options by the fast readers, with the fast checker."""
    from novikoff.proof.check_fast import verified

    kind = request["kind"] or by_name(path) or wanted.get("kind") or ("csv" if proof.data.file.csv else "svmlight")
    options = {**requested_again("novikoff convert IN OUT"), **wanted, "data": path, "kind": kind}
    options |= {name: request[name] for name in ("memory", "spill", "quiet")}
    options["bias"] = None if options["formula"] is not None else proof.model.intercept  # a formula has its own
    if request["label"] is not None and kind not in WITHOUT_NAMES:
        options["label"] = row_options.column(request["label"])
    with engine_of(ctx, request) as engine, ExitStack() as stack:
        found = data_of(ctx, options)
        check_header(found, proof.model)
        X = widened(found.X, proof.data.columns) if kind in WITHOUT_NAMES else found.X
        stack.enter_context(formatting.about(path))
        label = f"column {found.label + 1}" if isinstance(found.label, int) else found.label or "first of a line"
        made = f", prepared by {proof.data.made_by}" if found.prepared and proof.data.made_by else ""
        names = [*found.names, label] if found.names else []
        how = f"{kind}, labels: {label}{'; the first line is a header' if has_header(found) else ''}{made}"
        return verified(proof, replace(found, X=X).points, engine=engine), names, how


def by_name(path: str) -> str | None:
    """Return the format that the name implies, if any."""
    from novikoff.io.file_formats import format_of

    try:
        return format_of(path)
    except InputError:
        return None


def widened(X: Any, d: int) -> Any:
    """Return sparse rows with as many columns as the certificate states: a file omits trailing zero columns."""
    if X.shape[1] >= d or not (hasattr(X, "indptr") or getattr(X, "sparse", False)):
        return X
    from scipy.sparse import csr_array

    return csr_array((X.data, X.indices, X.indptr), shape=(X.shape[0], d))
