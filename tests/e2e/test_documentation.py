"""The documentation: every page prints what it shows, and what it links to and names is there."""

from __future__ import annotations

import ast
import contextlib
import inspect
import io
import re
import runpy
import sys
import tomllib
import warnings
from collections.abc import Callable
from pathlib import Path

import click
import pandas
import pytest
from sklearn import linear_model, svm

import novikoff as nv
from commands import novikoff
from markdown_pages import BLOCK, run_in
from novikoff.cli.help_page import commands
from novikoff.kernels import compile
from novikoff.perceptron.stops import REASONS
from novikoff.softmargin import STOP_REASONS

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
GENERATED = ("_gallery/", "reference/generated/")
PAGES = sorted(
    path
    for path in [ROOT / "README.md", *DOCS.rglob("*.md")]
    if not str(path.relative_to(ROOT).as_posix()).removeprefix("docs/").startswith(GENERATED)
)
HANDWRITTEN = [path for path in PAGES if path.name not in ("cli.md", "README.md")]
READ = [path for path in HANDWRITTEN if path.name != "certificate.md"]  # a specification is looked up, not read
WORDS = 22_000
KINDS = {"python", "console", "text", "sh", "", "eval", "toctree", "json"}
OPTION = re.compile(r"(?<![\w-])--[a-z][\w-]*")
EVERYWHERE = {"--help", "--help-all", "--version"}


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def sections() -> dict[str, str]:
    """The help of each verb in docs/cli.md."""
    parts = re.split(r"^## (.+)$", (DOCS / "cli.md").read_text(encoding="utf-8"), flags=re.M)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@pytest.mark.compiled
@pytest.mark.parametrize("page", PAGES, ids=name)
def test_a_page_prints_what_it_shows(page: Path, tmp_path: Path, shared_data: Callable[[str], Path]) -> None:
    """Every Python block and every command is run again (`python tests/markdown_pages.py PAGE` writes the outputs)."""
    for one in run_in(tmp_path, page.read_text(encoding="utf-8"), shared_data):
        assert one.right, f"shown:\n{one.text}\nprinted:\n{one.printed[0]}"


@pytest.mark.parametrize("page", HANDWRITTEN, ids=name)
def test_blocks_are_of_the_known_kinds(page: Path) -> None:
    """A block of another kind would not be run."""
    text = page.read_text(encoding="utf-8")
    assert text.count("```") == 2 * len(re.findall(r"^```\{?[\w-]*\}?.*\n(?:.*\n)*?```$", text, flags=re.M))
    assert {match[1] for match in BLOCK.finditer(text)} <= KINDS


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_option_of_a_command_is_one_of_its_verb(page: Path) -> None:
    help_of = sections()
    for match in BLOCK.finditer(page.read_text(encoding="utf-8")):
        for line in match[2].splitlines() if match[1] in ("sh", "console") else []:
            for verb, rest in re.findall(r"novikoff ([a-z]+)([^|;#]*)", line.split("  #")[0]):
                said = " ".join(text for heading, text in help_of.items() if heading.split()[0] == verb)
                unknown = set(OPTION.findall(rest)) - set(OPTION.findall(said)) - EVERYWHERE
                assert not unknown, line


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_option_of_a_command_within_a_sentence_is_one_of_its_verb(page: Path) -> None:
    help_of = sections()
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.S | re.M)
    for verb, rest in re.findall(r"`novikoff ([a-z]+)([^`]*)`", text):
        said = " ".join(part for heading, part in help_of.items() if heading.split()[0] == verb)
        assert set(OPTION.findall(rest)) <= set(OPTION.findall(said)) | EVERYWHERE, rest


@pytest.mark.parametrize(
    ("heading", "classes"),
    [
        ("PassiveAggressiveClassifier", [linear_model.PassiveAggressiveClassifier]),
        ("Perceptron", [linear_model.Perceptron]),
        ("LinearSVC and LogisticRegression", [svm.LinearSVC, linear_model.LogisticRegression]),
    ],
)
def test_every_parameter_of_scikit_learn_has_a_row(heading: str, classes: list[type]) -> None:
    page = (DOCS / "coming-from" / "scikit-learn.md").read_text(encoding="utf-8")
    rows = [
        line.split("|")[1] for line in page.split(f"\n## {heading}\n")[1].split("\n## ")[0].splitlines() if "|" in line
    ]
    named = set(re.findall(r"`(\w+)\b[^`(]*`", "".join(rows)))
    assert {name for one in classes for name in inspect.signature(one).parameters} <= named


def test_every_stop_reason_is_explained() -> None:
    part = (DOCS / "concepts.md").read_text(encoding="utf-8").split("\n## Why a run stopped\n")[1].split("\n## ")[0]
    assert set(re.findall(r"`(\w+)`", part)) >= {*REASONS, *STOP_REASONS}


def test_every_option_that_a_page_names_exists() -> None:
    known = set(OPTION.findall((DOCS / "cli.md").read_text(encoding="utf-8"))) | EVERYWHERE
    other = {"--group", "--no-index", "--no-deps", "--find-links"}  # of pip
    for page in HANDWRITTEN:
        if page.parent.name == "coming-from":  # names options of other programs
            continue
        text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.S | re.M)
        assert set(OPTION.findall(text)) <= known | other, page


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_and_pictures_are_there(page: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.S | re.M)
    for target, _, anchor in (link.partition("#") for link in re.findall(r"\]\(([^)\s]+)\)", text)):
        if target.startswith("http"):
            continue
        path = page.parent / target if target else page
        assert path.exists(), target
        if anchor:
            headings = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), flags=re.M)
            slugs = {re.sub(r"[^\w\- ]", "", one.lower()).strip().replace(" ", "-") for one in headings}
            assert anchor in slugs, f"{target}#{anchor}"


@pytest.mark.parametrize("page", HANDWRITTEN, ids=name)
def test_files_of_the_repository_that_a_page_names_exist(page: Path) -> None:
    for path in re.findall(r"`((?:docs|tests|benchmarks)/[\w./-]+)`", page.read_text(encoding="utf-8")):
        assert (ROOT / path).exists(), path


def test_figures_of_accuracy_are_those_of_the_benchmark() -> None:
    results = (ROOT / "benchmarks" / "results.md").read_text(encoding="utf-8")
    sentence = (
        (DOCS / "concepts.md").read_text(encoding="utf-8").split("`python -m benchmarks defaults`")[1].split("\n\n")[0]
    )
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


@pytest.mark.parametrize(
    ("package", "call"),
    [
        ("formulaic", lambda: nv.separation("y ~ x", pandas.DataFrame({"x": [1, 2], "y": [0, 1]}))),
        ("matplotlib", lambda: nv.CoverDisplay([5]).plot()),
        ("distributed", lambda: nv.engine("dask", "tcp://127.0.0.1:1")),
    ],
)
def test_the_message_about_a_missing_package_is_the_one_shown(
    package: str, call: Callable[[], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(nv.InputError) as error:
        call()
    assert f"\n{error.value}\n" in (DOCS / "how-to" / "troubleshooting.md").read_text(encoding="utf-8")


def test_the_message_about_a_scheduler_that_does_not_answer_is_the_one_shown() -> None:
    pytest.importorskip("distributed", reason="the extra dask is not installed")
    with pytest.raises(nv.InputError) as error:
        nv.engine("dask", "tcp://127.0.0.1:1")
    text = (DOCS / "how-to" / "troubleshooting.md").read_text(encoding="utf-8")
    shown = next(line for line in text.splitlines() if line.startswith("scheduler:"))
    before, after = re.split(r" \(.* 5 s\)", shown)  # dask words the reason, one way or another
    assert re.fullmatch(rf"{re.escape(before)} \(.* 5 s\){re.escape(after)}", str(error.value))


def test_the_extras_are_those_of_the_package() -> None:
    text = (DOCS / "how-to" / "troubleshooting.md").read_text(encoding="utf-8")
    (line,) = (line for line in text.splitlines() if line.startswith("Extras:"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert set(re.findall(r"`(\w+)`", line)) == set(project["optional-dependencies"])


def test_the_lines_about_compiling_are_those_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    text = (DOCS / "how-to" / "troubleshooting.md").read_text(encoding="utf-8")
    shown = [line for line in text.splitlines() if line.startswith("novikoff: compiling")]
    assert len(shown) == 2
    for line, folders in zip(shown, ([str(ROOT)], []), strict=True):
        monkeypatch.setattr(compile, "usable_folders", lambda folders=folders: folders)
        assert compile.compile_notice() == line


def by_hand(text: str) -> str:
    """A page without what its commands print."""

    def kept(match: re.Match[str]) -> str:
        if match[1] == "console":
            return "\n".join(line for line in match[2].splitlines() if line.startswith("$ "))
        return "" if match[1] == "text" else match[0]

    return BLOCK.sub(kept, text)


def test_the_pages_have_at_most_as_many_words_as_a_person_reads() -> None:
    assert sum(len(by_hand(page.read_text(encoding="utf-8")).split()) for page in READ) <= WORDS


def prose(path: Path) -> str:
    """What a page says outside its blocks, or a script of the gallery outside its code."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        return "\n".join([ast.get_docstring(ast.parse(text)) or "", *re.findall(r"^# (.+)$", text, flags=re.M)])
    return re.sub(r"^```.*?^```$", "", text, flags=re.S | re.M)


def test_the_prose_of_all_pages_with_the_readme_and_the_gallery_is_as_short() -> None:
    paths = [*READ, ROOT / "README.md", *(DOCS / "gallery").glob("*.py")]
    assert sum(len(prose(path).split()) for path in paths) <= WORDS


def test_no_page_repeats_twelve_words_of_another() -> None:
    seen: dict[tuple[str, ...], Path] = {}
    for page in HANDWRITTEN:
        words = re.findall(r"[\w']+", prose(page).lower())
        for k in range(len(words) - 11):
            assert seen.setdefault(tuple(words[k : k + 12]), page) == page, words[k : k + 12]


def test_no_page_repeats_a_sentence_of_another() -> None:
    seen: dict[str, Path] = {}
    for page in HANDWRITTEN:
        said = " ".join(line for line in prose(page).splitlines() if not line.startswith(("|", "    ")))
        for sentence in re.split(r"(?<=[.:?!])\s+", said):
            if len(sentence.split()) >= 10:
                assert seen.setdefault(sentence, page) == page, sentence


def test_every_field_of_a_certificate_is_explained() -> None:
    record = nv.decide([[0.1], [2]], [0, 1]).certificate().record()
    text = (DOCS / "certificate.md").read_text(encoding="utf-8")
    table = text.split("## Fields")[1].split("\n## ")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    named = {one for row in rows for one in re.findall(r"`([\w.]+)`", row)}
    for one in ("digest", "rows", "columns", "made_by"):
        assert f"data.{one}" in named
    assert {f"data.file.{one}" for one in record["data"]["file"]} | {f"model.{one}" for one in record["model"]} <= named
    assert {*record} - {"data", "model"} <= named


def test_the_parts_of_the_checker_have_the_names_on_the_page(tmp_path: Path) -> None:
    text = (DOCS / "certificate.md").read_text(encoding="utf-8").split("## Reading the checker")[1]
    parts = re.findall(r"^\| ([\w ]+) \|", text, flags=re.M)[2:]  # after the heading and the head of the file
    assert novikoff("verify", "--checker", tmp_path / "checker.py").code == 0
    written = (tmp_path / "checker.py").read_text(encoding="utf-8")
    assert len(parts) == 5
    assert all(f"# ---- {part}" in written for part in parts)
    names = re.findall(r"`(\w+)`", text)
    assert names
    assert all(re.search(rf"^(def |class )?{name}\b", written, re.M) for name in names)


def test_every_public_name_is_in_the_reference() -> None:
    listed = set(re.findall(r"^   (\w+)$", (DOCS / "reference" / "index.md").read_text(encoding="utf-8"), flags=re.M))
    assert listed == set(nv.__all__) - {"__version__"}


@pytest.mark.parametrize("public", sorted(set(nv.__all__) - {"__version__"}))
def test_every_public_name_has_an_example_that_imports_what_it_uses(public: str) -> None:
    """tests/unit/test_public_names.py runs it."""
    text = getattr(nv, public).__doc__
    assert ">>> " in text, public
    assert re.search(r"import novikoff|from novikoff", text), public


def test_every_option_of_every_verb_is_explained() -> None:
    """docs/cli.md is generated of these; test_verbs.py compares them."""
    options = [one for _, verb in commands() for one in verb.params if isinstance(one, click.Option)]
    assert len(options) > 100
    assert [one.opts for one in options if not (one.help or "").strip()] == []


OBVIOUS = {"self", "X", "y", "path", "params"}  # points, labels, a file, parameters by their names


@pytest.mark.parametrize("public", sorted(set(nv.__all__) - {"__version__"}))
def test_every_parameter_of_a_public_name_is_explained(public: str) -> None:
    thing = getattr(nv, public)
    ours = [base for base in getattr(thing, "__mro__", ()) if base.__module__.startswith("novikoff")]
    parts = [part for base in ours for part in vars(base).values() if inspect.isfunction(part)]
    methods = [part for part in parts if not part.__name__.startswith("_")]
    for one in methods if ours and issubclass(thing, Exception) else [thing, *methods]:
        named = set(inspect.signature(one).parameters) - OBVIOUS
        assert named <= set(re.findall(r"\w+", inspect.getdoc(one) or "")), one
