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


def model_description(model: str, learner: Any, how: Any, as_json: bool) -> tuple[dict[str, Any], Iterator[str]]:
    """Return the document that --json prints, and its lines for people. how: the reader of the model's rows."""
    from novikoff.model import describe

    document = {"file": model} | describe(model)
    planes, names = planes_of(learner), how.prep.names
    one = planes[0] if planes and len(learner.classes_) == 2 else None
    document |= {"label": how.form.label, "plane": None if one is None else plane(one)}
    if as_json:
        document |= all_weights(planes, names)
    if getattr(learner, "partition_rows_", None) is not None:
        document |= {"mix": True, "partition_rows": learner.partition_rows_.tolist()}
    if len(learner.classes_) > 2 and learner.multi_class_ == "ovo":
        document["ovo"] = str(learner.scheme_of_many().ovo)
    return document, said(document, model, planes or [], names)


def all_weights(planes: Sequence[Weights] | None, names: Sequence[str]) -> dict[str, Any]:
    """Return the weights and the names of their columns for the document; None if they are too many, or planes vote."""
    many = len(names) * len(planes or ())
    if many > MOST:
        click.echo(f"the {many:,} weights are not printed; in Python nv.load reads them", err=True)
        return {"names": None, "weights": None}
    return {"names": list(names), "weights": None if planes is None else [each.plain() for each in planes]}


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
    bias = "a bias" if document.get("bias", True) else "no bias"
    yield f"{model}: {document['estimator']}, {document['format']}, written by novikoff {document['library']}"
    how = f" ({document['multi_class']}{formatting.PAIRS_BY[document.get('ovo')]})" if len(classes) > 2 else ""
    if label := label_words(document["label"]):
        yield f"label        {label.removeprefix('label ')}"
    yield f"classes      {class_list(classes)}{how}"
    yield f"columns      {document['n_features']:,} and {bias}"
    for line in prepared(document["preparation"]):
        yield f"prepared     {line}"
    yield from HOW[document["estimator"]](document)
    yield from (f"{name:<12} {document[key]}" for name, key in DIGESTS.items() if document[key])
    if len(classes) == 2:
        for weights in planes:
            yield from largest(weights, names)
        return
    for weights in planes[:MOST_NAMED]:
        against = "" if weights.negative is None else f", − is {weights.negative}"
        yield f"largest      {largest_weights(weights, names)} (+ is {weights.positive}{against})"
    if len(planes) > MOST_NAMED:
        yield f"             and {formatting.count(len(planes) - MOST_NAMED, 'plane')} more (--json has them)"


def widest(document: Mapping[str, Any]) -> Iterator[str]:
    """Format the margin of a maximum-margin plane."""
    low, high = bounds(*document["margin"])
    yield f"widest       bias {document['parameters']['bias']}; margin from {low} to {high}, proved"
    if "support" in document["tensors"]:
        yield f"touched by   {formatting.count(document['tensors']['support'][0], 'row')}"


def trained(document: Mapping[str, Any]) -> Iterator[str]:
    """Format how a run was trained, and how it ended."""
    request = document["parameters"]
    chosen = ", ".join(f"{name} {request[name]}" for name in ("rule", "keep", "order", "eta0") if name in request)
    if (weights := request.get("class_weight")) is not None:
        chosen += f", class_weight {weights_in_words(weights)}"
    yield f"trained by   {chosen}; seed {document['seed']}"
    if "mix" in document:
        yield f"mixed over   {formatting.partitions(document['partition_rows'])}"
    work = f"{formatting.count(document['updates'], 'update')} in {formatting.count(document['passes'], 'pass')}"
    yield f"ended by     {document['stop_reason']} after {work}"


def weights_in_words(weights: Any) -> str:
    """Format the class weights of a model's record."""
    pairs = weights["pairs"] if isinstance(weights, dict) else []
    return ", ".join(f"{label}={weight:g}" for label, weight in pairs) or str(weights)


def soft(document: Mapping[str, Any]) -> Iterator[str]:
    """Format the objective of a soft margin, and how it was solved; gap and objective are in its tensors."""
    chosen = document["parameters"]
    loss, auto = chosen["loss"].replace("_", " "), " (chosen on held-out points)" if document["path"] else ""
    yield f"objective    {loss} loss, {chosen['penalty']} penalty, C {document['C']:g}{auto}, {chosen['bias']} bias"
    if (weights := chosen.get("class_weight")) is not None:
        yield f"weighted by  class_weight {weights_in_words(weights)}"
    solvers = ", ".join(dict.fromkeys(document["solvers"]))
    steps = formatting.count(document["steps"], "step")
    yield f"solved by    {solvers}; ended by {document['stop_reason']} after {steps}"


HOW = {"Perceptron": trained, "MaxMargin": widest, "SoftMargin": soft}
DIGESTS = {"data": "data_digest", "certificate": "certificate_digest", "sha256": "sha256"}


def prepared(record: Mapping[str, Any] | None) -> Iterator[str]:
    """Format the steps of a preparation."""
    for step in (record or {}).get("steps", ()):
        if step["step"] != "plain":
            column = f" of {step['column']}" if "column" in step else ""
            if step["step"] == "impute":
                column = f" {step['numbers']} of numbers, {step['categories']} of categories"
            yield f"{step['step']}{column}"


def plane(weights: Weights) -> dict[str, Any]:
    """Return the plane of a two-class model: its positive class, unit normal (up to 50 columns) and distance."""
    info, unit = {"positive": weights.positive}, weights.unit
    if unit is None or math.isinf(unit.distance):
        return info | {"unit_normal": None, "distance": None}
    return info | {"unit_normal": unit.normal if len(unit.normal) <= FEW else None, "distance": unit.distance}


def largest(weights: Weights, names: Sequence[str]) -> Iterator[str]:
    """Format the largest weights of a two-class model by name, its unit normal and its distance from the origin."""
    import numpy as np

    yield f"largest      {largest_weights(weights, names)} (+ is {weights.positive})"
    if (unit := weights.unit) is not None:
        info = ", ".join(f"{names[j]} {unit.normal[j]:+.4g}" for j in _shown(weights))
        rest = ", …" if np.count_nonzero(weights.w) > MOST_NAMED else ""
        yield f"unit normal  {info}{rest}; the plane's distance from the origin is {unit.distance:.6g}"


def largest_weights(weights: Weights, names: Sequence[str]) -> str:
    """Format the largest weights of a plane by name, and its bias."""
    info = ", ".join(f"{names[j]} {weights.w[j]:+.4g}" for j in _shown(weights))
    return f"{info or 'all weights are 0'}, bias {weights.b + 0.0:+.4g}"


def _shown(weights: Weights) -> list[int]:
    """Return the columns of the largest weights, by decreasing size."""
    import numpy as np

    return [int(j) for j in np.argsort(-np.abs(weights.w), kind="stable")[:MOST_NAMED] if weights.w[j]]
