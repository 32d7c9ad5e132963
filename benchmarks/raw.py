"""Real data sets as their files have them, and the preparation that the README beside the data asks for."""

from __future__ import annotations

import csv
import io
import lzma
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks import real
from novikoff.prepare import Preparation, Raw
from novikoff.prepare.onehot import OneHot
from novikoff.prepare.products import UnitRows
from novikoff.prepare.scaling import Scale
from novikoff.prepare.word_counts import Words


class RawParts(NamedTuple):
    """Rows and labels to learn from, and to test on, and the steps that prepare them."""

    rows: Raw
    y: np.ndarray
    test: Raw
    y_test: np.ndarray
    steps: tuple[Any, ...]

    def prepared(self) -> real.Parts:
        """Vectors; the steps learn from the training rows only."""
        prep = Preparation(*self.steps)
        return real.Parts(prep.fit_transform(self.rows), self.y, prep.transform(self.test), self.y_test)

    def held_out(self, block: int = 1) -> RawParts:
        """The training rows alone: of five blocks of rows the fifth is the test now."""
        test = np.arange(len(self.y)) // block % 5 == 4
        return RawParts(chosen(self.rows, ~test), self.y[~test], chosen(self.rows, test), self.y[test], self.steps)


def chosen(raw: Raw, which: np.ndarray) -> Raw:
    """Some rows, by an array of yes and no."""
    numbers = None if raw.numbers is None else raw.numbers[which]
    text = {name: [values[i] for i in np.flatnonzero(which)] for name, values in raw.text.items()}
    categories = {name: [values[i] for i in np.flatnonzero(which)] for name, values in raw.categories.items()}
    return Raw(numbers, raw.names, text, categories)


def load(name: str) -> RawParts:
    """The set of that name."""
    return SETS[name](real.folder() / name)


def spamassassin(path: Path) -> real.Parts:
    """Raw mails; the folders whose names end in _2 are for the test."""
    found: dict[bool, tuple[list[str], list[str]]] = {True: ([], []), False: ([], [])}
    with tarfile.open(path / "spamassassin.tar.xz") as archive:
        for member in archive:
            content = archive.extractfile(member) if member.isfile() else None
            if content is not None:
                kept = Path(member.name).parts[-2]
                texts, labels = found[kept.endswith("_2")]
                texts.append(content.read().decode("latin-1"))
                labels.append("spam" if kept.startswith("spam") else "ham")
    (texts, y), (texts_test, y_test) = found[False], found[True]
    return real.Parts(texts, np.array(y), texts_test, np.array(y_test))


NUMERIC = ("age", "fnlwgt", "education-num", "capital-gain", "capital-loss", "hours-per-week")
COLUMNS = (
    *("age", "workclass", "fnlwgt", "education", "education-num", "marital-status", "occupation", "relationship"),
    *("race", "sex", "capital-gain", "capital-loss", "hours-per-week", "native-country"),
)


def adult(path: Path) -> RawParts:
    """Six numbers and eight categories (? is one of them); the labels of the test end in a dot."""

    def rows(name: str) -> tuple[Raw, np.ndarray]:
        text = lzma.decompress((path / name).read_bytes()).decode()
        table = [row for row in csv.reader(io.StringIO(text), skipinitialspace=True) if len(row) == len(COLUMNS) + 1]
        columns = dict(zip(COLUMNS, zip(*table, strict=True), strict=False))
        numbers = np.array([columns[name] for name in NUMERIC], dtype=np.float64).T
        categories = {name: columns[name] for name in COLUMNS if name not in NUMERIC}
        return Raw(numbers, NUMERIC, categories=categories), np.array([row[-1].rstrip(".") for row in table])

    return RawParts(*rows("adult-train.csv.xz"), *rows("adult-test.csv.xz"), (Scale(), OneHot()))


def _of_text(read: Callable[[Path], real.Parts]) -> Callable[[Path], RawParts]:
    def texts(path: Path) -> RawParts:
        X, y, X_test, y_test = read(path)
        return RawParts(Raw(text={"text": X}), y, Raw(text={"text": X_test}), y_test, (Words(tfidf=True),))

    return texts


def _of_numbers(read: Callable[[Path], real.Parts], *steps: Any, by: float = 1) -> Callable[[Path], RawParts]:
    def numbers(path: Path) -> RawParts:
        X, y, X_test, y_test = read(path)
        return RawParts(Raw(X / by), y, Raw(X_test / by), y_test, steps)

    return numbers


SETS: dict[str, Callable[[Path], RawParts]] = {
    "sms_spam": _of_text(real.sms_spam_texts),
    "mnist": _of_numbers(real.mnist_pixels, by=255),
    "newsgroups20": _of_text(real.newsgroups20_texts),
    "a9a": _of_numbers(real.a9a),
    "news20": _of_numbers(real.news20_counts, UnitRows()),
    "spamassassin": _of_text(spamassassin),
    "adult": adult,
    "covtype_10k": _of_numbers(real.covtype_10k_numbers, Scale()),
}
