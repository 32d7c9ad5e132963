"""Lies in model files (.nvk): every field of the record and every tensor, under a right SHA-256.

The independent reader is safetensors and JSON: it derives the answers again from coef, intercept and classes, or, with
keep="vote", from the log of updates.
"""

from __future__ import annotations

import copy
import random
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse
from safetensors.numpy import load, save

import novikoff as nv
from commands import Told
from damage import odd
from damage.arrays import CLASSES, TABLE
from damage.meaning import RefusedError, label_of
from damage.mutate import ODD, places, put_together, taken_apart
from damage.pairs import Lie, Pair, made
from damage.scores import scores_of

THREE = np.array([0, 1, 2, 0, 1, 2, 0, 1])
BASES = {
    "binary": ("two.npz",), "no bias": ("two.npz", "--no-bias"), "eta": ("two.npz", "--eta", "0.3"),
    "average": ("two.npz", "--keep", "average"), "ova": ("three.npz",), "ovo": ("three.npz", "--multi", "ovo"),
    "joint": ("three.npz", "--multi", "joint"), "vote": ("two.npz", "--keep", "vote"),
    "vote sparse": ("sparse.npz", "--keep", "vote"),
    "vote ladder": ("ladder.npz", "--keep", "vote"), "scale": ("two.csv", "--scale"),
    "one-hot": ("words.csv", "--one-hot"), "text": ("texts.csv", "--text", "b", "--tfidf"),
    "poly2": ("two.csv", "--features", "poly2"), "widest": (),
}  # fmt: skip
VOTES = ("vote", "vote sparse", "vote ladder")
LADDER = np.diag(
    [1.0, -2.0, 3.0, -1.0, 2.0, -3.0, 1.0, -1.0]
)  # columns rise from row to row: false starts are not seen in them
NUMBERS = {int: [-1, 0, 1, 7, 8, 9, 2**31 - 1, 2**31, -(2**31), 2**32, 2**62, 2**63 - 1, -(2**63)],
           float: [np.nan, np.inf, -np.inf, 1e300, 2.0**500, -1.0, 5e-324, -0.0, 0.5]}  # fmt: skip


def honest() -> None:
    """Data and models of every kind."""
    np.savez("two.npz", X=TABLE, y=CLASSES)
    np.savez("three.npz", X=TABLE, y=THREE)
    for name, table in (("sparse", TABLE), ("ladder", LADDER)):
        scipy.sparse.save_npz(f"{name}.npz", scipy.sparse.csr_array(table))
        with np.load(f"{name}.npz") as found:
            np.savez(f"{name}.npz", y=CLASSES, **{part: found[part] for part in found.files})
    made("convert", "two.npz", "two.csv")
    words = [
        "red,cash now",
        "blue,see you",
        "red,cash",
        "green,lunch",
        "red,free cash",
        "blue,lunch now",
        "green,you",
        "blue,x",
    ]
    Path("words.csv").write_text("a,b,label\n" + "".join(f"{w},{c}\n" for w, c in zip(words, CLASSES, strict=True)))
    texts = [word.partition(",")[2] for word in words]
    Path("texts.csv").write_text("b,label\n" + "".join(f"{w},{c}\n" for w, c in zip(texts, CLASSES, strict=True)))
    for name, args in BASES.items():
        if args:
            made("fit", *args, "--max-passes", "3", "--quiet", "-o", f"{name}.nvk")
    y = np.where(TABLE @ [3, 1, -1, 1] > 0.5, 1, -1)
    nv.save(nv.MaxMargin().fit(TABLE, y), "widest.nvk")


def nvk(chance: random.Random) -> Lie:
    """A lie in a model."""
    base = chance.choice((*BASES, *VOTES, *VOTES))
    raw = Path(f"{base}.nvk").read_bytes()
    _, record, _ = taken_apart(raw)
    tensors = {name: tensor.copy() for name, tensor in load(raw).items()}
    if chance.random() < 0.02:
        field, value = "no lie", "none"
    elif chance.random() < (0.2 if base in VOTES else 0.6):
        field, value = _lie_in_record(chance, record)
    else:
        field, value = _lie_in_tensors(chance, tensors)
    packed = save(tensors, {"novikoff": "{}"})
    header, _, data = taken_apart(packed)
    Path("bad.nvk").write_bytes(put_together(header, record, data))
    rows = (*BASES[base], "two.npz")[0]
    exact = base not in ("scale", "one-hot", "text", "poly2") and not field.startswith("preparation")
    judge = _predicted(record, tensors, base) if exact else _in_classes(record)
    pairs = [
        Pair(("predict", "bad.nvk", rows, "--quiet", "-o", "out.txt"), judge, field == "no lie"),
        Pair(("predict", "bad.nvk", rows, "--scores", "--quiet", "-o", "out.txt"), judge, field == "no lie"),
        Pair(("evaluate", "bad.nvk", rows, "--json"), lambda info: None),
        Pair(("explain", "bad.nvk", rows, "--row", "1", "--json"), lambda info: None),
        Pair(("explain", "bad.nvk", "--json"), lambda info: None, field == "no lie"),
        Pair(("explain", "bad.nvk"), lambda info: None),
        Pair(("convert", "bad.nvk", "out.onnx"), lambda info: None),
    ]
    return Lie("nvk", f"{base} {field}", value, pairs, loose=not exact)


def _lie_in_record(chance: random.Random, record: dict[str, Any]) -> tuple[str, str]:
    inside, key = chance.choice(places(record))
    path = next((name for name, value in record.items() if value is inside or any(
        inside is part for part, _ in places(value))), "")  # fmt: skip
    field = f"{path}.{key}" if path else str(key)
    if chance.random() < 0.1:
        del inside[key]
        return field, "missing"
    if chance.random() < 0.05 and isinstance(inside, dict):
        inside["extra"] = 1
        return field, "one more"
    new = copy.deepcopy(chance.choice(ODD))
    inside[key] = new
    return field, repr(new)[:60]


def _lie_in_tensors(chance: random.Random, tensors: dict[str, np.ndarray]) -> tuple[str, str]:
    indices = [name for name in tensors if name.endswith(("indptr", "indices"))]
    name = chance.choice(indices if indices and chance.random() < 0.7 else sorted(tensors))
    tensor = tensors[name]
    ways = ["number"] * 6 + ["shape", "type", "missing", "renamed"]
    way = chance.choice([*ways, *["index"] * 20] if name in indices else ways)
    if way == "missing":
        del tensors[name]
    elif way == "renamed":
        tensors[chance.choice([name + "x", "votes.rows", "votes.x", "trained", "n_mistakes", "preparation.x"])] = (
            tensors.pop(name)
        )
    elif way == "shape":
        shapes = [tensor.ravel(), tensor[None], tensor[:0], tensor[:-1], np.concatenate([tensor, tensor[:1]]), tensor.T]
        tensors[name] = np.ascontiguousarray(chance.choice(shapes))
        return name, f"shape {tensors[name].shape}"
    elif way == "type":
        tensors[name] = tensor.astype(chance.choice(["f4", "i4", "i1", "u1", "i8", "f8"]))
        return name, f"type {tensors[name].dtype}"
    elif way == "index" and name.endswith("indptr") and tensor.size > 2:
        value, tensors[name] = odd.starts(chance, tensor, narrow=False)
        tensors[name] = _storable(tensors[name])
        return name, value
    elif way == "index" and name.endswith("indices"):
        value, tensors[name] = odd.places(chance, tensor, TABLE.shape[1], narrow=False)
        tensors[name] = _storable(tensors[name])
        return name, value
    elif tensor.size:
        kind = int if tensor.dtype.kind in "iu" else float
        new = chance.choice(
            [
                one
                for one in NUMBERS[kind]
                if kind is float or np.iinfo(tensor.dtype).min <= one <= np.iinfo(tensor.dtype).max
            ]
        )
        at = chance.randrange(tensor.size)
        tensor.reshape(-1)[at] = new
        if chance.random() < 0.3 and tensor.size > 1:  # and its neighbour, so that differences wrap
            other = chance.choice(NUMBERS[kind])
            tensor.reshape(-1)[at - 1] = (
                other if kind is float or (-(2**63) <= other < 2**63 and tensor.dtype.itemsize == 8) else 0
            )
        return name, f"[{at}] = {new}"
    return name, way


def _storable(array: np.ndarray) -> np.ndarray:
    """As safetensors can hold it."""
    if array.dtype.kind in "Ub":
        return np.zeros(array.shape, np.uint8)
    return np.ascontiguousarray(array.astype(array.dtype.newbyteorder("<")))


# ---- the independent reader ----------------------------------------------------------------------------------------


def _lines() -> list[list[str]]:
    return [line.split("\t") for line in Path("out.txt").read_text(encoding="utf-8").splitlines()]


def _in_classes(record: dict[str, Any]) -> Any:
    """A line for each row, with a class of the model."""

    def judge(info: Told) -> str | None:
        known = [label_of(value) for value in record["classes"]["values"]]
        lines = _lines()
        if len(lines) != len(TABLE) or not all(label_of(line[0]) in known for line in lines):
            return f"lines {lines}; classes {known}"
        return None

    return judge


def _predicted(record: dict[str, Any], tensors: dict[str, np.ndarray], base: str) -> Any:
    """The class of each row, derived from the file; rows near a tie of several classes are left out."""

    def judge(info: Told) -> str | None:
        try:
            labels = [label_of(value) for value in record["classes"]["values"]]
            scores = scores_of(record, tensors, len(labels), LADDER if base == "vote ladder" else TABLE)
        except (KeyError, TypeError, ValueError, IndexError, OverflowError, RefusedError) as error:
            return f"answered; an independent reader refuses: {error!r}"
        lines = _lines()
        if len(lines) != len(TABLE):
            return f"{len(lines)} lines for {len(TABLE)} rows"
        for k, (line, score) in enumerate(zip(lines, scores, strict=True), start=1):
            if len(labels) == 2:
                upper = score[0] >= 0 if record["parameters"].get("tie") == "positive" else score[0] > 0
                right = {labels[int(upper)]}
            else:
                best = max(score)
                right = {
                    label for label, one in zip(labels, score, strict=True) if best - one <= 1e-9 * (1 + abs(best))
                }
            if label_of(line[0]) not in right:
                return f"row {k}: {line[0]}; the scores are {[float(one) for one in score]}"
            if len(line) > 1 and not np.allclose(
                [float(text) for text in line[1:]], [float(one) for one in score], 1e-9, 1e-9
            ):
                return f"row {k}: scores {line[1:]}; they are {[float(one) for one in score]}"
        return None

    return judge
