"""`trace` and `nv.trace`: every update, in the table, in JSON and in CSV; of many points in the order batch."""

from __future__ import annotations

import csv
import io
import random
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import novikoff as nv
from commands import novikoff
from oracles.auditor.claims import Audit, dot, fractions, numbers, sum_is_zero, truth
from oracles.auditor.problems import given
from oracles.auditor.runs import counted, played, zero

ORDERS = ("cyclic", "cyclic", "first", "shuffle", "random")
MOST = 25  # updates
ENDS = {"separated": "SEPARATED", "cycle": "NOT SEPARABLE", "max_updates": "STOPPED"}
Request = tuple[str, Fraction, list[Fraction]]


def request(a: Audit, chance: random.Random, order: str = "") -> Request:
    """An order, a rate and a start."""
    order = order or chance.choice(ORDERS)
    eta = Fraction(chance.choice([1, 1, 2]), chance.choice([1, 1, 3]))
    start = zero(a.table.signed)
    if chance.random() < 0.25:
        start = [Fraction(chance.randint(-2, 2)) for _ in start]
    return order, eta, start


def audit_trace(a: Audit, folder: Path, chance: random.Random, order: str = "") -> None:
    """The verb."""
    order, eta, start = request(a, chance, order)
    options = ["--order", order, "--eta", str(eta), "--max-updates", str(MOST)]
    options += ["--w0", ",".join(map(str, start))] if any(start) else []
    a.run(folder, *options)
    if a.json is not None:
        a.claim("exit code", a.code, 0)
        claims_of_trace(a, a.json, novikoff(*a.command.split(" "), "--csv", "-").out, (order, eta, start))


def audit_batch(a: Audit, folder: Path, chance: random.Random) -> None:
    audit_trace(a, folder, chance, "batch")


def audit_call(a: Audit, folder: Path, chance: random.Random) -> None:
    """`nv.trace`."""
    points = given(a, folder, chance)
    order, eta, start = request(a, chance)
    t = nv.trace(*points, order=order, eta0=eta, w0=start, fit_intercept=a.table.bias, max_updates=MOST)
    a.words, info = t.to_text(), t.to_dict()
    a.claim("steps: rows", [s.row for s in t.steps], [s["row"] for s in info["steps"]])
    a.claim("steps: indices", [a.numbers[s.index] for s in t.steps], [s["row"] for s in info["steps"]])
    a.claim("steps: places", [str(t.place(s.row)) for s in t.steps], [a.places[s.index] for s in t.steps])
    a.claim("steps: w", [list(s.w) for s in t.steps], [fractions(s["w"]) for s in info["steps"]])
    a.fields(t, n_looks=info["looks"], passes=info["passes"], stop_reason=info["stop_reason"])
    a.claim("plane", t.plane(), info["plane"])
    a.claim("LaTeX: a line for each step", t.to_latex().count(r" \\"), len(t.steps) + 1)
    claims_of_trace(a, info, t.to_csv(), (order, eta, start))


def claims_of_trace(a: Audit, info: Any, table: str, asked: Request) -> None:
    """The JSON document, the words and the CSV table of a run."""
    t, (order, eta, start) = a.table, asked
    rows = [a.rows(step["rows"] if order == "batch" else [step["row"]], "steps") for step in info["steps"]]
    a.fields(info, n=t.n, d=t.d, classes=t.classes, order=order, updates=len(rows), passes=-(-info["looks"] // t.n))
    a.claim("the start", fractions(info["start"]), start)
    used = [i for some in rows for i in some]
    a.claim("counts", info["counts"], [used.count(i) for i in range(t.n)])
    if order == "batch":
        _claims_of_batches(a, info, rows, eta / t.n)
    else:
        _claims_of_steps(a, info, used, eta)
    run = played(t.signed, order, updates=len(rows), eta=eta / t.n if order == "batch" else eta, w=start)
    if run is not None:
        a.claim("which rows, in this order", [some[-1] for some in rows], [u.row for u in run.updates])
        a.claim("looks of the steps", [step["looks"] for step in info["steps"]], [u.looks for u in run.updates])
        a.claim("w of the steps", [fractions(step["w"]) for step in info["steps"]], [u.w for u in run.updates])
        if order != "batch":
            last = info["steps"][-1]["looks"] if rows else 0
            ended = {"separated": run.looks, "max_updates": run.looks + 1, "cycle": last}
            a.claim("looks", info["looks"], ended[info["stop_reason"]])
    _claims_of_end(a, info, rows, start)
    if "plane" in info:
        a.exact_terms("plane", info["plane"], [*(f"x{j + 1}" for j in range(t.d)), ""][: len(start)], info["w"])
    _words_of_trace(a, info, rows, order)
    _csv_of_trace(a, table, info, rows, order)


def _claims_of_steps(a: Audit, info: Any, rows: list[int], eta: Fraction) -> None:
    """One point for each step."""
    t, Z = a.table, a.table.signed
    w, looks = fractions(info["start"]), 0
    for number, (row, step) in enumerate(zip(rows, info["steps"], strict=True), 1):
        x, side, score = t.padded[row], t.signs[row], dot(w, Z[row])
        w = [v + eta * z for v, z in zip(w, Z[row], strict=True)]
        a.fields(step, "step: ", number=number, sign=side, errors_after=counted(Z, w)[0])
        a.fields(step, "step: ", pass_number=-(-step["looks"] // t.n))
        a.claim("step: its point is a mistake", score <= 0, True)
        a.claim("step: score", Fraction(step["score"]), side * score)
        a.claim("step: η and ‖x‖²", fractions([step["eta"], step["norm2"]]), [eta, dot(x, x)])
        a.claim("step: x", fractions(step["x"]), x)
        a.claim("step: the reflected point", fractions(step["reflected"]), Z[row])
        a.claim("step: w after", fractions(step["w"]), w)
        a.claim("step: looks grow", step["looks"] > looks, True)
        looks = step["looks"]
    a.claim("w", fractions(info["w"]), w)


def _claims_of_batches(a: Audit, info: Any, rows: list[list[int]], eta: Fraction) -> None:
    """All mistakes of a pass for each step."""
    t, w = a.table, fractions(info["start"])
    a.fields(info, mistakes=sum(info["counts"]))
    for number, (some, step) in enumerate(zip(rows, info["steps"], strict=True), 1):
        total = [sum(column, Fraction(0)) for column in zip(*(t.signed[i] for i in some), strict=True)]
        w = [v + eta * z for v, z in zip(w, total, strict=True)]
        a.fields(step, "step: ", number=number, looks=number * t.n, pass_number=number)
        a.fields(step, "step: ", errors_after=counted(t.signed, w)[0])
        a.claim("step: the sum of its points", fractions(step["sum"]), total)
        a.claim("step: η/n", Fraction(step["eta"]), eta)
        a.claim("step: w after", fractions(step["w"]), w)
    a.claim("w", fractions(info["w"]), w)


def _claims_of_end(a: Audit, info: Any, rows: list[list[int]], start: list[Fraction]) -> None:
    """Why the run ended."""
    t, w = a.table, fractions(info["w"])
    errors = counted(t.signed, w)[0]
    if info["stop_reason"] == "separated":
        a.claim("separated: no errors are left", errors, 0)
    elif info["stop_reason"] == "max_updates":
        a.claim("max_updates: as many as allowed, and errors are left", (info["updates"], errors > 0), (MOST, True))
    else:
        k = info["cycle_counts"]
        since = a.told("cycle", r"again what they were (?:after update ([\d,]+)|at the start)\n", need=True)
        before = int(since[1] or 0) if since else 0
        a.claim(
            "cycle: the weights are what they were", w, fractions(info["steps"][before - 1]["w"]) if before else start
        )
        later = [i for some in rows[before:] for i in some]
        a.claim("cycle: counts since then", k, [later.count(i) for i in range(t.n)])
        a.claim("cycle: the points add up to zero", (sum_is_zero(k, t.signed), sum(k) > 0), (True, True))
        a.claim("cycle: no plane separates", truth(t)[0] == "complete", False)
        a.told("cycle: points added since then", r"added since then, ([\d,]+) in all, sum to zero", sum(k))
    a.claim("cycle_counts are there after a cycle", info["cycle_counts"] is None, info["stop_reason"] != "cycle")


def _words_of_trace(a: Audit, info: Any, rows: list[list[int]], order: str) -> None:
    """The table and the sentences below it."""
    t, lines, w = a.table, a.words.split("\n"), fractions(info["w"])
    for some, step, line in zip(rows, info["steps"], lines[1:], strict=False):
        cells, places = re.split(r" {2,}", line.strip()), [a.places[i] for i in some]
        called = str(len(places)) if order == "batch" else places[0]
        a.claim("table: number, pass, and point or mistakes", cells[:3],
                [str(step["number"]), str(step["pass_number"]), called])  # fmt: skip
        if order == "batch":
            columns = {"Σ y·x": step["sum"], "η/n": [step["eta"]], "w after": step["w"]}
            if "…" not in cells[3]:
                a.claim("table: points", cells[3].split(", "), places)
        else:
            score, square = step["sign"] * Fraction(step["score"]), Fraction(step["eta"]) * Fraction(step["norm2"])
            columns = {"y·x": t.signed[some[0]], "y·(w·x)": [score], "η‖x‖²": [square], "w after": step["w"]}
            a.claim("table: label", cells[3], "+" if t.signs[some[0]] > 0 else "−")
        a.claim("table: errors after", cells[4 + len(columns)], str(step["errors_after"]))
        if "≈" not in line:
            for (name, values), cell in zip(columns.items(), cells[4:], strict=False):
                a.claim(f"table: {name}", numbers(cell), fractions(values))
    end = re.match(r"(SEPARATED|NOT SEPARABLE|STOPPED)  ([\d,]+) updates? · ([\d,]+) looks · order (\w+) · (.*)",
                   lines[1 + len(rows)])  # fmt: skip
    said = end and [end[1], int(end[2].replace(",", "")), int(end[3].replace(",", "")), end[4]]
    a.claim("the end in words", said, [ENDS[info["stop_reason"]], info["updates"], info["looks"], order])
    if end and end[1] == "SEPARATED":
        a.exact_terms("the plane in words", end[5], [*a.known_names, ""][: len(w)], w)
    left = r"(\d+) of (\d+) points (?:is|are) not on (?:its|their) own side"
    a.told("points not on their own side", left, counted(t.signed, w)[0], t.n)
    a.asks("point ")
    legend = re.search(r"label \+ is (\S+), − is (\S+)", a.words)
    if order != "batch":
        a.claim("which label is +", [legend[2], legend[1]] if legend else ["-1", "1"], t.classes)


def _csv_of_trace(a: Audit, text: str, info: Any, rows: list[list[int]], order: str) -> None:
    """The table as CSV: the numbers of the JSON, the points as a person calls them."""
    table = list(csv.DictReader(io.StringIO(text)))
    a.claim("CSV: a line for each step", len(table), len(rows))
    same = {"update": "number", "pass": "pass_number", "errors_after": "errors_after"}
    same |= {"eta": "eta", "looks": "looks"} if order == "batch" else {"y": "sign", "score": "score"}
    for some, step, line in zip(rows, info["steps"], table, strict=False):
        places = [a.places[i] for i in some]
        if order == "batch":
            a.claim("CSV: points and mistakes", (line["points"].split(), int(line["mistakes"])), (places, len(places)))
            sums = [line[f"sum{name.removeprefix('w')}" if name != "b" else "sum_b"] for name in a.table.weight_names]
            a.claim("CSV: the sum of the points", sums, step["sum"])
        else:
            a.claim("CSV: point", line["point"], places[0])
            a.claim("CSV: label", line["label"], a.table.labels[some[0]])
        a.claim("CSV: w", [line[name] for name in a.table.weight_names], step["w"])
        a.claim("CSV: the rest", [line[k] for k in same], [str(step[k]) for k in same.values()])
