"""`nv.engine`: choose how partitions of the points are processed."""

from __future__ import annotations

from numbers import Integral

from novikoff.arguments.argument_checks import one_of, whole
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
    one_of("engine", kind, ENGINES)
    if isinstance(timeout, bool) or not isinstance(timeout, int | float) or not 0 < timeout <= LONGEST:
        raise InputError(f"timeout: found {timeout!r}; seconds above 0, at most {LONGEST:,} (a year), were expected")
    if kind != "dask" or isinstance(workers, Integral):
        whole("workers", workers, 1)
    if kind != "dask":
        return Engine(kind, None if workers is None else int(workers))
    from novikoff.engines.dask_engine import DaskEngine

    return DaskEngine(int(workers) if isinstance(workers, Integral) else workers, float(timeout)).connected()
