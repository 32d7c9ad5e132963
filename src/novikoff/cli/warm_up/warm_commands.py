"""The commands that `novikoff warm` runs, by part, and the small files that they read.

Each kernel is compiled for the types of its arguments, so a part has one file for each storage: tables and arrays of
float64, float32 and 8-bit numbers, narrow and wide, and compressed sparse rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

ROWS = 240
LEARNING = (
    (), ("--keep", "last", "--order", "cyclic"), ("--keep", "pocket"), ("--keep", "vote"), ("--order", "first"),
    ("--order", "random"), ("--order", "batch"), ("--rule", "margin"), ("--rule", "pa1"),
)  # fmt: skip
SOFT = (("hinge",), ("squared_hinge", "--penalty", "l1"), ("logistic",))
SEPARABLE, MIXED = "separable", "mixed"  # names of files: whether a plane separates the points

Commands = Iterator[tuple[str, ...]]


def parts() -> dict[str, str]:
    """Return the parts by name: what each is for."""
    return {
        "tables": "fit, predict, evaluate and certify of tables with two classes",
        "sparse": "the same for svmlight files",
        "arrays": "the same for NumPy files of float32 and 8-bit numbers",
        "classes": "three classes, of tables and svmlight files",
        "learning": "orders, rules and keeps other than the defaults",
        "margin": "maximum margins",
        "soft": "soft margins",
    }


def commands(part: str) -> Commands:
    """Yield the command lines of a part; the files are those of `write_files`."""
    files = {"tables": "csv", "sparse": "svm"}
    if part in files:
        yield from _everyday(files[part])
    elif part == "arrays":
        for kind in ("float32", "wide32", "wide64", "bytes", "sparse32"):
            for name in (SEPARABLE, MIXED):
                yield "fit", f"{name}-{kind}.npz", "-o", "model.nvk", "--max-passes", "30"
                yield "predict", "model.nvk", f"{name}-{kind}.npz"
    elif part == "classes":
        for ending in ("csv", "svm"):
            for scheme in ("ova", "ovo", "joint"):
                yield "fit", f"three.{ending}", "--multi", scheme, "-o", "model.nvk", "--max-passes", "30"
                yield "predict", "model.nvk", f"three.{ending}"
    elif part == "learning":
        for ending in ("csv", "svm"):
            for options in LEARNING:
                yield "fit", f"{MIXED}.{ending}", *options, "-o", "model.nvk", "--max-passes", "30"
                yield "predict", "model.nvk", f"{MIXED}.{ending}"
    elif part == "margin":
        for ending in ("csv", "svm"):
            yield "margin", f"{SEPARABLE}.{ending}"
    else:
        for ending in ("csv", "svm"):
            for loss in SOFT:
                yield "fit", f"{MIXED}.{ending}", "--soft", *loss, "-o", "model.nvk"


def _everyday(ending: str) -> Commands:
    for name in (SEPARABLE, MIXED):
        yield "fit", f"{name}.{ending}", "-o", "model.nvk"
        yield "predict", "model.nvk", f"{name}.{ending}"
        yield "evaluate", "model.nvk", f"{name}.{ending}"
        yield "certify", f"{name}.{ending}"


def write_files(folder: Path) -> None:
    """Write the files that the commands read; their numbers are the same everywhere."""
    import numpy as np
    import scipy.sparse

    X = np.round(4.0 * np.sin(np.arange(ROWS * 60.0) ** 1.5).reshape(ROWS, 60), 2)
    score = X[:, :6].sum(axis=1)
    few = X[:, :6] + 0.05 * np.sign(score)[:, None]
    labels = {
        SEPARABLE: (score > 0).astype(int),
        MIXED: (score + 6.0 * X[:, 7] > 0).astype(int),
        "three": np.digitize(score, (-2.0, 2.0)),
    }
    for name, y in labels.items():
        rows = zip(few.tolist(), y.tolist(), strict=True)
        text = [(label, [f"{value:.2f}" for value in row]) for row, label in rows]
        lines = [",".join([*row, f"c{label}"]) for label, row in text]
        (folder / f"{name}.csv").write_text("\n".join(["a,b,c,d,e,f,label", *lines, ""]))
        pairs = [f"{label} {' '.join(f'{k}:{v}' for k, v in enumerate(row, start=1))}" for label, row in text]
        (folder / f"{name}.svm").write_text("\n".join([*pairs, ""]))
        arrays = {"float32": few.astype("f4"), "wide32": X.astype("f4"), "wide64": X, "bytes": X.astype("i1")}
        for kind, array in arrays.items():
            np.savez(folder / f"{name}-{kind}.npz", X=array, y=y)
        sparse = scipy.sparse.csr_array(few.astype("f4"))
        parts = {"data": sparse.data, "indices": sparse.indices, "indptr": sparse.indptr, "shape": sparse.shape}
        np.savez(folder / f"{name}-sparse32.npz", y=y, format=np.array(b"csr"), **parts)
