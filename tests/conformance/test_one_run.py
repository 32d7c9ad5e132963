"""One run, wherever the points are: the same weights, the same mistakes, the same model, to the bit.

Arrays, sparse matrices, files of every format, packed or not, the binary cache, a packed stream on standard input, rows
in temporary files; in blocks of any size, by any number of reader threads.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import novikoff as nv
from data.choices import allowed_for_many
from data.files import spilled, written
from data.small_sets import fit_quietly
from novikoff.data.digest import digest_of
from novikoff.data.problem import unlabelled
from novikoff.io import text_blocks
from novikoff.io.reader import read
from novikoff.io.reading import Reading
from novikoff.model import describe

pytestmark = pytest.mark.compiled
FORMS = (
    "svm",
    "csv",
    "tsv",
    "svm.gz",
    "svm.bz2",
    "svm.xz",
    "csv.zst",
    "parquet",
    "arrow",
    "npz",
    "nvc",
)
BLOCKS = (64, 500, 1 << 22)  # bytes
RUNS: list[dict[str, Any]] = [
    {"keep": "last", "order": "cyclic"},
    {"keep": "pocket", "order": "shuffle"},
    {"keep": "average", "order": "shuffle", "rule": "pa1", "C": 0.1},
    {"keep": "vote", "order": "cyclic"},
    {"keep": "pocket", "order": "cyclic", "rule": "margin", "threshold": 0.5},
    {"keep": "average", "order": "cyclic", "rule": "pa"},
    {"keep": "last", "order": "shuffle", "rule": "pa2"},
]


def points(classes: int) -> tuple[np.ndarray, np.ndarray]:
    """Quarters, which float32 holds too, many zeros, and labels that no plane tells apart."""
    rng = np.random.default_rng(classes)
    X = rng.integers(-40, 41, (90, 5)) / 4
    X[rng.random(X.shape) < 0.4] = 0
    X[0] = 1.0  # every column occurs, in this order
    scores = X @ rng.normal(size=(5, classes)) + rng.normal(size=(90, classes))
    y = scores.argmax(axis=1)
    y[:classes] = np.arange(classes)
    return X, y


def in_memory(X: np.ndarray, y: np.ndarray) -> Iterator[tuple[str, Any, Any]]:
    yield "C", np.ascontiguousarray(X), y
    yield "F", np.asfortranarray(X), y
    yield "float32", X.astype(np.float32), y
    yield "CSR", sp.csr_matrix(X), y
    yield "CSC", sp.csc_array(X), y
    yield "CSR of float32", sp.csr_array(X.astype(np.float32)), y


def everywhere(
    folder: Path, X: np.ndarray, y: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[str, Any, Any]]:
    """(where the points are, X, y)."""
    yield from in_memory(X, y)
    there = [written(folder, form, X, y) for form in FORMS]
    for path in there:
        whole = read(path)
        yield f"{path.name} in memory", whole.X, np.asarray(whole.y)
    for size in BLOCKS:
        monkeypatch.setattr(text_blocks, "BLOCK", size)
        for path in there:
            for readers in (0, 1, 2) if path.name in ("t.svm", "t.csv", "t.svm.gz") else (None,):
                X_spilled, y_spilled = spilled(path, Reading(readers=readers))
                yield f"{path.name} in temporary files, blocks of {size}, {readers} readers", X_spilled, y_spilled
    monkeypatch.setattr(text_blocks, "BLOCK", 300)
    for name, more in (("t.svm.gz", {"format": "svmlight"}), ("t.csv", {"format": "csv"})):
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO((folder / name).read_bytes())))
        piped = read("-", **more)
        yield f"{name} on standard input", piped.X, np.asarray(piped.y)


def run_of(X: Any, y: Any, how: dict[str, Any], folder: Path) -> tuple[Any, ...]:
    """Weights, counts, mistakes, the digest of the data, and all that the model file says.

    But the names of columns, which tables have, and with them the file's own digest. A model of votes holds points as
    they were stored: of it, the votes.
    """
    clf = fit_quietly(nv.Perceptron(max_iter=3, random_state=7, **how), X, y)
    digest = digest_of(unlabelled(X), np.asarray(y))
    if how["keep"] == "vote":
        model = clf.decision_function(X).tobytes()
    else:
        nv.save(clf, folder / "model.nvk")
        said = describe(folder / "model.nvk")
        said.pop("sha256")
        model = json.dumps({key: value for key, value in said.items() if "names" not in key})
    counts = (clf.stop_reason_, clf.n_iter_, clf.n_updates_, clf.n_looks_, clf.n_mistakes_.tolist())
    return clf.coef_.tobytes(), clf.intercept_.tobytes(), counts, digest, model


@pytest.mark.parametrize("classes", [2, 3])
def test_the_same_run_wherever_the_points_are(classes: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = points(classes)
    runs = [how for how in RUNS if classes == 2 or allowed_for_many("ova", how["keep"], how.get("rule", "perceptron"))]
    wanted = [run_of(X, y, how, tmp_path) for how in runs]
    assert len({run[-1] for run in wanted}) == len(runs)  # they differ from each other
    met = 0
    for where, rows, labels in everywhere(tmp_path, X, y, monkeypatch):
        for how, run in zip(runs, wanted, strict=True):
            if (met - runs.index(how)) % len(runs) == 0:
                assert run_of(rows, labels, how, tmp_path) == run, (where, how)
        met += 1
    assert met > 60
