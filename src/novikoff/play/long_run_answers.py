"""Stream a long run: generated rows are learned chunk by chunk until the page closes the connection or a limit ends it.

Each row is predicted before it is learned, so the mistakes of the run are errors on new rows (the progressive error).
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from novikoff.play.answers import Settings
from novikoff.play.posted_points import whole

CHUNK = 2_000  # rows
MOST_ROWS, MOST_COLUMNS = 20_000_000, 200
SECONDS = 120.0


def long_run(request: dict[str, Any], settings: Settings) -> Iterator[dict[str, Any]]:
    """Yield rows, updates and errors after each chunk; the teacher is a random plane, `noise` percent are flipped."""
    import novikoff as nv

    rows, d = whole(request, "rows", 1_000_000, 1, MOST_ROWS), whole(request, "d", 20, 1, MOST_COLUMNS)
    noise, seed = whole(request, "noise", 0, 0, 50), whole(request, "seed", 0, 0, 2**31)
    rng = np.random.default_rng([seed, d])
    teacher = rng.standard_normal(d)
    model = nv.Perceptron(keep="last")
    begin, done, errors, updates = time.perf_counter(), 0, 0, 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        while done < rows:
            X, y = _chunk(rng, teacher, min(CHUNK, rows - done), noise)
            model.partial_fit(X, y, classes=[-1, 1])
            before, errors = errors, int(np.sum(model.n_mistakes_))
            done, wrong, updates = done + len(y), errors - before, int(model.n_updates_)
            seconds = time.perf_counter() - begin
            yield {"rows": done, "of": rows, "updates": updates, "errors": errors, "chunk_errors": wrong,
                   "chunk": len(y), "seconds": round(seconds, 3), "angle": _angle(model.coef_[0], teacher)}  # fmt: skip
            if seconds > SECONDS:
                break
    reason = "max_rows" if done >= rows else "max_seconds"
    yield {"end": reason, "rows": done, "of": rows, "updates": updates, "errors": errors}


def _chunk(rng: np.random.Generator, teacher: np.ndarray, n: int, noise: int) -> tuple[np.ndarray, np.ndarray]:
    """Return Gaussian rows with the teacher's labels, some of them flipped."""
    X = rng.standard_normal((n, len(teacher)))
    y = np.where(X @ teacher > 0, 1, -1)
    return X, np.where(rng.random(n) * 100 < noise, -y, y)


def _angle(w: np.ndarray, teacher: np.ndarray) -> float:
    """Return the angle between the weights and the teacher, in degrees."""
    length = float(np.linalg.norm(w) * np.linalg.norm(teacher))
    return float(np.degrees(np.arccos(np.clip(w @ teacher / length, -1, 1)))) if length else 90.0
