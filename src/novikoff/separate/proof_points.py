"""Labelled points of a verdict, which reads them again to save, explain or check its proof, or to decide a part."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.arguments import argument_checks
from novikoff.data.labelled_points import unpacked
from novikoff.data.labels import check_labels, labels_of, signs_of
from novikoff.data.plain_files import label_text
from novikoff.data.positive_class import positive_place
from novikoff.data.problem import Problem, unlabelled
from novikoff.data.row_numbers import row_names_of
from novikoff.engines.engine import SERIAL, Engine
from novikoff.errors import InputError, ManyClassesError
from novikoff.exact.signed_rows import Signed

Classes = tuple[Any, Any]  # labels of the negative and the positive side; None if it does not occur


def check_question(fit_intercept: Any, max_time: Any) -> None:
    """Raise InputError for arguments that `decide` and its variants share, if they are wrong."""
    argument_checks.truth("fit_intercept", fit_intercept)
    if max_time is not None:
        argument_checks.positive("max_time", max_time)


class ProofPoints(Signed):
    """Signed rows with their labels, and the labels of the two sides."""

    def __init__(self, problem: Problem, engine: Engine, labels: np.ndarray, classes: Classes) -> None:
        super().__init__(problem, engine)
        self.labels, self.classes = labels, classes

    @classmethod
    def of(cls, X: Any, y: Any, fit_intercept: bool, engine: Engine = SERIAL, positive: Any = None) -> ProofPoints:
        """Return the user's points; labels of one class are all positive, unless `positive` is another label."""
        problem, labels = points_and_labels(X, y, fit_intercept)
        if labels.size != problem.n:
            raise InputError(
                f"X and y: Found input variables with inconsistent numbers of samples, {problem.n} rows and "
                f"{labels.size} labels; give one label for each row"
            )
        try:
            classes, signs = _sides(labels, positive)
        except ManyClassesError as error:
            raise ManyClassesError(f"{error}, or ask novikoff.decide about each pair") from None
        return cls(replace(problem, y=signs), engine, labels, classes)

    def part(self, which: np.ndarray) -> ProofPoints:
        """Return some of the rows, with the signs they have here."""
        return ProofPoints(self.problem.part(which), self.engine, self.labels[which], self.classes)

    def exact(self, which: Any) -> list[list[Fraction]]:
        """Return some of the points, without the 1 of the bias."""
        rows = np.asarray(which, np.int64)
        X = self.floats(rows)[:, : self.problem.d] * self.problem.y[rows][:, None]
        return [[Fraction(v) for v in x] for x in X.tolist()]

    def digest(self) -> str:
        """Return the digest of the points and labels, as a certificate has it."""
        from novikoff.data.digest import digest_of
        from novikoff.engines.engine import hashed_by

        return digest_of(self.problem, self.labels, hashed_by(self.engine))

    def proves(self, certificate: Any) -> None:
        """Raise CertificateError unless a certificate proves its claim about these points."""
        from novikoff.proof.check_fast import verified_points
        from novikoff.proof.verify import read_certificate

        verified_points(read_certificate(certificate), self.problem, self.labels, engine=self.engine)


def points_and_labels(X: Any, y: Any, fit_intercept: bool) -> tuple[Problem, np.ndarray]:
    """Return the user's points, without signs, and their labels; rows are named as in the frame that has them."""
    rows, y = unpacked(X, y)
    labels, problem = labels_of(y), unlabelled(X, fit_intercept=fit_intercept)
    return replace(problem, named=row_names_of(rows)), labels


def _sides(labels: np.ndarray, positive: Any) -> tuple[Classes, np.ndarray]:
    """Return the classes of the negative and the positive side, and the sign of each row."""
    if labels[-1] == labels[0] and (labels == labels[0]).all():
        check_labels(labels)
        (only,) = labels[:1].tolist()
        other = positive is not None and label_text(str(positive)) != label_text(str(only))
        return (only, None) if other else (None, only), np.full(labels.size, -1 if other else 1, np.int8)
    found, signs = signs_of(labels)
    one, two = found.tolist()
    return ((one, two), signs) if positive_place([one, two], positive) else ((two, one), -signs)
