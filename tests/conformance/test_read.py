"""nv.read: points in memory or in temporary files, taken wherever X and y are, with the same answers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import novikoff as nv
from data.files import points, written
from data.limits import limits

pytestmark = pytest.mark.filterwarnings("ignore::novikoff.estimators.sklearn_classifier.NotSeparatedWarning")


@pytest.fixture(autouse=True)
def _small_chunks() -> Iterator[None]:
    with limits(text=700):
        yield


def both(path: Path) -> tuple[Any, Any]:
    """The points in memory, and in temporary files."""
    return nv.read(path, memory="1G"), nv.read(path, memory=1)


@pytest.mark.parametrize("form", ["svm", "csv", "parquet", "arrow", "svm.gz", "csv.zst"])
def test_points_in_memory_and_in_temporary_files_are_taken_wherever_x_and_y_are(form: str, tmp_path: Path) -> None:
    X, y = points(1)
    y = (X[:, 0] > 0.01).astype(int)
    wide, w = nv.MaxMargin(), np.arange(X.shape[1]) - 1.0
    here, there = both(written(tmp_path, form, X, y))
    assert (here.n, here.d, here.names, here.y.tolist(), here.y.dtype) == (
        there.n, there.d, there.names, there.y.tolist(), there.y.dtype)  # fmt: skip
    answers = []
    for data in [(X, y), (here,), (there,)]:
        named = dict(zip(("X", "y"), data, strict=False))
        clf = nv.Perceptron(max_iter=50).fit(*data)
        clf.fit(*data, **dict(zip(("X_valid", "y_valid"), data, strict=False)))  # as validation points too
        verdict = nv.decide(*data)
        verdict.save(tmp_path / "proof.json")
        answers.append([
            clf.coef_.tolist(), clf.score(*data), clf.predict(data[0]).tolist(),
            verdict.kind, nv.verify(tmp_path / "proof.json", *data), nv.margin(*data).padded.gamma,
            wide.fit(*data).coef_.tolist(), wide.predict(data[0]).tolist(), wide.score(*data),
            [verdict.kind for verdict in nv.decide_pairs(*data).values()],
            nv.margins(**named, w=w, b=0.5).scores.tolist(),
            nv.Perceptron().partial_fit(*data).partial_fit(*data).coef_.tolist(),
        ])  # fmt: skip
    assert answers[0] == answers[1] == answers[2]
    whole = (lambda *data: nv.separation(*data).rows.tolist(), lambda *data: nv.trace(*data).w,
             lambda *data: nv.removal(*data).rows)  # fmt: skip
    for ask in whole:
        assert ask(X, y) == ask(here) == ask(there)
    with pytest.raises(nv.InputError, match=r"by name, as in margins\(points, w=w, b=b\)"):
        nv.margins(here, w, 0.5)


def test_separation_knows_the_columns_of_points_by_name(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("dose,label\n-2,0\n0,0\n0,1\n2,1\n")
    assert nv.separation(nv.read(path)).coefficients == {"(Intercept)": "finite", "dose": "+inf"}


def test_points_beside_labels_are_refused(tmp_path: Path) -> None:
    X, y = points(1)
    here, there = both(written(tmp_path, "csv", X, y))
    for data in (here, there):
        with pytest.raises(nv.InputError, match=r"^y: points already have labels"):
            nv.Perceptron().fit(data, y)


def test_a_word_that_is_not_known_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("1,2,0\n3,,1\n")
    with pytest.raises(nv.InputError, match=r"^missing: found 'skip'; 'fail' or 'drop' or 'impute' was expected$"):
        nv.read(path, missing="skip")
    assert nv.read(path, missing="drop").n == 1
