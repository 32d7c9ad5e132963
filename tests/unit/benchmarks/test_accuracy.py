"""The question `accuracy` on toy data: bars, skips, one recipe; and its references against the README of the data."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from benchmarks import accuracy, real
from benchmarks.accuracy import Score
from benchmarks.harness import Size

TOY = Size(dense=(1, 1), text=(1, 1), repeats=2)
REFERENCE = real.Reference(0.5, 0.6, 0.7, 0.65)


def toy(folder: Path) -> real.Parts:
    """Three classes in the plane that no run could mistake."""
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1, 2], 20)
    X = rng.normal(size=(60, 2)) + 30 * np.array([[1, 0], [0, 1], [-1, -1]])[y]
    return real.Parts(X, y, X[::2], y[::2])


def wrong_way_round(folder: Path) -> real.Parts:
    """The same with a test part in which every label is another."""
    X, y, X_test, y_test = toy(folder)
    return real.Parts(X, y, X_test, (y_test + 1) % 3)


@pytest.mark.parametrize(("ours", "holds"), [(0.8072, True), (0.80716, True), (0.8071, False)])
def test_a_score_must_reach_its_bar_to_four_digits(ours: float, holds: bool) -> None:
    score = Score("w", ours, "", "p", 0.8072, bar=0.8072)
    assert score.holds is holds
    assert score.cells()[-2:] == ("≥ 0.8072", "yes" if holds else "NO")
    assert score.as_json()["holds"] is holds


@pytest.mark.compiled
@pytest.mark.parametrize(("load", "holds"), [(toy, True), (wrong_way_round, False)])
def test_the_lowest_seed_of_the_better_keep_is_judged_by_the_peers_highest(
    load: object, holds: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(real.FOLDER, str(tmp_path))
    monkeypatch.setattr(real, "SETS", {"toy": (load, REFERENCE)})
    (tmp_path / "toy").mkdir()
    rows = list(accuracy.ask(TOY))
    (judged,) = [row for row in rows if row.bar is not None]
    assert judged.bar == REFERENCE.highest
    assert judged.holds is holds
    assert judged.ours == min(judged.seeds)
    assert len(judged.seeds) == TOY.repeats
    assert rows[0].cells()[3] == "0.6000 [0.5000–0.7000]"


def test_a_set_that_is_not_there_is_skipped_with_a_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(real.FOLDER, str(tmp_path))
    rows = list(accuracy.ask(TOY))
    assert [row.what for row in rows] == [f"{name}: skipped" for name in real.SETS]
    assert all(row.holds is None and row.cells()[1] == "" and real.FOLDER in row.note for row in rows)
    assert all(str(tmp_path) not in row.note for row in rows)


def test_the_data_are_looked_for_beside_the_project(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(real.FOLDER, raising=False)
    assert real.folder() == Path(real.__file__).resolve().parents[2] / "shared" / "data"


def test_the_references_are_those_of_the_readme() -> None:
    path = real.folder() / "README.md"
    if not path.exists():
        pytest.skip("the real data are not here")
    table = [line.split("|") for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    at = {cells[1].strip(): cells for cells in table}
    head = [cell.strip() for cell in at["set"]]
    median, seed_0 = head.index("Perceptron, median [min–max] of seeds"), head.index("Perceptron seed 0")
    for name, (_, reference) in real.SETS.items():
        found = [float(x) for x in re.findall(r"[0-9.]+", at[name][median])] + [float(at[name][seed_0])]
        assert found == [reference.median, reference.lowest, reference.highest, reference.seed_0], name
