"""The perceptron in fractions, look by look: what every count of a run is held against."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from oracles.auditor.claims import dot

Vector = list[Fraction]


def counted(Z: Sequence[Vector], w: Sequence[object]) -> tuple[int, int]:
    """(errors, ties) of the signed rows; a tie is an error."""
    scores = [dot(w, z) for z in Z]
    return sum(s <= 0 for s in scores), sum(s == 0 for s in scores)


@dataclass
class Pass:
    """One pass: what it changed, and what its last weights have wrong."""

    updates: int
    loss: Fraction
    errors: int
    norm2: Fraction


@dataclass
class Update:
    """One update of the row."""

    row: int
    looks: int  # so far, this one included
    score: Fraction  # y·⟨w, x⟩ before
    w: Vector  # after


@dataclass
class Played:
    """The perceptron's run on signed rows: w ← w + η·z at every look with ⟨w, z⟩ ≤ 0."""

    Z: Sequence[Vector]
    w: Vector
    eta: Fraction = Fraction(1)
    looks: int = 0
    updates: list[Update] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    passes: list[Pass] = field(default_factory=list)
    least: int = 0  # the fewest errors of all weights met

    def __post_init__(self) -> None:
        self.counts = [0] * len(self.Z)
        self.least = counted(self.Z, self.w)[0]

    def look(self, row: int) -> bool:
        """Whether it was an update."""
        self.looks += 1
        score = dot(self.w, self.Z[row])
        if score > 0:
            return False
        self.w = [a + self.eta * b for a, b in zip(self.w, self.Z[row], strict=True)]
        self.counts[row] += 1
        self.updates.append(Update(row, self.looks, score, self.w))
        self.least = min(self.least, counted(self.Z, self.w)[0])
        return True

    def one_pass(self, most: int) -> bool:
        """Row after row, up to so many looks; whether a row was updated."""
        before = len(self.updates)
        for row in range(min(len(self.Z), most)):
            self.look(row)
        made = self.updates[before:]
        loss, norm2 = -sum((u.score for u in made), Fraction(0)), dot(self.w, self.w)
        self.passes.append(Pass(len(made), loss, counted(self.Z, self.w)[0], norm2))
        return bool(made)


def zero(Z: Sequence[Vector]) -> Vector:
    return [Fraction(0)] * len(Z[0])


def cyclic(Z: Sequence[Vector], looks: int, eta: Fraction = Fraction(1), w: Vector | None = None) -> Played:
    """So many looks, row after row, or until a pass makes no update."""
    run = Played(Z, list(w or zero(Z)), eta)
    while run.looks < looks and run.one_pass(looks - run.looks):
        pass
    return run


def ordered(Z: Sequence[Vector], order: str, updates: int, eta: Fraction, w: Vector) -> Played:
    """In the order cyclic, first (after an update again from the first row) or worst, until no row needs an update, or
    before the row that would need one more than so many."""
    run = Played(Z, list(w), eta)
    while True:
        before = len(run.updates)
        for row in [_worst(run)] if order == "worst" else range(len(Z)):
            if len(run.updates) == updates and dot(run.w, Z[row]) <= 0:
                return run
            if run.look(row) and order == "first":
                break
        if len(run.updates) == before:
            return run


def _worst(run: Played) -> int:
    """The row with the smallest score; all rows are shown, it comes last."""
    run.looks += len(run.Z) - 1
    scores = [dot(run.w, z) for z in run.Z]
    return scores.index(min(scores))
