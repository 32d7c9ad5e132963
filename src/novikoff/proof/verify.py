"""Check a certificate about labelled points: standard library only, exact numbers, and nothing else is trusted.

    python verify_novikoff.py CERTIFICATE DATA       0 proved · 1 refused, or other data · 3 cannot be read

docs/certificate.md specifies the certificate; SCHEMA below is its schema. A text like 0.1 means the nearest binary64
number, and all arithmetic is in integers and fractions. Rows, columns, classes and coefficients are numbered from 0.

Vectors. A row x of the data (with a last 1 if the model has an intercept) and its label give vectors
    z = x ⊗ (e_y − e_c)        y the class of the row, c the class that it is *against*; e_0 = 0 (the reference)
with one part for each class k > 0: x is in part y, −x in part c. Which pairs (y, c) a row has, the family says:
    labels        the label is class y; one vector against every other class   (two classes: z = x or z = −x)
    successes     of trials: against 0 (y = 1) if there is a success, against 1 (y = 0) if there is a failure
    proportions   of successes: the same
    poisson       against 1 (y = 0) always, against 0 (y = 1) if the count is not zero
A row with 0 trials has no vector. C is the cone of all b with z·b ≥ 0 for all z, and b_j = 0 for aliased columns j.
z is *separated* by b if z·b > 0. complete: some b in C separates all z; overlap: none separates any; quasi-complete:
some z can be separated, and others cannot.

Each function `check_…` begins with its theorem.
"""

import csv
import hashlib
import json
import math
import re
import struct
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from operator import mul
from types import SimpleNamespace as Record
from typing import Any, NamedTuple

LARGEST_FILE, MOST_LISTS, MOST_ENTRIES, MOST_DIGITS = 1 << 26, 200_000, 1_000_000, 100_000  # of a certificate
MOST_CLASSES, PRIMES, BLOCK, word = 1000, (2**61 - 1, 2**89 - 1), 4096, struct.Struct("<Q").pack  # BLOCK: rows
SIXTY_FOUR_ONES = bytes([255] * 8)  # the word before a label that is a number
EXACT_TO = 2.0**53  # labels beyond are texts: not every whole number beyond is a binary64 number


class CertificateError(ValueError):
    """A certificate that does not prove its claim about these data; the message says what fails.

    >>> import novikoff as nv
    >>> nv.CertificateError("directions: a row is on the wrong side of one of them", row=2).row
    2
    """

    def __init__(self, message: str, row: int | None = None) -> None:
        super().__init__(message if row is None else f"{message}: row {row + 1}, counted from 1")
        self.message, self.row = message, row


class MalformedError(CertificateError):
    """A certificate or data that cannot be read; the message says where, and what was expected."""


def require(right: Any, message: str) -> None:
    if not right:
        raise CertificateError(message)


# ---- the schema: text: a scalar · {text, …}: one of these · [x]: a list of x · (x,): x or null · {name: x}: an object


def whole(text: str) -> int:
    """Return a number of many digits, by halves: Python limits the digits of one conversion."""
    half = len(text) // 2
    return int(text) if len(text) <= 600 else whole(text[:-half]) * 10**half + whole(text[-half:])


def integer(text: Any) -> int | None:
    if not isinstance(text, str) or len(text) > MOST_DIGITS or not re.fullmatch(r"0|-?[1-9][0-9]*", text):
        return None
    return -whole(text[1:]) if text[0] == "-" else whole(text)


def positive(text: Any) -> int | None:
    return value if (value := integer(text)) and value > 0 else None


def fraction(text: Any) -> Fraction | None:
    p, q = map(positive, text.split("/")) if isinstance(text, str) and text.count("/") == 1 else (None, None)
    return Fraction(p, q) if p and q else None


COUNT, TRUTH, TEXT, HEX = "a number from 0", "true or false", "a text", "64 hexadecimal digits"
INTEGER, POSITIVE, FRACTION = "an integer as text", "an integer > 0 as text", "a fraction p/q > 0 as text"
SCALARS: dict[str, Callable[[Any], Any]] = {
    COUNT: lambda value: value if type(value) is int and 0 <= value < 2**63 else None,
    TRUTH: lambda value: value if type(value) is bool else None,
    TEXT: lambda value: value if type(value) is str else None,
    HEX: lambda value: value if type(value) is str and re.fullmatch("[0-9a-f]{64}", value) else None,
    INTEGER: integer,
    POSITIVE: positive,
    FRACTION: fraction,
}
SPARSE = {"at": [COUNT], "values": [INTEGER]}  # column j of class k > 0 is at (k − 1)·width + j; the intercept is last
WEIGHTS = {"rows": [COUNT], "against": [COUNT], "weights": [POSITIVE]}  # λ of vectors z
CSV = {"delimiter": {",", "\t", ";", "|", " "}, "header": TRUTH, "label": COUNT}
FILE = {"csv": (CSV,), "svmlight": ({"first_column": COUNT},)}
FAMILY = {"labels", "successes", "proportions", "poisson"}
STATE = {"finite", "+inf", "-inf", "not-unique", "undecided"}
LIMIT = {"coefficient": COUNT, "factor": POSITIVE, "sum": WEIGHTS}
BETWEEN = {"lower": FRACTION, "upper": FRACTION}
WIDTH = {"direction": COUNT, "mixture": WEIGHTS, **BETWEEN}
SCHEMA: dict[str, Any] = {
    "format": {"novikoff-proof/1"},
    "claim": {"complete", "quasi-complete", "overlap", "not separable"},
    "data": {"digest": HEX, "rows": COUNT, "columns": COUNT, "file": FILE, "made_by": (TEXT,)},
    "model": {"family": FAMILY, "classes": ([(TEXT,)],), "trials": (COUNT,), "intercept": TRUTH},
    "strict": (WEIGHTS,),
    "directions": [SPARSE],
    "zero_sum": WEIGHTS,
    "complement": [SPARSE],
    "coefficients": ({"aliased": [{"column": COUNT, "relation": SPARSE}], "states": [STATE], "limits": [LIMIT]},),
    "margins": ({"geometric": (WIDTH,), "padded": (WIDTH,), "radius2": (BETWEEN,)},),
}


def parse(schema: Any, value: Any, at: str) -> Any:
    """Return a JSON value, with records for objects; raise MalformedError, naming the field, unless it fits."""
    if isinstance(schema, tuple):
        return None if value is None else parse(schema[0], value, at)
    if isinstance(schema, list) and isinstance(value, list):
        return [parse(schema[0], one, at) for one in value]
    if isinstance(schema, dict) and isinstance(value, dict) and schema.keys() == value.keys():
        return Record(**{name: parse(of, value[name], f"{at}.{name}") for name, of in schema.items()})
    if isinstance(schema, set) and isinstance(value, str) and value in schema:
        return value
    if isinstance(schema, str) and (found := SCALARS[schema](value)) is not None:
        return found
    names = [schema] if isinstance(schema, str) else ["a list"] if isinstance(schema, list) else sorted(schema)
    raise MalformedError(f"{at}: found {short(value)}; expected {', '.join(names)}")


def read_certificate(source: Any) -> Record:
    """Return the certificate in a JSON file, or a dict."""
    c: Record = parse(SCHEMA, source if isinstance(source, dict) else read_json(source), "certificate")
    require((c.data.file.csv is None) != (c.data.file.svmlight is None), "data.file: expected csv or svmlight")
    return c


def read_json(path: Any) -> Any:
    """Return the value in a JSON file; reject huge files, floats, long numbers and repeated names."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(pairs)) < len(pairs):
            raise ValueError("a name is there twice")
        return dict(pairs)

    def small(text: str) -> int:
        if len(text) >= 20 or not text.lstrip("-").isdigit():
            raise ValueError(f"{short(text)} where a small integer or a text is expected")
        return int(text)

    try:
        with open(path, "rb") as file:
            raw = file.read(LARGEST_FILE + 1)
        if len(raw) > LARGEST_FILE or raw.count(b"[") + raw.count(b"{") > MOST_LISTS or raw.count(b",") > MOST_ENTRIES:
            raise ValueError("too many bytes, lists, objects or entries")
        return json.loads(raw, object_pairs_hook=once, parse_int=small, parse_float=small, parse_constant=small)
    except (OSError, TypeError, ValueError, RecursionError) as error:
        raise MalformedError(f"{path}: not a certificate that can be read ({short(str(error))})") from None


def short(value: Any) -> str:
    """Return what was found, shortened if it is long."""
    text = repr([*value][:9] if isinstance(value, dict) else value[:60] if isinstance(value, str | list) else value)
    return text if len(text) <= 80 else f"{text[:80]}…"


# ---- the data -------------------------------------------------------------------------------------------------------

Point = tuple[str, Sequence[int], list[float]]  # the label, rising columns, and the numbers there
Label = float | str | None  # None: a class that does not occur
PLAIN = re.compile(r"[0-9.eE+\- ]*")  # what float() accepts of these characters is a decimal number
NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
TRUE_FALSE = {"true": 1.0, "True": 1.0, "TRUE": 1.0, "false": 0.0, "False": 0.0, "FALSE": 0.0}


class PlainTable:
    """The points of a file, read as the certificate states; `header`: the cells of a skipped first line, label last."""

    def __init__(self, path: Any, c: Record) -> None:
        self.path, self.data, self.model, self.header = path, c.data, c.model, list[str]()

    def __iter__(self) -> Iterator[Point]:
        try:
            with open(self.path, encoding="utf-8-sig", newline="") as file:
                yield from self._csv(file) if self.data.file.csv else self._svmlight(file)
        except (OSError, UnicodeDecodeError, csv.Error) as error:
            raise MalformedError(f"{self.path}: cannot be read ({short(str(error))})") from None

    def _csv(self, lines: Iterable[str]) -> Iterator[Point]:
        how, d = self.data.file.csv, self.data.columns
        table, header = csv.reader(lines, delimiter=how.delimiter), how.header
        for cells in filter(None, table):
            message = f"other data: line {table.line_num} has {len(cells)} cells, expected {d + 1}"
            require(len(cells) == d + 1, message + made(self.data))
            cells.append(cells.pop(how.label).strip())
            if header:
                require(not is_row(cells, self.model), f"data.file.csv.header: the first line is a row, {short(cells)}")
                self.header, header = cells, False
            else:
                yield cells.pop(), range(d), self._numbers(cells, table.line_num)

    def _svmlight(self, lines: Iterable[str]) -> Iterator[Point]:
        first = self.data.file.svmlight.first_column
        for line, text in enumerate(lines, 1):
            label, *words = text.partition("#")[0].split() or [""]
            pairs = [word.partition(":") for word in words]
            right = all(a.isdigit() and a.isascii() and len(a) < 19 for a, _, _ in pairs) and ":" not in label
            columns = [int(a) - first for a, _, _ in pairs] if right else [-1]
            if min(columns, default=0) < 0 or len({*columns}) < len(columns):
                raise MalformedError(f"{self.path}, line {line}: expected a label, and different column:number pairs")
            numbers = dict(sorted(zip(columns, self._numbers([cell for _, _, cell in pairs], line), strict=True)))
            if label:
                yield label, list(numbers), list(numbers.values())

    def _numbers(self, cells: list[str], line: int) -> list[float]:
        try:
            if PLAIN.fullmatch("".join(cells)) and all(map(math.isfinite, numbers := [*map(float, cells)])):
                return numbers
        except ValueError:
            pass
        bad = next((cell for cell in cells if not NUMBER.fullmatch(cell.strip())), "one beyond binary64")
        raise MalformedError(f"{self.path}, line {line}: found {short(bad)}; expected finite numbers")


def made(data: Record) -> str:
    return f"; the points were made by {data.made_by}" if data.made_by else ""


def is_row(cells: list[str], model: Record) -> bool:
    """Return whether a line, with its label last, is a row rather than names: all others are numbers, it is a label."""
    known = NUMBER.fullmatch(cells[-1]) or label_value(cells[-1]) in map(label_value, model.classes or [])
    return bool(known) and all(NUMBER.fullmatch(cell.strip()) for cell in cells[:-1])


def label_value(text: str | None) -> Label:
    """Return the number that a label is, the same for every spelling: 1 of +1, 1.0 and true; else its text."""
    plain = (text or "").strip()
    near = TRUE_FALSE.get(plain, float(plain) if len(plain) <= 400 and NUMBER.fullmatch(plain) else math.inf)
    return near + 0.0 if abs(near) <= EXACT_TO else text  # −0 + 0 is 0


class Digest:
    """The digest of points that are added one by one; docs/certificate.md defines it."""

    def __init__(self, columns: int) -> None:
        self.rows, self.columns, self.blocks, self.block = 0, columns, b"", hashlib.sha256()

    def add(self, label: Label, columns: Sequence[int], numbers: list[float]) -> None:
        words = [word for pair in zip(columns, numbers, strict=True) for word in pair]
        body = struct.pack("<" + "Qd" * len(numbers), *words)
        head = text_words(label) if isinstance(label, str) else SIXTY_FOUR_ONES + struct.pack("<d", label)
        self.block.update(head + word(len(numbers)) + body)
        self.rows += 1
        if self.rows % BLOCK == 0:
            self.blocks, self.block = self.blocks + self.block.digest(), hashlib.sha256()

    def hexdigest(self) -> str:
        head = text_words("novikoff-digest/2") + word(self.rows) + word(self.columns)
        return hashlib.sha256(head + self.blocks + (self.block.digest() if self.rows % BLOCK else b"")).hexdigest()


def text_words(text: str) -> bytes:
    return word(len(raw := text.encode("utf-8", "surrogatepass"))) + raw + bytes(-len(raw) % 8)


# ---- the vectors ----------------------------------------------------------------------------------------------------

Vector = Counter[int]  # integers by place, 0 where there is none
Weights = dict[tuple[int, int], int]  # by row, and the class that its vector is against


def dot(a: Vector, b: Vector) -> int:
    return sum(value * b[place] for place, value in a.items())


class Row(NamedTuple):
    """A row x times `scale`, in integers, and its vectors: the class y by the class c that they are against."""

    scale: int
    places: list[Sequence[int]]  # of x in each part, from class 1
    numbers: list[int]
    pairs: dict[int, int]

    def products(self, b: Vector) -> dict[int, int]:
        """Return scale·z·b by c."""
        scores = [0, *(sum(map(mul, map(b.__getitem__, places), self.numbers)) for places in self.places)]
        return {c: scores[y] - scores[c] for c, y in self.pairs.items()}


class Question:
    """What a certificate is about: the vectors of a row; and its sections, with places and rows that are in range."""

    def __init__(self, c: Record) -> None:
        self.c, self.model, self.width = c, c.model, c.data.columns + c.model.intercept
        trials, labels = c.model.trials, c.model.family == "labels"
        self.classes: list[Label] = [*map(label_value, c.model.classes or ())] if labels else [0.0, 1.0]
        known = MOST_CLASSES >= len({*self.classes}) == len(self.classes) > 1
        require(known and labels == (c.model.classes is not None), "model.classes: expected 2 to 1000, for labels")
        right = {"successes": trials is not None, "poisson": trials is None}.get(c.model.family, True)
        require(right and (trials or 0) < c.data.columns, "model.trials: expected by successes, not by poisson")
        file, size = c.data.file.csv, (len(self.classes) - 1) * self.width
        require(not file or file.label <= c.data.columns, "data.file.csv.label: expected a cell of a line")
        relations, self.out = c.coefficients.aliased if c.coefficients else [], set[int]()
        self.aliased = {one.column: self.vector(one.relation, "aliased", self.width) for one in relations}
        self.out = {*self.aliased} | ({trials} if trials is not None else set())  # columns without coefficients
        own = all(a[j] and not (a.keys() & self.out) - {j} for j, a in self.aliased.items())
        own = own and len(self.aliased) == len(relations) and trials not in self.aliased
        require(own, "coefficients.aliased: expected one relation of each column, without other such columns or trials")
        self.dimension = (len(self.classes) - 1) * (self.width - len(self.out))
        self.directions = [self.vector(one, "directions", size) for one in c.directions]
        self.E = [*self.directions, *(self.vector(one, "complement", size) for one in c.complement)]
        self.strict = self.weights(c.strict, "strict") if c.strict else {}
        self.zero_sum = self.weights(c.zero_sum, "zero_sum")
        states, limits = (c.coefficients.states, c.coefficients.limits) if c.coefficients else ([], [])
        require(not c.coefficients or len(states) == self.dimension, f"coefficients.states: expected {self.dimension}")
        places = (m for m in range(size) if m % self.width not in self.out)
        self.states = dict(zip(places, states, strict=False))
        self.limits = {one.coefficient: (one.factor, self.weights(one.sum, "limits")) for one in limits}
        infinite = {m for m, state in self.states.items() if state in ("+inf", "-inf")}
        require(infinite == self.limits.keys(), "coefficients.limits: expected one for each infinite state, no other")
        self.widths = {k: one for k, one in vars(c.margins or Record()).items() if one and k != "radius2"}
        self.mixtures = {name: self.weights(one.mixture, f"margins.{name}") for name, one in self.widths.items()}
        most = self.dimension + 1
        others = c.directions or self.zero_sum or c.complement or c.coefficients or c.margins
        alone = c.claim != "not separable" or (self.strict and not others)
        require(alone, "claim: not separable is proved by strict, and by no other section")
        require(c.strict is None or 0 < len(self.strict) <= most, f"strict: expected 1 to {most} rows")
        require(len(self.zero_sum) < 2 * most, f"zero_sum: expected fewer than {2 * most} vectors")
        plain = c.claim == "complete" and labels and len(self.classes) == 2 and not self.out
        require(plain or not c.margins, "margins: expected only for the claim complete, of labels of two classes")
        require(c.model.intercept or "geometric" not in self.widths, "margins.geometric: expected an intercept")
        require(all(one.direction < len(c.directions) for one in self.widths.values()), "margins: no such direction")

    def vector(self, sparse: Record, at: str, size: int) -> Vector:
        """Return a vector of places below `size` that rise and have coefficients."""
        rising = all(a < b for a, b in zip(sparse.at, [*sparse.at[1:], size], strict=bool(sparse.at)))
        require(rising and len(sparse.at) == len(sparse.values), f"{at}: expected rising places below {size}")
        require(not {m % self.width for m in sparse.at} & self.out, f"{at}: a place is of a column without coefficient")
        return Vector(dict(zip(sparse.at, sparse.values, strict=True)))

    def weights(self, found: Record, at: str) -> Weights:
        terms = list(zip(found.rows, found.against, strict=False))
        even = len(found.rows) == len(found.against) == len(found.weights) == len({*terms})
        inside = all(i < self.c.data.rows and k < len(self.classes) for i, k in terms)
        require(even and inside, f"{at}: expected different rows, each against a class and with a weight")
        return dict(zip(terms, found.weights, strict=True))

    def row(self, label: Label, columns: Sequence[int], numbers: list[float]) -> tuple[Row, str]:
        """Return a row in integers with its vectors, and what is wrong with it, or ''."""
        at, wrong = self.model.trials, ""
        trials: Any = 1 if at is None else dict(zip(columns, numbers, strict=True)).get(at, 0)
        if (pairs := self.pairs(label, trials)) is None:
            pairs, wrong = {}, f"model: found the label {short(label)}, which is none of the family and classes"
        ratios = [x.as_integer_ratio() for x in numbers]
        scale = math.lcm(*[q for _, q in ratios])
        values = [p * (scale // q) for p, q in ratios]
        if self.model.intercept:
            columns, values = [*columns, self.width - 1], [*values, scale]
        if self.out:
            x = Vector(dict(zip(columns, values, strict=True)))
            bad = [j for j, relation in self.aliased.items() if pairs and dot(relation, x)]
            wrong = wrong or (f"coefficients.aliased: column {bad[0]} has another relation in a row" if bad else "")
            columns = [j for j in columns if j not in self.out]
            values = [x[j] for j in columns]
        shifts = range(self.width, (len(self.classes) - 1) * self.width, self.width)
        return Row(scale, [columns, *([j + shift for j in columns] for shift in shifts)], values, pairs), wrong

    def pairs(self, label: Label, trials: float) -> dict[int, int] | None:
        """Return y by c for each vector of a row; None for a label or trials that the family does not have."""
        if self.model.family == "labels":
            y = self.classes.index(label) if label in self.classes else -1
            return None if y < 0 or trials < 0 else {c: y for c in range(len(self.classes)) if c != y and trials}
        value = math.inf if isinstance(label, str) and not NUMBER.fullmatch(label) else float(label or 0)
        most = {"successes": trials, "proportions": 1, "poisson": sys.float_info.max}[self.model.family]
        if trials < 0 or not 0 <= value <= most:
            return None
        return ({0: 1} if value > 0 else {}) | ({1: 0} if value < most else {}) if trials else {}


# ---- the check ------------------------------------------------------------------------------------------------------


class Scan:
    """One pass over the rows: the signs of z·b for every direction and of z·e, the rows of sums, and extremes."""

    def __init__(self, stated: Question) -> None:
        self.stated, self.extremes, self.rank = stated, {width.direction for width in stated.widths.values()}, rank
        sums = [stated.strict, stated.zero_sum, *stated.mixtures.values(), *(s for _, s in stated.limits.values())]
        self.wanted, self.named = {i for weights in sums for i, _ in weights}, dict[int, Row]()
        self.separated, self.others = 0, 0  # vectors
        self.separated_rows: Any = []
        self.wrong: tuple[str, int] | None = None  # the first thing that is wrong, and its row
        self.least, self.longest = dict[int, Any](), Fraction(0)  # z·b by direction; |x|²
        self.E_at = defaultdict[int, list[tuple[int, int]]](list)  # E by place: (vector, value)
        for k, e in enumerate(stated.E):
            for place, value in e.items():
                self.E_at[place].append((k, value))

    def add(self, i: int, row: Row, wrong: str) -> None:
        """Check a row. What is wrong is kept, not raised: that the data are others is said first."""
        found = [row.products(b) for b in self.stated.directions]
        first = found[0] if found else dict.fromkeys(row.pairs, 0)
        if any(value < 0 for one in found for value in one.values()):
            wrong = wrong or "directions: a row is on the wrong side of one of them"
        on = [c for c, value in first.items() if value <= 0]
        sums = [self.sums(row, k) for k in range(len(self.stated.classes))] if on else []
        if any(sums[row.pairs[c]] != sums[c] for c in on):
            wrong = wrong or "complement: a row is neither separated by directions[0] nor orthogonal to the complement"
        self.wrong = self.wrong or ((wrong, i) if wrong else None)
        self.separated, self.others = self.separated + len(first) - len(on), self.others + len(on)
        if len(on) < len(first):
            self.separated_rows.append(i)
        if i in self.wanted:
            self.named[i] = row
        for k in self.extremes if row.pairs else ():
            (value,) = found[k].values()
            self.least[k] = min(self.least.get(k, math.inf), Fraction(value, row.scale))
        if self.stated.c.margins:
            self.longest = max(self.longest, Fraction(sum(map(mul, row.numbers, row.numbers)), row.scale**2))

    def sums(self, row: Row, k: int) -> list[int]:
        """Return e·(x in part k) for every e in E: z against c is orthogonal to E if those of y and c are equal."""
        out = [0] * len(self.stated.E)
        for place, number in zip(row.places[k - 1], row.numbers, strict=True) if k else ():
            for e, value in self.E_at.get(place, ()):
                out[e] += value * number
        return out

    def total(self, weights: Weights, at: str) -> tuple[int, Vector]:
        """Return s and s·Σ weight·z, for an integer s > 0."""
        require(all(k in self.named[i].pairs for i, k in weights), f"{at}: a row has no vector against that class")
        scale, total = math.lcm(*(self.named[i].scale for i, _ in weights)), Vector()
        for (i, k), weight in weights.items():
            row = self.named[i]
            for part, sign in ((row.pairs[k], 1), (k, -1)):
                for place, value in zip(row.places[part - 1], row.numbers, strict=True) if part else ():
                    total[place] += sign * weight * (scale // row.scale) * value
        return scale, total


class Proved(NamedTuple):
    """What is proved: the kind, and the rows of which a vector is separated by the first direction."""

    kind: str
    rows: Sequence[int]


def check(c: Record, points: Iterable[Point]) -> Proved:
    """Return what is proved about points, which are read once."""
    scan, found = Scan(stated := Question(c)), Digest(c.data.columns)
    for text, columns, numbers in points:
        if 0 in numbers:
            kept = [pair for pair in zip(columns, numbers, strict=True) if pair[1]]
            columns, numbers = [j for j, _ in kept], [x for _, x in kept]
        inside = not columns or columns[-1] < c.data.columns
        require(inside, f"other data: row {found.rows + 1} has a column beyond data.columns, {c.data.columns}")
        found.add(label := label_value(text), columns, numbers)
        scan.add(found.rows - 1, *stated.row(label, columns, numbers))
    check_digest(c, found.hexdigest(), found.rows)
    return conclude(stated, scan)


def check_digest(c: Record, digest: str, rows: int) -> None:
    message = f"other data: found {rows} rows of digest {digest}, expected {c.data.rows} of {c.data.digest}"
    require(digest == c.data.digest and rows == c.data.rows, message + made(c.data))


def conclude(stated: Question, scan: Scan) -> Proved:
    """Return what a scan of all rows proves: the theorems of the sections, and the claim."""
    if scan.wrong:
        raise CertificateError(*scan.wrong)
    require(scan.separated + scan.others, "model: no row has a vector, so there is nothing to decide")
    check_zero_sum(scan, stated.strict, "strict")
    if stated.c.claim == "not separable":
        return Proved(stated.c.claim, [])
    check_span(stated, scan)
    kind = "overlap" if not scan.separated else "quasi-complete" if scan.others else "complete"
    require(kind == stated.c.claim, f"claim: {stated.c.claim} is claimed, {kind} is proved")
    check_coefficients(stated, scan)
    check_margins(stated, scan)
    return Proved(kind, scan.separated_rows)


def check_zero_sum(scan: Scan, weights: Weights, at: str) -> None:
    """Check that vectors sum to zero.

    Theorem 1 (Gordan). If Σ λz = 0 with all λ > 0, then z·b = 0 for these z and every b in C: a sum of terms ≥ 0 is
    zero. So no b has z·b > 0 for all z.
    """
    require(not any(scan.total(weights, at)[1].values()), f"{at}: the weighted rows do not sum to zero")


def check_span(stated: Question, scan: Scan) -> None:
    """Check that E is the complement of the zero-sum vectors.

    Theorem 2 (Motzkin; Albert and Anderson). Let the vectors H sum to zero as in theorem 1, and let the vectors E =
    directions and complement be orthogonal to all of H, with rank H + rank E ≥ the dimension. Then E spans the
    complement of H, and what is orthogonal to all of E is in the span O of H, so it has z·b = 0 for every b in C.
    If all directions are in C, and each z is separated by the first or orthogonal to E (`Scan.add`), the kind is known:
    complete (all are separated), overlap (none), quasi-complete (some). No z of H is separated: so all are orthogonal.
    """
    check_zero_sum(scan, stated.zero_sum, "zero_sum")
    if not scan.others and not {"finite", "+inf", "-inf"} & {*stated.states.values()}:
        return  # complete, and nothing is said of the span of H
    H = [scan.total({term: 1}, "zero_sum")[1] for term in stated.zero_sum]
    full = any(scan.rank(H, prime) + scan.rank(stated.E, prime) >= stated.dimension for prime in PRIMES)
    require(full, f"complement: with directions and zero_sum it does not have the rank {stated.dimension}")


def check_coefficients(stated: Question, scan: Scan) -> None:
    """Check the state of each coefficient.

    Theorem 3 (Farkas). If f·e_m = Σ λz + o with f, λ > 0 and o in O, then b_m ≥ 0 for all b in C: if it is positive for
    the first direction, the likelihood reaches its supremum only as b_m → +∞. With −e_m: −∞. If e_m is in O, b_m = 0
    for all b in C: the estimate is finite. If two directions in C have different signs of b_m, it has no limit.
    Aliased (`Question.row`): x·a = 0 for a relation a with a_j ≠ 0, in every row that has vectors.
    """
    for m, state in stated.states.items():
        values, at = [b[m] for b in stated.directions], f"coefficients.states: coefficient {m}"
        if state == "finite":
            require(not any(e[m] for e in stated.E), f"{at} is not proved to be finite")
        elif state == "not-unique":
            require(min(values, default=0) < 0 < max(values, default=0), f"{at} has one sign in all directions")
        elif state != "undecided":
            sign, (factor, weights) = (1 if state == "+inf" else -1), stated.limits[m]
            scale, total = scan.total(weights, "limits")
            total[m] -= sign * factor * scale
            require(values and values[0] * sign > 0, f"{at} has another sign in directions[0]")
            require(not any(dot(e, total) for e in stated.E), f"{at} is not that of its limit, up to zero_sum")


def check_margins(stated: Question, scan: Scan) -> None:
    """Check bounds of the margins.

    Theorem 4 (hull distance). Let v = (w, b) have z·v ≥ m > 0 for all z; γ is the largest possible m/|v| (padded), or
    m/|w| (geometric). Then m/|v| ≤ γ ≤ |Σ λz / Σ λ| (padded), and m/|w| ≤ γ ≤ half the distance of a mixture of points
    of one class from one of the other (geometric). Squares are compared, for γ² is rational. R is the length of the
    longest x, with its 1: a perceptron from 0 makes at most (R/γ)² mistakes, γ padded (Novikoff 1962).
    """
    for name, width in stated.widths.items():
        v, least, two = stated.directions[width.direction], scan.least[width.direction], name == "geometric"
        length2 = sum(value * value for j, value in v.items() if not two or j < stated.width - 1)
        require(least > 0, f"margins.{name}.direction: a row is not strictly on its own side")
        require(least * least >= width.lower * length2, f"margins.{name}.lower: the direction has a smaller margin")
        weights = stated.mixtures[name]
        sums = [sum(weight for (_, k), weight in weights.items() if not two or k == side) for side in (0, 1)]
        require(all(sums), f"margins.{name}.mixture: expected rows{' of both classes' if two else ''}")
        if two:  # each weight times the other class's sum: then the ones of the intercept cancel
            weights = {(i, k): weight * sums[1 - k] for (i, k), weight in weights.items()}
        scale, total = scan.total(weights, f"margins.{name}.mixture")
        mixed = scale * sums[0] * (2 * sums[1] if two else 1)
        length2 = sum(value * value for value in total.values())
        require(length2 <= width.upper * mixed * mixed, f"margins.{name}.upper: the mixture proves a larger one only")
    if stated.c.margins and (radius2 := stated.c.margins.radius2):
        require(radius2.lower <= scan.longest <= radius2.upper, "margins.radius2: the longest row has another length")


def rank(rows: list[Vector], prime: int) -> int:
    """Return the rank modulo a prime, which is at most the rank: a minor that is not 0 modulo it is not 0.

    Rows with a place of their own are independent of the others, which become long integers, `size` bytes for a place.
    """
    uses, many = Counter(place for z in rows for place, value in z.items() if value), len(rows)
    rows = [z for z in rows if all(uses[place] > 1 for place, value in z.items() if value)]
    places, pivots = sorted(set().union(*rows)), dict[int, int]()  # index of a place: a row with 1 there and 0 before
    size = (2 * prime.bit_length() + len(places).bit_length()) // 8 + 1

    def packed(numbers: list[int]) -> int:
        return int.from_bytes(b"".join((a % prime).to_bytes(size, "little") for a in numbers), "little")

    for z in rows if places else ():
        row = packed([z[place] for place in places])
        for p in sorted(pivots):
            if factor := (row >> (8 * size * p) & ((1 << 8 * size) - 1)) % prime:
                row += (prime - factor) * pivots[p]
        raw = row.to_bytes(size * len(places), "little")
        left = [int.from_bytes(raw[k : k + size], "little") % prime for k in range(0, len(raw), size)]
        for p, inverse in [(p, pow(a, -1, prime)) for p, a in enumerate(left) if a][:1]:
            pivots[p] = packed([a * inverse for a in left])
        if len(pivots) == len(places):
            break
    return many - len(rows) + len(pivots)


# ---- the command ----------------------------------------------------------------------------------------------------

NONE = "no {plane} has every point strictly on its own side"
MEANING = {
    "complete": ("a {plane} has every point strictly on its own side", "no estimates exist"),
    "quasi-complete": (f"{NONE}, but one has some there and all others on it", "some estimates do not exist"),
    "overlap": (f"{NONE}, nor some there and all others on it", "all estimates exist"),
    "not separable": (NONE, "the separation is not complete"),
}


def report(c: Record, found: Proved, header: Sequence[str], how: str = "") -> Iterator[str]:
    """Yield what is proved in words, and of what: the model, and how the data were read (how: if not as stated)."""
    stated, model, file, d = Question(c), c.model, c.data.file.csv, c.data.columns
    plane, classes = "plane" if model.intercept else "plane through the origin", [*map(short, model.classes or ())]
    regression = bool(c.coefficients) or (model.family, len(stated.classes), model.trials) != ("labels", 2, None)

    def name(m: int) -> str:
        k, j = divmod(m, stated.width)
        column = "(intercept)" if j == d else short(header[j])[1:-1] if header else f"column {j + 1}"
        return f"{classes[k + 1]}: {column}" if len(classes) > 2 else column

    of = f"classes {', '.join(classes[1:])} against the reference {classes[0]}" if classes else model.family
    trials = "" if model.trials is None else f", trials in {name(model.trials)}"
    skipped = f"the first line skipped as a header, {short(', '.join(header))}" if header else "no line skipped"
    how = how or (f"csv, labels in cell {file.label + 1} of a line, {skipped}" if file else "svmlight, no line skipped")
    meaning, rows = MEANING[found.kind][regression].format(plane=plane), f"{len(found.rows):,} of {c.data.rows:,}"
    yield f"PROVED {found.kind}: {meaning}; separated rows: {rows}"
    yield f"model: {of}{trials}; {'an' if model.intercept else 'no'} intercept"
    yield f"data: {c.data.rows:,} rows, {d:,} columns of binary64 numbers; read as {how}"
    states = [*stated.states.items(), *((j, "aliased") for j in stated.aliased)]
    for state in sorted({state for _, state in states}):
        yield f"{state}: {', '.join(name(m) for m, one in states if one == state)}"
    for what, one in [(of, one) for of, one in vars(c.margins or Record()).items() if one]:
        low, high = ((Decimal(v.numerator) / v.denominator).sqrt() for v in (one.lower, one.upper))
        yield f"{what.rstrip('2')}: about {low:.12g} to {high:.12g} (the exact squares are in the certificate)"
    if c.margins and c.margins.padded and c.margins.radius2:
        most = c.margins.radius2.upper // c.margins.padded.lower
        yield f"mistakes of a perceptron from 0: at most {most if most < 10**18 else f'2**{most.bit_length()}'}"


def main(args: list[str]) -> int:
    if len(args) != 2:
        print((__doc__ or "").splitlines()[2].strip(), file=sys.stderr)
        return 2
    try:
        c = read_certificate(args[0])
        table = PlainTable(args[1], c)
        print(*report(c, check(c, table), table.header), sep="\n")
    except CertificateError as error:
        unreadable = isinstance(error, MalformedError)
        print("CANNOT BE READ" if unreadable else "REFUSED", error, file=sys.stderr)
        return 3 if unreadable else 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
