"""`--order batch` on the command line: fit, trace, checkpoints, files larger than memory, and what is refused."""

from __future__ import annotations

import json
import subprocess
import sys
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import novikoff as nv
from commands import answer, novikoff
from data.small_sets import noisy_teacher


def table(path: Path, n: int = 60) -> tuple[np.ndarray, np.ndarray, str]:
    """Noisy points in a CSV file."""
    X, y = noisy_teacher(n)
    X = np.rint(8 * X) / 8
    path.write_text(
        "a,b,c,label\n" + "".join(f"{','.join(map(str, x))},{k}\n" for x, k in zip(X.tolist(), y, strict=True))
    )
    return X, y, str(path)


def test_fit_says_its_mistakes_and_the_plane_before_the_mean(tmp_path: Path) -> None:
    info = answer("fit", "--example", "and", "--order", "batch", "-o", tmp_path / "m.nvk")
    assert (info["stop_reason"], info["passes"], info["updates"], info["mistakes"], info["looks"]) == (
        "separated", 10, 9, 15, 40
    )  # fmt: skip
    assert (info["w"], info["b"]) == ([0.5, 0.5], -0.75)
    assert info["unscaled"] == {"w": [2.0, 2.0], "b": -3.0}
    told = novikoff("fit", "--example", "and", "--order", "batch")
    assert told.out.startswith("SEPARATED  all 4 training points right (checked exactly)\n")
    assert "\nrun    9 updates in 10 passes; returned: the last weights\n" in told.out
    model = nv.load(tmp_path / "m.nvk")
    assert (model.order, model.coef_.tolist()) == ("batch", [[0.5, 0.5]])
    inspected = answer("explain", tmp_path / "m.nvk")
    assert (inspected["updates"], inspected["passes"]) == (9, 10)


def test_trace_shows_each_update_with_its_points(tmp_path: Path) -> None:
    told = novikoff("trace", "--example", "cornwell", "--order", "batch", "--csv", tmp_path / "t.csv")
    assert told.out.splitlines()[:4] == [
        "  k  pass  mistakes  points      Σ y·x         η/n  w after         errors after",
        "  1     1         4  1, 2, 3, 4  (5, −3/2, 0)  1/4  (5/4, −3/8, 0)             1",
        "  2     2         1  4           (0, 3/2, 1)   1/4  (5/4, 0, 1/4)              0",
        "SEPARATED  2 updates · 12 looks · order batch · 5/4·x1 + 1/4 = 0",
    ]
    assert (tmp_path / "t.csv").read_text().splitlines()[1:] == [
        "1,1,4,1 2 3 4,5,-3/2,0,1/4,5/4,-3/8,0,1,4",
        "2,2,1,4,0,3/2,1,1/4,5/4,0,1/4,0,8",
    ]
    steps = answer("trace", "--example", "cornwell", "--order", "batch")["steps"]
    assert [step["rows"] for step in steps] == [[0, 1, 2, 3], [3]]
    assert [Fraction(v) for v in steps[1]["w"]] == [Fraction(5, 4), 0, Fraction(1, 4)]
    assert "NOT SEPARABLE  1 update" in novikoff("trace", "--example", "xor", "--order", "batch").out
    assert r"$\sum y\,x$" in novikoff("trace", "--example", "or", "--order", "batch", "--latex", "-").out


def shared(info: dict[str, Any]) -> dict[str, Any]:
    """What two runs on the same points have in common."""
    return {name: value for name, value in info.items() if name not in ("seconds", "model", "data")}


@pytest.mark.parametrize("keep", ["auto", "last", "pocket", "average"])
def test_a_file_that_stays_on_disk_gives_the_same_run(keep: str, tmp_path: Path) -> None:
    *_, path = table(tmp_path / "t.csv")
    args = ("fit", path, "--order", "batch", "--keep", keep, "--max-passes", 12, "--seed", 1)
    assert shared(answer(*args)) == shared(answer(*args, "--memory", 1))


def test_a_run_that_a_limit_ends_is_resumed_bit_for_bit(tmp_path: Path) -> None:
    *_, path = table(tmp_path / "t.csv")
    args = ("fit", path, "--order", "batch", "--max-passes", 40, "--stall-train", "off")
    whole = answer(*args)
    folder = tmp_path / "state"
    answer(*args, "--checkpoint", folder, "--max-seconds", "1e-9")
    assert shared(answer(*args, "--checkpoint", folder, "--resume")) == shared(whole)


def test_the_bound_of_a_known_margin_is_n_times_that_of_an_update_each() -> None:
    low = nv.margin(*nv.example("cornwell")).padded.gamma[0]
    told = novikoff("fit", "--example", "cornwell", "--order", "batch", "--known-margin", repr(float(low)))
    info = json.loads(novikoff("fit", "--example", "cornwell", "--order", "batch", "--known-margin", "5", "--json").out)
    bound = Context(prec=6, rounding=ROUND_CEILING).divide(4 * 11, Decimal(float(low)) ** 2)
    assert f"bound  5 mistakes; at most n·(R/γ)² = {bound} for this margin" in told.out
    assert info["mistake_bound"] == pytest.approx(4 * 11 / 25)
    wide = novikoff("fit", "--example", "cornwell", "--order", "batch", "--known-margin", "5")
    assert "bound  5 mistakes; at most n·(R/γ)² = 1.76001 for this margin: so no plane has this margin" in wide.out


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--example", "iris"], "--order: 'batch' is for two classes, found 3"),
        (["--example", "or", "--rule", "margin"], "--rule: 'margin' with --order batch"),
        (["--example", "or", "--keep", "vote"], "--keep: 'vote' with --order batch"),
        (["--example", "or", "--class-weight", "balanced", "--known-margin", "1"], "--known-margin"),
    ],
)
def test_what_is_not_supported_is_refused(args: list[str], said: str, tmp_path: Path) -> None:
    done = novikoff("fit", *args, "--order", "batch", "-o", tmp_path / "m.nvk")
    assert (done.code, done.out) == (3, "")
    assert said in done.err
    assert not (tmp_path / "m.nvk").exists()


def test_a_stream_is_refused(tmp_path: Path) -> None:
    *_, path = table(tmp_path / "t.csv")
    command = [sys.executable, "-m", "novikoff", "fit", "-", "--format", "csv", "--max-passes", "1", "--order", "batch"]
    done = subprocess.run(command, input=Path(path).read_text(), capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert "--order batch: a stream comes in its own order; leave it out" in done.stderr
    assert novikoff("theory", "bits", "--example", "or", "--order", "batch").code == 2
