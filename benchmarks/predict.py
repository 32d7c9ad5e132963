"""How fast are the rows of a file told apart?

    ours       novikoff predict model.nvk big.svm -o out.txt
    peer       a script: scikit-learn's load_svmlight_file, predict of a fitted Perceptron, a label a line

Whole processes on all cores, the page cache warm. Net: less the same command on the first hundredth of the rows.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks import data, files
from benchmarks.file_to_model import NOVIKOFF, PLAIN
from benchmarks.harness import Row, Size, command, compared, interleave

BAR = 5.0
REPEATS = 3
OURS, SKLEARN = "novikoff predict", "scikit-learn script"
SCRIPT = """
import pickle, sys
from sklearn.datasets import load_svmlight_file
model, path, out = sys.argv[1:]
with open(model, "rb") as file:
    learner = pickle.load(file)
X, _ = load_svmlight_file(path, n_features=learner.n_features_in_)
with open(out, "w") as file:
    file.writelines(f"{label}\\n" for label in learner.predict(X).tolist())
"""


def ask(size: Size) -> Iterator[Row]:
    """The rows of this question."""
    text = files.svmlight(size.file, size.text[1])
    few, (ours, theirs) = max(1, size.file // 100), models(size, text)
    jobs = [
        command(OURS, predict(ours, text), predict(ours, files.head(text, few))),
        command(SKLEARN, script(theirs, text), script(theirs, files.head(text, few))),
    ]
    what = f"{size.file:,} rows, {text.stat().st_size / 1e6:.0f} MB of text"
    yield from compared(interleave(jobs, min(size.repeats, REPEATS)), what, OURS, SKLEARN, BAR)


def models(size: Size, text: Path) -> tuple[Path, Path]:
    """A model of each, of one pass over the rows."""
    import pickle
    import subprocess

    from sklearn.linear_model import Perceptron

    ours, theirs = data.folder() / "predict.nvk", data.folder() / "predict.pickle"
    subprocess.run([*NOVIKOFF, "fit", str(text), *PLAIN, "-o", str(ours)], check=True, capture_output=True)
    X, y = data.text(size.file, size.text[1])
    theirs.write_bytes(pickle.dumps(Perceptron(max_iter=1, tol=None).fit(X.astype(float), y)))
    return ours, theirs


def predict(model: Path, path: Path) -> list[str]:
    """Our command."""
    return [*NOVIKOFF, "predict", str(model), str(path), "--quiet", "-o", str(data.folder() / "ours.txt")]


def script(model: Path, path: Path) -> list[str]:
    """The peer's."""
    return [sys.executable, "-c", SCRIPT, str(model), str(path), str(data.folder() / "theirs.txt")]
