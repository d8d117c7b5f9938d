"""Which expansion led to which: the search tree, made from the events of a textbook algorithm."""

from __future__ import annotations

from .board import Board
from .heartbeat import Event


class Lineage:
    """Told of every event of one run, it knows the parent of each.

    A board is reached from the first neighbour that was expanded one step above it, because later
    ones find nothing shorter. But a search that closes no boards (IDA*, RBFS) comes by them again
    and again. It is on one path at a time, so there it is the latest expansion one step above.

    >>> from taquin import solve
    >>> lineage = Lineage()
    >>> parents = []
    >>> result = solve("1 2 3 / 4 5 6 / 0 7 8", algorithm="astar",
    ...                on_event=lambda event: parents.append(lineage.parent(event)))
    >>> parents
    [None, 1]
    """

    def __init__(self) -> None:
        self._first: dict[tuple[Board, float], int] = {}
        self._latest: dict[float, int] = {}

    def parent(self, event: Event[Board]) -> int | None:
        """The number of the expansion that led to this one; None for where the search began."""
        above = event.g - 1
        latest = self._latest.get(above)
        found = self._first_above(event.vertex, above) if event.closed else latest
        self._first.setdefault((event.vertex, event.g), event.number)
        self._latest[event.g] = event.number
        return found

    def _first_above(self, board: Board, depth: float) -> int | None:
        numbers = [self._first.get((neighbour, depth)) for neighbour in board.neighbours()]
        return min((number for number in numbers if number is not None), default=None)
