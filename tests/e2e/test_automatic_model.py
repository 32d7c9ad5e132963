"""`nv.auto` gives the model that `novikoff fit --auto` gives, of a file and of a frame."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import novikoff as nv
from commands import novikoff


def table(n: int = 120) -> pd.DataFrame:
    """Numbers with a gap, words with a gap, truth values, a long text, and a column that counts the rows."""
    rng = np.random.default_rng(0)
    words = rng.choice(["a rather long text about it", "another text of many words"], n)
    df = pd.DataFrame(
        {
            "id": range(n),
            "age": rng.normal(40, 10, n),
            "city": rng.choice(["Bern", "Rom, it", "Oslo"], n),
            "flag": rng.random(n) < 0.5,
            "text": [f"{word} {k}" for k, word in enumerate(words)],
        }
    )
    df.loc[3, "age"] = None
    df.loc[5, "city"] = None
    df["out"] = np.where(df["age"].fillna(40) + 10 * (df["city"] == "Bern") > 42, "high", "low")
    return df


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_the_model_of_a_file_is_that_of_fit_auto_byte_for_byte(ending: str, tmp_path: Path) -> None:
    df, path = table(), tmp_path / f"t.{ending}"
    write: Any = {
        "csv": lambda: df.to_csv(path, index=False),
        "parquet": lambda: df.to_parquet(path),
    }[ending]
    write()
    told = novikoff("fit", path, "--label", "out", "--auto", "-o", tmp_path / "cli.nvk", "--quiet")
    assert told.code == 0, told.err
    nv.save(nv.auto(path, label="out"), tmp_path / "python.nvk")
    assert (tmp_path / "python.nvk").read_bytes() == (tmp_path / "cli.nvk").read_bytes()


@pytest.mark.parametrize("package", ["pandas", "polars", "pyarrow"])
def test_a_frame_gives_the_model_of_its_file(package: str, tmp_path: Path) -> None:
    df = table()
    df.to_csv(tmp_path / "t.csv", index=False)
    frame: Any = df
    if package != "pandas":
        module = pytest.importorskip(package)
        frame = module.from_pandas(df) if package == "polars" else module.Table.from_pandas(df, preserve_index=False)
    clf, of_file = nv.auto(frame, label="out"), nv.auto(tmp_path / "t.csv", label="out")
    assert clf.coef_.tobytes() == of_file.coef_.tobytes()
    nv.save(clf, tmp_path / "frame.nvk")
    nv.save(of_file, tmp_path / "file.nvk")
    assert (tmp_path / "frame.nvk").read_bytes() == (tmp_path / "file.nvk").read_bytes()
    called = nv.load(tmp_path / "frame.nvk").predict(df)
    assert called.tolist() == clf.predict(frame).tolist()
    assert novikoff("predict", tmp_path / "frame.nvk", tmp_path / "t.csv", "--quiet").out.split() == called.tolist()
    explained = novikoff("explain", tmp_path / "frame.nvk", tmp_path / "t.csv", "--row", 1)
    assert explained.code == 0
    assert "city=" in explained.out


def test_parameters_are_those_of_the_perceptron() -> None:
    clf = nv.auto(table(), label="out", keep="pocket", max_iter=3)
    assert (clf.keep, clf.max_iter, clf.random_state) == ("pocket", 3, 0)


def test_what_cannot_be_used_is_named(tmp_path: Path) -> None:
    df = table()
    with pytest.raises(nv.InputError, match="no column is named 'oot'"):
        nv.auto(df, label="oot")
    with pytest.raises(nv.InputError, match=r"^data: which column is the label"):
        nv.auto(df)
    with pytest.raises(nv.InputError, match="a frame of pandas, polars or pyarrow"):
        nv.auto([[1, 2]])
    (tmp_path / "x.svm").write_text("1 1:2\n")
    with pytest.raises(nv.InputError, match="auto is for csv"):
        nv.auto(tmp_path / "x.svm")


def test_fit_names_auto_for_words_gaps_and_a_frame_with_its_labels() -> None:
    df = table()
    for X, y in ((df[["city"]], df["out"]), (df[["age"]], df["out"]), (df, None)):
        with pytest.raises(nv.InputError, match=r"novikoff\.auto"):
            nv.Perceptron().fit(X, y)
