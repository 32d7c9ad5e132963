"""A missing category is missing: under --missing drop its row is left out, otherwise it is said to be a category."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from commands import answer, novikoff

ROWS = [("red", 0), ("", 1), ("blue", 1), ("NaN", 0), ("red", 1), ("n/a", 0), ("blue", 0)]
WHOLE = [0, 2, 4, 6]


def written(folder: Path, kind: str) -> Path:
    """The rows as a file."""
    path = folder / f"t.{kind}"
    if kind == "csv":
        path.write_text("color,label\n" + "".join(f"{color},{label}\n" for color, label in ROWS))
    elif kind == "quoted.csv":
        path.write_text("color,label\n" + "".join(f'"{color}",{label}\n' for color, label in ROWS))
    else:
        pd.DataFrame({"color": [c or None for c, _ in ROWS], "label": [k for _, k in ROWS]}).to_parquet(path)
    return path


@pytest.mark.parametrize("kind", ["csv", "quoted.csv", "parquet"])
def test_a_missing_category_is_missing(kind: str, tmp_path: Path) -> None:
    path = written(tmp_path, kind)
    roles = ["--one-hot"]
    info = answer("separation", path, *roles, "--missing", "drop")
    assert info["n"] == len(WHOLE)
    assert {name for name in info["coefficients"] if "=" in name} <= {"color=red", "color=blue"}
    assert set(info["held"]) <= set(WHOLE)
    assert (
        "3 rows with a missing number, category or label were left out"
        in novikoff("separation", path, *roles, "--missing", "drop").err
    )


def test_a_word_for_a_missing_category_is_said_to_be_taken_as_one(tmp_path: Path) -> None:
    path = written(tmp_path, "csv")
    info = novikoff("separation", path, "--one-hot")
    assert "column 'color': '' (1 row) is taken as a category; --missing drop leaves such rows out" in info.err
    assert info.out.startswith("QUASI-COMPLETE")


def test_an_empty_text_is_a_text(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("text,label\nfree prize,1\n,0\nhello,0\n")
    info = answer("fit", tmp_path / "t.csv", "--text", "text", "--missing", "drop")
    assert info["n"] == 3
