"""Random boards, the same for the same seed on every machine and in every version."""

from __future__ import annotations

import random

from . import goals
from .board import Board, Move, check_shape, slides
from .errors import OptionError
from .parity import reaches


def random_board(
    rows: int,
    cols: int,
    *,
    goal: Board | str | None = None,
    seed: int | random.Random | None = None,
    walk: int | None = None,
) -> Board:
    """A random board that reaches the goal.

    Uniform over exactly those boards, or, with `walk`, that many random moves from the goal
    (never straight back). Pass one `random.Random` as the seed to draw many boards.

    >>> random_board(4, 4, seed=7)
    Board('11 8 14 1/15 7 3 13/10 12 4 6/0 9 2 5')
    """
    target = goals.resolve(goal, check_shape(rows, cols))
    generator = seed if isinstance(seed, random.Random) else random.Random(seed)
    if walk is not None:
        return _walked(target, walk, generator)
    return _uniform(target, generator)


def below(n: int, generator: random.Random) -> int:
    """A whole number from 0 to n - 1."""
    # random() is the one method whose sequence Python promises never to change.
    return int(generator.random() * n)


def _uniform(goal: Board, generator: random.Random) -> Board:
    if min(goal.shape) == 1:
        tiles = [tile for tile in goal.tiles if tile]
        tiles.insert(below(len(goal), generator), 0)
        return Board(tiles, shape=goal.shape)
    tiles = list(range(len(goal)))
    for i in reversed(range(1, len(tiles))):
        j = below(i + 1, generator)
        tiles[i], tiles[j] = tiles[j], tiles[i]
    board = Board(tiles, shape=goal.shape)
    # Exchanging two tiles pairs each unsolvable board with one solvable board: still uniform.
    return board if reaches(board, goal) else board.exchange(1, 2)


def _walked(goal: Board, steps: int, generator: random.Random) -> Board:
    if steps < 0:
        raise OptionError(f"a walk can't have {steps} steps")
    table = slides(*goal.shape)
    blank = goal.blank
    moves: list[Move] = []
    for _ in range(steps):
        choices = [m for m in table[blank] if not moves or m != moves[-1].opposite]
        # In a corner of a one-line board the only move is back.
        choices = choices or list(table[blank])
        move = choices[below(len(choices), generator)]
        moves.append(move)
        blank = table[blank][move]
    return goal.slide(moves)
