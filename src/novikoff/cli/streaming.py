"""`fit -` with --max-passes 1: every row of a stream is shown once, in its order, and forgotten.

Memory stays as it is, however long the stream. A row is predicted before it is learned from, so the mistakes made on
the way are an honest test: the progressive error.

From the notes: R2 (incremental presentation).
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import Any

import click

from novikoff.cli import points
from novikoff.cli.known import known_of
from novikoff.cli.parts import TESTS, labelled
from novikoff.cli.progress import Progress
from novikoff.errors import InputError

REFUSED = {**TESTS, "valid_file": "--valid", "stall_valid": "--stall-valid", "w0": "--w0"}


def learn_stream(ctx: click.Context, asked: Mapping[str, Any], learner: Any) -> tuple[dict[str, Any], Any]:
    """(the document of the run, the fitted preparation)."""
    for name, option in REFUSED.items():
        if asked[name] and name != "test_file":
            raise click.UsageError(f"{option}: a stream passes once, row by row; leave it out, or give a file", ctx)
    if asked["order"] != "cyclic":
        raise click.UsageError(f"--order {asked['order']}: a stream comes in its own order; leave it out", ctx)
    begin, progress = time.perf_counter(), Progress(asked["quiet"])
    source = points.training_source(asked["data"], asked)
    prep = points.preparation(asked, True)
    rows, named = 0, None
    if asked["classes"] is not None:
        from novikoff.files.source import typed

        named = typed([label.strip() for label in asked["classes"].split(",")])
    try:
        for y, X in _chunks(source, asked, prep):
            learner.partial_fit(X, y, named if not rows else None)
            rows += len(y)
            progress.on_rows(rows, mistakes_of(learner), learner.mistake_bound_)
    except KeyboardInterrupt:
        learner.stop_reason_ = "interrupted"
    finally:
        progress.end()
        points.tell_of_bad_rows(source)
    if not rows:
        raise InputError(f"{source.name}: found no rows; expected points, one a line")
    return describe(learner, rows, time.perf_counter() - begin), prep


def _chunks(source: Any, asked: Mapping[str, Any], prep: Any) -> Iterator[tuple[Any, Any]]:
    """Labels and prepared points; what is remembered of the file is right after the last."""
    from novikoff.files.raws import form_after, stream_of
    from novikoff.files.source import labels_of

    labels: list[Any] = []

    def raws() -> Iterator[Any]:
        first = int(asked["first_column"] or 1)
        for given, raw, _ in stream_of(source, asked["one_hot"], asked["text"], first=first):
            if given is None:
                raise InputError(f"{source.name}: no column is left for the label; name it with --label")
            labels.append(points.renamed(labels_of([given]), asked["label_as"]))
            yield raw

    for made in prep.stream(raws()):
        yield labels.pop(), made.X
    prep.report["read"] = points.memory(form_after(source, int(asked["first_column"] or 1)), asked)


def mistakes_of(learner: Any) -> int:
    """Rows at which the weights were changed; with the rule perceptron, those predicted wrongly or not at all."""
    return int(learner.n_mistakes_.sum())


def describe(learner: Any, rows: int, seconds: float) -> dict[str, Any]:
    """The document of a stream."""
    return {
        "schema": "novikoff/fit/1",
        "stop_reason": learner.stop_reason_,
        "separated": False,
        "separable": None,
        "passes": 1,
        "updates": int(learner.n_updates_),
        "looks": rows,
        "mistakes": mistakes_of(learner),
        "mistake_bound": learner.mistake_bound_,
        "train_errors": None,
        "ties": 0,
        "n": rows,
        "d": int(learner.n_features_in_),
        "bias": bool(learner.fit_intercept),
        "classes": learner.classes_.tolist(),
        "rule": learner.rule,
        "multi": learner.multi_class if len(learner.classes_) > 2 else None,
        "keep": learner.keep,
        "order": "stream",
        "seed": 0,
        "validated": False,
        "seconds": seconds,
        "model": None,
    }


def tested(learner: Any, prep: Any, asked: Mapping[str, Any]) -> dict[str, Any]:
    """The test, where one was asked for."""
    if not asked["test_file"]:
        return {}
    X, y = labelled(known_of(prep), asked["test_file"], learner.classes_, {"kind": None}, asked["test_inside"])
    errors = int((learner.predict(X) != y).sum())
    return {"test": {"n": len(y), "errors": errors, "accuracy": 1 - errors / len(y)}}
