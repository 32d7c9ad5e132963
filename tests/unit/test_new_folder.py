"""A folder that appears with all of its files, or not at all."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from novikoff.errors import InputError
from novikoff.records.atomic_write import new_folder, replacing_bytes


def test_it_appears_when_all_files_are_there(tmp_path: Path) -> None:
    with new_folder(tmp_path / "out") as draft:
        (draft / "a").write_text("1")
        assert not (tmp_path / "out").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert (tmp_path / "out" / "a").read_text() == "1"


def test_an_error_inside_names_the_target_and_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full_disk(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("novikoff.records.atomic_write.os.fsync", full_disk)
    with (
        pytest.raises(InputError) as raised,
        new_folder(tmp_path / "out") as draft,
        replacing_bytes(draft / "a") as file,
    ):
        file.write(b"1")
    assert str(raised.value).startswith(f"{tmp_path / 'out' / 'a'}: cannot be written (No space left on device)")
    assert list(tmp_path.iterdir()) == []
