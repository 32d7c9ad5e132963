"""The README: its commands from a table to a prediction, its figures, its targets."""

from __future__ import annotations

import re
from pathlib import Path

import novikoff as nv
from commands import novikoff

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w*)\n(.*?)```", README, flags=re.S)


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
