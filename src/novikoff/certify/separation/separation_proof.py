"""Write the proof of a separation as a certificate, which `separation_check` describes and checks.

The search for coefficients keeps directions and supports; weights are computed here, when a certificate is requested.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from flint import fmpz_mat

from novikoff.certify.check.certificate_parts import CertificateError
from novikoff.certify.check.proof import Proof, digits
from novikoff.certify.check.separation_certificate import SEPARATION_FORMAT
from novikoff.certify.numbers.integer_rows import primitive
from novikoff.certify.numbers.signed_rows import Signed
from novikoff.certify.separation.coefficients import MINUS, NOT_UNIQUE, PLUS, CoefficientLimits
from novikoff.certify.separation.design import INTERCEPT, Design
from novikoff.certify.solve.row_space import independent_columns, spanning
from novikoff.data.digest import digest_of
from novikoff.data.labels import labels_of
from novikoff.data.plain_files import label_text
from novikoff.data.problem import Problem
from novikoff.errors import InputError


@dataclass(frozen=True)
class ResponseRecord:
    """The response of a certificate: family as `separation_check` names it, classes, and the column of counts."""

    family: str
    classes: tuple[Any, ...] | None = None
    counts: int | None = None

    def record(self) -> dict[str, Any]:
        """Return it as plain values; a class that does not occur is ''."""
        texts = None if self.classes is None else ["" if c is None else label_text(c) for c in self.classes]
        return {"family": self.family, "classes": texts, "counts": self.counts}


@dataclass
class SeparationEvidence:
    """What a certificate is made of.

    made: a function that returns all rows, with a column of counts if there is one, as a problem. labels: theirs.
    design: of the rows that take part, not stacked.
    columns: the places of the kept columns in the question's table. rows, against: for each row of that table the row
    of the points, and the other class. limits: the search for the coefficients, or None if all are finite.
    """

    made: Callable[[], Problem]
    labels: Any
    response: ResponseRecord
    design: Design
    columns: list[int]
    rows: np.ndarray
    against: np.ndarray
    limits: CoefficientLimits | None
    counts_name: str = "counts"

    @cached_property
    def points(self) -> Problem:
        """All rows, without a bias."""
        return self.made()

    def certificate(self, report: Any, file: Mapping[str, Any] | None) -> Proof:
        """Return the certificate of a report, checked against the points."""
        parts = max(len(self.response.classes or ()) - 1, 1)
        data = {"digest": digest_of(self.points, self.labels), "n": self.points.n, "d": self.points.d}
        data |= {"bias": bool(self.design.problem.pad), "numbers": "binary64"} | ({"file": dict(file)} if file else {})
        words: list[str | None] = [None] * (parts * self._width)
        for place, info in zip(self._places(parts), report.coefficients.values(), strict=True):
            words[place] = info
        try:
            proof = Proof(
                {
                    "format": SEPARATION_FORMAT,
                    "claim": report.kind,
                    "data": data,
                    "response": self.response.record(),
                    "names": self._names(),
                    "coefficients": words,
                    "aliased": self._aliased(),
                    "directions": self._directions(words, parts),
                    "held": [int(self.rows[i]) for i, _ in report.held_vectors],
                    "held_against": [int(self._other(i, sign)) for i, sign in report.held_vectors],
                    "held_weights": [digits(v) for v in report.held_weights],
                    "limits": self._limits(words),
                }
            )
            self._check(proof)
        except (CertificateError, ArithmeticError) as error:
            raise InputError(
                f"X: the points were changed after separation ({error}); call separation again, and save then"
            ) from None
        return proof

    def _check(self, proof: Proof) -> None:
        """Raise CertificateError if the points are not those of the report any more."""
        from novikoff.certify.check.verify_fast import verify_points

        points = replace(self.points, pad=float(bool(self.design.problem.pad)))
        labels = labels_of(self.labels)
        verify_points(proof.record(), points, labels)

    # ---- places ----

    @property
    def _width(self) -> int:
        return self.points.d + int(self.design.problem.pad)

    def _column(self, place: int) -> int:
        """Return the column of the points, or that of the bias, of a place in the design's rows."""
        if place == self.design.problem.d:
            return self.points.d
        at = self.response.counts
        return place if at is None or place < at else place + 1

    def _coefficient(self, place: int) -> int:
        """Return the place of a coefficient in the certificate."""
        part, j = divmod(place, self.design.problem.d + int(self.design.problem.pad))
        return part * self._width + self._column(j)

    def _places(self, parts: int) -> list[int]:
        """Return the places of the report's coefficients."""
        return [k * self._width + self._column(j) for k in range(parts) for j in self.design.places]

    def _names(self) -> list[str]:
        names = [self.counts_name] * self._width
        for place, name in zip(self.design.places, self.design.names, strict=True):
            names[self._column(place)] = name
        if self.design.problem.pad:
            names[-1] = INTERCEPT
        return names

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
        for j, used in sorted((self._column(j), (j, used)) for j, used in on.items()):
            place, others = used
            factor, weights = 1, []
            if others:
                null, _ = fmpz_mat([[z[k] for k in (place, *others)] for z in Z]).nullspace()
                sign = 1 if null[0, 0] > 0 else -1
                factor, *weights = primitive([sign * null[i, 0] for i in range(len(others) + 1)])
            made.append({"column": j, "factor": digits(factor), "on": [self._column(k) for k in others],
                         "weights": [digits(-v) for v in weights]})  # fmt: skip
        return made

    def _directions(self, words: list[str | None], parts: int) -> list[list[str]]:
        if self.limits is None:
            return []
        place = {self._coefficient(j): k for k, j in enumerate(self.columns)}
        wanted = [place[m] for m, word in enumerate(words) if word == NOT_UNIQUE]
        made = []
        for direction in self.limits.directions_of(wanted):
            full = [0] * (parts * self._width)
            for m, k in place.items():
                full[m] = direction[k]
            made.append([digits(v) for v in primitive(full)])
        return made

    def _limits(self, words: list[str | None]) -> list[dict[str, Any]]:
        """Return the relation that proves each infinite coefficient."""
        if self.limits is None:
            return []
        made = []
        for k, j in enumerate(self.columns):
            m = self._coefficient(j)
            if words[m] in (PLUS, MINUS):
                vectors, weights, factor = self.limits.relation_of(k)
                made.append({"coefficient": m, "factor": digits(factor),
                             "rows": [int(self.rows[i]) for i, _ in vectors],
                             "against": [self._other(i, sign) for i, sign in vectors],
                             "weights": [digits(v) for v in weights]})  # fmt: skip
        return sorted(made, key=lambda one: one["coefficient"])
