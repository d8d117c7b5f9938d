"""Lower bounds on the distance to a goal, each with a breakdown that explains it.

A heuristic is called as `manhattan(board, goal)`. A search binds it to its goal first,
`manhattan.bind(goal)`, which prepares tables once and gives a quick function of the board alone.
Any function `(board, goal) -> number` of yours will do as well.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import getitem, ne

from . import goals, tables
from .board import Board
from .errors import OptionError, look_up

Bound = Callable[[Board], int]
"""A heuristic bound to its goal."""

UserHeuristic = Callable[[Board, Board], float]


@dataclass(frozen=True, slots=True)
class Part:
    """A share of a heuristic's value: a tile, a line, a cycle."""

    name: str
    value: int
    tiles: tuple[int, ...]

    @property
    def is_tile(self) -> bool:
        return self.name.startswith("tile ")


@dataclass(frozen=True, slots=True)
class Breakdown:
    """A heuristic's value and where it comes from; the parts add up to the total."""

    heuristic: str
    total: int
    parts: tuple[Part, ...]

    def per_tile(self) -> dict[int, int]:
        """The parts that belong to one tile each.

        >>> breakdown = manhattan.explain(Board("7 2 4 / 5 0 6 / 8 3 1"), "blank-first")
        >>> breakdown.total, list(breakdown.per_tile().values())
        (18, [3, 1, 2, 2, 2, 3, 3, 2])
        """
        return {p.tiles[0]: p.value for p in self.parts if p.is_tile}

    def to_dict(self) -> dict[str, object]:
        return {
            "heuristic": self.heuristic,
            "total": self.total,
            "parts": [
                {"name": part.name, "value": part.value, "tiles": list(part.tiles)}
                for part in self.parts
            ],
        }


@dataclass(frozen=True, slots=True)
class Heuristic:
    """A named heuristic, with what it promises."""

    name: str
    summary: str
    bind: Callable[[Board], Bound]
    _parts: Callable[[Board, Board], Iterable[Part]]
    admissible: bool = True
    consistent: bool = True

    def __call__(self, board: Board | str, goal: Board | str | None = None) -> int:
        board = Board(board)
        return self.bind(goals.resolve(goal, board.shape))(board)

    def explain(self, board: Board | str, goal: Board | str | None = None) -> Breakdown:
        """The value and its parts."""
        board = Board(board)
        target = goals.resolve(goal, board.shape)
        parts = tuple(self._parts(board, target))
        return Breakdown(self.name, sum(part.value for part in parts), parts)


# --- zero ---------------------------------------------------------------------------------------


def _bind_zero(goal: Board) -> Bound:
    return lambda board: 0


# --- misplaced ----------------------------------------------------------------------------------


def _bind_misplaced(goal: Board) -> Bound:
    home = goal.tiles
    blank = goal.blank

    def misplaced(board: Board) -> int:
        tiles = board.tiles
        away: int = sum(map(ne, tiles, home))
        return away - (tiles[blank] != 0)

    return misplaced


def _misplaced_parts(board: Board, goal: Board) -> Iterator[Part]:
    away = {tile for tile, home in zip(board.tiles, goal.tiles, strict=True) if tile != home}
    for tile in range(1, len(board)):
        yield Part(f"tile {tile}", int(tile in away), (tile,))


# --- gaschnig -----------------------------------------------------------------------------------


def _cycles(board: Board, goal: Board) -> Iterator[tuple[int, ...]]:
    """The cycles of tiles that stand in each other's places, those of one tile left out."""
    wanted = dict(zip(board.tiles, goal.tiles, strict=True))
    unseen = {tile for tile, home in wanted.items() if tile != home}
    for start in range(len(board)):
        cycle = []
        tile = start
        while tile in unseen:
            unseen.discard(tile)
            cycle.append(tile)
            tile = wanted[tile]
        if cycle:
            yield tuple(cycle)


def _swaps(cycle: tuple[int, ...]) -> int:
    """Exchanges with the blank that put a cycle right: one in, one for each tile, one out."""
    return len(cycle) - 1 if 0 in cycle else len(cycle) + 1


def _bind_gaschnig(goal: Board) -> Bound:
    return lambda board: sum(map(_swaps, _cycles(board, goal)))


def _gaschnig_parts(board: Board, goal: Board) -> Iterator[Part]:
    for cycle in _cycles(board, goal):
        name = "cycle " + " ".join(str(tile) if tile else "blank" for tile in cycle)
        yield Part(name, _swaps(cycle), tuple(tile for tile in cycle if tile))


# --- manhattan ----------------------------------------------------------------------------------

_TABLE_CELLS = 400
"""Boards up to this size get a table of all distances; a larger one's would be too large."""

_GOALS_KEPT = 8
"""For so many goals what is worked out is kept: who solves one board solves others, too."""


def _distances(board: Board, goal: Board) -> list[int]:
    """For each tile from 1 on, rows plus columns from its place to its goal."""
    cols = board.cols
    places, homes = [0] * len(board), [0] * len(board)
    for cell, (tile, home) in enumerate(zip(board.tiles, goal.tiles, strict=True)):
        places[tile], homes[home] = cell, cell
    return [_taxicab(a, b, cols) for a, b in zip(places[1:], homes[1:], strict=True)]


def _taxicab(a: int, b: int, cols: int) -> int:
    return abs(a // cols - b // cols) + abs(a % cols - b % cols)


@lru_cache(maxsize=_GOALS_KEPT)
def _bind_manhattan(goal: Board) -> Bound:
    if len(goal) > _TABLE_CELLS:
        return lambda board: sum(_distances(board, goal))
    home = {tile: cell for cell, tile in enumerate(goal.tiles)}
    table = [
        [0] + [_taxicab(cell, home[tile], goal.cols) for tile in range(1, len(goal))]
        for cell in range(len(goal))
    ]
    return lambda board: sum(map(getitem, table, board.tiles))


def _manhattan_parts(board: Board, goal: Board) -> Iterator[Part]:
    for tile, distance in enumerate(_distances(board, goal), 1):
        yield Part(f"tile {tile}", distance, (tile,))


# --- linear conflict ----------------------------------------------------------------------------


def _lines(rows: int, cols: int) -> list[tuple[str, slice]]:
    """The rows and columns of a board: their names and where their cells are."""
    names = [(f"row {r + 1}", slice(r * cols, (r + 1) * cols)) for r in range(rows)]
    return names + [(f"column {c + 1}", slice(c, None, cols)) for c in range(cols)]


def _to_remove(line: Sequence[int], home: Sequence[int]) -> tuple[int, ...]:
    """The fewest tiles that must leave a line so that those at home in it stand in order.

    The rest is a longest increasing subsequence of their places in the goal's line.
    """
    place = {tile: i for i, tile in enumerate(home) if tile}
    here = [tile for tile in line if tile in place]
    if len(here) < 2:
        return ()
    tails: list[int] = []
    chains: list[tuple[int, ...]] = []
    for tile in here:
        i = bisect_left(tails, place[tile])
        chain = (*(chains[i - 1] if i else ()), tile)
        tails[i : i + 1] = [place[tile]]
        chains[i : i + 1] = [chain]
    keep = chains[-1]
    return tuple(tile for tile in here if tile not in keep)


_LINES_KEPT = 1 << 15
"""The penalties of so many lines are kept for a goal."""
_LONG_LINE = 20
"""Longer lines are hardly met again, and none of them is kept."""


@lru_cache(maxsize=_GOALS_KEPT)
def _bind_linear_conflict(goal: Board) -> Bound:
    manhattan_distance = _bind_manhattan(goal)
    lines = [(cells, _line_penalty(goal, cells)) for _, cells in _lines(*goal.shape)]

    def linear_conflict(board: Board) -> int:
        tiles = board.tiles
        value = manhattan_distance(board)
        for cells, penalty in lines:
            value += penalty(tiles[cells])
        return value

    return linear_conflict


def _line_penalty(goal: Board, cells: slice) -> Callable[[tuple[int, ...]], int]:
    home = goal.tiles[cells]

    def penalty(line: tuple[int, ...]) -> int:
        return 2 * len(_to_remove(line, home))

    if len(home) > _LONG_LINE:
        return penalty
    return lru_cache(maxsize=_LINES_KEPT // sum(goal.shape))(penalty)


def _linear_conflict_parts(board: Board, goal: Board) -> Iterator[Part]:
    yield from _manhattan_parts(board, goal)
    for name, cells in _lines(*board.shape):
        removed = _to_remove(board.tiles[cells], goal.tiles[cells])
        if removed:
            yield Part(name, 2 * len(removed), removed)


# --- walking distance ---------------------------------------------------------------------------


def _bind_walking_distance(goal: Board) -> Bound:
    table = tables.walking(goal)
    return lambda board: _walk(table.distance, board, goal)


def _walking_parts(board: Board, goal: Board) -> Iterator[Part]:
    table = tables.walking(goal)
    yield Part("rows", _walk(table.rows, board, goal), ())
    yield Part("columns", _walk(table.columns, board, goal), ())


def _walk(look_up: Callable[[tuple[int, ...]], int], board: Board, goal: Board) -> int:
    try:
        return look_up(goals.canonical(board, goal))
    except ValueError:
        # It happens on single lines only, where no walk brings tiles past each other.
        raise OptionError(f"{board} has no walking distance, as it never reaches {goal}") from None


# --- the names ----------------------------------------------------------------------------------

zero = Heuristic(
    "zero",
    "nothing: the search is blind",
    _bind_zero,
    lambda board, goal: (),
)
misplaced = Heuristic(
    "misplaced",
    "how many tiles are not in their place (Hamming)",
    _bind_misplaced,
    _misplaced_parts,
)
gaschnig = Heuristic(
    "gaschnig",
    "how many moves it would take if any tile could jump into the blank",
    _bind_gaschnig,
    _gaschnig_parts,
)
manhattan = Heuristic(
    "manhattan",
    "rows plus columns from each tile to its place, added up",
    _bind_manhattan,
    _manhattan_parts,
)
linear_conflict = Heuristic(
    "linear-conflict",
    "manhattan, plus 2 for each tile that must leave its line to let others pass",
    _bind_linear_conflict,
    _linear_conflict_parts,
)
walking_distance = Heuristic(
    "walking-distance",
    "the moves it takes to bring all tiles into their rows, and into their columns",
    _bind_walking_distance,
    _walking_parts,
)

NAMED: dict[str, Heuristic] = {
    heuristic.name: heuristic
    for heuristic in (zero, misplaced, gaschnig, manhattan, linear_conflict, walking_distance)
}
ALIASES = {"hamming": "misplaced", "taxicab": "manhattan", "none": "zero"}


def get(name: str) -> Heuristic:
    """The heuristic of that name.

    >>> get("Hamming").name
    'misplaced'
    """
    return NAMED[look_up("heuristic", name, NAMED, ALIASES)]


# --- checking -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class HeuristicCheck:
    """What a heuristic turned out to be on every board of a shape."""

    boards: int
    admissible: bool
    """Never more than the true distance."""
    consistent: bool
    """Never changes by more than one from a board to its neighbour, and 0 at the goal."""
    mean: float
    """Its mean value; `mean_distance` is the most it could be."""
    mean_distance: float
    overestimate: tuple[Board, float, int] | None
    """The board it overestimates most, its value there and the true distance."""
    jump: tuple[Board, Board] | None
    """Two neighbours between which it changes by more than one."""


def check_heuristic(
    heuristic: str | Heuristic | UserHeuristic,
    rows: int = 3,
    cols: int = 3,
    goal: Board | str | None = None,
) -> HeuristicCheck:
    """Try a heuristic on all boards of a small shape against their true distances.

    >>> check_heuristic(manhattan, 2, 3).admissible
    True
    >>> check_heuristic(lambda board, goal: 2 * manhattan(board, goal), 2, 3).admissible
    False
    """
    from .graph import BoardGraph
    from .search import bind

    graph = BoardGraph(rows, cols, goal)
    value_of = bind(get(heuristic) if isinstance(heuristic, str) else heuristic, graph.goal)
    distances = dict(graph.distances())
    values = {board: value_of(board) for board in distances}
    worst = max(values, key=lambda board: values[board] - distances[board])
    jump = next(
        (
            (board, neighbour)
            for board, value in values.items()
            if distances[board] % 2 == 0  # so that each edge comes once
            for neighbour in board.neighbours()
            if abs(value - values[neighbour]) > 1
        ),
        None,
    )
    admissible = values[worst] <= distances[worst]
    return HeuristicCheck(
        boards=len(values),
        admissible=admissible,
        consistent=jump is None and values[graph.goal] == 0,
        mean=sum(values.values()) / len(values),
        mean_distance=sum(distances.values()) / len(distances),
        overestimate=None if admissible else (worst, values[worst], distances[worst]),
        jump=jump,
    )
