"""The heuristics of the panel, bound to a goal once and read at every move."""

from __future__ import annotations

from .. import heuristics
from ..board import Board
from ..errors import OptionError
from ..heuristics import Bound

NAMES = ("manhattan", "linear-conflict", "walking-distance")


class Gauges:
    """What heuristics say of boards. To make one takes a moment, since tables are built.

    >>> Gauges(Board("1 2 3 / 4 5 6 / 7 8 0")).read(Board("1 2 3 / 4 5 6 / 0 7 8"))
    {'manhattan': 2, 'linear-conflict': 2, 'walking-distance': 2}
    """

    def __init__(self, goal: Board) -> None:
        self.goal = goal
        self._bound: dict[str, Bound] = {}
        for name in NAMES:
            try:
                self._bound[name] = heuristics.get(name).bind(goal)
            except OptionError:
                # Walking distance has no table for large boards; the panel shows a dash.
                continue

    def read(self, board: Board) -> dict[str, int]:
        return {name: bound(board) for name, bound in self._bound.items()}
