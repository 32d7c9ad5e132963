"""Runs that are broken off after every pass: each state that could be in a checkpoint, and the run from there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import novikoff as nv
from data.small_sets import fit_quietly
from novikoff.model.json_values import plain_history
from novikoff.perceptron import checkpoint, run_state
from novikoff.records.container import pack, unpack


def info(clf: nv.Perceptron, X: Any) -> tuple[Any, ...]:
    """All that a run says of itself but the seconds it took, to the bit."""
    cycle = clf.cycle_counts_
    history = {name: repr(column) for name, column in plain_history(clf.history_).items()}
    return (
        clf.coef_.tobytes(),
        clf.intercept_.tobytes(),
        (clf.n_iter_, clf.n_updates_, clf.n_looks_, clf.seed_, clf.stop_reason_),
        (clf.n_mistakes_.dtype, clf.n_mistakes_.tolist()),
        None if cycle is None else cycle.tolist(),
        _proofs(clf.verdict_),
        clf.mistake_bound_,
        history,
        clf.decision_function(X).tobytes(),
    )


def _proofs(found: Any) -> Any:
    """A verdict, or those of many classes."""
    if found is None or isinstance(found, dict):
        return found and {name: _proofs(one) for name, one in found.items()}
    return found.separable, found.support, found.w if found.separable else found.weights


@contextmanager
def written_always(looks: int | None = None) -> Iterator[list[bytes]]:
    """Every state that could be written is collected, and none goes to the disk; stretches of so many numbers."""
    states: list[bytes] = []

    def collect(path: Path, form: str, record: Any, tensors: Any) -> str:
        states.append(pack(form, record, tensors))
        return ""

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(checkpoint, "AT_LEAST", 0.0)
        patch.setattr(checkpoint, "SHARE", 0.0)
        patch.setattr(checkpoint, "save_file", collect)
        if looks is not None:
            patch.setattr(run_state, "NUMBERS_AT_ONCE", looks)
        yield states


def fitted(X: Any, y: Any, how: dict[str, Any], **more: Any) -> nv.Perceptron:
    return fit_quietly(nv.Perceptron(**how), X, y, **more)


def gone_on(state: bytes, X: Any, y: Any, how: dict[str, Any], folder: Path, **more: Any) -> nv.Perceptron:
    """The run from a state on."""
    folder.mkdir(exist_ok=True)
    (folder / checkpoint.NAME).write_bytes(state)
    return fitted(X, y, how, checkpoint=folder, resume=True, **more)


def reason_in(state: bytes) -> Any:
    return unpack(state, checkpoint.FORM).record["state"]["reason"]


def some(states: list[bytes], most: int, seed: int) -> list[bytes]:
    """At most so many of the states, the last one among them."""
    if len(states) <= most:
        return states
    chosen = np.random.default_rng(seed).choice(len(states) - 1, most - 1, replace=False)
    return [states[k] for k in sorted(chosen)] + states[-1:]


def points(seed: int, classes: int = 2, n: int = 20) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    d = int(rng.integers(1, 5))
    X = rng.integers(-3, 4, (n, d)).astype(float) if seed % 2 else rng.normal(size=(n, d))
    scores = X @ rng.normal(size=(d, classes)) + 0.3 * rng.normal(size=(n, classes))
    y = scores.argmax(axis=1) if classes > 2 else (scores[:, 0] > 0).astype(int)
    y[:classes] = range(classes)
    return X, y


def same_from_everywhere(
    X: Any, y: Any, how: dict[str, Any], folder: Path, numbers: int = 8, most: int = 6, **more: Any
) -> int:
    """Whether the run is the same from each of its states; how many they were."""
    how = {"random_state": 0, **how}
    with written_always(numbers) as states:
        wanted = info(fitted(X, y, how, **more), X)
        assert not states
        assert info(fitted(X, y, how, checkpoint=folder, **more), X) == wanted
        collected = list(states)
        for state in some(collected, most, len(collected)):
            assert info(gone_on(state, X, y, how, folder, **more), X) == wanted, how
    assert reason_in(collected[-1]) is not None
    return len(collected)
