"""The kernel cache: which folders and files are used, which are not, and that nothing depends on having one."""

from __future__ import annotations

import hashlib
import os
import pickle
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from commands import novikoff
from damage.another_user import (
    NOBODY,
    PACKAGE,
    UNKNOWN,
    as_root,
    copy_of_package,
    environment,
    folder_for_all,
    posix,
    python_as,
)
from data.kernel_mode import RunKernels
from novikoff.io.csv_tsv import Table
from novikoff.io.svmlight import Svmlight
from novikoff.kernels import cache_folders

ME = os.geteuid() if hasattr(os, "geteuid") else None
HITS = """
import numpy as np
from novikoff.kernels.compile import bind
from novikoff.kernels import dense
square = bind(dense.square, dense)
assert square(np.array([[3.0, 4.0]]), 0) == 25.0
print(sum(square.stats.cache_hits.values()))
"""
shared_folder = pytest.fixture(folder_for_all)


# ---- folders


def spoil_nothing(folder: Path) -> None:
    """As it should be."""


def sticky_above(folder: Path) -> None:
    folder.parent.chmod(0o1777)


def others_write(folder: Path) -> None:
    folder.chmod(0o707)


def group_writes(folder: Path) -> None:
    folder.chmod(0o770)


def sticky(folder: Path) -> None:
    folder.chmod(0o1777)


def others_write_above(folder: Path) -> None:
    folder.parent.chmod(0o777)


def group_writes_above(folder: Path) -> None:
    folder.parent.chmod(0o775)


def a_link(folder: Path) -> None:
    folder.rename(folder.with_name("real"))
    folder.symlink_to(folder.with_name("real"))


def a_link_above(folder: Path) -> None:
    above = folder.parent
    above.rename(above.with_name("real"))
    above.symlink_to(above.with_name("real"))


def of_another(folder: Path) -> None:
    os.chown(folder, NOBODY, NOBODY)


def of_another_above(folder: Path) -> None:
    os.chown(folder.parent, NOBODY, NOBODY)


BAD = [others_write, group_writes, sticky, others_write_above, group_writes_above, a_link, a_link_above]
FOREIGN = [pytest.param(f, marks=as_root) for f in (of_another, of_another_above)]


@posix
@pytest.mark.parametrize("spoil", [spoil_nothing, sticky_above, *BAD, *FOREIGN])
def test_a_folder_is_safe_if_only_its_user_can_have_written_there(
    spoil: Callable[[Path], None], tmp_path: Path
) -> None:
    folder = tmp_path / "above" / "cache"
    folder.mkdir(parents=True)
    spoil(folder)
    assert cache_folders.is_safe(str(folder), ME, 0o700) == (spoil in (spoil_nothing, sticky_above))


@posix
def test_a_folder_of_root_is_safe_for_others_and_one_of_theirs_is_not_for_root() -> None:
    assert cache_folders.is_safe("/usr", UNKNOWN, 0o700)
    assert not cache_folders.is_safe("/tmp", UNKNOWN, 0o700)


@posix
def test_missing_folders_are_made_for_their_user_alone(tmp_path: Path) -> None:
    folder = tmp_path / "above" / "cache"
    before = os.umask(0o002)
    try:
        assert cache_folders.is_safe(str(folder), ME, 0o700)
    finally:
        os.umask(before)
    assert [path.stat().st_mode & 0o7777 for path in (folder, folder.parent)] == [0o700, 0o700]


@posix
def test_nothing_is_made_in_a_folder_that_is_not_safe(tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    assert not cache_folders.is_safe(str(tmp_path / "above" / "cache"), ME, 0o700)
    assert not list(tmp_path.iterdir())


def test_without_owners_a_folder_is_safe_below_the_users_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on Windows."""
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "local"))
    assert cache_folders.is_safe(str(tmp_path / "local" / "novikoff"), None, 0o700)
    assert not cache_folders.is_safe(str(tmp_path / "elsewhere"), None, 0o700)
    assert not (tmp_path / "elsewhere").exists()
    (tmp_path / "local" / "link").symlink_to(tmp_path)
    assert not cache_folders.is_safe(str(tmp_path / "local" / "link" / "cache"), None, 0o700)
    monkeypatch.delenv("LOCALAPPDATA")
    assert not cache_folders.is_safe(str(tmp_path / "local" / "novikoff"), None, 0o700)


# ---- files


@posix
def test_a_file_that_others_can_have_written_is_not_read(tmp_path: Path) -> None:
    path, link = tmp_path / "code", tmp_path / "link"
    path.write_bytes(b"code")
    link.symlink_to(path)
    assert cache_folders.bytes_of(str(path)) == b"code"
    assert cache_folders.bytes_of(str(link)) == b""
    assert cache_folders.bytes_of(str(tmp_path)) == b""
    for mode in (0o620, 0o602):
        path.chmod(mode)
        assert cache_folders.bytes_of(str(path)) == b""


@as_root
def test_a_file_of_another_user_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "code"
    path.write_bytes(b"code")
    os.chown(path, NOBODY, NOBODY)
    assert cache_folders.bytes_of(str(path)) == b""


@posix
@pytest.mark.parametrize(("folder", "file"), [(0o700, 0o600), (0o755, 0o644), (0o775, 0o644)])
def test_a_file_is_read_by_whoever_reads_its_folder_and_written_by_its_owner(
    folder: int, file: int, tmp_path: Path
) -> None:
    tmp_path.chmod(folder)
    before = os.umask(0)
    try:
        cache_folders.replace_file(str(tmp_path), "code", b"1")
        cache_folders.replace_file(str(tmp_path), "code", b"2")
    finally:
        os.umask(before)
    assert [path.name for path in tmp_path.iterdir()] == ["code"]
    assert (tmp_path / "code").read_bytes() == b"2"
    assert (tmp_path / "code").stat().st_mode & 0o7777 == file


@posix
def test_a_failed_write_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "code").mkdir()
    with pytest.raises(IsADirectoryError):
        cache_folders.replace_file(str(tmp_path), "code", b"1")
    assert [path.name for path in tmp_path.iterdir()] == ["code"]


# ---- whole programs


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A package in a folder that a group may write to, which is no place for a cache."""
    return copy_of_package(tmp_path_factory.mktemp("copy"), 0o775)


@pytest.fixture(scope="module")
def filled(package: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the code of one kernel."""
    folder = tmp_path_factory.mktemp("filled") / "cache"
    assert hits(package, NUMBA_CACHE_DIR=str(folder)) == 0
    assert len(list(folder.rglob("*.nbc"))) == 1
    return folder


@pytest.fixture
def cache(filled: Path, tmp_path: Path) -> Path:
    """A copy of the folder."""
    return Path(shutil.copytree(filled, tmp_path / "above" / "cache"))


def hits(package: Path, user: int | None = None, cwd: Path | None = None, **more: str) -> int:
    """How many kernels a program took from the cache, one or none."""
    done = python_as(user, ["-c", HITS], cwd or package, environment(package, **more))
    assert done.returncode == 0, done.stderr
    return int(done.stdout)


@posix
@pytest.mark.compiled
@pytest.mark.parametrize("spoil", [spoil_nothing, group_writes, a_link_above, pytest.param(of_another, marks=as_root)])
def test_code_in_a_folder_that_is_not_safe_is_not_used(
    spoil: Callable[[Path], None], package: Path, cache: Path
) -> None:
    spoil(cache)
    assert hits(package, NUMBA_CACHE_DIR=str(cache)) == (spoil is spoil_nothing)


class Planted:
    """What makes a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        return os.mkdir, (str(self.path),)


@posix
@pytest.mark.compiled
@pytest.mark.parametrize("kind", ["no head", "another head", pytest.param("another owner", marks=as_root)])
def test_planted_code_does_not_run(kind: str, package: Path, cache: Path, tmp_path: Path) -> None:
    (path,) = cache.rglob("*.nbc")
    head = path.read_bytes().partition(b"\n")[0] + b"\n"
    code = pickle.dumps((Planted(tmp_path / "ran"), b""))
    whole = hashlib.sha256(code).digest() + code
    path.write_bytes(
        {"no head": b"", "another head": head.replace(b'", "', b'", "1', 1), "another owner": head}[kind] + whole
    )
    if kind == "another owner":
        os.chown(path, NOBODY, NOBODY)
    assert hits(package, NUMBA_CACHE_DIR=str(cache)) == 0
    assert not (tmp_path / "ran").exists()


@pytest.mark.compiled
def test_code_with_checked_bounds_has_files_of_its_own(package: Path, cache: Path) -> None:
    assert hits(package, NUMBA_CACHE_DIR=str(cache), NUMBA_BOUNDSCHECK="1") == 0
    assert hits(package, NUMBA_CACHE_DIR=str(cache), NUMBA_BOUNDSCHECK="1") == 1
    assert hits(package, NUMBA_CACHE_DIR=str(cache)) == 1


@posix
@pytest.mark.compiled
@pytest.mark.parametrize("shared", [False, True])
def test_where_a_group_may_write_to_the_package_the_home_has_the_cache(
    shared: bool, package: Path, tmp_path: Path
) -> None:
    """A ~/.cache that a group may write to is passed over as well."""
    if shared:
        (tmp_path / ".cache").mkdir()
        (tmp_path / ".cache").chmod(0o775)
    folder = tmp_path / (".novikoff" if shared else ".cache/novikoff")
    assert [hits(package, HOME=str(tmp_path)) for _ in range(2)] == [0, 1]
    (path,) = folder.iterdir()
    assert (folder.stat().st_mode & 0o7777, path.stat().st_mode & 0o7777) == (0o700, 0o600)


@pytest.mark.compiled
def test_a_relative_folder_is_not_used(package: Path, tmp_path: Path) -> None:
    assert hits(package, cwd=tmp_path, NUMBA_CACHE_DIR="cache", HOME="home", XDG_CACHE_HOME="xdg") == 0
    assert not list(tmp_path.iterdir())


@as_root
@pytest.mark.compiled
@pytest.mark.parametrize("mode", [0o1777, 0o555])
def test_an_unknown_user_without_a_home_compiles_into_memory(mode: int, shared_folder: Path) -> None:
    """The current folder, to which everybody may write or nobody, is left alone."""
    here = shared_folder / "here"
    here.mkdir()
    here.chmod(mode)
    assert hits(copy_of_package(shared_folder, 0o755), UNKNOWN, here) == 0
    assert not list(here.iterdir())


@as_root
@pytest.mark.compiled
def test_a_cache_that_root_has_filled_serves_every_user(shared_folder: Path) -> None:
    """As in an image: beside the package, which another user cannot change."""
    package = copy_of_package(shared_folder, 0o755)
    assert hits(package) == 0
    assert hits(package, UNKNOWN) == 1
    (path,) = package.glob("__pycache__/*.nbc")
    path.write_bytes(path.read_bytes()[:-1])
    assert hits(package, UNKNOWN) == 0
    assert hits(package) == 0
    assert hits(package, UNKNOWN) == 1


# ---- what needs no compiled code


@pytest.mark.compiled
def test_the_interpreter_and_the_compiler_read_the_same(tmp_path: Path, run_kernels: RunKernels) -> None:
    numbers = ["1", "-2.5", ".5", "1e300", "4.9e-324", "0.1", "123456789012345678", "-0", "1e22", "9007199254740993"]
    table, pairs = tmp_path / "t.csv", tmp_path / "t.svm"
    table.write_text("".join(f"{','.join(numbers[k:] + numbers[:k])},{k % 2}\n" for k in range(10)))
    pairs.write_text(
        "".join(f"{k % 2} {' '.join(f'{c}:{x}' for c, x in enumerate(numbers, 1))} # no\n" for k in range(9))
    )
    found = []
    for mode in ("interpreted", "compiled"):
        run_kernels(mode)  # type: ignore[arg-type]
        chunks = [*Table(table).chunks(), *Svmlight(pairs).chunks()]
        found.append(
            [
                (list(c.labels), [a.tobytes() for a in (c.rows if isinstance(c.rows, tuple) else (c.rows,))])
                for c in chunks
            ]
        )
    assert found[0] == found[1]


SMALL = "x,y,label\n1,2,a\n2,1,a\n-1,-2,b\n-2,-1,b\n"
LOADED = """
import sys
from novikoff.cli import main
code = main(sys.argv[1:])
print("numba" in sys.modules, file=sys.stderr)
sys.exit(code)
"""


@pytest.mark.parametrize("verb", ["fit", "certify", "margin", "predict"])
def test_a_small_command_needs_no_compiled_code(verb: str, tmp_path: Path) -> None:
    table, model = tmp_path / "small.csv", tmp_path / "small.nvk"
    table.write_text(SMALL)
    assert novikoff("fit", table, "-o", model).code == 0
    args = [verb, str(model), str(table)] if verb == "predict" else [verb, str(table)]
    done = python_as(None, ["-c", LOADED, *args], tmp_path, environment(PACKAGE))
    assert (done.returncode, done.stderr.split()[-1]) == (0, "False"), done.stderr
