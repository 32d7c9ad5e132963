"""Imputation follows scikit-learn's SimpleImputer, is fitted on the training rows, and is stored as plain data."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from sklearn.impute import SimpleImputer

import novikoff as nv
from novikoff.prepare import Impute, OneHot, Preparation, Raw, Scale, imputation

NAN = np.nan


def rows(seed: int = 0, n: int = 60) -> Raw:
    rng = np.random.default_rng(seed)
    X = rng.integers(-9, 10, (n, 4)) / 4
    X[rng.random(X.shape) < 0.25] = NAN
    X[:, 3] = rng.normal(size=n)  # nothing is missing here
    X[0, :3] = 1.0
    color = [str(c) for c in rng.choice(["red", "blue", "?", "", "NA"], n)]
    return Raw(X, ["a", "b", "c", "e"], categories={"color": ["blue", *color[1:]]}, gaps=True)


@pytest.mark.parametrize("numbers", ["median", "mean"])
def test_numbers_and_indicators_are_those_of_scikit_learn(numbers: str) -> None:
    raw = rows()
    step = Impute(numbers, indicator=True)
    step.fit([raw])
    filled, marks = step.apply(raw)
    peer = SimpleImputer(strategy=numbers, add_indicator=True).fit(raw.numbers)
    assert np.allclose(step.fill, peer.statistics_, rtol=1e-12, atol=0)
    wanted = peer.transform(raw.numbers)
    assert np.allclose(np.column_stack([filled.numbers, marks]), wanted, rtol=1e-12, atol=0)
    assert step.names(["a", "b", "c", "e"]) == ("a is missing", "b is missing", "c is missing")


def test_the_most_frequent_category_is_that_of_scikit_learn_and_of_equals_the_first() -> None:
    raw = rows(1)
    values = [None if v in ("?", "", "NA") else v for v in raw.categories["color"]]
    peer = SimpleImputer(strategy="most_frequent", missing_values=None).fit(np.array(values, object).reshape(-1, 1))
    step = Impute()
    step.fit([raw])
    assert step.frequent["color"] == peer.statistics_[0]
    tie = Impute()
    tie.fit([Raw(categories={"c": ["z", "b", "b", "z", "?"]})])
    assert tie.frequent == {"c": "b"}


def test_level_gives_missing_categories_a_category_of_their_own() -> None:
    raw = Raw(categories={"c": ["x", "?", "", "y"]})
    prep = Preparation(Impute(categories="level"), OneHot()).fit(raw)
    assert list(prep.names) == ["c=missing_value", "c=x", "c=y"]
    assert prep.transform(raw).toarray()[:, 0].tolist() == [0, 1, 1, 0]


@pytest.mark.parametrize("numbers", ["median", "mean"])
@pytest.mark.parametrize("size", [1, 7, 59])
def test_chunks_give_the_same_bits(numbers: str, size: int) -> None:
    raw = rows(2)
    parts = [raw.part(slice(lo, lo + size)) for lo in range(0, raw.n, size)]
    steps = (Impute(numbers, indicator=True), OneHot(), Scale())
    at_once, in_parts = Preparation(*steps).fit(raw), Preparation(*steps).fit(parts)
    for (name, a), (other, b) in zip(at_once.to_record()[1].items(), in_parts.to_record()[1].items(), strict=True):
        assert name == other
        assert a.tobytes() == b.tobytes()
    assert at_once.to_record()[0] == in_parts.to_record()[0]
    X = Preparation(*steps).fit_transform(raw).toarray()
    assert X.tobytes() == at_once.transform(raw).toarray().tobytes()


@pytest.mark.parametrize("seed", range(8))
def test_the_median_is_that_of_fractions(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 40))
    X = rng.normal(size=(n, 4)) * 10.0 ** rng.integers(-200, 200, (n, 4))
    X[:, 1] = rng.integers(-3, 4, n)
    X[:, 2] = rng.choice([0.0, -0.0, 5e-324, -5e-324, 1.7e308, -1.7e308, 1.6e308, 2.0**1022, 0.1, 1 / 3], n)
    X[1:][rng.random((n - 1, 4)) < 0.3] = NAN
    known = [sorted(Fraction(x) for x in column if x == x) for column in X.T.tolist()]
    wanted = [float((x[(len(x) - 1) // 2] + x[len(x) // 2]) / 2) for x in known]
    step = Impute()
    step.fit([Raw(X, ["a", "b", "c", "e"], gaps=True)])
    assert step.fill.tobytes() == np.array(wanted).tobytes()


def test_medians_are_found_some_columns_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted, step = Impute(), Impute()
    wanted.fit([rows(3)])
    monkeypatch.setattr(imputation, "SORTED", 1)
    step.fit([rows(3)])
    assert step.fill.tobytes() == wanted.fill.tobytes()


def test_a_stored_imputation_is_the_same_and_a_changed_one_is_refused() -> None:
    raw = rows(3)
    prep = Preparation(Impute("mean", "level", True), OneHot()).fit(raw)
    record, arrays = prep.to_record()
    record = json.loads(json.dumps(record))
    again = Preparation.from_record(record, arrays)
    assert again.transform(raw).toarray().tobytes() == prep.transform(raw).toarray().tobytes()
    assert list(again.names) == list(prep.names)
    for change in (
        {"numbers": "mode"},
        {"categories": "none"},
        {"indicator": "yes"},
        {"indicated": [2, 1]},
        {"indicated": [9]},
        {"frequent": []},
        {"columns": ["other"]},
        {"more": 1},
    ):
        bad = json.loads(json.dumps(record))
        bad["steps"][0] |= change
        with pytest.raises(nv.InputError):
            Preparation.from_record(bad, arrays)
    with pytest.raises(nv.InputError, match="finite"):
        Preparation.from_record(record, arrays | {"0.fill": arrays["0.fill"] * NAN})


def test_a_column_without_values_is_an_error_that_names_it() -> None:
    with pytest.raises(
        nv.InputError, match=r"column 'a': every number is missing in training; remove it: drop=\['a'\]"
    ):
        Impute().fit([Raw([[NAN, 1.0], [NAN, 2.0]], ["a", "b"], gaps=True)])
    with pytest.raises(nv.InputError, match="column 'c': every category is missing"):
        Impute().fit([Raw(categories={"c": ["", "?"]})])


def test_missing_numbers_without_imputation_are_an_error() -> None:
    raw = Raw([[1.0], [NAN]], ["a"], gaps=True)
    with pytest.raises(nv.InputError, match=r"column 'a', row 2 \(1 counted from 0\): found nan"):
        Preparation(Scale()).fit(raw)
    with pytest.raises(nv.InputError, match="found inf"):
        Raw([[np.inf]], ["a"], gaps=True)


def test_the_test_rows_have_no_part_in_the_statistics(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,label\n" + "".join(f"{'' if k == 2 else k * k},{k % 2}\n" for k in range(12)))
    train, test = nv.open_data(path, missing="impute", impute_numbers="mean").prepare().split(holdout=0.25)
    known = [k * k for k in train.row_numbers.tolist() if k != 2]
    (step, _), *_ = train.preparation.columns.steps()
    assert step.fill[0] == sum(known) / len(known)
    assert test.preparation is train.preparation


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_a_file_gives_the_same_bits_in_memory_and_out_of_core(kind: str, tmp_path: Path) -> None:
    raw = rows(4, 300)
    listed = [
        {name: None if x != x else x for name, x in zip(raw.names, row, strict=True)}
        | {"color": color, "label": int(row[3] > 0)}
        for row, color in zip(raw.numbers.tolist(), raw.categories["color"], strict=True)
    ]
    path = tmp_path / f"t.{kind}"
    if kind == "csv":
        lines = [",".join("" if v is None else str(v) for v in row.values()) for row in listed]
        path.write_text("\n".join([",".join(listed[0]), *lines]) + "\n")
    else:
        pandas = pytest.importorskip("pandas")
        pandas.DataFrame(listed).to_parquet(path)
    from novikoff.io.reader import imputing, open_rows
    from novikoff.io.reading import Reading
    from novikoff.io.spill import Spill

    how = Reading(missing="impute", categories=() if kind == "parquet" else ("color",), one_hot=kind == "parquet")
    found = []
    for spill in (None, Spill(limit=0)):
        data = open_rows(path, how, spill=spill, imputing=imputing("impute", "mean", None, True))
        data = data.prepare(scale=True)
        found.append((data.X.toarray().tobytes(), [a.tobytes() for a in data.preparation.to_record()[1].values()]))
    assert found[0] == found[1]
    step = Impute("mean")
    step.fit([raw])
    assert data.preparation.columns.cells.fill.tobytes() == step.fill.tobytes()
