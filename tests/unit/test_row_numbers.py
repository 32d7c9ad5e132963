"""Row numbers and names are those of the user's file or frame, whatever was left out (--missing)."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import novikoff as nv
from commands import answer, novikoff
from data.limits import limits

POINTS = [(0, "a"), (1, "a"), (1.5, "a"), (0.5, "b"), (2, "b"), (3, "b")]  # row 0.5 is in the way
ROWS = 9  # of the file; the points above are at these places
PLACES = [1, 2, 4, 5, 7, 8]


def table(folder: Path, spoilt: str, name: str = "t.csv") -> Path:
    """A CSV file of nine rows, three of them spoilt: a missing number, or a line that cannot be read."""
    lines = [spoilt] * ROWS
    for place, (x, label) in zip(PLACES, POINTS, strict=True):
        lines[place] = f"{x},{label}"
    (folder / name).write_text("x,label\n" + "\n".join(lines) + "\n")
    return folder / name


def column_of(path: Path) -> list[str]:
    """What the file has in its first column, by row from 0."""
    with path.open() as file:
        return [row[0] for row in csv.reader(file)][1:]


def parquet(folder: Path) -> Path:
    """The same as Parquet, in row groups of two."""
    x: list[float | None] = [None] * ROWS
    label = ["a"] * ROWS
    for place, point in zip(PLACES, POINTS, strict=True):
        x[place], label[place] = point
    pd.DataFrame({"x": x, "label": label}).to_parquet(folder / "t.parquet", row_group_size=2)
    return folder / "t.parquet"


DROP = ("--missing", "drop")
KINDS: dict[str, tuple[Callable[[Path], Path], tuple[str, str]]] = {
    "csv, missing": (lambda folder: table(folder, ",a"), DROP),
    "parquet, missing": (parquet, DROP),
}


@pytest.fixture(params=KINDS)
def file(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, tuple[str, str]]:
    make, option = KINDS[request.param]
    return make(tmp_path), option


def test_certify_names_rows_of_the_file(file: tuple[Path, tuple[str, str]]) -> None:
    """The proof's rows, re-derived from the file: 1 and 1.5 of class a around 0.5 … of class b."""
    path, option = file
    info = answer("certify", path, *option, "--removal", code=1)
    assert set(info["support"]) <= set(PLACES)
    assert info["removal"]["rows"] == [PLACES[3]]  # the point 0.5
    for side, label in (("negative", "a"), ("positive", "b")):
        rows = info["obstruction"][side]["rows"]
        assert rows
        assert {dict(zip(PLACES, (lb for _, lb in POINTS), strict=True))[i] for i in rows} == {label}
    words = novikoff("certify", path, *option, "--removal").out
    assert f"remove 1 row ({PLACES[3] + 1})" in words
    assert {int(p) for p in re.findall(r"p(\d+)", words)} == {i + 1 for i in info["support"]}


def test_separation_names_rows_of_the_file(file: tuple[Path, tuple[str, str]]) -> None:
    path, option = file
    info = answer("separation", path, *option, code=0)
    assert set(info["held"]) <= set(PLACES)
    assert info["rows"] == []


def test_a_fit_proves_with_rows_of_the_file(file: tuple[Path, tuple[str, str]]) -> None:
    path, option = file
    info = answer("fit", path, *option)
    x = dict(zip(PLACES, POINTS, strict=True))
    support, weights = info["proof"]["support"], [int(k) for k in info["proof"]["weights"]]
    signs = [1 if x[i][1] == "b" else -1 for i in support]
    assert sum(k * s * x[i][0] for i, k, s in zip(support, weights, signs, strict=True)) == 0
    assert sum(k * s for k, s in zip(weights, signs, strict=True)) == 0
    assert {int(p) for p in re.findall(r"p(\d+)", novikoff("fit", path, *option).out)} == {i + 1 for i in support}


def test_rows_that_stay_in_the_file_are_numbered_as_in_memory(tmp_path: Path) -> None:
    path = table(tmp_path, ",a")
    for verb, code in (("certify", 1), ("fit", 0)):
        inside, outside = (answer(verb, path, *DROP, *more, code=code) for more in ((), ("--memory", "1")))
        named = (lambda d: d["support"]) if verb == "certify" else (lambda d: d["proof"]["support"])
        assert set(named(outside)) <= set(PLACES)
        assert named(inside) == named(outside)


def test_margin_and_trace_name_rows_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "m.csv").write_text("x,label\n,a\n0,a\n,b\n2,b\n3,b\n")
    info = answer("margin", tmp_path / "m.csv", *DROP)
    assert info["geometric"]["touching"] == [1, 3]
    assert "2 points: 2, 4" in novikoff("margin", tmp_path / "m.csv", *DROP).out
    steps = answer("trace", tmp_path / "m.csv", *DROP)["steps"]
    assert {step["row"] for step in steps} <= {1, 3, 4}
    assert steps[0]["row"] == 1
    assert novikoff("trace", tmp_path / "m.csv", *DROP).out.splitlines()[1].split()[2] == "2"


def test_read_keeps_the_numbers_of_the_file(tmp_path: Path) -> None:
    points = nv.read(table(tmp_path, ",a"), missing="drop")
    assert points.row_numbers.tolist() == PLACES
    verdict = nv.decide(points)
    column = column_of(tmp_path / "t.csv")
    assert [float(column[i]) for i in verdict.support] == points.X[list(verdict.indices), 0].tolist()
    assert [verdict.place(i) for i in verdict.support] == [i + 1 for i in verdict.support]
    assert {int(p) for p in re.findall(r"p(\d+)", verdict.explain())} == {verdict.place(i) for i in verdict.support}
    far = nv.read(table(tmp_path, ",a"), missing="drop", memory=1)
    assert far.row_numbers.tolist() == PLACES
    assert nv.decide(far).support == verdict.support


def test_every_call_numbers_rows_as_the_file_does(tmp_path: Path) -> None:
    """One rule: what Python gives back has the file's numbers from 0, `indices` are places among the points."""
    points = nv.read(table(tmp_path, ",a"), missing="drop")
    column = column_of(tmp_path / "t.csv")
    verdict = nv.decide(points)
    zero = [0.0, 0.0]
    for i, k in zip(verdict.support, verdict.weights, strict=True):
        assert i in PLACES
        sign = 1 if POINTS[PLACES.index(i)][1] == "b" else -1
        zero = [zero[0] + k * sign * float(column[i]), zero[1] + k * sign]
    assert zero == [0, 0]
    assert set(verdict.obstruction.rows) == set(verdict.support)
    assert set(verdict.held) <= set(PLACES)
    assert points.row_numbers[list(verdict.indices)].tolist() == list(verdict.support)
    assert nv.decide_pairs(points)["a", "b"].support == verdict.support
    found = nv.removal(points)
    assert found.rows == (PLACES[3],)
    assert found.rest is not None
    assert found.rest.separated.tolist() == [i for i in PLACES if i != PLACES[3]]
    steps = nv.trace(points).steps
    assert steps
    assert all(float(step.x[0]) == float(column[step.row]) for step in steps)
    assert all(PLACES[step.index] == step.row for step in steps)
    assert set(nv.separation(points).held) <= set(PLACES)
    (tmp_path / "m.csv").write_text("x,label\n,a\n0,a\n,b\n2,b\n3,b\n")
    wide = nv.margin(points := nv.read(tmp_path / "m.csv", missing="drop"))
    assert (wide.geometric.touching.tolist(), wide.geometric.indices.tolist()) == ([1, 3], [0, 1])
    assert wide.padded.touching.tolist() == [1, 3]
    assert nv.decide(points).separated.tolist() == [1, 3, 4]
    assert nv.MaxMargin().fit(points).support_.tolist() == [0, 1]  # scikit-learn's: X[support_]


def test_the_verdict_of_a_fit_on_read_points_has_the_numbers_of_the_file(tmp_path: Path) -> None:
    """Rows 5 and 9 of the file are one point with both labels; rows 1, 3 and 4 are left out."""
    (tmp_path / "t.csv").write_text("-3,,10\n3,3,10\n-3,,2\n0,,10\n-2,3,10\n3,3,10\n0,0,10\n-1,-1,2\n-2,3,2\n")
    points = nv.read(tmp_path / "t.csv", label=2, header=False, missing="drop")
    with pytest.warns(nv.NotSeparatedWarning):
        verdict = nv.Perceptron(order="cyclic", max_iter=150).fit(points).verdict_
    assert (verdict.support, verdict.weights, verdict.indices) == ((4, 8), (1, 1), (1, 5))
    assert [verdict.place(row) for row in verdict.support] == [5, 9]


def test_a_pair_of_classes_has_the_numbers_of_the_whole_table() -> None:
    X, y = [[0.0], [5], [1], [7], [2], [9]], ["a", "c", "b", "c", "a", "c"]
    found = nv.decide_pairs(X, y)
    assert found["a", "b"].support == (0, 2, 4)
    assert found["a", "b"].indices == (0, 1, 2)


def test_a_separation_of_read_points_names_rows_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_text("x,label\n,0\n-2,0\n0,0\n,1\n0,1\n2,1\n")
    report = nv.separation(nv.read(tmp_path / "s.csv", missing="drop"))
    assert report.rows.tolist() == [1, 5]
    assert "numbered from 1: 2, 6" in str(report)
    assert answer("separation", tmp_path / "s.csv", *DROP, code=1)["rows"] == [1, 5]


def test_messages_name_rows_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("x,label\n,1\n1,2\n3,-4\n")
    info = novikoff("separation", tmp_path / "p.csv", "--family", "poisson", *DROP)
    assert info.code == 3
    assert "in row 3" in info.err
    (tmp_path / "big.csv").write_text("x,label\n,a\n1,a\n1e200,b\n")
    for how in (("certify",), ("fit",), ("certify", "--normalize"), ("fit", "--normalize")):
        assert "row 3" in novikoff(how[0], tmp_path / "big.csv", *DROP, *how[1:]).err
    (tmp_path / "m.csv").write_text("x,label\n,a\n0,a\n2,b\n")
    novikoff("fit", tmp_path / "m.csv", *DROP, "-o", tmp_path / "m.nvk")
    (tmp_path / "e.csv").write_text("x,label\n,a\n0,a\n2,c\n")
    assert "in row 3" in novikoff("evaluate", tmp_path / "m.nvk", tmp_path / "e.csv").err


def test_explain_takes_the_row_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "m.csv").write_text("x,label\n,a\n0,a\n2,b\n5,b\n")
    novikoff("fit", tmp_path / "m.csv", *DROP, "-o", tmp_path / "m.nvk")
    info = answer("explain", tmp_path / "m.nvk", tmp_path / "m.csv", "--row", 4)
    assert info["parts"][0]["value"] == 5
    assert novikoff("explain", tmp_path / "m.nvk", tmp_path / "m.csv", "--row", 1).code == 3


def test_a_certificate_of_a_file_with_gaps_is_verified(tmp_path: Path) -> None:
    path = table(tmp_path, ",a")
    novikoff("certify", path, *DROP, "-o", tmp_path / "c.json")
    assert novikoff("verify", tmp_path / "c.json", path).code == 0


def test_all_classes_with_gaps_are_a_whole_file_and_a_prefix_is_not(tmp_path: Path) -> None:
    path = table(tmp_path, ",a")
    assert novikoff("certify", path, *DROP, "--classes", "a,b", "-o", tmp_path / "c.json").code == 1
    (tmp_path / "three.csv").write_text("x,label\n0,a\n1,b\n2,c\n")
    info = novikoff("certify", tmp_path / "three.csv", "--classes", "a,b", "-o", tmp_path / "d.json")
    assert info.code == 3
    assert not (tmp_path / "d.json").exists()


def test_several_files_are_numbered_on(tmp_path: Path) -> None:
    (tmp_path / "p1.csv").write_text("x,label\n,a\n0,a\n,a\n")
    (tmp_path / "p2.csv").write_text("x,label\n1,a\n,a\n2,b\n")
    assert nv.read(tmp_path / "p*.csv", missing="drop").row_numbers.tolist() == [1, 3, 5]


def test_rows_of_a_frame_go_by_their_names() -> None:
    """Proofs, reports, traces and messages name rows as the index does; an index that only counts is none."""
    frame = pd.DataFrame({"x": [0, 1, 1.5, 0.5, 2, 3]}, index=list("pqrstu"))
    y = [label for _, label in POINTS]
    verdict = nv.decide(frame, y)
    names = [str(verdict.place(i)) for i in verdict.support]
    assert names == [f"[{'pqrstu'[i]}]" for i in verdict.support]
    assert all(f"p{name}" in verdict.explain() for name in names)
    left = frame.drop(index="q").drop(index="s")
    assert nv.separation(left[["x"]], [0, 0, 1, 1]).row_names == ("[p]", "[r]", "[t]", "[u]")
    with pytest.raises(nv.InputError, match=r"row \[t\]"):
        nv.decide(frame.assign(x=[0, 1, 1.5, 0.5, np.inf, 3]), y)
    assert nv.decide(frame.reset_index(drop=True), y).place(0) == 1


@pytest.mark.parametrize("memory", ["1G", "1"])
@pytest.mark.parametrize("seed", range(5))
def test_numbers_are_those_of_the_rows_that_were_kept(seed: int, memory: str, tmp_path: Path) -> None:
    """Against a list of all rows, in files and chunks of any size, in memory and in temporary files."""
    rng = np.random.default_rng(seed)
    kept = rng.random(60) < 0.6
    lines = [f"{k},{'a' if k % 3 else 'b'}\n" if kept[k] else f",{'a' if k % 3 else 'b'}\n" for k in range(60)]
    cuts = [0, *sorted(rng.integers(0, 61, 3).tolist()), 60]
    for part, (lo, hi) in enumerate(pairwise(cuts)):
        (tmp_path / f"p{part}.csv").write_text("x,label\n" + "".join(lines[lo:hi]))
    with limits(text=int(rng.integers(10, 100))):
        points = nv.read(tmp_path / "p*.csv", missing="drop", memory=memory)
    assert points.row_numbers.tolist() == np.flatnonzero(kept).tolist()
    assert points.X.ravel().tolist() == np.flatnonzero(kept).tolist()
    assert points.dropped == 60 - int(kept.sum())


@pytest.mark.parametrize("verb", ["certify", "fit", "trace"])
def test_a_bad_cell_of_a_transposed_table_is_told_by_its_place_there(tmp_path: Path, verb: str) -> None:
    table = ",x1,x2,x3,x4\nsize,1,2,foo,4\nweight,0,1,1,1\nclass,+,-,+,-\n"
    (tmp_path / "z.csv").write_text(table)
    line, column = next(
        (i, j) for i, row in enumerate(csv.reader(table.splitlines()), 1) for j, x in enumerate(row, 1) if x == "foo"
    )
    info = novikoff(verb, tmp_path / "z.csv", "--transpose").err
    assert f"{tmp_path / 'z.csv'}, line {line}, column {column}" in info
    assert "transposed" not in info


def test_the_first_bad_row_is_the_first(tmp_path: Path) -> None:
    """A wide line is found before a word; the word's line comes first in the file."""
    (tmp_path / "b.csv").write_text("x,label\nword,a\n0,a\n1,2,3\n1,b\n")
    assert "line 2" in novikoff("certify", tmp_path / "b.csv").err
