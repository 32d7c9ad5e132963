"""What runs in the workers of a cluster: apply an operation to an item, check versions.

Arguments arrive as pickled bytes, so that the scheduler passes them on without unpacking them.
"""

from __future__ import annotations

import hashlib
import pickle
import platform
import sys
from dataclasses import replace
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from novikoff.data.storages import rows_of
from novikoff.errors import WorkerError


@cache
def versions() -> str:
    """Return the versions that driver and workers must share; two builds may have the same version."""
    package, total = sys.modules["novikoff"], hashlib.sha256()
    for path in sorted(Path(__file__).parents[1].rglob("*.py")):
        total.update(path.read_bytes())
    others = f"Python {platform.python_version()}, numpy {np.__version__}, numba {version('numba')}"
    return f"novikoff {package.__version__} (sources {total.hexdigest()[:12]}), {others}"


def run(driver: str, op: bytes, item: bytes, block: Any = None) -> Any:
    """Return op(item), both pickled; raise WorkerError if the driver has other versions.

    block: the rows of a partition, if a dask collection has computed them.
    """
    if versions() != driver:
        from distributed import get_worker

        raise WorkerError(
            f"engine: worker {get_worker().address} has {versions()}; this program has {driver}: install the same "
            "versions on all machines"
        )
    given = pickle.loads(item)
    if block is not None:
        given = replace(given, rows=rows_of(block, given.name))
    return pickle.loads(op)(given)


def same(packed: bytes) -> bytes:
    """Return the bytes: a task whose result stays with the workers and is made again if they die."""
    return packed
