"""Certificates are written whole or not at all, always the same, and can be read again."""

from __future__ import annotations

import json
import os
import stat
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from data.made_proofs import MadeProof
from novikoff.certify.check import proof as module
from novikoff.exact.integer_rows import digits, proof_of_verdict, whole
from novikoff.certify.check.verify import check, read_certificate
from novikoff.data.text.plain_files import UnreadableError
from novikoff.errors import InputError

XOR = MadeProof("overlap", 4, 2, True, np.int64(1), 0, support=(0, 1, 2, 3), weights=(1, 1, 1, 1), held=(0, 1, 2, 3),
            held_weights=(1, 1, 1, 1),
            digest="5543b60301e835c6147fb6b5380965e00075490c3a959fb5c8097adf6d6b8f9f")  # fmt: skip
ROWS = [(0, [0, 0]), (1, [1, 0]), (1, [0, 1]), (0, [1, 1])]


def test_what_is_written_is_what_is_checked(tmp_path: Path) -> None:
    XOR.save(tmp_path / "proof.json")
    assert check(tmp_path / "proof.json", ROWS) == "overlap"
    assert check(XOR.record(), ROWS) == "overlap"
    assert json.loads((tmp_path / "proof.json").read_text()) == XOR.record()


def test_a_certificate_is_the_same_text_every_time_and_a_field_a_line() -> None:
    lines = XOR.to_json().splitlines()
    assert lines[0] == '{"format": "novikoff-certificate/1",'
    assert len(lines) == len(XOR.record())
    assert XOR.to_json() == replace(XOR).to_json()


def test_labels_and_numbers_of_numpy_are_written_plainly() -> None:
    p = replace(XOR, positive="spam", negative=np.float64(-1), n=np.int64(4), support=np.array([0, 1]),
                weights=(np.int64(1), 2), file={"sha256": "0" * 64, "label": "y"})  # fmt: skip
    record = json.loads(p.to_json())
    assert record["data"]["positive"] == "spam"
    assert record["data"]["negative"] == "-1"
    assert record["support"] == [0, 1]
    assert record["weights"] == ["1", "2"]
    assert read_certificate(record).file["label"] == "y"


def test_integers_of_any_length_are_written() -> None:
    for value in (0, -1, 10**599, 10**5000 + 1, -(7**20_000), (1 << 60_000) - 1):
        text = digits(value)
        assert read_certificate(replace(XOR, kind="quasi-complete", w=(value, 1), b=value).record()).plane == {
            0: value,
            1: 1,
            2: value,
        }
        assert len(text) < 4000 or text.lstrip("-").isdigit()


@pytest.mark.parametrize(
    ("values", "integers"),
    [([4.0, -0.5, 1.0], (8, -1, 2)), ([6, 9], (2, 3)), ([Fraction(1, 3), 0.5], (2, 3)), ([0.0], (0,)), ([], ()),
     ([np.float64(0.1)], (1,)), ([1e300, 1e-300], None), ([-2, -4], (-1, -2))],
)  # fmt: skip
def test_a_plane_becomes_the_same_plane_in_integers(values: list[Any], integers: tuple[int, ...] | None) -> None:
    found = whole(values)
    if integers is not None:
        assert found == integers
    exact = [Fraction(value) for value in values]
    assert all(a * f == b * e for a, e in zip(found, exact, strict=True) for b, f in zip(found, exact, strict=True))
    assert all((a > 0) == (e > 0) for a, e in zip(found, exact, strict=True))


@pytest.mark.parametrize("broken", ["fsync", "replace"])
def test_a_failed_write_leaves_the_old_file_and_nothing_else(
    broken: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "proof.json"
    target.write_text("old")

    def full_disk(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module.os, broken, full_disk)
    with pytest.raises(InputError, match="No space left on device"):
        XOR.save(target)
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_an_interruption_leaves_nothing_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(module.os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        XOR.save(tmp_path / "proof.json")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere.*cannot be written"):
        XOR.save(tmp_path / "nowhere" / "proof.json")
    with pytest.raises(InputError, match="cannot be written"):
        XOR.save(tmp_path)


def test_a_link_stays_a_link_and_a_device_a_device(tmp_path: Path) -> None:
    (tmp_path / "real.json").write_text("old")
    link = tmp_path / "link.json"
    link.symlink_to("real.json")
    XOR.save(link)
    assert link.is_symlink()
    assert check(tmp_path / "real.json", ROWS) == "overlap"
    XOR.save(os.devnull)
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)


class Verdict:
    """What `decide` answers, as far as a proof needs it."""

    kind, n, d, fit_intercept, numbers = "complete", 2, 1, False, "binary64"
    w, b, indices, weights, held_indices, held_weights = (3,), 0, (), (), (), ()


def test_a_verdict_becomes_a_certificate_without_empty_parts() -> None:
    verdict = Verdict()
    record = proof_of_verdict(verdict, ["no", "yes"], "0" * 64).record()
    assert (record["data"]["positive"], record["data"]["negative"]) == ("yes", "no")
    assert record["w"] == ["3"]
    assert {record[name] for name in ("b", "support", "weights")} == {None}
    assert record["held"] is record["held_weights"] is None
    assert read_certificate(record).plane == {0: 3}
    verdict.kind = "quasi-complete"
    assert proof_of_verdict(verdict, [1], "0" * 64).record()["held"] == []
    assert proof_of_verdict(verdict, [1], "0" * 64).record()["data"]["negative"] is None


def test_a_bias_where_there_is_none_is_not_hidden() -> None:
    with pytest.raises(UnreadableError, match="without b"):
        read_certificate(replace(XOR, kind="quasi-complete", bias=False, w=(1, 1), b=5).record())


def test_a_certificate_that_no_checker_reads_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LARGEST_FILE", 100)
    with pytest.raises(InputError, match="checkers read 100: it is not written"):
        XOR.save(tmp_path / "proof.json")
    assert list(tmp_path.iterdir()) == []
