"""`auto`: a perceptron for a table, each of whose columns is prepared by what it contains, as `novikoff fit --auto`."""

from __future__ import annotations

import csv
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from novikoff.arguments.signature_types import Shaped
from novikoff.data.digest import digest_ahead
from novikoff.data.frames import frame_columns, is_frame
from novikoff.data.labelled_points import Numbered
from novikoff.data.problem import unlabelled
from novikoff.errors import InputError
from novikoff.io.automatic_columns import automatic_columns
from novikoff.io.file_formats import TABLES, check_readable, format_of
from novikoff.io.memory_limit import size_of
from novikoff.io.python_rows import cells_of_column, is_none
from novikoff.io.reader import open_rows
from novikoff.io.reading import Reading
from novikoff.io.spill import Spill
from novikoff.prepare import requested

if TYPE_CHECKING:
    from novikoff.estimators.perceptron_estimator import Perceptron


def auto(
    data: Shaped | str | os.PathLike[str],
    *,
    label: str | int | None = None,
    memory: int | str | None = None,
    spill: str | os.PathLike[str] | None = None,
    **parameters: object,
) -> Perceptron:
    """Train a perceptron on a table, each of whose columns is prepared by what it contains.

    Numbers are imputed and scaled, words one-hot encoded, long texts counted; columns that number the rows, or are
    empty, are not used. The model has its preparation: `predict` takes frames with the same columns, and
    `novikoff.save` stores both. It is the model that `novikoff fit --auto` gives for the same table, bit for bit.

    Parameters
    ----------
    data : a frame of pandas, polars or pyarrow, or the path of a table (csv, tsv, parquet, arrow)
    label : the label's column, by name or by number from 0; by default one called label, y, target or class
    memory, spill : the limit in bytes, or as a text like "512M", and where larger tables are written, as of `read`
    parameters : of `Perceptron`

    Examples
    --------
    >>> import novikoff as nv, pandas as pd
    >>> df = pd.DataFrame({"age": [1.0, None, 7, 8], "city": ["x", "y", "x", "z"], "old": ["no", "no", "yes", "yes"]})
    >>> clf = nv.auto(df, label="old")
    >>> clf.predict(df).tolist(), list(clf.preparation_.names)
    (['no', 'no', 'yes', 'yes'], ['age', 'city=x', 'city=y', 'city=z'])
    """
    from novikoff.estimators.new_rows import keep_preparation
    from novikoff.estimators.perceptron_estimator import Perceptron

    clf = Perceptron(**({"random_state": 0} | parameters))  # the seed of the command line
    with _as_file(data) as path:
        kind = format_of(path)
        if kind not in TABLES:
            raise InputError(f"data: auto is for {', '.join(TABLES)}; {path} is read as {kind}")
        check_readable(path)
        how = Reading(format=kind, label=label, limit=size_of(memory))
        how = replace(how, header=True, name="data") if is_frame(data) else how
        chosen = automatic_columns(path, how).options(kind)
        steps = {name: chosen.pop(name) for name in ("impute_categories", "scale")}
        reading = replace(how, categories=chosen.pop("category"), **chosen)
        rows = open_rows(path, reading, (), Spill(spill, reading.limit))
        rows = rows.prepare(requested(one_hot=rows.stored.categories, missing="impute", **steps))
        X, y = rows.rows, rows.labels
        with digest_ahead(unlabelled(X, fit_intercept=clf.fit_intercept), y) as digest:
            clf.fit(Numbered(X, y, numbering=rows.numbering))
            data_digest = digest()
    clf._plane = clf.as_trained()[0]  # as of a loaded model: its preparation is valid while these are the planes
    clf.preparation_ = rows.preparation
    keep_preparation(clf, rows.preparation, data_digest)
    return clf


@contextmanager
def _as_file(data: Any) -> Iterator[str]:
    """Yield the path of a table; a frame is written to a temporary CSV file, in which each number is exact."""
    if not is_frame(data):
        if not isinstance(data, str | Path):
            wanted = "a frame of pandas, polars or pyarrow, or the path of a table, was expected"
            raise InputError(f"data: found {type(data).__name__}; {wanted}")
        yield str(data)
        return
    columns = frame_columns(data)
    with tempfile.TemporaryDirectory(prefix="novikoff-") as folder:
        path = Path(folder) / "frame.csv"
        with path.open("w", encoding="utf-8", newline="") as file:
            table = csv.writer(file)
            table.writerow([name for name, _ in columns])
            cells = (cells_of_column(column) for _, column in columns)
            table.writerows(["" if is_none(cell) else cell for cell in row] for row in zip(*cells, strict=True))
        yield str(path)
