"""The same run from an array and from a file that stays on the disk: the same bits, from any format, in any blocks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import novikoff as nv
from data.files import points, written
from data.small_sets import fit_quietly
from novikoff.io.reader import read, source_of
from novikoff.io.stream import compression
from novikoff.io.stream.file_rows import FileRows

FORMATS = ("svm", "csv", "tsv", "parquet", "arrow", "npz", "svm.gz", "csv.zst")
ORDERS, KEEPS = ("cyclic", "shuffle"), ("last", "pocket", "average", "vote")


def fitted(X: Any, y: Any, **choices: Any) -> tuple[bytes, ...]:
    clf = fit_quietly(nv.Perceptron(**choices), X, y)
    counts = np.array([clf.n_iter_, clf.n_updates_, clf.n_looks_])
    return tuple(
        np.asarray(part).tobytes() for part in (clf.coef_, clf.intercept_, counts, clf.n_mistakes_, clf.predict(X))
    )


@pytest.mark.compiled
@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("seed", [1, 3])
def test_a_file_is_the_same_run_as_its_array(
    form: str, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compression, "BLOCK", {1: 777, 3: 5000}[seed])
    X, y = points(seed, 3 if seed == 3 else 2)
    path = written(tmp_path, form, X, y)
    rows = FileRows(source_of(path))
    there = read(path)
    for order in ORDERS:
        keep = KEEPS[(seed + (order == "shuffle")) % 4]
        choices: dict[str, Any] = {"order": order, "keep": keep, "max_iter": 5, "random_state": seed}
        wanted = fitted(X, y, **choices)
        assert fitted(there.X, there.y, **choices) == wanted
        assert fitted(rows, rows.labels, **choices) == wanted


def test_a_file_in_which_rows_vanish_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compression, "BLOCK", 500)
    X, y = points(0)
    path = written(tmp_path, "csv", X, y)
    rows = FileRows(source_of(path))
    path.write_bytes(path.read_bytes()[:600])
    with pytest.raises(nv.InputError, match=r"t\.csv"):
        fitted(rows, rows.labels, max_iter=2)


def test_a_decision_about_a_file(tmp_path: Path) -> None:
    X, y = points(1)
    rows = FileRows(source_of(written(tmp_path, "svm", X, y)))
    assert nv.decide(rows, rows.labels).kind == nv.decide(X, y).kind
