"""Files prepared: what scikit-learn's transformers give, from training rows only, by every way the rows are read.

One table of preparations, each beside the transformers of scikit-learn that do the same, and one of what is refused.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
import scipy.sparse as sp
from hypothesis import given, strategies as st
from sklearn.compose import make_column_transformer
from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer, TfidfVectorizer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, PolynomialFeatures, StandardScaler, normalize

import novikoff as nv
from commands import answer, novikoff
from data.limits import limits
from data.small_sets import fit_quietly

WORDS = ["free", "cash", "Now", "été", "x", "call me", "£5", "I'm", "no-one", "now now"]


def table(n: int = 60, seed: int = 0, gaps: bool = False) -> dict[str, list[Any]]:
    """Columns of numbers, categories and texts, and labels."""
    rng = np.random.default_rng(seed)
    found: dict[str, list[Any]] = {
        "a": np.round(rng.normal(size=n) * 50, 2).tolist(),
        "b": rng.integers(-3, 4, n).tolist(),
        "color": rng.choice(["red", "blue", "green", "light blue"], n).tolist(),
        "mail": [" ".join(rng.choice(WORDS, 5)) for _ in range(n)],
        "label": rng.integers(0, 2, n).tolist(),
    }
    for name in ("a", "b", "color") if gaps else ():
        found[name] = [None if rng.random() < 0.2 and k > 3 else v for k, v in enumerate(found[name])]
    return found


def files(folder: Path, columns: dict[str, list[Any]]) -> list[Path]:
    """The columns as CSV and as Parquet."""
    rows = zip(*columns.values(), strict=True)
    cells = [",".join("" if v is None else f'"{v}"' if isinstance(v, str) else repr(v) for v in row) for row in rows]
    (folder / "t.csv").write_text("\n".join([",".join(columns), *cells]) + "\n")
    pyarrow.parquet.write_table(pa.table(columns), folder / "t.parquet", row_group_size=7)
    return [folder / "t.csv", folder / "t.parquet"]


def only(*names: str) -> dict[str, Any]:
    return {"columns": [*names, "label"]}


NUMBERS = ["a", "b"]
POLY = PolynomialFeatures(2, include_bias=False)
CASES: dict[str, tuple[bool, dict[str, Any], dict[str, Any], Any]] = {  # gaps, open_data, prepare, scikit-learn
    "scaled": (False, only(*NUMBERS), {"scale": True}, (StandardScaler(), NUMBERS)),
    "unit rows": (False, only(*NUMBERS), {"normalize": True}, lambda f: normalize(f[NUMBERS].to_numpy(float))),
    "products": (False, only(*NUMBERS), {"features": "poly2"}, (POLY, NUMBERS)),
    "categories": (False, only("color") | {"one_hot": True}, {}, (OneHotEncoder(), ["color"])),
    "counts": (False, only("mail") | {"text": ["mail"]}, {}, (CountVectorizer(), "mail")),
    "rare words": (False, only("mail") | {"text": ["mail"]}, {"min_df": 9}, (CountVectorizer(min_df=9), "mail")),
    "presence": (False, only("mail") | {"text": ["mail"]}, {"presence": True}, (CountVectorizer(binary=True), "mail")),
    "tfidf": (False, only("mail") | {"text": ["mail"]}, {"tfidf": True}, (TfidfVectorizer(min_df=2), "mail")),
    "hashed": (
        False, only("mail") | {"text": ["mail"]}, {"hash_bits": 6},
        (HashingVectorizer(n_features=64, norm=None), "mail"),
    ),
    "pairs of words": (
        False, only("mail") | {"text": ["mail"]}, {"ngrams": (1, 2)}, (CountVectorizer(ngram_range=(1, 2)), "mail")
    ),
    "letters": (
        False, only("mail") | {"text": ["mail"]}, {"analyzer": "char", "ngrams": (2, 3)},
        (CountVectorizer(analyzer="char", ngram_range=(2, 3)), "mail"),
    ),
    "medians": (True, only(*NUMBERS) | {"missing": "impute"}, {}, (SimpleImputer(strategy="median"), NUMBERS)),
    "means": (True, only(*NUMBERS) | {"missing": "impute", "impute_numbers": "mean"}, {}, (SimpleImputer(), NUMBERS)),
    "frequent": (
        True, only("color") | {"missing": "impute", "one_hot": True}, {},
        (make_pipeline(SimpleImputer(strategy="most_frequent", missing_values=None), OneHotEncoder()), ["color"]),
    ),
    "imputed, then scaled": (
        True, only(*NUMBERS) | {"missing": "impute"}, {"scale": True},
        (make_pipeline(SimpleImputer(strategy="median"), StandardScaler()), NUMBERS),
    ),
}  # fmt: skip


def theirs(transformers: Any, train: Any, rows: Any) -> np.ndarray:
    if callable(transformers):
        return np.asarray(transformers(rows))
    X = make_column_transformer(transformers, sparse_threshold=1.0).fit(train).transform(rows)
    return X.toarray() if sp.issparse(X) else np.asarray(X)


def dense(data: Any) -> np.ndarray:
    return data.X.toarray() if sp.issparse(data.X) else np.asarray(data.X)


@pytest.mark.filterwarnings("ignore:Found unknown categories")
@pytest.mark.parametrize("case", CASES)
def test_a_preparation_is_that_of_scikit_learn(case: str, tmp_path: Path) -> None:
    """Fitted to training rows, applied to test rows; the same bits from CSV, Parquet, memory and spilled rows."""
    import pandas as pd

    gaps, how, steps, transformers = CASES[case]
    columns = table(gaps=gaps)
    frame = pd.DataFrame(columns)
    if gaps:
        frame["color"] = pd.Series(columns["color"], dtype=object)
    found = []
    for path, (memory, block) in itertools.product(files(tmp_path, columns), ((None, 1 << 20), ("1", 150))):
        with limits(text=block):
            train, test = nv.open_data(path, memory=memory, **how).prepare(**steps).split(holdout=0.25)
            found.append((dense(train).tobytes(), dense(test).tobytes(), tuple(train.names)))
            assert train.y.tolist() == frame["label"].to_numpy()[np.asarray(train.row_numbers)].tolist()
    assert len(set(found)) == 1
    chosen = [frame.iloc[np.asarray(part.row_numbers)] for part in (train, test)]
    for part, rows in zip((train, test), chosen, strict=True):
        np.testing.assert_allclose(dense(part), theirs(transformers, chosen[0], rows), rtol=1e-12, atol=1e-12)
    assert test.preparation is train.preparation


def test_numbers_categories_and_words_stand_side_by_side_with_their_names(tmp_path: Path) -> None:
    path, _ = files(tmp_path, table())
    data = nv.open_data(path, one_hot=True, text=["mail"]).prepare(scale=True)
    names = ["a", "b", "color=blue", "color=green", "color=light blue", "color=red"]
    words = CountVectorizer().fit(table()["mail"]).get_feature_names_out()
    assert list(data.names) == [*names, *(f"word:{word}" for word in words)]
    X = dense(data)
    assert X.shape == (60, len(data.names))
    assert np.allclose(X[:, :2].mean(axis=0), 0, atol=1e-12)
    assert X[:, 2:6].sum(axis=1).tolist() == [1.0] * 60
    report = data.preparation.report
    assert (report["rows"], report["categories"]["color"]["categories"]) == (60, 4)
    products = list(nv.open_data(path, columns=["a", "b", "label"]).prepare(features="poly2").names)
    assert products == ["a", "b", "a²", "a·b", "b²"]


@pytest.mark.filterwarnings("ignore::novikoff.UnknownCategoryWarning")
@pytest.mark.parametrize("case", CASES)
def test_a_saved_model_prepares_new_rows_alike(case: str, tmp_path: Path) -> None:
    """By Python and by the command line: the predictions of the file are those of the run, for rows not seen before."""
    gaps, how, steps, _ = CASES[case]
    path, _ = files(tmp_path, table(gaps=gaps))
    data = nv.open_data(path, **how).prepare(**steps)
    clf = fit_quietly(nv.Perceptron(max_iter=5, keep="last"), data, None)
    (tmp_path / "new").mkdir()
    more, parquet = files(tmp_path / "new", table(30, seed=1, gaps=gaps) | {"label": [0, 1] * 15})
    nv.save(clf, tmp_path / "m.nvk", preparation=data.preparation)
    said = [novikoff("predict", tmp_path / "m.nvk", file) for file in (more, parquet)]
    assert said[0].code == 0, said[0].err
    assert said[0].out == said[1].out
    again = answer("evaluate", tmp_path / "m.nvk", more)
    lines = [line for line in said[0].out.split() if line in ("0", "1")]
    assert again["errors"] == sum(line != str(k % 2) for k, line in enumerate(lines))
    own = novikoff("predict", tmp_path / "m.nvk", path).out.split()
    assert [line for line in own if line in ("0", "1")] == [str(label) for label in clf.predict(data)]


numbers = st.one_of(st.integers(-5, 5).map(float), st.floats(-1e100, 1e100).filter(lambda x: x == 0 or abs(x) > 1e-90))


@given(st.lists(st.tuples(numbers, numbers), min_size=3, max_size=12))
def test_means_variances_and_medians_are_the_exact_ones_rounded_once(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[float, float]]
) -> None:
    """Means and medians as filled in for a missing number; scaled numbers from the exact mean and variance."""
    path = tmp_path_factory.mktemp("t") / "t.csv"
    lines = [f"{a!r},{b!r},{k % 2}" for k, (a, b) in enumerate(rows)]
    path.write_text("\n".join(["a,b,label", *lines, ",,0"]) + "\n")
    exact = [[Fraction(v) for v in column] for column in zip(*rows, strict=True)]
    means = [sum(column, Fraction(0)) / len(rows) for column in exact]
    medians = [(c[(len(c) - 1) // 2] + c[len(c) // 2]) / 2 for c in map(sorted, exact)]
    for how, wanted in (("mean", means), ("median", medians)):
        data = nv.open_data(path, missing="impute", impute_numbers=how)
        assert dense(data)[-1].tolist() == [float(v) for v in wanted]


REFUSED: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "no text": (only("a"), {"tfidf": True}, r"tfidf=True: there is no text column; name it with text="),
    "min_df": (only("mail") | {"text": ["mail"]}, {"min_df": 0}, r"min_df: found 0, expected a whole number"),
    "hash_bits": (only("mail") | {"text": ["mail"]}, {"hash_bits": 31}, r"hash_bits: found 31, expected a whole"),
    "both": (only("mail") | {"text": ["mail"]}, {"hash_bits": 8, "tfidf": True}, r"hash_bits= with tfidf=True"),
    "features": (only("a"), {"features": "poly3"}, r"features: found 'poly3', expected poly2"),
    "no numbers": (only("mail") | {"text": ["mail"]}, {"scale": True}, r"scale=True: there are no numeric columns"),
    "categories": (only("color"), {}, r"found '.*'; a number was expected; one_hot=True takes words as categories"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_prepared_is_refused_by_the_name_of_its_option(case: str, tmp_path: Path) -> None:
    how, steps, words = REFUSED[case]
    path, _ = files(tmp_path, table())
    with pytest.raises(nv.InputError) as error:
        dense(nv.open_data(path, **how).prepare(**steps))
    assert re.search(words, str(error.value)), str(error.value)


def test_what_training_rows_do_not_show_is_said(tmp_path: Path) -> None:
    path, _ = files(tmp_path, table() | {"b": [None] * 60})
    with pytest.raises(nv.InputError, match=r"column 'b': every number is missing in training; remove it: drop="):
        dense(nv.open_data(path, columns=["a", "b", "label"], missing="impute"))
    data = nv.open_data(path, columns=["color", "label"], one_hot=True).prepare()
    clf = fit_quietly(nv.Perceptron(max_iter=3), data, None)
    nv.save(clf, tmp_path / "m.nvk", preparation=data.preparation)
    other, _ = files(tmp_path, table() | {"color": ["purple"] * 60})
    said = novikoff("predict", tmp_path / "m.nvk", other)
    assert said.code == 0
    assert "color" in said.err


@pytest.mark.parametrize("name", ["adult", "covtype_10k"])
def test_real_sets_are_prepared_as_by_scikit_learn(name: str, shared_data: Callable[[str], Path]) -> None:
    from benchmarks import raw

    parts = raw.SETS[name](shared_data(name)) if name != "adult" else raw.adult(shared_data("adult"))
    X = parts.rows.numbers
    scaled = parts.prepared().X[:, : X.shape[1]]
    scaled = scaled.toarray() if sp.issparse(scaled) else scaled
    theirs = StandardScaler().fit_transform(X)
    if np.abs(scaled.mean(axis=0)).max() < 1e-6:
        np.testing.assert_allclose(scaled, theirs, rtol=1e-9, atol=1e-9)
