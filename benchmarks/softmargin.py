"""How fast is a soft margin solved to a proved gap, against solvers that do not know theirs?

    ours    CPU time of `fit_plane` with the automatic solver until it has proved a relative gap of 1e-3 or 1e-6, the
            proof included; X as it is given, padded bias, one thread
    peers   CPU time of the first run on a ladder of tolerances whose true objective is within 1e-3 or 1e-6 of our lower
            bound; the other runs of the ladder and LIBLINEAR's conversion of the data are not counted

Each of 93 cells is a set, a loss and a C, with penalty l2; 12 further cells have penalty l1 and are not in the
summary. The peer is the best of its cell, and one that does not arrive counts as its time limit. LIBLINEAR comes with
the dependency group `bench`. Cells are kept in the folder of the benchmarks' data as they are measured, so that an
interrupted run continues; delete softmargin-cells.jsonl there to measure again.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterator
from statistics import median
from typing import Any

import numpy as np
import scipy.sparse as sp

from benchmarks import data, softmargin_peers, softmargin_sets as sets
from benchmarks.harness import FULL, Row, Size
from novikoff.softmargin.certified_fit import SoftPlane, fit_plane
from novikoff.softmargin.losses import LOSSES
from novikoff.softmargin.row_products import RowProducts
from novikoff.softmargin.soft_problem import Limits, SoftProblem

COSTS = (0.01, 1.0, 100.0)
GAPS = (1e-3, 1e-6)
TIGHT = 1e-9  # relative gap of the reference
REPEATS = 3
LONG = 1.0  # seconds: a run that takes longer is measured once
CAP, LARGE_CAP = 8.0, 26.0  # seconds of a peer's run
BARS = {1e-3: 0.82, 1e-6: 0.85}  # share of the cells in which ours is faster
Cell = dict[str, Any]


def ask(size: Size) -> Iterator[Row]:
    """Measure the cells that are not kept yet, then report on all of them."""
    found = {}
    for name, loss, C, penalty in cells(size):
        case = f"{name}, {loss}, C = {C:g}" + (", l1" if penalty == "l1" else "")
        reason = sets.why_absent(name)
        if reason:
            yield Row(case, None, "ms", note=reason)
            continue
        cell = measured(name, loss, C, penalty, size)
        if penalty == "l2":
            found[name, loss, C] = cell
        for gap in GAPS:
            ours, (peer, theirs) = cell["ours"][str(gap)], best_peer(cell, gap)
            what = f"{case}, to {gap:g} ({cell['solver']})"
            yield Row(what, ours, "ms", peer, theirs, theirs / ours, "the speed")
    yield from summary(found, size)
    if size == FULL:
        yield from accuracies()


def accuracies() -> Iterator[Row]:
    """The test accuracies of `SoftMargin()` and of scikit-learn's two linear models, all with their defaults."""
    from benchmarks import real, tables
    from benchmarks.defaults import Accuracy

    sums: dict[str, list[float]] = {}
    for name, loader in ({n: one for n, (one, _) in real.SETS.items()} | tables.TABLES).items():
        if reason := real.why_absent(name):
            yield Row(f"{name}: skipped", None, "", note=reason)
            continue
        found = kept(["accuracy", name], lambda one=loader, n=name: _accuracies(one(real.folder() / n)))
        for who, accuracy in found["accuracies"].items():
            sums.setdefault(who, []).append(accuracy)
            if who != "SoftMargin":
                yield Accuracy(f"{name}: SoftMargin()", found["accuracies"]["SoftMargin"], "", who, accuracy)
    for who in list(sums)[1:]:
        theirs = sum(sums[who]) / len(sums[who])
        ours = sum(sums["SoftMargin"]) / len(sums["SoftMargin"])
        yield Accuracy(f"mean of {len(sums[who])} sets: SoftMargin()", ours, "", who, theirs, bar=theirs)


def _accuracies(parts: Any) -> Cell:
    import warnings

    from sklearn.linear_model import LogisticRegression
    from sklearn.svm import LinearSVC

    import novikoff as nv

    found = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for clf in (nv.SoftMargin(), LinearSVC(random_state=0), LogisticRegression()):
            fitted = clf.fit(parts.X, parts.y)
            found[type(clf).__name__] = float(fitted.score(parts.X_test, parts.y_test))
    return {"accuracies": found}


def cells(size: Size) -> Iterator[tuple[str, str, float, str]]:
    """(set, loss, C, penalty) of each cell."""
    for name in sets.SETS if size == FULL else ("higgs_7k", "spambase"):
        for loss in LOSSES:
            yield from ((name, loss, C, "l2") for C in (COSTS if name != "mnist_8" else (1.0,)))
    for name in ("a9a", "spambase", "newsgroups20") if size == FULL else ("spambase",):
        for loss in softmargin_peers.LIBLINEAR_L1:
            yield from ((name, loss, C, "l1") for C in (1.0, 10.0))


def summary(found: dict[Any, Cell], size: Size) -> Iterator[Row]:
    """How many cells are faster, and the geometric mean."""
    for gap in GAPS:
        ratios = [best_peer(cell, gap)[1] / cell["ours"][str(gap)] for cell in found.values()]
        if not ratios:
            continue
        faster = sum(ratio > 1.0 for ratio in ratios) / len(ratios)
        bar = BARS[gap] if size == FULL else None
        what = f"share of {len(ratios)} cells in which ours is faster, to {gap:g}"
        yield Row(what, faster, "", "the best of each cell", 1.0, faster, "the speed", bar)
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        yield Row(f"geometric mean, to {gap:g}", None, "", "the best of each cell", None, mean, "the speed", 2.0)
        pairs = zip(found, ratios, strict=True)
        slow = sorted(f"{'/'.join(map(str, key))} {ratio:.2f}" for key, ratio in pairs if ratio < 1 / 1.5)
        yield Row(f"cells slower than 1.5×, to {gap:g}", float(len(slow)), "", bar=4.0, note=", ".join(slow))


def best_peer(cell: Cell, gap: float) -> tuple[str, float]:
    """The fastest peer of a cell and its seconds; the time limit if none arrives."""
    times = {peer: figures[str(gap)] for peer, figures in cell["peers"].items()}
    arrived = {peer: seconds for peer, seconds in times.items() if seconds is not None}
    if not arrived:
        return "none arrives", cell["cap"]
    peer = min(arrived, key=lambda name: arrived[name])
    return peer, arrived[peer]


def measured(name: str, loss: str, C: float, penalty: str, size: Size) -> Cell:
    """The figures of a cell, kept or measured now; those of a quick run are not kept."""
    if size != FULL:
        return _measure(name, loss, C, penalty)
    key: list[Any] = [name, loss, C] + (["l1"] if penalty == "l1" else [])
    return kept(key, lambda: _measure(name, loss, C, penalty))


def kept(key: list[Any], measure: Callable[[], Cell]) -> Cell:
    """The figures of that key: from the file, or measured now and added to it."""
    path = data.folder() / "softmargin-cells.jsonl"
    for line in path.read_text().splitlines() if path.exists() else ():
        cell: Cell = json.loads(line)
        if cell["key"] == key:
            return cell
    cell = {"key": key, **measure()}
    with path.open("a") as file:
        file.write(json.dumps(cell) + "\n")
    return cell


def _measure(name: str, loss: str, C: float, penalty: str) -> Cell:
    X, y = sets.problem(name)
    cap = LARGE_CAP if name == "mnist_8" else CAP

    def run(gap: float) -> tuple[float, SoftPlane]:
        start = time.process_time()
        rows = (X.data, X.indices, X.indptr) if sp.issparse(X) else X
        problem = SoftProblem(RowProducts(rows, X.shape[1]), y, np.full(y.size, C), LOSSES[loss], l1=penalty == "l1")
        plane = fit_plane(problem, Limits(gap, max_time=60.0))
        return time.process_time() - start, plane

    run(GAPS[0])  # compile
    ours: dict[str, float] = {}
    solver = ""
    for gap in GAPS:
        times: list[float] = []
        while len(times) < REPEATS and not (times and times[-1] > LONG):
            seconds, plane = run(gap)
            times.append(seconds)
        ours[str(gap)], solver = median(times), plane.solver
    reference = run(TIGHT)[1]
    peers = softmargin_peers.times(X, y, loss, C, penalty == "l1", reference.objective - reference.gap, GAPS, cap)
    return {"solver": solver, "ours": ours, "peers": peers, "cap": cap, "objective": reference.objective}
