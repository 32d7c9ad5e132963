"""`novikoff verify`: check a proof against its data, and say what is proved."""

from __future__ import annotations

import json
from pathlib import Path

import click

from novikoff.errors import InputError

REFUSED = 1


def write_checker(ctx: click.Context, _: click.Parameter, path: Path | None) -> None:
    """Copy the checker itself, which needs nothing but Python, and end."""
    if path is None or ctx.resilient_parsing:
        return
    from novikoff.atomic import replace_file
    from novikoff.certify import verify

    replace_file(path, Path(verify.__file__).read_text(encoding="utf-8"))
    click.echo(f"wrote {path}; run it by: python {path} PROOF DATA", err=True)
    ctx.exit(0)


@click.command()
@click.argument("certificate", type=click.Path(path_type=Path))
@click.argument("data", type=click.Path(path_type=Path))
@click.option("--label", metavar="NAME|NUMBER", help="The label's column in a CSV file; by number, the first is 1.")
@click.option("--slow", is_flag=True, help="Check with the standard-library checker alone.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout.")
@click.option("--checker", type=click.Path(path_type=Path), metavar="FILE", is_eager=True, expose_value=False,
              callback=write_checker, help="Write the checker as one Python file, and end.")  # fmt: skip
def command(certificate: Path, data: Path, label: str | None, slow: bool, as_json: bool) -> int:
    """Check a proof against its data, exactly, and say what is proved.

    \b
    novikoff verify proof.json data.csv
    novikoff verify proof.json data.svm --slow
    novikoff verify --checker verify_novikoff.py

    DATA is a CSV (.csv, .tsv) or an svmlight file. Exit codes: 0 proved, 1 refused or other data, 3 cannot be read.
    """
    from novikoff.certify import verify as trusted

    try:
        proof = trusted.read_certificate(certificate)
        how = proof.file | ({} if label is None else {"label": trusted.label_column(label)})
        if slow or proof.numbers == "decimal":
            kind = trusted.check(proof, lambda: trusted.file_rows(data, proof.numbers, how))
        else:
            from novikoff.certify.fast import verify_rows

            kind = verify_rows(proof, trusted.file_rows(data, proof.numbers, how))
    except trusted.UnreadableError as error:
        raise InputError(str(error)) from error
    except trusted.CertificateError as error:
        answer = {"schema": "novikoff/verify/1", "proved": False, "kind": None, "reason": str(error)}
        click.echo(json.dumps(answer) if as_json else f"REFUSED  {trusted.in_words(error)}")
        return REFUSED
    answer = {"schema": "novikoff/verify/1", "proved": True, "kind": kind, "n": proof.n, "d": proof.d}
    answer |= {"bias": proof.bias, "numbers": proof.numbers, "slow": slow, "digest": proof.digest}
    said = f"PROVED  {kind}: {trusted.meaning(kind, proof.n)}"
    click.echo(json.dumps(answer) if as_json else said)
    return 0
