"""Tables of small boards have a bit for each slide: each is where it is looked for."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from math import factorial
from random import Random

import pytest
from pattern_reference import region
from strategies import data_lines
from toy_table import Squares

from taquin import Board, _native, goals, heuristics, store, tables
from taquin.errors import TableError
from taquin.parity import reaches
from taquin.recipes import Pattern

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


def test_falls_are_looked_up_where_they_are(payload: memoryview) -> None:
    """Found by counting orders, masks and slides, one after the other."""
    table = SELF_MIRRORED.load(payload)
    offsets, order_bits = layout(7)
    generator = Random(3)
    for _ in range(5_000):
        places = generator.sample(range(16), 7)
        taken = sum(1 << cell for cell in places)
        first = order(places) * order_bits + offsets[taken]
        for number, (source, target) in enumerate(slides(taken)):
            after = [target if cell == source else cell for cell in places]
            change = table.value(after, source) - table.value(places, target)
            bit = payload[(first + number) // 8] >> (first + number) % 8 & 1
            assert change == (-1 if bit else 1)


def layout(tiles: int) -> tuple[dict[int, int], int]:
    """Where the bits of each mask begin in an order, every 64th with a byte, and where they end."""
    offsets: dict[int, int] = {}
    end = 0
    for mask in range(1 << 16):
        if mask.bit_count() == tiles:
            if len(offsets) % 64 == 0:
                end = -(-end // 8) * 8
            offsets[mask] = end
            end += len(slides(mask))
    return offsets, -(-end // 8) * 8


def slides(mask: int) -> list[tuple[int, int]]:
    """From cells that are taken to free ones beside them, in reading order of the upper left."""
    pairs = [
        (cell, near)
        for cell in range(16)
        for near in (cell + 1 if cell % 4 < 3 else None, cell + 4 if cell < 12 else None)
        if near is not None and (mask >> cell & 1) != (mask >> near & 1)
    ]
    return [(a, b) if mask >> a & 1 else (b, a) for a, b in pairs]


def order(places: Sequence[int]) -> int:
    return sum(
        sum(other < cell for other in places[:i]) * factorial(i) for i, cell in enumerate(places)
    )


def test_mirror_images_have_the_same_value(payload: memoryview) -> None:
    table = SELF_MIRRORED.load(payload)
    order = [SELF_MIRRORED.cells.index(mirrored(home)) for home in SELF_MIRRORED.cells]
    generator = Random(5)
    for _ in range(20_000):
        blank, *places = generator.sample(range(16), 8)
        images = [mirrored(places[number]) for number in order]
        assert table.value(places, blank) == table.value(images, mirrored(blank))


def test_values_are_those_of_a_search(payload: memoryview) -> None:
    table = SELF_MIRRORED.load(payload)
    generator = Random(4)
    assert table.value(SELF_MIRRORED.cells, 3) == 0
    for _ in range(12):
        places, blank = list(SELF_MIRRORED.cells), 3
        for _ in range(120):
            near = generator.choice(list(beside(blank)))
            if near in places:
                places[places.index(near)] = blank
            blank = near
        assert table.value(places, blank) == least_moves(tuple(places), blank), places


def least_moves(places: tuple[int, ...], blank: int) -> int:
    """By A*, to where the blank can be at home."""
    home = region(4, 4, SELF_MIRRORED.cells, 3)
    queue = [(manhattan(places), 0, places, blank)]
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


def test_half_a_table_knows_all_values() -> None:
    """Of all tiles, so that the values are distances."""
    half = Pattern(3, 3, (0, 1, 2, 3, 5, 6, 7, 8), 4)
    out = memoryview(bytearray(half.size()))
    half.build(out, 1, None)
    table = half.load(out)
    exact = _native.DistanceTable(3, 3, 4)
    generator = Random(6)
    for _ in range(2_000):
        tiles = exact.unrank(generator.randrange(181_440))
        cells = [tiles.index(tile) for tile in range(1, 9)]
        assert table.value(cells, tiles.index(0)) == exact.distance(tiles)


# --- the set ------------------------------------------------------------------------------------


def test_the_large_set_is_within_its_size() -> None:
    first = tables.recipes(goals.blank_first(4, 4), "large")
    assert [recipe.size() for recipe in first] == [91_198_804, 418_965_124]
    assert sum(recipe.size() for recipe in first) < 600e6
    assert tables.recipes(goals.blank_last(4, 4), "large") == first


class Insatiable(Squares):
    def working_bytes(self) -> int:
        return 1 << 60


def test_a_build_without_the_memory_for_it_is_refused() -> None:
    with pytest.raises(TableError, match=r"squares-5 takes 1,152,\d+,\d+,\d+,\d+,\d+ bytes"):
        store.make(Insatiable(5))
    seven, eight = tables.recipes(goals.blank_last(4, 4), "large")
    assert 70e6 < seven.working_bytes() < 75e6
    assert 0.70e9 < eight.working_bytes() < 0.75e9


@pytest.fixture(scope="module")
def large() -> Iterator[_native.Patterns]:
    # Apart, so that no other test finds large tables.
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TAQUIN_HOME", str(store.directory() / "large"))
        goal = goals.blank_first(4, 4)
        yield tables.for_search(tables.obtain(goal, "large", threads=2), goal)


def boards_of(name: str) -> Iterator[tuple[Board, int]]:
    for _, text, optimum in data_lines(name):
        yield Board(text, shape=(4, 4)), int(optimum)


def check(board: Board, optimum: int, report: _native.SearchReport) -> None:
    assert report.moves is not None
    assert len(report.moves) == report.lower_bound == optimum
    assert board.slide(report.moves) == goals.blank_first(4, 4)


def test_every_optimum_of_korfs_boards(large: _native.Patterns) -> None:
    pruning = _native.MovePruning()
    for board, optimum in boards_of("korf15.txt"):
        report = _native.idastar(4, 4, 0, board.tiles, patterns=large, pruning=pruning)
        check(board, optimum, report)
        assert sum(count for _, count in report.iterations) == report.expanded
        # With the optimum at hand there is nothing left to find.
        report = _native.idastar(
            4, 4, 0, board.tiles, patterns=large, pruning=pruning, known=optimum
        )
        assert report.moves is None
        assert report.lower_bound == optimum


@pytest.mark.parametrize("threads", [1, 2])
def test_boards_too_hard_to_keep_all_in_memory(large: _native.Patterns, threads: int) -> None:
    pruning = _native.MovePruning()
    board, optimum = next(boards_of("farthest-4x4.txt"))
    report = _native.idastar(4, 4, 0, board.tiles, patterns=large, pruning=pruning, threads=threads)
    check(board, optimum, report)
    assert report.expanded > 1_000_000


@pytest.mark.parametrize("limit", [1, 100, 3_000, 300_000])
def test_limits_hold_with_large_tables(large: _native.Patterns, limit: int) -> None:
    board, optimum = next(boards_of("farthest-4x4.txt"))
    report = _native.idastar(
        4, 4, 0, board.tiles, patterns=large, pruning=_native.MovePruning(), max_expanded=limit
    )
    assert report.moves is None
    assert report.limit_reached
    assert report.expanded == limit
    assert report.lower_bound <= optimum


# --- the farthest boards ------------------------------------------------------------------------


def test_the_farthest_boards_are_closed_under_mirroring() -> None:
    """With an optimum that is even, as the blank's way is, and no lower bound above it."""
    goal = goals.blank_first(4, 4)
    rows = data_lines("farthest-4x4.txt")
    boards = {tuple(map(int, tiles.split())) for _, tiles, _ in rows}
    assert len(rows) == len(boards) == 17
    assert {optimum for _, _, optimum in rows} == {"80"}
    for tiles in boards:
        assert tuple(mirrored(tiles[mirrored(cell)]) for cell in range(16)) in boards
        board = Board(tiles, shape=(4, 4))
        assert reaches(board, goal)
        assert heuristics.walking_distance(board, goal) <= 80
