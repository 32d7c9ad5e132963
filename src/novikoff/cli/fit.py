"""`novikoff fit`: train a perceptron and say in words what happened."""

from __future__ import annotations

import json
import math
import time
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import click

from novikoff.cli import INTERRUPTED, words
from novikoff.errors import InputError
from novikoff.perceptron import KEEPS, RULES, SCHEMES

FEW_FEATURES = 50  # up to here the weights are part of the document


@dataclass(frozen=True)
class Parts:
    """The rows that are learned from (`rows`: their numbers in the example) and those kept out for the test."""

    X: Any
    y: Any
    rows: Any
    X_test: Any
    y_test: Any


@click.command(context_settings={"allow_extra_args": True})
@words.common_options
@click.option("--rule", type=click.Choice(RULES), default="perceptron", show_default=True, help="What a look does.")
@click.option("--threshold", type=words.positive, metavar="NUMBER", default="1", show_default=True,
              help="Of the rule margin: up to here a point is not right enough.")  # fmt: skip
@click.option("--pa-C", "pa_c", type=words.positive, metavar="NUMBER", default="1", show_default=True,
              help="Of the rules pa1 and pa2: how long a step may be.")  # fmt: skip
@click.option("--multi", type=click.Choice(SCHEMES), default="ova", show_default=True,
              help="How more than two classes are told apart.")  # fmt: skip
@click.option(
    "--keep",
    type=click.Choice(KEEPS),
    default="pocket",
    show_default=True,
    help="Which weights are handed back.",
)
@click.option(
    "--tie",
    type=click.Choice(["negative", "positive"]),
    default="negative",
    show_default=True,
    help="The class of a point on the plane.",
)
@click.option("--max-passes", type=click.IntRange(min=1), default=10_000, show_default=True, help="A limit.")
@click.option("--max-updates", type=click.IntRange(min=1), help="A limit.")
@click.option("--max-seconds", type=words.positive, metavar="NUMBER", help="A limit, looked at within a pass too.")
@click.option("--stall-train", type=words.patience, metavar="K|auto|off", default="auto", show_default=True,
              help="End after K passes without better weights.")  # fmt: skip
@click.option("--stall-valid", type=click.IntRange(min=1), metavar="K",
              help="Set a tenth aside; end after K passes without fewer errors on it.")  # fmt: skip
@click.option("--holdout", type=words.part, metavar="F", help="Keep this part of the rows out for a test.")
@click.option("--expect", type=click.Choice(["separated"]), help="Exit with 1 if the run ends otherwise.")
@click.option("--quiet", is_flag=True, help="Nothing on stderr but errors.")
@click.pass_context
def command(ctx: click.Context, /, **asked: Any) -> int:
    """Train a perceptron and say in words what happened.

    \b
    novikoff fit --example digits --classes 3,8 --holdout 0.25
    novikoff fit --example digits --multi joint --holdout 0.25 --max-passes 50
    novikoff fit --example xor
    novikoff fit --example iris --classes setosa,virginica --expect separated --json
    """
    name, X, y, fit_intercept = words.example(ctx, asked["example"], asked["bias"], asked["quiet"])
    parts = split(*words.chosen_classes(X, y, name, asked["classes"]), asked["holdout"])
    learner, seconds = train(parts, fit_intercept, asked)
    document = describe(learner, parts, name, seconds)
    click.echo(json.dumps(document, allow_nan=False) if asked["as_json"] else say(document, parts))
    if document["stop_reason"] == "interrupted":
        return INTERRUPTED
    return int(asked["expect"] is not None and not document["separated"])


# ---- the data ------------------------------------------------------------------------------------------------------


def split(X: Any, y: Any, rows: Any, part: Fraction | None) -> Parts:
    """Keep every k-th row out: row i where i·F crosses a whole number."""
    import numpy as np

    n, F = len(y), part or Fraction(0)
    test = np.array([math.floor((i + 1) * F) > math.floor(i * F) for i in range(n)], dtype=bool)
    if part and not test.any():
        raise InputError(f"--holdout {float(part):g}: no row of {n} is left for the test; ask for 1/{n} or more")
    return Parts(X[~test], y[~test], rows[~test], X[test], y[test])


# ---- the run -------------------------------------------------------------------------------------------------------


def train(parts: Parts, fit_intercept: bool, asked: Mapping[str, Any]) -> tuple[Any, float]:
    """The fitted learner and the seconds it took; what its warning would say is said by the answer."""
    from novikoff.estimators import NotSeparatedWarning, Perceptron

    check(asked, parts)
    start = start_weights(asked["w0"], parts.X.shape[1], fit_intercept)
    learner = Perceptron(
        rule=asked["rule"],
        threshold=binary64(asked["threshold"], "--threshold"),
        C=binary64(asked["pa_c"], "--pa-C"),
        multi_class=asked["multi"],
        keep=asked["keep"],
        order=asked["order"],
        eta0=binary64(asked["eta"], "--eta"),
        fit_intercept=fit_intercept,
        max_iter=asked["max_passes"],
        max_updates=asked["max_updates"],
        max_time=None if asked["max_seconds"] is None else binary64(asked["max_seconds"], "--max-seconds"),
        train_patience=asked["stall_train"],
        early_stopping=asked["stall_valid"] is not None,
        valid_patience=asked["stall_valid"] or 5,
        random_state=asked["seed"],
        tie=asked["tie"],
    )
    begin = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NotSeparatedWarning)
        try:
            learner.fit(parts.X, parts.y, **start)
        except InputError as error:
            raise InputError(words.in_options(str(error))) from error
    return learner, time.perf_counter() - begin


def check(asked: Mapping[str, Any], parts: Parts) -> None:
    """What the options leave to learn from must be enough for what they ask."""
    learned, tested = parts.y.tolist(), set(parts.y_test.tolist())
    if lost := sorted(tested - set(learned)):
        part = f"--holdout {float(asked['holdout']):g}"
        raise InputError(f"{part}: no row of class {lost[0]} is left to learn from; ask for less")
    few = [label for label in sorted(set(learned)) if learned.count(label) < 2]
    if asked["stall_valid"] is not None and few:
        less = ", or ask for a smaller --holdout" if tested else ""
        raise InputError(
            f"--stall-valid {asked['stall_valid']}: class {few[0]} has only one point to learn from, "
            f"and one of each class is set aside; leave it out{less}"
        )
    if asked["w0"] is not None and len(set(learned)) > 2:
        raise InputError(f"--w0: one start is for one plane, {len(set(learned))} classes have several; leave it out")


def start_weights(w0: Sequence[Fraction] | None, d: int, fit_intercept: bool) -> dict[str, Any]:
    """`--w0` as the estimator wants it: weights and bias apart."""
    if w0 is None:
        return {}
    if len(w0) != d + fit_intercept:
        wanted = f"{words.count(d, 'feature')}{' and the bias' if fit_intercept else ', no bias'}"
        raise InputError(f"--w0: {words.count(len(w0), 'number')} found, {d + fit_intercept:,} expected ({wanted})")
    w = [binary64(x, "--w0") for x in w0]
    return {"coef_init": w[:d], "intercept_init": w[d]} if fit_intercept else {"coef_init": w}


def binary64(x: Fraction, option: str) -> float:
    """The nearest binary64 number; refused where that is infinite, or 0 for a number that is not."""
    try:
        near = float(x)
    except OverflowError:
        near = math.inf
    if math.isinf(near) or (x and not near):
        raise InputError(f"{option}: the number is too {'large' if near else 'small'} for binary64 arithmetic")
    return near


# ---- the answer ----------------------------------------------------------------------------------------------------


def describe(learner: Any, parts: Parts, name: str, seconds: float) -> dict[str, Any]:
    """The document that `--json` prints; rows are numbered from 0 in the example."""
    n, d = parts.X.shape
    document = {
        "schema": "novikoff/fit/1",
        "example": name,
        "stop_reason": learner.stop_reason_,
        "separated": learner.stop_reason_ == "separated",
        "passes": int(learner.n_iter_),
        "updates": int(learner.n_updates_),
        "looks": int(learner.n_looks_),
        "train_errors": wrong(learner, parts.X, parts.y),
        "ties": int((learner.decision_function(parts.X) == 0).sum()) if len(learner.classes_) == 2 else 0,
        "n": n,
        "d": d,
        "bias": bool(learner.fit_intercept),
        "classes": learner.classes_.tolist(),
        "rule": learner.rule,
        "multi": learner.multi_class if len(learner.classes_) > 2 else None,
        "keep": learner.keep,
        "order": learner.order,
        "seed": learner.random_state,
        "validated": bool(learner.early_stopping),
        "seconds": seconds,
        "model": None,
    }
    if d <= FEW_FEATURES:
        two = len(learner.classes_) == 2
        w, b = learner.coef_.tolist(), learner.intercept_.tolist()
        document |= {"w": w[0] if two else w, "b": b[0] if two else b}
    if len(parts.y_test):
        tested, errors = len(parts.y_test), wrong(learner, parts.X_test, parts.y_test)
        document["test"] = {"n": tested, "errors": errors, "accuracy": 1 - errors / tested}
    return document | proved(learner, parts.rows)


def proved(learner: Any, rows: Any) -> dict[str, Any]:
    """Whether the points are separable, and why: a plane other than the learned one, or rows that sum to zero.

    separable is None where nothing is claimed. Whole numbers beyond 2^53 are texts.
    """
    verdict = learner.verdict_
    if learner.stop_reason_ == "cycle":
        used = learner.cycle_counts_.nonzero()[0]
        support, weights = rows[used].tolist(), learner.cycle_counts_[used].tolist()
    elif verdict is None:
        sure = learner.stop_reason_ == "separated" and len(learner.classes_) == 2 and not learner.early_stopping
        return {"separable": True if sure else None}
    elif verdict.separable:
        return {"separable": True, "proof": {"w": exactly(verdict.w), "b": exactly([verdict.b])[0]}}
    else:
        support, weights = rows[list(verdict.support)].tolist(), exactly(verdict.weights)
    return {"separable": False, "proof": {"support": support, "weights": weights}}


def exactly(numbers: Sequence[int]) -> list[int | str]:
    """Whole numbers that every reader of JSON reads alike."""
    from novikoff.certify.proof import digits

    return [int(v) if abs(v) <= 2**53 else digits(v) for v in numbers]


def wrong(learner: Any, X: Any, y: Any) -> int:
    """How many rows get the wrong class."""
    return int((learner.predict(X) != y).sum())


def say(document: Mapping[str, Any], parts: Parts) -> str:
    """The same in words."""
    bias = " and a bias" if document["bias"] else ", no bias"
    size = f"{words.count(document['n'], 'point')}, {words.count(document['d'], 'feature')}{bias}"
    lines = [f"{document['example']}: {size}; {sides(document)}", words.outcome(document)]
    if document["separable"] is False:
        lines.append(words.proof(*proof_terms(document, parts)))
    if "test" in document:
        test = document["test"]
        right = f"{test['n'] - test['errors']:,} of {words.count(test['n'], 'point')} kept out are classified rightly"
        lines.append(f"test   {right}: accuracy {100 * test['accuracy']:.2f} %")
    plane = document["multi"] is None and document["keep"] != "vote" and document["d"] <= words.PLANE_TERMS
    if plane and any(document["w"]):
        lines.append(f"plane  {words.plane(document['w'], document['b'])}")
    return "\n".join(lines)


def sides(document: Mapping[str, Any]) -> str:
    """Which class is on which side, or how many there are."""
    if document["multi"] is None:
        low, high = document["classes"]
        return f"− is {low}, + is {high}"
    return f"{len(document['classes'])} classes, {document['multi']}"


def proof_terms(document: Mapping[str, Any], parts: Parts) -> tuple[Any, Any, list[int], list[list[float]]]:
    """The points of the proof, padded by 1 for the bias, with their counts and signs."""
    import numpy as np

    support, weights = document["proof"]["support"], [int(v) for v in document["proof"]["weights"]]
    used = np.searchsorted(parts.rows, support)
    signs = [1 if label == document["classes"][1] else -1 for label in parts.y[used].tolist()]
    pad = [1.0] if document["bias"] else []
    return support, weights, signs, [x.tolist() + pad for x in parts.X[used]]
