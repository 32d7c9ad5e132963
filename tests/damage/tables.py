"""Lies in Parquet and Arrow files: columns of every type of Arrow, missing values, names, batches and sizes."""

from __future__ import annotations

import datetime
import decimal
import random
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from damage.arrays import CLASSES, TABLE
from damage.meaning import Points, RefusedError, float_of, labels_of
from damage.pairs import Lie, asked_of_points, made

N = len(TABLE)
NAMES = ["a", "b", "c", "d"]


def honest() -> None:
    """The model for these columns."""
    _write(_table(), "honest.parquet")
    made("fit", "honest.parquet", "--max-passes", "3", "--quiet", "-o", "model.nvk")


def _table() -> Any:
    return pa.table({name: TABLE[:, j] for j, name in enumerate(NAMES)} | {"label": CLASSES})


def _columns(chance: random.Random) -> dict[str, Any]:
    """A column of each type of Arrow."""
    whole, at = [int(v) for v in TABLE[:, 0]], chance.randrange(N)
    holes = [None if i == at else v for i, v in enumerate(whole)]
    day = datetime.datetime(2020, 1, 1)
    return {
        "int8": pa.array(whole, pa.int8()), "uint64": pa.array([abs(v) for v in whole], pa.uint64()),
        "uint64 large": pa.array([2**64 - 1 - v * v for v in whole], pa.uint64()),
        "int64 large": pa.array([2**53 + 1] * N), "float16": pa.array(TABLE[:, 0].astype("f2")),
        "bool": pa.array([v > 0 for v in whole]),
        "float32": pa.array(TABLE[:, 0].astype("f4")), "decimal": pa.array([decimal.Decimal(v) for v in whole],
        pa.decimal128(10, 2)),
        "decimal256": pa.array([decimal.Decimal(v) for v in whole], pa.decimal256(60, 2)),
        "timestamp": pa.array([day] * N), "date": pa.array([day.date()] * N), "time": pa.array([day.time()] * N),
        "duration": pa.array([datetime.timedelta(1)] * N), "null": pa.nulls(N),
        "text": pa.array([str(v) for v in whole]),
        "large text": pa.array([str(v) for v in whole], pa.large_string()), "binary": pa.array([b"\xff"] * N),
        "list": pa.array([[v] for v in whole]), "empty list": pa.array([[]] * N, pa.list_(pa.int64())),
        "struct": pa.array([{"x": v} for v in whole]), "map": pa.array([[("k", v)] for v in whole],
        pa.map_(pa.string(), pa.int64())),
        "fixed list": pa.array([[v, v] for v in whole], pa.list_(pa.int64(), 2)),
        "dictionary": pa.array([str(v) for v in whole]).dictionary_encode(),
        "dictionary of numbers": pa.array(whole).dictionary_encode(),
        "dictionary with a hole": pa.array(holes).dictionary_encode(),
        "hole": pa.array(holes), "float hole": pa.array([None if v is None else float(v) for v in holes]),
        "nan": pa.array([float("nan") if i == at else float(v) for i, v in enumerate(whole)]),
        "inf": pa.array([float("inf") if i == at else float(v) for i, v in enumerate(whole)]),
        "huge": pa.array([1e300 if i == at else float(v) for i, v in enumerate(whole)]),
        "run ends": pa.RunEndEncodedArray.from_arrays(pa.array([3, N], pa.int32()), pa.array([1.0, 2.0])),
        "text view": pa.array([str(v) for v in whole], pa.string_view()), "nan text": pa.array(["nan", *"abcdefg"]),
        "empty text": pa.array(["", *"abcdefg"]), "spaces": pa.array([" a", "a "] * (N // 2)), "two": pa.array([0.5,
        1.5] * (N // 2)),
        "three": pa.array([k % 3 for k in range(N)]), "one": pa.array(["x"] * N), "NUL": pa.array(["a\0",
        "a"] * (N // 2)),
        "bytes": pa.array([b"a", b"b"] * (N // 2)), "truth": pa.array(["true", "1"] * (N // 2)),
    }  # fmt: skip


def table(chance: random.Random) -> Lie:
    """A lie in a Parquet or Arrow file."""
    ending = chance.choice(["parquet", "arrow"])
    made_of, columns = _table(), _columns(chance)
    field = chance.choice(
        ["column", "column", "column", "label", "label", "label", "name", "missing", "order", "rows", "bytes", "no lie"]
    )
    value, step = "none", chance.choice([1, 3, N])
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
    meaning, rows = (_meaning(target, known) for known in (None, NAMES))
    pairs = asked_of_points(target.name, "model.nvk", meaning, field == "no lie", rows)
    return Lie(ending, field, value, pairs)


def _write(made_of: Any, name: str, step: int = N) -> None:
    if name.endswith("parquet"):
        pq.write_table(made_of, name, row_group_size=max(1, step))
        return
    new = pa.ipc.new_file
    with pa.OSFile(name, "wb") as file, new(file, made_of.schema) as writer:
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


def _meaning(path: Path, known: list[str] | None) -> Points | RefusedError:
    """What pyarrow reads; the columns of a model, where it is given."""
    try:
        found = _read(path)
        found.validate(full=True)
        names = found.column_names
        if len(set(names)) < len(names):
            raise RefusedError("two columns of one name")
        usual = [name for word in ("label", "y", "target", "class") for name in names if name.lower() == word]
        label = "label" if known else (usual[0] if usual else names[-1])
        chosen = known or [name for name in names if name != label]
        if not found.num_rows or not chosen or not set(chosen) <= set(names):
            raise RefusedError("rows or columns")
        if known and [name for name in names if name != label] != known and set(names) - {label} != set(known):
            raise RefusedError("other columns than the model's")
        columns = [[float_of(_plain(value)) for value in found.column(name).to_pylist()] for name in chosen]
        rows = [{j: column[i] for j, column in enumerate(columns) if column[i]} for i in range(found.num_rows)]
        labels = found.column(label).to_pylist() if label in names else None
        strip = labels and [one.strip() if isinstance(one, str) else one for one in labels]
        return Points(rows, len(chosen), labels_of(strip) if strip else None, names=chosen)
    except (pa.ArrowException, OSError, ValueError, KeyError, OverflowError, TypeError, MemoryError) as error:
        return RefusedError(str(error)[:80])
    except RefusedError as why:
        return why


def _plain(value: Any) -> Any:
    """A number; not a text that looks like one."""
    if not isinstance(value, bool | int | float | decimal.Decimal):
        raise RefusedError(f"no number: {value!r:.40}")
    return value


def _read(path: Path) -> Any:
    if path.suffix == ".parquet":
        return pq.read_table(path, use_threads=False)
    with pa.OSFile(str(path)) as file:
        return pa.ipc.open_file(file).read_all()
