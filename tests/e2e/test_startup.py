"""The first answer: without Numba where the cache has machine code, and without the compiler where work is small."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from commands import novikoff
from novikoff.cli.warm_up.warm_commands import commands, parts, write_files

LOADED = """
import sys
from novikoff.cli import main
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
    """Tables of 1,000 rows: that a plane separates, and that none does."""
    there, rng = tmp_path_factory.mktemp("tables"), np.random.default_rng(5)
    X, w = rng.standard_normal((1000, 10)), rng.standard_normal(10)
    score = X @ w
    for name, noise, gap in (("separable", 0.0, 0.2), ("mixed", 1.0, 0.0)):
        positive = score + noise * rng.standard_normal(1000) > 0
        points = X + gap * np.sign(score)[:, None] * w / (w @ w)
        rows = [
            ",".join(f"{v:.4f}" for v in x) + f",{'b' if p else 'a'}" for x, p in zip(points, positive, strict=True)
        ]
        head = ",".join([*(f"x{j}" for j in range(10)), "label"])
        (there / f"{name}.csv").write_text("\n".join([head, *rows, ""]))
    return there


@pytest.fixture(scope="module")
def warm(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache that `novikoff warm tables` has filled."""
    cache = tmp_path_factory.mktemp("cache")
    said, loaded = run(folder, cache, "warm", "tables", "--json")
    info = json.loads(said)
    assert (info["schema"], info["cache"], [part["part"] for part in info["parts"]]) == (
        "novikoff/warm/1", str(cache), ["tables"],
    )  # fmt: skip
    stored = len(list(cache.glob("*.nko")))
    assert info["kernels"] == info["parts"][0]["kernels"] >= stored > 5
    assert {"numba"} <= set(loaded)
    return cache


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
def test_a_command_with_cached_kernels_imports_no_compiler_and_answers_as_without_a_cache(
    folder: Path, warm: Path, tmp_path: Path
) -> None:
    empty = tmp_path / "empty"
    before = sorted(path.name for path in warm.iterdir())
    for args in COMMANDS:
        there, loaded = run(folder, warm, *args)
        assert loaded == ["llvmlite"], args
        model = (folder / "model.nvk").read_bytes()
        here, _ = run(folder, empty, *args, NUMBA_DISABLE_JIT="1")
        assert without_time(here) == without_time(there), args
        assert (folder / "model.nvk").read_bytes() == model, args
    assert sorted(path.name for path in warm.iterdir()) == before


@pytest.mark.compiled
def test_the_first_fit_of_a_small_table_waits_for_no_compiler(folder: Path, tmp_path: Path) -> None:
    _, loaded = run(folder, tmp_path, "fit", "separable.csv", "-o", str(tmp_path / "model.nvk"))
    assert loaded == []
    assert not list(tmp_path.glob("*.nbc"))
    _, loaded = run(folder, tmp_path, "predict", str(tmp_path / "model.nvk"), "separable.csv")
    assert loaded == []


def test_the_parts_of_warm_are_listed_and_their_files_are_there(tmp_path: Path) -> None:
    listed = novikoff("warm", "--list")
    assert [line.split()[0] for line in listed.out.splitlines()] == list(parts())
    assert novikoff("warm", "--list", "--json").json == parts()
    write_files(tmp_path)
    for part in parts():
        lines = list(commands(part))
        assert lines
        files = {word for line in lines for word in line if word.endswith((".csv", ".svm", ".npz"))}
        assert all((tmp_path / name).exists() for name in files)


def test_warm_without_a_way_to_store_anything_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    done = novikoff("warm", "nothing")
    assert (done.code, "there are tables, sparse" in done.err) == (2, True)
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    done = novikoff("warm", "tables")
    assert (done.code, "unset NUMBA_DISABLE_JIT" in done.err) == (3, True)
    monkeypatch.delenv("NUMBA_DISABLE_JIT")
    monkeypatch.setattr("novikoff.kernels.machine_code.cache_folders.usable_folders", lambda: ())
    done = novikoff("warm", "tables")
    assert (done.code, "set NUMBA_CACHE_DIR to an absolute path" in done.err) == (3, True)


@pytest.mark.slow
@pytest.mark.parametrize("part", ["sparse", "arrays", "classes", "margin", "soft"])
def test_the_commands_of_warm_run(part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    for line in commands(part):
        done = novikoff(*line, "--quiet")
        assert done.code in (0, 1), (line, done.err)
