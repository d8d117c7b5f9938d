"""Answers to whole groups of small boards, looked up in tables of exact distances by one call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from . import goals, tables
from .board import Board, Shape
from .engine import exact_table
from .errors import TaquinError
from .heartbeat import Cancel


class Small(NamedTuple):
    """A board that may be looked up: a byte for each tile."""

    shape: Shape
    tiles: bytes
    text: str = ""
    """What `str` gives of the board, if that is known."""


class _Shelf(NamedTuple):
    goal: Board
    table: Any
    names: bytes
    """The name of each tile where the goal reads 1, 2, 3 …, see `goals.canonical`."""


class Nowhere:
    """Said of boards that have no table."""


NOWHERE: Final = Nowhere()


class Lookup:
    """The tables that `solve` would look a board up in, given a goal and its other options."""

    def __init__(
        self, goal: Board | str | None, options: dict[str, Any], cancel: Cancel | None = None
    ) -> None:
        self._goal = goal
        self._set = options.get("tables", "auto")
        self._cancel = cancel
        limit = options.get("limit")
        self._memory = None if limit is None else limit.memory
        self._shelves: dict[Shape, _Shelf | None] = {}
        textbook = options.get("algorithm") is not None or options.get("heuristic") is not None
        self._usable = not textbook and options.get("metric", "single") == "single"

    def goal(self, shape: Shape) -> Board:
        """The goal of boards that were looked up."""
        shelf = self._shelves[shape]
        assert shelf is not None
        return shelf.goal

    def letters(self, boards: Sequence[Small | None]) -> list[str | Nowhere | None]:
        """The moves of each board; None for those that can't be solved.

        >>> boards = [Small((2, 2), b"\\1\\0\\3\\2"), Small((2, 2), b"\\2\\1\\3\\0"), None]
        >>> Lookup(None, {}).letters(boards)[:2]
        ['U', None]
        """
        places: dict[Shape, list[int]] = {}
        for place, board in enumerate(boards):
            if board is not None:
                places.setdefault(board.shape, []).append(place)
        found: list[str | Nowhere | None] = [NOWHERE] * len(boards)
        for shape, here in places.items():
            shelf = self._shelf(shape)
            if shelf is None:
                continue
            tiles = b"".join([boards[place].tiles for place in here])  # type: ignore[union-attr]
            answers = shelf.table.answers(tiles.translate(shelf.names), self._hook)
            for place, answer in zip(here, answers, strict=True):
                found[place] = answer
        return found

    def _shelf(self, shape: Shape) -> _Shelf | None:
        if shape not in self._shelves:
            self._shelves[shape] = self._find(shape) if self._usable else None
        return self._shelves[shape]

    def _find(self, shape: Shape) -> _Shelf | None:
        if shape[0] * shape[1] > tables.STORED_EXACT_CELLS:
            return None
        try:
            goal = goals.resolve(self._goal, shape)
            table = exact_table(goal, self._set, self._memory, self._hook)
        except TaquinError:
            # Whoever solves such a board one by one is told.
            return None
        if table is None:
            return None
        names = bytearray(256)
        for name, tile in enumerate((tile for tile in goal.tiles if tile), 1):
            names[tile] = name
        return _Shelf(goal, table, bytes(names))

    def _hook(self, *counts: float) -> bool:
        return self._cancel is not None and self._cancel.is_set()
