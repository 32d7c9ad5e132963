"""Threads that read ahead: the same chunks, the same first error, and no thread left behind."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import novikoff as nv
from novikoff.io import svmlight, table_block, text_blocks
from novikoff.io.prefetch import ahead, readers_of, window
from novikoff.io.reader import source_of
from novikoff.io.reading import Reading
from novikoff.kernels.compile import kernel_of

READERS = (0, 1, 2, 3)


def reader_threads() -> list[threading.Thread]:
    """Those that do not end within a second."""
    found = [thread for thread in threading.enumerate() if thread.name.startswith("novikoff reader")]
    for thread in found:
        thread.join(1)
    return [thread for thread in found if thread.is_alive()]


@pytest.fixture(autouse=True)
def none_left() -> Iterator[None]:
    yield
    gc.collect()
    assert not reader_threads()


def slowly(k: int) -> int:
    """The earlier, the longer it takes."""
    time.sleep(0.002 * (k % 3 == 0))
    return k * k


@pytest.mark.parametrize("readers", READERS)
def test_results_come_in_the_order_of_the_items(readers: int) -> None:
    assert list(ahead(iter(range(50)), slowly, readers)) == [k * k for k in range(50)]
    assert list(ahead(iter(()), slowly, readers)) == []


@pytest.mark.parametrize("readers", READERS)
def test_the_first_error_in_order_is_raised_after_what_comes_before_it(readers: int) -> None:
    def work(k: int) -> int:
        if k == 7:
            time.sleep(0.02)  # a later one fails first
        if k >= 7:
            raise ValueError(str(k))
        return k

    def items() -> Iterator[int]:
        yield from range(9)
        raise OSError("the file ends here")

    found: list[int] = []
    with pytest.raises(ValueError, match="7"):
        found.extend(ahead(items(), work, readers))
    assert found == list(range(7))
    with pytest.raises(OSError, match="ends here"):
        list(ahead(items(), lambda k: k, readers))


@pytest.mark.timeout(20)
@pytest.mark.skipif(not hasattr(threading, "_shutdown_locks_lock"), reason="this Python has no such lock")
@pytest.mark.parametrize("readers", READERS[1:])
def test_the_garbage_collector_may_close_it_while_a_thread_starts(readers: int) -> None:
    """Python's `threading` holds this lock for a moment in each thread that starts; memory may be collected then."""
    results = ahead(iter(range(100)), slowly, readers)
    next(results)
    with threading._shutdown_locks_lock:  # type: ignore[attr-defined]
        del results
        gc.collect()


@pytest.mark.parametrize("readers", READERS[1:])
def test_no_more_items_are_taken_than_there_is_room_for(readers: int) -> None:
    taken: list[int] = []

    def items() -> Iterator[int]:
        for k in range(100):
            taken.append(k)
            yield k

    results = ahead(items(), lambda k: k, readers)
    for k in range(5):
        assert next(results) == k
        time.sleep(0.01)
        assert len(taken) <= k + window(readers)
    results.close()
    assert not reader_threads()


@pytest.mark.parametrize("readers", READERS[1:])
def test_whoever_lets_go_or_fails_leaves_no_thread(readers: int) -> None:
    results = ahead(iter(range(1000)), slowly, readers)
    next(results)
    del results
    gc.collect()
    assert not reader_threads()
    with pytest.raises(ZeroDivisionError):
        sum(1 // k for k in ahead(iter(range(1000)), slowly, readers))
    gc.collect()
    assert not reader_threads()


def test_a_program_ends_though_it_holds_on_to_a_reader() -> None:
    code = "from novikoff.io.prefetch import ahead; it = ahead(iter(range(100)), str, 2); next(it); print('end')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert (done.stdout, done.stderr) == ("end\n", "")


def test_how_many_read(tmp_path: Path) -> None:
    path = tmp_path / "t.svm"
    path.write_text("1 1:1\n")
    assert readers_of(path) in (0, 2)
    assert readers_of(path, 3) == 3
    assert readers_of("-", 3) == readers_of(tmp_path / "none", 3) == 0
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
        assert readers_of(tmp_path / "pipe", 2) == 0, "a thread that waits for a pipe cannot be ended"


# ---- files ---------------------------------------------------------------------------------------------------------


def table(tmp_path: Path, form: str, bad: int | None = None) -> Path:
    rng = np.random.default_rng(3)
    lines = ["a,b,y"] if form == "csv" else []
    for k in range(300):
        a, b = rng.normal(size=2).tolist()
        cell = "x" if k == bad else repr(b)
        lines.append(f"{a!r},{cell},{k % 2}" if form == "csv" else f"{k % 2} 1:{a!r} {k + 2}:{cell}")
    path = tmp_path / f"t.{form}"
    path.write_text("\n".join(lines) + "\n")
    return path


def info(path: Path, readers: int) -> list[object]:
    """Chunks with their places, and the error that ends them."""
    found: list[object] = []
    try:
        for chunk in source_of(path, Reading(readers=readers)).chunks():
            rows = chunk.rows if isinstance(chunk.rows, tuple) else (chunk.rows,)
            found.append((list(chunk.labels), [array.tobytes() for array in rows], chunk.byte))
    except nv.InputError as error:
        found.append(str(error))
    return found


@pytest.mark.parametrize("form", ["svm", "csv"])
@pytest.mark.parametrize("bad", [None, 0, 150, 299])
def test_chunks_places_and_errors_are_the_same(
    form: str, bad: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text_blocks, "BLOCK", 700)
    path = table(tmp_path, form, bad)
    alone = info(path, 0)
    assert len(alone) > (10 if bad is None else 0)
    assert [info(path, readers) for readers in READERS[1:]] == [alone] * 3
    assert isinstance(alone[-1], str) is (bad is not None)


def test_rows_with_a_missing_number_are_in_their_chunk_and_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text_blocks, "BLOCK", 20)
    path = tmp_path / "t.csv"
    path.write_text("a,y\n" + "1,0\n,1\n" * 40)
    for readers in READERS:
        source = source_of(path, Reading(missing="drop", readers=readers))
        kept = np.concatenate([np.ones(len(c.labels), bool) if c.kept is None else c.kept for c in source.chunks()])
        assert kept.tolist() == [True, False] * 40


@pytest.mark.parametrize("form", ["svm", "csv"])
def test_the_compiler_is_called_before_the_threads_are(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two threads that import the same package for the first time may each find half of it."""
    module, reader = (
        (svmlight, svmlight._compile_reader) if form == "svm" else (table_block, table_block.compile_cell_reader)
    )
    request: list[threading.Thread] = []

    def noted(*what: object) -> object:
        request.append(threading.current_thread())
        return kernel_of(*what)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "kernel_of", noted)
    reader.cache_clear()
    info(table(tmp_path, form), 2)
    assert request[0] is threading.current_thread()
    assert len(set(request)) > 1
