"""A column whose name differs only in case, spaces or punctuation is suggested, wherever a column is given by name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

import novikoff as nv
from commands import novikoff

HINT = "(did you mean 'Miles_per_Gallon'?)"


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> pd.DataFrame:
    """cars.csv and cars.parquet, in a folder where commands run, with a model of them."""
    monkeypatch.chdir(tmp_path)
    frame = pd.DataFrame({"Miles_per_Gallon": [1, 2, 3, 4], "n": [1, 3, 2, 2], "origin": ["us", "us", "eu", "eu"]})
    frame.to_csv("cars.csv", index=False)
    frame.to_parquet("cars.parquet")
    assert novikoff("fit", "cars.csv", "--label", "origin", "-o", "m.nvk").code == 0
    frame.rename(columns=str.lower).to_csv("lower.csv", index=False)
    return frame


@pytest.mark.parametrize("words", [
    "fit cars.csv --label miles_per_gallon",
    "fit cars.csv --label origin --columns MILES_PER_GALLON",
    "fit cars.csv --label origin --drop miles.per.gallon",
    "fit cars.csv --label miles_per_gallon --auto",
    "fit cars.parquet --label miles_per_gallon",
    "fit cars.parquet --label origin --columns miles_per_gallon",
    "certify cars.csv --label miles_per_gallon",
    "separation cars.csv --formula origin~miles_per_gallon",
    "separation cars.csv --formula origin~bs(miles_per_gallon,df=3)+n",
    "separation cars.csv --label origin --counts miles_per_gallon",
])  # fmt: skip
def test_an_option_with_another_case_has_a_suggestion(table: pd.DataFrame, words: str) -> None:
    info = novikoff(*words.split())
    assert (info.code, info.out) == (3, "")
    assert HINT in info.err


def test_a_model_says_which_of_its_columns_is_meant(table: pd.DataFrame) -> None:
    info = novikoff("predict", "m.nvk", "lower.csv")
    assert info.code == 3
    assert "(did you mean 'miles_per_gallon'?)" in info.err


@pytest.mark.parametrize("call", [
    lambda f: nv.separation("origin ~ miles_per_gallon", f),
    lambda f: nv.separation("origin ~ center(miles_per_gallon)", f),
    lambda f: nv.separation("origin ~ n", f, counts="miles_per_gallon"),
    lambda f: nv.separation(f[["Miles_per_Gallon", "n"]], f["origin"], counts="miles_per_gallon"),
])  # fmt: skip
def test_python_suggests_it_too(table: pd.DataFrame, call: Callable[[pd.DataFrame], object]) -> None:
    with pytest.raises(nv.InputError) as error:
        call(table)
    assert HINT in str(error.value)


def test_another_name_has_no_suggestion(table: pd.DataFrame) -> None:
    assert "did you mean" not in novikoff("fit", "cars.csv", "--label", "miles").err
    clf = nv.Perceptron().fit(nv.read("cars.csv", label="origin"))
    with pytest.raises(nv.InputError, match=r"'Miles_per_Gallon' \(did you mean 'miles_per_gallon'\?\), but"):
        clf.predict(nv.read("lower.csv", label="origin"))
    for columns in ({"Miles_per_Gallon": "mpg"}, {"Miles_per_Gallon": "Miles_per_Gallon_US"}):
        table.rename(columns=columns).to_csv("other.csv", index=False)
        with pytest.raises(nv.InputError, match=r"'Miles_per_Gallon', but"):
            clf.predict(nv.read("other.csv", label="origin"))
