"""`print` of a result says what its command prints."""

from __future__ import annotations

from typing import Any

import pytest

import novikoff as nv
from commands import novikoff


@pytest.mark.parametrize(
    ("verb", "result"),
    [
        (("trace",), lambda X, y: nv.trace(X, y)),
        (("margin",), lambda X, y: nv.margin(X, y)),
        (("separation",), lambda X, y: nv.separation(X, y)),
        (("report", "-o", "page.html"), lambda X, y: nv.report(X, y, title="cornwell")),
    ],
)
def test_a_result_prints_as_its_command(verb: tuple[str, ...], result: Any, tmp_path: Any, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    told = novikoff(*verb, "--example", "cornwell")
    said = str(result(*nv.example("cornwell")))
    assert said.count("\n") >= 4
    assert told.out.removesuffix("\n").removesuffix("\npage   page.html") == said


def test_a_margin_says_its_columns_one_class_and_what_is_known_without_time() -> None:
    pandas = pytest.importorskip("pandas")
    X, y = nv.example("or")
    assert "tall" in str(nv.margin(pandas.DataFrame(X, columns=["tall", "wide"]), y))
    assert "only one class" in str(nv.margin(X[:2] + 1, [1, 1]))
    m = nv.margin(X, y)
    m.max_time = 1e-9
    assert "geometric margin" in str(m)
    assert "mistakes" not in str(m)
