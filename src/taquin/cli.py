"""The command: arguments, one library call, print, exit code.

Exit codes: 0 yes or solved, 1 no or unsolvable, 2 bad input or usage, 3 stopped by a limit with
nothing found, 130 interrupted, 141 the reader of a pipe has gone.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from . import __version__
from .cli_analyse import analyse
from .cli_batch import batch
from .cli_bench import bench
from .cli_options import (
    BAD,
    INTERRUPTED,
    LIMIT,
    NO,
    OK,
    PIPE,
    ShapeType,
    Words,
    algorithm_names,
    algorithm_options,
    board_argument,
    cluster_option,
    connected,
    export_options,
    format_names,
    given,
    goal_option,
    heuristic_names,
    heuristic_option,
    interruptible,
    json_option,
    limit_options,
    make_limit,
    method_options,
    metric_option,
    moves_option,
    print_json,
    read_board,
    read_goal,
    read_with_goal,
    speed_option,
    threads_option,
)
from .cli_pddl import pddl
from .cli_play import play
from .cli_records import records
from .cli_replay import replay
from .cli_serve import serve
from .cli_tables import tables
from .errors import TaquinError

if TYPE_CHECKING:
    from .board import Board
    from .result import Result


def main() -> NoReturn:
    """Run the command; whatever goes wrong is one line on stderr and an exit code."""
    _open_streams()
    try:
        code = cli.main(prog_name="taquin", standalone_mode=False)
        sys.stdout.flush()
    except SystemExit as exit:
        # In this mode click (and rich) leave by themselves only if the reader of a pipe has gone,
        # or after a shell's question for completions.
        gone = exit.code == 1 and "_TAQUIN_COMPLETE" not in os.environ
        code = PIPE if gone else exit.code
    except (TaquinError, OSError, click.ClickException) as error:
        code = _complain(error)
    except (KeyboardInterrupt, click.Abort):
        code = _say("interrupted", INTERRUPTED)
    _settle_output()
    sys.exit(code or OK)


def _complain(error: Exception) -> int:
    if isinstance(error, BrokenPipeError):
        return PIPE
    if isinstance(error, click.UsageError):
        where = f" (see {error.ctx.command_path} --help)" if error.ctx else ""
        return _say(error.format_message().replace("\n", " ") + where, BAD)
    if isinstance(error, click.ClickException):
        return _say(error.format_message(), BAD)
    if isinstance(error, OSError) and not isinstance(error, TaquinError):
        return _say(f"{error.filename or 'output'}: {error.strerror or error}", BAD)
    return _say(str(error), BAD)


def _settle_output() -> None:
    """Python writes what is left once more at exit; where it can't, that must go elsewhere."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _say(message: str, code: int) -> int:
    # Where even this can't be said, the exit code still can.
    with suppress(OSError):
        click.echo(f"taquin: {message}", err=True)
    return code


def _open_streams() -> None:
    """Give output that nobody takes somewhere to go."""
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115


def _exit_code(result: Result) -> int:
    if result.status == "unsolvable":
        return NO
    if result.status == "cancelled":
        return INTERRUPTED
    return OK if result.solution is not None else LIMIT


# --- the commands -------------------------------------------------------------------------------


@click.group(invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="taquin %(version)s")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Play, solve and study sliding-tile puzzles of any size.

    BOARD is text in any format ("8 6 7 / 2 5 4 / 3 0 1"), a file, or - for standard input; 0 is
    the blank. Moves name the direction in which a tile slides.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


@cli.command()
@board_argument
@goal_option
@method_options
@metric_option
@click.option(
    "--checkpoint",
    metavar="FILE",
    help="Keep in FILE how far the search has come, and go on from there.",
)
@cluster_option
@limit_options(60)
@threads_option
@algorithm_options
@moves_option
@click.option("--steps", is_flag=True, help="Show every board on the way.")
@export_options("a film of the solution")
@speed_option
@json_option
def solve(
    board: tuple[str, ...],
    goal: str | None,
    quality: str | float,
    algorithm: str | None,
    heuristic: str | None,
    tables: str,
    metric: str,
    checkpoint: str | None,
    cluster: str | None,
    seconds: float,
    expanded: int | None,
    memory: int | None,
    threads: int,
    moves: str,
    steps: bool,
    export: Path | None,
    scheme: str,
    dark: bool,
    speed: float,
    as_json: bool,
    **extra: float | None,
) -> int:
    """Find the moves from BOARD to the goal."""
    from . import report, sharing
    from .solver import solve as solve_board

    start, target = read_with_goal(board, goal)
    with connected(cluster) as executor, interruptible() as cancel, report.LiveLine() as line:
        result = solve_board(
            start,
            target,
            quality=quality,
            algorithm=algorithm,
            heuristic=heuristic,
            tables=tables,
            metric=metric,
            checkpoint=checkpoint,
            executor=executor,
            limit=make_limit(seconds, expanded, memory),
            threads=threads,
            on_progress=line,
            cancel=cancel,
            **given(extra),
        )
    if as_json:
        print_json(result.to_dict(moves=moves))
    else:
        _print_result(result, moves, steps)
    if export is not None and result.solution is not None:
        sharing.export(result.solution, export, scheme=scheme, dark=dark, speed=speed)
    elif export is not None:
        click.echo(f"note: there is no solution to write to {export}", err=True)
    return _exit_code(result)


@cli.command()
@board_argument
@goal_option
@click.option(
    "--most",
    type=click.IntRange(min=0),
    default=10,
    show_default=True,
    metavar="N",
    help="How many to print.",
)
@limit_options(60)
@moves_option
@json_option
def solutions(
    board: tuple[str, ...],
    goal: str | None,
    most: int,
    seconds: float,
    expanded: int | None,
    memory: int | None,
    moves: str,
    as_json: bool,
) -> int:
    """Find all shortest solutions of BOARD, which has at most 16 cells."""
    from . import report
    from .heartbeat import Stopped
    from .parity import reaches, solvability
    from .solutions import all_solutions, unanswered

    start, target = read_with_goal(board, goal)
    if not reaches(start, target):
        verdict = solvability(start, target)
        data = unanswered(start, target, "unsolvable", verdict.reason, moves=moves)
        _print_either(data, report.verdict_lines(start, target, verdict), as_json)
        return NO
    limit = make_limit(seconds, expanded, memory)
    try:
        with interruptible() as cancel, report.LiveLine() as line:
            found = all_solutions(
                start, target, most=most, limit=limit, on_progress=line, cancel=cancel
            )
    except Stopped as stop:
        data = unanswered(start, target, stop.status, stop.reason, moves=moves)
        words = f"{stop.status}: {stop.reason}" if stop.reason else stop.status
        _print_either(data, [words], as_json)
        return INTERRUPTED if stop.status == "cancelled" else LIMIT
    _print_either(found.to_dict(moves=moves), report.solutions_lines(found, moves), as_json)
    return OK


def _print_either(data: dict[str, Any], lines: Iterable[str], as_json: bool) -> None:
    if as_json:
        print_json(data)
        return
    for line in lines:
        click.echo(line, color=True)


def _print_result(result: Result, moves: str, steps: bool) -> None:
    from . import report
    from .parity import solvability

    if result.status == "unsolvable":
        verdict = solvability(result.board, result.goal)
        lines = report.verdict_lines(result.board, result.goal, verdict)
    else:
        lines = report.result_lines(result, moves)
    if result.solution is not None and steps:
        click.echo(report.steps(result.solution, moves), color=True)
    for line in lines:
        click.echo(line, color=True)


@cli.command()
@board_argument
@goal_option
@json_option
def check(board: tuple[str, ...], goal: str | None, as_json: bool) -> int:
    """Tell whether BOARD reaches the goal, why, and the nearest fix."""
    from . import report
    from .parity import solvability

    start, target = read_with_goal(board, goal)
    verdict = solvability(start, target)
    if as_json:
        print_json({"board": str(start), "goal": str(target), **verdict.to_dict()})
    else:
        for line in report.verdict_lines(start, target, verdict):
            click.echo(line, color=True)
    return OK if verdict else NO


@cli.command()
@board_argument
@goal_option
@click.option("--ascii", "style", flag_value="ascii", help="Draw with + - | only.")
@export_options("a picture")
def show(
    board: tuple[str, ...],
    goal: str | None,
    style: str | None,
    export: Path | None,
    scheme: str,
    dark: bool,
) -> int:
    """Draw BOARD, here or as a picture."""
    from . import goals, report, sharing

    start = read_board(board)
    target = goals.resolve(read_goal(goal), start.shape)
    if export is not None:
        sharing.export(start, export, goal=target, scheme=scheme, dark=dark)
        return OK
    drawn = start.show(style, goal=target) if style else report.drawing(start, target)
    click.echo(drawn, color=True)
    return OK


@cli.command()
@click.argument("shape", type=ShapeType(), metavar="ROWSxCOLS")
@goal_option
@click.option(
    "--count", type=click.IntRange(min=1), default=1, metavar="N", help="How many boards."
)
@click.option("--seed", type=int, metavar="N", help="The same seed gives the same boards.")
@click.option(
    "--walk", type=click.IntRange(min=0), metavar="N", help="N random moves from the goal."
)
def random(
    shape: tuple[int, int], goal: str | None, count: int, seed: int | None, walk: int | None
) -> int:
    """Print random boards, one a line, that reach the goal."""
    from random import Random

    from .shuffle import random_board

    target = read_goal(goal)
    generator = Random(seed)
    for _ in range(count):
        click.echo(str(random_board(*shape, goal=target, seed=generator, walk=walk)))
    return OK


@cli.command()
@board_argument
@click.option(
    "--to",
    "format",
    type=Words(format_names),
    required=True,
    metavar="FORMAT",
    help="The format to write.",
)
def convert(board: tuple[str, ...], format: str) -> int:
    """Write BOARD in another format."""
    from . import notation

    click.echo(notation.write(read_board(board), format))
    return OK


@cli.command()
@board_argument
@goal_option
@json_option
def explain(board: tuple[str, ...], goal: str | None, as_json: bool) -> int:
    """Explain what the heuristics say of BOARD, tile by tile."""
    from . import report
    from .errors import OptionError
    from .heuristics import NAMED

    start, target = read_with_goal(board, goal)
    breakdowns = []
    for heuristic in NAMED.values():
        try:
            breakdowns.append(heuristic.explain(start, target))
        except OptionError as error:
            click.echo(f"note: {error}", err=True)
    if as_json:
        heuristics = [breakdown.to_dict() for breakdown in breakdowns]
        print_json({"board": str(start), "goal": str(target), "heuristics": heuristics})
        return OK
    click.echo(report.drawing(start, target), color=True)
    for line in report.breakdown_lines(start, target, breakdowns):
        click.echo(line, color=True)
    return OK


@cli.command()
@board_argument
@goal_option
@click.option(
    "--algorithm",
    type=Words(algorithm_names),
    required=True,
    metavar="NAME",
    help="Which algorithm to watch.",
)
@heuristic_option
@limit_options(60)
@algorithm_options
@click.option(
    "--delay", type=click.FloatRange(0, 60), default=0.05, help="Seconds a picture stays."
)
@moves_option
@json_option
def watch(
    board: tuple[str, ...],
    goal: str | None,
    algorithm: str,
    heuristic: str | None,
    seconds: float,
    expanded: int | None,
    memory: int | None,
    delay: float,
    moves: str,
    as_json: bool,
    **extra: float | None,
) -> int:
    """Watch an algorithm expand board after board.

    A terminal shows pictures, a pipe gets one line each; --json prints JSON Lines, the result last.
    """
    from . import report
    from .solver import solve as solve_board

    start, target = read_with_goal(board, goal)
    with interruptible() as cancel, _event_printer(target, delay, as_json) as show_event:
        result = solve_board(
            start,
            target,
            algorithm=algorithm,
            heuristic=heuristic,
            limit=make_limit(seconds, expanded, memory),
            on_event=show_event,
            cancel=cancel,
            **given(extra),
        )
    if as_json:
        print_json(result.to_dict(moves=moves))
    else:
        for line in report.result_lines(result, moves):
            click.echo(line, color=True)
    return _exit_code(result)


@contextmanager
def _event_printer(goal: Board, delay: float, as_json: bool) -> Iterator[Callable[[Any], None]]:
    """What is done with each expansion: a JSON line, a line, or a picture that stays a while."""
    from . import report

    if as_json:
        yield lambda event: print_json(event.to_dict())
    elif not report.is_terminal():
        yield lambda event: click.echo(report.event_words(event))
    else:
        import time

        from rich.live import Live
        from rich.text import Text

        with Live(console=report.console(), auto_refresh=False, redirect_stdout=False) as live:

            def show_picture(event: Any) -> None:
                picture = Text.from_ansi(report.event_picture(event, goal))
                live.update(picture, refresh=True)
                time.sleep(delay)

            yield show_picture


@cli.command()
@click.argument("boards", nargs=-1, metavar="[BOARD]...")
@click.option("--random", "shape", type=ShapeType(), metavar="ROWSxCOLS", help="Random boards.")
@click.option(
    "--count", type=click.IntRange(min=1), default=1, metavar="N", help="How many random boards."
)
@click.option("--seed", type=int, metavar="N", help="The same seed gives the same boards.")
@click.option("--walk", type=click.IntRange(min=0), metavar="N", help="N moves from the goal.")
@goal_option
@click.option("--algorithms", type=Words(algorithm_names), metavar="A,B,…", help="Names, or all.")
@click.option("--heuristics", type=Words(heuristic_names), metavar="A,B,…", help="Names, or all.")
@limit_options(10)
@json_option
@click.option("--csv", "as_csv", is_flag=True, help="Print one line a run.")
@click.option("--plot", type=click.Path(path_type=Path), metavar="FILE", help="Draw the figures.")
def compare(
    boards: tuple[str, ...],
    shape: tuple[int, int] | None,
    count: int,
    seed: int | None,
    walk: int | None,
    goal: str | None,
    algorithms: str | None,
    heuristics: str | None,
    seconds: float,
    expanded: int | None,
    memory: int | None,
    as_json: bool,
    as_csv: bool,
    plot: Path | None,
) -> int:
    """Run algorithms with heuristics on the same boards and compare what they took."""
    from random import Random

    from . import comparison, files, report
    from .shuffle import random_board

    chosen = [read_board((text,)) for text in boards]
    target = read_goal(goal)
    if shape is not None:
        generator = Random(seed)
        chosen += [
            random_board(*shape, goal=target, seed=generator, walk=walk) for _ in range(count)
        ]
    if not chosen:
        raise click.UsageError("give boards, or --random ROWSxCOLS", click.get_current_context())
    with interruptible() as cancel, report.LiveLine() as line:
        table = comparison.compare(
            chosen,
            target,
            algorithms=_names(algorithms, comparison.ALGORITHMS, algorithm_names),
            heuristics=_names(heuristics, comparison.HEURISTICS, heuristic_names),
            limit=make_limit(seconds, expanded, memory),
            on_progress=line,
            cancel=cancel,
        )
    if plot is not None:
        files.write(plot, table.plot)
    if as_json:
        print_json(table.to_dict())
    elif as_csv:
        click.echo(table.to_csv(), nl=False)
    else:
        report.comparison_table(table)
    return INTERRUPTED if cancel.is_set() else OK


def _names(given: str | None, usual: tuple[str, ...], known: Callable[[], list[str]]) -> list[str]:
    if given is None:
        return list(usual)
    return known() if given == "all" else [name for name in re.split(r"[,\s]+", given) if name]


@cli.command()
@click.argument("shape", type=ShapeType(), metavar="ROWSxCOLS")
@goal_option
@click.option("--layers", is_flag=True, help="Count the boards at each distance.")
@click.option("--depth", type=click.IntRange(min=0), metavar="N", help="How far to count.")
@limit_options(60)
@json_option
def graph(
    shape: tuple[int, int],
    goal: str | None,
    layers: bool,
    depth: int | None,
    seconds: float,
    expanded: int | None,
    memory: int | None,
    as_json: bool,
) -> int:
    """Tell how many boards there are, and how far from the goal."""
    from . import report
    from .graph import BoardGraph

    boards = BoardGraph(*shape, read_goal(goal))
    counts: list[int] = []
    with interruptible() as cancel, report.LiveLine() as line:
        if layers or depth is not None:
            limit = make_limit(seconds, expanded, memory)
            counts += boards.layers(depth, limit=limit, on_progress=line, cancel=cancel)
    if as_json:
        print_json(report.graph_dict(boards, counts))
    else:
        for text in report.graph_lines(boards, counts):
            click.echo(text)
    return INTERRUPTED if cancel.is_set() else OK


cli.add_command(analyse)
cli.add_command(batch)
cli.add_command(bench)
cli.add_command(pddl)
cli.add_command(play)
cli.add_command(records)
cli.add_command(replay)
cli.add_command(serve)
cli.add_command(tables)


@cli.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> int:
    """Print the shell's completion script; load it with eval "$(taquin completion bash)"."""
    from click.shell_completion import get_completion_class

    script = get_completion_class(shell)
    assert script is not None
    click.echo(script(cli, {}, "taquin", "_TAQUIN_COMPLETE").source())
    return OK
