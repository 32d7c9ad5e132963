"""`novikoff separation`: report whether the estimates of a logistic or Poisson regression exist, and what causes
separation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from novikoff.cli.options.formula_data import formula_option
from novikoff.cli.options.output_files import Output
from novikoff.cli.options.proof_data import ProofData, data_of, data_options, refuse_classes
from novikoff.cli.options.row_options import positive_option
from novikoff.cli.options.verb import Verb
from novikoff.cli.text import formatting
from novikoff.cli.text.answer import print_answer
from novikoff.cli.text.label_names import label_lines
from novikoff.cli.text.progress import working
from novikoff.cli.verbs.certify import save
from novikoff.errors import InputError

FINITE, SEPARATED, UNDECIDED = 0, 1, 4


def level(text: str) -> tuple[str, str]:
    """Parse `COLUMN=LEVEL` as a pair."""
    column, sign, value = text.partition("=")
    if not sign or not column:
        raise click.BadParameter(f"{text!r}: write COLUMN=LEVEL, as in arm=placebo")
    return column, value


@click.command(cls=Verb)
@data_options
@click.option("--family", type=click.Choice(["binomial", "poisson"]), default="binomial", show_default=True,
              help="Logistic and other binomial regression, or Poisson with the log link.")  # fmt: skip
@click.option("--counts", metavar="NAME|NUMBER",
              help="Column with the number of trials of each row; by number, the first column is 1.")  # fmt: skip
@click.option("--response", type=click.Choice(["auto", "labels", "successes", "proportions"]), default="auto",
              show_default=True, help="Content of the label column if there are counts.")  # fmt: skip
@formula_option
@positive_option
@click.option("--reference", type=level, multiple=True, metavar="COLUMN=LEVEL",
              help="Reference level of a factor, or reference class of the label.  [default: the first]")  # fmt: skip
@click.option("--max-seconds", type=formatting.seconds, metavar="NUMBER", help="Time limit.")
@click.option("-o", "--output", type=Output(path_type=Path), metavar="CERT", help="Save the proof.")
@click.pass_context
def command(ctx: click.Context, /, **request: Any) -> int:
    """Report whether the estimates of a regression exist: separated rows and diverging coefficients.

    \b
    novikoff separation data.csv
    novikoff separation data.csv --label successes --counts trials
    novikoff separation trial.csv --formula "death ~ C(arm) + age"
    novikoff separation trial.csv --label death --one-hot --reference arm=placebo
    novikoff separation trade.csv --family poisson --json

    DATA is a file as for fit; --one-hot converts its factors to columns of 0 and 1. Three classes or more are those of
    a multinomial logit.

    Exit codes: 0 all estimates are finite, 1 separated, 3 bad input, 4 undecided at --max-seconds.
    """
    data = data_of(ctx, request)
    refuse_classes(data, request)
    counts = None if request["counts"] is None else count_column(data, request["counts"])
    from novikoff.regression.separation import separation

    chosen = {"family": request["family"], "response": request["response"], "max_time": request["max_seconds"]}
    chosen |= {"positive": request["positive"], "reference": references(data, request["reference"])}
    try:
        with working(False, "looking for separation"):
            answer = separation(data.points, None, counts=counts, fit_intercept=data.fit_intercept, **chosen)
    except InputError as error:
        raise formatting.of_labels(error, data.name, data.label) from None
    answer = replace(answer, notes=(*data.notes, *map(_said, answer.notes)))
    path, saved = None, ["proof  NOT saved: nothing is proved yet. Allow more time with --max-seconds"]
    if request["output"] is None or answer.kind != "undecided":
        path, saved = save(answer, data, request["output"])
    lines = [_said(str(answer)), *label_lines(data.label, answer.classes), *saved]
    document = {**answer.to_dict(), "label": data.label, "certificate": path}
    print_answer("separation", document, lines, request["as_json"])
    return UNDECIDED if answer.kind == "undecided" else SEPARATED if answer.separated else FINITE


def references(data: ProofData, pairs: Sequence[tuple[str, str]]) -> dict[str | int, str] | None:
    """Return the reference levels by column; a number from 1 may name the label's column, too."""
    if not pairs:
        return None
    at = data.label
    return {at if isinstance(at, int) and name == str(at + 1) else name: value for name, value in pairs}


def _said(text: str) -> str:
    """Return a text of the report with options in place of parameters and attributes."""
    text = text.replace("stopped by max_time", "stopped by --max-seconds")
    return text.replace("say family='poisson'", "say --family poisson").replace(
        ": coefficients has all", ": --json has all"
    )


def count_column(data: ProofData, column: str) -> int:
    """Return the index of the column of counts in X; a number counts the columns of the file from 1."""
    from novikoff.data.plain_files import label_column, similar

    names, chosen, d = list(data.names or ()), label_column(column), data.X.shape[1]
    if hasattr(data.X, "toarray"):
        raise InputError("--counts: an svmlight file has no column of counts; write the data as CSV")
    if d == 1:
        raise InputError(f"--counts {column}: no other column is left")
    if column in names:
        return names.index(column)
    if isinstance(chosen, str):
        near = similar(column, names)
        raise InputError(f"--counts: no column of {data.name} is named {column!r}{near}, or it is the label's")
    places = list(range(d)) if data.how is None else getattr(getattr(data.source, "layout", None), "numbers", None)
    if places is None or data.prepared:
        raise InputError(f"--counts: give the column of {data.name} by its name; by number it is for plain CSV files")
    if chosen not in places:
        raise InputError(f"--counts {column}: a column from 1 to {d + 1} that is not the label's was expected")
    return int(list(places).index(chosen))
