"""The command that --auto prints can be typed again."""

from __future__ import annotations

from fractions import Fraction

import click
import pytest

from novikoff.cli.options.automatic_options import command_line, typed_option
from novikoff.cli.options.row_options import column_list


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("--scale", True, ["--scale"]),
        ("--scale", False, []),
        ("--bias/--no-bias", False, ["--no-bias"]),
        ("--drop", ("a", "b,c", 4), ["--drop", 'a,"b,c",5']),
        ("--text", 1, ["--text", "2"]),
        ("--category", "b,c", ["--category", "b,c"]),
        ("--label", 0, ["--label", "1"]),
        ("--label-as", ("spam*", "spam"), ["--label-as", "spam*:spam"]),
        ("--w0", (Fraction(1, 2), Fraction(3)), ["--w0", "1/2,3"]),
        ("--max-passes", 20, ["--max-passes", "20"]),
    ],
)
def test_an_option_as_it_is_typed(name: str, value: object, words: list[str]) -> None:
    assert typed_option(click.Option([name]), value) == words


def test_columns_are_read_as_they_are_typed() -> None:
    columns = ("a", "b,c", 4)
    (_, text) = typed_option(click.Option(["--drop"]), columns)
    assert column_list(text) == columns


def test_the_command_has_what_was_typed_and_no_defaults() -> None:
    said = []

    @click.command()
    @click.argument("data")
    @click.option("--text", multiple=True)
    @click.option("--keep", default="last")
    @click.option("--max-passes", type=int, default=5)
    @click.pass_context
    def fit(ctx: click.Context, **request: object) -> None:
        said.append(command_line(ctx))

    fit.main(
        ["my file.csv", "--text", "a b", "--text", "c", "--max-passes", "5"], "novikoff fit", standalone_mode=False
    )
    assert said == ["novikoff fit 'my file.csv' --text 'a b' --text c --max-passes 5"]
