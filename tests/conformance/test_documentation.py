"""The documentation: every page prints what it shows, and what it links to, names and promises is there."""

from __future__ import annotations

import ast
import contextlib
import importlib
import inspect
import io
import re
import runpy
import shutil
import subprocess
import sys
import tomllib
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import numpy as np
import pandas
import pytest
from sklearn import linear_model, svm

import novikoff as nv
from commands import novikoff
from markdown_pages import BLOCK, run_in
from novikoff.cli import commands
from novikoff.kernels import compile
from novikoff.perceptron.stops import REASONS
from novikoff.softmargin import STOP_REASONS

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(
    path
    for path in [ROOT / "README.md", *DOCS.rglob("*.md")]
    if not path.relative_to(ROOT).as_posix().startswith(("docs/_gallery/", "docs/reference/generated/"))
)
HANDWRITTEN = [path for path in PAGES if path.name not in ("cli.md", "README.md")]
READ = [path for path in HANDWRITTEN if path.name != "certificate.md"]  # a specification is looked up, not read
WORDS = 22_000
KINDS = {"python", "console", "text", "sh", "", "eval", "toctree", "json"}
OPTION = re.compile(r"(?<![\w-])--[a-z][\w-]*")
ELSEWHERE = {"--help", "--help-all", "--version", "--group", "--no-index", "--no-deps", "--find-links"}  # and of pip
PUBLIC = sorted(set(nv.__all__) - {"__version__"})
each_page = pytest.mark.parametrize("page", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())


def text(*names: str) -> str:
    return ROOT.joinpath(*names).read_text(encoding="utf-8")


def part(page: str, title: str) -> str:
    """What stands under a heading of a page in docs."""
    return text("docs", page).split(f"\n## {title}\n", 1)[1].split("\n## ", 1)[0]


def prose(path: Path) -> str:
    """What a page says outside its blocks, or a script of the gallery outside its code."""
    page = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        return "\n".join([ast.get_docstring(ast.parse(page)) or "", *re.findall(r"^# (.+)$", page, flags=re.M)])
    return re.sub(r"^```.*?^```$", "", page, flags=re.S | re.M)


# ---- each page


@pytest.mark.compiled
@each_page
def test_a_page_prints_what_it_shows(page: Path, tmp_path: Path, shared_data: Callable[[str], Path]) -> None:
    """Every Python block and every command is run again (`python tests/markdown_pages.py PAGE` writes the outputs)."""
    for one in run_in(tmp_path, page.read_text(encoding="utf-8"), shared_data):
        assert one.right, f"shown:\n{one.text}\nprinted:\n{one.printed[0]}"


@each_page
def test_blocks_are_of_the_kinds_that_are_run_and_every_option_is_one_of_its_verb(page: Path) -> None:
    whole, help_of = page.read_text(encoding="utf-8"), dict[str, str]()
    for section in re.split(r"^## ", text("docs", "cli.md"), flags=re.M)[1:]:
        verb = section.split()[0]
        help_of[verb] = help_of.get(verb, "") + section
    if page in HANDWRITTEN:
        assert whole.count("```") == 2 * len(re.findall(r"^```\{?[\w-]*\}?.*\n(?:.*\n)*?```$", whole, flags=re.M))
        assert {match[1] for match in BLOCK.finditer(whole)} <= KINDS
    blocks = [match[2] for match in BLOCK.finditer(whole) if match[1] in ("sh", "console")]
    lines = [line.split("  #")[0] for block in blocks for line in block.splitlines()]
    shown = [command for line in lines for command in re.findall(r"novikoff ([a-z]+)([^|;#]*)", line)]
    for verb, rest in shown + re.findall(r"`novikoff ([a-z]+)([^`]*)`", prose(page)):
        assert set(OPTION.findall(rest)) <= set(OPTION.findall(help_of.get(verb, ""))) | ELSEWHERE, (verb, rest)
    if page in HANDWRITTEN and page.parent.name != "coming-from":  # which names options of other programs
        assert set(OPTION.findall(prose(page))) <= set(OPTION.findall(text("docs", "cli.md"))) | ELSEWHERE


@each_page
def test_links_pictures_and_files_of_the_repository_are_there(page: Path) -> None:
    for target, _, anchor in (link.partition("#") for link in re.findall(r"\]\(([^)\s]+)\)", prose(page))):
        if target.startswith("http"):
            continue
        path = page.parent / target if target else page
        assert path.exists(), target
        if anchor:
            headings = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), flags=re.M)
            slugs = {re.sub(r"[^\w\- ]", "", one.lower()).strip().replace(" ", "-") for one in headings}
            assert anchor in slugs, f"{target}#{anchor}"
    if page in HANDWRITTEN:
        for named in re.findall(r"`((?:docs|tests|benchmarks)/[\w./-]+)`", page.read_text(encoding="utf-8")):
            assert (ROOT / named).exists(), named


def test_the_pages_are_short_and_do_not_repeat_one_another() -> None:
    def by_hand(match: re.Match[str]) -> str:
        """A block without what its commands print."""
        if match[1] == "console":
            return "\n".join(line for line in match[2].splitlines() if line.startswith("$ "))
        return "" if match[1] == "text" else match[0]

    assert sum(len(BLOCK.sub(by_hand, page.read_text(encoding="utf-8")).split()) for page in READ) <= WORDS
    told = [*READ, ROOT / "README.md", *(DOCS / "gallery").glob("*.py")]
    assert sum(len(prose(path).split()) for path in told) <= WORDS
    seen: dict[Any, Path] = {}
    for page in HANDWRITTEN:
        words = re.findall(r"[\w']+", prose(page).lower())
        for twelve in zip(*(words[k:] for k in range(12)), strict=False):
            assert seen.setdefault(twelve, page) == page, twelve
        said = " ".join(line for line in prose(page).splitlines() if not line.startswith(("|", "    ")))
        for sentence in re.split(r"(?<=[.:?!])\s+", said):
            assert len(sentence.split()) < 10 or seen.setdefault(sentence, page) == page, sentence


# ---- README, gallery, site


def test_the_commands_of_the_readme_from_a_table_to_a_prediction_run_as_they_stand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = [f"{x[0]},{'' if k % 9 == 0 else x[2]},{'big' if x[3] > 1 else 'small'},{int(label != 'setosa')}"
            for k, (x, label) in enumerate(zip(*(v.tolist() for v in nv.example("iris")), strict=True))]  # fmt: skip
    Path("titanic.csv").write_text("\n".join(["Age,Fare,Sex,Survived", *rows]) + "\n")
    Path("new.csv").write_text("\n".join(["Age,Fare,Sex", *(row[:-2] for row in rows[:40])]) + "\n")
    block = next(match[2] for match in BLOCK.finditer(text("README.md")) if match[1] == "sh")
    for command in block.splitlines():
        done = novikoff(*command.split()[1:])
        assert (done.code, done.out != "") == (0, True), done.err


def test_the_figures_and_targets_of_the_readme_are_those_of_the_benchmarks_and_of_the_makefile() -> None:
    readme, results = text("README.md"), text("benchmarks", "results.md")
    for questions in re.findall(r"`python -m benchmarks ([\w -]+)`", readme):
        assert all(f"\n## {one}\n" in results for one in questions.split())
    tables = re.findall(r"(?:^\|.*\n)+", readme, flags=re.M)
    assert len(tables) == 2
    assert [figure for figure in re.findall(r"\d+\.\d+", "".join(tables)) if figure not in results] == []
    for verb in re.findall(r"^make (\w+)", readme, flags=re.M):
        assert re.search(rf"^{verb}:", text("Makefile"), flags=re.M)
    sentence = text("docs", "concepts.md").split("`python -m benchmarks defaults`")[1].split("\n\n")[0]
    figures = re.findall(r"\d\.\d{4}", sentence)
    assert len(figures) == 5
    assert all(figure in results.split("\n## defaults\n")[1].split("\n## ")[0] for figure in figures)


@pytest.mark.compiled
@pytest.mark.parametrize("script", sorted((DOCS / "gallery").glob("plot_*.py")), ids=lambda path: path.stem)
def test_a_script_of_the_gallery_runs(script: Path) -> None:
    """`make docs` runs them too, and keeps what they draw and print."""
    matplotlib = pytest.importorskip("matplotlib", reason="matplotlib draws the gallery")
    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()) as said:
        warnings.simplefilter("ignore", nv.NotSeparatedWarning)
        runpy.run_path(str(script))
    assert plt.get_fignums()
    assert said.getvalue()
    plt.close("all")


@pytest.mark.compiled
def test_the_site_builds_without_a_warning_and_loads_nothing_from_elsewhere(tmp_path: Path) -> None:
    """`make docs` without the scripts of the gallery."""
    for package in ("sphinx", "myst_parser", "numpydoc", "sphinx_gallery", "pydata_sphinx_theme"):
        pytest.importorskip(package, reason="the dependency group `docs` is not installed (`make docs` installs it)")
    source, site = tmp_path / "docs", tmp_path / "site"
    shutil.copytree(DOCS, source, ignore=shutil.ignore_patterns("_gallery", "generated"))
    words = ["-q", "-W", "--keep-going", "-b", "html", "-D", "plot_gallery=0", source, site]
    done = subprocess.run([sys.executable, "-m", "sphinx", *map(str, words)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    pages = {path.relative_to(site).as_posix(): path.read_text(encoding="utf-8") for path in site.rglob("*.html")}
    assert {"index.html", "tutorial.html", "cli.html", "reference/generated/novikoff.decide.html"} <= pages.keys()
    for estimator in ("Perceptron", "MaxMargin", "SoftMargin"):
        for method in ("fit", "predict", "decision_function", "score"):
            named = f'id="novikoff.{estimator}.{method}"'
            assert named in pages[f"reference/generated/novikoff.{estimator}.html"]
    loaded = re.compile(r'<(?:script|link|img)[^>]*(?:src|href)="https?://')
    assert [name for name, page in pages.items() if loaded.search(page)] == []


# ---- names, parameters, options, messages


@pytest.mark.parametrize("public", PUBLIC)
def test_a_public_name_has_an_example_and_every_parameter_is_explained(public: str) -> None:
    """tests/unit/test_public_names.py runs the example."""
    thing, obvious = getattr(nv, public), {"self", "X", "y", "path", "params"}
    assert ">>> " in thing.__doc__
    assert re.search(r"import novikoff|from novikoff", thing.__doc__)
    ours = [base for base in getattr(thing, "__mro__", ()) if base.__module__.startswith("novikoff")]
    inside = [one for base in ours for one in vars(base).values() if inspect.isfunction(one)]
    methods = [one for one in inside if not one.__name__.startswith("_")]
    for one in methods if ours and issubclass(thing, Exception) else [thing, *methods]:
        named = set(inspect.signature(one).parameters) - obvious
        assert named <= set(re.findall(r"\w+", inspect.getdoc(one) or "")), one


def test_the_reference_lists_every_public_name_and_help_every_option() -> None:
    assert set(re.findall(r"^   (\w+)$", text("docs", "reference", "index.md"), flags=re.M)) == set(PUBLIC)
    options = [one for _, verb in commands() for one in verb.params if isinstance(one, click.Option)]
    assert len(options) > 100
    assert [one.opts for one in options if not (one.help or "").strip()] == []
    program = [sys.executable, "-m", "novikoff.cli.help_page"]
    page = subprocess.run(program, capture_output=True, text=True, encoding="utf-8", check=True).stdout
    assert text("docs", "cli.md") == page, "python -m novikoff.cli.help_page > docs/cli.md"
    assert all(f"## {verb}\n" in page for verb, _ in commands())


@pytest.mark.parametrize(
    ("heading", "classes"),
    [
        ("PassiveAggressiveClassifier", [linear_model.PassiveAggressiveClassifier]),
        ("Perceptron", [linear_model.Perceptron]),
        ("LinearSVC and LogisticRegression", [svm.LinearSVC, linear_model.LogisticRegression]),
    ],
)
def test_every_parameter_of_scikit_learn_has_a_row(heading: str, classes: list[type]) -> None:
    lines = part("coming-from/scikit-learn.md", heading).splitlines()
    named = set(re.findall(r"`(\w+)\b[^`(]*`", "".join(line.split("|")[1] for line in lines if "|" in line)))
    assert {name for one in classes for name in inspect.signature(one).parameters} <= named


def test_every_stop_reason_every_extra_and_every_field_of_a_certificate_is_explained() -> None:
    assert set(re.findall(r"`(\w+)`", part("concepts.md", "Why a run stopped"))) >= {*REASONS, *STOP_REASONS}
    (line,) = (one for one in text("docs", "how-to", "troubleshooting.md").splitlines() if one.startswith("Extras:"))
    assert set(re.findall(r"`(\w+)`", line)) == set(
        tomllib.loads(text("pyproject.toml"))["project"]["optional-dependencies"]
    )
    record = nv.decide([[0.1], [2]], [0, 1]).certificate().record()
    rows = [one.split("|")[1] for one in part("certificate.md", "Fields").splitlines() if one.startswith("| `")]
    named = {name for row in rows for name in re.findall(r"`([\w.]+)`", row)}
    assert {f"data.{one}" for one in ("digest", "rows", "columns", "made_by")} <= named
    assert {f"data.file.{one}" for one in record["data"]["file"]} | {f"model.{one}" for one in record["model"]} <= named
    assert {*record} - {"data", "model"} <= named


def test_the_parts_of_the_checker_have_the_names_on_the_page(tmp_path: Path) -> None:
    page = part("certificate.md", "Reading the checker")
    parts = re.findall(r"^\| ([\w ]+) \|", page, flags=re.M)[2:]  # after the heading and the head of the file
    assert novikoff("verify", "--checker", tmp_path / "checker.py").code == 0
    written = (tmp_path / "checker.py").read_text(encoding="utf-8")
    assert len(parts) == 5
    assert all(f"# ---- {one}" in written for one in parts)
    names = re.findall(r"`(\w+)`", page)
    assert names
    assert all(re.search(rf"^(def |class )?{one}\b", written, re.M) for one in names)


@pytest.mark.parametrize(
    ("package", "call"),
    [
        ("formulaic", lambda: nv.separation("y ~ x", pandas.DataFrame({"x": [1, 2], "y": [0, 1]}))),
        ("matplotlib", lambda: nv.CoverDisplay([5]).plot()),
        ("distributed", lambda: nv.engine("dask", "tcp://127.0.0.1:1")),
        (None, lambda: nv.engine("dask", "tcp://127.0.0.1:1")),
    ],
)
def test_the_messages_about_missing_packages_and_schedulers_are_those_shown(
    package: str | None, call: Callable[[], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    if package is None:
        pytest.importorskip("distributed", reason="the extra dask is not installed")
    else:
        monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(nv.InputError) as error:
        call()
    reason = r"\(.* 5 s\)"  # dask words it one way or another
    shown = [re.sub(reason, "", line) for line in text("docs", "how-to", "troubleshooting.md").splitlines()]
    assert re.sub(reason, "", str(error.value)) in shown


def test_the_lines_about_compiling_are_those_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = text("docs", "how-to", "troubleshooting.md").splitlines()
    shown = [line for line in lines if line.startswith("novikoff: compiling")]
    for line, folders in zip(shown, ([str(ROOT)], []), strict=True):
        monkeypatch.setattr(compile, "usable_folders", lambda folders=folders: folders)
        assert compile.compile_notice() == line


# ---- docs/notes.md: statement → function → test, and back; the notes' own questions


def rows(title: str) -> list[list[str]]:
    """The rows of the table under a heading of the notes, cell by cell."""
    lines = [re.split(r"(?<!\\)\|", line)[1:-1] for line in part("notes.md", title).splitlines() if line[:1] == "|"]
    return [[cell.strip() for cell in line] for line in lines[2:]]


ID = re.compile(r"\b[TRSCZ]\d+[a-z]?\b")
BUILT = rows("What is built")
IDS = {i for row in BUILT for i in ID.findall(row[0])}
DEMANDED = (
    "T1 Z7 T2 T3a T5 Z8 S1 R3 C2 C3 C2a Z5a T7 T7a R1 Z5 Z2 Z2a T3 C5 C6 Z3 Z6 Z4 Z12 S3 R2 S7 R6 Z10 R4 R3a Z9a T6a "
    "R7 Z14 Z11 Z13 Z15 Z1 R1a C1 T4 R5 S10 C7 Z9 S10a S8 C4 S4 S5 S6 S5a S5b S9 S9a S11 S12 T6 T8 T9 Z10a S2 T4a Z15a"
)


@pytest.mark.parametrize("row", BUILT, ids=lambda row: row[0].replace(" ", "-"))
def test_every_statement_of_the_notes_names_code_that_exists(row: list[str]) -> None:
    names = re.findall(r"`(novikoff[\w.]*)`", row[2])
    assert ID.findall(row[0])
    assert names
    for name in names:
        thing: Any = importlib.import_module("novikoff")
        for attribute in name.split(".")[1:]:
            thing = getattr(thing, attribute)


def test_every_demand_of_the_notes_has_a_test_of_its_name_and_no_other_id_is_used() -> None:
    assert set(DEMANDED.split()) <= IDS
    tested = set()
    for path in Path(__file__).parent.glob("test_*.py"):
        for name in re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), flags=re.M):
            tested |= set(re.findall(r"(?<=_)[TRSCZ]\d+[a-z]?(?=_|$)", name))
    assert tested == IDS
    for path in (ROOT / "src").rglob("*.py"):
        for lines in re.findall(r"From the notes:[^\n]*(?:\n *[^\s\"][^\n]*)*", path.read_text(encoding="utf-8")):
            assert set(ID.findall(lines)) <= IDS, path
    gallery = {row[0].strip("`"): set(ID.findall(row[1])) for row in rows("In the gallery")}
    assert sorted(gallery) == sorted(path.name for path in (DOCS / "gallery").glob("*.py"))
    assert all(ids and ids <= IDS for ids in gallery.values())


QUESTIONS = re.split(r"(?=^\*\*\d+\.)", part("how-to/teaching.md", "The notes' own questions"), flags=re.M)[1:]
PLANS = part("how-to/teaching.md", "Lesson plans")
LESSONS = sorted({one for one in re.findall(r"`novikoff ([^`]+)` \|$", PLANS, flags=re.M) if "play" not in one})


@pytest.mark.compiled
@pytest.mark.parametrize("words", LESSONS)
def test_every_command_of_a_lesson_plan_runs(words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert novikoff(*words.split()).code in (0, 1)  # 1: the points are not separable


def test_T9_every_note_has_a_lesson_plan_and_its_questions_are_answered_by_a_command_or_a_program() -> None:
    assert re.findall(r"^### (\w+):", PLANS, flags=re.M) == ["Tao", "Radivojac", "Sompolinsky", "Cornwell", "Zhang"]
    assert len(LESSONS) > 15
    assert len(QUESTIONS) >= 14
    for question in QUESTIONS:
        assert re.match(r"\*\*\d+\. \".+?\" \([TRSCZ]\)\*\* \S", question, flags=re.S)
        assert re.search(r"^>>> |`novikoff \w+|`stop_reason_`", question, flags=re.M)
    assert {letter for one in QUESTIONS for letter in re.findall(r"\" \(([TRSCZ])\)\*\*", one)} == set("TRSCZ")


def test_T9_neither_the_color_of_the_positive_side_nor_a_common_power_of_two_matters() -> None:
    for name in ("cornwell", "or", "and", "spam"):
        X, y = nv.example(name)
        one, other = sorted(set(y.tolist()))
        assert nv.trace(X, y, positive=one).w == tuple(-v for v in nv.trace(X, y, positive=other).w)
        padded = np.column_stack([X, np.ones(len(X))])
        runs = [[s.row for s in nv.trace(c * padded, y, fit_intercept=False).steps] for c in (1, 0.5, 2, 1024)]
        assert all(run == runs[0] for run in runs)
