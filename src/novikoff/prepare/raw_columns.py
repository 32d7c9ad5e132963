"""Rows as read from a file: numbers, texts, categories, and the names of columns."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

import numpy as np

from novikoff.data.storages import check_whole
from novikoff.errors import InputError, InputTypeError, NumberedRowError
from novikoff.kernels.structure_checks import check_indices, check_sparse

AT_ONCE = 1 << 16  # numbers


class Names(Sequence[str]):
    """n names or other texts, each created on access: there may be a billion of them."""

    def __init__(self, n: int, name: Callable[[int], str]) -> None:
        self._n, self._name = n, name

    def __len__(self) -> int:
        return self._n

    def __getitem__(self, j: Any) -> Any:
        if isinstance(j, slice):
            return tuple(self._name(k) for k in range(*j.indices(self._n)))
        k = j + self._n if j < 0 else j
        if not 0 <= k < self._n:
            raise IndexError(f"column {j} of {self._n}")
        return self._name(k)


def joined(parts: Sequence[Sequence[str]]) -> Names:
    """Return the names of several parts, concatenated."""
    ends = list(accumulate(map(len, parts)))

    def name(j: int) -> str:
        part = bisect_right(ends, j)
        return parts[part][j - (ends[part - 1] if part else 0)]

    return Names(ends[-1] if ends else 0, name)


def numbered(d: int, others: Collection[int] = ()) -> Names:
    """Return x1, x2, … for columns without names, omitting the indices (from 0) of other columns between them.

    Examples
    --------
    >>> list(numbered(2)), list(numbered(2, {0, 2}))
    (['x1', 'x2'], ['x2', 'x4'])
    """
    if not others:
        return Names(d, lambda j: f"x{j + 1}")
    own = [c for c in range(d + len(others)) if c not in others]
    return Names(d, lambda j: f"x{own[j] + 1}")


@dataclass(frozen=True)
class Raw:
    """Rows that are not yet prepared.

    Parameters
    ----------
    numbers : array (n, k) or SciPy sparse matrix, optional
        The numeric columns.
    names : their names, optional
        Without: x1, x2, …
    text, categories : {name of the column: its n values}
        Texts and categories are str.
    gaps : whether numbers may be missing (NaN), to be imputed by the preparation

    Attributes
    ----------
    n : rows
    """

    numbers: Any = None
    names: Sequence[str] | None = None
    text: Mapping[str, Sequence[str]] = field(default_factory=dict)
    categories: Mapping[str, Sequence[str]] = field(default_factory=dict)
    gaps: bool = False
    n: int = field(init=False)

    def __post_init__(self) -> None:
        for name, values in (*self.text.items(), *self.categories.items()):
            if isinstance(values, str | bytes):
                raise InputTypeError(f"column {name!r}: found one text, expected a list with one for each row")
        if self.numbers is not None:
            self._set("numbers", _tidy(self.numbers, self.names, self.gaps))
        for role in ("text", "categories"):
            self._set(role, {name: _strings(name, values) for name, values in getattr(self, role).items()})
        self._set("n", self._rows())
        self._check_distinct()

    def _set(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)

    @property
    def d(self) -> int:
        """Number of numeric columns."""
        return 0 if self.numbers is None else int(self.numbers.shape[1])

    @property
    def number_names(self) -> Sequence[str]:
        """Names of the numeric columns."""
        return numbered(self.d) if self.names is None else self.names

    def with_numbers(self, numbers: Any, names: Sequence[str]) -> Raw:
        """Return the same rows with other numbers."""
        return Raw(numbers, names, self.text, self.categories, self.gaps)

    def part(self, which: slice | np.ndarray) -> Raw:
        """Return some of the rows: a slice, or an array of their indices."""
        chosen = range(self.n)[which] if isinstance(which, slice) else which.tolist()
        text = {name: [values[i] for i in chosen] for name, values in self.text.items()}
        categories = {name: [values[i] for i in chosen] for name, values in self.categories.items()}
        numbers = None if self.numbers is None else self.numbers[which]
        return Raw(numbers, self.names, text, categories, self.gaps)

    def _rows(self) -> int:
        named = [("the numbers", None if self.numbers is None else self.numbers.shape[0])]
        named += [(f"column {name!r}", len(values)) for name, values in (*self.text.items(), *self.categories.items())]
        counts = [(who, n) for who, n in named if n is not None]
        if not counts:
            raise InputError("no columns: found neither numbers, nor text, nor categories; name at least one column")
        for who, n in counts:
            if n != counts[0][1]:
                raise InputError(
                    f"{who}: {n} rows, but {counts[0][0]} have {counts[0][1]}; every row needs all columns"
                )
        return int(counts[0][1])

    def _check_distinct(self) -> None:
        if self.names is not None and len(self.names) != self.d:
            raise InputError(
                f"names: {len(self.names)} names for {self.d} columns of numbers; give one for each column"
            )
        names = [*(self.names or ()), *self.text, *self.categories]
        if len(set(names)) < len(names):
            twice = next(name for i, name in enumerate(names) if name in names[:i])
            raise InputError(f"column {twice!r}: used twice; a column is a number, a text, or a category, and only one")


def _strings(name: str, values: Sequence[str]) -> Sequence[str]:
    if isinstance(values, Names):
        return values
    listed = list(values)
    for i, value in enumerate(listed):
        if not isinstance(value, str):
            raise InputTypeError(
                f"column {name!r}, row {i + 1}: found {type(value).__name__} {value!r}, expected a text; "
                "spell it as text, or leave out the row (missing='drop')"
            )
    return [str(value) for value in listed]


def _tidy(X: Any, names: Sequence[str] | None, gaps: bool = False) -> Any:
    """Return numbers as a dense array, or as compressed sparse rows with sorted, unique columns.

    gaps: whether NaN is accepted in an array.
    """
    if hasattr(X, "tocsr"):
        from scipy.sparse import csr_matrix

        _check_numbers(X)
        check_sparse(X, "numbers")
        if X.format == "csr":
            check_indices(X.indices, X.shape[1], "indices", "numbers")
        matrix = X if isinstance(X, csr_matrix) else csr_matrix(X)
        if not matrix.has_canonical_format:
            matrix = matrix.astype(np.float64, copy=True)
            matrix.sum_duplicates()
        check_whole(matrix.data, "numbers")
        if not np.isfinite(matrix.data).all():
            at = int(np.argmin(np.isfinite(matrix.data)))
            row = int(np.searchsorted(matrix.indptr, at, side="right")) - 1
            raise _not_finite(matrix.data[at], row, int(matrix.indices[at]), names)
        return matrix
    array = np.asarray(X)
    if array.ndim != 2:
        raise InputError(f"numbers: Expected 2D array, got {array.ndim}D array instead; give rows of columns")
    _check_numbers(array)
    check_whole(array, "numbers")
    if array.dtype.kind == "f":
        step = max(1, AT_ONCE // max(1, array.shape[1]))
        for lo in range(0, len(array), step):
            part = array[lo : lo + step]
            fine = np.isfinite(part) | np.isnan(part) if gaps else np.isfinite(part)
            if not fine.all():
                i, j = divmod(int(np.argmin(fine)), array.shape[1])
                raise _not_finite(part[i, j], lo + i, j, names)
    return array


def _check_numbers(X: Any) -> None:
    if X.dtype.kind not in "fiub" or X.dtype.itemsize > 8:
        raise InputTypeError(f"numbers: found {X.dtype}, expected real numbers that binary64 holds; convert them")


def _not_finite(value: Any, row: int, column: int, names: Sequence[str] | None) -> NumberedRowError:
    name = f"column {column + 1}" if names is None or column >= len(names) else f"column {names[column]!r}"
    return NumberedRowError(
        f"{name}, ",
        row,
        f": found {value}, expected a finite number; leave out such rows (missing='drop'), or impute them "
        "(missing='impute')",
    )
