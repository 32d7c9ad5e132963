"""Commands as another user: one that the system does not know, without a home, as containers have them."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

import novikoff

PACKAGE = Path(novikoff.__file__).parent
UNKNOWN = 12345  # a uid that no user has
NOBODY = 65534
posix = pytest.mark.skipif(os.name != "posix", reason="owners and modes of files are POSIX's")
as_root = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files away, or run as another user"
)
WITHOUT = ("XDG_CACHE_HOME", "NUMBA_CACHE_DIR", "NUMBA_DISABLE_JIT", "PYTHONPYCACHEPREFIX")


def environment(package: Path, **more: str) -> dict[str, str]:
    """No home and no cache folder but those that are named here; the package of this folder."""
    own = {name: value for name, value in os.environ.items() if name not in WITHOUT}
    fixed = {"PYTHONPATH": str(package.parent), "PYTHONDONTWRITEBYTECODE": "1", "HOME": "/nonexistent"}
    return own | fixed | more


def python_as(
    user: int | None, args: Sequence[str], cwd: Path, env: dict[str, str]
) -> subprocess.CompletedProcess[str]:
    """`python ARGS` as this user, for whom HOME is not set, or as oneself for None.

    With little memory a thread may end before it has started, and CPython then waits in `Thread.start` for ever
    (https://github.com/python/cpython/issues/140746): a process that takes minutes is such a one.
    """
    before = ["env", "-u", "HOME", *_before(user)] if user is not None else []
    return subprocess.run(
        [*before, sys.executable, *args], capture_output=True, text=True, cwd=cwd, env=env, check=False, timeout=300
    )


@functools.cache
def _before(user: int) -> list[str]:
    """What makes a command another user's; where Python is in root's own folder, the user may read everything."""
    if shutil.which("setpriv") is None:
        pytest.skip("setpriv (util-linux) is not there to run a command as another user")
    same = [sys.executable, "-c", f"import numpy, sys; sys.exit(sys.version != {sys.version!r})"]  # and its packages
    plain = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"]
    if subprocess.run([*plain, *same], capture_output=True, check=False).returncode == 0:
        return plain
    reading = [*plain, "--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"]
    if subprocess.run([*reading, *same], capture_output=True, check=False).returncode:
        pytest.skip("another user cannot run this Python")
    return reading


def folder_for_all() -> Iterator[Path]:
    """A folder that every user can reach, only its owner can write to, and that is gone afterwards; for a fixture."""
    folder = Path(tempfile.mkdtemp(prefix="novikoff-test-")).resolve()
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


def copy_of_package(folder: Path, mode: int) -> Path:
    """The package, without what was compiled, below a folder; its own folder gets this mode."""
    copy = folder / "package" / "novikoff"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    copy.chmod(mode)
    return copy
