"""`novikoff inspect`: show the contents of a model file."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from typing import Any

import click

from novikoff.cli.text import formatting
from novikoff.cli.text.positive_side import side_of
from novikoff.data.text.format_numbers import bounds
from novikoff.scoring.unit_plane import unit_plane

SHOWN = 10  # classes and weights
FEW = 50  # columns: up to here the unit normal is part of the document


@click.command()
@click.argument("model", type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="Print everything as one JSON document on stdout.")
def command(model: str, as_json: bool) -> int:
    """Show the contents of a model file: how it was trained, on what data, and its largest weights.

    \b
    novikoff inspect model.nvk
    novikoff inspect model.nvk --json
    """
    from novikoff.model import describe

    document = {"schema": "novikoff/inspect/1", "file": model} | describe(model)
    document["plane"] = plane(model)
    if (how := pairs_by(model)) is not None:
        document["ovo"] = how
    if as_json:
        click.echo(json.dumps(document, allow_nan=False))
    else:
        click.echo("\n".join(said(document, model)))
    return 0


def said(document: Mapping[str, Any], model: str) -> Iterator[str]:
    """Format the description for people."""
    classes = document["classes"]["values"]
    listed = ", ".join(str(label) for label in classes[:SHOWN]) + (", …" if len(classes) > SHOWN else "")
    bias = "a bias" if document.get("bias", True) else "no bias"
    yield f"{model}: {document['estimator']}, {document['format']}, written by novikoff {document['library']}"
    how = f" ({document['multi_class']}{formatting.PAIRS_BY[document.get('ovo')]})" if len(classes) > 2 else ""
    yield f"classes      {listed}{how}"
    yield f"columns      {document['n_features']:,} and {bias}"
    for line in prepared(document["preparation"]):
        yield f"prepared     {line}"
    yield from widest(document) if document["estimator"] == "MaxMargin" else trained(document)
    yield from (f"{name:<12} {document[key]}" for name, key in DIGESTS.items() if document[key])
    yield from weights(model)


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
    yield f"trained by   {chosen}; seed {document['seed']}"
    work = f"{formatting.count(document['updates'], 'update')} in {formatting.count(document['passes'], 'pass')}"
    yield f"ended by     {document['stop_reason']} after {work}"


DIGESTS = {"data": "data_digest", "certificate": "certificate_digest", "sha256": "sha256"}


def prepared(record: Mapping[str, Any] | None) -> Iterator[str]:
    """Format the steps of a preparation."""
    for step in (record or {}).get("steps", ()):
        if step["step"] != "plain":
            column = f" of {step['column']}" if "column" in step else ""
            yield f"{step['step']}{column}"


def plane(model: str) -> dict[str, Any] | None:
    """Return the plane of a two-class model: its positive class, unit normal (up to 50 columns) and distance."""
    from novikoff.cli.options.model_rows import model_of

    learner, _ = model_of(model)
    if not has_plane(learner):
        return None
    side = side_of(learner.classes_.tolist())
    unit = unit_plane((side * learner.coef_[0]).tolist(), float(side * learner.intercept_[0]))
    info = {"positive": learner.classes_.tolist()[1 if side > 0 else 0]}
    if unit is None or math.isinf(unit.distance):
        return info | {"unit_normal": None, "distance": None}
    return info | {"unit_normal": unit.normal if len(unit.normal) <= FEW else None, "distance": unit.distance}


def pairs_by(model: str) -> str | None:
    """Return how the pairs of a one-vs-one model decide, "vote" or "sum"; None for other models."""
    from novikoff.cli.options.model_rows import model_of

    learner, _ = model_of(model)
    if len(learner.classes_) < 3 or learner._scheme != "ovo":
        return None
    return str(learner._scheme_of_many().ovo)


def has_plane(learner: Any) -> bool:
    """Return whether the model is one plane."""
    return len(learner.classes_) == 2 and getattr(learner, "_voters", None) is None


def weights(model: str) -> Iterator[str]:
    """Format the largest weights of a two-class model by name, its unit normal and its distance from the origin."""
    import numpy as np

    from novikoff.cli.options.model_rows import model_of

    learner, how = model_of(model)
    if not has_plane(learner):
        return
    side = side_of(learner.classes_.tolist())
    w, b = side * learner.coef_[0], side * learner.intercept_[0] + 0.0
    largest = np.argsort(-np.abs(w), kind="stable")[:SHOWN]
    names = how.prep.names
    info = ", ".join(f"{names[int(j)]} {w[j]:+.4g}" for j in largest if w[j])
    yield f"largest      {info or 'all weights are 0'}, bias {b:+.4g} (+ is {learner.classes_[1 if side > 0 else 0]})"
    if (unit := unit_plane(w.tolist(), float(b))) is not None:
        info = ", ".join(f"{names[int(j)]} {unit.normal[j]:+.4g}" for j in largest if w[j])
        rest = ", …" if np.count_nonzero(w) > SHOWN else ""
        yield f"unit normal  {info}{rest}; the plane's distance from the origin is {unit.distance:.6g}"
