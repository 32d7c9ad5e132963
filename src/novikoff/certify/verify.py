"""Check a proof about labelled points: one file, standard library only, exact, and nothing else is trusted.

    python verify_novikoff.py proof.json data.csv        0 proved · 1 refused, or other data · 3 cannot be read

A point x with label y = ±1 is the row z = y·(x, 1), or y·x without a bias. A row is *separated* by a plane v = (w, b)
when z·v > 0. Weights λ > 0 on some rows with Σ λ·z = 0 *hold* these rows and all rows in their span: z·v ≥ 0 for all
rows makes 0 = Σ λ·(z·v) a sum of terms ≥ 0, so z·v = 0 there (Gordan; Albert and Anderson 1984 name the kinds).

    complete         the plane of the certificate separates every row
    quasi-complete   it separates some rows, and all others are on it and held
    overlap          all rows are held: every v with z·v ≥ 0 for all rows has z·v = 0 for all
    not separable    at most d+2 rows (d+1 without a bias) are held: no plane separates every row

The certificate is a JSON object; integers are strings, rows are numbered from 0, and what is not there is null:
format "novikoff-certificate/1" · claim, one of the kinds · data {digest, n, d, positive, negative (the two labels),
bias, numbers, file (hints: sha256, format, label, header, first_column, options)} · w, b · support, weights (not
separable) · held, held_weights (the kind) · proof "interval" (only where support has no weights: not checked here).
`numbers` says what a text like 0.1 means: "binary64" its nearest, "decimal" itself.

The digest does not depend on how the data are stored. All words are 8 bytes, little-endian; a text is its count of
UTF-8 bytes, then the bytes, filled up with zero bytes to whole words.
    row     the label's text · how many numbers are not zero · of each, by rising column: the column from 0, its number
    number  binary64: its 8 bytes; decimal: the text of the reduced fraction p/q, as in -3/10 or 7/1
    block   SHA-256 of 4,096 rows one after the other; the last block has the rows that are left
    digest  SHA-256 of the text "novikoff-digest/1 binary64" (or decimal) · n · d · the blocks' 32 bytes each, in hex
The text of a label: 1, +1, 1.0, true and True are "1", false is "0", -2e0 is "-2", 0.50 is "0.5" (whole numbers by
their digits, others as the shortest decimal of the nearest binary64); any other label is itself.
"""

from __future__ import annotations

import csv
import hashlib
import json
import math
import os
import re
import struct
import sys
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple, NoReturn, TextIO

FORMAT = "novikoff-certificate/1"
KINDS = ("complete", "quasi-complete", "overlap", "not separable")
BLOCK = 4096  # rows
LARGEST_FILE = 1 << 26  # bytes of a certificate
MOST_DIGITS = 100_000  # of an integer in a certificate
MOST_LISTS, MOST_ENTRIES = 1_000, 5_000_000  # "[" and "{", "," in a certificate
LONGEST_LINE, LONGEST_NUMBER, LARGEST_EXPONENT = 1 << 26, 2_000, 400  # of the data
OTHERS = (".parquet", ".arrow", ".npz", ".npy", ".jsonl", ".vw", ".nvc", ".gz", ".zst", ".bz2", ".xz")
LABELS = ("label", "y", "target", "class")  # what the label's column of a CSV file is called, the first before all
NO_LABEL = ("", "nan")  # what is no label, in small letters; NA and its like may be the name of a class
MISSING = ("", "na", "n/a", "nan", "null", "none", "?")  # what a cell without a number is, in small letters
ENDLESS = ("inf", "infinity")
PRIME = 2**61 - 1
_WHOLE = re.compile(r"0|-?[1-9][0-9]*")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE]([+-]?[0-9]{1,4}))?")
_TRUTH = {"true": "1", "True": "1", "TRUE": "1", "false": "0", "False": "0", "FALSE": "0"}

Point = dict[int, Any]  # column: a number that is not zero (float, or Fraction)
Row = tuple[Any, Any]  # (label, {column: number} or a list of all numbers)


class CertificateError(ValueError):
    """A certificate that proves nothing about these data; the words say what fails."""


class UnreadableError(CertificateError):
    """A certificate or a file of data that cannot be read."""


class Certificate(NamedTuple):
    claim: str
    digest: str
    n: int
    d: int
    signs: dict[str, int]  # of the labels' texts
    bias: bool
    numbers: str
    plane: dict[int, int] | None  # column: integer; the bias is column d
    support: dict[int, int] | None  # row: weight
    held: dict[int, int] | None
    file: dict[str, Any]
    proof: str = "rational"


# ---- the certificate -----------------------------------------------------------------------------------------------


def read_certificate(source: Any) -> Certificate:
    """The certificate of a JSON file or of a dict, if it is well formed."""
    record = source if isinstance(source, dict) else _json(source)
    if record.get("format") != FORMAT:
        raise UnreadableError(f"certificate: format {_short(record.get('format'))} is not known, only {FORMAT!r} is")
    _known(record, "certificate", "format proof claim data w b support weights held held_weights")
    data, claim, proof = record.get("data"), record.get("claim"), record.get("proof", "rational")
    if not isinstance(data, dict) or not isinstance(claim, str) or claim not in KINDS:
        raise UnreadableError(f"certificate: data must be an object and claim one of {', '.join(KINDS)}")
    if not isinstance(proof, str) or proof not in ("rational", "interval"):
        raise UnreadableError(f"certificate: proof must be rational or interval, not {_short(proof)}")
    _known(data, "data", "digest n d positive negative bias numbers file")
    n, d, bias, numbers, file = (data.get(name) for name in ("n", "d", "bias", "numbers", "file"))
    if type(n) is not int or type(d) is not int or not (0 < n < 2**63 and 0 < d < 2**63) or type(bias) is not bool:
        raise UnreadableError("data: n and d must be counts, bias true or false")
    if numbers not in ("binary64", "decimal") or not isinstance(file, dict | None):
        raise UnreadableError("data: numbers must be binary64 or decimal, file an object")
    digest, labels = data.get("digest"), [data.get("positive"), data.get("negative")]
    if not isinstance(digest, str) or not re.fullmatch("[0-9a-f]{64}", digest):
        raise UnreadableError("data: the digest must be 64 hexadecimal digits")
    if not all(isinstance(label, str | None) for label in labels) or labels[0] == labels[1]:
        raise UnreadableError("data: positive and negative must be two labels as text, or one of them null")
    signs = {label: sign for label, sign in zip(labels, (1, -1), strict=True) if label is not None}
    plane = _plane(record.get("w"), record.get("b"), d, bias)
    if proof == "interval":
        record = _interval(record, numbers)
    support = _weights(record, "support", "weights", n)
    held = _weights(record, "held", "held_weights", n)
    if support is not None and not 0 < len(support) <= d + 1 + bias:
        raise CertificateError(f"support: {len(support)} rows; 1 to {d + 1 + bias} were expected")
    return Certificate(claim, digest, n, d, signs, bias, numbers, plane, support, held, _hints(file or {}), proof)


def _interval(record: dict[str, Any], numbers: str) -> dict[str, Any]:
    """An interval proof with a 1 for each weight that it does not have."""
    rows, others = record.get("support"), ("w", "b", "weights", "held", "held_weights")
    if not isinstance(rows, list) or any(record.get(name) is not None for name in others):
        raise UnreadableError("certificate: an interval proof has a support and nothing else")
    if record.get("claim") != "overlap" or numbers != "binary64":
        raise CertificateError("claim: an interval proof is one of overlap, of binary64 numbers")
    return record | {"weights": ["1"] * len(rows)}


def _hints(file: dict[str, Any]) -> dict[str, Any]:
    """How the file was read: format, label a name or number, header or not, first_column 0 or 1.

    And options, which novikoff itself can read the file with.
    """
    kinds: dict[str, tuple[type, ...]] = {"sha256": (str,), "format": (str,), "label": (str, int), "header": (bool,)}
    kinds |= {"first_column": (int,), "options": (list,)}
    _known(file, "file", " ".join(kinds))
    for name, value in file.items():
        if type(value) not in kinds[name]:
            raise UnreadableError(f"file: {name} is {_short(value)}")
    if not all(type(word) is str for word in file.get("options", [])):
        raise UnreadableError("file: options must be words")
    return file


def _json(path: Any) -> dict[str, Any]:
    """The object of a JSON file that is neither huge nor deep, without floats, long numbers and repeated names."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len({name for name, _ in pairs}) < len(pairs):
            raise ValueError("a name is there twice")
        return dict(pairs)

    def whole(text: str) -> int:
        return int(text) if len(text) < 20 else refuse(text)

    def refuse(text: str) -> NoReturn:
        raise ValueError(f"{_short(text)} where a small whole number or a text is expected")

    try:
        with open(path, "rb") as file:
            raw = file.read(LARGEST_FILE + 1)
        text = raw.decode()
        if len(raw) > LARGEST_FILE:
            raise ValueError(f"more than {LARGEST_FILE:,} bytes")
        if text.count("[") + text.count("{") > MOST_LISTS or text.count(",") > MOST_ENTRIES:
            raise ValueError("too many lists, objects or entries")
        found = json.loads(text, object_pairs_hook=once, parse_float=refuse, parse_constant=refuse, parse_int=whole)
        return found if isinstance(found, dict) else refuse(text)
    except (OSError, TypeError, ValueError, RecursionError) as error:
        raise UnreadableError(f"{path}: not a certificate that can be read ({_why(error)})") from None


def _known(record: dict[str, Any], where: str, names: str) -> None:
    for name in record:
        if name not in names.split():
            raise UnreadableError(f"{where}: a field {_short(name)} is not known")


def _integer(text: Any, where: str) -> int:
    if not isinstance(text, str) or len(text) > MOST_DIGITS or not _WHOLE.fullmatch(text):
        raise UnreadableError(f"{where}: {_short(text)} is not an integer as text of at most {MOST_DIGITS:,} digits")
    return -_digits(text[1:]) if text[0] == "-" else _digits(text)


def _digits(text: str) -> int:
    """Halves of long numbers, which Python does not read in one piece."""
    half = len(text) // 2
    return int(text) if len(text) <= 600 else _digits(text[:-half]) * 10**half + _digits(text[-half:])


def _plane(w: Any, b: Any, d: int, bias: bool) -> dict[int, int] | None:
    if w is None and b is None:
        return None
    if not isinstance(w, list) or len(w) != d or (b is None) is bias:
        raise UnreadableError(f"w, b: {d} integers {'and b' if bias else 'without b'} were expected, or null")
    plane = {j: _integer(text, f"w[{j}]") for j, text in enumerate(w)}
    return plane | {d: _integer(b, "b")} if bias else plane


def _weights(record: dict[str, Any], rows_name: str, weights_name: str, n: int) -> dict[int, int] | None:
    rows, weights = record.get(rows_name), record.get(weights_name)
    if rows is None and weights is None:
        return None
    if not isinstance(rows, list) or not isinstance(weights, list) or len(rows) != len(weights):
        raise UnreadableError(f"{rows_name}, {weights_name}: two lists of one length were expected, or null")
    out: dict[int, int] = {}
    for row, text in zip(rows, weights, strict=True):
        if type(row) is not int:
            raise UnreadableError(f"{rows_name}: {_short(row)} is not a row's number")
        if not 0 <= row < n or row in out:
            raise CertificateError(f"{rows_name}: row {row} {'is there twice' if row in out else f'of {n} rows'}")
        out[row] = _integer(text, f"{weights_name} of row {row}")
        if out[row] <= 0:
            raise CertificateError(f"{weights_name}: the weight of row {row} is not greater than 0")
    return out


# ---- the check -----------------------------------------------------------------------------------------------------


def check(certificate: Any, rows: Iterable[Row] | Callable[[], Iterable[Row]]) -> str:
    """The kind that is proved for these rows, or CertificateError.

    rows: (label, {column: number} or list of all numbers) of each point, or a function that gives them anew.
    """
    c = certificate if isinstance(certificate, Certificate) else read_certificate(certificate)
    if c.proof == "interval":
        raise UnreadableError("certificate: an interval proof, without weights; it needs python-flint: novikoff verify")
    again = rows if callable(rows) else list(rows).__iter__
    wanted, named = {*(c.support or ()), *(c.held or ())}, dict[int, Whole]()
    if wanted:
        named = {i: row for i, row in enumerate(_whole_rows(c, again())) if i in wanted}
    for name, weights in (("support", c.support), ("held", c.held)):
        demand_zero_sum(name, [(weight, named[i]) for i, weight in (weights or {}).items()])
    if c.plane is not None or c.held is not None:
        span = Span([named[i].z for i in c.held or ()], c.d + c.bias)
        proved = "overlap" if c.plane is None and span.all else _kind(c, span, again())
    elif c.support is not None:
        proved = "not separable"
    else:
        raise CertificateError("certificate: no proof is in it, neither w and b, nor held, nor support")
    if proved != c.claim:
        raise CertificateError(f"claim: {c.claim}, but what is proved is {proved}")
    return proved


def _kind(c: Certificate, span: Span, rows: Iterable[Row]) -> str:
    """What plane and held rows prove, if every row is separated or held."""
    separated, others, failed = 0, 0, ""
    for i, (_, z) in enumerate(_whole_rows(c, rows)):
        side = sum(c.plane[j] * value for j, value in z.items()) if c.plane else 0
        if side < 0:
            failed = failed or f"w, b: row {i} is on the wrong side of the plane"
        elif side == 0 and not span.all and span.rest(z):
            failed = failed or f"row {i} is neither separated by w, b nor held"
        separated, others = separated + (side > 0), others + (side == 0)
    if failed:
        raise CertificateError(failed)
    return "overlap" if not separated else "quasi-complete" if others else "complete"


class Whole(NamedTuple):
    """A row z times a positive integer that makes it whole."""

    scale: int
    z: dict[int, int]


def _whole_rows(c: Certificate, rows: Iterable[Row]) -> Iterator[Whole]:
    """Each row z in integers (the bias is column d); a pass ends by comparing the digest."""
    digest, strange = Digest(c.d, c.numbers), None
    for label, numbers in rows:
        text, x = label_text(label), _point(numbers, digest.n, c)
        digest.add(text, x)
        if text not in c.signs:
            strange = strange or f"y: label {_short(text)} of row {digest.n - 1} is neither of the certificate's"
            continue
        ratios = {j: value.as_integer_ratio() for j, value in x.items()}
        scale = math.lcm(*(q for _, q in ratios.values()))
        z = {j: c.signs[text] * p * (scale // q) for j, (p, q) in ratios.items()}
        yield Whole(scale, z | {c.d: c.signs[text] * scale} if c.bias else z)
    if digest.hexdigest() != c.digest or digest.n != c.n:
        raise CertificateError(
            f"other data: their digest is {digest.hexdigest()} ({digest.n} rows), "
            f"the certificate is about {c.digest} ({c.n} rows)"
        )
    if strange:
        raise CertificateError(strange)


def demand_zero_sum(name: str, terms: list[tuple[int, Whole]]) -> None:
    """CertificateError unless Σ weight·z = 0."""
    common, total = math.lcm(*(row.scale for _, row in terms)), dict[int, int]()
    for weight, (scale, z) in terms:
        for j, value in z.items():
            total[j] = total.get(j, 0) + weight * (common // scale) * value
    if any(total.values()):
        raise CertificateError(f"{name}: the weighted rows do not sum to zero")


class Span:
    """The span of integer rows: all of the space, or by elimination without fractions (Bareiss 1968).

    rows: {pivot column: row} with `den` at its own pivot and 0 at the others'; every division below is exact.
    """

    def __init__(self, rows: Iterable[dict[int, int]], width: int) -> None:
        rows = list(rows)
        self.den, self.rows, self.all = 1, dict[int, dict[int, int]](), _rank_modulo(PRIME, rows, width) == width
        for z in rows if not self.all else ():
            self._add(z)

    def rest(self, z: dict[int, int]) -> dict[int, int]:
        """den·z − Σ z_p·row_p over the pivots p: nothing exactly when z is in the span."""
        out = {j: self.den * value for j, value in z.items()}
        for p in self.rows.keys() & z.keys():
            for j, value in self.rows[p].items():
                out[j] = out.get(j, 0) - z[p] * value
        return {j: value for j, value in out.items() if value}

    def _add(self, z: dict[int, int]) -> None:
        divisor = math.gcd(*z.values()) or 1
        new = self.rest({j: value // divisor for j, value in z.items()})
        if new:
            p = min(new)
            for q, row in self.rows.items():
                both = {j: new[p] * row.get(j, 0) - row.get(p, 0) * new.get(j, 0) for j in row.keys() | new.keys()}
                self.rows[q] = {j: value // self.den for j, value in both.items() if value}
            self.rows[p], self.den = new, new[p]


def _rank_modulo(prime: int, rows: list[dict[int, int]], width: int) -> int:
    """At most the rank: a minor that is not 0 modulo a prime is not 0. Only asked for where the rows are enough."""
    pivots: dict[int, list[int]] = {}
    for z in rows if len(rows) >= width else ():
        row = [z.get(j, 0) % prime for j in range(width)]
        for p, other in pivots.items():
            if factor := row[p]:
                row = [(a - factor * b) % prime for a, b in zip(row, other, strict=True)]
        p = next((j for j, a in enumerate(row) if a), width)
        if p < width:
            inverse = pow(row[p], -1, prime)
            pivots[p] = [a * inverse % prime for a in row]
    return len(pivots)


# ---- the data ------------------------------------------------------------------------------------------------------


class Digest:
    """The digest of rows that are added one by one."""

    def __init__(self, d: int, numbers: str) -> None:
        self.n, self._d, self._numbers = 0, d, numbers
        self._block, self._blocks = hashlib.sha256(), list[bytes]()

    def add(self, label: str, x: Point) -> None:
        """One more row: the label's text, and the numbers that are not zero."""
        pairs = sorted(x.items())
        if self._numbers == "binary64":
            body = struct.pack("<" + "Qd" * len(pairs), *(word for pair in pairs for word in pair))
        else:
            body = b"".join(_word(j) + _text("{}/{}".format(*value.as_integer_ratio())) for j, value in pairs)
        self._block.update(_text(label) + _word(len(pairs)) + body)
        self.n += 1
        if self.n % BLOCK == 0:
            self._blocks.append(self._block.digest())
            self._block = hashlib.sha256()

    def hexdigest(self) -> str:
        """Of the rows so far."""
        blocks = [*self._blocks, self._block.digest()] if self.n % BLOCK else self._blocks
        head = _text(f"novikoff-digest/1 {self._numbers}") + _word(self.n) + _word(self._d)
        return hashlib.sha256(head + b"".join(blocks)).hexdigest()


def _word(count: int) -> bytes:
    return struct.pack("<Q", count)


def _text(text: str) -> bytes:
    raw = text.encode("utf-8", "surrogatepass")
    return _word(len(raw)) + raw + bytes(-len(raw) % 8)


def label_text(label: Any) -> str:
    """The text of a label, the same for every way to write the same number."""
    plain = label.strip() if isinstance(label, str) else _spelled(label)
    if _NUMBER.fullmatch(plain) and len(plain) <= 400:
        if plain.lstrip("+-").isdigit():
            return str(int(plain))
        if math.isfinite(near := float(plain)):
            return str(int(near)) if near == int(near) else repr(near)
    return _TRUTH.get(plain, label) if isinstance(label, str) else plain


def _spelled(label: Any) -> str:
    try:
        return str(int(label)) if label == int(label) else repr(float(label))
    except (TypeError, ValueError, OverflowError):
        raise UnreadableError(f"y: {_short(label)} is neither a text nor a finite number") from None


def number_of(value: Any, numbers: str) -> Any:
    """A finite number as meant: a float (binary64) or a Fraction (decimal); ValueError for what is none."""
    if type(value) is float and numbers == "binary64" and math.isfinite(value):
        return value
    if isinstance(value, str):
        found = _NUMBER.fullmatch(value) if len(value) <= LONGEST_NUMBER else None
        if not found or (numbers == "decimal" and abs(int(found[1] or 0)) > LARGEST_EXPONENT):
            raise ValueError(value)
        value = float(value) if numbers == "binary64" else Fraction(value)
    if type(value) is Fraction and numbers == "decimal":
        return value
    near = float(value) if numbers == "binary64" else Fraction(value)
    if near != value or (numbers == "binary64" and math.isinf(near)):
        raise ValueError(value)
    return near


def _point(numbers: Any, row: int, c: Certificate) -> Point:
    """The numbers of a row that are not zero, by column."""
    if not isinstance(numbers, dict) and len(numbers) != c.d:
        raise CertificateError(f"other data: row {row} has {len(numbers)} columns, the certificate speaks of {c.d}")
    out: Point = {}
    for j, value in numbers.items() if isinstance(numbers, dict) else enumerate(numbers):
        if not 0 <= j < c.d:
            raise CertificateError(f"other data: row {row} has a column {j}, the certificate speaks of {c.d} from 0 on")
        try:
            if number := number_of(value, c.numbers):
                out[j] = number
        except (ValueError, TypeError, ArithmeticError):
            raise UnreadableError(f"X: row {row}, column {j}: {_short(value)} is not a {c.numbers} number") from None
    return out


# ---- files ---------------------------------------------------------------------------------------------------------


def file_rows(path: Any, numbers: str, how: dict[str, Any]) -> Iterator[Row]:
    """The rows of a CSV or svmlight file; how: hints as in the certificate, each found out where it is missing."""
    demand_plain(path, how)
    read = _svmlight if file_format(path, how.get("format")) == "svmlight" else _csv
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            yield from read(file, str(path), numbers, how)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UnreadableError(f"{path}: cannot be read ({_why(error)})") from None


def demand_plain(path: Any, how: dict[str, Any]) -> None:
    """UnreadableError for a file that was not read as the CSV or svmlight file that it is."""
    if how.get("options"):
        raise UnreadableError(
            f"{path}: the certificate speaks of points made with {_short(' '.join(how['options']))}; this checker has "
            "the numbers as they are in a file: use novikoff verify"
        )
    if file_format(path, how.get("format")) not in ("csv", "svmlight"):
        raise UnreadableError(
            f"{path}: this checker reads CSV and svmlight files; use novikoff verify, or write one (novikoff convert "
            "DATA data.csv): the same numbers have the same digest"
        )


def file_format(path: Any, hint: str | None = None) -> str:
    """By the ending of the name, else by the hint: csv, svmlight, or what is not read here."""
    known = {".csv": "csv", ".tsv": "csv", ".svm": "svmlight", ".svmlight": "svmlight", ".libsvm": "svmlight"}
    ending = os.path.splitext(path)[1]
    return known.get(ending) or (ending if ending in OTHERS else hint or "svmlight")


def _lines(file: TextIO, path: str) -> Iterator[str]:
    for number, line in enumerate(iter(lambda: file.readline(LONGEST_LINE), ""), start=1):
        if len(line) == LONGEST_LINE:
            raise UnreadableError(f"{path}, line {number}: more than {LONGEST_LINE:,} characters")
        yield line


def _csv(file: TextIO, path: str, numbers: str, how: dict[str, Any]) -> Iterator[Row]:
    """Cells with commas (.tsv: tabs) between them; which column is the label: see `label_place`."""
    table = csv.reader(_lines(file, path), delimiter="\t" if path.endswith(".tsv") else ",")
    width = None
    for cells in table:
        if not cells:
            continue
        if width is None:
            width = len(cells)
            at, header = label_place([cell.strip() for cell in cells], path, how)
            if header:
                continue
        if len(cells) != width:
            raise UnreadableError(f"{path}, line {table.line_num}: {len(cells)} cells, {width} as above were expected")
        label = cells.pop(at).strip()
        _demand_label(label, path, table.line_num)
        yield label, [_cell(cell, numbers, path, table.line_num, j + (j >= at)) for j, cell in enumerate(cells)]


def _demand_label(label: str, path: str, line: int) -> None:
    if label.lower() in NO_LABEL:
        found = f" (found {label!r})" if label else ""
        raise UnreadableError(f"{path}, line {line}: no label{found}; leave the row out, or give it one")


def label_place(cells: list[str], path: str, how: dict[str, Any]) -> tuple[int, bool]:
    """Where the label is, by the first line, and whether that line is a header."""
    label, header = how.get("label"), how.get("header")
    if isinstance(label, str):
        if label not in cells:
            raise UnreadableError(f"{path}: no column is named {_short(label)}, only {_short(', '.join(cells))}")
        return cells.index(label), True
    at = label if label is not None else [*(usual_places(cells) if header is not False else ()), len(cells) - 1][0]
    if not 0 <= at < len(cells):
        raise UnreadableError(f"{path}: no column {at + 1}; the first is 1, the last {len(cells)}")
    if header is None:
        header = is_header([cell for j, cell in enumerate(cells) if j != at], cells[at])
    if header is None:
        raise UnreadableError(f"{path}: {either(cells)}")
    if header and len(set(cells)) < len(cells):
        raise UnreadableError(f"{path}: two columns have one name; each needs a name of its own")
    return at, header


def usual_places(cells: list[str]) -> list[int]:
    """Where the usual names of a label stand: label before y, target and class."""
    return sorted((j for j, cell in enumerate(cells) if cell.lower() in LABELS), key=lambda j: _rank(cells[j]))


def _rank(name: str) -> int:
    return LABELS.index(name.lower())


def is_header(cells: list[str], label: str) -> bool | None:
    """Whether a first line has names, by its cells for numbers and the label's; None: it may be a header or a row.

    A name above any column of numbers makes a header, as does a usual name of the label; but y may be a label that
    says yes, and a word among numbers, the label's cell one of them, may be a slip in a row.
    """
    names = [is_name(cell) for cell in cells]
    if any(names):
        return True if all(names) or is_name(label) else None
    return None if label.lower() == "y" else label.lower() in LABELS


def is_name(cell: str) -> bool:
    """Whether a cell can be the name of a column of numbers: a word, but none for a missing or endless number."""
    plain = cell.lower().lstrip("+-")
    return any(map(str.isalpha, cell)) and plain not in (*MISSING, *ENDLESS) and not _NUMBER.fullmatch(cell)


def either(cells: list[str]) -> str:
    """What to do about a first line that is a header or a row."""
    return (
        f"found {_short(','.join(cells))} in the first line, which is a header or a row: numbers and words are mixed; "
        "--header or --no-header says which (in Python: header=)"
    )


def _svmlight(file: TextIO, path: str, numbers: str, how: dict[str, Any]) -> Iterator[Row]:
    """Lines of a label and column:number pairs; columns count from 1, or from 0 if a column 0 is there."""
    first = how.get("first_column")
    if first is None:
        first = int(not any(re.search(r"\s0+:", line.partition("#")[0]) for line in _lines(file, path)))
        file.seek(0)
    for number, line in enumerate(_lines(file, path), start=1):
        words = line.partition("#")[0].split()
        if words and ":" in words[0]:
            raise UnreadableError(f"{path}, line {number}: {_short(words[0])} is no label; one stands before the pairs")
        _demand_label(words[0] if words else "0", path, number)
        x: Point = {}
        for pair in words[1:]:
            column, colon, value = pair.partition(":")
            j = int(column) - first if colon and column.isascii() and column.isdigit() and len(column) < 19 else -1
            if j < 0 or j in x:
                raise UnreadableError(f"{path}, line {number}: {_short(pair)} is not column:number, or there twice")
            x[j] = _cell(value, numbers, path, number, j)
        if words:
            yield words[0], x


def _cell(text: str, numbers: str, path: str, line: int, column: int) -> Any:
    try:
        return number_of(text.strip(), numbers)
    except ValueError:
        where, plain = f"{path}, line {line}, column {column + 1}", text.strip()
        if plain.lower() in MISSING:
            found = f"{plain!r}, a missing number" if plain else "an empty cell"
            raise UnreadableError(
                f"{where}: {found}; a number was expected; fill it in, or leave the row out"
            ) from None
        raise UnreadableError(f"{where}: {_short(text)} is not a {numbers} number") from None


def _short(value: Any) -> str:
    text = repr(value[:60] if isinstance(value, str | list | tuple) else value)
    return text if len(text) <= 80 else f"{text[:60]}…"


def _why(error: BaseException) -> str:
    return " ".join((getattr(error, "strerror", None) or str(error) or type(error).__name__).split())[:200]


# ---- the command ---------------------------------------------------------------------------------------------------

MEANING = {
    "complete": "the plane has every one of the {n} points strictly on its own side",
    "quasi-complete": "no plane separates the {n} points, one separates some of them with the others on the plane",
    "overlap": "no plane separates the {n} points, not even some of them with the others on the plane",
    "not separable": "no plane has every one of the {n} points strictly on its own side",
}


def main(args: list[str] | None = None) -> int:
    """python verify_novikoff.py CERTIFICATE DATA [LABEL]      LABEL: the label's column, by name or number from 1"""
    args = sys.argv[1:] if args is None else args
    if len(args) not in (2, 3) or args[0].startswith("-"):
        print(main.__doc__, file=sys.stderr)
        return 2
    try:
        c = read_certificate(args[0])
        how = c.file | ({"label": label_column(args[2])} if args[2:] else {})
        kind = check(c, lambda: file_rows(args[1], c.numbers, how))
    except CertificateError as error:
        refused = not isinstance(error, UnreadableError)
        print(f"REFUSED  {in_words(error)}" if refused else f"CANNOT BE READ  {error}", file=sys.stderr)
        return 1 if refused else 3
    print(f"PROVED  {kind}: {meaning(kind, c.n)}")
    return 0


def meaning(kind: str, n: int) -> str:
    """What a kind says about n points."""
    said = MEANING[kind].format(n=f"{n:,}")
    return said if n > 1 else re.sub("(every one of )?the 1 points", "the one point", said)


def in_words(refusal: CertificateError) -> str:
    """A refusal as a person reads it: rows are numbered from 1."""
    return re.sub(r"(?<!['\"])\brow (-?[0-9]+)", lambda found: f"row {int(found[1]) + 1}", str(refusal))


def label_column(text: str) -> int | str:
    """The label's column as it is typed: a name, or a number from 1."""
    return int(text) - 1 if text.isascii() and text.isdigit() and 0 < len(text) < 10 else text


if __name__ == "__main__":
    sys.exit(main())
