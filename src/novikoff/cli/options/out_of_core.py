"""Files that are larger than the memory limit: their rows stay where they are, and every pass reads them.

The answer, the model and its digest are those of the same file in memory, to the bit. In memory are the labels, by a
byte or a few for each row, and a block of rows at a time.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from novikoff.cli.options import row_options
from novikoff.cli.options.model_rows import ModelReader
from novikoff.cli.options.row_options import limit_of
from novikoff.cli.text import formatting
from novikoff.errors import InputError

WHOLE = ("npz", "npy", "idx")  # their readers have all rows in memory
COPYING = ("classes", "test_every", "test_label", "holdout", "tfidf", "hash_bits", "one_hot", "scale", "scale_by",
           "normalize", "features")  # options by which the rows of a cache are not used as they lie  # fmt: skip


def stays(path: str | None, request: Mapping[str, Any]) -> bool:
    """Whether the rows of this file are too many for the memory that is allowed, and can be read again and again."""
    from novikoff.io.reader import format_of
    from novikoff.io.stream.memory_limit import TOGETHER, fits

    if path is None or row_options.is_stream(path):
        return False
    row_options.check_readable(path)
    kind, limit = row_options.kind_of(request["kind"]) or format_of(path), limit_of(request)
    if kind == "nvc":
        return any(request.get(option) for option in COPYING) and TOGETHER * _size(path) > limit
    if kind in WHOLE or request.get("transpose") or (kind == "texts" and not _is_folder(path)):
        return False
    return not fits(path, kind, limit)


def _is_folder(path: str) -> bool:
    from pathlib import Path

    return Path(path).is_dir()


def _size(path: str) -> int:
    from pathlib import Path

    return sum(file.stat().st_size for file in Path(path).glob("*") if file.is_file())


def bytes_of(X: Any) -> int:
    """The bytes of the files that a pass over these points reads; 0 where they are in memory."""
    import os

    if not getattr(X, "in_a_file", False):
        return 0
    paths = [str(getattr(one, "path", "")) for one in getattr(X.source, "sources", [X.source])]
    return sum(os.path.getsize(path) for path in paths if os.path.isfile(path))


def check_memory(path: str | None, request: Mapping[str, Any], what: str) -> None:
    """InputError where all rows are needed in memory, and are too many."""
    if stays(path, request):
        raise InputError(
            f"{path}: {what} has all rows in memory, and these would take more than --memory ({limit_of(request):,} "
            "bytes); raise it, or have the file in the cache, which is mapped: novikoff convert FILE FILE.nvc"
        )


def source_in_file(path: str, request: Mapping[str, Any]) -> Any:
    """Where the rows come from, some at a time; it is said that they stay there."""
    from novikoff.io.stream.chunk_source import in_small_chunks

    source = in_small_chunks(row_options.training_source(path, request))
    if not request.get("quiet"):
        size = f"{limit_of(request):,} bytes"
        click.echo(f"{path}: larger than the memory limit ({size}); its rows stay in the file", err=True)
    return source


def report_rows(path: str, source: Any, request: Mapping[str, Any]) -> None:
    """How many rows were left out, when all have been read."""
    row_options.report_bad_rows(source, bool(request.get("quiet")))
    if source.dropped and not request.get("quiet"):
        click.echo(f"{path}: {formatting.left_out(source.dropped)}", err=True)


def rows_of_classes(y: Any, name: str, classes: str | None) -> Any:
    """The mask of the rows of the classes that were asked for."""
    import numpy as np

    if classes is None:
        return np.ones(len(y), bool)
    _, _, wanted = formatting.chosen_classes(y.classes, y.classes, name, classes)
    return np.isin(y.codes, wanted)


def labelled_in_file(known: ModelReader, path: str, classes: Any, how: Mapping[str, Any]) -> tuple[Any, Any]:
    """The rows of another file, which stay there, and their labels, which must be among the classes."""
    from novikoff.io.prepared_rows import PreparedSource, Reader
    from novikoff.io.raw_rows import coded_among, labelled
    from novikoff.io.stream.chunk_source import in_small_chunks
    from novikoff.io.stream.file_rows import FileRows

    source = in_small_chunks(known.source(path, how, True))
    made = PreparedSource(source, known.prep, Reader(source, model=known.columns()))
    rows = FileRows(made)
    if not labelled(source):
        raise InputError(f"{path}: found rows without a label; expected one, name its column with --label")
    known.count(made.beyond, made.unknown, source)
    y = coded_among(rows.labels.renamed(lambda labels: row_options.renamed(labels, known.label_as)), classes, path)
    return rows, y
