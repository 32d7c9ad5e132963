"""Points of decimal numbers: 0.1 is one tenth, and a table that sums to 100 does so exactly.

    column j times s_j, the least factor that makes it integer:   ⟨w, x⟩ + b = Σ (w_j/s_j)·(s_j·x_j) + b

So the plane (u, b) of the integer table is the plane (s_j·u_j, b) of the decimals, and a relation
Σ λ_i y_i (x_i, 1) = 0 has the same weights in both. Where binary64 can represent the table (nearly always) it is a
problem like any other; else it is decided in integers. `source_of` chooses between these points and binary64 ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any

import numpy as np
from flint import fmpz_mat

from novikoff.arguments import argument_checks
from novikoff.certify.check.verify import Digest, check
from novikoff.certify.decide.proof_points import ProofPoints
from novikoff.certify.numbers.integer_rows import Row, primitive
from novikoff.certify.numbers.signed_rows import Classes, Labels, Signed, classes_of, points_of
from novikoff.data.labelled_points import unpacked
from novikoff.data.labels.classes import labels_of
from novikoff.data.problem import Problem
from novikoff.data.row_numbers import origin_of, row_names_of
from novikoff.data.text.format_numbers import count
from novikoff.data.text.plain_files import LARGEST_EXPONENT, label_text, number_of
from novikoff.engines.engine import SERIAL, Engine
from novikoff.errors import InputError, ManyClassesError, counted

LARGEST = 2.0**200  # integer that is stored as binary64: its square stays in range


def check_question(fit_intercept: Any, numbers: Any, max_time: Any) -> None:
    """Raise InputError for arguments that `decide` and its variants share, if they are wrong."""
    argument_checks.truth("fit_intercept", fit_intercept)
    argument_checks.one_of("numbers", numbers, ("binary64", "decimal"))
    if max_time is not None:
        argument_checks.positive("max_time", max_time)


def source_of(
    X: Any, y: Any, fit_intercept: bool, numbers: str, engine: Engine = SERIAL, positive: Any = None
) -> ProofPoints:
    """Return the user's points as a verdict reads them, now and later; numbers: "binary64" or "decimal"."""
    try:
        if numbers == "binary64":
            return ProofPoints.of(X, y, fit_intercept, engine, positive)
        return decimal_points(X, y, fit_intercept, positive)
    except ManyClassesError as error:
        raise ManyClassesError(f"{error}, or ask novikoff.decide about each pair") from None


def decimal_points(X: Any, y: Any, fit_intercept: bool, positive: Any = None) -> DecimalPoints:
    """Return the user's points: texts, whole numbers, fractions or Decimals."""
    origin, named, (X, y) = origin_of(X), row_names_of(X), unpacked(X, y)
    table, labels = fractions_of(X), labels_of(y)
    if len(table) != labels.size:
        raise InputError(
            f"X and y: {count(len(table), 'row')} and {count(labels.size, 'label')}; give one label for each row"
        )
    signs = points_of(np.zeros((labels.size, 1)), labels, fit_intercept, positive=positive).problem
    return DecimalPoints(table, labels, replace(signs, origin=origin, named=named), classes_of(labels, signs.y))


class DecimalPoints(ProofPoints):
    """Labelled points of decimal numbers.

    table: fractions (n, d). problem: signs, row numbers and row names; its own rows are placeholders.
    """

    numbers = "decimal"

    def __init__(self, table: np.ndarray, labels: Labels, problem: Problem, classes: Classes | None = None) -> None:
        self.table, self.labels, self._problem, self._classes = table, labels, problem, classes

    @property
    def problem(self) -> Problem:
        """The signs, row numbers and row names."""
        return self._problem

    @cached_property
    def points(self) -> Scaled | Big:
        """The signed rows as a decision reads them."""
        scales = [lcm(*(v.denominator for v in column)) for column in self.table.T.tolist()]
        X = [[v.numerator * (s // v.denominator) for v, s in zip(x, scales, strict=True)] for x in self.table.tolist()]
        rows = _as_doubles(X)
        if rows is not None:
            return Scaled(replace(self._problem, rows=rows, d=len(scales)), scales)
        bias = [1] * int(self._problem.pad)
        signed = [[sign * v for v in [*x, *bias]] for x, sign in zip(X, self._problem.y.tolist(), strict=True)]
        return Big(signed, scales)

    def part(self, which: np.ndarray) -> DecimalPoints:
        return DecimalPoints(self.table[which], self.labels[which], self._problem.part(which), self.classes)

    def relabelled(self, which: np.ndarray, labels: np.ndarray, signs: np.ndarray) -> DecimalPoints:
        problem = replace(self._problem.part(which), y=signs)
        return DecimalPoints(self.table[which], labels, problem, classes_of(labels, signs))

    def exact(self, which: Any) -> list[list[Fraction]]:
        some: list[list[Fraction]] = self.table[np.asarray(which, np.int64)].tolist()
        return some

    def digest(self) -> str:
        digest = Digest(self.table.shape[1], "decimal")
        for label, x in self._rows():
            digest.add(label_text(label), {j: v for j, v in enumerate(x) if v})
        return digest.hexdigest()

    def proves(self, certificate: Any) -> str:
        return check(certificate, self._rows())

    def _rows(self) -> list[tuple[Any, list[Fraction]]]:
        return list(zip(self.labels.tolist(), self.table.tolist(), strict=True))


class _Columns:
    """Conversion between planes of the integer table and planes of the decimals."""

    scales: Sequence[int]

    def outward(self, plane: Sequence[int]) -> list[int]:
        """Convert a plane of the integer table to one of the decimals."""
        d = len(self.scales)
        return primitive([*(s * int(v) for s, v in zip(self.scales, plane, strict=False)), *plane[d:]])

    def inward(self, plane: Sequence[int]) -> list[int]:
        """Convert a plane of the decimals to one of the integer table."""
        d, common = len(self.scales), lcm(*self.scales)
        return [*(common // s * v for s, v in zip(self.scales, plane, strict=False)), *(common * v for v in plane[d:])]


class Scaled(_Columns, Signed):
    """The integer table as doubles, which represent it exactly."""

    def __init__(self, problem: Problem, scales: Sequence[int]) -> None:
        super().__init__(problem)
        self.scales = scales


class Big(_Columns):
    """The integer table with numbers that doubles cannot represent: signed rows, the bias last."""

    def __init__(self, rows: list[Row], scales: Sequence[int]) -> None:
        self.rows, self.scales = rows, scales
        self.n, self.D = len(rows), len(rows[0])
        self.rows_read = self.n

    @cached_property
    def _matrix(self) -> Any:
        return fmpz_mat(self.rows)

    def whole(self, which: Sequence[int] | np.ndarray) -> tuple[list[Row], list[int]]:
        """Return some of the rows, and an exponent of 0 for each."""
        some = [self.rows[int(i)] for i in which]
        return some, [0] * len(some)

    def stored(self, which: Sequence[int]) -> np.ndarray:
        """Return some of the rows in the form that a relation stores."""
        return np.array(self.whole(which)[0], object)

    def margins(self, plane: Sequence[int]) -> np.ndarray:
        """Return ⟨plane, z_i⟩ of every row, up to one positive factor: the sign is exact."""
        values = [int(v) for v in (self._matrix * fmpz_mat([[int(v)] for v in plane])).entries()]
        shift = max(max(abs(v).bit_length() for v in values) - 900, 0)
        return np.array([float(v >> shift) or float((v > 0) - (v < 0)) for v in values])


def _as_doubles(X: list[list[int]]) -> np.ndarray | None:
    """Return integers as doubles, if these represent them exactly; else None."""
    try:
        rows = np.array(X, np.float64)
    except OverflowError:
        return None
    if not (np.abs(rows) < LARGEST).all() or [[int(v) for v in x] for x in rows.tolist()] != X:
        return None
    return rows


# ---- reading -------------------------------------------------------------------------------------------------------


def fractions_of(X: Any) -> np.ndarray:
    """Return the user's table as fractions; raise InputError for floats, which are rounded already."""
    kind = getattr(getattr(X, "dtype", None), "kind", "O")
    if kind == "f" or hasattr(X, "tocsr"):
        raise _floats(X)
    try:
        table = np.array(X.to_numpy(dtype=object) if hasattr(X, "to_numpy") else X, dtype=object)
    except (ValueError, TypeError):
        raise InputError("X: rows of different lengths; every row must have the same number of features") from None
    if table.ndim != 2 or 0 in table.shape:
        raise InputError(f"X: found shape {table.shape}; a table of rows and columns was expected, none of them empty")
    out, known = np.empty(table.shape, object), dict[str, Fraction]()
    for i, x in enumerate(table.tolist()):
        out[i] = [known.get(v) or _fraction(v, i, j, known) for j, v in enumerate(x)]
    return out


def _floats(found: Any) -> InputError:
    return InputError(
        f"numbers: 'decimal' is for text, and X holds {type(found).__name__} of binary64: 0.1 is no longer one tenth "
        "there; give texts, Decimals, fractions or whole numbers, or use numbers='binary64'"
    )


def _fraction(value: Any, row: int, column: int, known: dict[str, Fraction]) -> Fraction:
    """Return one number; texts are cached in `known`, since tables repeat them."""
    plain = value.item() if isinstance(value, np.generic) else value
    if isinstance(plain, float):
        raise _floats(plain)
    try:
        if isinstance(plain, Decimal) and plain and abs(plain.adjusted()) > LARGEST_EXPONENT:
            raise ValueError(plain)
        number: Fraction = number_of(plain.strip() if isinstance(plain, str) else plain, "decimal")
        if isinstance(value, str):
            known[value] = number
        return number
    except (ValueError, TypeError, ArithmeticError):
        raise InputError(
            f"X: {counted(row)}, column {column + 1}: found {plain!r:.60}; a finite decimal number was expected"
        ) from None
