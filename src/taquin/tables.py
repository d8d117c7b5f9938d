"""The lookups that searches use: exact distances of small boards, and walking distance.

Both depend on the shape and on the cell of the goal's blank only, since tiles can be renamed
(`goals.canonical`). They are quick to build and kept in memory, the ones used last.
"""

from __future__ import annotations

from functools import lru_cache

from . import _native
from .board import Board
from .errors import OptionError, UnknownNameError

EXACT_CELLS = 10
"""The largest boards that can have an exact table."""

INSTANT_CELLS = 9
"""The largest boards whose exact table is built in a moment, so that no one need ask for it."""

NAMES = ("auto", "exact", "walking", "none")


def check_name(name: str) -> str:
    """The name of a table set, if there is one of that name."""
    if name not in NAMES:
        raise UnknownNameError("table set", name, NAMES)
    return name


def exact(goal: Board) -> _native.DistanceTable:
    """The distances of all boards that reach a goal, for boards of at most 10 cells."""
    if len(goal) > EXACT_CELLS:
        raise OptionError(
            f"exact tables are for boards of at most {EXACT_CELLS} cells, "
            f"not {goal.rows}×{goal.cols}"
        )
    return _exact(goal.rows, goal.cols, goal.blank)


def walking(goal: Board) -> _native.WalkingDistance:
    """The walking-distance table of a goal, for shapes where it is of reasonable size."""
    table = find_walking(goal)
    if table is None:
        raise OptionError(
            f"the walking-distance table of {goal.rows}×{goal.cols} boards is too large; "
            "use linear-conflict"
        )
    return table


def find_walking(goal: Board) -> _native.WalkingDistance | None:
    """The same, or None where it would be too large."""
    return _walking(goal.rows, goal.cols, goal.blank)


@lru_cache(maxsize=16)
def _exact(rows: int, cols: int, blank: int) -> _native.DistanceTable:
    return _native.DistanceTable(rows, cols, blank)


@lru_cache(maxsize=16)
def _walking(rows: int, cols: int, blank: int) -> _native.WalkingDistance | None:
    try:
        return _native.WalkingDistance(rows, cols, blank)
    except _native.WalkingTooLarge:
        return None
