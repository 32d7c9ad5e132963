"""Commands of `novikoff` carried out in this process: the exit code, the answer, and what is said besides."""

from __future__ import annotations

import contextlib
import io
import json
from typing import Any, NamedTuple

from novikoff.cli import main


class Told(NamedTuple):
    """What a command told."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def novikoff(*args: object) -> Told:
    """`novikoff ARGS`; a fault of ours is raised, not told."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main([str(arg) for arg in args])
    return Told(code, out.getvalue(), err.getvalue())


def answer(*args: object, code: int = 0) -> Any:
    """The JSON document of a command that ends with this code."""
    info = novikoff(*args, "--json")
    assert info.code == code, info.err
    return info.json
