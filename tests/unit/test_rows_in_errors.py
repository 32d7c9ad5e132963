"""An error in Python names the number of a row from 1, and from 0 as results have it; one about a file, from 1."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

import novikoff as nv
from commands import novikoff

BAD: Any = [[0.0, 1.0], [1.0, 0.0], [2.0, np.nan]]
Y = [0, 1, 1]
CALLS: dict[str, Callable[[], Any]] = {
    "decide": lambda: nv.decide(BAD, Y),
    "margin": lambda: nv.margin(np.array(BAD), Y),
    "fit": lambda: nv.Perceptron().fit(np.array(BAD), Y),
    "sparse": lambda: nv.decide(sp.csr_array(BAD), Y),
    "frame": lambda: nv.decide(pd.DataFrame(BAD), Y),
    "trace": lambda: nv.trace(BAD, Y),
    "weights": lambda: nv.SoftMargin().fit([[0.0], [1.0], [2.0]], Y, sample_weight=[1, 1, -1]),
    "separation": lambda: nv.separation([[0.0], [1.0], [2.0]], [1, 2, -1], family="poisson"),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_row_of_an_array_has_both_numbers(call: Callable[[], Any]) -> None:
    with pytest.raises(nv.InputError, match=r"\brow 3 \(2 counted from 0\)"):
        call()


def test_a_named_row_has_its_name() -> None:
    with pytest.raises(nv.InputError, match=r"row \[c\],"):
        nv.decide(pd.DataFrame(BAD, index=["a", "b", "c"]), Y)


@pytest.mark.parametrize(
    "command", ["fit huge.csv", "fit gap.csv", "trace gap.csv", "separation count.csv --family poisson"]
)
def test_a_row_of_a_file_has_its_number_there(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("huge.csv").write_text("a,label\n1,0\n2,1\n1e200,1\n")
    Path("gap.csv").write_text("a,label\n1,0\n2,1\ninf,1\n")
    Path("count.csv").write_text("a,label\n1,0\n2,1\n3,-1\n")
    said = novikoff(*command.split())
    assert said.code == 3
    assert "counted from 0" not in said.err
    assert any(place in said.err for place in ("row 3", "line 4"))


def test_a_row_that_was_read_has_the_numbers_of_the_file_as_results_have(tmp_path: Path) -> None:
    (tmp_path / "gap.csv").write_text("a,label\n,0\n1,0\n2,1\n1e200,1\n")
    points = nv.read(tmp_path / "gap.csv", missing="drop")
    with pytest.raises(nv.InputError, match=r"row 4 \(3 counted from 0\)"):
        nv.Perceptron().fit(points)
