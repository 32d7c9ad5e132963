"""`novikoff fit`: train a perceptron and report the result."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import click

from novikoff.cli import INTERRUPTED
from novikoff.cli.options import class_weights, row_options
from novikoff.cli.options.engine_options import check_fit_engine, engine_of, engine_options
from novikoff.cli.options.learning_options import check_rule, estimator_of, learning_options
from novikoff.cli.options.output_files import Output, OutputFolder
from novikoff.cli.options.pictures import (
    check_fit_picture,
    check_plot,
    check_points,
    fit_display,
    picture,
    plot_option,
    write_picture,
)
from novikoff.cli.options.verb import Verb
from novikoff.cli.parts import Parts, facts, of_parts, part_options, parts_of, timed_fit
from novikoff.cli.soft_fit import check_soft, describe_soft, fit_soft, soft_options, soft_outcome
from novikoff.cli.text import formatting
from novikoff.cli.text.answer import print_answer
from novikoff.cli.text.formatting import binary64
from novikoff.cli.text.held_out import tested, tested_in_words
from novikoff.cli.text.label_names import class_list, label_words, oriented
from novikoff.cli.text.option_names import with_options
from novikoff.cli.text.option_table import typed
from novikoff.cli.text.progress import Progress
from novikoff.data.format_numbers import plane_equation
from novikoff.errors import InputError

FEW_ROWS = 100  # of a proof up to which its weights are computed: hundreds of a second
MANY = 1 << 20  # with more rows a model stores no counts per row
SCALING = ("scale", "unit-rows")  # steps after which numbers are not those of the file
MIXED = "in each pass every partition makes its own updates, and the results are averaged"


@click.command(cls=Verb)
@row_options.row_options
@row_options.preparation_options
@part_options
@row_options.positive_option
@row_options.memory_option
@row_options.spill_option
@click.option(
    "-o", "--output", type=Output(), metavar="MODEL", help="Write the model, with its preparation, to this file."
)
@learning_options
@soft_options
@engine_options
@click.option("--checkpoint", type=OutputFolder(file_okay=False), metavar="DIR",
              help="Write checkpoints of the run to this folder.")  # fmt: skip
@click.option("--resume", is_flag=True, help="Resume from --checkpoint; the result is the same, bit for bit.")
@click.option("--from", "from_model", metavar="MODEL",
              help="Train this model further with the rows of standard input.")  # fmt: skip
@click.option("--expect", type=click.Choice(["separated"]), help="Exit with 1 if a training point is misclassified.")
@plot_option
@click.option("--quiet", is_flag=True, help="Print only errors on stderr.")
@click.pass_context
def command(ctx: click.Context, /, **request: Any) -> int:
    """Train a perceptron and report the result.

    \b
    novikoff fit --example digits --classes 3,8 --holdout 0.25
    novikoff fit --example retina --holdout 0.25
    novikoff fit --example xor --features poly2
    novikoff fit --example cornwell --plot fit.png
    novikoff fit --example iris --classes setosa,virginica --expect separated --json
    novikoff fit train.svm --test test.svm -o model.nvk
    novikoff fit titanic.csv --label Survived --auto -o model.nvk
    novikoff fit --example breast-cancer --scale --soft hinge --C auto --holdout 0.25
    novikoff fit mails.tsv --label 1 --text 2 --tfidf --test-every 5 -o spam.nvk
    novikoff fit huge.parquet --checkpoint state -o model.nvk     # after a crash: the same with --resume
    novikoff fit huge.parquet --mix --engine dask -o model.nvk
    zcat huge.svm.gz | novikoff fit - --format svm --max-passes 1 -o stream.nvk
    zcat more.svm.gz | novikoff fit - --from stream.nvk -o stream.nvk

    DATA is a file (.csv .tsv .svm .npz .parquet .arrow; text formats also .gz .bz2 .xz .zst),
    several files (part-*.svm), or - for standard input. From a stream (- or a pipe, with --max-passes 1) the model is
    trained row by row in constant memory; --from trains a model further, from its weights. Training is sequential;
    --engine is used only to decide during the run whether any plane separates the points. --mix trains each partition
    of the rows by itself and averages the weights after each pass: another algorithm, in which --engine trains
    partitions in parallel and changes no bit. --soft solves a soft margin instead; --max-passes then limits
    the steps of the solver for each plane.

    Exit codes: 0 done, 1 --expect not met, 2 usage error, 3 bad input, 130 interrupted.
    """
    check_soft(ctx, request)
    check_rule(ctx, request)
    check_fit_engine(ctx, request)
    if request["resume"] and request["checkpoint"] is None:
        raise click.UsageError("--resume: name the folder to resume from with --checkpoint", ctx)
    check_plot(ctx, request)
    stream = _is_one_pass(ctx, request) and request["soft"] is None
    check_fit_picture(ctx, request, stream)
    drawn = b""
    if stream:
        document, learner, parts = of_stream(ctx, request), None, None
    else:
        with engine_of(ctx, request) as engine:
            parts = parts_of(ctx, request)
            check_points(request, parts)
            with hashing(parts, request["output"], engine) as digest:
                if request["soft"] is not None:
                    learner, seconds = fit_soft(ctx, parts, request)
                    document = describe_soft(learner, parts, seconds)
                else:
                    learner, seconds = train(parts, request, engine)
                    document = describe(learner, parts, seconds)
                drawn = picture(request, lambda: fit_display(learner, parts, request["positive"]))
                document["model"] = saved(learner, parts.known.prep, request["output"], parts, digest)
    document = oriented(document, request["positive"])
    print_answer("fit", document, say(document, parts), request["as_json"])
    write_picture(request, drawn)
    if document["stop_reason"] == "interrupted":
        return INTERRUPTED
    return int(request["expect"] is not None and not document["separated"])


def _is_one_pass(ctx: click.Context, request: Mapping[str, Any]) -> bool:
    """Return whether every row of a stream is presented once; raise UsageError for --from without a stream."""
    from novikoff.io.file_formats import is_stream

    path, model = request["data"], request["from_model"]
    stream = path is not None and request["example"] is None and is_stream(path)
    if model is None:
        return stream and request["max_passes"] == 1
    if not stream:
        raise click.UsageError(
            f"--from: continues a stream; give the rows on standard input, as in: cat rows.csv | novikoff fit - --from "
            f"{model}",
            ctx,
        )
    if typed(ctx, "max_passes") and request["max_passes"] != 1:
        raise click.UsageError("--max-passes: --from presents every row of the stream once; leave it out", ctx)
    return True


def of_stream(ctx: click.Context, request: Mapping[str, Any]) -> dict[str, Any]:
    """Train on a stream, save the model, and return the document."""
    from novikoff.cli import stream_fit

    classes = class_weights.classes_of_stream(ctx, request["class_weight"], request["classes"])
    learner = estimator_of(request, request["bias"] is not False, classes)
    begin = time.perf_counter()
    learner, rows, prep = stream_fit.learn_stream(ctx, request, learner)
    document = facts(learner, rows, None, time.perf_counter() - begin) | run_facts(learner, 0, False)
    document |= {"example": None, "data": request["data"], "order": "stream", "seed": 0, "looks": rows}
    label = prep.report.get("read", {}).get("label")
    document |= {"separable": None, "mistakes": stream_fit.mistakes_of(learner), "label": label}
    if request["from_model"] is not None:
        document["from"] = request["from_model"]
    if request["test_file"]:
        document["test"] = tested(learner, *stream_fit.test_rows(learner, prep, request))
    return document | {"model": saved(learner, prep, request["output"], None)}


# ---- the model -----------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def hashing(parts: Parts, path: str | None, engine: Any) -> Iterator[Callable[[], str | None]]:
    """Return the function that gives the digest of the training rows for a model; threads compute it meanwhile."""
    if path is None:
        yield lambda: None
        return
    from novikoff.data.digest import digest_ahead
    from novikoff.data.problem import unlabelled

    points = unlabelled(parts.X, fit_intercept=parts.fit_intercept)
    with digest_ahead(points, parts.y) as digest:
        yield digest


def saved(
    learner: Any, prep: Any, path: str | None, parts: Parts | None, digest: Callable[[], str | None] = lambda: None
) -> str | None:
    """Write the model if requested, and return its name."""
    if path is None:
        return None
    from novikoff.model import save

    try:
        counts = parts is None or len(parts.y) <= MANY
        save(learner, path, preparation=prep, data_digest=digest(), counts=counts)
    except InputError as error:
        raise (InputError(str(error), file=path) if error.argument == "classes" else error) from error
    return path


# ---- the run -------------------------------------------------------------------------------------------------------


def train(parts: Parts, request: Mapping[str, Any], engine: Any) -> tuple[Any, float]:
    """Return the fitted estimator and the seconds it took; its warnings are part of the report instead.

    Training is sequential without mixing; the engine is then used to decide whether any plane separates the points.
    """
    from novikoff.estimators.messages import NotSeparated

    check(request, parts)
    kept = start_weights(request["w0"], parts.X.shape[1], parts.fit_intercept)
    learner = estimator_of(request, parts.fit_intercept, parts.counts)
    learner.early_stopping, learner.engine = learner.early_stopping and parts.X_valid is None, engine
    kept |= {"checkpoint": request["checkpoint"], "resume": request["resume"]}
    with contextlib.closing(Progress(request["quiet"], len(parts.y))) as progress:
        kept |= {"X_valid": parts.X_valid, "y_valid": parts.y_valid, "observer": progress}
        return learner, timed_fit(learner, parts, NotSeparated, **kept)


def check(request: Mapping[str, Any], parts: Parts) -> None:
    """Check that the remaining rows are enough for the options."""
    rare = min(parts.counts, key=parts.counts.__getitem__)
    if request["stall_valid"] is not None and parts.X_valid is None and parts.counts[rare] < 2:
        less = ", or ask for a smaller --holdout" if len(parts.y_test) else ""
        raise InputError(
            f"--stall-valid {request['stall_valid']}: class {rare} has only one training point, but one of each class "
            f"is held out; omit the option{less}"
        )
    if request["w0"] is not None and len(parts.counts) > 2:
        raise InputError(f"--w0 is available only for two classes; the data have {len(parts.counts)}")


def start_weights(w0: Sequence[Fraction] | None, d: int, fit_intercept: bool) -> dict[str, Any]:
    """Convert `--w0` for the estimator: weights and bias separately."""
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
    """Return the document that `--json` prints; rows are numbered from 0 in the example."""
    validated = bool(learner.early_stopping) or parts.X_valid is not None
    errors, ties = lost(learner, parts.X, parts.y)
    document = facts(learner, len(parts.y), errors, seconds) | run_facts(learner, ties, validated)
    document |= of_parts(learner, parts)
    if aside := set_aside(learner, parts):
        document["set_aside"] = aside
    if learner.order == "batch" and "w" in document:  # decisions use the plane before it is multiplied by η/n
        (plane,), _ = learner.as_trained()
        document["unscaled"] = {"w": plane[:-1].tolist(), "b": float(plane[-1])}
    document |= proved(learner, parts.rows, errors == 0, validated)
    return document | (by_chance(document, parts.counts) if errors == 0 else {})


def by_chance(document: Mapping[str, Any], counts: Mapping[Any, int]) -> dict[str, Any]:
    """Return the largest share of labellings that are as separable as these, unless it is small or nothing is proved.

    Of many classes that of the plane with the most points: a pair of classes, or one-vs-all a class and all others.
    """
    from novikoff.theory.perfect_fit import separable_by_chance

    many, points = document["multi"] is not None, document["n"]
    if not (document["separable"] or (many and document["stop_reason"] in ("separated", "separable"))):
        return {}
    if many and document["multi"] != "ova":
        points = sum(sorted(counts.values())[-2:])
    chance = separable_by_chance(points, document["d"] + document["bias"])
    return {} if chance is None else {"by_chance": chance | ({"points": points} if many else {})}


def run_facts(learner: Any, ties: int, validated: bool) -> dict[str, Any]:
    """Return what the document of a run of the perceptron states."""
    return {
        "passes": int(learner.n_iter_),
        "updates": int(learner.n_updates_),
        "looks": int(learner.n_looks_),
        "ties": ties,
        "rule": learner.rule,
        "keep": learner.keep,
        "order": learner.order,
        "random_from": learner.random_from_,
        "validated": validated,
        "mistake_bound": learner.mistake_bound_,
    } | _chosen(learner)


def _chosen(learner: Any) -> dict[str, Any]:
    """Return what the document states only if it was chosen: last order, batch mistakes, partitions, class weights."""
    chosen: dict[str, Any] = {"last_order": getattr(learner, "order_", "cyclic")} if learner.order == "auto" else {}
    if learner.order == "batch":
        chosen["mistakes"] = int(learner.n_mistakes_.sum())
    if learner.mix:
        rows = learner.partition_rows_.tolist()
        chosen |= {"mix": True, "partitions": len(rows), "partition_rows": rows}
        chosen["partition_mistakes"] = learner.n_mistakes_.tolist()
    return chosen


def set_aside(learner: Any, parts: Parts) -> int:
    """Count the rows that were held out for validation."""
    if not learner.early_stopping:
        return 0
    from novikoff.perceptron import keeps

    return sum(keeps.set_aside(rows, float(learner.validation_fraction)) for rows in parts.counts.values())


def proved(learner: Any, rows: Any, separated: bool, validated: bool) -> dict[str, Any]:
    """Return whether the points are separable, and why: a plane other than the learned one, or rows that sum to zero.

    separable is None if nothing is proved. Integers beyond 2^53 are texts; weights of many rows are not computed.
    """
    verdict = learner.verdict_
    if isinstance(verdict, dict):
        named = [{"plane": name, "separable": one.separable} for name, one in verdict.items()]
        return {"separable": None, "planes_decided": named}
    if learner.cycle_counts_ is not None:
        used = learner.cycle_counts_.nonzero()[0]
        support, weights = rows[used].tolist(), learner.cycle_counts_[used].tolist()
    elif verdict is None:
        by_run = learner.stop_reason_ == "separated" and not validated
        by_plane = separated and learner.keep != "vote"
        return {"separable": True if len(learner.classes_) == 2 and (by_run or by_plane) else None}
    elif verdict.separable:
        return {"separable": True, "proof": {"w": exactly(verdict.w), "b": exactly([verdict.b])[0]}}
    else:
        fast = verdict.weights_known or len(verdict.indices) <= FEW_ROWS
        support, weights = rows[list(verdict.indices)].tolist(), exactly(verdict.weights) if fast else None
    return {"separable": False, "proof": {"support": support, "weights": weights}}


def exactly(numbers: Sequence[int]) -> list[int | str]:
    """Return integers in a form that every JSON reader reads alike."""
    from novikoff.exact.integer_rows import digits

    return [int(v) if abs(v) <= 2**53 else digits(v) for v in numbers]


def lost(learner: Any, X: Any, y: Any) -> tuple[int, int]:
    """Count the rows that do not get their own class, and how many of these are ties between classes."""
    from novikoff.data.labelled_points import in_chunks
    from novikoff.data.labels import known_numbers

    errors = ties = 0
    for rows, labels in in_chunks(X, y):
        numbers = known_numbers(labels, learner.classes_, "y", "the classes of the model")
        lost_here, tied_here = learner.lost_and_tied(rows, numbers)
        errors, ties = errors + lost_here, ties + tied_here
    return errors, ties


def say(document: Mapping[str, Any], parts: Parts | None) -> list[str]:
    """Format the document for people."""
    bias = " and a bias" if document["bias"] else ", no bias"
    size = f"{formatting.count(document['n'], 'point')}, {formatting.count(document['d'], 'feature')}{bias}"
    label, soft = label_words(document["label"]), "soft" in document
    facing = f"{label}: {sides(document)}" if label else sides(document)
    head, details = soft_outcome(document) if soft else (formatting.outcome(document), run_outcome(document, parts))
    tested = [tested_in_words(document["test"])] if "test" in document else []
    step = formatting.next_step(document)
    lines = [head, *tested, *([step] if step else [])]
    lines += [f"data   {document['example'] or document['data']}: {size}; {facing}", *details]
    if parts is not None and document.get("mistake_bound") is not None:
        lines.append(f"bound  {formatting.bound(document)}")
    if document["model"] is not None:
        lines.append(f"model  {document['model']}")
    plane = (
        "w" in document
        and document["multi"] is None
        and document.get("keep") != "vote"
        and document["d"] <= formatting.PLANE_TERMS
    )
    if plane and any(document["w"]):
        names = numbered_in_file(parts)
        lines.append(f"plane  {plane_equation(document['w'], document['b'], names)}")
        lines += called(parts, names is not None)
    return lines


def run_outcome(document: Mapping[str, Any], parts: Parts | None) -> list[str]:
    """Format the details of a run of the perceptron, with hints and the proof."""
    lines = [] if document["order"] == "stream" else [formatting.run_line(document)]
    if "by_chance" in document:
        from novikoff.theory.perfect_fit import in_words

        chance = document["by_chance"]
        which = {None: "", "ova": "each class and the others: "}.get(document["multi"], "the two largest classes: ")
        lines.append(f"chance {which}{in_words(chance.get('points', document['n']), chance)}")
    if "mix" in document:
        lines.append(f"mix    {formatting.partitions(document['partition_rows'])}: {MIXED}")
    if "from" in document:
        lines.append(f"from   {document['from']}: these points are a stream from its weights")
    if sorted_rows(document, parts):
        lines.append("hint   the rows are sorted by class, which slows training down: try --order shuffle")
    if document["separable"] is False and parts is not None:
        lines.append(formatting.proof(*proof_terms(document, parts), document["bias"]))
    return lines


def numbered_in_file(parts: Parts | None) -> list[str] | None:
    """Return the column names x1, x2, … numbered as in the table; x1=red is 1 where x1 is red, else 0."""
    if parts is None or not (prep := parts.known.prep).others or not (prep.columns.d or prep.columns.categories):
        return None
    return list(prep.names)


def sorted_rows(document: Mapping[str, Any], parts: Parts | None) -> bool:
    """Return whether a run that left errors saw its rows sorted by class."""
    if parts is None or document.get("last_order", document["order"]) != "cyclic" or not document["train_errors"]:
        return False
    if document["stop_reason"] in ("separated", "valid_stalled") or document["random_from"] is not None:
        return False
    from novikoff.data.labels import sorted_by_class

    return sorted_by_class(parts.y)


def called(parts: Parts | None, numbered: bool) -> list[str]:
    """Format the names of the columns x1, x2, … of a plane, and after which steps its numbers are not the file's.

    numbered: the plane has the column names already.
    """
    if parts is None:
        return []
    names = list(parts.known.prep.names)
    if parts.known.form.first == 0 and names[:1] == ["x1"] and not numbered:
        return ["where  x1 is column 0 of the file, which counts from 0"]
    info = [f"x{j} is {name or repr(name)}" for j, name in enumerate(names, start=1) if name != f"x{j}"]
    info = [] if numbered else info
    steps = [with_options(step.option) for step, _ in parts.known.prep.columns.steps() if step.kind in SCALING]
    scaled = [f"numbers are those after {' and '.join(steps)}"] if steps else []
    said = [", ".join(info)] if info else []
    return [f"where  {'; '.join([*said, *scaled])}"] if info or scaled else []


def sides(document: Mapping[str, Any]) -> str:
    """Format which class is on which side, or the number of classes."""
    if document["multi"] is None:
        low, high = sorted(document["classes"], key=lambda label: bool(label == document["positive"]))
        return f"− is {low}, + is {high}"
    how = formatting.PAIRS_BY[document["ovo"]]
    return f"{len(document['classes'])} classes ({class_list(document['classes'])}), {document['multi']}{how}"


def proof_terms(document: Mapping[str, Any], parts: Parts) -> tuple[Any, Any, list[int], list[list[float]]]:
    """Format the points of the proof, padded by 1 for the bias, with their counts and signs."""
    import numpy as np

    support, weights = document["proof"]["support"], document["proof"]["weights"]
    if weights is None:
        return support, None, [], []
    weights = [int(v) for v in weights]
    used = np.searchsorted(parts.rows, support)
    signs = [1 if label == document["positive"] else -1 for label in parts.y[used].tolist()]
    pad = [1.0] if document["bias"] else []
    rows = parts.X[used]
    dense = rows.toarray() if hasattr(rows, "indptr") else rows
    return support, weights, signs, [x.tolist() + pad for x in dense]
