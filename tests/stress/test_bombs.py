"""Every kind of compressed file, 3 GB each (STRESS=1): memory is at most the limit and 200 MB more."""

from __future__ import annotations

from pathlib import Path

import pytest

from damage.bombs import bombs, peak

LIMIT, SPARE, SIZE = 300 << 20, 200 << 20, 3 << 30  # bytes


@pytest.mark.parametrize("name", bombs(SIZE))
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc here")
def test_every_bomb_is_refused_within_the_limit(name: str, tmp_path: Path) -> None:
    make, options = bombs(SIZE)[name]
    make(tmp_path / name)
    code, said, memory = peak("fit", tmp_path / name, "--max-passes", 1, "--memory", LIMIT, *options)
    assert code == 3, said
    assert memory <= LIMIT + SPARE
