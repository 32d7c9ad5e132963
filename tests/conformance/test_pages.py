"""Reports, pages of a run, and what a notebook shows: their numbers are what commands print, and texts stay texts."""

from __future__ import annotations

import math
import re
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn import config_context
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import novikoff as nv
from commands import answer, novikoff
from oracles.html_tree import Node, parsed

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::UserWarning")]
CORNWELL, XOR = nv.example("cornwell"), nv.example("xor")
EVIL = "<img src=x onerror=alert(1)>"
FREE_SCALES = " The axes have different scales, so angles are not drawn as they are."


def items(tree: Node, name: str) -> list[Node]:
    """The items of a picture with this name."""
    return [node for node in tree.all() if node.attributes.get("data-of") == name]


def pairs_of(tree: Node) -> dict[str, str]:
    """Names and values of a list of facts."""
    return dict(zip((node.text for node in tree.all("dt")), (node.text for node in tree.all("dd")), strict=True))


def marks(picture: Node) -> dict[str, int]:
    """How many marks of each shape a picture has."""
    return {kind: len(picture.all(kind=kind)) for kind in ("square", "circle")}


def blobs(n: int = 60, d: int = 2, gap: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Points around one centre for each of two classes."""
    y = np.arange(n) % 2
    X = np.round(np.random.default_rng(7).normal(size=(n, d)), 2)
    X[:, 0] += (2 + gap) * y
    return X, y


def units() -> tuple[np.ndarray, np.ndarray]:
    """Ages and incomes, separable."""
    rng = np.random.default_rng(1)
    X = np.column_stack([rng.integers(18, 80, 40), 1000 * rng.integers(-60, 60, 40)]).astype(float)
    return X, (X[:, 1] > 0).astype(int)


def table(path: Path, gap: float) -> Path:
    """A CSV of two features, a category and a label, whose classes are this far apart."""
    X, y = blobs(gap=gap)
    colours = np.array(["red", "green"])[np.random.default_rng(3).integers(0, 2, len(y))]
    rows = [f"{a},{b},{c},{'yes' if k else 'no'}" for (a, b), c, k in zip(X, colours, y, strict=True)]
    path.write_text("\n".join(["height,weight,colour,member", *rows]) + "\n")
    return path


# ---- report


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Node, list[str]]]:
    """The report of a separable and of an overlapping table, and the options that read it."""
    folder, found = tmp_path_factory.mktemp("pages"), {}
    for name, gap in (("apart", 9.0), ("overlap", 0.0)):
        page = folder / f"{name}.html"
        options = [str(table(folder / f"{name}.csv", gap)), "--label", "member", "--category", "colour", "--scale"]
        told = novikoff("report", *options, "-o", page)
        assert told.code == 0, told.err
        assert told.out.endswith(f"page   {page}\n")
        found[name] = parsed(page.read_text("utf-8")), options
    return found


def commands(tree: Node, section: str) -> list[str]:
    return [node.text for node in tree.by_id(section).all("code")]


def document(command: str) -> Any:
    """What a command of the page prints as JSON."""
    told = novikoff(*shlex.split(command)[1:], *([] if "--json" in command else ["--json"]))
    assert command.startswith("novikoff ")
    assert told.code in (0, 1), told.err
    return told.json


both = pytest.mark.parametrize("name", ["apart", "overlap"])
ACCURACY = r"(\d+\.\d\d) % \(95 %: (\d+\.\d\d) to (\d+\.\d\d)\)"
ENDED = {
    "separated": "the last weights of the run have every point on its own side",
    "not_separable": "no plane separates the points, which is proved",
    "train_stalled": "the training error stopped falling",
    "gap": "the requested gap is proved",
    None: "the plane of the largest margin is proved",
}


@both
def test_the_verdict_the_margin_and_the_capacity_are_those_of_their_commands(
    pages: Any, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree, options = pages[name]
    sections = [node["id"] for node in tree.all("section")]
    assert [one for one in sections if one != "margin"] == ["data", "verdict", "capacity", "learners", "confusion",
                                                            "weights"]  # fmt: skip
    assert [node["href"] for node in tree.one("nav").all("a")] == [f"#{one}" for one in sections]
    assert not tree.all("script")
    assert len(set(tree.ids())) == len(tree.ids())
    command, check = commands(tree, "verdict")
    assert shlex.split(command) == ["novikoff", "certify", *options]
    assert check == f"{command} -o proof.json; novikoff verify proof.json {options[0]}"
    monkeypatch.chdir(tmp_path)  # the saved proof is checked as the page says
    assert [novikoff(*shlex.split(one)[1:]).code for one in check.split("; ")] == [int(name == "overlap"), 0]
    assert document(command)["separable"] is (name == "apart")
    assert re.match(r"60 points, 4 features, 2 classes: (not )?separable\.", tree.one("p", "lead").text)
    for section in ("verdict", "margin") if name == "apart" else ("verdict",):
        printed = novikoff(*shlex.split(commands(tree, section)[0])[1:]).out
        assert [line for line in tree.by_id(section).one("pre").text.splitlines() if line not in printed] == []
    (row,) = document(commands(tree, "capacity")[0])["rows"]
    shown = pairs_of(tree.by_id("capacity"))
    assert (shown["points P"], shown["P/N"]) == ("60", f"{row['ratio']:.4g}")
    printed = novikoff(*shlex.split(commands(tree, "capacity")[0])[1:]).out
    assert f"fraction of all 2^P   {shown['fraction of all 2^P labellings']}\n" in printed
    assert float(shown["fraction of all 2^P labellings"]) == pytest.approx(row["fraction"], rel=1e-9)
    count = float(shown["separable labellings C(P, N)"].removeprefix("≈ 10^"))
    assert count == pytest.approx(row["log10_count"], rel=1e-3)


@both
def test_the_learners_are_those_of_their_commands(pages: Any, name: str) -> None:
    tree, _ = pages[name]
    rows = {row[0]: row[1:] for row in tree.by_id("learners").one("table").rows()[1:]}
    matrices = {
        box["aria-label"].removeprefix("Predictions of the "): [[int(v) for v in row[1:]] for row in box.rows()[1:]]
        for box in tree.by_id("confusion").all("table")
    }
    assert (len(tree.by_id("learners").all("li")), len(matrices)) == (5, 1)
    for item in tree.by_id("learners").all("li"):
        learner, found = item.text.partition(": ")[0], document(item.one("code").text)
        if found["schema"] == "novikoff/margin/1" and not found["separable"]:
            assert rows[learner] == ["–", "–", "–", "no plane separates the training rows"]
            continue
        test = found["test"]
        expected = [f"{found['train_errors']} of {found['n']}", f"{test['errors']} of {test['n']}"]
        assert rows[learner][:2] == expected, learner
        accuracy, low, high = map(float, re.fullmatch(ACCURACY, rows[learner][2]).groups())
        assert accuracy == pytest.approx(100 * test["accuracy"], abs=0.005)
        for end in (low / 100, high / 100):  # of Wilson's interval: as far from the accuracy as 1.96 deviations there
            if end not in (0, 1):
                deviation = (end * (1 - end) / test["n"]) ** 0.5
                assert abs(end - test["accuracy"]) / deviation == pytest.approx(1.96, abs=0.01)
        assert low < accuracy <= high
        averaged = "; it predicts with the average of all weights, which may make errors"
        own = averaged if (learner, found.get("stop_reason")) == ("averaged perceptron", "separated") else ""
        assert rows[learner][3] == ENDED[found.get("stop_reason")] + own
        assert matrices.get(learner, test["confusion"]) == test["confusion"]
    found = document(commands(tree, "weights")[0])
    columns = ["height (scaled)", "weight (scaled)", "colour=green", "colour=red", "(bias)"]
    expected = dict(zip(columns, [*found["w"], found["b"]], strict=True))
    for column, weight in (row[:2] for row in tree.by_id("weights").one("table").rows()[1:]):
        assert float(weight.replace("−", "-")) == pytest.approx(expected[column], rel=1e-5)
    (matrix,) = matrices.values()
    assert document(commands(tree, "confusion")[0])["test"]["confusion"] == matrix
    classes = document(commands(tree, "data")[0])["classes"]
    assert {entry["class"]: entry["n"] for entry in classes} == {"no": 30, "yes": 30}


@pytest.mark.parametrize(("classes", "few"), [(2, 20), (3, 13)])
def test_that_a_perfect_fit_means_little_stands_beside_it(classes: int, few: int, tmp_path: Path) -> None:
    """In the first sentence of the page, and in the answer: of two classes; of more, for the pair with the fewest."""
    X = np.random.default_rng(0).normal(size=(20, 9)).round(3)
    rows = [",".join(map(str, [*x, "abc"[i % classes]])) for i, x in enumerate(X.tolist())]
    data = tmp_path / "t.csv"
    data.write_text("\n".join([",".join([*(f"x{j}" for j in range(9)), "label"]), *rows]) + "\n")
    told = novikoff("report", data, "-o", tmp_path / "r.html", "--quiet")
    tree = parsed((tmp_path / "r.html").read_text("utf-8"))
    share = sum(math.comb(few - 1, k) for k in range(10)) / 2 ** (few - 1)
    fit = f"ith {few} points and 10 parameters, at most {100 * share:.3g} % of all labellings are separable"
    lead = tree.one("p", "lead").text
    assert "separable." in lead
    assert f"{fit}: a perfect fit here means little." in lead
    assert f"{fit}: a perfect fit here means little\n" in told.out
    three = classes == 3
    assert ("a | c: with" in lead, "The count is of labellings with two classes." in tree.by_id("capacity").text,
            "margin" not in tree.ids() or commands(tree, "margin") == []) == (three, three, three)  # fmt: skip


def test_a_report_in_python_draws_the_points_and_is_the_same_every_time(tmp_path: Path) -> None:
    X, y = blobs(d=3, gap=9)
    found = nv.report(X, y)
    picture = parsed(found.to_html()).by_id("data").all("svg")[0]
    (line,) = (node for node in items(picture, "boundary") if node.name == "polyline")
    first, last = (float(pair.split(",")[0]) for pair in line["points"].split())
    assert first == last
    assert all(float(mark["cx"]) > first for mark in picture.all("circle", "circle"))
    assert all(float(mark["points"].split(",")[0]) < first for mark in picture.all("polygon", "square"))
    assert marks(picture) == {"circle": 30, "square": 30}
    assert nv.report(sparse.csr_matrix(X), y).to_html() == found.to_html()
    found.save(tmp_path / "r.html")
    assert (tmp_path / "r.html").read_text("utf-8") == found.to_html()
    with pytest.raises(nv.InputError, match="cannot be written"):
        found.save(tmp_path / "none" / "r.html")
    assert [path.name for path in tmp_path.iterdir()] == ["r.html"]


def test_more_than_2000_points_are_thinned_and_this_is_said() -> None:
    page = nv.report(*blobs(n=3000, gap=9)).to_html()
    data = parsed(page).by_id("data")
    assert marks(data.all("svg")[0]) == {"circle": 1000, "square": 1000}
    assert "2,000 of 3,000 points are drawn, evenly thinned." in data.text
    assert len(page.encode()) <= 2_000_000
    X, y = blobs(n=2500, gap=200)
    tree = parsed(nv.trace(X, y, max_updates=3).to_html())
    assert sum(marks(tree.by_id("plane")).values()) == 2000
    assert "2,000 of 2,500 points are drawn, evenly thinned." in tree.by_id("pictures").text


def test_a_part_that_is_stopped_by_the_time_limit_says_so() -> None:
    rng = np.random.default_rng(0)
    found = nv.report(rng.normal(size=(300, 20)), rng.integers(0, 2, 300), max_time=1e-9)
    tree = parsed(found.to_html())
    assert found.separable is None
    assert "undecided within the time limit" in tree.one(kind="lead").text
    assert "was not decided in time" in tree.by_id("margin").text
    ends = {row[4] for row in tree.by_id("learners").one("table").rows()[1:]}
    assert ends == {"the time limit was reached", "not found within the time limit"}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"y": [1, 1, 1, 1]}, "y: found one class, 1; two or more were expected"),
        ({"max_time": 0}, "max_time: found 0; a finite number above 0 was expected"),
        ({"fit_intercept": "yes"}, "fit_intercept: found 'yes'; True or False was expected"),
        ({"X": [[1, math.nan]] * 4}, "X"),
    ],
)
def test_a_report_of_bad_input_is_a_sentence(change: dict[str, Any], message: str) -> None:
    with pytest.raises(nv.InputError, match=message):
        nv.report(**dict(zip("Xy", CORNWELL, strict=True)) | change)


def test_a_dash_writes_the_page_to_stdout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    told = novikoff("report", "--example", "cornwell", "-o", "-")
    assert (told.code, told.out[:15], told.out[-8:]) == (0, "<!doctype html>", "</html>\n")
    assert list(tmp_path.iterdir()) == []
    told = novikoff("report", "--example", "cornwell", "-o", "-", "--json")
    assert (told.code, "only one answer can go to stdout" in told.err) == (2, True)


@pytest.mark.parametrize("positive", ["yes", "no"])
def test_margin_tests_the_widest_plane_on_held_out_rows(positive: str, tmp_path: Path) -> None:
    """Its numbers are those of MaxMargin, fitted in Python on the other rows, whichever class is positive."""
    data = table(tmp_path / "rows.csv", 9.0)
    train, test = nv.open_data(data, label="member", drop=["colour"]).prepare().split(holdout=0.2)
    clf = nv.MaxMargin().fit(train)
    wrong = int((clf.predict(test) != np.asarray(test.labels)).sum())
    ask = ("margin", data, "--label", "member", "--drop", "colour", "--holdout", "0.2", "--positive", positive)
    found = answer(*ask)
    assert (found["n"], found["train_errors"], found["test"]["n"], found["test"]["errors"]) == (48, 0, 12, wrong)
    assert np.trace(found["test"]["confusion"]) == 12 - wrong
    assert list(clf.margin_) == found["geometric"]["gamma"]
    assert found["geometric"]["touching"] == [r for r in found["geometric"]["touching"] if r % 5 != 4]
    assert "held out are classified correctly: accuracy" in novikoff(*ask).out


# ---- the page of a run


@pytest.mark.parametrize(("name", "updates", "most"), [("tao", 2, 2), ("cornwell", 9, 55), ("or", 9, 27),
                                                       ("spam", 4, 15)])  # fmt: skip
def test_the_page_of_a_run_has_every_update_and_the_bound_of_the_lecture(
    name: str, updates: int, most: int, tmp_path: Path
) -> None:
    """k of at most ⌊(R/γ)²⌋; on Tao's points the bound is met with equality."""
    X, y = nv.example(name)
    trace, page = nv.trace(X, y, fit_intercept=name != "tao"), tmp_path / "run.html"
    assert f"wrote {page}" in novikoff("trace", "--example", name, "--html", page).err
    tree = parsed(page.read_text("utf-8"))
    assert (tree.by_id("bar")["value"], tree.by_id("bar")["max"]) == (str(updates), str(most))
    assert f"of at most {most} mistakes are made" in tree.one(kind="budget").text
    assert tree.by_id("table").rows() == [trace.header(), *(trace.cells(step) for step in trace.steps)]
    assert tree.one("h1").text == f"A perceptron run on {name}"
    assert tree.all("pre")[0].text in trace.to_text()
    if name == "cornwell":
        last = ["9", "5", "4", "+", "(0, 3/2, 1)", "−3", "13/4", "(4, −1/2, 1)", "0"]
        assert tree.by_id("table").rows()[-1] == last


def test_the_page_of_xor_has_the_proof() -> None:
    trace = nv.trace(*XOR)
    lead = parsed(trace.to_html()).all("pre")[0].text
    assert lead.startswith("NOT SEPARABLE")
    assert lead in trace.to_text()
    assert "No plane separates the points, so no bound limits the number of mistakes." in trace.to_html()


def test_the_picture_has_one_mark_for_each_point_and_the_line_of_the_last_weights() -> None:
    plane = parsed(nv.trace(*CORNWELL).to_html(nv.margin(*CORNWELL))).by_id("plane")
    assert marks(plane) == {"circle": 2, "square": 2}
    (line,) = (node for node in items(plane, "after") if node.name == "line")
    x0, x1, y0, y1, left = map(float, plane["data-window"].split())
    for end in ("1", "2"):
        x = x0 + (float(line[f"x{end}"]) - left) / (466 - left) * (x1 - x0)
        y = y0 + (332 - float(line[f"y{end}"])) / 308 * (y1 - y0)
        assert 4 * x - y / 2 + 1 == pytest.approx(0, abs=0.02)
    (normal,) = (node for node in items(plane, "normal") if node.name == "line")
    direction = [float(normal["x2"]) - float(normal["x1"]), float(normal["y1"]) - float(normal["y2"])]
    assert direction[0] / direction[1] == pytest.approx(4 / -0.5, rel=0.05)  # w is orthogonal to the line
    for name in ("widest", "band"):
        assert len([node for node in items(plane, name) if node.name != "circle"]) == 1


def test_axes_with_different_units_have_no_normal_and_say_why() -> None:
    X, y = units()
    tree = parsed(nv.trace(X, y, max_updates=20).to_html(nv.margin(X, y)))
    assert [node for node in items(tree, "normal") if node.name == "line"] == []
    assert "orthogonal" not in tree.by_id("pictures").text
    assert tree.by_id("pictures").text.count(FREE_SCALES) == 2
    plane = tree.by_id("plane")
    x0, x1, y0, y1, left = map(float, plane["data-window"].split())
    wanted = sorted(
        (left + (a - x0) / (x1 - x0) * (466 - left), 332 - (b - y0) / (y1 - y0) * 308) for a, b in X[y == 1]
    )
    shown = sorted((float(c["cx"]), float(c["cy"])) for c in plane.all("circle", "circle"))
    assert np.array(shown) == pytest.approx(np.array(wanted), abs=0.06)
    assert shown[-1][0] - shown[0][0] > 200
    tree = parsed(nv.report(X, y, max_time=5).to_html())
    for name in ("data", "verdict", "margin"):
        assert FREE_SCALES in tree.by_id(name).one("figcaption").text
        across = [float(c["cx"]) for c in tree.by_id(name).all("circle", "circle")[:-1]]
        assert max(across) - min(across) > 200


def test_columns_have_the_names_of_the_data_unless_these_are_numbers(tmp_path: Path) -> None:
    X, y = CORNWELL
    named, plain = (nv.trace(pd.DataFrame(X, columns=names), y) for names in (["height", "width"], None))
    assert named.ending()[0].endswith("4·height − 1/2·width + 1 = 0")
    assert plain.ending()[0].endswith("4·x1 − 1/2·x2 + 1 = 0")
    assert (named.names, plain.names, plain.axis_names) == (("height", "width"), None, ["x1", "x2"])
    assert named.to_dict() == plain.to_dict()  # JSON names columns by their numbers
    assert nv.report(pd.DataFrame(X), y).names is None
    data, page = table(tmp_path / "rows.csv", 9.0), tmp_path / "run.html"
    for more, names in (([], ["height", "weight"]), (["--scale"], ["height (scaled)", "weight (scaled)"])):
        told = novikoff("trace", data, "--label", "member", "--drop", "colour", *more, "--html", page)
        tree = parsed(page.read_text("utf-8"))
        for figure in ("start", "plane"):
            assert [node.text for node in tree.by_id(figure).all("text") if node.text[0] in "hwx"] == names
        assert f"·{names[0]} " in tree.all("pre")[0].text
        assert tree.all("pre")[0].text in told.out


@pytest.mark.parametrize("d", [1, 3, 30])
def test_other_dimensions_have_a_sentence_instead_of_the_plane(d: int) -> None:
    tree = parsed(nv.trace([[1] * d, [2] * d], [1, -1]).to_html())
    assert "plane" not in tree.ids()
    said = "The points have one feature: a picture of the plane needs two." if d == 1 else f"The points have {d} featu"
    assert said in tree.by_id("pictures").text
    assert (tree.by_id("table").rows()[0][6] == "‖w‖² after") == (d == 30)  # the length of many weights


@pytest.mark.parametrize("other", [([[9, 9], [1, 2]], [1, -1]), ([[1], [2]], [1, -1])])
def test_a_margin_of_other_points_is_refused(other: tuple[Any, Any]) -> None:
    with pytest.raises(nv.InputError, match=r"margin: found that of .* expected novikoff\.margin of the same points"):
        nv.trace([[1, 2], [2, 0]], [1, -1]).to_html(nv.margin(*other))


def test_extreme_runs_have_a_page() -> None:
    """Numbers beyond floats, no update at all, a run that was stopped."""
    assert "too far apart or too close together" in nv.trace([["1e390", "0"], ["-1e395", "1"]], [1, -1]).to_html()
    assert "updates</dt><dd>0</dd>" in nv.trace([[1, 2], [2, 0]], [1, -1], w0=[-2, 1, 1]).to_html()
    stopped = nv.trace([[1, 2], [2, 0]], [1, -1], max_updates=1)
    assert "No bound is shown: it needs the margin of a plane that separates the points." in stopped.to_html()


# ---- notebooks


def shown(result: Any) -> Node:
    """The display of a result, which has no script, no id, no inline style and nothing to load."""
    tree = parsed(result._repr_html_())
    for node in tree.all():
        assert node.name not in ("script", "img", "link", "iframe", "object")
        assert not {"id", "style", "src", "href"} & set(node.attributes)
        assert not [name for name in node.attributes if name.startswith("on")]
    return tree


def test_a_notebook_shows_the_sentences_and_pictures_of_results() -> None:
    rng = np.random.default_rng(0)
    undecided = nv.decide(rng.normal(size=(3000, 60)), rng.random(3000) < 0.5, max_time=1e-9)
    verdict, alone, margin, trace = nv.decide(*CORNWELL), nv.decide(*XOR).alone(), nv.margin(*CORNWELL), nv.trace(*XOR)
    report = nv.separation(pd.DataFrame({"a": range(6), EVIL: [1, 0] * 3}), [0, 0, 0, 1, 1, 1])
    assert undecided.separable is None
    for result, sentence in ((verdict, verdict.explain()), (alone, str(alone)), (undecided, str(undecided)),
                             (margin, str(margin)), (report, str(report)), (trace, trace.to_text())):  # fmt: skip
        assert shown(result).one("pre").text == sentence
    assert EVIL in shown(report).text
    assert len(items(shown(verdict), "plane")) == 1
    assert len(items(shown(margin), "touching")[0].all("circle")) == margin.geometric.touching.size == 3
    assert len(shown(trace).all("figure")) == 2
    assert "the geometric margin is unbounded" in shown(nv.margin([[1, 2], [3, 4]], ["a", "a"])).text


def test_the_hulls_of_xor_meet_at_the_cross() -> None:
    def places(node: Node) -> np.ndarray:
        return np.array([tuple(map(float, pair.split(","))) for pair in node["points"].split()])

    tree = shown(nv.decide(*XOR))
    cross = places(items(tree, "common")[0].one("polygon")).mean(axis=0)
    for label in (1, -1):  # both segments have the middle (1/2, 1/2)
        assert places(items(tree, f"edges {label}")[0]).mean(axis=0) == pytest.approx(cross, abs=0.11)
    assert sum(len(one.all("circle")) for one in items(tree, "touching")) == 4


@pytest.mark.parametrize(
    ("estimator", "expected"),
    [
        (nv.Perceptron(), {"classes": "−1, 1", "updates": "9", "passes": "6", "looks": "24", "mistakes": "9",
                           "ended by": "separated: the last weights of the run have every point on its own side"}),
        (nv.MaxMargin(), {"margin": "0.5", "support points": "3"}),
        (nv.SoftMargin(), {"ended by": "gap: the requested gap is proved", "C": "1"}),
    ],
)  # fmt: skip
def test_an_estimator_has_its_results_without_script(estimator: Any, expected: dict[str, str]) -> None:
    before = shown(estimator)
    assert (before.one("pre").text, before.one("p").text) == (repr(estimator), "Not fitted.")
    fitted = estimator.fit(*CORNWELL)
    tree = shown(fitted)
    found = pairs_of(tree)
    assert {name: found[name].replace("-", "−") for name in expected} == expected
    assert "Not fitted" not in tree.text
    assert tree.all("pre")[0].text == repr(fitted)
    assert tree.all("pre")[1].text.endswith(" = 0")
    assert fitted._repr_mimebundle_() == {"text/plain": repr(fitted), "text/html": fitted._repr_html_()}
    with config_context(display="text"):
        assert not hasattr(fitted, "_repr_html_")
        assert fitted._repr_mimebundle_() == {"text/plain": repr(fitted)}
    assert "sk-top-container" in make_pipeline(StandardScaler(), fitted)._repr_html_()


def test_an_estimator_has_what_is_proved_about_its_points() -> None:
    assert pairs_of(shown(nv.Perceptron().fit(*XOR)))["points"] == "not separable (proved)"
    many = nv.Perceptron(max_iter=100).fit(*nv.example("iris"))
    found = pairs_of(shown(many))
    still = "no plane separates the points of any plane that still makes mistakes, which is proved"
    assert found["ended by"] == f"not_separable: {still}"
    assert not any(v.separable for v in many.verdict_.values())
    assert found[f"points of {len(many.verdict_)} of 3 planes"] == "not separable (proved)"
    assert len(shown(many).all("pre")[1].text.split("\n")) == 3
    apart = nv.Perceptron().fit([[0, 0], [9, 0], [0, 9]], ["a", "b", "c"])
    each = "the last weights of the run make no mistake on any point of any plane"
    assert pairs_of(shown(apart))["ended by"] == f"separated: {each}"
    assert "mistakes" not in pairs_of(shown(nv.Perceptron(rule="margin").fit(*CORNWELL)))


def test_names_of_columns_rows_classes_and_titles_are_text() -> None:
    X = pd.DataFrame({EVIL: [0.0, 1.0, 2.0, 3.0], "b": [1.0, 0.0, 1.0, 0.0]}, index=["<i>", "<b>one</b>", "&", "4"])
    y, bold = ["<b>no</b>", "<b>no</b>", "yes", "yes"], ("script", "b", "i", "img")
    own = shown(nv.Perceptron().fit(X, y))
    assert EVIL in own.all("pre")[1].text
    assert "<b>no</b>, yes" in own.text
    assert EVIL in shown(nv.Perceptron(keep=EVIL)).one("pre").text
    report, run = nv.report(X, y, title=EVIL), nv.trace(X, y).to_html(title="<script>alert(1)</script>")
    tree = parsed(report.to_html())
    assert [node for node in tree.all() if node.name in bold] == []
    assert tree.one("h1").text == f"Report on {EVIL}"
    assert EVIL in tree.by_id("weights").text
    assert [node.name for node in parsed(run).all() if node.name in bold] == ["script"]
    assert parsed(run).one("h1").text == "A perceptron run on <script>alert(1)</script>"
