"""The benchmarks' machinery on toy sizes: ratios, bars, tables, documents. Nothing here says how fast anything is."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from benchmarks import (
    __main__ as command,
    capacity,
    data,
    decide,
    epoch,
    file_to_model,
    files,
    harness,
    highs,
    margin,
    multiclass,
    parse,
    pocket,
    predict,
    report,
    startup,
    verify,
    yardsticks,
)
from benchmarks.harness import Rounds, Row, Size

from novikoff.data.problem import problem_of

pytestmark = pytest.mark.compiled  # speed is nothing to ask the interpreter for
TOY = Size(dense=(40, 60), text=(40, 200), repeats=2, digits=(120, 70), topics=(150, 200))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Toy data are kept apart, and the test process is not pinned to a core."""
    monkeypatch.setenv(data.FOLDER, str(tmp_path / "data"))
    monkeypatch.setattr(command, "one_thread", lambda: None)
    monkeypatch.setattr(command, "QUICK", TOY)
    monkeypatch.setattr(command, "FULL", TOY)
    return tmp_path


# ---- ratios and bars -----------------------------------------------------------------------------------------------


def test_a_ratio_is_the_median_of_the_ratios_of_single_rounds() -> None:
    rounds = Rounds([{"a": 1.0, "b": 1.0}, {"a": 4.0, "b": 2.0}, {"a": 30.0, "b": 10.0}])
    assert rounds.ratio("a", "b") == 2.0  # of 1, 2, 3
    assert rounds.typical("a") == 4.0
    row = rounds.time("what", "a", "b", bar=2.0)
    assert (row.ours, row.peer, row.theirs, row.ratio, row.holds) == (4.0, "b", 2.0, 2.0, True)


def test_a_speed_is_the_peer_s_time_over_ours() -> None:
    rounds = Rounds([{"ours": 1.0, "peer": 4.0}])
    assert rounds.speed("what", "ours", "peer").ratio == 4.0
    assert rounds.time("what", "ours", "peer").ratio == 0.25


@pytest.mark.parametrize(
    ("row", "words", "holds"),
    [
        (Row("w", 1.0, "ms", "p", 4.0, 4.0, "the speed", 4.0), "≥ 4×", True),
        (Row("w", 1.0, "ms", "p", 4.0, 3.9, "the speed", 4.0), "≥ 4×", False),
        (Row("w", 1.0, "ms", "p", 1.0, 1.15, "the time", 1.15), "≤ 1.15×", True),
        (Row("w", 1.0, "ms", "p", 1.0, 1.16, "the time", 1.15), "≤ 1.15×", False),
        (Row("w", 8.5, "s", bar=8.0), "≤ 8 s", False),
        (Row("w", 0.0, "", bar=0.0), "≤ 0", True),
        (Row("w", 1.0, "ms", "p", 1.0, 9.0, "the time"), "", None),
    ],
)
def test_a_speed_must_reach_its_bar_and_all_else_stay_within(row: Row, words: str, holds: bool | None) -> None:
    assert (row.bar_in_words, row.holds) == (words, holds)


def test_jobs_take_turns_and_the_first_round_is_not_counted() -> None:
    calls: list[str] = []

    def job(name: str) -> dict[str, float]:
        calls.append(name)
        return {name: float(len(calls))}

    rounds = harness.interleave([partial(job, "a"), partial(job, "b")], 2)
    assert calls == ["a", "b"] * 3
    assert rounds.rounds == [{"a": 3.0, "b": 4.0}, {"a": 5.0, "b": 6.0}]


def test_a_figure_is_read_in_its_unit() -> None:
    assert [harness.figure(0.0123, "ms"), harness.figure(1.234, "s"), harness.figure(3.0, "")] == [
        "12.3 ms",
        "1.23 s",
        "3",
    ]
    assert harness.figure(None, "ms") == ""


def test_one_thread_on_one_core() -> None:
    code = "import os; from benchmarks.harness import one_thread; one_thread(); print(os.environ['OMP_NUM_THREADS'])"
    code += "; print(len(os.sched_getaffinity(0)) if hasattr(os, 'sched_getaffinity') else 1)"
    root = Path(harness.__file__).parents[1]
    run = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["1", "1"]


# ---- data and yardsticks -------------------------------------------------------------------------------------------


def test_data_are_made_once_and_kept_in_the_given_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = data.text(*TOY.text)
    assert len(list((folder / "data").iterdir())) == 1
    monkeypatch.setattr(data, "_zipf_rows", None)  # a second making would fail
    again, labels = data.text(*TOY.text)
    assert (again != X).nnz == 0
    np.testing.assert_array_equal(y, labels)


def test_text_rows_have_unit_norm_and_rising_columns() -> None:
    X, y = data.text(*TOY.text)
    np.testing.assert_allclose(np.sqrt(X.multiply(X).sum(axis=1)), 1.0, rtol=1e-5)
    assert X.has_canonical_format
    assert set(y) == {-1, 1}


def test_the_plain_pass_and_ours_make_the_same_mistakes_in_every_storage() -> None:
    for name, X, y in epoch.storages(TOY):
        problem = problem_of(X, y)[0]
        run = yardsticks.passes(problem, "last", 3)
        seconds, mistakes = yardsticks.plain(problem, 3)
        assert mistakes[: run.result.passes] == run.result.history["mistakes"], name
        assert len(run.looks) == len(run.loop) == run.result.passes
        assert all(0 <= looks <= loop for looks, loop in zip(run.looks, run.loop, strict=True))
        assert len(seconds) == 3


def test_the_yardsticks_compute_what_they_say() -> None:
    X, y = data.text(*TOY.text)
    rows = problem_of(X, y)[0].rows
    assert yardsticks.total(np.arange(10)) == 45
    w = np.arange(X.shape[1], dtype=float)
    assert yardsticks.sparse_product(rows, w) == pytest.approx((X @ w).sum(), rel=1e-5)


def test_the_candidates_of_a_pocket_are_counted_pass_by_pass() -> None:
    X, y = data.dense(*TOY.dense)
    counted = pocket.candidates(problem_of(X, y)[0])
    assert 1 <= len(counted) <= pocket.PASSES
    assert all(isinstance(count, int) and count >= 0 for count in counted)


# ---- the questions -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("question", [epoch, pocket])
def test_every_row_names_a_peer_and_has_both_figures(question: Any) -> None:
    rows = list(question.ask(TOY))
    assert {row.what.split(":")[0] for row in rows} == set(epoch.FASTER)
    assert all(row.peer and row.ours > 0 and row.theirs and row.ratio and row.word for row in rows)


def test_the_margin_is_measured_against_solvers_without_a_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("clarabel")
    monkeypatch.setattr(margin, "SETS", ((4, 60),))
    rows = list(margin.ask(TOY))
    assert {row.peer for row in rows} == {"clarabel", "LIBSVM", "LIBLINEAR"}
    assert {row.bar for row in rows if row.peer == "clarabel"} == {margin.FASTER}
    assert all(row.ours > 0 and row.theirs and row.ratio and "by " in row.note for row in rows)


def test_decide_is_measured_against_the_best_formulation_of_highs() -> None:
    rows = list(decide.ask(TOY))
    peers = [row for row in rows if row.peer.startswith("HiGHS")]
    assert len(peers) == 16
    assert all(row.ours > 0 and row.theirs > 0 and row.word == "the speed" for row in peers)
    assert all(name in row.note for row in peers for name in highs.FORMULATIONS)
    assert sum(row.bar is not None for row in rows) == 18
    assert len([row for row in rows if row.what.startswith("growth exponent")]) == 4


def test_the_capacity_experiment_is_measured_against_highs_and_by_processes() -> None:
    against, two = list(capacity.ask(TOY))
    assert against.peer.startswith("HiGHS")
    assert all(f"{name} " in against.note for name in highs.FORMULATIONS)
    assert (against.bar, two.bar, two.peer) == (capacity.FASTER, capacity.TWO, "one process")
    assert all(row.ours > 0 and row.theirs and row.word == "the speed" for row in (against, two))


@pytest.mark.parametrize("formulation", highs.FORMULATIONS)
def test_every_formulation_of_highs_knows_or_from_xor(formulation: str) -> None:
    square = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    assert highs.separable(square, np.array([-1, 1, 1, 1]), formulation) is True
    assert highs.separable(square, np.array([-1, 1, 1, -1]), formulation) is False
    assert highs.separable(np.array([[1.0], [2.0]]), np.array([-1, 1]), formulation, bias=False) is False


def test_the_peer_is_the_fastest_that_is_right(monkeypatch: pytest.MonkeyPatch) -> None:
    def said(X: Any, y: Any, formulation: str) -> bool | None:
        sum(range(10**6 if formulation in ("slack", "gordan") else 10**5 if formulation == "feasible" else 1))
        return None if formulation == "konis" else True

    monkeypatch.setattr(highs, "separable", said)
    peer, note = decide.best_formulation([((None, None), True)], 3)
    assert peer == "feasible"
    assert note.count("not always right") == 1


def test_a_check_of_a_proof_is_measured_against_one_product() -> None:
    rows = list(verify.ask(TOY))
    assert [row.peer for row in rows] == ["X @ w"] * 12 + ["slow=True"]
    assert sum(row.bar is not None for row in rows) == 3


def test_the_fit_is_measured_against_scikit_learn() -> None:
    judged = [row for row in epoch.ask(TOY) if row.peer == "scikit-learn Perceptron"]
    one_pass = [row.bar for row in judged if "one pass" in row.what]
    five = [row.bar for row in judged if "5 passes" in row.what]
    assert (one_pass, five, judged[-1].bar) == ([4.0, 3.0, 1.7, 1.7], [None, None, 1.8, 1.8], epoch.UPDATES)


def test_many_classes_are_measured_against_one_plane_and_scikit_learn() -> None:
    rows = list(multiclass.ask(TOY))
    assert all(row.peer and row.ours > 0 and row.theirs and row.ratio and row.word for row in rows)
    assert sorted(row.bar for row in rows if row.bar is not None) == [1.3, 1.8, 2.0, 2.0, 3.0, 3.0, 4.0, 4.0, 12.0]
    assert "45 planes" in rows[2].what


def test_the_passes_of_many_classes_are_timed_one_by_one() -> None:
    X, y = data.digits(*TOY.digits)
    assert X.dtype == np.float32
    assert set(y) == set(range(10))
    for scheme in multiclass.SCHEMES:
        run = multiclass.several(problem_of(X, y, many=True)[0], scheme)
        assert len(run.looks) == len(run.loop) == run.result.passes
        assert all(0 <= looks <= loop for looks, loop in zip(run.looks, run.loop, strict=True))


def test_imports_and_the_command_line_are_timed_in_fresh_processes(folder: Path) -> None:
    fresh = startup.Fresh(folder, "cache")
    rows = [*startup.imports(fresh, 1), *startup.command_line(fresh, 1)]
    assert [row.what.split(",")[0] for row in rows[:2]] == ["import novikoff", "novikoff --help"]
    assert all(row.ours == 0 and row.holds for row in rows[2:]), "the lecture examples never import numba"


# ---- files ---------------------------------------------------------------------------------------------------------


def test_files_are_read_by_all_and_ours_has_the_bars() -> None:
    rows = list(parse.ask(TOY))
    assert [row.bar for row in rows[:4]] == [15.0, 15.0, None, None]
    assert sorted(row.peer for row in rows[4:7]) == sorted(parse.TABLES)
    assert [row.bar for row in rows[4:7]].count(1.0) == 1
    assert all(row.ratio and row.ratio > 0 for row in rows)


def test_the_peer_s_file_has_the_same_points(folder: Path) -> None:
    ours, theirs = files.svmlight(*TOY.text).read_text(), files.vowpal(*TOY.text).read_text()
    assert ours == theirs.replace(" | ", " ")
    assert files.head(files.svmlight(*TOY.text), 3).read_text().splitlines() == ours.splitlines()[:3]
    assert {path.parent for path in (files.ones(5), files.csv(5))} == {folder / "data"}


def test_commands_of_both_run_on_ten_rows() -> None:
    text, theirs = files.head(files.svmlight(*TOY.text), 10), files.head(files.vowpal(*TOY.text), 10)
    small = [sys.executable, "-c", "pass"]
    figures = harness.command("vw", file_to_model.vw(theirs), small)()
    figures = {**figures, **harness.command("ours", file_to_model.fit(text), small)()}
    assert sorted(figures) == sorted(f"{who}, {kind}" for who in ("ours", "vw") for kind in harness.KINDS)
    model = data.folder() / "model.nvk"
    assert model.exists()
    assert (data.folder() / "model.vw").exists()
    harness.command("ours", predict.predict(model, text), small)()
    assert len((data.folder() / "ours.txt").read_text().splitlines()) == 10


def test_a_command_that_fails_is_told() -> None:
    with pytest.raises(RuntimeError, match="no such file"):
        harness.command("x", [sys.executable, "-c", "raise SystemExit('no such file')"], ["true"])()


def test_net_is_the_whole_less_the_start_up() -> None:
    seconds = {"a, wall": 3.0, "a, CPU": 2.0, "a, wall of a hundredth": 2.0, "a, CPU of a hundredth": 2.0}
    rounds = Rounds([{**seconds, **{name.replace("a,", "b,"): 4 * value for name, value in seconds.items()}}])
    wall, cpu, whole, total = harness.compared(rounds, "what", "a", "b", 3.0, 5.0)
    assert (wall.ours, wall.theirs, wall.ratio, wall.holds) == (1.0, 4.0, 4.0, True)
    assert (cpu.ratio, cpu.holds) == (None, None), "nothing is left to divide by"
    assert (whole.ours, whole.theirs, whole.peer, whole.bar, whole.holds) == (3.0, 12.0, "b", 5.0, False)
    assert total.bar is None
    lost, *_ = harness.compared(Rounds([rounds.rounds[0] | {"a, wall": 2.0}]), "what", "a", "b", 3.0)
    assert (lost.ratio, lost.holds, lost.bar_in_words) == (None, False, "≥ 3×"), "what is not seen does not hold"


# ---- the command ---------------------------------------------------------------------------------------------------


def test_json_is_one_document_with_the_same_rows(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["epoch", "pocket", "--quick", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["schema"] == "novikoff/benchmarks/1"
    assert document["quick"] is True
    assert document["setting"]["numpy"] == np.__version__
    assert list(document["rows"]) == ["epoch", "pocket"]
    row = document["rows"]["epoch"][0]
    assert {"what", "ours", "peer", "theirs", "ratio", "bar", "holds"} <= set(row)
    assert row["holds"] is (row["ratio"] >= row["bar"])


def test_the_table_shows_every_row_and_says_that_a_quick_run_is_no_result(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["pocket", "--quick"]) == 0
    out = capsys.readouterr().out
    assert out.count("keep=pocket, pass 1") == len(epoch.FASTER)
    assert "A quick run is not a result." in out


@pytest.mark.parametrize("arguments", [["--write", "--quick"], ["speed"]])
def test_what_is_no_result_or_no_question_is_refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        command.main(arguments)
    assert stop.value.code == 2
    assert "error" in capsys.readouterr().err


def test_write_makes_the_file_of_results_without_naming_the_machine(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "QUESTIONS", {"epoch": "…", "pocket": "…"})
    monkeypatch.setattr(report, "RESULTS", folder / "results.md")
    monkeypatch.setattr(platform, "node", lambda: "name-of-the-machine")
    monkeypatch.setenv("HOME", "/somebodys-home")
    command.main(["--write"])
    text = (folder / "results.md").read_text(encoding="utf-8")
    assert "python -m benchmarks --write" in text
    assert f"numpy {np.__version__}" in text
    assert text.count("\n## ") == 2
    assert "the plain pass without exactness is itself at" in text
    assert text.count(f"CPU: {harness.cpu()}.") == 2
    assert "name-of-the-machine" not in text
    assert "/somebodys-home" not in text
    assert os.sep + "tmp" not in text
    held = text.count(" | yes |")
    assert f"{held} of {held + text.count(' | NO |')} bars hold." in text
    kept = text.split("\n## ")[1]
    command.main(["pocket", "--write"])
    assert (folder / "results.md").read_text(encoding="utf-8").split("\n## ")[1] == kept


def test_the_kept_results_answer_every_question() -> None:
    text = report.RESULTS.read_text(encoding="utf-8")
    assert all(f"\n## {question}\n" in text for question in command.QUESTIONS)
