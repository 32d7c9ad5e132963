"""One table states the parameters: signature, checks, documentation and files agree with it."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from typing import Any

import pytest

import novikoff as nv
from novikoff.estimators.maxmargin_estimator import MaxMarginParameters
from novikoff.estimators.parameter_table import (
    FIXED_BY_A_RUN,
    FREE_IN_A_RUN,
    PERCEPTRON,
    Parameter,
    parameters_of,
)

CLASSES = [nv.Perceptron, nv.MaxMargin]


def table(kind: Any) -> dict[str, Parameter]:
    return dict(parameters_of(kind))


@pytest.mark.parametrize("kind", CLASSES)
def test_the_signature_is_the_table(kind: Any) -> None:
    signature = inspect.signature(kind).parameters
    assert list(signature) == list(table(kind))
    assert {one.kind for one in signature.values()} == {inspect.Parameter.KEYWORD_ONLY}
    for name, info in table(kind).items():
        assert signature[name].default is info.default
        assert getattr(kind(), name) is info.default
    assert kind().get_params() == {name: info.default for name, info in table(kind).items()}


@pytest.mark.parametrize("kind", CLASSES)
def test_the_docstring_names_every_parameter_with_values_default_and_sentence(kind: Any) -> None:
    section = kind.__doc__.partition("Parameters\n")[2].partition("Attributes\n")[0]
    assert "{parameters}" not in section
    named = re.findall(r"^    (\w+) : (.*), default=(.*)$", section, re.MULTILINE)
    assert [name for name, *_ in named] == list(table(kind))
    said = " ".join(section.split())
    for (name, allowed, default), info in zip(named, table(kind).values(), strict=True):
        assert (allowed, eval(default)) == (str(info.allowed), info.default), name
        assert f"{info.sentence} {info.details}".strip() in said
        assert info.sentence[-1] in ".…"
        assert not info.details.endswith(".")


def test_what_a_run_fixes_changes_the_run() -> None:
    assert not {*FIXED_BY_A_RUN} & {*FREE_IN_A_RUN}
    assert {*FIXED_BY_A_RUN} | {*FREE_IN_A_RUN} < PERCEPTRON.keys()
    limits = PERCEPTRON.keys() - {*FIXED_BY_A_RUN} - {*FREE_IN_A_RUN}
    assert limits == {"max_iter", "max_updates", "train_patience", "early_stopping", "validation_fraction",
                      "valid_patience", "random_state"}  # fmt: skip


def test_a_model_file_has_every_parameter_but_the_engine() -> None:
    assert [name for name, info in PERCEPTRON.items() if not info.in_model] == ["engine"]
    assert list(parameters_of(MaxMarginParameters)) == ["bias"]


def test_the_table_is_read_without_numpy() -> None:
    table = "novikoff.estimators.parameter_table"
    code = f"import sys, {table}; print({{'numpy', 'sklearn', 'numba'}} & {{*sys.modules}})"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "set()\n"
