"""Convert a formula, "y ~ x1 + C(g)", and a data frame to a design and a response, with formulaic."""

from __future__ import annotations

from typing import Any

import numpy as np

from novikoff.data.frames import is_frame
from novikoff.data.row_numbers import row_names_of
from novikoff.errors import InputError


def response_of(formula: str) -> str | None:
    """Return the response of a formula as it is written."""
    left, tilde, _ = formula.partition("~")
    return left.strip() if tilde else None


def variables_of(formula: str) -> tuple[str, list[str]]:
    """Return the variable of a formula's response, and its other variables in alphabetical order."""
    parsed = _parsed(formula)
    left = sorted(str(v) for v in parsed.lhs.required_variables)
    if len(left) != 1:
        raise InputError(
            f"the response of {formula!r} has the variables {', '.join(left) or 'none'}; one was expected", "formula"
        )
    return left[0], sorted({str(v) for v in parsed.rhs.required_variables} - {left[0]})


def by_formula(formula: str, data: Any) -> tuple[Any, Any]:
    """Return the right and the left side of a formula as a frame and a response."""
    if not is_frame(data):
        raise InputError(f"y: found {type(data).__name__}; with a formula, expected the data frame it refers to")
    frame = data if type(data).__module__.partition(".")[0] == "pandas" else data.to_pandas()
    parsed = _parsed(formula)
    _check_present(formula, parsed, frame)
    terms = [str(term) for term in parsed.lhs]
    try:
        design = parsed.rhs.get_model_matrix(frame, na_action="raise")
        if len(terms) == 1 and terms[0] in frame.columns:
            return design.__wrapped__, frame[terms[0]].to_numpy()
        response = parsed.lhs.get_model_matrix(frame, na_action="raise")
    except Exception as error:
        raise _refused(formula, error) from None
    if response.shape[1] > 2:
        raise InputError(f"X: the response of {formula!r} has {response.shape[1]} columns; one was expected")
    return design.__wrapped__, np.asarray(response)[:, -1]


def _parsed(formula: str) -> Any:
    """Return formulaic's reading of a formula that has a response."""
    try:
        import formulaic
    except ImportError:
        raise InputError(
            f"X: a formula, {formula!r}, needs the package formulaic: pip install 'novikoff[formula]'; "
            "or give a table of numbers"
        ) from None
    try:
        parsed = formulaic.Formula(formula)
        _ = parsed.lhs, parsed.rhs
    except AttributeError:
        raise InputError(f"X: the formula {formula!r} has no response; write it as 'y ~ x1 + x2'") from None
    except Exception as error:
        raise _refused(formula, error) from None
    return parsed


def _check_present(formula: str, parsed: Any, frame: Any) -> None:
    """Raise InputError for a missing value of a variable; it names the row."""
    for name in sorted(str(v) for v in parsed.required_variables):
        if name not in frame.columns:
            raise InputError(f"X: {formula!r} refers to {name!r}, which is not a column of the data frame")
        missing = np.flatnonzero(frame[name].isna().to_numpy())
        if missing.size:
            more = f" (and in {missing.size - 1:,} more)" if missing.size > 1 else ""
            names = row_names_of(frame)
            row = missing[0] + 1 if names is None else names(int(missing[0]))
            raise InputError(f"column {name!r}: it is missing in row {row}{more}; drop these rows, or fill them in")


def _refused(formula: str, error: Exception) -> InputError:
    return InputError(f"X: the formula {formula!r} cannot be used ({' '.join(str(error).split())[:200]})")
