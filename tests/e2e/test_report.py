"""`novikoff report` and `trace --html`: the page's numbers are what its commands print; errors leave no file."""

from __future__ import annotations

import json
import math
import re
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

import novikoff as nv
from novikoff.cli import BAD_INPUT, door as verbs, main
from oracles.html_tree import Node, parsed

pytestmark = pytest.mark.slow  # where the compiler is off


def run(*arguments: str) -> Result:
    """The result of a command."""
    return CliRunner().invoke(verbs, list(arguments))


def document(command: str) -> dict[str, Any]:
    """What a command of the page prints as JSON."""
    words = shlex.split(command)
    assert words[0] == "novikoff"
    result = run(*words[1:], *([] if "--json" in words else ["--json"]))
    assert result.exit_code in (0, 1), result.output
    return json.loads(result.stdout)


def table(path: Path, gap: float, n: int = 60) -> Path:
    """A CSV of two features, a category and a label, whose classes are this far apart."""
    rng = np.random.default_rng(3)
    y = np.arange(n) % 2
    X = np.round(rng.normal(size=(n, 2)) + np.outer(y * (2 + gap), [1, 0]), 2)
    colours = np.array(["red", "green"])[rng.integers(0, 2, n)]
    rows = [f"{a},{b},{c},{'yes' if k else 'no'}" for (a, b), c, k in zip(X, colours, y, strict=True)]
    path.write_text("\n".join(["height,weight,colour,member", *rows]) + "\n")
    return path


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Node, list[str]]]:
    """The report of a separable and of an overlapping table, and the options that read it."""
    folder = tmp_path_factory.mktemp("pages")
    found = {}
    for name, gap in (("apart", 9.0), ("overlap", 0.0)):
        data = str(table(folder / f"{name}.csv", gap))
        options = [data, "--label", "member", "--category", "colour", "--scale"]
        result = run("report", *options, "-o", str(folder / f"{name}.html"))
        assert result.exit_code == 0, result.output
        assert result.stdout.endswith(f"page   {folder / f'{name}.html'}\n")
        found[name] = parsed((folder / f"{name}.html").read_text("utf-8")), options
    return found


def commands(tree: Node, section: str) -> list[str]:
    """The commands of a section of the page."""
    return [node.text for node in tree.by_id(section).all("code")]


NAMES = ("apart", "overlap")
ACCURACY = r"(\d+\.\d\d) % \(95 %: (\d+\.\d\d) to (\d+\.\d\d)\)"
ENDED = {
    "separated": "the last weights of the run have every point on its own side",
    "not_separable": "no plane separates the points, which is proved",
    "train_stalled": "the training error stopped falling",
    "gap": "the requested gap is proved",
    None: "the plane of the largest margin is proved",
}


@pytest.mark.parametrize("name", NAMES)
def test_the_verdict_is_that_of_its_command(pages: Any, name: str) -> None:
    tree, options = pages[name]
    command, check = commands(tree, "verdict")
    assert shlex.split(command) == ["novikoff", "certify", *options]
    result = run(*shlex.split(command)[1:])
    for line in tree.by_id("verdict").one("pre").text.splitlines():
        assert line in result.stdout
    found = document(command)
    assert found["separable"] is (name == "apart")
    assert re.match(r"60 points, 4 features, 2 classes: (not )?separable\.", tree.one("p", "lead").text)
    assert check == f"{command} -o proof.json; novikoff verify proof.json {options[0]}"


def test_the_saved_proof_is_checked_as_the_page_says(
    pages: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    certify, verify = commands(pages["overlap"][0], "verdict")[1].split("; ")
    assert main(shlex.split(certify)[1:]) == 1
    assert main(shlex.split(verify)[1:]) == 0


def test_the_margin_is_that_of_its_command(pages: Any) -> None:
    tree, _ = pages["apart"]
    (command,) = commands(tree, "margin")
    printed = run(*shlex.split(command)[1:]).stdout
    assert document(command)["updates"] > 0
    for line in tree.by_id("margin").one("pre").text.splitlines():
        assert line in printed


def test_the_capacity_is_that_of_its_command(pages: Any) -> None:
    tree, _ = pages["apart"]
    (row,) = document(commands(tree, "capacity")[0])["rows"]
    section = tree.by_id("capacity")
    shown = dict(zip((node.text for node in section.all("dt")), (node.text for node in section.all("dd")), strict=True))
    assert shown["points P"] == str(row["P"]) == "60"
    assert shown["P/N"] == f"{row['ratio']:.4g}"
    printed = run(*shlex.split(commands(tree, "capacity")[0])[1:]).stdout
    assert f"fraction of all 2^P   {shown['fraction of all 2^P labellings']}\n" in printed
    assert float(shown["fraction of all 2^P labellings"]) == pytest.approx(row["fraction"], rel=1e-9)
    assert float(shown["separable labellings C(P, N)"].removeprefix("≈ 10^")) == pytest.approx(
        row["log10_count"], rel=1e-3
    )


@pytest.mark.parametrize("name", NAMES)
def test_the_learners_are_those_of_their_commands(pages: Any, name: str) -> None:
    tree, _ = pages[name]
    rows = {row[0]: row[1:] for row in tree.by_id("learners").one("table").rows()[1:]}
    items = tree.by_id("learners").all("li")
    assert len(items) == 5
    matrices = {
        box["aria-label"].removeprefix("Predictions of the "): [[int(v) for v in row[1:]] for row in box.rows()[1:]]
        for box in tree.by_id("confusion").all("table")
    }
    for item in items:
        learner = item.text.partition(": ")[0]
        found = document(item.one("code").text)
        if found["schema"] == "novikoff/margin/1" and not found["separable"]:
            assert rows[learner] == ["–", "–", "–", "no plane separates the training rows"]
            continue
        test = found["test"]
        expected = [f"{found['train_errors']} of {found['n']}", f"{test['errors']} of {test['n']}"]
        assert rows[learner][:2] == expected, learner
        accuracy, low, high = map(float, re.fullmatch(ACCURACY, rows[learner][2]).groups())
        assert accuracy == pytest.approx(100 * test["accuracy"], abs=0.005)
        n = test["n"]
        for end in (low / 100, high / 100):  # of Wilson's interval: as far from the accuracy as 1.96 deviations there
            at = min(max(end, 1e-9), 1 - 1e-9)
            if end not in (0, 1):
                assert abs(at - test["accuracy"]) / (at * (1 - at) / n) ** 0.5 == pytest.approx(1.96, abs=0.01)
        assert low < accuracy <= high
        averaged = "; it predicts with the average of all weights, which may make errors"
        own = averaged if (learner, found.get("stop_reason")) == ("averaged perceptron", "separated") else ""
        assert rows[learner][3] == ENDED[found.get("stop_reason")] + own
        assert matrices.get(learner, test["confusion"]) == test["confusion"]
    assert len(matrices) == 1


@pytest.mark.parametrize("name", NAMES)
def test_the_weights_and_the_confusion_are_those_of_their_commands(pages: Any, name: str) -> None:
    tree, _ = pages[name]
    found = document(commands(tree, "weights")[0])
    columns = ["height (scaled)", "weight (scaled)", "colour=green", "colour=red"]
    shown = {row[0]: float(row[1].replace("−", "-")) for row in tree.by_id("weights").one("table").rows()[1:]}
    expected = dict(zip([*columns, "(bias)"], [*found["w"], found["b"]], strict=True))
    for column, weight in shown.items():
        assert weight == pytest.approx(expected[column], rel=1e-5)
    test = document(commands(tree, "confusion")[0])["test"]
    matrix = tree.by_id("confusion").all("table")[0].rows()[1:]
    assert [[int(v) for v in row[1:]] for row in matrix] == test["confusion"]
    assert sum(map(sum, test["confusion"])) == test["n"]
    report = document(commands(tree, "data")[0])
    assert {entry["class"]: entry["n"] for entry in report["classes"]} == {"no": 30, "yes": 30}


def test_that_a_perfect_fit_means_little_stands_beside_it(tmp_path: Path) -> None:
    """In the first sentence of the page, and in the answer: of two classes; of more, for the pair with the fewest."""
    rng = np.random.default_rng(0)
    for classes, few in ((2, 20), (3, 13)):
        names = ["a", "b", "c"]
        rows = [",".join(map(str, rng.normal(size=9).round(3))) + f",{names[i % classes]}" for i in range(20)]
        data = tmp_path / f"{classes}.csv"
        data.write_text(",".join(f"x{j}" for j in range(9)) + ",label\n" + "\n".join(rows) + "\n")
        result = run("report", str(data), "-o", str(tmp_path / "r.html"), "--quiet")
        lead = parsed((tmp_path / "r.html").read_text("utf-8")).one("p", "lead").text
        share = sum(math.comb(few - 1, k) for k in range(10)) / 2 ** (few - 1)
        fit = f"ith {few} points and 10 parameters, at most {100 * share:.3g} % of all labellings are separable"
        assert "separable." in lead
        assert f"{fit}: a perfect fit here means little." in lead
        assert ("a | c: with" in lead) is (classes == 3)
        assert f"{fit}: a perfect fit here means little\n" in result.stdout


# ---- bad input -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "options", "sentence"),
    [
        (None, [], "no such file"),
        ("a,b,y\n1,2,x\n2,3,x\n", [], "found one class, 'x'; two or more were expected"),
        ("a,b,y\n1,2,x\n2,oops,z\n", [], "oops"),
        ("", [], "found no rows"),
    ],
)
def test_bad_input_is_a_sentence_and_leaves_no_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str | None, options: list[str], sentence: str
) -> None:
    data = tmp_path / "t.csv"
    if content is not None:
        data.write_text(content)
    before = sorted(tmp_path.iterdir())
    assert main(["report", str(data), "-o", str(tmp_path / "r.html"), *options]) == BAD_INPUT
    error = capsys.readouterr().err
    assert sentence.lower() in error.lower()
    assert str(data) in error
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize("verb", [["report", "-o"], ["trace", "--html"]])
def test_a_page_that_cannot_be_written_is_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], verb: list[str]
) -> None:
    assert main([verb[0], "--example", "cornwell", verb[1], str(tmp_path / "none" / "r.html")]) == BAD_INPUT
    assert "cannot be written" in capsys.readouterr().err
    (tmp_path / "old.html").write_text("old")
    (tmp_path / "old.html").chmod(0o444)
    assert main([verb[0], "--example", "cornwell", verb[1], str(tmp_path / "old.html")]) == BAD_INPUT
    assert (tmp_path / "old.html").read_text() == "old"


def test_a_report_needs_a_page_or_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "--example", "cornwell"]) == 2
    assert "name the page, as in -o report.html, or print the numbers with --json" in capsys.readouterr().err


# ---- the trace page ------------------------------------------------------------------------------------------------


def test_a_trace_page_has_the_bound_of_margin(tmp_path: Path) -> None:
    page = tmp_path / "run.html"
    result = run("trace", "--example", "cornwell", "--html", str(page))
    assert result.exit_code == 0
    assert f"wrote {page}" in result.stderr
    tree = parsed(page.read_text("utf-8"))
    bound = document("novikoff margin --example cornwell")["mistake_bound"]
    assert tree.by_id("bar")["max"] == str(int(bound[1])) == "55"
    assert tree.by_id("bar")["value"] == str(document("novikoff trace --example cornwell")["updates"])
    assert tree.one("h1").text == "A perceptron run on cornwell"


def test_a_trace_page_names_the_columns_of_the_data(tmp_path: Path) -> None:
    data, page = str(table(tmp_path / "rows.csv", 9.0)), tmp_path / "run.html"
    for more, names in (([], ["height", "weight"]), (["--scale"], ["height (scaled)", "weight (scaled)"])):
        result = run("trace", data, "--label", "member", "--drop", "colour", *more, "--html", str(page))
        assert result.exit_code == 0
        tree = parsed(page.read_text("utf-8"))
        for figure in ("start", "plane"):
            texts = [node.text for node in tree.by_id(figure).all("text")]
            assert [text for text in texts if text[0] in "hwx"] == names
        ending = tree.all("pre")[0].text
        assert f"·{names[0]} " in ending
        assert ending in result.stdout


def test_a_trace_page_of_xor_has_the_proof(tmp_path: Path) -> None:
    assert run("trace", "--example", "xor", "--html", str(tmp_path / "x.html"), "--json").exit_code == 0
    lead = parsed((tmp_path / "x.html").read_text("utf-8")).all("pre")[0].text
    assert lead in run("trace", "--example", "xor").stdout


# ---- margin --holdout ----------------------------------------------------------------------------------------------


def test_margin_tests_the_widest_plane_on_held_out_rows(tmp_path: Path) -> None:
    """Its numbers are those of MaxMargin, fitted in Python on the other rows, whichever class is positive."""
    data = table(tmp_path / "rows.csv", 9.0)
    train, test = nv.open_data(data, label="member", drop=["colour"]).prepare().split(holdout=0.2)
    clf = nv.MaxMargin().fit(train)
    wrong = clf.predict(test) != np.asarray(test.labels)
    command = f"novikoff margin {data} --label member --drop colour --holdout 0.2"
    for more in ("", " --positive no"):
        found = document(command + more)
        assert (found["n"], found["train_errors"], found["test"]["n"]) == (48, 0, 12)
        assert found["test"]["errors"] == int(wrong.sum())
        assert np.trace(found["test"]["confusion"]) == 12 - int(wrong.sum())
        assert list(clf.margin_) == found["geometric"]["gamma"]
        assert found["geometric"]["touching"] == [r for r in found["geometric"]["touching"] if r % 5 != 4]
    assert "held out are classified correctly: accuracy" in run(*shlex.split(command)[1:]).stdout
    refused = run(*shlex.split(command)[1:], "-o", str(tmp_path / "p.json"))
    assert refused.exit_code == 2
    assert "a proof is about all rows of a file" in refused.stderr
    assert not (tmp_path / "p.json").exists()


# ---- what a page says, and where it goes ---------------------------------------------------------------------------


def wide_table(path: Path, d: int, classes: int = 2, n: int = 60) -> Path:
    """A CSV of d numbers and a label with this many classes, each pair separable."""
    rng = np.random.default_rng(8)
    y = np.arange(n) % classes
    X = np.round(rng.normal(size=(n, d)), 2)
    X[:, 0] += 20 * (y == 1)
    X[:, 1] += 20 * (y == 2)
    rows = [f"{','.join(map(repr, row))},c{k}" for row, k in zip(X.tolist(), y.tolist(), strict=True)]
    path.write_text("\n".join([",".join([*(f"f{j}" for j in range(d)), "y"]), *rows]) + "\n")
    return path


def test_three_classes_have_no_sentence_on_one_plane_and_no_command_that_fails(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert run("report", str(wide_table(tmp_path / "three.csv", 2, 3)), "-o", str(page)).exit_code == 0
    tree = parsed(page.read_text("utf-8"))
    assert "no accident" not in tree.by_id("capacity").text
    assert "The count is of labellings with two classes." in tree.by_id("capacity").text
    assert commands(tree, "margin") == []


def test_a_dash_writes_the_page_to_stdout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("report", "--example", "cornwell", "-o", "-")
    assert result.exit_code == 0
    assert result.stdout.startswith("<!doctype html>")
    assert result.stdout.endswith("</html>\n")
    assert list(tmp_path.iterdir()) == []
    both = run("report", "--example", "cornwell", "-o", "-", "--json")
    assert both.exit_code == 2
    assert "only one answer can go to stdout" in both.output
