"""What a command writes: never an input, never another output, and with the permissions that were there."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import click
import numpy as np
import pytest

import novikoff as nv
from commands import novikoff
from novikoff.cli import commands
from novikoff.cli.options.output_files import Output, OutputFolder
from novikoff.errors import InputError
from novikoff.records.atomic_write import keep_access, replace_file

READ = {
    "data",
    "model",
    "certificate",
    "source",
    "test_file",
    "valid_file",
    "spill",
}  # the parameters that name what is read
POSIX = pytest.mark.skipif(os.name != "posix", reason="permissions of another kind")


COMMANDS = dict(commands())


def verb(name: str) -> click.Command:
    return COMMANDS[name]


def paths(name: str) -> list[click.Parameter]:
    return [param for param in verb(name).params if isinstance(param.type, click.Path)]


OUTPUTS = [(name, param.name) for name in COMMANDS for param in paths(name) if isinstance(param.type, Output)]
PAIRS = [
    (name, written.name, read.name)
    for name in COMMANDS
    for written in paths(name)
    for read in paths(name)
    if isinstance(written.type, Output) and not isinstance(read.type, Output)
]
TWO = [
    (name, one.name, other.name)
    for name in COMMANDS
    for k, one in enumerate(paths(name))
    for other in paths(name)[:k]
    if isinstance(one.type, Output) and isinstance(other.type, Output)
]


def test_every_path_of_a_verb_is_declared_as_read_or_written() -> None:
    """A new parameter is put into one of the two lists, and what is written is then guarded."""
    read = {param.name for name in COMMANDS for param in paths(name) if not isinstance(param.type, Output)}
    assert read == READ
    assert {(verb, name) for verb, name in OUTPUTS} == {
        *{("fit", "output"), ("fit", "checkpoint"), ("predict", "output"), ("convert", "target")},
        *{("trace", "csv_file"), ("trace", "latex_file"), ("certify", "output"), ("verify", "checker")},
        *{
            ("margin", "output"),
            ("separation", "output"),
            ("theory capacity", "csv_file"),
        },
        *{("theory experiment", "csv_file")},
        *{("fit", "plot_file"), ("theory capacity", "plot_file")},
        *{("report", "output"), ("trace", "html_file")},
    }


def typed(name: str, **given: str) -> list[str]:
    """A command with these values; other required parameters name files that are not there."""
    words, last = name.split(), []
    for param in verb(name).params:
        missing = param.type.choices[0] if isinstance(param.type, click.Choice) else "no-such-file"
        value = given.get(param.name or "", missing if param.required else None)
        if value is not None and isinstance(param, click.Argument):
            last.append(value)
        elif value is not None:
            words += [param.opts[-1], value]
    return [*words, *last]


def in_place(path: str, name: str, param: str) -> str:
    """The file that an output of this value writes."""
    kind = next(p.type for p in paths(name) if p.name == param)
    return f"{path}/run.ckpt" if isinstance(kind, OutputFolder) else path


@pytest.mark.parametrize(("name", "written", "read"), PAIRS)
@pytest.mark.parametrize("how", ["same", "link", "hard", "dots"])
def test_no_output_is_an_input(
    name: str, written: str, read: str, how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    source = tmp_path / in_place("out", name, written)
    source.parent.mkdir(exist_ok=True)
    source.write_text("a,b,label\n1,2,x\n3,4,y\n")
    if how == "link":
        (tmp_path / "other").symlink_to(source)
    elif how == "hard":
        os.link(source, tmp_path / "other")
    near = os.path.relpath(source)
    value = {"same": near, "dots": f"../{tmp_path.name}/{near}", "link": "other", "hard": "other"}[how]
    info = novikoff(*typed(name, **{written: "out", read: value}))
    assert (info.code, info.out) == (2, ""), info.err
    assert "this command reads it" in info.err
    assert source.read_text() == "a,b,label\n1,2,x\n3,4,y\n"


@pytest.mark.parametrize(("name", "one", "other"), TWO)
@pytest.mark.parametrize("how", ["same", "dots", "link", "hard"])
def test_no_two_outputs_are_the_same_file(
    name: str, one: str, other: str, how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where neither is there yet."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "q").mkdir()
    files = [in_place("q", name, param) if in_place("q", name, param) != "q" else "q/run.ckpt"
             for param in (one, other)]  # fmt: skip
    second = {"same": files[1], "dots": f"q/../{files[1]}", "link": "link", "hard": "hard"}[how]
    if how == "link":
        (tmp_path / "link").symlink_to(tmp_path / files[0])
    elif how == "hard":
        (tmp_path / files[0]).write_text("old")
        os.link(tmp_path / files[0], tmp_path / "hard")
    values = dict(zip((one, other), (files[0], second), strict=True))
    for param in (one, other):
        if in_place("q", name, param) != "q":
            values[param] = "q"  # the folder of its file
            values[other if param == one else one] = second
    points = ["--example", "or"] if any(param.name == "example" for param in verb(name).params) else []
    info = novikoff(*typed(name, **values), *points)
    assert (info.code, info.out) == (2, ""), info.err
    assert "would take the place of" in info.err
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted({"q"} | ({how} & {"link", "hard"}))


def test_a_certificate_outlives_the_checker_and_devices_take_any_number_of_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("or.csv").write_text("a,b,label\n0,0,no\n1,0,yes\n0,1,yes\n1,1,yes\n")
    assert novikoff("certify", "or.csv", "-o", "proof.json").code == 0
    before = Path("proof.json").read_bytes()
    for name in ("proof.json", "or.csv"):
        assert novikoff("verify", "proof.json", "or.csv", "--checker", name).code == 2
    assert Path("proof.json").read_bytes() == before
    assert novikoff("verify", "proof.json", "or.csv").code == 0
    assert novikoff("verify", "proof.json").code == 2
    info = novikoff("trace", "--example", "or", "--csv", os.devnull, "--latex", os.devnull)
    assert info.code == 0, info.err


# ---- permissions -----------------------------------------------------------------------------------------------------


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def by_predict(path: Path) -> None:
    folder = path.parent
    (folder / "in.csv").write_text("a,label\n1,x\n2,y\n")
    assert novikoff("fit", folder / "in.csv", "-o", folder / "by.nvk", "--quiet").code == 0
    info = novikoff("predict", folder / "by.nvk", folder / "in.csv", "-o", path, "--quiet")
    if info.code:
        raise InputError(info.err)


def by_save(path: Path) -> None:
    nv.save(nv.Perceptron().fit(*nv.example("or")), path)


def by_certificate(path: Path) -> None:
    nv.decide(*nv.example("or")).save(path)


WRITERS = {"predict": by_predict, "save": by_save, "certificate": by_certificate}


@POSIX
@pytest.mark.parametrize("writer", WRITERS)
def test_a_file_that_is_replaced_keeps_its_permissions(writer: str, tmp_path: Path) -> None:
    write: Callable[[Path], None] = WRITERS[writer]
    before = os.umask(0o022)
    try:
        for number, given in enumerate((0o600, 0o640, 0o666, 0o755)):
            path = tmp_path / f"file-{number}"
            path.touch()
            path.chmod(given)
            write(path)
            assert mode(path) == given
            assert path.stat().st_size
        for number, umask in enumerate((0o022, 0o077)):
            os.umask(umask)
            path = tmp_path / f"new-{number}"
            write(path)
            assert mode(path) == 0o666 & ~umask
    finally:
        os.umask(before)


@POSIX
@pytest.mark.parametrize("writer", WRITERS)
def test_a_read_only_file_is_not_replaced_even_by_root(writer: str, tmp_path: Path) -> None:
    path = tmp_path / "kept"
    path.write_text("kept")
    path.chmod(0o444)
    with pytest.raises(InputError, match=r"read-only\); make it writable \(chmod u\+w\), or name another file"):
        WRITERS[writer](path)
    assert (path.read_text(), mode(path)) == ("kept", 0o444)
    assert not list(tmp_path.glob(".*.part"))


@POSIX
@pytest.mark.parametrize(("name", "param"), OUTPUTS)
def test_a_read_only_output_is_told_before_anything_is_read(
    name: str, param: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    place = Path(in_place("out", name, param))
    place.parent.mkdir(exist_ok=True)
    place.write_text("kept")
    place.chmod(0o444)
    info = novikoff(*typed(name, **{param: "out"}))
    assert (info.code, info.out) == (3, ""), info.err
    assert f"{place}: cannot be written (it is read-only)" in info.err
    assert place.read_text() == "kept"


@POSIX
@pytest.mark.parametrize("named", [True, False])
def test_what_is_being_written_is_seen_by_nobody_who_could_not_see_the_file(
    named: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The draft beside a private file is private from the beginning, or has no name."""
    from novikoff.records.atomic_write import replacing_bytes

    path = tmp_path / "private"
    path.touch(0o600)
    path.chmod(0o600)
    if named:
        monkeypatch.delattr(os, "O_TMPFILE", raising=False)
    with replacing_bytes(path) as file:
        file.write(b"secret")
        drafts = list(tmp_path.glob(".private.*.part"))
        assert len(drafts) == (1 if named or not hasattr(os, "O_TMPFILE") else 0)
        assert stat.S_IMODE(os.fstat(file.fileno()).st_mode) == 0o600
    assert path.read_bytes() == b"secret"


@POSIX
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives files away")
def test_the_owner_is_kept_and_a_group_that_cannot_be_kept_sees_no_more_than_others() -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)  # for another user, too
        path = Path(folder) / "theirs"
        path.touch()
        path.chmod(0o640)
        os.chown(path, 12345, 23456)
        replace_file(path, "new")
        there = path.stat()
        assert (there.st_uid, there.st_gid, mode(path)) == (12345, 23456, 0o640)
        before = os.umask(0o022)
        child = os.fork()
        if not child:  # the owner, who is not in that group
            try:
                os.setgroups([])
                os.setgid(777)
                os.setuid(12345)
                replace_file(path, "newer")
                os._exit(0)
            finally:
                os._exit(1)
        assert os.waitpid(child, 0)[1] == 0
        os.umask(before)
        assert (path.read_text(), path.stat().st_gid, mode(path)) == ("newer", 777, 0o600)


@POSIX
def test_access_is_kept_for_folders_too(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    old.mkdir()
    new.mkdir()
    old.chmod(0o700)
    keep_access(new, old)
    assert mode(new) == 0o700


def test_the_same_bytes_as_ever(tmp_path: Path) -> None:
    """A replaced file holds what was written, all of it."""
    data = np.random.default_rng(0).bytes(1 << 20)
    for _ in range(2):
        replace_file(tmp_path / "file", data)
        assert (tmp_path / "file").read_bytes() == data
    assert json.dumps(os.listdir(tmp_path)) == '["file"]'


def test_standard_input_is_an_input(tmp_path: Path) -> None:
    path = tmp_path / "a.svm"
    path.write_text("1 1:1\n0 2:1\n")
    command = [sys.executable, "-m", "novikoff", "fit", "-", "--format", "svm", "-o", str(path)]
    with path.open() as file:
        done = subprocess.run(command, stdin=file, capture_output=True, text=True, timeout=120)
    assert done.returncode == 2
    assert "as standard input" in done.stderr
    assert path.read_text() == "1 1:1\n0 2:1\n"


def test_a_model_may_be_written_again_into_the_folder_of_temporary_files(tmp_path: Path) -> None:
    for _ in range(2):
        done = novikoff("fit", "--example", "or", "--spill", tmp_path, "-o", tmp_path / "m.nvk", "--quiet")
        assert done.code == 0, done.err
