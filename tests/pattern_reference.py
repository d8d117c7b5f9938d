"""Pattern databases by breadth-first search, written without a thought of speed."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

MOST_EXCESS = 30
"""Tables hold no more than so many moves above the Manhattan distance."""

Places = tuple[int, ...]
"""The cell of each tile, in the order of their home cells."""


class Reference:
    """The least moves of a pattern's tiles, and how many places of tiles and blank there are."""

    def __init__(self, rows: int, cols: int, homes: Sequence[int], blank: int) -> None:
        self.values: dict[Places, int] = {}
        seen: set[tuple[Places, int]] = set()
        queue = deque([(0, tuple(homes), blank)])
        while queue:
            moves, places, blank = queue.popleft()
            if (places, blank) in seen:
                continue
            seen.add((places, blank))
            if places not in self.values:
                self.values[places] = min(moves, most(places, homes, cols))
            for near in beside(blank, rows, cols):
                if near in places:
                    moved = tuple(blank if place == near else place for place in places)
                    queue.append((moves + 1, moved, near))
                else:
                    queue.appendleft((moves, places, near))
        self.entries = 0
        while seen:
            places, blank = seen.pop()
            seen -= {(places, cell) for cell in region(rows, cols, places, blank)}
            self.entries += 1

    def value(self, places: Sequence[int]) -> int:
        return self.values[tuple(places)]


def most(places: Sequence[int], homes: Sequence[int], cols: int) -> int:
    """The largest value that a table can hold there."""
    steps = (
        abs(a // cols - b // cols) + abs(a % cols - b % cols)
        for a, b in zip(places, homes, strict=True)
    )
    return sum(steps) + MOST_EXCESS


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
