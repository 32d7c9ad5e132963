"""Run the code of a Markdown page and compare what it prints with what the page shows.

Blocks of a page are run in their order, in one folder and with one set of Python names:

    ```python     run; with `>>>` as a doctest, else the following block, if it is of the kind `text` or of none
                  and nothing or "prints" stands between, is what it prints
    ```console    lines `$ command` are run (`novikoff …`, `cat FILE`, `python FILE …`), the others are what they print:
                  standard output, or the messages of standard error and then standard output
    ```text       after a line "`name`:" the contents of that file, which is written before the next block is run
    ```sh         commands that are not run here

`...` in an output stands for any text. `<!-- data: NAME -->` asks for a file of the shared data sets, and
`<!-- not run -->` before a block excludes it.

`python tests/markdown_pages.py PAGE …` writes the present outputs into the pages; a line `+` asks for the messages too.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import itertools
import os
import re
import shlex
import subprocess
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from commands import novikoff

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", flags=re.S | re.M)
FLAGS = doctest.ELLIPSIS
FRAMES = re.compile(r"(?<=Traceback \(most recent call last\):\n)(?: .*\n)+")


class Shown(NamedTuple):
    """An output of a page: where its text stands, what is shown there, and what is printed now (one or two ways)."""

    start: int
    end: int
    text: str
    printed: tuple[str, ...]

    @property
    def right(self) -> bool:
        return any(doctest.OutputChecker().check_output(self.text, one, FLAGS) for one in self.printed)


def command(words: list[str]) -> tuple[str, str]:
    """Standard output and standard error of a command of a page."""
    if words[0] == "cat":
        return Path(words[1]).read_text(encoding="utf-8"), ""
    if words[0] == "python":
        done = subprocess.run([sys.executable, "-I", "-S", *words[1:]], capture_output=True, text=True)
        return done.stdout, done.stderr
    assert words[0] == "novikoff", words
    _, out, err = novikoff(*words[1:])
    return out, err


def console(start: int, block: str) -> Iterator[Shown]:
    """Each command of a console block, with the place of its output."""
    ends = [match.start() for match in re.finditer(r"^\$ ", block, flags=re.M)] + [len(block)]
    for here, end in itertools.pairwise(ends):
        line, newline, text = block[here:end].partition("\n")
        out, err = command(shlex.split(line.removeprefix("$ ")))
        yield Shown(start + here + len(line) + len(newline), start + end, text, (out, err + out))


class Session(doctest.DocTestRunner):
    """Run one example, and keep what it printed if it is not what is shown."""

    printed: str | None = None

    def report_failure(self, out: Any, test: Any, example: Any, got: str) -> None:
        self.printed = FRAMES.sub("", got)

    def report_unexpected_exception(self, out: Any, test: Any, example: Any, exc_info: Any) -> None:
        self.printed = FRAMES.sub("", "".join(traceback.format_exception(*exc_info)))


def session(start: int, block: str, names: dict[str, Any]) -> Iterator[Shown]:
    """Each example of a doctest block, with the place of its output."""
    lines = block.splitlines(keepends=True)
    for example in doctest.DocTestParser().get_examples(block):
        test, runner = (
            doctest.DocTest([example], {}, "page", None, None, None),
            Session(verbose=False, optionflags=FLAGS),
        )
        test.globs = names  # not the copy that it makes
        runner.run(test, clear_globs=False)
        first = example.lineno + len(example.source.splitlines())
        at = start + sum(map(len, lines[:first]))
        text = "".join(lines[first : first + len(example.want.splitlines())])
        yield Shown(at, at + len(text), text, (text if runner.printed is None else runner.printed,))


def outputs(page: str) -> Iterator[Shown]:
    """Run the page in the current folder: every output, as it is shown and as it is printed now."""
    names: dict[str, Any] = {"__name__": "page"}
    blocks = list(BLOCK.finditer(page))
    for here, match in enumerate(blocks):
        kind, text, before = match[1], match[2], page[: match.start()].rstrip()
        if before.endswith("<!-- not run -->"):
            continue
        if kind in ("text", "") and (name := re.search(r"`([\w.-]+)`:$", before)):
            Path(name[1]).write_text(text, encoding="utf-8")
        elif kind == "console":
            yield from console(match.start(2), text)
        elif kind == "python" and ">>> " in text:
            yield from session(match.start(2), text, names)
        elif kind == "python":
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                exec(compile(text, "page", "exec", dont_inherit=True), names)
            following = blocks[here + 1] if here + 1 < len(blocks) else None
            between = page[match.end() : following.start()].strip() if following else "?"
            if following and following[1] in ("text", "") and between in ("", "prints"):
                yield Shown(following.start(2), following.end(2), following[2], (out.getvalue(),))
            else:
                yield Shown(match.end(), match.end(), "", (out.getvalue(),))


def run_in(folder: Path, page: str, data: Callable[[str], Path]) -> list[Shown]:
    """Run a page in a folder with the shared data that it asks for."""
    for name in re.findall(r"<!-- data: (\S+) -->", page):
        path = data(name)
        (folder / path.name).symlink_to(path)
    with contextlib.chdir(folder), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a reader sees them on standard error
        return list(outputs(page))


def main(names: list[str]) -> None:
    """Write the present outputs into the pages, where they differ from what is shown."""
    folder = Path(os.environ.get("NOVIKOFF_DATA") or Path(__file__).resolve().parents[2] / "shared" / "data")
    for path in map(Path, names):
        page = path.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as place:
            found = run_in(Path(place), page, folder.joinpath)
        wrong = [one for one in found if not one.right]
        print(f"{path}: {len(found)} outputs, {len(wrong)} rewritten")
        for one in reversed(wrong):
            both = one.text == "+\n" or not one.printed[0]
            page = page[: one.start] + one.printed[-1 if both else 0] + page[one.end :]
        path.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
