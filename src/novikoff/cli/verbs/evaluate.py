"""`novikoff evaluate`: evaluate a model on labelled rows, with confidence intervals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from novikoff.cli.options import model_rows, row_options
from novikoff.cli.options.engine_options import engine_of, engine_options
from novikoff.cli.options.verb import Verb
from novikoff.cli.text import formatting
from novikoff.cli.text.answer import print_answer
from novikoff.cli.text.label_names import label_words
from novikoff.data.format_numbers import ends_in_words

PERCENT = (".2f", " to ", 100)  # how the ends of an interval are printed
MANY = 12  # classes: more are not printed as a matrix


@click.command(cls=Verb)
@click.argument("model", type=click.Path())
@click.argument("data", type=click.Path())
@model_rows.new_row_options
@row_options.label_as_option
@click.option("--on-missing", type=click.Choice(["fail", "drop"]), default="drop", show_default=True,
              help="Rows with a missing number, if the model imputes none: leave them out, or fail.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document on stdout.")
@engine_options
@click.option("--quiet", is_flag=True, help="Print only errors on stderr.")
@click.pass_context
def command(
    ctx: click.Context, /, model: str, data: str, as_json: bool, quiet: bool, on_missing: str, **request: Any
) -> int:
    """Evaluate a model on labelled rows: accuracy, precision, recall, confusion matrix, and AUC for two classes.

    \b
    novikoff evaluate model.nvk test.svm
    novikoff evaluate spam.nvk new-mails.tsv --json

    Rows with a missing number or label are left out, and counted on stderr; a model trained with --missing impute
    imputes numbers. With --on-missing fail a missing value is an error.

    missed: rows of the class predicted as another; false positives: rows of other classes predicted as the class. Every
    rate has a 95 % confidence interval: Wilson's for proportions, Newcombe's method 5 for the AUC (for independent
    rows). With two classes memory grows by 8 bytes for each row, the score.
    """
    from novikoff.io.row_labels import class_numbers
    from novikoff.scoring.metrics import PredictionCounts

    learner, how = model_rows.model_of(model)
    if how.missing != "impute" and on_missing == "fail":
        how.missing = "fail"
    elif how.missing == "fail":
        how.missing = "numbers"
    counts = PredictionCounts(learner.classes_.tolist())
    with engine_of(ctx, request) as engine:
        op = model_rows.Predict(learner, how.prep, data, len(learner.classes_) == 2)
        for labels, (scores, called), rows in model_rows.predictions(how, op, engine, request, required=True):
            counts.look(class_numbers(labels, learner.classes_, data, rows), called, scores)
        model_rows.print_report(how, quiet)
        document = describe(counts.judged(), model, data) | {"label": label_read(how)}
    print_answer("evaluate", document, say(document), as_json)
    return 0


def label_read(how: Any) -> str | int | None:
    """Return the label's column of the rows that were read last: its name, or its number from 0."""
    from novikoff.io.rows import form_in

    return form_in(how.source).label


def describe(judged: Any, model: str, data: str) -> dict[str, Any]:
    """Return the document that --json prints."""
    classes = [
        {"class": label, "precision": judged.precision(k).plain(), "recall": judged.recall(k).plain(),
         "missed": judged.missed(k), "false_positives": judged.false_positives(k)}
        for k, label in enumerate(judged.classes)
    ]  # fmt: skip
    right = judged.accuracy
    document = {"model": model, "data": data, "n": judged.n}
    document |= {"errors": right.n - right.k, "accuracy": right.value, "accuracy_interval": list(right.interval)}
    document |= {"classes": classes, "confusion": judged.confusion.tolist()}
    if judged.auc is not None:
        document |= {"auc": judged.auc, "auc_interval": list(judged.auc_interval)}
    return document


def say(document: Mapping[str, Any]) -> list[str]:
    """Format the document for people."""
    n, errors = document["n"], document["errors"]
    names = [str(row["class"]) for row in document["classes"]]
    verb = "is" if n == 1 else "are"
    label = label_words(document["label"])
    named = f"{document['data']}{', ' if label else ''}{label}"
    lines = [f"{named}: {n - errors:,} of {formatting.count(n, 'row')} {verb} classified correctly"]
    ends = ends_in_words(document["accuracy_interval"], *PERCENT)
    lines.append(f"accuracy   {100 * document['accuracy']:.2f} %   95 %: {ends}")
    if "auc" in document:
        lines.append(
            f"AUC        {document['auc']:.4f}    95 %: {ends_in_words(document['auc_interval'], '.4f', ' to ')}"
        )
    width = max(5, *(len(name) for name in names))
    lines += [
        "",
        f"{'class':<{width}}  precision   95 %              recall      95 %              missed  false positives",
    ]
    for name, row in zip(names, document["classes"], strict=True):
        cells = (
            f"{_percent(row[share]['value'])}  {ends_in_words(row[share]['interval'], *PERCENT):<16}"
            for share in ("precision", "recall")
        )
        lines.append(f"{name:<{width}}  {'  '.join(cells)}  {row['missed']:>6,}  {row['false_positives']:>15,}")
    if len(names) <= MANY:
        cell = max(width, len(f"{n:,}"))
        lines += ["", f"{'':<{width}}  predicted " + " ".join(f"{name:>{cell}}" for name in names)]
        for name, counts in zip(names, document["confusion"], strict=True):
            lines.append(f"{name:<{width}}            " + " ".join(f"{count:>{cell},}" for count in counts))
    return lines


def _percent(value: float | None) -> str:
    return f"{'–':>8}  " if value is None else f"{100 * value:>8.2f} %"
