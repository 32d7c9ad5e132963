"""The faults of a cluster, at length: a worker killed at 20 random instants of each work, one stopped for 20 s."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from distributed import Client

import novikoff as nv
from data.clusters import WORKS, cluster, decided_beside_a_stopped_worker, digest_of_result, killed_at, parquet_file
from data.limits import limits

KILLS = 20


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with cluster() as one:
        yield one


@pytest.fixture(autouse=True)
def small_partitions() -> Iterator[None]:
    with limits(partition=800):
        yield


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("work", WORKS)
def test_a_worker_killed_at_random_instants_changes_nothing(work: str, client: Client, tmp_path: Path) -> None:
    points, random_source, in_time = nv.read(parquet_file(tmp_path), memory="1K"), random.Random(19), 0
    wanted = digest_of_result(WORKS[work](points, None))
    for _ in range(KILLS):
        found, killed = killed_at(client, WORKS[work], points, random_source.uniform(0.0, 0.4))
        assert found == wanted
        in_time += killed
    assert in_time >= KILLS // 2


@pytest.mark.timeout(300)
def test_a_worker_that_is_stopped_for_20_seconds_changes_nothing(client: Client, tmp_path: Path) -> None:
    points = nv.read(parquet_file(tmp_path), memory="1K")
    assert decided_beside_a_stopped_worker(client, points, 20.0) == digest_of_result(WORKS["decide"](points, None))
