"""Whether what a verb says about points is true: everything is derived again from the rows, in fractions.

Each function gets the points as the independent reader has them, and what the command told; it returns None, or what is
wrong.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import load_file

from commands import Told
from damage.meaning import Points, Row, dense, label_of, labels_in, labels_of, sparse_rows

Claim = Callable[[Points, Told], str | None]


# ---- convert -------------------------------------------------------------------------------------------------------


def csv_written(points: Points, info: Told) -> str | None:
    """out.csv holds the rows, the label in the last column."""
    header, *lines = list(csv.reader(io.StringIO(Path("out.csv").read_text(encoding="utf-8"), newline="")))
    rows: list[Row] = [{j: v for j, text in enumerate(line[:-1]) if (v := float(text))} for line in lines]
    return _same_rows(points, rows, len(header) - 1, header[:-1], _labels([line[-1] for line in lines], points))


def _labels(texts: list[str], points: Points) -> list[str] | None:
    """The labels; inf is one in a text, and none where it stands for a number."""
    return None if points.labels is None and {"inf", "-inf"} & set(texts) else labels_of(texts)


def npz_written(points: Points, info: Told) -> str | None:
    """out.npz holds the rows and labels."""
    with np.load("out.npz", allow_pickle=False) as file:
        parts = {name: file[name] for name in file.files}
    if "X" in parts:
        found = dense(parts["X"], labels_in(parts["y"], len(parts["X"])))
    else:
        rows, d = sparse_rows(parts)
        found = Points(rows, d, labels_in(parts["y"], len(rows)))
    return _same_rows(points, found.rows, found.d, None, found.labels)


def _same_rows(
    points: Points, rows: list[Row], d: int, names: list[str] | None, labels: list[str] | None
) -> str | None:
    if (len(rows), d) != (points.n, points.d):
        return f"read {len(rows)} rows of {d} columns; the file has {points.n} of {points.d}"
    if points.names is not None and names is not None:
        known = [f"{name}_" if name.lower() == "label" else name for name in points.names]
        if known != names:
            return f"columns {names}; the file has {known}"
    for k, (found, true) in enumerate(zip(rows, points.rows, strict=True), start=1):
        if found != true:
            return f"row {k} read as {found}; the file has {true}"
    if labels != points.labels:
        return f"labels {labels}; the file has {points.labels}"
    return None


# ---- fit, evaluate, predict ----------------------------------------------------------------------------------------


def planes_in(path: str) -> tuple[list[list[Fraction]], list[Fraction]]:
    """The weights of a model file, exactly."""
    tensors = load_file(path)
    return [list(map(Fraction, row)) for row in tensors["coef"].tolist()], list(
        map(Fraction, tensors["intercept"].tolist())
    )


def scores_of(points: Points, w: list[Fraction], b: Fraction) -> list[Fraction]:
    """w·x + b of each row; numbers in columns that w has not are passed over."""
    return [sum((Fraction(v) * w[j] for j, v in row.items() if j < len(w)), b) for row in points.rows]


def fitted(points: Points, info: Told) -> str | None:
    """The numbers that `fit --json` gives are those of the model in out.nvk on these rows."""
    said = json.loads(info.out)
    labels = points.labels or []
    classes = sorted(set(labels))
    if (said["n"], said["d"]) != (points.n, points.d):
        return f"learned from {said['n']} rows of {said['d']} columns; the file has {points.n} of {points.d}"
    if sorted(map(label_of, said["classes"])) != classes:
        return f"classes {said['classes']}; the file has {classes}"
    if len(classes) != 2:
        return None
    w, b = planes_in("out.nvk")
    upper = label_of(said["classes"][1])
    scores = scores_of(points, w[0], b[0])
    errors = sum(score * (1 if label == upper else -1) <= 0 for score, label in zip(scores, labels, strict=True))
    if said["train_errors"] != errors:
        return f"{said['train_errors']} errors; the weights make {errors}"
    if said["separated"] is True and errors:
        return "separated, with errors"
    return None


def predicted(model: str) -> Claim:
    """The lines of `predict --scores -o out.txt` are the signs and scores of a model of two classes."""

    def claim(points: Points, info: Told) -> str | None:
        w, b = planes_in(model)
        classes = _classes_in(model)
        if points.d != len(w[0]) and not points.sparse:
            return f"predicted from {points.d} columns with a model of {len(w[0])}"
        lines = [line.split("\t") for line in Path("out.txt").read_text(encoding="utf-8").splitlines()]
        if len(lines) != points.n:
            return f"{len(lines)} lines; the file has {points.n} rows"
        for k, (line, score) in enumerate(zip(lines, scores_of(points, w[0], b[0]), strict=True), start=1):
            if label_of(line[0]) != classes[score > 0]:
                return f"row {k}: {line[0]}; the score is {float(score)}"
            if len(line) > 1 and not np.isclose(float(line[1]), float(score), rtol=1e-9, atol=1e-9):
                return f"row {k}: score {line[1]}; it is {float(score)}"
        return None

    return claim


def evaluated(model: str) -> Claim:
    """The errors of `evaluate --json` are those of the model of two classes on these rows."""

    def claim(points: Points, info: Told) -> str | None:
        said = json.loads(info.out)
        w, b = planes_in(model)
        classes = _classes_in(model)
        if points.labels is None or not set(points.labels) <= set(classes):
            return f"answered for the labels {points.labels}"
        if points.d != len(w[0]) and not points.sparse:
            return f"evaluated {points.d} columns with a model of {len(w[0])}"
        got = [classes[score > 0] for score in scores_of(points, w[0], b[0])]
        errors = sum(a != b for a, b in zip(got, points.labels, strict=True))
        if (said["n"], said["errors"]) != (points.n, errors):
            return f"{said['errors']} errors in {said['n']} rows; there are {errors} in {points.n}"
        return None

    return claim


def _classes_in(model: str) -> list[str]:
    head = Path(model).read_bytes()
    size = int.from_bytes(head[:8], "little")
    record = json.loads(json.loads(head[8 : 8 + size])["__metadata__"]["novikoff"])
    return [label_of(value) for value in record["classes"]["values"]]


# ---- certify, separation, margin, trace ----------------------------------------------------------------------------


def certified(points: Points, info: Told) -> str | None:
    """A plane has every row on its own side; or weights of rows sum to zero."""
    said = json.loads(info.out)
    if info.code == 4:
        return None
    if "w" not in said:  # of more than two: every question has a document of its own
        return sized(points, info)
    if (said["n"], said["d"]) != (points.n, points.d):
        return f"decided {said['n']} rows of {said['d']} columns; the file has {points.n} of {points.d}"
    upper = label_of(said["classes"][1])
    signs = [1 if label == upper else -1 for label in points.labels or []]
    if said["separable"]:
        w, b = [Fraction(text) for text in said["w"]], Fraction(said["b"] or 0)
        sides = [sign * score for sign, score in zip(signs, scores_of(points, w, b), strict=True)]
        return None if min(sides) > 0 else f"separable, with a row on the wrong side: {min(sides)}"
    weights = [Fraction(text) for text in said["weights"]]
    total: dict[Any, Fraction] = {}
    for i, weight in zip(said["support"], weights, strict=True):
        for j, value in [*points.rows[i].items(), ("bias", 1.0)]:
            total[j] = total.get(j, Fraction(0)) + weight * signs[i] * Fraction(value)
    if min(weights, default=Fraction(0)) <= 0 or any(total.values()):
        return f"not separable, by rows {said['support']} whose weights do not sum to zero"
    return None


def sized(points: Points, info: Told) -> str | None:
    """The number of rows, and of columns where it is told, is that of the file."""
    said = json.loads(info.out) if info.out else {}
    for name, true in (("n", points.n), ("d", points.d)):
        if name in said and said[name] != true:
            return f"{name} is {said[name]}; the file has {true}"
    return None


def traced(points: Points, info: Told) -> str | None:
    """Every step of a trace shows a row of the file."""
    said, labels = json.loads(info.out), points.labels or []
    if wrong := sized(points, info):
        return wrong
    for step in said["steps"]:
        x = [Fraction(text) for text in step["x"]]
        true = [Fraction(points.rows[step["row"]].get(j, 0)) for j in range(points.d)]
        sign = 1 if labels[step["row"]] == label_of(said["classes"][1]) else -1
        if x != [*true, Fraction(1)] or step["sign"] != sign:
            return f"step {step['number']}: row {step['row']} is shown as {step['x']}; it is {true}"
    return None


def nothing_known(points: Points, info: Told) -> str | None:
    """For a verb whose answer is not derived again."""
    return None
