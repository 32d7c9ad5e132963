"""A file by its name: which format it has, and its points in memory."""

from __future__ import annotations

from pathlib import Path

from novikoff.errors import InputError
from novikoff.files.source import Points, Source, gathered

ENDINGS = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".svm": "svmlight",
    ".svmlight": "svmlight",
    ".libsvm": "svmlight",
    ".npz": "npz",
    ".npy": "npy",
    ".parquet": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
}
FORMATS = (*dict.fromkeys(ENDINGS.values()), "idx")
PACKED = (".gz", ".bz2", ".xz", ".zst")


def read(
    path: str | Path,
    *,
    format: str | None = None,
    label: str | int | None = None,
    decimal_comma: bool = False,
    missing: str = "fail",
) -> Points:
    """The points of a file, or of standard input for "-"; InputError names file, line, column, and what was found.

    Parameters
    ----------
    path : the file
    format : csv, tsv, svmlight, npz, npy, idx, parquet or arrow; by default what the name ends in, without its `.gz`
    label : the label's column of a table, by name or by number from 0; by default one called label, y, target or class,
        else the last
    decimal_comma : whether a table writes 0,5 for a half; then semicolons separate its cells
    missing : "fail", or "drop" to leave out the rows of a table in which a number is missing
    """
    return gathered(source_of(path, format, label, decimal_comma, missing == "drop"))


def source_of(path: str | Path, format: str | None, label: str | int | None, decimal_comma: bool, drop: bool) -> Source:
    """The rows of a file, some at a time."""
    kind = format or format_of(path)
    if kind == "svmlight":
        from novikoff.files.svmlight import Svmlight

        return Svmlight(path)
    if kind in ("csv", "tsv"):
        from novikoff.files.tables import Table

        return Table(path, kind == "tsv", label, decimal_comma, drop)
    if kind in ("parquet", "arrow"):
        from novikoff.files.columnar import Columnar

        return Columnar(path, kind, label)
    from novikoff.files import arrays

    if kind not in FORMATS:
        raise InputError(f"format: found {kind!r}; expected one of {', '.join(FORMATS)}")
    return arrays.npy(path, label) if kind == "npy" else arrays.npz(path) if kind == "npz" else arrays.idx(path)


def format_of(path: str | Path) -> str:
    """What the name ends in, `.gz` and its like aside."""
    endings = Path(path).suffixes
    if endings and endings[-1] in PACKED:
        endings.pop()
    if "-idx3-" in Path(path).name or ".idx3-" in Path(path).name:
        return "idx"
    found = ENDINGS.get(endings[-1] if endings else "")
    if found is None:
        raise InputError(f"{path}: the name does not tell the format; say --format {', '.join(FORMATS)}")
    return found
