"""The lookups that searches use: exact distances of small boards, and walking distance.

Both depend on the shape and on the cell of the goal's blank only, since tiles can be renamed
(`goals.canonical`). They are quick to build and kept in memory, the ones used last.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from . import _native
from .board import Board
from .errors import OptionError, UnknownNameError

EXACT_CELLS = 10
"""The largest boards that can have an exact table."""

INSTANT_CELLS = 9
"""The largest boards whose exact table is built in a moment, so that no one need ask for it."""

_MOST_KEPT = 16

Hook = Callable[[int, int, int, int], bool]
"""Boards expanded, generated, the bound and the lower bound; true stops the work."""

Key = tuple[int, int, int]
"""Rows, columns and the cell of the goal's blank."""

T = TypeVar("T")

NAMES = ("auto", "exact", "walking", "none")


def check_name(name: str) -> str:
    """The name of a table set, if there is one of that name."""
    if name not in NAMES:
        raise UnknownNameError("table set", name, NAMES)
    return name


def exact(goal: Board, hook: Hook | None = None) -> _native.DistanceTable:
    """The distances of all boards that reach a goal, for boards of at most 10 cells.

    `hook` is called about every 50 ms while the table is built; what it raises ends that.
    """
    if len(goal) > EXACT_CELLS:
        raise OptionError(
            f"exact tables are for boards of at most {EXACT_CELLS} cells, "
            f"not {goal.rows}×{goal.cols}"
        )

    def build(rows: int, cols: int, blank: int) -> _native.DistanceTable:
        return _native.DistanceTable(rows, cols, blank, hook)

    return _kept(_exact, goal, build)


def walking(goal: Board, hook: Hook | None = None) -> _native.WalkingDistance:
    """The walking-distance table of a goal, for shapes where it is of reasonable size."""
    table = find_walking(goal, hook)
    if table is None:
        raise OptionError(
            f"the walking-distance table of {goal.rows}×{goal.cols} boards is too large; "
            "use linear-conflict"
        )
    return table


def find_walking(goal: Board, hook: Hook | None = None) -> _native.WalkingDistance | None:
    """The same, or None where it would be too large."""

    def build(rows: int, cols: int, blank: int) -> _native.WalkingDistance | None:
        try:
            return _native.WalkingDistance(rows, cols, blank, hook)
        except _native.WalkingTooLarge:
            return None

    return _kept(_walking, goal, build)


_exact: dict[Key, _native.DistanceTable] = {}
_walking: dict[Key, _native.WalkingDistance | None] = {}


def _kept(shelf: dict[Key, T], goal: Board, build: Callable[[int, int, int], T]) -> T:
    """A table from the shelf, or a new one, for which the oldest must go if there are many."""
    key = (goal.rows, goal.cols, goal.blank)
    if key not in shelf:
        table = build(*key)
        while len(shelf) >= _MOST_KEPT:
            shelf.pop(next(iter(shelf)), None)
        shelf[key] = table
    return shelf[key]
