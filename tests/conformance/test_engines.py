"""One seam: every engine gives what the whole gives, to the bit, from memory and from files of every kind."""

from __future__ import annotations

import pickle
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone

import novikoff as nv
from damage.killed import FORMS, overlapping
from data.files import spilled
from novikoff.data.problem import Problem, problem_of
from novikoff.engines.partitions import partitions_of
from novikoff.io import text_blocks
from novikoff.scoring.scorer import Scorer

# ---- what is asked of every partition: pure functions of its points


class Errors:
    """How many points each plane (w, b) has on the wrong side or on itself: whole numbers, which add up exactly."""

    def __init__(self, planes: np.ndarray) -> None:
        self.planes = planes

    def __call__(self, part: Problem) -> np.ndarray:
        judge = Scorer(part)
        judge.survey()
        return judge.errors(self.planes)


class Winners:
    """The class with the highest score of each point, exactly, under one plane (w, b) for each class."""

    def __init__(self, planes: np.ndarray) -> None:
        self.planes = planes

    def __call__(self, part: Problem) -> np.ndarray:
        judge = Scorer(part)
        judge.survey()
        return judge.classes(self.planes)


class Scores:
    """⟨w, x⟩ + b of each point, with the exact sign."""

    def __init__(self, plane: np.ndarray) -> None:
        self.plane = plane

    def __call__(self, part: Problem) -> np.ndarray:
        return Scorer(part, filtered=False).scores(self.plane[:-1], float(self.plane[-1]))


def rows_in_file(folder: Path, form: str, n: int = 700) -> Problem:
    return problem_of(*spilled(overlapping(folder, form, n)))[0]


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_blocks, "BLOCK", 7000)


def whole(problem: Problem, planes: np.ndarray) -> tuple[Any, ...]:
    judge = Scorer(problem)
    judge.survey()
    scores = Scorer(problem, filtered=False).scores(planes[0, :-1], float(planes[0, -1]))
    return judge.errors(planes).tolist(), judge.classes(planes).tolist(), np.sign(scores).tolist()


def in_parts(problem: Problem, planes: np.ndarray, engine: str, numbers: int) -> tuple[Any, ...]:
    def mapped(op: Callable[[Problem], np.ndarray]) -> list[np.ndarray]:
        return list(nv.engine(engine, 3).map(op, problem, partitions_of(problem, numbers)))

    scores = np.concatenate(mapped(Scores(planes[0])))
    winners = np.concatenate(mapped(Winners(planes)))
    return np.sum(mapped(Errors(planes)), axis=0).tolist(), winners.tolist(), np.sign(scores).tolist()


@pytest.mark.parametrize("form", [*FORMS, "dense", "csr"])
@pytest.mark.parametrize("engine", ["serial", "threads"])
def test_parts_make_the_whole(form: str, engine: str, tmp_path: Path) -> None:
    problem = rows_in_file(tmp_path, form if form in FORMS else "svm")
    if form in ("dense", "csr"):
        X = problem.part(slice(0, problem.n)).matrix().toarray()
        problem = problem_of(X if form == "dense" else sp.csr_array(X), problem.y)[0]
    planes = np.random.default_rng(0).normal(size=(3, problem.d + 1))
    wanted = whole(problem, planes)
    for numbers in (1, 1000, 10**9):
        table = partitions_of(problem, numbers)
        assert [p.first for p in table[1:]] == [p.end for p in table[:-1]]
        assert (table[0].first, table[-1].end, len({p.number for p in table})) == (0, problem.n, len(table))
        assert (len(table) > 1) == (numbers < 10**9)
        if engine == "serial" or numbers > 1 or form in FORMS:
            assert in_parts(problem, planes, engine, numbers) == wanted


def test_results_come_in_order_and_few_partitions_are_under_way(tmp_path: Path) -> None:
    X, y = np.arange(400.0).reshape(200, 2), np.arange(200) % 2
    problem, under_way, most, lock = problem_of(X, y)[0], [0], [0], threading.Lock()

    def op(part: Problem) -> int:
        with lock:
            under_way[0] += 1
            most[0] = max(most[0], under_way[0])
        first = int(part.origin[0])  # type: ignore[index]
        threading.Event().wait(0.002 * ((first // 10) % 3))
        with lock:
            under_way[0] -= 1
        return first

    assert list(nv.engine("threads", 4).map(op, problem, partitions_of(problem, 20))) == list(range(0, 200, 10))
    assert most[0] <= 4


def test_a_bad_row_is_named_by_every_engine(tmp_path: Path) -> None:
    X, y = np.ones((300, 2)), np.arange(300) % 2
    X[[217, 290], 1] = np.nan, np.inf
    problem = problem_of(X, y)[0]
    for engine in ("serial", "threads"):
        with pytest.raises(nv.InputError, match=r"NaN: row 218 \(217 counted from 0\), column 2"):
            list(nv.engine(engine).map(Errors(np.ones((1, 3))), problem, partitions_of(problem, 20)))


def test_engines_by_name() -> None:
    for kind in ("serial", "threads"):
        one = nv.engine(kind, workers=2)
        assert clone(one) is one
        assert repr(one) == repr(pickle.loads(pickle.dumps(one))) == f"engine({kind!r}, workers=2)"
    for kind in ("gpu", None, 3):
        with pytest.raises(nv.InputError, match=rf"engine: found {kind!r}; one of serial, threads, dask"):
            nv.engine(kind)  # type: ignore[arg-type]
    for workers in (0, -1, 1.5, True, "2"):
        with pytest.raises(nv.InputError, match="workers: found"):
            nv.engine("threads", workers)  # type: ignore[arg-type]
