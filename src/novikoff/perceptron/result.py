"""What a run counts and returns."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

COLUMNS = ("pass", "updates", "mistakes", "loss", "errors", "norm", "pocket_errors", "valid_errors", "seconds")


class Tally(NamedTuple):
    """Counts of a run so far."""

    updates: int = 0
    looks: int = 0
    loss: float = 0.0
    mistakes: int = 0


@dataclass(frozen=True)
class Result:
    """The weights that a run returns, its counts, and the rule that ended it."""

    plane: np.ndarray  # (w, b) as trained: (d + 1,), or (planes, d + 1)
    scale: float  # η, where it is multiplied in at the end
    stop_reason: str
    passes: int
    looks: int
    updates: int
    mistakes: np.ndarray  # per row; of parameter mixing per partition
    errors: float | None  # of the pocket
    history: dict[str, list[Any]]
    cycle_counts: np.ndarray | None  # per row: the Gordan weights of a cycle
    voters: Any  # with keep="vote": `Voters`
    run: Any  # the `Run`; None of a stream
    verdicts: dict[int, Any] = field(default_factory=dict)  # by plane: whether its points are separable, where decided
    random_from: int | None = None  # the first pass of random draws after a cycle
    order: str = "cyclic"  # of the last pass
    partition_rows: np.ndarray | None = None  # of parameter mixing: the rows of each partition

    @cached_property
    def w(self) -> np.ndarray:
        """The weights: (d,), or (planes, d)."""
        return np.asarray(self.plane[..., :-1] * self.scale)

    @property
    def b(self) -> Any:
        """The bias, or that of each plane."""
        return self.plane[..., -1] * self.scale

    @property
    def verdict(self) -> Any:
        """Whether the points of two classes are separable, where that was decided."""
        return self.verdicts.get(0) if self.w.ndim == 1 else None

    @property
    def last_pass_mistakes(self) -> int:
        """The mistakes of the last pass."""
        return int(self.history["mistakes"][-1]) if self.history["mistakes"] else 0
