"""Labelled points as the learner sees them: signed, padded rows, with no copy of the user's numbers.

    z_i = y_i·(x_i, 1)     y_i = ±1     a plane is right about point i when ⟨(w, b), z_i⟩ > 0

From the notes: T5 Z8 S1 R3 (the bias as one more dimension: a constant 1 behind the row, or nothing), R4 (the D⁺ view:
negative points reflected), T7 R1 (any two labels). The class that sorts last is the positive side.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.errors import InputError, InputTypeError

Rows = Any  # a C-ordered array (n, d), or (values, columns, starts) of compressed sparse rows
WHOLE = 2**53  # whole numbers up to here are held exactly by binary64


@dataclass(frozen=True)
class Problem:
    """Points with signs: `rows` as they are stored, `y` = ±1, `pad` = 1 with a bias and 0 without."""

    rows: Rows
    y: np.ndarray
    d: int
    pad: float
    name: str = "X"
    origin: np.ndarray | None = None  # the user's row number of each row, where only some are here

    @property
    def n(self) -> int:
        return int(self.y.size)

    @property
    def sparse(self) -> bool:
        return isinstance(self.rows, tuple)

    @property
    def stored(self) -> int:
        """How many numbers are stored."""
        return int(self.rows[0].size if self.sparse else self.rows.size)

    def part(self, which: np.ndarray) -> Problem:
        """The problem of some of the rows, copied."""
        origin = np.arange(self.n)[which] if self.origin is None else self.origin[which]
        if not self.sparse:
            return replace(self, rows=np.ascontiguousarray(self.rows[which]), y=self.y[which], origin=origin)
        cut = self.matrix()[which]
        return replace(self, rows=(cut.data, cut.indices, cut.indptr), y=self.y[which], origin=origin)

    def place(self, row: int) -> int:
        """The number of a row as the user counts, from 1."""
        return int(row if self.origin is None else self.origin[row]) + 1

    def matrix(self) -> Any:
        """The rows as an array or a SciPy matrix that shares them."""
        if not self.sparse:
            return self.rows
        from scipy.sparse import csr_matrix

        return csr_matrix(self.rows, shape=(len(self.rows[2]) - 1, self.d), copy=False)

    def tidied(self) -> Problem:
        """The same points with sorted columns, duplicate entries summed in stored order.

        InputError for columns that do not exist.
        """
        columns = self.rows[1]
        if columns.size and (columns.min() < 0 or columns.max() >= self.d):
            worst = columns.min() if columns.min() < 0 else columns.max()
            raise InputError(
                f"{self.name}: column index {worst} in a sparse matrix with {self.d} columns "
                f"(expected 0 to {self.d - 1}); rebuild the matrix with the right shape"
            )
        tidy = self.matrix().copy()
        tidy.has_canonical_format = False
        tidy.sum_duplicates()
        return replace(self, rows=(tidy.data, tidy.indices, tidy.indptr))


def problem_of(
    X: Any, y: Any, *, fit_intercept: bool = True, name: str = "X", many: bool = False
) -> tuple[Problem, np.ndarray]:
    """The problem of the user's X and y, and its classes: two with signs, or many with the numbers of the classes."""
    rows = rows_of(X, name)
    classes, signs = classes_of(y) if many else signs_of(y)
    n, d = shape_of(rows, X)
    if n != signs.size:
        raise InputError(
            f"{name} and y: Found input variables with inconsistent numbers of samples, {n} rows and {signs.size} "
            "labels; give one label for each row"
        )
    return Problem(rows, signs, d, 1.0 if fit_intercept else 0.0, name), classes


def shape_of(rows: Rows, X: Any) -> tuple[int, int]:
    """(points, features)."""
    if isinstance(rows, tuple):
        return len(rows[2]) - 1, int(X.shape[1])
    return int(rows.shape[0]), int(rows.shape[1])


def rows_of(X: Any, name: str = "X") -> Rows:
    """The user's numbers as rows; float32 and float64 in C order and compressed sparse rows are not copied."""
    if hasattr(X, "indptr") or hasattr(X, "tocsr"):
        return _sparse_rows(X, name)
    if np.ma.isMaskedArray(X) and np.ma.is_masked(X):
        raise InputError(f"{name}: a masked array with masked numbers; fill them in, e.g. {name}.filled(0)")
    try:
        array = np.asarray(X)
    except ValueError:
        raise InputError(
            f"{name}: rows of different lengths; every row must have the same number of features"
        ) from None
    if array.ndim != 2:
        raise InputError(
            f"{name}: Expected 2D array, got {_kind_of(array)} instead. Reshape your data: "
            f"{name}.reshape(-1, 1) for one feature, {name}.reshape(1, -1) for one point"
        )
    _demand_points(array.shape, name)
    return np.ascontiguousarray(_real(array, name))


def _kind_of(array: np.ndarray) -> str:
    return "a scalar" if array.ndim == 0 else f"{array.ndim}D array"


def _demand_points(shape: tuple[int, ...], name: str) -> None:
    n, d = shape
    if n == 0:
        raise InputError(f"{name}: Found array with 0 sample(s) (shape=({n}, {d})) while a minimum of 1 is required.")
    if d == 0:
        raise InputError(f"{name}: Found array with 0 feature(s) (shape=({n}, {d})) while a minimum of 1 is required.")


def _sparse_rows(X: Any, name: str) -> Rows:
    if X.ndim != 2:
        raise InputError(
            f"{name}: Expected 2D array, got a {X.ndim}D sparse array instead. Reshape your data to (points, features)"
        )
    _demand_points(X.shape, name)
    _demand_indices(X, name)
    matrix = X if X.format == "csr" else X.tocsr()
    values, columns, starts = _real(matrix.data, name), matrix.indices, matrix.indptr
    broken = starts.size != X.shape[0] + 1 or starts[0] != 0 or starts[-1] > min(values.size, columns.size)
    if broken or (np.diff(starts) < 0).any():
        raise InputError(
            f"{name}: the row starts (indptr) of the sparse matrix do not rise from 0 to the number of entries; "
            "rebuild it"
        )
    return values, columns, starts


def _demand_indices(X: Any, name: str) -> None:
    """InputError for row or column numbers that do not exist, in the formats that SciPy would convert unseen."""
    n, d = X.shape
    named = {"csc": [("indices", n)], "coo": [("row", n), ("col", d)]}.get(X.format, [])
    for which, size in named:
        numbers = getattr(X, which)
        if numbers.size and (numbers.min() < 0 or numbers.max() >= size):
            worst = numbers.min() if numbers.min() < 0 else numbers.max()
            raise InputError(f"{name}: index {worst} in a sparse matrix of shape ({n}, {d}); rebuild the matrix")
    if X.format == "csc" and (X.indptr.size != d + 1 or X.indptr[0] != 0 or (np.diff(X.indptr) < 0).any()):
        raise InputError(f"{name}: the column starts (indptr) of the sparse matrix do not rise from 0; rebuild it")


def _real(array: np.ndarray, name: str) -> np.ndarray:
    """The numbers in binary32 or binary64; only what binary64 holds exactly is converted."""
    kind = array.dtype.kind
    if array.dtype in (np.float32, np.float64):
        return array
    if kind == "c":
        raise InputError(
            f"{name}: Complex data not supported (found {array.dtype}); give real numbers, e.g. {name}.real"
        )
    if kind in "USMm":
        raise InputError(
            f"{name}: found {_example_of(array)} where numbers were expected; encode text and dates as numbers first"
        )
    if kind == "O":
        return _numbers_in_objects(array, name)
    if kind in "iu" and array.dtype.itemsize == 8 and array.size and max(int(array.max()), -int(array.min())) > WHOLE:
        raise InputError(
            f"{name}: whole numbers beyond 2^53 (found {array.dtype}) are not held exactly by binary64; scale them down"
        )
    if kind == "f" and array.dtype.itemsize > 8:
        raise InputError(f"{name}: {array.dtype} is wider than binary64; convert with {name}.astype(float)")
    return array.astype(np.float64)


def _numbers_in_objects(array: np.ndarray, name: str) -> np.ndarray:
    """An object array of numbers as float64."""
    for value in array.ravel():
        if isinstance(value, int | Fraction) and not _is_binary64(value):
            raise InputError(
                f"{name}: {value!r} is not held exactly by binary64; round it yourself, e.g. float({value!r})"
            )
    if any(isinstance(value, str | bytes) for value in array.ravel()):
        raise InputError(
            f"{name}: found {_example_of(array)} where numbers were expected; encode text as numbers first"
        )
    try:
        return array.astype(np.float64)
    except (TypeError, ValueError) as problem:
        if "complex" in str(problem):
            raise InputError(f"{name}: Complex data not supported; give real numbers") from None
        kind = InputTypeError if isinstance(problem, TypeError) else InputError
        raise kind(
            f"{name}: found {_example_of(array)} where numbers were expected ({problem}); encode it as numbers first"
        ) from None


def _is_binary64(value: int | Fraction) -> bool:
    """Whether binary64 holds the number exactly."""
    try:
        return Fraction(float(value)) == value
    except OverflowError:
        return False


def _example_of(array: np.ndarray) -> str:
    for value in array.ravel()[:1000]:
        if isinstance(value, str | bytes | dict | list) or not isinstance(value, int | float):
            shown = value.item() if isinstance(value, np.generic) else value
            return f"{type(shown).__name__} {shown!r}"
    return f"dtype {array.dtype}"


def classes_of(y: Any) -> tuple[np.ndarray, np.ndarray]:
    """The classes in order, and of each label the sign (two classes) or the number of its class (more)."""
    labels = labels_of(y)
    if _are_two(labels):
        return signs_of(labels)
    try:
        classes, numbers = np.unique(labels, return_inverse=True)
    except TypeError:
        raise _not_two_classes(labels) from None
    real = labels.dtype.kind == "f" and not (np.isfinite(classes).all() and (classes == np.floor(classes)).all())
    if classes.size < 2 or real or labels.dtype.kind == "c":
        raise _not_two_classes(labels)
    return classes, numbers.astype(np.int64)


def _are_two(labels: np.ndarray) -> bool:
    """Whether exactly two labels occur."""
    other = labels != labels[0]
    at = int(np.argmax(other))
    return bool(other[at]) and bool(((labels == labels[at]) == other).all())


def signs_of(y: Any) -> tuple[np.ndarray, np.ndarray]:
    """The two classes in order, and the sign of each label: +1 for the class that sorts last."""
    labels = labels_of(y)
    if not _are_two(labels):
        raise _not_two_classes(labels)
    other = labels != labels[0]
    at = int(np.argmax(other))
    pair = [labels[0], labels[at]]
    if labels.dtype.kind == "c" or (labels.dtype.kind == "f" and not np.isfinite(pair).all()):
        raise _not_two_classes(labels)
    try:
        rising = bool(pair[0] < pair[1])
    except TypeError:
        raise InputError(
            f"y: labels of mixed types, {_label(pair[0])} and {_label(pair[1])}; use labels of one type"
        ) from None
    classes = labels[[0, at] if rising else [at, 0]]
    if labels.dtype.kind == "O" and {isinstance(p, str) for p in pair} == {True}:
        classes = classes.astype(object)
    signs = other.view(np.int8) * np.int8(2) - np.int8(1)
    return classes, signs if rising else -signs


def labels_of(y: Any) -> np.ndarray:
    """Labels as a one-dimensional array."""
    if y is None:
        raise InputError("y: Expected array-like (array or non-string sequence), got None: fit requires y to be passed")
    try:
        labels = np.asarray(y)
    except ValueError:
        raise InputError("y: labels of different lengths; one label for each row was expected") from None
    if labels.dtype.kind in "US" and isinstance(y, list | tuple) and not all(isinstance(v, str | bytes) for v in y):
        kinds = ", ".join(sorted({type(value).__name__ for value in y}))
        raise InputError(f"y: labels of mixed types ({kinds}); use labels of one type")
    if labels.ndim != 1:
        raise InputError(f"y: y should be a 1d array, got an array of shape {labels.shape} instead.")
    if labels.size == 0:
        raise InputError("y: found no labels; one for each row was expected")
    return labels


def _label(value: Any) -> str:
    shown = value.item() if isinstance(value, np.generic) else value
    return f"{shown!r} ({type(shown).__name__})"


def _not_two_classes(labels: np.ndarray) -> InputError:
    """The error for labels that are not of exactly two classes."""
    if labels.dtype.kind == "c":
        return InputError(
            f"y: Complex data not supported (found {labels.dtype}); use real numbers or strings as labels"
        )
    if labels.dtype.kind == "f" and not np.isfinite(labels).all():
        what = "NaN" if np.isnan(labels).any() else "infinity or a value too large for dtype('float64')"
        return InputError(f"y: Input y contains {what}. Drop the rows without a label, or give them one")
    kinds = {type(value).__name__ for value in labels.tolist()}
    if len(kinds) > 1 and ("str" in kinds or "NoneType" in kinds):
        return InputError(f"y: labels of mixed types ({', '.join(sorted(kinds))}); use labels of one type")
    found = np.unique(labels)
    if found.size == 1:
        return InputError(
            f"y: only one class, {found.tolist()[0]!r}; two classes are needed to find a plane between them"
        )
    if labels.dtype.kind == "f" and (found != np.floor(found)).any():
        return InputError(
            f"y: Unknown label type: continuous. {found.size} different real numbers were found, labels were expected"
        )
    shown = ", ".join(repr(v) for v in found[:5].tolist()) + (", …" if found.size > 5 else "")
    return InputError(
        "y: Only binary classification is supported. The type of the target is multiclass. "
        f"Found {found.size} classes ({shown}); "
        "keep the rows of two of them"
    )
