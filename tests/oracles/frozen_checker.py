"""Frozen: the checker as it was exported on 2026-11-19; an independent judge of what replaces it. Never edit it.

Check a proof about labelled points: standard library only, exact, and nothing else is trusted.

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



# Read numbers, labels, and the rows of CSV and svmlight files with the standard library.
#
# `verify`, which trusts nothing else, reads files with this module; so do the other text readers in cases of doubt.
# A text like 0.1 means the nearest binary64 number.
import csv
import hashlib
import math
import os
import re
import shlex
from collections.abc import Iterator, Sequence
from typing import Any, TextIO

LONGEST_LINE, LONGEST_NUMBER = 1 << 26, 2_000
OTHERS = (".parquet", ".arrow", ".npz", ".npy", ".nvc", ".gz", ".zst", ".bz2", ".xz")
LABELS = ("label", "y", "target", "class")  # usual names of the label column of a CSV file; the first has priority
NO_LABEL = ("", "nan")  # missing labels, in lower case; NA and similar may be the name of a class
MISSING = (
    "",
    "na",
    "n/a",
    "nan",
    "null",
    "none",
    "?",
    "#n/a",
    "#na",
    "n.a.",
)  # missing numbers, in lower case
ENDLESS = ("inf", "infinity")
NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE]([+-]?[0-9]+))?")
CUT = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)[eE][+-]?")  # a number whose exponent is missing
_TRUTH = {"true": "1", "True": "1", "TRUE": "1", "false": "0", "False": "0", "FALSE": "0"}

Row = tuple[Any, Any]  # (label, {column: number} or a list of all numbers)


class UnreadableError(ValueError):
    """Numbers, labels or a file that cannot be read; the message says where, and what is wrong."""


# ---- numbers and labels --------------------------------------------------------------------------------------------


def label_text(label: Any) -> str:
    """Return the text of a label, the same for every spelling of the same number.

    Examples
    --------
    >>> [label_text(label) for label in (1, +1.0, True, "1", "+1", "1e0", 0.5, ".50", "spam")]
    ['1', '1', '1', '1', '1', '1', '0.5', '0.5', 'spam']
    """
    if isinstance(label, bytes):
        label = label.decode("utf-8", "surrogateescape")
    plain = label.strip() if isinstance(label, str) else _spelled(label)
    if NUMBER.fullmatch(plain) and len(plain) <= 400:
        if plain.lstrip("+-").isdigit():
            return str(int(plain))
        if math.isfinite(near := float(plain)):
            return str(int(near)) if near == int(near) else repr(near)
    return _TRUTH.get(plain, label) if isinstance(label, str) else plain


def _spelled(label: Any) -> str:
    try:
        return str(int(label)) if label == int(label) else repr(float(label))
    except (TypeError, ValueError, OverflowError):
        raise UnreadableError(f"y: {short(label)} is neither a text nor a finite number") from None


def number_of(value: Any) -> float:
    """Parse a finite binary64 number; raise ValueError for anything else."""
    if isinstance(value, str):
        if len(value) > LONGEST_NUMBER or not NUMBER.fullmatch(value):
            raise ValueError(value)
        value = float(value)
    near = float(value)
    if near != value or math.isinf(near):
        raise ValueError(value)
    return near


# ---- files ---------------------------------------------------------------------------------------------------------


def file_rows(path: Any, how: dict[str, Any]) -> Iterator[Row]:
    """Yield the rows of a CSV or svmlight file; how: hints as in the certificate, each detected if missing."""
    check_plain(path, how)
    read = _svmlight if file_format(path, how.get("format")) == "svmlight" else _csv
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            yield from read(file, str(path), how)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UnreadableError(f"{path}: cannot be read ({why(error)})") from None


def hints_for(path: Any, file: dict[str, Any], label: str | None = None) -> dict[str, Any]:
    """Return the hints for reading a file that a certificate is checked against; label: its column, as typed.

    file: the hints of the certificate. If it is about prepared points, these are of the file that was prepared: that
    file is refused with the command that writes the points, and any other is read without hints.
    """
    own = {} if label is None else {"label": label_column(label)}
    if not file.get("options"):
        return file | own
    if sha256_of(path) == file.get("sha256"):
        raise UnreadableError(
            f"{path}: the certificate is about points prepared with {short(shlex.join(file['options']))}, and this "
            f"checker does not prepare points. Write them by {convert_command(path, file)}, and check prepared.csv; or "
            "use novikoff verify"
        )
    return own


def convert_command(path: Any, file: dict[str, Any]) -> str:
    """Return the command that writes the points of a certificate about a prepared file."""
    named: dict[str, list[str]] = {}
    if os.path.splitext(path)[1] and file.get("format") not in (None, file_format(path).lstrip(".")):
        named["format"] = [file["format"]]
    if "label" in file:
        named["label"] = [str(file["label"] + 1 if isinstance(file["label"], int) else file["label"])]
    if "header" in file:
        named["header" if file["header"] else "no-header"] = []
    if "first_column" in file:
        named["first-column"] = [str(file["first_column"])]
    words = [word for name, values in named.items() for word in ("--" + name, *values)]
    return shlex.join(["novikoff", "convert", str(path), "prepared.csv", *words, *file.get("options", [])])


def sha256_of(path: Any) -> str | None:
    """Return the SHA-256 of a file; None if it cannot be read as one file."""
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None


def check_plain(path: Any, how: dict[str, Any]) -> None:
    """Raise UnreadableError unless the file was read as a plain CSV or svmlight file."""
    if file_format(path, how.get("format")) not in ("csv", "svmlight"):
        raise UnreadableError(
            f"{path}: this checker reads CSV and svmlight files; use novikoff verify, or write one (novikoff convert "
            "DATA data.csv): the same numbers have the same digest"
        )


def file_format(path: Any, hint: str | None = None) -> str:
    """Return the format from the extension, else from the hint: csv, svmlight, or one that is not read here."""
    known = {".csv": "csv", ".tsv": "csv", ".svm": "svmlight", ".svmlight": "svmlight", ".libsvm": "svmlight"}
    ending = os.path.splitext(path)[1]
    return known.get(ending) or (ending if ending in OTHERS else hint or "svmlight")


def _lines(file: TextIO, path: str) -> Iterator[str]:
    for number, line in enumerate(iter(lambda: file.readline(LONGEST_LINE), ""), start=1):
        if len(line) == LONGEST_LINE:
            raise UnreadableError(f"{path}, line {number}: more than {LONGEST_LINE:,} characters")
        yield line


def _csv(file: TextIO, path: str, how: dict[str, Any]) -> Iterator[Row]:
    """Read cells separated by commas (.tsv: tabs); see `label_place` for the label column."""
    table = csv.reader(_lines(file, path), delimiter="\t" if path.endswith(".tsv") else ",")
    width = None
    for cells in table:
        if not cells:
            continue
        if width is None:
            width = len(cells)
            if width == 1:
                raise UnreadableError(_one_column(cells[0].strip(), path))
            at, header = label_place([cell.strip() for cell in cells], path, how)
            if header:
                continue
        if len(cells) != width:
            raise UnreadableError(f"{path}, line {table.line_num}: {len(cells)} cells, {width} as above were expected")
        label = cells.pop(at).strip()
        _check_label(label, path, table.line_num)
        yield label, [_cell(cell, path, table.line_num, j + (j >= at)) for j, cell in enumerate(cells)]


def file_head(path: Any, how: dict[str, Any]) -> tuple[list[str] | None, str | int | None]:
    """Return the names of the columns without the label's, or None, and the label's column: its name or its number.

    path: of a file that was read. A number counts from 0; None if the label has no column (svmlight).
    """
    if file_format(path, how.get("format")) != "csv":
        return None, None
    with open(path, encoding="utf-8-sig", newline="") as file:
        table = csv.reader(_lines(file, str(path)), delimiter="\t" if str(path).endswith(".tsv") else ",")
        cells = [cell.strip() for cell in next(filter(None, table), [])]
    at, header = label_place(cells, str(path), how)
    return ([*cells[:at], *cells[at + 1 :]], cells[at]) if header else (None, at)


def _one_column(cell: str, path: str) -> str:
    """Return the error for a table whose only column is the label."""
    expected = "tabs" if path.endswith(".tsv") else "commas"
    other = next((f" (here is {sign!r})" for sign in (";", "\t", "|", ",") if sign in cell), "")
    return (
        f"{path}: found one column, {short(cell)}; expected {expected} between the cells{other}, a label and one "
        f"number or more in each line; write the file with {expected}"
    )


def _check_label(label: str, path: str, line: int) -> None:
    if label.lower() in NO_LABEL:
        found = f" (found {label!r})" if label else ""
        raise UnreadableError(f"{path}, line {line}: no label{found}; leave the row out, or give it one")


def label_place(cells: list[str], path: str, how: dict[str, Any]) -> tuple[int, bool]:
    """Return the index of the label column, and whether the first line is a header."""
    label, header = how.get("label"), how.get("header")
    if isinstance(label, str):
        if label not in cells:
            near = similar(label, cells)
            raise UnreadableError(f"{path}: no column is named {short(label)}{near}, only {short(', '.join(cells))}")
        at, header = cells.index(label), True
    else:
        at = label if label is not None else [*(usual_places(cells) if header is not False else ()), len(cells) - 1][0]
    if not 0 <= at < len(cells):
        raise UnreadableError(f"{path}: no column {at + 1}; the first is 1, the last {len(cells)}")
    others = [cell for j, cell in enumerate(cells) if j != at]
    if header is None:
        header = is_header(others, cells[at])
    if header is None:
        raise UnreadableError(f"{path}: {either(cells)}")
    if header and is_row(others, cells[at]):
        raise UnreadableError(f"{path}: {a_row(cells)}")
    if header and not isinstance(label, str) and len(set(cells)) < len(cells):
        raise UnreadableError(f"{path}: two columns have the same name; rename one, or {NO_HEADER}")
    return at, header


def usual_places(cells: list[str]) -> list[int]:
    """Return the indices of the usual label names: label before y, target and class."""
    return sorted((j for j, cell in enumerate(cells) if cell.lower() in LABELS), key=lambda j: _rank(cells[j]))


def _rank(name: str) -> int:
    return LABELS.index(name.lower())


def is_header(cells: list[str], label: str) -> bool | None:
    """Return whether a first line is a header, from its number cells and label cell; None if it could be either.

    Names above all numeric columns make a header (an index column may have none), as does a usual label name. But y may
    be a label that means yes, and a word among numbers may be a typing error in a row, whatever the label is.

    Examples
    --------
    >>> [is_header(cells, "kind") for cells in (["a", "b"], ["", "b"], ["5", "7"], ["5", "b"], ["-", "b"])]
    [True, True, False, None, None]
    """
    usual = label.lower() in LABELS and label.lower() != "y"
    names = [is_name(cell) for cell in cells if cell]
    if usual or not any(names):
        return None if label.lower() == "y" else usual
    return True if all(names) else None


def is_row(cells: list[str], label: str) -> bool:
    """Return whether a first line is no header whatever a certificate states: a row would look the same.

    cells: of the columns of numbers. A certificate that calls it a header would prove something of the other rows.
    """
    return bool(cells) and is_header(cells, "" if label.lower() == "y" else label) is False


def a_row(cells: Sequence[str]) -> str:
    """Return the refusal of such a header, for a certificate."""
    return (
        f"the first line, {short(','.join(cells))}, has numbers and no names: for a proof it is a row and no header; "
        "if it is the header, write the file anew (novikoff convert DATA data.csv): the digest is the same"
    )


def is_name(cell: str) -> bool:
    """Return whether a cell can be the name of a numeric column: a word, but not one for a missing or infinite number.

    Punctuation without a letter is not a name, nor is a number, even if truncated (1e).
    """
    plain = cell.lower().lstrip("+-")
    number = NUMBER.fullmatch(cell) or CUT.fullmatch(cell)
    return any(map(str.isalpha, cell)) and plain not in (*MISSING, *ENDLESS) and not number


NO_HEADER = "header=False"  # how to state that the first line is a row


def either(cells: list[str]) -> str:
    """Return advice for a first line that could be a header or a row."""
    return (
        f"found {short(','.join(cells))} in the first line, which could be a header or a row (numbers and words); "
        "header=True or header=False says which"
    )


def only_once(label: str) -> str:
    """Return advice for a first line of words whose label occurs in no other row."""
    return (
        f"the class {short(label)} is only in the first line, which was read as a row: is it a header? "
        "header=True or header=False says which"
    )


def _svmlight(file: TextIO, path: str, how: dict[str, Any]) -> Iterator[Row]:
    """Read lines of a label and column:number pairs; columns count from 1, or from 0 if there is a column 0."""
    first = how.get("first_column")
    if first is None:
        first = int(not any(re.search(r"\s0+:", line.partition("#")[0]) for line in _lines(file, path)))
        file.seek(0)
    for number, line in enumerate(_lines(file, path), start=1):
        words = line.partition("#")[0].split()
        if words and ":" in words[0]:
            raise UnreadableError(
                f"{path}, line {number}: {short(words[0])} is not a label; a label before the pairs was expected"
            )
        _check_label(words[0] if words else "0", path, number)
        x: dict[int, Any] = {}
        for pair in words[1:]:
            column, colon, value = pair.partition(":")
            j = int(column) - first if colon and column.isascii() and column.isdigit() and len(column) < 19 else -1
            if j < 0 or j in x:
                raise UnreadableError(
                    f"{path}, line {number}: {short(pair)} is not column:number, or the column occurs twice"
                )
            x[j] = _cell(value, path, number, j)
        if words:
            yield words[0], x


def _cell(text: str, path: str, line: int, column: int) -> float:
    try:
        return number_of(text.strip())
    except ValueError:
        where, plain = f"{path}, line {line}, column {column + 1}", text.strip()
        if plain.lower() in MISSING:
            found = f"{plain!r}, a missing number" if plain else "an empty cell"
            raise UnreadableError(
                f"{where}: {found}; a number was expected; fill it in, or leave the row out"
            ) from None
        raise UnreadableError(f"{where}: {short(text)} is not a binary64 number") from None


def label_column(text: str) -> int | str:
    """Parse the label column as typed: a name, or a number from 1."""
    return int(text) - 1 if text.isascii() and text.isdigit() and 0 < len(text) < 10 else text


# ---- words ---------------------------------------------------------------------------------------------------------


def plane_of(bias: bool) -> str:
    """Return what a claim is about: without a bias every plane goes through the origin."""
    return "plane" if bias else "plane through the origin"


def short(value: Any) -> str:
    """Return what was found, shortened if it is long."""
    text = repr(value[:60] if isinstance(value, str | list | tuple) else value)
    return text if len(text) <= 80 else f"{text[:60]}…"


def similar(name: Any, names: Any) -> str:
    """Return a hint at the column whose name differs only in case, spaces and punctuation; '' if there is none."""
    letters = [re.sub(r"[\W_]", "", str(one)).casefold() for one in (name, *names)]
    near = [one for one, text in zip(names, letters[1:], strict=True) if text and text == letters[0] and one != name]
    return f" (did you mean {short(near[0])}?)" if near else ""


def shown(text: str) -> str:
    """Return a name or a label as it is, or as `short` shows it if it is long or would not stay in its line."""
    return text if text.isprintable() and len(text) <= 60 else short(text)


def why(error: BaseException) -> str:
    """Return the system's error message in one line."""
    return " ".join((getattr(error, "strerror", None) or str(error) or type(error).__name__).split())[:200]


# Parts of every check of a certificate: its JSON, exact rows, spans, and the digest of the data.
#
# Standard library only, as `verify`, which these parts are written into when it is exported as one file.
import hashlib
import json
import math
import re
import struct
from collections.abc import Iterable
from typing import Any, NamedTuple, NoReturn


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


# Read a certificate of a separation: of a regression, as `separation_check` describes it.
#
# Standard library only, as `verify`.
from collections.abc import Sequence
from typing import Any, NamedTuple


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


# Check a proof about a regression: which rows are separated, and which estimates are finite, infinite or neither.
#
# A row x (with a last 1 if there is a bias) and its response make one vector z or more. Classes are numbered from 0, the
# reference; b is a vector with a part for each class k > 0, and e_k puts x into the part k (e_0 is zero):
#
#     labels       z = x ⊗ (e_y − e_c) for the class y of the row and every other class c
#     successes    of counts trials: c = 0 if y > 0, and c = 1 if y < counts, with the other class in place of y
#     proportions  c = 0 if y > 0, and c = 1 if y < 1; no vector without trials
#     frequencies  as labels; no vector if counts is 0
#     poisson      c = 1, and c = 0 if y > 0
#
# So (row, c) names z: "against c". The likelihood rises with every z·b. C = {b : z·b ≥ 0 for all z}, with 0 for aliased
# columns. The certificate has *directions* in C. A vector z is *separated* if the first direction has z·b > 0. Weights
# λ > 0 on *held* vectors with Σ λ·z = 0 hold these, and all in their span O: z·b = 0 for every b in C.
#
#     kind         complete: all z are separated; overlap: none is, all are held; quasi-complete: each is one or the other
#     finite       the coordinate j of b is in O, as a vector: b_j = 0 for all b in C
#     +inf         factor·b_j = Σ weights·z·b for all b, up to O, with weights > 0: b_j ≥ 0 for all b in C, and > 0 for
#                  the first direction: the likelihood reaches its supremum only as b_j grows beyond all bounds
#     -inf         the same with −factor
#     not-unique   some direction has b_j > 0, and another has b_j < 0
#     aliased      factor·x_j = Σ weights·x_on in every row that has a vector
#
# (Albert and Anderson 1984 for labels; Correia, Guimarães and Zylkin 2019 for Poisson.)
#
# The certificate: format "novikoff-certificate/3" · claim, the kind · data {digest, n, d, bias, numbers, file} ·
# response {family, classes (texts, or null), counts (a column of the data that is not one of the model, or null)} · names
# (of the columns; the bias is the last) · coefficients (by class, and in it by column: one of the words above, undecided,
# or null for the column of counts) · aliased [{column, factor, on, weights}] · directions · held, held_against,
# held_weights · limits [{coefficient, factor, rows, against, weights}]. Integers are strings, places are numbers from 0.
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple


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
