"""The recipe's machinery on toy data: held-out rows are training rows, absent sets are skipped, bars are judged."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from benchmarks import raw, real, recipe
from benchmarks.harness import Size

from novikoff.prepare import OneHot, Raw, Words

TOY = Size(dense=(1, 1), text=(1, 1), repeats=2)


def toy(path: Path | None = None) -> raw.RawParts:
    """Messages that say what they are, in 40 training rows and 10 test rows."""
    y = np.array(["ham", "spam"] * 25)
    texts = [f"{label} number{i}" for i, label in enumerate(y)]
    color = ["red" if i < 40 else "blue" for i in range(50)]
    learn = Raw(None, None, {"text": texts[:40]}, {"color": color[:40]})
    return raw.RawParts(
        learn, y[:40], Raw(None, None, {"text": texts[40:]}, {"color": color[40:]}), y[40:], (Words(), OneHot())
    )


@pytest.mark.parametrize(("block", "first"), [(1, [4, 9]), (5, [20, 21])])
def test_held_out_rows_are_every_fifth_of_the_training_rows(block: int, first: list[int]) -> None:
    parts = toy().held_out(block)
    assert parts.test.text["text"][:2] == [toy().rows.text["text"][i] for i in first]
    assert sorted(parts.rows.text["text"] + parts.test.text["text"]) == sorted(toy().rows.text["text"])
    assert len(parts.y) == parts.rows.n
    assert [text.split()[0] for text in parts.test.text["text"]] == parts.y_test.tolist()


def test_the_preparation_learns_from_the_training_rows_only() -> None:
    prepared = toy().prepared()
    assert prepared.X.shape == (40, 2 + 40 + 1)  # ham, spam, 40 numbers, and red; not blue, nor the test's numbers
    assert prepared.X_test.sum() == 10  # one known word in each row


@pytest.mark.compiled
def test_the_lowest_seed_is_judged_by_the_bar(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(real.FOLDER, str(tmp_path))
    (tmp_path / "toy").mkdir()
    monkeypatch.setattr(recipe, "BARS", {"toy": 0.9, "absent": 0.5})
    monkeypatch.setattr(recipe, "PEERS", {"toy": 0.8})
    monkeypatch.setattr(raw, "SETS", {"toy": toy})
    judged, skipped = recipe.ask(TOY)
    assert (judged.ours, judged.holds, judged.bar) == (1.0, True, 0.9)
    assert (skipped.what, skipped.holds) == ("absent: skipped", None)
    monkeypatch.setattr(recipe, "CANDIDATES", ({"rule": "perceptron", "max_iter": 1}, recipe.RECIPE))
    monkeypatch.setattr(recipe, "BARS", {"toy": 0.9})
    assert recipe.choose() in recipe.CANDIDATES


def test_the_recipe_is_one_of_the_candidates() -> None:
    assert recipe.RECIPE in recipe.CANDIDATES
    assert set(recipe.BARS) == set(recipe.PEERS) <= set(raw.SETS)
