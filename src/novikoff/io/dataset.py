"""Labelled points of a file: chosen by class, prepared and split.

A `Dataset` is taken wherever X and y are: `clf.fit(data)`, `nv.decide(data)`, `clf.score(data)`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import copy, deepcopy
from fractions import Fraction
from inspect import signature
from types import MappingProxyType
from typing import Any

import numpy as np

from novikoff.arguments.argument_checks import truth, whole
from novikoff.data.labelled_points import Labelled
from novikoff.data.labels import check_labels, class_counts
from novikoff.data.row_numbers import RowFiles
from novikoff.errors import InputError, NumberedRowError
from novikoff.io.row_splits import fold_numbers, rows_to_test, some_labels
from novikoff.io.rows import StoredRows
from novikoff.io.source import Files
from novikoff.prepare import Preparation, requested

STEPS = {*signature(requested).parameters} - {"one_hot", "missing"}  # that `prepare` takes; these are found in the rows


class Dataset(Labelled):
    """Labelled points of a file.

    Parameters
    ----------
    name : the file's name, for messages
    stored : the rows as they were read
    renamed : the labels of all stored rows after renaming
    reading : how the file was read, as plain data; a model keeps it with its preparation

    Attributes
    ----------
    X, y : points and labels, in memory or mapped from temporary files; rows and labels are the same
    preparation : the fitted preparation, or None
    dropped : how many rows of the file were left out
    source : what the rows were read from, or None
    imputing : how missing values are imputed, if they are
    """

    source: Files | None = None
    imputing: Mapping[str, Any] = MappingProxyType({})

    def __init__(self, name: str, stored: StoredRows, renamed: Any = None, reading: Any = None) -> None:
        self.name, self.stored, self.reading = name, stored, dict(reading or {})
        self.original = stored.y
        self.renamed = self.original if renamed is None else renamed
        self.mask: np.ndarray | None = None  # which of the stored rows; None: all
        self._steps: Preparation | None = None
        self._fitted_on: Dataset | None = None
        self._rows: Any = None

    @property
    def label(self) -> str | int | None:
        """The label's column: its name, or its number from 0; None if the file has no such column."""
        return self.stored.form.label

    @property
    def dropped(self) -> int:
        return self.stored.dropped

    @property
    def whole(self) -> bool:
        """Whether all rows that were read are here."""
        return self.mask is None

    @property
    def n(self) -> int:
        return len(self.original) if self.mask is None else int(self.mask.sum())

    @property
    def labels(self) -> Any:
        """The labels."""
        return np.asarray(some_labels(self.renamed, self.mask))

    y = labels

    @property
    def names(self) -> tuple[str, ...] | None:  # type: ignore[override]
        """The names of the columns."""
        if self._steps is None:
            return self.stored.names
        return tuple((self.preparation or self._steps).names)

    @property
    def row_numbers(self) -> np.ndarray:
        """The number in the file (from 0) of each row."""
        rows = np.arange(len(self.original)) if self.stored.numbering is None else self.stored.numbering
        return rows if self.mask is None else rows[self.mask]

    @property
    def numbering(self) -> np.ndarray | None:
        """The same, or None if they are 0, 1, 2, …"""
        return None if self.whole and self.stored.numbering is None else self.row_numbers

    @property
    def row_files(self) -> RowFiles | None:
        """The file of each row, by its number in all files, for errors; None for rows of one file."""
        return None if self.source is None or len(self.source.sources) < 2 else self.source.row_files

    @property
    def preparation(self) -> Preparation | None:
        """The preparation, fitted to these rows or to the training rows."""
        if self._fitted_on is not None:
            return self._fitted_on.preparation
        _ = self.rows
        return self._steps

    @property
    def rows(self) -> Any:
        """The points: an array, or sparse rows."""
        if self._rows is None:
            if self._steps is None and (self.stored.texts or self.stored.categories):
                raise InputError("found texts or categories; numbers were expected: call .prepare()", file=self.name)
            try:
                if self._steps is None or self._fitted_on is not None:
                    self._rows = self.stored.vectors(self.preparation if self._steps else None, self.mask)
                else:
                    self._rows = self.stored.fit(self._steps, self.mask)
            except NumberedRowError as error:
                raise self._at_its_place(error) from None
            if self._steps is not None and self._fitted_on is None:
                self._steps.report["read"] = self.stored.form.plain() | self.reading
        return self._rows

    X = rows

    def _at_its_place(self, error: NumberedRowError) -> NumberedRowError:
        """Return an error about a row with its file and its number there."""
        row = int(self.row_numbers[error.row])
        return error.at(self.name, row) if self.source is None else error.at(*self.source.row_files.place(row))

    def prepare(self, preparation: Preparation | None = None, **steps: Any) -> Dataset:
        """Return the same rows with a preparation, which is fitted to the training rows when they are first used.

        steps: tfidf, min_df, hash_bits, presence, ngrams, analyzer, scale, normalize, features,
        impute_numbers, impute_categories, as the options of `novikoff fit`. Columns of categories
        become columns of 0 and 1, and those of text are counted, without being named here. Missing values are imputed
        as `open_data` was called, unless these steps differ.
        """
        if unknown := sorted(set(steps) - STEPS):
            raise InputError(f"prepare: no step is called {unknown[0]!r}; the steps are {', '.join(sorted(STEPS))}")
        for name in ("tfidf", "scale", "normalize", "presence"):
            truth(name, steps.get(name, False))
        made = copy(self)
        chosen = {**self.imputing, **steps}
        made._steps = requested(one_hot=self.stored.categories, **chosen) if preparation is None else preparation
        made._rows = made._fitted_on = None
        return made

    def select(self, classes: Sequence[str]) -> Dataset:
        """Return the rows of two or more classes, named by the texts of their labels."""
        classes = [str(label) for label in classes]
        known = {str(label): label for label in class_counts(self.labels)[0].tolist()}
        if len(set(classes)) < 2 or not set(classes) <= set(known):
            raise InputError(
                f"found {', '.join(classes)}; expected two or more of the classes of {self.name}: {', '.join(known)}",
                "classes",
            )
        y, chosen = self.renamed, [known[label] for label in classes]
        wanted = np.isin(y, chosen)
        return self._some(wanted if self.mask is None else self.mask & wanted)

    def split(
        self, *, holdout: float | Fraction | None = None, test_every: int | None = None
    ) -> tuple[Dataset, Dataset]:
        """Split into training rows and test rows; the preparation is fitted to the training rows only.

        holdout: the part of the rows to test on, taken evenly. test_every: test on each K-th row.

        Examples
        --------
        >>> import novikoff as nv, pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "t.csv"
        >>> _ = path.write_text("a,label\\n" + "".join(f"{k},{'yes' if k > 3 else 'no'}\\n" for k in range(8)))
        >>> train, test = nv.open_data(path).prepare(scale=True).split(test_every=4)
        >>> train.n, test.n, nv.Perceptron().fit(train).score(test)
        (6, 2, 1.0)
        """
        return self._pair(rows_to_test(some_labels(self.renamed, self.mask), holdout, test_every))

    def folds(self, k: int, seed: int = 0) -> Iterator[tuple[Dataset, Dataset]]:
        """Return k pairs of training and test rows, with every class in equal shares; each row is tested once."""
        whole("folds", k, 2, optional=False)
        check_labels(class_counts(self.labels)[0])
        classes = class_counts(self.labels)[0].tolist()
        if len(classes) == 1:
            raise InputError(
                f"only one class, {classes[0]!r}; two classes are needed to find a plane between them", file=self.name
            )
        fold = fold_numbers(self.labels, k, seed)
        return (self._pair(fold == number) for number in range(k))

    def _pair(self, test: np.ndarray) -> tuple[Dataset, Dataset]:
        mask = np.ones(len(self.original), bool) if self.mask is None else self.mask
        out = mask.copy()
        out[mask] = test
        train = self._some(mask & ~out)
        train._steps = deepcopy(self._steps)
        tested = train._some(out)
        tested._fitted_on = train
        return train, tested

    def _some(self, mask: np.ndarray) -> Dataset:
        made = copy(self)
        made.mask, made._rows, made._fitted_on = None if mask.all() else mask, None, None
        return made
