"""How long does the play page wait for the server?

Wall time of whole round trips over one connection, as a browser makes them, to a server in a process of its own: the
verdict about 200 points while one of them is dragged, the verdict with margins and the mistake bound, a run of 2,000
updates in exact fractions, and the time from the command to the first page.
"""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median
from typing import Any

import numpy as np

from benchmarks.harness import FULL, Row, Size

DRAG, TRACE, PAGE = 0.030, 0.150, 1.0
POINTS, UPDATES = 200, 2_000


def ask(size: Size) -> Iterator[Row]:
    """The rows of this question."""
    times = 100 if size.dense[0] >= FULL.dense[0] else 20
    yield within("command to first page", median(first_page() for _ in range(3)), PAGE)
    with playing() as (port, token):
        calls = Calls(port, token)
        for name, y in labels().items():
            found = median(drag(calls, y, times))
            yield within(f"verdict while dragging, {POINTS} points, {name}", found, DRAG)
        whole = [calls.seconds("/api/verdict", {"X": grid(k), "y": labels()["separable"], "margin": True})
                 for k in range(times // 5)]  # fmt: skip
        yield Row(f"verdict with margins and bound, {POINTS} points", median(whole), "ms")
        run = long_run()
        assert len(calls.answer("/api/trace", run)["steps"]) == UPDATES
        found = median(calls.seconds("/api/trace", run) for _ in range(times // 5))
        calls.connection.close()
        yield within(f"run of {UPDATES:,} updates, {len(run['X'])} points", found, TRACE)


def within(what: str, seconds: float, limit: float) -> Row:
    """The row of a time that has a limit."""
    return Row(what, seconds, "ms", "the limit", limit, seconds / limit, "the time", 1)


@contextmanager
def playing() -> Iterator[tuple[int, str]]:
    """A server in its own process: its port and token."""
    command = [sys.executable, "-m", "novikoff", "play", "--no-browser", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        front, _, token = process.stdout.readline().split()[2].partition("/#t=")
        yield int(front.rpartition(":")[2]), token
        process.terminate()


def first_page() -> float:
    """Seconds from the command to the page."""
    begin = time.perf_counter()
    with playing() as (port, _):
        connection = http.client.HTTPConnection("127.0.0.1", port)
        connection.request("GET", "/")
        connection.getresponse().read()
        took = time.perf_counter() - begin
        connection.close()
    return took


class Calls:
    """Calls over one connection."""

    def __init__(self, port: int, token: str) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port)
        self.headers = {"Content-Type": "application/json", "X-Novikoff-Token": token}

    def answer(self, path: str, request: dict[str, Any]) -> dict[str, Any]:
        """What the server answers."""
        self.connection.request("POST", path, json.dumps(request), self.headers)
        found: dict[str, Any] = json.loads(self.connection.getresponse().read())
        return found

    def seconds(self, path: str, request: dict[str, Any]) -> float:
        """The time of one round trip."""
        begin = time.perf_counter()
        self.answer(path, request)
        return time.perf_counter() - begin


def grid(moved: int = 0) -> list[list[float]]:
    """Points at halves, the first of them moved."""
    X = np.round(np.random.default_rng(3).standard_normal((POINTS, 2)) * 16) / 2
    X[0] = 0.25 + moved % 40 / 4, 8.0
    found: list[list[float]] = X.tolist()
    return found


def labels() -> dict[str, list[int]]:
    """Labels of the points by a line, and at random."""
    X = np.array(grid())
    by_line = np.where(X[:, 0] + 2 * X[:, 1] > 0.1, 1, -1)
    noisy = np.where(np.random.default_rng(4).random(POINTS) < 0.1, -by_line, by_line)
    return {"separable": by_line.tolist(), "not separable": noisy.tolist()}


def drag(calls: Calls, y: list[int], times: int) -> list[float]:
    """Round trips of verdicts while the first point moves; those before the code is compiled are not counted."""
    for k in range(20):
        calls.answer("/api/verdict", {"X": grid(k), "y": y, "margin": False})
    return [calls.seconds("/api/verdict", {"X": grid(k), "y": y}) for k in range(times)]


def long_run() -> dict[str, Any]:
    """Points on which the perceptron makes more than 2,000 updates before its weights return."""
    X = [[float(i), float(i % 5)] for i in range(20)]
    y = [1 if i >= 10 else -1 for i in range(20)]
    X[9], X[10] = [200.0, 200.0], [200.0, 200.015625]
    return {"X": X, "y": y, "max_updates": UPDATES}
