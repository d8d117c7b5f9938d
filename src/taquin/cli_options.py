"""What arguments and options mean, for all subcommands: shapes, boards, goals, limits, Ctrl-C."""

from __future__ import annotations

import json
import re
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from .board import Board
    from .cluster import ClusterExecutor
    from .replay import Replay
    from .result import Limit

OK, NO, BAD, LIMIT, INTERRUPTED, PIPE = 0, 1, 2, 3, 130, 141
"""The exit codes; `cli` says what they mean."""

F = TypeVar("F", bound=Callable[..., Any])


class Words(click.ParamType[Any]):
    """One of the names that a room of the library knows, completed by the shell."""

    name = "name"

    def __init__(self, names: Callable[[], list[str]]) -> None:
        self._names = names

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[Any]:
        from click.shell_completion import CompletionItem

        done, comma, last = incomplete.rpartition(",")
        return [CompletionItem(done + comma + n) for n in self._names() if n.startswith(last)]


def goal_names() -> list[str]:
    from .goals import NAMED

    return list(NAMED)


def algorithm_names() -> list[str]:
    from .search import ALGORITHMS

    return list(ALGORITHMS)


def heuristic_names() -> list[str]:
    from .heuristics import NAMED

    return list(NAMED)


def format_names() -> list[str]:
    from .notation import FORMATS

    return list(FORMATS)


def table_names() -> list[str]:
    from .tables import NAMES

    return list(NAMES)


class ShapeType(click.ParamType[Any]):
    """Rows and columns, such as 4x4; a single number is a square."""

    name = "shape"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        match = re.fullmatch(r"\s*(\d{1,7})(?:\s*[x×X*]\s*(\d{1,7}))?\s*", str(value))
        if match is None:
            self.fail(f"'{value}' is not a shape; write for example 4x4 or 3x5", param, ctx)
        return int(match[1]), int(match[2] or match[1])


class QualityType(click.ParamType[Any]):
    """`optimal`, `fast`, or a number from 1 on."""

    name = "quality"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            return float(value)
        except ValueError:
            return value


class SizeType(click.ParamType[Any]):
    """Bytes, such as 512MB or 2GiB."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        from .result import parse_size

        return parse_size(value) if isinstance(value, str) else value


class ExportType(click.Path):
    """The name of a picture or film to write; one of no known kind is refused at once."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        from .sharing import kind_of

        kind_of(value)
        return super().convert(value, param, ctx)


def options(*decorators: Callable[[F], F]) -> Callable[[F], F]:
    """Several click options as one decorator."""

    def decorate(command: F) -> F:
        for decorator in reversed(decorators):
            command = decorator(command)
        return command

    return decorate


board_argument = click.argument("board", nargs=-1, required=True, metavar="BOARD")
goal_option = click.option(
    "--goal", type=Words(goal_names), metavar="NAME|BOARD", help="The goal (blank-last)."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
moves_option = click.option(
    "--moves",
    type=click.Choice(["tile", "blank"]),
    default="tile",
    show_default=True,
    help="Whose direction the move letters name.",
)
heuristic_option = click.option(
    "--heuristic", type=Words(heuristic_names), metavar="NAME", help="What guides it (manhattan)."
)
method_options = options(
    click.option(
        "--quality",
        type=QualityType(),
        default="optimal",
        metavar="optimal|fast|W",
        help="As short as can be; at once; at most W × the optimum.",
    ),
    click.option(
        "--algorithm", type=Words(algorithm_names), metavar="NAME", help="A textbook algorithm."
    ),
    heuristic_option,
    click.option("--tables", type=Words(table_names), default="auto", help="Which tables to use."),
)
metric_option = click.option(
    "--metric",
    type=click.Choice(["single", "multi"]),
    default="single",
    help="What counts as a move: one tile's slide, or a whole run's.",
)
threads_option = click.option(
    "--threads", type=click.IntRange(min=1), default=1, metavar="N", help="How many cores to use."
)
algorithm_options = options(
    click.option("--weight", type=float, metavar="W", help="How much wastar trusts h."),
    click.option("--width", type=int, metavar="N", help="How many boards beam keeps of a layer."),
    click.option("--depth", type=int, metavar="N", help="How deep dfs goes."),
)


cluster_option = click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Share the work with a Dask cluster: tcp://host:8786, or local:N for N workers here.",
)


def export_options(what: str) -> Callable[[F], F]:
    return options(
        click.option(
            "--export",
            type=ExportType(path_type=Path),
            metavar="FILE",
            help=f"Write {what}: .svg, .png, .gif or .cast.",
        ),
        click.option(
            "--scheme",
            type=click.Choice(["plain", "rows", "fringe"]),
            default="plain",
            help="The colours of its tiles.",
        ),
        click.option("--dark", is_flag=True, help="Dark tiles on a dark ground."),
    )


speed_option = click.option(
    "--speed",
    type=click.FloatRange(min=0, min_open=True),
    default=1.0,
    metavar="X",
    help="X times as fast.",
)


def limit_options(seconds: float) -> Callable[[F], F]:
    return options(
        click.option(
            "--time",
            "seconds",
            type=click.FloatRange(min=0),
            default=seconds,
            show_default=True,
            metavar="SECONDS",
            help="Stop after this long; inf: never.",
        ),
        click.option(
            "--expanded", type=click.IntRange(min=1), metavar="N", help="Stop after N expansions."
        ),
        click.option(
            "--memory", type=SizeType(), metavar="SIZE", help="Keep within SIZE (half the free)."
        ),
    )


def make_limit(seconds: float, expanded: int | None, memory: int | None) -> Limit:
    from .result import Limit

    return Limit(seconds=seconds, expanded=expanded, memory=memory)


def given(options: dict[str, float | None]) -> dict[str, Any]:
    """Those options that are there."""
    return {name: value for name, value in options.items() if value is not None}


def read_board(words: tuple[str, ...]) -> Board:
    from .board import Board
    from .files import read_argument

    return Board.parse(read_argument(words))


def read_with_goal(words: tuple[str, ...], goal: str | None) -> tuple[Board, Board]:
    """The board and its goal; who left out a goal that the format suggests is told."""
    from . import goals, notation
    from .files import read_argument

    usual, board = notation.recognise(read_argument(words))
    if goal is not None:
        return board, goals.resolve(read_goal(goal), board.shape)
    if usual.goal != goals.DEFAULT:
        click.echo(
            f"note: boards in the format {usual.name} usually have the goal {usual.goal} "
            f"(--goal {usual.goal}); this is for {goals.DEFAULT}",
            err=True,
        )
    return board, goals.resolve(None, board.shape)


def read_replay(words: tuple[str, ...], goal: str | None = None) -> Replay:
    """The replay that words mean: that of a recorded game, a file's, or their own."""
    from .files import read_argument
    from .records import find_replay
    from .replay import Replay

    found = find_replay(" ".join(words))
    return found or Replay.parse(read_argument(words), goal=read_goal(goal))


def read_goal(goal: str | None) -> str | None:
    from .files import read_argument

    return goal if goal is None or goal in goal_names() else read_argument((goal,))


def print_json(value: object) -> None:
    click.echo(json.dumps(value, ensure_ascii=False))


@contextmanager
def connected(address: str | None) -> Iterator[ClusterExecutor | None]:
    """The workers of a cluster, if one is asked for; what is odd about them is told on stderr."""
    if address is None:
        yield None
        return
    import logging

    from .cluster import connect

    # Dask tells of every worker that comes or goes, in the middle of the line of progress.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    with connect(address, say=lambda words: click.echo(f"note: {words}", err=True)) as executor:
        yield executor


@contextmanager
def interruptible() -> Iterator[threading.Event]:
    """Within, the first Ctrl-C cancels the run, so that its best answer is kept."""
    cancel = threading.Event()

    def on_interrupt(number: int, frame: object) -> None:
        if cancel.is_set():
            raise KeyboardInterrupt
        cancel.set()

    before = signal.signal(signal.SIGINT, on_interrupt)
    try:
        yield cancel
    finally:
        signal.signal(signal.SIGINT, before)
