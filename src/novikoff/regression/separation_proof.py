"""Write the proof of a separation as a certificate.

The search for coefficients keeps directions and supports; weights are computed here, when a certificate is requested.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from novikoff.data.digest import digest_of
from novikoff.data.labels import labels_of
from novikoff.errors import InputError
from novikoff.exact.integer_rows import digits, primitive
from novikoff.exact.signed_rows import Signed
from novikoff.proof import certificate as write
from novikoff.proof.check_fast import verified_points
from novikoff.proof.verify import CertificateError, read_certificate
from novikoff.regression.coefficients import ALIASED, MINUS, NOT_UNIQUE, PLUS, CoefficientLimits
from novikoff.regression.design import Design
from novikoff.regression.response_families import Sides
from novikoff.regression.separation_input import SeparationInput

SignedRow = tuple[int, int]  # a row of the table, and its sign


@dataclass
class SeparationEvidence:
    """What a certificate is made of.

    design, table: of the question, stacked by class for three classes or more. columns: the places of the kept columns
    in the rows of the table. aliased: for each other column the integer relation that it has with kept ones. relation:
    signed rows of the table that sum to zero, with their weights. limits: the search for the coefficients, or None if
    all are finite.
    """

    given: SeparationInput
    sides: Sides
    design: Design
    table: Signed
    columns: list[int] = field(default_factory=list)
    aliased: dict[int, dict[int, int]] = field(default_factory=dict)
    relation: list[tuple[SignedRow, int]] = field(default_factory=list)
    limits: CoefficientLimits | None = None

    def certificate(self, report: Any, file: Mapping[str, Any] | None) -> write.Certificate:
        """Return the certificate of a report, checked against the points."""
        points, labels = replace(self.given.table(), pad=float(self._intercept)), labels_of(self.given.y)
        places = self._places(points.d)
        states = {places[j]: report.coefficients[name]
                  for j, name in zip(self.design.places, self.design.names, strict=True)}  # fmt: skip
        kept = {m: state for m, state in sorted(states.items()) if state != ALIASED}
        try:
            directions, limits = self._directions_and_limits(places, kept)
            rows = self.table.whole([i for (i, _), _ in self.relation])[0] if self.relation else []
            sections = {
                "directions": [write.vector(b) for b in directions],
                "zero_sum": self._weights(self.relation),
                "complement": write.complement(
                    [[z[j] for j in self.columns] for z in rows],
                    [[b[places[j]] for j in self.columns] for b in directions],
                    [places[j] for j in self.columns],
                ),
                "coefficients": {"aliased": self._aliased(places), "states": [*kept.values()], "limits": limits},
            }  # fmt: skip
            shape, digest = (points.n, points.d), digest_of(points, labels)
            made = write.certificate_of(report.kind, digest, shape, self._model(), file, **sections)
            verified_points(read_certificate(made.record()), points, labels)
        except (CertificateError, ArithmeticError) as error:
            raise InputError(
                f"the points were changed after separation ({error}); call separation again, and save then", "X"
            ) from None
        return made

    @property
    def _intercept(self) -> bool:
        """Whether the rows have a last 1 beside the columns of the points."""
        return self.given.points.d < len(self.design.names) // self._parts

    @property
    def _parts(self) -> int:
        return max(len(self.sides.classes) - 1, 1)

    def _places(self, d: int) -> list[int]:
        """Return the place of each column of the table among the coefficients of the certificate; d: its columns."""
        part = [j for j in range(d + self._intercept) if j != self.given.trials]
        return [k * (d + self._intercept) + j for k in range(self._parts) for j in part]

    def _model(self) -> dict[str, Any]:
        labels = write.labels_model(self.sides.classes, self._intercept)
        classes = labels["classes"] if self.sides.family == "labels" else None
        return labels | {"family": self.sides.family, "classes": classes, "trials": self.given.trials}

    def _weights(self, terms: list[tuple[SignedRow, int]]) -> dict[str, Any]:
        """Return weights of signed rows; of ±x the positive one is against the first class."""
        against = self.design.against
        other = [int(against[i]) if against.size else int(sign < 0) for (i, sign), _ in terms]
        return write.weights([self.design.rows[i] for (i, _), _ in terms], other, [m for _, m in terms])

    def _aliased(self, places: list[int]) -> list[dict[str, Any]]:
        """Return the relation of each aliased column, which is the same in every part."""
        width = len(places) // self._parts
        found = sorted((places[j], relation) for j, relation in self.aliased.items() if j < width)
        return [
            {"column": column, "relation": write.vector({places[k]: v for k, v in relation.items()})}
            for column, relation in found
        ]

    def _directions_and_limits(
        self, places: list[int], states: Mapping[int, str]
    ) -> tuple[list[dict[int, int]], list[dict[str, Any]]]:
        """Return directions by place, and the relation that proves each infinite coefficient."""
        if self.limits is None:
            return [], []
        of = {places[j]: k for k, j in enumerate(self.columns)}
        both = [of[m] for m, state in states.items() if state == NOT_UNIQUE]
        directions, made = [primitive(w) for w in self.limits.directions_of(both)], []
        for m, state in states.items():
            if state in (PLUS, MINUS):
                terms, factor = self.limits.relation_of(of[m])
                made.append({"coefficient": m, "factor": digits(factor), "sum": self._weights(terms)})
        return [dict(zip(of, w, strict=True)) for w in directions], made
