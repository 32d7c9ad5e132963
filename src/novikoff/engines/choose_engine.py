"""`nv.engine`: choose how partitions of the points are processed."""

from __future__ import annotations

from novikoff.engines.engine import Engine
from novikoff.errors import InputError

ENGINES = ("serial", "threads", "processes", "dask")
TIMEOUT = 600.0  # seconds
LONGEST = 365 * 24 * 3600


def engine(kind: str = "serial", workers: int | str | None = None, *, timeout: float = TIMEOUT) -> Engine:
    """Return an engine for `decide`, `margin`, `verify` and `Perceptron`; no result depends on the choice.

    Parameters
    ----------
    kind : "serial", one partition of the points after the other; "threads"; "processes", which is the one to use
        for files whose readers are slow; or "dask", the workers of a cluster (the extra `dask`). Scripts that use
        processes begin under `if __name__ == "__main__":`
    workers : how many partitions at a time; None: as many as there are CPUs. With "dask": a `distributed.Client`, a
        cluster, or the address of a scheduler, as in "tcp://10.0.0.1:8786". A client that was given stays open
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
    if kind == "dask":
        from novikoff.engines.dask_engine import DaskEngine

        return DaskEngine(workers, float(timeout)).connected()
    if workers is not None and (isinstance(workers, bool) or not hasattr(workers, "__index__") or int(workers) < 1):
        raise InputError(f"workers: found {workers!r}; a whole number from 1 on was expected, or None")
    return Engine(kind, None if workers is None else int(workers))
