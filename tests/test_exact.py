"""The exact tables of one bit a board: against the table of bytes, and known answers."""

import mmap
import random

import pytest

from taquin import Board, Limit, solve
from taquin._native import (
    DistanceTable,
    ExactTable,
    Stopped,
    WalkingDistance,
    audit,
    build_exact,
    exact_bytes,
    idastar,
)

FIRST_LAYERS_3X4 = [1, 2, 4, 9, 20, 37, 63, 122, 232, 431, 781, 1392, 2494, 4442, 7854, 13899]


def built(rows, cols, blank, threads=1):
    buffer = bytearray(exact_bytes(rows, cols))
    layers = build_exact(rows, cols, blank, buffer, threads)
    return ExactTable(rows, cols, blank, buffer), layers


@pytest.fixture(scope="module")
def table_3x4():
    return built(3, 4, 11, threads=2)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize(
    ("rows", "cols", "blank"),
    [(3, 3, 8), (3, 3, 1), (2, 5, 0), (2, 5, 7), (5, 2, 4), (1, 10, 2), (10, 1, 9), (1, 1, 0)],
)
def test_bits_agree_with_bytes(rows, cols, blank, threads):
    bits, layers = built(rows, cols, blank, threads)
    table = DistanceTable(rows, cols, blank)
    assert layers == table.layers()
    distances = table.distances()
    for rank in range(0, len(table), 1 + len(table) // 5000):
        tiles = table.unrank(rank)
        assert bits.distance(tiles) == distances[rank] == len(bits.moves(tiles))
    assert bits.at(len(layers) - 1, 50) == table.at(len(layers) - 1, 50)


def test_all_boards_of_3x4(table_3x4):
    table, layers = table_3x4
    assert sum(layers) == 239_500_800
    assert len(layers) - 1 == 53
    assert layers[: len(FIRST_LAYERS_3X4)] == FIRST_LAYERS_3X4
    assert exact_bytes(3, 4) <= 64_000_000
    walking = WalkingDistance(3, 4, 11)
    rng = random.Random(34)
    for _ in range(50):
        tiles = rng.sample(range(12), 12)
        try:
            report = idastar(3, 4, 11, tiles, walking)
        except ValueError:
            with pytest.raises(ValueError, match="can't reach the goal"):
                table.distance(tiles)
        else:
            assert table.distance(tiles) == len(report.moves)


def test_no_walking_distance_exceeds_that_of_any_3x4_board():
    found = audit(3, 4, 11, walking=WalkingDistance(3, 4, 11), threads=2)
    assert found.boards == 239_500_800
    assert found.wrong is None
    assert 9 < found.missing / found.boards < 10


def test_farthest_boards_of_3x4(table_3x4):
    table, layers = table_3x4
    farthest = table.at(53, 100, threads=2)
    assert len(farthest) == layers[53] == 18
    assert {table.distance(tiles) for tiles in farthest} == {53}


def test_any_buffer_will_do(tmp_path):
    size = exact_bytes(3, 3)
    plain = bytearray(size)
    build_exact(3, 3, 8, plain)
    shifted = bytearray(size + 3)
    build_exact(3, 3, 8, memoryview(shifted)[3:])
    assert shifted[3:] == plain
    path = tmp_path / "table"
    path.write_bytes(bytes(size))
    with path.open("r+b") as file, mmap.mmap(file.fileno(), size) as mapped:
        build_exact(3, 3, 8, mapped)
    with path.open("rb") as file:
        table = ExactTable(3, 3, 8, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    assert table.distance((8, 6, 7, 2, 5, 4, 3, 0, 1)) == 31
    with pytest.raises(BufferError):
        build_exact(3, 3, 8, bytes(size))
    with pytest.raises(TypeError):
        ExactTable(3, 3, 8, "text")


def test_the_hook_hears_of_boards_and_stops_the_building():
    heard = []

    def hook(*progress):
        heard.append(progress)
        return len(heard) == 3

    with pytest.raises(Stopped):
        build_exact(3, 4, 0, bytearray(exact_bytes(3, 4)), 2, hook)
    done, generated, distances, lower_bounds, shares = zip(*heard, strict=True)
    assert len(heard) == 3
    assert list(done) == sorted(done)
    assert list(distances) == sorted(distances)
    assert set(generated) == set(lower_bounds) == set(shares) == {0}


def test_misuse_is_named():
    with pytest.raises(ValueError, match="has 22680 bytes, not 5"):
        ExactTable(3, 3, 8, bytes(5))
    with pytest.raises(ValueError, match="has 22680 bytes, not 5"):
        build_exact(3, 3, 8, bytearray(5))
    with pytest.raises(ValueError, match="at most 12 cells, not 14"):
        exact_bytes(2, 7)
    with pytest.raises(ValueError, match="threads must be"):
        build_exact(3, 3, 8, bytearray(exact_bytes(3, 3)), 0)
    with pytest.raises(ValueError, match="is damaged"):
        ExactTable(3, 3, 8, bytes(exact_bytes(3, 3))).distance((8, 6, 7, 2, 5, 4, 3, 0, 1))


def test_answers_to_many_boards():
    table, _ = built(2, 4, 3)
    distances = DistanceTable(2, 4, 3)
    boards = [distances.unrank(rank) for rank in range(0, len(distances), 101)]
    answers = table.answers(b"".join(map(bytes, boards)))
    assert answers == [table.moves(tiles) for tiles in boards]
    assert table.answers(bytes([2, 1, 3, 0, 4, 5, 6, 7])) == [None]


def test_a_stop_while_its_table_is_built_leaves_an_answer(tmp_path, monkeypatch):
    monkeypatch.setenv("TAQUIN_HOME", str(tmp_path))
    board = Board("6 8 7 9/4 5 11 0/10 3 2 1")
    result = solve(board, tables="exact", limit=Limit(seconds=0.01))
    assert (result.status, result.solution.verify()) == ("limit", True)
    assert 20 < result.lower_bound <= result.length
