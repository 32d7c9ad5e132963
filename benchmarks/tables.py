"""More real data sets, prepared as the README of their folder says: tables and svmlight files."""

from __future__ import annotations

import bz2
import lzma
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.real import Parts, every_fifth, narrow


def opened(path: Path) -> BytesIO:
    """The file, unpacked."""
    unpack = {".xz": lzma.decompress, ".bz2": bz2.decompress}.get(path.suffix, bytes)
    return BytesIO(unpack(path.read_bytes()))


def table(path: Path, separator: str = ",") -> np.ndarray:
    """The cells of a table without a header, as text without spaces around it."""
    lines = opened(path).read().decode().splitlines()
    return np.array([[cell.strip() for cell in line.split(separator)] for line in lines if line.strip()])


def split(X: Any, y: np.ndarray) -> Parts:
    """Every fifth row is for the test."""
    test = every_fifth(len(y))
    return Parts(X[~test], y[~test], X[test], y[test])


def standardised(parts: Parts) -> Parts:
    """Every column to mean 0 and deviation 1, by the training part."""
    from sklearn.preprocessing import StandardScaler

    scaler = StandardScaler().fit(parts.X)
    return parts._replace(X=scaler.transform(parts.X), X_test=scaler.transform(parts.X_test))


def numbers(name: str, drop: int = 0) -> Callable[[Path], Parts]:
    """A table of numbers with its label last, of which the first columns and rows with a question mark are left out."""

    def load(path: Path) -> Parts:
        cells = table(path / name)
        cells = cells[(cells != "?").all(axis=1), drop:]
        return standardised(split(cells[:, :-1].astype(float), cells[:, -1]))

    return load


def two_tables(learn: str, test: str, separator: str = ",") -> Callable[[Path], Parts]:
    """Two tables of numbers with their label first."""

    def load(path: Path) -> Parts:
        parts = [table(path / name, separator) for name in (learn, test)]
        (X, y), (X_test, y_test) = ((cells[:, 1:].astype(float), cells[:, 0]) for cells in parts)
        return standardised(Parts(X, y, X_test, y_test))

    return load


def svmlight(learn: str, test: str = "") -> Callable[[Path], Parts]:
    """One file, split, or two."""

    def load(path: Path) -> Parts:
        from sklearn.datasets import load_svmlight_files

        found = load_svmlight_files([opened(path / name) for name in (learn, test) if name])
        parts = Parts(*found) if test else split(*found)
        return parts._replace(X=narrow(parts.X), X_test=narrow(parts.X_test))

    return load


def mushroom(path: Path) -> Parts:
    """Letters, one-hot; a question mark is a category."""
    from sklearn.preprocessing import OneHotEncoder

    cells = table(path / "agaricus-lepiota.data")
    return split(OneHotEncoder(sparse_output=False).fit_transform(cells[:, 1:]), cells[:, 0])


def adult(path: Path) -> Parts:
    """Eight columns of words, one-hot (a question mark is a category), six of numbers, standardised."""
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    learn, test = (table(path / f"adult-{part}.csv.xz") for part in ("train", "test"))
    of_numbers = np.array([0, 2, 4, 10, 11, 12])
    of_words = np.setdiff1d(np.arange(14), of_numbers)
    scaler = StandardScaler().fit(learn[:, of_numbers].astype(float))
    words = OneHotEncoder(sparse_output=False, handle_unknown="ignore").fit(learn[:, of_words])

    def prepared(cells: np.ndarray) -> np.ndarray:
        return np.hstack([scaler.transform(cells[:, of_numbers].astype(float)), words.transform(cells[:, of_words])])

    labels = (np.char.rstrip(cells[:, 14], ".") for cells in (learn, test))
    y, y_test = labels
    return Parts(prepared(learn), y, prepared(test), y_test)


TABLES: dict[str, Callable[[Path], Parts]] = {
    "spambase": numbers("spambase.data"),
    "adult": adult,
    "higgs_7k": two_tables("binary.train.xz", "binary.test.xz", "\t"),
    "mushroom": mushroom,
    "golub_leukemia": two_tables("golub_train.csv.xz", "golub_test.csv.xz"),
    "breast_cancer_wisconsin": numbers("breast-cancer-wisconsin.data", drop=1),
    "sonar": numbers("sonar.csv"),
    "pima_diabetes": numbers("pima-indians-diabetes.csv"),
    "iris": numbers("iris.csv"),
    "wine": numbers("wine.csv"),
    "heart_scale": svmlight("heart_scale"),
    "ijcnn1": svmlight("ijcnn1.trn.bz2", "ijcnn1.tst.bz2"),
    "reuters": svmlight("reuters.trn.bz2", "reuters.tst.bz2"),
}
