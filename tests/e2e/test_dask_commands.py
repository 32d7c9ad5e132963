"""`--engine dask --scheduler ADDRESS`: the same answers as serially, and errors in options with their exit codes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from commands import novikoff
from data.clusters import check_gone, children, cluster, parquet_file
from novikoff.engines import partitions

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


def test_a_scheduler_that_does_not_answer_is_bad_input(path: Path, tmp_path: Path) -> None:
    before, proof = children(), tmp_path / "proof.json"
    told = novikoff("certify", path, "--engine", "dask", "--scheduler", NOWHERE, "-o", proof)
    assert told.code == 3
    assert told.err.startswith(f"novikoff: error: --scheduler: {NOWHERE}: no scheduler answers there")
    assert not proof.exists()
    check_gone(before)


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
