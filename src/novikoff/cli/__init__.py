"""The command line: one file per verb, loaded when its verb is called.

This file and the verbs' files import only click and the standard library; the verbs import everything else inside
their functions, so that `--help` and TAB completion are fast. Results go to stdout, everything else to stderr.
A verb returns its exit code: 0 done or yes, 1 the answer is no, 4 undecided, 130 interrupted. Usage errors (2) and bad
input (3) are reported here.
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
from novikoff.errors import InputError, WorkerError
from novikoff.kernels import compile

VERBS = {  # verb: what it does
    "fit": "Train a perceptron and report the result.",
    "predict": "Predict the classes of new rows.",
    "evaluate": "Evaluate a model on labelled rows.",
    "explain": "Describe a model, or explain the score of one row.",
    "cv": "Cross-validate: estimate the accuracy on new rows.",
    "convert": "Convert a file to another format.",
    "trace": "Show every update of a run in exact fractions.",
    "certify": "Decide separability, with a proof.",
    "verify": "Check a proof against its data.",
    "separation": "Report whether the estimates of a regression exist.",
    "margin": "Find maximum-margin planes and bound the mistakes.",
    "theory": "Count, decide and measure what the notes state.",
    "report": "Write one page about a data set.",
    "play": "Open a page to put points and watch runs.",
}
GROUPS = {
    "Models": "fit predict evaluate explain cv",
    "Proofs": "certify verify separation margin",
    "The lecture": "trace play theory",
    "Tools": "report convert",
}
BAD_INPUT, UNDECIDED, INTERRUPTED = 3, 4, 130
LAST_STREAM = 2  # file descriptor of stderr
LONG = 1.0  # seconds of compiling before it is reported


class Door(click.Group):
    """Click group that imports a verb when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the verbs, in the order of the table."""
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load one verb."""
        if cmd_name not in VERBS:
            return None
        command: click.Command = importlib.import_module(f"novikoff.cli.verbs.{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the verb; for an unknown one, raise an error that names the likely one."""
        if not ctx.resilient_parsing and args[0] not in VERBS and not args[0].startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(args[0], VERBS, 1)
            meant = f"did you mean {near[0]}?" if near else f"there are {', '.join(VERBS)}"
            raise click.UsageError(f"no verb is called {args[0]!r}; {meant}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the verbs from the table, without loading any."""
        for heading, verbs in GROUPS.items():
            with formatter.section(heading):
                formatter.write_dl([(verb, VERBS[verb]) for verb in verbs.split()])

    def invoke(self, ctx: click.Context) -> Any:
        """Run the verb; a closed output pipe (`| head`) ends it silently."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return BAD_INPUT  # silently: the reader has closed the pipe
        except OSError as error:
            if error.filename is not None:
                raise InputError(f"{error.filename}: cannot be read or written ({error.strerror})") from error
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise InputError(f"the output cannot be written ({error.strerror})") from error


@click.group(cls=Door, subcommand_metavar="VERB ...", context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="%(prog)s %(version)s")
def door() -> None:
    """Train perceptrons, and decide linear separability with proofs.

    \b
    novikoff trace --example cornwell     show the nine updates of a run in exact fractions
    novikoff fit --example xor            train on XOR and prove that it is not separable
    novikoff fit train.csv -o model.nvk   train a model from a file, for predict, evaluate and explain
    novikoff certify data.csv -o p.json   decide separability, with a proof that anyone can check
    novikoff VERB --help                  show the options of a verb

    Exit codes: 0 done, 1 negative answer (such as not separable), 2 usage error, 3 bad input, 4 undecided within the
    time limit, 130 interrupted.

    To complete verbs and options with TAB, run: eval "$(_NOVIKOFF_COMPLETE=bash_source novikoff)" (or zsh_source,
    fish_source).
    """


def commands() -> Iterator[tuple[str, click.Command]]:
    """Yield every command with its name: fit, predict, …, theory, theory capacity, …"""
    for verb in VERBS:
        command = door.get_command(click.Context(door), verb)
        assert command is not None
        yield verb, command
        if isinstance(command, click.Group):
            yield from ((f"{verb} {name}", one) for name, one in command.commands.items())


def main(args: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    if not _streams_are_open():
        click.echo("novikoff: error: standard output is closed; redirect it to a file or to /dev/null", err=True)
        return BAD_INPUT
    _never_fail_on_a_letter()
    os.environ.setdefault(
        "MIMALLOC_PURGE_DELAY", "0"
    )  # for pyarrow, before it is imported: return freed memory at once
    try:
        with _warnings_in_one_line(), _report_compiling(sys.argv[1:] if args is None else args):
            return int(door.main(args, prog_name="novikoff", standalone_mode=False) or 0)
    except click.Abort:
        click.echo("novikoff: interrupted", err=True)
        return INTERRUPTED
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (InputError, WorkerError) as error:
        from novikoff.cli.text.option_names import error_in_options

        click.echo(f"novikoff: error: {' '.join(error_in_options(error).split())}", err=True)
        return BAD_INPUT
    except ImportError as error:  # the library is damaged, or does not fit into the memory limit
        click.echo(f"novikoff: error: a library cannot be loaded ({error}); free memory, or reinstall it", err=True)
        return BAD_INPUT
    except MemoryError as error:
        why = f" ({error})" if str(error) else ""
        click.echo(f"novikoff: error: not enough memory{why}; use fewer columns or rows", err=True)
        return BAD_INPUT


@contextlib.contextmanager
def _warnings_in_one_line() -> Iterator[None]:
    """Print warnings as one line each, without the source location."""
    with warnings.catch_warnings():
        warnings.showwarning = lambda message, *_: click.echo(
            f"novikoff: warning: {' '.join(str(message).split())}", err=True
        )
        yield


def _streams_are_open() -> bool:
    """Return whether stdout is open; replace closed streams by /dev/null.

    A closed stream (`2>&-`) leaves its file descriptor free. The next opened file would get it, and with it whatever a
    library writes to stderr.
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
    """Print one line on stderr, unless --quiet, if compiling took a second or more."""
    before = compile.compile_time.compiled

    def tell(seconds: float) -> None:
        if seconds - before >= LONG:
            compile.compile_time.on_compiled = lambda seconds: None
            click.echo(compile.compile_notice(f" took {seconds - before:.1f} s so far"), err=True)

    compile.compile_time.on_compiled = (lambda seconds: None) if "--quiet" in args else tell
    try:
        yield
    finally:
        compile.compile_time.on_compiled = None


def _never_fail_on_a_letter() -> None:
    """Escape characters such as · or − that the terminal cannot encode."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
