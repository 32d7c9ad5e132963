"""The order batch, in `fit`, `trace` and `nv.Perceptron`."""

from __future__ import annotations

import csv
import io
import random
import re
import warnings
from fractions import Fraction
from pathlib import Path
from typing import Any

import novikoff as nv
from commands import novikoff
from oracles.auditor import api
from oracles.auditor.claims import Audit, numbers, plane_terms, sum_is_zero, truth
from oracles.auditor.estimators import as_sorted
from oracles.auditor.fits import KEEPS, PASSES, chosen, claims_of_fit
from oracles.auditor.runs import Played, batch, counted, in_order
from oracles.auditor.traces import MOST, request


def audit_fit(a: Audit, folder: Path, chance: random.Random) -> None:
    """`fit --order batch`."""
    passes, keep = chance.choice([PASSES, 25, 60]), chance.choice(KEEPS)
    a.run(folder, "--max-passes", str(passes), *chosen("--keep", keep), "--order", "batch")
    if a.json is None:
        return
    claims_of_fit(a, "batch")
    n, plane = len(a.table.points), a.json["unscaled"]
    for said, whole in zip([*a.json["w"], a.json["b"]], [*plane["w"], plane["b"]], strict=True):
        a.claim("w is the plane of the run times 1/n", said, whole * (1.0 / n))
    if a.json["random_from"] is None:
        run = in_order("batch", a.table.signed, a.json["looks"], 0)
        a.claim("mistakes", a.json["mistakes"], sum(run.counts))


def audit_perceptron(a: Audit, folder: Path, chance: random.Random) -> None:
    """`nv.Perceptron(order="batch")`."""
    points = api.given(a, folder, chance)
    a.table = t = as_sorted(a.table)
    n, eta = len(t.points), chance.choice([1.0, 1.0, 0.5])
    how: dict[str, Any] = {"order": "batch", "keep": "last", "max_iter": chance.choice([6, 30]), "eta0": eta}
    a.command += f", {how}"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", nv.NotSeparatedWarning)
        clf = nv.Perceptron(fit_intercept=t.bias, **how).fit(*points)
    run = batch(t.signed, clf.n_looks_, Fraction(eta) / n)
    a.claim("passes and updates", (clf.n_iter_, clf.n_updates_), (len(run.passes), len(run.updates)))
    a.claim("how often each point was added", clf.n_mistakes_.tolist(), run.counts)
    size = max(abs(v) for v in (*run.w, Fraction(1)))
    for said, true in zip(t.plane(clf.coef_[0].tolist(), float(clf.intercept_[0])), run.w, strict=True):
        a.claim("w is η/n times the sum of the signed points", abs(Fraction(said) - true) <= size / 10**12, True)
    for k, made in enumerate(run.passes):
        a.claim("history: updates", clf.history_["updates"][k], made.updates)
        a.near(
            "history: loss, n times that of the weights before", clf.history_["loss"][k], made.loss, Fraction(1, 10**9)
        )
    errors = counted(t.signed, run.w)[0]
    a.claim("separated is no error", clf.stop_reason_ == "separated", errors == 0 and run.passes[-1].updates == 0)
    if clf.cycle_counts_ is not None:
        a.claim("cycle_counts_ add up to zero", sum_is_zero(clf.cycle_counts_.tolist(), t.signed), True)
        a.claim("cycle_counts_: no plane separates", truth(t)[0] == "complete", False)


def audit_trace(a: Audit, folder: Path, chance: random.Random) -> None:
    """`trace --order batch`: JSON, words and CSV."""
    _, eta, start = request(a, chance)
    options = ["--order", "batch", "--eta", str(eta), "--max-updates", str(MOST)]
    options += ["--w0", ",".join(map(str, start))] if any(start) else []
    a.run(folder, *options)
    if a.json is None:
        return
    t, info, n = a.table, a.json, len(a.table.points)
    run = batch(t.signed, 10**9, eta / n, start, MOST)
    a.claim(
        "updates, looks and mistakes",
        [info[k] for k in ("updates", "mistakes")],
        [len(info["steps"]), sum(info["counts"])],
    )
    for step, update in zip(info["steps"], run.updates, strict=False):
        _claims_of_step(a, step, update.w, update.looks)
    used = [a.table.of.index(row) for step in info["steps"] for row in step["rows"]]
    a.claim("counts", info["counts"], [used.count(i) for i in range(n)])
    a.claim("eta is η/n", {Fraction(step["eta"]) for step in info["steps"]} <= {eta / n}, True)
    _claims_of_end(a, info, run, start)
    _words_of_trace(a, info)
    table = list(csv.DictReader(io.StringIO(novikoff(*a.command.split(" "), "--csv", "-").out)))
    a.claim("CSV: a line for each update", len(table), info["updates"])
    for line, step in zip(table, info["steps"], strict=False):
        said = line["points"].split(), int(line["mistakes"]), int(line["errors_after"])
        places = [a.places[a.table.of.index(row)] for row in step["rows"]]
        a.claim("CSV: points, mistakes, errors", said, (places, len(places), step["errors_after"]))


def _claims_of_step(a: Audit, step: Any, w: list[Fraction], looks: int) -> None:
    rows = [a.table.of.index(row) for row in step["rows"]]
    total = [sum(column, Fraction(0)) for column in zip(*(a.table.signed[i] for i in rows), strict=True)]
    a.claim("step: the sum of its points", [Fraction(v) for v in step["sum"]], total)
    a.claim("step: w after", [Fraction(v) for v in step["w"]], w)
    a.claim("step: looks", (step["looks"], step["pass_number"]), (looks, looks // len(a.table.points)))
    a.claim("step: errors after", step["errors_after"], counted(a.table.signed, w)[0])


def _claims_of_end(a: Audit, info: Any, run: Played, start: list[Fraction]) -> None:
    w, t = [Fraction(v) for v in info["w"]], a.table
    errors, made = counted(t.signed, w)[0], info["updates"]
    a.claim("w", w, run.updates[made - 1].w if made else start)
    if info["stop_reason"] == "separated":
        a.claim("separated: no errors are left", (errors, made), (0, len(run.updates)))
    elif info["stop_reason"] == "max_updates":
        a.claim("max_updates: as many as allowed, and errors are left", (made, errors > 0), (MOST, True))
    else:
        k = info["cycle_counts"]
        a.claim("cycle: the points add up to zero", (sum_is_zero(k, t.signed), sum(k) > 0), (True, True))
        since = re.search(r"again what they were (?:after update ([\d,]+)|at the start)\n", a.words)
        before = int(since[1] or 0) if since else -1
        a.claim("cycle: the weights are what they were", w, run.updates[before - 1].w if before > 0 else start)
        said = re.search(r"the points added since then, ([\d,]+) in all, sum to zero", a.words)
        a.claim("cycle: points added since then", said and int(said[1]), sum(k))
        later = sum(len(step["rows"]) for step in info["steps"][before:])
        a.claim("cycle: all of them", sum(k), later)


def _words_of_trace(a: Audit, info: Any) -> None:
    lines = a.words.split("\n")
    for step, line in zip(info["steps"], lines[1:], strict=False):
        cells = re.split(r" {2,}", line.strip())
        places = [a.places[a.table.of.index(row)] for row in step["rows"]]
        a.claim(
            "table: number, pass, mistakes",
            cells[:3],
            [str(step["number"]), str(step["pass_number"]), str(len(places))],
        )
        if "…" not in cells[3]:
            a.claim("table: points", cells[3].split(", "), places)
        if "≈" not in line:
            a.claim("table: Σ y·x", numbers(cells[4]), [Fraction(v) for v in step["sum"]])
            a.claim("table: η/n", numbers(cells[5]), [Fraction(step["eta"])])
            a.claim("table: w after", numbers(cells[6]), [Fraction(v) for v in step["w"]])
            a.claim("table: errors after", cells[7], str(step["errors_after"]))
    end = re.match(r"(SEPARATED|NOT SEPARABLE|STOPPED)  ([\d,]+) updates? · ([\d,]+) looks · order batch · (.*)",
                   lines[1 + len(info["steps"])])  # fmt: skip
    word = {"separated": "SEPARATED", "cycle": "NOT SEPARABLE", "max_updates": "STOPPED"}[info["stop_reason"]]
    said = end and [end[1], int(end[2]), int(end[3].replace(",", ""))]
    a.claim("the end in words", said, [word, info["updates"], info["looks"]])
    if end and word == "SEPARATED" and "≈" not in end[4]:
        w, names = [Fraction(v) for v in info["w"]], [*a.known_names, ""]
        terms = {name: Fraction(v) for name, v in plane_terms(end[4].removesuffix(" = 0")).items() if Fraction(v)}
        a.claim("the plane in words", terms, {n: v for n, v in zip(names, w, strict=False) if v})
