"""`novikoff predict`: the classes of new rows, one a line, in constant memory."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from novikoff.cli import known, words
from novikoff.errors import InputError


@click.command()
@click.argument("model", type=click.Path())
@click.argument("data", type=click.Path())
@known.new_row_options
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="FILE", help="Write to this file.")
@click.option("--scores", is_flag=True, help="After each label, a tab and its score, or the score of each class.")
@click.option("--quiet", is_flag=True, help="Nothing on stderr but errors.")
def command(model: str, data: str, output: Path | None, scores: bool, quiet: bool, **asked: Any) -> int:
    """The classes of new rows, by a model: one a line.

    \b
    novikoff predict model.nvk new.csv
    novikoff predict model.nvk new.svm.gz --scores -o answers.tsv
    cat new.csv | novikoff predict model.nvk - --format csv

    Rows are read and prepared as the training rows were. The label's column may be there (it is that of training, or
    --label) or not: where its name is not in the header, or the table has one column fewer, all columns are points;
    --no-label says so. Lines of an svmlight file begin with a label, which is not looked at.
    """
    learner, how = known.model_of(model)
    lines = _lines(learner, how, data, asked, scores)
    if output is None:
        for text in lines:
            sys.stdout.write(text)
    else:
        from novikoff.atomic import replacing

        with replacing(output) as file:
            for text in lines:
                file.write(text)
    known.tell(how, quiet)
    return 0


def _lines(learner: Any, how: known.Known, data: str, asked: dict[str, Any], scores: bool) -> Iterator[str]:
    """The answers of a batch, as one text."""
    seen = 0
    for batch in how.batches(data, asked):
        with words.about(data, seen):
            called = learner.predict(batch.X).tolist()
        seen += len(called)
        if not scores:
            yield "".join(f"{label}\n" for label in called)
            continue
        values = learner.decision_function(batch.X)
        rows = values.reshape(len(called), -1).tolist()
        yield "".join("\t".join([str(label), *map(repr, row)]) + "\n" for label, row in zip(called, rows, strict=True))
    if not seen:
        raise InputError(f"{data}: found no rows; expected points, one a line")
