"""Write the state of a run to a folder, so that it can be resumed after any end, with the same bits.

    checkpoint-0.ckpt, checkpoint-1.ckpt     the last two states, written in turn, each whole or not at all

A state is written between two stretches of looks or two passes, at most every second, and not before twenty times the
last write has passed since: at most a twentieth of the time goes into writing. One more is written when the run ends,
and when Ctrl-C or the time limit breaks it off. Within a pass of the order batch, and within a round of parameter
mixing, the weights change only after it: the state before it is written. If the newer file is damaged the older one is
used: the looks since are made again, and come out the same. Nothing in a file is executed. One run at a time: the
system locks the folder for it, and releases the lock however the run ends.
"""

from __future__ import annotations

import contextlib
import os
import time
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from novikoff.arguments.argument_checks import seed_of
from novikoff.errors import InputError
from novikoff.perceptron.checkpoints.checkpoint_identity import check_same
from novikoff.perceptron.checkpoints.mixed_state import restore_mixed, saved_mixed
from novikoff.perceptron.checkpoints.saved_state import Tensors, Values, restore, saved
from novikoff.perceptron.mixing.mixed_run import MixedRun
from novikoff.perceptron.run.observer import Observer
from novikoff.perceptron.run.one_plane import OnePlane
from novikoff.perceptron.run.run import Run
from novikoff.records.container import Contents, load_file, save_file

try:
    import fcntl
except ImportError:  # a system without file locks of this kind
    fcntl = None  # type: ignore[assignment]

FORM = "novikoff-checkpoint/1"
NAMES = ("checkpoint-0.ckpt", "checkpoint-1.ckpt")
SHARE = 20  # times a write's length before the next
AT_LEAST = 1.0  # second between two writes
SPEED = 1e8  # bytes a second that the first write is expected to make
BROKEN_OFF = ("interrupted", "max_seconds")  # not ended by a stopping rule: the run may be resumed


class Checkpoints(Observer):
    """The checkpoints of one run in a folder, which is locked in a `with` block."""

    def __init__(self, folder: str | os.PathLike[str], resume: bool) -> None:
        """resume: whether to continue from the newest state in the folder, if there is one."""
        self.folder, self.resume = Path(folder), resume
        self.before: Contents | None = None  # the state to resume from,
        self.read = self.folder  # and its file
        self.number = -1
        self.identity: Mapping[str, str] = {}
        self.seed = 0
        self.due = 0.0
        self.lock: int | None = None
        self.made_folder = False

    def __enter__(self) -> Checkpoints:
        """Lock the folder and read the newest state."""
        try:
            self._make_folder()
            self.before = self._newest()
            if self.before is not None:
                self.number = self.before.record["number"]
            if not self.resume:
                self._begin_anew()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        """Unlock the folder, which may then be used by another run; remove it if it was made and nothing written."""
        if self.made_folder and self.number < 0:
            with contextlib.suppress(OSError):  # something else is in it
                self.folder.rmdir()
        if self.lock is not None:
            os.close(self.lock)
            self.lock = None

    def seed_of_run(self, random_state: Any) -> int:
        """Return the seed of the run that is resumed, or of a new one."""
        self.seed = seed_of(random_state) if self.before is None else int(self.before.record["seed"])
        return self.seed

    def resume_run(self, run: Run | MixedRun, identity: Mapping[str, str]) -> None:
        """Put the state of the checkpoint into a run that was just begun, if there is one."""
        self.identity = identity
        if self.before is not None:
            record, name = self.before.record, str(self.read)
            check_same(record["run"], identity, name)
            if isinstance(run, MixedRun):
                restore_mixed(run, record["state"], self.before.tensors, name)
            else:
                restore(run, record["state"], self.before.tensors, name)
            self.before = None
        size = run.planes.nbytes if isinstance(run, MixedRun) else sum(np.asarray(array).nbytes for array in run.S)
        self.due = time.perf_counter() + max(AT_LEAST, SHARE * size / SPEED)

    def end_pass(self, run: Run | MixedRun) -> None:
        self.after_looks(run)

    def after_looks(self, run: Run | MixedRun) -> None:
        """Write the state of the run, if it is time."""
        broken_off = run.reason in BROKEN_OFF
        if run.in_pass:
            if isinstance(run, MixedRun) and not broken_off:
                return  # its state changes after the round
            if not run.shown or not (run.reason is None or broken_off):
                return
        elif broken_off:
            return  # by `decide`, or a callback: the state after the pass was written already
        if run.reason is None and time.perf_counter() < self.due:
            return
        began = time.perf_counter()
        self._write(run, None if broken_off else run.reason)
        now = time.perf_counter()
        self.due = now + max(AT_LEAST, SHARE * (now - began))

    def _write(self, run: Run | MixedRun, reason: str | None) -> None:
        values, tensors = _state(run)
        record = {
            "number": self.number + 1,
            "seed": self.seed,
            "asked": not isinstance(run, MixedRun) and bool(run.questions.answers),
            "run": dict(self.identity),
            "state": values | {"reason": reason},
        }
        try:
            save_file(self._path(self.number + 1), FORM, record, tensors)
        except InputError as error:
            before = "The previous checkpoint is intact: continue from it with resume=True"
            raise InputError(f"{error}{f'. {before}' if self.number >= 0 else ''}") from error
        self.number += 1

    def _path(self, number: int) -> Path:
        return self.folder / NAMES[number % 2]

    def _make_folder(self) -> None:
        try:
            self.made_folder = not self.folder.exists()
            self.folder.mkdir(parents=True, exist_ok=True)
            self._take_lock()
        except OSError as error:
            raise InputError(
                f"{self.folder} cannot be written to ({error.strerror}); name a folder of your own", "checkpoint"
            ) from error

    def _take_lock(self) -> None:
        """Lock the folder itself, which leaves no file; a file system without locks is used without."""
        if fcntl is None:
            return
        self.lock = os.open(self.folder, os.O_RDONLY)
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InputError(
                f"{self.folder} is in use by another run; wait until it ends, or name another folder", "checkpoint"
            ) from None
        except OSError:
            self.__exit__()

    def _newest(self) -> Contents | None:
        """Return the newest undamaged state; None if there is no file."""
        whole: dict[Path, Contents] = {}
        damaged = []
        for path in (self.folder / name for name in NAMES):
            if not path.exists():
                continue
            try:
                whole[path] = _checked(load_file(path, FORM), path)
            except InputError as error:
                damaged.append(str(error))
        if damaged and not whole:
            raise InputError(f"{damaged[0]}. No checkpoint is intact; delete them to start a new run")
        if not whole:
            return None
        self.read = max(whole, key=lambda path: int(whole[path].record["number"]))
        if damaged:
            warnings.warn(f"{damaged[0]}. The older checkpoint {self.read} is used instead", UserWarning, stacklevel=5)
        return whole[self.read]

    def _begin_anew(self) -> None:
        """Remove the states of a run that has ended; raise InputError if it has not."""
        if self.before is not None and self.before.record["state"].get("reason") is None:
            raise InputError(
                f"{self.folder} contains an unfinished run; continue it with resume=True, name "
                "another folder, or delete its files",
                "checkpoint",
            )
        for name in NAMES:
            with contextlib.suppress(FileNotFoundError):
                (self.folder / name).unlink()
        self.before, self.number = None, -1


def _state(run: Run | MixedRun) -> tuple[Values, Tensors]:
    """Return the state of the run, or that before the present pass of the order batch."""
    if isinstance(run, MixedRun):
        return saved_mixed(run)
    batch = run.in_pass and run.order.is_batch and isinstance(run.kind, OnePlane)
    return saved(run.kind.batch.before_pass(run) if batch else run)  # type: ignore[union-attr]


def _checked(contents: Contents, name: Path) -> Contents:
    """Return the contents if their record has the fields of a checkpoint, else raise InputError."""
    kinds: dict[str, Any] = {"number": int, "seed": int, "asked": bool, "run": dict, "state": dict}
    record = contents.record
    if set(record) != set(kinds) or any(type(record[key]) is not kind for key, kind in kinds.items()):
        raise InputError(f"{name}: not the record of a checkpoint")
    if record["number"] < 0 or not 0 <= record["seed"] < 2**63:
        raise InputError(f"{name}: not the record of a checkpoint")
    return contents
