"""The answers as a table, a JSON document, and the file of results."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.harness import COLUMNS, Row, Size, cpu, setting

RESULTS = Path(__file__).parent / "results.md"
Answers = Mapping[str, Sequence[Row]]  # by question


def table(rows: Sequence[Row]) -> str:
    """The rows for a terminal, the notes below."""
    cells = [COLUMNS, *(row.cells() for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in cells]
    return "\n".join([*lines, *(f"  {note}" for note in notes(rows))])


def notes(rows: Sequence[Row]) -> list[str]:
    """What is said beside the figures, each once."""
    return list(dict.fromkeys(row.note for row in rows if row.note))


def as_json(answers: Answers, quick: bool) -> str:
    """One document."""
    rows = {question: [row.as_json() for row in rows] for question, rows in answers.items()}
    document = {"schema": "novikoff/benchmarks/1", "quick": quick, "setting": setting(), "rows": rows}
    return json.dumps(document, indent=2, ensure_ascii=False)


def markdown(answers: Answers, size: Size, before: str, questions: Sequence[str]) -> str:
    """The file of results: the sections of these answers anew, those of other questions as they were before."""
    written = "Each section is one full run of its question, written by `python -m benchmarks --write`; do not edit."
    sections = {part.partition("\n")[0]: part.partition("\n")[2].strip() for part in before.split("\n## ")[1:]}
    sections |= {question: f"CPU: {cpu()}.\n\n{_markdown_table(rows)}" for question, rows in answers.items()}
    parts = [f"## {question}\n\n{sections[question]}" for question in questions if question in sections]
    holds = [line.rpartition(" | ")[2] for part in parts for line in part.splitlines() if line.startswith("| ")]
    bars = f"{holds.count('yes |')} of {holds.count('yes |') + holds.count('NO |')} bars hold."
    return "\n\n".join([f"# Results\n\n{written}\n\n{_conditions(size)}", bars, *parts]) + "\n"


def _conditions(size: Size) -> str:
    """What the figures were made with and on, in words."""
    made = setting()
    cores, architecture, _ = made.pop("cores"), made.pop("architecture"), made.pop("cpu")
    (n, d), (rows, columns), (images, pixels), (posts, words) = size.dense, size.text, size.digits, size.topics
    return (
        f"Made with {', '.join(f'{name} {value}' for name, value in made.items())}, "
        f"on one of {cores} {architecture} cores.\n"
        f"CPU time, one thread, {size.repeats} interleaved repeats; figures are medians, "
        "a ratio is the median of the ratios of single rounds.\n"
        f"Dense: {n:,} × {d:,} numbers. CSR: {rows:,} × {columns:,}, about 72 numbers a row. "
        f"Many classes: ten of {images:,} × {pixels:,} numbers, twenty of {posts:,} × {words:,} in CSR."
    )


def verdict(answers: Answers) -> str:
    """How many bars hold."""
    judged = [row.holds for rows in answers.values() for row in rows if row.holds is not None]
    return f"{sum(judged)} of {len(judged)} bars hold."


def _markdown_table(rows: Sequence[Row]) -> str:
    lines = [COLUMNS, ("---",) * len(COLUMNS), *(row.cells() for row in rows)]
    body = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return "\n".join([body, "", *(f"- {note}" for note in notes(rows))]).rstrip()
