"""Labelled points of a verdict, which reads them again to save, explain or check its proof, or to decide a part."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.arguments import argument_checks
from novikoff.data.labelled_points import Numbered, unpacked
from novikoff.data.labels import labels_of
from novikoff.data.problem import Problem
from novikoff.data.row_numbers import origin_of
from novikoff.engines.engine import SERIAL, Engine
from novikoff.errors import ManyClassesError
from novikoff.exact.signed_rows import Classes, Signed, classes_of, points_of


def check_question(fit_intercept: Any, max_time: Any) -> None:
    """Raise InputError for arguments that `decide` and its variants share, if they are wrong."""
    argument_checks.truth("fit_intercept", fit_intercept)
    if max_time is not None:
        argument_checks.positive("max_time", max_time)


class ProofPoints:
    """Points of binary64 numbers in any storage, with their labels.

    points: the signed rows as a decision reads them.
    """

    def __init__(self, points: Signed, labels: np.ndarray, classes: Classes | None = None) -> None:
        self.points, self.labels, self._classes = points, labels, classes

    @classmethod
    def of(cls, X: Any, y: Any, fit_intercept: bool, engine: Engine = SERIAL, positive: Any = None) -> ProofPoints:
        """Return the user's points."""
        origin, (X, y) = origin_of(X), unpacked(X, y)
        labels = labels_of(y)
        try:
            return cls(points_of(Numbered(X, labels, numbering=origin), None, fit_intercept, engine, positive), labels)
        except ManyClassesError as error:
            raise ManyClassesError(f"{error}, or ask novikoff.decide about each pair") from None

    @property
    def problem(self) -> Problem:
        """The signs, row numbers and row names, and here the rows too."""
        return self.points.problem

    @property
    def classes(self) -> Classes:
        """The labels of the negative and the positive side."""
        if self._classes is None:
            self._classes = classes_of(self.labels, self.problem.y)
        return self._classes

    def part(self, which: np.ndarray) -> ProofPoints:
        """Return some of the rows, with the signs they have here."""
        points = Signed(self.problem.part(which), self.points.engine)
        return ProofPoints(points, self.labels[which], self.classes)

    def relabelled(self, which: np.ndarray, labels: np.ndarray, signs: np.ndarray) -> ProofPoints:
        """Return some of the rows with other labels and signs."""
        return ProofPoints(Signed(replace(self.problem.part(which), y=signs), self.points.engine), labels)

    def exact(self, which: Any) -> list[list[Fraction]]:
        """Return some of the points, without the 1 of the bias."""
        rows = np.asarray(which, np.int64)
        X = self.points.floats(rows)[:, : self.problem.d] * self.problem.y[rows][:, None]
        return [[Fraction(v) for v in x] for x in X.tolist()]

    def numbers_of(self, rows: np.ndarray) -> np.ndarray:
        """Return the numbers of some of the rows in the user's file or frame, from 0."""
        return np.asarray(self.problem.numbers(rows))

    def digest(self) -> str:
        """Return the digest of the points and labels, as a certificate has it."""
        from novikoff.data.digest import digest_of
        from novikoff.engines.parallel_digest import hashed_by

        return digest_of(self.problem, self.labels, hashed_by(self.points.engine))

    def proves(self, certificate: Any) -> None:
        """Raise CertificateError unless a certificate proves its claim about these points."""
        from novikoff.proof.check_fast import verified_points
        from novikoff.proof.verify import read_certificate

        verified_points(read_certificate(certificate), self.problem, self.labels, engine=self.points.engine)
