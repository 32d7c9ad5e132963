"""Lies in files of arrays: .npz, dense and of compressed sparse rows."""

from __future__ import annotations

import io
import random
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse

from damage import odd
from damage.meaning import Points, RefusedError, dense, labels_in, sparse_rows
from damage.pairs import Lie, asked_of_points, made

TABLE = np.array([[2, 1, 0, 0], [0, 0, -3, 0], [1, 0, 2, 0], [0, -2, 0, 0], [4, 0, 0, 1], [0, 3, 1, 0], [0, 0, 0, 0],
                  [-1, 0, 5, 2]], float)  # fmt: skip
CLASSES = np.array([1, -1, 1, -1, 1, -1, 1, -1])


def honest() -> None:
    """The model for these rows."""
    np.savez("honest.npz", X=TABLE, y=CLASSES)
    made("fit", "honest.npz", "--max-passes", "3", "--quiet", "-o", "model.nvk")


# ---- .npz ----------------------------------------------------------------------------------------------------------


def npz(chance: random.Random) -> Lie:
    """A lie in a .npz file."""
    kind = chance.choice(("dense", "csr", "csr"))
    parts = _parts(kind)
    name = chance.choice([*parts, *parts, "no lie"]) if kind != "dense" else chance.choice(["X", "y", "y", "no lie"])
    value = _changed(chance, kind, parts, name)
    target = Path("bad.npz")
    try:
        np.savez(target, **parts)
    except ValueError:  # an object array: written as a pickle, which no reader may open
        np.savez(target, **parts, allow_pickle=True)
    return Lie("npz", f"{kind} {name}", value, asked_of_points(target.name, "model.nvk", npz_meaning(target),
                                                             honest=name == "no lie"))  # fmt: skip


def _parts(kind: str) -> dict[str, Any]:
    if kind == "dense":
        return {"X": TABLE.copy(), "y": CLASSES.copy()}
    file = io.BytesIO()
    scipy.sparse.save_npz(file, scipy.sparse.csr_array(TABLE))
    file.seek(0)
    with np.load(file) as found:
        return {name: found[name] for name in found.files} | {"y": CLASSES.copy()}


def _changed(chance: random.Random, kind: str, parts: dict[str, Any], name: str) -> str:
    """Change one part; what was done to it."""
    if name == "no lie":
        return "none"
    if chance.random() < 0.04:
        del parts[name]
        return "missing"
    if name == "y":
        value, parts[name] = odd.labels(chance, parts[name])
    elif name in ("X", "data"):
        value, parts[name] = odd.values(chance, parts[name])
    elif name == "indptr":
        value, parts[name] = odd.starts(chance, parts[name])
    elif name == "indices":
        value, parts[name] = odd.places(chance, parts[name], 4)
    elif name == "shape":
        parts[name] = chance.choice([
            np.array([4, 8]), np.array([8, 5]), np.array([8, 3]), np.array([9, 4]), np.array([7, 4]), np.array([0, 4]),
            np.array([8, 0]), np.array([-8, 4]), np.array([8, -1]), np.array([8]), np.array([8, 4, 1]), np.array(8),
            np.array([8.0, 4.0]), np.array([2**40, 4]), np.array([8, 2**31 + 5]), np.array([8, 2**62]),
            np.array([[8, 4]]), np.array(["8", "4"]), np.array([8, 4], ">i8"), np.array([8, 4], "u1"),
            np.array([8, 12]),
        ])  # fmt: skip
        value = f"{parts[name].dtype} {parts[name].tolist()}"
    elif name == "format":
        parts[name] = chance.choice([
            np.array("csr"), np.array(b"csr"), np.array("csc"), np.array(b"coo"),
            np.array("lil"), np.array(""), np.array(7), np.array([b"csr"]), np.array(b"\xff"), np.array("CSR"),
            np.array("csr "), np.array("__class__"), np.array(["csr", "csr"]), np.array(b"csr" + b"\0" * 3),
        ])  # fmt: skip
        value = repr(parts[name].tolist())
    else:  # _is_array
        parts[name] = chance.choice([np.array(False), np.array([True, False]), np.array("yes"), np.array(np.nan)])
        value = repr(parts[name].tolist())
    return value


def npz_meaning(path: Path) -> Points | RefusedError:
    """What NumPy finds in the file, and SciPy's meaning of the parts."""
    try:
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
    except (ValueError, KeyError, OSError, OverflowError, SyntaxError) as error:
        return RefusedError(str(error)[:80])
    except RefusedError as why:
        return why
