"""One run, by every way that its points can take: the same mistakes, verdicts and weights, to the last bit.

PROBLEMS × ROUTES: each problem is drawn with a rule, a keep and an order of its own, and judged by a slow twin (exact
signs, each update rounded to binary64). Then it takes some of the routes of `data.routes`, all of them in turn.
"""

from __future__ import annotations

import itertools
import os
import pickle
import platform
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import novikoff as nv
from data.choices import allowed, allowed_for_many
from data.clusters import cluster
from data.files import written
from data.limits import limits
from data.problems import Problem, draws
from data.routes import FORMS, ROUTES, Task, check_routes, facts, proofs
from data.small_sets import fit_quietly
from data.storages import STORAGES, stored_as
from oracles.mixing_twin import in_fractions, rounded as mixed_twin
from oracles.passes import rows_of_pass
from oracles.twins import KINDS, Rounded, near_ties, problem, rounded

pytestmark = pytest.mark.twins
RULES = ("perceptron", "perceptron", "margin", "pa", "pa1", "pa2")
KEEPS = ("last", "pocket", "average", "vote")
ORDERS = ("cyclic", "first", "shuffle", "random", "batch")
Maker = Callable[[np.random.Generator, int], Problem]


# ---- problems


def long(rng: np.random.Generator, k: int) -> Problem:
    """More rows than are scored or queued together; every second one so wide that float32 may be a filter."""
    n, d = int(rng.integers(70, 130)), (66 if k % 2 else int(rng.integers(2, 9)))
    X = rng.standard_normal((n, d)).astype(np.float32).astype(float)
    X[n // 2 :] = np.roll(-X[: n - n // 2], 1, axis=0)
    X[rng.random((n, d)) < 0.3] = 0.0
    y = np.where(X @ rng.standard_normal(d) + 0.3 * rng.standard_normal(n) > 0, 1.0, -1.0)
    return Problem("long", X, y, bool(k // 2 % 2))


def wide_near_ties(rng: np.random.Generator, k: int) -> Problem:
    """Near ties among 70 columns, most of them zero."""
    p = near_ties(rng)
    X = np.zeros((len(p.X), 70))
    X[:, np.sort(rng.choice(70, p.X.shape[1], replace=False))] = p.X
    return Problem(f"wide {p.kind}", X, p.y, p.fit_intercept)


def whole_near_ties(rng: np.random.Generator, k: int) -> Problem:
    """Whole a, b of 30 bits: after the first row w = (a, b, 1), and (b + r, −a, δ − r·a) scores δ = −1, 0 or 1."""
    a, b = (int(v) | 1 for v in rng.integers(2**29, 2**30, 2))
    shifts = rng.integers(-4, 5, 11).tolist()
    rows = [[a, b, 1]] + [[b + r, -a, int(rng.integers(-1, 2)) - r * a] for r in shifts]
    return Problem("whole", np.array(rows, float), np.array([1.0, -1.0, *rng.choice([-1.0, 1.0], 10)]), False)


def small_whole(rng: np.random.Generator, k: int) -> Problem:
    """Whole numbers that every type holds."""
    X = rng.integers(0, 2 if k % 3 == 0 else 5, (int(rng.integers(8, 30)), 4)).astype(float)
    X[0] = 1.0
    return Problem("small", X, np.where(rng.permutation(len(X)) % 2, 1.0, -1.0), bool(k % 2))


FAMILIES: dict[str, Maker] = {
    "random": lambda rng, k: problem(list(KINDS)[k % len(KINDS)], rng),
    "near ties": lambda rng, k: near_ties(rng),
    "wide near ties": wide_near_ties,
    "whole near ties": whole_near_ties,
    "small": small_whole,
    "long": long,
}
MANY = {"random": 40, "near ties": 40, "wide near ties": 16, "whole near ties": 10, "small": 20, "long": 4}


def tame(p: Problem) -> bool:
    """Numbers whose squares and quotients stay in the range of binary64: what passive-aggressive steps need."""
    size = np.abs(p.X[p.X != 0])
    return not size.size or (size.max() < 1e60 and size.min() > 1e-60)


def drawn(p: Problem, order: str, k: int, rng: np.random.Generator) -> tuple[Task, Rounded]:
    """A run with chance in all but its order, and the twin's."""
    keep, rule = KEEPS[k % 4], RULES[int(rng.integers(6))]
    rule = rule if allowed(order, keep, rule) and tame(p) else "perceptron"
    keep = keep if allowed(order, keep, rule) else "last"
    d, passes = p.X.shape[1], int(rng.integers(1, 7))
    eta, C, threshold = (float(rng.choice([1.0, 0.1, 3.0])) for _ in range(3))
    more: dict[str, Any] = {"max_updates": int(rng.integers(1, 20))} if rng.random() < 0.2 else {}
    start = (
        rng.integers(-3, 4, d + 1).astype(float) if rng.random() < 0.25 and rule == "perceptron" else np.zeros(d + 1)
    )
    start[-1] *= p.fit_intercept
    schedule = (lambda j: 1.0 / j) if rng.random() < 0.1 and rule == "perceptron" else None
    seed = int(rng.integers(1000))
    how = {"rule": rule, "keep": keep, "order": order, "eta0": eta, "C": C, "threshold": threshold, "max_iter": passes}
    how |= {"fit_intercept": p.fit_intercept, "random_state": seed, "train_patience": None} | more
    how |= {"schedule": "inverse"} if schedule else {}
    given = {"coef_init": start[:-1]} | ({"intercept_init": start[-1]} if p.fit_intercept else {})
    twin = rounded(
        p.X, p.y.tolist(), order=order, seed=seed, fit_intercept=p.fit_intercept, eta0=eta, w0=start[:-1].tolist(),
        b0=start[-1], passes=passes, keep=keep, schedule=schedule, cycles=True, rule=rule, threshold=threshold, C=C,
        draw_seed=seed, **more,
    )  # fmt: skip
    return Task(p.X, p.y.astype(int), how, given if start.any() else {}), twin


def of_family(family: str, order: str, many: int) -> Iterator[tuple[int, Task, Rounded]]:
    """The runs of one family and order: the same ones in every run of the tests."""
    rng = np.random.default_rng(zlib.crc32(f"{family} {order}".encode()))
    for k in range(many):
        yield k, *drawn(FAMILIES[family](rng, k), order, k, rng)


def in_turn(*where: str) -> Iterator[str]:
    """The names of all routes again and again, from a place of its own for each test."""
    names = list(ROUTES)
    at = zlib.crc32(" ".join(where).encode()) % len(names)
    return itertools.cycle(names[at:] + names[:at])


# ---- two classes, against the rounded twin


def bits(plane: Any) -> tuple[bytes, bytes]:
    w, b = plane
    return np.array(w, float).tobytes(), np.array([b], float).tobytes()


def check_twin(task: Task, twin: Rounded, clf: nv.Perceptron) -> None:
    """Mistakes, looks, stop, history and every bit of the returned weights are the twin's."""
    keep, n = task.how["keep"], len(task.y)
    assert (clf.stop_reason_, clf.n_looks_, clf.n_iter_) == (twin.stop, twin.looks, twin.passes)
    assert clf.n_mistakes_.tolist() == np.bincount(twin.rows, minlength=n).tolist()
    assert clf.n_updates_ == len(twin.votes) - 1
    assert (None if clf.cycle_counts_ is None else clf.cycle_counts_.tolist()) == twin.cycle_counts
    pocket = twin.pockets[-1][0] if keep == "pocket" else None
    returned = pocket or (twin.average if keep == "average" and twin.average else (twin.w, twin.b))
    assert (clf.coef_[0].tobytes(), clf.intercept_.tobytes()) == bits(returned)
    if keep == "pocket":
        assert clf.history_["pocket_errors"] == [errors for _, errors in twin.pockets]
    if task.how["order"] != "batch":
        passes = (np.array(twin.at_looks, int) - 1) // n
        assert clf.history_["updates"] == np.bincount(passes, minlength=len(clf.history_["pass"])).tolist()
    if keep == "vote" and len(twin.rows) < 12 and task.how["eta0"] == 1.0:  # another rate rounds every vector
        assert clf.decision_function(task.X).tolist() == votes(task, twin)


def votes(task: Task, twin: Rounded) -> list[int]:
    """Σ looks that a vector lasted · the exact side on which it has the row."""
    found = []
    for x in task.X.tolist():
        padded = [*map(Fraction, x), Fraction(int(task.how["fit_intercept"]))]
        sides = (sum(Fraction(a) * v for a, v in zip((*w, b), padded, strict=True)) for (w, b), _ in twin.votes)
        found.append(sum(n * ((s > 0) - (s < 0)) for (_, n), s in zip(twin.votes, sides, strict=True)))
    return found


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("order", ORDERS)
def test_a_run_is_that_of_the_rounded_twin_by_every_route(order: str, family: str, tmp_path: Path) -> None:
    names = in_turn(order, family)
    for k, task, twin in of_family(family, order, draws(MANY[family])):
        clf = task.fit()
        if clf.stop_reason_ == "rounding":  # the weights came back by rounding: the run may end, and claims nothing
            seen = [vector for vector, _ in twin.votes]
            assert len(set(seen)) < len(seen) or twin.stop != "separated"
        else:
            try:
                check_twin(task, twin, clf)
            except AssertionError as error:
                error.add_note(f"{family} {k}: {task.how} {task.given}")
                raise
        check_routes(task, facts(clf, task.X), [next(names) for _ in range(7)], tmp_path)


@pytest.mark.parametrize("exponent", [-560, -300, 300])
def test_rates_far_from_one(exponent: int) -> None:
    """A rate of 2^±300 or less from a start that is not zero: the bound on |w| must not underflow, nor overflow."""
    rng = np.random.default_rng(21)
    up = 440 if exponent < 0 else -300
    for k in range(draws(120)):
        p = near_ties(rng)
        if p.fit_intercept or "scaled" in p.kind or p.kind in ("subnormals", "against_tiny_weights"):
            continue
        X, order, keep = np.ldexp(p.X, up), ORDERS[k % 4], KEEPS[k % 3]
        start = [2.0 ** (exponent + up - 80), *[0.0] * (X.shape[1] - 1)]  # lost in the first update
        more = {"order": order, "eta0": 2.0**exponent, "keep": keep, "fit_intercept": False}
        twin = rounded(X, p.y.tolist(), seed=k, passes=5, cycles=True, w0=start, draw_seed=k, **more)
        how = more | {"max_iter": 5, "random_state": k, "train_patience": None}
        task = Task(X, p.y.astype(int), how, {"coef_init": start})
        clf = task.fit()
        if clf.stop_reason_ != "rounding":
            check_twin(task, twin, clf)


def test_the_run_in_fractions_agrees_where_no_update_rounds() -> None:
    """The lecture's run makes the same mistakes at the same looks, and its weights are those of the fit."""
    rng, met = np.random.default_rng(2), set()
    for k in range(120):
        p = small_whole(rng, k) if k % 2 else problem(("quarters", "small_integers", "zeros_and_ones")[k % 3], rng)
        order, y = ORDERS[k % 5], p.y.astype(int)
        how = {"order": order, "fit_intercept": p.fit_intercept, "eta0": 0.5}
        exact = nv.trace(p.X, y, seed=k, max_updates=60, **how)
        if exact.stop_reason not in ("separated", "cycle") or exact.n_looks > 19 * len(y):
            continue
        clf = fit_quietly(nv.Perceptron(keep="last", random_state=k, max_iter=20, train_patience=None, **how), p.X, y)
        met.add((order, exact.stop_reason))
        assert (clf.stop_reason_, clf.n_looks_) == (exact.stop_reason, exact.n_looks)
        assert clf.n_updates_ == len(exact.steps)
        assert clf.n_mistakes_.tolist() == list(exact.counts)
        w = np.append(clf.coef_, clf.intercept_)[: len(exact.w)]
        assert w == pytest.approx(np.array(exact.w, float), rel=1e-12 if order == "batch" else 0, abs=0)
    assert {order for order, _ in met} == set(ORDERS)
    assert {reason for _, reason in met} == {"separated", "cycle"}


# ---- several classes


def classes_of(rng: np.random.Generator, k: int, many: int) -> tuple[np.ndarray, np.ndarray]:
    """Whole numbers or numbers of float32; labels by chance, or by the highest of as many scores."""
    n, d = int(rng.integers(10, 60)), (66 if k % 5 == 4 else int(rng.integers(1, 7)))
    whole, real = rng.integers(-3, 4, (n, d)), rng.standard_normal((n, d)).astype(np.float32)
    X = (whole if k % 2 else real).astype(float)
    y = rng.integers(0, many, n) if k % 3 else np.argmax(X @ rng.standard_normal((d, many)), axis=1)
    X[0], y[:many] = 1.0, np.arange(many)
    return X, y


SCHEMES = [(s, k, r) for s in ("ova", "ovo", "joint") for k in KEEPS for r in RULES[1:] if allowed_for_many(s, k, r)]


@pytest.mark.parametrize(("scheme", "keep", "rule"), SCHEMES)
def test_Z15_every_plane_is_a_run_of_its_own_by_every_route(scheme: str, keep: str, rule: str, tmp_path: Path) -> None:
    """One-vs-all equals c binary runs of the twin, one-vs-one c(c−1)/2; joint planes are those of Kesler."""
    rng = np.random.default_rng(zlib.crc32(f"{scheme} {keep} {rule}".encode()))
    names, compared = in_turn(scheme, keep, rule), 0
    for k in range(draws(6)):
        many = int(rng.integers(3, 6))
        X, y = classes_of(rng, k, many)
        bias, passes, order = bool(k % 2), int(rng.integers(1, 6)), ORDERS[(0, 2, 3)[k % 3]]
        how = {"multi_class": scheme, "keep": keep, "rule": rule, "order": order, "max_iter": passes, "eta0": 0.5}
        task = Task(X, y, how | {"fit_intercept": bias, "random_state": k, "train_patience": None, "C": 0.3})
        clf = task.fit()
        check_routes(task, facts(clf, X), [next(names) for _ in range(7)], tmp_path)
        if scheme == "joint":
            compared += check_kesler(task, clf) if k % 2 and order == "cyclic" and keep == "last" else 1
            continue
        pairs = [(b, a) for a, b in itertools.combinations(range(many), 2)]  # the higher class is the positive one
        pairs = pairs if scheme == "ovo" else [(a, None) for a in range(many)]
        for plane, (a, b) in enumerate(pairs):
            part = np.full(len(y), True) if b is None else (y == a) | (y == b)
            if order != "cyclic" or keep == "pocket":  # the pocket of all planes counts their predictions together
                continue
            twin = rounded(
                X[part], np.where(y[part] == a, 1, -1).tolist(), fit_intercept=bias, eta0=0.5, passes=passes,
                keep=keep, rule=rule, C=0.3, cycles=False,
            )  # fmt: skip
            wanted = bits(twin.average if keep == "average" else (twin.w, twin.b))
            assert (clf.coef_[plane].tobytes(), clf.intercept_[[plane]].tobytes()) == wanted, (k, plane)
            compared += 1
        if keep == "pocket":
            errors = clf.history_["pocket_errors"]
            assert errors == sorted(errors, reverse=True)
            assert errors[-1] == int((clf.predict(X) != y).sum())
            compared += 1
    assert compared


def check_kesler(task: Task, clf: nv.Perceptron) -> int:
    """Kesler's construction in whole numbers: the class's plane, and that of the highest rival."""
    pad = [1] if task.how["fit_intercept"] else [0]
    Z, many = [[int(v) for v in x] + pad for x in task.X], len(clf.classes_)
    W, updates = [[0] * len(Z[0]) for _ in range(many)], 0
    for _ in range(clf.n_iter_):
        for z, a in zip(Z, task.y.tolist(), strict=True):
            scores = [sum(w * v for w, v in zip(plane, z, strict=True)) for plane in W]
            rival = max((c for c in range(many) if c != a), key=lambda c: (scores[c], -c))
            if scores[a] <= scores[rival]:
                W[a] = [w + v for w, v in zip(W[a], z, strict=True)]
                W[rival] = [w - v for w, v in zip(W[rival], z, strict=True)]
                updates += 1
    assert (np.column_stack([clf.coef_, clf.intercept_]) / task.how["eta0"]).tolist() == W
    assert clf.n_updates_ == updates
    return 1


# ---- runs with default parameters, which ask whether a plane separates the points, and mixing


def hard(classes: int, separable: bool) -> tuple[np.ndarray, np.ndarray]:
    """Classes one above the other that pairs of planes separate, but no perceptron in twenty passes; or nearly so."""
    rng, y = np.random.default_rng(classes), np.arange(60) % classes
    wide = np.round(rng.standard_normal((60, 3)) * 1e4)
    return np.column_stack([wide, np.round(60 * y + rng.uniform(-1, 1, 60) * (10 if separable else 90))]), y


WHOLE_RUNS: dict[str, dict[str, Any]] = {
    "defaults": {},
    "one-vs-all": {"multi_class": "ova"},
    "pocket": {"keep": "pocket", "max_iter": 40},
    "balanced": {"class_weight": "balanced", "max_iter": 40},
    "held out": {"early_stopping": True, "random_state": 4, "max_iter": 30},
    "patience": {"train_patience": 3, "keep": "last"},
    "known margin": {"known_margin": 0.25, "max_iter": 12, "multi_class": "ova"},
    "mixing": {"mix": True, "partitions": 5, "max_iter": 13, "order": "shuffle", "random_state": 2},
    "mixing pocket": {"mix": True, "partitions": 3, "max_iter": 9, "keep": "pocket"},
}


@pytest.mark.parametrize("separable", [True, False])
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("label", WHOLE_RUNS)
def test_whole_runs_and_their_verdicts_are_the_same_by_every_route(
    label: str, classes: int, separable: bool, tmp_path: Path
) -> None:
    X, y = hard(classes, separable)
    task = Task(X, y, WHOLE_RUNS[label])
    if classes == 3 and label == "known margin":
        task = Task(X, np.minimum(y, 1), WHOLE_RUNS[label])
    clf = task.fit()
    if label == "defaults":
        assert clf.stop_reason_ == ("separable" if separable else "not_separable")
    names = [name for name in ROUTES if not (name == "resumed" and "mix" in task.how)]
    half = (classes + separable) % 2  # of two classes and of three, separable and not: each route twice
    assert len(check_routes(task, facts(clf, X), names[half::2], tmp_path)) > 20


@pytest.mark.compiled
def test_the_workers_of_a_cluster_give_the_same_runs(tmp_path: Path) -> None:
    with cluster(2) as client, nv.engine("dask", client) as engine:
        for label, classes in (("mixing", 3), ("mixing pocket", 2)):
            X, y = hard(classes, False)
            task = Task(X, y, WHOLE_RUNS[label])
            on_cluster = Task(X, y, task.how | {"engine": engine})
            assert facts(on_cluster.fit(), X) == facts(task.fit(), X), label
        for separable in (True, False):
            X, y = hard(2, separable)
            assert proofs(nv.decide(X, y, engine=engine)) == proofs(nv.decide(X, y))


@pytest.mark.parametrize("separable", [True, False])
def test_a_decision_and_its_certificate_are_the_same_by_every_route(separable: bool, tmp_path: Path) -> None:
    """Storages, files and engines: the same digest of the data, the same proof, and each verifies the other's."""
    X, y = hard(2, separable)
    wanted = nv.decide(X, y)
    record = wanted.certificate().record()
    rows: dict[str, Any] = {name: stored_as(name, X) for name in STORAGES}
    for name, stored in rows.items():
        if stored is not None:
            with limits(block=16):
                assert nv.decide(stored, y).certificate().record() == record, name
                assert nv.verify(wanted.certificate().record(), stored, y) == wanted.kind, name
    for form, memory in itertools.product(FORMS, (None, "1")):
        points = nv.read(written(tmp_path, form, X, y), memory=memory)
        assert nv.decide(points).certificate().record() == record, form
    for kind, workers, numbers in itertools.product(("serial", "threads"), (1, 3), (1, 50, 10**9)):
        with nv.engine(kind, workers) as engine, limits(partition=numbers):
            assert nv.decide(X, y, engine=engine).certificate().record() == record
            assert nv.verify(wanted.certificate().record(), X, y, engine=engine) == wanted.kind
            if separable:
                assert str(nv.margin(X, y, engine=engine).padded.gamma2) == str(nv.margin(X, y).padded.gamma2)


def test_a_round_of_mixing_is_the_mean_of_passes_over_the_partitions() -> None:
    """As the references in fractions and in binary64 have it: start, rate, class weights, bias, shuffled rows."""
    for seed in range(8):
        rng = np.random.default_rng(seed)
        X = rng.integers(-3, 4, (24, 3)).astype(float) if seed % 2 else rng.normal(size=(24, 3))
        y = np.where(X @ rng.normal(size=3) + 0.3 * rng.normal(size=24) > 0, 1, -1)
        parts = (1, 2, 3, 7)[seed % 4]
        y = [1, -1, *y[2:].tolist()]

        def rows(number: int, part: int, size: int, seed: int = seed) -> Any:
            return rows_of_pass("shuffle", size, seed, number, part)

        how: dict[str, Any] = {"mix": True, "partitions": parts, "keep": "last", "max_iter": 12}
        how |= {"train_patience": None, "order": "cyclic", "random_state": seed}
        for more, twin in (
            ({}, mixed_twin(X, y, parts, 12)),
            ({"order": "shuffle"}, mixed_twin(X, y, parts, 12, order=rows)),
            ({"fit_intercept": False}, mixed_twin(X, y, parts, 12, bias=False)),
            ({"class_weight": {-1: 0.3, 1: 2.0}}, mixed_twin(X, y, parts, 12, factors=(0.3, 2.0))),
        ):
            clf = fit_quietly(nv.Perceptron(**how | more), X, y)
            assert [*clf.coef_[0].tolist(), clf.intercept_[0]] == twin.w[:4], more
            assert (clf.n_iter_, clf.n_updates_) == (len(twin.updates), twin.total)
            assert clf.n_mistakes_.tolist() == np.sum(twin.updates, axis=0).tolist()
        start = [0.25 * k for k in range(4)]
        clf = nv.Perceptron(**how | {"eta0": 0.5})
        clf = fit_quietly(clf, X, y, coef_init=start[:-1], intercept_init=start[-1])
        assert [*clf.coef_[0].tolist(), clf.intercept_[0]] == mixed_twin(X, y, parts, 12, start=start, eta=0.5).w
        if seed % 2:
            paper = in_fractions(X.astype(int).tolist(), y, parts, 12, start=start, eta=Fraction(1, 2))
            assert [Fraction(v) for v in [*clf.coef_[0].tolist(), clf.intercept_[0]]] == [parts * v for v in paper.w]


# ---- streams


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("keep", ["auto", "last", "average", "pocket"])
def test_R2_a_stream_is_one_pass_whatever_its_chunks(keep: str, classes: int) -> None:
    """Chunks of 1, 7 and 1000 rows, of any storage, pickled on the way, give what one pass of fit gives."""
    rng, names = np.random.default_rng(classes), itertools.cycle(STORAGES)
    for k in range(draws(24)):
        X, y = classes_of(rng, k, classes)
        rule, scheme = RULES[k % 6], ("ova", "ovo", "joint")[k % 3]
        scheme = scheme if allowed_for_many(scheme, keep, rule) else "ova"
        how = {"keep": keep, "rule": rule, "multi_class": scheme, "max_iter": 1, "order": "cyclic"}
        whole = nv.Perceptron(**how).partial_fit(X, y, classes=np.unique(y))
        wanted = (whole.coef_.tobytes(), whole.intercept_.tobytes(), whole.n_mistakes_.tolist(), whole.n_looks_)
        if keep in ("last", "average"):
            one = fit_quietly(nv.Perceptron(**how), X, y)
            found = (one.coef_.tobytes(), one.intercept_.tobytes(), one.n_mistakes_.sum(), one.n_looks_)
            ended = one.stop_reason_ in ("cycle", "rounding")  # a stream goes on
            assert ended or found == (*wanted[:2], sum(wanted[2]), wanted[3])
        for size in (1, 7, 1000):
            clf = nv.Perceptron(**how)
            for lo in range(0, len(y), size):
                rows = stored_as(next(names), X[lo : lo + size])
                rows = X[lo : lo + size] if rows is None or hasattr(rows, "columns") else rows
                clf.partial_fit(rows, y[lo : lo + size], classes=np.unique(y))
                clf = pickle.loads(pickle.dumps(clf)) if k % 3 == 0 else clf
            found = (clf.coef_.tobytes(), clf.intercept_.tobytes(), clf.n_mistakes_.tolist(), clf.n_looks_)
            assert found == wanted, (size, how)


# ---- other machines


NEEDED = {"Nehalem": {"sse4_2"}, "Haswell": {"avx2", "fma"}, "SkylakeX": {"avx512f", "avx512dq", "avx512vl"}}
MACHINES = {name: {"OPENBLAS_CORETYPE": name} for name in NEEDED}
MACHINES["no AVX"] = {"NPY_DISABLE_CPU_FEATURES": "AVX2 FMA3 AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL"}
MACHINES["generic"] = {"NUMBA_CPU_NAME": "generic"}


def features() -> set[str]:
    """What this CPU has; nothing where that is not known."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    return {word for line in lines[:60] if line.startswith("flags") for word in line.split()}


@pytest.mark.compiled
@pytest.mark.parametrize("machine", MACHINES)
def test_the_recorded_runs_are_the_same_on_every_cpu(machine: str) -> None:
    """A process made to work as another CPU would repeats the runs whose sums round, with compiled kernels.

    Of the generic CPU, for which every kernel is compiled, a third of them: `make stress` runs the twins on it.
    """
    if platform.machine() not in ("x86_64", "AMD64"):
        pytest.skip("the names of CPUs are those of x86-64")
    if not NEEDED.get(machine, set()) <= features():
        pytest.skip(f"this CPU cannot run the kernels of {machine}")
    part, many = ("rounding/long/", 40) if machine == "generic" else ("rounding/", 80)
    command = [sys.executable, "-W", "ignore", "-m", "corpus", "compare", part, "--compiled"]
    found = subprocess.run(
        command, env=os.environ | MACHINES[machine], cwd=Path(__file__).parents[1], capture_output=True, text=True
    )
    lines = found.stdout.splitlines()
    assert found.returncode == 0, found.stderr
    assert lines[:-1] == []
    assert int(lines[-1].split()[0]) >= many
