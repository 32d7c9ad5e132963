"""The ONNX graph, run by onnxruntime, says what we say: everywhere on whole numbers, elsewhere but for rounding."""

from __future__ import annotations

import builtins
import json
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import novikoff as nv
from data.small_sets import fit_quietly
from novikoff.errors import InputError
from novikoff.model.class_planes import class_planes_of
from novikoff.model.onnx import save_onnx, to_onnx
from novikoff.perceptron import SCHEMES

onnx = pytest.importorskip("onnx", reason="onnx is not installed")
CHANCE = np.random.default_rng(11)
WHOLE = CHANCE.integers(-3, 4, (50, 5)).astype(np.float64)
Y = CHANCE.integers(0, 4, 50)


def fitted(X: Any, y: Any, **choices: Any) -> nv.Perceptron:
    return fit_quietly(nv.Perceptron(**{"max_iter": 5, **choices}), X, y)


def run(clf: Any, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(labels, scores) that onnxruntime gives."""
    runtime = pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: the graph is not run")
    session = runtime.InferenceSession(to_onnx(clf).SerializeToString(), providers=["CPUExecutionProvider"])
    label, scores = session.run(["label", "scores"], {"X": np.asarray(points, np.float64)})
    return label, scores


CASES = list(product((2, 3, 4), SCHEMES, ("negative", "positive"), ("last", "pocket", "average")))


@pytest.mark.parametrize(("classes", "scheme", "tie", "keep"), CASES)
def test_on_whole_numbers_every_label_is_ours_ties_too(classes: int, scheme: str, tie: str, keep: str) -> None:
    """Sums of small whole numbers are exact in any order; averages divide, and their points are kept off the plane."""
    clf = fitted(WHOLE, Y % classes, multi_class=scheme, tie=tie, keep=keep, eta0=0.3)
    points = np.vstack([np.zeros(5), CHANCE.integers(-4, 5, (100, 5))]) + (0.3 if keep == "average" else 0)
    label, scores = run(clf, points)
    ours = clf.decision_function(points)
    if keep != "average":
        assert label.tolist() == clf.predict(points).tolist()
        assert (scores == 0).tolist() == (ours == 0).tolist() or classes > 2
    assert np.abs(scores - ours).max() <= 1e-12 * np.abs(ours).max()
    if classes == 2 and tie == "positive" and keep == "last":
        clf.intercept_ = np.zeros(1)
        assert run(clf, np.zeros((1, 5)))[0].tolist() == [clf.classes_[1]]


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_labels_differ_only_where_the_rounding_of_a_sum_can_turn_the_sign(classes: int, scheme: str) -> None:
    """Points on the plane but for the last bits; what onnxruntime may lose is what the docs page says."""
    X = CHANCE.normal(size=(60, 8))
    clf = fitted(X, Y.repeat(2)[:60] % classes, multi_class=scheme)
    model = class_planes_of(clf, "ONNX")
    far = CHANCE.normal(size=(100, 8))
    normal = model.planes[-1] - (model.planes[0] if classes > 2 else 0)
    near = far - ((far @ normal[:-1] + normal[-1]) / (normal[:-1] @ normal[:-1]))[:, None] * normal[:-1]
    for points in (far, near, near * (1 + 2**-50)):
        other = run(clf, points)[0] != clf.predict(points)
        sizes = np.abs(points) @ np.abs(model.planes[:, :-1]).T + np.abs(model.planes[:, -1])
        scores = points @ model.planes[:, :-1].T + model.planes[:, -1]
        lead = np.abs(scores[:, 0]) if classes == 2 else np.diff(np.sort(scores, axis=1)[:, -2:], axis=1)[:, 0]
        assert (lead[other] <= 8 * 10 * 2.0**-53 * sizes.max(axis=1)[other]).all()
        assert points is not far or not other.any()


@pytest.mark.parametrize(
    "labels",
    [np.array([-7, 9]), np.array([1, 2], np.uint8), np.array([0.5, 2.5]), np.array([1.0, 2.0], np.float32),
     np.array(["ham", "spam"]), np.array(["ä", "日本"], object), np.array([False, True]), np.array([3, 5], object)],
)  # fmt: skip
def test_labels_are_numbers_texts_or_truth_values(labels: np.ndarray) -> None:
    clf = fitted(WHOLE, labels[Y % 2])
    assert run(clf, WHOLE)[0].tolist() == clf.predict(WHOLE).tolist()


def test_what_onnx_cannot_say_is_refused_with_the_reason(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="which has one plane per class"):
        to_onnx(fitted(WHOLE, Y, keep="vote"))
    with pytest.raises(InputError, match="cannot be written as ONNX; whole numbers below 2"):
        to_onnx(fitted(WHOLE, np.array([1, 2**64 - 1], np.uint64)[Y % 2]))
    with pytest.raises(InputError, match="a fitted Perceptron, MaxMargin or SoftMargin was expected"):
        to_onnx(3)
    with pytest.raises(InputError, match="only one class"):
        to_onnx(nv.Perceptron().partial_fit(WHOLE, np.zeros(50)))


def test_the_file_is_the_same_every_time_and_names_the_features(tmp_path: Path) -> None:
    clf = fitted(pd.DataFrame(WHOLE, columns=list("abcde")), Y)
    for name in ("a.onnx", "b.onnx"):
        save_onnx(clf, tmp_path / name)
    assert (tmp_path / "a.onnx").read_bytes() == (tmp_path / "b.onnx").read_bytes()
    model = onnx.load(tmp_path / "a.onnx")
    assert json.loads(model.metadata_props[0].value) == list("abcde")
    assert {t.data_type for t in model.graph.initializer if t.name in ("weights", "bias")} == {onnx.TensorProto.DOUBLE}


def test_a_loaded_model_is_exported_as_the_saved_one(tmp_path: Path) -> None:
    clf = fitted(WHOLE, Y, eta0=0.7)
    nv.save(clf, tmp_path / "m.nvk")
    assert to_onnx(nv.load(tmp_path / "m.nvk")) == to_onnx(clf)


def test_without_the_package_the_command_to_install_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def none(name: str, *rest: Any, **more: Any) -> Any:
        if name == "onnx":
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", none)
    with pytest.raises(InputError, match=r'pip install "novikoff\[onnx\]"'):
        to_onnx(None)
