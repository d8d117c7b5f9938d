"""`taquin analyse`: a game, move by move against the optimum."""

from __future__ import annotations

import click

from .cli_options import (
    INTERRUPTED,
    LIMIT,
    OK,
    goal_option,
    interruptible,
    json_option,
    limit_options,
    make_limit,
    print_json,
    read_replay,
)


@click.command()
@click.argument("game", nargs=-1, required=True, metavar="GAME")
@goal_option
@click.option(
    "--most",
    type=click.IntRange(min=0),
    default=5,
    show_default=True,
    metavar="N",
    help="How many mistakes to show, the costliest first.",
)
@click.option("--steps", is_flag=True, help="Show every move.")
@limit_options(10)
@json_option
def analyse(
    game: tuple[str, ...],
    goal: str | None,
    most: int,
    steps: bool,
    seconds: float,
    expanded: int | None,
    memory: int | None,
    as_json: bool,
) -> int:
    """Tell where a game lost moves, and what would have been best.

    GAME is a replay ("1 2 3/4 5 6/0 7 8;L2;0,480": the first board, the moves, and their times in
    milliseconds if they are known), a saved game, a file with one of them, a slidysim link, - for
    standard input, or the id of a recorded game (last: the last one).
    """
    from . import report
    from .analysis import analyse as analyse_replay

    replay = read_replay(game, goal)
    with interruptible() as cancel, report.LiveLine() as line:
        limit = make_limit(seconds, expanded, memory)
        analysis = analyse_replay(replay, limit=limit, on_progress=line, cancel=cancel)
    if as_json:
        print_json(analysis.to_dict())
    else:
        from .report_analysis import show

        show(analysis, most, steps)
    if cancel.is_set():
        return INTERRUPTED
    return OK if analysis.known or not analysis.steps else LIMIT
