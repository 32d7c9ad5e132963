"""The first answer: without the compiler where work is small, and the same with what the cache has."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

LOADED = """
import os, sys
from novikoff.cli import main
from novikoff.kernels.compile import limits
limits.forced = True if "COMPILE_ALL" in os.environ else None
code = main(sys.argv[1:])
print(*[name for name in ("numba", "llvmlite", "coverage", "sklearn") if name in sys.modules], file=sys.stderr)
sys.exit(code)
"""


def run(folder: Path, cache: Path, *args: str, code: int = 0, **more: str) -> tuple[str, list[str]]:
    """What a command in a process of its own prints, and the packages that it has imported."""
    env = {k: v for k, v in os.environ.items() if k != "NUMBA_DISABLE_JIT"} | {"NUMBA_CACHE_DIR": str(cache)} | more
    done = subprocess.run(
        [sys.executable, "-c", LOADED, *args], capture_output=True, text=True, cwd=folder, env=env, check=False
    )
    assert done.returncode == code, done.stderr
    return done.stdout, done.stderr.splitlines()[-1].split()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tables of 1,000 rows: that a plane separates, and that none does; and the first rows of one."""
    there, rng = tmp_path_factory.mktemp("tables"), np.random.default_rng(5)
    X, w = rng.standard_normal((1000, 10)), rng.standard_normal(10)
    score = X @ w
    for name, noise, gap in (("separable", 0.0, 0.2), ("mixed", 1.0, 0.0), ("tiny", 0.0, 0.2)):
        positive = score + noise * rng.standard_normal(1000) > 0
        points = X + gap * np.sign(score)[:, None] * w / (w @ w)
        rows = [
            ",".join(f"{v:.4f}" for v in x) + f",{'b' if p else 'a'}" for x, p in zip(points, positive, strict=True)
        ]
        head = ",".join([*(f"x{j}" for j in range(10)), "label"])
        (there / f"{name}.csv").write_text("\n".join([head, *rows[: 30 if name == "tiny" else None], ""]))
    return there


COMMANDS = [
    ("fit", "separable.csv", "-o", "model.nvk"),
    ("predict", "model.nvk", "separable.csv"),
    ("certify", "separable.csv", "--json"),
    ("fit", "mixed.csv", "--max-passes", "25", "-o", "model.nvk"),
    ("predict", "model.nvk", "mixed.csv"),
]


def without_time(said: str) -> Any:
    """What a command prints, without the seconds that it took."""
    return {k: v for k, v in json.loads(said).items() if k != "seconds"} if said.startswith("{") else said


@pytest.mark.compiled
@pytest.mark.slow
def test_a_command_with_cached_kernels_answers_as_without_a_cache(folder: Path, tmp_path: Path) -> None:
    full, empty = tmp_path / "full", tmp_path / "empty"
    for args in COMMANDS:
        run(folder, full, *args, COMPILE_ALL="1")
    before = sorted(path.name for path in full.iterdir())
    for args in COMMANDS:
        there, loaded = run(folder, full, *args)
        assert "numba" in loaded, args
        model = (folder / "model.nvk").read_bytes()
        here, _ = run(folder, empty, *args, NUMBA_DISABLE_JIT="1")
        assert without_time(here) == without_time(there), args
        assert (folder / "model.nvk").read_bytes() == model, args
    assert sorted(path.name for path in full.iterdir()) == before


@pytest.mark.compiled
def test_the_first_fit_of_a_small_table_waits_for_no_compiler(folder: Path, tmp_path: Path) -> None:
    for args in (("fit", "separable.csv"), ("fit", "tiny.csv")):
        _, loaded = run(folder, tmp_path, *args, "-o", str(tmp_path / "model.nvk"))
        assert not list(tmp_path.glob("*.nbc"))
    assert loaded == []
    _, loaded = run(folder, tmp_path, "predict", str(tmp_path / "model.nvk"), "tiny.csv")
    assert loaded == []
