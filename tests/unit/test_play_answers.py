"""The answers of the play page: equal to those of the library, within limits, and a sentence for everything else."""

from __future__ import annotations

import json
import sys
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import novikoff as nv
from novikoff.errors import InputError, NotSeparableError
from novikoff.play import (
    answers,
    capacity_answers,
    digit_answers,
    plane_answers,
    posted_points,
    table_answers,
)
from novikoff.play.answers import ANSWERS, Settings, function_of

NONE = Settings()
LECTURES = ("tao", "cornwell", "spam", "or", "xor", "and")


def posted(name: str) -> dict[str, Any]:
    """An example as the page sends it: labels −1 and 1, the positive class last."""
    X, y = nv.example(name)
    labels = np.where(y == sorted(set(y.tolist()))[-1], 1, -1)
    return {"X": X.tolist(), "y": labels.tolist(), "bias": name != "tao"}


def fails(call: Any, request: dict[str, Any], words: str) -> None:
    """The call raises an InputError with these words."""
    with pytest.raises(InputError) as error:
        call(request, NONE)
    assert words in str(error.value)


def test_every_address_has_a_function() -> None:
    assert all(callable(function_of(address)) for address in ANSWERS)


# ---- verdicts ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", LECTURES)
def test_a_verdict_is_that_of_decide_and_margin(name: str) -> None:
    request = posted(name)
    found = plane_answers.verdict(request | {"margin": True, "certificate": True}, NONE)
    X, y = np.array(request["X"]), np.array(request["y"])
    v = nv.decide(X, y, fit_intercept=request["bias"])
    assert (found["separable"], found["kind"]) == (v.separable, v.kind)
    assert nv.verify(found["certificate"], X, y) == v.kind
    assert found["text"] == v.explain()
    if not v.separable:
        assert [int(w) for w in found["weights"]] == list(v.weights)
        assert found["obstruction"]["point"] == ["1/2", "1/2"]
        return
    assert [int(w) for w in found["w"]] == list(v.w)
    m = nv.margin(X, y, fit_intercept=request["bias"])
    assert Fraction(found["margin"]["padded"]["gamma2"]) == m.padded.gamma2
    assert Fraction(found["margin"]["radius2"]) == m.radius2[1]
    assert (found["margin"]["bound"], found["margin"]["is_exact"]) == (str(int(m.mistake_bound[1])), True)
    json.dumps(found, allow_nan=False)


def test_the_bound_from_another_start_is_that_of_the_margin() -> None:
    request = posted("cornwell") | {"margin": True, "w0": [1.0, 0.0, 0.0], "eta": 2.0}
    m = nv.margin(*nv.example("cornwell"))
    found = plane_answers.verdict(request, NONE)
    assert found["margin"]["bound"] == str(m.mistake_bound_from([1, 0, 0], 2))


def test_the_bound_of_a_rate_in_exponent_notation_is_that_of_the_decimal_number() -> None:
    X, y = nv.example("cornwell")
    for eta in ("1e-1", "0.1", "1/10", ".1", "10e-2"):
        request = posted("cornwell") | {"margin": True, "w0": ["-5e1", "0", "0"], "eta": eta, "max_updates": 2000}
        bound = plane_answers.verdict(request, NONE)["margin"]["bound"]
        assert int(bound) == nv.margin(X, y).mistake_bound_from([-50, 0, 0], Fraction(1, 10))
        assert plane_answers.steps(request, NONE)["updates"] <= int(bound)


@pytest.mark.parametrize("x", [1e-9, 1e-20, 1e-200])
def test_a_long_bound_is_exact_digits(x: float) -> None:
    """The widest plane of 0 and x is at x/2, and R² = 1 + x²; padded, (w, b) = (2/x, −1) has γ² = 1/(4/x² + 1)."""
    found = plane_answers.verdict({"X": [[0, 0], [x, 0]], "y": [-1, 1], "margin": True}, NONE)
    exact = (1 + Fraction(x) ** 2) * (4 / Fraction(x) ** 2 + 1)
    assert found["margin"]["bound"] == str(exact.numerator // exact.denominator)
    assert found["margin"]["is_exact"]
    json.dumps(found, allow_nan=False)
    run = {"X": [[0, 0], [x, 0]], "y": [-1, 1], "format": "html", "max_updates": 5}
    page = plane_answers.export(run, NONE)["text"]
    shown = f"of at most {int(found['margin']['bound']):,} mistakes" in page
    assert shown == (exact <= sys.float_info.max), "a page of a run leaves out a bound beyond the range of doubles"


def test_a_verdict_stands_where_no_double_holds_the_widest_plane() -> None:
    found = plane_answers.verdict({"X": [[0, 0], [5e-324, 0]], "y": [-1, 1], "margin": True}, NONE)
    assert found["separable"]
    assert "no double holds the plane" in found["no_margin"]


NUMBERS = ["1", "-2", "+3", "1/2", "-1/3", "0.5", "5.", ".25", "1e-1", "2E3", "1.5e+2", "1e-300", "0"]
NO_NUMBERS = ["", "x", "1/0", "1/", "1.5/2", "1e", "e5", "1e1000", "1_0", "0x10", "inf", "nan", "1 2", "--1", ".", "١",
              '1"+__import__("os")', "1'"]  # fmt: skip


def test_exact_numbers_have_one_syntax() -> None:
    """The browser test of links compares the same texts with what the page reads."""
    for text in NUMBERS:
        assert posted_points.exact(text, "eta") == Fraction(text)
    for text in NO_NUMBERS:
        with pytest.raises(InputError, match=r"^eta: found .* expected a"):
            posted_points.exact(text, "eta")


def test_a_verdict_stands_where_its_margin_is_not_found_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(*args: Any, **how: Any) -> None:
        raise nv.UndecidedError("margin: not found in time")

    monkeypatch.setattr(plane_answers, "margin", late)
    found = plane_answers.verdict(posted("or") | {"margin": True}, NONE)
    assert found["separable"]
    assert "margin" not in found
    assert found["no_margin"] == "margin: not found in time"


def test_products_make_xor_separable() -> None:
    assert plane_answers.verdict(posted("xor") | {"features": "poly2"}, NONE)["separable"]
    run = plane_answers.steps(posted("xor") | {"features": "poly2"}, NONE)
    assert (run["stop_reason"], run["d"]) == ("separated", 5)


def test_many_runs_are_those_of_the_experiments() -> None:
    for vary, experiment in (("orders", nv.orders_experiment), ("starts", nv.starts_experiment)):
        found = plane_answers.runs(posted("cornwell") | {"vary": vary, "seed": 3}, NONE)
        assert found == experiment(*nv.example("cornwell"), trials=100, seed=3, max_updates=2_000).to_dict()
    with pytest.raises(nv.NotSeparableError):
        plane_answers.runs(posted("xor"), NONE)


def test_many_long_runs_are_stopped_and_this_is_said() -> None:
    found = plane_answers.runs({"X": [[0, 0], [0.01, 0]], "y": [-1, 1]}, NONE)
    assert "100 of 100 runs were stopped at the limit of 2,000 updates" in found["notes"][-1]


def test_loading_leaves_nothing_behind() -> None:
    plane_answers.load()


@pytest.mark.slow
@pytest.mark.compiled
def test_one_answer_of_each_kind_is_loaded() -> None:
    answers.load()


# ---- runs ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", ["cyclic", "first", "shuffle", "random"])
@pytest.mark.parametrize("rule", ["perceptron", "margin", "pa1"])
def test_steps_are_those_of_trace(order: str, rule: str) -> None:
    request = posted("cornwell") | {"order": order, "rule": rule, "seed": 5, "eta": "1/2", "max_updates": 30}
    X, y = nv.example("cornwell")
    run = nv.trace(X, y, order=order, rule=rule, seed=5, eta0=Fraction(1, 2), max_updates=30)
    found = plane_answers.steps(request, NONE)
    assert [(s["row"], s["w"], s["score"]) for s in found["steps"]] == [
        (s["row"], s["w"], s["score"]) for s in run.to_dict()["steps"]
    ]
    assert (found["stop_reason"], found["limit"]) == (run.stop_reason, 30)


def test_updates_of_the_order_batch_have_all_mistakes_of_a_pass() -> None:
    found = plane_answers.steps(posted("cornwell") | {"order": "batch"}, NONE)
    whole = nv.trace(*nv.example("cornwell"), order="batch").to_dict()["steps"]
    names = ("number", "pass_number", "rows", "sum", "eta", "w", "errors_after")
    assert found["steps"] == [{name: step[name] for name in names} for step in whole]
    assert [step["rows"] for step in found["steps"]] == [[0, 1, 2, 3], [3]]
    assert plane_answers.fit(posted("cornwell") | {"order": "batch", "keep": "pocket"}, NONE)["train"]["errors"] == 0
    fails(plane_answers.fit, posted("or") | {"order": "batch", "keep": "vote"}, "use 'average' or 'pocket'")
    fails(plane_answers.steps, posted("or") | {"order": "batch", "rule": "pa"}, "expected 'perceptron' with the order")
    fails(plane_answers.export, posted("or") | {"order": "batch", "format": "html"}, "use another order")


@pytest.mark.parametrize(("kind", "method"), [("latex", "to_latex"), ("csv", "to_csv"), ("text", "to_text")])
def test_exports_are_those_of_trace(kind: str, method: str) -> None:
    run = nv.trace(*nv.example("cornwell"))
    assert plane_answers.export(posted("cornwell") | {"format": kind}, NONE)["text"] == getattr(run, method)()


def test_a_replay_page_has_the_bound_only_where_it_holds() -> None:
    page = plane_answers.export(posted("cornwell") | {"format": "html"}, NONE)["text"]
    assert "of at most 55 mistakes" in page
    page = plane_answers.export(posted("cornwell") | {"format": "html", "rule": "margin"}, NONE)["text"]
    assert "No bound is shown: it holds for the rule perceptron" in page
    assert "upper bound of |w|" not in page
    page = plane_answers.export(posted("xor") | {"format": "html"}, NONE)["text"]
    assert "No plane separates the points" in page


def test_a_file_has_the_numbers_of_the_page_and_the_names_of_products() -> None:
    request = posted("xor") | {"features": "poly2", "format": "text", "numbers": [2, 3, 5, 7]}
    text = plane_answers.export(request, NONE)["text"]
    run = nv.trace([[0, 0, 0, 0, 0], [1, 0, 1, 0, 0], [0, 1, 0, 0, 1], [1, 1, 1, 1, 1]], [-1, 1, 1, -1])
    points = [line.split()[2] for line in text.splitlines()[1 : len(run.steps) + 1]]
    assert points == [str([2, 3, 5, 7][step.row]) for step in run.steps]
    assert "x1 + x2 + x1² − 6·x1·x2 + x2² − 1 = 0" in text


def test_limits_of_updates_depend_on_the_points_and_the_rule() -> None:
    assert plane_answers.steps(posted("or") | {"rule": "pa", "max_updates": 2000}, NONE)["limit"] == 100
    many = {"X": [[float(i), 0.0] for i in range(2000)], "y": [1 if i % 2 else -1 for i in range(2000)]}
    assert plane_answers.steps(many | {"max_updates": 2000}, NONE)["limit"] <= 1000
    fails(plane_answers.steps, posted("or") | {"max_updates": 2001}, "expected a whole number from 1 to 2,000")


@pytest.mark.parametrize("keep", ["last", "pocket", "average", "vote"])
def test_a_fit_is_that_of_perceptron(keep: str) -> None:
    request = posted("or") | {"keep": keep, "order": "cyclic", "test": [3]}
    X, y = nv.example("or")
    model = nv.Perceptron(keep=keep, order="cyclic", max_updates=1000, random_state=0).fit(X[:3], y[:3])
    found = plane_answers.fit(request, NONE)
    assert (found["w"], found["b"]) == (model.coef_[0].tolist(), model.intercept_[0])
    assert found["train"] == {"n": 3, "errors": 0}
    assert found["test"] == {"n": 1, "errors": int(model.predict(X[3:])[0] != y[3])}


# ---- other panes ---------------------------------------------------------------------------------------------------


def test_the_curve_is_covers() -> None:
    found = capacity_answers.curve({"N": 5}, NONE)
    assert (found["count"], found["exact"], found["rest"]) == ("512", "1/2", 0.5)
    assert capacity_answers.curve({"N": 200, "P": 210}, NONE)["rest"] == float(1 - nv.separable_fraction(210, 200)) > 0
    assert all(row["fraction"] == float(nv.separable_fraction(row["P"], 5)) for row in found["rows"])
    # the notes' values at P/N = 1.4, 1.6, … 2.4
    shown = {row["P"]: round(row["fraction"], 3) for row in found["rows"]}
    assert [shown[P] for P in (7, 8, 9, 10, 11, 12)] == [0.891, 0.773, 0.637, 0.5, 0.377, 0.274]


def test_a_simulation_is_the_experiment() -> None:
    sizes = capacity_answers.curve({"N": 3}, NONE)["sizes"]
    rows = [capacity_answers.simulate({"N": 3, "P": P, "trials": 5, "seed": 2}, NONE) for P in sizes]
    found = nv.capacity_experiment(N=3, trials=5, seed=2).rows
    assert [(row["P"], row["measured"]) for row in rows] == [(row["P"], row["measured"]) for row in found]


@pytest.mark.slow
def test_digits_are_classified_as_by_the_model() -> None:
    found = digit_answers.weights({}, NONE)
    assert np.shape(found["weights"]) == (10, 64)
    assert found["test"] == {"n": 449, "errors": found["test"]["errors"]}
    assert found["test"]["errors"] < 40
    X, _ = nv.example("digits")
    scores = X[0] @ np.array(found["weights"]).T + found["biases"]
    assert digit_answers.classify({"cells": X[0].tolist()}, NONE)["class"] == int(np.argmax(scores))


# ---- tables --------------------------------------------------------------------------------------------------------


def test_the_page_gets_the_examples_and_the_table_it_was_started_with() -> None:
    found = table_answers.start({}, Settings({"name": "mine"}))
    assert set(found["examples"]) == set(LECTURES)
    assert found["table"] == {"name": "mine"}
    assert found["examples"]["spam"]["classes"] == ["ham", "spam"]
    assert found["examples"]["tao"]["bias"] is False


def test_a_csv_text_is_read_as_the_library_reads_files() -> None:
    found = table_answers.table({"name": "my points.csv", "text": "a,b,class\n1,2.5,+\n0,1,-\n"}, NONE)
    assert found == {"name": "my points.csv", "X": [[1.0, 2.5], [0.0, 1.0]], "y": ["+", "-"], "classes": ["-", "+"],
                     "names": ["a", "b"]}  # fmt: skip
    tabs = table_answers.table({"name": "tabs.csv", "text": "a\tb\tc\n1\t2\tx\n3\t4\ty\n"}, NONE)
    assert (tabs["X"], tabs["names"]) == ([[1.0, 2.0], [3.0, 4.0]], ["a", "b"])
    with pytest.raises(InputError, match=r"name the file \.csv for commas"):
        table_answers.table({"name": "commas.tsv", "text": "a,b,c\n1,2,x\n3,4,y\n"}, NONE)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "a,b,class\n1,cat,x\n0,1,y\n",
            "bad.csv, line 2, column 2 ('b'): found 'cat'; a number was expected; leave",
        ),
        (
            "a,b,class\n1,,x\n0,1,y\n",
            "found an empty cell; a number was expected; leave this row or column out, or",
        ),
        ("", "bad.csv"),
        ("a,b,class\n1,2,x\n", "found 1 class, expected 2 to 50"),
        ("a,b,l\n3,4,1\n1,1e12,0\n", "bad.csv, row 2, column b: found 1e+12; the page takes numbers between -1e+09"),
        ("a,b,class\n" + "1,2,x\n3,4,y\n" * 1001, "2,002 rows"),
        (5, "expected the text of a CSV file"),
    ],
)
def test_a_bad_csv_is_a_sentence_without_the_path_of_a_temporary_file(text: Any, words: str) -> None:
    with pytest.raises(InputError) as error:
        table_answers.table({"name": "bad.csv", "text": text}, NONE)
    assert words in str(error.value)
    assert not any(word in str(error.value) for word in ("/tmp", "one_hot", "missing=", "format=", "`"))


# ---- what the page may not send ------------------------------------------------------------------------------------

GOOD = posted("or")
BAD: list[tuple[Any, dict[str, Any], str]] = [
    (plane_answers.verdict, {"X": "x"}, "a list of points"),
    (plane_answers.verdict, {"X": [[0]] * 3}, "a list of as many labels"),
    (plane_answers.verdict, {"X": [[0, 0], [1], [2, 2], [3, 3]]}, "the same number of coordinates"),
    (plane_answers.verdict, {"X": [[], [], [], []]}, "at least one"),
    (plane_answers.verdict, {"X": [["1", 0]] * 4}, "a list of numbers"),
    (plane_answers.verdict, {"X": [[1e300, 0]] * 4}, "between -1e+09 and 1e+09"),
    (plane_answers.verdict, {"X": [[True, 0]] * 4}, "a list of numbers"),
    (plane_answers.verdict, {"X": [[0, 0]] * 2001, "y": [1] * 2001}, "up to 2,000"),
    (plane_answers.verdict, {"X": [[0] * 100] * 300, "y": [1, -1] * 150}, "up to 20,000"),
    (plane_answers.verdict, {"y": [0, 1, 1, 1]}, "the labels -1 and 1"),
    (plane_answers.verdict, {"y": [1, 1, 1, 1]}, "one class"),
    (plane_answers.verdict, {"bias": "yes"}, "true or false"),
    (plane_answers.verdict, {"features": "poly9"}, "expected one of"),
    (plane_answers.verdict, {"margin": True, "w0": [1.0]}, "found 1 number, expected 3: one for each weight"),
    (plane_answers.verdict, {"margin": True, "eta": 0}, "a number above 0"),
    (plane_answers.runs, {"vary": "all"}, "expected one of"),
    (plane_answers.runs, {"seed": -1}, "a whole number"),
    (plane_answers.runs, {"X": [[0, i] for i in range(600)], "y": [1, -1] * 300}, "at most 500"),
    (plane_answers.steps, {"order": "up"}, "expected one of"),
    (plane_answers.steps, {"eta": "x"}, "eta"),
    (plane_answers.steps, {"eta": "1" * 41}, "a number like 1, 0.5, 1/2 or 1e-3"),
    (plane_answers.steps, {"eta": "-1"}, "above 0"),
    (plane_answers.steps, {"w0": ["1"]}, "expected 3: one for each weight, the bias last"),
    (plane_answers.fit, {"w0": [1, 2]}, "found 2 numbers, expected 3: one for each weight, the bias last"),
    (plane_answers.fit, {"w0": [1, 2, 3], "bias": False}, "found 3 numbers, expected 2"),
    (plane_answers.fit, {"eta": "0"}, "eta: found 0, expected a number above 0"),
    (plane_answers.steps, {"eta": "0"}, "eta: found 0, expected a number above 0"),
    (plane_answers.steps, {"eta": "1e10"}, "between -1e+09 and 1e+09"),
    (plane_answers.steps, {"w0": "1"}, "a list of numbers"),
    (plane_answers.export, {"format": "exe"}, "expected one of"),
    (plane_answers.export, {"numbers": [1, 2]}, "a list of whole numbers, one for each point"),
    (plane_answers.fit, {"keep": "all"}, "expected one of"),
    (plane_answers.fit, {"test": [9]}, "from 0 to 3"),
    (plane_answers.fit, {"test": [1, 2, 3]}, "hold out fewer"),
    (capacity_answers.curve, {"N": 201}, "up to 200 dimensions"),
    (capacity_answers.simulate, {"trials": 0}, "a whole number"),
    (digit_answers.classify, {"cells": [0] * 63}, "64 numbers from 0 to 16"),
    (digit_answers.classify, {"cells": [17] * 64}, "64 numbers from 0 to 16"),
]


@pytest.mark.parametrize(("call", "change", "words"), BAD)
def test_what_the_page_may_not_send_is_a_sentence(call: Any, change: dict[str, Any], words: str) -> None:
    fails(call, GOOD | change, words)


def test_numbers_are_read_exactly() -> None:
    X, y = posted_points.points_of({"X": [[0.1, 2], [3, 4]], "y": [1, -1]})
    assert X.tolist() == [[0.1, 2.0], [3.0, 4.0]]
    assert y.tolist() == [1, -1]


STRANGE: list[Any] = [
    None,
    True,
    -1,
    0,
    1e308,
    10**400,
    "",
    "x",
    "1/0",
    "\ud800",
    [],
    [None],
    [[]],
    [[[]]],
    {},
    {"a": 1},
]
SMALL = {"trials": 1, "rows": 10, "text": "a,b\n1,x\n2,y\n", "name": "a.csv", "w": [1, 1], "cells": [0] * 64}


class Watched(dict[str, Any]):
    """A request that remembers which keys were read."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.keys_read: set[str] = set()

    def get(self, key: str, default: Any = None) -> Any:
        self.keys_read.add(key)
        return super().get(key, default)


@pytest.mark.slow
@pytest.mark.parametrize("address", sorted(ANSWERS))
def test_no_value_of_any_key_is_a_defect(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every request is answered, or refused with a sentence: no other exception, and an answer that JSON can hold."""
    monkeypatch.setattr(plane_answers, "RUNS", 1)
    call = function_of(address)
    request = Watched(GOOD | SMALL)
    call(request, NONE)
    for key in sorted(request.keys_read):
        for value in STRANGE:
            try:
                found = call(GOOD | SMALL | {key: value}, NONE)
                json.dumps(found, allow_nan=False)
            except (InputError, NotSeparableError):
                pass


def test_products_count_as_numbers_and_a_wide_run_has_fewer_updates() -> None:
    """So that no request of the allowed size becomes a million fractions."""
    wide = {"X": [[(i * j) % 5 for j in range(150)] for i in range(100)], "y": [1, -1] * 50}
    fails(plane_answers.steps, wide | {"features": "poly2"}, "X: found 1,147,500 numbers; the page takes up to 20,000")
    overlap = {"X": [[1] * 500] * 4, "y": [1, -1] * 2, "max_updates": 1000}
    assert plane_answers.steps(overlap, NONE)["limit"] == plane_answers.MOST_WEIGHTS // 500 == 400
