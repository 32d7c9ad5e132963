"""Open a file by its name: find its format, and read its rows into memory or, beyond the limit, temporary files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from novikoff.arguments.argument_checks import one_of
from novikoff.errors import InputError
from novikoff.io.file_formats import FORMATS, READERS, UNSTREAMED, check_readable, check_tables, files_of, format_of
from novikoff.io.memory_limit import size_of
from novikoff.io.reading import DEFAULT, Column, Reading
from novikoff.io.source import Files, Points, Source
from novikoff.io.spill import Spill

if TYPE_CHECKING:
    from novikoff.io.dataset import Dataset

MISSING = ("fail", "drop", "impute")
ONLY_NUMBERS = "`read` takes numbers only: use open_data, where one_hot=True takes words as categories"


def read(
    path: str | Path,
    *,
    format: str | None = None,
    label: Column | None = None,
    columns: Sequence[Column] | None = None,
    drop: Sequence[Column] = (),
    header: bool | None = None,
    decimal_comma: bool = False,
    missing: str = "fail",
    impute_numbers: str | None = None,
    impute_categories: str | None = None,
    memory: int | str | None = None,
    spill: str | os.PathLike[str] | None = None,
) -> Points | Dataset:
    """Read the points of a file, or of standard input for "-"; errors name file, line, column and what was found.

    Use them in place of X and y: `clf.fit(points)`, `nv.decide(points)`, `clf.predict(points)`. Points larger than the
    memory limit are written once to temporary files, and `X` is mapped from there, with the same bits; the files go
    with the arrays that use them.

    Parameters
    ----------
    path : the file, the files that a pattern (part-*.parquet) names, or a folder of such files
    format : csv, tsv, svmlight, npz, parquet or arrow; by default what the name ends in
    label : the label's column of a table, by name or by number from 0; by default one called label, y, target or class,
        else the last
    header : whether the first line of a table has names; by default found from the file, if that is possible
    decimal_comma : whether a table writes 0,5 for a half; then semicolons separate its cells
    columns : the columns of a table to use, by name or by number from 0, and the label; by default all
    drop : columns of a table not to use
    missing : "fail", "drop" to leave out the rows of a table, of a Parquet or Arrow file in which a
        number, a category or the label is missing, or "impute" to replace missing numbers and categories by statistics
        of the training rows, as scikit-learn's SimpleImputer does; rows without a label are left out
    impute_numbers : with "impute", the "median" (default) or the "mean" of the column
    impute_categories : with "impute", "most-frequent" (default), or "level" for a category of its own; `read` takes
        numbers only, so this is for `open_data`
    memory : the limit in bytes, or as a text like "512M"; by default half of the machine's memory
    spill : the folder of the temporary files for points larger than the limit; by default TMPDIR or /var/tmp

    Examples
    --------
    >>> import novikoff as nv, pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "or.csv"
    >>> _ = path.write_text("a,b,label\\n0,0,no\\n1,0,yes\\n0,1,yes\\n1,1,yes\\n")
    >>> points = nv.read(path)
    >>> points.n, points.d, points.names, nv.Perceptron().fit(points).score(points)
    (4, 2, ('a', 'b'), 1.0)
    """
    data = _opened(
        path,
        memory,
        spill,
        impute_numbers,
        impute_categories,
        format=format,
        label=label,
        columns=columns,
        drop=drop,
        header=header,
        decimal_comma=decimal_comma,
        missing=missing,
        words=ONLY_NUMBERS,
    )
    return data if data.imputing else points_of(data)


def open_data(
    path: str | Path,
    *,
    format: str | None = None,
    label: Column | None = None,
    text: Sequence[Column] = (),
    one_hot: bool = False,
    category: Sequence[Column] = (),
    columns: Sequence[Column] | None = None,
    drop: Sequence[Column] = (),
    header: bool | None = None,
    decimal_comma: bool = False,
    missing: str = "fail",
    impute_numbers: str | None = None,
    impute_categories: str | None = None,
    transpose: bool = False,
    first_column: int | None = None,
    label_as: Sequence[tuple[str, str]] = (),
    classes: Sequence[str] | None = None,
    memory: int | str | None = None,
    spill: str | os.PathLike[str] | None = None,
) -> Dataset:
    """Open a data file, to prepare and split its rows and train on them.

    Rows of a file larger than the memory limit are written once to temporary files, with the same result bit for bit.
    Use the data in place of X and y: `clf.fit(data)`, `nv.decide(data)`.

    Parameters
    ----------
    path : the file, files that a pattern (part-*.csv) names or a folder has, or "-" for standard input
    format, label, columns, drop, header, decimal_comma, missing, impute_numbers, impute_categories, memory,
        spill : as of `read`
    text : columns of text, whose words are counted; by name or by number from 0
    one_hot : whether columns that are no numbers are categories
    category : columns of categories
    transpose : whether a table has a column for each point
    first_column : 0 or 1, the number of the first svmlight column
    label_as : pairs (pattern, name): labels that fit the pattern (*, ?) get this name; the first one counts
    classes : only the rows of these classes

    Examples
    --------
    >>> import novikoff as nv, pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "t.csv"
    >>> rows = [f"{k},{'red' if k % 2 else 'blue'},{'yes' if k > 3 else 'no'}\\n" for k in range(8)]
    >>> _ = path.write_text("a,color,label\\n" + "".join(rows))
    >>> train, test = nv.open_data(path, one_hot=True).prepare(scale=True).split(holdout=0.25)
    >>> train, nv.Perceptron().fit(train).score(test)
    (Dataset(n=6, d=3, names=['a', 'color=blue', 'color=red']), 1.0)
    """
    data = _opened(
        path,
        memory,
        spill,
        impute_numbers,
        impute_categories,
        label_as,
        format=format,
        label=label,
        text=tuple(text),
        categories=tuple(category),
        columns=columns,
        drop=drop,
        header=header,
        decimal_comma=decimal_comma,
        missing=missing,
        transpose=transpose,
        one_hot=one_hot,
        first_column=first_column,
    )
    return data if classes is None else data.select(classes)


def _opened(
    path: str | Path,
    memory: int | str | None,
    spill: str | os.PathLike[str] | None,
    impute_numbers: str | None,
    impute_categories: str | None,
    label_as: Sequence[tuple[str, str]] = (),
    **reading: Any,
) -> Dataset:
    """Open a file for training, as the arguments of `open_data` say. reading: those that are fields of `Reading`."""
    from novikoff.prepare.preparation import imputation

    one_of("missing", reading["missing"], MISSING)
    for name in ("columns", "drop"):
        reading[name] = None if reading[name] is None else listed(name, reading[name])
    how = Reading(limit=size_of(memory), **reading)
    check_readable(path)
    check_tables(how, how.format or format_of(path), path)
    imputed = imputation(how.missing, impute_numbers, impute_categories)
    data = open_rows(path, how, label_as, Spill(spill, how.limit))
    if not imputed:
        return data
    data.imputing = {"missing": "impute", "impute_numbers": impute_numbers, "impute_categories": impute_categories}
    return data.prepare()


def open_rows(
    path: str | Path, how: Reading, label_as: Sequence[tuple[str, str]] = (), spill: Spill | None = None
) -> Dataset:
    """Open a file for training. spill: where its rows are kept."""
    from novikoff.io.dataset import Dataset
    from novikoff.io.row_labels import renamed
    from novikoff.io.rows import read_rows

    how = replace(how, format=how.format or format_of(path))
    source = open_source(path, how)
    stored = read_rows(source, spill)
    if stored.y is None:
        raise InputError("no column is left for the label; name it with label=", file=source.name)
    data = Dataset(source.name, stored, renamed(stored.y, label_as), reading_record(how, label_as))
    data.source = source
    return data


def points_of(data: Dataset) -> Points:
    """Return the points of a file, with sparse rows as an array of SciPy."""
    from scipy.sparse import csr_array

    X = csr_array(data.rows) if hasattr(data.rows, "indptr") else data.rows
    return Points(X, data.y, data.names, data.numbering, dropped=data.dropped)


def reading_record(how: Reading, label_as: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """Return what a model keeps of how its file was read, besides the columns."""
    return {
        "label_as": [list(pair) for pair in label_as],
        "decimal_comma": how.decimal_comma,
        "drop": how.missing == "drop",
        "transpose": how.transpose,
        "format": how.format,
    }


def listed(name: str, columns: Any) -> tuple[Column, ...]:
    """Return columns as a tuple; raise InputError for a single text, whose letters would be taken as columns."""
    if isinstance(columns, str) or not all(isinstance(c, str | int) for c in columns):
        raise InputError(f"found {columns!r}; a list of names or numbers was expected, as in ['age', 'fare']", name)
    if name == "columns" and not columns:
        raise InputError("found no column; one or more names or numbers were expected, as in ['age', 'fare']", name)
    return tuple(columns)


def open_source(path: str | Path, how: Reading = DEFAULT) -> Files:
    """Open a file, or the files that a pattern (part-*.csv) names, to read it in chunks.

    transpose, one_hot and first_column are rejected for formats that they do not apply to.
    """
    how = replace(how, format=how.format or format_of(path), limit=size_of(how.limit))
    kind = how.format
    if how.transpose and kind not in ("csv", "tsv"):
        raise InputError(f"transpose=True: is for csv and tsv; {path} is read as {kind}")
    if how.first_column is not None and kind != "svmlight":
        raise InputError(f"is for svmlight; {path} is read as {kind}", "first_column")
    names = files_of(path)
    if not names:
        raise InputError("no file matches this pattern", file=path)
    if how.one_hot and kind in ("csv", "tsv") and not how.transpose:
        from novikoff.io.table_cells import with_categories

        how = with_categories(names[0], how)
    return Files(how.called(path), [source_of(name, how) for name in names])


def source_of(path: str | Path, how: Reading = DEFAULT) -> Source:
    """Open one file to read it in chunks."""
    kind = how.format or format_of(path)
    if kind not in READERS:
        raise InputError(f"found {kind!r}; expected one of {', '.join(FORMATS)}", "format")
    if str(path) == "-" and kind in UNSTREAMED:
        streams = ", ".join(name for name in FORMATS if name not in UNSTREAMED)
        raise InputError(f"-: found format={kind!r}; standard input can be {streams}: write it to a file first")
    module, _, name = ("transpose:Transposed" if how.transpose else READERS[kind]).partition(":")
    reader = getattr(import_module(f"novikoff.io.{module}"), name)
    source: Source = reader(path, replace(how, format=kind, limit=size_of(how.limit)))
    source.kind = kind
    return source
