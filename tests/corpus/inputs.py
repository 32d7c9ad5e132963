"""The points and files of the corpus: small whole numbers and quarters, from a generator that never changes."""

from __future__ import annotations

import gzip
import io
import random
import zipfile
from pathlib import Path

import numpy as np
import pyarrow
import pyarrow.feather
import pyarrow.parquet
import scipy.sparse as sp

Points = tuple[np.ndarray, np.ndarray]
LEARNING = (
    "--order cyclic --eta 1 --schedule constant --seed 0 --rule perceptron --multi ova --ovo vote --keep pocket "
    "--tie negative --max-passes 20 --stall-train off --bias"
)


def listed(kind: str) -> list[str]:
    """The lines of commands.txt of this kind: a name and commands that follow one another, or (words) one command."""
    lines = Path(__file__).with_name("commands.txt").read_text().replace("$LEARN", LEARNING).splitlines()
    return [line.removeprefix("words: ") for line in lines if line.startswith(kind)]


def points(n: int, d: int, classes: int, noise: int, seed: int) -> Points:
    """Rows of quarters; the class of a row is that of its largest score plus noise, which 0 makes separable."""
    draw = random.Random(seed)
    planes = [[draw.randint(-4, 4) for _ in range(d)] for _ in range(classes)]
    rows, labels = [], []
    while len(rows) < n:
        x = [draw.randint(-20, 20) / 4 if draw.random() < 0.7 else 0.0 for _ in range(d)]
        scores = [
            sum(a * b for a, b in zip(plane, x, strict=True)) + draw.randint(-noise, noise) / 4 for plane in planes
        ]
        if sorted(scores)[-1] > sorted(scores)[-2]:
            rows.append(x)
            labels.append(scores.index(max(scores)))
    return np.array(rows), np.array(labels)


def lattice(n: int, d: int, seed: int) -> Points:
    """Rows of −2 … 2 with labels drawn at random: many ties and equal rows."""
    draw = random.Random(seed)
    X = np.array([[draw.randint(-2, 2) for _ in range(d)] for _ in range(n)], float)
    return X, np.array([-1, 1] + [draw.choice((-1, 1)) for _ in range(n - 2)])


def all_lengths(n: int, d: int, classes: int, seed: int) -> Points:
    """Overlapping rows of float32 numbers of all lengths, so that nearly every sum rounds."""
    draw = random.Random(seed)
    X = np.array([[draw.uniform(-1, 1) * 3.0 ** (j % 7) for j in range(d)] for _ in range(n)]).astype(np.float32)
    return X.astype(float), np.array([(row[0] > 0) + draw.randrange(classes) for row in X.tolist()]) % classes


SETS: dict[str, Points] = {
    "separable": points(40, 4, 2, 0, 1),
    "noisy": points(40, 4, 2, 60, 2),
    "one-column": points(20, 1, 2, 8, 3),
    "wide": points(12, 30, 2, 0, 4),
    "ties": lattice(16, 3, 5),
    "few": lattice(6, 2, 6),
    "three": points(45, 3, 3, 0, 7),
    "three-noisy": points(45, 3, 3, 40, 8),
}
ROUNDING = {
    "long": all_lengths(80, 5, 2, 11),
    "long-wide": all_lengths(60, 70, 2, 12),
    "long-four": all_lengths(60, 6, 4, 13),
}
BINARY = ("separable", "noisy", "one-column", "wide", "ties", "few")

STORAGES = {
    "C": lambda X: np.ascontiguousarray(X),
    "F": lambda X: np.asfortranarray(X),
    "float32": lambda X: X.astype(np.float32),
    "CSR": lambda X: sp.csr_matrix(X),
    "CSC": lambda X: sp.csc_matrix(X),
    "CSR float32": lambda X: sp.csr_matrix(X.astype(np.float32)),
    "COO": lambda X: sp.coo_matrix(X),
    "lists": lambda X: X.tolist(),
}

WORDS = ["win money now", "see you at noon", "money money prize", "lunch at noon", "prize now", "you win", "noon"]


def write_files(folder: Path) -> None:
    """All files that the commands of the corpus read, in this folder."""
    for name in ("noisy", "separable", "three", "few"):
        _in_formats(folder, name, *SETS[name])
    X, y = SETS["noisy"]
    lines = (folder / "noisy.csv").read_text().splitlines()
    texts = {
        "comma.csv": "a;b;label\n0,5;1,5;x\n1;2,25;y\n-1;0;x\n",
        "mail.tsv": "kind\tmail\tlength\n" + "".join(f"{i % 2}\t{WORDS[i % 7]}\t{i}\n" for i in range(20)),
        "colours.csv": "colour,size,label\n"
        + "".join(f"{['red', 'green', 'blue'][i % 3]},{i % 5},{i % 4 > 1}\n" for i in range(24)),
        "missing.csv": "\n".join([*lines[:6], ",1,2,3,0", *lines[6:], "1,2,NA,3,1"]) + "\n",
        "bad.csv": "\n".join([*lines[:6], "1,2", *lines[6:], "x,1,2,3,1"]) + "\n",
        "across.csv": "\n".join(",".join(cells) for cells in zip(*(line.split(",") for line in lines[1:]), strict=True))
        + "\n",
        "bad.svm": "1 1:2 2:1\n-1 2:x\n1 1:3\n",
        "falling.svm": "1 2:2 1:1\n-1 2:1\n",
        "empty.csv": "",
        "one-class.csv": "a,label\n1,x\n2,x\n",
        "nan.csv": "a,label\n1,x\nnan,y\n",
        "no-label.csv": "a,b\n1,2\n3,4\n",
        "new.csv": "\n".join(line.rsplit(",", 1)[0] for line in lines[:10]) + "\n",
        "plus.csv": "a,b,label\n1,2,+\n2,1,-\n3,5,+\n5,3,-\n",
    }
    for name, text in texts.items():
        (folder / name).write_text(text)
    (folder / "cut.npz").write_bytes((folder / "noisy.npz").read_bytes()[:200])
    (folder / "cut.parquet").write_bytes((folder / "noisy.parquet").read_bytes()[:-20])
    (folder / "cut.csv.gz").write_bytes((folder / "noisy.csv.gz").read_bytes()[:-30])
    _npz(folder / "other.npz", X=X[:, :2], y=y)


def _in_formats(folder: Path, name: str, X: np.ndarray, y: np.ndarray) -> None:
    names = [f"f{j}" for j in range(X.shape[1])]
    rows = [(row, int(label)) for row, label in zip(X.tolist(), y, strict=True)]
    for suffix, comma in (("csv", ","), ("tsv", "\t")):
        cells = [[*names, "label"], *([*map(repr, row), str(label)] for row, label in rows)]
        (folder / f"{name}.{suffix}").write_text("".join(comma.join(line) + "\n" for line in cells))
    svm = "".join(
        f"{label} " + " ".join(f"{j + 1}:{v!r}" for j, v in enumerate(row) if v) + "\n" for row, label in rows
    )
    (folder / f"{name}.svm").write_text(svm)
    (folder / f"{name}.svm.gz").write_bytes(gzip.compress(svm.encode(), mtime=0))
    (folder / f"{name}.csv.gz").write_bytes(gzip.compress((folder / f"{name}.csv").read_bytes(), mtime=0))
    _npz(folder / f"{name}.npz", X=X, y=y)
    table = pyarrow.table({n: X[:, j] for j, n in enumerate(names)} | {"label": y})
    pyarrow.parquet.write_table(table, folder / f"{name}.parquet")
    pyarrow.feather.write_feather(table, folder / f"{name}.arrow", compression="uncompressed")


def _npz(path: Path, **arrays: np.ndarray) -> None:
    """As `numpy.savez`, with the same bytes from every version of Python: proofs name the file's SHA-256."""
    with zipfile.ZipFile(path, "w") as there:
        for name, array in arrays.items():
            part = io.BytesIO()
            np.lib.format.write_array(part, array)
            there.writestr(zipfile.ZipInfo(f"{name}.npy"), part.getvalue())
