"""The command line: one file per verb, loaded when its verb is called.

This file and the verbs' files import click and the standard library only; what computes is imported inside the verbs,
so that `--help` and TAB answer at once. The answer goes to stdout, all else to stderr.
A verb returns its exit code: 0 done or yes, 1 the answer is no, 4 undecided, 130 interrupted. Usage (2) and bad input
(3) are told here.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

import click

from novikoff import __version__
from novikoff.cli.options.output_files import guarded
from novikoff.errors import InputError, WorkerError
from novikoff.kernels import compile

VERBS = {  # verb: (where it lives, what it does)
    "fit": ("novikoff.cli.verbs.fit:command", "Train a perceptron and say what happened."),
    "predict": ("novikoff.cli.verbs.predict:command", "The classes of new rows, by a model."),
    "evaluate": ("novikoff.cli.verbs.evaluate:command", "How good a model is on rows with labels."),
    "explain": ("novikoff.cli.verbs.explain:command", "What each column adds to the score of one row."),
    "inspect": ("novikoff.cli.verbs.inspect:command", "What a model file says of itself."),
    "export": ("novikoff.cli.verbs.export:command", "A model for other programs: ONNX, LIBLINEAR."),
    "cv": ("novikoff.cli.verbs.cv:command", "Cross-validation: how good a fit will be on new rows."),
    "convert": ("novikoff.cli.verbs.convert:command", "A file in another format, or as the fast binary cache."),
    "trace": ("novikoff.cli.verbs.trace:command", "Show every update of a run in exact fractions."),
    "certify": ("novikoff.cli.verbs.certify:command", "Decide whether a plane separates the points, with a proof."),
    "verify": ("novikoff.cli.verbs.verify:command", "Check a proof against its data."),
    "separation": (
        "novikoff.cli.verbs.separation:command",
        "Do the estimates of a regression exist, and which do not?",
    ),
    "margin": ("novikoff.cli.verbs.margin:command", "Find the widest planes and bound the mistakes."),
}
BAD_INPUT, UNDECIDED, INTERRUPTED = 3, 4, 130
LAST_STREAM = 2  # the number of stderr
LONG = 1.0  # second of compiling that is told of


class Door(click.Group):
    """A group whose verbs are named in a table and loaded by need."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The verbs, in the order of the table."""
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load one verb, whose outputs are checked before it runs."""
        if cmd_name not in VERBS:
            return None
        module, _, name = VERBS[cmd_name][0].partition(":")
        command: click.Command = getattr(importlib.import_module(module), name)
        return guarded(command)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The verb of these words; for one that there is not, the likely one is named."""
        if not ctx.resilient_parsing and args[0] not in VERBS and not args[0].startswith("-"):
            from difflib import get_close_matches

            from novikoff.cli.text import other_programs

            word = other_programs.VERBS.get(args[0])
            near = [word] if word else get_close_matches(args[0], VERBS, 1)
            meant = f"did you mean {near[0]}?" if near else f"there are {', '.join(VERBS)}"
            meant = other_programs.NOT_HERE.get(args[0], meant)
            raise click.UsageError(f"no verb is called {args[0]!r}; {meant}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the verbs from the table, without loading any."""
        with formatter.section("Verbs"):
            formatter.write_dl([(verb, sentence) for verb, (_, sentence) in VERBS.items()])

    def invoke(self, ctx: click.Context) -> Any:
        """Run the verb; a reader that went away (`| head`) ends it quietly."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return BAD_INPUT  # quietly: whoever read has seen enough
        except OSError as error:
            if error.filename is not None:
                raise InputError(f"{error.filename}: cannot be read or written ({error.strerror})") from error
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise InputError(f"the answer cannot be written ({error.strerror})") from error


@click.group(cls=Door, subcommand_metavar="VERB ...", context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="%(prog)s %(version)s")
def door() -> None:
    """The perceptron, complete and with proof.

    \b
    novikoff trace --example cornwell     nine exact updates, ending in a plane
    novikoff fit --example xor            not separable, and why
    novikoff fit train.csv -o model.nvk   a model from a file; predict, evaluate, explain use it
    novikoff certify data.csv -o p.json   separable or not, with a proof that anyone can check
    novikoff VERB --help                  the options of a verb

    Exit codes: 0 done, 1 the answer is no, 2 usage, 3 bad input, 4 undecided at a limit, 130 interrupted.

    TAB completes verbs and options after: eval "$(_NOVIKOFF_COMPLETE=bash_source novikoff)" (or zsh_source,
    fish_source).
    """


def main(args: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    if not _streams_are_open():
        click.echo("novikoff: error: standard output is closed; send the answer to a file, or to /dev/null", err=True)
        return BAD_INPUT
    _never_fail_on_a_letter()
    os.environ.setdefault("MIMALLOC_PURGE_DELAY", "0")  # of pyarrow, not yet loaded: what is free is given back at once
    try:
        with _warnings_in_one_line(), _report_compiling(sys.argv[1:] if args is None else args):
            return int(door.main(args, prog_name="novikoff", standalone_mode=False) or 0)
    except click.Abort:
        click.echo("novikoff: interrupted", err=True)
        return INTERRUPTED
    except click.ClickException as error:
        if isinstance(error, click.NoSuchOption):
            from novikoff.cli.text.other_programs import in_words

            error = in_words(error)
        error.show()
        return error.exit_code
    except (InputError, WorkerError) as error:
        click.echo(f"novikoff: error: {' '.join(str(error).split())}", err=True)
        return BAD_INPUT
    except ImportError as error:  # of a library that is damaged, or too large for the memory that is allowed
        click.echo(f"novikoff: error: a library cannot be loaded ({error}); free memory, or install it anew", err=True)
        return BAD_INPUT
    except MemoryError as error:
        why = f" ({error})" if str(error) else ""
        click.echo(f"novikoff: error: the memory is not enough{why}; use fewer columns or rows", err=True)
        return BAD_INPUT


@contextlib.contextmanager
def _warnings_in_one_line() -> Iterator[None]:
    """What Python would show with a place in the code."""
    with warnings.catch_warnings():
        warnings.showwarning = lambda message, *_: click.echo(
            f"novikoff: warning: {' '.join(str(message).split())}", err=True
        )
        yield


def _streams_are_open() -> bool:
    """Whether there is a place for the answer.

    A closed stream (`2>&-`) leaves its number free, and the next file that is opened would get it, with whatever a
    library writes to stderr: /dev/null takes the place.
    """
    with contextlib.suppress(OSError):
        while (number := os.open(os.devnull, os.O_RDWR)) <= LAST_STREAM:
            pass
        os.close(number)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    return sys.stdout is not None


@contextlib.contextmanager
def _report_compiling(args: Sequence[str]) -> Iterator[None]:
    """One line on stderr, unless --quiet, where the command waited for the compiler for a second or more."""
    before = compile.compile_seconds()

    def tell(seconds: float) -> None:
        if seconds - before >= LONG:
            compile.on_compiled = None
            click.echo(
                f"novikoff: compiling for this CPU (once, it is kept) took {seconds - before:.1f} s so far; limits of "
                "time do not count it",
                err=True,
            )

    compile.on_compiled = None if "--quiet" in args else tell
    try:
        yield
    finally:
        compile.on_compiled = None


def _never_fail_on_a_letter() -> None:
    """Where the terminal cannot show · or −, show its code rather than fail."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
