"""A model as an ONNX graph in float64, for programs without Python.

    two classes    score = w·x + b;  label = classes[score > 0]   (≥ with tie="positive")
    more           scores = X·Wᵀ + b;  label = classes[argmax], the first of equal ones

The runtime adds in an order of its own and rounds: where |score| (or the lead of the best class) is within rounding of
zero, its label can be another than ours, whose sign is exact. One-vs-one is one plane for each class, the sum over its
pairs, as in `predict`. Votes are not one plane, and refused.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np

import novikoff
from novikoff.atomic import replace_file
from novikoff.errors import InputError
from novikoff.model.planes import ClassPlanes, class_planes_of

OPSET, IR = 17, 8  # of 2022: read by every runtime in use
MOST = 2**31 - 2**20  # bytes of one ONNX file


def save_onnx(clf: Any, path: str | os.PathLike[str]) -> None:
    """Write a fitted perceptron as an ONNX file: input X (n, d) float64, outputs `label` (n,) and `scores`."""
    replace_file(Path(path), to_onnx(clf).SerializeToString(deterministic=True))


def to_onnx(clf: Any) -> Any:
    """The ONNX model of a fitted perceptron (onnx.ModelProto)."""
    try:
        from onnx import checker, helper
    except ImportError:
        raise InputError('onnx: the package is not installed; pip install "novikoff[onnx]"') from None
    model = class_planes_of(clf, "ONNX")
    if model.planes.nbytes > MOST:
        raise InputError(f"clf: {model.planes.nbytes:,} bytes of weights; ONNX files hold less than 2 GiB")
    opset = [helper.make_opsetid("", OPSET)]
    proto = helper.make_model(_graph(model), producer_name="novikoff", producer_version=novikoff.__version__,
                              opset_imports=opset, ir_version=IR)  # fmt: skip
    if model.names is not None:
        helper.set_model_props(proto, {"feature_names": json.dumps(model.names)})
    checker.check_model(proto)
    return proto


def _graph(model: ClassPlanes) -> Any:
    from onnx import TensorProto, helper, numpy_helper

    K, d = len(model.classes), model.planes.shape[1] - 1
    kind, labels = _labels(model.classes)
    constants = {"weights": model.planes[:, :-1].T.copy(), "bias": model.planes[:, -1].copy()}
    nodes: list[Any] = [
        ("MatMul", ["X", "weights"], "products", {}),
        ("Add", ["products", "bias"], "sums", {}),
    ]
    if K == 2:
        constants |= {"one": np.array([1]), "zero": np.array(0.0)}
        side = "GreaterOrEqual" if model.tie == "positive" else "Greater"
        nodes += [("Squeeze", ["sums", "one"], "raw", {}), (side, ["raw", "zero"], "upper", {}),
                  ("Cast", ["upper"], "number", {"to": TensorProto.INT64})]  # fmt: skip
    else:
        nodes += [("Identity", ["sums"], "raw", {}), ("ArgMax", ["raw"], "number", {"axis": 1, "keepdims": 0})]
    constants["scale"] = np.array(model.scale)
    nodes += [("Mul", ["raw", "scale"], "scores", {}), ("Gather", ["labels", "number"], "label", {})]
    shape: list[str | int | None] = ["n"] if K == 2 else ["n", K]
    return helper.make_graph(
        [helper.make_node(op, inputs, [output], **more) for op, inputs, output, more in nodes],
        "perceptron",
        [helper.make_tensor_value_info("X", TensorProto.DOUBLE, ["n", d])],
        [helper.make_tensor_value_info("label", kind, ["n"]),
         helper.make_tensor_value_info("scores", TensorProto.DOUBLE, shape)],
        [numpy_helper.from_array(array, name) for name, array in constants.items()] + [labels],
    )  # fmt: skip


def _labels(classes: np.ndarray) -> tuple[int, Any]:
    """The labels as int64, double, bool or strings."""
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
