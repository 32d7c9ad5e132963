"""TAB: verbs, options, choices, examples and files are offered in every shell, and nothing heavy is imported."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import click
import pytest
from click.shell_completion import CompletionItem, ShellComplete

from novikoff.cli import VERBS, door

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


def installed(**environment: str) -> subprocess.CompletedProcess[str]:
    """`novikoff` as the shell's script calls it; what was imported is the last line of stderr."""
    program = (
        "import json, sys\nfrom novikoff.cli import door\n"
        "try:\n    door.main([], prog_name='novikoff')\n"
        "finally:\n    print(json.dumps(sorted(sys.modules)), file=sys.stderr)"
    )
    info = {**os.environ, **environment}
    return subprocess.run([sys.executable, "-c", program], env=info, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize(
    ("line", "word", "expected"),
    [("novikoff f", "1", "plain,fit"), ("novikoff fit --ru", "2", "plain,--rule"), ("novikoff fit tr", "2", "file,tr")],
)
def test_tab_in_a_shell_imports_nothing_heavy(line: str, word: str, expected: str) -> None:
    done = installed(_NOVIKOFF_COMPLETE="bash_complete", COMP_WORDS=line, COMP_CWORD=word)
    assert done.stdout.splitlines() == [expected]
    imported = {name.partition(".")[0] for name in json.loads(done.stderr.splitlines()[-1])}
    assert imported.isdisjoint(HEAVY)
