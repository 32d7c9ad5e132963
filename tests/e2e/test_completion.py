"""TAB: verbs, options, choices, examples and files are offered in every shell, and nothing heavy is imported."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import click
import pytest
from click.shell_completion import CompletionItem, ShellComplete, get_completion_class

from novikoff.cli import VERBS, door
from novikoff.data import EXAMPLES

HEAVY = ("numpy", "numba", "scipy", "sklearn", "rich", "safetensors", "flint", "pyarrow")


def offered(*words: str) -> list[CompletionItem]:
    """What TAB offers for the last word, after the others."""
    completer = ShellComplete(door, {}, "novikoff", "_NOVIKOFF_COMPLETE")
    return completer.get_completions(list(words[:-1]), words[-1])


def values(*words: str) -> list[str]:
    return [item.value for item in offered(*words)]


def test_verbs() -> None:
    assert values("") == list(VERBS)
    assert values("e") == ["evaluate", "explain"]
    assert values("z") == []


@pytest.mark.parametrize("verb", VERBS)
def test_every_option_of_a_verb(verb: str) -> None:
    command = door.get_command(click.Context(door), verb)
    assert command is not None
    long = {name for param in command.params for name in param.opts if name.startswith("--")}
    assert long <= set(values(verb, "--"))


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("fit", "--keep", ""), ["last", "pocket", "average", "vote", "auto"]),
        (("fit", "--order", "s"), ["shuffle"]),
        (("fit", "--multi", "o"), ["ova", "ovo"]),
        (("predict", "--format", "s"), ["svmlight", "svm"]),
        (("certify", "--expect", "sep"), ["separable"]),
    ],
)
def test_the_choices_of_an_option(words: tuple[str, ...], expected: list[str]) -> None:
    assert values(*words) == expected


@pytest.mark.parametrize("verb", ["fit", "cv", "trace", "certify", "separation", "margin"])
def test_the_names_of_examples(verb: str) -> None:
    assert values(verb, "--example", "") == list(EXAMPLES)
    assert values(verb, "--example", "sp") == ["spam"]


@pytest.mark.parametrize(
    "words",
    [
        ("fit", ""),
        ("fit", "--test", ""),
        ("fit", "--valid", ""),
        ("fit", "-o", ""),
        ("cv", ""),
        ("predict", ""),
        ("predict", "model.nvk", ""),
        ("evaluate", "model.nvk", ""),
        ("explain", ""),
        ("explain", "model.nvk", ""),
        ("convert", ""),
        ("convert", "in.csv", ""),
        ("certify", ""),
        ("verify", ""),
        ("verify", "proof.json", ""),
        ("margin", ""),
        ("separation", ""),
    ],
)
def test_files_where_a_file_is_meant(words: tuple[str, ...]) -> None:
    assert [item.type for item in offered(*words)] == ["file"]


def test_a_folder_where_a_folder_is_meant() -> None:
    assert [item.type for item in offered("fit", "--checkpoint", "")] == ["dir"]


def installed(**environment: str) -> subprocess.CompletedProcess[str]:
    """`novikoff` as the shell's script calls it; what was imported is the last line of stderr."""
    program = (
        "import json, sys\nfrom novikoff.cli import door\n"
        "try:\n    door.main([], prog_name='novikoff')\n"
        "finally:\n    print(json.dumps(sorted(sys.modules)), file=sys.stderr)"
    )
    info = {**os.environ, **environment}
    return subprocess.run([sys.executable, "-c", program], env=info, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_of_each_shell(shell: str) -> None:
    kind: Any = get_completion_class(shell)
    script = kind(door, {}, "novikoff", "_NOVIKOFF_COMPLETE").source()
    assert f"_NOVIKOFF_COMPLETE={shell}_complete" in script


@pytest.mark.parametrize(
    ("line", "word", "expected"),
    [("novikoff f", "1", "plain,fit"), ("novikoff fit --ru", "2", "plain,--rule"), ("novikoff fit tr", "2", "file,tr")],
)
def test_tab_in_a_shell_imports_nothing_heavy(line: str, word: str, expected: str) -> None:
    done = installed(_NOVIKOFF_COMPLETE="bash_complete", COMP_WORDS=line, COMP_CWORD=word)
    assert done.stdout.splitlines() == [expected]
    imported = {name.partition(".")[0] for name in json.loads(done.stderr.splitlines()[-1])}
    assert imported.isdisjoint(HEAVY)
