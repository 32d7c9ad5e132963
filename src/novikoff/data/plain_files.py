"""Read numbers, labels, and the rows of CSV and svmlight files with the standard library.

`verify`, which trusts nothing else, reads files with this module; so do the other text readers in cases of doubt.
A text like 0.1 means the nearest binary64 number.
"""

from __future__ import annotations

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
