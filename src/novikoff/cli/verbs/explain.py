"""`novikoff explain`: show the contents of a model, or what each column adds to the score of one row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click

from novikoff.cli.options import model_rows
from novikoff.cli.options.option_checks import spelled, typed
from novikoff.cli.options.verb import Verb
from novikoff.cli.text import formatting
from novikoff.cli.text.answer import print_answer
from novikoff.cli.text.positive_side import side_of
from novikoff.errors import InputError

SHOWN = 20
RAW = 20  # characters of a category
OF_A_ROW = ("of_class", "kind", "label", "no_label", "columns", "drop", "header")


@click.command(cls=Verb)
@click.argument("model", type=click.Path())
@click.argument("data", type=click.Path(), required=False)
@click.option("--message", metavar="TEXT", help="Explain this text instead of a row of DATA.")
@click.option("--row", type=click.IntRange(min=1), metavar="K", help="Row of DATA, counted from 1.")
@click.option("--class", "of_class", metavar="LABEL", help="With more than two classes: explain the score of this one.")
@model_rows.new_row_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document on stdout.")
@click.pass_context
def command(
    ctx: click.Context,
    /,
    model: str,
    data: str | None,
    message: str | None,
    row: int | None,
    as_json: bool,
    **request: Any,
) -> int:
    """Show how a model was trained, on what data, and its largest weights; or explain the score of one row.

    \b
    novikoff explain model.nvk
    novikoff explain model.nvk --json
    novikoff explain spam.nvk --message "You have won a free prize, call now"
    novikoff explain model.nvk test.csv --row 3

    Without a row: --json has all weights, in the order of "names", unless they are more than 5 million. A model with
    keep vote has none: many planes vote.

    Of a row: what each column adds to its score, b + the sum of value · weight. If the preparation changes numbers
    (scaling, imputation, …), the value in the file is shown, too. With two classes a positive score means the positive
    class: +, yes, true or spam, else the one that sorts last. With more classes the score is that of the predicted
    class, or of --class. If pairs of classes vote (ovo), votes decide first, and the score, summed over the pairs of
    the class, breaks ties.
    """
    if (data is None) != (row is None) or (data is not None and message is not None):
        raise click.UsageError("give --message TEXT, or DATA with --row K, or neither to describe the model", ctx)
    learner, how = model_rows.model_of(model)
    if data is None and message is None:
        from novikoff.cli.verbs.model_description import model_description

        for name in OF_A_ROW:
            if typed(ctx, name):
                raise click.UsageError(
                    f"{spelled(ctx, name)}: is for a row; give --message TEXT, or DATA with --row K", ctx
                )
        document, lines = model_description(model, learner, how, as_json)
        print_answer("explain", document, lines, as_json)
        return 0
    found = of_message(how.prep, message) if message is not None else of_row(how, str(data), int(row or 0), request)
    with formatting.about("--message" if data is None else data, (row or 1) - 1):
        said = explained(learner, how, found, request["of_class"])
    model_rows.print_report(how)
    print_answer("explain", {"model": model} | said, say(said), as_json)
    return 0


def of_message(prep: Any, message: str | None) -> Any:
    """Return a row that is one text."""
    from novikoff.prepare import Raw

    columns = prep.columns
    if len(columns.text) != 1 or columns.d or columns.categories:
        raise InputError("--message: is for a model of one column of text and nothing else; give DATA and --row K")
    return Raw(text={next(iter(columns.text)): [message]})


def of_row(how: Any, data: str, row: int, request: Mapping[str, Any]) -> Any:
    """Return row K of a file; rows before it that miss a value do not matter."""
    seen = last = 0
    if how.missing == "fail":
        how.missing = "numbers"
    for _, raw in how.raws(data, model_rows.new_rows(data, request, how)):
        for k in range(raw.n):
            last = how.place(seen + k)
            if last == row:
                return raw.part(slice(k, k + 1))
            if last > row:
                raise InputError(f"--row {row}: a value is missing in it, and the model imputes none")
        seen += raw.n
    raise InputError(f"--row {row}: {data} has {formatting.count(last, 'row')}")


def explained(learner: Any, how: Any, raw: Any, label: str | None) -> dict[str, Any]:
    """Return the class, the score, and its parts; count imputed values and unknown categories."""
    import numpy as np

    from novikoff.prepare import raw_contributions

    classes = learner.classes_.tolist()
    if getattr(learner, "keep", None) == "vote":
        raise InputError("explain: a model with keep 'vote' has no single score; fit with --keep average")
    prep, made = how.prep, how.prep.apply(raw)
    how.count(0, made.unknown, made.imputed)
    X = made.X
    called, scores = learner.predict(X)[0], np.ravel(learner.decision_function(X))
    planes, k, votes = np.column_stack([learner.coef_, learner.intercept_]), 0, None
    if len(classes) > 2:
        scheme = learner.scheme_of_many()
        if scheme.votes:
            votes, scores = np.rint(scores).astype(int).tolist(), np.ravel(learner.with_summed_pairs(X))
        planes = scheme.class_planes(planes)
        names = [str(name) for name in classes]
        wanted = str(called) if label is None else label
        if wanted not in names:
            raise InputError(f"--class {wanted}: no such class; there are {', '.join(names)}")
        k = names.index(wanted)
    elif label is not None:
        raise InputError("--class: two classes have one score; leave it out")
    else:
        side = side_of(classes)
        planes, scores, of = side * planes + 0.0, side * scores + 0.0, classes[1 if side > 0 else 0]  # no -0
    parts = [
        part._asdict() | ({} if raw_value is ... else {"raw": raw_value})
        for part, raw_value in raw_contributions(prep, planes[k, :-1], raw)
    ]
    bias = {"name": "bias", "value": 1.0, "weight": float(planes[k, -1]), "product": float(planes[k, -1])}
    return {
        "label": how.form.label,
        "classes": classes,
        "class": called.item() if hasattr(called, "item") else called,
        "of": classes[k] if len(classes) > 2 else of,
        "two": len(classes) == 2,
        "score": float(scores[k]),
        "votes": None if votes is None else votes[k],
        "pairs": None if votes is None else len(classes) - 1,
        "parts": [*parts, bias],
    }


def say(document: Mapping[str, Any]) -> list[str]:
    """Format the document for people."""
    parts, bias = document["parts"][:-1], document["parts"][-1]
    side = f"a positive score is {document['of']}" if document["two"] else f"the score of {document['of']}"
    votes = ""
    if document["votes"] is not None:
        votes = f"{document['votes']:,} of {formatting.count(document['pairs'], 'vote')} for {document['of']}, "
    lines = [f"{document['class']}: {votes}score {document['score']:+.6g} ({side})", ""]
    shown = [*parts[:SHOWN], bias]
    width, raw = max(len("column"), *(len(part["name"]) for part in shown)), _raw_cells(shown)
    value = "value" if raw is None else "prepared"
    wide = 0 if raw is None else max(len("raw"), *map(len, raw))
    beside = "" if raw is None else f"{'raw':>{wide}}  "
    lines.append(f"{'column':<{width}}  {beside}{value:>10} · {'weight':>10} = {'adds':>10}")
    for k, part in enumerate(shown):
        cells = (f"{part[key]:>10.4g}" for key in ("value", "weight"))
        beside = "" if raw is None else f"{raw[k]:>{wide}}  "
        lines.append(f"{part['name']:<{width}}  {beside}{' · '.join(cells)} = {part['product']:>+10.4g}")
    if len(parts) > SHOWN:
        rest = sum(part["product"] for part in parts[SHOWN:])
        lines.append(
            f"and {formatting.count(len(parts) - SHOWN, 'column')} more, which add {rest:+.4g} (--json has them)"
        )
    return lines


def _raw_cells(parts: Sequence[Mapping[str, Any]]) -> list[str] | None:
    """Format the values before the preparation; None if it changes no number."""
    given = [part for part in parts if "raw" in part and not isinstance(part["raw"], str)]
    if all(part["raw"] == part["value"] for part in given):
        return None
    cells = [part.get("raw", "") for part in parts]
    return ["missing" if v is None else v[:RAW] if isinstance(v, str) else f"{v:.6g}" for v in cells]
