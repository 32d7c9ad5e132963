"""Public signatures state types: no parameter and no result is Any, and the package says that it has types."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, get_type_hints

import numpy as np
import pytest
from matplotlib.axes import Axes
from numpy.typing import ArrayLike
from sklearn.pipeline import Pipeline

import novikoff as nv
from novikoff.arguments import signature_types
from novikoff.certify.decide.obstruction import Obstruction
from novikoff.certify.decide.verdict import Verdict
from novikoff.engines.engine import Engine
from novikoff.io.dataset import Dataset
from novikoff.maxmargin.margin import Margin

ONLY_CHECKED = {  # names that modules import for a type checker only
    "Axes": Axes, "Pipeline": Pipeline, "Obstruction": Obstruction, "Verdict": Verdict, "Engine": Engine,
    "Dataset": Dataset, "np": np, "NamedSchedule": signature_types.Schedule, "ArrayLike": ArrayLike,
    **vars(signature_types),
    "Margin": Margin, "Perceptron": nv.Perceptron, "MaxMargin": nv.MaxMargin, "SoftMargin": nv.SoftMargin,
}  # fmt: skip


def methods(kind: type) -> Iterator[tuple[str, Callable[..., Any]]]:
    """The public methods of a class and its constructor, if they are the package's."""
    for name, member in inspect.getmembers(kind):
        function = getattr(member, "__func__", member)
        if not inspect.isfunction(function) or not function.__module__.startswith("novikoff"):
            continue
        if name == "__init__" or not name.startswith("_"):
            yield f"{kind.__name__}.{name}", function


def public() -> Iterator[tuple[str, Callable[..., Any]]]:
    for name in nv.__all__:
        thing = getattr(nv, name)
        if inspect.isclass(thing):
            yield from methods(thing)
        elif callable(thing):
            yield name, thing


@pytest.mark.parametrize(("name", "function"), list(public()))
def test_no_parameter_and_no_result_of_a_public_name_is_any(name: str, function: Callable[..., Any]) -> None:
    inner = inspect.unwrap(function)
    hints = get_type_hints(inner, localns=ONLY_CHECKED)
    stated = set(inspect.signature(inner).parameters) - {"self", "cls"}
    assert stated <= hints.keys()
    assert [what for what, hint in hints.items() if hint is Any] == []


def test_the_package_says_that_it_has_types() -> None:
    assert (Path(nv.__file__).parent / "py.typed").exists()
