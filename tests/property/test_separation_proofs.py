"""Certificates of separation: every report has one that the checker accepts, and no forged one is accepted."""

from __future__ import annotations

import copy
import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import novikoff as nv
from data.degenerate import degenerate
from oracles import frozen_checker, rays
from oracles.stacked_rows import stacked_rows

PROBLEMS = 300


def rows_of(X: Any, y: Any) -> list[tuple[Any, list[float]]]:
    return [(label, x) for label, x in zip(np.asarray(y).tolist(), np.asarray(X, float).tolist(), strict=True)]


def checked(r: Any, X: Any, y: Any) -> dict[str, Any]:
    """The certificate, accepted by the standard-library checker with the report's answer."""
    record: dict[str, Any] = json.loads(r.certificate().to_json())
    found = frozen_checker.check_separation(frozen_checker.read_certificate(record), lambda: rows_of(X, y))
    assert (found.kind, found.rows) == (r.kind, r.rows.tolist())
    words = [word for word in record["coefficients"] if word is not None]
    assert sorted(words) == sorted(r.coefficients.values())
    assert nv.verify(record, X, y) == nv.verify(record, X, y, slow=True) == r.kind
    return record


def random_problem(rng: np.random.Generator, k: int) -> tuple[Any, Any, dict[str, Any], Any]:
    """X, y and arguments of `separation`; and the table that the certificate is about."""
    X, y, bias = degenerate(rng)
    many = {"fit_intercept": bias}
    if k % 4 == 0:
        return X, y, many, X
    if k % 4 == 1:
        values = np.where(y > 0, rng.integers(1, 4, len(y)), 0)
        return X, values, many | {"family": "poisson"}, X
    if k % 4 == 2:
        trials = rng.integers(0, 3, len(y)) * 2
        trials[0] = 2
        values = np.where(rng.random(len(y)) < 0.3, trials // 2, np.where(y > 0, trials, 0))
        given = {"counts": trials, "response": "successes"}
        if rng.random() < 0.5:
            values, given = np.where(y > 0, 1.0, 0.0), {"counts": trials, "response": "proportions"}
        return X, values, many | given, np.column_stack([X, trials])
    y = np.concatenate([[0, 1, 2], rng.integers(0, 3, len(y))])[: len(y)]
    return X, y, many, X


def test_every_report_has_a_certificate_that_is_accepted() -> None:
    rng = np.random.default_rng(21)
    seen: Counter[str] = Counter()
    for k in range(PROBLEMS):
        X, y, given, table = random_problem(rng, k)
        r = nv.separation(X, y, **given)
        record = checked(r, table, y)
        seen.update([r.family, record["response"]["family"], r.kind, *r.coefficients.values()])
    for word in ("complete", "quasi-complete", "overlap", "finite", "+inf", "-inf", "not-unique", "aliased",
                 "binomial", "multinomial", "poisson", "successes", "proportions"):  # fmt: skip
        assert seen[word] > 10, seen


# ---- forged certificates -------------------------------------------------------------------------------------------


def forgeries(rng: np.random.Generator, record: dict[str, Any]) -> dict[str, Any]:
    """The certificate with one thing changed."""
    made, words = copy.deepcopy(record), record["coefficients"]
    kind = int(rng.integers(7))
    if kind == 0:
        m = int(rng.integers(len(words)))
        made["coefficients"][m] = str(rng.choice(["finite", "+inf", "-inf", "not-unique", "aliased"]))
    elif kind == 1:
        made["claim"] = str(rng.choice(["complete", "quasi-complete", "overlap"]))
    elif kind == 2 and record["directions"]:
        one = made["directions"][int(rng.integers(len(record["directions"])))]
        m = int(rng.integers(len(one)))
        one[m] = str(int(one[m]) + int(rng.choice([-2, -1, 1, 2])))
    elif kind == 3 and record["held"]:
        m = int(rng.integers(len(record["held"])))
        for name in ("held", "held_against", "held_weights"):
            del made[name][m]
    elif kind == 4 and record["held"]:
        m = int(rng.integers(len(record["held"])))
        made["held_weights"][m] = str(int(record["held_weights"][m]) + 1)
    elif kind == 5 and record["limits"]:
        one = made["limits"][int(rng.integers(len(record["limits"])))]
        name = str(rng.choice(["factor", "weights", "rows", "coefficient", "against"]))
        if name == "factor":
            one["factor"] = str(int(one["factor"]) * 2)
        elif name == "coefficient":
            one["coefficient"] = int(rng.integers(len(words)))
        elif one[name]:
            m = int(rng.integers(len(one[name])))
            one[name][m] = str(int(one[name][m]) * 3) if name == "weights" else int(rng.integers(3))
    elif kind == 6 and record["directions"]:
        made["directions"] = made["directions"][int(rng.integers(2)) :][: int(rng.integers(3))]
    return made


def test_no_forged_certificate_proves_a_wrong_answer() -> None:
    """What the checker accepts is true by brute force: the kind, the rows and every word about a coefficient."""
    rng = np.random.default_rng(22)
    outcomes: Counter[str] = Counter()
    for k in range(900):
        X, y, bias = degenerate(rng)
        y = np.where(y > 0, 1, 0) if k % 2 else np.concatenate([[0, 1, 2], rng.integers(0, 3, len(y))])[: len(y)]
        if len(set(y.tolist())) < 2 or (k % 2 == 0 and X.shape[1] + bias > 2):
            continue
        K = len(set(y.tolist()))
        r = nv.separation(X, y, fit_intercept=bias)
        record = json.loads(r.certificate().to_json())
        forged = forgeries(rng, record)
        if forged == record:
            continue
        try:
            found = nv.verify(forged, X, y)
        except nv.CertificateError:
            outcomes["refused"] += 1
            continue
        outcomes["accepted"] += 1
        words = [word for word in forged["coefficients"] if word is not None]
        base = [[*x, *([1] if record["data"]["bias"] else [])] for x in X.tolist()]
        order = [j for j, word in enumerate(forged["coefficients"][: len(base[0])]) if word != "aliased"]
        kept = [[x[j] for j in order] for x in base]
        rows, _ = stacked_rows(kept, y.tolist(), K)
        kind, _, limits = rays.answer(rows, [[1]] * len(rows))
        assert found == kind
        assert [word for word in words if word != "aliased"] == limits
    assert outcomes["refused"] > 150, outcomes
    assert outcomes["accepted"] > 10, outcomes  # changes that keep the proof, as a weight of a loose relation


def test_other_data_are_refused() -> None:
    X, y = [[-2.0], [0.0], [0.0], [2.0]], [0, 0, 1, 1]
    record = nv.separation(X, y).certificate().record()
    with pytest.raises(nv.CertificateError, match="other data: their digest"):
        nv.verify(record, [[-2.0], [0.0], [0.0], [3.0]], y)
    with pytest.raises(nv.CertificateError, match="other data"):
        nv.verify(record, X, [0, 1, 0, 1])


def change(name: str, value: Any) -> Callable[[dict[str, Any]], None]:
    def made(record: dict[str, Any]) -> None:
        *path, last = name.split(".")
        place: Any = record
        for step in path:
            place = place[int(step) if step.isdigit() else step]
        place[int(last) if last.isdigit() else last] = value

    return made


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("format", "novikoff-certificate/9", "is not known, only"),
        ("more", 1, "a field 'more' is not known"),
        ("claim", "not separable", "claim one of complete"),
        ("data.n", 0, "n and d must be counts"),
        ("data.positive", "1", "a field 'positive' is not known"),
        ("response.family", "gamma", "family must be one of"),
        ("response.counts", 7, "counts must be a column of 1"),
        ("response.counts", 0, "labels has no column of counts"),
        ("response.family", "successes", "successes needs column of counts"),
        ("response.classes", ["0"], "two or more different texts"),
        ("response.classes", ["0", "0"], "two or more different texts"),
        ("response.classes", None, "classes: a list of texts"),
        ("names", ["x"], "names: 1 texts, 2 were expected"),
        ("names", 3, "names: a list of texts"),
        ("coefficients", ["finite"], "a list of 2 words"),
        ("coefficients.0", "large", "'large' is none of"),
        ("coefficients.0", None, "None is none of"),
        ("directions", None, "directions: a list was expected"),
        ("directions.0", ["1"], "a list of 2 integers"),
        ("directions.0.0", 1, "is not an integer as text"),
        ("held", [1], "must have one length"),
        ("held.0", 9, "no row of 4"),
        ("held_against.0", 2, "class of 2"),
        ("held_weights.0", "0", "is not greater than 0"),
        ("aliased", [3], "aliased: objects"),
        ("aliased", [{"column": 0, "factor": "0", "on": [], "weights": []}], "a factor that is not 0"),
        ("aliased", [{"column": 4, "factor": "1", "on": [], "weights": []}], "different columns of 2"),
        ("aliased", [{"column": 0, "factor": "1", "on": [], "weights": []}], "aliased has another answer"),
        ("limits", [1], "limits: objects"),
        ("limits.0.coefficient", 5, "a place in 2"),
        ("limits.0.factor", "-1", "is not greater than 0"),
        ("limits.0.against", [0], "has no vector against class"),
        ("limits", [], "limits are of infinite estimates, one each"),
    ],
)
def test_what_is_not_well_formed_is_refused_by_name(name: str, value: Any, message: str) -> None:
    X, y = [[-2.0], [0.0], [0.0], [2.0]], [0, 0, 1, 1]
    record = copy.deepcopy(nv.separation(X, y).certificate().record())
    assert record["coefficients"] == ["+inf", "finite"]
    change(name, value)(record)
    with pytest.raises(nv.CertificateError, match=message):
        nv.verify(record, X, y)


def test_a_column_that_is_no_combination_is_refused() -> None:
    X, y = [[-1, -2], [0, 0], [1, 2], [2, 4]], [0, 1, 0, 1]
    r = nv.separation(X, y)
    record = checked(r, X, y)
    assert record["aliased"] == [{"column": 1, "factor": "1", "on": [0], "weights": ["2"]}]
    for change in ({"weights": ["3"]}, {"factor": "2"}, {"on": [2]}):
        forged = copy.deepcopy(record)
        forged["aliased"][0] |= change
        with pytest.raises(nv.CertificateError, match="aliased: x2 is another combination in row"):
            nv.verify(forged, X, y)


def test_a_certificate_of_points_that_were_changed_is_not_written() -> None:
    X, y = np.array([[-2.0], [0.0], [0.0], [2.0]]), [0, 0, 1, 1]
    r = nv.separation(X, y)
    X[0, 0] = 5.0
    with pytest.raises(nv.InputError, match="X: the points were changed after separation"):
        r.certificate()


def test_no_certificate_where_time_was_up() -> None:
    rng = np.random.default_rng(0)
    r = nv.separation(rng.standard_normal((3000, 40)), rng.integers(0, 2, 3000), max_time=1e-9)
    with pytest.raises(nv.UndecidedError, match="there is no proof"):
        r.certificate()


def test_one_class_only_has_a_certificate() -> None:
    for label in (0, 1, "no"):
        checked(nv.separation([[-1.0], [1.0], [0.5]], [label] * 3), [[-1.0], [1.0], [0.5]], [label] * 3)
