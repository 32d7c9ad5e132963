"""The runs of the corpus: a name and a function that gives what is recorded."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np

import novikoff as nv
from commands import novikoff
from corpus.facts import Facts, Told, digest, recorded, refusal, same, scores, written
from corpus.inputs import BINARY, LEARNING, ROUNDING, SETS, STORAGES, listed, write_files
from corpus.wider_runs import wider_runs
from data.choices import allowed_for_many

RULES = ("perceptron", "margin", "pa", "pa1", "pa2")
KEEPS = ("last", "pocket", "average", "vote")
ORDERS = ("cyclic", "first", "shuffle", "random")
SCHEMES = (("ova", "vote"), ("ovo", "vote"), ("ovo", "sum"), ("joint", "vote"))
EXPLICIT = {
    "eta0": 1.0,
    "fit_intercept": True,
    "max_iter": 6,
    "max_updates": None,
    "max_time": None,
    "train_patience": None,
    "early_stopping": False,
    "validation_fraction": 0.1,
    "valid_patience": 5,
    "multi_class": "ova",
    "ovo": "vote",
    "C": 0.75,
    "threshold": 1.0,
    "schedule": "constant",
    "known_margin": None,
    "class_weight": None,
    "warm_start": False,
    "random_state": 3,
    "tie": "negative",
    "verbose": 0,
    "engine": None,
}


def fitted(folder: Path, name: str, storage: str, parameters: Facts) -> Facts:
    """What a fitted estimator says, predicts and stores."""
    X, y = (SETS | ROUNDING)[name]
    try:
        clf = nv.Perceptron(**EXPLICIT | parameters).fit(STORAGES[storage](X), y)
    except nv.InputError as error:
        return refusal(error)
    attributes = (
        "coef_",
        "intercept_",
        "classes_",
        "n_updates_",
        "n_looks_",
        "n_iter_",
        "stop_reason_",
        "cycle_counts_",
        "mistake_bound_",
        "random_from_",
        "n_mistakes_",
    )
    facts = {key: getattr(clf, key) for key in attributes if hasattr(clf, key)}
    history = {key: list(value) for key, value in clf.history_.items()}
    facts["history_"] = {key: value for key, value in history.items() if key not in ("seconds", "loss", "norm")}
    facts |= {"predict": clf.predict(X)} | scores(clf, X)
    nv.save(clf, folder / "model.nvk")
    loaded = nv.load(folder / "model.nvk")
    facts["changed by saving"] = [name for name in attributes if not same(clf, loaded, name)]
    return facts | {"predict of the file": bool(np.array_equal(loaded.predict(X), facts["predict"]))}


def certified(folder: Path, name: str, fit_intercept: bool) -> Facts:
    """The verdict of points with two classes, its certificate and what can be asked about it."""
    X, y = (SETS | ROUNDING)[name]
    verdict = nv.decide(X, y, fit_intercept=fit_intercept)
    verdict.save(folder / "proof.json")
    facts = {
        key: getattr(verdict, key) for key in ("separable", "kind", "how", "n", "d", "w", "b", "support", "weights")
    }
    facts["verified"] = str(nv.verify(folder / "proof.json", X, y))
    separation = nv.separation(X, y, fit_intercept=fit_intercept)
    facts["separation"] = separation.to_dict()
    if not verdict.separable:
        found = None if len(y) > 20 else nv.removal(X, y, fit_intercept=fit_intercept)  # too many rows for it
        return facts if found is None else facts | {"removal": list(found.rows)}
    margin = nv.margin(X, y, fit_intercept=fit_intercept)
    margin.save(folder / "margin.json")
    facts["verified margin"] = str(nv.verify(folder / "margin.json", X, y))
    return facts | {
        "gamma": [margin.geometric.gamma, margin.padded.gamma],
        "bound": margin.mistake_bound,
    }


def traced(folder: Path, name: str, order: str, schedule: str) -> Facts:
    """A run in fractions."""
    trace = nv.trace(*SETS[name], order=order, schedule=schedule, max_updates=40, seed=1)
    return {
        "stop_reason": trace.stop_reason,
        "looks": trace.n_looks,
        "w": [str(v) for v in trace.w],
        "steps": trace.to_dict(),
    }


def command(folder: Path, *words: str) -> Facts:
    """A command: its exit code, its JSON or its text if that is no prose, and the files that it wrote."""
    before = set(folder.iterdir())
    done = novikoff(*words)
    facts: Facts = {"exit": done.code}
    if done.code not in (0, 1):  # else progress is on stderr, which depends on time
        facts["error"] = Told(done.err)
    if "--json" in words and done.out:
        facts["json"] = done.json
    elif words[0] == "predict":
        facts["out"] = digest(done.out.encode())
    facts |= {path.name: written(path) for path in sorted(folder.iterdir()) if path not in before}
    return facts


def commands(folder: Path, steps: Sequence[str]) -> Facts:
    """Commands one after the other in the same folder."""
    facts: Facts = {}
    for k, words in enumerate(steps):
        facts[f"{k} {words.split()[0]}"] = command(folder, *words.split())
    return facts


def runs() -> Iterator[tuple[str, Callable[[Path], Facts]]]:
    """Every run of the corpus with its name."""
    yield from _fits()
    yield from _rounding()
    for name in BINARY:
        for intercept in (True, False):
            yield f"prove/{name}/{intercept}", partial(certified, name=name, fit_intercept=intercept)
        for order in ("cyclic", "first", "shuffle"):
            yield f"trace/{name}/{order}", partial(traced, name=name, order=order, schedule="constant")
    yield "trace/few/inverse", partial(traced, name="few", order="cyclic", schedule="inverse")
    yield from _commands()
    yield from wider_runs()


def _fits() -> Iterator[tuple[str, Callable[[Path], Facts]]]:
    for k, rule in enumerate(RULES):
        for order in ORDERS:
            for j, keep in enumerate(KEEPS):
                name, how = ("noisy", "separable", "ties")[(j + k) % 3], {"rule": rule, "order": order, "keep": keep}
                storage = list(STORAGES)[(3 * j + k) % len(STORAGES)] if keep != "vote" else "C"
                yield f"fit/{rule}/{order}/{keep}", partial(fitted, name=name, storage=storage, parameters=how)
    for scheme, ovo in SCHEMES:
        for j, keep in enumerate(KEEPS):
            for k, rule in enumerate(RULES):
                if not allowed_for_many(scheme, keep, rule):
                    continue
                name, order = ("three", "three-noisy")[k % 2], ORDERS[(0, 2, 0, 2, j)[k]]
                how = {"multi_class": scheme, "ovo": ovo, "keep": keep, "order": order, "rule": rule}
                yield f"fit/{scheme}-{ovo}/{rule}/{keep}", partial(fitted, name=name, storage="C", parameters=how)
    for storage in STORAGES:
        for keep in ("pocket", "average"):
            how = {"rule": "perceptron", "order": "cyclic", "keep": keep}
            yield f"fit/storage/{storage}/{keep}", partial(fitted, name="noisy", storage=storage, parameters=how)
            yield f"fit/storage/{storage}/three/{keep}", partial(fitted, name="three", storage=storage, parameters=how)
    others: dict[str, Facts] = {
        "no intercept": {"fit_intercept": False},
        "eta": {"eta0": 0.3},
        "inverse": {"schedule": "inverse"},
        "inverse-sqrt": {"schedule": "inverse-sqrt"},
        "weights": {"class_weight": {0: 0.25, 1: 2.0}},
        "balanced": {"class_weight": "balanced"},
        "margin known": {"known_margin": 0.5},
        "early": {"early_stopping": True, "validation_fraction": 0.2, "valid_patience": 2, "max_iter": 30},
        "updates": {"max_updates": 7},
        "patience": {"train_patience": 3, "max_iter": 60},
        "auto": {"train_patience": "auto", "max_iter": 200},
        "positive tie": {"tie": "positive"},
        "long": {"max_iter": 400},
    }
    for label, how in others.items():
        for keep in ("last", "pocket"):
            choices = {"rule": "perceptron", "order": "cyclic", "keep": keep} | how
            yield f"fit/{label}/{keep}", partial(fitted, name="noisy", storage="C", parameters=choices)


def _rounding() -> Iterator[tuple[str, Callable[[Path], Facts]]]:
    """Runs nearly all of whose sums round: those that another CPU would change first."""
    storages = ("C", "float32", "CSR", "F")
    for k, (rule, keep, order) in enumerate(product(RULES, KEEPS, ORDERS)):
        weights = {0: 0.3, 1: 1.7} if k % 3 == 0 else None
        how = {"rule": rule, "keep": keep, "order": order, "class_weight": weights, "eta0": 0.3}
        name, storage = ("long", "long-wide")[k % 2], storages[k // 2 % 4]
        yield f"rounding/{name}/{rule}/{keep}/{order}", partial(fitted, name=name, storage=storage, parameters=how)
    for k, (scheme, keep, rule) in enumerate(product(("ova", "ovo", "joint"), KEEPS, RULES)):
        if allowed_for_many(scheme, keep, rule):
            how = {"multi_class": scheme, "keep": keep, "rule": rule, "order": ORDERS[(0, 2)[k % 2]]}
            run = partial(fitted, name="long-four", storage=storages[k % 4], parameters=how)
            yield f"rounding/long-four/{scheme}/{rule}/{keep}", run
    for name, intercept in product(("long", "long-wide"), (True, False)):
        yield f"rounding/prove/{name}/{intercept}", partial(certified, name=name, fit_intercept=intercept)


def _commands() -> Iterator[tuple[str, Callable[[Path], Facts]]]:
    for kind in ("csv", "tsv", "svm", "svm.gz", "csv.gz", "npz", "parquet", "arrow"):
        for name in ("noisy", "separable", "three"):
            file = f"{name}.{kind}"
            steps = [
                f"fit {file} {LEARNING} --json -o m.nvk",
                f"predict m.nvk {file} --scores",
                f"evaluate m.nvk {file} --json",
                "explain m.nvk --json",
                f"explain m.nvk {file} --row 3 --json",
                f"certify {file} --json" + ("" if name == "three" else " -o p.json"),
            ]
            if name != "three":
                steps += [f"verify p.json {file} --json", f"separation {file} --json", f"margin {file} --json"]
                steps += [f"trace {file} --max-updates 30 --json"]
            yield f"format/{file}", partial(commands, steps=steps)
        for target in ("csv", "svm", "npz"):
            steps = [f"convert few.{kind} o.{target}", f"fit o.{target} {LEARNING} --json"]
            yield f"convert/{kind}/{target}", partial(commands, steps=steps)
    for line in listed("command"):
        name, _, steps = line.partition(": ")
        yield name, partial(commands, steps=steps.split(" ; "))


@contextlib.contextmanager
def inside(folder: Path) -> Iterator[None]:
    """Relative names are those of this folder."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def results(pattern: str = "", part: int = 0, parts: int = 1) -> Iterator[tuple[str, Facts]]:
    """Every run whose name has this in it, or one of several parts of them, with what is recorded of it."""
    with tempfile.TemporaryDirectory() as where, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        files = Path(where) / "files"
        files.mkdir()
        write_files(files)
        chosen = [(name, run) for name, run in runs() if pattern in name]
        for k, (name, run) in enumerate(chosen[part::parts]):
            folder = Path(where) / str(k)
            shutil.copytree(files, folder)
            with inside(folder):
                yield name, recorded(run(folder))
            shutil.rmtree(folder)
