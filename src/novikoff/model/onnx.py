"""Write a model as ONNX in float64, for programs without Python: skl2onnx converts what `to_sklearn` returns.

    X         (n, d) float64    the columns, or for a model that prepares a table
    NAME      (n, 1)            each column of it: float64, NaN where a number is missing; or texts, "" where one is
    label     (n,)              whole numbers or texts
    scores    (n, classes)      two classes: −score and score; pairs that vote: votes, and a share of the summed scores

A column that is called label or scores is the input column_label or column_scores; spaces and signs in names become _.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from novikoff.errors import InputError
from novikoff.estimators.new_rows import preparation_of
from novikoff.model.to_sklearn import to_sklearn
from novikoff.records.atomic_write import replace_file

OPSET = 17  # of 2022: read by every runtime in use
OUTPUTS = ("label", "scores")


def save_onnx(clf: Any, path: str | os.PathLike[str]) -> None:
    """Write a fitted model as an ONNX file; raise InputError for a step or labels that ONNX cannot express."""
    try:
        from skl2onnx import convert_sklearn
        from skl2onnx.common.data_types import DoubleTensorType, StringTensorType
        from skl2onnx.sklapi import CastTransformer
    except ImportError:
        raise InputError('onnx: the package skl2onnx is missing; pip install "novikoff[onnx]"') from None
    from sklearn.impute import SimpleImputer
    from sklearn.linear_model import SGDClassifier
    from sklearn.pipeline import Pipeline

    prep = preparation_of(clf)
    if prep is not None:
        _check_steps(prep)
    made = to_sklearn(clf)
    steps = list(made.steps) if isinstance(made, Pipeline) else [("classifier", made)]
    steps[-1][1].classes_ = _labels(steps[-1][1].classes_)
    inputs = [("X", DoubleTensorType([None, made.n_features_in_]))]
    if prep is not None and steps[0][0] == "columns":
        kinds = dict.fromkeys(replace(prep.columns, others=prep.others).number_names, DoubleTensorType)
        kinds |= dict.fromkeys(prep.columns.categories, StringTensorType)
        inputs = [(f"column_{name}" if name in OUTPUTS else name, kind([None, 1])) for name, kind in kinds.items()]
        _take_in_order(steps[0][1])
        steps.insert(1, ("float64", CastTransformer(dtype=np.float64)))
    model = convert_sklearn(
        Pipeline(steps),
        "novikoff",
        inputs,
        target_opset=OPSET,
        options={SGDClassifier: {"zipmap": False, "raw_scores": True}},
        custom_conversion_functions={SimpleImputer: _imputed},
        final_types=[(name, None) for name in OUTPUTS],
    )
    replace_file(Path(path), model.SerializeToString(deterministic=True))


def _check_steps(prep: Any) -> None:
    """Raise InputError for a step that skl2onnx leaves out, splits otherwise, or divides by 0."""
    columns = prep.columns
    steps = [*columns.text.values(), *(step for step in columns.rows if step.kind == "unit-rows")]
    if steps:
        raise InputError(
            f"preparation: {steps[0].option} cannot be written as ONNX; nv.to_sklearn(model) has all of it"
        )


def _labels(classes: np.ndarray) -> np.ndarray:
    """Return the labels as whole numbers of 32 bits, or as texts."""
    values = classes.tolist()
    if all(isinstance(v, str) for v in values):
        return np.array(values)
    for v in values:
        if not isinstance(v, bool | int | float) or v != int(v) or abs(v) >= 2**31:
            raise InputError(
                f"{v!r} cannot be written as ONNX; texts, or whole numbers of 32 bits, were expected", "classes"
            )
    return np.array([int(v) for v in values])


def _take_in_order(columns: Any) -> None:
    """Number the columns of a ColumnTransformer as its steps take them; an imputer takes "" for a missing category."""
    start = 0
    for k, (name, step, taken) in enumerate(columns.transformers_):
        columns.transformers_[k] = (name, step, list(range(start, start + len(taken))))
        start += len(taken)
        if name == "categories" and hasattr(step, "steps"):
            step.steps[0][1].missing_values = ""


def _imputed(scope: Any, operator: Any, container: Any) -> None:
    """Add the nodes that impute numbers in float64: skl2onnx imputes float32."""
    from onnx import TensorProto
    from skl2onnx.common.data_types import StringTensorType
    from skl2onnx.operator_converters.common import concatenate_variables
    from skl2onnx.operator_converters.imputer_op import convert_sklearn_imputer

    if isinstance(operator.inputs[0].type, StringTensorType):
        convert_sklearn_imputer(scope, operator, container)
        return
    fill = operator.raw_operator.statistics_
    columns = concatenate_variables(scope, operator.inputs, container)
    gaps, values = scope.get_unique_variable_name("gaps"), scope.get_unique_variable_name("fill")
    container.add_initializer(values, TensorProto.DOUBLE, fill.shape, fill)
    container.add_node("IsNaN", columns, gaps)
    container.add_node("Where", [gaps, values, columns], operator.outputs[0].full_name)
