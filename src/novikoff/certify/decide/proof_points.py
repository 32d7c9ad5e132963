"""The labelled points that a verdict speaks of: read again when a proof is saved, explained, or asked about a part."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any, Protocol

import numpy as np

from novikoff.certify.numbers.signed_rows import Signed, points_of
from novikoff.data.labelled_points import Numbered, unpacked
from novikoff.data.labels.classes import labels_of
from novikoff.data.labels.label_codes import Coded
from novikoff.data.problem import Problem
from novikoff.data.row_numbers import origin_of
from novikoff.engines.engine import SERIAL, Engine

Labels = Coded | np.ndarray
Classes = tuple[Any, Any]  # the label of the negative side, that of the positive one; None where it does not occur


class ProofSource(Protocol):
    """Points of one meaning of numbers, `binary64` or `decimal`."""

    @property
    def numbers(self) -> str: ...

    @property
    def classes(self) -> Classes: ...

    def points(self) -> Any:
        """The signed rows as a decision reads them."""

    def signs(self) -> np.ndarray:
        """+1 or −1 of every row."""

    def part(self, which: np.ndarray) -> ProofSource:
        """Some of the rows, with the signs they have here."""

    def relabelled(self, which: np.ndarray, labels: np.ndarray, signs: np.ndarray) -> ProofSource:
        """Some of the rows, with labels and signs of their own."""

    def exact(self, which: Any) -> list[list[Fraction]]:
        """Some of the points, without the 1 of the bias."""

    def numbers_of(self, rows: np.ndarray) -> np.ndarray:
        """The numbers of some of the rows in the user's file or frame, from 0."""

    def called(self, number: int) -> int | str:
        """How a person calls the row with this number: counted from 1, or its name, where rows have names."""

    def digest(self) -> str: ...

    def check_signs(self) -> None:
        """CertificateError unless the labels are still those of the signs."""

    def proves(self, certificate: Any) -> str:
        """The kind that a certificate proves about these points, or CertificateError."""


class Binary:
    """Points of binary64 numbers, in any storage."""

    numbers = "binary64"

    def __init__(self, signed: Signed, labels: Labels, classes: Classes | None = None) -> None:
        self._signed, self.labels, self._classes = signed, labels, classes

    @classmethod
    def of(cls, X: Any, y: Any, fit_intercept: bool, engine: Engine = SERIAL, positive: Any = None) -> Binary:
        """The user's points."""
        origin, (X, y) = origin_of(X), unpacked(X, y)
        labels = y if isinstance(y, Coded) else labels_of(y)
        return cls(points_of(Numbered(X, labels, origin), None, fit_intercept, engine, positive), labels)

    @property
    def classes(self) -> Classes:
        if self._classes is None:
            self._classes = classes_of(self.labels, self.problem.y)
        return self._classes

    @property
    def problem(self) -> Problem:
        return self._signed.problem

    @property
    def engine(self) -> Engine:
        return self._signed.engine

    def points(self) -> Signed:
        return self._signed

    def signs(self) -> np.ndarray:
        return self.problem.y

    def part(self, which: np.ndarray) -> Binary:
        return Binary(Signed(self.problem.part(which), self.engine), self.labels[which], self.classes)

    def relabelled(self, which: np.ndarray, labels: np.ndarray, signs: np.ndarray) -> Binary:
        return Binary(Signed(replace(self.problem.part(which), y=signs), self.engine), labels)

    def exact(self, which: Any) -> list[list[Fraction]]:
        Z = self._signed.floats(np.asarray(which, np.int64))
        X = Z[:, : self.problem.d] * self.problem.y[np.asarray(which, np.int64), None]
        return [[Fraction(v) for v in x] for x in X.tolist()]

    def numbers_of(self, rows: np.ndarray) -> np.ndarray:
        return np.asarray(self.problem.numbers(rows))

    def called(self, number: int) -> int | str:
        return self.problem.called(number)

    def digest(self) -> str:
        from novikoff.data.digest import digest_of
        from novikoff.engines.parallel_digest import hashed_by

        return digest_of(self.problem, self.labels, hashed_by(self.engine))

    def check_signs(self) -> None:
        check_signs(self.labels, self.problem.y, self.classes)

    def proves(self, certificate: Any) -> str:
        from novikoff.certify.check.verify_fast import verify_points

        return verify_points(certificate, self.problem, self.labels, engine=self.engine)


def classes_of(labels: Labels, signs: np.ndarray) -> Classes:
    """(negative, positive) as plain values."""
    other = int(np.argmax(signs != signs[0]))
    one, two = (labels[at : at + 1].tolist()[0] for at in (0, other))
    if signs[other] == signs[0]:
        return (None, one) if signs[0] > 0 else (one, None)
    return (two, one) if signs[0] > 0 else (one, two)


def check_signs(labels: Labels, signs: np.ndarray, classes: Classes) -> None:
    """CertificateError unless every label is that of its sign."""
    from novikoff.certify.check.verify import CertificateError

    for sign, label in zip((-1, 1), classes, strict=True):
        if not (labels[signs == sign] == label).all():
            raise CertificateError("y: the labels are others now")
