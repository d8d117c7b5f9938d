"""`taquin records`: show, export, import and delete the games that were finished."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

import click
from click.core import ParameterSource

from .cli_options import (
    INTERRUPTED,
    NO,
    OK,
    ShapeType,
    interruptible,
    json_option,
    options,
    print_json,
    read_goal,
)  # fmt: skip

if TYPE_CHECKING:
    from .records import Records

_LAST_SHOWN = 10

which_games = options(
    click.option("--size", type=ShapeType(), metavar="ROWSxCOLS", help="Only games of this size."),
    click.option("--goal", metavar="NAME|BOARD", help="Only games with this goal."),
)


def _say(line: str) -> None:
    click.echo(f"note: {line}", err=True)


def _open() -> Records:
    from .records import Records

    return Records(say=_say)


@click.group(invoke_without_command=True)
@which_games
@click.option("--hints", is_flag=True, help="Count games with hints like the others.")
@click.option(
    "--last",
    type=click.IntRange(min=0),
    default=_LAST_SHOWN,
    show_default=True,
    metavar="N",
    help="How many of the last games to show.",
)
@json_option
@click.option("--csv", "as_csv", is_flag=True, help="Print one line a game.")
@click.option("--plot", type=click.Path(path_type=Path), metavar="FILE", help="Draw the figures.")
@click.pass_context
def records(
    ctx: click.Context,
    size: tuple[int, int] | None,
    goal: str | None,
    hints: bool,
    last: int,
    as_json: bool,
    as_csv: bool,
    plot: Path | None,
) -> int:
    """Show bests, averages and progress; export, import or delete finished games."""
    if ctx.invoked_subcommand:
        _check_place_of_options(ctx, ctx.invoked_subcommand)
        return OK
    from . import averages, files, report_records

    with _open() as kept:
        outcomes = kept.outcomes(size, read_goal(goal))
    statistics = averages.statistics(outcomes, hints=hints)
    if plot is not None:
        files.write(plot, lambda path: report_records.plot(statistics, path))
    if as_json:
        print_json(
            {
                "file": str(kept.path),
                "series": [series.to_dict() for series in statistics],
                "last": [game.to_dict() for game in outcomes[-last:] if last],
            }
        )
    elif as_csv:
        click.echo(report_records.to_csv(outcomes, statistics), nl=False)
    elif plot is not None:
        pass
    elif outcomes:
        report_records.summary(statistics, outcomes, last)
    elif size is None and goal is None:
        click.echo(report_records.EMPTY)
    else:
        click.echo("no such games")
    return OK


def _check_place_of_options(ctx: click.Context, subcommand: str) -> None:
    """Options that stand before a subcommand would be ignored without a word."""
    for name in ctx.params:
        if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"options come after {subcommand}, not before it", ctx)


@records.command()
@click.argument("id", metavar="ID")
@json_option
def show(id: str, as_json: bool) -> int:
    """Print a game as a replay: scramble;moves;times;goal.

    ID is the game's id or its beginning, or the word last.
    """
    with _open() as kept:
        record = kept.get(id)
    if as_json:
        print_json(record.to_dict())
    else:
        click.echo(record.replay.text())
    return OK


@records.command()
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
def delete(ids: tuple[str, ...]) -> int:
    """Delete games, which are then gone for good.

    ID is a game's id or its beginning.
    """
    with _open() as kept:
        for id in kept.delete(*ids):
            click.echo(f"{id}: deleted")
    return OK


@records.command()
@click.argument("file", type=click.Path(path_type=Path), default="-", metavar="[FILE]")
@which_games
def export(file: Path, size: tuple[int, int] | None, goal: str | None) -> int:
    """Write games to FILE (standard output) as JSON Lines."""
    from . import files, report

    with _open() as kept:
        lines = list(kept.export(size, read_goal(goal)))
    if str(file) == "-":
        for line in lines:
            click.echo(line, nl=False)
        return OK
    files.write(file, lambda path: path.write_text("".join(lines), encoding="utf-8"))
    click.echo(f"{report.count(len(lines), 'game')} in {file}", err=True)
    return OK


@records.command("import")
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE|-")
def import_(file: Path) -> int:
    """Take in games from JSON Lines; those that are there already are left alone.

    A line that can't be read is told of, and the exit code is then 1; the others are taken.
    """
    from . import report

    with _lines_of(file) as lines, _open() as kept:
        done = kept.import_(lines)
    name = "standard input" if str(file) == "-" else file
    for number, reason in done.bad:
        click.echo(f"{name}, line {number}: {reason}", err=True)
    bad = f", {report.count(len(done.bad), 'bad line')}" if done.bad else ""
    click.echo(f"{report.count(done.added, 'game')} added, {done.known} there already{bad}")
    return NO if done.bad else OK


@contextmanager
def _lines_of(file: Path) -> Iterator[Iterator[bytes]]:
    """The lines of a file or of standard input, none longer than a game can be."""
    with click.open_file(str(file), "rb") as stream:
        yield _lines(stream)


def _lines(stream: IO[bytes]) -> Iterator[bytes]:
    from .records import MAX_LINE

    while line := stream.readline(MAX_LINE + 1):
        yield line
        while len(line) > MAX_LINE and not line.endswith(b"\n"):
            line = stream.readline(MAX_LINE + 1)


@records.command()
@click.option(
    "--time",
    "seconds",
    type=click.FloatRange(min=0),
    default=5.0,
    show_default=True,
    metavar="SECONDS",
    help="How long to try each board.",
)
def optima(seconds: float) -> int:
    """Find the optima that are missing, for boards of at most 16 cells."""
    with interruptible() as cancel, _open() as kept:
        missing = sum(game.optimum is None for game in kept.outcomes())
        found = kept.fill_optima(seconds=seconds, cancel=cancel)
    click.echo(f"{found} of {missing} missing optima found")
    return INTERRUPTED if cancel.is_set() else OK


@records.command()
def path() -> int:
    """Print the file of the records; TAQUIN_HOME moves it."""
    from .records import default_path

    click.echo(str(default_path()))
    return OK
