"""A board that someone types in: whether it can be played, and if not, why and how to mend it."""

from __future__ import annotations

from dataclasses import dataclass

from . import goals, notation
from .board import Board, Shape
from .errors import BoardError, TaquinError
from .parity import solvability

MAX_SIDE = 50
"""Larger boards can be solved, but nobody plays them."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A board to be played, or the reason why not."""

    board: Board | None
    """None if the text is no board."""
    goal: Board | None
    playable: bool
    words: str
    """One sentence that says how it is."""
    fix: Board | None = None
    """The nearest board that can be played, if this one can't,"""
    fix_words: str = ""
    """and what would have to be done to it."""


def check_playable(shape: Shape) -> Shape:
    """The shape, if a board of it can be played."""
    rows, cols = shape
    if min(shape) < 2 or max(shape) > MAX_SIDE:
        raise BoardError(f"{rows}×{cols} can't be played: a side has 2 to {MAX_SIDE} cells")
    return shape


def examine(text: str, goal: Board | str | None = None) -> Proposal:
    """What a text means as a board to be played to a goal.

    A goal of another shape than the board is not meant; the usual one is.

    >>> examine("1 8 2 / 0 4 5 / 3 7 6").fix_words
    'exchange 2 and 3'
    >>> examine("1 2 3 / 4 5 5 / 8 7 0").words
    'tile 5 appears twice (cells 5 and 6)'
    """
    if not text.strip():
        return _refused("type the rows with / between, and 0 for the blank")
    try:
        board = notation.read(text)
        if isinstance(goal, Board) and goal.shape != board.shape:
            goal = None
        target = goals.resolve(goal, check_playable(board.shape))
    except TaquinError as error:
        return _refused(str(error))
    if board == target:
        return _refused("this is the goal already", board, target)
    verdict = solvability(board, target)
    if verdict:
        return Proposal(board, target, True, f"{board.rows}×{board.cols}, {verdict.reason}")
    if verdict.fix is None:
        return _refused(verdict.reason, board, target)
    low, high = verdict.fix
    fix = board.exchange(low, high)
    if fix == target:
        return _refused(f"{verdict.reason} With {low} and {high} exchanged it is the goal.", board)
    return Proposal(board, target, False, verdict.reason, fix, f"exchange {low} and {high}")


def _refused(words: str, board: Board | None = None, goal: Board | None = None) -> Proposal:
    return Proposal(board, goal, False, words)
