"""Sequences of moves: take back, shorten, measure, check. (`notation` reads and writes them.)"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from itertools import islice
from typing import TYPE_CHECKING

from . import _native, goals
from .board import OPPOSITE, Board, Move, replay, slides
from .errors import IllegalMoveError, UnknownNameError

if TYPE_CHECKING:
    from .heartbeat import Hook

METRICS = ("single", "multi")
CONVENTIONS = ("tile", "blank")


def _sequence(moves: str | Iterable[Move]) -> list[Move]:
    if isinstance(moves, str):
        from .notation import read_moves

        return list(read_moves(moves))
    return _moves(moves)


_BY_LETTER = {move.value: move for move in Move}


def _moves(moves: Iterable[Move]) -> list[Move]:
    """The moves, letters among them, too. To make a `Move` of what is one takes long."""
    return [_BY_LETTER.get(move) or Move(move) for move in moves]


def apply(board: Board, sequence: str | Iterable[Move], *, moves: str = "tile") -> Board:
    """The board after the moves: the same as `board.slide`."""
    return board.slide(sequence, moves=moves)


def invert(moves: str | Iterable[Move]) -> tuple[Move, ...]:
    """The moves that lead back.

    >>> "".join(invert("RU2"))
    'DDL'
    """
    return tuple(move.opposite for move in reversed(_sequence(moves)))


def simplify(moves: str | Iterable[Move]) -> tuple[Move, ...]:
    """The moves without those that are taken back at once, however deeply nested.

    >>> "".join(simplify("RUDLL"))
    'L'
    """
    kept: list[Move] = []
    for move in _sequence(moves):
        if kept and kept[-1] == move.opposite:
            kept.pop()
        else:
            kept.append(move)
    return tuple(kept)


def from_letters(letters: str, hook: Hook | None = None) -> tuple[Move, ...]:
    """The moves that the native core names: one of U D L R for each.

    What `hook` raises ends it; of millions of moves it is called now and then.

    >>> from_letters("UL") == (Move.U, Move.L)
    True
    """
    return _native.spelled(letters, _BY_LETTER, hook)


def check_metric(metric: str) -> str:
    """The metric, if there is one of that name."""
    if metric not in METRICS:
        raise UnknownNameError("metric", metric, METRICS)
    return metric


def length(moves: str | Iterable[Move], metric: str = "single") -> int:
    """How many moves: every tile counts (`single`), or a run of tiles counts once (`multi`).

    >>> length("R2U"), length("R2U", "multi")
    (3, 2)
    """
    sequence = moves if isinstance(moves, tuple) else _sequence(moves)
    if check_metric(metric) == "multi":
        turns: int = sum(map(operator.ne, sequence, islice(sequence, 1, None)))
        return turns + bool(sequence)
    return len(sequence)


def verify(
    board: Board,
    sequence: str | Iterable[Move],
    goal: Board | str | None = None,
    *,
    moves: str = "tile",
) -> bool:
    """Whether the moves can be made one after the other and end at the goal.

    >>> verify(Board("1 2 3 / 4 5 6 / 0 7 8"), "L2")
    True
    >>> verify(Board("1 2 3 / 4 5 6 / 0 7 8"), "R2", moves="blank")
    True
    """
    target = goals.resolve(goal, board.shape)
    try:
        return board.slide(sequence, moves=moves) == target
    except IllegalMoveError:
        return False


def tile_numbers(board: Board, moves: Iterable[Move]) -> list[int]:
    """The tile that each move slides.

    >>> tile_numbers(Board("1 2 3 / 4 5 6 / 0 7 8"), [Move.L, Move.L])
    [7, 8]
    """
    return list(replay(list(board.tiles), board.shape, moves))


def from_tile_numbers(board: Board, numbers: Iterable[int]) -> tuple[Move, ...]:
    """The moves that slide these tiles in turn; each must lie next to the blank.

    >>> "".join(from_tile_numbers(Board("1 2 3 / 4 5 6 / 0 7 8"), [7, 8]))
    'LL'
    """
    table = slides(*board.shape)
    tiles = list(board.tiles)
    blank = board.blank
    moves = []
    for number, tile in enumerate(numbers, 1):
        near = {tiles[cell]: (move, cell) for move, cell in table[blank].items()}
        if tile not in near:
            choice = ", ".join(map(str, sorted(near)))
            raise IllegalMoveError(
                f"move {number}: tile {tile} is not next to the blank (those are {choice})"
            )
        move, cell = near[tile]
        moves.append(move)
        tiles[blank], tiles[cell] = tile, 0
        blank = cell
    return tuple(moves)


def by_convention(moves: Iterable[Move], convention: str) -> list[Move]:
    """The moves named by the tile's direction (as they are) or by the blank's (the opposite).

    >>> by_convention([Move.R], "blank")
    [<Move.L: 'L'>]
    """
    check_convention(convention)
    named = _moves(moves)
    return [OPPOSITE[move] for move in named] if convention == "blank" else named


def check_convention(convention: str) -> None:
    """That `moves=` is tile or blank."""
    if convention not in CONVENTIONS:
        raise UnknownNameError("move convention", convention, CONVENTIONS)
