"""Errors for raw rows given to a model that was trained on prepared rows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from novikoff.data.column_names import columns_of, few
from novikoff.errors import InputError
from novikoff.prepare.preparation import Preparation


@contextmanager
def raw_row_error(clf: Any, X: Any) -> Iterator[None]:
    """Add advice on preparing rows to errors about X; reject named columns, which raw rows have."""
    steps = _at_work(clf)
    if steps is None:
        yield
        return
    way = f"this model expects prepared rows; pass the output of its preparation: {steps.call()}"
    names = columns_of(X)
    if names is not None:
        raise InputError(f"X: found raw columns ({few(names)}); {way}")
    try:
        yield
    except ValueError as error:
        kind = type(error) if isinstance(error, InputError) else InputError
        raise kind(f"{error}\n{way[0].upper()}{way[1:]}") from error


def _at_work(clf: Any) -> Preparation | None:
    """Return the preparation loaded with these planes, if it changes rows."""
    origin, steps = getattr(clf, "_origin", None), getattr(clf, "preparation_", None)
    if origin is None or not isinstance(steps, Preparation) or steps.is_plain:
        return None
    return steps if origin[0] is getattr(clf, "_plane", clf.coef_) else None
