"""Forgeries made by hand, one or more for each check of the checker: each is refused, by the field that is wrong."""

from __future__ import annotations

import copy
import json
import re
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import novikoff as nv
from novikoff.proof import verify as checker

Case = tuple[str, Any, Any, str]  # its name, certificate (or its text), text of the data, begin of the refusal
NOTHING: dict[str, Any] = {"rows": [], "against": [], "weights": []}


def text_of(X: Any, y: Any) -> str:
    return "".join(",".join([*map(repr, map(float, row)), str(t)]) + "\n" for row, t in zip(X, y, strict=True))


def base(X: Any, y: Any, what: Callable[..., Any], **options: Any) -> tuple[dict[str, Any], str]:
    """A certificate of points in a CSV file without a header, and the text of the file."""
    file = {"csv": {"delimiter": ",", "header": False, "label": len(X[0])}, "svmlight": None}
    return what(X, y, **options).certificate(file).record(), text_of(X, y)


def changed(c: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """A copy with another value at a path like coefficients.states.0."""
    made = copy.deepcopy(c)
    *inner, last = [int(part) if part.isdigit() else part for part in path.split(".")]
    at: Any = made
    for part in inner:
        at = at[part]
    at[last] = value(at[last]) if callable(value) else value
    return made


def cases() -> Iterator[Case]:
    yield from _two_classes()
    yield from _margins()
    yield from _regressions()
    yield from _families()
    yield from _data()


def _two_classes() -> Iterator[Case]:
    X, y = [[0, 0], [1, 0], [0, 1], [1, 1], [0, 0], [1, 1], [0, 1]], [0, 1, 1, 0, 1, 1, 0]
    c, text = base(X, y, nv.decide)
    five = {"rows": [0, 1, 2, 3, 4], "against": [1, 0, 0, 1, 0], "weights": ["2", "1", "1", "1", "1"]}
    yield "a relation of more than dimension + 1 rows", changed(c, "strict", five), text, "strict: expected 1 to 4"
    yield "no rows", changed(c, "strict", NOTHING), text, "strict: expected 1 to 4"
    yield (
        "weights that do not sum to zero",
        changed(c, "strict", {"rows": [0], "against": [1], "weights": ["1"]}),
        text,
        ("strict: the weighted rows do not sum to zero"),
    )
    yield "no kind, with sections", changed(c, "claim", "not separable"), text, "claim: not separable"
    yield "another kind", changed(c, "claim", "quasi-complete"), text, "claim: quasi-complete is claimed"
    twice = {"rows": [0, 0], "against": [1, 1], "weights": ["1", "1"]}
    yield "a row twice", changed(c, "zero_sum", twice), text, "zero_sum: expected different rows"
    yield "a row that is not there", changed(c, "zero_sum.rows.0", 7), text, "zero_sum: expected different rows"
    yield "a class that is not there", changed(c, "zero_sum.against.0", 2), text, "zero_sum: expected different rows"
    yield "its own class", changed(c, "zero_sum.against.0", lambda k: 1 - k), text, "zero_sum: a row has no vector"
    yield "weights missing", changed(c, "zero_sum.weights", ["1"]), text, "zero_sum: expected different rows"
    yield "another weight", changed(c, "zero_sum.weights.0", "7"), text, "zero_sum: the weighted rows do not"
    point, labels = [[1.0]] * 12, [0, 1] * 6
    c, text = base(point, labels, nv.decide, fit_intercept=False)
    many = {"rows": list(range(12)), "against": [1 - t for t in labels], "weights": ["1"] * 12}
    yield "more rows than 2·dimension + 1", changed(c, "zero_sum", many), text, "zero_sum: expected fewer than 4"
    c, text = base([[1.0, 2.0], [2.0, 1.0], [-1.0, -1.0]], [1, 1, 0], nv.decide, fit_intercept=False)
    unit = [{"at": [0], "values": ["1"]}, {"at": [1], "values": ["1"]}]
    overlap = c | {"claim": "overlap", "directions": [], "zero_sum": NOTHING}
    yield "complete points said to overlap", overlap | {"complement": unit}, text, "complement: a row is neither"
    yield "the same without a complement", overlap | {"complement": []}, text, "complement: with directions"
    wrong = {"at": [0], "values": ["-1"]}
    yield "a second direction", c | {"directions": [*c["directions"], wrong]}, text, "directions: a row is on the wrong"
    yield "falling places", changed(c, "directions.0", {"at": [1, 0], "values": ["1", "1"]}), text, "directions:"
    yield "a place beyond", changed(c, "directions.0", {"at": [2], "values": ["1"]}), text, "directions: expected"
    yield "values missing", changed(c, "directions.0", {"at": [0], "values": []}), text, "directions: expected rising"


def _margins() -> Iterator[Case]:
    X, y = [[1.0, 2.0], [2.0, 1.0], [-1.0, -1.0]], [1, 1, 0]
    c, text = base(X, y, nv.margin, fit_intercept=False)
    padded = c["margins"]["padded"]
    yield "geometric without an intercept", changed(c, "margins.geometric", padded), text, "margins.geometric: expected"
    yield "no such direction", changed(c, "margins.padded.direction", 1), text, "margins: no such direction"
    yield "no mixture", changed(c, "margins.padded.mixture", NOTHING), text, "margins.padded.mixture: expected rows"
    first = {"rows": [0], "against": [0], "weights": ["1"]}
    yield "another mixture", changed(c, "margins.padded.mixture", first), text, "margins.padded.upper"
    yield "a larger lower end", changed(c, "margins.padded.lower", "1000/1"), text, "margins.padded.lower"
    yield "a smaller upper end", changed(c, "margins.padded.upper", "1/1000"), text, "margins.padded.upper"
    yield "another radius", changed(c, "margins.radius2", {"lower": "100/1", "upper": "101/1"}), text, "margins.radius2"
    zero = changed(c, "directions", lambda known: [*known, {"at": [], "values": []}])
    zero = changed(zero, "margins.padded", lambda w: w | {"direction": 1, "lower": w["upper"]})
    yield "the margin of no vector: 0 ≥ lower·0", zero, text, "margins.padded.direction: a row is not strictly"
    yield "a margin of another claim", changed(c, "claim", "overlap"), text, "margins: expected only"
    c, text = base(X, y, nv.margin)
    one = {"rows": [0], "against": [0], "weights": ["1"]}
    yield "a mixture of one class", changed(c, "margins.geometric.mixture", one), text, "margins.geometric.mixture"


def _regressions() -> Iterator[Case]:
    X, y = [[0, 0, 0], [1, 0, 2], [0, 1, 0], [1, 1, 2], [2, 1, 4], [0, 0, 0], [1, 1, 2]], [0, 1, 1, 0, 1, 1, 0]
    c, text = base(X, y, nv.separation)  # with an aliased column
    place = {"at": [2], "values": ["1"]}
    yield "rank of a place without a coefficient", changed(c, "complement", [place]), text, "complement: a place is of"
    yield "a direction there", changed(c, "directions", [place]), text, "directions: a place is of a column without"
    relation = {"at": [0, 2], "values": ["2", "-1"]}
    lean = [{"column": 2, "relation": relation}, {"column": 0, "relation": relation}]
    yield "relations that lean on each other", changed(c, "coefficients.aliased", lean), text, "coefficients.aliased:"
    double = changed(c, "coefficients.aliased", lambda known: known * 2)
    yield "a column twice", double, text, "coefficients.aliased: expected"
    empty = {"at": [], "values": []}
    yield "no relation", changed(c, "coefficients.aliased.0.relation", empty), text, "coefficients.aliased: expected"
    other = changed(c, "coefficients.aliased.0.relation", {"at": [1, 2], "values": ["2", "-1"]})
    yield "a relation that does not hold", other, text, "coefficients.aliased: column 2 has another relation"
    yield "a state missing", changed(c, "coefficients.states", lambda known: known[1:]), text, "coefficients.states:"
    X, y = [[0, 1], [0, 2], [1, 1], [1, 3], [0, 3], [0, 1]], [0, 1, 1, 1, 0, 1]
    c, text = base(X, y, nv.separation)
    states = c["coefficients"]["states"]
    m, k = states.index("finite"), states.index("+inf")
    all_finite = changed(changed(c, "coefficients.states", ["finite"] * 3), "coefficients.limits", [])
    yield (
        "an infinite one said to be finite",
        all_finite,
        text,
        f"coefficients.states: coefficient {k} is not proved to be",
    )
    no_limits = changed(c, "coefficients.limits", [])
    yield "no relation of an infinite one", no_limits, text, "coefficients.limits: expected one for each"
    infinite = changed(c, f"coefficients.states.{m}", "+inf")
    limit = {"coefficient": m, "factor": "1", "sum": NOTHING}
    infinite = changed(infinite, "coefficients.limits", lambda known: [*known, limit])
    yield "a finite one said to be infinite", infinite, text, f"coefficients.states: coefficient {m} has another sign"
    yield "another factor", changed(c, "coefficients.limits.0.factor", lambda f: f + "0"), text, "coefficients.states:"
    unsure = changed(c, f"coefficients.states.{m}", "not-unique")
    yield "a finite one said to be not unique", unsure, text, f"coefficients.states: coefficient {m} has one sign"
    ones = [{"at": [1], "values": ["1"]}, {"at": [2], "values": ["1"]}]
    yield "a complement of other rows", changed(c, "complement", ones), text, "complement: a row is neither"


def _families() -> Iterator[Case]:
    c, text = base([[0, 0], [1, 0], [0, 1], [1, 1]], [0, 1, 1, 0], nv.separation)
    poisson = c["model"] | {"family": "poisson", "classes": None}
    yield "poisson with trials", changed(c, "model", poisson | {"trials": 1}), text, "model.trials"
    yield "poisson with classes", changed(c, "model", poisson | {"classes": ["0", "1"]}), text, "model.classes"
    successes = c["model"] | {"family": "successes", "classes": None}
    yield "successes without trials", changed(c, "model", successes), text, "model.trials"
    yield "a column of trials beyond", changed(c, "model", successes | {"trials": 7}), text, "model.trials"
    for classes in (["0"], ["0", "0"], ["0", "0.0"], ["true", "1"], [None, None], None):
        yield f"classes {classes}", changed(c, "model.classes", classes), text, "model.classes"
    yield "2,000 classes", changed(c, "model.classes", [str(k) for k in range(2_000)]), text, "model.classes: expected "
    svm = changed(c, "data.file", {"csv": None, "svmlight": {"first_column": 0}}) | {"coefficients": None}
    wide = changed(
        svm, "data", lambda d: d | {"columns": 2**62, "digest": digest([[0], [1]], ["0", "1"], 2**62), "rows": 2}
    )
    wide = wide | {"zero_sum": NOTHING, "strict": None, "complement": [], "claim": "overlap"}
    yield "2^62 columns", wide, "0\n1 0:1\n", "complement: with directions"
    yield "labels of other classes", changed(c, "model.classes", ["0", "2"]), text, "model: found the label 1"
    trials = {"family": "labels", "classes": ["0", "1"], "trials": 0, "intercept": True}
    rows = "0.0,1.0,0\n0.0,2.0,1\n"
    none = changed(c, "model", trials) | {"claim": "complete", "zero_sum": NOTHING, "complement": [], "strict": None}
    none = none | {"directions": [], "coefficients": None}
    file = changed(none, "data", lambda d: d | {"digest": digest([[0.0, 1.0], [0.0, 2.0]], ["0", "1"]), "rows": 2})
    yield "rows without trials only", file, rows, "model: no row has a vector"
    negative = changed(file, "data.digest", digest([[-1.0, 1.0], [1.0, 2.0]], ["0", "1"]))
    yield "negative trials", negative, "-1.0,1.0,0\n1.0,2.0,1\n", "model: found the label"
    yield (
        "trials that are aliased",
        changed(
            file,
            "coefficients",
            {"aliased": [{"column": 0, "relation": {"at": [0], "values": ["1"]}}], "states": [], "limits": []},
        ),
        rows,
        "coefficients.aliased: expected",
    )


def digest(X: Any, y: Any, columns: int | None = None) -> str:
    found = checker.Digest(columns or len(X[0]))
    for row, t in zip(X, y, strict=True):
        pairs = [(j, x) for j, x in enumerate(row) if x]
        found.add(checker.label_value(t), [j for j, _ in pairs], [x for _, x in pairs])
    return found.hexdigest()


def _data() -> Iterator[Case]:
    c, text = base([[0, 0], [1, 0], [0, 1], [1, 1]], [0, 1, 1, 0], nv.decide)
    both = changed(c, "data.file.svmlight", {"first_column": 0})
    yield "two layouts", both, text, "data.file: expected csv or svmlight"
    yield "no layout", changed(c, "data.file.csv", None), text, "data.file: expected csv or svmlight"
    yield "a label beyond the line", changed(c, "data.file.csv.label", 3), text, "data.file.csv.label"
    yield "a row called a header", changed(c, "data.file.csv.header", True), text, "data.file.csv.header: the first"
    header = changed(c, "data.file.csv.header", True)
    named = changed(header, "model.classes", ["0", "lamp"])
    yield "a header with the name of a class", named, "1,2,lamp\n" + text, "data.file.csv.header: the first line is a"
    yield "other data", c, text.replace("1.0", "2.0"), "other data: found 4 rows of digest"
    yield "a row more", c, text + "2.0,2.0,0\n", "other data: found 5 rows of digest"
    yield "another number of rows", changed(c, "data.rows", 5), text, "other data: found 4 rows"
    yield "another digest", changed(c, "data.digest", "0" * 64), text, "other data: found 4 rows"
    yield "a cell more", c, text.replace("\n", ",1\n"), "other data: line 1 has 4 cells, expected 3"
    yield "a cell that is no number", c, text.replace("1.0", "one"), "DATA, line 2: found 'one'; expected finite"
    for cell in ("nan", "inf", "1e999", "0x10", "1_0", "", "1 0"):
        yield f"the cell {cell!r}", c, text.replace("1.0", cell), "DATA, line 2: found"
    svm = changed(c, "data.file", {"csv": None, "svmlight": {"first_column": 1}})
    good = "0\n1 1:1\n1 2:1\n0 1:1 2:1\n"
    yield "a column beyond", svm, good.replace("2:", "3:"), "other data: row 3 has a column beyond"
    for pair in ("1:1 1:1", "0:1", "x:1", ":1", "1", "٣:1"):
        yield f"the pair {pair!r}", svm, good.replace("1:1\n", f"{pair}\n", 1), "DATA, line 2: "
    yield "a pair in place of the label", svm, good.replace("1 1:1\n", "1:1 2:1\n", 1), "DATA, line 2: expected a label"
    long = "1" * 100_001
    for path, value, wanted in [
        ("format", "novikoff-proof/2", "certificate.format"), ("claim", "separable", "certificate.claim"),
        ("data", None, "certificate.data"), ("data.digest", "0" * 63, "certificate.data.digest"),
        ("data.rows", "4", "certificate.data.rows"), ("data.rows", -1, "certificate.data.rows"),
        ("data.rows", 2**63, "certificate.data.rows"), ("data.columns", True, "certificate.data.columns"),
        ("data.file", [], "certificate.data.file"), ("data.made_by", 1, "certificate.data.made_by"),
        ("data.file.csv.delimiter", "x", "certificate.data.file.csv.delimiter"), ("model.intercept", 1, "certificate"),
        ("model.classes", "ab", "certificate.model.classes"), ("directions", None, "certificate.directions"),
        ("zero_sum.weights.0", "0", "certificate.zero_sum.weights"), ("zero_sum.weights.0", "01", "certificate.zero"),
        ("zero_sum.weights.0", 1, "certificate.zero_sum.weights"), ("zero_sum.weights.0", long, "certificate.zero"),
        ("zero_sum.weights.0", "-1", "certificate.zero_sum.weights"), ("complement", [{"at": []}], "certificate.com"),
        ("margins", {"geometric": None, "padded": None}, "certificate.margins"),
    ]:  # fmt: skip
        yield f"{path} {str(value)[:9]}", changed(c, path, value), text, wanted
    yield "a field that is not known", {**c, "note": ""}, text, "certificate: found"
    document = json.dumps(c)
    for name, raw in [
        ("cut", document[:-1]),
        ("a field twice", document[:-1] + ', "claim": "overlap"}'),
        ("a number with a point", document.replace('"rows": 4', '"rows": 4.0')),
        ("an exponent", document.replace('"rows": 4', '"rows": 4e0')),
        ("a long number", document.replace('"rows": 4', '"rows": ' + "4" * 5000)),
        ("not a number", document.replace('"rows": 4', '"rows": NaN')),
        ("deep", "[" * 150_000),
        ("many lists", "[" * 200_001),
        ("many entries", "," * 1_000_001),
        ("no text", "\x00"),
    ]:
        yield f"JSON: {name}", raw, text, "CERTIFICATE: not a certificate that can be read"
    yield "data that are not there", c, None, "DATA: cannot be read"


CASES = list(cases())


def said(module: Any, c: Any, data: Path) -> str:
    path = data.with_suffix(".json")
    path.write_text(c if isinstance(c, str) else json.dumps(c), encoding="utf-8")
    try:
        parsed = module.read_certificate(path)
        table = module.PlainTable(data, parsed)
        list(module.report(parsed, module.check(parsed, table), table.header))
    except module.CertificateError as error:
        return str(error).replace(str(path), "CERTIFICATE").replace(str(data), "DATA")
    return "accepted"


@pytest.mark.parametrize("case", CASES, ids=[name for name, *_ in CASES])
def test_each_forgery_is_refused_by_its_field(case: Case, tmp_path: Path) -> None:
    _, c, text, wanted = case
    if text is not None:
        (tmp_path / "data").write_text(text, encoding="utf-8")
    assert said(checker, c, tmp_path / "data").startswith(wanted)


CHECK = re.compile(r"^( *)(require\(.*|check_zero_sum\(.*|wrong = wrong or .*|raise MalformedError\(.*)$")


def mutants() -> Iterator[tuple[int, str]]:
    """The checker without one of its checks, for each of them."""
    lines = Path(checker.__file__).read_text(encoding="utf-8").splitlines()
    for k, line in enumerate(lines):
        if (found := CHECK.match(line)) and line.count("(") == line.count(")"):
            yield k + 1, "\n".join([*lines[:k], f"{found[1]}pass", *lines[k + 1 :]])


def test_no_check_can_be_removed_unnoticed(tmp_path: Path) -> None:
    places, missed = [tmp_path / str(k) for k in range(len(CASES))], []
    for place, (_, _, text, _) in zip(places, CASES, strict=True):
        if text is not None:
            place.write_text(text, encoding="utf-8")
    tried = 0
    for number, source in mutants():
        module = types.ModuleType("mutant")
        exec(compile(source, f"without line {number}", "exec"), module.__dict__)
        tried += 1
        for place, (_, c, _, wanted) in zip(places, CASES, strict=True):
            try:
                noticed = not said(module, c, place).startswith(wanted)
            except Exception:
                noticed = True
            if noticed:
                break
        else:
            missed.append(f"line {number}: {Path(checker.__file__).read_text().splitlines()[number - 1].strip()}")
    assert tried >= 35
    assert not missed, "\n".join(missed)
