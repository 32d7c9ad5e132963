"""Write the state of a run to a folder after its passes, so that it can be resumed after any end, with the same bits.

    run.ckpt     the last state, written whole or not at all

A state is written between two passes, at most every second, and not before twenty times the last write has passed
since: at most a twentieth of the time goes into writing. One more is written when a stopping rule ends the run. The
looks since the last state are made again, and come out the same. Nothing in a file is executed. One run at a time: the
system locks the folder for it, and releases the lock however the run ends.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from novikoff.arguments.argument_checks import seed_of
from novikoff.errors import InputError
from novikoff.perceptron.checkpoints.checkpoint_identity import check_same
from novikoff.perceptron.checkpoints.saved_state import restore, saved
from novikoff.perceptron.observer import Observer
from novikoff.perceptron.run import Run
from novikoff.records.container import Contents, load_file, save_file

try:
    import fcntl
except ImportError:  # a system without file locks of this kind
    fcntl = None  # type: ignore[assignment]

FORM = "novikoff-checkpoint/1"
NAME = "run.ckpt"
FIELDS = {"seed": int, "run": dict, "state": dict}
SHARE = 20  # times a write's length before the next
AT_LEAST = 1.0  # second between two writes
BROKEN_OFF = ("interrupted", "max_seconds")  # not ended by a stopping rule: the run may be resumed


class Checkpoints(Observer):
    """The checkpoint of one run in a folder, which is locked in a `with` block."""

    def __init__(self, folder: str | os.PathLike[str], resume: bool) -> None:
        """resume: whether to continue from the state in the folder, if there is one."""
        self.folder, self.path, self.resume = Path(folder), Path(folder, NAME), resume
        self.before: Contents | None = None  # the state to resume from
        self.identity: Mapping[str, str] = {}
        self.seed = 0
        self.due = 0.0
        self.lock: int | None = None
        self.made_folder = False

    def __enter__(self) -> Checkpoints:
        """Lock the folder and read the state."""
        try:
            self._lock_folder()
            self.before = self._read() if self.path.exists() else None
            if self.before is not None and not self.resume:
                self._begin_anew(self.before)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        """Unlock the folder, which may then be used by another run; remove it if it was made and nothing written."""
        if self.made_folder and not self.path.exists():
            with contextlib.suppress(OSError):  # something else is in it
                self.folder.rmdir()
        if self.lock is not None:
            os.close(self.lock)
            self.lock = None

    def seed_of_run(self, random_state: Any) -> int:
        """Return the seed of the run that is resumed, or of a new one."""
        self.seed = seed_of(random_state) if self.before is None else int(self.before.record["seed"])
        return self.seed

    def resume_run(self, run: Run, identity: Mapping[str, str]) -> None:
        """Put the state of the checkpoint into a run that was just begun, if there is one."""
        self.identity = identity
        if self.before is not None:
            check_same(self.before.record["run"], identity, str(self.path))
            restore(run, self.before.record["state"], self.before.tensors, str(self.path))
            self.before = None
        self.due = time.perf_counter() + AT_LEAST

    def end_pass(self, run: Run) -> None:
        """Write the state of the run, if it is time or a stopping rule ended the run."""
        began = time.perf_counter()
        if run.reason in BROKEN_OFF or (run.reason is None and began < self.due):
            return
        values, tensors = saved(run)
        there = self.path.exists()
        try:
            save_file(self.path, FORM, {"seed": self.seed, "run": dict(self.identity), "state": values}, tensors)
        except InputError as error:
            before = ". The previous checkpoint is intact: continue from it with resume=True"
            raise InputError(f"{error}{before if there else ''}") from error
        now = time.perf_counter()
        self.due = now + max(AT_LEAST, SHARE * (now - began))

    def _lock_folder(self) -> None:
        """Make the folder and lock it, which leaves no file; a file system without locks is used without."""
        try:
            self.made_folder = not self.folder.exists()
            self.folder.mkdir(parents=True, exist_ok=True)
            self.lock = None if fcntl is None else os.open(self.folder, os.O_RDONLY)
        except OSError as error:
            raise InputError(
                f"{self.folder} cannot be written to ({error.strerror}); name a folder of your own", "checkpoint"
            ) from error
        if self.lock is None:
            return
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InputError(
                f"{self.folder} is in use by another run; wait until it ends, or name another folder", "checkpoint"
            ) from None
        except OSError:
            os.close(self.lock)
            self.lock = None

    def _read(self) -> Contents:
        """Return the state in the folder; raise InputError if it is damaged or not the record of a checkpoint."""
        try:
            contents = load_file(self.path, FORM)
        except InputError as error:
            raise InputError(f"{error}. Delete the checkpoint to start a new run") from None
        record = contents.record
        if set(record) != set(FIELDS) or any(type(record[key]) is not kind for key, kind in FIELDS.items()):
            raise InputError(f"{self.path}: not the record of a checkpoint")
        if not 0 <= record["seed"] < 2**63:
            raise InputError(f"{self.path}: not the record of a checkpoint")
        return contents

    def _begin_anew(self, before: Contents) -> None:
        """Remove the state of a run that has ended; raise InputError if it has not."""
        if before.record["state"].get("reason") is None:
            raise InputError(
                f"{self.folder} contains an unfinished run; continue it with resume=True, name "
                "another folder, or delete its files",
                "checkpoint",
            )
        self.path.unlink()
        self.before = None
