"""The option --class-weight: parse the weights, and find the classes that it names among those of the rows."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

import click

from novikoff.cli.text import formatting
from novikoff.data.plain_files import label_text
from novikoff.errors import InputError

FLAG = "--class-weight"
BALANCED = "balanced"


def class_weights(text: str) -> str | dict[str, Fraction]:
    """Parse `balanced`, or weights of classes, as in spam=2,ham=1/2; a class whose name has a comma is in quotes."""
    if text == BALANCED:
        return text
    weights: dict[str, Fraction] = {}
    for cell in next(csv.reader([text], skipinitialspace=True), []):
        name, equals, number = cell.rpartition("=")
        label = label_text(name.strip())
        if not equals or not label:
            raise click.BadParameter(f"{text!r}: write balanced, or classes and weights, as in spam=2,ham=1")
        if label in weights:
            raise click.BadParameter(f"{text!r}: the class {label} occurs twice")
        weights[label] = formatting.positive(number)
    if not weights:
        raise click.BadParameter("found no weight; write balanced, or classes and weights, as in spam=2,ham=1")
    return weights


def by_class(weights: str | Mapping[str, Fraction] | None, classes: Iterable[Any]) -> Any:
    """Return the weights as the estimator takes them, by class; raise InputError for a class that does not occur.

    Classes that are not named have weight 1; +1, 1 and 1.0 name the same class.
    """
    if weights is None or isinstance(weights, str):
        return weights
    known = {label_text(str(label)): label for label in classes}
    for name in weights:
        if name not in known:
            shown = ", ".join(list(known)[:10]) + (", …" if len(known) > 10 else "")
            raise InputError(f"{FLAG} {name}=…: no such class; the classes are {shown}")
    return {known[name]: formatting.binary64(weight, FLAG) for name, weight in weights.items()}


def in_document(class_weight: Any) -> dict[str, Any]:
    """Return what a document states of the weights of an estimator; nothing if it has none."""
    if isinstance(class_weight, dict):
        class_weight = [{"class": label, "weight": weight} for label, weight in class_weight.items()]
    return {} if class_weight is None else {"class_weight": class_weight}


def in_words(stated: Any) -> str:
    """Format the weights that a document states."""
    if isinstance(stated, str):
        return f"{stated} class weights"
    pairs = (f"{one['class']}={one['weight']:g}" for one in stated)
    return f"class weights {', '.join(pairs)}"


def named_classes(text: str | None) -> Any:
    """Return the classes that --classes lists, as an array; None without it."""
    if text is None:
        return None
    from novikoff.data.labels import typed

    return typed([label.strip() for label in text.split(",")])


def classes_of_stream(ctx: click.Context, weights: Any, named: str | None) -> list[Any]:
    """Return the classes of a stream, which --classes must list if weights name some of them."""
    if isinstance(weights, str) or weights is None:
        return []
    if named is None:
        raise click.UsageError(
            f"{FLAG}: the classes of a stream are not known beforehand; list all of them with --classes", ctx
        )
    classes: list[Any] = named_classes(named).tolist()
    return classes
