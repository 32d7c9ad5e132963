"""Tests use what users use: `import novikoff`, its errors, the command line; a few files are about one module."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
PUBLIC = {"novikoff", "novikoff.errors", "novikoff.cli"}
INSIDE = {  # files whose subject is a module of its own, or that say where tuning constants are: numbers only fall
    "conformance/test_outward_rounding.py",
    "data/forgeries.py", "data/kernel_mode.py",
    "conformance/test_documentation.py", "oracles/plain_points.py",
    "property/test_certificates.py",
    "unit/test_automatic_columns.py", "unit/test_checker.py",
    "unit/test_compile.py",
    "unit/test_dask_engine.py", "unit/test_exact_sign.py", "unit/test_integer_rows.py",
    "unit/test_kernel_cache.py", "unit/test_learner.py", "unit/test_metrics.py",
    "unit/test_arguments.py", "unit/test_progress.py",
}  # fmt: skip


def internals(path: Path) -> Iterator[str]:
    """The modules below the public ones that a file imports."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (a.name for a in node.names if a.name.startswith("novikoff.") and a.name not in PUBLIC)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "novikoff":
            if node.module not in PUBLIC:
                yield str(node.module)
            elif node.module == "novikoff":  # a folder of the package is no public name
                source = TESTS.parent / "src" / "novikoff"
                yield from (a.name for a in node.names if (source / a.name).is_dir() and a.name != "cli")


def test_tests_import_public_names() -> None:
    found = {str(path.relative_to(TESTS)) for path in TESTS.rglob("*.py") if list(internals(path))}
    assert found - INSIDE == set(), "say it through novikoff, novikoff.errors or novikoff.cli"
    assert INSIDE - found == set(), "these need no exception any more: take them off the list"


def test_an_internal_import_is_found(tmp_path: Path) -> None:
    file = tmp_path / "t.py"
    file.write_text("import novikoff as nv\nfrom novikoff.perceptron.run import Run\nimport novikoff.io.reader\n")
    assert list(internals(file)) == ["novikoff.perceptron.run", "novikoff.io.reader"]
