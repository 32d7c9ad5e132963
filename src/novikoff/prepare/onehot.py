"""One-hot encode a column of categories: 1 in the column of the row's category, 0 in the others.

A category unseen in training becomes a row of zeros and is counted and reported; scikit-learn's
OneHotEncoder(handle_unknown="ignore") does the same without counting.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from novikoff.errors import InputError
from novikoff.prepare.raw_columns import Names
from novikoff.prepare.step import Step
from novikoff.records.record_reader import Fields

LIMIT = 10_000


class OneHot(Step):
    """One column per category of the training rows, in sorted order; an error above `limit` categories."""

    kind, on, option, learns = "one-hot", "categories", "one_hot=True", True

    def __init__(self, limit: int = LIMIT) -> None:
        if isinstance(limit, bool) or not isinstance(limit, int) or limit < 1:
            raise InputError(f"one_hot=True: a limit of {limit!r} categories, expected a whole number, 1 or more")
        self.limit = limit
        self.categories: tuple[str, ...] = ()
        self._seen: set[str] = set()

    def look(self, values: Sequence[str], column: str) -> None:
        """Collect the categories of some training rows."""
        self._seen.update(values)
        if len(self._seen) > self.limit:
            raise InputError(
                f"one_hot=True: column {column!r} has more than {self.limit:,} categories; leave the column out if "
                "it is a row number or identifier, read it as numbers, or hash it (text= with hash_bits=)"
            )

    def settle(self) -> dict[str, Any]:
        """Finish fitting."""
        self.categories, self._seen = tuple(sorted(self._seen)), set()
        return {"categories": len(self.categories)}

    def apply(self, values: Sequence[str]) -> tuple[Any, int]:
        """Return the encoded rows, and how many values were unknown."""
        from scipy.sparse import csr_matrix

        place = {value: j for j, value in enumerate(self.categories)}
        at = np.fromiter((place.get(value, -1) for value in values), np.int32, len(values))
        known = at >= 0
        starts = np.concatenate([[0], np.cumsum(known)]).astype(np.int32)
        X = csr_matrix((np.ones(int(known.sum())), at[known], starts), shape=(len(values), len(self.categories)))
        return X, int(len(values) - known.sum())

    def names(self, column: str) -> Names:
        return Names(len(self.categories), lambda j: f"{column}={self.categories[j]}")

    def record(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        return {"categories": list(self.categories)}, {}

    @classmethod
    def from_record(cls, fields: Fields, d: int) -> OneHot:
        step = cls()
        step.categories = fields.texts("categories", rising=True)
        if not step.categories:
            fields.refuse("categories", [], "at least one category")
        return step
