"""The same check as `verify`, for points in memory: floats where they are sure, integers where not.

    |fl(Σ v_j·x_j) − Σ v_j·x_j|  ≤  (d + 2)·2⁻⁵³·Σ |v_j|·|x_j|  + underflow        (any order of summation; v rounded)

A sign outside twice that bound is sure, and so is a sum of whole numbers below 2⁵³. The few rows that are left, and the
rows of the proof, are worked out in integers; the rank of the held rows is FLINT's.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from novikoff.certify.check import verify as trusted
from novikoff.certify.check.row_blocks import row_blocks, tidy
from novikoff.certify.check.verify import Certificate, CertificateError, MarginEvidence, Span, Whole
from novikoff.data.digest import check_labels, digest_of, label_texts
from novikoff.data.labelled_points import unpacked
from novikoff.data.labels.classes import labels_of
from novikoff.data.labels.label_codes import Coded
from novikoff.data.problem import Problem, unlabelled
from novikoff.data.row_numbers import origin_of
from novikoff.data.text.plain_files import Row, UnreadableError
from novikoff.engines.engine import SERIAL, Engine, engine_of
from novikoff.engines.parallel_digest import hashed_by
from novikoff.errors import InputError

PRECISIONS = (64, 128, 256, 512, 1024, 2048, 4096)  # binary digits of the balls of an interval proof
BITS = 900  # longer integers are scaled down before they are rounded


def verify(certificate: Any, X: Any, y: Any = None, *, slow: bool = False, engine: Any = None) -> str:
    """The kind, or the margins, that a certificate proves about the points X with labels y.

    Parameters
    ----------
    certificate : the path of a certificate, its fields as a dict, or a verdict or a margin
    X, y : points and labels in any storage; the same numbers have the same digest
    slow : check with the standard-library checker, row by row (always done where numbers mean decimals)
    engine : who goes over the rows, as in `novikoff.engine("threads")`; None: one after the other

    Returns
    -------
    "complete", "quasi-complete", "overlap" or "not separable"; "margin" for a certificate of margins

    Raises
    ------
    CertificateError : naming what fails; for other data, both digests

    Examples
    --------
    >>> from novikoff.certify.check.proof import Proof
    >>> from novikoff.data.digest import digest_of
    >>> X, y = [[0, 0], [1, 0], [0, 1], [1, 1]], [0, 1, 1, 1]
    >>> plane = Proof("complete", n=4, d=2, bias=True, positive=1, negative=0, w=(2, 2), b=-1)
    >>> verify(replace(plane, digest=digest_of(unlabelled(X), y)), X, y)
    'complete'
    """
    c = certificate if isinstance(certificate, Certificate) else trusted.read_certificate(_source(certificate))
    origin, (X, y) = origin_of(X), unpacked(X, y)
    labels = y if isinstance(y, Coded) else labels_of(y)
    if c.numbers == "decimal":
        spelled = np.array(X, dtype=object).tolist()
        check_labels(len(spelled), labels.size)
        return _slowly(c, list(zip(labels.tolist(), spelled, strict=True)))
    points = replace(unlabelled(X, fit_intercept=c.bias), origin=origin)
    return verify_points(c, points, labels, slow, engine_of(engine))


def verify_points(
    certificate: Any, points: Problem, labels: Coded | np.ndarray, slow: bool = False, engine: Engine = SERIAL
) -> str:
    """The same for points that were read before; their signs are those of the certificate."""
    c = certificate if isinstance(certificate, Certificate) else trusted.read_certificate(certificate)
    check_labels(points.n, labels.size)
    if points.d != c.d or bool(points.pad) != c.bias:
        raise CertificateError(f"other data: {points.d} columns, the certificate about {c.digest} speaks of {c.d}")
    if slow:
        return _slowly(c, lambda: plain_rows(tidy(points), labels.tolist()))
    return _check(c, _signed(c, points, labels, engine), engine)


def _slowly(c: Certificate, rows: Any) -> str:
    try:
        return trusted.check(c, rows)
    except UnreadableError as error:
        raise InputError(str(error)) from error


def _source(certificate: Any) -> Any:
    if hasattr(certificate, "certificate"):  # a verdict or a margin
        certificate = certificate.certificate()
    if hasattr(certificate, "record"):
        return certificate.record()
    if isinstance(certificate, str | os.PathLike | dict):
        return certificate
    raise InputError(f"certificate: found {type(certificate).__name__}, expected a path, a dict, a verdict or a margin")


def plain_rows(points: Problem, labels: list[Any]) -> Iterator[Row]:
    """(label, {column: number}) of each point, in plain Python; the columns of sparse rows are in order."""
    for rows, at, lo, hi in points.pieces():
        for i in range(lo, hi):
            yield labels[at + i], _plain(rows, i, points.sparse)


def _plain(rows: Any, i: int, sparse: bool) -> dict[int, float]:
    if not sparse:
        return dict(enumerate(rows[i].tolist()))
    values, columns, starts = rows
    here = slice(starts[i], starts[i + 1])
    return dict(zip(columns[here].tolist(), values[here].tolist(), strict=True))


def _signed(c: Certificate, points: Problem, y: Any, engine: Engine) -> Problem:
    """The points with the certificate's signs, if they are its points."""
    found = digest_of(points, y, hashed_by(engine))
    if found != c.digest or points.n != c.n:
        raise CertificateError(
            f"other data: their digest is {found} ({points.n} rows), the certificate is about {c.digest} ({c.n} rows)"
        )
    texts, codes = label_texts(y)
    for text in texts:
        if text not in c.signs:
            raise CertificateError(f"y: label {text!r} is neither of the certificate's")
    return replace(points, y=np.array([c.signs[text] for text in texts], np.int8)[codes])


def _check(c: Certificate, points: Problem, engine: Engine) -> str:
    if c.widths is not None:
        return _check_margins(c, c.widths, points, engine)
    numbers = sorted({*(c.support or ()), *(c.held or ())})
    named = dict(zip(numbers, _whole_rows(points, numbers), strict=True)) if numbers else {}
    for name, weights in (("support", c.support), ("held", c.held)) if c.proof == "rational" else ():
        trusted.check_zero_sum(name, [(weight, named[i]) for i, weight in (weights or {}).items()])
    if c.proof == "interval":
        check_positive(list(named.values()), c.d + c.bias)
        proved = "overlap"
    elif c.plane is not None or c.held is not None:
        proved = _kind(c, points, [named[i].z for i in c.held or ()], engine)
    elif c.support is not None:
        proved = "not separable"
    else:
        raise CertificateError("certificate: no proof is in it, neither w and b, nor held, nor support")
    if proved != c.claim:
        raise CertificateError(f"claim: {c.claim}, but what is proved is {proved}")
    return proved


def _check_margins(c: Certificate, widths: dict[str, MarginEvidence], points: Problem, engine: Engine) -> str:
    """The claim, if both ends of every margin, and of the radius, are proved."""
    from novikoff.certify.check.margin_check import evidence
    from novikoff.certify.numbers.radius import radius2, square

    for name, width in widths.items():
        plane = [width.plane[j] for j in range(c.d + c.bias)]
        found = evidence(points, plane, dict(sorted(width.weights.items())), name == trusted.GEOMETRIC, engine)
        trusted.check_margin(name, width, found.lowest, found.distance2, c.d)
    if c.radius2 is not None:
        longest = trusted.Bounds(*radius2(points, engine))
        if longest.lower < longest.upper and (longest.lower < c.radius2.lower or longest.upper > c.radius2.upper):
            exact = max(square(row) for _, rows in row_blocks(tidy(points)) for row in _dense(rows)) + int(c.bias)
            longest = trusted.Bounds(exact, exact)
        trusted.check_radius(c, longest)
    return c.claim


def _dense(rows: Any) -> np.ndarray:
    return rows if isinstance(rows, np.ndarray) else np.asarray(rows.toarray())


def check_positive(rows: list[Whole], width: int) -> None:
    """CertificateError unless width + 1 rows have rank `width` and sum to zero with positive weights only.

    [Zᵀ; 1ᵀ]λ = (0, …, 0, 1)ᵀ in balls of more and more digits: a solved system is regular, λ > 0 is sure in every ball.
    """
    from flint import arb, arb_mat, ctx

    k, before = len(rows), ctx.prec
    if k != width + 1:
        raise CertificateError(f"support: {k} rows; an interval proof has {width + 1}")
    entries = [arb(row.z.get(j, 0)) for j in range(width) for row in rows] + [arb(1)] * k
    system, wanted = arb_mat(k, k, entries), arb_mat(k, 1, [0] * width + [1])
    try:
        for ctx.prec in PRECISIONS:
            try:
                weights = system.solve(wanted).entries()
            except ZeroDivisionError:
                continue
            if all(weight > 0 for weight in weights):
                return
            if any(weight < 0 for weight in weights):
                raise CertificateError("support: the rows sum to zero only with weights that are not all positive")
    finally:
        ctx.prec = before
    raise CertificateError(f"support: {PRECISIONS[-1]:,} binary digits do not prove that the weights are positive")


def _whole_rows(points: Problem, numbers: Sequence[int]) -> list[Whole]:
    """Some signed rows in integers."""
    part = tidy(points.part(np.array(numbers)))
    return [_whole(points, _plain(part.rows, i, points.sparse), int(sign)) for i, sign in enumerate(part.y)]


def _whole(points: Problem, x: dict[int, float], sign: int) -> Whole:
    ratios = {j: value.as_integer_ratio() for j, value in x.items() if value}
    scale = max((q for _, q in ratios.values()), default=1)
    z = {j: sign * p * (scale // q) for j, (p, q) in ratios.items()}
    return Whole(scale, z | {points.d: sign * scale} if points.pad else z)


def _kind(c: Certificate, points: Problem, held: list[dict[int, int]], engine: Engine) -> str:
    """What plane and held rows prove, if every row is separated or held."""
    proved = CheckedRows(c, held, points.sparse)
    if proved.plane is None and proved.holder.all:
        return "overlap"
    separated, others = np.sum(list(engine.map(proved, points)), axis=0)
    return "overlap" if not separated else "quasi-complete" if others else "complete"


class CheckedRows:
    """What is asked of every partition: how many of its rows the plane separates, and how many are held.

    CertificateError for a row that is neither.
    """

    def __init__(self, c: Certificate, held: list[dict[int, int]], sparse: bool) -> None:
        self.plane, self.holder = c.plane, Holder(held, c.d, c.bias, sparse)
        self.rounded = None if c.plane is None else Rounded([[c.plane[j] for j in range(c.d + c.bias)]], c.d)

    def __call__(self, part: Problem) -> tuple[int, int]:
        part = tidy(part)
        found = np.array([self._of(part, start, rows) for start, rows in row_blocks(part)])
        return int(found[:, 0].sum()), int(found[:, 1].sum())

    def _of(self, part: Problem, start: int, rows: Any) -> tuple[int, int]:
        """The same for some of the rows."""
        signs, sides = part.y[start : start + rows.shape[0]], np.zeros(rows.shape[0])
        if self.plane is not None and self.rounded is not None:
            if self.rounded.surely(rows, signs):
                return signs.size, 0
            sides = _sides(self.plane, self.rounded, rows, signs, part)
        if (sides < 0).any():
            row = part.number(start + int(np.argmax(sides < 0)))
            raise CertificateError(f"w, b: row {row} is on the wrong side of the plane")
        on = np.flatnonzero(sides == 0)
        lost = self.holder.first_lost(rows[on], part) if on.size and not self.holder.all else None
        if lost is not None:
            row = part.number(start + int(on[lost]))
            raise CertificateError(f"row {row} is neither separated by w, b nor held")
        return sides.size - on.size, on.size


def _sides(plane: dict[int, int], rounded: Rounded, rows: Any, signs: np.ndarray, points: Problem) -> np.ndarray:
    """The exact sign of z·(w, b) for each row."""
    sums, sure = rounded.products(rows)
    sides: np.ndarray = np.sign(sums[:, 0]) * signs
    for i in np.flatnonzero(~sure[:, 0]).tolist():
        z = _whole(points, _row(rows, i), int(signs[i])).z
        exact = sum(plane[j] * value for j, value in z.items())
        sides[i] = (exact > 0) - (exact < 0)
    return sides


def _row(rows: Any, i: int) -> dict[int, float]:
    if isinstance(rows, np.ndarray):
        return dict(enumerate(rows[i].tolist()))
    return _plain((rows.data, rows.indices, rows.indptr), i, True)


class Rounded:
    """Integer vectors, the bias last if there is one, whose products with rows are asked for."""

    def __init__(self, vectors: list[list[int]], d: int) -> None:
        longest = max((abs(v).bit_length() for vector in vectors for v in vector), default=0)
        scale = 1 << max(0, longest - BITS)
        table = np.array([[v / scale for v in vector] for vector in vectors]).reshape(len(vectors), -1).T
        self.weights, self.bias = table[:d], table[d] if len(table) > d else np.zeros(len(vectors))
        self.first = np.ascontiguousarray(self.weights[:, 0])
        self.scaled, self.whole = scale > 1, longest <= 53
        self.slack = (2 * d + 16) * 2.0**-53

    def surely(self, rows: Any, signs: np.ndarray) -> bool:
        """Whether all products with the first vector surely have these signs: |x| ≤ the length of all rows in one."""
        w, b, numbers = self.first, self.bias[0], rows.ravel() if isinstance(rows, np.ndarray) else rows.data
        with np.errstate(all="ignore"):
            length = np.sqrt(numbers @ numbers) + 2.0**-500  # squares below 2^-1074 are lost
            tiny = 2.0**-900 * (1 + w.size * length) if self.scaled else 2.0**-1000
            far = (np.sqrt(w @ w) * length + abs(b)) * self.slack + tiny * (1 + w.size)
            sums = rows @ w
            sums += b
            sums *= signs
            return bool(sums.min(initial=np.inf) > far)

    def products(self, rows: Any) -> tuple[np.ndarray, np.ndarray]:
        """(products, where their sign is sure), a row for each row, a column for each vector."""
        with np.errstate(all="ignore"):
            sums = rows @ self.weights + self.bias
            sizes = abs(rows) @ abs(self.weights) + abs(self.bias)
            tiny = 2.0**-900 * (1 + abs(rows).sum(axis=1)) if self.scaled else 2.0**-1000
            sure = abs(sums) > sizes * self.slack + np.asarray(tiny).reshape(-1, 1) * (1 + self.weights.shape[0])
            if not sure.all() and self.whole:
                sure |= (sizes < 2.0**53) & _are_whole(rows)[:, None]
                sure |= sizes == 0
        return sums, sure


def _are_whole(rows: Any) -> np.ndarray:
    """Which rows have only whole numbers."""
    if isinstance(rows, np.ndarray):
        return np.asarray((rows == np.rint(rows)).all(axis=1))
    at = np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr))
    return np.asarray(np.bincount(at[rows.data != np.rint(rows.data)], minlength=rows.shape[0]) == 0)


class Holder:
    """Which rows are in the span of the held ones: those at right angles to all that the held ones are.

    Dense rows by FLINT's null space, sparse ones by the trusted elimination.
    """

    def __init__(self, held: list[dict[int, int]], d: int, bias: bool, sparse: bool) -> None:
        self.held, self.d, self.width = held, d, d + bias
        if sparse:
            self.span = Span(held, self.width)
            self.all = self.span.all
        else:
            self.all = len(held) >= self.width and self._table().rank() == self.width

    def _table(self) -> Any:
        from flint import fmpz_mat

        rows = self.held or [{}]
        return fmpz_mat(len(rows), self.width, [z.get(j, 0) for z in rows for j in range(self.width)])

    @cached_property
    def vectors(self) -> list[list[int]]:
        """What is at right angles to the held rows."""
        basis, nullity = self._table().nullspace()
        return [[int(basis[j, k]) for j in range(self.width)] for k in range(nullity)]

    @cached_property
    def rounded(self) -> Rounded:
        return Rounded(self.vectors, self.d)

    def first_lost(self, rows: Any, points: Problem) -> int | None:
        """The first row that is not held."""
        if points.sparse:
            whole = (_whole(points, _row(rows, i), 1).z for i in range(rows.shape[0]))
            return next((i for i, z in enumerate(whole) if self.span.rest(z)), None)
        sums, sure = self.rounded.products(rows)
        for i in np.flatnonzero(~sure.all(axis=1) | (sure & (sums != 0)).any(axis=1)).tolist():
            z = _whole(points, _row(rows, i), 1).z
            if any(sum(vector[j] * value for j, value in z.items()) for vector in self.vectors):
                return int(i)
        return None
