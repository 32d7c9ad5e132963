"""How long until the first answer?

CPU time of fresh processes: importing, a first fit with and without kernels compiled by an earlier process, and the
help page. The kernels' cache and Python's bytecode live in a temporary folder, so that an installed cache neither helps
nor is touched. The lecture examples are asked whether they load the compiler at all.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median

from benchmarks.harness import Figures, Job, Row, Size, interleave

IMPORT, WARM_FIT, COLD_FIT, HELP = 1.5, 1.3, 8.0, 0.25

NUMPY, PACKAGES = "import numpy", "import numba, sklearn.base"
FIT = """
import numpy as np, novikoff as nv
X = np.sin(np.arange(40_000.0) ** 1.5).reshape(2_000, 20)
s = X.sum(axis=1)
y = s > 0
clf = nv.Perceptron().fit(X + np.sign(s)[:, None] * 0.05, y)
assert clf.stop_reason_ == "separated", clf.stop_reason_
"""
TIMED = "import time as _time; _start = _time.process_time()\n{}\nprint(_time.process_time() - _start)"
COMPILER = "import sys; from novikoff.cli import main; main({!r}); print('numba' in sys.modules, file=sys.stderr)"
LECTURE = (("trace", "--example", "cornwell"), ("fit", "--example", "xor"))


def ask(size: Size) -> Iterator[Row]:
    """The rows of this question."""
    with tempfile.TemporaryDirectory() as folder:
        fresh = partial(Fresh, Path(folder))
        yield from imports(fresh("plain"), size.repeats)
        yield from fits(fresh, size)
        yield from command_line(fresh("plain"), size.repeats)


class Fresh:
    """Starts Python processes whose caches are kept under a folder."""

    def __init__(self, folder: Path, cache: str) -> None:
        caches = {"NUMBA_CACHE_DIR": str(folder / cache), "PYTHONPYCACHEPREFIX": str(folder / "bytecode")}
        self.env = {
            k: v for k, v in os.environ.items() if k not in ("PYTHONDONTWRITEBYTECODE", "NUMBA_DISABLE_JIT")
        } | caches

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run Python with these arguments to a good end."""
        return subprocess.run([sys.executable, *arguments], env=self.env, capture_output=True, text=True, check=True)

    def seconds_of(self, code: str) -> float:
        """CPU seconds of the code in a new process, the interpreter's own start left out."""
        return float(self.run("-c", TIMED.format(code)).stdout)

    def job(self, name: str, code: str) -> Job:
        """The job that times the code."""
        return lambda: {name: self.seconds_of(code)}


def imports(fresh: Fresh, repeats: int) -> Iterator[Row]:
    """`import novikoff` against `import numpy`."""
    rounds = interleave([fresh.job(code, code) for code in ("import novikoff", NUMPY)], repeats)
    yield rounds.time("import novikoff", "import novikoff", NUMPY, IMPORT)


def fits(fresh: Callable[[str], Fresh], size: Size) -> Iterator[Row]:
    """A first fit in a process, the kernels compiled before and not."""
    warm = fresh("warm")
    jobs = [warm.job("fit", FIT), warm.job(PACKAGES, PACKAGES)]
    rounds = interleave(jobs, size.repeats)
    yield rounds.time("first fit in a process, kernels cached (2,000 × 20)", "fit", PACKAGES, WARM_FIT, "s")
    cold = median(fresh(f"cold {k}").seconds_of(FIT) for k in range(size.cold_starts))
    yield Row("first fit ever, nothing cached", cold, "s", bar=COLD_FIT)


def command_line(fresh: Fresh, repeats: int) -> Iterator[Row]:
    """The help page, and the lecture without the compiler."""
    rounds = interleave([partial(_process, fresh, "help", "-m", "novikoff", "--help")], repeats)
    yield Row("novikoff --help, the whole process", rounds.typical("help"), "s", bar=HELP)
    for arguments in LECTURE:
        loaded = fresh.run("-c", COMPILER.format(arguments)).stderr.split()[-1] == "True"
        yield Row(f"novikoff {' '.join(arguments)}: times numba was imported", float(loaded), "", bar=0.0)


def _process(fresh: Fresh, name: str, *arguments: str) -> Figures:
    """User and system seconds of one child."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    fresh.run(*arguments)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {name: after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime}
