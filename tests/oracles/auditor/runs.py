"""The perceptron in fractions, look by look: what every count of a run is held against."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from oracles.auditor.claims import Audit, dot
from oracles.passes import rows_of_pass

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
    sums: list[Vector] = field(default_factory=list)  # of the weights after each look, pass by pass

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

    def one_pass(self, most: int, rows: Sequence[int] | None = None) -> bool:
        """Row after row, or these rows, up to so many looks; whether a row was updated."""
        before, total = len(self.updates), [Fraction(0)] * len(self.w)
        for row in (range(len(self.Z)) if rows is None else rows)[:most]:
            self.look(row)
            total = [a + b for a, b in zip(total, self.w, strict=True)]
        self.sums.append(total)
        made = self.updates[before:]
        loss, norm2 = -sum((u.score for u in made), Fraction(0)), dot(self.w, self.w)
        self.passes.append(Pass(len(made), loss, counted(self.Z, self.w)[0], norm2))
        return bool(made)

    def average(self, begin: int = 0) -> Vector:
        """The mean of the weights after each look, from that pass on if there are more passes."""
        begin = begin if len(self.sums) > begin else 0
        looks = self.looks - begin * len(self.Z)
        return [sum(column, Fraction(0)) / looks for column in zip(*self.sums[begin:], strict=True)]

    def mean_pass(self, most: int) -> bool:
        """All rows, or so many looks; of a whole pass all mistakes are added, in one update."""
        scores = [dot(self.w, z) for z in self.Z]
        wrong, total = [i for i, s in enumerate(scores[:most]) if s <= 0], list(self.w)
        self.looks += min(most, len(self.Z))
        if wrong and most >= len(self.Z):
            for i in wrong:
                self.counts[i] += 1
                total = [a + self.eta * b for a, b in zip(total, self.Z[i], strict=True)]
            self.updates.append(Update(wrong[-1], self.looks, scores[wrong[-1]], total))
        late = min(most, len(self.Z)) - 1
        self.sums.append([late * a + b for a, b in zip(self.w, total, strict=True)])
        self.w, made = total, bool(wrong) and most >= len(self.Z)
        self.least = min(self.least, counted(self.Z, self.w)[0])
        loss = -sum((scores[i] for i in wrong), Fraction(0))
        self.passes.append(Pass(int(made), loss, counted(self.Z, self.w)[0], dot(self.w, self.w)))
        return made


def batch(Z: Sequence[Vector], looks: int, eta: Fraction, w: Vector | None = None, updates: int = 10**9) -> Played:
    """So many looks or updates, an update with all mistakes after each pass, or until a pass makes none."""
    run = Played(Z, list(w or zero(Z)), eta)
    while run.looks < looks and len(run.updates) < updates and run.mean_pass(looks - run.looks):
        pass
    return run


def zero(Z: Sequence[Vector]) -> Vector:
    return [Fraction(0)] * len(Z[0])


def cyclic(Z: Sequence[Vector], looks: int, eta: Fraction = Fraction(1), w: Vector | None = None) -> Played:
    """So many looks, row after row, or until a pass makes no update."""
    run = Played(Z, list(w or zero(Z)), eta)
    while run.looks < looks and run.one_pass(looks - run.looks):
        pass
    return run


def in_order(order: str, Z: Sequence[Vector], looks: int, seed: int) -> Played | None:
    """So many looks in the order cyclic, or auto: ten passes row after row, then shuffled ones; None for others."""
    if order == "cyclic":
        return cyclic(Z, looks)
    if order == "batch":
        return batch(Z, looks, Fraction(1, len(Z)))
    if order != "auto":
        return None
    run = Played(Z, zero(Z))
    while run.looks < looks:
        made = len(run.passes)
        rows = None if made < 10 else rows_of_pass("shuffle", len(Z), seed, made).tolist()
        if not run.one_pass(looks - run.looks, rows):
            break
    return run


def claim_average(a: Audit, keep: str, run: Played, w: Sequence[object]) -> None:
    """The weights of keep "auto" (the last ones of a clean pass, else the average from pass 11) or "average"."""
    if keep not in ("auto", "average") or not run.passes:
        return
    wanted = run.average(10 if keep == "auto" else 0)
    if keep == "auto" and run.passes[-1].errors == 0 and run.passes[-1].updates == 0:
        wanted = run.w
    size = max(abs(v) for v in (*wanted, Fraction(1)))
    a.claim("the average", all(abs(Fraction(v) - t) <= size / 10**9 for v, t in zip(w, wanted, strict=True)), True)


def ordered(Z: Sequence[Vector], order: str, updates: int, eta: Fraction, w: Vector) -> Played:
    """In the order cyclic or first (after an update again from the first row), until no row needs an update, or
    before the row that would need one more than so many."""
    run = Played(Z, list(w), eta)
    while True:
        before = len(run.updates)
        for row in range(len(Z)):
            if len(run.updates) == updates and dot(run.w, Z[row]) <= 0:
                return run
            if run.look(row) and order == "first":
                break
        if len(run.updates) == before:
            return run
