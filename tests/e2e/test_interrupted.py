"""Ctrl-C in Python: the weights so far are stored on the estimator, then KeyboardInterrupt is raised."""

from __future__ import annotations

import signal
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from sklearn.model_selection import cross_val_score

import novikoff as nv
from data.small_sets import labels_in_turn
from novikoff.perceptron.run import Run

pytestmark = [
    pytest.mark.usefixtures("keyboard"),
    pytest.mark.filterwarnings("ignore::novikoff.estimators.perceptron_estimator.NotSeparatedWarning"),
]


def pressed_in_pass(number: int, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """One press of Ctrl-C in the first pass of that number; the passes that began."""
    begun: list[int] = []
    begin = Run.begin_pass

    def begin_pass(run: Any) -> None:
        begin(run)
        begun.append(run.passes)
        if run.passes == number and begun.count(number) == 1:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(Run, "begin_pass", begin_pass)
    return begun


@pytest.mark.parametrize(("classes", "keep"), [*product((2, 3), ("last", "pocket", "average")), (2, "vote")])
def test_ctrl_c_during_fit_stores_the_weights_and_raises(
    classes: int, keep: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    X, y = labels_in_turn(60, 3, classes, seed=classes)
    clf = nv.Perceptron(keep=keep, max_iter=50)
    with monkeypatch.context() as patch:
        pressed_in_pass(3, patch)
        with pytest.raises(KeyboardInterrupt):
            clf.fit(X, y)
    assert (clf.stop_reason_, clf.n_iter_) == ("interrupted", 3)
    assert clf.predict(X).shape == (60,)
    whole = nv.Perceptron(keep=keep, max_iter=3).fit(X, y)
    assert clf.coef_.tobytes() == whole.coef_.tobytes()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_cross_val_score_ends_at_the_first_press(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = labels_in_turn(60, 3, 2, seed=2)
    begun = pressed_in_pass(2, monkeypatch)
    with pytest.raises(KeyboardInterrupt):
        cross_val_score(nv.Perceptron(max_iter=5, order="shuffle", random_state=0), X, y, cv=5)
    assert begun == [1, 2]


def test_a_press_in_the_pass_that_separates_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = nv.example("and")
    passes = nv.Perceptron(order="cyclic").fit(X, y).n_iter_
    clf = nv.Perceptron(order="cyclic")
    pressed_in_pass(passes, monkeypatch)
    with pytest.raises(KeyboardInterrupt):
        clf.fit(X, y)
    assert clf.stop_reason_ in ("separated", "interrupted")
    assert clf.score(X, y) == 1.0


def test_a_press_with_a_checkpoint_can_be_gone_on_from(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = labels_in_turn(60, 3, 2, seed=2)
    with monkeypatch.context() as patch:
        pressed_in_pass(3, patch)
        with pytest.raises(KeyboardInterrupt):
            nv.Perceptron(max_iter=20).fit(X, y, checkpoint=tmp_path / "c")
    after = nv.Perceptron(max_iter=20).fit(X, y, checkpoint=tmp_path / "c", resume=True)
    assert after.coef_.tobytes() == nv.Perceptron(max_iter=20).fit(X, y).coef_.tobytes()


def test_ctrl_c_during_partial_fit_stores_the_chunk_and_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = labels_in_turn(60, 3, 2, seed=2)
    take, clf, presses = Run.take, nv.Perceptron(), [1]

    def pressed(run: Run, judge: Any) -> None:
        if presses:
            presses.pop()
            signal.raise_signal(signal.SIGINT)
        take(run, judge)

    with monkeypatch.context() as patch:
        patch.setattr(Run, "take", pressed)
        with pytest.raises(KeyboardInterrupt):
            clf.partial_fit(X, y, classes=[0, 1])
    assert (clf.stop_reason_, clf.n_looks_) == ("interrupted", 60)
    assert clf.partial_fit(X, y).stop_reason_ == "stream_ended"


SWALLOWING = """
import sys
sys.path.insert(0, {folder!r})
import novikoff.__main__ as command
import novikoff.cli, time

def main():
    try:
        import presses  # as packages do
    except:
        pass
    print("went on", flush=True)
    end = time.monotonic() + 60
    while time.monotonic() < end:
        time.sleep(0.01)
    return 0

novikoff.cli.main = main
sys.exit(command.run())
"""


def test_ctrl_c_that_an_import_swallowed_is_heard_after_it(tmp_path: Path) -> None:
    """Some packages try an import, and go on whatever is raised in it."""
    (tmp_path / "presses.py").write_text("import signal\nsignal.raise_signal(signal.SIGINT)\n")
    ran = subprocess.run(
        [sys.executable, "-c", SWALLOWING.format(folder=str(tmp_path))], capture_output=True, text=True, timeout=50,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler), check=False,
    )  # fmt: skip
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "went on\n", "novikoff: interrupted\n")
