"""Write a preparation as nodes of an ONNX graph: from raw columns to the rows that the planes take.

    X                    (n, d) float64   the columns of numbers, in the order of training; NaN where one is missing
    one input per column (n, 1) strings   each column of categories, by its name

    numbers      missing → imputed → scaled or divided      indicators   1 where a number was missing
    categories   LabelEncoder → a row of the unit matrix; an unknown one is a row of zeros
    rows         products of pairs, unit length

Every number is computed by the same operations in float64 as in novikoff. Texts cannot be written: ONNX has no operator
that splits a text into words.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from novikoff.data.text.plain_files import MISSING
from novikoff.errors import InputError
from novikoff.prepare.column_steps import ColumnSteps
from novikoff.prepare.imputation import is_missing
from novikoff.prepare.onehot import OneHot
from novikoff.prepare.preparation import Preparation
from novikoff.prepare.products import Products
from novikoff.prepare.scaling import Divide, Scale

PUBLIC = ("X", "label", "scores")  # names of inputs and outputs
ML = "ai.onnx.ml"  # the domain of LabelEncoder
Node = tuple[str, list[str], str, dict[str, Any]]  # operator, inputs, output, attributes


@dataclass
class OnnxRows:
    """The inputs of a graph, and the nodes that make rows of them. rows: the name of these."""

    width: int  # of the input X; 0 if there is none
    rows: str = "X"
    words: dict[str, str] = field(default_factory=dict)  # name of an input → column of categories
    nodes: list[Node] = field(default_factory=list)
    constants: dict[str, np.ndarray] = field(default_factory=dict)

    def add(self, op: str, inputs: list[str], output: str, **more: Any) -> str:
        """Add a node, and return the name of its output."""
        self.nodes.append((op, inputs, output, more))
        return output

    def constant(self, name: str, value: Any) -> str:
        """Add a constant, and return its name."""
        self.constants[name] = np.asarray(value)
        return name


def onnx_rows(prep: Preparation | None, d: int) -> OnnxRows:
    """Return the nodes of a preparation; without one, X has the d columns of the planes."""
    if prep is None or prep.is_plain:
        return OnnxRows(d)
    columns = prep.columns
    for name, text in columns.text.items():
        raise InputError(
            f"preparation: column {name!r} is text ({text.kind}), and ONNX has no operator that splits a text into "
            "words; prepared=True writes the planes alone, for rows that are prepared elsewhere"
        )
    graph = OnnxRows(columns.d)
    blocks = _numbers(graph, columns) if columns.d else []
    blocks += [_categories(graph, columns, name, k) for k, name in enumerate(columns.categories)]
    rows = blocks[0] if len(blocks) == 1 else graph.add("Concat", blocks, "columns", axis=1)
    width = columns.d + len(columns.indicators) + sum(len(step.categories) for step in columns.categories.values())
    for step in columns.rows:
        rows = _products(graph, rows, width) if isinstance(step, Products) else _unit_length(graph, rows)
    graph.rows = rows
    return graph


def _numbers(graph: OnnxRows, columns: ColumnSteps) -> list[str]:
    """Add the nodes for numbers, and return the names of their blocks: the numbers, the indicators."""
    numbers, blocks, cells = "X", [], columns.cells
    if cells is not None:
        gaps = graph.add("IsNaN", ["X"], "gaps")
        numbers = graph.add("Where", [gaps, graph.constant("fill", cells.fill), "X"], "imputed")
        if cells.indicated:
            chosen = graph.constant("indicated", np.array(cells.indicated, np.int64))
            marks = graph.add("Gather", [gaps, chosen], "marks", axis=1)
            blocks = [graph.add("Cast", [marks], "indicators", to=_double())]
    step = columns.numbers
    if isinstance(step, Scale) and step.centre:
        numbers = graph.add("Sub", [numbers, graph.constant("mean", step.mean)], "centred")
    if isinstance(step, Scale | Divide):
        divisor = step.deviation if isinstance(step, Scale) else np.full(columns.d, step.by)
        numbers = graph.add("Div", [numbers, _divisor(graph, divisor)], "scaled")
    return [numbers, *blocks]


def _divisor(graph: OnnxRows, values: np.ndarray) -> str:
    """Return the name of the divisors of the columns.

    onnxruntime joins a division by a single constant with the product that follows, and rounds it to float32; so a
    single one is expanded to all rows.
    """
    divisor = graph.constant("divisor", values)
    if values.size > 1:
        return divisor
    return graph.add("Expand", [divisor, graph.add("Shape", ["X"], "shape")], "divisors")


def _categories(graph: OnnxRows, columns: ColumnSteps, column: str, k: int) -> str:
    """Add the nodes for a column of categories, and return the name of its block."""
    step: OneHot = columns.categories[column]
    K, name = len(step.categories), f"category{k}"
    graph.words[name] = column
    places = {category: j for j, category in enumerate(step.categories)}
    if columns.cells is not None:
        frequent = places.get(columns.cells.frequent[column], K)
        places = {category: j for category, j in places.items() if not is_missing(category)}
        places |= dict.fromkeys(_spellings(), frequent)
    numbers = graph.add("LabelEncoder", [name], f"{name}_number", domain=ML, keys_strings=list(places),
                        values_int64s=list(places.values()), default_int64=K)  # fmt: skip
    flat = graph.add("Squeeze", [numbers, graph.constant("second", np.array([1]))], f"{name}_flat")
    unit = graph.constant(f"{name}_unit", np.eye(K + 1, K))
    return graph.add("Gather", [unit, flat], f"{name}_columns", axis=0)


def _spellings() -> list[str]:
    """Return the texts that mean a missing category: each as it is, in capitals, and with a capital letter."""
    return sorted({one for word in MISSING for one in (word, word.upper(), word.capitalize(), "NaN", "n/A", "N/a")})


def _products(graph: OnnxRows, rows: str, d: int) -> str:
    """Add the nodes for the squares and products of d columns."""
    Products().width(d)  # raises for too many
    first, second = np.triu_indices(d)
    left = graph.add("Gather", [rows, graph.constant("first_factor", first)], "left", axis=1)
    right = graph.add("Gather", [rows, graph.constant("second_factor", second)], "right", axis=1)
    products = graph.add("Mul", [left, right], "pairs")
    return graph.add("Concat", [rows, products], "with_products", axis=1)


def _unit_length(graph: OnnxRows, rows: str) -> str:
    """Add the nodes that divide each row by its length, if that is not 0."""
    squares = graph.add("Mul", [rows, rows], "squares")
    total = graph.add("ReduceSum", [squares, graph.constant("across", np.array([1]))], "total", keepdims=1)
    length = graph.add("Sqrt", [total], "length")
    empty = graph.add("Equal", [length, graph.constant("no_length", 0.0)], "empty")
    divisor = graph.add("Where", [empty, graph.constant("one_length", 1.0), length], "row_divisor")
    return graph.add("Div", [rows, divisor], "unit_rows")


def tensor_names(graph: OnnxRows, used: Iterable[str]) -> dict[str, str]:
    """Return the name in the file of each tensor: an input of categories has that of its column.

    Of a graph with such inputs, inner tensors are marked, so that no column has the name of one; a column with the name
    of another input or an output is marked too.
    """
    if not graph.words:
        return {name: name for name in used}
    names = {name: name if name in PUBLIC else f"novikoff.{name}" for name in used}
    for name, column in graph.words.items():
        made = column
        while made in names.values() or not made:
            made = f"column {made}".rstrip()
        names[name] = made
    return names


def _double() -> int:
    from onnx import TensorProto

    return int(TensorProto.DOUBLE)
