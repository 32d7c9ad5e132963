"""`nv.engine`: choose how partitions of the points are processed."""

from __future__ import annotations

from typing import SupportsIndex

from novikoff.engines.engine import Engine
from novikoff.errors import InputError

ENGINES = ("serial", "threads", "dask")
TIMEOUT = 600.0  # seconds
LONGEST = 365 * 24 * 3600


def engine(kind: str = "serial", workers: int | str | None = None, *, timeout: float = TIMEOUT) -> Engine:
    """Return an engine for `decide`, `margin`, `verify` and `Perceptron`; no result depends on the choice.

    Parameters
    ----------
    kind : "serial", one partition of the points after the other; "threads"; or "dask", the workers of a cluster (the
        extra `dask`)
    workers : how many partitions at a time; None: as many as there are CPUs. "dask" starts so many processes on this
        machine, and ends them when the engine is closed; scripts that do so begin under `if __name__ == "__main__":`.
        Or, with "dask", a cluster that runs already: a `distributed.Client`, a cluster, or the address of a scheduler,
        as in "tcp://10.0.0.1:8786". A client that was given stays open
    timeout : with "dask", seconds without any finished partition after which WorkerError is raised

    Examples
    --------
    >>> import novikoff as nv
    >>> with nv.engine("threads", workers=2) as two:
    ...     nv.decide(*nv.example("or"), engine=two).separable
    True
    """
    if not isinstance(kind, str) or kind not in ENGINES:
        raise InputError(f"engine: found {kind!r}; one of {', '.join(ENGINES)} was expected")
    if isinstance(timeout, bool) or not isinstance(timeout, int | float) or not 0 < timeout <= LONGEST:
        raise InputError(f"timeout: found {timeout!r}; seconds above 0, at most {LONGEST:,} (a year), were expected")
    if isinstance(workers, SupportsIndex) and not isinstance(workers, bool):
        workers = int(workers)
    wrong = InputError(f"workers: found {workers!r}; a whole number from 1 on was expected, or None")
    if isinstance(workers, int) and (isinstance(workers, bool) or workers < 1):
        raise wrong
    if kind == "dask":
        from novikoff.engines.dask_engine import DaskEngine

        return DaskEngine(workers, float(timeout)).connected()
    if not isinstance(workers, int | None):
        raise wrong
    return Engine(kind, workers)
