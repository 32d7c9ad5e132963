"""The files that a path names, and their format: by how the name ends, without `.gz` and the like."""

from __future__ import annotations

import os
import stat
from glob import glob
from pathlib import Path

from novikoff.errors import InputError
from novikoff.io.reading import Reading

ENDINGS = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".svm": "svmlight",
    ".svmlight": "svmlight",
    ".libsvm": "svmlight",
    ".npz": "npz",
    ".parquet": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
}
READERS = {  # format: the module in `formats`, and what opens a file
    "csv": "csv_tsv:Table",
    "tsv": "csv_tsv:Table",
    "svmlight": "svmlight:Svmlight",
    "npz": "arrays:npz",
    "parquet": "parquet_arrow:Columnar",
    "arrow": "parquet_arrow:Columnar",
}
FORMATS = tuple(READERS)
TEXTS = ("csv", "tsv", "svmlight")
TABLES = ("csv", "tsv", "parquet", "arrow")
UNSTREAMED = ("npz", "parquet", "arrow")
PARTS = (".csv", ".tsv", ".svm", ".svmlight", ".libsvm", ".parquet", ".arrow", ".feather")
COMPRESSED = (".gz", ".bz2", ".xz", ".zst")


def files_of(path: str | Path) -> list[str]:
    """Return the files that a path, a pattern (part-*.csv) or a folder of parts names, sorted."""
    is_pattern = any(mark in str(path) for mark in "*?[") and not Path(path).exists()
    return sorted(glob(str(path))) if is_pattern else parts_of(path) or [str(path)]


def parts_of(path: str | Path) -> list[str]:
    """Return the files of a folder of parts, sorted: all are tables or svmlight files with the same ending, and there
    are no folders; names that begin with a dot or an underscore do not count. [] for anything else.
    """
    if not os.path.isdir(path):
        return []
    found = sorted(name for name in os.listdir(path) if not name.startswith((".", "_")))
    files = [os.path.join(path, name) for name in found]
    endings = {ending_of(name) for name in found}
    return files if len(endings) == 1 and endings <= {*PARTS} and all(map(os.path.isfile, files)) else []


def ending_of(name: str | Path) -> str:
    """Return how the name of a file ends, without `.gz` and the like."""
    stem, ending = os.path.splitext(name)
    return os.path.splitext(stem)[1] if ending in COMPRESSED else ending


def format_of(path: str | Path) -> str:
    """Return the format of a file by its name, without `.gz` and the like; a folder is one of parts."""
    ending = ending_of(Path(path).name)
    if parts := parts_of(path):
        ending = ending_of(parts[0])
    elif Path(path).is_dir():
        raise InputError(
            "is a folder, and not one of data files with the same ending; write texts into a table, as with "
            "sklearn.datasets.load_files, and name their column with text=",
            file=path,
        )
    found = ENDINGS.get(ending)
    if found is None:
        if "idx3-" in Path(path).name or ending == ".npy":
            raise InputError("is an array without labels; write X and y by np.savez, a row for each point", file=path)
        if ending in (".xlsx", ".xls", ".ods"):
            raise InputError("is a spreadsheet; save its sheet as CSV in UTF-8", file=path)
        what = "standard input has no name to tell" if str(path) == "-" else "the name does not determine"
        raise InputError(f"{what} the format; say format='csv' (or {', '.join(FORMATS[1:])})", file=path)
    return found


def is_stream(path: str | Path) -> bool:
    """Whether the rows can be read only once: standard input, or a pipe."""
    try:
        return str(path) == "-" or stat.S_ISFIFO(Path(path).stat().st_mode)
    except OSError:
        return False


def check_readable(path: str | Path) -> None:
    """Raise InputError for a file that does not exist."""
    if str(path) != "-" and not all(map(os.path.exists, files_of(path))):
        raise InputError("cannot be read (No such file or directory)", file=path)


def check_tables(how: Reading, kind: str, path: str | Path) -> None:
    """Raise InputError for arguments about cells and columns, of a file in a format that has none."""
    if kind in TABLES:
        return
    applies = f"is for {', '.join(TABLES)}; {path} is read as {kind}"
    if how.missing != "fail":
        raise InputError(f"missing={how.missing!r}: {applies}: leave such rows out of it")
    for name in ("columns", "drop"):
        if getattr(how, name):
            raise InputError(applies, name)
