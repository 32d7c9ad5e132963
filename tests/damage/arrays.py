"""Lies in files of arrays: .npz (dense, and compressed sparse rows) and .npy."""

from __future__ import annotations

import io
import random
import struct
import tokenize
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


# ---- .npy ----------------------------------------------------------------------------------------------------------


def npy(chance: random.Random) -> Lie:
    """A lie in the head of a .npy file, or in its table."""
    table = np.column_stack([TABLE, CLASSES])
    field = chance.choice(["shape", "descr", "fortran_order", "version", "length", "table", "text", "no lie"])
    value = "none"
    if field == "table":
        value, table = odd.values(chance, table)
    head: dict[str, Any] = {"descr": table.dtype.str, "fortran_order": False, "shape": table.shape}
    version, cut = (1, 0), None
    if field == "shape":
        head[field] = chance.choice([(8, 4), (8, 6), (5, 8), (4, 10), (40,), (), (1, 40), (40, 1), (8, -5), (-8, -5),
                                     (2**62, 5), (2**40, 2**40), (8, 5, 1), (8.0, 5), "8", None, (0, 5), (8, 0),
                                     (10**12, 5), (True, 5), [8, 5]])  # fmt: skip
    elif field == "descr":
        head[field] = chance.choice(["<f4", ">f8", "<i8", "<c16", "|b1", "<U2", "|S8", "|O", "<M8[D]", "|V8", "<f2", "",
                                     "f", "<f16", "<f8,<f8", [("a", "<f8")], None, 8, "|u1", "(2,)<f4"])  # fmt: skip
    elif field == "fortran_order":
        head[field] = chance.choice([True, 1, None, "no"])
    elif field == "version":
        version = chance.choice([(2, 0), (3, 0), (0, 0), (1, 1), (255, 255), (4, 0)])
    elif field == "length":
        cut = chance.choice([0, 1, 8, 60, 65535])
    if field in ("shape", "descr", "fortran_order"):
        value = repr(head[field])
    elif field in ("version", "length"):
        value = repr(version if field == "version" else cut)
    text = repr(head)
    if field == "text":
        text = chance.choice(["", "{}", "{" * 500, "[]", "__import__('os').system('true')", text + "#", text[:-1],
                              text.replace("shape", "shap"), "{'descr': '<f8'}", text + " " * 70000])  # fmt: skip
        value = text[:60]
    encoded = text.encode()
    pad = 64 - (10 + 2 * (version >= (2, 0)) + len(encoded) + 1) % 64
    encoded += b" " * pad + b"\n"
    size = struct.pack("<H" if version < (2, 0) else "<I", min(len(encoded), 65535) if cut is None else cut)
    raw = table.astype("<f8") if table.dtype.kind in "OUM" else table
    body = raw.tobytes() if table.dtype.kind != "O" else table.astype(float).tobytes()
    Path("bad.npy").write_bytes(b"\x93NUMPY" + bytes(version) + size + encoded + body)
    meaning, rows = _npy_meaning(Path("bad.npy"))
    return Lie("npy", field, value, asked_of_points("bad.npy", "model.nvk", meaning, field == "no lie", rows))


def _npy_meaning(path: Path) -> tuple[Points | RefusedError, Points | RefusedError]:
    """The table with its label, and as a model of 4 columns takes it: the label may be missing."""
    try:
        table = np.load(path, allow_pickle=False)
        if table.ndim != 2 or table.dtype.kind not in "fiub" or not table.shape[1]:
            raise RefusedError(f"no table of numbers: {table.dtype} {table.shape}")
        points = dense(table[:, :-1], labels_in(table[:, -1], len(table)))
        return points, dense(table, None) if table.shape[1] == TABLE.shape[1] else points
    except (ValueError, OSError, EOFError, SyntaxError, TypeError, KeyError, OverflowError, MemoryError,
            tokenize.TokenError) as error:  # fmt: skip
        why = RefusedError(str(error)[:80])
        return why, why
    except RecursionError:
        return RefusedError("too deep"), RefusedError("too deep")
    except RefusedError as why:
        return why, why
