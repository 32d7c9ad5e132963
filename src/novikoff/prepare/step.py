"""What all steps of a preparation have in common."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from novikoff.records.record_reader import Fields


class Step:
    """A step of a preparation: `look` and `settle` fit it to training rows, `apply` prepares rows by it.

    kind, on: its name in a record, and what it is for. option: the argument that requests it. learns: whether it must
    look at all training rows before any is prepared.
    """

    kind: str = "plain"
    on: str = "numbers"
    option: str = "plain numbers"
    learns: bool = False

    def record(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        """Return what the step was given and has learned: fields of a record, and arrays."""
        return {}, {}

    @classmethod
    def from_record(cls, fields: Fields, d: int) -> Self:
        """Return the step of a record; raise InputError for anything that `record` does not write."""
        return cls()
