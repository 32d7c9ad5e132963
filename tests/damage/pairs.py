"""A lie, the commands that are given it, and the verdict on how each command ended.

A lie is (kind of file, field, wrong value). What may happen: a refusal (exit 2 or 3, one line, nothing written), or an
answer (exit 0, 1 or 4): the one that the same command gives for an honest file of the points that an independent reader
finds in the file.
"""

from __future__ import annotations

import csv
import io
import json
import math
import os
import shutil
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import load_file

from commands import Told, novikoff
from damage.meaning import Points, RefusedError, dense, label_of, labels_in, labels_of, sparse_rows

ANSWERS, REFUSALS = (0, 1, 4), (2, 3)
Judge = Callable[[Told], str | None]


@dataclass(frozen=True)
class Pair:
    """A command, and a judge of its answer: None, or what is wrong with it."""

    command: tuple[str, ...]
    judge: Judge
    must_answer: bool = False
    unchanged: tuple[str, ...] = ()  # files that a refusal must leave as they are


@dataclass(frozen=True)
class Lie:
    """What is wrong in a file, and who is asked about it. loose: answers are not derived again in full."""

    kind: str
    field: str
    value: str
    pairs: list[Pair] = field(default_factory=list)
    loose: bool = False

    @property
    def words(self) -> str:
        return f"{self.kind}: {self.field} = {self.value}"


@dataclass(frozen=True)
class Outcome:
    """How a pair ended. code: the exit code; None for an exception, a signal or no end. wrong: None, or what is."""

    code: int | None
    wrong: str | None


def carried_out(pair: Pair) -> Outcome:
    """Run the command in this folder and judge it; what it wrote is removed."""
    before = _files()
    bytes_before = [Path(name).read_bytes() for name in pair.unchanged]
    try:
        try:
            info = novikoff(*pair.command)
        except Exception:
            return Outcome(None, "exception: " + _last_lines(traceback.format_exc()))
        if info.code == 3 and bytes_before != [Path(name).read_bytes() for name in pair.unchanged]:
            return Outcome(3, "refused, and the file was changed")
        return Outcome(info.code, _wrong(pair, info, sorted(_files() - before)))
    finally:
        for name in _files() - before:
            shutil.rmtree(name) if os.path.isdir(name) else os.unlink(name)


def _files() -> set[str]:
    return {entry.name for entry in os.scandir(".")}


def _wrong(pair: Pair, info: Told, written: list[str]) -> str | None:
    if "Traceback" in info.err:
        return f"traceback: {_last_lines(info.err)}"
    if info.code in ANSWERS:
        try:
            return pair.judge(info)
        except RefusedError as why:
            return f"the answer cannot be read: {why}"
        except Exception as error:
            return f"the answer cannot be judged: {error!r}"
    if info.code not in REFUSALS:
        return f"exit code {info.code}"
    if written:
        return f"exit code {info.code}, and written: {', '.join(written)}"
    if info.out:
        return f"exit code {info.code}, and an answer: {info.out[:80]!r}"
    if "std::" in info.err or "vector::" in info.err:
        return f"refused by the C++ library after it followed a false index: {info.err[:200]!r}"
    if info.code == 3 and sum(line.startswith("novikoff: error: ") for line in info.err.splitlines()) != 1:
        return f"not one line of error: {info.err[:200]!r}"
    return f"an honest file is refused: {info.err[:200]!r}" if pair.must_answer else None


def _last_lines(text: str) -> str:
    """The place in the package where an exception was raised, and the exception."""
    lines = text.strip().splitlines()
    places = [line.strip() for line in lines if line.startswith("  File ") and "/novikoff/" in line]
    place = places[-1].partition("/novikoff/")[2].replace('"', "") if places else ""
    return f"{lines[-1][:200]} ({place})"


# ---- files of points -------------------------------------------------------------------------------------------------

NAMED = (
    *("data", "names", "label", "columns", "digest", "plane", "seconds", "model", "schema", "prepared"),
    *("advice", "notes", "aliases"),
)
"""what a document says of the file and its columns; everything else is said of the points"""


def asked_of_points(
    name: str, model: str, meaning: Points | RefusedError, honest: bool, known: Points | RefusedError | None = None
) -> list[Pair]:
    """The verbs that read points; known: what those with a model read, where it makes a difference."""

    def pair(*command: str, points: Any = meaning, labelled: bool = True) -> Pair:
        def judge(info: Told) -> str | None:
            if isinstance(points, RefusedError):
                return f"answered (exit {info.code}); an independent reader refuses: {points}"
            if labelled and points.labels is None:
                return f"answered (exit {info.code}); an independent reader finds no labels"
            return converted(points, command[2]) if command[0] == "convert" else otherwise(points, name, command, info)

        return Pair(command, judge, honest)

    known = meaning if known is None else known
    rows = ("--on-missing", "fail")
    return [
        pair("convert", name, "out.csv", labelled=False),
        pair("convert", name, "out.npz", labelled=False),
        pair("fit", name, "--max-passes", "3", "--quiet", "--json", "-o", "out.nvk"),
        pair("predict", model, name, *rows, "--scores", "--quiet", "-o", "out.txt", points=known, labelled=False),
        pair("evaluate", model, name, *rows, "--json", points=known),
        pair("certify", name, "--json"),
        pair("trace", name, "--json", "--max-updates", "20"),
        pair("separation", name, "--json"),
        pair("margin", name, "--json"),
        pair("cv", name, "--folds", "2", "--json"),
    ]


def converted(points: Points, path: str) -> str | None:
    """The file that was written holds the rows and labels."""
    if path.endswith(".csv"):
        header, *lines = list(csv.reader(io.StringIO(Path(path).read_text(encoding="utf-8"), newline="")))
        rows = [{j: v for j, text in enumerate(line[:-1]) if (v := float(text))} for line in lines]
        texts = [line[-1] for line in lines]  # inf is a label in a text, and none where it stands for a number
        labels = None if points.labels is None and {"inf", "-inf"} & set(texts) else labels_of(texts)
        found, names = Points(rows, len(header) - 1, labels), header[:-1]
    else:
        found, names = archive(path), None
    if (found.n, found.d) != (points.n, points.d):
        return f"read {found.n} rows of {found.d} columns; the file has {points.n} of {points.d}"
    if points.names is not None and names is not None:
        known = [f"{name}_" if name.lower() == "label" else name for name in points.names]
        if known != names:
            return f"columns {names}; the file has {known}"
    for k, (row, true) in enumerate(zip(found.rows, points.rows, strict=True), start=1):
        if row != true:
            return f"row {k} read as {row}; the file has {true}"
    return None if found.labels == points.labels else f"labels {found.labels}; the file has {points.labels}"


def archive(path: str) -> Points:
    """The points of a .npz file, as NumPy finds its parts and SciPy means them."""
    with np.load(path, allow_pickle=False) as file:
        parts = {}
        for name in file.files:
            try:
                parts[name] = file[name]
            except ValueError:  # a pickle
                if name != "y":
                    raise
    if "X" in parts:
        X = parts["X"]
        return dense(X, labels_in(parts.get("y"), len(X) if X.ndim else -1))
    rows, d = sparse_rows(parts)
    return Points(rows, d, labels_in(parts.get("y"), len(rows)), sparse=True)


def otherwise(points: Points, name: str, command: tuple[str, ...], info: Told) -> str | None:
    """What differs from the answer for an honest file of these points."""
    y = np.zeros(points.n, int) if points.labels is None else np.array(points.labels)
    if points.sparse:
        d = min(points.d, 2**31 - 1)  # a model passes over columns that it does not have, as many as there are
        entries = [[(j, row[j]) for j in sorted(row) if j < d] for row in points.rows]
        places, values = ([one[k] for row in entries for one in row] for k in (0, 1))
        parts = {"indptr": np.cumsum([0, *map(len, entries)]), "indices": np.array(places, np.int64)}
        shape = np.array([points.n, d])
        np.savez("same.npz", **parts, data=np.array(values, float), shape=shape, format=b"csr", y=y)
    else:
        np.savez("same.npz", X=[[row.get(j, 0.0) for j in range(points.d)] for row in points.rows], y=y)
    true = novikoff(*("same.npz" if word == name else word.replace("out.", "same.") for word in command))
    if info.code != true.code:
        return f"exit code {info.code}; for an honest file of the same points {true.code}: {true.err[:200]!r}"
    if command[0] == "predict":
        said, right = (
            [line.split("\t") for line in Path(path).read_text().splitlines()] for path in ("out.txt", "same.txt")
        )
        said, right = ([[label_of(line[0]), *map(float, line[1:])] for line in lines] for lines in (said, right))
    else:
        said, right = json.loads(info.out), json.loads(true.out)
    if command[0] == "fit":
        ours, theirs = load_file("out.nvk"), load_file("same.nvk")
        if any(ours[part].tobytes() != theirs[part].tobytes() for part in ("coef", "intercept")):
            return "other weights than for an honest file of the same points"
    return differs(said, right)


def differs(said: Any, true: Any, at: str = "") -> str | None:
    """Where two documents differ, but in what they say of the file; floats may be summed in another order."""
    if isinstance(said, dict) and isinstance(true, dict):
        left, right = ({k: v for k, v in one.items() if k not in NAMED} for one in (said, true))
        if at.endswith("coefficients"):  # by the names of the columns
            left, right = (dict(enumerate(one.values())) for one in (left, right))
        if list(left) != list(right):
            return f"{at}: {sorted(left)}; for an honest file {sorted(right)}"
        return next((found for k in left if (found := differs(left[k], right[k], f"{at}.{k}"))), None)
    if isinstance(said, list) and isinstance(true, list) and len(said) == len(true):
        return next((found for a, b in zip(said, true, strict=True) if (found := differs(a, b, at))), None)
    if type(said) is type(true) is float and math.isclose(said, true, rel_tol=1e-9, abs_tol=1e-9):
        return None
    texts = [label_of(one) if isinstance(one, str | int | float) and one != "" else one for one in (said, true)]
    return None if texts[0] == texts[1] else f"{at} is {said!r:.60}; for an honest file of the same points {true!r:.60}"


def made(*args: str, code: int = 0) -> None:
    """A command that must succeed, for the honest files."""
    info = novikoff(*args)
    assert info.code == code, (args, info.err)
