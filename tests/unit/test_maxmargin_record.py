"""The widest plane in a model file: margin, rows that touch, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import novikoff as nv
from commands import novikoff
from damage import put_together, taken_apart
from novikoff.data.format_numbers import bounds
from novikoff.errors import InputError
from novikoff.estimators.maxmargin_estimator import BIASES
from novikoff.model import describe


def points() -> tuple[np.ndarray, np.ndarray]:
    X, y = nv.example("iris")
    return X[:100], np.asarray(y)[:100]


def same(a: nv.MaxMargin, b: nv.MaxMargin) -> bool:
    X, _ = nv.example("iris")
    arrays = ("coef_", "intercept_", "support_", "dual_coef_", "classes_")
    return (
        all(getattr(a, name).tobytes() == getattr(b, name).tobytes() for name in arrays)
        and (a.margin_, a.bias, a.n_features_in_) == (b.margin_, b.bias, b.n_features_in_)
        and a.decision_function(X).tobytes() == b.decision_function(X).tobytes()
        and a.predict(X).tolist() == b.predict(X).tolist()
    )


@pytest.mark.parametrize("bias", BIASES)
def test_a_widest_plane_is_saved_and_loaded(bias: str, tmp_path: Path) -> None:
    clf = nv.MaxMargin(bias=bias).fit(*points())
    digest = nv.save(clf, tmp_path / "a.nvk", data_digest="ab" * 32)
    loaded = nv.load(tmp_path / "a.nvk")
    assert same(clf, loaded)
    assert nv.save(loaded, tmp_path / "b.nvk") == digest  # the digest of the data stays with the plane
    assert loaded.fit(*points()).margin_ == clf.margin_
    nv.save(loaded, tmp_path / "c.nvk")
    assert describe(tmp_path / "c.nvk")["data_digest"] is None  # another fit


def test_names_and_rows_that_touch(tmp_path: Path) -> None:
    pd = pytest.importorskip("pandas")
    X, y = points()
    clf = nv.MaxMargin().fit(pd.DataFrame(X, columns=list("abcd")), y)
    nv.save(clf, tmp_path / "a.nvk", counts=False)
    loaded = nv.load(tmp_path / "a.nvk")
    assert loaded.feature_names_in_.tolist() == list("abcd")
    assert not hasattr(loaded, "support_")
    nv.save(loaded, tmp_path / "b.nvk")
    assert (tmp_path / "a.nvk").read_bytes() == (tmp_path / "b.nvk").read_bytes()


def test_the_verbs_take_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    X, y = points()
    clf = nv.MaxMargin().fit(X, y)
    nv.save(clf, "w.nvk")
    Path("p.csv").write_text(
        "".join(f"{','.join(map(repr, x))},{label}\n" for x, label in zip(X.tolist(), y, strict=True))
    )
    code, out, _ = novikoff("explain", "w.nvk")
    assert code == 0
    low, high = bounds(*clf.margin_)
    assert f"margin from {low} to {high}, proved" in out
    assert "touched by   3 rows" in out
    assert novikoff("predict", "w.nvk", "p.csv")[1].split() == y.tolist()
    assert "100 of 100 rows" in novikoff("evaluate", "w.nvk", "p.csv")[1]
    assert novikoff("explain", "w.nvk", "p.csv", "--row", "3")[0] == 0


REFUSED: list[tuple[str, Any, str]] = [
    ("parameters", {"bias": "none"}, "bias: found 'none'"),
    ("parameters", {"bias": "free", "C": 1.0}, "C: found 1.0"),
    ("classes", {"dtype": "<i8", "values": [1]}, "two classes"),
    ("classes", {"dtype": "<i8", "values": [1, 2, 3]}, "two classes"),
    ("n_features", 5, "coef"),
    ("n_features", 2**62, "coef"),
    ("n_features", 0, "n_features"),
    ("margin", [2.0, 1.0], "margin"),
    ("margin", [-1.0, 1.0], "margin"),
    ("margin", [1, 2], "margin"),
    ("margin", None, "margin"),
    ("feature_names", ["a"], "feature_names"),
    ("stop_reason", "separated", "no such field"),
    ("estimator", "HardMargin", "one of Perceptron, MaxMargin, SoftMargin"),
]


@pytest.mark.parametrize(("field", "value", "said"), REFUSED)
def test_forged_records_are_refused(field: str, value: Any, said: str, tmp_path: Path) -> None:
    path = tmp_path / "m.nvk"
    nv.save(nv.MaxMargin().fit(*points()), path)
    header, record, data = taken_apart(path.read_bytes())
    path.write_bytes(put_together(header, record | {field: value}, data))
    with pytest.raises(InputError, match=rf"m\.nvk: .*{said}"):
        nv.load(path)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("support", [5, 3, 9]),
        ("support", [-1, 3, 9]),
        ("dual_coef", [[np.nan, 1.0, 1.0]]),
        ("coef", [[np.inf, 0, 0, 0]]),
    ],
)
def test_what_cannot_be_read_again_is_not_saved(name: str, value: Any, tmp_path: Path) -> None:
    clf = nv.MaxMargin().fit(*points())
    setattr(clf, f"{name}_", np.array(value))
    with pytest.raises(InputError, match=f"clf: .*{name}"):
        nv.save(clf, tmp_path / "m.nvk")
    assert not (tmp_path / "m.nvk").exists()
