"""Progress on stderr: a bar on a terminal, else a line at passes 1, 2, 4, 8, …; --quiet shows none.

Nothing is shown in the first second: a short run has nothing to wait for.
"""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator, Mapping
from typing import Any

import click

FIRST = 1.0  # second that is silent


class Progress:
    """What a run tells while it goes."""

    def __init__(self, quiet: bool, n: int = 0, most: int | None = None) -> None:
        self.quiet, self.n, self.most = quiet, n, most
        self.begin = time.perf_counter()
        self.last = (0, self.begin)
        self.bar: Any = None
        self.task: Any = None
        self.next = 0  # what the next line waits for

    def on_pass(self, row: Mapping[str, Any]) -> None:
        """A pass has ended."""
        number = int(row["pass"])
        left = row["pocket_errors"] if row["pocket_errors"] is not None else row["valid_errors"]
        kept = "" if left is None else f", {left:,.6g} errors kept"
        text = f"pass {number:,}: {row['mistakes']:,} mistakes{kept}; {self._rate(self.n * number)} rows/s"
        self._tell(number, text, self.most)

    def on_rows(self, rows: int, mistakes: int, bound: float | None = None) -> None:
        """Rows of a stream were shown: each was predicted before it was learned from."""
        limit = "" if bound is None else f" of at most (R/γ)² = {bound:,.0f}"
        share = f"{mistakes:,} mistakes{limit} ({mistakes / max(1, rows):.2%})"
        self._tell(rows, f"{rows:,} rows: {share}; {self._rate(rows)} rows/s", None)

    def _rate(self, rows: int) -> str:
        """Rows per second since the last time."""
        now = time.perf_counter()
        (before, then), self.last = self.last, (rows, now)
        return f"{(rows - before) / max(now - then, 1e-9):,.0f}"

    def _tell(self, number: int, text: str, most: int | None) -> None:
        if self.quiet or time.perf_counter() - self.begin < FIRST:
            return
        if sys.stderr.isatty():
            self._show(number, text, most)
        elif number >= self.next:
            click.echo(text, err=True)
            self.next = 1 << number.bit_length()

    def _show(self, number: int, text: str, most: int | None) -> None:
        if self.bar is None:
            from rich.console import Console
            from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
            from rich.progress import Progress as Bar

            columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
            self.bar = Bar(*columns, console=Console(stderr=True), transient=True)
            self.bar.start()
            self.task = self.bar.add_task(text, total=most)
        self.bar.update(self.task, completed=number if most else 0, description=text)

    def end(self) -> None:
        """Take the bar away."""
        if self.bar is not None:
            self.bar.stop()


@contextlib.contextmanager
def told(learner: Any, progress: Progress) -> Iterator[None]:
    """Let the passes of `learner.fit` be told: the run is handed its listener as it begins."""
    learn = learner._learn

    def listening(run: Any, *rest: Any) -> Any:
        run.on_pass = progress.on_pass
        return learn(run, *rest)

    learner._learn = listening
    try:
        yield
    finally:
        del learner._learn
        progress.end()


def note(quiet: bool, text: str) -> None:
    """One line on stderr."""
    if not quiet:
        click.echo(text, err=True)
