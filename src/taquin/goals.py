"""The named goals. A goal is just a Board; any board of the same shape will do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any

from . import _native
from .board import Board, Shape, check_shape, unchecked
from .errors import AmbiguousError, BoardError, TaquinError, UnknownNameError, look_up

if TYPE_CHECKING:
    from .heartbeat import Hook

DEFAULT = "blank-last"


def blank_last(rows: int, cols: int) -> Board:
    """Reading order, the blank in the last cell.

    >>> blank_last(2, 3)
    Board('1 2 3/4 5 0')
    """
    check_shape(rows, cols)
    return unchecked(rows, cols, (*range(1, rows * cols), 0))


def blank_first(rows: int, cols: int) -> Board:
    """Reading order, the blank in the first cell.

    >>> blank_first(2, 3)
    Board('0 1 2/3 4 5')
    """
    check_shape(rows, cols)
    return unchecked(rows, cols, tuple(range(rows * cols)))


def column_major(rows: int, cols: int) -> Board:
    """Column by column, the blank in the last cell.

    >>> column_major(3, 3)
    Board('1 4 7/2 5 8/3 6 0')
    """
    check_shape(rows, cols)
    tiles = list(
        chain.from_iterable(range(row, rows * cols + 1, rows) for row in range(1, rows + 1))
    )
    return unchecked(rows, cols, (*tiles[:-1], 0))


def snail(rows: int, cols: int) -> Board:
    """Clockwise from the first cell inwards, the blank where the spiral ends.

    >>> snail(3, 4)
    Board('1 2 3 4/10 11 0 5/9 8 7 6')
    """
    check_shape(rows, cols)
    tiles = [0] * (rows * cols)
    number = 1
    for cells in _spiral(rows, cols):
        tiles[cells.start : cells.stop : cells.step] = range(number, number + len(cells))
        number += len(cells)
        last = cells[-1]
    tiles[last] = 0
    return unchecked(rows, cols, tuple(tiles))


def _spiral(rows: int, cols: int) -> Iterator[range]:
    """The cells of a clockwise inward spiral, side by side."""
    top, bottom, left, right = 0, rows - 1, 0, cols - 1
    while top <= bottom and left <= right:
        yield range(top * cols + left, top * cols + right + 1)
        if top < bottom:
            yield range((top + 1) * cols + right, bottom * cols + right + 1, cols)
            if left < right:
                yield range(bottom * cols + right - 1, bottom * cols + left - 1, -1)
                if top + 1 < bottom:
                    yield range((bottom - 1) * cols + left, top * cols + left, -cols)
        top, bottom, left, right = top + 1, bottom - 1, left + 1, right - 1


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


def canonical(board: Board, goal: Board, hook: Hook | None = None) -> tuple[int, ...]:
    """The board's tiles renamed so that the goal's tiles read 1, 2, 3 … around its blank.

    Renaming changes no distance, so whatever is known of one goal serves all goals whose blank is
    in the same cell.

    >>> canonical(Board("1 4 7 / 2 5 8 / 3 0 6"), column_major(3, 3))
    (1, 2, 3, 4, 5, 6, 7, 0, 8)
    """
    return _native.renamed(board.tiles, goal.tiles, hook)
