"""Choose the rows to test on: a share, every k-th row, or folds."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.arguments.argument_checks import whole
from novikoff.errors import InputError


def rows_to_test(y: Any, holdout: float | Fraction | None = None, test_every: int | None = None) -> np.ndarray:
    """Return the mask of the rows to test on; InputError where a part is empty, or has a class of its own."""
    n, test, option, found = len(y), np.zeros(len(y), bool), "", ""
    if holdout is not None:
        try:
            part = Fraction(str(holdout))
        except (ValueError, ZeroDivisionError):
            part = Fraction(0)
        if not 0 < part < 1:
            raise InputError(f"found {holdout}; expected a part between 0 and 1", "holdout")
        kind = np.int64 if (n + 1) * part.numerator < 2**63 else object
        whole_numbers = np.arange(n + 1, dtype=kind) * part.numerator // part.denominator
        test = np.asarray(whole_numbers[1:] > whole_numbers[:-1], bool)  # the rows i where i·F crosses one
        option, found = "holdout", f"{float(holdout):g}"
    if test_every is not None:
        whole("test_every", test_every, 1, optional=False)
        test = np.arange(n) % test_every == test_every - 1
        option, found = "test_every", str(test_every)
    if option and not test.any():
        raise InputError(f"found {found}, with which no row of {n:,} is for the test; select more", option)
    if test.all():
        raise InputError(f"found {found}, with which no row of {n:,} is left for training; select fewer", option)
    left, out = ({*np.unique(some_labels(y, rows)).tolist()} for rows in (~test, test))
    if lost := sorted(out - left):
        raise InputError(
            f"found {found}, with which no row of class {lost[0]} is left for training; select fewer", option
        )
    return test


def fold_numbers(y: Any, many: int, seed: int) -> np.ndarray:
    """Return the fold of each row: of every class, drawn rows in turn, each class going on where the last one ended."""
    classes, codes = np.unique(y, return_inverse=True)
    counts = np.bincount(codes, minlength=len(classes))
    if counts.min() < many:
        few, least = classes[counts.argmin()], int(counts.min())
        way_out = f"use at most folds={least}" if least > 1 else "each fold needs a row of every class: add rows"
        if least == 1 and len(classes) > 2:
            way_out += ", or leave the class out with classes="
        raise InputError(f"folds={many}: class {few} has only {least:,} row{'s' * (least != 1)}; {way_out}")
    draw, folds, at = np.random.Generator(np.random.PCG64(seed)), np.empty(len(y), np.intp), 0
    for k in range(len(classes)):
        rows = draw.permutation(np.flatnonzero(codes == k))
        folds[rows] = (at + np.arange(rows.size)) % many
        at += rows.size
    return folds


def some_labels(y: Any, which: np.ndarray | None) -> Any:
    """Return the labels of the rows of a mask; None: of all rows."""
    if which is None or which.all():
        return y
    return y[which]
