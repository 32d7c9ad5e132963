"""Parts of every check of a certificate: its JSON, exact rows, spans, and the digest of the data.

Standard library only, as `verify`, which these parts are written into when it is exported as one file.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import struct
from collections.abc import Iterable
from typing import Any, NamedTuple, NoReturn

from novikoff.data.plain_files import UnreadableError, number_of, short, why

BLOCK = 4096  # rows
LARGEST_FILE = 1 << 26  # bytes of a certificate
MOST_DIGITS = 100_000  # of an integer in a certificate
MOST_LISTS, MOST_ENTRIES = 10_000, 5_000_000  # "[" and "{", "," in a certificate
PRIME = 2**61 - 1
_WHOLE = re.compile(r"0|-?[1-9][0-9]*")

Point = dict[int, Any]  # column: a number that is not zero (float, or Fraction)


class CertificateError(ValueError):
    """A certificate that proves nothing about these data; the message says what fails.

    Examples
    --------
    >>> import novikoff as nv
    >>> X, y = nv.example("xor")
    >>> try:
    ...     nv.verify(nv.decide(X, y), X, -y)
    ... except nv.CertificateError as error:
    ...     print(str(error).partition(":")[0])
    other data
    """


class MalformedError(CertificateError, UnreadableError):
    """A certificate that cannot be read."""


class About(NamedTuple):
    """The points that a certificate is about."""

    digest: str
    n: int
    d: int
    bias: bool
    file: dict[str, Any]


def about_of(data: dict[str, Any]) -> About:
    """Return the description of the points in a certificate; raise MalformedError unless it is well formed."""
    n, d, bias, numbers, file = (data.get(name) for name in ("n", "d", "bias", "numbers", "file"))
    if type(n) is not int or type(d) is not int or not (0 < n < 2**63 and 0 < d < 2**63) or type(bias) is not bool:
        raise MalformedError("data: n and d must be counts, bias true or false")
    if numbers != "binary64" or not isinstance(file, dict | None):
        raise MalformedError("data: numbers must be binary64, file an object")
    digest = data.get("digest")
    if not isinstance(digest, str) or not re.fullmatch("[0-9a-f]{64}", digest):
        raise MalformedError("data: the digest must be 64 hexadecimal digits")
    return About(digest, n, d, bias, file or {})


def check_hints(file: dict[str, Any]) -> dict[str, Any]:
    """Check how the file was read: format, label (a name or number), header or not, first_column 0 or 1.

    And options, with which novikoff itself can read the file.
    """
    kinds: dict[str, tuple[type, ...]] = {"sha256": (str,), "format": (str,), "label": (str, int), "header": (bool,)}
    kinds |= {"first_column": (int,), "options": (list,)}
    check_known(file, "file", " ".join(kinds))
    for name, value in file.items():
        if type(value) not in kinds[name]:
            raise MalformedError(f"file: {name} is {short(value)}")
    if not all(type(word) is str for word in file.get("options", [])):
        raise MalformedError("file: options must be words")
    return file


def read_json(path: Any) -> dict[str, Any]:
    """Return the object of a JSON file; reject huge or deep files, floats, long numbers and repeated names."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len({name for name, _ in pairs}) < len(pairs):
            raise ValueError("a name is there twice")
        return dict(pairs)

    def whole(text: str) -> int:
        return int(text) if len(text) < 20 else refuse(text)

    def refuse(text: str) -> NoReturn:
        raise ValueError(f"{short(text)} where a small whole number or a text is expected")

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
        raise MalformedError(f"{path}: not a certificate that can be read ({why(error)})") from None


def check_data(certificate: Any, digest: str, n: int, strange: str | None) -> None:
    """Raise CertificateError unless the rows read are those of the certificate. strange: what is wrong in one."""
    if digest != certificate.digest or n != certificate.n:
        raise CertificateError(
            f"other data: their digest is {digest} ({n} rows), "
            f"the certificate is about {certificate.digest} ({certificate.n} rows)"
        )
    if strange:
        raise CertificateError(strange)


def check_known(record: dict[str, Any], where: str, names: str) -> None:
    for name in record:
        if name not in names.split():
            raise MalformedError(f"{where}: a field {short(name)} is not known")


def integer_of(text: Any, where: str) -> int:
    if not isinstance(text, str) or len(text) > MOST_DIGITS or not _WHOLE.fullmatch(text):
        raise MalformedError(f"{where}: {short(text)} is not an integer as text of at most {MOST_DIGITS:,} digits")
    return -_digits(text[1:]) if text[0] == "-" else _digits(text)


def _digits(text: str) -> int:
    """Convert a long number by halves: Python limits the digits of one conversion."""
    half = len(text) // 2
    return int(text) if len(text) <= 600 else _digits(text[:-half]) * 10**half + _digits(text[-half:])


# ---- exact rows ----------------------------------------------------------------------------------------------------


class Whole(NamedTuple):
    """A row z times a positive integer that makes it whole."""

    scale: int
    z: dict[int, int]


def whole_row(x: Point, sign: int, d: int, bias: bool) -> Whole:
    """Return sign·(x, 1) in integers; the bias is column d."""
    ratios = {j: value.as_integer_ratio() for j, value in x.items()}
    scale = math.lcm(*(q for _, q in ratios.values()))
    z = {j: sign * p * (scale // q) for j, (p, q) in ratios.items()}
    return Whole(scale, z | {d: sign * scale} if bias else z)


def weighted_sum(terms: list[tuple[int, Whole]]) -> Whole:
    """Return Σ weight·z."""
    common, total = math.lcm(*(row.scale for _, row in terms)), dict[int, int]()
    for weight, (scale, z) in terms:
        for j, value in z.items():
            total[j] = total.get(j, 0) + weight * (common // scale) * value
    return Whole(common, total)


def check_zero_sum(name: str, terms: list[tuple[int, Whole]]) -> None:
    """Raise CertificateError unless Σ weight·z = 0."""
    if any(weighted_sum(terms).z.values()):
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
        """Return den·z − Σ z_p·row_p over the pivots p: empty exactly when z is in the span."""
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
    """Return a lower bound of the rank: a minor that is not 0 modulo a prime is not 0. 0 if there are too few rows.

    A row is one long integer with `size` bytes for each column, so that adding a multiple of another is one product;
    the sums of `width` such products fit, and are reduced modulo the prime at the end.
    """
    pivots: dict[int, int] = {}  # column: a row with 1 there and 0 before
    size = (2 * prime.bit_length() + width.bit_length()) // 8 + 1
    for z in rows if len(rows) >= width else ():
        row = _packed([z.get(j, 0) % prime for j in range(width)], size)
        for p in sorted(pivots):
            if factor := (row >> (8 * size * p) & ((1 << 8 * size) - 1)) % prime:
                row += (prime - factor) * pivots[p]
        raw = row.to_bytes(size * width, "little")
        left = [int.from_bytes(raw[k : k + size], "little") % prime for k in range(0, len(raw), size)]
        p = next((j for j, a in enumerate(left) if a), width)
        if p < width:
            inverse = pow(left[p], -1, prime)
            pivots[p] = _packed([a * inverse % prime for a in left], size)
    return len(pivots)


def _packed(numbers: list[int], size: int) -> int:
    return int.from_bytes(b"".join(a.to_bytes(size, "little") for a in numbers), "little")


# ---- the data ------------------------------------------------------------------------------------------------------


class Digest:
    """The digest of rows that are added one by one."""

    def __init__(self, d: int) -> None:
        self.n, self._d = 0, d
        self._block, self._blocks = hashlib.sha256(), list[bytes]()

    def add(self, label: str, x: Point) -> None:
        """Add a row: the label's text, and the numbers that are not zero."""
        pairs = sorted(x.items())
        body = struct.pack("<" + "Qd" * len(pairs), *(word for pair in pairs for word in pair))
        self._block.update(_text(label) + _word(len(pairs)) + body)
        self.n += 1
        if self.n % BLOCK == 0:
            self._blocks.append(self._block.digest())
            self._block = hashlib.sha256()

    def hexdigest(self) -> str:
        """Return the digest of the rows so far."""
        blocks = [*self._blocks, self._block.digest()] if self.n % BLOCK else self._blocks
        head = _text("novikoff-digest/1 binary64") + _word(self.n) + _word(self._d)
        return hashlib.sha256(head + b"".join(blocks)).hexdigest()


def _word(count: int) -> bytes:
    return struct.pack("<Q", count)


def _text(text: str) -> bytes:
    raw = text.encode("utf-8", "surrogatepass")
    return _word(len(raw)) + raw + bytes(-len(raw) % 8)


def point_of(numbers: Any, row: int, d: int) -> Point:
    """Return the numbers of a row that are not zero, by column."""
    if not isinstance(numbers, dict) and len(numbers) != d:
        raise CertificateError(f"other data: row {row} has {len(numbers)} columns, the certificate speaks of {d}")
    out: Point = {}
    for j, value in numbers.items() if isinstance(numbers, dict) else enumerate(numbers):
        if not 0 <= j < d:
            raise CertificateError(f"other data: row {row} has a column {j}, the certificate speaks of {d} from 0 on")
        try:
            if number := number_of(value):
                out[j] = number
        except (ValueError, TypeError, ArithmeticError):
            raise UnreadableError(f"X: row {row}, column {j}: {short(value)} is not a binary64 number") from None
    return out
