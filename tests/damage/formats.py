"""The formats of files and how one field of each is made to lie: `FORMATS` names what writes the honest files, and what
makes a lie; the answers are judged by the readers of `meaning`.
"""

from __future__ import annotations

import datetime
import decimal
import io
import json
import os
import random
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import scipy.sparse
from safetensors.numpy import load, load_file, save

import novikoff as nv
from commands import Told
from damage.meaning import Points, RefusedError, float_of, label_of, labels_of, scores_of, svmlight_points
from damage.mutate import lie_in_array, lie_in_labels, lie_in_record, put_together, taken_apart
from damage.pairs import Lie, Pair, archive, asked_of_points, made
from data.forgeries import forgeries
from data.limits import limits
from oracles import certificate_oracle as oracle

Arrays = dict[str, Any]
ROWS = (
    (2, 1, 0, 0),
    (0, 0, -3, 0),
    (1, 0, 2, 0),
    (0, -2, 0, 0),
    (4, 0, 0, 1),
    (0, 3, 1, 0),
    (0, 0, 0, 0),
    (-1, 0, 5, 2),
)
TABLE, CLASSES, THREE = np.array(ROWS, float), np.array([1, -1] * 4), np.array([0, 1, 2, 0, 1, 2, 0, 1])
LADDER = np.diag(
    [1.0, -2.0, 3.0, -1.0, 2.0, -3.0, 1.0, -1.0]
)  # columns rise: false starts of rows are not seen in them
N, NAMES = len(TABLE), ["a", "b", "c", "d"]
FIT = ("--max-passes", "3", "--quiet", "-o")


def csr_parts(X: np.ndarray) -> Arrays:
    """The arrays that SciPy writes for compressed sparse rows."""
    file = io.BytesIO()
    scipy.sparse.save_npz(file, scipy.sparse.csr_array(X))
    file.seek(0)
    with np.load(file) as found:
        return {name: found[name] for name in found.files}


def answered(path: Path, read: Callable[[Path], Points]) -> Points | RefusedError:
    """What an independent reader finds in a file, or why it refuses."""
    try:
        return read(path)
    except RefusedError as why:
        return why
    except (
        ValueError,
        KeyError,
        OSError,
        OverflowError,
        SyntaxError,
        TypeError,
        MemoryError,
        pa.ArrowException,
    ) as error:
        return RefusedError(str(error)[:80])


# ---- .npz ------------------------------------------------------------------------------------------------------------

WORDS: list[Any] = [b"csr", "csc", b"coo", "lil", "", 7, [b"csr"], b"\xff", "CSR", "csr ", "__class__", b"csr\0\0\0"]


def honest_npz() -> None:
    np.savez("honest.npz", X=TABLE, y=CLASSES)
    made("fit", "honest.npz", *FIT, "model.nvk")


def npz(chance: random.Random) -> Lie:
    kind = chance.choice(("dense", "csr", "csr"))
    parts: Arrays = ({"X": TABLE.copy()} if kind == "dense" else csr_parts(TABLE)) | {"y": CLASSES.copy()}
    name = chance.choice([*parts, *parts, "no lie"])
    if name == "no lie":
        value = "none"
    elif chance.random() < 0.04:
        value = "missing"
        del parts[name]
    elif name == "y":
        value, parts[name] = lie_in_labels(chance, parts[name])
    elif name in ("format", "_is_array"):
        parts[name] = np.array(chance.choice([*WORDS, False, [True, False], np.nan]))
        value = repr(parts[name].tolist())
    else:
        value, parts[name] = lie_in_array(chance, parts[name], True, starts=name == "indptr")
    np.savez("bad.npz", **parts, allow_pickle=True)  # an object array is written as a pickle, which no reader may open
    found = answered(Path("bad.npz"), archive)
    return Lie("npz", f"{kind} {name}", value, asked_of_points("bad.npz", "model.nvk", found, name == "no lie"))


# ---- svmlight --------------------------------------------------------------------------------------------------------


def words(text: str, *more: str) -> list[str]:
    """The words between single spaces, and these."""
    return [*text.split(" "), *more]


NUMBERS = words(
    " nan NaN inf -inf infinity 0x10 1_000 1,5 1e400 -1e400 1e-400 1e e5 . + - --1 +-1 1.5.5 .5 5. +5 -0 0.1 1e5 1E+05"
    " 1e00005 179769313486231580793e289 4.9e-324 2e-324 9007199254740993 0.1e1 ١ １ ½ 1\u00a0 \u20091 1d5 1f true null"
    ' None 1:2 \0 1\0 "1" 1e308 1e200',
    *("1 2", "9" * 400, "0." + "1" * 400, "0" * 3000 + "1", "1" + "0" * 20),
)
COLUMNS = words(
    " 0 -1 +1 1 2 5 00001 1.0 1e0 2147483646 2147483647 2147483648 4294967296 999999999999 999999999999999999 40 3000"
    " 1000000000000000000 9223372036854775808 18446744073709551617 x qid Qid ١ ２ 0x1 1_0 # -0",
    *(" 3", "3 ", "9" * 100, "0" * 30 + "2"),
)
LABELS = words(
    " nan NaN +1 1.0 -1 1e0 0x1 inf true é 日本 1:1 : # a#b 'a' qid:1 9007199254740992 9007199254740993 \0 a\0b 1,2 ?"
    " NA 1| -0 0",
    *("9" * 30, "a" * 5000),
)
PAIRS = words("3 : 1: :1 :: 1::2 1:2:3 1:2,2:3 1=2 1:2; a:b 1 qid:7 qid: qid:x qid QID:7", "1 :2", "1: 2")
LINES = ["", "   ", "#", "# only a comment", "1", "1 #", ":", "1:1", "qid:1", "\0", "\t", "1 " * 50]
COMMENTS = ["#", " #", " # 9:9", "#9:9", " #\0", " # é", "# # #", " \u2028"]
ENDS = ["\r\n", "\r", "\n\n", " \n", "\t\n", "\x0b\n", "\x0c\n", "\x1c\n", "\u2028", "\u0085", "\n \n", "\n#\n", ""]
MARKS = [
    b"\xef\xbb\xbf",
    b"\xef\xbb\xbf" * 2,
    b"\xff\xfe",
    b"\n\xef\xbb\xbf",
    b"\xff",
    b"\xc3",
    b"\xed\xa0\x80",
    b"\x1f\x8b",
]
SVMLIGHT = words(
    "number number number column column column label pair row comment many end mark bytes last UTF-16 no_lie"
)


def svmlight_lines() -> list[str]:
    rows = zip(CLASSES.tolist(), TABLE.tolist(), strict=True)
    return [" ".join([f"{c}", *(f"{j + 1}:{v:g}" for j, v in enumerate(x) if v or j == 3)]) for c, x in rows]


def honest_svmlight() -> None:
    Path("honest.svm").write_text("".join(f"{line}\n" for line in svmlight_lines()))
    made("fit", "honest.svm", *FIT, "svm.nvk")


def svmlight(chance: random.Random) -> Lie:
    lines, end, field = svmlight_lines(), "\n", chance.choice(SVMLIGHT)
    at = chance.randrange(N)
    label, *pairs = lines[at].split()
    k, value = chance.randrange(len(pairs)), ""
    column, _, number = pairs[k].partition(":")
    if field == "number":
        value = chance.choice(NUMBERS)
        pairs[k] = f"{column}:{value}"
    elif field == "column":
        value = chance.choice(COLUMNS)
        pairs[k] = f"{value}:{number}"
    elif field == "label":
        label = value = chance.choice(LABELS)
    elif field == "pair":
        value = chance.choice(PAIRS)
        pairs.insert(0 if chance.random() < 0.5 else k, value)
    elif field == "comment":
        value = chance.choice(COMMENTS)
        pairs.append(value)
    elif field == "many":  # of few bytes each: more than a reader may have room for
        value = chance.choice(["1:", "1: ", "1:1", "1:.", ":", "1", "9:"]) + " " * chance.randrange(3)
        pairs = [value] * chance.choice([3, 40, 400, 1500])
    lines[at] = " ".join([label, *pairs])
    if field == "row":
        value = chance.choice(LINES)
        lines.insert(at, value)
    elif field == "end":
        end = value = chance.choice(ENDS)
    data = "".join(line + end for line in lines).encode("utf-8", "surrogatepass")
    if field in ("mark", "bytes"):
        mark = chance.choice(MARKS)
        at, value = (0 if field == "mark" else chance.randrange(len(data) + 1)), repr(mark)
        data = data[:at] + mark + data[at:]
    elif field == "last":
        data = data.rstrip(b"\n")
    elif field == "UTF-16":
        data = data.decode("utf-8", "replace").encode(chance.choice(["utf-16", "utf-16-le"]))
    Path("bad.svm").write_bytes(data)
    found = [svmlight_points(data, first) for first in (None, 1)]
    return Lie(
        "svmlight",
        field,
        repr(value)[:60],
        asked_of_points("bad.svm", "svm.nvk", found[0], field == "no_lie", found[1]),
    )


# ---- Parquet and Arrow -----------------------------------------------------------------------------------------------


def honest_table() -> None:
    _write(_table(), "honest.parquet")
    made("fit", "honest.parquet", *FIT, "model.nvk")


def _table() -> Any:
    return pa.table({name: TABLE[:, j] for j, name in enumerate(NAMES)} | {"label": CLASSES})


def _columns(chance: random.Random) -> dict[str, Any]:
    """A column of each type of Arrow."""
    whole, at, day = [int(v) for v in TABLE[:, 0]], chance.randrange(N), datetime.datetime(2020, 1, 1)
    holes = [None if i == at else v for i, v in enumerate(whole)]
    plain = {kind: pa.array(whole).cast(kind) for kind in ("int8", "int16", "float", "string", "large_string", "bool")}
    odd = {
        f"{value}": [value if i == at else float(v) for i, v in enumerate(whole)] for value in (np.nan, np.inf, 1e300)
    }
    texts = {f"texts {a!r} {b!r}": [a, b] * (N // 2) for a, b in TEXT_LABELS}
    return plain | {name: pa.array(values) for name, values in (odd | texts).items()} | {
        "uint64": pa.array([abs(v) for v in whole], pa.uint64()), "int64 large": pa.array([2**53 + 1] * N),
        "uint64 large": pa.array([2**64 - 1 - v * v for v in whole], pa.uint64()),
        "float16": pa.array(TABLE[:, 0].astype("f2")),
        "decimal": pa.array([decimal.Decimal(v) for v in whole], pa.decimal128(10, 2)),
        "decimal256": pa.array([decimal.Decimal(v) for v in whole], pa.decimal256(60, 2)),
        "timestamp": pa.array([day] * N), "date": pa.array([day.date()] * N), "time": pa.array([day.time()] * N),
        "duration": pa.array([datetime.timedelta(1)] * N), "null": pa.nulls(N), "binary": pa.array([b"\xff"] * N),
        "list": pa.array([[v] for v in whole]), "empty list": pa.array([[]] * N, pa.list_(pa.int64())),
        "struct": pa.array([{"x": v} for v in whole]),
        "fixed list": pa.array([[v, v] for v in whole], pa.list_(pa.int64(), 2)),
        "map": pa.array([[("k", v)] for v in whole], pa.map_(pa.string(), pa.int64())),
        "dictionary": pa.array([str(v) for v in whole]).dictionary_encode(), "hole": pa.array(holes),
        "dictionary of numbers": pa.array(whole).dictionary_encode(),
        "dictionary with a hole": pa.array(holes).dictionary_encode(),
        "float hole": pa.array([None if v is None else float(v) for v in holes]),
        "run ends": pa.RunEndEncodedArray.from_arrays(pa.array([3, N], pa.int32()), pa.array([1.0, 2.0])),
    }  # fmt: skip


TEXT_LABELS: list[tuple[Any, Any]] = [
    *(("no", "yes"), ("é", "日本"), (" a", "a "), ("", "a"), ("nan", "a"), ("+1", "1.0"), ("a,b", '"'), ("a\0", "a")),
    *((b"a", b"b"), ("true", "1"), (None, "a"), ("a\nb", "a")),
]


def table(chance: random.Random) -> Lie:
    ending, step = chance.choice(["parquet", "arrow"]), chance.choice([1, 3, N])
    made_of, columns, value = _table(), _columns(chance), "none"
    fields = ["column"] * 3 + ["label"] * 3 + ["name", "missing", "order", "rows", "bytes", "no lie"]
    field = chance.choice(fields)
    if field in ("column", "label"):
        value = chance.choice(sorted(columns))
        at = 4 if field == "label" else chance.randrange(4)
        made_of = made_of.set_column(at, made_of.column_names[at], columns[value])
    elif field == "name":
        value = chance.choice(["", "a", "label", "Label", "y", "class", "é", "a\0", "e", " a", "x" * 3000])
        names = list(made_of.column_names)
        names[chance.randrange(5)] = value
        made_of = made_of.rename_columns(names)
    elif field == "missing":
        value = chance.choice(made_of.column_names)
        made_of = made_of.drop_columns([value])
    elif field == "order":
        made_of = made_of.select(chance.sample(made_of.column_names, 5))
    elif field == "rows":
        value = repr(chance.choice([0, 1]))
        made_of = made_of.slice(0, int(value))
    target = Path(f"bad.{ending}")
    try:
        _write(made_of, target.name, step)
    except (pa.ArrowException, NotImplementedError):
        field, value = "no lie", "none"
        _write(_table(), target.name, step)
    if field == "bytes":
        value = _lengths_lie(chance, target)
    meaning, known = (answered(target, lambda path, names=names: _table_points(path, names)) for names in (None, NAMES))
    return Lie(ending, field, value, asked_of_points(target.name, "model.nvk", meaning, field == "no lie", known))


def _write(made_of: Any, name: str, step: int = N) -> None:
    if name.endswith("parquet"):
        pq.write_table(made_of, name, row_group_size=max(1, step))
        return
    with pa.OSFile(name, "wb") as file, pa.ipc.new_file(file, made_of.schema) as writer:
        writer.write_table(made_of, max_chunksize=max(1, step))


def _lengths_lie(chance: random.Random, target: Path) -> str:
    """Another number where the head or foot of the file has a small one: counts of rows, lengths, offsets."""
    data = bytearray(target.read_bytes())
    small = [k for k in range(len(data) - 4) if data[k : k + 4] in (bytes([v, 0, 0, 0]) for v in (1, 3, 8, 64))]
    if not small:
        return "none"
    at, new = chance.choice(small), chance.choice([0, 7, 9, 255, 2**16, 2**31 - 1, 2**32 - 1])
    data[at : at + 4] = new.to_bytes(4, "little")
    target.write_bytes(bytes(data))
    return f"[{at}] = {new}"


def _table_points(path: Path, known: list[str] | None) -> Points:
    """What pyarrow reads; known: the columns of a model, which ignores others."""
    if path.suffix == ".parquet":
        found = pq.read_table(path, use_threads=False)
    else:
        with pa.OSFile(str(path)) as file:
            found = pa.ipc.open_file(file).read_all()
    found.validate(full=True)
    names = found.column_names
    usual = [name for word in ("label", "y", "target", "class") for name in names if name.lower() == word]
    label = "label" if known else (usual[0] if usual else names[-1])
    chosen = known or [name for name in names if name != label]
    if len(set(names)) < len(names) or not found.num_rows or not chosen or not set(chosen) <= set(names):
        raise RefusedError("rows or columns")
    columns = [[_number(value) for value in found.column(name).to_pylist()] for name in chosen]
    rows = [{j: column[i] for j, column in enumerate(columns) if column[i]} for i in range(found.num_rows)]
    labels = found.column(label).to_pylist() if label in names else None
    strip = labels and [one.strip() if isinstance(one, str) else one for one in labels]
    return Points(rows, len(chosen), labels_of(strip) if strip else None, names=chosen)


def _number(value: Any) -> float:
    """A number; not a text that looks like one."""
    if not isinstance(value, bool | int | float | decimal.Decimal):
        raise RefusedError(f"no number: {value!r:.40}")
    return float_of(value)


# ---- models: every field of the record and every tensor, under a right SHA-256 ---------------------------------------

BASES = {
    "binary": ("two.npz",), "no bias": ("two.npz", "--no-bias"), "eta": ("two.npz", "--eta", "0.3"),
    "average": ("two.npz", "--keep", "average"), "ova": ("three.npz",), "ovo": ("three.npz", "--multi", "ovo"),
    "joint": ("three.npz", "--multi", "joint"), "vote": ("two.npz", "--keep", "vote"),
    "vote sparse": ("sparse.npz", "--keep", "vote"), "vote ladder": ("ladder.npz", "--keep", "vote"),
    "scale": ("two.csv", "--scale"), "one-hot": ("words.csv", "--one-hot"),
    "text": ("texts.csv", "--text", "b", "--tfidf"), "poly2": ("two.csv", "--features", "poly2"), "widest": (),
}  # fmt: skip
VOTES = ("vote", "vote sparse", "vote ladder")
PREPARED = ("scale", "one-hot", "text", "poly2")
MAILS = ["cash now", "see you", "cash", "lunch", "free cash", "lunch now", "you", "x"]


def honest_nvk() -> None:
    np.savez("two.npz", X=TABLE, y=CLASSES)
    np.savez("three.npz", X=TABLE, y=THREE)
    np.savez("sparse.npz", **csr_parts(TABLE), y=CLASSES)
    np.savez("ladder.npz", **csr_parts(LADDER), y=CLASSES)
    made("convert", "two.npz", "two.csv")
    colours = ["red", "blue", "red", "green"] * 2
    words = zip(colours, MAILS, CLASSES, strict=True)
    Path("words.csv").write_text("a,b,label\n" + "".join(f"{a},{b},{c}\n" for a, b, c in words))
    Path("texts.csv").write_text("b,label\n" + "".join(f"{b},{c}\n" for b, c in zip(MAILS, CLASSES, strict=True)))
    for name, args in BASES.items():
        if args:
            made("fit", *args, *FIT, f"{name}.nvk")
    y = np.where(TABLE @ [3, 1, -1, 1] > 0.5, 1, -1)
    nv.save(nv.MaxMargin().fit(TABLE, y), "widest.nvk")


def lie_in_tensors(chance: random.Random, tensors: Arrays, names: list[str]) -> tuple[str, str]:
    """One tensor is missing, has another name, or lies; as safetensors can hold it."""
    name, way = chance.choice(names), chance.random()
    if way < 0.04:
        del tensors[name]
        return name, "missing"
    if way < 0.08:
        new = chance.choice([f"{name}x", "votes.rows", "votes.x", "trained", "n_mistakes", "preparation.x"])
        tensors[new] = tensors.pop(name)
        return name, f"renamed {new}"
    value, lie = lie_in_array(chance, tensors[name], False, starts=name.endswith("indptr"))
    tensors[name] = np.ascontiguousarray(lie)
    return name, value


def packed(tensors: Arrays, record: Any) -> bytes:
    """A file of these, with the checksum that belongs to them."""
    header, _, data = taken_apart(save(tensors, {"novikoff": "{}"}))
    return put_together(header, record, data)


def nvk(chance: random.Random) -> Lie:
    base = chance.choice((*BASES, *VOTES, *VOTES))
    raw = Path(f"{base}.nvk").read_bytes()
    record, tensors = taken_apart(raw)[1], {name: tensor.copy() for name, tensor in load(raw).items()}
    if chance.random() < 0.02:
        field, value = "no lie", "none"
    elif chance.random() < (0.2 if base in VOTES else 0.6):
        field, value = lie_in_record(chance, record)
    else:
        places = [name for name in tensors if name.endswith(("indptr", "indices"))]
        field, value = lie_in_tensors(chance, tensors, places if places and chance.random() < 0.7 else sorted(tensors))
    Path("bad.nvk").write_bytes(packed(tensors, record))
    rows, honest = (*BASES[base], "two.npz")[0], field == "no lie"
    exact = base not in PREPARED and not field.startswith("preparation")

    def judge(info: Told) -> str | None:
        return predicted(record, tensors, LADDER if base == "vote ladder" else TABLE, exact)

    def nothing(info: Told) -> str | None:
        return None

    predict = ("predict", "bad.nvk", rows, "--quiet", "-o", "out.txt")
    pairs = [
        Pair(predict, judge, honest),
        Pair((*predict, "--scores"), judge, honest),
        Pair(("evaluate", "bad.nvk", rows, "--json"), nothing),
        Pair(("explain", "bad.nvk", rows, "--row", "1", "--json"), nothing),
        Pair(("explain", "bad.nvk", "--json"), nothing, honest),
        Pair(("explain", "bad.nvk"), nothing),
        Pair(("convert", "bad.nvk", "out.onnx"), nothing),
    ]
    return Lie("nvk", f"{base} {field}", value, pairs, loose=not exact)


def predicted(record: Any, tensors: Arrays, X: np.ndarray, exact: bool) -> str | None:
    """A line for each row, with a class of the model; exact: the one that its scores give, as derived from the file.

    Rows near a tie of several classes may have any of them.
    """
    lines = [line.split("\t") for line in Path("out.txt").read_text(encoding="utf-8").splitlines()]
    try:
        labels = [label_of(value) for value in record["classes"]["values"]]
        scores = scores_of(record, tensors, len(labels), X) if exact else []
    except (KeyError, TypeError, ValueError, IndexError, OverflowError, RefusedError) as error:
        return f"answered; an independent reader refuses: {error!r}"
    if len(lines) != len(X) or not {label_of(line[0]) for line in lines} <= set(labels):
        return f"lines {lines}; classes {labels}, rows {len(X)}"
    for k, (line, score) in enumerate(zip(lines, scores, strict=False), start=1):
        if len(labels) == 2:
            upper = score[0] >= 0 if record["parameters"].get("tie") == "positive" else score[0] > 0
            right = {labels[int(upper)]}
        else:
            close = max(score) - 1e-9 * (1 + abs(max(score)))
            right = {label for label, one in zip(labels, score, strict=True) if one >= close}
        floats = [float(one) for one in score]
        if label_of(line[0]) not in right or (
            len(line) > 1 and not np.allclose([*map(float, line[1:])], floats, 1e-9, 1e-9)
        ):
            return f"row {k}: {line}; the scores are {floats}"
    return None


# ---- checkpoints: every value and tensor of the state of a run that goes on ------------------------------------------
#
# Other weights in a state are another run, which nobody can tell from the file. So what is asked is that the run ends
# without a crash, that it is refused or goes on, that what it says of its model is true, and that an unchanged state
# changes no weight.

RUNS = {
    "last": "--keep last", "pocket": "--keep pocket", "average": "--keep average", "first": "--order first --keep last",
    "shuffle": "--order shuffle", "random": "--order random", "batch": "--order batch --keep average",
    "inverse": "--schedule inverse --keep average", "inverse-sqrt": "--schedule inverse-sqrt",
    "margin": "--rule margin",
    "pa": "--rule pa --keep last", "pa1": "--rule pa1 --keep average", "no bias": "--no-bias --keep average",
    "ova": "", "ovo": "--multi ovo", "joint": "--multi joint", "joint average": "--multi joint --keep average",
    "valid": "--valid valid.npz --stall-valid 5", "sparse": "--keep pocket",
}  # fmt: skip
MANY = ("ova", "ovo", "joint", "joint average")
STATES, PASSES = 6, ("--max-passes", "6", "--quiet", "--json")


def _data(name: str) -> str:
    return "many.npz" if name in MANY else "two.svm" if name == "sparse" else "two.npz"


def honest_checkpoints() -> None:
    """Some states of each run, and the models that they end in."""
    X = np.tile(TABLE, (3, 1))
    np.savez("two.npz", X=X, y=np.roll(np.tile(CLASSES, 3), 5))  # not separable: the run goes on
    np.savez("many.npz", X=X, y=np.roll(np.tile(THREE, 3), 5))
    np.savez("valid.npz", X=TABLE, y=CLASSES)
    made("convert", "two.npz", "two.svm")
    for name, args in RUNS.items():
        with every_state() as states:
            made("fit", _data(name), *args.split(), *PASSES, "--checkpoint", "fresh", "-o", f"{name}.nvk")
        shutil.rmtree("fresh")
        unfinished = [state for state in states if taken_apart(state)[1]["state"]["reason"] is None]
        for k, state in enumerate(random.Random(0).sample(unfinished, min(STATES, len(unfinished)))):
            Path(f"{name}-{k}.ckpt").write_bytes(state)


@contextmanager
def every_state() -> Iterator[list[bytes]]:
    """Every checkpoint that is written, as often as there may be one."""
    states: list[bytes] = []
    replace = os.replace

    def collect(source: Any, target: Any, **how: Any) -> None:
        if str(target).endswith("run.ckpt"):
            states.append(Path(source).read_bytes())
        replace(source, target, **how)

    with limits(checkpoint=0.0, checkpoint_share=0), patch("os.replace", collect):
        yield states


def checkpoint(chance: random.Random) -> Lie:
    name = chance.choice([*sorted(RUNS), *["inverse", "inverse-sqrt", "first"] * 2])
    raw = chance.choice(sorted(Path().glob(f"{name}-?.ckpt"))).read_bytes()
    record, tensors = taken_apart(raw)[1], {key: tensor.copy() for key, tensor in load(raw).items()}
    if chance.random() < 0.03:
        field, value = "no lie", "none"
    elif chance.random() < 0.3:
        field, value = lie_in_record(chance, record["state"] if chance.random() < 0.7 else record)
    else:
        counters = [one for one in tensors if one.startswith(("run.", "plane."))]
        field, value = lie_in_tensors(chance, tensors, counters if chance.random() < 0.7 else sorted(tensors))
    shutil.rmtree("bad.state", ignore_errors=True)
    target, honest = Path("bad.state", "run.ckpt"), field == "no lie"
    target.parent.mkdir()
    target.write_bytes(packed(tensors, record))

    def judge(info: Told) -> str | None:
        ours, true = load_file("out.nvk"), load_file(f"{name}.nvk")
        if honest and any(ours[part].tobytes() != true[part].tobytes() for part in ("coef", "intercept")):
            return "an unchanged state changed the weights"
        return None if name in MANY else told_of_its_model(json.loads(info.out), ours)

    command = ("fit", _data(name), *RUNS[name].split(), *PASSES, "--checkpoint", "bad.state")
    pairs = [Pair((*command, "--resume", "-o", "out.nvk"), judge, honest, (str(target),))]
    if chance.random() < 0.2:
        pairs.append(Pair((*command, "-o", "out.nvk"), lambda info: None))
    return Lie("checkpoint", f"{name} {field}", value, pairs, loose=not honest)


def told_of_its_model(said: Any, tensors: Arrays) -> str | None:
    """The errors that `fit --json` tells are those of the weights, which are small enough to be summed exactly."""
    with np.load("two.npz") as file:
        X, y = file["X"], file["y"]
    scores = scores_of({"bias": True}, tensors, 2, X)
    errors = sum(score[0] * int(side) <= 0 for score, side in zip(scores, y, strict=True))
    if (said["n"], said["d"], said["train_errors"]) != (*X.shape, errors):
        return f"{said['train_errors']} errors; the weights make {errors}"
    return "separated, with errors" if said["separated"] is True and errors else None


# ---- certificates, with the digest of their data right where it can be -----------------------------------------------


def certificate(chance: random.Random) -> Lie:
    """A lie in a certificate, or in one number or label of its data; judged by linear programs in fractions."""
    found = next(forgeries(Path(), 1, chance.random(), at_once=4))
    data = f"bad{Path(found.path).suffix}"
    Path("bad.json").write_text(found.text)
    Path(data).write_bytes(Path(found.path).read_bytes())

    def judge(info: Told) -> str | None:
        if info.code:
            return "undecided" if info.code == 4 else None
        c, points = json.loads(found.text), oracle.points_of(found.X, found.y)
        kind = json.loads(info.out)["kind"] if info.out.startswith("{") else c["claim"]
        return oracle.false(points, oracle.claims_of(c, points)) or (None if kind == c["claim"] else f"kind {kind}")

    pairs = [
        Pair(("verify", "bad.json", data), judge),
        Pair(("verify", "bad.json", data, "--json"), judge),
        Pair(("verify", "bad.json", data, "--checker", "out.py"), lambda info: None),  # writes a program only
    ]
    return Lie("certificate", " ".join(found.what), found.text[:60], pairs)


class Format(NamedTuple):
    """What writes the honest files into this folder, what makes a lie there, and how many pairs the suite tries."""

    honest: Callable[[], None]
    lie: Callable[[random.Random], Lie]
    pairs: int


FORMATS = {
    "npz": Format(honest_npz, npz, 1300),
    "nvk": Format(honest_nvk, nvk, 1300),
    "svmlight": Format(honest_svmlight, svmlight, 700),
    "table": Format(honest_table, table, 500),
    "checkpoint": Format(honest_checkpoints, checkpoint, 800),
    "certificate": Format(lambda: None, certificate, 400),
}
