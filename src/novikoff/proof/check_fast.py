"""`nv.verify`: the checks of `verify` for arrays, after a compiled scan of all rows in place of its row-by-row one.

A vector z of a row x of class y against c has z·b = ±x·(b_k − b_l) for the parts k > l of y and c, with + if y is k.
So one exact scan of rows for each pair of classes and vector b, by the scores of `decide`, fills a `Scan`; then the
functions of `verify` check the sums, the ranks and the claim.
"""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import combinations
from types import SimpleNamespace as Record
from typing import Any

import numpy as np
from flint import nmod_mat

from novikoff.arguments.signature_types import Decided, Labels, Points
from novikoff.data.digest import check_labels, digest_of, in_order, label_texts
from novikoff.data.labelled_points import unpacked
from novikoff.data.labels import labels_of
from novikoff.data.problem import Problem, unlabelled
from novikoff.data.row_numbers import origin_of
from novikoff.engines.engine import SERIAL, Engine, engine_of, hashed_by
from novikoff.errors import InputError
from novikoff.exact.margin_evidence import least_scores
from novikoff.exact.radius import radius2
from novikoff.exact.signed_rows import Signed
from novikoff.proof import verify as checker
from novikoff.proof.verify import CertificateError, MalformedError, Point, Proved, Question, Row, Scan, Vector


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
    "complete", "quasi-complete", "overlap" or "not separable"

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
    >>> try:
    ...     nv.verify(proof, X, [1, 0, 0, 0])
    ... except nv.CertificateError as error:
    ...     print(str(error).partition(":")[0])
    other data
    """
    return verified(checker.read_certificate(_source(certificate, X, y)), X, y, slow, engine_of(engine)).kind


def verified(c: Record, X: Any, y: Any = None, slow: bool = False, engine: Engine = SERIAL) -> Proved:
    """Return what a certificate that was read proves; the separated rows are numbered as in the user's file."""
    origin, (X, y) = origin_of(X), unpacked(X, y)
    labels = labels_of(y)
    points = replace(unlabelled(X, fit_intercept=c.model.intercept), origin=origin)
    try:
        found = verified_points(c, points, labels, slow, engine)
    except CertificateError as error:
        if origin is None or error.row is None:
            raise
        raise CertificateError(error.message, int(origin[error.row])) from None
    return found if origin is None else found._replace(rows=[int(origin[i]) for i in found.rows])


def verified_points(
    c: Record, points: Problem, labels: np.ndarray, slow: bool = False, engine: Engine = SERIAL
) -> Proved:
    """Return what a certificate proves about a problem, whose signs are not used."""
    check_labels(points.n, labels.size)
    if points.d != c.data.columns or bool(points.pad) != c.model.intercept:
        raise CertificateError(
            f"other data: found {points.d} columns; {c.data.columns} of {c.data.digest} were expected"
        )
    if not slow and c.model.trials is None:
        stated, digest = Question(c), digest_of(points, labels, hashed_by(engine))
        checker.check_digest(c, digest, points.n)
        with suppress(CertificateError, InputError):  # of numbers beyond 2^499, which `decide` does not allow
            return checker.conclude(stated, scanned(stated, points, labels, engine))
    try:
        return checker.check(c, plain_points(points, labels.tolist()))
    except MalformedError as error:
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


# ---- the scan ------------------------------------------------------------------------------------------------------


def scanned(stated: Question, points: Problem, labels: np.ndarray, engine: Engine) -> Scan:
    """Return the scan of all rows, by compiled exact scores; raise CertificateError if a row is wrong."""
    scan, (texts, codes) = Scan(stated), label_texts(labels)
    scan.rank = _rank
    values = [checker.label_value(text) for text in texts]
    of = [stated.pairs(value, 1) for value in values]  # y by c, of the rows with each label
    if None in of:
        raise CertificateError("model: a label is none of the family and classes")
    apart, whole = np.zeros(points.n, bool), replace(points, y=np.ones(points.n, np.int8))
    exact = partial(exact_rows, stated, points, values, codes)
    for pair in combinations(range(len(stated.classes)), 2):
        up, down = (np.array([(p or {}).get(c) == y for p in of])[codes] for c, y in (pair, pair[::-1]))
        rows = np.flatnonzero(up | down)
        if rows.size:
            _scan_pair(scan, Rows(whole, rows, engine), up[rows], down[rows], pair, apart, exact)
    some = np.flatnonzero(np.array([bool(p) for p in of])[codes])
    for column, relation in stated.aliased.items():
        if Rows(whole, some, engine).scores(relation, range(stated.width)).any():
            raise CertificateError(f"coefficients.aliased: column {column} has another relation in a row")
    scan.separated_rows = np.flatnonzero(apart)
    scan.named = dict(exact(np.array(sorted(scan.wanted), np.int64)))
    _extremes(
        scan, replace(points, y=np.where(np.array([0 in (p or {}) for p in of]), 1, -1).astype(np.int8)[codes]), engine
    )
    return scan


class Rows:
    """Some rows of a problem, by their numbers, and the exact signs of their scores."""

    def __init__(self, points: Problem, numbers: np.ndarray, engine: Engine) -> None:
        self.numbers = numbers
        self.signed = Signed(points if numbers.size == points.n else points.part(numbers), engine)

    def scores(self, b: Vector, high: range, low: range | None = None) -> np.ndarray:
        """Return x·(b_high − b_low) of each row, with exact signs; high, low: the places of two parts."""
        plane = [b[m] for m in high] if low is None else [b[m] - b[n] for m, n in zip(high, low, strict=True)]
        return self.signed.signs(plane) if any(plane) else np.zeros(self.numbers.size)


def _scan_pair(
    scan: Scan,
    rows: Rows,
    up: np.ndarray,
    down: np.ndarray,
    pair: tuple[int, int],
    apart: np.ndarray,
    exact: Callable[[np.ndarray], Iterator[tuple[int, Row]]],
) -> None:
    """Check the vectors of rows between classes low < high: of `up` rows class high against low, of `down` rows not.

    apart: which of all rows are separated, to be extended. exact: gives rows as integers.
    """
    stated, (to, of) = scan.stated, pair  # a row of class `of` is against class `to`
    high, low = (range((k - 1) * stated.width, k * stated.width) for k in (of, to))
    first = np.zeros(rows.numbers.size)
    for number, b in enumerate(stated.directions):
        s = rows.scores(b, high, low if to else None)
        first = s if number == 0 else first
        if (s[up] < 0).any() or (s[down] > 0).any():
            raise CertificateError("directions: a row is on the wrong side of one of them")
    on = np.flatnonzero(first == 0)
    if on.size > len(stated.E):
        some = Rows(rows.signed.problem, on, rows.signed.engine)
        inside = not any(some.scores(e, high, low if to else None).any() for e in stated.E)
    else:  # few rows and many vectors, as of a wide sparse table
        inside = all(scan.sums(row, of) == scan.sums(row, to) for _, row in exact(rows.numbers[on]))
    if not inside:
        raise CertificateError(
            "complement: a row is neither separated by directions[0] nor orthogonal to the complement"
        )
    scan.others += int(up[on].sum() + down[on].sum())
    scan.separated += int(up.sum() + down.sum()) - int(up[on].sum() + down[on].sum())
    apart[rows.numbers[first != 0]] = True


def _extremes(scan: Scan, points: Problem, engine: Engine) -> None:
    """Set the least scores and the longest row that margins are about; points: with the signs of two classes."""
    stated, margins = scan.stated, scan.stated.c.margins
    signed = Signed(points, engine)
    for k in scan.extremes:
        least = least_scores(signed, [stated.directions[k][m] for m in range(stated.width)])
        scan.least[k] = min(t for t in least if t is not None)
    if margins and margins.radius2:
        lower, upper = radius2(points, engine)
        if lower < upper and not margins.radius2.lower <= lower <= upper <= margins.radius2.upper:
            lower, _ = radius2(points, engine, exactly=points.n)
        scan.longest = Fraction(lower)


def _rank(rows: list[Vector], prime: int) -> int:
    """Return the rank modulo a prime, as `verify.rank` does; 0 for a prime that FLINT's words do not hold."""
    if prime >= 1 << 64:
        return 0
    uses = Counter(place for z in rows for place, value in z.items() if value)
    left = [z for z in rows if all(uses[place] > 1 for place, value in z.items() if value)]
    places = sorted(set().union(*left))
    rank = nmod_mat([[z[place] % prime for place in places] for z in left], prime).rank() if places else 0
    return len(rows) - len(left) + int(rank)


# ---- rows as Python numbers ----------------------------------------------------------------------------------------


def plain_points(points: Problem, labels: list[Any]) -> Iterator[Point]:
    """Yield the label's text, the columns and the numbers of each point, by rising column, without zeros."""
    from novikoff.data.plain_files import label_text

    points = points.tidied() if points.sparse and not in_order(points) else points
    for rows, at, lo, hi in points.pieces():
        for i in range(lo, hi):
            if points.sparse:
                values, columns, starts = rows
                here = slice(starts[i], starts[i + 1])
                pairs = [(j, float(v)) for j, v in zip(columns[here].tolist(), values[here].tolist(), strict=True) if v]
            else:
                pairs = [(j, float(v)) for j, v in enumerate(rows[i].tolist()) if v]
            if not all(math.isfinite(v) for _, v in pairs):
                raise points.row_error(
                    "contains NaN or infinity: ", at + i, "; drop such rows first", f"Input {points.name} "
                )
            yield label_text(labels[at + i]), [j for j, _ in pairs], [v for _, v in pairs]


def exact_rows(
    stated: Question, points: Problem, values: list[Any], codes: np.ndarray, which: np.ndarray
) -> Iterator[tuple[int, Row]]:
    """Yield the number and the integers of some rows; values: those of the labels, codes: the place of each row's."""
    some = points.part(which) if which.size else points
    found = plain_points(some, [""] * which.size)
    for i, (_, columns, numbers) in zip(which.tolist(), found if which.size else (), strict=True):
        yield i, stated.row(values[codes[i]], columns, numbers)[0]
