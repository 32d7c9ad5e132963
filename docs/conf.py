"""Sphinx configuration: `make docs` builds the site into build/docs, and every warning is an error."""

from __future__ import annotations

import pathlib
import re
import warnings

import novikoff

project = "novikoff"
author = "The novikoff developers"
copyright = author
version = release = novikoff.__version__

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["images/*.py", "gallery/*.py", "gallery/README.rst"]
templates_path = ["_templates"]
root_doc = "index"
source_suffix = {".rst": "restructuredtext", ".md": "markdown"}

smartquotes = False  # "hinge" is typed with the quotes that are shown
toc_object_entries_show_parents = "hide"

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

autosummary_generate = True
autodoc_typehints = "none"  # the docstrings give the types
numpydoc_show_class_members = False
numpydoc_xref_param_type = False

html_theme = "pydata_sphinx_theme"
html_title = "novikoff"
html_theme_options = {"show_prev_next": True, "navigation_with_keys": False, "header_links_before_dropdown": 8}
html_static_path = ["_static"]
html_css_files = ["wide.css"]
html_sidebars = {"tutorial": [], "concepts": [], "cli": []}  # no section of their own, or 110 columns of help
html_show_sourcelink = False
html_copy_source = False

sphinx_gallery_conf = {
    "examples_dirs": "gallery",
    "gallery_dirs": "_gallery",
    "filename_pattern": r"/plot_",
    "only_warn_on_example_error": False,
    "abort_on_example_error": True,
    "min_reported_time": 1e6,
    "show_memory": False,
    "write_computation_times": False,
    "download_all_examples": False,
    "remove_config_comments": True,
    "within_subsection_order": "FileNameSortKey",
    "plot_gallery": "True",
    "capture_repr": ("_repr_html_",),
    "reset_modules": ("matplotlib",),
}

warnings.filterwarnings("ignore", category=novikoff.NotSeparatedWarning)


def _escaped(line):
    """A line of prose with |w|, w* and gap_ as they are written; reStructuredText has other uses for these signs."""
    first, colon, rest = line.partition(" : ") if not line.startswith(" ") else ("", "", line)
    plain = re.sub(r"(?<!`)\b([A-Za-z]\w*)_(?![\w`])", r"\1\\_", rest if colon or not first else line)
    return ((first + colon if colon else "") + plain).replace("|", r"\|").replace("*", r"\*")


def _formulas(app, what, name, obj, options, lines):
    """Write a docstring as numpydoc reads it.

    Formulas, before the first section, are shown as they stand: what is indented or aligned by spaces. `name : text`
    is a name and what it means; with a default it is a name and its type.
    """
    heading = next(
        (k for k, line in enumerate(lines) if line and lines[k + 1 : k + 2] == ["-" * len(line)]), len(lines)
    )
    found, code, literal, defined = [], False, False, False
    for number, line in enumerate(lines):
        starts = number > 0 and not lines[number - 1].strip()
        code = line.lstrip().startswith(">>> ") or (code and bool(line.strip()))
        term = not code and "default=" not in line and re.match(r"([\w, ]+(?: \([^)]*\))?) : (.*)", line)
        aligned = number < heading and not code and not term and not defined and bool(line.strip())
        literal = aligned and (literal or (starts and "   " in line.rstrip()))
        if literal and starts:
            found += ["::", ""]
        ends = defined and not term and bool(line[:1].strip())
        if number < heading and found and found[-1].strip() and (ends or (term and not defined)):
            found.append("")
        defined = bool(term) or (defined and not line[:1].strip())
        if literal:
            found.append("    " + line)
        elif code:
            found.append(line)
        elif term:
            found += [term[1] if number > heading else _escaped(term[1]), "    " + _escaped(term[2])]
        else:
            found.append(_escaped(line))
    lines[:] = found


def _results(app):
    """Write a page of the classes that functions return, wherever these are defined."""
    X, y = novikoff.example("cornwell")
    run, margin = novikoff.trace(X, y), novikoff.margin(X, y)
    found = [
        ("decide", novikoff.decide(X, y)),
        ("decide", novikoff.decide(*novikoff.example("iris"))),
        ("removal", novikoff.removal(*novikoff.example("xor"))),
        ("margin", margin),
        ("margin", margin.padded),
        ("margins", novikoff.margins(X, y, [1, 0], 0)),
        ("separation", novikoff.separation(X, y)),
        ("trace", run),
        ("trace", run.steps[0]),
        ("worst_case and other experiments", novikoff.worst_case(["1/2"])),
    ]
    text = [
        "Results",
        "=======",
        "",
        "What functions return. Text output counts rows from 1, these objects from 0.",
        "",
    ]
    for function, result in found:
        kind = type(result)
        title = f"{kind.__name__} of {function}"
        text += [title, "-" * len(title), "", f".. autoclass:: {kind.__module__}.{kind.__name__}()", "   :members:", ""]
    folder = pathlib.Path(app.srcdir) / "reference" / "generated"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "results.rst").write_text("\n".join(text), encoding="utf-8")


def _pages(app, docname, source):
    """Lead links to the folder of the gallery's scripts to the gallery, and show no empty line that ends an example."""
    text = source[0].replace("gallery/README.rst)", "_gallery/index.rst)")
    source[0] = re.sub(r"^(```python\n>>> .*?)\n\n```$", r"\1\n```", text, flags=re.S | re.M)


def setup(app):
    """Register the page of results, and the changes of docstrings (before numpydoc's) and of pages."""
    app.connect("autodoc-process-docstring", _formulas, priority=100)
    app.connect("source-read", _pages)
    app.connect("builder-inited", _results, priority=100)
