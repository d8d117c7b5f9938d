"""Tables without gaps, of 7 and 8 tiles on 16 cells: each entry is where it is looked for."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import numpy as np
import pytest
from toy_table import Squares

from taquin import Board, _native, goals, heuristics, partitions, store, tables
from taquin.errors import TableError
from taquin.parity import reaches
from taquin.recipes import Pattern, place
from taquin.tables import OpenPattern, PatternSet

SELF_MIRRORED = Pattern(4, 4, (0, 1, 2, 4, 5, 8, 10), 3)
"""Its tiles change places when the board is mirrored, and so do its entries."""


@pytest.fixture(scope="module")
def payload() -> memoryview:
    out = memoryview(bytearray(SELF_MIRRORED.size()))
    SELF_MIRRORED.build(out, 2, None)
    return out


def mirrored(cell: int) -> int:
    return cell % 4 * 4 + cell // 4


def manhattan(places: Sequence[int]) -> int:
    return sum(
        abs(a // 4 - b // 4) + abs(a % 4 - b % 4)
        for a, b in zip(places, SELF_MIRRORED.cells, strict=True)
    )


def test_entries_are_looked_up_where_they_are(payload: memoryview) -> None:
    """Found by counting the free cells below each tile, one tile after the other."""
    table = SELF_MIRRORED.load(payload)
    generator = Random(3)
    for _ in range(20_000):
        places = generator.sample(range(16), 7)
        number = 0
        for i, cell in enumerate(places):
            number = number * (16 - i) + cell - sum(other < cell for other in places[:i])
        excess = payload[number // 2] >> number % 2 * 4 & 15
        assert table.value(places) == manhattan(places) + 2 * excess


def test_mirror_images_have_the_same_value(payload: memoryview) -> None:
    data = np.frombuffer(payload, np.uint8)
    nibbles = np.stack([data & 15, data >> 4], axis=1).reshape(-1)
    order = [SELF_MIRRORED.cells.index(mirrored(home)) for home in SELF_MIRRORED.cells]
    mirror = np.array([mirrored(cell) for cell in range(16)])
    numbers = np.random.default_rng(5).integers(0, len(nibbles), 1_000_000)
    there = numbered(mirror[arranged(numbers)][:, order])
    assert (nibbles[numbers] == nibbles[there]).all()


def arranged(numbers: np.ndarray) -> np.ndarray:
    """The tiles' cells at the places of these numbers."""
    digits = np.empty((len(numbers), 7), np.int64)
    for i in reversed(range(7)):
        numbers, digits[:, i] = np.divmod(numbers, 16 - i)
    for i in reversed(range(7)):
        for j in range(i + 1, 7):
            digits[:, j] += digits[:, j] >= digits[:, i]
    return digits


def numbered(cells: np.ndarray) -> np.ndarray:
    number = np.zeros(len(cells), np.int64)
    for i in range(7):
        lower = (cells[:, :i] < cells[:, i : i + 1]).sum(axis=1)
        number = number * (16 - i) + cells[:, i] - lower
    return number


def test_values_are_those_of_a_search(payload: memoryview) -> None:
    table = SELF_MIRRORED.load(payload)
    generator = Random(4)
    assert table.value(SELF_MIRRORED.cells) == 0
    for _ in range(12):
        places, blank = list(SELF_MIRRORED.cells), 3
        for _ in range(120):
            near = generator.choice(list(beside(blank)))
            if near in places:
                places[places.index(near)] = blank
            blank = near
        assert table.value(places) == least_moves(tuple(places)), places


def least_moves(places: tuple[int, ...]) -> int:
    """By A*, from all places of the blank to where it can be at home."""
    home = {3, 6, 7, 9, 11, 12, 13, 14, 15}
    start = manhattan(places)
    queue = [(start, 0, places, blank) for blank in range(16) if blank not in places]
    seen = set()
    while True:
        _, moves, places, blank = heapq.heappop(queue)
        if (places, blank) in seen:
            continue
        if places == SELF_MIRRORED.cells and blank in home:
            return moves
        seen.add((places, blank))
        for near in beside(blank):
            moved = tuple(blank if cell == near else cell for cell in places)
            g = moves + (moved != places)
            heapq.heappush(queue, (g + manhattan(moved), g, moved, near))


def beside(cell: int) -> Iterator[int]:
    row, col = divmod(cell, 4)
    steps = [(row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)]
    return (r * 4 + c for r, c in steps if 0 <= r < 4 and 0 <= c < 4)


# --- the set ------------------------------------------------------------------------------------


def test_the_large_set_is_within_its_size() -> None:
    first = tables.recipes(goals.blank_first(4, 4), "large")
    assert [recipe.size() for recipe in first] == [28_828_800, 259_459_200]
    assert tables.recipes(goals.blank_last(4, 4), "large") == first


class Insatiable(Squares):
    def working_bytes(self) -> int:
        return 1 << 60


def test_a_build_without_the_memory_for_it_is_refused() -> None:
    with pytest.raises(TableError, match=r"squares-5 takes 1,152,\d+,\d+,\d+,\d+,\d+ bytes"):
        store.make(Insatiable(5))
    seven, eight = tables.recipes(goals.blank_last(4, 4), "large")
    assert 139e6 < seven.working_bytes() < 150e6
    assert 1.4e9 < eight.working_bytes() < 1.5e9


def test_a_search_with_empty_dense_tables_gives_the_same_optima() -> None:
    """Tables full of zeros are those of the Manhattan distance."""
    goal = goals.blank_first(4, 4)
    partition = partitions.sets(4, 4, 0)["large"][0]
    empty_set = PatternSet("empty", (tuple(empty(cells) for cells in partition),))
    patterns = tables.for_search(empty_set, goal)
    pruning = _native.MovePruning()
    for seed in range(10):
        tiles = scrambled(seed)
        plain = _native.idastar(4, 4, 0, tiles)
        dense = _native.idastar(4, 4, 0, tiles, patterns=patterns, pruning=pruning)
        assert patterns.distance(tiles) == plain.iterations[0][0]
        assert len(dense.moves or "") == len(plain.moves or "")


def empty(cells: tuple[int, ...]) -> OpenPattern:
    placement = place(4, 4, cells, 0)
    return OpenPattern(
        placement, placement.pattern.load(memoryview(bytes(placement.pattern.size())))
    )


def scrambled(seed: int) -> list[int]:
    generator = Random(seed)
    tiles, blank = list(range(16)), 0
    for _ in range(60):
        near = generator.choice(list(beside(blank)))
        tiles[blank], tiles[near] = tiles[near], 0
        blank = near
    return tiles


# --- the farthest boards ------------------------------------------------------------------------


def test_the_farthest_boards_are_closed_under_mirroring() -> None:
    """With an optimum that is even, as the blank's way is, and no lower bound above it."""
    goal = goals.blank_first(4, 4)
    lines = (Path(__file__).parent / "data" / "farthest15.txt").read_text().splitlines()
    rows = [line.split("|") for line in lines if not line.startswith("#")]
    boards = {tuple(map(int, tiles.split())) for _, tiles, _ in rows}
    assert len(rows) == len(boards) == 17
    assert {optimum.strip() for _, _, optimum in rows} == {"80"}
    for tiles in boards:
        assert tuple(mirrored(tiles[mirrored(cell)]) for cell in range(16)) in boards
        board = Board(tiles, shape=(4, 4))
        assert reaches(board, goal)
        assert heuristics.walking_distance(board, goal) <= 80
