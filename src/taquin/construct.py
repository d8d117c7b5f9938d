"""An answer for any solvable board, found by construction: row by row, then column by column.

It serves boards that are too large for the native core. It never searches more than a few cells at
a time; its answers are several times as long as they need be.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

from .board import Board, Move, slides
from .errors import BoardError
from .moves import invert, simplify
from .parity import reaches


def construct(
    board: Board, goal: Board, beat: Callable[[], None] = lambda: None
) -> tuple[Move, ...]:
    """Moves that lead from a board to a goal that it reaches.

    >>> from taquin import goals
    >>> board = Board("8 6 7 / 2 5 4 / 3 0 1")
    >>> board.slide(construct(board, goals.blank_last(3, 3)))
    Board('1 2 3/4 5 6/7 8 0')
    """
    if not reaches(board, goal):
        raise BoardError(f"{board} does not reach the goal {goal}")
    # The work ends in the last corner; from there a fixed way leads to the goal's own blank.
    way_out = _blank_way(goal, len(goal) - 1)
    work = _Workbench(board, goal.slide(way_out), beat)
    if min(board.shape) == 1:
        work.bring_blank(len(goal) - 1)
    else:
        work.solve_rows()
        work.solve_columns()
    return simplify(work.moves + list(invert(way_out)))


def _blank_way(board: Board, target: int) -> list[Move]:
    """Straight moves that bring the blank to a cell."""
    rows = target // board.cols - board.blank // board.cols
    cols = target % board.cols - board.blank % board.cols
    vertical = [Move.U if rows > 0 else Move.D] * abs(rows)
    return vertical + [Move.L if cols > 0 else Move.R] * abs(cols)


class _Workbench:
    """A board in the making: its tiles, the moves made so far, and the cells that are done."""

    def __init__(self, board: Board, goal: Board, beat: Callable[[], None]) -> None:
        self.rows, self.cols = board.shape
        self.tiles = list(board.tiles)
        self.goal = goal.tiles
        self.where = {tile: cell for cell, tile in enumerate(board.tiles)}
        self.moves: list[Move] = []
        self.done: set[int] = set()
        self.beat = beat
        self._slides = slides(*board.shape)

    def cell(self, row: int, col: int) -> int:
        return row * self.cols + col

    def slide(self, move: Move) -> None:
        blank = self.where[0]
        cell = self._slides[blank][move]
        tile = self.tiles[cell]
        self.tiles[blank], self.tiles[cell] = tile, 0
        self.where[tile], self.where[0] = blank, cell
        self.moves.append(move)

    def solve_rows(self) -> None:
        """All rows but the last two."""
        for row in range(self.rows - 2):
            for col in range(self.cols - 2):
                self.place(self.cell(row, col))
            first = max(self.cols - 3, 0)
            window = [self.cell(r, c) for r in range(row, row + 3) for c in range(first, self.cols)]
            self.arrange([self.cell(row, self.cols - 2), self.cell(row, self.cols - 1)], window)

    def solve_columns(self) -> None:
        """The last two rows, the last block of 2×3 (or 2×2) in one go."""
        top, bottom = self.rows - 2, self.rows - 1
        for col in range(self.cols - 3):
            window = [self.cell(r, c) for r in (top, bottom) for c in range(col, col + 3)]
            self.arrange([self.cell(top, col), self.cell(bottom, col)], window)
        first = max(self.cols - 3, 0)
        block = [self.cell(r, c) for r in (top, bottom) for c in range(first, self.cols)]
        self.arrange(block[:-1], block)

    def place(self, target: int) -> None:
        """Bring the tile that belongs into a cell there, and keep it there."""
        self.carry(self.goal[target], {target})
        self.done.add(target)

    def carry(self, tile: int, targets: set[int]) -> None:
        """Move a tile the shortest way to one of the cells, the blank going ahead of it."""
        self.beat()
        for cell in self._route(self.where[tile], targets):
            self.bring_blank(cell, tile)
            self.bring_blank(self.where[tile])

    def bring_blank(self, target: int, around: int | None = None) -> None:
        """Move the blank to a cell; `around` is a tile that must stay where it is."""
        obstacle = None if around is None else self.where[around]
        for cell in self._route(self.where[0], {target}, obstacle):
            move = next(m for m, source in self._slides[self.where[0]].items() if source == cell)
            self.slide(move)

    def arrange(self, targets: list[int], window: list[int]) -> None:
        """Put several cells right at once by trying everything within a small window."""
        tiles = [self.goal[cell] for cell in targets]
        inside = set(window) - self.done
        for tile in tiles:
            if self.where[tile] not in inside:
                self.carry(tile, inside)
        for cell in self._route(self.where[0], inside)[:-1]:
            self.bring_blank(cell)
        start = (self.where[0], *(self.where[tile] for tile in tiles))
        # What was brought last may have pushed out what came first, so the window grows with them.
        free = self._box(inside.union(start))
        for move in self._shortest(start, tuple(targets), free):
            self.slide(move)
        self.done.update(targets)

    def _box(self, cells: set[int]) -> set[int]:
        """The cells not done of the least rectangle around some cells."""
        rows = [cell // self.cols for cell in cells]
        cols = [cell % self.cols for cell in cells]
        return {
            self.cell(row, col)
            for row in range(min(rows), max(rows) + 1)
            for col in range(min(cols), max(cols) + 1)
        } - self.done

    def _route(self, start: int, targets: set[int], obstacle: int | None = None) -> list[int]:
        """The cells of a shortest way from one cell to the nearest of others, without the first.

        It goes around the cells that are done, and around the obstacle.
        """
        if start in targets:
            return []
        parents = {start: start}
        queue = deque([start])
        while queue:
            cell = queue.popleft()
            for following in self._slides[cell].values():
                if following in parents or following in self.done or following == obstacle:
                    continue
                parents[following] = cell
                if following in targets:
                    return _trace(parents, following)
                queue.append(following)
        raise AssertionError(f"no way from cell {start} to {targets}")

    def _shortest(
        self, start: tuple[int, ...], targets: tuple[int, ...], free: set[int]
    ) -> list[Move]:
        """The fewest moves within the free cells that bring the tiles, whose cells follow the
        blank's in `start`, to their targets."""
        ways: dict[tuple[int, ...], tuple[tuple[int, ...], Move] | None] = {start: None}
        queue = deque([start])
        while queue:
            places = queue.popleft()
            if places[1:] == targets:
                return _moves_to(ways, places)
            blank = places[0]
            for move, cell in self._slides[blank].items():
                if cell not in free:
                    continue
                after = (cell, *(blank if place == cell else place for place in places[1:]))
                if after not in ways:
                    ways[after] = (places, move)
                    queue.append(after)
        raise AssertionError("the window can't be arranged")


def _trace(parents: dict[int, int], cell: int) -> list[int]:
    way = []
    while parents[cell] != cell:
        way.append(cell)
        cell = parents[cell]
    return way[::-1]


def _moves_to(
    ways: dict[tuple[int, ...], tuple[tuple[int, ...], Move] | None], places: Sequence[int]
) -> list[Move]:
    moves = []
    step = ways[tuple(places)]
    while step is not None:
        moves.append(step[1])
        step = ways[step[0]]
    return moves[::-1]
