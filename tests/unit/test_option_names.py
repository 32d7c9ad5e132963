"""An error of the library is printed by the command line with its options in place of arguments."""

from __future__ import annotations

import pickle

import pytest

from novikoff.cli import commands
from novikoff.cli.text import formatting
from novikoff.cli.text.option_names import OPTIONS, error_in_options, with_options
from novikoff.errors import InputError


@pytest.mark.parametrize(
    ("message", "printed"),
    [
        ("missing='drop' leaves such rows out", "--missing drop leaves such rows out"),
        ("header=True or header=False says which", "--header or --no-header says which"),
        ("name it with label=", "name it with --label"),
        ("give it by number, as in label=2", "give it by number, as in --label 3"),
        ("expected numbers, or text=['body'], or one_hot=True", "expected numbers, or --text body, or --one-hot"),
        ("holdout=0.001: no row", "--holdout 0.001: no row"),
        ("raise the limit (memory=), or", "raise the limit (--memory), or"),
        ("fit it with max_iter=1", "fit it with --max-passes 1"),
        ("the file's name is new; format='csv' for commas", "the file's name is new; --format csv for commas"),
        ("found 'label=3'; expected 'a header=True'", "found 'label=3'; expected 'a header=True'"),
        ("nv.read(path, memory_limit=3), sub_text=4", "nv.read(path, memory_limit=3), sub_text=4"),
    ],
)
def test_arguments_are_printed_as_options(message: str, printed: str) -> None:
    assert with_options(message) == printed


def test_the_argument_of_an_error_begins_its_message() -> None:
    error = InputError("found 'much'; expected bytes", "memory")
    assert (str(error), error.argument) == ("memory: found 'much'; expected bytes", "memory")
    assert error_in_options(error) == "--memory: found 'much'; expected bytes"
    assert pickle.loads(pickle.dumps(error)).argument == "memory"


@pytest.mark.parametrize(
    ("argument", "message", "printed"),
    [
        ("rule", "'pa1' with multi_class='joint'; use 'ova'", "--rule: 'pa1' with --multi joint; use 'ova'"),
        ("eta0, schedule, class_weight, coef_init", "too large", "--eta, --schedule, --class-weight, --w0: too large"),
        ("coef_init, intercept_init", "beyond 2^500", "--w0: beyond 2^500"),
        ("intercept_init", "found 1 with fit_intercept=False", "--w0: found 1 with --no-bias"),
        ("y", "only one class", "y: only one class"),
        (None, "no parameter is named here", "no parameter is named here"),
    ],
)
def test_errors_of_the_estimator_name_options(argument: str | None, message: str, printed: str) -> None:
    assert error_in_options(InputError(message, argument)) == printed


def test_an_error_about_the_points_names_the_data_and_keeps_its_argument() -> None:
    with pytest.raises(InputError, match=r"^a\.csv: only one class$"), formatting.about("a.csv"):
        raise InputError("y: only one class")
    with pytest.raises(InputError) as refused, formatting.about("a.csv"):
        raise InputError("found 0", "eta0")
    assert error_in_options(refused.value) == "--eta: found 0"


def test_a_file_with_the_name_of_an_argument_is_no_option() -> None:
    assert error_in_options(InputError("text: found no texts")) == "text: found no texts"


def test_every_option_exists() -> None:
    there = {name for _, command in commands() for param in command.params for name in param.opts}
    assert [option for option in OPTIONS.values() if option.partition("/")[0] not in there] == []
