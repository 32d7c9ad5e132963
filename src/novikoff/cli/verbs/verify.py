"""`novikoff verify`: check a proof against its data, and report what is proved."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from novikoff.cli.options import row_options
from novikoff.cli.options.engine_options import engine_of, engine_options
from novikoff.cli.options.output_files import Output
from novikoff.cli.options.proof_data import check_header, data_of, requested_again
from novikoff.cli.options.verb import Verb
from novikoff.cli.text import formatting
from novikoff.cli.text.answer import print_answer, write_file
from novikoff.errors import InputError

REFUSED = 1
SIDES = {"positive": 1, "negative": -1}
SMALL = 1 << 16  # bytes: the trusted checker reads them in 0.2 s, and starts without NumPy
WITHOUT_NAMES = ("svmlight", "npz", "nvc")  # formats without a name for the label column


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
    if checker is not None:
        from novikoff.certify.check.export_checker import standalone

        write_file(checker, standalone(), how=f"; run it by: python {checker} PROOF DATA")
        return 0
    if certificate is None or data is None:
        missing = ctx.command.params[0 if certificate is None else 1]
        raise click.MissingParameter(ctx=ctx, param=missing)
    from novikoff.certify.check import verify as trusted
    from novikoff.data import plain_files

    proof = None
    try:
        proof = trusted.read_certificate(certificate)
        if slow:
            how = plain_files.hints_for(data, proof.file, request["label"])
            found, label = trusted.proved_of_file(proof, data, how)
        else:
            found, label = as_given_or_prepared(ctx, proof, data, request)
    except plain_files.UnreadableError as error:
        raise InputError(str(error)) from error
    except trusted.CertificateError as error:
        refused = {"proved": False, "kind": None, "reason": str(error)}
        way_out = [] if proof is None else trusted.way_out(error, data, proof.file)
        print_answer("verify", refused, [f"REFUSED  {trusted.in_words(error)}", *way_out], as_json)
        return REFUSED
    kind, options = trusted.kind_of(found), list(proof.file.get("options", []))
    answer: dict[str, Any] = {"proved": True, "kind": kind, "n": proof.n, "d": proof.d}
    answer |= {"bias": proof.bias, "numbers": "binary64", "slow": slow, "digest": proof.digest, "options": options}
    if not isinstance(proof, trusted.SeparationCertificate):
        answer |= {name: next((c for c, s in proof.signs.items() if s == sign), None) for name, sign in SIDES.items()}
    answer |= {"label": label}
    answer |= described(proof, found)
    made = f" (of points prepared with {' '.join(options)})" if options else ""
    first, *more = trusted.said_of(proof, found, label)
    print_answer("verify", answer, [f"{first}{made}", *more], as_json)
    return 0


def described(proof: Any, found: Any) -> dict[str, Any]:
    """Return what a certificate of margins or of a separation proves besides the kind."""
    from novikoff.certify.check.verify import SeparatedRows

    if isinstance(found, SeparatedRows):
        return {"rows": found.rows, "names": list(proof.names), "coefficients": list(proof.coefficients),
                "family": proof.family, "classes": list(proof.classes) or None}  # fmt: skip
    if proof.widths is None:
        return {}
    radius2 = None if proof.radius2 is None else _ends(proof.radius2)
    return {name: _ends(width.gamma2) for name, width in proof.widths.items()} | {"radius2": radius2}


def _ends(bounds: Any) -> dict[str, str]:
    """Format the proved bounds of a square as texts p/q."""
    from novikoff.certify.check.proof import digits

    return {name: "/".join(map(digits, end.as_integer_ratio())) for name, end in bounds._asdict().items()}


def as_given_or_prepared(ctx: click.Context, proof: Any, path: str, request: Mapping[str, Any]) -> Any:
    """Check a file, prepared as the certificate states; or, if that is refused, as it is: prepared by convert."""
    from novikoff.certify.check.verify import CertificateError, UnreadableError

    if not proof.file.get("options"):
        return quickly(ctx, proof, path, request)
    requested_again(proof.file["options"])  # these must be options of reading and preparing
    try:
        return quickly(ctx, proof, path, request)
    except (CertificateError, InputError, click.UsageError):
        try:
            return quickly(ctx, proof._replace(file={}), path, {**request, "quiet": True})
        except (CertificateError, InputError, UnreadableError, click.UsageError):
            pass
        raise


def quickly(ctx: click.Context, proof: Any, path: str, request: Mapping[str, Any]) -> Any:
    """Check with the fast readers and the fast checker; return what is proved, and the label's column."""
    from novikoff.certify.check import verify as trusted
    from novikoff.certify.check.verify_fast import verified
    from novikoff.data.plain_files import hints_for

    hints = proof.file
    if is_small(path, request["kind"], hints):
        return trusted.proved_of_file(proof, path, hints_for(path, hints, request["label"]))
    wanted = requested_again(hints.get("options", []))
    known = request["kind"] or by_name(path) or hints.get("format") or "svmlight"
    wanted |= {"data": path, "kind": known} | {name: request[name] for name in ("memory", "spill", "quiet")}
    wanted["bias"] = None if wanted["formula"] is not None else proof.bias  # a formula has its own intercept
    same = hints.get("format") == ("csv" if known == "tsv" else known)
    if same:
        first = hints.get("first_column")
        wanted |= {"header": hints.get("header"), "first_column": None if first is None else str(first)}
    if known not in WITHOUT_NAMES:
        wanted["label"] = hints.get("label") if same else None
        if request["label"] is not None:
            wanted["label"] = row_options.column(request["label"])
    with engine_of(ctx, request) as engine, ExitStack() as stack:
        found = data_of(ctx, wanted)
        check_header(found)
        X = widened(found.X, proof.d) if known in WITHOUT_NAMES else found.X
        points = replace(found, X=X).points
        stack.enter_context(formatting.about(path))
        return verified(proof, points, engine=engine), found.label


def is_small(path: str, kind: str | None, hints: Mapping[str, Any]) -> bool:
    """Return whether the checker's own reader accepts the file and is sooner ready than the fast one."""
    from novikoff.certify.check.checker_files import first_line, is_utf8
    from novikoff.data.plain_files import file_format

    if kind is not None or hints.get("options") or not Path(path).is_file() or Path(path).stat().st_size > SMALL:
        return False
    found = file_format(path, hints.get("format"))
    return (found == "svmlight" or (found == "csv" and len(first_line(path)) != 1)) and is_utf8(path)


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
