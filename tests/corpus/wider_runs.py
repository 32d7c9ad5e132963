"""More runs of the corpus: defaults, soft margins, margins, regressions, theory, streams, preparations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, is_dataclass
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import novikoff as nv
from commands import novikoff
from corpus.facts import Facts, Told, refusal, rounded, scores
from corpus.inputs import BINARY, SETS, STORAGES, listed, points

Run = tuple[str, Callable[[Path], Facts]]

MANY = ("three", "three-noisy")
FITTED = ("coef_", "intercept_", "classes_", "n_updates_", "n_looks_", "n_mistakes_", "n_iter_", "stop_reason_")
SOFT = ("classes_", "stop_reason_", "hard_margin_")


def wider_runs() -> Iterator[Run]:
    """Every run with its name."""
    yield from _defaults()
    yield from _soft()
    yield from _widest()
    yield from _streams()
    yield from _regressions()
    yield from _theory()
    yield from _words()


def _attributes(clf: Any, names: Sequence[str]) -> Facts:
    return {name: getattr(clf, name) for name in names if hasattr(clf, name)}


def with_defaults(folder: Path, name: str, storage: str = "C", **parameters: Any) -> Facts:
    """A fit with the default parameters but these."""
    X, y = SETS[name]
    try:
        clf = nv.Perceptron(**parameters).fit(STORAGES[storage](X), y)
    except nv.InputError as error:
        return refusal(error)
    kept = {"scheme": getattr(clf, "multi_class_", None)}
    return _attributes(clf, FITTED) | kept | {"predict": clf.predict(X)} | scores(clf, X)


def on_example(folder: Path, name: str, scaled: bool, **parameters: Any) -> Facts:
    """A fit of a bundled set: its errors and its stop."""
    X, y = nv.example(name)
    X = X.toarray() if hasattr(X, "toarray") else np.asarray(X)
    X = (X - X.mean(axis=0)) / np.where(X.std(axis=0) > 0, X.std(axis=0), 1) if scaled else X
    clf = nv.Perceptron(**parameters).fit(X, y)
    facts = _attributes(clf, ("n_updates_", "n_looks_", "n_iter_", "stop_reason_", "classes_"))
    return facts | {"errors": int(np.sum(clf.predict(X) != np.asarray(y)))}


def _defaults() -> Iterator[Run]:
    for name in SETS:
        for storage in STORAGES:
            yield f"default/{name}/{storage}", partial(with_defaults, name=name, storage=storage)
        for label, how in {
            "no intercept": {"fit_intercept": False},
            "five passes": {"max_iter": 5},
            "margin": {"rule": "margin"},
            "pa1": {"rule": "pa1", "max_iter": 10},
            "weights": {"class_weight": "balanced"},
            "updates": {"max_updates": 15},
            "valid": {"early_stopping": True, "random_state": 1},
            "last": {"keep": "last", "max_iter": 30},
            "batch": {"order": "batch", "max_iter": 10},
            "mix": {"mix": True, "partitions": 3, "max_iter": 6},
            "mix average": {"mix": True, "partitions": 2, "max_iter": 6, "keep": "average"},
        }.items():
            yield f"default/{name}/{label}", partial(with_defaults, name=name, **how)
    for name in ("iris", "wine", "breast-cancer", "retina", "digits"):
        for scaled in (False, True):
            yield f"default/example {name}/{scaled}", partial(on_example, name=name, scaled=scaled)
            yield (
                f"default/example {name}/{scaled}/ova",
                partial(on_example, name=name, scaled=scaled, multi_class="ova", max_iter=10),
            )


def soft(folder: Path, name: str, **parameters: Any) -> Facts:
    """A soft margin: the bounds of its optimum to six places and its predictions."""
    X, y = SETS[name]
    clf = nv.SoftMargin(**{"gap": 1e-9} | parameters).fit(X, y)
    facts = _attributes(clf, SOFT)
    return facts | {"objective": rounded(clf.objective_), "predict": clf.predict(X), "w": rounded(clf.coef_, 3)}


def soft_path(folder: Path, name: str) -> Facts:
    """C chosen on held-out rows."""
    X, y = SETS[name]
    clf = nv.SoftMargin(C="auto", random_state=0).fit(X, y)
    return {"C": rounded(clf.C_, 4), "predict": clf.predict(X)}


def _soft() -> Iterator[Run]:
    for name in ("separable", "noisy", "ties", "wide", "three-noisy"):
        for loss, penalty, C in product(("hinge", "squared_hinge", "logistic"), ("l2", "l1"), (0.1, 1.0)):
            how = {"loss": loss, "penalty": penalty, "C": C}
            yield f"soft/{name}/{loss}/{penalty}/{C}", partial(_allowed_soft, name=name, **how)
        yield f"soft/{name}/free bias", partial(_allowed_soft, name=name, bias="free")
        yield f"soft/{name}/balanced", partial(_allowed_soft, name=name, class_weight="balanced")
    yield "soft/noisy/auto", partial(soft_path, name="noisy")
    yield "soft/separable/hard", partial(_allowed_soft, name="separable", C=1e6)


def _allowed_soft(folder: Path, name: str, **parameters: Any) -> Facts:
    try:
        return soft(folder, name, **parameters)
    except nv.InputError as error:
        return refusal(error)


def widest(folder: Path, name: str, bias: str) -> Facts:
    """The maximum-margin estimator."""
    X, y = SETS[name]
    try:
        clf = nv.MaxMargin(bias=bias).fit(X, y)
    except nv.NotSeparableError:
        return {"not separable": True}
    except nv.InputError as error:
        return refusal(error)
    return {"w": rounded(clf.coef_, 9), "b": rounded(clf.intercept_, 9), "predict": clf.predict(X)}


def pairs(folder: Path, name: str, fit_intercept: bool) -> Facts:
    """A verdict for each pair of classes."""
    X, y = SETS[name]
    found = nv.decide_pairs(X, y, fit_intercept=fit_intercept)
    return {"pairs": {str(pair): [v.separable, v.kind, v.n] for pair, v in found.items()}, "text": Told(str(found))}


def margin_of(folder: Path, name: str, engine: str) -> Facts:
    """Verdict and margin with an engine."""
    X, y = SETS[name]
    verdict = nv.decide(X, y, engine=nv.engine(engine, **({"workers": 2} if engine == "threads" else {})))
    facts = {"kind": verdict.kind, "w": verdict.w, "b": verdict.b, "text": Told(str(verdict.explain()))}
    return facts | {"widest": rounded(nv.margin(X, y).padded.gamma, 12) if verdict.separable else None}


def _widest() -> Iterator[Run]:
    for name in SETS:
        for bias in ("free", "padded"):
            yield f"widest/{name}/{bias}", partial(widest, name=name, bias=bias)
    for name in MANY:
        for fit_intercept in (True, False):
            yield f"pairs/{name}/{fit_intercept}", partial(pairs, name=name, fit_intercept=fit_intercept)
    for name, engine in product(BINARY, ("serial", "threads")):
        yield f"engine/{name}/{engine}", partial(margin_of, name=name, engine=engine)


def partial_fits(folder: Path, name: str, rows: int, **parameters: Any) -> Facts:
    """The rows in parts, one call of partial_fit for each."""
    X, y = SETS[name]
    clf = nv.Perceptron(**parameters)
    for start in range(0, len(X), rows):
        clf.partial_fit(X[start : start + rows], y[start : start + rows], classes=np.unique(y))
    return _attributes(clf, FITTED) | scores(clf, X)


def _streams() -> Iterator[Run]:
    for name in SETS:
        for rows in (1, 7, 1000):
            yield f"stream/{name}/{rows}", partial(partial_fits, name=name, rows=rows)
        for rule, keep in (("margin", "last"), ("perceptron", "average"), ("pa1", "last"), ("pa", "average")):
            how = {"rule": rule, "keep": keep, "multi_class": "ova"}
            yield f"stream/{name}/{rule} {keep}", partial(partial_fits, name=name, rows=7, **how)


def regression(folder: Path, name: str, **parameters: Any) -> Facts:
    """Whether the estimates of a regression exist."""
    X, y = SETS[name]
    found = nv.separation(X, y, **parameters)
    return {"answer": found.to_dict(), "text": Told(str(found))}


def counted(folder: Path, seed: int, family: str) -> Facts:
    """A response of counts, or of counted successes, with a column that is 1 only where the response is 0."""
    X, y = points(30, 3, 2, 20, seed)
    X = np.column_stack([X, (np.arange(30) % 7 == 0) & (y == 0)])
    response = y * (np.arange(30) % 4)
    found = nv.separation(X, response if family == "poisson" else y, family=family, names=list("abcd"))
    return {"answer": found.to_dict(), "text": Told(str(found))}


def _regressions() -> Iterator[Run]:
    for name in BINARY:
        for fit_intercept in (True, False):
            yield f"regression/{name}/{fit_intercept}", partial(regression, name=name, fit_intercept=fit_intercept)
    for name, response in product(MANY, ("auto", "labels")):
        yield f"regression/{name}/{response}", partial(_allowed_regression, name=name, response=response)
    for seed, family in product(range(6), ("binomial", "poisson")):
        yield f"regression/counts/{seed}/{family}", partial(counted, seed=seed, family=family)
    formulas = (
        "label ~ f0 + f1",
        "label ~ f0 * f1",
        "label ~ C(f0 > 0) + f2",
        "label ~ bs(f0, df=4)",
        "label ~ 0 + f3",
    )
    for formula in formulas:
        words = ("separation", "noisy.csv", "--formula", formula, "--json")
        yield f"regression/formula/{formula}", partial(spoken, words=words)


def _allowed_regression(folder: Path, name: str, **parameters: Any) -> Facts:
    try:
        return regression(folder, name, **parameters)
    except nv.InputError as error:
        return refusal(error)


def theory(folder: Path, function: str, *given: Any, **named: Any) -> Facts:
    """What a function of the theory gives."""
    found = getattr(nv, function)(*given, **named)
    return {"text": Told(str(found)), "found": asdict(found) if is_dataclass(found) else found}


def _theory() -> Iterator[Run]:
    for P, N in ((1, 1), (4, 2), (10, 5), (11, 5), (40, 20), (100, 30)):
        for fit_intercept in (False, True):
            for function in ("cover_count", "separable_fraction", "log10_fraction"):
                yield (
                    f"theory/{function}/{P},{N},{fit_intercept}",
                    partial(theory, function=function, P=P, N=N, fit_intercept=fit_intercept),
                )
    for name in ("few", "ties", "one-column", "wide"):
        X, y = SETS[name]
        yield f"theory/position/{name}", partial(theory, function="general_position", X=X)
        yield f"theory/bits/{name}", partial(theory, function="bits_used", X=X, y=y, max_updates=50)
    yield "theory/dichotomies", partial(theory, function="count_dichotomies", X=SETS["few"][0])
    for bits, errors in product((None, 100), (0, 3)):
        how = {"n": 500, "bits": bits, "parameters": None if bits else 6, "errors": errors}
        yield f"theory/bound/{bits},{errors}", partial(theory, function="generalization_bound", **how)
    yield "theory/sample", partial(theory, function="sample_size", error=0.1, bits=64)
    for words in (
        "capacity -N 5 -N 10",
        "position --example cornwell",
        "bits --example cornwell",
        "experiment worst",
        "experiment angle",
        "experiment orders --example cornwell --trials 10",
        "experiment margin -N 10 -P 50 --trials 5",
        "experiment convergence -N 10 -P 50 --trials 5",
    ):
        yield f"theory/{words}", partial(spoken, words=("theory", *words.split(), "--json"))
        yield f"theory/{words} in words", partial(spoken, words=("theory", *words.split()))


def spoken(folder: Path, words: Sequence[str]) -> Facts:
    """A command: its exit code, its JSON or its words without numbers, and which files it wrote."""
    before = set(folder.iterdir())
    done = novikoff(*words)
    facts: Facts = {"exit": done.code, "files": sorted(p.name for p in folder.iterdir() if p not in before)}
    if "--soft" in words:
        return facts | {"errors": done.json["train_errors"], "w": rounded(done.json["w"], 3)}
    if "--json" in words and done.out:
        return facts | {"json": done.json}
    facts["words"] = Told(done.out)
    if done.code not in (0, 1):  # else progress is on stderr, which depends on time
        facts["error"] = Told(done.err)
    return facts


def frames(folder: Path, label: str) -> Facts:
    """A table with words: the preparation is chosen, and the model is saved, loaded and asked."""
    count = 60
    table = pd.DataFrame(
        {
            "size": [(i * 7) % 13 / 4 for i in range(count)],
            "colour": [("red", "green", "blue")[(i * 5) % 3] for i in range(count)],
            "gap": [None if i % 9 == 0 else i % 4 for i in range(count)],
            "label": [("no", "yes")[((i * 7) % 13 > 5) ^ (i % 11 == 0)] for i in range(count)],
            "kind": [("a", "b", "c")[(i * 5) % 3] for i in range(count)],
        }
    )
    clf = nv.auto(table, label=label)
    nv.save(clf, folder / "auto.nvk")
    loaded = nv.load(folder / "auto.nvk")
    return {"predict": clf.predict(table), "loaded": loaded.predict(table), "w": rounded(clf.coef_, 9)}


def _words() -> Iterator[Run]:
    for label in ("label", "kind"):
        yield f"auto/{label}", partial(frames, label=label)
    files = ("noisy.csv", "separable.csv", "three.csv", "few.csv", "noisy.svm", "three.parquet")
    for line in listed("words"):
        for file in files if "$FILE" in line else ("",):
            words = line.replace("$FILE", file)
            yield f"words/{words}", partial(spoken, words=words.split())
