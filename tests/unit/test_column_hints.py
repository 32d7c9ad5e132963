"""Hints name the columns that usually harm a linear model, and the option that helps; other tables have none."""

from __future__ import annotations

from pathlib import Path

import pytest

import novikoff as nv
from novikoff.cli.text.column_hints import column_hints

NOTHING = {"scale": False, "normalize": False}


def hints(folder: Path, text: str, **request: object) -> list[str]:
    (folder / "t.csv").write_text(text)
    data = nv.open_data(folder / "t.csv", one_hot=True).prepare()
    return column_hints(data, data.preparation, {**NOTHING, **request})


def table(*cells: str, n: int = 20) -> str:
    """A table of n rows; `k` in a cell stands for the row's number."""
    rows = [",".join(str(eval(cell, {"k": k})) for cell in cells) for k in range(n)]
    return (
        ",".join([*(f"c{j}" for j in range(len(cells))), "label"])
        + "\n"
        + "".join(f"{r},{i % 2}\n" for i, r in enumerate(rows))
    )


def test_a_column_that_numbers_the_rows(tmp_path: Path) -> None:
    assert hints(tmp_path, table("k + 7", "k % 3")) == ["hint   column c0 numbers the rows: --drop c0"]
    assert hints(tmp_path, table("2 * k", "k % 3")) == []


def test_a_category_with_as_many_values_as_rows(tmp_path: Path) -> None:
    (hint,) = hints(tmp_path, table("'id%d' % k", "k % 3"))
    assert hint.startswith("hint   column c0 has a different value in every row: --drop c0, or --text c0")
    assert hints(tmp_path, table("'id%d' % (k // 2)", "k % 3")) == []


def test_columns_of_very_different_scales(tmp_path: Path) -> None:
    (hint,) = hints(tmp_path, table("k % 3", "k * k * 100"))
    assert "very different scales (deviation of c0 0.8, c1 11,000)" in hint
    assert hint.endswith("--scale usually helps")
    assert hints(tmp_path, table("k % 3", "k * k * 100"), scale=True) == []
    assert hints(tmp_path, table("k % 3", "k * k / 4")) == []
    assert hints(tmp_path, table("k % 3", "7 * 10**6")) == []  # a constant column has no scale


@pytest.mark.parametrize("n", [2, 9])
def test_few_rows_give_no_hint(n: int, tmp_path: Path) -> None:
    assert hints(tmp_path, table("k", "k * k * 1000", n=n)) == []
