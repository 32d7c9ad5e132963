"""The role of each column of a table, by its contents."""

from __future__ import annotations

from pathlib import Path

import pytest

import novikoff as nv
from novikoff.io.automatic_columns import automatic_columns, doubt_about, role_of
from novikoff.io.column_contents import ColumnContents, contents_of
from novikoff.io.reading import Reading


def column(*cells: str) -> ColumnContents:
    found = ColumnContents()
    for cell in cells:
        found.add(cell)
    return found


LONG = [f"a long description of the thing number {k}" for k in range(12)]


@pytest.mark.parametrize(
    ("cells", "role", "why"),
    [
        (["1.5", "2", "-3e4", "", "NA"], "numbers", ""),
        ([str(k) for k in range(1, 13)], "drop", "numbers the rows"),
        ([str(k) for k in range(100, 112)], "drop", "numbers the rows"),
        ([str(k) for k in range(1, 6)], "numbers", ""),  # too few to say
        ([*map(str, range(12)), "11"], "numbers", ""),
        ([str(3 * k) for k in range(12)], "drop", "rises from row to row, as numbers of rows do"),
        ([str(50 - 3 * k) for k in range(12)], "drop", "falls from row to row, as numbers of rows do"),
        ([str(7 * k % 17) for k in range(15)], "drop", "has 15 different whole numbers, as numbers of rows are"),
        ([str(7 * k % 17) for k in range(18)], "numbers", ""),
        ([str(97 * k % 101) for k in range(15)], "numbers", ""),  # of such a range 15 are often different
        ([str(7 * k % 17 + 0.5) for k in range(15)], "numbers", ""),
        ([*(str(7 * k % 17) for k in range(15)), "NA"], "numbers", ""),
        (["5,450", "1,000,000.5", "12"], "numbers", ""),  # which the reader of the table refuses by name
        (["red", "blue", "red", "?"], "categories", ""),
        (["1", "2", "A/5"], "categories", ""),
        ([f"id-{k}" for k in range(12)], "drop", "differs in every row"),
        ([*(f"id-{k}" for k in range(19)), "id-0"], "drop", "has 19 different values in 20 rows"),
        ([*(f"id-{k}" for k in range(17)), *["id-0"] * 3], "categories", ""),
        (LONG, "text", ""),
        ([LONG[0], LONG[1]] * 6, "categories", ""),
        (["", "?", "NA"], "drop", "has no values"),
    ],
)
def test_the_role_of_a_column(cells: list[str], role: str, why: str) -> None:
    assert role_of(column(*cells)) == (role, why)


@pytest.mark.parametrize(
    ("cells", "word"),
    [
        (["$1,234.50", "$20", "€ 7", "-£3.10"], "$1,234.50"),
        (["12%", "7.5 %", "12%", "NA"], "12%"),
        (["180 cm", "1,5 kg", "3 mph", "180 cm"], "180 cm"),
        (["red", "12%", "blue", "12%"], None),
        (["01/02/2024", "2024-01-02", "12.03.2020", "1st"], None),
        (["A 12", "12A", "12 Baker Street", "B12"], None),
    ],
)
def test_numbers_with_a_sign_or_a_unit_are_named(cells: list[str], word: str | None) -> None:
    said = doubt_about(column(*cells))
    assert said.startswith(f"has numbers with signs or units, as {word!r}: ") if word else said == ""


def test_contents_are_counted() -> None:
    found = column("1", "x", "", "x", "22")
    assert (found.numbers, found.words, found.missing, found.known) == (2, 2, 1, 4)
    assert found.different == {"1", "x", "22"}
    assert found.letters == 2
    assert not found.numbering


ROWS = [{"n": k, "age": None if k == 3 else k % 7, "sex": "mf"[k % 2], "class": "ab"[k % 2]} for k in range(15)]


@pytest.mark.parametrize("kind", ["csv", "tsv", "parquet", "arrow"])
def test_every_format_has_the_same_roles(kind: str, tmp_path: Path) -> None:
    path = tmp_path / f"t.{kind}"
    if kind in ("csv", "tsv"):
        mark = "," if kind == "csv" else "\t"
        lines = [mark.join("" if v is None else str(v) for v in row.values()) for row in ROWS]
        path.write_text("\n".join([mark.join(ROWS[0]), *lines]) + "\n")
    else:
        pandas = pytest.importorskip("pandas")
        frame = pandas.DataFrame(ROWS)
        _ = frame.to_parquet(path) if kind == "parquet" else frame.to_feather(path)
    found = automatic_columns(path, Reading(format=kind))
    assert found.label == "class"
    assert found.categories == ("sex",)
    assert found.numbers == ("age",)
    assert found.drop == ("n",)
    assert found.notes == ("n numbers the rows: not used, unless columns= names it",)


def test_given_columns_stay_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("n,age,sex,y\n" + "".join(f"{k},{k % 7},{'mf'[k % 2]},{k % 2}\n" for k in range(15)))
    found = automatic_columns(path, Reading(format="csv", text=("sex",), drop=("age",), label="y"))
    assert (found.numbers, found.categories, found.text, found.drop) == ((), (), (), ("n",))
    only = automatic_columns(path, Reading(format="csv", columns=("age", "sex")))
    assert (only.numbers, only.categories, only.drop) == (("age",), ("sex",), ())


def test_without_a_name_for_the_label_the_columns_are_listed(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b,Survived\n1,2,0\n3,4,1\n")
    with pytest.raises(nv.InputError, match=r"which column is the label\? .*; the columns are a, b, Survived"):
        automatic_columns(path, Reading(format="csv"))
    with pytest.raises(nv.InputError, match="no column is named 'z'; the columns are a, b, Survived"):
        automatic_columns(path, Reading(format="csv", label="z"))


def test_columns_without_names_have_numbers(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("".join(f"{k},{'xyz'[k % 3]},{k % 2}\n" for k in range(15)))
    names, _ = contents_of(path, Reading(format="csv", header=False, label=2))
    assert names == [0, 1, 2]
    found = automatic_columns(path, Reading(format="csv", header=False, label=2))
    assert (found.label, found.categories, found.drop) == (2, (1,), (0,))


def test_standard_input_is_refused() -> None:
    with pytest.raises(nv.InputError, match="standard input"):
        contents_of("-", Reading(format="csv"))


def test_an_infinite_number_is_no_word() -> None:
    """The reader of the file rejects it by its line; as a category it would be learned."""
    assert role_of(column("1", "2.5", "-inf", "Infinity")) == ("numbers", "")
