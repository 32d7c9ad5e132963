"""As a service runs: a user that nobody knows, without a home, in folders that are not its own, with little of all."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from damage.another_user import UNKNOWN, as_root, copy_of_package, environment, folder_for_all, python_as

service_folder = pytest.fixture(folder_for_all)

RUN = """
import json, resource, sys
import numba, scipy.linalg, sklearn.datasets
from novikoff.cli import main
pages = int(open("/proc/self/statm").read().split()[0])
most = pages * resource.getpagesize() + 256 * 2**20
resource.setrlimit(resource.RLIMIT_AS, (most, most))
resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
codes = []
for args in json.loads(sys.argv[1]):
    codes.append(main(args))
    sys.stdout.flush()
print(codes, file=sys.stderr)
"""


def write_points(folder: Path) -> None:
    """small: four points; apart and mixed: too many for the interpreter alone, separable and not."""
    (folder / "small.csv").write_text("x,y,label\n1,2,a\n2,1,a\n-1,-2,b\n-2,-1,b\n")
    draw = random.Random(1)
    rows = [[round(draw.gauss(0, 1), 2) for _ in range(5)] for _ in range(150)]
    rows = [row for row in rows if abs(sum(row)) > 0.1]
    sides = [1 if sum(row) > 0 else -1 for row in rows]
    mixed = [-side if k % 10 == 0 else side for k, side in enumerate(sides)]
    (folder / "apart.csv").write_text(
        "".join(f"{','.join(map(str, r))},{s}\n" for r, s in zip(rows, sides, strict=True))
    )
    pairs = [" ".join(f"{j}:{x}" for j, x in enumerate(row, 1)) for row in rows]
    (folder / "mixed.svm").write_text("".join(f"{s} {row}\n" for s, row in zip(mixed, pairs, strict=True)))
    for path in (folder, *folder.iterdir()):  # readable by another user, whatever the umask
        path.chmod(0o755 if path.is_dir() else 0o644)


@as_root
@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="how much address space is used is not told here")
def test_every_verb_ends_as_usual(service_folder: Path) -> None:
    """In 256 MiB of address space after the imports and with 64 open files; nothing is stored but what is asked for."""
    package = copy_of_package(service_folder, 0o755)
    work, own = service_folder / "work", service_folder / "own"
    work.mkdir()
    write_points(work)
    own.mkdir()
    own.chmod(0o777)
    model = str(own / "m.nvk")
    expected = {
        ("fit", "small.csv", "-o", model): 0,
        ("predict", model, "small.csv"): 0,
        ("margin", "small.csv"): 0,
        ("fit", "mixed.svm"): 0,
        ("certify", "mixed.svm"): 1,
        ("fit", "apart.csv"): 0,
        ("certify", "apart.csv"): 0,
        ("fit", "--example", "breast-cancer", "--max-passes", "50"): 0,
        ("fit", "none.csv"): 3,
    }
    done = python_as(UNKNOWN, ["-c", RUN, json.dumps([*expected])], work, environment(package))
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert json.loads(done.stderr.splitlines()[-1]) == [*expected.values()], done.stderr
    assert [path.name for path in own.iterdir()] == ["m.nvk"]
    assert {path.name for path in work.iterdir()} == {"small.csv", "apart.csv", "mixed.svm"}
    assert not list(package.rglob("__pycache__"))
