"""What runs in the workers of a cluster: apply an operation to an item, check versions and files.

Arguments arrive as pickled bytes, so that the scheduler passes them on without unpacking them.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import platform
import sys
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from novikoff.data.problem import Problem
from novikoff.data.storages import rows_of
from novikoff.engines.engine import Op, apply
from novikoff.engines.partitions import Partition
from novikoff.errors import InputError, WorkerError
from novikoff.io.stream.chunk_source import Source
from novikoff.io.stream.file_rows import FileRows
from novikoff.io.stream.range_scan import Range


@cache
def versions() -> str:
    """Return the versions that driver and workers must share; two builds may have the same version."""
    package, total = sys.modules["novikoff"], hashlib.sha256()
    folder = Path(__file__).parents[1]
    for path in sorted(folder.rglob("*.py")):
        total.update(f"{path.relative_to(folder).as_posix()}\0".encode() + path.read_bytes() + b"\0")
    others = f"Python {platform.python_version()}, numpy {np.__version__}, numba {version('numba')}"
    return f"novikoff {package.__version__} (sources {total.hexdigest()[:12]}), {others}"


def address() -> str:
    """Return the address of this worker; the process number outside a worker."""
    try:
        from distributed import get_worker

        return str(get_worker().address)
    except (ImportError, ValueError):
        return f"process {os.getpid()}"


@dataclass(frozen=True)
class OfPartition:
    """Applies an operation to (points, partition)."""

    op: Op[Any]

    def __call__(self, item: tuple[Problem, Partition]) -> Any:
        return apply(self.op, *item)


def run(driver: str, op: bytes, item: bytes, block: Any = None) -> Any:
    """Return op(item), both pickled; raise WorkerError if the driver has other versions.

    block: the rows of a partition, if a dask collection has computed them.
    """
    if versions() != driver:
        raise WorkerError(
            f"engine: worker {address()} has {versions()}; this program has {driver}: install the same versions on all "
            "machines"
        )
    given = pickle.loads(item)
    if block is not None:
        problem, partition = given
        given = replace(problem, rows=rows_of(block, problem.name)), partition
    try:
        return pickle.loads(op)(given)
    except (InputError, OSError) as error:
        source = source_of_item(given)
        raise (None if source is None else _unseen(source)) or error from None


def same(packed: bytes) -> bytes:
    """Return the bytes: a task whose result stays with the workers and is made again if they die."""
    return packed


def source_of_item(item: Any) -> Source | None:
    """Return the source of a range of a file, or of a partition whose rows are in a file."""
    if isinstance(item, Range):
        return item.file
    rows = item[0].rows if isinstance(item, tuple) and isinstance(item[0], Problem) else None
    return rows.source if isinstance(rows, FileRows) else None


def _unseen(source: Source) -> InputError | None:
    """Return the error for the first file that this worker does not see; None if it sees them all."""
    for one in source.files:
        path = getattr(one, "path", None)
        if path is not None and not Path(path).exists():
            return InputError(
                f"{path}: worker {address()} does not see this file; every worker needs the files at the same path: "
                "put them on a file system that all machines share"
            )
    return None
