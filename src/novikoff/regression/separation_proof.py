"""Write the proof of a separation as a certificate.

The search for coefficients keeps directions and supports; weights are computed here, when a certificate is requested.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from flint import fmpz_mat

from novikoff.data.digest import digest_of
from novikoff.data.labels import labels_of
from novikoff.data.problem import Problem
from novikoff.errors import InputError
from novikoff.exact.integer_rows import digits, primitive
from novikoff.exact.signed_rows import Signed
from novikoff.proof import certificate as write
from novikoff.proof.check_fast import verified_points
from novikoff.proof.verify import CertificateError, read_certificate
from novikoff.regression.coefficients import ALIASED, MINUS, NOT_UNIQUE, PLUS, CoefficientLimits
from novikoff.regression.design import Design
from novikoff.separate.row_space import independent_columns, spanning


@dataclass(frozen=True)
class ResponseRecord:
    """The response of a certificate: its family, the classes of labels, and the column of trials."""

    family: str
    classes: tuple[Any, ...] | None = None
    trials: int | None = None

    def model(self, intercept: bool) -> dict[str, Any]:
        """Return `model` of a certificate."""
        labels = write.labels_model(self.classes or (), intercept)
        return labels | {"family": self.family, "classes": self.classes and labels["classes"], "trials": self.trials}


@dataclass
class SeparationEvidence:
    """What a certificate is made of.

    made: a function that returns all rows, with a column of counts if there is one, as a problem. labels: theirs.
    design: of the rows that take part, not stacked. table: of the question, which may be.
    columns: the places of the kept columns in the question's table. rows, against: for each row of that table the row
    of the points, and the other class. limits: the search for the coefficients, or None if all are finite.
    """

    made: Callable[[], Problem]
    labels: Any
    response: ResponseRecord
    design: Design
    table: Problem
    columns: list[int]
    rows: np.ndarray
    against: np.ndarray
    limits: CoefficientLimits | None

    @cached_property
    def points(self) -> Problem:
        """All rows, without a bias."""
        return self.made()

    def certificate(self, report: Any, file: Mapping[str, Any] | None) -> write.Certificate:
        """Return the certificate of a report, checked against the points."""
        parts, intercept = max(len(self.response.classes or ()) - 1, 1), bool(self.design.problem.pad)
        states = dict(zip(self._places(parts), report.coefficients.values(), strict=True))
        kept = {m: state for m, state in sorted(states.items()) if state != ALIASED}
        try:
            aliased, directions = self._aliased(), self._directions(kept, parts)
            sections = {
                "directions": [write.vector(b) for b in directions],
                "zero_sum": write.weights(
                    [self.rows[i] for i, _ in report.held_vectors],
                    [self._other(i, sign) for i, sign in report.held_vectors],
                    report.held_weights,
                ),
                "complement": self._complement(report, directions),
                "coefficients": {"aliased": aliased, "states": [*kept.values()], "limits": self._limits(kept)},
            }  # fmt: skip
            shape, digest = (self.points.n, self.points.d), digest_of(self.points, self.labels)
            made = write.certificate_of(report.kind, digest, shape, self.response.model(intercept), file, **sections)
            points = replace(self.points, pad=float(intercept))
            verified_points(read_certificate(made.record()), points, labels_of(self.labels))
        except (CertificateError, ArithmeticError) as error:
            raise InputError(
                f"X: the points were changed after separation ({error}); call separation again, and save then"
            ) from None
        return made

    def _complement(self, report: Any, directions: list[dict[int, int]]) -> list[dict[str, Any]]:
        """Return the vectors that complete the directions: of rows of the question's table, in the kept columns."""
        places = [self._coefficient(j) for j in self.columns]
        rows = Signed(self.table).whole([i for i, _ in report.held_vectors])[0] if report.held_vectors else []
        H = [[z[j] for j in self.columns] for z in rows]
        return write.complement(H, [[b.get(m, 0) for m in places] for b in directions], places)

    # ---- places ----

    @property
    def _width(self) -> int:
        return self.points.d + int(self.design.problem.pad)

    def _column(self, place: int) -> int:
        """Return the column of the points, or that of the bias, of a place in the design's rows."""
        if place == self.design.problem.d:
            return self.points.d
        at = self.response.trials
        return place if at is None or place < at else place + 1

    def _coefficient(self, place: int) -> int:
        """Return the place of a coefficient in the certificate."""
        part, j = divmod(place, self.design.problem.d + int(self.design.problem.pad))
        return part * self._width + self._column(j)

    def _places(self, parts: int) -> list[int]:
        """Return the places of the report's coefficients."""
        return [k * self._width + self._column(j) for k in range(parts) for j in self.design.places]

    def _other(self, i: int, sign: int) -> int:
        """Return the class that a signed row is against: of ±x the positive one for −x."""
        return int(self.against[i]) if self.against.size else int(sign < 0)

    # ---- parts ----

    def _aliased(self) -> list[dict[str, Any]]:
        """Return each aliased column as a combination of kept ones."""
        table = Signed(self.design.problem)
        table.judge.survey()
        _, on = independent_columns(table, self.design.order)
        if not on:
            return []
        T = spanning(table)
        Z = table.whole(T)[0] if T else []
        made = []
        for j, (place, others) in sorted((self._column(j), (j, used)) for j, used in on.items()):
            relation = [1]
            if others:
                null, _ = fmpz_mat([[z[k] for k in (place, *others)] for z in Z]).nullspace()
                relation = primitive([null[i, 0] for i in range(len(others) + 1)])
            columns = [j, *map(self._column, others)]
            made.append({"column": j, "relation": write.vector(dict(zip(columns, relation, strict=True)))})
        return made

    def _directions(self, states: Mapping[int, str], parts: int) -> list[dict[int, int]]:
        if self.limits is None:
            return []
        place = {self._coefficient(j): k for k, j in enumerate(self.columns)}
        wanted = [place[m] for m, word in states.items() if word == NOT_UNIQUE]
        made = []
        for direction in self.limits.directions_of(wanted):
            values = primitive([direction[k] for k in place.values()])
            made.append(dict(zip(place, values, strict=True)))
        return made

    def _limits(self, states: Mapping[int, str]) -> list[dict[str, Any]]:
        """Return the relation that proves each infinite coefficient."""
        if self.limits is None:
            return []
        made = []
        for k, j in enumerate(self.columns):
            m = self._coefficient(j)
            if states[m] in (PLUS, MINUS):
                vectors, values, factor = self.limits.relation_of(k)
                against = [self._other(i, sign) for i, sign in vectors]
                total = write.weights([self.rows[i] for i, _ in vectors], against, values)
                made.append({"coefficient": m, "factor": digits(factor), "sum": total})
        return sorted(made, key=lambda one: one["coefficient"])
