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
FORMATS = ("svm", "csv", "tsv", "parquet", "arrow", "svm.gz", "csv.zst")


@pytest.fixture(autouse=True)
def _small_chunks() -> Iterator[None]:
    with limits(text=700):
        yield


def both(path: Path) -> tuple[Any, Any]:
    """The points in memory, and in temporary files."""
    return nv.read(path, memory="1G"), nv.read(path, memory=1)


@pytest.mark.parametrize("form", FORMATS)
def test_both_have_the_same_labels_names_and_size(form: str, tmp_path: Path) -> None:
    here, there = both(written(tmp_path, form, *points(2, 3)))
    assert (here.n, here.d, here.names) == (there.n, there.d, there.names)
    assert here.y.tolist() == there.y.tolist()
    assert here.y.dtype == there.y.dtype


@pytest.mark.parametrize("form", ["svm", "csv", "parquet"])
def test_both_are_taken_wherever_x_and_y_are(form: str, tmp_path: Path) -> None:
    X, y = points(1)
    y = (X[:, 0] > 0.01).astype(int)
    answers = []
    for data in [(X, y), *((p,) for p in both(written(tmp_path, form, X, y)))]:
        clf = nv.Perceptron(max_iter=50).fit(*data)
        clf.fit(*data, **dict(zip(("X_valid", "y_valid"), data, strict=False)))  # as validation points too
        verdict = nv.decide(*data)
        verdict.save(tmp_path / "proof.json")
        kind = nv.verify(tmp_path / "proof.json", *data)
        margin = nv.margin(*data).padded.gamma
        answers.append(
            (clf.coef_.tolist(), clf.score(*data), clf.predict(data[0]).tolist(), verdict.kind, kind, margin)
        )
    assert answers[0] == answers[1] == answers[2]


@pytest.mark.parametrize("form", ["svm", "csv", "parquet"])
def test_every_question_takes_points(form: str, tmp_path: Path) -> None:
    X, y = points(1)
    y = (X[:, 0] > 0.01).astype(int)
    wide, w = nv.MaxMargin(), np.arange(X.shape[1]) - 1.0
    here, there = both(written(tmp_path, form, X, y))
    answers = []
    for data in [(X, y), (here,), (there,)]:
        named = dict(zip(("X", "y"), data, strict=False))
        answers.append(
            (
                wide.fit(*data).coef_.tolist(),
                wide.predict(data[0]).tolist(),
                wide.score(*data),
                [verdict.kind for verdict in nv.decide_pairs(*data).values()],
                nv.margins(**named, w=w, b=0.5).scores.tolist(),
                nv.Perceptron().partial_fit(*data).partial_fit(*data).coef_.tolist(),
            )
        )
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


@pytest.mark.parametrize("form", ["csv", "svm", "parquet"])
def test_several_files_with_headers_are_one(form: str, tmp_path: Path) -> None:
    X, y = points(2)
    here = nv.read(written(tmp_path, form, X, y))
    for k, part in enumerate((slice(0, 40), slice(40, 41), slice(41, None))):
        (tmp_path / "p").mkdir(exist_ok=True)
        path = written(tmp_path / "p", form, X[part], y[part])
        path.rename(tmp_path / f"part-{k}.{form}")
    there = nv.read(str(tmp_path / f"part-*.{form}"), memory=1)
    fitted = [nv.Perceptron(max_iter=4).fit(data) for data in (here, there)]
    assert fitted[0].coef_.tolist() == fitted[1].coef_.tolist()


# ---- the limit -----------------------------------------------------------------------------------------------------


# ---- labels --------------------------------------------------------------------------------------------------------


def test_a_word_that_is_not_known_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("1,2,0\n3,,1\n")
    with pytest.raises(nv.InputError, match=r"^missing: found 'skip'; 'fail' or 'drop' or 'impute' was expected$"):
        nv.read(path, missing="skip")
    assert nv.read(path, missing="drop").n == 1
