"""`trace` and `nv.trace`: every update of a run, in the table, in JSON and in CSV."""

from __future__ import annotations

import csv
import io
import random
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

from commands import novikoff
from oracles.auditor.claims import ROW, Audit, dot, numbers, plane_terms, sum_is_zero, truth
from oracles.auditor.runs import counted, ordered, zero

ORDERS = ("cyclic", "cyclic", "first", "shuffle", "random")
MOST = 25  # updates


def audit_trace(a: Audit, folder: Path, chance: random.Random) -> None:
    """The verb."""
    order, eta, start = request(a, chance)
    options = ["--order", order, "--eta", str(eta), "--max-updates", str(MOST)]
    options += ["--w0", ",".join(map(str, start))] if any(start) else []
    a.run(folder, *options)
    if a.json is None:
        return
    a.claim("exit code", a.code, 0)
    info = novikoff(*a.command.split(" "), "--csv", "-")
    claims_of_trace(a, a.json, info.out, order, eta, start)
    rows = [step["row"] for step in a.json["steps"]]
    a.claim("rows of the steps are those of the file", rows, [a.table.of[i] for i in a.rows(rows, "steps")])


def request(a: Audit, chance: random.Random) -> tuple[str, Fraction, list[Fraction]]:
    """An order, a rate and a start."""
    order, eta = chance.choice(ORDERS), Fraction(chance.choice([1, 1, 2]), chance.choice([1, 1, 3]))
    start = zero(a.table.signed)
    if chance.random() < 0.25:
        start = [Fraction(chance.randint(-2, 2)) for _ in start]
    return order, eta, start


def claims_of_trace(a: Audit, info: Any, table: str, order: str, eta: Fraction, start: list[Fraction]) -> None:
    """The JSON document, the words and the CSV table of a run."""
    t, Z = a.table, a.table.signed
    steps, updates = info["steps"], info["updates"]
    a.claim("n and d", (info["n"], info["d"]), (len(t.points), len(t.points[0])))
    a.claim("classes, the positive one last", [str(c) for c in info["classes"]], t.classes)
    a.claim("updates", updates, len(steps))
    a.claim("the start", [Fraction(v) for v in info["start"]], start)
    rows = [a.table.of.index(step["row"]) if step["row"] in a.table.of else -1 for step in steps]
    a.claim("steps: rows of the file that can be used", -1 in rows, False)
    w, looks = list(start), 0
    for number, (row, step) in enumerate(zip(rows, steps, strict=True), 1):
        x, sign, score = t.padded[row], t.signs[row], dot(w, Z[row])
        w = [v + eta * z for v, z in zip(w, Z[row], strict=True)]
        a.claim("step: its number", step["number"], number)
        a.claim("step: its point is a mistake", score <= 0, True)
        a.claim("step: sign", step["sign"], sign)
        a.claim("step: x", [Fraction(v) for v in step["x"]], x)
        a.claim("step: the reflected point", [Fraction(v) for v in step["reflected"]], Z[row])
        a.claim("step: score", Fraction(step["score"]), sign * score)
        a.claim("step: η and ‖x‖²", (Fraction(step["eta"]), Fraction(step["norm2"])), (eta, dot(x, x)))
        a.claim("step: w after", [Fraction(v) for v in step["w"]], w)
        a.claim("step: errors after", step["errors_after"], counted(Z, w)[0])
        a.claim("step: looks grow", step["looks"] > looks, True)
        looks = step["looks"]
        a.claim("step: its pass", step["pass_number"], -(-looks // len(Z)))
    a.claim("w", [Fraction(v) for v in info["w"]], w)
    a.claim("counts", info["counts"], [rows.count(i) for i in range(len(Z))])
    a.claim("passes", info["passes"], -(-info["looks"] // len(Z)))
    if order in ("cyclic", "first"):
        run = ordered(Z, order, updates, eta, start)
        a.claim("which rows, in this order", rows, [u.row for u in run.updates])
        a.claim("looks of the steps", [step["looks"] for step in steps], [u.looks for u in run.updates])
        ended = {"separated": run.looks, "max_updates": run.looks + 1, "cycle": looks}
        a.claim("looks", info["looks"], ended[info["stop_reason"]])
    _claims_of_end(a, info, rows, start)
    terms = {name: Fraction(v) for name, v in plane_terms(info["plane"].removesuffix(" = 0")).items()}
    names = [*(f"x{j + 1}" for j in range(len(t.points[0]))), *([""] if t.bias else [])]
    a.claim("plane", {n: v for n, v in terms.items() if v}, {n: v for n, v in zip(names, w, strict=True) if v})
    _words_of_trace(a, info, rows)
    _csv_of_trace(a, table, info, rows)


def _claims_of_end(a: Audit, info: Any, rows: list[int], start: list[Fraction]) -> None:
    """Why the run ended."""
    t, w = a.table, [Fraction(v) for v in info["w"]]
    if info["stop_reason"] == "separated":
        a.claim("separated: no errors are left", counted(t.signed, w)[0], 0)
    elif info["stop_reason"] == "max_updates":
        a.claim("max_updates: as many as allowed", info["updates"], MOST)
        a.claim("max_updates: errors are left", counted(t.signed, w)[0] > 0, True)
    else:
        k = info["cycle_counts"]
        since = info["updates"] - sum(k)
        back = [Fraction(v) for v in info["steps"][since - 1]["w"]] if since else start
        a.claim("cycle: the weights are what they were", w, back)
        a.claim("cycle: counts since then", k, [rows[since:].count(i) for i in range(len(k))])
        a.claim("cycle: the points add up to zero", sum_is_zero(k, t.signed), True)
        a.claim("cycle: no plane separates", truth(t)[0] == "complete", False)
        when = f"after update {since}" if since else "at the start"
        a.claim("cycle in words: since when", f"again what they were {when}\n" in a.words, True)
    a.claim("cycle_counts are there after a cycle", info["cycle_counts"] is None, info["stop_reason"] != "cycle")


def _words_of_trace(a: Audit, info: Any, rows: list[int]) -> None:
    """The table and the sentences below it."""
    t, lines = a.table, a.words.split("\n")
    for row, step, line in zip(rows, info["steps"], lines[1:], strict=False):
        cells = re.split(r" {2,}", line.strip())
        a.claim(
            "table: number, pass and point", cells[:3], [str(step["number"]), str(step["pass_number"]), a.places[row]]
        )
        a.claim("table: label", cells[3], "+" if t.signs[row] > 0 else "−")
        a.claim("table: errors after", cells[8], str(step["errors_after"]))
        if "≈" not in line:
            a.claim("table: y·x", numbers(cells[4]), t.signed[row])
            a.claim("table: y·(w·x)", numbers(cells[5]), [step["sign"] * Fraction(step["score"])])
            a.claim("table: η‖x‖²", numbers(cells[6]), [Fraction(step["eta"]) * Fraction(step["norm2"])])
            a.claim("table: w after", numbers(cells[7]), [Fraction(v) for v in step["w"]])
    end = re.match(r"(SEPARATED|NOT SEPARABLE|STOPPED)  ([\d,]+) updates? · ([\d,]+) looks · order (\w+) · (.*)",
                   lines[1 + len(rows)])  # fmt: skip
    word = {"separated": "SEPARATED", "cycle": "NOT SEPARABLE", "max_updates": "STOPPED"}[info["stop_reason"]]
    said = end and [end[1], int(end[2]), int(end[3]), end[4]]
    a.claim("the end in words", said, [word, info["updates"], info["looks"], info["order"]])
    if end and word == "SEPARATED" and "≈" not in end[5]:
        terms = {name: Fraction(v) for name, v in plane_terms(end[5].removesuffix(" = 0")).items() if Fraction(v)}
        weights = zip([*a.known_names, ""], map(Fraction, info["w"]), strict=False)
        a.claim("the plane in words", terms, {name: v for name, v in weights if v})
    left = re.search(r"(\d+) of (\d+) points (?:is|are) not on (?:its|their) own side", a.words)
    if left:
        w = [Fraction(v) for v in info["w"]]
        a.claim("points not on their own side", (int(left[1]), int(left[2])), (counted(t.signed, w)[0], len(t.points)))
    names = [*(f"w{j + 1}" for j in range(len(t.points[0]))), *(["b"] if t.bias else [])]
    for place, line in re.findall(rf"^ +point ({ROW}):  (.*) > 0$", a.words, re.M):
        i = a.at(place)
        a.claim("what a point asks: a row of the file", i is None, False)
        if i is not None and "≈" not in line:
            terms = {name: Fraction(v) for name, v in plane_terms(line).items() if name}
            a.claim("what a point asks", terms, {n: v for n, v in zip(names, t.signed[i], strict=True) if v})
    legend = re.search(r"label \+ is (\S+), − is (\S+)", a.words)
    a.claim("which label is +", [legend[2], legend[1]] if legend else ["-1", "1"], t.classes)


def _csv_of_trace(a: Audit, text: str, info: Any, rows: list[int]) -> None:
    """The table as CSV: the numbers of the JSON, the points as a person calls them."""
    table = list(csv.DictReader(io.StringIO(text)))
    a.claim("CSV: a line for each step", len(table), len(rows))
    names = [*(f"w{j + 1}" for j in range(len(a.table.points[0]))), *(["b"] if a.table.bias else [])]
    for row, step, line in zip(rows, info["steps"], table, strict=False):
        a.claim("CSV: point", line["point"], a.places[row])
        a.claim("CSV: label", line["label"], a.table.labels[row])
        a.claim("CSV: w", [line[name] for name in names], step["w"])
        same = {
            "update": "number",
            "pass": "pass_number",
            "y": "sign",
            "score": "score",
            "errors_after": "errors_after",
        }
        a.claim("CSV: the rest", [line[k] for k in same], [str(step[k]) for k in same.values()])
