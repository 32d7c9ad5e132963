"""Read a certificate of a separation: of a regression, as `separation_check` describes it.

Standard library only, as `verify`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from novikoff.certify.check.certificate_parts import (
    CertificateError,
    MalformedError,
    about_of,
    check_hints,
    check_known,
    integer_of,
)
from novikoff.data.plain_files import short, shown

SEPARATION_FORMAT = "novikoff-certificate/3"
SEPARATION_KINDS = ("complete", "quasi-complete", "overlap")
RESPONSE_FAMILIES = ("labels", "successes", "proportions", "frequencies", "poisson")
COEFFICIENT_WORDS = ("finite", "+inf", "-inf", "not-unique", "aliased", "undecided")

Vector = tuple[int, int]  # a row, and the class it is against


class Combination(NamedTuple):
    """factor·x_column = Σ weights·x of other columns; or factor·b_column = Σ weights·z."""

    column: int
    factor: int
    weights: dict[Any, int]


class SeparationCertificate(NamedTuple):
    claim: str
    digest: str
    n: int
    d: int
    bias: bool
    file: dict[str, Any]
    family: str
    classes: tuple[str, ...]  # texts of the labels, the reference first; empty for counts
    counts: int | None
    names: tuple[str, ...]
    coefficients: tuple[str | None, ...]
    aliased: tuple[Combination, ...]
    directions: tuple[tuple[int, ...], ...]
    held: dict[Vector, int]
    limits: dict[int, Combination]

    @property
    def width(self) -> int:
        return self.d + self.bias


# ---- the certificate of a separation -------------------------------------------------------------------------------


def separation_certificate(record: dict[str, Any]) -> SeparationCertificate:
    """Return the certificate in a JSON object; raise an error unless it is well formed."""
    check_known(record, "certificate", "format claim data response names coefficients aliased directions held "
                "held_against held_weights limits")  # fmt: skip
    data, claim, response = record.get("data"), record.get("claim"), record.get("response")
    if not isinstance(data, dict) or not isinstance(response, dict) or claim not in SEPARATION_KINDS:
        raise MalformedError(
            f"certificate: data and response must be objects, and claim one of {', '.join(SEPARATION_KINDS)}"
        )
    check_known(data, "data", "digest n d bias numbers file")
    about = about_of(data)
    check_hints(about.file)
    family, classes, counts = _response(response, about.d)
    W, K = about.d + about.bias, max(len(classes), 2)
    names = _texts(record.get("names"), "names", W)
    words = record.get("coefficients")
    if not isinstance(words, list) or len(words) != (K - 1) * W:
        raise MalformedError(f"coefficients: a list of {(K - 1) * W} words was expected")
    for m, word in enumerate(words):
        if word not in ((None,) if m % W == counts else COEFFICIENT_WORDS):
            raise MalformedError(f"coefficients: {short(word)} is none of {', '.join(COEFFICIENT_WORDS)}")
    found = _list(record, "directions")
    directions = tuple(_integers(one, "directions", (K - 1) * W) for one in found)
    held = _vectors(record, "held", "held_against", "held_weights", about.n, K, "held")
    aliased = tuple(_aliased(one, W) for one in _list(record, "aliased"))
    limits = {}
    for one in _list(record, "limits"):
        limit = _limit(one, about.n, K, len(words))
        limits[limit.column] = limit
    made = SeparationCertificate(
        str(claim), *about, family, classes, counts, names, tuple(words), aliased, directions, held, limits
    )
    _check_places(made)
    return made


def _response(record: dict[str, Any], d: int) -> tuple[str, tuple[str, ...], int | None]:
    check_known(record, "response", "family classes counts")
    family, classes, counts = record.get("family"), record.get("classes"), record.get("counts")
    if family not in RESPONSE_FAMILIES:
        raise MalformedError(f"response: family must be one of {', '.join(RESPONSE_FAMILIES)}")
    if counts is not None and (type(counts) is not int or not 0 <= counts < d):
        raise MalformedError(f"response: counts must be a column of {d}, or null")
    if (counts is None) != (family in ("labels", "poisson")) and not (counts is None and family == "proportions"):
        raise MalformedError(f"response: {family} {'needs' if counts is None else 'has no'} column of counts")
    if family not in ("labels", "frequencies"):
        if classes is not None:
            raise MalformedError(f"response: {family} has no classes")
        return family, (), counts
    texts = _texts(classes, "classes", None)
    if len(texts) < 2 or len(set(texts)) < len(texts):
        raise MalformedError("response: classes must be two or more different texts")
    return family, texts, counts


def _list(record: dict[str, Any], name: str) -> list[Any]:
    found = record.get(name)
    if not isinstance(found, list):
        raise MalformedError(f"{name}: a list was expected")
    return found


def _texts(found: Any, name: str, size: int | None) -> tuple[str, ...]:
    if not isinstance(found, list) or not all(isinstance(text, str) for text in found):
        raise MalformedError(f"{name}: a list of texts was expected")
    if size is not None and len(found) != size:
        raise MalformedError(f"{name}: {len(found)} texts, {size} were expected")
    return tuple(found)


def _integers(found: Any, name: str, size: int) -> tuple[int, ...]:
    if not isinstance(found, list) or len(found) != size:
        raise MalformedError(f"{name}: a list of {size} integers was expected")
    return tuple(integer_of(text, name) for text in found)


def _vectors(
    record: dict[str, Any], rows: str, against: str, weights: str, n: int, K: int, at: str
) -> dict[Vector, int]:
    """Return positive weights of vectors z."""
    lists = [_list(record, name) for name in (rows, against, weights)]
    if len({len(found) for found in lists}) > 1:
        raise MalformedError(f"{at}: {rows}, {against} and {weights} must have one length")
    out: dict[Vector, int] = {}
    for row, c, text in zip(*lists, strict=True):
        if type(row) is not int or type(c) is not int or not (0 <= row < n and 0 <= c < K) or (row, c) in out:
            raise MalformedError(f"{at}: {short(row)}, {short(c)} is no row of {n} and class of {K}, or is there twice")
        out[row, c] = integer_of(text, weights)
        if out[row, c] <= 0:
            raise CertificateError(f"{at}: the weight of row {row} is not greater than 0")
    return out


def _aliased(record: Any, W: int) -> Combination:
    if not isinstance(record, dict):
        raise MalformedError("aliased: objects were expected")
    check_known(record, "aliased", "column factor on weights")
    column, on, weights = record.get("column"), _list(record, "on"), _list(record, "weights")
    places = [column, *on]
    if not all(type(j) is int and 0 <= j < W for j in places) or len(set(places)) < len(places):
        raise MalformedError(f"aliased: different columns of {W} were expected")
    factor = integer_of(record.get("factor"), "factor")
    if not factor or len(on) != len(weights):
        raise MalformedError("aliased: a factor that is not 0, and a weight for each column, were expected")
    return Combination(places[0], factor, dict(zip(on, _integers(weights, "weights", len(on)), strict=True)))


def _limit(record: Any, n: int, K: int, size: int) -> Combination:
    if not isinstance(record, dict):
        raise MalformedError("limits: objects were expected")
    check_known(record, "limits", "coefficient factor rows against weights")
    m = record.get("coefficient")
    if type(m) is not int or not 0 <= m < size:
        raise MalformedError(f"limits: coefficient must be a place in {size}")
    factor = integer_of(record.get("factor"), "factor")
    if factor <= 0:
        raise CertificateError("limits: the factor is not greater than 0")
    return Combination(m, factor, _vectors(record, "rows", "against", "weights", n, K, "limits"))


def _check_places(c: SeparationCertificate) -> None:
    """Raise CertificateError unless aliased columns and that of counts are in no direction and no combination."""
    out = {one.column for one in c.aliased}
    if len(out) < len(c.aliased) or any(out & set(one.weights) for one in c.aliased):
        raise CertificateError("aliased: a column is there twice, or depends on another aliased column")
    out |= set() if c.counts is None else {c.counts}
    if c.counts is not None and any(c.counts in (one.column, *one.weights) for one in c.aliased):
        raise CertificateError("aliased: the column of counts is no column of the model")
    for m, word in enumerate(c.coefficients):
        if (word == "aliased") != (m % c.width in out - {c.counts}):
            raise CertificateError(f"coefficients: {coefficient_name(c, m)} is {word}, and aliased has another answer")
        if m % c.width in out and any(direction[m] for direction in c.directions):
            raise CertificateError(
                f"directions: {coefficient_name(c, m)} is no coefficient of the model, and must be 0"
            )


def check_names(c: SeparationCertificate, names: Sequence[str] | None) -> None:
    """Raise CertificateError unless the columns have these names; x1, x2, … stand for columns without one."""
    for j, (stated, name) in enumerate(zip(c.names, names or (), strict=False)):
        if stated != name and (stated != f"x{j + 1}" or stated in (names or ())):
            raise CertificateError(f"names: column {j + 1} is {shown(stated)}, but {shown(name)} in the data")


def coefficient_name(c: SeparationCertificate, m: int) -> str:
    """Return the name of a coefficient; of three classes or more, with its class."""
    part, j = divmod(m, c.width)
    name = shown(c.names[j])
    return f"{shown(c.classes[part + 1])}: {name}" if len(c.classes) > 2 else name
