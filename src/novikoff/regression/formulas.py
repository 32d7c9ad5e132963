"""Convert a formula, "y ~ x1 + C(g)", and a data frame to a design and a response, with formulaic.

An offset is a term with a known coefficient: row i has the linear predictor ⟨b, x_i⟩ + o_i. It does not change which
estimates exist, and the design does not have it. The log-likelihood is Σ f_i(⟨b, x_i⟩ + o_i) with f_i concave, and how
it rises along b + t·w, t → ∞, is decided by the signs of the ⟨w, x_i⟩ alone: a concave function has the same recession
function from every point (Rockafellar 1970, Theorem 8.5), so from ⟨b, x_i⟩ + o_i as from ⟨b, x_i⟩, as o_i is finite.
So the rows Z of `response_families` are those without the offset, and so are the limits of the coefficients.
"""

from __future__ import annotations

import ast
import re
from typing import Any, NamedTuple

import numpy as np

from novikoff.data.frames import is_frame
from novikoff.data.plain_files import similar
from novikoff.data.row_numbers import place_of, row_names_of
from novikoff.errors import InputError

ALL = "."  # all columns but the response
QUOTED = re.compile(r"""`([^`]+)`|\bQ\(\s*(?:'([^']+)'|"([^"]+)")\s*\)""")  # a name that is no Python name


class Stated(NamedTuple):
    """What a formula states of a data frame: the design, the response, and notes."""

    design: Any
    response: Any
    notes: tuple[str, ...]


class Parsed(NamedTuple):
    """The terms of a formula's response, those of its design, and its offsets."""

    response: Any
    terms: Any
    offsets: list[Any]

    @property
    def others(self) -> set[str]:
        """The columns that the formula refers to beside the response."""
        return _variables([*self.terms, *self.offsets])


def response_of(formula: str) -> str | None:
    """Return the response of a formula as it is written, without the backticks of a name."""
    left, tilde, _ = formula.partition("~")
    return re.sub("^`([^`]*)`$", r"\1", left.strip()) if tilde else None


def variables_of(formula: str) -> tuple[str, list[str] | None]:
    """Return the column of a formula's response, and its other columns in alphabetical order; None if `.` is a term."""
    parsed = _parsed(formula, [ALL])
    left = sorted(_variables(parsed.response))
    if len(left) != 1:
        raise InputError(
            f"the response of {formula!r} has the variables {', '.join(left) or 'none'}; one was expected", "formula"
        )
    return left[0], None if ALL in parsed.others else sorted(parsed.others - {left[0]})


def by_formula(formula: str, data: Any, counts: Any = None, origin: Any = None) -> Stated:
    """Return what a formula states of a data frame.

    counts: a column that `.` is without, if it is a name. origin: the row numbers in the user's file, or None.
    """
    if not is_frame(data):
        raise InputError(f"found {type(data).__name__}; with a formula, expected the data frame it refers to", "y")
    frame = data if type(data).__module__.partition(".")[0] == "pandas" else data.to_pandas()
    parsed = _parsed(formula, [str(name) for name in frame.columns if not isinstance(counts, str) or name != counts])
    place = place_of(origin, row_names_of(frame))
    _check_present(formula, parsed, frame, place)
    terms = [str(term) for term in parsed.response]
    try:
        notes = tuple(_left_out(term, frame, place) for term in parsed.offsets)
        design = parsed.terms.get_model_matrix(frame, na_action="raise").__wrapped__
        if len(terms) == 1 and terms[0] in frame.columns:
            return Stated(design, frame[terms[0]].to_numpy(), notes)
        response = parsed.response.get_model_matrix(frame, na_action="raise")
    except InputError:
        raise
    except Exception as error:
        raise _refused(formula, error) from None
    if response.shape[1] > 2:
        raise InputError(f"the response of {formula!r} has {response.shape[1]} columns; one was expected", "X")
    return Stated(design, np.asarray(response)[:, -1], notes)


def _parsed(formula: str, columns: list[str]) -> Parsed:
    """Return formulaic's reading of a formula that has a response. columns: what `.` stands for, or the response."""
    try:
        import formulaic
    except ImportError:
        raise InputError(
            f"a formula, {formula!r}, needs the package formulaic: pip install 'novikoff[formula]'; "
            "or give a table of numbers",
            "X",
        ) from None
    if formula.rstrip().endswith("~"):
        raise InputError(
            f"{formula!r} has no term; write 1 for the intercept alone, and a formula with backticks in "
            "single quotes: in double quotes a shell runs what is in backticks",
            "X",
        )
    try:
        parsed = formulaic.Formula(formula, _context={"__formulaic_variables_available__": columns})
        response, terms = parsed.lhs, parsed.rhs
    except AttributeError:
        raise InputError(f"{formula!r} has no response; write it as 'y ~ x1 + x2'", "X") from None
    except Exception as error:
        raise _refused(formula, error) from None
    if not all(isinstance(part, formulaic.SimpleFormula) for part in (response, terms)):
        raise InputError(f"{formula!r} has several parts, divided by |; one was expected", "X")
    offsets = [term for term in terms if any(factor.expr.startswith("offset(") for factor in term.factors)]
    for term in offsets:
        if len(term.factors) > 1:
            raise InputError(f"{formula!r} has the interaction {term}; an offset is a term of its own", "X")
        terms.remove(term)
    return Parsed(response, terms, offsets)


def _left_out(offset: Any, frame: Any, place: Any) -> str:
    """Return the note about an offset; raise InputError unless it is a finite number in every row."""
    import formulaic

    with np.errstate(all="ignore"):
        context = {"offset": lambda values: values}
        found = formulaic.Formula([offset]).get_model_matrix(frame, na_action="ignore", context=context)
    if list(found.columns) != [str(offset)]:
        raise InputError(f"{offset} is not a number in each row; an offset is", "X")
    values = found.to_numpy(float)[:, 0]
    bad = np.flatnonzero(~np.isfinite(values))
    if bad.size:
        row = place(int(bad[0]))
        raise InputError(f"{offset} is {values[bad[0]]} in row {row}; an offset is finite: drop these rows", "X")
    return f"{offset} is left out: a known, finite offset does not change which estimates exist"


def _variables(terms: Any) -> set[str]:
    """Return the columns that terms refer to: all their names but those of formulaic and of called functions.

    Formulaic's own list does not have the names within bs(), poly(), center(), scale() and others that keep a state.
    """
    from formulaic.transforms import TRANSFORMS

    found: set[str] = set()
    for factor in (factor for term in terms for factor in term.factors):
        if factor.eval_method.value == "lookup":
            found.add(factor.expr)
        elif factor.eval_method.value == "python":
            found |= _names(factor.expr) - TRANSFORMS.keys()
    return found


def _names(code: str) -> set[str]:
    """Return the names in an expression that are not called."""
    quoted = {name for names in QUOTED.findall(code) for name in names if name}
    try:
        nodes = list(ast.walk(ast.parse(QUOTED.sub("(0)", code), mode="eval")))
    except SyntaxError:
        return quoted
    called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    return quoted | {node.id for node in nodes if isinstance(node, ast.Name) and id(node) not in called}


def _check_present(formula: str, parsed: Parsed, frame: Any, place: Any) -> None:
    """Raise InputError for a missing value of a variable; it names the row."""
    for name in sorted(_variables(parsed.response) | parsed.others):
        if name not in frame.columns:
            near = similar(name, frame.columns)
            raise InputError(f"{formula!r} refers to {name!r}, which is not a column of the data frame{near}", "X")
        missing = np.flatnonzero(frame[name].isna().to_numpy())
        if missing.size:
            more = f" (and in {missing.size - 1:,} more)" if missing.size > 1 else ""
            row = place(int(missing[0]))
            raise InputError(f"column {name!r}: it is missing in row {row}{more}; drop these rows, or fill them in")


def _refused(formula: str, error: Exception) -> InputError:
    said = " ".join(str(error).partition("\n\n")[0].split())
    two = re.search(r"Missing operator between `(\w+)` and `(\w+)`", said)
    hint = f"; a name with spaces is written in backticks, as in `{two[1]} {two[2]}`" if two else ""
    return InputError(f"{formula!r} cannot be used ({said[:200]}){hint}", "X")
