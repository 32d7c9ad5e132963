"""Numbers that mean what their digits say, and what is refused as such."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import novikoff as nv
from novikoff.certify.check.verify import check
from novikoff.certify.decide.decimal_points import Big, Scaled, decimal_points, fractions_of
from novikoff.data.text.plain_files import file_rows

pytestmark = pytest.mark.bounds

SUMS = [["0.1", "0.2", "0.3"], ["0", "0", "0"], ["1", "0", "1"], ["0", "1", "1"]]  # the last is the sum of the others
FLOATS = [[float(v) for v in x] for x in SUMS]


def test_tables_that_sum_up_do_so_in_decimal_only() -> None:
    """0.1 + 0.2 is 0.3 as digits; the doubles nearest to them stick out of the plane, and are separable."""
    y = [1, 0, 0, 0]
    digits, doubles = nv.decide(SUMS, y, numbers="decimal"), nv.decide(FLOATS, y)
    assert (digits.separable, digits.kind, doubles.separable) == (False, "overlap", True)
    assert digits.obstruction is not None
    assert digits.obstruction.point == (Fraction(1, 10), Fraction(1, 5), Fraction(3, 10))


def test_columns_that_sum_to_100_are_on_one_plane_in_decimal_only() -> None:
    shares = [["33.3", "33.3", "33.4"], ["0.1", "0.2", "99.7"], ["99.7", "0.1", "0.2"], ["0.2", "99.7", "0.1"]]
    y = [1, 0, 0, 0]
    assert nv.decide(shares, y, numbers="decimal").kind == "overlap"
    assert nv.decide([[float(v) for v in x] for x in shares], y)


def test_two_texts_may_be_one_double_and_two_decimals_and_the_other_way_round() -> None:
    close, same = [["0.3"], ["0.30000000000000001"]], [["0.30"], ["3e-1"]]
    assert nv.decide(close, [0, 1], numbers="decimal").separable
    assert not nv.decide([[float(v[0])] for v in close], [0, 1])
    assert not nv.decide(same, [0, 1], numbers="decimal")


@pytest.mark.parametrize(
    "X",
    [
        SUMS,
        np.array(SUMS),
        np.array(SUMS, object),
        [[Decimal(v) for v in x] for x in SUMS],
        [[Fraction(v) for v in x] for x in SUMS],
    ],
    ids=["texts", "array of texts", "objects", "Decimals", "fractions"],
)
def test_every_way_to_write_a_decimal_is_the_same(X: Any) -> None:
    v = nv.decide(X, [1, 0, 0, 0], numbers="decimal")
    assert v.certificate().record() == nv.decide(SUMS, [1, 0, 0, 0], numbers="decimal").certificate().record()
    assert v.numbers == "decimal"


def test_a_data_frame_of_texts_and_whole_numbers() -> None:
    import pandas as pd

    frame = pd.DataFrame({"a": ["0.1", "0"], "b": [1, 2]})
    assert nv.decide(frame, [0, 1], numbers="decimal").separable
    with pytest.raises(nv.InputError, match="'decimal' is for text"):
        nv.decide(pd.DataFrame({"a": [0.5, 1.0]}), [0, 1], numbers="decimal")
    assert nv.decide(np.array([[1, 2], [3, 5]]), [0, 1], numbers="decimal").separable


@pytest.mark.parametrize("zero", ["0e99999", "-0.0e-999999999", Decimal("0e99999")])
def test_zero_has_any_power_of_ten(zero: Any) -> None:
    assert nv.decide([[zero], ["1"]], [0, 1], numbers="decimal").separable


@pytest.mark.parametrize("X", [FLOATS, np.array(FLOATS), np.array(FLOATS, object), sp.csr_matrix(np.array(FLOATS))])
def test_floats_are_refused_with_the_reason(X: Any) -> None:
    with pytest.raises(nv.InputError, match=r"numbers: 'decimal' is for text, .* use numbers='binary64'"):
        nv.decide(X, [1, 0, 0, 0], numbers="decimal")


@pytest.mark.parametrize(
    ("X", "said"),
    [
        ([["1"], ["nan"]], r"row 2 \(1 counted from 0\), column 1: found 'nan'"),
        ([["1"], ["1e999999999"]], r"row 2 \(1 counted from 0\), column 1"),
        ([["1"], [Decimal("1e999999999")]], r"row 2 \(1 counted from 0\), column 1"),
        ([["1"], [Decimal("NaN")]], r"row 2 \(1 counted from 0\), column 1"),
        ([["1"], [None]], r"row 2 \(1 counted from 0\), column 1: found None"),
        ([["1", "2"], ["1"]], "different lengths|found shape"),
        ([], "found shape"),
        ([["1"]] * 3, "3 rows and 2 labels"),
        ([["1/3"], ["2"]], r"row 1 \(0 counted from 0\), column 1: found '1/3'"),
    ],
)
def test_what_is_no_decimal_is_named(X: Any, said: str) -> None:
    with pytest.raises(nv.InputError, match=said):
        nv.decide(X, [0, 1], numbers="decimal")


def test_tables_that_doubles_hold_go_their_way_and_others_are_whole_numbers_throughout() -> None:
    assert isinstance(decimal_points([["0.1"], ["123.456"]], [0, 1], True).points, Scaled)
    assert isinstance(decimal_points([["1e-30"], ["1"]], [0, 1], True).points, Big)
    assert isinstance(decimal_points([["1e-390"], ["1e390"]], [0, 1], True).points, Big)
    rng = np.random.default_rng(3)
    for k in range(40):
        whole = rng.integers(-4, 5, (9, 2))
        y = [0, 1, *rng.integers(0, 2, 7).tolist()]
        X = [[f"{v}e-{30 * (k % 2)}" for v in x] for x in whole.tolist()]
        X[0] = ["1e-60", "0"] if k % 3 == 0 else X[0]
        near = nv.decide([[Fraction(v) * 10**60 for v in x] for x in X], y, numbers="decimal")
        v = nv.decide(X, y, numbers="decimal")
        assert (v.kind, v.separated.tolist()) == (near.kind, near.separated.tolist())
        assert v.check(X, y)
        v.certificate()


def test_a_plane_of_the_whole_table_and_one_of_the_decimals_are_each_others() -> None:
    points = decimal_points([["0.1", "0.25"], ["3", "1"]], [0, 1], True).points
    assert points.scales == [10, 4]
    assert points.outward([2, 3, 5]) == [20, 12, 5]
    plane = points.inward([20, 12, 5])
    assert [Fraction(a, plane[2]) for a in plane] == [Fraction(2, 5), Fraction(3, 5), 1]


def test_a_zero_row_is_a_proof_also_among_whole_numbers() -> None:
    v = nv.decide([["0"], ["1e-30"], ["1"]], [0, 1, 1], numbers="decimal", fit_intercept=False)
    assert (v.separable, v.support, v.weights, v.kind) == (False, (0,), (1,), "quasi-complete")
    none = nv.decide([["0"], ["0"]], [0, 1], numbers="decimal", fit_intercept=False)
    assert (none.kind, none.separated.tolist()) == ("overlap", [])


def test_a_saved_decimal_proof_is_about_the_file_and_its_meaning(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    path.write_text("a,b,s,y\n0.1,0.2,0.3,1\n0,0,0,0\n1,0,1,0\n0,1,1,0\n")
    v = nv.decide(SUMS, [1, 0, 0, 0], numbers="decimal")
    v.save(tmp_path / "proof.json")
    assert nv.verify(tmp_path / "proof.json", SUMS, [1, 0, 0, 0]) == "overlap"
    assert check(tmp_path / "proof.json", lambda: file_rows(path, "decimal", {})) == "overlap"
    with pytest.raises(nv.CertificateError, match="other data"):
        check(tmp_path / "proof.json", lambda: file_rows(path, "binary64", {}))


def test_the_table_is_fractions() -> None:
    assert fractions_of([["0.50", 2], [Decimal("1e-2"), Fraction(3)]]).tolist() == [
        [Fraction(1, 2), 2],
        [Fraction(1, 100), 3],
    ]


def test_pairs_and_removals_mean_decimals_too() -> None:
    found = nv.decide_pairs([*SUMS, ["5", "5", "5"]], ["x", "o", "o", "o", "far"], numbers="decimal")
    assert {pair: verdict.separable for pair, verdict in found.items()} == {
        ("far", "o"): True, ("far", "x"): True, ("o", "x"): False}  # fmt: skip
    out = nv.removal(SUMS, [1, 0, 0, 0], numbers="decimal")
    assert (out.at_least, out.at_most) == (1, 1)
    assert out.rest is not None
    big = nv.removal([["1e-30"], ["1"], ["2e-30"], ["3e-30"]], [0, 1, 1, 0], numbers="decimal")
    assert (big.at_least, big.at_most) == (1, 1)
