"""What the tests draw at random, and the known answers they read from tests/data."""

from collections.abc import Iterator
from itertools import permutations
from pathlib import Path
from random import Random

from hypothesis import strategies as st

from taquin import Board, Move, goals, sets
from taquin.board import unchecked
from taquin.tables import exact

DATA = Path(__file__).parent / "data"
SHIPPED = sets.DATA

SMALL_SHAPES = [(r, c) for r in range(1, 10) for c in range(1, 10) if 2 <= r * c <= 8]


def shapes(max_side: int = 5) -> st.SearchStrategy[tuple[int, int]]:
    side = st.integers(1, max_side)
    return st.tuples(side, side).filter(lambda shape: shape != (1, 1))


def boards(*shape: int, max_side: int = 5) -> st.SearchStrategy[Board]:
    """Any arrangement, of one shape or of any."""
    some = st.just(shape) if shape else shapes(max_side)
    return some.flatmap(
        lambda shape: _orders(shape[0] * shape[1]).map(lambda tiles: Board(tiles, shape=shape))
    )


def _orders(count: int) -> st.SearchStrategy[list[int]]:
    """Permutations; small ones shrink well, large ones are drawn quickly."""
    if count <= 9:
        return st.permutations(range(count))
    return st.integers(0, 2**32).map(lambda seed: Random(seed).sample(range(count), count))


def pairs(max_side: int = 5) -> st.SearchStrategy[tuple[Board, Board]]:
    """Two boards of one shape."""
    return shapes(max_side).flatmap(lambda shape: st.tuples(boards(*shape), boards(*shape)))


def reachable(
    rows: int, cols: int, goal: Board | str | None = None, walk: int | None = None
) -> st.SearchStrategy[Board]:
    """Boards that reach the goal, uniform or a random walk away from it."""
    return st.integers(0, 2**32).map(
        lambda seed: Board.random(rows, cols, goal=goal, seed=seed, walk=walk)
    )


def goal_names() -> st.SearchStrategy[str]:
    return st.sampled_from(sorted(goals.NAMED))


def move_lists(max_size: int = 40) -> st.SearchStrategy[list[Move]]:
    return st.lists(st.sampled_from(list(Move)), max_size=max_size)


def all_boards(rows: int, cols: int) -> Iterator[Board]:
    """Every arrangement, made without the checks that permutations don't need."""
    return (unchecked(rows, cols, tiles) for tiles in permutations(range(rows * cols)))


def exact_distance(board: Board, goal: Board | str | None = None) -> int:
    target = goals.resolve(goal, board.shape)
    return exact(target).distance(goals.canonical(board, target))


def data_lines(name: str) -> list[list[str]]:
    """The fields between the bars of the lines of a data file, the tests' own or a shipped one."""
    path = DATA / name if (DATA / name).exists() else SHIPPED / name
    lines = path.read_text(encoding="utf-8").splitlines()
    return [[field.strip() for field in line.split("|")] for line in lines if line[:1] != "#"]


def assert_clear(error: Exception) -> None:
    """One printable line, fit for a user."""
    assert str(error).isprintable()
    assert 0 < len(str(error)) < 300
