"""The options of fit and cv come from the table of parameters, and choose the estimator."""

from __future__ import annotations

import click
import pytest

from commands import novikoff
from novikoff.cli.options.learning_options import OPTIONS, estimator_of
from novikoff.cli.verbs import cv, fit, trace
from novikoff.estimators.learner import Learner
from novikoff.estimators.parameter_table import PERCEPTRON, Option


def parsed(*args: str) -> dict[str, object]:
    with fit.command.make_context("fit", list(args), help_option_names=["-h", "--help"]) as ctx:  # as the program does
        return ctx.params


def test_every_parameter_has_an_option_or_a_reason_for_having_none() -> None:
    for name, info in PERCEPTRON.items():
        assert isinstance(info.option, Option) or len(info.option.split()) > 3, name
        assert (name in OPTIONS) == isinstance(info.option, Option)


@pytest.mark.parametrize("verb", ["fit", "cv"])
def test_the_options_of_the_table_are_those_of_the_verb_with_the_same_sentence(verb: str) -> None:
    command = {"fit": fit.command, "cv": cv.command}[verb]
    known = {opt: option for option in command.params if isinstance(option, click.Option) for opt in option.opts}
    said = " ".join(novikoff(verb, "--help-all").out.split())
    for name, option in OPTIONS.items():
        found = known[option.flag.partition("/")[0]]
        assert found.name == option.key
        assert found.help == PERCEPTRON[name].sentence
        assert PERCEPTRON[name].sentence in said


def test_trace_has_the_options_of_a_run_in_fractions() -> None:
    known = {option.name for option in trace.command.params}
    assert {OPTIONS[name].key for name in ("order", "fit_intercept", "eta0", "schedule", "random_state")} <= known


def test_without_options_the_estimator_has_the_defaults_of_the_table() -> None:
    chosen = estimator_of(parsed("--example", "or"), True)
    assert chosen._parameters() == Learner(random_state=0)._parameters()


def test_options_set_the_parameters() -> None:
    words = "--rule pa1 --keep average --order shuffle --eta 1/2 --max-passes 7 --max-updates 8 --max-seconds 9"
    more = "--stall-train off --stall-valid 3 --multi ovo --ovo sum --pa-C 0.1 --threshold 2 --schedule inverse"
    rest = "--known-margin 1/4 --seed 5 --tie positive --class-weight balanced --mix --partitions 4"
    chosen = estimator_of(parsed("--example", "or", *words.split(), *more.split(), *rest.split()), False)
    meant = Learner(
        rule="pa1", keep="average", order="shuffle", eta0=0.5, fit_intercept=False, max_iter=7, max_updates=8,
        max_time=9.0, train_patience=None, early_stopping=True, valid_patience=3, multi_class="ovo", ovo="sum", C=0.1,
        threshold=2.0, schedule="inverse", known_margin=0.25, class_weight="balanced",
        random_state=5, tie="positive", mix=True, partitions=4,
    )  # fmt: skip
    assert chosen._parameters() == meant._parameters()
    unset = {name for name, info in PERCEPTRON.items() if getattr(chosen, name) == info.default}
    assert unset == {"validation_fraction", "warm_start", "verbose", "engine"}
