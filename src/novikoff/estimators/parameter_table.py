"""The parameters of the perceptron, each stated once.

The fields of `ParameterTable` are the signature of `novikoff.Perceptron`. From their metadata (`Parameter`) come the
checks, scikit-learn's constraints, the options of the command line, the record of a model, the identity of a checkpoint
and the documentation. This file imports neither numpy nor scikit-learn, so that `--help` starts fast.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from novikoff.estimators import allowed_values as values
from novikoff.perceptron import KEEPS, ORDERS, PAIRS, RULES, SCHEMES

if TYPE_CHECKING:
    from novikoff.arguments.signature_types import ClassWeights, Schedule, Seed
    from novikoff.engines.engine import Engine

Class = TypeVar("Class", bound=type)
WIDTH = 112  # of the lines of a docstring, without their indentation
FIXED = "fixed"  # partial_fit and a resumed checkpoint need the same value
PER_FIT = "per fit"  # a resumed checkpoint needs the same value
FREE = "free"  # may change at any time


class Option(NamedTuple):
    """The option of a parameter."""

    name: str  # or two, for True and False
    metavar: str | None = None
    default: Any = ...  # where it is not the default of the parameter
    rules: tuple[str, ...] = ()  # the only rules that use it; empty: all

    @property
    def flag(self) -> str:
        """The option as it is typed."""
        return "/".join(f"--{name}" for name in self.name.split("/"))

    @property
    def key(self) -> str:
        """The name of its value in a parsed command line."""
        return self.name.partition("/")[0].replace("-", "_").lower()


class Parameter(NamedTuple):
    """What is known of a parameter, apart from its name and type."""

    default: Any
    allowed: values.Allowed
    scope: str  # FIXED, PER_FIT or FREE
    option: Option | str  # or why there is none
    sentence: str  # of the docstring and of the option's help
    details: str = ""  # of the docstring only
    in_model: bool = True  # model files contain it; else they contain the default


def parameter(*row: Any, **flags: Any) -> Any:
    """Return a field of a class of parameters."""
    info = Parameter(*row, **flags)
    return field(default=info.default, metadata={"parameter": info})


def parameters_of(kind: type) -> Mapping[str, Parameter]:
    """Return the parameters of an estimator class by name."""
    return {one.name: one.metadata["parameter"] for one in fields(kind)}


class CheckedParameters:
    """Base class of estimators whose parameters are fields made by `parameter`."""

    def check_parameters(self) -> None:
        """Raise InputError for a parameter with a value that is not allowed."""
        for name, info in parameters_of(type(self)).items():
            info.allowed.check(name, getattr(self, name))


@dataclass(kw_only=True, repr=False, eq=False)
class ParameterTable(CheckedParameters):
    """The parameters of a perceptron."""

    # fmt: off
    rule: str = parameter("perceptron", values.OneOf(RULES), FIXED, Option("rule"), "Update rule.",
        '"perceptron": if y·score ≤ 0, w + η·y·x. "margin": the same if y·score ≤ `threshold`. "pa", "pa1", "pa2" '
        "(passive-aggressive): if y·score < 1, with a step from score and |x|², limited or softened by `C`")
    keep: str = parameter("auto", values.OneOf(KEEPS), FIXED, Option("keep"), "Weights to return.",
        '"auto" returns weights that separate the points, if such are found: those of the run, or those '
        "of the widest plane, computed when `decide` has proved the points separable (`train_patience`). Else it "
        "returns the average of the weights over all looks, from pass 11 on if there are that many; with validation "
        "points the best average, in a stream the average. The other values are textbook algorithms: what they return "
        "is never computed in another way. "
        '"pocket" returns those with the fewest training errors among the weights that were counted; a tie is an '
        "error. If no plane separates the points, the pocket continues with random draws (seed random_state, 0 for "
        "None) when its order repeats itself or finds nothing better. "
        '"vote", of two classes: all weights vote')
    order: str = parameter("auto", values.OneOf(ORDERS), FIXED, Option("order"), "Order of the rows.",
        '"auto": passes 1 to 10 in the given order, later ones shuffled (seed random_state, 0 for None); all in the '
        "given order where rows cannot be shuffled: in a compressed file and in a stream. "
        '"cyclic": from the first row to the last; rows sorted by class learn slowly this way. '
        '"first": after an update from the first row again. "batch": one update after each pass, '
        'w + (η/n)·Σ y·x over all mistakes of the pass; for two classes and rule "perceptron", not with keep "vote"')
    eta0: float = parameter(1.0, values.Positive(), FIXED, Option("eta"), "Learning rate η.",
        'With rule "perceptron" and a start at zero it scales the weights and changes no decision')
    fit_intercept: bool = parameter(True, values.TRUTH, FIXED, Option("bias/no-bias", default=None),
        "Fit a bias, or use planes through the origin.")
    max_iter: int | None = parameter(10_000, values.Integer(1), PER_FIT, Option("max-passes"),
        "Stop after this many passes.")
    max_updates: int | None = parameter(None, values.Integer(0), PER_FIT, Option("max-updates"),
        "Stop after this many updates.")
    max_time: float | None = parameter(None, values.Positive(none=True), FREE, Option("max-seconds"),
        "Time limit in seconds; also checked within a pass.")
    train_patience: int | str | None = parameter("auto", values.Integer(1, word="auto"), PER_FIT,
        Option("stall-train", "K|auto|off"), "Stop after this many passes without better weights.",
        "Better weights: fewer errors of the pocket; with other keeps, fewer mistakes in a pass. None: no such stop. "
        '"auto": for keep "auto" 20 passes in which the mistakes of a pass fell by less than a quarter, and 100,000 '
        "looks in all, for the pocket 100 passes and 10,000 looks without a better one, for other keeps 100 passes and "
        "10 million looks in all. If max_iter is at least 100, "
        '"auto" also decides whether a plane separates the points (`decide`), after passes 10, 20, 40, …, with no more '
        "work than these passes took, and for more than two classes for each plane that still makes mistakes. If no "
        'plane does, `verdict_` proves it and the run ends after 20 passes ("not_separable"; the pocket continues, and '
        '"last" ends by another rule). If one does, `verdict_` holds a plane; with keep "auto" the run then ends after '
        '20 passes with the widest plane ("separable"), with other keeps it continues to max_iter (with max_iter=None '
        'it may end: "train_stalled"). If max_time ends a decision it ends the run. Nothing is decided '
        "with a number or None, with fewer passes, with validation points, for joint planes, or for points so wide "
        "that the first rows to try have more than 16 million numbers")
    early_stopping: bool = parameter(False, values.TRUTH, PER_FIT, "the option stall-valid turns it on",
        "Hold out `validation_fraction` of the points, and stop when their errors stall.",
        "The weights with the fewest validation errors are returned, also if `fit` gets X_valid, y_valid")
    validation_fraction: float = parameter(0.1, values.SHARE, PER_FIT, "the option stall-valid holds out a tenth",
        "Fraction of the points to hold out with early_stopping.")
    valid_patience: int = parameter(5, values.Integer(1), PER_FIT, Option("stall-valid", "K", None),
        "Stop after this many passes without fewer errors on the validation points: given ones, or a held-out tenth.",
        "Used with early_stopping, or if `fit` gets X_valid, y_valid")
    multi_class: str = parameter("auto", values.OneOf(("auto", *SCHEMES)), FIXED, Option("multi"),
        "Multiclass scheme: one-vs-all, one-vs-one, or joint.",
        '"auto": one-vs-one if its planes have no more weights than X has numbers that are not 0, else one-vs-all, and '
        "in a stream one-vs-all; `multi_class_` is the one that was used. "
        '"ova": one plane for each class against all others. "ovo": one for each pair of classes. "joint": planes '
        'changed together, that of the class and that of the other one with the highest score; for rule "perceptron", '
        "without pocket and validation points")
    ovo: str = parameter("vote", values.OneOf(PAIRS), FIXED, Option("ovo"),
        "One-vs-one: let each pair vote, or sum the scores of the pairs.",
        '"vote": the class that wins most pairs; of equal ones that with the highest sum of its scores, then the '
        'first. "sum": the class with the highest sum of its scores')
    C: float = parameter(1.0, values.Positive(), FIXED, Option("pa-C", rules=("pa1", "pa2")),
        "Rules pa1 and pa2: aggressiveness C, which limits the step.")
    threshold: float = parameter(1.0, values.Positive(), FIXED, Option("threshold", rules=("margin",)),
        "Rule margin: update if y·score ≤ this value.")
    schedule: Schedule = parameter("constant", values.SCHEDULE, FIXED, Option("schedule"),
        "Learning-rate schedule: η times 1, 1/k or 1/√k at the k-th update.",
        "Or a function k → factor of η at the k-th update, k = 1, 2, …; for two classes")
    known_margin: float | None = parameter(None, values.Positive(none=True), FIXED, Option("known-margin", "γ"),
        "Margin γ of a known plane: compare the mistakes with (R/γ)².",
        "γ is measured on the padded points, the bound is `mistake_bound_`, and more mistakes than that cause a "
        'warning; for two classes and rule "perceptron". With order "batch" the bound is n·(R/γ)²')
    class_weight: ClassWeights | None = parameter(None, values.CLASS_WEIGHTS, FIXED,
        Option("class-weight", "balanced|A=2,B=1"),
        "Weights of the classes, which multiply the steps and the counted errors of each class.",
        '"balanced": n/(classes·count). A class that the dict does not name has weight 1')
    warm_start: bool = parameter(False, values.TRUTH, FREE, "a command fits once; the option resume continues a run",
        "Begin at the weights of the last fit, as with coef_init and intercept_init.",
        "To continue a run itself, bit for bit, use a checkpoint")
    random_state: Seed | None = parameter(None, values.SEED, PER_FIT, Option("seed", default=0),
        "Seed of the shuffle and random orders.",
        'Also of the validation split. None: 0 with order "auto", else drawn; `seed_` is the one that was used')
    tie: str = parameter("negative", values.OneOf(("negative", "positive")), FREE, Option("tie"),
        "Class predicted for a point on the plane.",
        '"negative": the class that sorts first')
    verbose: int = parameter(0, values.VERBOSITY, FREE, "progress is shown on stderr; the option quiet turns it off",
        "1 prints a line at passes 1, 2, 4, 8, …")
    engine: Engine | None = parameter(None, values.ENGINE, FREE, "the options engine, workers and scheduler make it",
        'How to process rows when `decide` is called, as in `novikoff.engine("threads")`.',
        "With mix it also processes the partitions of each round; else the run itself is sequential. No bit depends on "
        "the engine", in_model=False)
    mix: bool = parameter(False, values.TRUTH, FIXED, Option("mix"),
        "Parameter mixing: each partition of the rows makes a pass of its own, and the results are averaged.",
        "Another algorithm than the sequential perceptron, for rows on several cores or machines: its weights depend "
        "on the partitions, but not on the engine or the number of workers. They are P times the average over P "
        "partitions: every mistake is added once. max_iter counts rounds, max_updates is checked after each round, "
        '"average" is the mean of the weights after each round, the pocket counts errors after each round, and nothing '
        'is decided during the run. For rule "perceptron", a constant schedule and the orders "auto", "cyclic" and '
        '"shuffle" within each partition; not with keep "vote"')
    partitions: int | None = parameter(None, values.Integer(1), FIXED, Option("partitions", "K"),
        "With mixing: number of partitions of the rows, in their order and of nearly equal size; by default one for "
        "each 65,536 rows.",
        "Their sizes differ by at most one row. A partition is in memory while it is processed")
    # fmt: on


PERCEPTRON = parameters_of(ParameterTable)
FIXED_BY_A_RUN = tuple(name for name, info in PERCEPTRON.items() if info.scope == FIXED)
FREE_IN_A_RUN = tuple(name for name, info in PERCEPTRON.items() if info.scope == FREE)


def documented(kind: Class) -> Class:
    """Decorate an estimator class: replace {parameters} in its docstring by the documentation of its parameters."""
    from textwrap import wrap

    lines = []
    for name, info in parameters_of(kind).items():
        default = f'"{info.default}"' if isinstance(info.default, str) else repr(info.default)
        lines += [f"{name} : {info.allowed}, default={default}"]
        text = f"{info.sentence} {info.details}.".replace(" .", "")
        lines += wrap(text, WIDTH, initial_indent="    ", subsequent_indent="    ")
    if kind.__doc__ is not None:  # python -OO
        kind.__doc__ = kind.__doc__.replace("{parameters}", "\n    ".join(lines))
    return kind
