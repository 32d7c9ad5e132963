"""A lie, the commands that are given it, and the verdict on how each command ended.

A lie is (kind of file, field, wrong value). What may happen: a refusal (exit 2 or 3, one line, nothing written), or an
answer (exit 0, 1 or 4) that is true of what an independent reader finds in the file.
"""

from __future__ import annotations

import os
import shutil
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from commands import Told, novikoff
from damage import claims
from damage.meaning import Points, RefusedError

ANSWERS, REFUSALS = (0, 1, 4), (2, 3)
Judge = Callable[[Told], str | None]


@dataclass(frozen=True)
class Pair:
    """A command, and a judge of its answer: None, or what is wrong with it."""

    command: tuple[str, ...]
    judge: Judge
    must_answer: bool = False
    unchanged: tuple[str, ...] = ()  # files that a refusal must leave as they are


@dataclass(frozen=True)
class Lie:
    """What is wrong in a file, and who is asked about it. loose: answers are not derived again in full."""

    kind: str
    field: str
    value: str
    pairs: list[Pair] = field(default_factory=list)
    loose: bool = False

    @property
    def words(self) -> str:
        return f"{self.kind}: {self.field} = {self.value}"


@dataclass(frozen=True)
class Outcome:
    """How a pair ended. code: the exit code; None for an exception, a signal or no end. wrong: None, or what is."""

    code: int | None
    wrong: str | None


def carried_out(pair: Pair) -> Outcome:
    """Run the command in this folder and judge it; what it wrote is removed."""
    before = _files()
    bytes_before = [Path(name).read_bytes() for name in pair.unchanged]
    try:
        try:
            info = novikoff(*pair.command)
        except Exception:
            return Outcome(None, "exception: " + _last_lines(traceback.format_exc()))
        if info.code == 3 and bytes_before != [Path(name).read_bytes() for name in pair.unchanged]:
            return Outcome(3, "refused, and the file was changed")
        return Outcome(info.code, _wrong(pair, info, sorted(set(_files()) - set(before))))
    finally:
        for name in set(_files()) - set(before):
            shutil.rmtree(name) if os.path.isdir(name) else os.unlink(name)


def _files() -> list[str]:
    return [entry.name for entry in os.scandir(".")]


def _wrong(pair: Pair, info: Told, written: list[str]) -> str | None:
    if "Traceback" in info.err:
        return f"traceback: {_last_lines(info.err)}"
    if info.code in ANSWERS:
        try:
            return pair.judge(info)
        except RefusedError as why:
            return f"the answer cannot be read: {why}"
        except Exception as error:
            return f"the answer cannot be judged: {error!r}"
    if info.code not in REFUSALS:
        return f"exit code {info.code}"
    if written:
        return f"exit code {info.code}, and written: {', '.join(written)}"
    if info.out:
        return f"exit code {info.code}, and an answer: {info.out[:80]!r}"
    if "std::" in info.err or "vector::" in info.err:
        return f"refused by the C++ library after it followed a false index: {info.err[:200]!r}"
    if info.code == 3 and sum(line.startswith("novikoff: error: ") for line in info.err.splitlines()) != 1:
        return f"not one line of error: {info.err[:200]!r}"
    return f"an honest file is refused: {info.err[:200]!r}" if pair.must_answer else None


def _last_lines(text: str) -> str:
    """The place in the package where an exception was raised, and the exception."""
    lines = text.strip().splitlines()
    places = [line.strip() for line in lines if line.startswith("  File ") and "/novikoff/" in line]
    place = places[-1].partition("/novikoff/")[2].replace('"', "") if places else ""
    return f"{lines[-1][:200]} ({place})"


# ---- files of points -----------------------------------------------------------------------------------------------


def asked_of_points(
    name: str,
    model: str,
    meaning: Points | RefusedError,
    honest: bool = False,
    rows: Points | RefusedError | None = None,
) -> list[Pair]:
    """The verbs that read points.

    rows: what `predict` and `evaluate` read, where a model makes a difference.
    """
    known: Any = meaning if rows is None else rows

    def judged(claim: claims.Claim, points: Any, labelled: bool = True) -> Judge:
        def judge(info: Told) -> str | None:
            if isinstance(points, RefusedError):
                return f"answered (exit {info.code}); an independent reader refuses: {points}"
            if labelled and points.labels is None:
                return f"answered (exit {info.code}); an independent reader finds no labels"
            return claim(points, info)

        return judge

    def pair(*command: str, claim: claims.Claim, points: Any = meaning, labelled: bool = True) -> Pair:
        return Pair(command, judged(claim, points, labelled), honest)

    return [
        pair("convert", name, "out.csv", claim=claims.csv_written, labelled=False),
        pair("convert", name, "out.npz", claim=claims.npz_written, labelled=False),
        pair("fit", name, "--max-passes", "3", "--quiet", "--json", "-o", "out.nvk", claim=claims.fitted),
        pair("predict", model, name, "--on-missing", "fail", "--scores", "--quiet", "-o", "out.txt",
             claim=claims.predicted(model), points=known, labelled=False),
        pair("evaluate", model, name, "--on-missing", "fail", "--json", claim=claims.evaluated(model), points=known),
        pair("certify", name, "--json", claim=claims.certified),
        pair("trace", name, "--json", "--max-updates", "20", claim=claims.traced),
        pair("separation", name, "--json", claim=claims.sized),
        pair("margin", name, "--json", claim=claims.sized),
        pair("cv", name, "--folds", "2", "--json", claim=claims.sized),
    ]  # fmt: skip


def made(*args: str, code: int = 0) -> None:
    """A command that must succeed, for the honest files."""
    info = novikoff(*args)
    assert info.code == code, (args, info.err)


def copied(path: str, to: str) -> Path:
    """A copy of a file or folder, instead of what was there."""
    if Path(to).is_dir():
        shutil.rmtree(to)
    if Path(path).is_dir():
        return Path(shutil.copytree(path, to))
    return Path(shutil.copyfile(path, to))
