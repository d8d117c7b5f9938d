"""The named goals. A goal is just a Board; any board of the same shape will do."""

from __future__ import annotations

from collections.abc import Callable

from .board import Board, Shape, check_shape
from .errors import AmbiguousError, BoardError, UnknownNameError

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
    """The cells of a clockwise inward spiral: take the first row, turn the rest, go on."""
    grid = [list(range(row * cols, (row + 1) * cols)) for row in range(rows)]
    cells: list[int] = []
    while grid:
        cells += grid.pop(0)
        grid = [list(row) for row in zip(*grid, strict=True)][::-1]
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
    goal = NAMED.get(name.strip().lower().replace("_", "-"))
    if goal is None:
        raise UnknownNameError("goal", name, NAMED)
    return goal(rows, cols)


def resolve(goal: Board | str | None, shape: Shape) -> Board:
    """The goal that a name, a text or a board means, checked to have the shape.

    >>> resolve("1 2 / 0 3", (2, 2))
    Board('1 2/0 3')
    """
    if goal is None:
        goal = DEFAULT
    if isinstance(goal, str):
        is_name = goal.strip()[:1].isalpha() and not any(c.isdigit() for c in goal)
        goal = named(goal, *shape) if is_name else _parse(goal, shape)
    if goal.shape != shape:
        raise BoardError(
            f"the goal is {goal.rows}×{goal.cols}, but the board is {shape[0]}×{shape[1]}"
        )
    return goal


def _parse(text: str, shape: Shape) -> Board:
    try:
        return Board.parse(text)
    except AmbiguousError:
        return Board.parse(text, shape=shape)


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
    names = [0] * len(goal)
    for name, tile in enumerate((tile for tile in goal.tiles if tile), 1):
        names[tile] = name
    return tuple([names[tile] for tile in board.tiles])
