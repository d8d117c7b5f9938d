"""The native core: its tables and its search, through their Python face."""

import _thread
import random
import threading
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from strategies import pairs

from taquin import Board, Move, goals, heuristics, parity
from taquin._native import (
    DistanceTable,
    Stopped,
    WalkingDistance,
    WalkingTooLarge,
    checksum,
    idastar,
    inversions,
    is_solved_by,
    linear_conflict,
    reaches,
    renamed,
    spelled,
)
from taquin.errors import IllegalMoveError

LAYERS = {
    (2, 2): "1 2 2 2 2 2 1",
    (2, 3): "1 2 3 5 6 7 10 12 12 16 23 25 28 39 44 40 29 21 18 12 6 1",
    (2, 4): "1 2 3 6 10 14 19 28 42 61 85 119 161 215 293 396 506 632 788 985 1194 1414 1664 1884 "
    "1999 1958 1770 1463 1076 667 361 190 88 39 19 7 1",
    (3, 3): "1 2 4 8 16 20 39 62 116 152 286 396 748 1024 1893 2512 4485 5638 9529 10878 16993 "
    "17110 23952 20224 24047 15578 14560 6274 3910 760 221 2",
}

# From Korf's 100 instances (Artificial Intelligence 27, 1985), with their optimal lengths.
# The goal has the blank first.
KORF = {
    12: ((14, 1, 9, 6, 4, 8, 12, 5, 7, 2, 3, 0, 10, 11, 13, 15), 45),
    42: ((4, 5, 7, 2, 9, 14, 12, 13, 0, 3, 6, 11, 8, 1, 15, 10), 42),
    79: ((0, 1, 9, 7, 11, 13, 5, 3, 14, 12, 4, 2, 8, 6, 10, 15), 42),
}
# Instance 88: minutes of work with the Manhattan distance.
HARD = (15, 2, 12, 11, 14, 13, 9, 5, 1, 3, 8, 7, 0, 10, 6, 4)


def goal_tiles(rows, cols, blank):
    tiles = list(range(1, rows * cols))
    tiles.insert(blank, 0)
    return tuple(tiles)


def play(rows, cols, tiles, moves):
    tiles = list(tiles)
    for move in moves:
        blank = tiles.index(0)
        row, col = divmod(blank, cols)
        down, right = {"U": (1, 0), "D": (-1, 0), "L": (0, 1), "R": (0, -1)}[move]
        assert 0 <= row + down < rows
        assert 0 <= col + right < cols
        source = (row + down) * cols + col + right
        tiles[blank], tiles[source] = tiles[source], 0
    return tuple(tiles)


def test_names_are_for_the_tiles_of_the_goal():
    assert renamed((3, 1, 0, 2), (2, 0, 3, 1)) == (2, 3, 0, 1)
    for tiles in ((1, 2, 3, 4), (1, -2, 3, 0)):
        with pytest.raises(ValueError, match=r"tile (4|-2) is not from 0 to 3"):
            renamed(tiles, (2, 0, 3, 1))


@given(pairs(max_side=9))
def test_what_is_known_of_a_board_at_once(pair):
    """The same as in Python, where each has tests of its own."""
    board, goal = pair
    canonical = (*goal.shape, goal.blank, goals.canonical(board, goal))
    assert reaches(*canonical) == parity.reaches(board, goal)
    assert linear_conflict(*canonical) == heuristics.linear_conflict(board, goal)
    places = [place for place in canonical[-1] if place]
    assert inversions(*canonical) == sum(a > b for a, b in combinations(places, 2))


@pytest.mark.parametrize("ask", [reaches, inversions, linear_conflict])
def test_nobody_has_to_wait_for_what_is_known_of_a_large_board(ask):
    canonical = (300, 300, 0, tuple(range(300 * 300)))
    ask(*canonical, lambda *counts: False)
    with pytest.raises(Stopped):
        ask(*canonical, lambda *counts: True)


@pytest.mark.parametrize(("rows", "cols", "blank"), [(2, 2, 3), (3, 4, 0), (5, 2, 4), (7, 7, 48)])
def test_moves_are_replayed_as_in_python(rows, cols, blank):
    goal = Board(goal_tiles(rows, cols, blank), shape=(rows, cols))
    generator = random.Random(rows)
    for _ in range(200):
        board, way = goal, []
        for _ in range(generator.randrange(60)):
            way.append(generator.choice(board.moves()))
            board = board.slide(way[-1])
        back = "".join(move.opposite.value for move in reversed(way))
        assert is_solved_by(rows, cols, blank, board.tiles, back)
        spoilt = list(back)
        if spoilt:
            spoilt[generator.randrange(len(spoilt))] = generator.choice("UDLR")
        spoilt = "".join(spoilt[: generator.choice([len(back), len(back) - 1])])
        try:
            expected = board.slide([Move(letter) for letter in spoilt]) == goal
        except IllegalMoveError:
            expected = False
        assert is_solved_by(rows, cols, blank, board.tiles, spoilt) == expected


def test_letters_are_spelled_out():
    meanings = {move.value: move for move in Move}
    letters = "".join(random.Random(1).choices("UDLR", k=1000))
    assert spelled(letters, meanings) == tuple(map(Move, letters))
    assert spelled("", meanings) == ()
    assert spelled("abba", {"a": None, "b": [1]}) == (None, [1], [1], None)
    for wrong in ("UDX", "UD√"):
        with pytest.raises(KeyError, match="letter 3"):
            spelled(wrong, meanings)


def test_long_answers_need_not_be_waited_for():
    there_and_back = "RL" * (1 << 20)
    meanings = {move.value: move for move in Move}
    for begin in (
        lambda hook: is_solved_by(2, 2, 3, (1, 2, 3, 0), there_and_back, hook),
        lambda hook: len(spelled(there_and_back, meanings, hook)) == len(there_and_back),
    ):
        assert begin(lambda *counts: False), "it goes on"
        with pytest.raises(Stopped):
            begin(lambda *counts: True)
    assert is_solved_by(2, 2, 3, (1, 2, 3, 0), there_and_back)


@pytest.fixture(scope="module")
def walking_4x4():
    return WalkingDistance(4, 4, 0)


@pytest.mark.parametrize("shape", LAYERS)
def test_known_layers(shape):
    rows, cols = shape
    expected = [int(number) for number in LAYERS[shape].split()]
    assert DistanceTable(rows, cols, 0).layers() == expected
    assert DistanceTable(cols, rows, rows * cols - 1).layers() == expected


@pytest.mark.parametrize("shape", [(2, 2), (3, 2), (1, 5), (5, 1), (1, 1)])
def test_ranks_are_dense_and_turn_back(shape):
    rows, cols = shape
    for blank in range(rows * cols):
        table = DistanceTable(rows, cols, blank)
        boards = [table.unrank(rank) for rank in range(len(table))]
        assert len(set(boards)) == len(table)
        assert [table.rank(board) for board in boards] == list(range(len(table)))
        assert [table.distance(board) for board in boards] == list(table.distances())


def test_ranks_are_lexicographic_within_a_blank_cell():
    table = DistanceTable(2, 3, 5)
    boards = [table.unrank(rank) for rank in range(len(table))]
    keys = [(board.index(0), [tile for tile in board if tile]) for board in boards]
    assert keys == sorted(keys)


def test_table_moves_reach_the_goal():
    table = DistanceTable(3, 3, 4)
    for rank in range(0, len(table), 1013):
        tiles = table.unrank(rank)
        moves = table.moves(tiles)
        assert len(moves) == table.distance(tiles)
        assert play(3, 3, tiles, moves) == goal_tiles(3, 3, 4)


def test_answers_to_many_boards():
    table = DistanceTable(3, 3, 4)
    boards = [table.unrank(rank) for rank in range(0, len(table), 1013)]
    answers = table.answers(b"".join(map(bytes, boards)))
    assert answers == [table.moves(tiles) for tiles in boards]
    assert table.answers(b"") == []
    small = DistanceTable(2, 2, 3)
    assert small.answers(bytes([1, 2, 3, 0, 2, 1, 3, 0, 1, 0, 3, 2])) == ["", None, "U"]


@pytest.mark.parametrize("wrong", [bytes(3), bytes([1, 2, 3, 3]), bytes([1, 2, 3, 4])])
def test_answers_are_for_boards_only(wrong):
    with pytest.raises(ValueError, match=r"a byte for each cell|appears twice|is not from 0 to 3"):
        DistanceTable(2, 2, 3).answers(wrong)


def test_many_lookups_can_be_stopped():
    with pytest.raises(Stopped):
        DistanceTable(2, 2, 3).answers(bytes([1, 2, 3, 0]), lambda *counts: True)


def test_boards_at_a_distance():
    table = DistanceTable(3, 3, 8)
    assert table.at(31, 10) == [(6, 4, 7, 8, 5, 0, 3, 2, 1), (8, 6, 7, 2, 5, 4, 3, 0, 1)]
    assert len(table.at(20, 5)) == 5
    assert table.at(32, 5) == []


def test_ten_cells_have_known_extremes():
    table = DistanceTable(2, 5, 0)
    assert len(table) == 1_814_400
    assert max(table.distances()) == 55


@pytest.mark.parametrize("blank", range(9))
def test_walking_distance_is_a_lower_bound_of_the_same_parity(blank):
    table = DistanceTable(3, 3, blank)
    walking = WalkingDistance(3, 3, blank)
    for rank in range(0, len(table), 97):
        tiles = table.unrank(rank)
        gap = table.distance(tiles) - walking.distance(tiles)
        assert gap >= 0
        assert gap % 2 == 0
        assert walking.rows(tiles) + walking.columns(tiles) == walking.distance(tiles)


def test_walking_distance_sizes(walking_4x4):
    assert len(walking_4x4) == 24_964
    with pytest.raises(WalkingTooLarge, match="5 lines of 5"):
        WalkingDistance(5, 5, 0)
    assert issubclass(WalkingTooLarge, ValueError)


def test_one_line_walks_along_itself():
    walking = WalkingDistance(1, 6, 0)
    assert walking.rows((1, 2, 3, 4, 0, 5)) == 0
    assert walking.columns((1, 2, 3, 4, 0, 5)) == 4


@pytest.mark.parametrize("shape", [(3, 3), (2, 4), (4, 2), (1, 6)])
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("with_walking", [True, False])
def test_search_agrees_with_the_table(shape, threads, with_walking):
    rows, cols = shape
    rng = random.Random(f"{shape}")
    for blank in {0, 1, rows * cols // 2, rows * cols - 1}:
        table = DistanceTable(rows, cols, blank)
        walking = WalkingDistance(rows, cols, blank) if with_walking else None
        for rank in rng.choices(range(len(table)), k=25):
            tiles = table.unrank(rank)
            report = idastar(rows, cols, blank, tiles, walking, threads=threads)
            assert len(report.moves) == table.distance(tiles)
            assert report.lower_bound <= table.distance(tiles)
            assert play(rows, cols, tiles, report.moves) == goal_tiles(rows, cols, blank)


@pytest.mark.parametrize("weight", [1.01, 1.3, 2, 1000, float("inf")])
def test_weighted_search_keeps_its_promise(weight):
    table = DistanceTable(3, 3, 8)
    for rank in range(5, len(table), 2003):
        tiles = table.unrank(rank)
        report = idastar(3, 3, 8, tiles, weight=weight)
        assert len(report.moves) <= weight * table.distance(tiles)
        assert report.lower_bound <= table.distance(tiles)
        assert play(3, 3, tiles, report.moves) == goal_tiles(3, 3, 8)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("instance", KORF)
def test_korf_instances(instance, threads, walking_4x4):
    tiles, optimum = KORF[instance]
    report = idastar(4, 4, 0, tiles, walking_4x4, threads=threads)
    assert len(report.moves) == report.lower_bound == optimum
    assert play(4, 4, tiles, report.moves) == goal_tiles(4, 4, 0)


def test_report_adds_up():
    report = idastar(3, 3, 8, (8, 6, 7, 2, 5, 4, 3, 0, 1))
    thresholds = [threshold for threshold, _ in report.iterations]
    assert all(after - before == 2 for before, after in pairwise(thresholds))
    assert thresholds[-1] == report.lower_bound == 31
    assert sum(expanded for _, expanded in report.iterations) == report.expanded
    assert report.generated > report.expanded
    assert not report.limit_reached


def test_large_boards_need_no_deep_recursion():
    tiles = list(goal_tiles(100, 100, 9999))
    tiles[0], tiles[1], tiles[2] = tiles[1], tiles[2], tiles[0]
    report = idastar(100, 100, 9999, tiles, weight=100, max_expanded=500_000)
    assert report.limit_reached
    line = goal_tiles(1, 5000, 0)
    assert idastar(1, 5000, 4999, line).moves == "L" * 4999


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("limit", [1, 1000, 50_001])
def test_the_limit_of_expansions_is_kept(limit, threads):
    report = idastar(4, 4, 0, HARD, threads=threads, max_expanded=limit)
    assert report.moves is None
    assert report.limit_reached
    assert report.expanded <= limit
    assert threads > 1 or report.expanded == limit
    assert report.lower_bound > 0


@pytest.mark.parametrize("threads", [1, 2])
def test_the_hook_hears_of_progress_and_stops_the_search(threads):
    heard = []

    def hook(*progress):
        heard.append((threading.get_ident(), *progress))
        return len(heard) == 3

    report = idastar(4, 4, 0, HARD, threads=threads, hook=hook)
    assert report.moves is None
    assert not report.limit_reached
    callers, expanded, generated, bounds, lower_bounds, shares = zip(*heard, strict=True)
    assert set(callers) == {threading.get_ident()}
    assert list(expanded) == sorted(expanded)
    assert list(generated) == sorted(generated)
    assert bounds == lower_bounds
    assert lower_bounds[-1] <= report.lower_bound
    assert all(0 <= share <= 1 for share in shares)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("error", [KeyError, KeyboardInterrupt])
def test_what_the_hook_raises_comes_out(error, threads):
    def hook(expanded, generated, bound, lower_bound, share):
        if expanded > 0:
            raise error("from the hook")
        return False

    with pytest.raises(error, match="from the hook"):
        idastar(4, 4, 0, HARD, threads=threads, hook=hook)


@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_works_without_a_hook(threads):
    timer = threading.Timer(0.2, _thread.interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        idastar(4, 4, 0, HARD, threads=threads)


def test_the_hook_stops_the_tables():
    with pytest.raises(Stopped):
        DistanceTable(2, 5, 0, hook=lambda *_: True)
    with pytest.raises(Stopped):
        WalkingDistance(4, 4, 0, hook=lambda *_: True)


def test_other_python_threads_run_during_a_search():
    stop = threading.Event()
    turns = []

    def search():
        idastar(4, 4, 0, HARD, hook=lambda *_: stop.is_set())

    thread = threading.Thread(target=search)
    thread.start()
    while thread.is_alive() and len(turns) < 1000:
        turns.append(sum(range(1000)))
    stop.set()
    thread.join()
    assert len(turns) == 1000


def test_several_searches_at_once(walking_4x4):
    jobs = [KORF[42], KORF[79]] * 3
    with ThreadPoolExecutor(max_workers=3) as pool:
        reports = pool.map(lambda job: idastar(4, 4, 0, job[0], walking_4x4), jobs)
    assert [len(report.moves) for report in reports] == [optimum for _, optimum in jobs]


@pytest.mark.parametrize(
    ("arguments", "culprit"),
    [
        ((0, 3, 0, ()), "rows must be"),
        ((1025, 1025, 0, ()), "1048576 cells"),
        ((2, 2, 4, (1, 2, 3, 0)), "blank must be"),
        ((2, 2, 3, (1, 2, 3)), "has 4 tiles, not 3"),
        ((2, 2, 3, (1, 2, 5, 0)), r"tile 5 \(cell 2\)"),
        ((2, 2, 3, (1, -2, 3, 0)), r"tile -2 \(cell 1\)"),
        ((2, 2, 3, (1, 2, 1, 0)), r"tile 1 appears twice \(cells 0 and 2\)"),
        ((2, 2, 3, (2, 1, 3, 0)), "can't reach the goal"),
        ((1, 4, 3, (2, 1, 3, 0)), "can't reach the goal"),
    ],
)
def test_bad_boards_are_named(arguments, culprit):
    with pytest.raises(ValueError, match=culprit):
        idastar(*arguments)


def test_bad_settings_are_named(walking_4x4):
    tiles = (1, 2, 3, 0)
    with pytest.raises(ValueError, match="weight must be"):
        idastar(2, 2, 3, tiles, weight=0.9)
    with pytest.raises(ValueError, match="weight must be"):
        idastar(2, 2, 3, tiles, weight=float("nan"))
    with pytest.raises(ValueError, match="threads must be"):
        idastar(2, 2, 3, tiles, threads=0)
    with pytest.raises(ValueError, match="another shape or goal"):
        idastar(2, 2, 3, tiles, walking_4x4)
    with pytest.raises(ValueError, match="at most 10 cells"):
        DistanceTable(3, 4, 0)
    with pytest.raises(ValueError, match="can't reach the goal"):
        DistanceTable(2, 2, 3).distance((2, 1, 3, 0))
    with pytest.raises(ValueError, match="rank must be"):
        DistanceTable(2, 2, 3).unrank(12)


def test_checksums_of_any_buffer():
    data = bytes(range(256)) * 20
    expected = checksum(data)
    assert checksum(bytearray(data)) == checksum(memoryview(data)) == expected
    assert checksum(memoryview(b"head" + data)[4:]) == expected
    assert checksum(data[:-1]) != expected
    assert 0 <= expected < 1 << 64
    with pytest.raises(BufferError):
        checksum(memoryview(data)[::2])
    with pytest.raises(TypeError):
        checksum("text")


def test_the_hook_stops_a_checksum():
    with pytest.raises(Stopped):
        checksum(bytes(100), lambda *_: True)
    with pytest.raises(ZeroDivisionError):
        checksum(bytes(100), lambda *_: 1 // 0)
