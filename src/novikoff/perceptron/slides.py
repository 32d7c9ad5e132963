"""A trace written out: the lecture's table as text, JSON, CSV and LaTeX, and its end in words.

    k  pass  point  label  y·(w·x)  + η‖x‖²  w after  errors after

Text and LaTeX are for a person: points are numbered from 1, long numbers are rounded and marked ≈.
JSON and CSV are exact.
"""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Iterable, Sequence
from decimal import Context, Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from novikoff.perceptron.trace import Step, Trace

WIDE = 12  # columns beyond which a person sees ‖w‖² in place of w
LONG = 12  # characters beyond which a person sees a rounded number
SHOWN = 12  # points beyond which a proof is told by its counts
MINUS, PLUS = "−", "+"


def count(number: int, noun: str) -> str:
    """`1 pass`, `1,234 updates`."""
    plural = noun + ("es" if noun.endswith("s") else "s")
    return f"{number:,} {noun if number == 1 else plural}"


def plane(trace: Trace) -> str:
    """The plane of the last weights, exact: 4·x1 − 1/2·x2 + 1 = 0. All zero: 0 = 0."""
    return equation(trace.w, trace.d, exact)


def to_text(trace: Trace) -> str:
    """The table for a person, and below it how the run ended."""
    lines = _aligned([_header(trace), *(_cells(trace, step, short) for step in trace.steps)])
    ending = {"separated": _separated, "cycle": _cycle, "max_updates": _given_up}[trace.stop_reason](trace)
    text = "\n".join([*lines, *ending, *_legend(trace)])
    return text + ("\n≈ a number rounded here; CSV and JSON have it exactly" if "≈" in text else "")


def to_dict(trace: Trace) -> dict[str, Any]:
    """Everything, ready for JSON: exact numbers as strings, rows numbered from 0."""
    return {
        "stop_reason": trace.stop_reason,
        "updates": len(trace.steps),
        "looks": trace.n_looks,
        "passes": trace.passes,
        "order": trace.order,
        "fit_intercept": trace.fit_intercept,
        "n": len(trace.counts),
        "d": trace.d,
        "classes": [_in_json(c) for c in trace.classes],
        "start": [_plain(v) for v in trace.start],
        "w": [_plain(v) for v in trace.w],
        "plane": plane(trace),
        "counts": list(trace.counts),
        "cycle_counts": None if trace.cycle_counts is None else list(trace.cycle_counts),
        "steps": [_step_dict(step) for step in trace.steps],
    }


def to_json(trace: Trace) -> str:
    """`to_dict` as a JSON document."""
    return json.dumps(to_dict(trace), ensure_ascii=False, allow_nan=False)


def _in_json(label: Any) -> str | int | float:
    """A label as JSON has it; what it has no word for (inf) as text."""
    said = isinstance(label, (str, int)) or (isinstance(label, float) and math.isfinite(label))
    return label if said else str(label)


def to_csv(trace: Trace) -> str:
    """One line for each update, exact numbers, points numbered from 1."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    names = [f"w{j}" for j in range(1, trace.d + 1)] + ["b"] * trace.fit_intercept
    writer.writerow(["update", "pass", "point", "label", "y", "score", "eta", "norm2", *names, "errors_after", "looks"])
    for step in trace.steps:
        head = [step.number, step.pass_number, step.row + 1, _label(trace, step.sign), step.sign]
        exactly = [_plain(v) for v in (step.score, step.eta, step.norm2, *step.w)]
        writer.writerow([*head, *exactly, step.errors_after, step.looks])
    return out.getvalue()


def to_latex(trace: Trace) -> str:
    r"""The table as a `tabular` that needs no package beyond LaTeX itself."""
    w_after = r"$\|w\|^2$ after" if trace.d > WIDE else "$w$ after"
    head = ["$k$", "pass", "point", "label", r"$y\,(w\cdot x)$", r"$+\;\eta\|x\|^2$", w_after, "errors after"]
    rows = [[f"${_tex(cell)}$" for cell in _cells(trace, step, short)] for step in trace.steps]
    lines = [" & ".join(cells) + r" \\" for cells in [head, *rows]]
    body = [lines[0], r"\hline", *lines[1:]]
    return "\n".join([r"\begin{tabular}{rrrrrrlr}", *body, r"\end{tabular}"]) + "\n"


def exact(value: Fraction) -> str:
    """The number as a person writes it: −1/2."""
    return _plain(value).replace("-", MINUS)


def short(value: Fraction) -> str:
    """The number as a person writes it, rounded to six figures and marked ≈ if it is long."""
    text = exact(value)
    if len(text) <= LONG:
        return text
    rounded = Context(prec=6).divide(Decimal(value.numerator), Decimal(value.denominator))
    return "≈" + str(rounded.normalize()).replace("-", MINUS)


def _plain(value: Fraction) -> str:
    """p or p/q in ASCII; through Decimal, which has no limit on the digits of a whole number."""
    top = f"{Decimal(value.numerator):f}"
    return top if value.denominator == 1 else f"{top}/{Decimal(value.denominator):f}"


def marked_once(text: str) -> str:
    """≈ before the whole rather than before each of its numbers."""
    return "≈" + text.replace("≈", "") if "≈" in text else text


def vector(values: Iterable[Fraction]) -> str:
    """(1, −1/2, 0)."""
    return marked_once(f"({', '.join(map(short, values))})")


def _sign(sign: int) -> str:
    return PLUS if sign > 0 else MINUS


def _label(trace: Trace, sign: int) -> Any:
    return trace.classes[1 if sign > 0 else 0]


def _norm2(w: Sequence[Fraction]) -> Fraction:
    return sum((v * v for v in w), Fraction(0))


def _header(trace: Trace) -> list[str]:
    w_after = "‖w‖² after" if trace.d > WIDE else "w after"
    return ["k", "pass", "point", "label", "y·(w·x)", "+ η‖x‖²", w_after, "errors after"]


def _cells(trace: Trace, step: Step, write: Any) -> list[str]:
    w_after = write(_norm2(step.w)) if trace.d > WIDE else vector(step.w)
    numbers = [write(step.sign * step.score), write(step.eta * step.norm2)]
    where = [str(step.number), str(step.pass_number), str(step.row + 1), _sign(step.sign)]
    return [*where, *numbers, w_after, str(step.errors_after)]


def _aligned(table: list[list[str]]) -> list[str]:
    """Columns to the right, but w to the left."""
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return ["  ".join(_fit(cell, w, j) for j, (cell, w) in enumerate(zip(row, widths, strict=True))) for row in table]


def _fit(cell: str, width: int, column: int) -> str:
    if column == 0:
        return cell.rjust(width + 2)
    return cell.ljust(width) if column == 6 else cell.rjust(width)


def _summary(trace: Trace, word: str, what: str) -> str:
    updates = f"{len(trace.steps):,} update{'s' * (len(trace.steps) != 1)}"
    return f"{word}  {updates} · {trace.n_looks:,} looks · order {trace.order} · {what}"


def _separated(trace: Trace) -> list[str]:
    wide = f"‖w‖² = {short(_norm2(trace.w))}"
    return [_summary(trace, "SEPARATED", wide if trace.d > WIDE else marked_once(equation(trace.w, trace.d, short)))]


def _given_up(trace: Trace) -> list[str]:
    left, n = trace.steps[-1].errors_after, len(trace.counts)
    stand = "is not on its" if left == 1 else "are not on their"
    return [
        _summary(trace, "STOPPED", "limit max_updates"),
        f"{left:,} of {n:,} points {stand} own side: a larger max_updates goes further",
    ]


def _cycle(trace: Trace) -> list[str]:
    """The updates since the vector that came back, as a proof that no plane separates the points.

    Σ kᵢ·yᵢ·xᵢ = 0 with kᵢ ≥ 0, but a plane with every yᵢ·⟨w, xᵢ⟩ > 0 would make ⟨w, Σ kᵢ·yᵢ·xᵢ⟩ > 0.

    From the notes: Z12 (Zhang, "Proof: No Separating Hyperplane").
    """
    k = trace.cycle_counts or ()
    used = {step.row: step for step in trace.steps if k[step.row]}
    since = len(trace.steps) - sum(k)
    when = f"after update {since:,}" if since else "at the start"
    small = trace.d <= WIDE and len(used) <= SHOWN
    return [
        _summary(trace, "CYCLE", f"the weights are again what they were {when}"),
        f"proof  the updates since then, {sum(k):,} in all, sum to zero (each point times its sign and its count):",
        *(_written_out(trace, used, k) if small else _counted(used, k)),
        "       a contradiction, 0 > 0: NOT SEPARABLE",
    ]


def _written_out(trace: Trace, used: dict[int, Step], k: Sequence[int]) -> list[str]:
    """The zero sum, and what each of its points would ask of a plane."""
    rows = sorted(used)
    terms = " ".join(f"{_sign(used[i].sign)} {k[i]}·{vector(used[i].x)}" for i in rows)
    return [
        f"         {terms} = {vector([Fraction(0)] * len(trace.w))}",
        "       suppose a plane had every point on its own side:",
        *(f"         point {i + 1}:  {_inequality(trace, used[i])}" for i in rows),
        f"       added up {', '.join(str(k[i]) for i in rows)} times, the left sides are 0 and the sum is above 0:",
    ]


def _counted(used: dict[int, Step], k: Sequence[int]) -> list[str]:
    """The same where there are too many points or columns to write: the counts of the first ones."""
    rows = sorted(used)
    counts = ", ".join(f"{k[i]} × point {i + 1}" for i in rows[:SHOWN])
    more = f", … ({len(rows):,} points in all, JSON has them)" * (len(rows) > SHOWN)
    return [
        f"         {counts}{more}",
        "       suppose a plane had every point on its own side, y·(w·x) > 0:",
        "       added up so many times, the left sides are 0 and the sum is above 0:",
    ]


def _inequality(trace: Trace, step: Step) -> str:
    """y·(w·x) > 0 spelled out, as in −w1 − w2 − b > 0."""
    names = [f"w{j}" for j in range(1, trace.d + 1)] + ["b"] * trace.fit_intercept
    return marked_once(sum_of([step.sign * v for v in step.x], names, short) + " > 0")


def _legend(trace: Trace) -> list[str]:
    """Which label is which sign, where the labels do not say so themselves."""
    minus, plus = trace.classes
    return [] if (minus, plus) == (-1, 1) else [f"label + is {plus}, − is {minus}"]


def equation(w: Sequence[Fraction], d: int, write: Any) -> str:
    """The plane of d coordinates with weights w, the bias last if there is one."""
    names = [f"x{j}" for j in range(1, d + 1)] + [""] * (len(w) - d)
    return sum_of(w, names, write) + " = 0"


def sum_of(values: Sequence[Fraction], names: Sequence[str], write: Any) -> str:
    """4·x1 − 1/2·x2 + 1: zeros left out, no factor 1 before a name; an empty sum is 0."""
    terms = [(v < 0, _term(abs(v), name, write)) for v, name in zip(values, names, strict=True) if v]
    if not terms:
        return "0"
    (first_is_negative, first), *rest = terms
    head = (MINUS if first_is_negative else "") + first
    return head + "".join(f" {MINUS if negative else PLUS} {term}" for negative, term in rest)


def _term(size: Fraction, name: str, write: Any) -> str:
    if not name:
        return str(write(size))
    return name if size == 1 else f"{write(size)}·{name}"


def _step_dict(step: Step) -> dict[str, Any]:
    return {
        "number": step.number,
        "pass_number": step.pass_number,
        "row": step.row,
        "sign": step.sign,
        "x": [_plain(v) for v in step.x],
        "score": _plain(step.score),
        "eta": _plain(step.eta),
        "norm2": _plain(step.norm2),
        "w": [_plain(v) for v in step.w],
        "errors_after": step.errors_after,
        "looks": step.looks,
    }


def _tex(cell: str) -> str:
    """The cell in LaTeX's mathematics."""
    plain = cell.replace(MINUS, "-").replace("≈", r"\approx ").replace(", ", r",\, ")
    return re.sub(r"E\+?(-?\d+)", r"\\times10^{\1}", plain)
