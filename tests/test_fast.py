"""The fast answers of the native core."""

from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import data_lines, exact_distance, reachable, shapes

from taquin import Board, Limit, Progress, _native, goals, solve
from taquin.board import Move

EFFORTS = (0, 2_000, 60_000)


def answer(board, goal=None, effort=0, **options):
    target = goals.resolve(goal, board.shape)
    tiles = goals.canonical(board, target)
    return _native.fast(*target.shape, target.blank, tiles, effort, **options)


def check(board, goal, report):
    moves = tuple(map(Move, report.moves))
    assert board.slide(moves) == goal
    return len(moves)


@st.composite
def solvable_pairs(draw, max_side=9):
    """Two boards of one shape; the blank is anywhere in both."""
    shape = draw(shapes(max_side))
    goal = draw(reachable(*shape))
    return draw(reachable(*shape, goal)), goal


@pytest.mark.parametrize("effort", EFFORTS)
@settings(max_examples=60)
@given(pair=solvable_pairs())
def test_every_solvable_board_is_solved(effort, pair):
    board, goal = pair
    report = answer(board, goal, effort)
    check(board, goal, report)
    assert not report.limit_reached


@pytest.mark.parametrize("shape", [(300, 300), (2, 40_000), (1, 100_000), (600, 700)])
@pytest.mark.parametrize("quality", ["fast", "optimal"])
def test_boards_of_a_hundred_thousand_cells(shape, quality):
    board = Board.random(*shape, walk=2_000, seed=1)
    result = solve(board, quality=quality, limit=Limit(expanded=20_000))
    assert result.solution.verify()
    assert result.lower_bound >= 1


def test_a_long_answer_outlives_the_limit_that_ends_its_improvement():
    board = Board.random(36, 36, seed=1)
    result = solve(board, quality="fast", limit=Limit(expanded=1000))
    assert result.stats.expanded <= 1000
    assert len(result.solution.moves) > 50_000
    assert result.solution.verify()


def test_no_memory_for_an_answer_of_fifty_million_moves():
    board = Board.random(300, 300, seed=1)
    result = solve(board, quality="fast", limit=Limit(memory="10MB"))
    assert (result.status, result.solution) == ("limit", None)
    assert "memory" in result.reason


@pytest.mark.parametrize(
    "shape", [(1, 60), (60, 1), (2, 40), (40, 2), (3, 30), (30, 3), (4, 20), (17, 16), (30, 30)]
)
@pytest.mark.parametrize("goal", goals.NAMED)
def test_large_and_thin_boards(shape, goal):
    target = goals.named(goal, *shape)
    board = Board.random(*shape, goal=goal, seed=1)
    for effort in (0, 300_000):
        check(board, target, answer(board, target, effort))


@settings(max_examples=30)
@given(reachable(3, 3))
def test_small_boards_are_nearly_solved_best(board):
    optimum = exact_distance(board)
    assert answer(board, effort=60_000).moves is not None
    assert optimum <= len(answer(board, effort=60_000).moves) <= optimum + 2


@pytest.mark.parametrize("shape", [(5, 5), (8, 8), (3, 12)])
def test_the_same_effort_gives_the_same_answer(shape):
    board = Board.random(*shape, seed=5)
    assert answer(board, effort=50_000).moves == answer(board, effort=50_000).moves


def test_more_effort_pays():
    boards = [Board.random(6, 6, seed=seed) for seed in range(5)]
    lengths = [fmean(len(answer(board, effort=e).moves) for board in boards) for e in EFFORTS]
    assert lengths == sorted(lengths, reverse=True)


# --- mean lengths ---------------------------------------------------------------------------------


def test_24_puzzles_against_their_optima():
    instances = [
        (Board(list(map(int, tiles.split())), shape=(5, 5)), int(optimum))
        for _, tiles, optimum in data_lines("korf24.txt")
    ]
    ratios = [
        len(answer(board, "blank-first", 500_000).moves) / optimum for board, optimum in instances
    ]
    assert min(ratios) >= 1
    assert fmean(ratios) <= 1.08


@pytest.mark.parametrize(
    ("side", "effort", "most"),
    [
        (6, 500_000, 1.0),
        (7, 1_000_000, 1.05),
        (8, 1_000_000, 1.1),
        (10, 1_000_000, 1.25),
        (50, 0, 2.0),
    ],
)
def test_mean_lengths(side, effort, most):
    boards = [Board.random(side, side, seed=seed) for seed in range(4)]
    assert fmean(len(answer(board, effort=effort).moves) for board in boards) <= most * side**3


# --- limits and cancel ----------------------------------------------------------------------------


@pytest.mark.parametrize("expanded", [0, 1, 1_000, 40_000])
def test_the_limit_of_expansions_is_kept(expanded):
    board = Board.random(6, 6, seed=1)
    report = answer(board, effort=10**6, max_expanded=expanded)
    check(board, goals.blank_last(6, 6), report)
    assert report.expanded == expanded
    assert report.limit_reached


def test_stopped_before_there_is_an_answer():
    assert answer(Board.random(6, 6, seed=1), effort=10**6, hook=lambda *_: True).moves is None


@pytest.mark.parametrize(("side", "effort"), [(100, 0), (10, 10**8)])
def test_stopped_on_the_way(side, effort):
    """A board whose construction takes longer has none yet; a beam leaves the constructed one."""
    beats = []

    def hook(*counts):
        beats.append(counts)
        return len(beats) == 3

    board = Board.random(side, side, seed=1)
    report = answer(board, effort=effort, hook=hook)
    assert len(beats) == 3
    assert (report.moves is None) == (effort == 0)


def test_an_error_in_the_hook_comes_out():
    def hook(*counts):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        answer(Board.random(9, 9, seed=1), effort=10**8, hook=hook)


def test_what_can_not_be_reached():
    board = goals.blank_last(5, 5).exchange(1, 2)
    with pytest.raises(ValueError, match="can't reach the goal"):
        answer(board)


@pytest.mark.parametrize("quality", ["fast", "optimal", 2])
def test_a_first_answer_is_told_at_once_and_then_a_better_one(quality: str | float) -> None:
    board = Board.random(10, 10, seed=1)
    lengths: list[int] = []

    def watch(progress: Progress) -> None:
        if progress.best is not None and progress.best not in lengths:
            lengths.append(progress.best)

    limit = Limit(expanded=8_000_000)
    result = solve(board, quality=quality, limit=limit, on_progress=watch)
    assert lengths == sorted(lengths, reverse=True)
    assert len(lengths) > 1
    assert result.length == lengths[-1] < 1200 < lengths[0]
