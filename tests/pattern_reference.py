"""Pattern databases by breadth-first search, written without a thought of speed."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from functools import cache

Places = tuple[int, ...]
"""The cell of each tile, in the order of their home cells."""


class Reference:
    """The least moves of a pattern's tiles for all places of tiles and blank."""

    def __init__(self, rows: int, cols: int, homes: Sequence[int], blank: int) -> None:
        self.shape = rows, cols
        self.values: dict[tuple[Places, int], int] = {}
        queue = deque([(0, tuple(homes), blank)])
        while queue:
            moves, places, blank = queue.popleft()
            if (places, blank) in self.values:
                continue
            self.values[places, blank] = moves
            for near in beside(blank, rows, cols):
                if near in places:
                    moved = tuple(blank if place == near else place for place in places)
                    queue.append((moves + 1, moved, near))
                else:
                    queue.appendleft((moves, places, near))

    def value(self, places: Sequence[int], blank: int) -> int:
        return self.values[tuple(places), blank]

    def entries(self) -> int:
        """How many places there are if the blank's region is all that counts of it."""
        region_of = cache(region)  # the same in every order of the tiles
        found = {
            (places, region_of(*self.shape, tuple(sorted(places)), blank))
            for places, blank in self.values
        }
        return len(found)


def beside(cell: int, rows: int, cols: int) -> Iterator[int]:
    """The cells next to one."""
    row, col = divmod(cell, cols)
    steps = [(row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)]
    return (r * cols + c for r, c in steps if 0 <= r < rows and 0 <= c < cols)


def region(rows: int, cols: int, places: Sequence[int], blank: int) -> frozenset[int]:
    """The cells to which the blank can go while the tiles rest."""
    reached = {blank}
    border = [blank]
    while border:
        near = {c for c in beside(border.pop(), rows, cols) if c not in places} - reached
        reached |= near
        border += near
    return frozenset(reached)
