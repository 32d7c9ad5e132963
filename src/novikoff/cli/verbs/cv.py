"""`novikoff cv`: cross-validation, with the preparation fitted anew in every fold."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Mapping
from typing import Any

import click

from novikoff.cli import INTERRUPTED
from novikoff.cli.options import row_options
from novikoff.cli.options.automatic_options import expanded
from novikoff.cli.options.learning_options import check_rule, estimator_of, learning_options
from novikoff.cli.options.verb import Verb
from novikoff.cli.soft_fit import check_soft, soft_estimator, soft_options
from novikoff.cli.text import formatting
from novikoff.cli.text.answer import print_answer
from novikoff.cli.text.label_names import class_list, label_words
from novikoff.data.format_numbers import ends_in_words

SHOWN = 20  # classes


@click.command(cls=Verb)
@row_options.row_options
@row_options.preparation_options
@row_options.memory_option
@row_options.spill_option
@click.option("--folds", type=click.IntRange(min=2), default=5, show_default=True, help="Number of folds.")
@learning_options
@soft_options
@click.option("--quiet", is_flag=True, help="Print only errors on stderr.")
@click.pass_context
def command(ctx: click.Context, /, **request: Any) -> int:
    """Cross-validate: test each fold with a model trained on the others.

    \b
    novikoff cv --example iris --folds 5 --order shuffle --keep average --max-passes 50
    novikoff cv data.csv --label class --one-hot --scale --keep average --max-passes 20
    novikoff cv --example breast-cancer --scale --max-passes 50 --json
    novikoff cv --example breast-cancer --scale --soft logistic --C auto

    Folds are stratified by class and drawn with --seed; words, scales and categories are fitted on the training folds
    only. Every row is tested once; the interval is Wilson's over all rows (slightly too narrow, as the models share
    training rows). baseline: predicting the most frequent class for every row. recall: the share of each class that is
    found.
    """
    if request["w0"] is not None:
        raise click.UsageError("--w0: every fold starts at zero; leave it out", ctx)
    check_soft(ctx, request)
    check_rule(ctx, request)
    request = expanded(ctx, request)
    data = row_options.opened(ctx, request)
    prepared = data.prepare(row_options.preparation(request, data.stored.categories))
    with formatting.about(data.name, label=data.label):
        folds = prepared.folds(request["folds"], request["seed"])
    found, right = list[dict[str, Any]](), Counter[Any]()
    try:
        for train, test in folds:
            fold, counts = accuracy(ctx, train, test, request)
            found.append(fold)
            right += counts
    except KeyboardInterrupt:
        click.echo("\n".join(["novikoff: interrupted", *parts_tested(found)]), err=True)
        return INTERRUPTED
    document = describe(data, found, right, request)
    print_answer("cv", document, say(document), request["as_json"])
    return 0


def accuracy(
    ctx: click.Context, train: Any, test: Any, request: Mapping[str, Any]
) -> tuple[dict[str, Any], Counter[Any]]:
    """Train on the other folds and test on one; return the result, and how many rows of each class are right."""
    from novikoff.data.labels import class_counts
    from novikoff.estimators.messages import NotSeparated

    classes = class_counts(train.labels)[0].tolist()
    learner: Any
    ended: type[Warning]  # which is part of the report instead
    if request["soft"] is not None:
        from novikoff.estimators.soft_margin_estimator import GapNotReachedWarning

        learner, ended = soft_estimator(ctx, request, classes), GapNotReachedWarning
    else:
        learner, ended = estimator_of(request, row_options.has_bias(request), classes), NotSeparated
    with warnings.catch_warnings(), formatting.about(train.name):
        warnings.simplefilter("ignore", ended)
        learner.fit(train.rows, train.labels)
    truth, predicted = test.labels, learner.predict(test.rows)
    right = Counter(predicted[predicted == truth].tolist())
    errors = len(truth) - right.total()
    fold = {"n": len(truth), "errors": errors, "accuracy": 1 - errors / len(truth), "stop_reason": learner.stop_reason_}
    return (fold if request["soft"] is None else fold | {"C": learner.C_, "path": learner.path_}), right


def describe(data: Any, found: list[dict[str, Any]], right: Counter[Any], request: Mapping[str, Any]) -> dict[str, Any]:
    """Return the document that --json prints. right: how many rows of each class were predicted as it."""
    from statistics import mean, stdev

    from novikoff.data.labels import class_counts
    from novikoff.scoring.metrics import Share

    shares = [fold["accuracy"] for fold in found]
    document = {"data": data.name, "n": data.n, "folds": found, "seed": request["seed"]}
    classes, counts = (part.tolist() for part in class_counts(data.labels))
    document |= {"label": data.label, "classes": classes}
    document |= {"mean": mean(shares), "deviation": stdev(shares), "lowest": min(shares), "highest": max(shares)}
    every = Share(right.total(), data.n)
    document |= {"accuracy": every.value, "accuracy_interval": list(every.interval)}
    largest = max(counts)
    document |= {"baseline": {"class": classes[counts.index(largest)], "accuracy": largest / data.n}}
    recall = [{"class": label, **Share(right[label], n).plain()} for label, n in zip(classes, counts, strict=True)]
    return document | {"recall": recall}


def parts_tested(found: list[dict[str, Any]]) -> list[str]:
    """Format one line for each fold."""
    lines = []
    for number, fold in enumerate(found, start=1):
        right = f"{fold['n'] - fold['errors']:,} of {fold['n']:,} right"
        chosen = f", C = {fold['C']:g}" if fold.get("path") else ""
        ended = f"({fold['stop_reason']}{chosen})"
        lines.append(f"fold {number}   accuracy {100 * fold['accuracy']:.2f} %   {right}   {ended}")
    return lines


def say(document: Mapping[str, Any]) -> list[str]:
    """Format the document for people."""
    label, classes = label_words(document["label"]), class_list(document["classes"])
    rows = f"{formatting.count(document['n'], 'row')} in {len(document['folds'])} folds"
    lines = [f"{document['data']}: {rows}; {label}{': ' if label else ''}classes {classes}"]
    lines += parts_tested(document["folds"])
    deviation, lowest, highest = (100 * document[name] for name in ("deviation", "lowest", "highest"))
    spread = f"deviation {deviation:.2f}, from {lowest:.2f} to {highest:.2f}"
    lines.append(f"mean     accuracy {100 * document['mean']:.2f} %   {spread}")
    ends = ends_in_words(document["accuracy_interval"], ".2f", " to ", 100)
    lines.append(f"all      accuracy {100 * document['accuracy']:.2f} %   95 %: {ends}")
    baseline = document["baseline"]
    lines.append(f"baseline accuracy {100 * baseline['accuracy']:.2f} %   {baseline['class']} predicted for every row")
    for row in document["recall"][:SHOWN]:
        ends = ends_in_words(row["interval"], ".2f", " to ", 100)
        lines.append(f"recall   {100 * row['value']:.2f} % of {row['of']:,} {row['class']}   95 %: {ends}")
    if len(document["recall"]) > SHOWN:
        lines.append(f"         and of {len(document['recall']) - SHOWN:,} more classes (--json has them)")
    return lines
