"""The same run from an array, from a file in memory and from one in temporary files: the same bits from any format."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import novikoff as nv
from data.files import points, spilled, written
from data.small_sets import fit_quietly
from novikoff.io import text_blocks
from novikoff.io.reader import read

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
    monkeypatch.setattr(text_blocks, "BLOCK", {1: 777, 3: 5000}[seed])
    X, y = points(seed, 3 if seed == 3 else 2)
    path = written(tmp_path, form, X, y)
    there, rows = read(path), spilled(path)
    for order in ORDERS:
        keep = KEEPS[(seed + (order == "shuffle")) % (4 if seed == 1 else 3)]
        choices: dict[str, Any] = {"order": order, "keep": keep, "max_iter": 5, "random_state": seed}
        wanted = fitted(X, y, **choices)
        assert fitted(there.X, there.y, **choices) == wanted
        assert fitted(*rows, **choices) == wanted


def test_a_decision_about_a_file(tmp_path: Path) -> None:
    X, y = points(1)
    assert nv.decide(*spilled(written(tmp_path, "svm", X, y))).kind == nv.decide(X, y).kind
