"""`novikoff margin`: the widest planes, their margins as proved intervals, and the mistake bound."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from novikoff.cli import words
from novikoff.cli.certify import say_saved
from novikoff.cli.data import Data, data_of, data_options, refuse_classes, with_digest
from novikoff.cli.engines import engine_of, engine_options
from novikoff.cli.outputs import Output, demand_apart
from novikoff.cli.sections import Verb
from novikoff.errors import NotSeparableError

NOT_SEPARABLE = 1
FEW_FEATURES = 50  # up to here the weights are part of the document
FEW_DIGITS = 18  # exact fractions and weights up to here are shown
SHOWN = 20  # points


@click.command(cls=Verb)
@data_options
@click.option("--w0", type=words.numbers, metavar="A,B,…", help="Also the bound from this start, the bias last.")
@click.option("--eta", type=words.positive, metavar="NUMBER", default="1", show_default=True,
              help="Learning rate η of the run from --w0.")  # fmt: skip
@click.option("-o", "--output", type=Output(path_type=Path), metavar="CERT", help="Save the proof.")
@engine_options
@click.pass_context
def command(ctx: click.Context, /, w0: tuple[Fraction, ...] | None, eta: Fraction, as_json: bool, **asked: Any) -> int:
    """Find the widest planes, how wide they are (proved), and how many mistakes a perceptron can make.

    \b
    novikoff margin --example or
    novikoff margin data.csv --json
    novikoff margin data.csv -o proof.json
    novikoff margin --example tao --w0=-10,-10

    DATA is a file as of fit. The saved proof is checked by novikoff verify, and with Python alone.

    Exit codes: 0 done, 1 the points are not separable, 2 usage, 3 bad input.
    """
    from novikoff.width.margin import margin

    if w0 is None and ctx.get_parameter_source("eta") is not ParameterSource.DEFAULT:
        raise click.UsageError("--eta: is the learning rate of a run from --w0, and from 0 it changes nothing; give "
                               "--w0, too, or leave --eta out", ctx)  # fmt: skip
    demand_apart(ctx, asked["output"], asked["data"])
    data = data_of(ctx, asked)
    if asked["output"] is not None:
        refuse_classes(data, asked, "a certificate")
    if len(data.classes) > 2:
        words.chosen_classes(data.y, data.y, data.name, None, two=True)  # says how to choose
    with engine_of(ctx, asked) as engine, words.about(data.name):
        try:
            m = margin(data.X, data.y, data.fit_intercept, engine)
        except NotSeparableError as error:
            return _refuse(data, error, as_json, asked)
        started = None
        if w0 is not None:
            started = {"w0": [str(v) for v in w0], "eta": str(eta), "mistake_bound": m.mistake_bound_from(w0, eta)}
            started |= m.made_from(w0, eta)._asdict()
        told = document(m, data, started) | {"certificate": _saved(m.certificate, data, asked)}
    shown = json.dumps({"schema": "novikoff/margin/1", **told}, allow_nan=False) if as_json else in_words(told, data)
    click.echo(shown)
    if told["certificate"] is not None and not as_json:
        click.echo("\n".join(say_saved(data, asked, m)))
    return 0


def _saved(certificate: Callable[..., Any], data: Data, asked: Mapping[str, Any]) -> str | None:
    """The path of the saved proof, where one is asked for."""
    if asked["output"] is None:
        return None
    how = None if data.how is None else with_digest(data.name, data.how)
    certificate(file=how).save(asked["output"])
    return str(asked["output"])


def document(m: Any, data: Data, started: dict[str, Any] | None) -> dict[str, Any]:
    """All there is to say, for programs: rows from 0."""
    return {
        "data": data.name,
        "prepared": data.prepared,
        "separable": True,
        "n": m.n,
        "d": m.d,
        "bias": m.fit_intercept,
        "geometric": _width(m.geometric, data),
        "padded": _width(m.padded, data),
        "radius": m.radius,
        "radius2": str(m.radius2[1]) if m.radius2[0] == m.radius2[1] else None,
        "shortest": m.shortest,
        "mistake_bound": m.mistake_bound,
        "updates": m.updates,
        "finished": m.finished,
        "start": started,
    }


def _width(width: Any, data: Data) -> dict[str, Any]:
    w, b = width.plane
    endless = math.isinf(width.gamma[1])
    return {
        "gamma": None if endless else width.gamma,
        "gamma2": None if width.gamma2 is None else str(width.gamma2),
        "w": w.tolist() if w.size <= FEW_FEATURES else None,
        "b": b,
        "touching": [int(data.rows[i]) for i in width.touching],
        "weights": width.weights.tolist(),
    }


def in_words(told: dict[str, Any], data: Data) -> str:
    """The document as a person reads it: points from 1."""
    both, padded = told["geometric"], told["padded"]
    lines = [f"{words.count(told['n'], 'point')}, {words.count(told['d'], 'feature')}: separable"]
    if not told["bias"]:
        lines.append("planes through the origin: the padded and the geometric margin are the same")
    elif both["gamma"] is None:
        lines.append("only one class: planes are as far away as one likes, the geometric margin has no end")
    else:
        lines += _said("geometric margin", both, data.names)
    lines += _said("padded margin" if told["bias"] else "margin", padded, data.names)
    R2 = f" = √{told['radius2']}" if _short(told["radius2"]) else ""
    lines.append(f"R{R2} = {told['radius']:.15g}, the length of the longest {'(x, 1)' if told['bias'] else 'x'}")
    lines.append(f"B = 1/γ = {agreed(told['shortest'])}, the shortest {'(w, b)' if told['bias'] else 'w'} with "
                 f"y·score ≥ 1 for every point")  # fmt: skip
    lines.append(f"mistakes ≤ (R/γ)² = {agreed(told['mistake_bound'])}, from weights 0 in any order")
    lines.append(f"made    {_made(told)} from weights 0, point after point")
    if (start := told["start"]) is not None:
        where = f"({', '.join(start['w0'])})" + (f" with η = {start['eta']}" if start["eta"] != "1" else "")
        lines.append(f"mistakes ≤ {start['mistake_bound']:,}, from weights {where} in any order")
        lines.append(f"made    {_made(start)} from there, point after point")
    return "\n".join(lines)


def _said(name: str, width: dict[str, Any], names: Sequence[str] | None) -> list[str]:
    low, high = width["gamma"]
    square = f" = √({width['gamma2']})" if _short(width["gamma2"]) else ""
    lines = [f"{name}  γ{square} = {agreed(width['gamma'])}", f"        proved  {low!r} ≤ γ ≤ {high!r}"]
    if width["w"] is not None and len(width["w"]) <= words.PLANE_TERMS:
        lines.append(f"        plane   {words.plane(width['w'], width['b'], names)}")
    return [*lines, f"        touching  {_points(width['touching'])}"]


def agreed(interval: Sequence[float]) -> str:
    """The digits that both ends of an interval have, and … where it goes on."""
    low, high = interval
    if low == high:
        return f"{low:.17g}" if not low.is_integer() else f"{int(low):,}"
    a, b = (f"{v:.17e}".split("e") for v in (low, high))
    same = _same_beginning(a[0], b[0]) if a[1] == b[1] else ""
    if len(same.rstrip(".")) < 2:
        return f"{low:.6g} … {high:.6g}"
    power = int(a[1])
    if not -5 < power < 16:
        return f"{same}…e{power}"
    digits = same.replace(".", "")
    if power < 0:
        return f"0.{'0' * (-power - 1)}{digits}…"
    return f"{digits[: power + 1]}.{digits[power + 1 :]}…" if len(digits) > power + 1 else f"{low:.6g} … {high:.6g}"


def _same_beginning(a: str, b: str) -> str:
    return a[: next((k for k, (p, q) in enumerate(zip(a, b, strict=False)) if p != q), len(a))]


def _short(fraction: str | None) -> bool:
    return fraction is not None and len(fraction) <= FEW_DIGITS


def _points(rows: Sequence[int]) -> str:
    more = len(rows) - SHOWN
    shown = ", ".join(f"{row + 1}" for row in rows[:SHOWN])
    return f"{words.count(len(rows), 'point')}: {shown}{f' and {more:,} more' if more > 0 else ''}"


def _made(told: dict[str, Any]) -> str:
    updates = words.count(told["updates"], "update")
    return updates if told["finished"] else f"more than {updates} (stopped there, not run to the end)"


def _refuse(data: Data, error: NotSeparableError, as_json: bool, asked: Mapping[str, Any]) -> int:
    """The proof that there is nothing to measure; it is saved where a proof is asked for."""
    v = error.verdict
    saved = _saved(v.certificate, data, asked)
    rows = [int(data.rows[i]) for i in v.support]
    if as_json:
        from novikoff.certify.proof import digits

        told = {"schema": "novikoff/margin/1", "data": data.name, "separable": False, "n": v.n, "d": v.d}
        click.echo(
            json.dumps(told | {"support": rows, "weights": [digits(m) for m in v.weights], "certificate": saved})
        )
        return NOT_SEPARABLE
    all_points, whose = ("the one point", "its") if v.n == 1 else (f"all {v.n:,} points", "their")
    click.echo(f"NOT SEPARABLE  no plane has {all_points} on {whose} own side, so there is no margin")
    zero = "with their signs and positive weights they sum to zero" if len(rows) > 1 else "it is at the origin"
    click.echo(f"proof  {_points(rows)}: {zero}")
    if max(v.weights) < 10**FEW_DIGITS and len(rows) <= words.PROOF_TERMS:
        click.echo("       weights " + ", ".join(f"{m:,}" for m in v.weights))
    if saved is not None:
        click.echo("\n".join(say_saved(data, asked, v)))
    return NOT_SEPARABLE
