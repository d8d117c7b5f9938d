"""The graph of a shape and a goal: boards are its vertices, slides its edges. Never built whole."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from math import factorial
from typing import TYPE_CHECKING

from . import goals, tables
from .board import Board, check_shape
from .errors import BoardError, MissingExtraError, OptionError
from .heartbeat import Cancel, Run, Stopped
from .parity import reaches
from .result import Limit, Progress

if TYPE_CHECKING:
    import networkx


class BoardGraph:
    """All boards that reach a goal; undirected, every edge costs one.

    >>> graph = BoardGraph(2, 2)
    >>> graph.size, list(graph.layers())
    (12, [1, 2, 2, 2, 2, 2, 1])
    >>> Board("1 0 / 3 2") in graph
    True
    """

    def __init__(self, rows: int, cols: int, goal: Board | str | None = None) -> None:
        self.goal = goals.resolve(goal, check_shape(rows, cols))
        self.rows = rows
        self.cols = cols

    def neighbours(self, board: Board) -> list[Board]:
        """The boards one slide away."""
        return board.neighbours()

    def __contains__(self, board: Board) -> bool:
        return board.shape == self.goal.shape and reaches(board, self.goal)

    @property
    def size(self) -> int:
        """How many boards there are (often more than `len` could say)."""
        cells = len(self.goal)
        return cells if self._is_line() else factorial(cells) // 2

    def edges(self) -> int:
        """How many pairs of neighbours there are.

        >>> BoardGraph(2, 2).edges()
        12
        """
        sides = self.rows * (self.cols - 1) + self.cols * (self.rows - 1)
        return self.size * sides // len(self.goal)

    def _is_line(self) -> bool:
        return min(self.rows, self.cols) == 1

    def rank(self, board: Board) -> int:
        """The board's number among all that reach the goal, from 0 to `size` - 1.

        The blank's cell comes first, then the order of the tiles; the last two tiles don't count,
        because their order follows from the rest.

        >>> graph = BoardGraph(3, 3)
        >>> graph.rank(graph.goal), graph.unrank(161280) == graph.goal
        (161280, True)
        """
        if board not in self:
            raise BoardError(f"{board} does not reach the goal {self.goal}, so it has no rank")
        if self._is_line():
            return board.blank
        tiles = [tile for tile in goals.canonical(board, self.goal) if tile]
        waiting = sorted(tiles)
        rank = 0
        for tile in tiles[:-2]:
            place = waiting.index(tile)
            rank = rank * len(waiting) + place
            del waiting[place]
        return board.blank * (factorial(len(tiles)) // 2) + rank

    def unrank(self, rank: int) -> Board:
        """The board of that number."""
        if not 0 <= rank < self.size:
            raise OptionError(f"a {self.rows}×{self.cols} board's rank is from 0 to size - 1")
        order = [tile for tile in self.goal.tiles if tile]
        if self._is_line():
            return self._with_blank(order, rank)
        blank, rank = divmod(rank, factorial(len(order)) // 2)
        places = []
        for base in range(3, len(order) + 1):
            rank, place = divmod(rank, base)
            places.append(place)
        tiles = [order.pop(place) for place in reversed(places)]
        board = self._with_blank(tiles + order, blank)
        return board if board in self else self._with_blank(tiles + order[::-1], blank)

    def _with_blank(self, tiles: list[int], blank: int) -> Board:
        return Board([*tiles[:blank], 0, *tiles[blank:]], shape=self.goal.shape)

    def distance(self, board: Board) -> int:
        """The exact distance from the goal; hard boards take their time.

        >>> BoardGraph(3, 3).distance(Board("8 6 7 / 2 5 4 / 3 0 1"))
        31
        """
        if board not in self:
            raise BoardError(f"{board} does not reach the goal {self.goal}")
        if len(self.goal) <= tables.EXACT_CELLS:
            return tables.exact(self.goal).distance(goals.canonical(board, self.goal))
        from .solver import solve

        result = solve(board, self.goal)
        assert result.length is not None
        return result.length

    def distances(self) -> Iterator[tuple[Board, int]]:
        """Every board with its distance, nearest first."""
        seen = {self.goal}
        layer = [self.goal]
        for depth in itertools.count():
            if not layer:
                return
            following = []
            for board in layer:
                yield board, depth
                for neighbour in board.neighbours():
                    if neighbour not in seen:
                        seen.add(neighbour)
                        following.append(neighbour)
            layer = following

    def layers(
        self,
        depth: int | None = None,
        *,
        limit: Limit | None = None,
        on_progress: Callable[[Progress], object] | None = None,
        cancel: Cancel | None = None,
    ) -> Iterator[int]:
        """How many boards there are at each distance from the goal, from 0 on.

        Ends after `depth`, at a limit, or with the last layer; they add up to `size` then.

        >>> list(BoardGraph(5, 5).layers(6))
        [1, 2, 4, 10, 26, 64, 159]
        """
        if depth is not None and depth < 0:
            raise OptionError(f"there are no boards at a distance of {depth}")
        if len(self.goal) <= tables.EXACT_CELLS:
            yield from tables.exact(self.goal).layers()[: None if depth is None else depth + 1]
            return
        run = Run(self, limit=limit, on_progress=on_progress, cancel=cancel)
        before: set[Board] = set()
        layer = {self.goal}
        for distance in itertools.count():
            if not layer:
                return
            yield len(layer)
            if distance == depth:
                return
            following: set[Board] = set()
            try:
                for board in layer:
                    waiting = len(layer) + len(following)
                    following.update(run.expand(board, frontier=waiting, closed=len(before)))
            except Stopped:
                return
            # Every edge joins two neighbouring layers, so only the one before can come again.
            before, layer = layer, following - before

    def farthest(self) -> list[Board]:
        """The boards farthest from the goal, of a shape of at most 12 cells.

        >>> BoardGraph(3, 3).farthest()
        [Board('6 4 7/8 5 0/3 2 1'), Board('8 6 7/2 5 4/3 0 1')]
        """
        from .layers import Layers

        layers = Layers(self.goal)
        return layers.boards(len(layers.counts) - 1)

    def to_networkx(self, center: Board | None = None, radius: int = 5) -> networkx.Graph[Board]:
        """The part of the graph within some distance of a board, as a networkx graph.

        >>> BoardGraph(3, 3).to_networkx(radius=2).number_of_nodes()
        7
        """
        try:
            import networkx
        except ImportError:
            raise MissingExtraError("networkx", "graph") from None
        if center is not None and center not in self:
            raise BoardError(f"{center} does not reach the goal {self.goal}")
        part: networkx.Graph[Board] = networkx.Graph()
        layer = [center or self.goal]
        part.add_nodes_from(layer)
        for _ in range(radius):
            following = []
            for board in layer:
                for neighbour in board.neighbours():
                    if neighbour not in part:
                        following.append(neighbour)
                    part.add_edge(board, neighbour)
            layer = following
        return part
