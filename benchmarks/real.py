"""Real data sets, prepared as the README of their folder says: train and test parts, one scaling, nothing else.

The folder is $NOVIKOFF_DATA, or `../shared/data` beside the project. A set that is not there is skipped with a reason.
"""

from __future__ import annotations

import csv
import gzip
import io
import lzma
import os
import tarfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

FOLDER = "NOVIKOFF_DATA"


class Parts(NamedTuple):
    """Points and labels to learn from, and to test on."""

    X: Any
    y: np.ndarray
    X_test: Any
    y_test: np.ndarray


@dataclass(frozen=True)
class Reference:
    """Test accuracies of scikit-learn's Perceptron over its seeds, as the README has them."""

    lowest: float
    median: float
    highest: float
    seed_0: float


def folder() -> Path:
    """Where the sets are looked for."""
    return Path(os.environ.get(FOLDER) or Path(__file__).resolve().parents[2] / "shared" / "data")


def why_absent(name: str) -> str:
    """The reason why a set cannot be used; empty if it can."""
    path = folder() / name
    if path.is_dir():
        return ""
    return f"{name}: skipped, there is no folder {name} where real data are looked for (set {FOLDER} to name the place)"


def load(name: str) -> Parts:
    """The set of that name."""
    return SETS[name][0](folder() / name)


def mnist_pixels(path: Path) -> Parts:
    """28×28 images, whole numbers from 0 to 255."""

    def images(name: str) -> np.ndarray:
        return np.frombuffer(gzip.decompress((path / name).read_bytes())[16:], np.uint8).reshape(-1, 784)

    def labels(name: str) -> np.ndarray:
        return np.frombuffer(gzip.decompress((path / name).read_bytes())[8:], np.uint8)

    X, X_test = images("train-images-idx3-ubyte.gz"), images("t10k-images-idx3-ubyte.gz")
    y, y_test = labels("train-labels-idx1-ubyte.gz"), labels("t10k-labels-idx1-ubyte.gz")
    return Parts(X, y, X_test, y_test)


def mnist(path: Path) -> Parts:
    """28×28 images, divided by 255."""
    X, y, X_test, y_test = mnist_pixels(path)
    return Parts(X / 255.0, y, X_test / 255.0, y_test)


def newsgroups20_texts(path: Path) -> Parts:
    """Raw posts, split by date."""
    found: dict[str, tuple[list[str], list[str]]] = {"train": ([], []), "test": ([], [])}
    with tarfile.open(path / "20news-bydate.tar.xz") as archive:
        for member in archive:
            content = archive.extractfile(member) if member.isfile() else None
            if content is not None:
                part, group = Path(member.name).parts[-3:-1]
                texts, groups = found["test" if part.endswith("test") else "train"]
                texts.append(content.read().decode("latin-1"))
                groups.append(group)
    (texts, y), (texts_test, y_test) = found["train"], found["test"]
    return Parts(texts, np.array(y), texts_test, np.array(y_test))


def newsgroups20(path: Path) -> Parts:
    """Raw posts, split by date, as TF-IDF."""
    return _tfidf(*newsgroups20_texts(path))


def sms_spam_texts(path: Path) -> Parts:
    """Short messages; every fifth is for the test.

    The README says Latin-1, but its d, its count of non-zeros and every one of its accuracies are those of UTF-8.
    """
    lines = (path / "SMSSpamCollection.tsv").read_text(encoding="utf-8").rstrip("\n").split("\n")
    y, texts = zip(*(line.split("\t", 1) for line in lines), strict=True)
    test = every_fifth(len(y))
    learn, kept = np.flatnonzero(~test), np.flatnonzero(test)
    labels = np.array(y)
    return Parts([texts[i] for i in learn], labels[learn], [texts[i] for i in kept], labels[kept])


def sms_spam(path: Path) -> Parts:
    """Short messages as TF-IDF; every fifth is for the test."""
    return _tfidf(*sms_spam_texts(path))


def a9a(path: Path) -> Parts:
    """Yes-or-no features in two files."""
    from sklearn.datasets import load_svmlight_files

    opened = [io.BytesIO(lzma.decompress((path / name).read_bytes())) for name in ("a9a.xz", "a9a.t.xz")]
    X, y, X_test, y_test = load_svmlight_files(opened, n_features=123, zero_based=False)
    return Parts(narrow(X), y, narrow(X_test), y_test)


def news20_counts(path: Path) -> Parts:
    """Word counts; blocks of 20 rows, the fifth of five for the test."""
    from sklearn.datasets import load_svmlight_file

    opened = io.BytesIO(lzma.decompress((path / "news20.svm.xz").read_bytes()))
    X, y = load_svmlight_file(opened, n_features=62_061, zero_based=False)
    test = np.arange(len(y)) // 20 % 5 == 4
    return Parts(narrow(X[~test]), y[~test], narrow(X[test]), y[test])


def news20(path: Path) -> Parts:
    """Word counts, each row scaled to length 1; blocks of 20 rows, the fifth of five for the test."""
    from sklearn.preprocessing import normalize

    X, y, X_test, y_test = news20_counts(path)
    return Parts(normalize(X), y, normalize(X_test), y_test)


def optdigits(path: Path) -> Parts:
    """8×8 counts, divided by 16."""
    learn, test = (np.loadtxt(path / name, delimiter=",") for name in ("optdigits.tra", "optdigits.tes"))
    return Parts(learn[:, :-1] / 16.0, learn[:, -1].astype(int), test[:, :-1] / 16.0, test[:, -1].astype(int))


def covtype_10k_numbers(path: Path) -> Parts:
    """54 features; every fifth row is for the test."""
    with gzip.open(path / "covtype_first10000.csv.gz", "rt") as lines:
        table = np.array(list(csv.reader(lines))[1:], dtype=np.float64)
    test = every_fifth(len(table))
    X, y = table[:, :-1], table[:, -1].astype(int)
    return Parts(X[~test], y[~test], X[test], y[test])


def covtype_10k(path: Path) -> Parts:
    """54 features, standardised by the training part; every fifth row is for the test."""
    from sklearn.preprocessing import StandardScaler

    X, y, X_test, y_test = covtype_10k_numbers(path)
    scaler = StandardScaler().fit(X)
    return Parts(scaler.transform(X), y, scaler.transform(X_test), y_test)


def every_fifth(n: int) -> np.ndarray:
    return np.arange(n) % 5 == 4


def _tfidf(texts: list[str], y: np.ndarray, texts_test: list[str], y_test: np.ndarray) -> Parts:
    from sklearn.feature_extraction.text import TfidfVectorizer

    words = TfidfVectorizer(min_df=2)
    X = words.fit_transform(texts)
    return Parts(narrow(X), y, narrow(words.transform(texts_test)), y_test)


def narrow(X: Any) -> Any:
    """32-bit indices: scikit-learn's Perceptron takes no others."""
    X.indices, X.indptr = X.indices.astype(np.int32), X.indptr.astype(np.int32)
    return X


SETS: dict[str, tuple[Callable[[Path], Parts], Reference]] = {
    "mnist": (mnist, Reference(0.8075, 0.8742, 0.8913, 0.8805)),
    "newsgroups20": (newsgroups20, Reference(0.7916, 0.8028, 0.8072, 0.8066)),
    "a9a": (a9a, Reference(0.6793, 0.8050, 0.8244, 0.7657)),
    "news20": (news20, Reference(0.8009, 0.8071, 0.8142, 0.8075)),
    "sms_spam": (sms_spam, Reference(0.9659, 0.9699, 0.9722, 0.9686)),
    "optdigits": (optdigits, Reference(0.9271, 0.9335, 0.9432, 0.9371)),
    "covtype_10k": (covtype_10k, Reference(0.5520, 0.5787, 0.5980, 0.5520)),
}
