"""Lies in the binary cache (.nvc): its head and its arrays, dense and sparse; all CRC-32s are right."""

from __future__ import annotations

import json
import random
import shutil
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse

from commands import Told
from damage import odd
from damage.arrays import CLASSES, TABLE
from damage.meaning import Points, RefusedError, dense, labels_in, sparse_rows
from damage.pairs import Lie, Pair, asked_of_points, made
from oracles.certificate_oracle import digest

ODD: list[Any] = [None, True, 0, -1, 1, 7, 9, 2**31, 2**63, 1.0, "", "8", [], {}, ["a"], "novikoff-cache/2"]


def honest() -> None:
    """A cache of each kind, and the model for its rows."""
    np.savez("honest.npz", X=TABLE, y=CLASSES)
    scipy.sparse.save_npz("sparse.npz", scipy.sparse.csr_array(TABLE))
    with np.load("sparse.npz") as found:
        np.savez("sparse.npz", y=CLASSES, **{name: found[name] for name in found.files})
    np.savez("text.npz", X=TABLE, y=np.where(CLASSES > 0, "yes", "no"))
    made("fit", "honest.npz", "--max-passes", "3", "--quiet", "-o", "model.nvk")
    for name, kind in (("honest", "dense"), ("sparse", "sparse"), ("text", "text")):
        made("convert", f"{name}.npz", f"{kind}.nvc")


def nvc(chance: random.Random) -> Lie:
    """A lie in a cache."""
    kind = chance.choice(["dense", "sparse", "sparse", "sparse", "text"])
    head = json.loads(Path(f"{kind}.nvc", "head.json").read_text())
    arrays: dict[str, Any] = {name[:-4]: np.load(Path(f"{kind}.nvc", name)) for name in head["files"]}
    head.pop("crc32")
    indices = [name for name in ("starts", "columns") if name in arrays]
    field = chance.choice([*arrays, *arrays, *indices * 5, *head, "no lie"])
    value = _changed(chance, head, arrays, field)
    target = _written(head, arrays)
    meaning = _meaning(target, head)
    pairs = asked_of_points(target.name, "model.nvk", meaning, honest=field == "no lie" and kind != "text")
    pairs.append(Pair(("certify", target.name, "-o", "out.json", "--quiet"), _digest_judge(meaning)))
    return Lie("nvc", f"{kind} {field}", value, pairs)


def _changed(chance: random.Random, head: dict[str, Any], arrays: dict[str, Any], field: str) -> str:
    """Change one field; what was done to it."""
    ways: dict[str, Callable[..., Any]] = {
        "X": odd.values, "values": odd.values, "y": odd.labels, "starts": odd.starts,
        "columns": lambda chance, true: odd.places(chance, true, TABLE.shape[1]),
    }  # fmt: skip
    if field == "no lie":
        return "none"
    if field in arrays:
        value, arrays[field] = ways[field](chance, arrays[field])
        return str(value)
    if field == "digest":
        head[field] = chance.choice(["0" * 64, head[field].upper(), "", "x" * 64, None, 7])
    elif field == "names":
        head[field] = chance.choice([["a", "b", "c", "d"], ["a"], ["a", "a", "b", "c"], [1, 2, 3, 4], ["", "", "", ""],
                                     "abcd", ["label", "b", "c", "d"], [None] * 4, [["a"]] * 4, ["a\0", "b", "c",
                                     "\ud800"]])  # fmt: skip
    elif field == "files":
        head[field] = chance.choice([{}, {"X.npy": 0}, {"../model.nvk": 0}, {"y.npy": None}, [], None, "y.npy"])
    elif chance.random() < 0.05:
        return f"missing: {head.pop(field)}"
    else:
        head[field] = chance.choice(ODD)
    return repr(head[field])[:60]


def _written(head: dict[str, Any], arrays: dict[str, Any]) -> Path:
    target = Path("bad.nvc")
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir()
    sums = {}
    for name, array in arrays.items():
        with open(target / f"{name}.npy", "wb") as file:
            np.lib.format.write_array(file, np.asarray(array), allow_pickle=True)
        sums[f"{name}.npy"] = zlib.crc32((target / f"{name}.npy").read_bytes())
    if isinstance(head.get("files"), dict) and set(head["files"]) == set(sums):
        head["files"] = sums
    sealed = {**head, "crc32": zlib.crc32(json.dumps(head).encode())}
    (target / "head.json").write_text(json.dumps(sealed, indent=1))
    return target


def _meaning(target: Path, head: dict[str, Any]) -> Points | RefusedError:
    """What NumPy finds in the folder, if the head agrees with it."""
    try:
        if head.get("format") != "novikoff-cache/1" or not isinstance(head.get("files"), dict):
            raise RefusedError("head")
        names = sorted(path.name for path in target.glob("*.npy"))
        if sorted(head["files"]) != names:
            raise RefusedError("files")
        parts = {name[:-4]: np.load(target / name, allow_pickle=False) for name in names}
        n, d = head.get("rows"), head.get("columns")
        if type(n) is not int or type(d) is not int:
            raise RefusedError("sizes")
        titles = head.get("names")
        if titles is not None and (type(titles) is not list or not all(type(one) is str for one in titles)):
            raise RefusedError("names")
        if titles is not None and (len(titles) != d or len(set(titles)) < d):
            raise RefusedError("names")
        if "X" in parts:
            points = dense(parts["X"], None)
        else:
            rows, _ = sparse_rows(
                {"data": parts["values"], "indices": parts["columns"], "indptr": parts["starts"],
                 "shape": np.array([n, d])})  # fmt: skip
            points = Points(rows, d, None, sparse=True)
        if (points.n, points.d) != (n, d):
            raise RefusedError("other sizes")
        return Points(points.rows, d, labels_in(parts["y"], n), points.sparse, titles)
    except (ValueError, KeyError, OverflowError, OSError, TypeError) as error:
        return RefusedError(str(error)[:80])
    except RefusedError as why:
        return why


def _digest_judge(meaning: Points | RefusedError) -> Callable[[Told], str | None]:
    """The certificate written names the digest of these rows."""

    def judge(info: Told) -> str | None:
        if isinstance(meaning, RefusedError) or meaning.labels is None:
            return f"answered (exit {info.code}); an independent reader refuses"
        if len(set(meaning.labels)) != 2:
            return None
        rows = [[repr(row.get(j, 0.0)) for j in range(meaning.d)] for row in meaning.rows]
        true = digest(list(zip(meaning.labels, rows, strict=True)))
        said = json.loads(Path("out.json").read_text())["data"]
        return None if said["digest"] == true else f"the digest {said['digest'][:8]}…; that of the rows is {true[:8]}…"

    return judge
