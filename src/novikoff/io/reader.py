"""A file by its name: which format it has, its rows some at a time, and its points in memory."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from novikoff.errors import InputError
from novikoff.io.stream.chunk_source import Points, Source, gathered
from novikoff.io.stream.memory_limit import fits, size_of
from novikoff.io.table_layout import NOTHING, Column, ReadRequest

if TYPE_CHECKING:
    from novikoff.io.stream.file_rows import FilePoints

ENDINGS = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".svm": "svmlight",
    ".svmlight": "svmlight",
    ".libsvm": "svmlight",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".vw": "vw",
    ".npz": "npz",
    ".npy": "npy",
    ".parquet": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".tar": "texts",
    ".tgz": "texts",
    ".nvc": "nvc",
}
FORMATS = (*dict.fromkeys(ENDINGS.values()), "idx")
DROPPABLE = ("csv", "tsv", "jsonl", "parquet", "arrow")
UNSTREAMED = ("npz", "npy", "parquet", "arrow", "nvc", "idx")
PACKED = (".gz", ".bz2", ".xz", ".zst")


@dataclass(frozen=True)
class Reading:
    """How a file is to be read; what is not said is found out.

    comma: whether a table writes 0,5 for a half. drop: whether rows with a missing number, category or label are left
    out.
    known: the names of a model's columns, for formats whose names are numbered as they come. inside: only the texts in
    this folder of a tar. skip: whether rows of a table or svmlight file that cannot be read are left out. readers: how
    many threads read such a file ahead, 0 for none; by default as many as there are processors, at most two. limit: the
    memory, in bytes, that what is held of the file may take; by default half of the machine's.
    """

    format: str | None = None
    request: ReadRequest = NOTHING
    comma: bool = False
    drop: bool = False
    known: tuple[str, ...] | None = None
    inside: str = ""
    skip: bool = False
    readers: int | None = None
    limit: int | None = None


PLAINLY = Reading()
PARAMETERS = {  # the command line's options in a message: the parameters of `read`
    "--one-hot takes words as categories, --text COLUMN counts them": "`read` takes numbers only: leave the column "
    "out, or use novikoff fit --one-hot or --text COLUMN",
    "--missing drop": "missing='drop'",
    "--decimal-comma": "decimal_comma=True",
    " (in Python: header=)": "",
    "--no-header (in Python: header=False)": "header=False",
    "--no-header": "header=False",
    "--header": "header=True",
    "--label says": "label= says",
    "name it with --label": "name it with label=",
    "say --format": "say format=",
    "--format csv": "format='csv'",
    "--format tsv": "format='tsv'",
}


def read(
    path: str | Path,
    *,
    format: str | None = None,
    label: Column | None = None,
    header: bool | None = None,
    decimal_comma: bool = False,
    missing: str = "fail",
    memory: int | str | None = None,
) -> Points | FilePoints:
    """The points of a file, or of standard input for "-"; InputError names file, line, column, and what was found.

    They are taken wherever X and y are: `clf.fit(points)`, `nv.decide(points)`, `clf.predict(points)`. Points larger
    than the memory limit stay in their file and are read again in every pass, with the same bits; they have no `X`, and
    come in the orders cyclic and shuffle only.

    Parameters
    ----------
    path : the file
    format : csv, tsv, svmlight, jsonl, vw, npz, npy, idx, parquet, arrow or nvc; by default what the name ends in
    label : the label's column of a table, by name or by number from 0; by default one called label, y, target or class,
        else the last
    header : whether the first line of a table has names; by default found out, and asked for where it cannot be
    decimal_comma : whether a table writes 0,5 for a half; then semicolons separate its cells
    missing : "fail", or "drop" to leave out the rows of a table, of JSON lines, of a Parquet or Arrow file in which a
        number, a category or the label is missing
    memory : the limit in bytes, or as a text like "512M"; by default half of the machine's memory. How much a file
        would take is estimated by its size (`novikoff.io.stream.memory_limit` says how)

    Examples
    --------
    >>> import novikoff as nv, pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "or.csv"
    >>> _ = path.write_text("a,b,label\\n0,0,no\\n1,0,yes\\n0,1,yes\\n1,1,yes\\n")
    >>> points = nv.read(path)
    >>> points.n, points.d, points.names, nv.Perceptron().fit(points).score(points)
    (4, 2, ('a', 'b'), 1.0)
    """
    if missing not in ("fail", "drop"):
        raise InputError(f"missing: found {missing!r}; expected 'fail' or 'drop'")
    limit = size_of(memory)
    how = Reading(format, ReadRequest(label, header=header), decimal_comma, missing == "drop", limit=limit)
    kind = how.format or format_of(path)
    check_droppable(how.drop, kind, path, "missing='drop'")
    try:
        source = several(path, how)
        if fits(path, kind, limit):
            return gathered(source)
        from novikoff.io.stream.file_rows import FilePoints

        return FilePoints(source, limit)
    except InputError as error:
        raise InputError(in_python(str(error))) from error


def in_python(message: str) -> str:
    """What a reader says of the command line's options, in the parameters of `read`."""
    for option, parameter in PARAMETERS.items():
        message = message.replace(option, parameter)
    return message


def several(path: str | Path, how: Reading = PLAINLY) -> Source:
    """The rows of a file, or of the files that a pattern (part-*.csv) names, in the order of their names."""
    if Path(path).exists() or not any(mark in str(path) for mark in "*?["):
        return source_of(path, how)
    from glob import glob

    from novikoff.io.multi_file import Several

    names = sorted(glob(str(path)))
    if not names:
        raise InputError(f"{path}: no file has a name like this")
    found = Several(str(path), [source_of(name, how) for name in names])
    found.limit = found.sources[0].limit
    return found


def check_droppable(drop: bool, kind: str, path: str | Path, option: str) -> None:
    """Rows with a missing number are left out where cells can be empty."""
    if drop and kind not in DROPPABLE:
        raise InputError(
            f"{option}: is for {', '.join(DROPPABLE)}; {path} is read as {kind}: leave such rows out of it"
        )


def source_of(path: str | Path, how: Reading = PLAINLY) -> Source:
    """The rows of a file, some at a time."""
    limit = size_of(None) if how.limit is None else how.limit
    source = _source_of(path, how, limit)
    source.limit = limit
    return source


def _source_of(path: str | Path, how: Reading, limit: int) -> Source:
    kind = how.format or format_of(path)
    if how.skip and kind not in ("svmlight", "csv", "tsv"):
        raise InputError(f"--on-bad-row skip: is for svmlight, csv and tsv; {path} is read as {kind}")
    if str(path) == "-" and kind in UNSTREAMED:
        streams = ", ".join(name for name in FORMATS if name not in UNSTREAMED)
        raise InputError(f"-: found --format {kind}; standard input can be {streams}: write it to a file first")
    if kind == "svmlight":
        from novikoff.io.formats.svmlight import Svmlight

        return Svmlight(path, how.skip, how.readers, how.request.teaches)
    if kind in ("csv", "tsv"):
        from novikoff.io.formats.csv_tsv import Table

        return Table(path, kind == "tsv", how.request, how.comma, how.drop, how.skip, how.readers)
    if kind in ("parquet", "arrow"):
        from novikoff.io.formats.parquet_arrow import Columnar

        return Columnar(path, kind, how.request, how.drop)
    if kind == "jsonl":
        from novikoff.io.formats.jsonl import Objects

        return Objects(path, how.request, how.drop)
    if kind == "vw":
        from novikoff.io.formats.vowpal import Vowpal

        return Vowpal(path, how.known, how.request.teaches)
    if kind == "texts":
        from novikoff.io.formats.text_folder import Documents

        return Documents(path, how.inside)
    if kind == "nvc":
        from novikoff.io.formats.binary_cache import Cache

        return Cache(path)
    return _arrays(path, kind, how.request, limit)


def _arrays(path: str | Path, kind: str, request: ReadRequest, limit: int) -> Source:
    from novikoff.io.formats import arrays

    if kind == "npy":
        return arrays.npy(path, request)
    if kind == "npz":
        return arrays.npz(path, request.labelled and request.trained is None, limit)
    if kind == "idx":
        return arrays.idx(path, limit)
    raise InputError(f"format: found {kind!r}; expected one of {', '.join(FORMATS)}")


def format_of(path: str | Path) -> str:
    """The format of a file by its name, `.gz` and its like aside; a folder is one of texts."""
    if "-idx3-" in Path(path).name or ".idx3-" in Path(path).name:
        return "idx"
    endings = Path(path).suffixes
    if Path(path).is_dir() and endings[-1:] != [".nvc"]:
        return "texts"
    if endings and endings[-1] in PACKED:
        endings.pop()
    found = ENDINGS.get(endings[-1] if endings else "")
    if found is None:
        what = "standard input has no name to tell" if str(path) == "-" else "the name does not tell"
        raise InputError(f"{path}: {what} the format; say --format {', '.join(FORMATS)}")
    return found
