"""The container: safetensors that anyone can read, one JSON record, a checksum; bounded, atomic, the same bytes."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from damage import put_together, taken_apart
from novikoff.errors import InputError
from novikoff.records import container as module
from novikoff.records.container import load_file, pack, save_file, unpack

FORM = "novikoff-model/1"
RECORD = {"words": ["é", '"', "\\"], "numbers": [0.1, -0.0, 5e-324, 2**60], "nothing": None}
TENSORS = {"w": np.array([[0.1, -0.0], [5e-324, 1.7e308]]), "k": np.arange(3), "none": np.zeros((0, 4)),
           "bytes": np.array([-1, 1], np.int8)}  # fmt: skip


def test_what_is_saved_is_what_is_loaded_to_the_bit(tmp_path: Path) -> None:
    digest = save_file(tmp_path / "a", FORM, RECORD, TENSORS)
    found = load_file(tmp_path / "a", FORM)
    assert (found.record, found.sha256) == (RECORD, digest)
    assert json.dumps(found.record) == json.dumps(RECORD)
    for name, tensor in TENSORS.items():
        assert found.tensors[name].dtype == tensor.dtype
        assert found.tensors[name].shape == tensor.shape
        assert found.tensors[name].tobytes() == tensor.tobytes()
        assert found.tensors[name].flags.writeable


def test_any_reader_of_safetensors_reads_it(tmp_path: Path) -> None:
    from safetensors import safe_open

    save_file(tmp_path / "a", FORM, RECORD, TENSORS)
    with safe_open(tmp_path / "a", framework="numpy") as file:
        assert sorted(file.keys()) == sorted(TENSORS)
        assert file.get_tensor("w").tobytes() == TENSORS["w"].tobytes()
        assert json.loads(file.metadata()["novikoff"])["words"] == RECORD["words"]


def test_the_same_contents_make_the_same_bytes_in_every_process() -> None:
    program = "from test_container import *; print(pack(FORM, RECORD, TENSORS).hex())"
    runs = [
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True,
                       env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": _paths()})
        for seed in ("1", "2")
    ]  # fmt: skip
    assert {run.stdout.strip() for run in runs} == {pack(FORM, RECORD, TENSORS).hex()}


def _paths() -> str:
    here = Path(__file__).parent
    return os.pathsep.join([str(here), str(here.parent), *filter(None, sys.path)])


def test_the_digest_is_that_of_the_file_with_zeros_in_its_place() -> None:
    import hashlib

    data = pack(FORM, RECORD, TENSORS)
    digest = unpack(data, FORM).sha256
    assert hashlib.sha256(data.replace(digest.encode(), b"0" * 64)).hexdigest() == digest


@pytest.mark.parametrize(
    ("form", "words"),
    [("novikoff-model/2", "format 'novikoff-model/2'; this version reads novikoff-model/1"),
     ("novikoff-checkpoint/1", "format 'novikoff-checkpoint/1'; 'novikoff-model/1' was expected"),
     ("novikoff-model/x", "'novikoff-model/1' was expected")],
)  # fmt: skip
def test_another_version_or_kind_is_named(form: str, words: str, tmp_path: Path) -> None:
    save_file(tmp_path / "a.nvk", form, RECORD, TENSORS)
    with pytest.raises(InputError, match=words) as caught:
        load_file(tmp_path / "a.nvk", FORM)
    assert "a.nvk" in str(caught.value)


def test_every_cut_and_every_flipped_bit_is_noticed() -> None:
    data = pack(FORM, {"a": 1}, {"w": np.ones(2)})
    for end in range(len(data)):
        with pytest.raises(InputError):
            unpack(data[:end], FORM)
    for at in range(len(data)):
        for bit in range(8):
            with pytest.raises(InputError):
                unpack(data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1 :], FORM)


@pytest.mark.parametrize(
    ("header", "words"),
    [(b"[1]", "not a JSON object"), (b"{}", "not one of novikoff's"), (b"{" * 9, "cannot be read"),
     (b"[" * 200_000, "cannot be read"), (b'{"__metadata__": {"novikoff": 3}}', "not one of novikoff's"),
     (b'{"__metadata__": {"novikoff": "{}", "x": "y"}}', "unknown metadata 'x'"), (b"\xff\xfe\x00", "cannot be read"),
     (b'{"a": 1, "a": 1}', "a name occurs twice"), (b'{"a": NaN}', "no finite number"),
     (b'{"a": 1e999}', "no finite number"), (b'{"a": ' + b"9" * 5000 + b"}", "cannot be read"),
     (b'{"__metadata__": {"novikoff": "[]"}}', "the record is not")],
)  # fmt: skip
def test_a_strange_header_is_refused(header: bytes, words: str, tmp_path: Path) -> None:
    (tmp_path / "a.nvk").write_bytes(len(header).to_bytes(8, "little") + header)
    with pytest.raises(InputError, match=words) as caught:
        load_file(tmp_path / "a.nvk", FORM)
    assert "a.nvk" in str(caught.value)


@pytest.mark.parametrize(
    ("length", "words"), [(2**62, "a header of"), (60_000_000, "at most 50,000,000"), (0, "not a model")]
)
def test_a_length_is_held_against_the_file_before_it_is_read(length: int, words: str, tmp_path: Path) -> None:
    with open(tmp_path / "a.nvk", "wb") as file:
        file.write(length.to_bytes(8, "little"))
        file.truncate(100_000_000)  # a hole: it takes no room on the disk
    with pytest.raises(InputError, match=words):
        load_file(tmp_path / "a.nvk", FORM)


def test_tensors_are_not_read_where_the_header_speaks_of_others(tmp_path: Path) -> None:
    data = pack(FORM, RECORD, TENSORS)
    with open(tmp_path / "a.nvk", "wb") as file:
        file.write(data)
        file.truncate(2**40)  # a tebibyte of holes
    with pytest.raises(InputError, match=r"found 1,099,511,627,776 bytes; 1?,?\d+ were expected"):
        load_file(tmp_path / "a.nvk", FORM)


@pytest.mark.parametrize(
    "entry",
    [
        {"dtype": "BF16"},
        {"dtype": None},
        {"shape": [2, 3]},
        {"shape": [-1]},
        {"shape": [2**70]},
        {"data_offsets": [8, 24]},
        {"data_offsets": [0]},
        {"data_offsets": "x"},
    ],
)
def test_tensors_that_do_not_lie_as_the_header_says_are_refused(entry: dict[str, Any]) -> None:
    header, record, rest = taken_apart(pack(FORM, {}, {"w": np.ones(2)}))
    unpack(put_together(header, record, rest), FORM)
    header["w"] |= entry
    with pytest.raises(InputError):
        unpack(put_together(header, record, rest), FORM)


def test_too_long_a_record_is_not_written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(module, "HEADER", 1000)
    with pytest.raises(InputError, match="shorter feature names"):
        save_file(tmp_path / "a", FORM, {"names": ["x" * 2000]}, {})
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_file_is_named(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "nowhere.nvk", Path(os.devnull)):
        with pytest.raises(InputError, match=str(path.name)):
            load_file(path, FORM)


@pytest.mark.parametrize("broken", ["fsync", "replace"])
def test_a_failed_write_leaves_the_old_file(broken: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_file(tmp_path / "a", FORM, RECORD, TENSORS)

    def full_disk(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, broken, full_disk)
    with pytest.raises(InputError, match="No space left on device"):
        save_file(tmp_path / "a", FORM, {}, {})
    assert load_file(tmp_path / "a", FORM).record == RECORD
    assert list(tmp_path.iterdir()) == [tmp_path / "a"]


def test_a_file_that_outgrows_its_limit_leaves_the_old_one(tmp_path: Path) -> None:
    """The system itself says no, in the middle of the write."""
    save_file(tmp_path / "a", FORM, RECORD, TENSORS)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
        with pytest.raises(InputError, match="cannot be written"):
            save_file(tmp_path / "a", FORM, {}, {"w": np.ones(10_000)})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert load_file(tmp_path / "a", FORM).record == RECORD
    assert list(tmp_path.iterdir()) == [tmp_path / "a"]
