"""The ways to turn and mirror a board, by which one table serves many goals."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import NamedTuple


class Symmetry(NamedTuple):
    """One way to turn or mirror a board: the shape that it gets, and where each cell goes."""

    rows: int
    cols: int
    cells: tuple[int, ...]

    def image(self, cells: Iterable[int]) -> tuple[int, ...]:
        """Where some cells go, in order.

        >>> symmetries(2, 3)[1].image([0, 1])
        (1, 2)
        """
        return tuple(sorted(self.cells[cell] for cell in cells))

    def origin(self, cells: Iterable[int]) -> tuple[int, ...]:
        """Where some cells come from, in order."""
        wanted = set(cells)
        return tuple(cell for cell, image in enumerate(self.cells) if image in wanted)


_TURNS: tuple[Callable[[int, int, int, int], tuple[int, int]], ...] = (
    lambda row, col, rows, cols: (row, col),
    lambda row, col, rows, cols: (row, cols - 1 - col),
    lambda row, col, rows, cols: (rows - 1 - row, col),
    lambda row, col, rows, cols: (rows - 1 - row, cols - 1 - col),
)


@lru_cache(maxsize=64)
def symmetries(rows: int, cols: int) -> tuple[Symmetry, ...]:
    """All eight: four that keep rows and columns, four that exchange them.

    >>> [symmetry.cells for symmetry in symmetries(1, 2)[:2]]
    [(0, 1), (1, 0)]
    """
    places = [divmod(cell, cols) for cell in range(rows * cols)]
    kept, exchanged = [], []
    for turn in _TURNS:
        turned = [turn(row, col, rows, cols) for row, col in places]
        kept.append(Symmetry(rows, cols, tuple(row * cols + col for row, col in turned)))
        exchanged.append(Symmetry(cols, rows, tuple(col * rows + row for row, col in turned)))
    return (*kept, *exchanged)


def least(rows: int, cols: int, cells: Iterable[int]) -> Symmetry:
    """The symmetry that brings cells to the first of all their places.

    Shapes come first: no board is left with more rows than columns.

    >>> corner = least(3, 4, [11])
    >>> corner.image([11])
    (0,)
    """
    cells = tuple(cells)
    return min(symmetries(rows, cols), key=lambda s: (s.rows, s.cols, s.image(cells)))
