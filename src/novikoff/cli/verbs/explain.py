"""`novikoff explain`: show the contents of a model, or what each column adds to the score of one row."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import click

from novikoff.cli.options import model_rows
from novikoff.cli.options.verb import Verb
from novikoff.cli.text import formatting
from novikoff.cli.text.answer import print_answer
from novikoff.cli.text.label_names import class_list, label_words, side_of
from novikoff.cli.text.option_table import spelled, typed
from novikoff.data.format_numbers import bounds
from novikoff.errors import InputError
from novikoff.scoring.unit_plane import UnitPlane, unit_plane

SHOWN = 20
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

    Of a row: what each column adds to its score, b + the sum of value · weight; the values are those of the prepared
    columns. With two classes a positive score means the positive class: +, yes, true or spam, else the one that sorts
    last. With more classes the score is that of the predicted class, or of --class. If pairs of classes vote (ovo),
    votes decide first, and the score, summed over the pairs of the class, breaks ties.
    """
    if (data is None) != (row is None) or (data is not None and message is not None):
        raise click.UsageError("give --message TEXT, or DATA with --row K, or neither to describe the model", ctx)
    learner, how = model_rows.model_of(model)
    if data is None and message is None:
        for name in OF_A_ROW:
            if typed(ctx, name):
                raise click.UsageError(
                    f"{spelled(ctx, name)}: is for a row; give --message TEXT, or DATA with --row K", ctx
                )
        document, lines = model_description(model, learner, how, as_json)
        print_answer("explain", document, lines, as_json)
        return 0
    found = of_message(how.prep, message) if message is not None else of_row(how, str(data), int(row or 0), request)
    with formatting.about("--message" if data is None else data, [(row or 1) - 1]):
        said = explained(learner, how, found, request["of_class"])
    model_rows.print_report(how)
    print_answer("explain", {"model": model} | said, say(said), as_json)
    return 0


def of_message(prep: Any, message: str) -> Any:
    """Return a row that is one text."""
    from novikoff.prepare import Raw

    columns = prep.columns
    if len(columns.text) != 1 or columns.d or columns.categories:
        raise InputError("--message: is for a model of one column of text and nothing else; give DATA and --row K")
    return Raw(text={next(iter(columns.text)): [message]})


def of_row(how: Any, data: str, row: int, request: Mapping[str, Any]) -> Any:
    """Return row K of a file; rows before it that miss a value do not matter."""
    if how.missing == "fail":
        how.missing = "numbers"
    for _, raw, numbers in how.raws(data, model_rows.new_rows(data, request, how)):
        if numbers[-1] + 1 >= row:
            k = int(numbers.searchsorted(row - 1))
            if numbers[k] + 1 > row:
                raise InputError(f"--row {row}: a value is missing in it, and the model imputes none")
            return raw.part(slice(k, k + 1))
    if row <= how.rows:
        raise InputError(f"--row {row}: a value is missing in it, and the model imputes none")
    raise InputError(f"--row {row}: {data} has {formatting.count(how.rows, 'row')}")


def explained(learner: Any, how: Any, raw: Any, label: str | None) -> dict[str, Any]:
    """Return the class, the score, and its parts; count imputed values and unknown categories."""
    import numpy as np

    from novikoff.prepare import contributions

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
    return {
        "label": how.form.label,
        "classes": classes,
        "class": called.item() if hasattr(called, "item") else called,
        "of": classes[k] if len(classes) > 2 else of,
        "two": len(classes) == 2,
        "score": float(scores[k]),
        "votes": None if votes is None else votes[k],
        "pairs": None if votes is None else len(classes) - 1,
        "parts": [part._asdict() for part in contributions(prep, planes[k, :-1], raw, planes[k, -1])],
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
    width = max(len("column"), *(len(part["name"]) for part in shown))
    lines.append(f"{'column':<{width}}  {'value':>10} · {'weight':>10} = {'adds':>10}")
    for part in shown:
        cells = (f"{part[key]:>10.4g}" for key in ("value", "weight"))
        lines.append(f"{part['name']:<{width}}  {' · '.join(cells)} = {part['product']:>+10.4g}")
    if len(parts) > SHOWN:
        rest = sum(part["product"] for part in parts[SHOWN:])
        lines.append(
            f"and {formatting.count(len(parts) - SHOWN, 'column')} more, which add {rest:+.4g} (--json has them)"
        )
    return lines


MOST_NAMED = 10  # planes and weights
FEW = 50  # columns: up to here the unit normal is in the document
MOST = 5_000_000  # weights in the document
DIGESTS = {"data": "data_digest", "certificate": "certificate_digest", "sha256": "sha256"}


def model_description(model: str, learner: Any, how: Any, as_json: bool) -> tuple[dict[str, Any], Iterator[str]]:
    """Return the document that --json prints, and its lines for people. how: the reader of the model's rows."""
    from novikoff.model import describe

    document = {"file": model} | describe(model)
    planes, names = planes_of(learner), how.prep.names
    one = planes[0] if planes and len(learner.classes_) == 2 else None
    document |= {"label": how.form.label, "plane": None if one is None else plane(one)}
    if as_json and (many := len(names) * len(planes or ())) > MOST:
        click.echo(f"the {many:,} weights are not printed; in Python nv.load reads them", err=True)
        document |= {"names": None, "weights": None}
    elif as_json:
        document |= {"names": list(names), "weights": None if planes is None else [each.plain() for each in planes]}
    if getattr(learner, "partition_rows_", None) is not None:
        document |= {"mix": True, "partition_rows": learner.partition_rows_.tolist()}
    if len(learner.classes_) > 2 and learner.multi_class_ == "ovo":
        document["ovo"] = str(learner.scheme_of_many().ovo)
    return document, said(document, model, planes or [], names)


class Weights(NamedTuple):
    """The weights w and bias b of a plane, above 0 on the positive class. negative: None for all other classes."""

    positive: Any
    negative: Any
    w: Any
    b: float

    @property
    def unit(self) -> UnitPlane | None:
        return unit_plane(self.w.tolist(), self.b)

    def plain(self) -> dict[str, Any]:
        """Return the weights for the document."""
        return {"positive": self.positive, "negative": self.negative, "w": self.w.tolist(), "b": self.b}


def planes_of(learner: Any) -> list[Weights] | None:
    """Return the plane of two classes, or those of more: of each class, or of each pair; None if planes vote."""
    if getattr(learner, "keep", None) == "vote":
        return None
    classes, w, b = learner.classes_.tolist(), learner.coef_, learner.intercept_
    if len(classes) == 2:
        side = side_of(classes)
        positive, negative = classes[side > 0], classes[side < 0]
        return [Weights(positive, negative, side * w[0] + 0.0, float(side * b[0]) + 0.0)]  # no -0
    pairs = learner.scheme_of_many().pairs
    return [Weights(classes[p], None if n < 0 else classes[n], w[k], float(b[k])) for k, (p, n) in enumerate(pairs)]


def said(document: Mapping[str, Any], model: str, planes: Sequence[Weights], names: Sequence[str]) -> Iterator[str]:
    """Format the description for people."""
    classes = document["classes"]["values"]
    many, bias = len(classes) > 2, "a bias" if document.get("bias", True) else "no bias"
    yield f"{model}: {document['estimator']}, {document['format']}, written by novikoff {document['library']}"
    how = f" ({document['multi_class']}{formatting.PAIRS_BY[document.get('ovo')]})" if many else ""
    if label := label_words(document["label"]):
        yield f"label        {label.removeprefix('label ')}"
    yield f"classes      {class_list(classes)}{how}"
    yield f"columns      {document['n_features']:,} and {bias}"
    yield from (f"prepared     {line}" for line in prepared(document["preparation"]))
    yield from {"Perceptron": trained, "MaxMargin": widest, "SoftMargin": soft}[document["estimator"]](document)
    yield from (f"{name:<12} {document[key]}" for name, key in DIGESTS.items() if document[key])
    for weights in planes[:MOST_NAMED]:
        columns = largest(weights)
        named = ", ".join(f"{names[j]} {weights.w[j]:+.4g}" for j in columns) or "all weights are 0"
        against = f", − is {weights.negative}" if many and weights.negative is not None else ""
        yield f"largest      {named}, bias {weights.b + 0.0:+.4g} (+ is {weights.positive}{against})"
        if not many and (unit := weights.unit) is not None:
            normal = ", ".join(f"{names[j]} {unit.normal[j]:+.4g}" for j in columns)
            rest = ", …" if (weights.w != 0).sum() > MOST_NAMED else ""
            yield f"unit normal  {normal}{rest}; the plane's distance from the origin is {unit.distance:.6g}"
    if len(planes) > MOST_NAMED:
        yield f"             and {formatting.count(len(planes) - MOST_NAMED, 'plane')} more (--json has them)"


def largest(weights: Weights) -> list[int]:
    """Return the columns of the largest weights, by decreasing size."""
    import numpy as np

    return [int(j) for j in np.argsort(-np.abs(weights.w), kind="stable")[:MOST_NAMED] if weights.w[j]]


def widest(document: Mapping[str, Any]) -> Iterator[str]:
    """Format the margin of a maximum-margin plane."""
    low, high = bounds(*document["margin"])
    yield f"widest       bias {document['parameters']['bias']}; margin from {low} to {high}, proved"
    if "support" in document["tensors"]:
        yield f"touched by   {formatting.count(document['tensors']['support'][0], 'row')}"


def trained(document: Mapping[str, Any]) -> Iterator[str]:
    """Format how a run was trained, and how it ended."""
    request = document["parameters"]
    chosen = [f"{name} {request[name]}" for name in ("rule", "keep", "order", "eta0") if name in request]
    yield f"trained by   {', '.join([*chosen, *class_weights(request)])}; seed {document['seed']}"
    if "mix" in document:
        yield f"mixed over   {formatting.partitions(document['partition_rows'])}"
    work = f"{formatting.count(document['updates'], 'update')} in {formatting.count(document['passes'], 'pass')}"
    yield f"ended by     {document['stop_reason']} after {work}"


def soft(document: Mapping[str, Any]) -> Iterator[str]:
    """Format the objective of a soft margin, and how it was solved; gap and objective are in its tensors."""
    chosen = document["parameters"]
    loss, auto = chosen["loss"].replace("_", " "), " (chosen on held-out points)" if document["path"] else ""
    yield f"objective    {loss} loss, {chosen['penalty']} penalty, C {document['C']:g}{auto}, {chosen['bias']} bias"
    yield from (f"weighted by  {weights}" for weights in class_weights(chosen))
    solvers, steps = ", ".join(dict.fromkeys(document["solvers"])), formatting.count(document["steps"], "step")
    yield f"solved by    {solvers}; ended by {document['stop_reason']} after {steps}"


def class_weights(chosen: Mapping[str, Any]) -> list[str]:
    """Format the class weights of a model's record, if it has some."""
    weights = chosen.get("class_weight")
    pairs = weights["pairs"] if isinstance(weights, dict) else []
    named = ", ".join(f"{label}={weight:g}" for label, weight in pairs) or str(weights)
    return [] if weights is None else [f"class_weight {named}"]


def prepared(record: Mapping[str, Any] | None) -> Iterator[str]:
    """Format the steps of a preparation."""
    for step in (record or {}).get("steps", ()):
        column = f" of {step['column']}" if "column" in step else ""
        if step["step"] == "impute":
            column = f" {step['numbers']} of numbers, {step['categories']} of categories"
        if step["step"] != "plain":
            yield f"{step['step']}{column}"


def plane(weights: Weights) -> dict[str, Any]:
    """Return the plane of a two-class model: its positive class, unit normal (up to 50 columns) and distance."""
    unit = weights.unit
    if unit is None or math.isinf(unit.distance):
        return {"positive": weights.positive, "unit_normal": None, "distance": None}
    normal = unit.normal if len(unit.normal) <= FEW else None
    return {"positive": weights.positive, "unit_normal": normal, "distance": unit.distance}
