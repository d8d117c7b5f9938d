"""Which boards reach which goals, why, and what would have to change.

A slide exchanges the blank with a tile next to it, so it changes two things at once: the parity of
the permutation that leads from the board to the goal, and the parity of the taxicab distance of the
blank from its place. Two boards with at least 2×2 cells are connected exactly if these two agree.

That is the rule with inversions (pairs of tiles whose reading order differs between the two
boards) that is easier to check by hand: with an odd number of columns their number must be even,
with an even number of columns their number plus the rows between the blanks must be.

On a single row or column tiles can't pass each other, so their order must be the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from . import _native, goals
from .board import Board

if TYPE_CHECKING:
    from .heartbeat import Hook


@dataclass(frozen=True, slots=True)
class Solvability:
    """Whether a board reaches a goal, with the numbers and the reason; true or false as a whole."""

    solvable: bool
    reason: str
    """One plain sentence."""
    inversions: int
    """Pairs of tiles whose reading order differs between board and goal."""
    permutation: str
    """'even' or 'odd': how many exchanges, blank included, turn the board into the goal."""
    blank_distance: int
    """Rows plus columns between the blank and its place in the goal."""
    fix: tuple[int, int] | None
    """Two tiles that, exchanged, make an unsolvable board solvable."""
    goals: tuple[str, ...]
    """The named goals that the board does reach."""

    def __bool__(self) -> bool:
        return self.solvable

    def to_dict(self) -> dict[str, object]:
        """The same as plain values, for JSON."""
        return {
            "solvable": self.solvable,
            "reason": self.reason,
            "inversions": self.inversions,
            "permutation": self.permutation,
            "blank_distance": self.blank_distance,
            "fix": list(self.fix) if self.fix else None,
            "goals": list(self.goals),
        }


def solvability(board: Board | str, goal: Board | str | None = None) -> Solvability:
    """Whether the board reaches the goal, and why.

    >>> verdict = solvability(Board("3 1 2 / 4 5 7 / 6 8 0"))
    >>> verdict.solvable, verdict.inversions, verdict.fix
    (False, 3, (6, 7))
    >>> print(verdict.reason)
    unsolvable: with 3 columns a move never changes whether the number of inversions is even, and \
3 is odd.
    """
    board = Board(board)
    target = goals.resolve(goal, board.shape)
    solvable = reaches(board, target)
    return Solvability(
        solvable=solvable,
        reason=reason(board, target),
        inversions=inversions_between(board, target),
        permutation="odd" if is_odd(board, target) else "even",
        blank_distance=blank_distance(board, target),
        fix=None if solvable else _nearest_fix(board, target),
        goals=tuple(
            name for name in goals.NAMED if reaches(board, goals.named(name, *board.shape))
        ),
    )


def reaches(board: Board, goal: Board) -> bool:
    """Just the yes or no of `solvability`, for boards of one shape."""
    if min(board.shape) == 1:
        return _order(board) == _order(goal)
    return is_odd(board, goal) == blank_distance(board, goal) % 2


def is_odd(board: Board, goal: Board) -> bool:
    """Whether an odd number of exchanges of two cells turns the board into the goal.

    >>> is_odd(Board("2 1 / 3 0"), Board("1 2 / 3 0"))
    True
    """
    home = [0] * len(goal)
    for cell, tile in enumerate(goal.tiles):
        home[tile] = cell
    left = [home[tile] for tile in board.tiles]
    exchanges = 0
    for cell in range(len(left)):
        while (other := left[cell]) != cell:
            left[cell], left[other] = left[other], other
            exchanges += 1
    return exchanges % 2 == 1


def inversions_between(board: Board, goal: Board, hook: Hook | None = None) -> int:
    """How many pairs of tiles stand in another reading order than in the goal.

    >>> inversions_between(Board("3 1 2 / 0 4 5"), Board("1 2 3 / 4 5 0"))
    2
    """
    return _native.inversions(*board.shape, goal.blank, goals.canonical(board, goal, hook), hook)


def blank_distance(board: Board, goal: Board) -> int:
    """Rows plus columns between the two blanks; every solution's length has its parity.

    >>> blank_distance(Board("0 1 / 2 3"), Board("1 2 / 3 0"))
    2
    """
    row, col = divmod(board.blank, board.cols)
    goal_row, goal_col = divmod(goal.blank, board.cols)
    return abs(row - goal_row) + abs(col - goal_col)


def _order(board: Board) -> list[int]:
    return [tile for tile in board.tiles if tile]


def _rows_apart(board: Board, goal: Board) -> int:
    return abs(board.blank // board.cols - goal.blank // board.cols)


def reason(board: Board, goal: Board, hook: Hook | None = None) -> str:
    """One sentence that says whether a board reaches a goal, and why.

    A hook is heard on large boards; whatever it raises comes out of this.
    """
    if min(board.shape) == 1:
        solvable = reaches(board, goal)
        order = "have the goal's order" if solvable else "don't have the goal's order"
        rule = f"on a single line tiles can't pass each other, and they {order}"
    else:
        inversions = inversions_between(board, goal, hook)
        rows = 0 if board.cols % 2 else _rows_apart(board, goal)
        solvable = (inversions + rows) % 2 == 0
        is_even, number = "number of inversions is even", f"{inversions}"
        if board.cols % 2 == 0:
            is_even = "inversions plus the blank's rows from home are even"
            number = f"{inversions} + {rows}"
        rule = (
            f"with {board.cols} columns a move never changes whether the {is_even}, "
            f"and {number} is {'even' if solvable else 'odd'}"
        )
    return f"{'solvable' if solvable else 'unsolvable'}: {rule}."


def _nearest_fix(board: Board, goal: Board) -> tuple[int, int] | None:
    """The exchange that leaves the least distance to the goal.

    Tried are tiles side by side, and each tile with the one in its place. On a single line no
    exchange helps unless exactly two tiles stand wrong.
    """
    if min(board.shape) == 1:
        pairs = zip(_order(board), _order(goal), strict=True)
        wrong = sorted(tile for tile, wanted in pairs if tile != wanted)
        return (wrong[0], wrong[1]) if len(wrong) == 2 else None
    home = {tile: divmod(cell, board.cols) for cell, tile in enumerate(goal.tiles)}

    def distance(tile: int, cell: int) -> int:
        row, col = divmod(cell, board.cols)
        return abs(home[tile][0] - row) + abs(home[tile][1] - col)

    def change(a: int, b: int) -> tuple[int, int, int]:
        x, y = board.tiles[a], board.tiles[b]
        gain = distance(x, b) + distance(y, a) - distance(x, a) - distance(y, b)
        return gain, min(x, y), max(x, y)

    _, low, high = min(change(a, b) for a, b in _exchanges(board, goal))
    return low, high


def _exchanges(board: Board, goal: Board) -> Iterator[tuple[int, int]]:
    """Pairs of cells whose tiles may be worth exchanging."""
    home = {tile: cell for cell, tile in enumerate(goal.tiles)}
    for cell, tile in enumerate(board.tiles):
        right = cell + 1 if (cell + 1) % board.cols else cell
        below = cell + board.cols if cell + board.cols < len(board) else cell
        for other in (right, below, home[tile]):
            if other != cell and tile and board.tiles[other]:
                yield cell, other
