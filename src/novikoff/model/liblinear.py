"""Write and read LIBLINEAR's text models.

    solver_type L2R_L1LOSS_SVC_DUAL      a line for each feature, a number for each plane: one plane for two classes
    nr_class 2                           (positive side: the first label), else one for each class
    label 1 0
    nr_feature 2                         bias 1: the last line is b, the weight of a feature that is always 1
    bias 1                               bias -1: no such line
    w
    4
    -0.5
    1

Fan, Chang, Hsieh, Wang and Lin 2008; `save_model`, `load_model` and `predict_values` in its linear.cpp. LIBLINEAR
predicts the second label at a score of 0, and the first of equal classes: the order of the labels encodes our tie rule.
The planes are written before the multiplication by η, so that its rounding changes no decision.
"""

from __future__ import annotations

import itertools
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from novikoff.data.text.plain_files import NUMBER
from novikoff.errors import InputError
from novikoff.estimators.fitted import Trained
from novikoff.estimators.new_rows import preparation_of
from novikoff.model.class_planes import class_planes_of
from novikoff.model.records.perceptron_record import with_planes
from novikoff.records.atomic_write import replace_file

if TYPE_CHECKING:
    from novikoff.estimators.perceptron_estimator import Perceptron

SOLVERS = ("L2R_LR", "L2R_L2LOSS_SVC_DUAL", "L2R_L2LOSS_SVC", "L2R_L1LOSS_SVC_DUAL", "MCSVM_CS", "L1R_L2LOSS_SVC",
           "L1R_LR", "L2R_LR_DUAL")  # fmt: skip
WHOLE = re.compile(r"[+-]?[0-9]{1,10}")


def save_liblinear(clf: Any, path: str | os.PathLike[str], *, prepared: bool = False) -> None:
    """Write a fitted estimator for LIBLINEAR's `predict`; labels must be 32-bit integers.

    prepared: write the planes of a model that prepares its rows, for rows that are prepared elsewhere.
    """
    model, prep = class_planes_of(clf, "a LIBLINEAR model"), preparation_of(clf)
    if prep is not None and not prep.is_plain and not prepared:
        steps = ", ".join(dict.fromkeys(step.kind for step, _ in prep.columns.steps() if step.kind != "plain"))
        raise InputError(
            f"preparation: {steps} cannot be written as a LIBLINEAR model; prepared=True writes the planes alone, for "
            "rows that are prepared elsewhere"
        )
    if model.pairs is not None:
        raise InputError(
            "ovo: 'vote' cannot be written as a LIBLINEAR model, which knows one plane for each class and no votes; "
            "fit with multi_class='ova' (a perceptron: or ovo='sum'), or export to ONNX"
        )
    labels = [_label(v) for v in model.classes.tolist()]
    planes = model.planes
    if len(labels) == 2:
        labels, planes = (labels[::-1], planes) if model.tie == "negative" else (labels, -planes)
    rows = planes.T if model.bias else planes[:, :-1].T
    head = [f"solver_type {model.solver}", f"nr_class {len(labels)}", f"label {' '.join(map(str, labels))}",
            f"nr_feature {planes.shape[1] - 1}", f"bias {1 if model.bias else -1}", "w"]  # fmt: skip
    lines = (" ".join(f"{v:.17g}" for v in row) + " " for row in rows.tolist())
    replace_file(Path(path), "\n".join(itertools.chain(head, lines)) + "\n")


def load_liblinear(path: str | os.PathLike[str]) -> Perceptron:
    """Load a LIBLINEAR model of two or more classes as a perceptron; its predictions are exact signs."""
    from novikoff.estimators.perceptron_estimator import Perceptron
    from novikoff.model.continue_training import ready_to_go_on

    made: Perceptron = ready_to_go_on(perceptron_in(path, Perceptron))
    return made


def perceptron_in(path: str | os.PathLike[str], kind: type[Trained]) -> Any:
    """Do the same with an estimator of class `kind`."""
    try:
        text = Path(path).read_text(encoding="ascii")
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}); name a LIBLINEAR model") from error
    except UnicodeDecodeError:
        _refuse(path, "not a text file; a LIBLINEAR model was expected")
    if not text.endswith("\n"):
        _refuse(path, "the last line has no newline: the file is truncated, or add one")
    head, _, body = text.partition("\nw\n")
    fields = _fields(head, path)
    labels, d, B = fields["label"], fields["nr_feature"], fields["bias"]
    K = len(labels)
    many = K if K > 2 or fields["solver_type"] == "MCSVM_CS" else 1
    words, lines = body.split(), d + (B >= 0)
    if len(words) != lines * many:
        _refuse(path, f"found {len(words):,} numbers after w; {lines:,} lines of {many} were expected")
    bad = next((k for k, word in enumerate(words) if not NUMBER.fullmatch(word)), None)
    if bad is not None:
        _refuse(path, f"found {words[bad][:40]!r} in line {bad // many + 1} after w; a finite number was expected")
    w = np.array([float(word) for word in words]).reshape(lines, many).T
    planes = np.column_stack([w[:, :d], w[:, -1] * B if B >= 0 else np.zeros(many)])
    if not (np.abs(planes) < 2.0**500).all():
        _refuse(path, "a weight is not finite, or beyond 2^500; smaller numbers were expected")
    return _perceptron(planes, labels, B >= 0, kind)


def _label(value: Any) -> int:
    whole = isinstance(value, bool | int | float | np.integer) and float(value).is_integer()
    if not whole or not -(2**31) <= int(value) < 2**31:
        raise InputError(
            f"classes: {value!r} cannot be written as a LIBLINEAR label; a whole number of 32 bits was expected: "
            "number the classes 0, 1, … before fitting"
        )
    return int(value)


def _fields(head: str, path: Any) -> dict[str, Any]:
    """Parse and check the lines before w."""
    fields: dict[str, Any] = {}
    for line in head.splitlines():
        name, *words = line.split() or [""]
        if name not in ("solver_type", "nr_class", "label", "nr_feature", "bias") or name in fields:
            _refuse(path, f"found the line {line[:60]!r}; not a LIBLINEAR model of classes")
        fields[name] = words
    missing = {"solver_type", "nr_class", "label", "nr_feature", "bias"} - fields.keys()
    if missing:
        _refuse(path, f"no line {min(missing)!r} before w; not a LIBLINEAR model of classes, or cut off")
    if len(fields["solver_type"]) != 1 or fields["solver_type"][0] not in SOLVERS:
        _refuse(path, f"solver_type: found {fields['solver_type']}; one of {', '.join(SOLVERS)} was expected")
    K, d = (_whole(fields[name], name, path) for name in ("nr_class", "nr_feature"))
    labels = [_whole([word], "label", path) for word in fields["label"]]
    if K < 2 or len(labels) != K or len(set(labels)) != K:
        _refuse(path, f"label: found {len(set(labels))} labels for {K} classes; as many, two or more, were expected")
    if d < 1:
        _refuse(path, f"nr_feature: found {d}; at least 1 was expected")
    if len(fields["bias"]) != 1 or not NUMBER.fullmatch(fields["bias"][0]):
        _refuse(path, f"bias: found {fields['bias']}; a number was expected")
    return {"solver_type": fields["solver_type"][0], "label": labels, "nr_feature": d, "bias": float(fields["bias"][0])}


def _whole(words: list[str], name: str, path: Any) -> int:
    if len(words) != 1 or not WHOLE.fullmatch(words[0]) or abs(int(words[0])) > 2**31:
        _refuse(path, f"{name}: found {' '.join(words)[:60]!r}; a whole number of 32 bits was expected")
    return int(words[0])


def _perceptron(planes: np.ndarray, labels: list[int], bias: bool, kind: type[Trained]) -> Any:
    """Return a perceptron with the planes in the order of the sorted labels."""
    order, tie = np.argsort(labels), "negative"
    if len(labels) == 2:
        planes = planes[:1]
        if labels[0] < labels[1]:  # LIBLINEAR's positive side is the first label, ours the last
            planes, tie = -planes, "positive"
    else:
        planes = planes[order]
    planes[:, -1] = planes[:, -1] if bias else 0.0
    clf = kind(keep="last", multi_class="ova", fit_intercept=bias, tie=tie)
    return with_planes(clf, np.ascontiguousarray(planes), np.array(labels)[order])


def _refuse(path: Any, what: str) -> NoReturn:
    raise InputError(f"{path}: {what}")
