"""The kernel cache: which folders and files are used, which are not, and that nothing depends on having one."""

from __future__ import annotations

import hashlib
import os
import pickle
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
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
from novikoff.kernels import cache_folders, compile as door, dense, kernel_cache

ME = os.geteuid() if hasattr(os, "geteuid") else None
SQUARE = """
import numpy as np
from novikoff.kernels.compile import bind
from novikoff.kernels import dense
square = bind(dense.square, dense)
assert [square(np.array([[3, 4]], kind), 0) for kind in ('f8', 'i1')] == [25.0, 25.0]
print(sum(square.stats.cache_hits.values()))
"""
LEAF = """
import numpy as np
from novikoff.kernels.compile import bind
from novikoff.kernels import dense, row_signs
out = np.zeros(1)
bind(row_signs.row_scores, dense)(np.ones((1, 2)), 0, 1, np.ones(2), np.ones(2), 0.0, 0.0, out)
print(int(out[0]))
"""
shared_folder = pytest.fixture(folder_for_all)
Spoil = Callable[[Path], object]


# ---- folders and files


def linked(folder: Path) -> None:
    folder.rename(folder.with_name("real"))
    folder.symlink_to(folder.with_name("real"))


def owned(path: Path) -> None:
    os.chown(path, NOBODY, NOBODY)


SPOILT: dict[str, Spoil] = {  # only the first two are safe
    "as it is": lambda folder: None,
    "sticky above": lambda folder: folder.parent.chmod(0o1777),
    "others write": lambda folder: folder.chmod(0o707),
    "a group writes": lambda folder: folder.chmod(0o770),
    "sticky": lambda folder: folder.chmod(0o1777),
    "others write above": lambda folder: folder.parent.chmod(0o777),
    "a group writes above": lambda folder: folder.parent.chmod(0o775),
    "a link": linked,
    "a link above": lambda folder: linked(folder.parent),
    "of another": owned,
    "of another above": lambda folder: owned(folder.parent),
}
SPOIL = [pytest.param(name, marks=as_root if "of another" in name else ()) for name in SPOILT]


@posix
@pytest.mark.parametrize("spoil", SPOIL)
def test_a_folder_is_safe_if_only_its_user_can_have_written_there(spoil: str, tmp_path: Path) -> None:
    folder = tmp_path / "above" / "cache"
    folder.mkdir(parents=True)
    SPOILT[spoil](folder)
    assert cache_folders.is_safe(str(folder), ME, 0o700) == (spoil in ("as it is", "sticky above"))


@posix
def test_missing_folders_are_made_for_their_user_alone_and_not_where_it_is_not_safe(tmp_path: Path) -> None:
    assert cache_folders.is_safe("/usr", UNKNOWN, 0o700)
    assert not cache_folders.is_safe("/tmp", UNKNOWN, 0o700)
    folder, before = tmp_path / "above" / "cache", os.umask(0o002)
    try:
        assert cache_folders.is_safe(str(folder), ME, 0o700)
    finally:
        os.umask(before)
    assert [path.stat().st_mode & 0o7777 for path in (folder, folder.parent)] == [0o700, 0o700]
    open_to_all = tmp_path / "open"
    open_to_all.mkdir()
    open_to_all.chmod(0o777)
    assert not cache_folders.is_safe(str(open_to_all / "above" / "cache"), ME, 0o700)
    assert not list(open_to_all.iterdir())


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


@posix
def test_a_file_that_others_can_have_written_is_not_read(tmp_path: Path) -> None:
    path, link = tmp_path / "code", tmp_path / "link"
    path.write_bytes(b"code")
    link.symlink_to(path)
    assert cache_folders.bytes_of(str(path)) == b"code"
    assert cache_folders.bytes_of(str(link)) == cache_folders.bytes_of(str(tmp_path)) == b""
    for mode in (0o620, 0o602):
        path.chmod(mode)
        assert cache_folders.bytes_of(str(path)) == b""
    if ME == 0:
        path.chmod(0o600)
        owned(path)
        assert cache_folders.bytes_of(str(path)) == b""


@posix
@pytest.mark.parametrize(("folder", "file"), [(0o700, 0o600), (0o755, 0o644), (0o775, 0o644)])
def test_a_file_is_read_by_whoever_reads_its_folder_and_written_by_its_owner(
    folder: int, file: int, tmp_path: Path
) -> None:
    tmp_path.chmod(folder)
    before = os.umask(0)
    try:
        for content in (b"1", b"2"):
            cache_folders.replace_file(str(tmp_path), "code", content)
    finally:
        os.umask(before)
    assert (tmp_path / "code").read_bytes() == b"2"
    assert (tmp_path / "code").stat().st_mode & 0o7777 == file
    (tmp_path / "folder").mkdir()
    with pytest.raises(IsADirectoryError):
        cache_folders.replace_file(str(tmp_path), "folder", b"1")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["code", "folder"]


@pytest.mark.compiled
def test_a_cache_that_cannot_be_written_stops_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(kernel_cache, "replace_file", full)
    monkeypatch.setattr(kernel_cache, "bytes_of", lambda _: b"")
    assert door.bind.__wrapped__(dense.square, dense)(np.array([[3.0, 4.0]]), 0) == 25.0


# ---- whole programs


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A package in a folder that a group may write to, which is no place for a cache."""
    return copy_of_package(tmp_path_factory.mktemp("copy"), 0o775)


@pytest.fixture(scope="module")
def filled(package: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the code of a kernel for two signatures."""
    folder = tmp_path_factory.mktemp("filled") / "cache"
    assert hits(package, NUMBA_CACHE_DIR=str(folder)) == 0
    assert len(list(folder.rglob("*.nbc"))) == 2
    return folder


@pytest.fixture
def cache(filled: Path, tmp_path: Path) -> Path:
    """A copy of the folder."""
    return Path(shutil.copytree(filled, tmp_path / "above" / "cache"))


def hits(package: Path, user: int | None = None, cwd: Path | None = None, program: str = SQUARE, **more: str) -> int:
    """What a program prints: how much code it took from the cache, of two signatures."""
    nowhere = {"HOME": str(package / "no home")}
    done = python_as(user, ["-c", program], cwd or package, environment(package, **nowhere | more))
    assert done.returncode == 0, done.stderr
    return int(done.stdout)


@posix
@pytest.mark.compiled
@pytest.mark.parametrize("spoil", [SPOIL[k] for k in (0, 3, 8, 9)])
def test_code_in_a_folder_that_is_not_safe_is_not_used(spoil: str, package: Path, cache: Path) -> None:
    SPOILT[spoil](cache)
    assert hits(package, NUMBA_CACHE_DIR=str(cache)) == (2 if spoil == "as it is" else 0)


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
    code = pickle.dumps((Planted(tmp_path / "ran"), b""))
    for path in cache.rglob("*.nbc"):
        head = path.read_bytes().partition(b"\n")[0] + b"\n"
        head = {"no head": b"", "another head": head.replace(b'", "', b'", "1', 1), "another owner": head}[kind]
        path.write_bytes(head + hashlib.sha256(code).digest() + code)
        if kind == "another owner":
            owned(path)
    assert hits(package, NUMBA_CACHE_DIR=str(cache)) == 0
    assert not (tmp_path / "ran").exists()


@pytest.mark.compiled
def test_code_that_is_damaged_or_of_another_kernel_is_compiled_again(package: Path, cache: Path) -> None:
    """Cut off, emptied, flipped, or with the code of another signature under its name, as two processes leave it."""
    files = sorted(cache.rglob("*.nbc"))
    whole = [path.read_bytes() for path in files]
    flipped = whole[0][:-9] + bytes([whole[0][-9] ^ 1]) + whole[0][-8:]
    for bad in (b"", whole[0][:100], flipped, whole[1]):
        files[0].write_bytes(bad)
        assert hits(package, NUMBA_CACHE_DIR=str(cache)) == 1
    assert hits(package, NUMBA_CACHE_DIR=str(cache)) == 2


@pytest.mark.compiled
def test_an_edited_leaf_is_noticed_by_kernels_in_other_files(tmp_path: Path) -> None:
    """Numba's own cache would go on using the old leaf inside the cached caller."""
    package, cache = copy_of_package(tmp_path, 0o755), {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    assert hits(package, program=LEAF, **cache) == 2
    leaf = package / "kernels" / "dense.py"
    text = leaf.read_text()
    edited = text.replace("        s += v[j] * x\n        q", "        s += v[j] * x + 10.0\n        q", 1)
    assert edited != text
    leaf.write_text(edited)
    assert hits(package, program=LEAF, **cache) == 22


@pytest.mark.compiled
def test_code_with_checked_bounds_has_files_of_its_own(package: Path, cache: Path) -> None:
    checked = [hits(package, NUMBA_CACHE_DIR=str(cache), NUMBA_BOUNDSCHECK="1") for _ in range(2)]
    assert (checked, hits(package, NUMBA_CACHE_DIR=str(cache))) == ([0, 2], 2)


@posix
@pytest.mark.compiled
@pytest.mark.parametrize("shared", [False, True])
def test_where_a_group_may_write_to_the_package_the_home_has_the_cache(
    shared: bool, package: Path, tmp_path: Path
) -> None:
    """A ~/.cache that a group may write to is passed over as well, and a relative folder is not used."""
    if shared:
        (tmp_path / ".cache").mkdir()
        (tmp_path / ".cache").chmod(0o775)
    folder = tmp_path / (".novikoff" if shared else ".cache/novikoff")
    assert [hits(package, HOME=str(tmp_path)) for _ in range(2)] == [0, 2]
    modes = {path.stat().st_mode & 0o7777 for path in folder.iterdir()}
    assert (folder.stat().st_mode & 0o7777, modes) == (0o700, {0o600})
    here = tmp_path / "here"
    here.mkdir()
    assert hits(package, cwd=here, NUMBA_CACHE_DIR="cache", HOME="home", XDG_CACHE_HOME="xdg") == 0
    assert not list(here.iterdir())


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
    assert hits(package, UNKNOWN) == 2
    for path in package.glob("__pycache__/*.nbc"):
        path.write_bytes(path.read_bytes()[:-1])
    assert [hits(package, user) for user in (UNKNOWN, None, UNKNOWN)] == [0, 0, 2]


# ---- what needs no compiled code

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
    table.write_text("x,y,label\n1,2,a\n2,1,a\n-1,-2,b\n-2,-1,b\n")
    assert novikoff("fit", table, "-o", model).code == 0
    args = [verb, str(model), str(table)] if verb == "predict" else [verb, str(table)]
    done = python_as(None, ["-c", LOADED, *args], tmp_path, environment(PACKAGE))
    assert (done.returncode, done.stderr.split()[-1]) == (0, "False"), done.stderr
