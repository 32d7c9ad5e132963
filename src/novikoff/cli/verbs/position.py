"""`novikoff position`: decide whether points are in general position."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import click

from novikoff.cli import UNDECIDED
from novikoff.cli.options.proof_data import ProofData, data_of, data_options
from novikoff.cli.text import formatting
from novikoff.cli.text.help_layout import Verb
from novikoff.cli.text.progress import working

NO = 1
SHOWN = 20


@click.command(cls=Verb)
@data_options
@click.option("--max-seconds", type=formatting.seconds, metavar="NUMBER", default="60", show_default=True,
              help="Time limit.")  # fmt: skip
@click.option("--count", "dichotomies", is_flag=True, help="Also count the labellings that a plane separates.")
@click.option("--quiet", is_flag=True, help="Print only errors on stderr.")
@click.pass_context
def command(ctx: click.Context, /, as_json: bool, **request: Any) -> int:
    """Decide exactly whether points are in general position, and show a dependent subset if they are not.

    \b
    novikoff position --example cornwell
    novikoff position data.csv --json
    novikoff position --example or --count

    DATA is a file as for fit; labels are ignored. With a bias: no k + 2 points on a plane of dimension k < d. Without:
    no N points or fewer are linearly dependent. The work grows like n^(N−2): after --max-seconds the answer is
    undecided, and what is proved so far is reported.

    Exit codes: 0 in general position, 1 not, 2 usage, 3 bad input, 4 undecided at the time limit.
    """
    data = data_of(ctx, request)
    from novikoff.theory.position import general_position

    with formatting.about(data.name), working(request["quiet"], "general position"):
        found = general_position(data.points, data.fit_intercept, request["max_seconds"])
        info = _document(found, data) | (_counts(found, data, request) if request["dichotomies"] else {})
    click.echo(json.dumps({"schema": "novikoff/position/1", **info}) if as_json else _in_words(info, request))
    return UNDECIDED if found.holds is None else NO * (not found.holds)


def _document(found: Any, data: ProofData) -> dict[str, Any]:
    """Return the JSON document: rows from 0, as in the file."""
    rows = None if found.dependent is None else [int(data.rows[i]) for i in found.dependent]
    return {"data": data.name, "general_position": found.holds, "n": found.points,
            "d": found.dimensions - data.fit_intercept, "bias": data.fit_intercept, "N": found.dimensions,
            "rank": found.rank, "dependent": rows, "fewest": found.fewest,
            "independent_up_to": found.independent_up_to, "projections": found.projections,
            "needed": str(found.needed)}  # fmt: skip


def _counts(found: Any, data: ProofData, request: Mapping[str, Any]) -> dict[str, Any]:
    """Return the number of separable labellings of these points, and Cover's; None where it was not found in time."""
    from novikoff.certify.check.proof import digits
    from novikoff.errors import UndecidedError
    from novikoff.theory.cover import cover_count
    from novikoff.theory.dichotomies import count_dichotomies

    most = cover_count(found.points, found.dimensions)
    try:
        own = most if found.holds else count_dichotomies(data.points, data.fit_intercept,
                                                         max_time=request["max_seconds"])  # fmt: skip
    except UndecidedError:
        return {"dichotomies": None, "cover_count": digits(most)}
    return {"dichotomies": digits(own), "cover_count": digits(most)}


def _in_words(info: Mapping[str, Any], request: Mapping[str, Any]) -> str:
    """Format the answer: points from 1."""
    many = formatting.count(info["n"], "point")
    kind = "with the 1 of the bias" if info["bias"] else "without a bias"
    space = f"{many} in N = {info['N']:,} dimensions, {kind}"
    if info["general_position"]:
        most = min(info["n"], info["N"])
        sets = "no point is at the origin" if most == 1 else f"every {most:,} points or fewer are independent"
        lines = [f"IN GENERAL POSITION  {space}: {sets}"]
    elif info["general_position"] is None:
        lines = [f"UNDECIDED  after {request['max_seconds']:g} seconds, {space}: every "
                 f"{formatting.count(info['independent_up_to'], 'point')} or fewer are independent; larger subsets are "
                 "not decided. Give more time with --max-seconds."]  # fmt: skip
    else:
        rows = info["dependent"]
        more = f" and {len(rows) - SHOWN:,} more" if len(rows) > SHOWN else ""
        named = ", ".join(str(row + 1) for row in rows[:SHOWN]) + more
        fewest = "; no fewer are" if info["fewest"] and len(rows) > 1 else ""
        dependent = f"points {named} are linearly dependent" if len(rows) > 1 else f"point {named} is at the origin"
        lines = [f"NOT IN GENERAL POSITION  {space}: {dependent}{fewest}"]
    if "dichotomies" in info:
        own = "not counted within the time limit" if info["dichotomies"] is None else info["dichotomies"]
        lines.append(
            f"separable labellings  {own} of these points; {info['cover_count']} of as many in general position"
        )
    return "\n".join(lines)
