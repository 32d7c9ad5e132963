"""`novikoff bits`: bits of the weights of an exact run, against the bound of the notes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import click

from novikoff.cli.options.proof_data import data_of, data_options
from novikoff.cli.text import formatting
from novikoff.cli.text.help_layout import Verb
from novikoff.cli.verbs.trace import table
from novikoff.perceptron import FIXED_ORDERS

FEW = 20  # weights that are shown


@click.command(cls=Verb)
@data_options
@click.option("--order", type=click.Choice(FIXED_ORDERS), default="cyclic", show_default=True,
              help="Order in which the points are presented.")  # fmt: skip
@click.option("--seed", type=click.IntRange(0, 2**32 - 1), default=0, show_default=True, help="Seed of random orders.")
@click.option("--max-updates", type=click.IntRange(min=1), default=10_000, show_default=True,
              help="Stop after this many updates.")  # fmt: skip
@click.pass_context
def command(ctx: click.Context, /, as_json: bool, **request: Any) -> int:
    """Compare the bits of the weights of an exact run with the bound s + ⌈log2 t⌉ and a sign bit.

    \b
    novikoff bits --example cornwell
    novikoff bits data.csv --json

    DATA is a file as for fit, of up to a million numbers. s is the bits of the largest coordinate, scaled to integers,
    and t the updates. If the run separates the points, a plane with short integer weights is searched; it is checked
    exactly.
    """
    data = data_of(ctx, request)
    X = table(data)
    if len(data.classes) > 2:  # raise an error that explains how to choose
        formatting.chosen_classes(data.y, data.y, data.name, None, two=True)
    from novikoff.certify.check.proof import digits
    from novikoff.theory.bits import bits_used

    how = {name: request[name] for name in ("order", "seed", "max_updates")}
    with formatting.about(data.name):
        run = bits_used(replace(data, X=X).points, fit_intercept=data.fit_intercept, **how)
    info = {"schema": "novikoff/bits/1", "data": data.name, "n": run.n, "parameters": run.parameters,
            "scale": digits(run.scale), "s": run.s, "t": run.t, "bound": run.bound, "used": run.used,
            "separated": run.separated, "weights": [digits(v) for v in run.weights], "code_bits": run.code,
            "short": None if run.short is None else [digits(v) for v in run.short], "short_bits": run.short_bits,
            "at_update": list(run.at_update)}  # fmt: skip
    click.echo(json.dumps(info) if as_json else _in_words(info))
    return 0


def _in_words(info: Mapping[str, Any]) -> str:
    """Format the document for people."""
    scaled = "" if info["scale"] == "1" else f", times {_long(info['scale'])}"
    lines = [
        f"s = {info['s']:,}   bits of the largest coordinate as an integer{scaled}",
        f"t = {info['t']:,}   updates{'' if info['separated'] else '; the run did not separate the points'}",
        f"bound  {info['bound']:,} bits per weight: s + ⌈log2 t⌉ and a sign bit",
        f"used   {info['used']:,} bits by the largest weight of the run, with its sign",
        f"code   {info['code_bits']:,} bits for s, t and all {info['parameters']:,} weights, prefix-free",
        f"weights  {_vector(info['weights'])}",
    ]
    if info["short"] is not None:
        lines.append(f"short    {_vector(info['short'])}, {info['short_bits']:,} bits per weight: "
                     "separates the points, checked exactly")  # fmt: skip
    return "\n".join(lines)


def _vector(weights: list[str]) -> str:
    more = f", … ({len(weights) - FEW:,} more)" if len(weights) > FEW else ""
    return f"({', '.join(map(_long, weights[:FEW]))}{more})"


def _long(number: str) -> str:
    return number if len(number) <= 2 * FEW else f"{number[:FEW]}… ({len(number):,} digits)"
