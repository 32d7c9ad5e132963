"""Every kind of packed file, larger: memory is at most the limit and 200 MB more."""

from __future__ import annotations

from pathlib import Path

import pytest

from damage.bombs import bombs, peak

LIMIT, SPARE, SIZE = 300 << 20, 200 << 20, 3 << 30  # bytes


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, list[str]]]:
    folder = tmp_path_factory.mktemp("bombs")
    return folder, bombs(folder, SIZE)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc here")
def test_every_bomb_is_refused_within_the_limit(made: tuple[Path, dict[str, list[str]]]) -> None:
    folder, options = made
    for name, more in options.items():
        code, said, memory = peak("fit", folder / name, "--max-passes", 1, "--memory", LIMIT, *more)
        assert code == 3, (name, said)
        assert memory <= LIMIT + SPARE, (name, memory)
