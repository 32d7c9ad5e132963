"""Check a proof about a regression: which rows are separated, and which estimates are finite, infinite or neither.

A row x (with a last 1 if there is a bias) and its response make one vector z or more. Classes are numbered from 0, the
reference; b is a vector with a part for each class k > 0, and e_k puts x into the part k (e_0 is zero):

    labels       z = x ⊗ (e_y − e_c) for the class y of the row and every other class c
    successes    of counts trials: c = 0 if y > 0, and c = 1 if y < counts, with the other class in place of y
    proportions  c = 0 if y > 0, and c = 1 if y < 1; no vector without trials
    frequencies  as labels; no vector if counts is 0
    poisson      c = 1, and c = 0 if y > 0

So (row, c) names z: "against c". The likelihood rises with every z·b. C = {b : z·b ≥ 0 for all z}, with 0 for aliased
columns. The certificate has *directions* in C. A vector z is *separated* if the first direction has z·b > 0. Weights
λ > 0 on *held* vectors with Σ λ·z = 0 hold these, and all in their span O: z·b = 0 for every b in C.

    kind         complete: all z are separated; overlap: none is, all are held; quasi-complete: each is one or the other
    finite       the coordinate j of b is in O, as a vector: b_j = 0 for all b in C
    +inf         factor·b_j = Σ weights·z·b for all b, up to O, with weights > 0: b_j ≥ 0 for all b in C, and > 0 for
                 the first direction: the likelihood reaches its supremum only as b_j grows beyond all bounds
    -inf         the same with −factor
    not-unique   some direction has b_j > 0, and another has b_j < 0
    aliased      factor·x_j = Σ weights·x_on in every row that has a vector

(Albert and Anderson 1984 for labels; Correia, Guimarães and Zylkin 2019 for Poisson.)

The certificate: format "novikoff-certificate/3" · claim, the kind · data {digest, n, d, bias, numbers, file} ·
response {family, classes (texts, or null), counts (a column of the data that is not one of the model, or null)} · names
(of the columns; the bias is the last) · coefficients (by class, and in it by column: one of the words above, undecided,
or null for the column of counts) · aliased [{column, factor, on, weights}] · directions · held, held_against,
held_weights · limits [{coefficient, factor, rows, against, weights}]. Integers are strings, places are numbers from 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from novikoff.certify.check.certificate_parts import (
    CertificateError,
    Digest,
    Span,
    Whole,
    check_data,
    check_zero_sum,
    point_of,
    weighted_sum,
    whole_row,
)
from novikoff.certify.check.separation_certificate import SeparationCertificate, Vector, coefficient_name
from novikoff.data.plain_files import Row, label_text, number_of, short, shown

LISTED = 10  # names in a line


class SeparatedRows(NamedTuple):
    """What is proved: the kind, and the rows of which a vector is separated."""

    kind: str
    rows: list[int]


# ---- the check of a separation -------------------------------------------------------------------------------------


def check_separation(c: SeparationCertificate, rows: Callable[[], Iterable[Row]]) -> SeparatedRows:
    """Return what is proved about these rows; raise CertificateError if it is not what the certificate claims."""
    wanted = {i for i, _ in c.held} | {i for limit in c.limits.values() for i, _ in limit.weights}
    named: dict[Vector, Whole] = {}
    if wanted:
        for i, vectors in _all_vectors(c, rows()):
            named |= {(i, k): z for k, z in vectors.items()} if i in wanted else {}
    for vector in (*c.held, *(v for limit in c.limits.values() for v in limit.weights)):
        if vector not in named:
            raise CertificateError(f"row {vector[0]}: its response has no vector against class {vector[1]}")
    check_zero_sum("held", [(weight, named[vector]) for vector, weight in c.held.items()])
    there = [m for m, word in enumerate(c.coefficients) if word not in ("aliased", None)]
    kept = {m: k for k, m in enumerate(there)}
    span = Span((_placed(named[vector].z, kept) for vector in c.held), len(kept))
    found = _sides(c, span, kept, rows)
    for m, word in enumerate(c.coefficients):
        _check_coefficient(c, m, word, span, kept, named)
    if found.kind != c.claim:
        raise CertificateError(f"claim: {c.claim}, but the certificate proves {found.kind}")
    return found


def _placed(z: dict[int, int], kept: dict[int, int]) -> dict[int, int]:
    """Return a vector in the coordinates of the columns that are kept."""
    return {kept[m]: v for m, v in z.items() if v and m in kept}


def _sides(
    c: SeparationCertificate, span: Span, kept: dict[int, int], rows: Callable[[], Iterable[Row]]
) -> SeparatedRows:
    """Check every vector against the directions and the span; return the kind and the separated rows."""
    separated, others, failed = list[int](), 0, ""
    sparse = [{m: v for m, v in enumerate(direction) if v} for direction in c.directions]
    for i, vectors in _all_vectors(c, rows()):
        apart = False
        for k, (_, z) in vectors.items():
            scores = [sum(v * z[m] for m, v in direction.items() if m in z) for direction in sparse]
            if min(scores, default=0) < 0:
                failed = failed or f"directions: row {i} is on the wrong side, against class {k}"
            if scores and scores[0] > 0:
                apart = True
                continue
            others += 1
            if not span.all and span.rest(_placed(z, kept)):
                failed = failed or f"row {i} is neither separated nor held, against class {k}"
        if apart:
            separated.append(i)
    if failed:
        raise CertificateError(failed)
    kind = "overlap" if not separated else "quasi-complete" if others else "complete"
    return SeparatedRows(kind, separated)


def _check_coefficient(
    c: SeparationCertificate, m: int, word: str | None, span: Span, kept: dict[int, int], named: dict[Vector, Whole]
) -> None:
    """Raise CertificateError unless the limit of a coefficient is proved."""
    values = [direction[m] for direction in c.directions]
    if (m in c.limits) != (word in ("+inf", "-inf")):
        raise CertificateError(
            f"limits: {coefficient_name(c, m)} is {word}; limits are of infinite estimates, one each"
        )
    if word == "finite" and not span.all and span.rest({kept[m]: 1}):
        raise CertificateError(f"coefficients: {coefficient_name(c, m)} is not proved to be finite")
    if word == "not-unique" and not (min(values, default=0) < 0 < max(values, default=0)):
        raise CertificateError(f"coefficients: no two directions have different signs of {coefficient_name(c, m)}")
    if word in ("+inf", "-inf"):
        sign, limit = (1 if word == "+inf" else -1), c.limits[m]
        scale, total = weighted_sum([(weight, named[vector]) for vector, weight in limit.weights.items()])
        total[m] = total.get(m, 0) - sign * limit.factor * scale
        if not values or values[0] * sign <= 0:
            raise CertificateError(f"directions: the first does not have the sign of {coefficient_name(c, m)}")
        if span.rest(_placed(total, kept)) and not span.all:
            raise CertificateError(f"limits: {coefficient_name(c, m)} is not proved to be {word}")


def _all_vectors(c: SeparationCertificate, rows: Iterable[Row]) -> Iterator[tuple[int, dict[int, Whole]]]:
    """Yield each row's number and its vectors z by class; check the aliased columns, and the digest at the end."""
    digest, strange = Digest(c.d), ""
    for label, numbers in rows:
        i, text, x = digest.n, label_text(label), point_of(numbers, digest.n, c.d)
        digest.add(text, x)
        trials = x.pop(c.counts, 0) if c.counts is not None else 1
        pairs = _pairs(c, text, trials)
        if pairs is None:
            strange = strange or f"y: {short(text)} of row {i} is no value of the response of the certificate"
            continue
        row = whole_row(x, 1, c.d, c.bias)
        for one in c.aliased if pairs else ():
            if one.factor * row.z.get(one.column, 0) != sum(v * row.z.get(j, 0) for j, v in one.weights.items()):
                strange = strange or f"aliased: {c.names[one.column]} is another combination in row {i}"
        yield i, {k: Whole(row.scale, _stacked(row.z, y, k, c.width)) for y, k in pairs}
    check_data(c, digest.hexdigest(), digest.n, strange)


def _stacked(x: dict[int, int], y: int, k: int, width: int) -> dict[int, int]:
    """Return x ⊗ (e_y − e_k)."""
    z = {(y - 1) * width + j: v for j, v in x.items()} if y else {}
    return z | {(k - 1) * width + j: -v for j, v in x.items()} if k else z


def _pairs(c: SeparationCertificate, text: str, trials: Any) -> list[tuple[int, int]] | None:
    """Return (class y, class c) of each vector of a row; None for a response that the family does not have."""
    if c.family in ("labels", "frequencies"):
        if text not in c.classes or trials < 0:
            return None
        y = c.classes.index(text)
        return [(y, k) for k in range(len(c.classes)) if k != y] if trials else []
    try:
        value = Fraction(number_of(text))
    except ValueError:
        return None
    most = {"successes": trials, "proportions": 1, "poisson": value}[c.family]
    if not 0 <= value <= most or trials < 0:
        return None
    if c.family == "poisson":
        return [(0, 1), *([(1, 0)] if value else [])]
    return ([(1, 0)] if value > 0 else []) + ([(0, 1)] if value < most else []) if trials else []


# ---- in words ------------------------------------------------------------------------------------------------------


def said_of_separation(c: SeparationCertificate, found: SeparatedRows, meant: str) -> list[str]:
    """Format what is proved: the kind, the model (meant: its numbers), separated rows, estimates, finite ones last."""
    what = {"complete": "no estimates exist", "quasi-complete": "some estimates do not exist", "overlap": "they exist"}
    lines = [f"PROVED  {found.kind} separation of the regression: {what[found.kind]}"]
    if found.kind == "overlap":
        lines = ["PROVED  overlap: the estimates of the regression exist"]
    lines.append(f"        model: {_model(c)}; {meant}")
    lines.append(f"        {len(found.rows):,} of {c.n:,} rows separated{_listed_rows(found.rows, c.n)}")
    for word in ("+inf", "-inf", "not-unique", "aliased", "finite", "undecided"):
        names = [coefficient_name(c, m) for m, known in enumerate(c.coefficients) if known == word]
        more = f", and {len(names) - LISTED:,} more" if len(names) > LISTED else ""
        lines += [f"        {word}: {', '.join(names[:LISTED])}{more}"] if names else []
    return lines


def _model(c: SeparationCertificate) -> str:
    """Return what the coefficients are of: the response, and whether an intercept is added."""
    others = ", ".join(map(shown, c.classes[1:]))
    if c.family in ("labels", "frequencies"):
        response = f"logit of {others} against the reference {shown(c.classes[0])}"
    else:
        response = "log of the mean (Poisson)" if c.family == "poisson" else f"logit of {c.family}"
    counts = "" if c.counts is None else f", column {c.counts + 1} is that of counts"
    return f"{response}{counts}; {'an' if c.bias else 'no'} intercept is added"


def _listed_rows(rows: list[int], n: int) -> str:
    if not rows or len(rows) == n:
        return ""
    return f": {', '.join(str(i + 1) for i in rows[:LISTED])}{', …' if len(rows) > LISTED else ''}"
