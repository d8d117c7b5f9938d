"""All shortest solutions of a board: how many there are, and what they are."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Any

from . import _native, goals, tables
from .board import Board, Move
from .errors import BoardError, OptionError
from .heartbeat import Cancel, Heartbeat, Hook, Stopped
from .moves import check_convention, from_letters
from .parity import reaches, reason
from .partitions import DEFAULT
from .result import Limit, Progress, Solution, Status
from .solver import solve

MOST_CELLS = 16
"""The largest boards whose shortest solutions can all be found."""


@dataclass(frozen=True, slots=True)
class Solutions:
    """The shortest solutions of a board; iterating gives the first of them."""

    board: Board
    goal: Board
    length: int
    count: int
    first: tuple[Solution, ...]

    def __iter__(self) -> Iterator[Solution]:
        return iter(self.first)

    def to_dict(self, *, moves: str = "tile") -> dict[str, Any]:
        """The same as plain values, for JSON."""
        check_convention(moves)
        return {
            **unanswered(self.board, self.goal, "solved", "", moves=moves),
            "length": self.length,
            "count": self.count,
            "solutions": [solution.text(moves=moves) for solution in self.first],
        }


def unanswered(
    board: Board, goal: Board, status: Status, reason: str, *, moves: str = "tile"
) -> dict[str, Any]:
    """What `Solutions.to_dict` gives, for a board whose solutions were not found."""
    return {
        "board": str(board),
        "goal": str(goal),
        "status": status,
        "length": None,
        "count": 0 if status == "unsolvable" else None,
        "solutions": [],
        "direction": moves,
        "reason": reason,
    }


def all_solutions(
    board: Board | str,
    goal: Board | str | None = None,
    *,
    most: int = 1000,
    limit: Limit | None = None,
    on_progress: Callable[[Progress], object] | None = None,
    cancel: Cancel | None = None,
) -> Solutions:
    """All shortest solutions of a board of at most 16 cells; `most` of them are kept.

    Raises `Stopped` at a limit or on a cancel: what was found till then says nothing of the rest.
    The solutions are listed after a first one is proven to be shortest, and both share the limit.

    >>> found = all_solutions("8 6 7 / 2 5 4 / 3 0 1", most=1)
    >>> found.length, found.count, [solution.text() for solution in found]
    (31, 40, ['DDLURRULLDRRDLLURURDDLUURDDLLUU'])
    """
    start = Board(board)
    target = goals.resolve(goal, start.shape)
    if len(start) > MOST_CELLS:
        raise OptionError(
            f"all solutions can be found on boards of at most {MOST_CELLS} cells, "
            f"not {start.rows}×{start.cols}"
        )
    if most < 0:
        raise OptionError(f"there are no {most} solutions to keep")
    if not reaches(start, target):
        raise BoardError(f"{start} is {reason(start, target)}")
    heart = Heartbeat(limit, on_progress, cancel)
    ways = _by_table if len(start) <= tables.EXACT_CELLS else _by_search
    return ways(start, target, min(most, sys.maxsize), heart)


def _by_table(start: Board, goal: Board, most: int, heart: Heartbeat) -> Solutions:
    table = tables.exact(goal, _preparing(heart))

    def distance(board: Board) -> int:
        return table.distance(goals.canonical(board, goal))

    def steps(board: Board) -> Iterator[tuple[Move, Board]]:
        nearer = distance(board) - 1
        for move in board.moves():
            after = board.slide(move)
            if distance(after) == nearer:
                yield move, after

    @cache
    def count(board: Board) -> int:
        return 1 if board == goal else sum(count(after) for _, after in steps(board))

    def walk(board: Board) -> Iterator[tuple[Move, ...]]:
        if board == goal:
            yield ()
        for move, after in steps(board):
            yield from ((move, *rest) for rest in walk(after))

    first = tuple(Solution(start, goal, moves) for moves in islice(walk(start), most))
    return Solutions(start, goal, distance(start), count(start), first)


def _by_search(start: Board, goal: Board, most: int, heart: Heartbeat) -> Solutions:
    result = solve(start, goal, limit=heart.limit, on_progress=heart.tell, cancel=heart.cancel)
    if result.proof != "optimal" or result.solution is None:
        raise Stopped(result.status, result.reason)
    length = len(result.solution)
    if min(goal.shape) == 1:  # tiles can't pass each other, so any other way is a detour
        return Solutions(start, goal, length, 1, (result.solution,)[:most])
    heart.stats.expanded = result.stats.expanded
    heart.require_memory(tables.plan(goal, DEFAULT).memory, "the default tables")
    found = tables.best(goal, _preparing(heart), most_bytes=heart.memory_limit)
    if not found.partitions:
        raise OptionError(f"no tables for {goal.rows}×{goal.cols} boards")
    answers = _native.all_answers(
        *goal.shape,
        goal.blank,
        goals.canonical(start, goal),
        tables.for_search(found, goal),
        length,
        most,
        heart.expanded_left(),
        _counting(heart),
    )
    if not answers.complete:
        raise heart.expanded_limit()
    first = tuple(Solution(start, goal, from_letters(letters)) for letters in answers.first)
    return Solutions(start, goal, length, answers.count, first)


def _preparing(heart: Heartbeat) -> Hook:
    """The hook of a table being made, whose boards are not expanded; `Stopped` comes out of it."""

    def hook(*counts: float) -> bool:
        heart.beat(preparing=True)
        return False

    return hook


def _counting(heart: Heartbeat) -> Hook:
    """The hook of a search that goes on from what is expanded; `Stopped` comes out of it."""
    before = heart.stats.expanded

    def hook(expanded: int, *others: float) -> bool:
        heart.stats.expanded = before + expanded
        heart.beat()
        return False

    return hook
