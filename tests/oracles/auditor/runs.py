"""The perceptron in fractions, look by look: what every count of a run is held against."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from oracles.auditor.claims import Audit, dot
from oracles.passes import rows_of_pass

Vector = list[Fraction]
ENDLESS = 10**9  # looks or updates


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
    """A run over the signed rows."""

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

    def update(self, rows: Sequence[int], score: Fraction) -> None:
        """Add these rows, all at once."""
        for i in rows:
            self.counts[i] += 1
            self.w = [a + self.eta * b for a, b in zip(self.w, self.Z[i], strict=True)]
        self.updates.append(Update(rows[-1], self.looks, score, self.w))
        self.least = min(self.least, counted(self.Z, self.w)[0])

    def one_pass(self, rows: Sequence[int], updates: int = ENDLESS, from_the_first: bool = False) -> bool:
        """Row after row until one would need one update more than so many, or (from_the_first) until the first update;
        whether the run goes on."""
        before, total = len(self.updates), zero(self.Z)
        for row in rows:
            score = dot(self.w, self.Z[row])
            if score <= 0 and len(self.updates) == updates:
                return False
            self.looks += 1
            if score <= 0:
                self.update([row], score)
            total = [a + b for a, b in zip(total, self.w, strict=True)]
            if score <= 0 and from_the_first:
                break
        made = self.updates[before:]
        self._end_pass(total, len(made), -sum((u.score for u in made), Fraction(0)))
        return bool(made)

    def mean_pass(self, most: int) -> bool:
        """All rows, or so many looks; of a whole pass all mistakes are added, in one update."""
        scores, old = [dot(self.w, z) for z in self.Z], self.w
        wrong, whole = [i for i, s in enumerate(scores[:most]) if s <= 0], most >= len(self.Z)
        self.looks += min(most, len(self.Z))
        if wrong and whole:
            self.update(wrong, scores[wrong[-1]])
        late = min(most, len(self.Z)) - 1
        total = [late * a + b for a, b in zip(old, self.w, strict=True)]
        self._end_pass(total, int(bool(wrong) and whole), -sum((scores[i] for i in wrong), Fraction(0)))
        return bool(wrong) and whole

    def _end_pass(self, total: Vector, updates: int, loss: Fraction) -> None:
        self.sums.append(total)
        self.passes.append(Pass(updates, loss, counted(self.Z, self.w)[0], dot(self.w, self.w)))

    def average(self, begin: int = 0) -> Vector:
        """The mean of the weights after each look, from that pass on if there are more passes."""
        begin = begin if len(self.sums) > begin else 0
        looks = self.looks - begin * len(self.Z)
        return [sum(column, Fraction(0)) / looks for column in zip(*self.sums[begin:], strict=True)]


def zero(Z: Sequence[Vector]) -> Vector:
    return [Fraction(0)] * len(Z[0])


def played(
    Z: Sequence[Vector],
    order: str = "cyclic",
    looks: int = ENDLESS,
    updates: int = ENDLESS,
    eta: Fraction = Fraction(1),
    w: Vector | None = None,
    seed: int = 0,
) -> Played | None:
    """So many looks or updates, or until a pass makes no update; None in an order that is not made again here.

    cyclic: row after row; first: after an update again from the first row; auto: ten passes row after row, then
    shuffled ones; batch: an update with all mistakes after each pass.
    """
    if order not in ("cyclic", "first", "auto", "batch"):
        return None
    run = Played(Z, list(w or zero(Z)), eta)
    while run.looks < looks:
        left, rows = looks - run.looks, range(len(Z))
        if order == "batch":
            go_on = run.mean_pass(left) and len(run.updates) < updates
        else:
            shuffled = order == "auto" and len(run.passes) >= 10
            some = rows_of_pass("shuffle", len(Z), seed, len(run.passes)).tolist() if shuffled else rows
            go_on = run.one_pass(some[:left], updates, order == "first")
        if not go_on:
            break
    return run


def lecture(Z: Sequence[Vector], looks: int = ENDLESS, eta: Fraction = Fraction(1), w: Vector | None = None) -> Played:
    """Row after row, until a pass makes no update."""
    run = played(Z, looks=looks, eta=eta, w=w)
    assert run is not None
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
