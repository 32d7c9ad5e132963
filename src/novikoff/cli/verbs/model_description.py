"""Describe a model for `novikoff explain MODEL`: how it was trained, on what data, and its largest weights."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import click

from novikoff.cli.text import formatting
from novikoff.cli.text.label_names import class_list, label_words
from novikoff.cli.text.positive_side import side_of
from novikoff.data.text.format_numbers import bounds
from novikoff.scoring.unit_plane import UnitPlane, unit_plane

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
