"""Export a model as an ONNX graph in float64, for programs without Python.

    two classes    score = w·x + b;  label = classes[score > 0]   (≥ with tie="positive")
    more           scores = X·Wᵀ + b;  label = classes[argmax], the first of equal ones
    ovo by votes   votes = the pairs that each class won;  scores = votes + s/(|s| + 1)/3,  s the summed scores

A model that prepares its rows is exported with its preparation (`onnx_preparation`): the graph takes raw columns. With
prepared=True it takes prepared rows.

The runtime sums in its own order and rounds: where |score| (or the lead of the best class) is within rounding error of
zero, its label can differ from ours, whose sign is exact. One-vs-one with ovo="sum" becomes one plane per class, the
sum over its pairs. keep="vote" cannot be exported.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np

import novikoff
from novikoff.errors import InputError
from novikoff.estimators.new_rows import preparation_of
from novikoff.model.class_planes import ClassPlanes, class_planes_of
from novikoff.model.onnx_preparation import ML, OnnxRows, onnx_rows, tensor_names
from novikoff.records.atomic_write import replace_file

OPSET, OPSET_ML, IR = 17, 2, 8  # of 2022: read by every runtime in use
MOST = 2**31 - 2**20  # bytes of one ONNX file


def save_onnx(clf: Any, path: str | os.PathLike[str], *, prepared: bool = False) -> None:
    """Write a fitted perceptron as an ONNX file: input X (n, d) float64, outputs `label` (n,) and `scores`.

    A loaded model with a preparation takes raw columns: numbers as X, each column of categories as an input (n, 1) of
    strings with its name. prepared: write the planes alone, for rows that are prepared elsewhere.
    """
    replace_file(Path(path), to_onnx(clf, prepared=prepared).SerializeToString(deterministic=True))


def to_onnx(clf: Any, *, prepared: bool = False) -> Any:
    """Return the ONNX model of a fitted perceptron (onnx.ModelProto)."""
    try:
        from onnx import checker, helper
    except ImportError:
        raise InputError('onnx: the package is not installed; pip install "novikoff[onnx]"') from None
    model = class_planes_of(clf, "ONNX")
    prep = None if prepared else preparation_of(clf)
    rows = onnx_rows(prep, model.planes.shape[1] - 1)
    size = model.planes.nbytes + (0 if model.pairs is None else model.pairs.nbytes)
    if size > MOST:
        raise InputError(f"clf: {size:,} bytes of weights; ONNX files hold less than 2 GiB")
    opset = [helper.make_opsetid("", OPSET)] + ([helper.make_opsetid(ML, OPSET_ML)] if rows.words else [])
    proto = helper.make_model(_graph(model, rows), producer_name="novikoff", producer_version=novikoff.__version__,
                              opset_imports=opset, ir_version=IR)  # fmt: skip
    names = model.names if prep is None else prep.columns.named
    if names is not None:
        helper.set_model_props(proto, {"feature_names": json.dumps(list(names))})
    checker.check_model(proto)
    return proto


def _graph(model: ClassPlanes, made: OnnxRows) -> Any:
    from onnx import TensorProto, helper, numpy_helper

    K = len(model.classes)
    kind, labels = _labels(model.classes)
    constants = made.constants | {"weights": model.planes[:, :-1].T.copy(), "bias": model.planes[:, -1].copy()}
    nodes: list[Any] = [
        *made.nodes,
        ("MatMul", [made.rows, "weights"], "products", {}),
        ("Add", ["products", "bias"], "sums", {}),
    ]
    if K == 2:
        constants |= {"one": np.array([1]), "zero": np.array(0.0)}
        side = "GreaterOrEqual" if model.tie == "positive" else "Greater"
        nodes += [("Squeeze", ["sums", "one"], "raw", {}), (side, ["raw", "zero"], "upper", {}),
                  ("Cast", ["upper"], "number", {"to": TensorProto.INT64})]  # fmt: skip
    else:
        nodes += [("Identity", ["sums"], "raw", {})]
    constants["scale"] = np.array(model.scale)
    if model.pairs is not None:
        constants |= _pair_constants(model)
        nodes += [("MatMul", [made.rows, "pair_weights"], "pair_products", {}), *_VOTING]
    else:
        nodes += [("Mul", ["raw", "scale"], "scores", {})]
    if K > 2:
        highest = "raw" if model.pairs is None else "scores"
        nodes += [("ArgMax", [highest], "number", {"axis": 1, "keepdims": 0})]
    nodes += [("Gather", ["labels", "number"], "label", {})]
    shape: list[str | int | None] = ["n"] if K == 2 else ["n", K]
    called = tensor_names(made, ["X", "labels", *constants, *(output for _, _, output, _ in nodes)])
    inputs = [helper.make_tensor_value_info("X", TensorProto.DOUBLE, ["n", made.width])] if made.width else []
    inputs += [helper.make_tensor_value_info(called[name], TensorProto.STRING, ["n", 1]) for name in made.words]
    labels.name = called["labels"]
    return helper.make_graph(
        [helper.make_node(op, [called[name] for name in given], [called[output]], **more)
         for op, given, output, more in nodes],
        "perceptron",
        inputs,
        [helper.make_tensor_value_info("label", kind, ["n"]),
         helper.make_tensor_value_info("scores", TensorProto.DOUBLE, shape)],
        [numpy_helper.from_array(array, called[name]) for name, array in constants.items()] + [labels],
    )  # fmt: skip


_DOUBLE = 11  # TensorProto.DOUBLE
_VOTING: list[Any] = [
    ("Add", ["pair_products", "pair_bias"], "pair_scores", {}),
    ("Greater", ["pair_scores", "zero"], "upper", {}),
    ("Less", ["pair_scores", "zero"], "lower", {}),
    ("Cast", ["upper"], "for_positive", {"to": _DOUBLE}),
    ("Cast", ["lower"], "for_negative", {"to": _DOUBLE}),
    ("MatMul", ["for_positive", "positive"], "votes_positive", {}),
    ("MatMul", ["for_negative", "negative"], "votes_negative", {}),
    ("Add", ["votes_positive", "votes_negative"], "votes", {}),
    ("Mul", ["raw", "scale"], "summed", {}),
    ("Abs", ["summed"], "size", {}),
    ("Add", ["size", "unit"], "size_and_one", {}),
    ("Div", ["summed", "size_and_one"], "within_one", {}),
    ("Div", ["within_one", "three"], "squashed", {}),
    ("Add", ["votes", "squashed"], "scores", {}),
]


def _pair_constants(model: ClassPlanes) -> dict[str, np.ndarray]:
    """Return the constants for votes of pairs: their planes, and the class of each side."""
    assert model.pairs is not None
    positive, negative = (np.eye(len(model.classes))[[pair[side] for pair in model.sides]] for side in (0, 1))
    return {
        "pair_weights": model.pairs[:, :-1].T.copy(),
        "pair_bias": model.pairs[:, -1].copy(),
        "positive": positive,
        "negative": negative,
        "zero": np.array(0.0),
        "unit": np.array(1.0),
        "three": np.array(3.0),
    }


def _labels(classes: np.ndarray) -> tuple[int, Any]:
    """Return the labels as int64, double, bool or strings."""
    from onnx import TensorProto, helper

    values = [v.item() if isinstance(v, np.generic) else v for v in classes.tolist()]
    kinds = {type(v) for v in values}
    if kinds == {str}:
        kind, values = TensorProto.STRING, [v.encode("utf-8") for v in values]
    elif kinds == {bool}:
        kind = TensorProto.BOOL
    elif kinds == {int} and min(values) >= -(2**63) and max(values) < 2**63:
        kind = TensorProto.INT64
    elif kinds == {float}:
        kind = TensorProto.DOUBLE
    else:
        raise InputError(
            f"classes: labels like {values[0]!r} ({classes.dtype}) cannot be written as ONNX; whole numbers below "
            "2^63, floats, truth values or texts were expected"
        )
    return kind, helper.make_tensor("labels", kind, [len(values)], values)
