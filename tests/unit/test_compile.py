"""What the compiler makes of the kernels: the freedom of their sums, the time it takes, what is said of it."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from novikoff import cli
from novikoff.kernels import compile as door, dense, sparse
from novikoff.kernels.mark import EXACT
from novikoff.perceptron import pass_one


def run_python(source: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", source], capture_output=True, text=True, env=os.environ | environment, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


# ---- the freedom of a sum

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


def test_updates_and_exact_sums_are_compiled_without_any_freedom() -> None:
    for module in (dense, sparse):
        for verb in ("copy_row", "ordered_scores", "add_row", "put_row"):
            assert vars(module)[verb].__kernel_flags__ == EXACT


@pytest.mark.compiled
@pytest.mark.parametrize("storage", ["dense", "sparse"])
def test_the_code_of_an_update_has_no_freedom_that_of_a_look_has(storage: str, tmp_path: Path) -> None:
    """That an update inside a compiled pass rounds twice is shown by the rounded twin (test_routes)."""
    source = LOOK_AT_THE_CODE.format(storage=storage, sparse=storage == "sparse")
    text = run_python(source, NUMBA_CACHE_DIR=str(tmp_path))  # what comes from a cache cannot be inspected
    step, look = (tuple(map(int, line.split())) for line in text.splitlines())
    assert step[1] > 0 == step[0]
    assert look[0] > 0


def test_without_the_compiler_a_kernel_is_its_own_source(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    door.bind.cache_clear()
    try:
        kernel = door.bind(pass_one.pass_one, sparse)
        assert inspect.isfunction(kernel)
        assert kernel.__globals__["look"].__code__ is sparse.look.__code__
    finally:
        door.bind.cache_clear()
    assert np.float64(2.0**-1022) * 0.5 != 0.0, "no library has switched subnormal numbers off"


@pytest.mark.compiled
def test_a_compiler_that_cannot_be_loaded_is_an_error_that_says_so() -> None:
    """In a process of its own: where the compiler was loaded before, it stays."""
    found = run_python(
        "import sys; sys.modules['numba'] = None\n"
        "from novikoff.kernels.compile import bind; from novikoff.kernels import dense\n"
        "import numpy as np, novikoff as nv\n"
        "try: bind(dense.square, dense)(np.ones((1, 2)), 0)\n"
        "except nv.InputError as error: print(error)"
    )
    assert "the compiler cannot be loaded" in found
    assert "a working numba and memory for it were" in found


# ---- the time that compiling takes


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
