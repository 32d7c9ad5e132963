"""The package: wheel and sdist are built, and the wheel runs in an environment of its own, without a network."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email import message_from_string
from importlib import metadata
from pathlib import Path

import pytest

import novikoff as nv

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
OFFLINE = """
import socket
def refuse(*args, **kwargs):
    raise AssertionError("a connection was tried")
socket.socket.connect = socket.getaddrinfo = socket.create_connection = refuse
import novikoff as nv
from novikoff.cli import main
clf = nv.Perceptron().fit(*nv.example("breast-cancer"))
assert main(["fit", "--example", "iris", "--quiet"]) == 0
print(nv.__file__, nv.__version__, clf.stop_reason_)
"""


def run(*words: object, cwd: Path | None = None) -> str:
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, cwd=cwd)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist, and the wheel built from it."""
    pytest.importorskip("hatchling", reason="hatchling builds the package")
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", folder, cwd=ROOT)
    (sdist,) = folder.glob("*.tar.gz")
    with tarfile.open(sdist) as tar:
        tar.extractall(folder / "unpacked", filter="data")
    (source,) = (folder / "unpacked").iterdir()
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder, cwd=source)
    return folder


@pytest.fixture(scope="module")
def environment(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel; the dependencies are those of this one, without the source tree."""
    folder = tmp_path_factory.mktemp("environment")
    run(sys.executable, "-m", "venv", folder)
    (wheel,) = built.glob("*.whl")
    run(folder / "bin" / "python", "-m", "pip", "install", "-q", "--no-index", "--no-deps", wheel)
    (site,) = folder.glob("lib/python*/site-packages")
    paths = {str(Path(metadata.distribution(name).locate_file(""))) for name in ("numpy", "numba", "click", "rich")}
    (site / "dependencies.pth").write_text("\n".join(sorted(paths)) + "\n")
    return folder


def test_the_wheel_has_what_the_source_tree_has(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    inside = {name for name in zipfile.ZipFile(wheel).namelist() if name.startswith("novikoff/")}
    made = ("__pycache__", ".nbi", ".nbc", ".pyc")
    tree = {
        path.relative_to(ROOT / "src").as_posix()
        for path in (ROOT / "src" / "novikoff").rglob("*")
        if path.is_file() and not any(one in path.as_posix() for one in made)
    }
    assert inside == tree
    assert {Path(name).suffix for name in inside} >= {".py", ".js", ".html", ".css", ".typed"}


def test_the_sdist_has_what_building_testing_and_citing_need(built: Path) -> None:
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as tar:
        names = {name.partition("/")[2] for name in tar.getnames()}
    wanted = ("README.md", "LICENSE", "CHANGELOG.md", "CITATION.cff", "Makefile", "constraints.txt", "docs/tutorial.md")
    assert names >= {*wanted, "src/novikoff/py.typed", "tests/markdown_pages.py", "docs/conf.py"}
    assert not [name for name in names if "__pycache__" in name or name.startswith(("docs/_gallery", "build"))]


def test_the_metadata_is_that_of_the_project(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (one for one in archive.namelist() if one.endswith(".dist-info/METADATA"))
        said = message_from_string(archive.read(name).decode())
    assert said["Version"] == nv.__version__
    assert said["License-Expression"] == "BSD-3-Clause"
    assert set(said.get_all("Provides-Extra")) == set(PROJECT["project"]["optional-dependencies"])
    assert "dev" not in said.get_all("Provides-Extra")


def test_the_citation_and_the_changelog_name_the_version() -> None:
    assert f"\nversion: {nv.__version__}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    headings = [line for line in (ROOT / "CHANGELOG.md").read_text("utf-8").splitlines() if line.startswith("## ")]
    assert headings[0].startswith(f"## [{nv.__version__}] - ")


@pytest.mark.compiled
def test_the_installed_command_works_without_a_network(environment: Path, tmp_path: Path) -> None:
    python, command = environment / "bin" / "python", environment / "bin" / "novikoff"
    assert run(command, "--version", cwd=tmp_path).split()[-1] == nv.__version__
    said = run(python, "-I", "-c", OFFLINE, cwd=tmp_path).splitlines()[-1].split()
    assert said[0].startswith(str(environment))
    assert said[1:] == [nv.__version__, "separable"]
    run(command, "trace", "--example", "cornwell", "--html", "run.html", cwd=tmp_path)
    run(command, "verify", "--checker", "check.py", cwd=tmp_path)
    assert "<script" in (tmp_path / "run.html").read_text(encoding="utf-8")
    assert "CertificateError" in (tmp_path / "check.py").read_text(encoding="utf-8")
