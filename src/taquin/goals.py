"""The named goals. A goal is just a Board; any board of the same shape will do."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from . import _native
from .board import Board, Shape, check_shape
from .errors import AmbiguousError, BoardError, TaquinError, UnknownNameError, look_up

DEFAULT = "blank-last"


def blank_last(rows: int, cols: int) -> Board:
    """Reading order, the blank in the last cell.

    >>> blank_last(2, 3)
    Board('1 2 3/4 5 0')
    """
    check_shape(rows, cols)
    return Board([*range(1, rows * cols), 0], shape=(rows, cols))


def blank_first(rows: int, cols: int) -> Board:
    """Reading order, the blank in the first cell.

    >>> blank_first(2, 3)
    Board('0 1 2/3 4 5')
    """
    check_shape(rows, cols)
    return Board(range(rows * cols), shape=(rows, cols))


def column_major(rows: int, cols: int) -> Board:
    """Column by column, the blank in the last cell.

    >>> column_major(3, 3)
    Board('1 4 7/2 5 8/3 6 0')
    """
    check_shape(rows, cols)
    cells = [row + rows * col + 1 for row in range(rows) for col in range(cols)]
    return Board([*cells[:-1], 0], shape=(rows, cols))


def snail(rows: int, cols: int) -> Board:
    """Clockwise from the first cell inwards, the blank where the spiral ends.

    >>> snail(3, 4)
    Board('1 2 3 4/10 11 0 5/9 8 7 6')
    """
    check_shape(rows, cols)
    tiles = [0] * (rows * cols)
    for number, cell in enumerate(_spiral(rows, cols)[:-1], 1):
        tiles[cell] = number
    return Board(tiles, shape=(rows, cols))


def _spiral(rows: int, cols: int) -> list[int]:
    """The cells of a clockwise inward spiral, ring by ring."""
    cells: list[int] = []
    top, bottom, left, right = 0, rows - 1, 0, cols - 1
    while top <= bottom and left <= right:
        cells += [top * cols + col for col in range(left, right + 1)]
        cells += [row * cols + right for row in range(top + 1, bottom + 1)]
        if top < bottom:
            cells += [bottom * cols + col for col in range(right - 1, left - 1, -1)]
        if left < right:
            cells += [row * cols + left for row in range(bottom - 1, top, -1)]
        top, bottom, left, right = top + 1, bottom - 1, left + 1, right - 1
    return cells


NAMED: dict[str, Callable[[int, int], Board]] = {
    "blank-last": blank_last,
    "blank-first": blank_first,
    "column-major": column_major,
    "snail": snail,
}


def named(name: str, rows: int, cols: int) -> Board:
    """The goal of that name.

    >>> named("snail", 3, 3)
    Board('1 2 3/8 0 4/7 6 5')
    """
    return NAMED[look_up("goal", name, NAMED)](rows, cols)


def resolve(goal: Any, shape: Shape) -> Board:
    """The goal that a name, a text, a list or a board means, checked to have the shape.

    >>> resolve("1 2 / 0 3", (2, 2))
    Board('1 2/0 3')
    """
    if goal is None:
        goal = DEFAULT
    board = _read(goal, shape) if isinstance(goal, str) else Board(goal)
    if board.shape != shape:
        raise BoardError(
            f"the goal is {board.rows}×{board.cols}, but the board is {shape[0]}×{shape[1]}"
        )
    return board


@lru_cache(maxsize=4)  # few, as boards may be large; many are solved for the same goal
def _read(text: str, shape: Shape) -> Board:
    """A name or a board; what is neither is more likely a name if it begins with a letter."""
    try:
        return named(text, *shape)
    except UnknownNameError as unknown:
        try:
            return Board.parse(text)
        except AmbiguousError:
            return Board.parse(text, shape=shape)
        except TaquinError:
            if text.strip()[:1].isalpha():
                raise unknown from None
            raise


def name_of(goal: Board) -> str | None:
    """The name of a goal, if it has one.

    >>> name_of(Board("1 2 3 / 8 0 4 / 7 6 5"))
    'snail'
    """
    return next((name for name, make in NAMED.items() if make(*goal.shape) == goal), None)


def canonical(board: Board, goal: Board) -> tuple[int, ...]:
    """The board's tiles renamed so that the goal's tiles read 1, 2, 3 … around its blank.

    Renaming changes no distance, so whatever is known of one goal serves all goals whose blank is
    in the same cell.

    >>> canonical(Board("1 4 7 / 2 5 8 / 3 0 6"), column_major(3, 3))
    (1, 2, 3, 4, 5, 6, 7, 0, 8)
    """
    return _native.renamed(board.tiles, goal.tiles)
