"""The door: the names that users rely on, and what opening it costs."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import subprocess
import sys

import pytest

import novikoff

MODULES = [m.name for m in pkgutil.walk_packages(novikoff.__path__, "novikoff.") if not m.name.endswith("__main__")]


def test_all_lists_what_can_be_imported() -> None:
    for name in novikoff.__all__:
        assert getattr(novikoff, name) is not None
    assert dir(novikoff) == sorted(novikoff.__all__)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Percepton'"):
        novikoff.Percepton  # noqa: B018


def test_opening_the_door_loads_neither_the_compiler_nor_scikit_learn() -> None:
    program = "import sys, novikoff; print([m for m in ('numpy', 'scipy', 'numba', 'sklearn') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout.strip() == "[]"


def test_a_tiny_fit_never_waits_for_the_compiler() -> None:
    program = (
        "import sys, warnings; import novikoff as nv; warnings.simplefilter('ignore')\n"
        "for name in ('tao', 'cornwell', 'spam', 'or', 'xor', 'and'):\n"
        "    X, y = nv.example(name); nv.Perceptron(fit_intercept=name != 'tao').fit(X, y).predict(X)\n"
        "print('numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout.strip() == "False"


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_are_true(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_the_example_on_the_door_is_true() -> None:
    assert doctest.testmod(novikoff).attempted >= 4
    assert doctest.testmod(novikoff).failed == 0


@pytest.mark.parametrize("name", [name for name in novikoff.__all__ if not name.startswith("__")])
def test_examples_of_public_names_import_what_they_use(name: str) -> None:
    """A person copies them from `help` into an empty session."""
    thing = getattr(novikoff, name)
    for example in doctest.DocTestFinder().find(thing, name, globs={}):
        if "._" not in example.name:
            assert doctest.DocTestRunner(verbose=False).run(example).failed == 0
