"""Fit preparation steps on training rows in one pass over chunks, and apply them to later rows.

    missing values → imputed, then
    numbers → plain | scaled ───────────┐
    categories → one-hot ───────────────┼→ one row → products of pairs → length 1
    text → counts | TF-IDF | hashed ────┘

The order is fixed, whatever the order in which the steps are given. The result depends on the rows alone, not on the
chunks. It is a dense array if it consists of dense numbers only, else compressed sparse rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from novikoff.errors import InputError
from novikoff.prepare.column_steps import OF_ROWS, ColumnSteps
from novikoff.prepare.hashing import Hash
from novikoff.prepare.imputation import Impute
from novikoff.prepare.onehot import OneHot
from novikoff.prepare.preparation_record import columns_of, record_of
from novikoff.prepare.products import Products, UnitRows
from novikoff.prepare.raw_columns import Raw
from novikoff.prepare.scaling import Scale, Unscaled
from novikoff.prepare.step import Step
from novikoff.prepare.text_analysis import analysis_of
from novikoff.prepare.word_counts import Words


@dataclass(frozen=True)
class PreparedMatrix:
    """Prepared rows; `unknown`: for each categorical column, how many rows had a category unseen in training.

    imputed: how many rows had a missing value that was imputed.
    """

    X: Any
    unknown: Mapping[str, int] = field(default_factory=dict)
    imputed: int = 0


class Preparation:
    """Preparation steps and their fitted state.

    Parameters
    ----------
    *steps : at most one of Words and Hash, Impute, Scale, OneHot, Products, UnitRows
        Text columns without a step for them are counted (`Words()`).

    Attributes
    ----------
    names : of the prepared columns: "age", "color=red", "word:free", "x1·x2"
    report : what there is to say about the training rows; plain data

    Examples
    --------
    >>> rows = Raw(text={"message": ["free cash", "call me", "cash call"]})
    >>> prep = Preparation(Words()).fit(rows)
    >>> list(prep.names), prep.transform(rows).toarray().tolist()[0]
    (['word:call', 'word:cash', 'word:free', 'word:me'], [0.0, 1.0, 1.0, 0.0])
    """

    def __init__(self, *steps: Step) -> None:
        self._request: dict[str, Any] = {}
        for step in steps:
            role = step.kind if step.on == "rows" else step.on
            if role in self._request:
                raise InputError(
                    f"{self._request[role].option} and {step.option}: both are for the {step.on}; choose one"
                )
            self._request[role] = step
        self._columns: ColumnSteps | None = None
        self.report: dict[str, Any] = {}

    @property
    def steps(self) -> tuple[Step, ...]:
        """The requested steps; without any, numbers stay unchanged."""
        return tuple(self._request.values())

    def fit(self, raw: Raw | Iterable[Raw]) -> Preparation:
        """Fit on training rows, whole or in chunks; imputation reads them several times, all else once."""
        for _ in self._looked([raw] if isinstance(raw, Raw) else raw):
            pass
        return self

    def fit_transform(self, raw: Raw) -> Any:
        """Fit on rows and prepare them: `fit(raw).transform(raw)`, with words extracted once."""
        [(_, ready)] = self._looked([raw])
        return self._applied(ready).X

    def stream(self, chunks: Iterable[Raw]) -> Iterator[PreparedMatrix]:
        """Prepare chunks as they arrive, for steps that need no fitting (hash, products, unit length).

        The report is complete after the last chunk. Raises InputError for steps that must see all rows first.
        """
        for columns, ready in self._looked(chunks):
            if learns := [step for step, _ in columns.steps() if step.learns]:
                raise InputError(
                    f"{learns[0].option}: it must be fitted on all rows first, and a stream is read once; give a file, "
                    "or for text hash_bits="
                )
            self._columns = columns
            yield self._applied(ready)

    def _looked(self, chunks: Iterable[Raw]) -> Iterator[tuple[ColumnSteps, Raw]]:
        """Yield chunks of rows without missing values, each when the steps have looked at it; then finish fitting."""
        cells, imputed = self._fit_cells(chunks)
        columns, n = None, 0
        for chunk in chunks:
            if chunk.n:
                columns = self._begin(chunk, cells) if columns is None else columns
                ready = columns.complete(chunk)
                columns.look(ready)
                n += chunk.n
                yield columns, ready
        if columns is None:
            raise _no_rows()
        self.report = {"rows": n, **imputed, **columns.settle(), "columns": len(columns.names)}
        self._columns = columns

    def _fit_cells(self, chunks: Iterable[Raw]) -> tuple[Impute | None, dict[str, Any]]:
        """Fit the imputation, if it is requested, and return it and its report."""
        if "cells" not in self._request:
            return None, {}
        if not isinstance(chunks, list) and iter(chunks) is chunks:
            raise InputError("missing='impute': it is fitted on all rows first, and these are read once; give a file")
        cells: Impute = deepcopy(self._request["cells"])
        return cells, {"imputed": cells.fit(chunks)}

    def _begin(self, raw: Raw, cells: Impute | None = None) -> ColumnSteps:
        """Create the columns, each with its own step."""
        for role, present in (("numbers", raw.d), ("text", raw.text), ("categories", raw.categories)):
            if role in self._request and not present:
                raise InputError(f"{self._request[role].option}: {_ABSENT[role]}")
        if raw.categories and "categories" not in self._request:
            raise InputError(
                f"column {next(iter(raw.categories))!r} holds categories, not numbers; add one_hot=True, read it as "
                "text (text=), or leave it out"
            )
        return ColumnSteps(
            raw.d,
            None if raw.names is None else tuple(raw.names),
            deepcopy(self._request.get("numbers", Unscaled())) if raw.d else None,
            {name: deepcopy(self._request["categories"]) for name in raw.categories},
            {name: deepcopy(self._request.get("text", Words())) for name in raw.text},
            [self._request[kind] for kind in OF_ROWS if kind in self._request],
            cells=cells,
        )

    @property
    def columns(self) -> ColumnSteps:
        """The columns seen in training, with their fitted steps."""
        if self._columns is None:
            raise InputError("this preparation is not fitted; call fit with training rows, or load one")
        return self._columns

    @property
    def names(self) -> Sequence[str]:
        """Names of the prepared columns; in a table without names, x and the column's number in the file."""
        return replace(self.columns, others=self.others).names

    @property
    def others(self) -> frozenset[int]:
        """Indices (from 0) of the label, text and categorical columns of a table without names; empty if all are
        numbers.
        """
        read = self.report.get("read")
        read = read if isinstance(read, dict) else {}
        lists = (read.get(role) for role in ("text", "categories", "dropped"))
        words = [c for listed in lists if isinstance(listed, list) for c in listed]
        if not words or read.get("width") is None or self.columns.named:
            return frozenset()
        return frozenset(c for c in (read.get("label"), *words) if type(c) is int)

    @property
    def unit_names(self) -> Sequence[str]:
        """`names`, with "(scaled)" where the numbers are in other units than those of the file."""
        return replace(self.columns, others=self.others).unit_names

    @property
    def is_plain(self) -> bool:
        """Whether rows stay unchanged."""
        return all(step.kind == Unscaled.kind for step, _ in self.columns.steps())

    def __repr__(self) -> str:
        if self._columns is None:
            return f"Preparation({', '.join(step.kind for step in self.steps)}), not fitted"
        steps, d = dict.fromkeys(step.kind for step, _ in self._columns.steps()), len(self.names)
        return f"Preparation({', '.join(steps)}) of {self._columns.shown()} → {d:,} column{'s' if d != 1 else ''}"

    def call(self) -> str:
        """Return the Python call that prepares rows for a model, for use in a message."""
        return f"clf.predict(clf.preparation_.transform({self.columns.shown()})), with Raw from novikoff.prepare"

    def apply(self, raw: Raw) -> PreparedMatrix:
        """Prepare rows as the training rows were, and count unknown categories and imputed rows."""
        columns = self.columns
        made = self._applied(columns.complete(raw))
        return made if columns.cells is None else replace(made, imputed=columns.cells.rows_with_gaps(raw))

    def _applied(self, raw: Raw) -> PreparedMatrix:
        """Prepare rows without missing values."""
        columns = self.columns
        if not raw.n:
            raise _no_rows()
        with np.errstate(over="ignore"):  # reported below, with the name of the option
            blocks = [] if columns.numbers is None else [columns.numbers.apply(raw.numbers)]
            unknown = {}
            for name, one_hot in columns.categories.items():
                block, unknown[name] = one_hot.apply(raw.categories[name])
                blocks.append(block)
            blocks += [step.apply(raw.text[name]) for name, step in columns.text.items()]
            X = blocks[0]
            if len(blocks) > 1:
                from scipy.sparse import csr_matrix, hstack

                X = csr_matrix(hstack([csr_matrix(block.astype(np.float64, copy=False)) for block in blocks]))
            for step in columns.rows:
                X = step.apply(X)
        values = X.data if hasattr(X, "indptr") else X
        if X is not raw.numbers and values.dtype.kind == "f" and not np.isfinite(values).all():  # else it was checked
            options = " and ".join(step.option for step, _ in columns.steps() if step.on in ("numbers", "rows"))
            raise InputError(f"{options}: a prepared number is beyond binary64 (1.8e308); scale the numbers down first")
        return PreparedMatrix(X, unknown)

    def transform(self, raw: Raw) -> Any:
        """Prepare rows as the training rows were: an array, or compressed sparse rows."""
        return self.apply(raw).X

    def to_record(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        """Return the fitted state: a dictionary for JSON, and arrays by name."""
        return record_of(self.columns, self.report)

    @classmethod
    def from_record(cls, record: Any, arrays: Mapping[str, np.ndarray]) -> Preparation:
        """Return the preparation of a record from `to_record`; raise InputError for anything else."""
        columns, report = columns_of(record, arrays)
        made = cls(*{step.kind: step for step, _ in columns.steps()}.values())
        made._columns, made.report = columns, report
        return made


def requested(
    *,
    tfidf: bool = False,
    min_df: int | None = None,
    hash_bits: int | None = None,
    presence: bool = False,
    ngrams: tuple[int, int] = (1, 1),
    analyzer: str = "word",
    one_hot: bool = False,
    scale: bool = False,
    normalize: bool = False,
    features: str | None = None,
    missing: str = "fail",
    impute_numbers: str | None = None,
    impute_categories: str | None = None,
) -> Preparation:
    """Return the preparation that the command-line options request."""
    if hash_bits is not None and (tfidf or min_df is not None):
        raise InputError(
            f"hash_bits= with {'tfidf=True' if tfidf else 'min_df='}: hashing keeps no list of words; choose one"
        )
    if features not in (None, "poly2"):
        raise InputError(f"found {features!r}, expected poly2 (all products of pairs of columns)", argument="features")
    steps: list[Step] = imputation(missing, impute_numbers, impute_categories)
    analysis = analysis_of(presence, ngrams, analyzer)
    if hash_bits is not None:
        steps += [Hash(hash_bits, analysis)]
    elif tfidf or min_df is not None or analysis.option():
        steps += [Words(tfidf, min_df, analysis)]
    steps += [Scale()] if scale else []
    steps += [OneHot()] if one_hot else []
    steps += [Products()] if features else []
    return Preparation(*steps, *([UnitRows()] if normalize else []))


def imputation(missing: str, numbers: str | None, categories: str | None) -> list[Step]:
    """Return the step that imputes missing values, if it is requested; raise InputError for arguments without it."""
    if missing == "impute":
        return [Impute(numbers or "median", categories or "most-frequent")]
    for name, value in (("impute_numbers", numbers), ("impute_categories", categories)):
        if value is not None:
            raise InputError(f"found {value!r}; it is for missing='impute' only", name)
    return []


_ABSENT = {
    "numbers": "there are no numeric columns",
    "text": "there is no text column; name it with text=",
    "categories": "there are no columns of categories (every column is a number or a text)",
}


def _no_rows() -> InputError:
    return InputError("no rows to prepare: at least one is needed")
