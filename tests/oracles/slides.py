"""The worked examples of the lecture notes, update by update: what every path through the program must show.

A row of a table is one update: the point (from 1), y·(w·x) before it, and the weights after it (the bias last).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Slide:
    """One worked example under one order."""

    example: str
    order: str
    fit_intercept: bool
    table: str
    looks: int
    stop_reason: str = "separated"

    @property
    def updates(self) -> list[tuple[int, Fraction, tuple[Fraction, ...]]]:
        """For each update: row (from 0), y·(w·x) before, w after."""
        lines = [list(map(Fraction, line.split())) for line in self.table.strip().splitlines()]
        return [(int(point) - 1, margin, tuple(w)) for point, margin, *w in lines]

    @property
    def rows(self) -> list[int]:
        return [row for row, _, _ in self.updates]

    @property
    def w(self) -> tuple[Fraction, ...]:
        """The last weights."""
        return self.updates[-1][2]


TAO = """
1   0    1 0
2   0    1 1
"""

CORNWELL = """
1     0   1   -3  -1
2    -1   2   -2  -2
4    -5   2 -1/2  -1
4  -7/4   2    1   0
1    -1   3   -2  -1
4    -4   3 -1/2   0
4  -3/4   3    1   1
1    -1   4   -2   0
4    -3   4 -1/2   1
"""

SPAM = """
1   0   1 1  0  1 1  1
2  -2   1 1 -1  0 1  0
3   0   1 2  0  0 1  1
4  -2   0 2  0 -1 1  0
"""

SPAM_FIRST = """
1   0   1 1  0  1 1  1
2  -2   1 1 -1  0 1  0
3   0   1 2  0  0 1  1
2  -1   1 2 -1 -1 1  0
4   0   0 2 -1 -2 1 -1
1   0   1 3 -1 -1 2  0
4   0   0 3 -1 -2 2 -1
5   0   1 3  0 -2 3  0
"""

OR = """
1   0   0 0 -1
2  -1   1 0  0
3   0   1 1  1
1  -1   1 1  0
1   0   1 1 -1
2   0   2 1  0
1   0   2 1 -1
3   0   2 2  0
1   0   2 2 -1
"""

OR_FIRST = """
1   0   0 0 -1
2  -1   1 0  0
1   0   1 0 -1
2   0   2 0  0
1   0   2 0 -1
3  -1   2 1  0
1   0   2 1 -1
3   0   2 2  0
1   0   2 2 -1
"""

XOR = """
1   0   0 0 -1
2  -1   1 0  0
3   0   1 1  1
4  -3   0 0  0
"""

SLIDES: dict[str, Slide] = {
    "tao": Slide("tao", "cyclic", False, TAO, looks=8),
    "tao first": Slide("tao", "first", False, TAO, looks=7),
    "cornwell": Slide("cornwell", "cyclic", True, CORNWELL, looks=24),
    "cornwell first": Slide("cornwell", "first", True, CORNWELL, looks=29),
    "spam": Slide("spam", "cyclic", True, SPAM, looks=12),
    "spam first": Slide("spam", "first", True, SPAM_FIRST, looks=28),
    "or": Slide("or", "cyclic", True, OR, looks=24),
    "or first": Slide("or", "first", True, OR_FIRST, looks=19),
    "xor": Slide("xor", "cyclic", True, XOR, looks=4, stop_reason="cycle"),
}
