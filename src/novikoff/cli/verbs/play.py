"""`novikoff play`: a page on this machine to put points, watch runs and see verdicts with their proofs."""

from __future__ import annotations

from typing import Any

import click

from novikoff.cli.options import row_options
from novikoff.cli.options.proof_data import data_of
from novikoff.cli.options.verb import Verb
from novikoff.cli.text import formatting
from novikoff.play import PORT


@click.command(cls=Verb)
@row_options.row_options
@row_options.preparation_options
@click.option("--port", type=click.IntRange(0, 65535), default=PORT, show_default=True, metavar="PORT",
              help="Port on 127.0.0.1; 0 chooses a free one.")  # fmt: skip
@click.option("--open", "fragment", default="", metavar="FRAGMENT", help="State to open, as in a copied link after #.")
@click.option("--no-browser", is_flag=True, help="Print the address and do not open a browser.")
@click.pass_context
def command(ctx: click.Context, /, **request: Any) -> int:
    """Open a page to put points, watch runs, and see verdicts with their proofs.

    \b
    novikoff play
    novikoff play data.csv --label class
    novikoff play --example xor --no-browser

    DATA is a file as for fit, of up to 2,000 rows. The page is for this machine only: the server listens on 127.0.0.1
    and answers only pages that it served. Ctrl-C stops it.

    Exit codes: 0 stopped by Ctrl-C, 2 usage, 3 bad input.
    """
    table = None
    if request["data"] is not None or request["example"] is not None:
        table = _table(ctx, request)
    from novikoff.play.answers import Settings
    from novikoff.play.play_server import PlayServer

    fragment = request["fragment"].removeprefix("#")
    with PlayServer(request["port"], Settings(table, fragment)) as server:
        click.echo(f"novikoff play   {server.url}   (this machine only; Ctrl-C stops)")
        if not request["no_browser"]:
            _open(server.url)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            click.echo("novikoff play: stopped", err=True)
    return 0


def _table(ctx: click.Context, request: dict[str, Any]) -> dict[str, Any]:
    """Return the rows of the file or example as the page takes them."""
    from novikoff.play.table_answers import table_of

    data = data_of(ctx, request | {"memory": None, "bias": None})
    X = data.X.toarray() if hasattr(data.X, "toarray") else data.X
    with formatting.about(data.name):
        return table_of(data.name, X, data.y, data.names) | {"bias": data.fit_intercept}


def _open(url: str) -> None:
    """Open a browser; on a machine without one the printed address remains."""
    import webbrowser

    if not webbrowser.open(url):
        click.echo("novikoff play: no browser was found; open the address yourself", err=True)
