"""How long until the first answer?

CPU time of fresh processes: importing, a first fit with and without kernels compiled by an earlier process, commands on
small tables with the cache of an earlier process and with an empty one, and the help page. The kernels' cache and
Python's bytecode live in a temporary folder, so that an installed cache neither helps nor is touched. For the lecture
examples it is counted whether they import the compiler at all.

NOVIKOFF_BEFORE=/path/to/an/earlier/src adds the CPU time of the same commands by that version, in the same rounds.

In one process: the time of `fit` of 500 × 10, against scikit-learn's on the same 20 passes.
"""

from __future__ import annotations

import math
import os
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median

from benchmarks.harness import Figures, Job, Row, Size, interleave

IMPORT, WARM_FIT, COLD_FIT, HELP = 1.5, 1.3, 5.0, 0.25
COLD_COMMAND, SMALL_FIT = 1.5, 1.5
BEFORE = "NOVIKOFF_BEFORE"  # the source folder of an earlier version
LESS = 1.3  # the time, against that version's

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
        yield from small_tables(fresh, Path(folder), size)
        yield from small_fits(size)


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


def small_tables(fresh: Callable[[str], Fresh], folder: Path, size: Size) -> Iterator[Row]:
    """Commands on small tables, against `import numpy`; the first fit ever of a table of 1,000 rows."""
    for name, rows in (("small", 500), ("thousand", 1000)):
        (folder / f"{name}.csv").write_text("\n".join(_table(rows)))
    table, model, warm = str(folder / "small.csv"), str(folder / "small.nvk"), fresh("tables")
    verbs = {"fit": (table, "-o", model), "predict": (model, table), "certify": (table,)}
    for verb, arguments in verbs.items():
        call = ("-m", "novikoff", verb, *arguments)
        jobs = [partial(_process, warm, verb, *call), partial(_process, warm, NUMPY, "-c", NUMPY)]
        if BEFORE in os.environ:
            earlier = fresh("earlier")
            earlier.env["PYTHONPATH"] = os.environ[BEFORE]
            jobs.append(partial(_process, earlier, "the earlier version", *call))
        rounds, what = (
            interleave(jobs, size.repeats),
            f"novikoff {verb}, 500 × 10, kernels cached, the whole process",
        )
        yield rounds.time(what, verb, NUMPY, None, "s")
        if BEFORE in os.environ:
            yield rounds.time(what, verb, "the earlier version", LESS, "s")
    first = ("-m", "novikoff", "fit", str(folder / "thousand.csv"))
    cold = [_process(fresh(f"empty {k}"), "fit", *first)["fit"] for k in range(size.cold_starts)]
    yield Row("novikoff fit, 1,000 × 10, nothing cached, the whole process", median(cold), "s", bar=COLD_COMMAND)


def _table(rows: int) -> Iterator[str]:
    """The lines of a table that a plane separates."""
    yield ",".join([*(f"x{j}" for j in range(10)), "label"])
    for i in range(rows):
        x = [round(math.sin((10 * i + j + 1) ** 1.5), 4) for j in range(10)]
        yield ",".join([*map(str, x), "b" if sum(x) > 0 else "a"])


def small_fits(size: Size) -> Iterator[Row]:
    """Fits of 500 × 10 in one process, 20 passes each."""
    import numpy as np
    from sklearn.linear_model import Perceptron as Peer

    from novikoff import Perceptron

    rng = np.random.default_rng(0)
    X = rng.standard_normal((500, 10))
    y = X @ rng.standard_normal(10) + 1.5 * rng.standard_normal(500) > 0
    learners = {
        "defaults": Perceptron(max_iter=20),
        "cyclic": Perceptron(max_iter=20, order="cyclic", keep="last"),
        "scikit-learn": Peer(max_iter=20, tol=None),
    }

    def timed(name: str) -> Figures:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            began = time.process_time()
            for _ in range(20):
                learners[name].fit(X, y)
            return {name: (time.process_time() - began) / 20}

    rounds = interleave([partial(timed, name) for name in learners], size.repeats)
    yield rounds.time("fit of 500 × 10, 20 passes, defaults", "defaults", "scikit-learn", SMALL_FIT)
    yield rounds.time("fit of 500 × 10, 20 passes, order cyclic, keep last", "cyclic", "scikit-learn", SMALL_FIT)


def _process(fresh: Fresh, name: str, *arguments: str) -> Figures:
    """User and system seconds of one child."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    fresh.run(*arguments)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {name: after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime}
