"""Points that carry their labels: `fit(points)` is `fit(points.X, points.y)`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from novikoff.errors import InputError

SHOWN = 8  # names
PIECE = 1 << 18  # numbers: 2 MB


class Labelled:
    """Rows (X, in any storage), labels (y), and column names or None."""

    rows: Any
    labels: Any
    names: tuple[str, ...] | None

    @property
    def n(self) -> int:
        """How many rows there are."""
        return len(self.labels)

    @property
    def d(self) -> int:
        """How many columns they have."""
        return int(self.rows.shape[1])

    def __repr__(self) -> str:
        names = None if self.names is None else list(self.names[:SHOWN])
        more = "" if names is None or len(names) == self.d else f" and {self.d - len(names):,} more"
        return f"{type(self).__name__}(n={self.n:,}, d={self.d:,}, names={names}{more})"


@dataclass(frozen=True, repr=False)
class Numbered(Labelled):
    """Rows and labels with the number (from 0) of each row in the user's file; None means 0, 1, 2, …

    label: the name of the label's column. factors: the levels of each column of categories, whose one-hot columns are
    named column=level; None if not known.
    """

    rows: Any
    labels: Any
    names: tuple[str, ...] | None = None
    numbering: Any = None
    label: str | int | None = None
    factors: Mapping[str, Sequence[str]] | None = None


def in_chunks(X: Any, y: Any) -> Iterator[tuple[Any, Any]]:
    """Yield rows and labels, some at a time: parts of an array or of compressed sparse rows of PIECE numbers."""
    n = X.shape[0]
    step = max(1, PIECE * n // max(1, X.nnz if hasattr(X, "indptr") else X.size))
    for lo in range(0, n, step):
        yield X[lo : lo + step], y[lo : lo + step]


def unpacked(X: Any, y: Any = None, name: str = "y") -> tuple[Any, Any]:
    """Return X and y, taken from labelled points if these are given."""
    if not isinstance(X, Labelled):
        return X, y
    if y is not None:
        raise InputError(f"points already have labels; give {name} with points.X, or leave it out", name)
    return X.rows, X.labels


def unpacked_in_memory(X: Any, y: Any, what: str) -> tuple[Any, Any]:
    """Do the same for callers that need all rows in memory; raise InputError for dask collections."""
    rows, labels = unpacked(X, y)
    if type(rows).__module__.partition(".")[0] == "dask":
        from novikoff.data.dask_rows import needed_in_memory

        raise needed_in_memory("X", what)
    return rows, labels
