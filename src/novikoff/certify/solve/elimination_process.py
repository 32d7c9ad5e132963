"""Run a long elimination in a separate process: a deadline or Ctrl-C can end a process, but not FLINT.

Rows and weights are pickled. If no process can be started, the work is done in this one.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import sys
from collections.abc import Sequence

from novikoff.certify.deadline import Clock, TimeIsUpError
from novikoff.certify.solve.solver import circuit_of
from novikoff.certify.solve.wolfe import Circuit

LONG = 300  # rows from which an elimination takes more than a second
CHILD = (
    "import pickle, sys; from novikoff.certify.solve.solver import circuit_of; "
    "pickle.dump(circuit_of(pickle.load(sys.stdin.buffer)), sys.stdout.buffer)"
)


def circuit_in_time(rows: Sequence[Sequence[int]], clock: Clock) -> Circuit | None:
    """Return `solver.circuit_of` of the rows, or raise TimeIsUpError at the deadline."""
    clock()
    if len(rows) < LONG:
        return circuit_of(rows)
    import subprocess  # only here: most commands need none

    environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    try:
        child = subprocess.Popen(
            [sys.executable, "-c", CHILD], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
        )
    except OSError:
        return circuit_of(rows)
    try:
        answer, _ = child.communicate(pickle.dumps([list(row) for row in rows]), timeout=clock.left)
    except BaseException as error:
        child.kill()
        child.wait()
        for pipe in filter(None, (child.stdin, child.stdout)):
            with contextlib.suppress(OSError):
                pipe.close()
        if isinstance(error, subprocess.TimeoutExpired):
            raise TimeIsUpError from None
        raise
    found: Circuit | None = pickle.loads(answer) if child.returncode == 0 else circuit_of(rows)
    return found
