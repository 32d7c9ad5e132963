"""The ways by which the same points reach the same run: storages, files, streams, engines, checkpoints, compilers.

    ROUTES[name](task, folder)     what the run says of itself by this way; None where the way does not apply

Everything that a run says of itself must be the same by every way, to the last bit (`facts`).
"""

from __future__ import annotations

import contextlib
import io
import pickle
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import numpy as np

import novikoff as nv
from data.files import written
from data.kernel_mode import kernels
from data.limits import limits, observer
from data.small_sets import fit_quietly
from data.storages import STORAGES, stored_as

Facts = dict[str, Any]


@dataclass(frozen=True)
class Task:
    """Points, labels, the parameters of a Perceptron, and what else its fit is given."""

    X: np.ndarray
    y: np.ndarray
    how: dict[str, Any]
    given: dict[str, Any] = field(default_factory=dict)

    def fit(self, X: Any = None, y: Any = None, **more: Any) -> nv.Perceptron:
        """The fitted estimator, of other rows and labels if they are given."""
        rows, labels = (self.X, self.y) if X is None else (X, y)
        return fit_quietly(nv.Perceptron(**self.how), rows, labels, **self.given, **more)


def facts(clf: nv.Perceptron, X: Any) -> Facts:
    """All that a run says of itself, but seconds, losses and norms; a loaded model has no verdict."""
    found = {
        "weights": (clf.coef_.tobytes(), clf.intercept_.tobytes()),
        "mistakes": clf.n_mistakes_.tolist(),
        "counts": (clf.n_iter_, clf.n_updates_, clf.n_looks_, clf.stop_reason_),
        "history": {k: v for k, v in clf.history_.items() if k not in ("seconds", "loss", "norm")},
        "bound": clf.mistake_bound_,
        "classes": clf.predict(X).tolist(),
        "signs": np.sign(clf.decision_function(X)).tolist(),
    }
    if hasattr(clf, "verdict_"):
        cycle = clf.cycle_counts_
        found |= {"cycle": None if cycle is None else cycle.tolist(), "verdict": proofs(clf.verdict_)}
    return found


def proofs(verdict: Any) -> Any:
    """What a verdict, or that of each plane, proves."""
    if verdict is None or isinstance(verdict, dict):
        return verdict and {name: proofs(one) for name, one in verdict.items()}
    return verdict.separable, verdict.support, verdict.w if verdict.separable else verdict.weights


def _storage(name: str) -> Callable[[Task, Path], Facts | None]:
    def route(task: Task, folder: Path) -> Facts | None:
        rows = stored_as(name, task.X)
        if rows is None:
            return None
        with limits(block=16):
            return facts(task.fit(rows, task.y), rows)

    return route


def _file(form: str, memory: str | None) -> Callable[[Task, Path], Facts | None]:
    def route(task: Task, folder: Path) -> Facts | None:
        if not task.X[:, -1].any() or task.given.get("X_valid") is not None or "coef_init" in task.given:
            return None  # formats of sparse rows have as many columns as occur
        path = written(folder, form, task.X, task.y)
        with limits(text=64) if memory else contextlib.nullcontext():
            points = nv.read(path, memory=memory)
            return facts(task.fit(points, None), points)

    return route


def _standard_input(task: Task, folder: Path) -> Facts:
    path = written(folder, "csv.gz", task.X, task.y)
    with patch.object(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(path.read_bytes()))), limits(text=100):
        points = nv.read("-", format="csv")
    return facts(task.fit(points, None), points)


def _mode(mode: Any) -> Callable[[Task, Path], Facts]:
    def route(task: Task, folder: Path) -> Facts:
        with kernels(mode):
            return facts(task.fit(), task.X)

    return route


def _stretches(task: Task, folder: Path) -> Facts:
    with limits(stretch=40):
        return facts(task.fit(), task.X)


def _threads(task: Task, folder: Path) -> Facts:
    with nv.engine("threads", 3) as three, limits(partition=50):
        return facts(replace(task, how=task.how | {"engine": three}).fit(), task.X)


def _resumed(task: Task, folder: Path) -> Facts | None:
    """Broken off by Ctrl-C after each of the first passes in turn, and resumed, again and again."""
    if task.how.get("keep") == "vote":  # has no checkpoints
        return None
    place = folder / "checkpoints"
    with limits(checkpoint=0.0, checkpoint_share=0), _interruptible():
        for _ in range(4):
            try:
                return facts(task.fit(checkpoint=place, resume=place.exists(), observer=observer(_press)), task.X)
            except KeyboardInterrupt:
                continue
        return facts(task.fit(checkpoint=place, resume=True), task.X)


def _press(run: Any) -> None:
    signal.raise_signal(signal.SIGINT)


@contextlib.contextmanager
def _interruptible() -> Iterator[None]:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _pickled(task: Task, folder: Path) -> Facts:
    return facts(pickle.loads(pickle.dumps(task.fit())), task.X)


def _saved(task: Task, folder: Path) -> Facts:
    nv.save(task.fit(), folder / "model.nvk")
    return facts(nv.load(folder / "model.nvk"), task.X)


FORMS = ("svm", "csv", "tsv", "svm.gz", "svm.bz2", "svm.xz", "csv.zst", "parquet", "arrow", "npz")
ROUTES: dict[str, Callable[[Task, Path], Facts | None]] = {
    **{name: _storage(name) for name in STORAGES},
    **{f"{form} in memory": _file(form, None) for form in FORMS},
    **{f"{form} spilled": _file(form, "1") for form in FORMS},
    "standard input": _standard_input,
    "interpreted": _mode("interpreted"),
    "compiled": _mode("compiled"),
    "interpreted, then compiled": _mode(300),
    "stretches": _stretches,
    "threads": _threads,
    "resumed": _resumed,
    "pickled": _pickled,
    "saved": _saved,
}


def check_routes(task: Task, wanted: Facts, names: list[str], folder: Path) -> set[str]:
    """The run by each of these routes is the wanted one; returns those that apply."""
    met = set()
    for name in names:
        with tempfile.TemporaryDirectory(dir=folder) as place:
            found = ROUTES[name](task, Path(place))
        if found is not None:
            met.add(name)
            for key, value in found.items():
                assert value == wanted[key], f"{key} by {name}: {task.how}"
    return met
