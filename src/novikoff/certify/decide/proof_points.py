"""The labelled points of a verdict, which reads them again to save, explain or check its proof, or to decide a part."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any, Protocol

import numpy as np

from novikoff.certify.numbers.signed_rows import Classes, Labels, Signed, classes_of, labels_match, points_of
from novikoff.data.labelled_points import Numbered, unpacked
from novikoff.data.labels.classes import labels_of
from novikoff.data.labels.label_codes import Coded
from novikoff.data.problem import Problem
from novikoff.data.row_numbers import origin_of
from novikoff.engines.engine import SERIAL, Engine
from novikoff.errors import InputError


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

    def same_labels(self) -> bool:
        """Whether the labels are still those of the signs."""

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

    def same_labels(self) -> bool:
        return labels_match(self.labels, self.problem.y, self.classes)

    def proves(self, certificate: Any) -> str:
        from novikoff.certify.check.verify_fast import verify_points

        return verify_points(certificate, self.problem, self.labels, engine=self.engine)


def source_of(
    X: Any, y: Any, fit_intercept: bool, numbers: str, engine: Engine = SERIAL, positive: Any = None
) -> ProofSource:
    """The user's points as a verdict reads them, now and later; numbers: "binary64" or "decimal"."""
    try:
        if numbers == "binary64":
            return Binary.of(X, y, fit_intercept, engine, positive)
        from novikoff.certify.decide.decimal_points import Decimals

        return Decimals.of(X, y, fit_intercept, positive)
    except InputError as error:
        if "multiclass" in str(error):
            raise InputError(f"{error}, or ask novikoff.decide_pairs about each pair") from None
        raise
