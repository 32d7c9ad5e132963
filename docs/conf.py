"""Sphinx configuration: `make docs` builds the site into build/docs, and every warning is an error."""

from __future__ import annotations

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

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

autosummary_generate = True
autodoc_typehints = "none"  # the docstrings give the types
numpydoc_show_class_members = False
numpydoc_xref_param_type = False

html_theme = "pydata_sphinx_theme"
html_title = "novikoff"
html_theme_options = {"show_prev_next": True, "navigation_with_keys": False, "header_links_before_dropdown": 8}
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

    Formulas, before the first section, are shown as they stand: what is indented or aligned by spaces. In a section
    `name : text` is a name and what it means; with a default it is a name and its type.
    """
    heading = next(
        (k for k, line in enumerate(lines) if line and lines[k + 1 : k + 2] == ["-" * len(line)]), len(lines)
    )
    found, code, literal = [], False, False
    for number, line in enumerate(lines):
        starts = number > 0 and not lines[number - 1].strip()
        code = line.lstrip().startswith(">>> ") or (code and bool(line.strip()))
        aligned = number < heading and not code and bool(line.strip())
        literal = aligned and (literal or (starts and "   " in line.rstrip()))
        if literal and starts:
            found += ["::", ""]
        first, colon, rest = line.partition(" : ")
        if literal:
            found.append("    " + line)
        elif code:
            found.append(line)
        elif number > heading and colon and not line.startswith(" ") and "default=" not in line:
            found += [first, "    " + _escaped(rest)]
        else:
            found.append(_escaped(line))
    lines[:] = found


def _links(app, docname, source):
    """Lead links to the folder of the gallery's scripts to the gallery."""
    source[0] = source[0].replace("gallery/README.rst)", "_gallery/index.rst)")


def setup(app):
    """Register the changes of docstrings, before numpydoc's, and of pages."""
    app.connect("autodoc-process-docstring", _formulas, priority=100)
    app.connect("source-read", _links)
