"""The eleven problems of the question `softmargin`, each with two classes, read from the real sets and kept.

Several classes become the second against the rest; `mnist_38` is 3 against 8, `mnist_8` 8 against the rest. Numbers of
tables are standardized, texts are TF-IDF of words that occur twice. Dense or sparse as in the research note.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from benchmarks import data, real

Arrays = dict[str, Any]


def problem(name: str) -> tuple[Any, np.ndarray]:
    """X, an array or compressed sparse rows, and labels ±1."""
    made = data._kept(f"softmargin-{name}", lambda: _arrays(*SETS[name](real.folder())))
    if "X" in made:
        return made["X"], made["y"]
    return sp.csr_matrix((made["values"], made["columns"], made["starts"]), shape=tuple(made["shape"])), made["y"]


def why_absent(name: str) -> str:
    """The reason why a set cannot be used; empty if it can."""
    return real.why_absent("mnist" if name.startswith("mnist") else name)


def _arrays(X: Any, y: Any) -> Arrays:
    y = np.asarray(y)
    known = np.unique(y)
    signs = np.where(y == known[1], 1.0, -1.0)
    if not sp.issparse(X):
        return {"X": np.ascontiguousarray(X), "y": signs}
    X = X.tocsr()
    X.sum_duplicates()
    columns, starts = X.indices.astype(np.int32), X.indptr.astype(np.int32)
    return {"values": X.data, "columns": columns, "starts": starts, "shape": np.array(X.shape), "y": signs}


def _svmlight(path: Path) -> tuple[Any, np.ndarray]:
    from sklearn.datasets import load_svmlight_file

    opened = {".bz2": bz2.open, ".xz": lzma.open}[path.suffix](path)
    with opened as file:
        X, y = load_svmlight_file(io.BytesIO(file.read()))
    return X, y


def _standard(X: np.ndarray) -> np.ndarray:
    spread = X.std(axis=0)
    return np.asarray((X - X.mean(axis=0)) / np.where(spread == 0, 1.0, spread))


def _a9a(root: Path) -> tuple[Any, Any]:
    return _svmlight(root / "a9a" / "a9a.xz")


def _ijcnn1(root: Path) -> tuple[Any, Any]:
    X, y = _svmlight(root / "ijcnn1" / "ijcnn1.trn.bz2")
    return X.toarray(), y


def _spambase(root: Path) -> tuple[Any, Any]:
    table = np.loadtxt(root / "spambase" / "spambase.data", delimiter=",")
    return _standard(table[:, :-1]), table[:, -1]


def _higgs(root: Path) -> tuple[Any, Any]:
    with lzma.open(root / "higgs_7k" / "binary.train.xz", "rt") as file:
        table = np.loadtxt(file)
    return _standard(table[:, 1:]), table[:, 0]


def _covtype(root: Path) -> tuple[Any, Any]:
    import pandas as pd

    table = pd.read_csv(root / "covtype_10k" / "covtype_first10000.csv.gz").to_numpy()
    return _standard(table[:, :-1].astype(float)), table[:, -1]


def _adult(root: Path) -> tuple[Any, Any]:
    import pandas as pd

    table = pd.read_csv(root / "adult" / "adult-train.csv.xz", header=None, skipinitialspace=True)
    numbers = [c for c in table.columns[:-1] if pd.api.types.is_numeric_dtype(table[c])]
    words = [c for c in table.columns[:-1] if c not in numbers]
    one_hot = pd.get_dummies(table[words], columns=words).to_numpy(float)
    X = sp.hstack([sp.csr_matrix(_standard(table[numbers].to_numpy(float))), sp.csr_matrix(one_hot)])
    return X, table[table.columns[-1]].astype(str).str.contains(">").to_numpy()


def _news20(root: Path) -> tuple[Any, Any]:
    from sklearn.preprocessing import normalize

    X, y = _svmlight(root / "news20" / "news20.svm.xz")
    return normalize(X), y


def _texts(root: Path, name: str, archive: str, used: Callable[[str], bool]) -> tuple[Any, list[str]]:
    from sklearn.feature_extraction.text import TfidfVectorizer

    texts, folders = [], []
    with tarfile.open(root / name / archive) as tar:
        for member in tar:
            content = tar.extractfile(member) if member.isfile() and used(member.name) else None
            if content is not None:
                texts.append(content.read().decode("latin-1"))
                folders.append(member.name.split("/")[-2])
    return TfidfVectorizer(min_df=2).fit_transform(texts), folders


def _newsgroups20(root: Path) -> tuple[Any, Any]:
    return _texts(root, "newsgroups20", "20news-bydate.tar.xz", lambda name: "test" not in name)


def _spamassassin(root: Path) -> tuple[Any, Any]:
    def used(name: str) -> bool:
        return not name.split("/")[-2].endswith("_2") and not name.endswith("/cmds")

    X, folders = _texts(root, "spamassassin", "spamassassin.tar.xz", used)
    return X, ["spam" in folder for folder in folders]


def _digits(root: Path, one: int, other: int | None) -> tuple[Any, Any]:
    images = np.frombuffer(gzip.decompress((root / "mnist" / "train-images-idx3-ubyte.gz").read_bytes())[16:], np.uint8)
    labels = np.frombuffer(gzip.decompress((root / "mnist" / "train-labels-idx1-ubyte.gz").read_bytes())[8:], np.uint8)
    X = (images.reshape(-1, 784) / 255.0).astype(np.float32)
    if other is None:
        return X, labels == one
    kept = (labels == one) | (labels == other)
    return X[kept], labels[kept] == one


SETS: dict[str, Callable[[Path], tuple[Any, Any]]] = {
    "a9a": _a9a,
    "adult": _adult,
    "ijcnn1": _ijcnn1,
    "higgs_7k": _higgs,
    "spambase": _spambase,
    "covtype_10k": _covtype,
    "mnist_38": lambda root: _digits(root, 3, 8),
    "spamassassin": _spamassassin,
    "newsgroups20": _newsgroups20,
    "news20": _news20,
    "mnist_8": lambda root: _digits(root, 8, None),
}
