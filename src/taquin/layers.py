"""The boards at each distance from a goal, for shapes whose exact distances can be had."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Any

from . import tables
from .board import Board
from .errors import OptionError, TableError
from .goals import canonical
from .shuffle import below, random_board

_RARE = 1000
"""A layer with less than one in so many boards is listed; boards of others are drawn until one
fits, which is quicker than to list them."""

_LISTS_KEPT = 64


class Layers:
    """All boards that reach a goal, by their distance from it; for boards of at most 12 cells.

    The tables of 11 and 12 cells are built and stored if need be, which takes a few seconds.

    >>> from taquin import goals
    >>> layers = Layers(goals.blank_last(3, 3))
    >>> len(layers.counts) - 1, layers.counts[31], layers.boards(31)[0]
    (31, 2, Board('6 4 7/8 5 0/3 2 1'))
    """

    def __init__(self, goal: Board) -> None:
        if len(goal) > tables.STORED_EXACT_CELLS:
            raise OptionError(
                f"exact distances are for boards of at most {tables.STORED_EXACT_CELLS} cells, "
                f"not {goal.rows}×{goal.cols}"
            )
        self.goal = goal
        self._names = [0, *(tile for tile in goal.tiles if tile)]
        if len(goal) <= tables.EXACT_CELLS:
            self._table: Any = tables.exact(goal)
            self.counts: Sequence[int] = self._table.layers()
        else:
            self._table = tables.obtain_exact(goal)
            self.counts = _stored_counts(goal)

    def distance(self, board: Board) -> int:
        """How many moves a board is from the goal."""
        return int(self._table.distance(canonical(board, self.goal)))

    def boards(self, distance: int) -> list[Board]:
        """Every board at a distance; of 12 cells there may be more than memory has room for."""
        count = self._count(distance)
        return sorted(map(self._named, self._table.at(distance, count)))

    def draw(self, distance: int, generator: Random) -> Board:
        """A random board at a distance, each as likely as the others.

        >>> from taquin import goals
        >>> layers = Layers(goals.snail(3, 3))
        >>> layers.distance(layers.draw(12, Random(1)))
        12
        """
        count = self._count(distance)
        if len(self.goal) <= tables.EXACT_CELLS:
            ranks = _ranks(self._table, distance)
            return self._named(self._table.unrank(ranks[below(count, generator)]))
        if count * _RARE < sum(self.counts):
            cells, place = len(self.goal), below(count, generator)
            listed = _listed(self._table, distance, count)
            return self._named(listed[place * cells : (place + 1) * cells])
        while True:
            board = random_board(*self.goal.shape, goal=self.goal, seed=generator)
            if self.distance(board) == distance:
                return board

    def _count(self, distance: int) -> int:
        last = len(self.counts) - 1
        if not 0 <= distance <= last:
            raise OptionError(
                f"no board is {distance} moves from the goal; the farthest "
                f"{self.goal.rows}×{self.goal.cols} boards are {last}"
            )
        return self.counts[distance]

    def _named(self, tiles: Sequence[int]) -> Board:
        return Board([self._names[tile] for tile in tiles], shape=self.goal.shape)


def _stored_counts(goal: Board) -> list[int]:
    counts = tables.exact_layers(goal)
    if counts is None:
        raise TableError(
            f"the exact distances of {goal.rows}×{goal.cols} boards can't be stored: "
            "see taquin tables"
        )
    return counts


@lru_cache(maxsize=_LISTS_KEPT)
def _ranks(table: Any, distance: int) -> array[int]:
    """The numbers of all boards at a distance."""
    return array("I", (rank for rank, far in enumerate(table.distances()) if far == distance))


@lru_cache(maxsize=_LISTS_KEPT)
def _listed(table: Any, distance: int, count: int) -> bytes:
    """The tiles of all boards at a distance, one byte each."""
    return b"".join(map(bytes, table.at(distance, count)))
