"""`--engine dask --scheduler ADDRESS`: the same answers as serially, and errors in options with their exit codes."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from commands import novikoff
from data.clusters import check_gone, children, cluster, cluster_elsewhere, listener, parquet_file
from novikoff.engines import dask_connection, partitions

pytestmark = [pytest.mark.compiled, pytest.mark.timeout(300)]
NOWHERE = "tcp://127.0.0.1:9"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with cluster(2, processes=False) as client:
        yield client.scheduler.address


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(partitions, "NUMBERS", 800)
    return parquet_file(tmp_path, n=600)


def same(text: str) -> object:
    """A document without what differs between runs: times, and the name of the model."""
    document = json.loads(text)
    return {name: value for name, value in document.items() if name not in ("seconds", "certificate")}


def test_every_verb_with_an_engine_answers_as_serially(path: Path, address: str, tmp_path: Path) -> None:
    dask = ("--engine", "dask", "--scheduler", address)
    out = "--memory", "1K"
    for k, verb in enumerate(("certify", "margin")):
        serial, other = (novikoff(verb, path, *out, *engine, "--json") for engine in ((), dask))
        assert (serial.code, other.code) == (0, 0), other.err
        assert same(serial.out) == same(other.out), k
    proofs = [tmp_path / "serial.json", tmp_path / "dask.json"]
    for proof, engine in zip(proofs, ((), dask), strict=True):
        assert novikoff("certify", path, *out, *engine, "-o", proof).code == 0
    assert proofs[0].read_bytes() == proofs[1].read_bytes()
    assert novikoff("verify", proofs[0], path, *dask).code == 0
    model = tmp_path / "m.nvk"
    assert novikoff("fit", path, "--max-passes", "3", "-o", model, "--quiet").code == 0
    for verb in ("predict", "evaluate"):
        serial, other = (novikoff(verb, model, path, *engine) for engine in ((), dask))
        assert (serial.code, other.code) == (0, 0), other.err
        assert serial.out == other.out


@pytest.mark.slow
def test_without_a_scheduler_a_cluster_is_started_and_ended(path: Path, tmp_path: Path) -> None:
    before, models = children(), [tmp_path / "serial.nvk", tmp_path / "dask.nvk"]
    dask = ("--engine", "dask", "--workers", "2")
    for name, engine in zip(models, ((), dask), strict=True):
        how = ("--mix", "--partitions", "3", "--max-passes", "3", "--quiet", "--memory", "1K")
        assert novikoff("fit", path, *how, *engine, "-o", name).code == 0
        check_gone(before)
    assert models[0].read_bytes() == models[1].read_bytes()
    model = models[0]
    for words in (("certify", path), ("predict", model, path), ("evaluate", model, path)):
        serial, other = (novikoff(*words, *engine) for engine in ((), dask))
        assert (serial.code, other.code, other.err) == (0, 0, serial.err)
        assert serial.out == other.out
        check_gone(before)


def test_a_scheduler_that_does_not_answer_is_bad_input(path: Path, tmp_path: Path) -> None:
    before, proof = children(), tmp_path / "proof.json"
    told = novikoff("certify", path, "--engine", "dask", "--scheduler", NOWHERE, "-o", proof)
    assert told.code == 3
    assert told.err.startswith(f"novikoff: error: --scheduler: {NOWHERE}: no scheduler answers there")
    assert not proof.exists()
    check_gone(before)


@pytest.mark.parametrize("said", [b"", b"SSH-2.0-OpenSSH_9.2p1 Debian\r\n"])
def test_a_port_where_no_scheduler_is_is_bad_input(
    said: bytes, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dask_connection, "CONNECT", 1.0)
    with listener(said) as address:
        told = novikoff("certify", path, "--engine", "dask", "--scheduler", address, "-o", tmp_path / "proof.json")
    assert told.code == 3
    assert told.err.startswith(f"novikoff: error: --scheduler: {address}: no scheduler answers there (")
    assert told.err.count("\n") == 1
    assert not (tmp_path / "proof.json").exists()


def test_predictions_of_parts_with_relative_paths_by_workers_in_another_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in").mkdir()
    for k in range(3):
        parquet_file(tmp_path / "in", n=60).rename(tmp_path / "in" / f"part-{k}.parquet")
    assert novikoff("fit", "in/part-0.parquet", "--max-passes", "2", "-o", "m.nvk", "--quiet").code == 0
    assert novikoff("predict", "m.nvk", "in/part-*.parquet", "-o", "serial.txt", "--quiet").code == 0
    (tmp_path / "elsewhere").mkdir()
    with cluster_elsewhere(folder=tmp_path / "elsewhere") as (address, _):
        options = "--engine", "dask", "--scheduler", address
        told = novikoff("predict", "m.nvk", "in/part-*.parquet", "-o", "out.txt", *options)
        assert told.code == 0, told.err
        levels = [logging.getLogger(name).level for name in logging.root.manager.loggerDict if "distributed." in name]
    assert set(levels) == {logging.CRITICAL}
    assert (tmp_path / "out.txt").read_bytes() == (tmp_path / "serial.txt").read_bytes()


def test_an_empty_pattern_is_bad_input(address: str, tmp_path: Path) -> None:
    told = novikoff("certify", tmp_path / "part-*.parquet", "--engine", "dask", "--scheduler", address)
    assert (told.code, "no file matches this pattern" in told.err) == (3, True)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--workers", "2"), "--workers: is for --engine threads"),
        (("--scheduler", NOWHERE), "--scheduler: is for --engine dask"),
        (("--engine", "dask", "--scheduler", NOWHERE, "--workers", "2"), "--workers: is for --engine threads"),
    ],
)
def test_options_that_do_not_fit_are_usage_errors(options: tuple[str, ...], message: str, path: Path) -> None:
    for verb in ("certify", "margin"):
        told = novikoff(verb, path, *options)
        assert (told.code, message in told.err) == (2, True), told.err


def test_fit_uses_a_cluster_only_with_mix(path: Path, tmp_path: Path) -> None:
    told = novikoff("fit", path, "--engine", "dask", "--scheduler", NOWHERE, "-o", tmp_path / "m.nvk")
    assert told.code == 2
    assert "--engine dask: a cluster is used by fit only with --mix" in told.err
    assert not (tmp_path / "m.nvk").exists()
