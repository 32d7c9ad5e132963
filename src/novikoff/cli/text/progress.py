"""Show progress on stderr: a bar on a terminal, else a line after 4, 8, 16, … seconds; nothing with --quiet.

The bar shows how much of the run is done, measured by its limit of passes or seconds (it may end earlier), five times a
second, but not in the first second. The most important numbers come first, since a narrow terminal cuts the rest. The
time of compiling does not count.
"""

from __future__ import annotations

import contextlib
import math
import sys
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import click

from novikoff.cli.text.formatting import count
from novikoff.data.format_numbers import at_most
from novikoff.kernels.compile import clock
from novikoff.perceptron.observer import Observer

if TYPE_CHECKING:
    from novikoff.perceptron.run import Run

FIRST = 1.0  # seconds without a bar
LONG = 4.0  # seconds without a line
SURE = 0.2  # seconds of rows before their speed is shown
OFTEN = 0.2  # seconds between two updates of the bar
WIDTH = 10  # of the bar
MANY = {"s": 99.0, "min": 180.0}  # more are written in the next unit


class Progress(Observer):
    """Show the progress of a run."""

    def __init__(self, quiet: bool, n: int = 0) -> None:
        """n: rows."""
        self.quiet, self.n, self.terminal = quiet, n, sys.stderr.isatty()
        self.started, self.due = clock(), FIRST if self.terminal else LONG
        self.first: tuple[int, float] | None = None  # the first rows and their time: the rate excludes the start-up
        self.bar: Any = None

    def begin(self, run: Run) -> None:
        """Count the rows that are learned from: some may be held out."""
        self.n = run.scorer.problem.n

    def end_pass(self, run: Run) -> None:
        """Show the mistakes of the pass and the errors of the kept weights."""
        speed, share = self._speed(run, self.n)
        if self.is_due():
            row = run.last_pass()
            left = row["pocket_errors"] if row["pocket_errors"] is not None else row["valid_errors"]
            kept = "" if left is None else f", {left:,.6g} errors kept"
            self.show(f"{_pass(run)}: {count(row['mistakes'], 'mistake')}{kept}{speed and f'; {speed}'}", share)

    def after_looks(self, run: Run) -> None:
        """Show the progress of the pass."""
        if not run.shown:
            return
        speed, share = self._speed(run, run.shown)
        if self.is_due():
            made = run.tally()
            updates, errors = made.updates - run.at_pass.updates, made.mistakes - run.at_pass.mistakes
            looks = f"{run.shown:,} of {self.n:,} rows{speed and f', {speed}'}"
            self.show(f"{_pass(run)}: {looks}; {count(updates, 'update')}, {count(errors, 'mistake')}", share)

    def on_rows(self, rows: int, mistakes: int, bound: float | None = None) -> None:
        """Show the rows of a stream so far and the mistakes on them."""
        rate = self._rate(rows)
        if self.is_due():
            limit = "" if bound is None else f" of at most (R/γ)² = {at_most(bound, ',.0f')}"
            share = f"{count(mistakes, 'mistake')}{limit} ({mistakes / max(1, rows):.2%})"
            self.show(f"{rows:,} rows: {share}{f'; {rate:,.0f} rows/s' if rate else ''}")

    def _speed(self, run: Run, looks: int) -> tuple[str, float | None]:
        """Format the rows per second and the time until a limit of the run; return also how much of it is done.

        looks: of the present pass. There is no share without a limit of passes or seconds.
        """
        stops, left, shares = run.plan.stops, list[float](), list[float]()
        rows, most = self.n * (run.passes - 1) + looks, self.n * (stops.max_passes or 0)
        rate = self._rate(rows)
        if most and not stops.decides:  # else it mostly ends after 20 passes
            shares.append(rows / most)
            left += [max(0.0, most - rows) / rate] if rate else []
        if stops.max_seconds is not None:
            spent = clock() - run.clock
            shares.append(spent / stops.max_seconds)
            left.append(max(0.0, stops.max_seconds - spent))
        ends = f", ≈{duration(min(left))} left at most" if left else ""
        return f"{rate:,.0f} rows/s{ends}" if rate else "", min(1.0, max(shares)) if shares else None

    def _rate(self, rows: int) -> float:
        """Return the rows per second since the first ones; 0 if it is too early."""
        now = clock()
        self.first = self.first or (rows, now)
        before, then = self.first
        return (rows - before) / (now - then) if rows > before and now - then >= SURE else 0.0

    def is_due(self) -> bool:
        """Return whether it is time to show something."""
        return not self.quiet and clock() - self.started >= self.due

    def show(self, text: str, share: float | None = None) -> None:
        """Show a text. share: how much of the run is done, None if its end is not known."""
        spent = clock() - self.started
        if not self.terminal:
            self.due = max(self.due, OFTEN)
            while self.due <= spent:
                self.due *= 2
            click.echo(text, err=True)
            return
        self.due = spent + OFTEN
        from rich.console import Console
        from rich.progress import BarColumn, Progress as Bar, TextColumn

        if self.bar is None:
            columns = (BarColumn(WIDTH), TextColumn("{task.description}"))
            self.bar = Bar(*columns, console=Console(stderr=True), transient=True)
            self.bar.start()
            self.bar.add_task(text, total=None if share is None else 1.0, completed=share or 0)
        room = self.bar.console.width - WIDTH - 2  # else the text would shrink the bar
        self.bar.update(self.bar.task_ids[0], completed=share or 0, description=text[:room])

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


def _pass(run: Run) -> str:
    """Format the number of the pass, and of the last one."""
    most = None if run.plan.stops.decides else run.plan.stops.max_passes
    return f"pass {run.passes:,}" + ("" if most is None else f" of at most {most:,}")


@contextlib.contextmanager
def working(
    quiet: bool, what: str, parts: str = ", {:,} of {:,} blocks of draws"
) -> Iterator[Callable[[int, int], None]]:
    """Show what a verb is doing and for how long; yield a function that takes how many of all parts are done."""
    progress, ended, parts_done = Progress(quiet), threading.Event(), (0, 0)

    def tell(done: int, of: int) -> None:
        nonlocal parts_done
        parts_done = done, of

    def tick() -> None:
        while not ended.wait(OFTEN):
            if progress.is_due():
                (done, of), seconds = parts_done, clock() - progress.started
                said = parts.format(done, of) if of else ""
                progress.show(f"{what}: {seconds:,.0f} s{said}", done / of if of else None)

    thread = threading.Thread(target=tick, name="novikoff progress", daemon=True)
    thread.start()
    try:
        yield tell
    finally:
        ended.set()
        thread.join()
        progress.close()
