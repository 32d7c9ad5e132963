"""Show progress on stderr: a bar on a terminal, else a line at passes 1, 2, 4, 8, …; nothing with --quiet.

The bar shows how much of the run is done, measured by its limit of passes or seconds (it may end earlier), five times a
second. Without a terminal a line shows the rows of a long pass after 4, 8, 16, … seconds. The most important numbers
come first, since a narrow terminal cuts the rest. Nothing is shown in the first second. Rows per second and the time
left do not count the time of compiling.
"""

from __future__ import annotations

import contextlib
import math
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import click

from novikoff.cli.text.formatting import count
from novikoff.data.text.format_numbers import at_most
from novikoff.kernels.compile import clock
from novikoff.perceptron.run.observer import Observer

if TYPE_CHECKING:
    from novikoff.perceptron.run.run import Run

FIRST = 1.0  # seconds without output
LONG = 4.0  # seconds of a pass after which a line is due
SURE = 0.2  # seconds of rows before their speed is shown
OFTEN = 0.2  # seconds between two updates of the display
WIDTH = 10  # of the bar


class Progress(Observer):
    """Show the progress of a run."""

    def __init__(self, quiet: bool, n: int = 0) -> None:
        """n: rows."""
        self.quiet, self.n = quiet, n
        self.number, self.seen = -1, 0  # the pass shown, and its looks at the first display
        self.began = self.again = 0.0  # times of its first and its next display
        self.due = LONG  # seconds of the pass before the next line
        self.started = clock()  # compiling does not count
        self.first: tuple[int, float] | None = None  # the first rows and their time: the rate excludes the start-up
        self.bar: Any = None
        self.task: Any = None
        self.next = 0  # pass or row of the next line

    def begin(self, run: Run) -> None:
        """Count the rows that are learned from: some may be held out."""
        self.n = run.scorer.problem.n

    def end_pass(self, run: Run) -> None:
        """Show the mistakes of the pass and the errors of the kept weights."""
        rate = self._rate(self.n * _made(run))
        if not self._is_due(run.passes):
            return
        row = run.last_pass()
        left = row["pocket_errors"] if row["pocket_errors"] is not None else row["valid_errors"]
        kept = "" if left is None else f", {left:,.6g} errors kept"
        speed = f"; {rate:,.0f} rows/s{self._left(run, self.n, rate)}" if rate else ""
        self._tell(
            f"{_pass(run)}: {count(row['mistakes'], 'mistake')}{kept}{speed}", self._share(run, self.n), run.passes
        )

    def after_looks(self, run: Run) -> None:
        """Show the progress of the pass."""
        now = time.perf_counter()
        rate = self._rate(self.n * (_made(run) - 1) + run.shown)
        if run.passes != self.number:
            self.number, self.seen, self.began, self.due = run.passes, run.shown, now, LONG
        if now < self.again or self.quiet or run.shown <= self.seen:
            return
        self.again = now + OFTEN
        terminal, seconds = sys.stderr.isatty(), now - self.began
        if clock() - self.started < FIRST or not (terminal or seconds >= self.due):
            return
        self.due *= 2
        text = self._within(run, rate)
        if terminal:
            self._show(text, self._share(run, run.shown))
        else:
            click.echo(text, err=True)

    def _within(self, run: Run, rate: float) -> str:
        """Format the progress of a pass."""
        made = run.tally()
        updates, errors = made.updates - run.at_pass.updates, made.mistakes - run.at_pass.mistakes
        looks = f"{run.shown:,} of {self.n:,} rows"
        speed = f", {rate:,.0f} rows/s{self._left(run, run.shown, rate)}" if rate else ""
        return f"{_pass(run)}: {looks}{speed}; {count(updates, 'update')}, {count(errors, 'mistake')}"

    def _left(self, run: Run, looks: int, rate: float) -> str:
        """Estimate the time until the limit of passes or seconds ends the run, if there is one; it may end earlier.

        looks: of the present pass.
        """
        stops, left = run.plan.stops, []
        if stops.max_passes is not None and rate and not stops.decides:  # else it mostly ends after 20 passes
            left.append(max(0.0, self.n * (stops.max_passes - _made(run) + 1) - looks) / rate)
        if stops.max_seconds is not None:
            left.append(max(0.0, stops.max_seconds - (clock() - run.clock)))
        return f", ≈{duration(min(left))} left at most" if left else ""

    def _share(self, run: Run, looks: int) -> float | None:
        """Return how much of the run is done, measured by its limits; None without limits. looks: of the pass."""
        stops, shares = run.plan.stops, []
        if stops.max_passes is not None and not stops.decides:
            shares.append((_made(run) - 1 + min(1.0, looks / self.n)) / stops.max_passes)
        if stops.max_seconds is not None:
            shares.append((clock() - run.clock) / stops.max_seconds)
        return min(1.0, max(shares)) if shares else None

    def on_rows(self, rows: int, mistakes: int, bound: float | None = None) -> None:
        """Show the rows of a stream so far and the mistakes on them."""
        limit = "" if bound is None else f" of at most (R/γ)² = {at_most(bound, ',.0f')}"
        share, rate = f"{count(mistakes, 'mistake')}{limit} ({mistakes / max(1, rows):.2%})", self._rate(rows)
        if self._is_due(rows):
            self._tell(f"{rows:,} rows: {share}{f'; {rate:,.0f} rows/s' if rate else ''}", None, rows)

    def _rate(self, rows: int) -> float:
        """Return the rows per second since the first ones, without the time of compiling; 0 if it is too early."""
        now = clock()
        self.first = self.first or (rows, now)
        before, then = self.first
        return (rows - before) / (now - then) if rows > before and now - then >= SURE else 0.0

    def _is_due(self, number: int) -> bool:
        """Return whether to show something: on a terminal five times a second, else at pass or row 1, 2, 4, 8, …"""
        now = time.perf_counter()
        if self.quiet or clock() - self.started < FIRST:
            return False
        if sys.stderr.isatty():
            return now >= self.again
        return number >= self.next

    def _tell(self, text: str, share: float | None, number: int = 0) -> None:
        """Show a text. number: of the pass or row, after which the next line waits for the next power of two."""
        if sys.stderr.isatty():
            self._show(text, share)
            self.again = time.perf_counter() + OFTEN
        else:
            click.echo(text, err=True)
            self.next = 1 << number.bit_length()

    def _show(self, text: str, share: float | None) -> None:
        """Update the bar; share: of the run, None if its end is not known."""
        if self.bar is None:
            from rich.console import Console
            from rich.progress import BarColumn, TextColumn
            from rich.progress import Progress as Bar

            columns = (BarColumn(WIDTH), TextColumn("{task.description}"))
            self.bar = Bar(*columns, console=Console(stderr=True), transient=True)
            self.bar.start()
            self.task = self.bar.add_task(text, total=None if share is None else 1.0, completed=share or 0)
        room = self.bar.console.width - WIDTH - 2  # else the text would shrink the bar
        self.bar.update(self.task, completed=share or 0, description=text[:room])

    def close(self) -> None:
        """Remove the bar."""
        if self.bar is not None:
            self.bar.stop()


def duration(seconds: float) -> str:
    """Format a time for people, in one unit.

    Examples
    --------
    >>> duration(0.2), duration(99), duration(100), duration(7_200), duration(1e9)
    ('1 s', '99 s', '2 min', '120 min', '277,778 h')
    """
    for unit, size in (("s", 1.0), ("min", 60.0)):
        if seconds / size <= MANY[unit]:
            return f"{max(1, math.ceil(seconds / size)):,} {unit}"
    return f"{math.ceil(seconds / 3600):,} h"


MANY = {"s": 99.0, "min": 180.0}  # more are written in the next unit


def _made(run: Run) -> int:
    """Return the passes that this run has begun, to which its limit applies."""
    return run.passes - run.passes_before


def _pass(run: Run) -> str:
    """Format the number of the pass, and of the last one."""
    most = None if run.plan.stops.decides else run.plan.stops.max_passes
    return f"pass {run.passes:,}" + ("" if most is None else f" of at most {run.passes_before + most:,}")


@contextlib.contextmanager
def working(quiet: bool, what: str) -> Iterator[None]:
    """Show what a verb is doing and for how long, when `counting` shows it."""
    with counting(quiet, what):
        yield


def note(quiet: bool, text: str) -> None:
    """Print one line on stderr."""
    if not quiet:
        click.echo(text, err=True)


@contextlib.contextmanager
def counting(
    quiet: bool, what: str, unit: str = ", {:,} of {:,} blocks of draws"
) -> Iterator[Callable[[int, int], None]]:
    """Yield a function that is told how many of all parts are done, and show this and the time meanwhile.

    On a terminal it is shown all the time, elsewhere after 4, 8, 16, … seconds.
    """
    progress, ended = Progress(quiet), threading.Event()
    said, share, due = "", 0.0, LONG

    def show(done: int, of: int) -> None:
        nonlocal said, share
        said, share = unit.format(done, of), done / of

    def tick() -> None:
        nonlocal due
        while not ended.wait(OFTEN):
            seconds = clock() - progress.started
            text = f"{what}: {seconds:,.0f} s{said}"
            if sys.stderr.isatty():
                if progress._is_due(0):
                    progress._tell(text, share or None)
            elif seconds >= due:
                due *= 2
                click.echo(text, err=True)

    thread = threading.Thread(target=tick, name="novikoff progress", daemon=True)
    if not quiet:
        thread.start()
    try:
        yield show
    finally:
        ended.set()
        if not quiet:
            thread.join()
        progress.close()
