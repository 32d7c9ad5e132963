"""`nv.verify`: the same check as `verify` for arrays: their digest, and the exact scores of `decide` (`row_check`)."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from novikoff.arguments.signature_types import Decided, Labels, Points
from novikoff.certify.check import verify as trusted
from novikoff.certify.check.certificate_parts import check_data
from novikoff.certify.check.row_check import exact_rows, kind_of_rows, plain_rows
from novikoff.certify.check.separation_certificate import check_names
from novikoff.certify.check.verify import (
    Certificate,
    CertificateError,
    MarginEvidence,
    SeparatedRows,
    SeparationCertificate,
    check_separation,
    kind_of,
)
from novikoff.certify.numbers.signed_rows import Signed
from novikoff.data.column_names import names_for_people
from novikoff.data.digest import check_labels, digest_of, label_texts
from novikoff.data.labelled_points import unpacked
from novikoff.data.labels import labels_of
from novikoff.data.plain_files import Row, UnreadableError
from novikoff.data.problem import Problem, unlabelled
from novikoff.data.row_numbers import origin_of
from novikoff.engines.engine import SERIAL, Engine, engine_of
from novikoff.engines.parallel_digest import hashed_by
from novikoff.errors import InputError


def verify(
    certificate: str | os.PathLike[str] | Mapping[str, object] | Decided,
    X: Points,
    y: Labels | None = None,
    *,
    slow: bool = False,
    engine: Engine | None = None,
) -> str:
    """Check a certificate against the points X with labels y, and return what it proves.

    Parameters
    ----------
    certificate : the path of a certificate, its fields as a dict, or a verdict, a margin or a separation
    X, y : points and labels in any storage; the same numbers have the same digest
    slow : check with the standard-library checker, row by row
    engine : how the rows are scanned, as in `novikoff.engine("threads")`; None: serially

    Returns
    -------
    "complete", "quasi-complete", "overlap" or "not separable"; "margin" for a certificate of margins
    (a certificate of `separation` is always checked row by row)

    Raises
    ------
    CertificateError : what fails; for other data, both digests

    Examples
    --------
    >>> import novikoff as nv
    >>> X, y = [[0, 0], [1, 0], [0, 1], [1, 1]], [0, 1, 1, 1]
    >>> proof = nv.decide(X, y)  # or the path to which proof.save(path) wrote it
    >>> nv.verify(proof, X, y)
    'complete'
    """
    return kind_of(verified(certificate, X, y, slow, engine_of(engine)))


def verified(
    certificate: Any, X: Any, y: Any = None, slow: bool = False, engine: Engine = SERIAL
) -> str | SeparatedRows:
    """Do the same; of a certificate of `separation`, return the separated rows too, numbered as in the file."""
    known = isinstance(certificate, Certificate | SeparationCertificate)
    c = certificate if known else trusted.read_certificate(_source(certificate, X, y))
    names, origin, (X, y) = names_for_people(X), origin_of(X), unpacked(X, y)
    labels = labels_of(y)
    points = replace(unlabelled(X, fit_intercept=c.bias), origin=origin)
    try:
        if isinstance(c, SeparationCertificate):
            check_names(c, names)
        found = verify_points(c, points, labels, slow, engine)
    except CertificateError as error:
        if origin is None:
            raise
        raise CertificateError(re.sub(r"\brow (\d+)", lambda m: f"row {int(origin[int(m[1])])}", str(error))) from None
    if origin is None or isinstance(found, str):
        return found
    return found._replace(rows=[int(origin[i]) for i in found.rows])


def verify_points(
    certificate: Any, points: Problem, labels: np.ndarray, slow: bool = False, engine: Engine = SERIAL
) -> str | SeparatedRows:
    """Do the same for a problem; its signs are those of the certificate."""
    c = trusted.read_certificate(certificate) if isinstance(certificate, dict) else certificate
    check_labels(points.n, labels.size)
    if points.d != c.d or bool(points.pad) != c.bias:
        raise CertificateError(f"other data: {points.d} columns, the certificate about {c.digest} speaks of {c.d}")
    if not slow and not isinstance(c, SeparationCertificate):
        signed = Signed(_signed(c, points, labels, engine), engine)
        with suppress(CertificateError, InputError):  # of numbers beyond 2^499, which `decide` does not allow
            return _check(c, signed)

    def rows() -> Iterator[Row]:
        return plain_rows(points, labels.tolist())

    try:
        return check_separation(c, rows) if isinstance(c, SeparationCertificate) else trusted.check(c, rows)
    except UnreadableError as error:
        raise InputError(str(error)) from error


def _source(certificate: Any, X: Any, y: Any) -> Any:
    if getattr(certificate, "has_points", True) is False:  # the verdict of a run
        if not certificate.check(X, y):
            raise CertificateError("the proof of this verdict does not hold for these points: it is about others")
        certificate = certificate.with_points(X, y)
    if hasattr(certificate, "certificate"):  # a verdict or a margin
        certificate = certificate.certificate()
    if hasattr(certificate, "record"):
        return certificate.record()
    if isinstance(certificate, str | os.PathLike | dict):
        return certificate
    raise InputError(
        f"certificate: found {type(certificate).__name__}, expected a path, a dict, a verdict, a margin or a separation"
    )


def _signed(c: Certificate, points: Problem, y: Any, engine: Engine) -> Problem:
    """Return the points with the certificate's signs; raise CertificateError unless they are its points."""
    found = digest_of(points, y, hashed_by(engine))
    check_data(c, found, points.n, None)
    texts, codes = label_texts(y)
    for text in texts:
        if text not in c.signs:
            raise CertificateError(f"y: label {text!r} is neither of the certificate's")
    signs = np.array([c.signs[text] for text in texts], np.int8)
    return replace(points, y=signs[codes])


def _check(c: Certificate, points: Signed) -> str:
    if c.widths is not None:
        return _check_margins(c, c.widths, points)
    numbers = sorted({*(c.support or ()), *(c.held or ())})
    named = dict(zip(numbers, exact_rows(points.problem, numbers), strict=True)) if numbers else {}
    return trusted.check_claim(c, named, lambda held: kind_of_rows(c, points, held))


def _check_margins(c: Certificate, widths: dict[str, MarginEvidence], points: Signed) -> str:
    """Return the claim, if both ends of every margin, and of the radius, are proved."""
    from novikoff.certify.check.margin_check import evidence
    from novikoff.certify.numbers.radius import radius2

    for name, width in widths.items():
        plane = [width.plane[j] for j in range(c.d + c.bias)]
        found = evidence(points, plane, dict(sorted(width.weights.items())), name == trusted.GEOMETRIC)
        trusted.check_margin(name, width, found.lowest, found.distance2, c.d)
    if c.radius2 is not None:
        longest = trusted.Bounds(*radius2(points.problem, points.engine))
        if longest.lower < longest.upper and (longest.lower < c.radius2.lower or longest.upper > c.radius2.upper):
            longest = trusted.Bounds(*radius2(points.problem, points.engine, exactly=c.n))
        trusted.check_radius(c, longest)
    return c.claim
