"""`novikoff certify`: decide separability, exactly, with a proof that anyone can check."""

from __future__ import annotations

import shlex
import time
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click

from novikoff.cli import UNDECIDED
from novikoff.cli.options import row_options
from novikoff.cli.options.engine_options import engine_of, engine_options
from novikoff.cli.options.output_files import Output
from novikoff.cli.options.proof_data import (
    ProofData,
    check_header,
    convert_command,
    data_of,
    data_options,
    file_of,
    plain_layout,
    refuse_classes,
)
from novikoff.cli.options.verb import Verb
from novikoff.cli.text import formatting
from novikoff.cli.text.answer import print_answer
from novikoff.cli.text.label_names import label_lines
from novikoff.cli.text.option_names import with_options
from novikoff.cli.text.progress import working
from novikoff.data.plain_files import plane_of
from novikoff.errors import InputError, UndecidedError
from novikoff.exact.deadline import Clock

NO = 1
EXPECTED = ("separable", "not-separable", "complete", "quasi-complete", "overlap")
REMOVAL_SECONDS = 60.0  # for --removal without a time limit
SHOWN = 12  # rows named in the text output


@click.command(cls=Verb)
@data_options
@click.option("-o", "--output", type=Output(path_type=Path), metavar="CERT", help="Save the proof.")
@click.option("--proof", type=click.Choice(["rational", "interval"]),
              help="rational: a proof with integer weights; interval: a proof by error bounds that such weights exist, "
              "for very many columns, not to be saved.  "
              "[default: rational, unless too large for the checkers]")  # fmt: skip
@row_options.positive_option
@click.option("--expect", type=click.Choice(EXPECTED), help="Exit with 0 if this is the verdict, else with 1.")
@click.option("--removal", is_flag=True, help="Also find the fewest rows to remove, if they are few.")
@click.option(
    "--max-seconds", type=formatting.seconds, metavar="NUMBER", help="Time limit; no verdict by then means undecided."
)
@engine_options
@click.option("--quiet", is_flag=True, help="Print only errors on stderr.")
@click.pass_context
def command(ctx: click.Context, /, **request: Any) -> int:
    """Decide exactly whether a plane separates the points, and explain why.

    \b
    novikoff certify --example or
    novikoff certify --example xor --expect overlap
    novikoff certify --example iris --classes versicolor,virginica --removal --expect not-separable
    novikoff certify --example digits
    novikoff certify --example xor --features poly2

    DATA is a file as for fit; with preparation options the proof is about the prepared vectors. With more than two
    classes each pair is decided.

    Exit codes: 0 separable (or as expected), 1 not separable, 3 bad input, 4 undecided at the time limit.
    """
    from novikoff.separate.decide import decide

    clock = Clock(request["max_seconds"])
    with engine_of(ctx, request) as engine:
        data = data_of(ctx, request)
        two = len(data.classes) <= 2
        check(ctx, data, request, two)
        with formatting.about(data.name, label=data.label), working(request["quiet"], "deciding"):
            begin = time.perf_counter()
            chosen = {"max_time": clock.max_time, "engine": engine, "positive": request["positive"]}
            found: Any = decide(data.points, None, data.fit_intercept, **chosen)
            document, lines = (of_two if two else of_pairs)(found, data, request, clock)
    document["seconds"] = time.perf_counter() - begin
    print_answer("certify", document, lines, request["as_json"])
    return exit_code(document, request["expect"], request["output"] is not None and document.get("certificate") is None)


def check(ctx: click.Context, data: ProofData, request: Mapping[str, Any], two: bool) -> None:
    """Raise an error for options that these rows cannot have. two: whether there are no more than two classes."""
    refuse_classes(data, request)
    if request["proof"] == "interval" and request["output"] is not None:
        raise InputError("an interval proof cannot be saved; use proof='rational'", "proof")
    kind = None if request["expect"] in (None, "separable", "not-separable") else f"--expect {request['expect']}"
    for name, given in (("-o", request["output"]), ("--removal", request["removal"] or None), (kind, kind)):
        if given is not None and not two:
            raise click.UsageError(f"{name} is for two classes; choose them with --classes A,B", ctx)


def of_two(verdict: Any, data: ProofData, request: Mapping[str, Any], clock: Clock) -> tuple[dict[str, Any], list[str]]:
    """Return the document and the lines about the verdict of two classes; save the proof if requested."""
    from novikoff.separate.removal import removal as removed

    if request["proof"] == "rational":
        known(verdict, "weights", clock)
    document = describe(verdict, data, request["proof"], clock)
    lines = said_of(verdict, data, request, document["weights"] is not None)
    if verdict.separable is None:
        return document, lines
    verdict.max_time = clock.max_time
    document["certificate"], saved = save(verdict, data, request["output"])
    if request["removal"]:
        removal = removed(verdict, max_time=clock.max_time or REMOVAL_SECONDS)
        rows = None if removal.rows is None else list(removal.rows)
        document["removal"] = {"rows": rows, "at_least": removal.at_least}
        lines += say_removal(removal, verdict)
    return document, [*lines, *saved]


def exit_code(document: Mapping[str, Any], expected: str | None, lost: bool) -> int:
    """Return 0 for yes, 1 for no, 4 if undecided: no verdict, or not the expected kind, or no proof found."""
    if document["separable"] is None or lost:
        return UNDECIDED
    if expected is None:
        return 0 if document["separable"] else NO
    if expected in ("separable", "not-separable"):
        return 0 if document["separable"] == (expected == "separable") else NO
    if document["kind"] == "not separable" and expected != "complete":
        return UNDECIDED
    return 0 if document["kind"] == expected else NO


def describe(verdict: Any, data: ProofData, proof: str | None, clock: Clock) -> dict[str, Any]:
    """Return the `--json` document: rows from 0 as in the file, integers as texts, as in certificates."""
    from novikoff.exact.integer_rows import digits
    from novikoff.separate.obstruction import plain_label
    from novikoff.theory.perfect_fit import separable_by_chance

    document: dict[str, Any] = {
        "data": data.name,
        "separable": verdict.separable,
        "kind": known(verdict, "kind", clock) or "not separable",
        "n": verdict.n,
        "d": verdict.d,
        "bias": verdict.fit_intercept,
        "numbers": "binary64",
        "prepared": data.prepared,
        "label": data.label,
        "classes": [plain_label(c) for c in verdict.classes],
        "rows_read": verdict.rows_read,
        "how": verdict.how,
        "proof": None if verdict.separable is None else "rational",
        "exact": verdict.separable is not None,
        "w": None, "b": None, "support": None, "weights": None, "separated": None, "obstruction": None,
        "certificate": None,
    }  # fmt: skip
    if verdict.separable is None:
        return document
    if verdict.separable and (chance := separable_by_chance(verdict.n, verdict.d + verdict.fit_intercept)):
        document["by_chance"] = chance
    w, b = known(verdict, "w", clock), known(verdict, "b", clock)
    if w is not None:
        document |= {"w": [digits(v) for v in w], "b": digits(b or 0)}
    if not verdict.separable:
        document["support"] = list(verdict.support)
        if (places := data.in_files(verdict.support)) is not None:
            document["support_files"] = places
        if document["kind"] == "quasi-complete":
            document["separated"] = verdict.separated.tolist()
        bounds = proof == "interval" or (proof is None and verdict.weights_bytes is not None)
        weights = None if bounds and not verdict.weights_known else known(verdict, "weights", clock)
        if weights is not None:
            hulls = verdict.obstruction.to_dict(numbers=verdict.d <= formatting.FEW_FEATURES)
            document |= {"weights": [digits(v) for v in weights], "obstruction": hulls}
        else:
            document["proof"] = "rational" if verdict.weights_known else "interval"
    return document


def known(answer: Any, field: str, clock: Clock) -> Any:
    """Return a field of a verdict or a margin that is computed when first used, or None if time is over."""
    answer.max_time = clock.max_time
    try:
        return getattr(answer, field)
    except UndecidedError:
        return None


def save(answer: Any, data: ProofData, output: Path | None) -> tuple[str | None, list[str]]:
    """Save the proof of a verdict or a margin, if requested; return its name, and where it is and how to check it.

    The name is None if its weights are not found in time.
    """
    if output is None:
        return None, []
    try:
        proof = answer.certificate(file=file_of(data))
    except UndecidedError:
        return None, ["proof  NOT saved: its weights were not found in time. Allow more time with --max-seconds"]
    check_header(data, SimpleNamespace(**proof.fields["model"]))
    proof.save(output)
    return str(output), say_saved(data, str(output))


# ---- in words ------------------------------------------------------------------------------------------------------


def said_of(verdict: Any, data: ProofData, request: Mapping[str, Any], weights: bool) -> list[str]:
    """Format the verdict and the reason. weights: whether those of the proof are shown."""
    if verdict.separable is None:
        return [f"UNDECIDED  after {request['max_seconds']:g} seconds, with {verdict.rows_read:,} of "
                f"{verdict.n:,} rows read: nothing is claimed. Give more time with --max-seconds."]  # fmt: skip
    from novikoff.theory.perfect_fit import in_words, separable_by_chance

    lines: list[str] = with_options(verdict.explain(data.unit_names, None, weights)).split("\n")
    lines += label_lines(data.label, data.classes)
    if verdict.separable and (chance := separable_by_chance(verdict.n, verdict.d + verdict.fit_intercept)):
        lines.append(f"chance {in_words(verdict.n, chance)}")
    if data.prepared:
        lines.append(
            f"about  the prepared vectors, {formatting.count(verdict.d, 'column')} made of the rows of {data.name}"
        )
    if any("more)" in line for line in lines):
        lines.append("       (--json has all of it)")
    if not verdict.separable and (places := data.in_files(verdict.support[:SHOWN])):
        named = zip(verdict.support, places, strict=False)
        said = [f"point {verdict.place(row):,} is row {place['row'] + 1:,} of {place['file']}" for row, place in named]
        lines.append(f"where  {'; '.join(said)}{'; …' if len(verdict.support) > SHOWN else ''}")
    return lines


def say_removal(removal: Any, verdict: Any) -> list[str]:
    """Format the fewest rows to remove, or how many are needed at least."""
    rows = formatting.count(removal.at_least, "row")
    if removal.rows is None:
        return [f"remove {rows} or more: the fewest were not found in time"]
    if not removal.rows:
        return ["remove nothing: the points are separable"]
    named = ", ".join(f"{verdict.place(i):,}" for i in removal.rows[:SHOWN])
    named += ", …" if len(removal.rows) > SHOWN else ""
    plane = plane_of(verdict.fit_intercept)
    rest = "nothing is left" if removal.rest is None else f"a {plane} separates the rest (proved)"
    return [f"remove {rows} ({named}) and {rest};", "       no smaller set would do (proved)"]


def say_saved(data: ProofData, output: str) -> list[str]:
    """Format where the proof is, and how to check it."""
    path, file = shlex.quote(output), shlex.quote(data.name)
    if data.how is None:
        return [f"proof  saved to {path}; check it in Python: nv.verify({output!r}, X, y)"]
    plain = plain_layout(data) is not None
    return [
        f"proof  saved to {path}",
        f"check  novikoff verify {path} {file}",
        "       or without this package: novikoff verify --checker verify_novikoff.py;",
        *([] if plain else [f"       {convert_command(data)};"]),
        f"       python verify_novikoff.py {path} {file if plain else 'prepared.csv'}",
    ]


# ---- more than two classes -----------------------------------------------------------------------------------------


def of_pairs(found: Any, data: ProofData, request: Mapping[str, Any], clock: Clock) -> tuple[dict[str, Any], list[str]]:
    """Return the document and the lines about the verdicts of each pair of classes."""
    from novikoff.separate.obstruction import plain_label

    for verdict in found.values():
        known(verdict, "kind", clock)
    for verdict in found.values():
        verdict.max_time = clock.max_time
    pairs = [{"classes": [plain_label(a), plain_label(b)], "separable": v.separable, "kind": found.kinds[a, b],
              "n": v.n, "support": list(v.support)} for (a, b), v in found.items()]  # fmt: skip
    document = {"data": data.name, "label": data.label, "separable": found.separable,
                "kind": None, "classes": [plain_label(c) for c in data.classes],
                "n": len(data.y), "d": int(data.X.shape[1]), "bias": data.fit_intercept, "numbers": "binary64",
                "exact": all(v.separable is not None for v in found.values()), "pairs": pairs}  # fmt: skip
    return document, [found.explain(), *label_lines(data.label, document["classes"])]
