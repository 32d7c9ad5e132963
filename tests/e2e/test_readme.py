"""What the README shows is what the program prints."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import novikoff as nv
from commands import novikoff
from data.storages import STORAGES

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w*)\n(.*?)```", README, flags=re.S)
EXAMPLES = [at for at, (language, _) in enumerate(BLOCKS) if language == "python"]


@pytest.mark.compiled
@pytest.mark.parametrize("at", EXAMPLES)
def test_each_example_prints_what_is_shown(at: int) -> None:
    if "pandas" in BLOCKS[at][1]:
        pytest.importorskip("pandas", reason="the example is for pandas")
    done = subprocess.run([sys.executable, "-c", BLOCKS[at][1]], capture_output=True, text=True, check=True)
    assert done.stdout == BLOCKS[at + 1][1]
    assert done.stderr == ""


def test_the_commands_from_a_table_to_a_prediction_run_as_they_stand(tmp_path: Path) -> None:
    X, y = nv.example("iris")
    rows = [f"{x[0]},{'' if k % 9 == 0 else x[2]},{'big' if x[3] > 1 else 'small'},{int(label != 'setosa')}"
            for k, (x, label) in enumerate(zip(X.tolist(), y.tolist(), strict=True))]  # fmt: skip
    (tmp_path / "titanic.csv").write_text("\n".join(["Age,Fare,Sex,Survived", *rows]) + "\n")
    (tmp_path / "new.csv").write_text("\n".join(["Age,Fare,Sex", *(row[:-2] for row in rows[:40])]) + "\n")
    block = next(text for language, text in BLOCKS if language == "sh")
    for command in block.splitlines():
        _, *arguments = command.split()
        done = novikoff(
            *[str(tmp_path / one) if (tmp_path / one).suffix in (".csv", ".nvk") else one for one in arguments]
        )
        assert done.code == 0, done.err
        assert done.out


def test_the_stream_of_the_page_about_storages_prints_what_is_shown() -> None:
    page = (ROOT / "docs" / "storages.md").read_text(encoding="utf-8")
    code, shown = re.findall(r"```python\n(.*?)```\s+prints `(.*?)`", page, flags=re.S)[0]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == shown
    assert f"{len(STORAGES)} storages" in page


def test_every_figure_of_the_tables_is_in_the_results_of_the_named_question() -> None:
    results = (ROOT / "benchmarks" / "results.md").read_text(encoding="utf-8")
    for question in re.findall(r"`python -m benchmarks ([\w -]+)`", README):
        assert all(f"\n## {one}\n" in results for one in question.split())
    tables = re.findall(r"(?:^\|.*\n)+", README, flags=re.M)
    assert len(tables) == 2
    for figure in re.findall(r"\d+\.\d+", "".join(tables)):
        assert figure in results, figure


def test_the_two_commands_are_targets_of_the_makefile() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for verb in re.findall(r"^make (\w+)", README, flags=re.M):
        assert re.search(rf"^{verb}:", makefile, flags=re.M)


def test_links_and_pictures_are_there() -> None:
    for target in re.findall(r"\]\(([^)#]+)", README):
        assert (ROOT / target).exists(), target
