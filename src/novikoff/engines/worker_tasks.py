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
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from importlib.metadata import version
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
    package = sys.modules["novikoff"]
    others = f"Python {platform.python_version()}, numpy {np.__version__}, numba {_numba_version()}"
    sources = _digest_of(Path(__file__).parents[1])  # two builds may have the same version
    return f"novikoff {package.__version__} (sources {sources}), {others}"


@cache
def _digest_of(folder: Path) -> str:
    return digest_of_modules(folder)


def digest_of_modules(folder: Path) -> str:
    """Return the first digits of the SHA-256 of the Python modules of a folder."""
    total = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        total.update(f"{path.relative_to(folder).as_posix()}\0".encode() + path.read_bytes() + b"\0")
    return total.hexdigest()[:12]


@cache
def _numba_version() -> str:
    return version("numba")  # without importing it


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
    given = pickle.loads(item)
    try:
        return None, pickle.loads(op)(given)
    except (InputError, OSError) as error:
        paths = given if isinstance(given, tuple) else ()
        read = [Path(one) for one in paths if isinstance(one, str)]
        written = [one.parent for one in paths if isinstance(one, Path)]
        raise _unseen(one for one in (*read, *written) if one.is_absolute()) or error from None


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
        paths = (getattr(one, "path", None) for one in problem.rows.source.files)
        raise _unseen(Path(path) for path in paths if path is not None) or error from None
    total = hashlib.blake2b(digest_size=16)
    for part in (*(points.rows if isinstance(points.rows, tuple) else (points.rows,)), points.y):
        total.update(np.ascontiguousarray(part).data)
    return points, total.digest()


def _unseen(paths: Iterable[Path]) -> InputError | None:
    """Return the error for the first file that this worker does not see; None if it sees them all."""
    for path in paths:
        if not path.exists():
            return InputError(
                f"{path}: worker {address()} does not see this file; every worker needs the files at the same path: "
                "put them on a file system that all machines share"
            )
    return None
