"""`taquin play`: the game on a terminal, or line by line."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from .cli_options import ShapeType, goal_option, read_goal

if TYPE_CHECKING:
    from .session import Session


@click.command()
@click.argument("board", nargs=-1, metavar="[ROWSxCOLS|BOARD]")
@goal_option
@click.option("--seed", type=int, metavar="N", help="The same seed gives the same boards.")
@click.option("--resume", is_flag=True, help="Go on with the game that was left.")
@click.option("--plain", is_flag=True, help="Line by line, for pipes and screen readers.")
def play(
    board: tuple[str, ...], goal: str | None, seed: int | None, resume: bool, plain: bool
) -> int:
    """Play a random board of a size (that of your options, 4x4 at first), or BOARD.

    Arrow keys, the mouse or a tile's number slide tiles; ? shows all keys. The game is kept after
    every move, finished games go to the records. Without a terminal it is played line by line.
    """
    from .session import Session

    if resume and (board or goal):
        raise click.UsageError("--resume takes the game as it was: no board, no goal", _context())
    with Session.open(seed=seed) as session:
        if not (resume and session.resume()):
            if resume:
                session.notes.append("no game was left: this is a new one")
            _begin(session, board, goal)
        if plain or not _has_screen():
            from .plain import run as run_plain

            return run_plain(session)
        from .tui import run

        return run(session)


def _context() -> click.Context:
    return click.get_current_context()


def _has_screen() -> bool:
    """Whether there is a terminal that can be read from and drawn on (textual draws on stderr)."""
    streams = (sys.__stdin__, sys.__stdout__, sys.__stderr__)
    are_terminals = all(stream is not None and stream.isatty() for stream in streams)
    return are_terminals and os.environ.get("TERM") != "dumb"


def _begin(session: Session, words: tuple[str, ...], goal: str | None) -> None:
    """A game with the board that was named, or with a random one of the size that was."""
    from . import goals
    from .cli_options import read_with_goal
    from .errors import BoardError
    from .proposal import examine

    shape = _shape(words)
    if words and shape is None:
        board, target = read_with_goal(words, goal)
        proposal = examine(str(board), target)
        if not proposal.playable:
            fix = f" ({proposal.fix_words}: {proposal.fix})" if proposal.fix else ""
            raise BoardError(f"{proposal.words}{fix}")
        session.begin(board, target)
        return
    shape = shape or session.settings.shape
    session.deal(shape, goals.resolve(read_goal(goal) or session.settings.goal, shape))


def _shape(words: tuple[str, ...]) -> tuple[int, int] | None:
    """The size that is named, if it is one; a number of many digits is rather a board."""
    from .proposal import MAX_SIDE, check_playable

    text = " ".join(words)
    try:
        rows, cols = ShapeType().convert(text, None, None)
    except click.BadParameter:
        return None
    return None if text.isdigit() and rows > MAX_SIDE else check_playable((rows, cols))
