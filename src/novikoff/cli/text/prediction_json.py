"""Write predictions as one JSON document, in constant memory.

{"schema": …, "model": …, "data": …, "classes": […], "predictions": [
{"row": 0, "class": "ham", "score": -1.5},
…
], "n": 1000, "missing": 0}

One row of the file is one line of the document. The class is null where a row has a missing value and the model imputes
none. Where every row is a file, `file` is its name. With --scores two classes have one score, above 0 for the second of
`classes`; more have `scores`, in the order of `classes`.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from typing import Any

MEMORY = 1 << 24  # bytes of a document that are kept in memory until it is complete


def json_lines(classes: list[Any], number: Any, scores: Any = None) -> str:
    """Format one line per row: the members of its object but the row's number, which the document adds."""
    begun = [f'"class": {json.dumps(label)}' for label in classes]
    if scores is None:
        return "".join([f"{begun[k]}\n" for k in number.tolist()])
    name = "score" if scores.ndim == 1 else "scores"
    rows = zip(number.tolist(), scores.tolist(), strict=True)
    return "".join([f'{begun[k]}, "{name}": {json.dumps(row, allow_nan=False)}\n' for k, row in rows])


class PredictionDocument:
    """The text of the document, in parts; n: how many rows were written."""

    def __init__(self, head: Mapping[str, Any], texts: Iterator[str]) -> None:
        """texts: lines of `json_lines`; an empty line is a row without a prediction."""
        self.head, self.texts, self.n, self.missing = head, texts, 0, 0

    def __iter__(self) -> Iterator[str]:
        yield json.dumps({"schema": "novikoff/predict/1", **self.head}, allow_nan=False)[:-1] + ', "predictions": ['
        for text in self.texts:
            yield "".join(map(self._row, text.split("\n")[:-1]))
        yield f'\n], "n": {self.n}, "missing": {self.missing}}}\n'

    def _row(self, line: str) -> str:
        self.missing += not line
        self.n += 1
        comma = "," if self.n > 1 else ""
        return f'{comma}\n{{"row": {self.n - 1}, {line or NO_CLASS}}}'

    def print(self) -> None:
        """Print the document on stdout when it is complete: on an error nothing is printed."""
        with tempfile.SpooledTemporaryFile(MEMORY, "w+", encoding="utf-8") as file:
            file.writelines(self)
            file.seek(0)
            shutil.copyfileobj(file, sys.stdout)


NO_CLASS = '"class": null'
