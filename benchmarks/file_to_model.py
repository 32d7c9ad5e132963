"""How fast does a file become a model, in one pass?

    ours       novikoff fit big.svm --max-passes 1 --keep last --quiet -o model.nvk
    vw         vw -d big.vw -b 18 --quiet -f model                 (python -m vowpalwabbit: the same points as text)
    cache      novikoff fit big.npz … (of `novikoff convert`)      against   vw -c …, its second run

Whole processes on all cores, the page cache warm. Net: less the same command on the first hundredth of the rows; ten
rows would not do, ours does not load the compiler for them. vw runs its default learner; like ours it passes once over
the rows and keeps the last weights. Ours also counts the training errors of these weights, and the model names the
points it was made of by a digest.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks import data, files
from benchmarks.harness import Row, Size, command, compared, interleave

TEXT, CACHE = (2.0, 1.3), (3.0, 1.0)  # net of start-up, in all
REPEATS = 5
OURS, VW = "novikoff fit", "vw"
NOVIKOFF = (sys.executable, "-m", "novikoff")
PLAIN = ("--max-passes", "1", "--keep", "last", "--quiet")


def ask(size: Size) -> Iterator[Row]:
    """The rows of this question."""
    text, theirs = files.svmlight(size.file, size.text[1]), files.vowpal(size.file, size.text[1])
    repeats, few = min(size.repeats, REPEATS), max(1, size.file // 100)
    jobs = [
        command(OURS, fit(text), fit(files.head(text, few))),
        command(VW, vw(theirs), vw(files.head(theirs, few))),
    ]
    what = f"{size.file:,} rows, {text.stat().st_size / 1e6:.0f} MB of text"
    yield from compared(interleave(jobs, repeats), what, OURS, VW, *TEXT)
    jobs = [
        command(OURS, fit(cache(text)), fit(cache(files.head(text, few)))),
        command(VW, vw(theirs, "-c"), vw(files.head(theirs, few), "-c")),
    ]
    what = f"{size.file:,} rows from the cache"
    yield from compared(interleave(jobs, repeats), what, OURS, VW, *CACHE)


def fit(path: Path) -> list[str]:
    """Our command."""
    return [*NOVIKOFF, "fit", str(path), *PLAIN, "-o", str(data.folder() / "model.nvk")]


def vw(path: Path, *options: str) -> list[str]:
    """The peer's; with -c the first run, which is not counted, writes the cache."""
    info = ["-d", str(path), "-b", "18", "--quiet", *options, "-f", str(data.folder() / "model.vw")]
    return [sys.executable, "-m", "vowpalwabbit", *info]


def cache(path: Path) -> Path:
    """The file as arrays, made by the package that is measured."""
    from novikoff.cli import main

    target = path.with_suffix(".npz")
    main(["convert", str(path), str(target)])
    return target
