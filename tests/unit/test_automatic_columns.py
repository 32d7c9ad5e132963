"""The role of each column of a table, by its contents; the command that --auto prints; hints without it."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

import novikoff as nv
from commands import novikoff
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
        (["1", "2.5", "-inf", "Infinity"], "numbers", ""),  # the reader rejects it by its line; no category
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


def test_the_command_that_is_printed_can_be_typed_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With blanks and commas in names, columns by number, flags that say no, and a list of numbers."""
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"{k},{k % 7},{k * 5 % 11},{'mf'[k % 2]},{k % 3},{'pq'[k % 2]}\n" for k in range(15))
    Path("my file.csv").write_text('id,"a,b",c d,sex,drop it,y\n' + rows)
    first = [
        "fit",
        "my file.csv",
        "--auto",
        "--label",
        "6",
        "--drop",
        '"drop it"',
        "--no-bias",
        "-o",
        "m.nvk",
        "--class-weight",
        "p=2,q=.5",
    ]
    told = novikoff(*first, "--eta", "1/2", "--max-passes", "3", "--label-as", "p:p*", "--class-weight", "q=.5")
    line = next(line for line in told.err.splitlines() if "novikoff fit" in line)
    command = shlex.split(line.removeprefix("auto").strip())[1:]
    assert "--auto" not in command
    assert command[command.index("--eta") + 1] == "1/2"
    assert command[command.index("--class-weight") + 1] == "q=1/2"
    model = Path("m.nvk").read_bytes()
    assert novikoff(*command).out == told.out
    assert Path("m.nvk").read_bytes() == model


def test_standard_input_is_refused() -> None:
    with pytest.raises(nv.InputError, match="standard input"):
        contents_of("-", Reading(format="csv"))


# ---- hints name the columns that usually harm a linear model, and the option that helps

SCALES = "the columns have very different scales (deviation of c0 0.8, c1 11,000)"
NUMBERING = "column c0 numbers the rows: --drop c0"
DIFFERENT = "column c0 has a different value in every row: --drop c0, or --text c0"
HINTS: list[tuple[Callable[[int], tuple[object, object]], int, list[str], str | None]] = [
    (lambda k: (k + 7, k % 3), 20, [], NUMBERING),
    (lambda k: (2 * k, k % 3), 20, [], None),
    (lambda k: (f"id{k}", k % 3), 20, ["--one-hot"], DIFFERENT),
    (lambda k: (f"id{k // 2}", k % 3), 20, ["--one-hot"], None),
    (lambda k: (k % 3, k * k * 100), 20, [], SCALES),
    (lambda k: (k % 3, k * k * 100), 20, ["--scale"], None),
    (lambda k: (k % 3, k * k / 4), 20, [], None),
    (lambda k: (k % 3, 7 * 10**6), 20, [], None),  # a constant column has no scale
    (lambda k: (k, k * k * 1000), 9, [], None),  # few rows say little
    (lambda k: (k, k * k * 1000), 2, [], None),
]


@pytest.mark.parametrize(("row", "n", "options", "said"), HINTS)
def test_hints_name_columns_that_do_harm(
    row: Callable[[int], tuple[object, object]], n: int, options: list[str], said: str | None, tmp_path: Path
) -> None:
    cells = "".join(f"{a},{b},{k % 2}\n" for k, (a, b) in ((k, row(k)) for k in range(n)))
    (tmp_path / "t.csv").write_text(f"c0,c1,label\n{cells}")
    told = novikoff("fit", tmp_path / "t.csv", "--max-passes", 1, *options)
    assert told.code == 0
    found = [line for line in told.err.splitlines() if line.startswith("hint   ")]
    assert [line[7 : 7 + len(said or "")] for line in found] == ([said] if said else [])
    assert said != SCALES or found[0].endswith("--scale usually helps")
