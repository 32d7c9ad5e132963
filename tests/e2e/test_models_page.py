"""docs/models.md: what it shows is what the program prints, and its figures are those of the tests it names."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "models.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```\s+prints\s+```\n(.*?)```", PAGE, flags=re.S)


def printed(folder: Path) -> list[str]:
    """What each block prints, one after the other in one process."""
    program = "\nprint('-' * 60)\n".join(code for code, _ in BLOCKS)
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True, cwd=folder)
    assert done.returncode == 0, done.stderr
    return done.stdout.split("-" * 60 + "\n")


def test_the_page_about_models_prints_what_is_shown(tmp_path: Path) -> None:
    if not importlib.util.find_spec("onnxruntime") or not importlib.util.find_spec("skl2onnx"):
        pytest.skip("onnxruntime or skl2onnx is not installed: the block about ONNX cannot be run")
    assert printed(tmp_path) == [shown for _, shown in BLOCKS]
    assert len(BLOCKS) == PAGE.count("```python")


def test_the_figures_of_the_page_are_those_of_the_stress_test() -> None:
    stress = (Path(__file__).parents[1] / "stress" / "test_models.py").read_text(encoding="utf-8")
    assert '"STRESS_ROUNDS", "100"' in stress
    assert len(re.findall(r"in range\(300\)", stress)) == 2
    assert "damages 60,000 files: 30,000" in PAGE
