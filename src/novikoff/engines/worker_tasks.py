"""What runs in the workers of a cluster: hold a partition, apply an operation to it, check versions and files.

Arguments arrive as pickled bytes, so that the scheduler passes them on without unpacking them. A `HeldPart` is a cache:
if its worker dies, the scheduler makes it again from the same bytes; if dask moves or spills one whose rows are in a
file, its place in the file is moved, and the rows are read again.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import platform
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from novikoff.data.problem import Problem
from novikoff.data.storages import rows_of
from novikoff.engines.engine import received
from novikoff.engines.partitions import Partition
from novikoff.errors import InputError, WorkerError
from novikoff.io.stream.file_rows import FileRows

Digest = bytes | None
EMPTY = 200  # bytes of an object without rows


def versions() -> str:
    """Return the versions that driver, scheduler and workers must share."""
    return f"novikoff {sys.modules['novikoff'].__version__}, Python {platform.python_version()}, numpy {np.__version__}"


def check_versions(driver: str) -> None:
    """Raise WorkerError if this worker has other versions than the driver."""
    if versions() != driver:
        raise WorkerError(mismatch(f"worker {address()}", versions(), driver))


def mismatch(who: str, found: str, expected: str) -> str:
    """Return the message about other versions."""
    return f"engine: {who} has {found}; this program has {expected}: install the same versions on all machines"


def address() -> str:
    """Return the address of this worker; the process number outside a worker."""
    try:
        from distributed import get_worker

        return str(get_worker().address)
    except (ImportError, ValueError):
        return f"process {os.getpid()}"


class HeldPart:
    """The points of a partition, in the memory of a worker; rows of a file are dropped when it is pickled.

    digest: of the rows as they were read, so that the driver notices a file that changed between two readings; None
    for rows that came from the driver.
    """

    def __init__(self, problem: Problem, partition: Partition) -> None:
        self.problem, self.partition = problem, partition
        self.read: tuple[Problem, Digest] | None = read_points(problem, partition)

    def points(self) -> tuple[Problem, Digest]:
        """Return the points in memory, and the digest of their rows."""
        if self.read is None:  # this is a copy
            self.read = read_points(self.problem, self.partition)
        return self.read

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"read": None}

    def __sizeof__(self) -> int:
        """Return the bytes of the rows in memory: dask prefers the worker that has them."""
        if self.read is None:
            return EMPTY
        rows = self.read[0].rows
        return EMPTY + sum(int(getattr(part, "nbytes", 0)) for part in (rows if isinstance(rows, tuple) else (rows,)))


def hold(driver: str, packed: bytes, block: Any = None) -> HeldPart:
    """Return the partition of pickled (problem, partition); block: its rows, if a dask collection has computed them."""
    check_versions(driver)
    problem, partition = pickle.loads(packed)
    if block is not None:
        problem = replace(problem, rows=rows_of(block, problem.name))
    return HeldPart(problem, partition)


def run(driver: str, op: bytes, part: HeldPart | bytes) -> tuple[Digest, Any]:
    """Return the digest of a partition's rows, and op(its points)."""
    check_versions(driver)
    points, digest = read_points(*pickle.loads(part)) if isinstance(part, bytes) else part.points()
    return digest, pickle.loads(op)(points)


def run_item(driver: str, op: bytes, item: bytes) -> tuple[Digest, Any]:
    """Return op(item), in the form of `run`."""
    check_versions(driver)
    return None, pickle.loads(op)(pickle.loads(item))


def same(packed: bytes) -> bytes:
    """Return the bytes: a task whose result stays with the workers and is made again if they die."""
    return packed


def read_points(problem: Problem, partition: Partition) -> tuple[Problem, Digest]:
    """Return the points of a partition in memory, and the digest of their rows if they were read from a file."""
    if not isinstance(problem.rows, FileRows):
        return problem, None
    try:
        points = received(problem, partition)
    except (InputError, OSError) as error:
        raise _unseen(problem.rows) or error from None
    total = hashlib.blake2b(digest_size=16)
    for part in (*(points.rows if isinstance(points.rows, tuple) else (points.rows,)), points.y):
        total.update(np.ascontiguousarray(part).data)
    return points, total.digest()


def _unseen(rows: FileRows) -> InputError | None:
    """Return the error for a file of the rows that this worker does not see; None if it sees them all."""
    for one in rows.source.files:
        path = getattr(one, "path", None)
        if path is not None and not Path(path).exists():
            return InputError(
                f"{path}: worker {address()} does not see this file; every worker needs the files at the same path: "
                "put them on a file system that all machines share"
            )
    return None
