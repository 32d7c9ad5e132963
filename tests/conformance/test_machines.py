"""The same run stores the same bytes on every CPU: models, checkpoints, preparations, proofs.

A process is made to work as another CPU would: OPENBLAS_CORETYPE chooses the kernels of the BLAS that NumPy and SciPy
bring along, NPY_DISABLE_CPU_FEATURES those of NumPy, NUMBA_CPU_NAME what our own are compiled for.
"""

from __future__ import annotations

import functools
import json
import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / "oracles/stored_digests.py"
NEEDED = {
    "Nehalem": {"sse4_2"},
    "Haswell": {"avx2", "fma"},
    "SkylakeX": {"avx512f", "avx512dq", "avx512bw", "avx512vl"},
}
OTHERS = {name: {"OPENBLAS_CORETYPE": name} for name in NEEDED}
OTHERS["generic"] = {"NUMBA_CPU_NAME": "generic"}
OTHERS["no AVX"] = {
    "NPY_DISABLE_CPU_FEATURES": "AVX2 FMA3 AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL"
}


def features() -> set[str]:
    """What this CPU has; nothing where that is not known."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    return {word for line in lines[:60] if line.startswith("flags") for word in line.split()}


@functools.cache
def stored(machine: str, who: str) -> dict[str, str]:
    """The digests of all that the runs store, made as this machine."""
    environment = {key: value for key, value in os.environ.items() if key != "NUMBA_CPU_NAME"} | OTHERS.get(machine, {})
    command = [sys.executable, "-W", "ignore", str(SCRIPT), who]
    found = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr
    digests: dict[str, str] = json.loads(found.stdout)
    return digests


@pytest.mark.compiled
@pytest.mark.parametrize(
    "machine", [pytest.param(m, marks=pytest.mark.twins if m == "generic" else ()) for m in OTHERS]
)
def test_the_same_run_stores_the_same_bytes_on_every_cpu(machine: str) -> None:
    if platform.machine() not in ("x86_64", "AMD64"):
        pytest.skip("the names of CPUs are those of x86-64")
    if not NEEDED.get(machine, set()) <= features():
        pytest.skip(f"this CPU cannot run the kernels of {machine}")
    if machine == "generic" and os.environ.get("NUMBA_CPU_NAME") != "generic":
        pytest.skip("make test runs it once more as this CPU, when its kernels are compiled")
    here, there = stored("this one", "compiled"), stored(machine, "compiled")
    assert len(here) > 200
    assert {name for name in here if here[name] != there[name]} == set()


@pytest.mark.compiled
def test_the_interpreter_stores_the_same_bytes() -> None:
    assert stored("this one", "interpreted") == stored("this one", "compiled")
