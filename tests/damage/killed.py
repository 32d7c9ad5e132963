"""Runs over files that are killed at random instants, again and again, until they have ended; a program of its own.

    python damage/killed.py SEED KILLS FILE …     prints {FILE: {"kills", "by_verb", "resumed", "digests"}}

`digests` are pairs: of the run that was never killed, and of the one that was. `by_verb` are kills of `novikoff fit`.
Every attempt is a forked process that goes on from the checkpoint; SIGKILL ends it between two instructions.
"""

from __future__ import annotations

import contextlib
import io
import itertools
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).resolve().parents[1])]
    sys.path[:] = [place for place in sys.path if Path(place or ".").resolve() != Path(__file__).resolve().parent]

import numpy as np

import novikoff as nv
from data.files import spilled, written
from novikoff import cli
from novikoff.io import text_blocks
from novikoff.model import FORMAT
from novikoff.perceptron import checkpoint, run_state
from novikoff.records.container import load_file

FORMS = ("svm", "svm.gz", "svm.zst", "parquet")
KEEPS, ORDERS = ("pocket", "average", "auto", "last"), ("cyclic", "shuffle")


def digest(path: Path, how: dict[str, Any], folder: Path | None) -> str:
    """The SHA-256 of the model of a run over a file: by the estimator, or by the command `fit`.

    The command has the points in memory where it may be killed never, and in temporary files where it may.
    """
    warnings.simplefilter("ignore")
    if how["verb"]:
        return _by_the_command(path, how, folder)
    how = {name: value for name, value in how.items() if name != "verb"}
    clf = nv.Perceptron(**how).fit(*spilled(path), checkpoint=folder, resume=folder is not None)
    with tempfile.TemporaryDirectory() as place:
        return nv.save(clf, Path(place) / "model.nvk")


def _by_the_command(path: Path, how: dict[str, Any], folder: Path | None) -> str:
    with tempfile.TemporaryDirectory() as place:
        args = ["fit", str(path), "--quiet", "--scale", "-o", f"{place}/model.nvk", "--keep", how["keep"]]
        args += ["--order", how["order"], "--max-passes", str(how["max_iter"]), "--seed", str(how["random_state"])]
        args += [] if folder is None else ["--memory", "1K", "--checkpoint", str(folder), "--resume"]
        with contextlib.redirect_stdout(io.StringIO()):
            assert cli.main(args) == 0
        return load_file(f"{place}/model.nvk", FORMAT).sha256


def attempt(path: Path, how: dict[str, Any], folder: Path | None, seconds: float) -> str | None:
    """The digest, from a process of its own; None if it was killed after so many seconds."""
    answer, question = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.write(question, digest(path, how, folder).encode())
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    os.close(question)
    end = time.monotonic() + seconds
    while (done := os.waitpid(child, os.WNOHANG))[0] == 0 and time.monotonic() < end:
        time.sleep(0.002)
    if done[0] == 0:
        os.kill(child, signal.SIGKILL)
        done = os.waitpid(child, 0)
    with os.fdopen(answer) as pipe:
        found = pipe.read()
    if os.WIFSIGNALED(done[1]):
        return None
    assert os.WEXITSTATUS(done[1]) == 0, "the run failed"
    return found


def campaigns(path: Path, kills: int, chance: random.Random) -> dict[str, Any]:
    """Runs of one file, each begun, killed and gone on with until it ends, until there were so many kills."""
    count: dict[str, Any] = {"kills": 0, "resumed": 0, "by_verb": 0, "digests": []}
    while count["kills"] < kills:
        how = {"keep": chance.choice(KEEPS), "order": chance.choice(ORDERS), "max_iter": 12, "random_state": 1}
        how["verb"] = 2 * count["kills"] >= kills
        wanted = attempt(path, how, None, 300.0)
        began = time.monotonic()
        attempt(path, how, None, 300.0)  # again, as the first one may have compiled
        length, folder = time.monotonic() - began, Path(tempfile.mkdtemp())
        got = None
        while got is None:
            enough = count["kills"] >= kills
            count["resumed"] += any(folder.glob("*.ckpt"))
            got = attempt(path, how, folder, 300.0 if enough else chance.uniform(0.3, 1.4) * length)
            count["kills"] += got is None
            count["by_verb"] += got is None and how["verb"]
        count["digests"].append([wanted, got])
        shutil.rmtree(folder)
    return count


def overlapping(folder: Path, form: str, n: int = 3000, classes: int = 2) -> Path:
    """Points that no plane separates, in a file of some chunks."""
    rng = np.random.default_rng(3)
    X = np.round(rng.normal(size=(n, 8)), 2)
    y = (X @ rng.normal(size=(8, classes)) + rng.normal(size=(n, classes))).argmax(axis=1)
    return written(folder, form, X, y, 50_000)


def killed(paths: list[Path], kills: int, seed: int, seconds: int = 900) -> dict[str, Any]:
    """What the program says."""
    made = subprocess.run(
        [sys.executable, __file__, str(seed), str(kills), *map(str, paths)],
        capture_output=True, text=True, timeout=seconds, env=os.environ | {"PYTHONWARNINGS": "ignore"},
    )  # fmt: skip
    assert made.returncode == 0, made.stderr[-2000:]
    return json.loads(made.stdout)


def main() -> None:
    seed, kills, *files = sys.argv[1:]
    checkpoint.AT_LEAST, checkpoint.SHARE = 0.0, 1
    run_state.NUMBERS_AT_ONCE = 1 << 13
    text_blocks.BLOCK = 20_000  # files of some chunks
    warnings.simplefilter("ignore")
    for keep, order in itertools.product(KEEPS, ORDERS):  # whatever is compiled is compiled once, before the forks
        how = {"keep": keep, "order": order, "max_iter": 2, "random_state": 1}
        for verb, file in itertools.product((False, True), files):
            with tempfile.TemporaryDirectory() as folder:
                digest(Path(file), how | {"verb": verb}, Path(folder))
    chance = random.Random(seed)
    print(json.dumps({Path(file).name: campaigns(Path(file), int(kills), chance) for file in files}))


if __name__ == "__main__":
    main()
