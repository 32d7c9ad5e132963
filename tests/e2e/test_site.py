"""The site: `make docs` without the scripts of the gallery, which test_documentation.py runs."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.compiled
def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    for package in ("sphinx", "myst_parser", "numpydoc", "sphinx_gallery", "pydata_sphinx_theme"):
        pytest.importorskip(package, reason="the dependency group `docs` is not installed (`make docs` installs it)")
    source, site = tmp_path / "docs", tmp_path / "site"
    shutil.copytree(DOCS, source, ignore=shutil.ignore_patterns("_gallery", "generated"))
    words = ["-q", "-W", "--keep-going", "-b", "html", "-D", "plot_gallery=0", source, site]
    done = subprocess.run([sys.executable, "-m", "sphinx", *map(str, words)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    pages = {path.relative_to(site).as_posix() for path in site.rglob("*.html")}
    assert {"index.html", "tutorial.html", "cli.html", "reference/generated/novikoff.decide.html"} <= pages
    for estimator in ("Perceptron", "MaxMargin", "SoftMargin"):
        page = (site / f"reference/generated/novikoff.{estimator}.html").read_text(encoding="utf-8")
        for method in ("fit", "predict", "decision_function", "score"):
            assert f'id="novikoff.{estimator}.{method}"' in page
    loaded = re.compile(r'<(?:script|link|img)[^>]*(?:src|href)="https?://')
    assert not [page for page in pages if loaded.search((site / page).read_text(encoding="utf-8"))]
