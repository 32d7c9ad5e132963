"""What the compiler makes of the kernels: flags, cache, and the same verbs for every storage."""

from __future__ import annotations

import inspect
import os
import shutil
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import novikoff
from novikoff import cli
from novikoff.kernels import compile as door, dense, sparse
from novikoff.kernels.mark import EXACT
from novikoff.perceptron import pass_one

PACKAGE = Path(novikoff.__file__).parent


def kernels(module: object) -> list[str]:
    return [name for name, f in vars(module).items() if inspect.isfunction(f) and hasattr(f, "__kernel_flags__")]


def test_updates_and_exact_sums_are_compiled_without_any_freedom() -> None:
    for module in (dense, sparse):
        for verb in ("copy_row", "ordered_scores", "add_row", "put_row"):
            assert vars(module)[verb].__kernel_flags__ == EXACT


UPDATE_IN_A_PASS = """
import numpy as np
from novikoff.kernels.compile import bind
from novikoff.perceptron.orders import Order
from novikoff.perceptron.rates import Rates
from novikoff.perceptron.stops import Stops
from novikoff.perceptron.plan import Plan
from novikoff.perceptron.run import Run
from novikoff.perceptron.train import train
from novikoff.data.problem import Problem
from novikoff.kernels.compile import limits
limits.forced = True
rng = np.random.default_rng(0)
x, w0 = rng.standard_normal((1, 1000)), rng.standard_normal(1000)
y = np.array([-np.sign(x[0] @ w0)], np.int8)
for keep in ("last", "average"):
    plan = Plan(Order("cyclic"), keep, Stops(1, 1, None, None), Rates(0.1, None, False))
    run = train(Run.begin(Problem(x, y, 1000, 0.0), plan, np.append(w0, 0.0))).run
    assert run.S.counts["updates"] == 1, "one update"
    want = w0 + (0.1 * float(y[0])) * x[0]
    w = run.S.weights[:, 0]
    assert (w == want).all(), f"{keep}: {(w != want).sum()} of 1000 weights were fused"
print("IEEE")
"""


@pytest.mark.compiled
def test_the_update_inside_a_compiled_pass_rounds_twice() -> None:
    """An inlined function without flags of its own would inherit `contract` and fuse w + g·x into one rounding."""
    assert run_python(UPDATE_IN_A_PASS) == "IEEE"


LOOK_AT_THE_CODE = """
import re, sys
import numpy as np
from novikoff.kernels.compile import bind
from novikoff.kernels import {storage} as storage
X = np.random.default_rng(0).standard_normal((3, 64))
col = np.arange(192, dtype=np.int32) % 64
A = (X.ravel(), col, np.array([0, 64, 128, 192], np.int32)) if {sparse} else X
add_row, look = bind(storage.add_row, storage), bind(storage.look, storage)
w = np.zeros(64)
add_row(A, 1, w, 0.1)
look(A, 1, w)
for f in (add_row, look):
    text = "".join(f.inspect_llvm().values())
    body = text[text.index("define"):]
    free = re.findall(r"= f(?:mul|add)[^\\n]*\\b(?:contract|reassoc|fast)\\b", body)
    print(len(free), len(re.findall(r"= fmul", body)))
"""


@pytest.mark.compiled
@pytest.mark.parametrize("storage", ["dense", "sparse"])
def test_the_code_of_an_update_has_no_freedom_that_of_a_look_has(storage: str, tmp_path: Path) -> None:
    source = LOOK_AT_THE_CODE.format(storage=storage, sparse=storage == "sparse")
    lines = run_python(source, NUMBA_CACHE_DIR=str(tmp_path)).splitlines()
    (free_in_step, products_in_step), (free_in_look, _) = [tuple(map(int, line.split())) for line in lines]
    assert products_in_step > 0
    assert free_in_step == 0
    assert free_in_look > 0


@pytest.mark.compiled
def test_an_edited_leaf_is_noticed_by_kernels_in_other_files(tmp_path: Path) -> None:
    """Numba's own cache would go on using the old leaf inside the cached caller."""
    copy = tmp_path / "novikoff"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    program = (
        "import numpy as np; from novikoff.kernels.compile import bind; from novikoff.kernels import dense, row_signs\n"
        "out = np.zeros(1)\n"
        "bind(row_signs.row_scores, dense)(np.ones((1, 2)), 0, 1, np.ones(2), np.ones(2), 0.0, 0.0, out)\n"
        "print(out[0])"
    )
    environment = {"PYTHONPATH": str(tmp_path), "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    assert run_python(program, **environment) == "2.0"
    leaf = copy / "kernels" / "dense.py"
    text = leaf.read_text()
    edited = text.replace(
        "        s += v[j] * x\n        q += x * x\n", "        s += v[j] * x + 10.0\n        q += x * x\n", 1
    )
    assert edited != text
    leaf.write_text(edited)
    assert run_python(program, **environment) == "22.0"


@pytest.mark.compiled
def test_a_second_process_finds_the_cache(tmp_path: Path) -> None:
    program = (
        "import numpy as np; from novikoff.kernels.compile import bind; from novikoff.kernels import dense\n"
        "f = bind(dense.square, dense); f(np.ones((1, 2)), 0); print(sum(f.stats.cache_hits.values()))"
    )
    assert run_python(program, NUMBA_CACHE_DIR=str(tmp_path)) == "0"
    assert run_python(program, NUMBA_CACHE_DIR=str(tmp_path)) == "1"


@pytest.mark.compiled
def test_a_cache_that_cannot_be_written_stops_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    from novikoff.kernels import kernel_cache

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(kernel_cache, "replace_file", full)
    monkeypatch.setattr(kernel_cache, "bytes_of", lambda _: b"")
    square = door.bind.__wrapped__(dense.square, dense)
    assert square(np.array([[3.0, 4.0]]), 0) == 25.0


@pytest.mark.compiled
def test_a_compiler_that_cannot_be_loaded_is_an_error_that_says_so() -> None:
    """In a process of its own: where the compiler was loaded before, it stays."""
    program = (
        "import sys; sys.modules['numba'] = None\n"
        "from novikoff.kernels.compile import bind; from novikoff.kernels import dense\n"
        "from novikoff.errors import InputError\n"
        "import numpy as np\n"
        "try: bind(dense.square, dense)(np.ones((1, 2)), 0)\n"
        "except InputError as error: print(error)"
    )
    found = run_python(program)
    assert "the compiler cannot be loaded" in found
    assert "a working numba and memory for it were" in found


@pytest.mark.compiled
def test_code_that_is_damaged_or_of_another_kernel_is_compiled_again(tmp_path: Path) -> None:
    """Cut off, emptied, flipped, or with the code of another signature under its name, as two processes leave it."""
    program = (
        "import numpy as np; from novikoff.kernels.compile import bind; from novikoff.kernels import dense\n"
        "f = bind(dense.square, dense)\n"
        "print([f(np.full((1, 2), 3, kind), 0) for kind in ('f8', 'i1')], sum(f.stats.cache_hits.values()))"
    )
    assert run_python(program, NUMBA_CACHE_DIR=str(tmp_path)) == "[18.0, 18.0] 0"
    assert run_python(program, NUMBA_CACHE_DIR=str(tmp_path)) == "[18.0, 18.0] 2"
    files = sorted(tmp_path.rglob("*.nbc"))
    whole = [path.read_bytes() for path in files]
    assert len(files) == 2
    flipped = whole[0][:-9] + bytes([whole[0][-9] ^ 1]) + whole[0][-8:]
    for bad in (b"", whole[0][:100], flipped, whole[1]):
        files[0].write_bytes(bad)
        assert run_python(program, NUMBA_CACHE_DIR=str(tmp_path)) == "[18.0, 18.0] 1"
    assert run_python(program, NUMBA_CACHE_DIR=str(tmp_path)) == "[18.0, 18.0] 2"


def test_without_the_compiler_a_kernel_is_its_own_source(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    door.bind.cache_clear()
    try:
        kernel = door.bind(pass_one.pass_one, sparse)
        assert inspect.isfunction(kernel)
        assert kernel.__globals__["look"].__code__ is sparse.look.__code__
    finally:
        door.bind.cache_clear()


def test_flush_to_zero_is_off() -> None:
    """Subnormal numbers are part of the contract; a library in the process could have switched them off."""
    assert np.float64(2.0**-1022) * 0.5 != 0.0


def run_python(source: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", source], capture_output=True, text=True, env=os.environ | environment, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


# ---- the time that compiling takes ----------------------------------------------------------------------------------


class Hands:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.at = 100.0

    def perf_counter(self) -> float:
        return self.at


@pytest.mark.parametrize("anew", [True, False])
def test_the_clock_of_limits_stands_still_while_code_is_made(anew: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    hands, made = Hands(), door._CompileTime()
    monkeypatch.setattr(door, "time", hands)
    monkeypatch.setattr(door, "compile_time", made)

    misses = Counter[str]()

    def kernel(signature: str) -> str:
        hands.at += 7.0
        misses[signature] += anew
        return f"code for {signature}"

    inner = door._timed(kernel, misses)

    def outer(signature: str) -> str:
        hands.at += 2.0
        return inner(signature)

    before = door.clock()
    assert door._timed(outer, Counter())("f8") == "code for f8"
    assert (door.clock() - before, door.compile_time.compiled) == (0.0, 9.0 * anew)
    hands.at += 3.0
    assert (door.clock() - before, door.compile_time.compiled) == (3.0, 9.0 * anew)


@pytest.mark.parametrize("words", [[], ["--quiet"]])
def test_the_command_line_tells_once_of_a_second_of_compiling(
    words: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cli, "LONG", 1.0)
    with cli._report_compiling(["fit", *words]):
        for seconds in (0.3, 2.5, 4.0):
            if door.compile_time.on_compiled is not None:
                door.compile_time.on_compiled(door.compile_time.compiled + seconds)
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("compiling for this CPU") == (0 if words else 1)
    assert words or "took 2.5 s so far; time limits do not include it" in said.err
    assert door.compile_time.on_compiled is None


# ---- what is not worth compiling -------------------------------------------------------------------------------------


def test_who_waits_for_the_compiler_is_told_once_on_stderr(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The compiler of this test ends when the notice is there; one that ends before the notice is due says nothing."""
    said: list[str] = []

    def patient(signature: int) -> int:
        while not (info := capsys.readouterr().err):
            time.sleep(0.001)
        said.append(info)
        return signature

    monkeypatch.setattr(door.compile_time, "on_compiled", None)
    monkeypatch.setattr(door, "NOTICE", 0.0)
    door._say_compiling.cache_clear()
    assert door._timed(patient, {})(0) == 0
    assert said == ["novikoff: compiling for this CPU (once; the result is cached); time limits do not include it\n"]
    door._say_compiling()
    assert capsys.readouterr().err == "", "it is said once"
    door._say_compiling.cache_clear()
    monkeypatch.setattr(door.compile_time, "on_compiled", lambda seconds: None)
    door._say_compiling()
    assert capsys.readouterr().err == "", "someone else reports it"
    monkeypatch.setattr(door.compile_time, "on_compiled", None)
    monkeypatch.setattr(door, "NOTICE", 10.0**6)
    door._say_compiling.cache_clear()
    assert door._timed(lambda signature: signature, {})(2) == 2
    assert capsys.readouterr().err == ""
