"""Row numbers and names are those of the user's file or frame, whatever was left out (--missing)."""

from __future__ import annotations

import pickle
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import novikoff as nv
from commands import answer, novikoff
from data.limits import limits

# nine rows of which three have no number; the points at the others, of which 0.5 is in the way
CELLS = [None, 0, 1, None, 1.5, 0.5, None, 2, 3]
LABELS = list("aaaaabbbb")
PLACES = [k for k, x in enumerate(CELLS) if x is not None]
WIDE = "x,label\n,a\n0,a\n,b\n2,b\n3,b\n"  # separable
DROP = ("--missing", "drop")


@pytest.fixture(params=["csv", "parquet"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The rows as a file; Parquet in row groups of two."""
    frame = pd.DataFrame({"x": CELLS, "label": LABELS})
    if request.param == "csv":
        frame.to_csv(tmp_path / "t.csv", index=False)
    else:
        frame.to_parquet(tmp_path / "t.parquet", row_group_size=2)
    return tmp_path / f"t.{request.param}"


def proves(rows: Any, weights: Any) -> bool:
    """Whether these rows of the file, with these weights, prove that no plane separates the classes."""
    signs = [1 if LABELS[i] == "b" else -1 for i in rows]
    sums = [sum(k * s * v for i, k, s in zip(rows, weights, signs, strict=True) for v in [CELLS[i] if x else 1])
            for x in (True, False)]  # fmt: skip
    return sums == [0, 0] and min(weights) > 0


def named_in(text: str) -> set[int]:
    """The rows that a proof in words names, from 0."""
    return {int(p) - 1 for p in re.findall(r"p(\d+)", text)}


def test_commands_name_rows_of_the_file(path: Path) -> None:
    info = answer("certify", path, *DROP, "--removal", code=1)
    assert proves(info["support"], [int(k) for k in info["weights"]])
    assert info["removal"]["rows"] == [PLACES[3]]
    for side, label in (("negative", "a"), ("positive", "b")):
        assert {LABELS[i] for i in info["obstruction"][side]["rows"]} == {label}
    words = novikoff("certify", path, *DROP, "--removal").out
    assert f"remove 1 row ({PLACES[3] + 1})" in words
    assert named_in(words) == set(info["support"])
    assert set(answer("separation", path, *DROP)["held"]) <= set(PLACES)
    proof = answer("fit", path, *DROP)["proof"]
    assert proves(proof["support"], [int(k) for k in proof["weights"]])
    assert named_in(novikoff("fit", path, *DROP).out) == set(proof["support"])
    if path.suffix == ".csv":
        assert answer("certify", path, *DROP, "--memory", "1", code=1)["support"] == info["support"]
        assert answer("fit", path, *DROP, "--memory", "1")["proof"] == proof
        assert novikoff("certify", path, *DROP, "--classes", "a,b", "-o", path.with_name("c.json")).code == 1
        assert novikoff("verify", path.with_name("c.json"), path).code == 0


def test_margins_traces_and_explanations_name_rows_of_the_file(tmp_path: Path) -> None:
    path, model = tmp_path / "m.csv", tmp_path / "m.nvk"
    path.write_text(WIDE)
    assert answer("margin", path, *DROP)["geometric"]["touching"] == [1, 3]
    assert "2 points: 2, 4" in novikoff("margin", path, *DROP).out
    steps = answer("trace", path, *DROP)["steps"]
    assert {step["row"] for step in steps} <= {1, 3, 4}
    assert steps[0]["row"] == 1
    assert novikoff("trace", path, *DROP).out.splitlines()[1].split()[2] == "2"
    novikoff("fit", path, *DROP, "-o", model)
    assert answer("explain", model, path, "--row", 5)["parts"][0]["value"] == 3
    assert novikoff("explain", model, path, "--row", 1).code == 3


def test_messages_name_rows_of_the_file(tmp_path: Path) -> None:
    novikoff("fit", at(tmp_path, "m.csv", WIDE), *DROP, "-o", tmp_path / "m.nvk")
    large = at(tmp_path, "big.csv", "x,label\n,a\n1,a\n1e200,b\n")
    wrong = at(tmp_path, "e.csv", "x,label\n,a\n0,a\n2,c\n")
    counts = at(tmp_path, "p.csv", "x,label\n,1\n1,2\n3,-4\n")
    for command in [
        ("separation", counts, "--family", "poisson", *DROP),
        *((verb, large, *DROP, *more) for verb in ("certify", "fit") for more in ((), ("--normalize",))),
        ("evaluate", tmp_path / "m.nvk", wrong),
    ]:
        assert "row 3" in novikoff(*command).err
    two = at(tmp_path, "b.csv", "x,label\nword,a\n0,a\n1,2,3\n1,b\n")  # a wide line is found before a word
    assert "line 2" in novikoff("certify", two).err
    turned = at(tmp_path, "z.csv", ",x1,x2,x3,x4\nsize,1,2,foo,4\nweight,0,1,1,1\nclass,+,-,+,-\n")
    for verb in ("certify", "fit", "trace"):
        said = novikoff(verb, turned, "--transpose").err
        assert f"{turned}, line 2, column 4" in said
        assert "transposed" not in said


def at(folder: Path, name: str, text: str) -> Path:
    (folder / name).write_text(text)
    return folder / name


def test_every_call_numbers_rows_as_the_file_does(path: Path) -> None:
    """One rule: what Python gives back has the file's numbers from 0, `indices` are places among the points."""
    points = nv.read(path, missing="drop")
    assert points.row_numbers.tolist() == PLACES
    verdict = nv.decide(points)
    assert proves(verdict.support, verdict.weights)
    assert set(verdict.obstruction.rows) == set(verdict.support)
    assert set(verdict.held) <= set(PLACES)
    assert points.row_numbers[list(verdict.indices)].tolist() == list(verdict.support)
    assert [verdict.place(i) for i in verdict.support] == [i + 1 for i in verdict.support]
    assert named_in(verdict.explain()) == set(verdict.support)
    assert nv.decide_pairs(points)["a", "b"].support == verdict.support
    found = nv.removal(points)
    assert found.rows == (PLACES[3],)
    assert found.rest is not None
    assert found.rest.separated.tolist() == [i for i in PLACES if i != PLACES[3]]
    steps = nv.trace(points).steps
    assert steps
    assert all(float(step.x[0]) == CELLS[step.row] and PLACES[step.index] == step.row for step in steps)
    assert set(nv.separation(points).held) <= set(PLACES)
    with pytest.warns(nv.NotSeparatedWarning):
        proof = nv.Perceptron(order="cyclic", max_iter=150).fit(points).verdict_
    assert proves(proof.support, proof.weights)
    assert points.row_numbers[list(proof.indices)].tolist() == list(proof.support)
    separable = nv.read(at(path.parent, "m.csv", WIDE), missing="drop")
    wide = nv.margin(separable)
    assert (wide.geometric.touching.tolist(), wide.geometric.indices.tolist()) == ([1, 3], [0, 1])
    assert wide.padded.touching.tolist() == [1, 3]
    assert nv.decide(separable).separated.tolist() == [1, 3, 4]
    assert nv.MaxMargin().fit(separable).support_.tolist() == [0, 1]  # scikit-learn's: X[support_]


def test_reports_and_pairs_of_classes_name_rows_of_the_whole_table(tmp_path: Path) -> None:
    path = at(tmp_path, "s.csv", "x,label\n,0\n-2,0\n0,0\n,1\n0,1\n2,1\n")
    report = nv.separation(nv.read(path, missing="drop"))
    assert report.rows.tolist() == [1, 5] == answer("separation", path, *DROP, code=1)["rows"]
    assert "numbered from 1: 2, 6" in str(report)
    found = nv.decide_pairs([[0.0], [5], [1], [7], [2], [9]], ["a", "c", "b", "c", "a", "c"])
    assert (found["a", "b"].support, found["a", "b"].indices) == ((0, 2, 4), (0, 1, 2))
    three = at(tmp_path, "three.csv", "x,label\n0,a\n1,b\n2,c\n")
    assert novikoff("certify", three, "--classes", "a,b", "-o", tmp_path / "d.json").code == 3
    assert not (tmp_path / "d.json").exists()


def test_rows_of_a_frame_go_by_their_names() -> None:
    """Proofs, reports, traces and messages name rows as the index does; an index that only counts is none."""
    frame = pd.DataFrame({"x": [0, 1, 1.5, 0.5, 2, 3]}, index=list("pqrstu"))
    y = [LABELS[i] for i in PLACES]
    verdict = nv.decide(frame, y)
    names = [str(verdict.place(i)) for i in verdict.support]
    assert names == [f"[{'pqrstu'[i]}]" for i in verdict.support]
    assert all(f"p{name}" in verdict.explain() for name in names)
    copied = pickle.loads(pickle.dumps(verdict))  # other processes know only numbers
    assert [copied.place(i) for i in copied.support] == [i + 1 for i in verdict.support]
    left = frame.drop(index="q").drop(index="s")
    assert nv.separation(left[["x"]], [0, 0, 1, 1]).row_names == ("[p]", "[r]", "[t]", "[u]")
    with pytest.raises(nv.InputError, match=r"row \[t\]"):
        nv.decide(frame.assign(x=[0, 1, 1.5, 0.5, np.inf, 3]), y)
    assert nv.decide(frame.reset_index(drop=True), y).place(0) == 1


@pytest.mark.parametrize("memory", ["1G", "1"])
def test_numbers_are_those_of_the_rows_that_were_kept(memory: str, tmp_path: Path) -> None:
    """Against a list of all rows, in files and chunks of any size, in memory and in temporary files."""
    for seed in range(5):
        rng = np.random.default_rng(seed)
        kept = rng.random(60) < 0.6
        lines = [f"{k if kept[k] else ''},{'a' if k % 3 else 'b'}\n" for k in range(60)]
        cuts = [0, *sorted(rng.integers(0, 61, 3).tolist()), 60]
        for part, (lo, hi) in enumerate(pairwise(cuts)):
            at(tmp_path, f"p{part}.csv", "x,label\n" + "".join(lines[lo:hi]))
        with limits(text=int(rng.integers(10, 100))):
            points = nv.read(tmp_path / "p*.csv", missing="drop", memory=memory)
        assert points.row_numbers.tolist() == points.X.ravel().tolist() == np.flatnonzero(kept).tolist()
        assert points.dropped == 60 - int(kept.sum())
