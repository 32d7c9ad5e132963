"""`novikoff warm`: compile the kernels ahead, into the cache."""

from __future__ import annotations

import contextlib
import io
import json
import os
import tempfile
import time
from pathlib import Path
from typing import Any

import click

from novikoff.cli.options.verb import Verb
from novikoff.cli.warm_up.warm_commands import commands, parts, write_files
from novikoff.errors import InputError
from novikoff.kernels import compile


@click.command(cls=Verb)
@click.argument("names", nargs=-1, metavar="[PART]...")
@click.option("--list", "listed", is_flag=True, help="List the parts and compile nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def command(ctx: click.Context, /, names: tuple[str, ...], listed: bool, as_json: bool) -> int:
    """Compile ahead what other commands would compile when they first need it, and store it in the cache.

    \b
    novikoff warm                 # compile everything: a few minutes
    novikoff warm tables          # compile what commands on tables need
    novikoff warm --list

    Run it once after installing, or while a container image is built: as root, so that every user can read the cache
    and only root can change it. What is compiled serves this kind of CPU only.

    Exit codes: 0 done, 2 usage error, 3 nothing can be stored, 130 interrupted.
    """
    known = parts()
    for name in names:
        if name not in known:
            raise click.UsageError(f"no part is called {name!r}; there are {', '.join(known)}", ctx)
    if listed:
        click.echo(json.dumps(known) if as_json else "\n".join(f"{name:<10}{what}" for name, what in known.items()))
        return 0
    folder = _folder()
    done = [_warmed(part, as_json) for part in names or known]
    kernels, seconds = sum(part["kernels"] for part in done), sum(part["seconds"] for part in done)
    if as_json:
        click.echo(json.dumps({"schema": "novikoff/warm/1", "cache": folder, "parts": done, "kernels": kernels}))
    else:
        click.echo(f"{kernels} kernels are ready in {folder}, after {seconds:.0f} s")
    return 0


def _folder() -> str:
    """Return the folder of the cache; raise InputError if nothing can be stored."""
    from novikoff.kernels.machine_code.cache_folders import usable_folders

    if compile.compiler_is_off():
        raise InputError("the compiler is off, so nothing can be compiled; unset NUMBA_DISABLE_JIT")
    folders = usable_folders()
    if not folders or not os.access(folders[-1], os.W_OK):
        raise InputError(
            "no folder of the cache is safe and writable, so nothing can be stored; set NUMBA_CACHE_DIR to an absolute "
            "path below folders that only you or root may write to"
        )
    return folders[-1]


def _warmed(part: str, quiet: bool) -> dict[str, Any]:
    """Run the commands of a part on small files with everything compiled; return its name, kernels and seconds."""
    from novikoff.cli import main

    began, before, here = time.perf_counter(), compile.kernels_ready(), os.getcwd()
    with tempfile.TemporaryDirectory() as folder, compile.everything_compiled():
        write_files(Path(folder))
        os.chdir(folder)
        try:
            for line in commands(part):
                said = io.StringIO()
                with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
                    code = main([*line, "--quiet"])
                if code not in (0, 1):
                    raise InputError(f"novikoff {' '.join(line)} failed: {said.getvalue().strip()}")
        finally:
            os.chdir(here)
    found = {"part": part, "kernels": compile.kernels_ready() - before, "seconds": time.perf_counter() - began}
    if not quiet:
        click.echo(f"{part:<10}{found['kernels']:>4} kernels  {found['seconds']:.0f} s", err=True)
    return found
