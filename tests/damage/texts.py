"""Lies in texts made by grammar: svmlight. One place of a right text is wrong."""

from __future__ import annotations

import random
import re
from pathlib import Path

from damage.arrays import CLASSES, TABLE
from damage.meaning import NUMBER, Points, RefusedError, Row, float_of, labels_of
from damage.pairs import Lie, asked_of_points, made

NUMBERS = ["", "nan", "NaN", "inf", "-inf", "infinity", "0x10", "1_000", "1,5", "1e400", "-1e400", "1e-400", "1e", "e5",
           ".", "+", "-", "--1", "+-1", "1.5.5", ".5", "5.", "+5", "-0", "0.1", "1e5", "1E+05", "1e00005", "9" * 400,
           "0." + "1" * 400, "0" * 3000 + "1", "1" + "0" * 20, "179769313486231580793e289", "4.9e-324", "2e-324",
           "9007199254740993", "0.1e1", "١",
           "１", "½", "1\u00a0", "\u20091", "1d5", "1f", "true", "null", "None", "1 2",
           "1:2", "\0", "1\0", '"1"', "1e308", "1e200"]  # fmt: skip
COLUMNS = ["", "0", "-1", "+1", "1", "2", "5", "00001", "1.0", "1e0", "2147483646", "2147483647", "2147483648",
    "4294967296",
           "999999999999", "999999999999999999", "1000000000000000000", "9223372036854775808", "18446744073709551617",
           "9" * 100, "0" * 30 + "2", "x", "qid", "Qid", "١", "２", "0x1", " 3", "3 ", "1_0", "#", "-0", "40",
           "3000"]  # fmt: skip
LABELS = ["", "nan", "NaN", "+1", "1.0", "-1", "1e0", "0x1", "inf", "true", "é", "日本", "1:1", ":", "#", "a#b", "'a'",
    "qid:1",
          "9" * 30, "9007199254740992", "9007199254740993", "\0", "a\0b", "1,2", "?", "NA", "a" * 5000, "1|", "-0",
          "0"]  # fmt: skip
ENDS = [
    "\r\n",
    "\r",
    "\n\n",
    " \n",
    "\t\n",
    "\x0b\n",
    "\x0c\n",
    "\x1c\n",
    "\u2028",
    "\u0085",
    "\n \n",
    "\n#\n",
    "\n\r\n",
    "",
]
BOM, WEIRD = "\ufeff", [b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xff\xfe", b"\x1f\x8b", b"\x00" * 8]


def honest() -> None:
    """The model for the rows."""
    Path("honest.svm").write_bytes(joined(_svmlight_lines()))
    made("fit", "honest.svm", "--max-passes", "3", "--quiet", "-o", "svm.nvk")


def joined(lines: list[str], end: str = "\n") -> bytes:
    return "".join(line + end for line in lines).encode("utf-8", "surrogatepass")


def written(name: str, chance: random.Random, lines: list[str], end: str, field: str) -> bytes:
    """The file's bytes; damage to all of it is done here."""
    data = joined(lines, end)
    if field == "byte order mark":
        data = chance.choice([BOM.encode(), BOM.encode() * 2, BOM.encode("utf-16-le"), b"\n" + BOM.encode()]) + data
    elif field == "bytes":
        at = chance.randrange(len(data) + 1)
        data = data[:at] + chance.choice(WEIRD) + data[at:]
    elif field == "no last line end":
        data = data.rstrip(b"\n")
    elif field == "UTF-16":
        data = data.decode("utf-8", "replace").encode(chance.choice(["utf-16", "utf-16-le"]))
    Path(name).write_bytes(data)
    return data


WHOLE = ["byte order mark", "bytes", "no last line end", "UTF-16", "line ends", "no lie"]


# ---- svmlight ------------------------------------------------------------------------------------------------------


def _svmlight_lines() -> list[str]:
    return [
        " ".join([str(label), *(f"{j + 1}:{value:g}" for j, value in enumerate(row) if value or j == 3)])
        for label, row in zip(CLASSES.tolist(), TABLE.tolist(), strict=True)
    ]


def svmlight(chance: random.Random) -> Lie:
    """A lie in an svmlight file."""
    lines, end, value = _svmlight_lines(), "\n", "none"
    at = chance.randrange(len(lines))
    label, *pairs = lines[at].split()
    k = chance.randrange(len(pairs)) if pairs else 0
    field = chance.choice(["number", "number", "column", "column", "label", "pair", "row", "comment", "qid",
        "many pairs",
                           *WHOLE])  # fmt: skip
    if field == "number" and pairs:
        value = chance.choice(NUMBERS)
        pairs[k] = pairs[k].partition(":")[0] + ":" + value
    elif field == "column" and pairs:
        value = chance.choice(COLUMNS)
        pairs[k] = value + ":" + pairs[k].partition(":")[2]
    elif field == "label":
        label = value = chance.choice(LABELS)
    elif field == "pair":
        value = chance.choice(
            ["3", ":", "1:", ":1", "::", "1::2", "1 :2", "1: 2", "1:2:3", "1:2,2:3", "1=2", "1:2;", "a:b", "1"]
        )
        pairs[k:k] = [value]
    elif field == "row":
        value = chance.choice(
            ["", "   ", "#", "# only a comment", "1", "1 #", ":", "1:1", "qid:1", "\0", "\t", "1 " * 50]
        )
        lines.insert(at, value)
    elif field == "comment":
        value = chance.choice(["#", " #", " # 9:9", "#9:9", " #\0", " # é", "# # #", " \u2028"])
        pairs.append(value)
    elif field == "qid":
        value = chance.choice(["qid:7", "qid:", "qid:x", "qid:1 qid:2", "qid", "qid:9999999999999999999999", "QID:7"])
        pairs[(0 if chance.random() < 0.7 else k) :][:0] = [value]
        pairs.insert(0 if chance.random() < 0.7 else k, value)
    elif field == "many pairs":  # of few bytes each: more than a reader may have room for
        value = chance.choice(["1:", "1: ", "1:1", "1:.", ":", "1", "9:"]) + " " * chance.randrange(3)
        lines[at] = f"{label} " + (value + " ") * chance.choice([3, 40, 400, 1500])
    elif field == "line ends":
        end = value = chance.choice(ENDS)
    if field not in ("row", "many pairs"):
        lines[at] = " ".join([label, *pairs])
    data = written("bad.svm", chance, lines, end, field)
    pairs_asked = asked_of_points("bad.svm", "svm.nvk", _svmlight_meaning(data), field == "no lie",
                                  _svmlight_meaning(data, first=1))  # fmt: skip
    return Lie("svmlight", field, repr(value)[:60], pairs_asked)


def _svmlight_meaning(data: bytes, first: int | None = None) -> Points | RefusedError:
    """By the description of the format; first: the number of the first column, else 0 if a column 0 is there."""
    rows: list[dict[int, float]] = []
    labels: list[str] = []
    try:
        if data.startswith(BOM.encode()):
            data = data[3:]
        for line in data.split(b"\n"):
            words = [word for word in re.split(rb"[ \t\r]+", line.partition(b"#")[0]) if word]
            if not words:
                continue
            row, pairs = _svmlight_row(words)
            labels.append(row)
            rows.append(pairs)
    except RefusedError as why:
        return why
    if not rows:
        return RefusedError("no rows")
    lowest = min((j for row in rows for j in row), default=1)
    first = (0 if lowest == 0 else 1) if first is None else first
    if lowest < first:
        return RefusedError("column 0, but in the first rows columns are numbered from 1")
    widest = max((j for row in rows for j in row), default=first)
    shifted: list[Row] = [{j - first: v for j, v in row.items() if v} for row in rows]
    return Points(shifted, widest - first + 1, labels_of(labels), sparse=True)


def _decoded(word: bytes) -> str:
    """UTF-8, or Latin-1 where it is not."""
    try:
        return word.decode("utf-8")
    except UnicodeDecodeError:
        return word.decode("latin-1")


def _svmlight_row(words: list[bytes]) -> tuple[str, dict[int, float]]:
    label, *pairs = map(_decoded, words)
    if ":" in label or any(ord(c) < 32 for word in [label, *pairs] for c in word):
        raise RefusedError(f"no label: {label!r:.40}")
    row: dict[int, float] = {}
    for pair in pairs:
        column, colon, number = pair.partition(":")
        if not colon or not re.fullmatch("[0-9]+", column) or not NUMBER.fullmatch(number):
            raise RefusedError(f"no pair: {pair!r:.40}")
        if int(column) in row:
            raise RefusedError(f"column {column} twice")
        if row and int(column) < max(row):
            raise RefusedError(f"column {column} after a later one")
        row[int(column)] = float_of(number)
    return label, row
