"""Files of every format, damaged at random, given to the verbs: each ends with an answer or with one clear line."""

from __future__ import annotations

import contextlib
import io
import random
from collections import Counter
from pathlib import Path

import numpy as np

import novikoff as nv
from novikoff.cli import main

WRITTEN = ("i.csv", "i.tsv", "i.svm", "i.parquet", "i.csv.gz", "i.svm.bz2", "i.svm.xz", "i.svm.zst")
TEXTS = {
    "m.tsv": "spam\tfree cash now\nham\tsee you at lunch\nspam\tcash prize\nham\tlunch at noon\n",
    "q.csv": 'a,b,label\n1,"2",x\n3,"4",y\n',
    "i.jsonl": '{"a": 1, "b": 2, "label": "x"}\n{"a": 2, "b": 1, "label": "y"}\n',
    "i.vw": "1 |a x:1 y\n-1 |a z:2\n",
}
ODD = (0, 10, 34, 44, 45, 58, 101, 255)


def told(*args: str) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of a command; a fault of ours is raised."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(list(args))
    return code, out.getvalue(), err.getvalue()


def make_files() -> list[str]:
    """Good files in this folder, two models among them."""
    X, _ = nv.example("iris")
    np.savez("i.npz", X=X[:40:3], y=np.repeat([1, 2], 7))
    for name in WRITTEN:
        assert told("convert", "i.npz", name)[0] == 0
    for name, text in TEXTS.items():
        Path(name).write_text(text)
    assert told("fit", "i.csv", "--max-passes", "5", "-o", "i.nvk")[0] == 0
    assert told("fit", "m.tsv", "--label", "1", "--text", "2", "-o", "m.nvk")[0] == 0
    return ["i.npz", *WRITTEN, *TEXTS, "i.nvk", "m.nvk"]


def damaged(data: bytes, rng: random.Random) -> bytes:
    """Cut off, other bytes altogether, or some bytes changed."""
    kind, changed = rng.random(), bytearray(data)
    if kind < 0.2:
        return data[: rng.randrange(len(data))]
    if kind < 0.3:
        return rng.randbytes(rng.randrange(200))
    for _ in range(rng.choice([1, 1, 3, 10])):
        at = rng.randrange(len(data))
        changed[at] = rng.choice((changed[at] ^ (1 << rng.randrange(8)), *ODD))
    return bytes(changed)


def asked(name: str, bad: str, rng: random.Random) -> tuple[str, ...]:
    """A command about a damaged file."""
    if name.endswith(".nvk"):
        rows = "m.tsv" if name == "m.nvk" else "i.csv"
        models = (
            ("predict", bad, rows),
            ("inspect", bad),
            ("evaluate", bad, rows),
            ("explain", bad, rows, "--row", "2"),
        )
        return rng.choice((*models, ("export", bad, "-o", "out.txt")))
    more = rng.choice(((), (), ("--one-hot",), ("--on-bad-row", "skip")))
    if name == "m.tsv":
        more = ("--label", "1", "--text", "2")
    model = "m.nvk" if name == "m.tsv" else "i.nvk"
    fit = ("fit", bad, "--max-passes", "3", "-o", "out.nvk", *more)
    return rng.choice(
        (fit, ("predict", model, bad, "-o", "out.txt"), ("evaluate", model, bad), ("convert", bad, "out.nvc"))
    )


def broken_runs(cases: int, seed: int) -> Counter[int]:
    """How often each exit code was given; a bad input is told in one line, and nothing is written."""
    files, rng, codes = make_files(), random.Random(seed), Counter[int]()
    before = {path.name for path in Path().iterdir()}
    for _ in range(cases):
        name = rng.choice(files)
        bad = f"bad-{name}"
        Path(bad).write_bytes(damaged(Path(name).read_bytes(), rng))
        command = asked(name, bad, rng)
        code, out, err = told(*command)
        codes[code] += 1
        assert code in (0, 3), (command, err)
        left = {path.name for path in Path().iterdir()} - before - {bad}
        if code == 3:
            lines = [line for line in err.splitlines() if line.startswith("novikoff: error: ")]
            assert len(lines) == 1, (command, err)
            assert bad in lines[0] or "--" in lines[0], (command, err)
            assert not left, (command, left)
            assert out == "" or command[0] == "predict", (command, out)
        for path in (Path(part) for part in left):
            if path.is_dir():
                for inner in path.iterdir():
                    inner.unlink()
                path.rmdir()
            else:
                path.unlink()
        Path(bad).unlink()
    return codes
