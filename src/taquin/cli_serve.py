"""`taquin serve`: the page, on this machine or for others."""

from __future__ import annotations

import os
import sys

import click

from .cli_options import OK, SizeType

DEFAULT_PORT = 8014


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Where to listen.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    metavar="N",
    help=f"Exactly this port ({DEFAULT_PORT}, or the next that is free); 0: any.",
)
@click.option("--open/--no-open", "open_page", default=None, help="Open the page in the browser.")
@click.option("--allow", multiple=True, metavar="NAME", help="Another name of this machine.")
@click.option(
    "--time", "seconds", type=click.FloatRange(min=0, min_open=True), metavar="SECONDS",
    help="The most that a job may take.",
)  # fmt: skip
@click.option("--memory", type=SizeType(), metavar="SIZE", help="The most that a job may keep.")
@click.option("--cells", type=click.IntRange(min=2), metavar="N", help="The largest board.")
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="How many run at once.")
@click.option("--queue", type=click.IntRange(min=0), metavar="N", help="How many more wait.")
@click.option("--log", "access_log", is_flag=True, help="Print every request.")
def serve(
    host: str,
    port: int | None,
    open_page: bool | None,
    allow: tuple[str, ...],
    seconds: float | None,
    memory: int | None,
    cells: int | None,
    jobs: int | None,
    queue: int | None,
    access_log: bool,
) -> int:
    """Serve the page: play, solve, watch and compare in the browser."""
    from .server.running import address_of, bind, is_loopback

    strict = not is_loopback(host)
    listening = bind(host, DEFAULT_PORT if port is None else port, exactly=port is not None)
    address = address_of(listening)
    if strict:
        click.echo(
            "warning: others in the network can use this server. It keeps to stricter limits, "
            "and shows no records.",
            err=True,
        )

    from .server.app import make_app
    from .server.guard import Names
    from .server.limits import limits_for
    from .server.running import make_process

    limits = limits_for(
        strict=strict, seconds=seconds, memory=memory, cells=cells, jobs=jobs, queue=queue
    )
    names = Names.of_machine([host, *allow]) if strict else Names(allow)

    def on_ready() -> None:
        click.echo(f"taquin is at {address}  (Ctrl-C ends it)")
        if _wants_page(open_page):
            click.launch(address)

    process = make_process(make_app(limits, names), on_ready=on_ready, access_log=access_log)
    process.run([listening])
    return OK


def _wants_page(asked: bool | None) -> bool:
    """As asked; else if somebody sits at a display to see it."""
    if asked is not None:
        return asked
    has_display = sys.platform == "darwin" or bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )
    return has_display and sys.stdout.isatty()
