"""Ctrl-C: what was found so far is stored, reported and saved; exit code 130, and never a traceback."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.model_selection import cross_val_score

import novikoff as nv
from commands import novikoff
from examples import STRESS

pytestmark = [
    pytest.mark.skipif(os.name != "posix", reason="signals of another kind"),
    pytest.mark.filterwarnings("ignore::novikoff.NotSeparatedWarning"),
]
DELAYS = (0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002)  # seconds: one of them is shorter than the work


def noise(classes: int, n: int = 60, d: int = 3) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(classes)
    return rng.integers(-9, 10, (n, d)).astype(float), np.arange(n) % classes


@contextmanager
def pressing(delay: float) -> Iterator[None]:
    """One press of Ctrl-C after so many seconds."""
    before = signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))
    signal.setitimer(signal.ITIMER_REAL, delay)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def pressed(work: Callable[[], Any]) -> None:
    """Press Ctrl-C during the work, earlier each time, until it comes before the end; KeyboardInterrupt is raised."""
    for delay in DELAYS:
        try:
            with pressing(delay):
                work()
        except KeyboardInterrupt:
            return
    pytest.fail("the work is too short to be interrupted")


# ---- Python --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("classes", "keep"), [*product((2, 3), ("last", "pocket", "average")), (2, "vote")])
def test_fit_stores_the_weights_of_the_passes_that_were_made(classes: int, keep: str) -> None:
    X, y = noise(classes)
    X += 1 / (3.0 + np.arange(60.0)[:, None])  # a run over integers could end in a cycle
    clf = nv.Perceptron(keep=keep, max_iter=10**9, train_patience=None)
    for _ in range(5):
        pressed(lambda: clf.fit(X, y))
        assert clf.stop_reason_ == "interrupted"
        whole = nv.Perceptron(keep=keep, max_iter=clf.n_iter_, train_patience=None).fit(X, y)
        if clf.n_looks_ == whole.n_looks_:
            break  # else it came within a pass, where weights were compared with earlier ones: rare
    assert clf.coef_.tobytes() == whole.coef_.tobytes()
    assert clf.predict(X).tolist() == whole.predict(X).tolist()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_cross_val_score_ends_at_the_first_press() -> None:
    X, y = noise(2)
    clf = nv.Perceptron(max_iter=10**9, train_patience=None, keep="last")
    with pytest.raises(KeyboardInterrupt), pressing(0.3):
        cross_val_score(clf, X, y, cv=5)


@pytest.mark.parametrize(
    ("loss", "penalty", "bias"),
    [("hinge", "l2", "padded"), ("hinge", "l2", "free"), ("squared_hinge", "l2", "padded"), ("logistic", "l1", "free")],
)
@pytest.mark.parametrize("classes", [2, 3])
def test_a_soft_margin_stores_the_weights_so_far_with_their_gap(
    classes: int, loss: str, penalty: str, bias: str
) -> None:
    X, y = noise(classes, 8000, 12)
    how: dict[str, Any] = {"loss": loss, "penalty": penalty, "bias": bias, "C": 100.0, "multi_class": "ova"}
    best = nv.SoftMargin(**how).fit(X, y)
    clf = nv.SoftMargin(**how)
    pressed(lambda: clf.fit(X, y))
    if not hasattr(clf, "coef_"):  # pressed before the first weights
        return
    assert clf.stop_reason_ in ("interrupted", "gap")
    above = np.atleast_1d(clf.objective_) - np.atleast_1d(best.objective_)
    assert (above <= np.atleast_1d(clf.gap_) + 1e-14 * np.atleast_1d(best.objective_)).all()  # both are rounded down
    assert (above >= -1e-9 * np.atleast_1d(best.objective_)).all()
    assert clf.predict(X).shape == y.shape


# ---- the command ---------------------------------------------------------------------------------------------------


def started(*args: object) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "novikoff", *map(str, args)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command, **pipes, bufsize=0)  # type: ignore[call-overload, no-any-return]


def first_words(process: subprocess.Popen[bytes], *parts: str) -> str:
    """What is said until a line has one of these words: the progress of the work."""
    said = ""
    assert process.stderr is not None
    while not any(part in said for part in parts):
        line = process.stderr.readline().decode()
        assert line, said
        said += line
    return said


def test_fit_reports_saves_and_exits_with_130(tmp_path: Path) -> None:
    model = tmp_path / "m.nvk"
    long = ("--keep", "pocket", "--stall-train", "off", "--max-passes", 10**9)
    with started("fit", "--example", "iris", "--classes", "versicolor,virginica", *long, "-o", model) as process:
        first_words(process, "pass ")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert out.decode().startswith("INTERRUPTED  ")
    assert " passes; interrupted; returned: the pocket weights\n" in out.decode()
    assert b"Traceback" not in err
    clf = nv.load(model)
    assert clf.stop_reason_ == "interrupted"
    assert f"{clf.n_iter_:,} passes" in out.decode()


def test_a_stream_keeps_what_was_learned(tmp_path: Path) -> None:
    """Rows are written until the command tells that it works; its model is that of the rows it counts."""
    rows = [b"%d 1:%d 2:%d 3:%d\n" % (1 if k % 3 else -1, k % 7, k % 5 - 2, k % 3) for k in range(105)]
    stream = ("fit", "-", "--format", "svm", "--max-passes", 1)
    over = threading.Event()
    with started(*stream, "-o", tmp_path / "m.nvk") as process:

        def write() -> None:
            assert process.stdin is not None
            try:
                while not over.is_set():
                    process.stdin.write(b"".join(rows))
                    time.sleep(0.001)
            except OSError:
                pass  # the command has ended

        thread = threading.Thread(target=write)
        thread.start()
        first_words(process, " rows")
        process.send_signal(signal.SIGINT)
        assert process.stdout is not None
        out = process.stdout.read().decode()
        over.set()
        thread.join()
        assert process.wait(60) == 130
    assert "INTERRUPTED  each row was predicted and then learned, once" in out
    n = int(
        next(line for line in out.splitlines() if " rows" in line).partition(" rows")[0].split()[-1].replace(",", "")
    )
    again = b"".join(rows * (n // len(rows) + 1)).splitlines(keepends=True)[:n]
    words = [sys.executable, "-m", "novikoff", *map(str, stream), "-o", str(tmp_path / "whole.nvk")]
    assert subprocess.run(words, input=b"".join(again), capture_output=True).returncode == 0
    assert nv.load(tmp_path / "m.nvk").coef_.tobytes() == nv.load(tmp_path / "whole.nvk").coef_.tobytes()


def test_a_press_before_two_classes_were_seen_leaves_no_model(tmp_path: Path) -> None:
    with started("fit", "-", "--format", "svm", "--max-passes", 1, "-o", tmp_path / "m.nvk") as process:
        assert process.stdin is not None
        process.stdin.write(b"1 1:3\n1 1:4\n")
        time.sleep(3)  # whenever it comes, the end is the same
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, b"")
    assert b"novikoff: interrupted" in err
    assert list(tmp_path.iterdir()) == []


def test_a_cross_validation_tells_the_folds_that_were_tested() -> None:
    command = ("cv", "--example", "iris", "--soft", "hinge", "--gap", "1e-9", "--folds", 20)
    whole = novikoff(*command)
    for delay in DELAYS:
        with pressing(delay):
            told = novikoff(*command)
        if told.code == 130:
            break
    assert (told.code, told.out) == (130, "")
    lines = [line for line in told.err.splitlines() if line.strip()]
    assert lines[0] == "novikoff: interrupted"
    assert lines[1:] == whole.out.splitlines()[1 : len(lines)]


LISTENING = """
import sys
from novikoff.__main__ import Keyboard, run
listen = Keyboard.listen
Keyboard.listen = lambda keyboard: (listen(keyboard), print("listening", flush=True))
sys.exit(run())
"""  # what is written to stdout once Ctrl-C is heard: what comes before is the start of Python itself


def test_a_press_while_modules_are_imported_ends_with_130_and_no_traceback(tmp_path: Path) -> None:
    (tmp_path / "new.csv").write_text("a,b,label\n1,2,x\n3,4,y\n5,1,x\n")
    words = ["fit", str(tmp_path / "new.csv"), "--max-passes", "3", "--quiet", "-o", str(tmp_path / "m.nvk")]
    begin = time.perf_counter()
    assert subprocess.run([sys.executable, "-c", LISTENING, *words], capture_output=True).returncode == 0
    span, chance, early = time.perf_counter() - begin, random.Random(0), 0
    for _ in range(200 if STRESS else 10):
        with subprocess.Popen(
            [sys.executable, "-c", LISTENING, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "listening\n"
            time.sleep(chance.uniform(0.0, span))
            process.send_signal(signal.SIGINT)
            out, err = process.communicate()
        assert process.returncode in (0, 130), err
        assert not any(word in err for word in ("Traceback", "Error", "ignored"))
        if process.returncode == 130 and not out:
            early += 1
            assert err.strip() == "novikoff: interrupted"
        assert not list(tmp_path.glob(".*.part"))
    assert early
