"""Check a proof about labelled points: standard library only, exact, and nothing else is trusted.

    python verify_novikoff.py proof.json data.csv        0 proved · 1 refused, or other data · 3 cannot be read

`plain_files` defines how numbers, labels and plain files are read; verify_novikoff.py is both files in one.

A point x with label y = ±1 is the row z = y·(x, 1), or y·x without a bias. A row is *separated* by a plane v = (w, b)
when z·v > 0. Weights λ > 0 on some rows with Σ λ·z = 0 *hold* these rows and all rows in their span: z·v ≥ 0 for all
rows makes 0 = Σ λ·(z·v) a sum of terms ≥ 0, so z·v = 0 there (Gordan; Albert and Anderson 1984 name the kinds).

    complete         the plane of the certificate separates every row
    quasi-complete   it separates some rows, and all others are on it and held
    overlap          all rows are held: every v with z·v ≥ 0 for all rows has z·v = 0 for all
    not separable    at most d+2 rows (d+1 without a bias) are held: no plane separates every row

The *margin* γ is that of the widest plane: the largest min z·v / |w| (geometric; only with a bias), or min z·v / |v|
(padded). Any plane gives a lower bound. Any weights λ > 0 give an upper one: |Σ λz / Σ λ| ≥ γ (padded), and for a
mixture of points of either class with weights of sum 1, half the distance of the two mixtures (geometric). Squares are
compared, for γ² is rational where γ is not. R is the length of the longest z: a perceptron that starts at 0 makes at
most (R/γ)² mistakes, γ padded (Novikoff 1962).

The certificate is a JSON object; integers are strings, rows are numbered from 0, and what is not there is null:
format "novikoff-certificate/1" · claim, one of the kinds · data {digest, n, d, positive, negative (the two labels),
bias, numbers, file (hints: sha256, format, label, header, first_column, options)} · w, b · support, weights (not
separable) · held, held_weights (the kind).
`numbers` is "binary64": a text like 0.1 means its nearest.
A margin has format "novikoff-certificate/2" · claim "margin" · data · geometric, padded: null or an object {w, b, rows,
weights, lower, upper (of γ²: texts p/q)} · radius2: null or {lower, upper} (of R²).
A separation, of a regression, has format "novikoff-certificate/3": `separation_check` below describes it.

The digest does not depend on how the data are stored. All words are 8 bytes, little-endian; a text is its count of
UTF-8 bytes, then the bytes, filled up with zero bytes to whole words.
    row     the label's text · how many numbers are not zero · of each, by rising column: the column from 0, its number
    number  the 8 bytes of the binary64 number
    block   SHA-256 of 4,096 rows one after the other; the last block has the rows that are left
    digest  SHA-256 of the text "novikoff-digest/1 binary64" · n · d · the blocks' 32 bytes each, in hex
The text of a label: 1, +1, 1.0, true and True are "1", false is "0", -2e0 is "-2", 0.50 is "0.5" (whole numbers by
their digits, others as the shortest decimal of the nearest binary64); any other label is itself.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

from novikoff.certify.check.certificate_parts import (
    LARGEST_FILE,
    CertificateError,
    Digest,
    MalformedError,
    Span,
    Whole,
    about_of,
    check_data,
    check_hints,
    check_known,
    check_zero_sum,
    integer_of,
    point_of,
    read_json,
    weighted_sum,
    whole_row,
)
from novikoff.certify.check.separation_certificate import (
    SEPARATION_FORMAT,
    SeparationCertificate,
    check_names,
    separation_certificate,
)
from novikoff.certify.check.separation_check import SeparatedRows, check_separation, said_of_separation
from novikoff.data.plain_files import (
    Row,
    UnreadableError,
    convert_command,
    file_head,
    file_rows,
    hints_for,
    label_text,
    plane_of,
    short,
    shown,
)

__all__ = ["FORMAT", "GEOMETRIC", "KINDS", "LARGEST_FILE", "MARGIN", "MARGIN_FORMAT", "PADDED", "Bounds", "Certificate",
           "CertificateError", "Digest", "MalformedError", "MarginEvidence", "SeparatedRows", "SeparationCertificate",
           "Span", "UnreadableError", "Whole", "check", "check_claim", "check_margin", "check_radius",
           "check_separation", "check_zero_sum", "distance2", "in_words", "kind_of", "main", "meaning",
           "proved_of_file", "read_certificate", "root", "said_of", "way_out"]  # fmt: skip

FORMAT, MARGIN_FORMAT = "novikoff-certificate/1", "novikoff-certificate/2"
KINDS = ("complete", "quasi-complete", "overlap", "not separable")
MARGIN, GEOMETRIC, PADDED = "margin", "geometric", "padded"
SHOWN = 15  # digits of a root


Answer = tuple[str | SeparatedRows, str | int | None]


class Bounds(NamedTuple):
    """Lower and upper bound of a square."""

    lower: Fraction
    upper: Fraction


class MarginEvidence(NamedTuple):
    """A margin, and what proves it."""

    plane: dict[int, int]
    weights: dict[int, int]  # row: weight
    gamma2: Bounds


class Certificate(NamedTuple):
    claim: str
    digest: str
    n: int
    d: int
    signs: dict[str, int]  # of the labels' texts
    bias: bool
    plane: dict[int, int] | None  # column: integer; the bias is column d
    support: dict[int, int] | None  # row: weight
    held: dict[int, int] | None
    file: dict[str, Any]
    widths: dict[str, MarginEvidence] | None = None  # geometric, padded
    radius2: Bounds | None = None


# ---- the certificate -----------------------------------------------------------------------------------------------


def read_certificate(source: Any) -> Certificate | SeparationCertificate:
    """Return the certificate of a JSON file or of a dict; raise an error unless it is well formed."""
    record = source if isinstance(source, dict) else read_json(source)
    form = record.get("format")
    if not isinstance(form, str) or form not in (FORMAT, MARGIN_FORMAT, SEPARATION_FORMAT):
        known = f"{FORMAT!r}, {MARGIN_FORMAT!r} and {SEPARATION_FORMAT!r}"
        raise MalformedError(f"certificate: format {short(form)} is not known, only {known} are")
    if form == SEPARATION_FORMAT:
        return separation_certificate(record)
    verdict, kinds = "claim data w b support weights held held_weights", KINDS if form == FORMAT else (MARGIN,)
    check_known(
        record, "certificate", "format " + (verdict if form == FORMAT else "claim data geometric padded radius2")
    )
    data, claim = record.get("data"), record.get("claim")
    if not isinstance(data, dict) or not isinstance(claim, str) or claim not in kinds:
        raise MalformedError(f"certificate: data must be an object and claim one of {', '.join(kinds)}")
    check_known(data, "data", "digest n d positive negative bias numbers file")
    found, labels = about_of(data), [data.get("positive"), data.get("negative")]
    n, d, bias = found.n, found.d, found.bias
    if not all(isinstance(label, str | None) for label in labels) or labels[0] == labels[1]:
        raise MalformedError("data: positive and negative must be two labels as text, or one of them null")
    signs = {label: sign for label, sign in zip(labels, (1, -1), strict=True) if label is not None}
    about = (claim, found.digest, n, d, signs, bias)
    if form == MARGIN_FORMAT:
        return Certificate(*about, None, None, None, check_hints(found.file), *_margins(record, n, d, bias))
    plane = _plane(record.get("w"), record.get("b"), d, bias)
    support = _weights(record, "support", "weights", n)
    held = _weights(record, "held", "held_weights", n)
    if support is not None and not 0 < len(support) <= d + 1 + bias:
        raise CertificateError(f"support: {len(support)} rows; 1 to {d + 1 + bias} were expected")
    return Certificate(*about, plane, support, held, check_hints(found.file))


def _margins(record: dict[str, Any], n: int, d: int, bias: bool) -> tuple[dict[str, MarginEvidence], Bounds | None]:
    """Return the margins and the radius of a record."""
    found: dict[str, MarginEvidence] = {}
    for name in (GEOMETRIC, PADDED):
        width = record.get(name)
        if width is None:
            continue
        if not isinstance(width, dict) or (name == GEOMETRIC and not bias):
            raise MalformedError(f"{name}: an object was expected, or null; geometric only with a bias")
        check_known(width, name, "w b rows weights lower upper")
        plane, weights = _plane(width.get("w"), width.get("b"), d, bias), _weights(width, "rows", "weights", n)
        if plane is None or not weights:
            raise CertificateError(f"{name}: w, b, rows and weights are all needed")
        found[name] = MarginEvidence(plane, weights, _bounds(width, name))
    if not found:
        raise CertificateError("certificate: no margin is in it, neither geometric nor padded")
    radius2 = record.get("radius2")
    if not isinstance(radius2, dict | None):
        raise MalformedError("radius2: an object was expected, or null")
    check_known(radius2 or {}, "radius2", "lower upper")
    return found, None if radius2 is None else _bounds(radius2, "radius2")


def _bounds(record: dict[str, Any], where: str) -> Bounds:
    """Return the bounds of a record, 0 < lower ≤ upper."""
    ends = []
    for name in ("lower", "upper"):
        p, _, q = str(record.get(name)).partition("/")
        top, bottom = integer_of(p, f"{where}: {name}"), integer_of(q, f"{where}: {name}")
        if not isinstance(record[name], str) or bottom <= 0:
            raise MalformedError(f"{where}: {name} is not a text p/q")
        ends.append(Fraction(top, bottom))
    if not 0 < ends[0] <= ends[1]:
        raise CertificateError(f"{where}: 0 < lower ≤ upper was expected")
    return Bounds(*ends)


def _plane(w: Any, b: Any, d: int, bias: bool) -> dict[int, int] | None:
    if w is None and b is None:
        return None
    if not isinstance(w, list) or len(w) != d or (b is None) is bias:
        raise MalformedError(f"w, b: {d} integers {'and b' if bias else 'without b'} were expected, or null")
    plane = {j: integer_of(text, f"w[{j}]") for j, text in enumerate(w)}
    return plane | {d: integer_of(b, "b")} if bias else plane


def _weights(record: dict[str, Any], rows_name: str, weights_name: str, n: int) -> dict[int, int] | None:
    rows, weights = record.get(rows_name), record.get(weights_name)
    if rows is None and weights is None:
        return None
    if not isinstance(rows, list) or not isinstance(weights, list) or len(rows) != len(weights):
        raise MalformedError(f"{rows_name}, {weights_name}: two lists of one length were expected, or null")
    out: dict[int, int] = {}
    for row, text in zip(rows, weights, strict=True):
        if type(row) is not int:
            raise MalformedError(f"{rows_name}: {short(row)} is not a row's number")
        if not 0 <= row < n or row in out:
            raise CertificateError(f"{rows_name}: row {row} {'is there twice' if row in out else f'of {n} rows'}")
        out[row] = integer_of(text, f"{weights_name} of row {row}")
        if out[row] <= 0:
            raise CertificateError(f"{weights_name}: the weight of row {row} is not greater than 0")
    return out


# ---- the check -----------------------------------------------------------------------------------------------------


def check(certificate: Any, rows: Iterable[Row] | Callable[[], Iterable[Row]]) -> str:
    """Return the kind that is proved for these rows; raise CertificateError, or UnreadableError for invalid values.

    rows: (label, {column: number} or list of all numbers) of each point, or a function that returns them.
    """
    c = certificate if isinstance(certificate, Certificate | SeparationCertificate) else read_certificate(certificate)
    if isinstance(c, SeparationCertificate):
        return check_separation(c, rows if callable(rows) else list(rows).__iter__).kind
    again = rows if callable(rows) else list(rows).__iter__
    if c.widths is not None:
        return _check_margins(c, c.widths, again())
    wanted, named = {*(c.support or ()), *(c.held or ())}, dict[int, Whole]()
    if wanted:
        named = {i: row for i, row in enumerate(_whole_rows(c, again())) if i in wanted}
    return check_claim(c, named, lambda held: _kind(c, Span(held, c.d + c.bias), again))


def check_claim(c: Certificate, named: dict[int, Whole], kind: Callable[[list[dict[int, int]]], str]) -> str:
    """Return the claim if it is proved; else raise CertificateError.

    named: the rows of the proof. kind: returns what the plane and the held rows prove about all rows.
    """
    for name, weights in (("support", c.support), ("held", c.held)):
        check_zero_sum(name, [(weight, named[i]) for i, weight in (weights or {}).items()])
    if c.plane is not None or c.held is not None:
        proved = kind([named[i].z for i in c.held or ()])
    elif c.support is not None:
        proved = "not separable"
    else:
        raise CertificateError("certificate: no proof is in it, neither w and b, nor held, nor support")
    if proved != c.claim:
        raise CertificateError(f"claim: {c.claim}, but the certificate proves {proved}")
    return proved


def _check_margins(c: Certificate, widths: dict[str, MarginEvidence], rows: Iterable[Row]) -> str:
    """Return MARGIN if both ends of every margin, and of the radius, are proved for these rows."""
    wanted, named = {i for width in widths.values() for i in width.weights}, dict[int, Whole]()
    least, longest = dict[str, tuple[int, int]](), (0, 1)
    for i, row in enumerate(_whole_rows(c, rows)):
        if i in wanted:
            named[i] = row
        for name, width in widths.items():
            side = sum(width.plane[j] * value for j, value in row.z.items())
            if name not in least or side * least[name][1] < least[name][0] * row.scale:
                least[name] = side, row.scale
        square = sum(value * value for value in row.z.values())
        if square * longest[1] > longest[0] * row.scale**2:
            longest = square, row.scale**2
    for name, width in widths.items():
        mixed = distance2(name, [(weight, named[i]) for i, weight in width.weights.items()], c.d)
        check_margin(name, width, Fraction(*least[name]), mixed, c.d)
    check_radius(c, Bounds(Fraction(*longest), Fraction(*longest)))
    return MARGIN


def distance2(name: str, terms: list[tuple[int, Whole]], d: int) -> Fraction:
    """Return |Σ weight·z / Σ weight|², or the squared distance of the weighted means of the two classes."""
    two = name == GEOMETRIC
    sums = {sign: sum(weight for weight, row in terms if not two or (row.z[d] > 0) == sign) for sign in (True, False)}
    if not all(sums.values()):
        raise CertificateError(f"{name}: weights of rows of both classes were expected")
    if two:  # each weight times the other class's sum
        terms = [(weight * sums[row.z[d] < 0], row) for weight, row in terms]
    scale, total = weighted_sum(terms)
    whole = scale * sums[True] * (sums[False] if two else 1)
    return Fraction(sum(value * value for value in total.values()), whole * whole)


def check_margin(name: str, width: MarginEvidence, least: Fraction, mixed2: Fraction, d: int) -> None:
    """Raise CertificateError unless a plane with z·v ≥ least, and means of squared distance mixed2, prove both ends."""
    two = name == GEOMETRIC
    if least <= 0:
        raise CertificateError(f"{name}: the plane does not have every row strictly on its own side")
    length2 = sum(value * value for j, value in width.plane.items() if j < d or not two)
    if least * least < width.gamma2.lower * length2:
        raise CertificateError(f"{name}: lower: the plane w, b has a smaller margin")
    if mixed2 > width.gamma2.upper * (4 if two else 1):
        raise CertificateError(f"{name}: upper: the weights prove a larger one only")


def check_radius(c: Certificate, found: Bounds) -> None:
    """Raise CertificateError unless R², between these bounds, is between those of the certificate."""
    if c.radius2 is not None and not c.radius2.lower <= found.lower <= found.upper <= c.radius2.upper:
        raise CertificateError("radius2: the longest row is not of this length")


def _kind(c: Certificate, span: Span, rows: Callable[[], Iterable[Row]]) -> str:
    """Return what plane and held rows prove, if every row is separated or held."""
    if c.plane is None and span.all:
        return "overlap"
    separated, others, failed = 0, 0, ""
    for i, (_, z) in enumerate(_whole_rows(c, rows())):
        side = sum(c.plane[j] * value for j, value in z.items()) if c.plane else 0
        if side < 0:
            failed = failed or f"w, b: row {i} is on the wrong side of the plane"
        elif side == 0 and not span.all and span.rest(z):
            failed = failed or f"row {i} is neither separated by w, b nor held"
        separated, others = separated + (side > 0), others + (side == 0)
    if failed:
        raise CertificateError(failed)
    return "overlap" if not separated else "quasi-complete" if others else "complete"


def _whole_rows(c: Certificate, rows: Iterable[Row]) -> Iterator[Whole]:
    """Yield each row z in integers (the bias is column d); compare the digest at the end of the pass."""
    digest, strange = Digest(c.d), None
    for label, numbers in rows:
        text, x = label_text(label), point_of(numbers, digest.n, c.d)
        digest.add(text, x)
        if text not in c.signs:
            strange = strange or f"y: label {short(text)} of row {digest.n - 1} is neither of the certificate's"
            continue
        yield whole_row(x, c.signs[text], c.d, c.bias)
    check_data(c, digest.hexdigest(), digest.n, strange)


# ---- the command ---------------------------------------------------------------------------------------------------

MEANING = {
    "complete": "the {plane} has every one of the {n} points strictly on its own side",
    "quasi-complete": "no {plane} separates the {n} points, one separates some of them with the others on the plane",
    "overlap": "no {plane} separates the {n} points, not even some of them with the others on the plane",
    "not separable": "no {plane} has every one of the {n} points strictly on its own side",
    MARGIN: "a {plane} has every one of the {n} points strictly on its own side; γ is the margin of the widest {plane}",
}


def main(args: list[str] | None = None) -> int:
    """python verify_novikoff.py CERTIFICATE DATA [LABEL]      LABEL: the label's column, by name or number from 1"""
    args = sys.argv[1:] if args is None else args
    if len(args) not in (2, 3) or args[0].startswith("-"):
        print(main.__doc__, file=sys.stderr)
        return 2
    file: dict[str, Any] = {}
    try:
        c = read_certificate(args[0])
        file = c.file
        print(*said_of(c, *proved_of_file(c, args[1], hints_for(args[1], file, *args[2:]))), sep="\n")
    except UnreadableError as error:
        print(f"CANNOT BE READ  {error}", file=sys.stderr)
        return 3
    except CertificateError as error:
        print(f"REFUSED  {in_words(error)}", *way_out(error, args[1], file), sep="\n", file=sys.stderr)
        return 1
    return 0


def proved_of_file(c: Certificate | SeparationCertificate, path: Any, how: dict[str, Any]) -> Answer:
    """Check a certificate against a file; return the kind that is proved (of a separation also the separated rows),
    and the column of the labels."""

    def rows() -> Iterator[Row]:
        return file_rows(path, how)

    found = check_separation(c, rows) if isinstance(c, SeparationCertificate) else check(c, rows)
    names, label = file_head(path, how)
    if isinstance(c, SeparationCertificate):
        check_names(c, names)
    return found, label


def kind_of(found: str | SeparatedRows) -> str:
    """Return the kind of what is proved."""
    return found if isinstance(found, str) else found.kind


def said_of(c: Certificate | SeparationCertificate, found: str | SeparatedRows, label: str | int | None) -> list[str]:
    """Format what is proved, and of what, one line each; label: the column of the labels, None: not one of the file."""
    column = "" if label is None else f"; labels: column {shown(label) if isinstance(label, str) else label + 1}"
    meant = f"exact binary64 numbers{column}"
    if isinstance(c, SeparationCertificate) and isinstance(found, SeparatedRows):
        return said_of_separation(c, found, meant)
    kind = kind_of(found)
    more = [f"        model: {model_of(c)}; {meant}", *said_of_margins(c)] if isinstance(c, Certificate) else []
    return [f"PROVED  {kind}: {meaning(kind, c.n, c.bias)}", *more]


def model_of(c: Certificate) -> str:
    """Return the positive class, and whether planes have a bias."""
    sides = ", ".join(f"{'+' if sign > 0 else '−'} is {shown(label)}" for label, sign in c.signs.items())
    return f"{sides}; planes {'with' if c.bias else 'without'} a bias"


def meaning(kind: str, n: int, bias: bool) -> str:
    """Return what a kind means for n points."""
    said = MEANING[kind].format(n=f"{n:,}", plane=plane_of(bias))
    return said if n > 1 else re.sub("(every one of )?the 1 points", "the one point", said)


def said_of_margins(c: Certificate) -> list[str]:
    """Format the margins of a certificate, one line each, rounded outward; and the mistake bound."""
    lines = []
    for name, (_, _, (lower, upper)) in (c.widths or {}).items():
        exact = f"γ² = {lower}, " if lower == upper and max(lower.as_integer_ratio()) < 10**9 else ""
        named = f"{name} margin" if c.bias else "margin"
        lines.append(f"        {named}  {exact}{root(lower, False)} ≤ γ ≤ {root(upper, True)}")
    if c.radius2 is not None:
        lines.append(f"        radius  {root(c.radius2.lower, False)} ≤ R ≤ {root(c.radius2.upper, True)}")
        if c.widths and PADDED in c.widths:
            most = c.radius2.upper // c.widths[PADDED].gamma2.lower
            many = f"at most {most:,}" if most < 10**18 else f"fewer than 2**{most.bit_length()}"
            lines.append(f"        mistakes of a perceptron from weights 0: {many}")
    return lines


def root(square: Fraction, up: bool) -> str:
    """Format the square root with 15 digits, rounded down or up."""
    p, q = square.as_integer_ratio()
    places = SHOWN - math.floor((p.bit_length() - q.bit_length()) * 0.150515)
    p, q = p * 100 ** max(places, 0), q * 100 ** max(-places, 0)
    found = math.isqrt(p // q)
    found += up and found * found * q < p
    return format(Decimal(found).scaleb(-places).normalize(), "g" if abs(places) < 50 else "")


def way_out(refusal: CertificateError, path: Any, file: dict[str, Any]) -> list[str]:
    """Format the command that writes the points of a certificate about prepared ones, if other data were given."""
    if not file.get("options") or not str(refusal).startswith("other data"):
        return []
    return [f"         it is about prepared points; write them by {convert_command('DATA', file)}"]


def in_words(refusal: CertificateError) -> str:
    """Format a refusal for people: rows are numbered from 1."""
    return re.sub(r"(?<!['\"])\brow (-?[0-9]+)", lambda found: f"row {int(found[1]) + 1}", str(refusal))


if __name__ == "__main__":
    sys.exit(main())
