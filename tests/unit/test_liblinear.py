"""LIBLINEAR's text: files it wrote are read and predict as it did; files we write are read back to the bit."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import novikoff as nv
from data.small_sets import fit_quietly
from novikoff.errors import InputError
from novikoff.model.liblinear import load_liblinear, save_liblinear
from novikoff.perceptron import SCHEMES

CHANCE = np.random.default_rng(3)
X = CHANCE.integers(-3, 4, (40, 3)).astype(np.float64)
Y = CHANCE.integers(0, 4, 40)

# written by LIBLINEAR 2.50 (train -s 1 -B 1, -s 3 -B -1, -s 2 -B 0.5, -s 4 -B 1), with the labels its predict gave
WRITTEN = {
    "L2R_L2LOSS_SVC_DUAL\nnr_class 2\nlabel 1 -1\nnr_feature 3\nbias 1\nw\n-1.122013842784332 \n0.73803948312208223 \n"
    "1.30977291347303 \n0.18624704513080742 \n": (
        [[0, 0, 0], [-2, 3, -0.5], [-2, 0.5, 0], [-3, 2, -2.5], [3, 1, 1.5], [3, -0.5, -0.5], [2.5, -0.5, 1.5],
         [0.5, 1.5, 3], [0.5, -2.5, -2.5], [-1, 0.5, 2.5], [2, -2.5, -3], [2.5, 2.5, -1]],
        [1, 1, 1, 1, -1, -1, -1, 1, -1, 1, -1, -1],
    ),
    "L2R_L1LOSS_SVC_DUAL\nnr_class 2\nlabel 1 3\nnr_feature 3\nbias -1\nw\n2.1001379918360019 \n-0.47955842612478961 \n"
    "-0.86035877877360734 \n": (
        [[0, 0, 0], [-2.5, -1.5, 0.5], [-2, -2.5, -0.5], [1.5, -3, -2.5], [-3, 1.5, -2], [1, -2.5, -0.5],
         [1.5, -3, -2.5], [-1.5, 1.5, 0], [-2, 2, -1], [-0.5, 1.5, -0.5], [0.5, -2.5, -2.5], [0.5, 0.5, 0.5]],
        [3, 3, 3, 1, 3, 1, 1, 3, 3, 3, 1, 1],
    ),
    "L2R_L2LOSS_SVC\nnr_class 3\nlabel 5 9 -2\nnr_feature 3\nbias 0.5\nw\n"
    "1.3991078818292606 -1.6443044149209007 0.085262616395594293 \n"
    "0.0059485454940826701 0.18245248714963994 -0.085384073559894191 \n"
    "-0.32071745363751586 0.055296403630316251 -0.045698789137324579 \n"
    "-0.9653770566074229 -1.0456684333946862 -1.1381784201177494 \n": (
        [[0, 0, 0], [2, -2.5, 0], [3, 2.5, 3], [-1.5, 0.5, -2], [0, 3, 2], [-0.5, -2.5, 3], [2.5, 0, 0.5],
         [0, 2.5, -2.5], [2.5, -2, -2], [-2, -3, -2], [1.5, 0.5, 3], [2, -2, 1.5]],
        [5, 5, 5, 9, 9, 9, 5, 5, 5, 9, 5, 5],
    ),
    "MCSVM_CS\nnr_class 2\nlabel 0 1\nnr_feature 3\nbias 1\nw\n1.091899711507617 -1.091899711507617 \n"
    "0.54277264548540605 -0.54277264548540582 \n0.10990930450641938 -0.1099093045064197 \n"
    "-0.21060408425849456 0.210604084258495 \n": (
        [[0, 0, 0], [-2.5, 0.5, -0.5], [1.5, 1, 1.5], [1, -1.5, 2.5], [-1, 0.5, 1], [1, 3, 0.5], [1, -1.5, 2.5],
         [1, -1, 1], [-1.5, 0.5, -2], [0, -2.5, 0], [0.5, -0.5, -2.5], [2, -1.5, 0]],
        [1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 1, 0],
    ),
}  # fmt: skip
TEXT = "solver_type " + next(iter(WRITTEN))


def fitted(y: Any, **choices: Any) -> nv.Perceptron:
    return fit_quietly(nv.Perceptron(**{"max_iter": 5, **choices}), X, y)


@pytest.mark.parametrize("text", WRITTEN)
def test_what_liblinear_wrote_predicts_as_liblinear_did(text: str, tmp_path: Path) -> None:
    (tmp_path / "a.model").write_text("solver_type " + text)
    clf = load_liblinear(tmp_path / "a.model")
    points, labels = WRITTEN[text]
    assert clf.predict(points).tolist() == labels
    assert clf.stop_reason_ is None
    nv.save(clf, tmp_path / "a.nvk")
    assert nv.load(tmp_path / "a.nvk").predict(points).tolist() == labels


@pytest.mark.parametrize(
    ("classes", "scheme", "tie", "bias"), list(product((2, 4), SCHEMES, ("negative", "positive"), (True, False)))
)
def test_what_we_write_is_read_back_to_the_bit(classes: int, scheme: str, tie: str, bias: bool, tmp_path: Path) -> None:
    for rule, eta in (("perceptron", 1.0), ("perceptron", 0.3), ("pa1" if scheme != "joint" else "perceptron", 1.0)):
        clf = fitted(Y % classes, multi_class=scheme, ovo="sum", tie=tie, fit_intercept=bias, rule=rule, eta0=eta)
        save_liblinear(clf, tmp_path / "a.model")
        back = load_liblinear(tmp_path / "a.model")
        points = np.vstack([np.zeros(3), CHANCE.integers(-4, 5, (40, 3)), CHANCE.normal(size=(40, 3))])
        assert back.predict(points).tolist() == clf.predict(points).tolist()
        if scheme != "ovo" or classes == 2:
            assert np.column_stack([back.coef_, back.intercept_]).tobytes() == clf._planes()[0].tobytes()
        save_liblinear(back, tmp_path / "b.model")
        assert (tmp_path / "b.model").read_text() == (tmp_path / "a.model").read_text()


def test_votes_of_pairs_are_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(nv.InputError, match=r"ovo: 'vote' cannot be written as a LIBLINEAR model.*ovo='sum'"):
        save_liblinear(fitted(Y % 4, multi_class="ovo"), tmp_path / "a.model")
    assert not list(tmp_path.iterdir())
    save_liblinear(fitted(Y % 2, multi_class="ovo"), tmp_path / "a.model")  # two classes have one pair


def test_the_file_is_the_one_on_the_page_of_the_module(tmp_path: Path) -> None:
    X2, y2 = nv.example("cornwell")
    save_liblinear(nv.Perceptron().fit(X2, y2), tmp_path / "a.model")
    lines = [line.rstrip() for line in (tmp_path / "a.model").read_text().splitlines()]
    assert lines == ["solver_type L2R_L1LOSS_SVC_DUAL", "nr_class 2", f"label {max(y2)} {min(y2)}", "nr_feature 2",
                     "bias 1", "w", "4", "-0.5", "1"]  # fmt: skip


@pytest.mark.parametrize("tie", ["negative", "positive"])
@pytest.mark.parametrize("classes", [2, 3, 4])
def test_liblinear_itself_reads_what_we_write(classes: int, tie: str, tmp_path: Path) -> None:
    util = pytest.importorskip("liblinear.liblinearutil", reason="liblinear-official is not installed (it compiles)")
    for scheme in SCHEMES:
        clf = fitted(Y % classes, multi_class=scheme, ovo="sum", tie=tie)
        save_liblinear(clf, tmp_path / "a.model")
        model = util.load_model(str(tmp_path / "a.model"))
        points = np.vstack([np.zeros(3), CHANCE.integers(-4, 5, (100, 3))])  # whole numbers: its sums are exact
        rows = [{j + 1: float(v) for j, v in enumerate(row) if v} for row in points]
        labels, _, _ = util.predict([], rows, model, "-q")
        assert labels == clf.predict(points).tolist()
        util.save_model(str(tmp_path / "b.model"), model)
        assert (tmp_path / "b.model").read_text() == (tmp_path / "a.model").read_text()


def test_labels_that_liblinear_cannot_hold_are_refused(tmp_path: Path) -> None:
    for labels in (np.array(["a", "b"]), np.array([0, 2**31]), np.array([0.5, 1.0])):
        with pytest.raises(InputError, match="cannot be written as a LIBLINEAR label"):
            save_liblinear(fitted(labels[Y % 2]), tmp_path / "a.model")
    with pytest.raises(InputError, match="which has one plane per class"):
        save_liblinear(fitted(Y, keep="vote"), tmp_path / "a.model")
    assert list(tmp_path.iterdir()) == []
    save_liblinear(fitted(Y % 2 == 1), tmp_path / "a.model")
    assert load_liblinear(tmp_path / "a.model").classes_.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [("L2R_L2LOSS_SVC_DUAL", "L2R_L2LOSS_SVR", "solver_type"), ("L2R_L2LOSS_SVC_DUAL", "", "solver_type"),
     ("nr_class 2", "nr_class 3", "2 labels for 3 classes"), ("label 1 -1", "label 1 1", "1 labels for 2 classes"),
     ("label 1 -1", "label 1 x", "label: found 'x'"), ("label 1 -1\n", "", "no line 'label'"),
     ("nr_feature 3", "nr_feature 2", "found 4 numbers after w; 3 lines of 1"),
     ("nr_feature 3", "nr_feature 0", "nr_feature"), ("nr_feature 3", "nr_feature 99999999999", "32 bits"),
     ("bias 1", "bias one", "bias: found"), ("bias 1", "rho 1", "rho"),
     ("\nw\n", "\n", "found the line"), ("0.738", "0.7x38", "line 2 after w"), ("0.738", "nan", "line 2 after w"),
     ("0.73803948312208223", "1e999", "not finite"), ("bias 1\n", "bias 1\nbias 1\n", "found the line")],
)  # fmt: skip
def test_a_damaged_text_is_refused_by_name(old: str, new: str, words: str, tmp_path: Path) -> None:
    assert old in TEXT
    (tmp_path / "bad.model").write_text(TEXT.replace(old, new))
    with pytest.raises(InputError, match=words) as caught:
        load_liblinear(tmp_path / "bad.model")
    assert "bad.model" in str(caught.value)


def test_every_cut_is_noticed(tmp_path: Path) -> None:
    for end in range(len(TEXT)):
        (tmp_path / "bad.model").write_text(TEXT[:end])
        with pytest.raises(InputError, match=r"bad\.model"):
            load_liblinear(tmp_path / "bad.model")


def test_what_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bad.model").write_bytes(b"\xff\x00" * 100)
    for path in (tmp_path / "bad.model", tmp_path / "nowhere.model", tmp_path):
        with pytest.raises(InputError, match=path.name):
            load_liblinear(path)
