"""`novikoff fit`: train a perceptron and say in words what happened."""

from __future__ import annotations

import contextlib
import json
import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import click

from novikoff.cli import INTERRUPTED
from novikoff.cli.options import out_of_core, row_options
from novikoff.cli.options.engine_options import engine_of, engine_options
from novikoff.cli.options.option_checks import check_rule
from novikoff.cli.options.output_files import Output, OutputFolder
from novikoff.cli.options.splits import Parts, part_options, parts_of
from novikoff.cli.text import formatting
from novikoff.cli.text.formatting import binary64
from novikoff.cli.text.help_layout import Verb
from novikoff.cli.text.positive_side import oriented
from novikoff.cli.text.progress import Progress
from novikoff.errors import InputError
from novikoff.perceptron import KEEPS, PAIRS, RULES, SCHEMES

MANY = 1 << 20  # rows: with more of them a model has no counts for each of them
AT_ONCE = 2  # blocks of a file that are answered together
FEW_FEATURES = 50  # up to here the weights are part of the document


learning_options = row_options.options(
    formatting.run_options,
    click.option("--rule", type=click.Choice(RULES), default="perceptron", show_default=True, help="What a look does."),
    click.option("--threshold", type=formatting.positive, metavar="NUMBER", default="1", show_default=True,
              help="Of the rule margin: up to here a point is not right enough."),
    click.option("--pa-C", "pa_c", type=formatting.positive, metavar="NUMBER", default="1", show_default=True,
              help="Of the rules pa1 and pa2: how long a step may be."),
    click.option("--multi", type=click.Choice(SCHEMES), default="ova", show_default=True,
              help="How more than two classes are told apart."),
    click.option("--ovo", type=click.Choice(PAIRS), default="vote", show_default=True,
              help="With --multi ovo: each pair has a vote, or the scores of the pairs are summed."),
    click.option(
        "--keep",
        type=click.Choice(KEEPS),
        default="pocket",
        show_default=True,
        help="Which weights are handed back.",
    ),
    click.option(
        "--tie",
        type=click.Choice(["negative", "positive"]),
        default="negative",
        show_default=True,
        help="The class of a point on the plane.",
    ),
    click.option("--max-passes", type=click.IntRange(min=1), default=10_000, show_default=True, help="A limit."),
    click.option("--max-updates", type=click.IntRange(min=1), help="A limit."),
    click.option("--max-seconds", type=formatting.positive, metavar="NUMBER",
              help="A limit, looked at within a pass too."),
    click.option("--stall-train", type=formatting.patience, metavar="K|auto|off", default="auto", show_default=True,
              help="End after K passes without better weights."),
    click.option("--stall-valid", type=click.IntRange(min=1), metavar="K",
              help="End after K passes without fewer errors on --valid, or on a tenth set aside."),
    click.option("--known-margin", type=formatting.positive, metavar="γ",
              help="A margin that some plane is known to have: mistakes are told against (R/γ)²."),
)  # fmt: skip


@click.command(cls=Verb)
@row_options.row_options
@row_options.preparation_options
@part_options
@row_options.positive_option
@row_options.memory_option
@click.option(
    "-o", "--output", type=Output(), metavar="MODEL", help="Write the model, with its preparation, to this file."
)
@learning_options
@engine_options
@click.option("--checkpoint", type=OutputFolder(file_okay=False), metavar="DIR",
              help="Keep the state of the run here, to go on after any end.")  # fmt: skip
@click.option("--resume", is_flag=True, help="Go on from --checkpoint: the same bits as if nothing had happened.")
@click.option("--expect", type=click.Choice(["separated"]), help="Exit with 1 if a training point is wrong.")
@click.option("--quiet", is_flag=True, help="Nothing on stderr but errors.")
@click.pass_context
def command(ctx: click.Context, /, **request: Any) -> int:
    """Train a perceptron and say in words what happened.

    \b
    novikoff fit --example digits --classes 3,8 --holdout 0.25
    novikoff fit --example retina --holdout 0.25
    novikoff fit --example xor --features poly2
    novikoff fit --example iris --classes setosa,virginica --expect separated --json
    novikoff fit train.svm --test test.svm -o model.nvk
    novikoff fit mails.tsv --label 1 --text 2 --tfidf --test-every 5 -o spam.nvk
    novikoff fit huge.parquet --checkpoint state -o model.nvk     # after a crash: the same with --resume
    zcat huge.svm.gz | novikoff fit - --format svm --max-passes 1

    DATA is a file (.csv .tsv .svm .jsonl .vw .npz .npy .parquet .arrow .nvc, idx images; all texts also .gz .bz2 .xz
    .zst), several (part-*.svm), a folder or tar of texts, or - for standard input. A stream (- or a pipe, with
    --max-passes 1) is learned row by row in constant memory. A run is one look after the other; --engine works where
    a run that stalls asks whether there is a plane at all.

    Exit codes: 0 done, 1 --expect missed, 2 usage, 3 bad input, 130 interrupted.
    """
    row_options.check_one(ctx, request["data"], request["example"])
    check_rule(ctx, request)
    if request["resume"] and request["checkpoint"] is None:
        raise click.UsageError("--resume: name the folder to go on from with --checkpoint", ctx)
    if row_options.is_stream(request["data"]) and request["max_passes"] == 1:
        document, learner, parts = of_stream(ctx, request), None, None
    else:
        parts = parts_of(ctx, request)
        with engine_of(ctx, request) as engine:
            learner, seconds = train(parts, request, engine)
        document = describe(learner, parts, seconds)
        document["model"] = saved(learner, parts.known.prep, request["output"], parts)
    document = oriented(document, request["positive"])
    click.echo(json.dumps(document, allow_nan=False) if request["as_json"] else say(document, parts))
    if document["stop_reason"] == "interrupted":
        return INTERRUPTED
    return int(request["expect"] is not None and not document["separated"])


def of_stream(ctx: click.Context, request: Mapping[str, Any]) -> dict[str, Any]:
    """The document of a run over a stream; its model is saved."""
    from novikoff.cli.options import stream_fit

    learner = learner_of(request, request["bias"] is not False)
    try:
        document, prep = stream_fit.learn_stream(ctx, request, learner)
    except InputError as error:
        raise InputError(formatting.in_options(str(error))) from error
    document |= {"example": None, "data": request["data"], **stream_fit.tested(learner, prep, request)}
    return document | {"model": saved(learner, prep, request["output"], None)}


# ---- the model -----------------------------------------------------------------------------------------------------


def saved(learner: Any, prep: Any, path: str | None, parts: Parts | None) -> str | None:
    """Write the model, where one was asked for; its name."""
    if path is None:
        return None
    from novikoff.model import save

    digest = None if parts is None else parts.digest
    if parts is not None and digest is None:
        from novikoff.data.digest import digest_of
        from novikoff.data.digest_kernel import block_digests
        from novikoff.data.problem import unlabelled

        digest = digest_of(unlabelled(parts.X, fit_intercept=parts.fit_intercept), parts.y, block_digests)
    try:
        counts = parts is None or len(parts.y) <= MANY
        save(learner, path, preparation=prep, data_digest=digest, counts=counts)
    except InputError as error:
        raise InputError(formatting.of_classes(str(error), path)) from error
    return path


# ---- the run -------------------------------------------------------------------------------------------------------


def train(parts: Parts, request: Mapping[str, Any], engine: Any) -> tuple[Any, float]:
    """The fitted learner and the seconds it took; what its warning would say is said by the answer.

    A run is one look after the other; the engine works where a stall asks whether there is a plane at all.
    """
    from novikoff.estimators.messages import NotSeparated

    check(request, parts)
    start = start_weights(request["w0"], parts.X.shape[1], parts.fit_intercept)
    learner = learner_of(request, parts.fit_intercept)
    learner.early_stopping, learner.engine = learner.early_stopping and parts.X_valid is None, engine
    progress = Progress(request["quiet"], len(parts.y), out_of_core.bytes_of(parts.X))
    begin = time.perf_counter()
    with warnings.catch_warnings(), contextlib.closing(progress):
        warnings.simplefilter("ignore", NotSeparated)
        try:
            kept = {"checkpoint": request["checkpoint"], "resume": request["resume"], "observer": progress}
            with formatting.rows_of_file(parts.rows):
                learner.fit(parts.X, parts.y, parts.X_valid, parts.y_valid, **start, **kept)
        except KeyboardInterrupt:
            if not hasattr(learner, "coef_"):  # pressed twice, or before anything was learned
                raise
        except InputError as error:
            raise InputError(formatting.of_labels(formatting.in_options(str(error)), parts.name)) from error
    return learner, time.perf_counter() - begin


def learner_of(request: Mapping[str, Any], fit_intercept: bool) -> Any:
    """The learner that the options ask for."""
    from novikoff.estimators.learner import Learner

    return Learner(
        rule=request["rule"],
        threshold=binary64(request["threshold"], "--threshold"),
        C=binary64(request["pa_c"], "--pa-C"),
        multi_class=request["multi"],
        ovo=request["ovo"],
        keep=request["keep"],
        order=request["order"],
        eta0=binary64(request["eta"], "--eta"),
        schedule=request["schedule"],
        fit_intercept=fit_intercept,
        max_iter=request["max_passes"],
        max_updates=request["max_updates"],
        max_time=None if request["max_seconds"] is None else binary64(request["max_seconds"], "--max-seconds"),
        train_patience=request["stall_train"],
        early_stopping=request["stall_valid"] is not None,
        valid_patience=request["stall_valid"] or 5,
        known_margin=None if request["known_margin"] is None else binary64(request["known_margin"], "--known-margin"),
        random_state=request["seed"],
        tie=request["tie"],
    )


def check(request: Mapping[str, Any], parts: Parts) -> None:
    """What the options leave to learn from must be enough for what they ask."""
    from novikoff.data.labels.label_codes import class_counts

    classes, counts = class_counts(parts.y)
    if request["stall_valid"] is not None and parts.X_valid is None and counts.min() < 2:
        less = ", or ask for a smaller --holdout" if len(parts.y_test) else ""
        raise InputError(
            f"--stall-valid {request['stall_valid']}: class {classes[counts.argmin()]} has only one point to learn "
            f"from, and one of each class is set aside; leave it out{less}"
        )
    if request["w0"] is not None and len(classes) > 2:
        raise InputError(f"--w0: one start is for one plane, {len(classes)} classes have several; leave it out")


def start_weights(w0: Sequence[Fraction] | None, d: int, fit_intercept: bool) -> dict[str, Any]:
    """`--w0` as the estimator wants it: weights and bias apart."""
    if w0 is None:
        return {}
    if len(w0) != d + fit_intercept:
        wanted = f"{formatting.count(d, 'feature')}{' and the bias' if fit_intercept else ', no bias'}"
        raise InputError(
            f"--w0: {formatting.count(len(w0), 'number')} found, {d + fit_intercept:,} expected ({wanted})"
        )
    w = [binary64(x, "--w0") for x in w0]
    return {"coef_init": w[:d], "intercept_init": w[d]} if fit_intercept else {"coef_init": w}


# ---- the answer ----------------------------------------------------------------------------------------------------


def describe(learner: Any, parts: Parts, seconds: float) -> dict[str, Any]:
    """The document that `--json` prints; rows are numbered from 0 in the example."""
    n, d = parts.X.shape
    errors, ties = lost(learner, parts.X, parts.y)
    many = len(learner.classes_) > 2
    document = {
        "schema": "novikoff/fit/1",
        **parts.named,
        "stop_reason": learner.stop_reason_,
        "separated": errors == 0,
        "passes": int(learner.n_iter_),
        "updates": int(learner.n_updates_),
        "looks": int(learner.n_looks_),
        "train_errors": errors,
        "ties": ties,
        "n": n,
        "d": d,
        "bias": bool(learner.fit_intercept),
        "classes": learner.classes_.tolist(),
        "rule": learner.rule,
        "multi": learner.multi_class if many else None,
        "ovo": learner.ovo if many and learner.multi_class == "ovo" else None,
        "keep": learner.keep,
        "order": learner.order,
        "seed": learner.random_state,
        "random_from": learner.random_from_,
        "validated": bool(learner.early_stopping) or parts.X_valid is not None,
        "mistake_bound": learner.mistake_bound_,
        "seconds": seconds,
        "model": None,
    }
    if d <= FEW_FEATURES:
        two = len(learner.classes_) == 2
        w, b = learner.coef_.tolist(), learner.intercept_.tolist()
        document |= {"w": w[0] if two else w, "b": b[0] if two else b}
    if len(parts.y_test):
        tested, missed = len(parts.y_test), wrong(learner, parts.X_test, parts.y_test)
        document["test"] = {"n": tested, "errors": missed, "accuracy": 1 - missed / tested}
    return document | proved(learner, parts.rows, errors == 0, bool(document["validated"]))


def proved(learner: Any, rows: Any, separated: bool, validated: bool) -> dict[str, Any]:
    """Whether the points are separable, and why: a plane other than the learned one, or rows that sum to zero.

    separable is None where nothing is claimed. Whole numbers beyond 2^53 are texts.
    """
    verdict = learner.verdict_
    if learner.cycle_counts_ is not None:
        used = learner.cycle_counts_.nonzero()[0]
        support, weights = rows[used].tolist(), learner.cycle_counts_[used].tolist()
    elif verdict is None:
        by_run = learner.stop_reason_ == "separated" and not validated
        by_plane = separated and learner._voters is None
        return {"separable": True if len(learner.classes_) == 2 and (by_run or by_plane) else None}
    elif verdict.separable:
        return {"separable": True, "proof": {"w": exactly(verdict.w), "b": exactly([verdict.b])[0]}}
    else:
        support, weights = rows[list(verdict.support)].tolist(), exactly(verdict.weights)
    return {"separable": False, "proof": {"support": support, "weights": weights}}


def exactly(numbers: Sequence[int]) -> list[int | str]:
    """Whole numbers that every reader of JSON reads alike."""
    from novikoff.certify.check.proof import digits

    return [int(v) if abs(v) <= 2**53 else digits(v) for v in numbers]


def lost(learner: Any, X: Any, y: Any) -> tuple[int, int]:
    """How many rows do not get their own class alone, and how many of two classes lie on the plane between them."""
    from novikoff.data.labels.classes import known_numbers

    errors = ties = 0
    for rows, labels in some_at_a_time(X, y):
        numbers = known_numbers(labels, learner.classes_, "y", "the classes of the model")
        if len(learner.classes_) > 2:
            errors += learner._lost(rows, numbers)
            continue
        scores, number = learner._decide(rows)
        errors += int(((number != numbers) | (scores == 0)).sum())
        ties += int((scores == 0).sum())
    return errors, ties


def wrong(learner: Any, X: Any, y: Any) -> int:
    """How many rows are predicted another class than theirs."""
    return sum(int((learner.predict(rows) != labels).sum()) for rows, labels in some_at_a_time(X, y))


def some_at_a_time(X: Any, y: Any) -> Iterator[tuple[Any, Any]]:
    """Points and labels: all, or those of a file some at a time."""
    if not getattr(X, "in_a_file", False):
        yield X, y
        return
    from novikoff.data.problem import unlabelled

    row_options = unlabelled(X)
    step = AT_ONCE * X.at_once
    for lo in range(0, row_options.n, step):
        part = slice(lo, min(lo + step, row_options.n))
        yield row_options.part(part).matrix(), y[part]


def say(document: Mapping[str, Any], parts: Parts | None) -> str:
    """The same in words."""
    bias = " and a bias" if document["bias"] else ", no bias"
    size = f"{formatting.count(document['n'], 'point')}, {formatting.count(document['d'], 'feature')}{bias}"
    lines = [f"{document['example'] or document['data']}: {size}; {sides(document)}", formatting.outcome(document)]
    if sorted_rows(document, parts):
        lines.append("hint   the rows are sorted by class, which learns slowly: try --order shuffle")
    if document["separable"] is False and parts is not None:
        lines.append(formatting.proof(*proof_terms(document, parts)))
    if "test" in document:
        test, verb = document["test"], "is" if document["test"]["n"] == 1 else "are"
        right = f"{test['n'] - test['errors']:,} of {formatting.count(test['n'], 'point')} kept out {verb}"
        lines.append(f"test   {right} classified rightly: accuracy {100 * test['accuracy']:.2f} %")
    if parts is not None and document["mistake_bound"] is not None:
        bound = f"{document['mistake_bound']:,.6g}"
        lines.append(
            f"bound  {formatting.count(document['updates'], 'update')}; at most (R/γ)² = {bound} for this margin"
        )
        if document["updates"] > document["mistake_bound"] * (1.0 + 1e-9):
            lines[-1] += ": so no plane has this margin on these points"
    if document["model"] is not None:
        lines.append(f"model  {document['model']}")
    if "w" not in document:
        return "\n".join(lines)
    plane = document["multi"] is None and document["keep"] != "vote" and document["d"] <= formatting.PLANE_TERMS
    if plane and any(document["w"]):
        names = numbered_in_file(parts)
        lines.append(f"plane  {formatting.plane(document['w'], document['b'], names)}")
        lines += [] if names else called(parts)
    return "\n".join(lines)


def numbered_in_file(parts: Parts | None) -> list[str] | None:
    """The names of the columns where they are x and their numbers in a table; x1=red is 1 where x1 is red, else 0."""
    if parts is None or not (prep := parts.known.prep).others or not (prep.columns.d or prep.columns.categories):
        return None
    return list(prep.names)


def sorted_rows(document: Mapping[str, Any], parts: Parts | None) -> bool:
    """Whether the rows of a run that left errors were shown class after class."""
    if parts is None or document["order"] != "cyclic" or not document["train_errors"]:
        return False
    if document["stop_reason"] in ("separated", "valid_stalled") or document["random_from"] is not None:
        return False
    from novikoff.data.labels.classes import sorted_by_class

    return sorted_by_class(getattr(parts.y, "codes", parts.y))


def called(parts: Parts | None) -> list[str]:
    """What the columns x1, x2, … of a plane are, where they have other names."""
    names = [] if parts is None else list(parts.known.prep.names)
    if parts is not None and parts.known.form.first == 0 and names[:1] == ["x1"]:
        return ["where  x1 is column 0 of the file, which counts from 0"]
    info = [f"x{j} is {name or repr(name)}" for j, name in enumerate(names, start=1) if name != f"x{j}"]
    return [f"where  {', '.join(info)}"] if info else []


def sides(document: Mapping[str, Any]) -> str:
    """Which class is on which side, or how many there are."""
    if document["multi"] is None:
        low, high = sorted(document["classes"], key=lambda label: bool(label == document["positive"]))
        return f"− is {low}, + is {high}"
    how = formatting.PAIRS_BY[document["ovo"]]
    return f"{len(document['classes'])} classes, {document['multi']}{how}"


def proof_terms(document: Mapping[str, Any], parts: Parts) -> tuple[Any, Any, list[int], list[list[float]]]:
    """The points of the proof, padded by 1 for the bias, with their counts and signs."""
    import numpy as np

    support, weights = document["proof"]["support"], [int(v) for v in document["proof"]["weights"]]
    used = np.searchsorted(parts.rows, support)
    signs = [1 if label == document["positive"] else -1 for label in parts.y[used].tolist()]
    pad = [1.0] if document["bias"] else []
    if getattr(parts.X, "in_a_file", False):
        from novikoff.data.problem import unlabelled

        rows = unlabelled(parts.X).part(used).matrix()
    else:
        rows = parts.X[used]
    dense = rows.toarray() if hasattr(rows, "indptr") else rows
    return support, weights, signs, [x.tolist() + pad for x in dense]
