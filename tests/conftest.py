"""What every test may use: the Hypothesis profile, and the data that lives beside the repository."""

from __future__ import annotations

import math
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from data.kernel_mode import RunKernels, set_mode
from examples import STRESS, examples
from novikoff import cli

DATA = Path(os.environ.get("NOVIKOFF_DATA") or Path(__file__).resolve().parents[2] / "shared" / "data")

LONGEST = (
    "e2e/test_service_user.py",
    "e2e/test_forged_files.py",
    "conformance/test_routes.py",
)
"""Files whose single tests take longest: they run first, so that no process ends with one while the others wait."""

settings.register_profile(
    "novikoff",
    examples(60),
    deadline=None,  # a first call may compile
    derandomize=not STRESS,
    suppress_health_check=[HealthCheck.too_slow],  # with the compiler off, drawing problems is slow and right
)
settings.load_profile("novikoff")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the longest tests first."""
    place = {Path(__file__).parent / name: k for k, name in enumerate(LONGEST)}
    items.sort(key=lambda item: place.get(item.path, len(LONGEST)))


@pytest.fixture(scope="session", autouse=True)
def _no_line_about_compiling() -> Iterator[None]:
    """In-process commands say nothing of the compiler: that line depends on the machine and the tests before."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cli, "LONG", math.inf)
        yield


@pytest.fixture
def run_kernels(monkeypatch: pytest.MonkeyPatch) -> RunKernels:
    """`run_kernels("compiled")` or `run_kernels("interpreted")`: how the kernels of this test run from here on."""
    return lambda mode: set_mode(monkeypatch, mode)


@pytest.fixture(params=["interpreted", pytest.param("compiled", marks=pytest.mark.compiled)])
def both_modes(request: pytest.FixtureRequest, run_kernels: RunKernels) -> None:
    """Run the test twice: with interpreted kernels, and with compiled ones."""
    run_kernels(request.param)


@pytest.fixture(scope="session")
def shared_data() -> Callable[[str], Path]:
    """`shared_data(name)` is the path of a data set.

    Where there is none the test is skipped, or fails when NOVIKOFF_REQUIRE_DATA is set.
    """

    def find(name: str) -> Path:
        path = DATA / name
        if not path.exists():
            reason = f"the data set {name!r} is not in ../shared/data beside the repository"
            if os.environ.get("NOVIKOFF_REQUIRE_DATA"):
                pytest.fail(reason)
            pytest.skip(reason)
        return path

    return find


@pytest.fixture(scope="session", autouse=True)
def _ctrl_c() -> Iterator[None]:
    """Ctrl-C as a person has it, also in the commands that tests start.

    What was started in the background (by `&` or nohup) inherits SIGINT ignored; Python then installs no handler, and a
    press in a test is lost.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def keyboard() -> Iterator[None]:
    """The handler of Ctrl-C is Python's own again after the test, whatever became of it."""
    yield
    signal.signal(signal.SIGINT, signal.default_int_handler)
