"""Checkpoints of a stream: a model file with the state of the stream and what was read of its input.

    stream.nvk     the model after the last chunk that was written, whole or not at all; `nv.load` reads it

A resumed run reads the same input from its beginning: rows that the checkpoint has seen are compared by SHA-256 and not
presented again. The model is then the same, bit for bit, as without the interruption. Writing takes at most a twentieth
of the time, as for the checkpoints of a run (`perceptron.checkpoints`).
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Mapping
from typing import Any

import numpy as np

from novikoff.errors import InputError
from novikoff.model import FORMAT, resumable
from novikoff.model.records.model_record import record_of
from novikoff.model.records.stream_record import INPUT, SavedStream
from novikoff.perceptron.checkpoints.checkpoint import AT_LEAST, SHARE, Checkpoints
from novikoff.records.container import save_file
from novikoff.records.record_reader import Fields

NAME = "stream.nvk"


class RowDigest:
    """SHA-256 of rows and labels in any division into chunks."""

    def __init__(self) -> None:
        self.rows = 0
        self._parts = [hashlib.sha256() for _ in range(4)]

    def add(self, X: Any, y: Any) -> None:
        """Add rows, dense or compressed, and their labels."""
        labels, columns, values, counts = self._parts
        labels.update("".join(f"{label}\n" for label in np.asarray(y).tolist()).encode("utf-8", "surrogatepass"))
        if hasattr(X, "indptr"):
            columns.update(np.ascontiguousarray(X.indices, np.int64).data)
            values.update(np.ascontiguousarray(X.data, np.float64).data)
            counts.update(np.ascontiguousarray(np.diff(X.indptr), np.int64).data)
        else:
            values.update(np.ascontiguousarray(X, np.float64).data)
        self.rows += len(y)

    def hexdigest(self) -> str:
        """Return the digest of all rows so far."""
        return hashlib.sha256("".join(part.hexdigest() for part in self._parts).encode()).hexdigest()


class StreamCheckpoint(Checkpoints):
    """The checkpoint of a stream in a folder, which is locked in a `with` block.

    options: what must not change, as texts. model: the loaded perceptron of a resumed stream, or None.
    """

    def __init__(self, folder: str | os.PathLike[str], resume: bool, options: Mapping[str, str]) -> None:
        super().__init__(folder, resume)
        self.path, self.options, self.model = self.folder / NAME, dict(options), None
        self.digest, self.seen, self.expected = RowDigest(), 0, ""
        self.due = time.perf_counter() + AT_LEAST

    def __enter__(self) -> StreamCheckpoint:
        """Lock the folder, and load the model of a stream that is resumed."""
        try:
            self._make_folder()
            if self.path.exists():
                self._take()
        except BaseException:
            self.__exit__()
            raise
        return self

    def _take(self) -> None:
        model = resumable(self.path)
        stored = model._stream.record.get(INPUT) if isinstance(model._stream, SavedStream) else None
        fields = Fields(stored if stored is not None else {}, str(self.path), f"stream.{INPUT}")
        rows, sha256, ended = fields.whole("rows"), fields.text("sha256"), fields.truth("ended")
        options = fields.take("options", lambda v: isinstance(v, dict), "an object")
        fields.done()
        if not self.resume:
            if not ended:
                raise InputError(
                    f"{self.folder} contains an unfinished run; continue it with resume=True, name "
                    "another folder, or delete its files",
                    "checkpoint",
                )
            self.path.unlink()
            return
        for name in sorted({*options, *self.options}):
            was, now = options.get(name), self.options.get(name)
            if was != now:
                raise InputError(
                    f"{self.path}: {name} is {now} now and was {was} when the checkpoint was written; use the old "
                    "value to resume, or start a new run in another folder"
                )
        self.model, self.seen, self.expected = model, rows, sha256

    def unseen(self, X: Any, y: Any) -> tuple[Any, Any]:
        """Return the rows of the next chunk that the checkpoint has not seen; raise InputError for another input."""
        before, n = self.digest.rows, len(y)
        if before >= self.seen:
            self.digest.add(X, y)
            return X, y
        cut = min(n, self.seen - before)
        self.digest.add(X[:cut], y[:cut])
        if self.digest.rows == self.seen and self.digest.hexdigest() != self.expected:
            raise InputError(
                f"{self.path}: the first {self.seen:,} rows of the stream are not those that the checkpoint has seen; "
                "give the stream from its beginning, or start a new run in another folder"
            )
        if cut < n:
            self.digest.add(X[cut:], y[cut:])
        return X[cut:], y[cut:]

    def check_all_read(self) -> None:
        """Raise InputError if the stream ended before the rows that the checkpoint has seen."""
        if self.digest.rows < self.seen:
            raise InputError(
                f"{self.path}: the stream has {self.digest.rows:,} rows, and the checkpoint has seen {self.seen:,}; "
                "give the stream from its beginning"
            )

    def write(self, clf: Any, preparation: Any, ended: bool = False) -> None:
        """Write the model after the rows so far, if it is time. ended: whether these are all rows."""
        began = time.perf_counter()
        if not ended and began < self.due:
            return
        record, tensors = record_of(clf, True, preparation())
        seen = {"rows": self.digest.rows, "sha256": self.digest.hexdigest(), "ended": ended, "options": self.options}
        record["stream"] = record["stream"] | {INPUT: seen}
        save_file(self.path, FORMAT, record, tensors)
        now = time.perf_counter()
        self.due = now + max(AT_LEAST, SHARE * (now - began))
