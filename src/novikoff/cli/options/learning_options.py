"""Options for the parameters of a perceptron, made from the table of parameters, and the estimator that they choose."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any

import click

from novikoff.cli.options.class_weights import by_class, class_weights
from novikoff.cli.options.row_options import options
from novikoff.cli.text import formatting
from novikoff.cli.text.option_table import typed
from novikoff.estimators import allowed_values as values
from novikoff.estimators.parameter_table import PERCEPTRON, Option, Parameter
from novikoff.perceptron import SCHEDULES, TRACED_ORDERS

OPTIONS: dict[str, Option] = {n: info.option for n, info in PERCEPTRON.items() if isinstance(info.option, Option)}


def option_of(info: Parameter, **special: Any) -> Callable[[Any], Any]:
    """Return the option of a parameter, as a decorator; special: what is not as for others of its kind."""
    option: Any = info.option
    default = info.default if option.default is ... else option.default
    text = f"{default:g}" if isinstance(default, float) else default
    how: dict[str, Any] = {"default": text, "show_default": default is not None, "metavar": option.metavar}
    match info.allowed:
        case values.OneOf(words):
            how["type"] = click.Choice(words)
        case values.Integer(word=None):
            how["type"] = click.IntRange(min=1)
        case values.Integer():
            how["type"] = formatting.patience
        case values.Positive():
            how |= {"type": formatting.positive, "metavar": option.metavar or "NUMBER"}
        case values.TRUTH if "/" not in option.name:
            how |= {"is_flag": True, "show_default": False}
        case values.SCHEDULE:
            how["type"] = click.Choice(SCHEDULES)
        case values.SEED:
            how["type"] = click.IntRange(0, 2**32 - 1)
        case values.CLASS_WEIGHTS:
            how["type"] = class_weights
    return click.option(option.flag, help=info.sentence, **how | special)


_start = click.option("--w0", type=formatting.numbers, metavar="A,B,…", help="Initial weights, the bias last.")
_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON document on stdout.")
learning_options = options(*(option_of(PERCEPTRON[name]) for name in OPTIONS), _start, _json)  # of fit and cv
_fixed_order = PERCEPTRON["order"]._replace(default="cyclic", allowed=values.OneOf(TRACED_ORDERS))
trace_options = options(
    *(option_of(PERCEPTRON[name]) for name in ("rule", "C", "threshold")), option_of(_fixed_order),
    *(option_of(PERCEPTRON[name]) for name in ("fit_intercept", "eta0", "schedule")), _start,
    option_of(PERCEPTRON["random_state"]), _json,
)  # fmt: skip


def estimator_of(request: Mapping[str, Any], fit_intercept: bool, classes: Iterable[Any] = ()) -> Any:
    """Return the estimator that the options choose. classes: those of the rows, which --class-weight may name."""
    from novikoff.estimators.learner import Learner

    chosen: dict[str, Any] = {}
    for name, option in OPTIONS.items():
        value = request[option.key]
        chosen[name] = formatting.binary64(value, option.flag) if isinstance(value, Fraction) else value
    if chosen["valid_patience"] is None:
        del chosen["valid_patience"]
    chosen["class_weight"] = by_class(chosen["class_weight"], classes)
    chosen |= {"fit_intercept": fit_intercept, "early_stopping": "valid_patience" in chosen}
    return Learner(**chosen)


def check_rule(ctx: click.Context, request: Mapping[str, Any]) -> None:
    """Raise UsageError for a number that the rule does not use."""
    for option in OPTIONS.values():
        if option.rules and typed(ctx, option.key) and request["rule"] not in option.rules:
            wanted = " or ".join(f"--rule {rule}" for rule in option.rules)
            found = f"the rule {request['rule']} does not use it"
            raise click.UsageError(f"{option.flag}: {found}; leave it out, or say {wanted}", ctx)
