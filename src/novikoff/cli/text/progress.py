"""Show progress on stderr: a bar on a terminal, else a line at passes 1, 2, 4, 8, …; nothing with --quiet.

The bar shows the progress of the current pass, five times a second; without a terminal a line shows it after 4, 8, 16,
… seconds of the pass. The most important numbers come first, since a narrow terminal cuts the rest. Nothing is shown in
the first second.
"""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from novikoff.cli.text.formatting import count
from novikoff.perceptron.run.observer import Observer

if TYPE_CHECKING:
    from novikoff.perceptron.run.run import Run

FIRST = 1.0  # seconds without output
LONG = 4.0  # seconds of a pass after which a line is due
OFTEN = 0.2  # seconds between two updates of the display
WIDTH = 10  # of the bar


class Progress(Observer):
    """Show the progress of a run."""

    def __init__(self, quiet: bool, n: int = 0, size: int = 0) -> None:
        """n: rows. size: bytes of the file that every pass reads, if one is read."""
        self.quiet, self.n, self.size = quiet, n, size
        self.number, self.seen = -1, 0  # the pass shown, and its looks at the first display
        self.began = self.again = 0.0  # times of its first and its next display
        self.due = LONG  # seconds of the pass before the next line
        self.started = time.perf_counter()
        self.first: tuple[int, float] | None = None  # the first rows and their time: the rate excludes the start-up
        self.bar: Any = None
        self.task: Any = None
        self.next = 0  # pass or row of the next line

    def end_pass(self, run: Run) -> None:
        """Show the mistakes of the pass and the errors of the kept weights."""
        row = run.last_pass()
        number = int(row["pass"])
        left = row["pocket_errors"] if row["pocket_errors"] is not None else row["valid_errors"]
        kept = "" if left is None else f", {left:,.6g} errors kept"
        text = f"pass {number:,}: {count(row['mistakes'], 'mistake')}{kept}{self._rate(self.n * number)}"
        self._tell(number, text, 1.0)

    def after_looks(self, run: Run) -> None:
        """Show the progress of the pass."""
        now = time.perf_counter()
        if self.first is None:
            self.first = (self.n * (run.passes - 1) + run.shown, now)
        if run.passes != self.number:
            self.number, self.seen, self.began, self.due = run.passes, run.shown, now, LONG
        if now < self.again or not run.in_pass or self.quiet:
            return
        self.again = now + OFTEN
        terminal, seconds = sys.stderr.isatty(), now - self.began
        if now - self.started < FIRST or run.shown <= self.seen or not (terminal or seconds >= self.due):
            return
        self.due *= 2
        share = min(1.0, run.shown / self.n)
        text = self._within(run, seconds, share)
        if terminal:
            self._show(text, share)
        else:
            click.echo(text, err=True)

    def _within(self, run: Run, seconds: float, share: float) -> str:
        """Format the progress of a pass."""
        made, rate = run.tally(), (run.shown - self.seen) / seconds
        updates, errors = made.updates - run.at_pass.updates, made.mistakes - run.at_pass.mistakes
        looks = f"{run.shown:,} of {self.n:,} rows"
        if self.size:
            looks = f"{self.size * share / 1e6:,.0f} of {self.size / 1e6:,.0f} MB"
        left = max(0.0, self.n - run.shown) / rate
        speed = f"{rate:,.0f} rows/s, {left:,.0f} s left"
        return f"pass {run.passes:,}: {looks}, {speed}; {count(updates, 'update')}, {count(errors, 'mistake')}"

    def on_rows(self, rows: int, mistakes: int, bound: float | None = None) -> None:
        """Show the rows of a stream so far and the mistakes on them."""
        limit = "" if bound is None else f" of at most (R/γ)² = {bound:,.0f}"
        share = f"{count(mistakes, 'mistake')}{limit} ({mistakes / max(1, rows):.2%})"
        self._tell(rows, f"{rows:,} rows: {share}{self._rate(rows)}", None)

    def _rate(self, rows: int) -> str:
        """Format the rows per second since the first ones; empty if there are no others."""
        now = time.perf_counter()
        self.first = self.first or (rows, now)
        before, then = self.first
        return f"; {(rows - before) / (now - then):,.0f} rows/s" if rows > before and now > then else ""

    def _tell(self, number: int, text: str, share: float | None) -> None:
        if self.quiet or time.perf_counter() - self.started < FIRST:
            return
        if sys.stderr.isatty():
            self._show(text, share)
        elif number >= self.next:
            click.echo(text, err=True)
            self.next = 1 << number.bit_length()

    def _show(self, text: str, share: float | None) -> None:
        """Update the bar; share: of the pass, None for a stream, whose end is not known."""
        if self.bar is None:
            from rich.console import Console
            from rich.progress import BarColumn, TextColumn
            from rich.progress import Progress as Bar

            columns = (BarColumn(WIDTH), TextColumn("{task.description}"))
            self.bar = Bar(*columns, console=Console(stderr=True), transient=True)
            self.bar.start()
            self.task = self.bar.add_task(text, total=None if share is None else 1.0)
        room = self.bar.console.width - WIDTH - 2  # else the text would shrink the bar
        self.bar.update(self.task, completed=share or 0, description=text[:room])

    def close(self) -> None:
        """Remove the bar."""
        if self.bar is not None:
            self.bar.stop()


@contextlib.contextmanager
def working(quiet: bool, what: str) -> Iterator[None]:
    """Show on a terminal, after the first second, what a verb is doing and for how long."""
    if quiet or not sys.stderr.isatty():
        yield
        return
    progress, ended = Progress(quiet), threading.Event()

    def tick() -> None:
        while not ended.wait(OFTEN):
            progress._tell(0, f"{what}: {time.perf_counter() - progress.started:,.0f} s", None)

    thread = threading.Thread(target=tick, name="novikoff progress", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
        progress.close()


def note(quiet: bool, text: str) -> None:
    """Print one line on stderr."""
    if not quiet:
        click.echo(text, err=True)
