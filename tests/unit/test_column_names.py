"""Names of columns travel with points and models; raw rows that come to a model with a preparation are told how."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import novikoff as nv
from commands import novikoff

CHANCE = np.random.default_rng(5)
X = CHANCE.normal(size=(60, 2)).round(3)
Y = np.where(X[:, 0] > X[:, 1], "p", "q")
FRAME = pd.DataFrame(X, columns=["a", "b"])
IN_ORDER = r"columns are b, a, and in training they were a, b"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """n.csv with the columns a, b, and r.csv with the same rows as b, a."""
    whole = FRAME.assign(label=Y)
    whole.to_csv(tmp_path / "n.csv", index=False)
    whole[["b", "a", "label"]].to_csv(tmp_path / "r.csv", index=False)
    return tmp_path


def ran(*args: Any) -> str:
    """What a command says."""
    info = novikoff(*args)
    assert info.code == 0, info.err
    return info.out


@pytest.mark.parametrize("memory", ["1K", "8G"])
@pytest.mark.parametrize("kind", [nv.Perceptron, nv.MaxMargin])
def test_points_are_refused_where_their_columns_have_another_order(kind: Any, memory: str, folder: Path) -> None:
    there, turned = (nv.read(folder / name, memory=memory) for name in ("n.csv", "r.csv"))
    for clf in (kind().fit(there), kind().fit(FRAME, Y)):
        assert clf.feature_names_in_.tolist() == ["a", "b"]
        assert clf.score(there) == 1
        for ask in (clf.score, clf.predict, clf.decision_function):
            with pytest.raises(nv.InputError, match=IN_ORDER):
                ask(turned)
    with pytest.raises(ValueError, match="same order"):
        kind().fit(there).predict(FRAME[["b", "a"]])
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        kind().fit(there).predict(X)
    with pytest.warns(UserWarning, match="X has feature names"):
        kind().fit(X, Y).predict(there)
    assert not hasattr(kind().fit(there).fit(X, Y), "feature_names_in_")


def test_other_names_are_named_and_learning_goes_on_with_the_same_columns_only(folder: Path) -> None:
    there, turned = nv.read(folder / "n.csv"), nv.read(folder / "r.csv")
    FRAME.rename(columns={"b": "c"}).assign(label=Y).to_csv(folder / "c.csv", index=False)
    FRAME.assign(c=1.0, label=Y).to_csv(folder / "more.csv", index=False)
    with pytest.raises(nv.InputError, match=r"no column is named 'b', but training had one; found a, c"):
        nv.Perceptron().fit(there).predict(nv.read(folder / "c.csv"))
    with pytest.raises(nv.InputError, match=r"column 'c' was not in training; remove it: a, b"):
        nv.Perceptron().fit(there).predict(nv.read(folder / "more.csv"))
    stream = nv.Perceptron().partial_fit(there)
    before = stream.coef_.copy()
    with pytest.raises(nv.InputError, match=IN_ORDER):
        stream.partial_fit(turned)
    assert (stream.coef_ == before).all()
    assert stream.partial_fit(there).feature_names_in_.tolist() == ["a", "b"]
    with pytest.raises(nv.InputError, match=IN_ORDER):
        nv.Perceptron(warm_start=True).fit(there).fit(turned)
    with pytest.raises(nv.InputError, match=r"X_valid: columns \['b', 'a'\]"):
        nv.Perceptron().fit(there, X_valid=turned)
    assert nv.Perceptron().fit(there, X_valid=X, y_valid=Y).score(there) > 0.9


def test_models_of_the_command_line_and_of_python_find_columns_by_name(folder: Path) -> None:
    ran("fit", folder / "n.csv", "-o", folder / "n.nvk", "--quiet")
    clf = nv.load(folder / "n.nvk")
    assert clf.feature_names_in_.tolist() == ["a", "b"]
    assert clf.score(nv.read(folder / "n.csv")) == clf.score(nv.read(folder / "r.csv")) == 1
    assert clf.score(FRAME[["b", "a"]], Y) == 1
    nv.save(clf, folder / "again.nvk")
    assert (folder / "again.nvk").read_bytes() == (folder / "n.nvk").read_bytes()
    nv.save(nv.Perceptron().fit(nv.read(folder / "n.csv")), folder / "d.nvk")
    FRAME[["b"]].assign(more=7, label="?", a=X[:, 0]).to_parquet(folder / "r.parquet")
    for data in ("r.csv", "r.parquet"):
        assert ran("predict", folder / "d.nvk", folder / data).split() == Y.tolist()
    FRAME[["b"]].assign(label="p").to_csv(folder / "less.csv", index=False)
    assert "'a'" in novikoff("predict", folder / "n.nvk", folder / "less.csv").err
    FRAME.assign(label=Y).to_csv(folder / "h.csv", index=False, header=False)  # without names
    ran("fit", folder / "h.csv", "-o", folder / "h.nvk", "--quiet")
    clf = nv.load(folder / "h.nvk")
    assert not hasattr(clf, "feature_names_in_")
    assert clf.score(X, Y) == clf.score(nv.read(folder / "h.csv")) == 1


def test_raw_rows_of_another_form_are_told_how_they_are_given(folder: Path) -> None:
    rows = "label\tmsg\nham\thello there\nspam\tfree money\nham\thow are you\nspam\tfree cash\n"
    (folder / "s.tsv").write_text(rows)
    ran("fit", folder / "s.tsv", "--label", "label", "--text", "msg", "-o", folder / "s.nvk", "--quiet")
    clf = nv.load(folder / "s.nvk")
    assert repr(clf.preparation_).startswith("Preparation(words) of Raw(text={'msg': […]}) → ")
    for wrong in ([["free money"]], [[1.0] * 99]):
        with pytest.raises(nv.InputError, match=r"clf.predict\(clf.preparation_.transform\(Raw\(text={'msg': \[…\]}"):
            clf.predict(wrong)
    with pytest.raises(TypeError, match="give raw rows as a data frame, as a list of dictionaries or of texts"):
        clf.predict([[{"msg": "free money"}]])
    for right in (["free money"], pd.DataFrame({"msg": ["free money"]}), [{"msg": "free money"}]):
        assert clf.predict(right).tolist() == ["spam"]


def test_named_columns_are_raw_rows_and_are_prepared(folder: Path) -> None:
    ran("fit", folder / "n.csv", "--scale", "-o", folder / "n.nvk", "--quiet")
    clf = nv.load(folder / "n.nvk")
    assert not hasattr(clf, "feature_names_in_")
    assert clf.score(FRAME, Y) == clf.score(nv.read(folder / "n.csv")) == 1
    raw = r"found the columns a, b; this model prepares its rows: give raw rows as a"
    with pytest.raises(nv.InputError, match=raw):
        clf.predict(nv.open_data(folder / "n.csv").prepare(scale=True))
    assert clf.fit(FRAME, Y).score(FRAME, Y) == 1  # what was learned since needs no preparation


def test_points_and_preparations_show_themselves_in_a_line(folder: Path) -> None:
    assert repr(nv.read(folder / "n.csv")) == "Points(n=60, d=2, names=['a', 'b'])"
    pd.DataFrame(np.eye(12)).add_prefix("c").assign(t="word", label=[0, 1] * 6).to_csv(folder / "w.csv", index=False)
    shown = repr(nv.read(folder / "w.csv", memory="1K", drop=["t"]))
    assert shown.startswith("Points(n=12, d=12, names=['c0', 'c1',")
    assert shown.endswith("'c7'] and 4 more)")
    columns = repr(nv.open_data(folder / "w.csv", text=["t"]).prepare().preparation)
    assert columns.startswith("Preparation(plain, words) of Raw([[…], …], ['c0', 'c1', 'c2', 'c3', 'c4', …], text={'t'")
    assert columns.endswith(" → 13 columns")
