import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import exact_distance, goal_names, shapes

from taquin import Board, BoardGraph, goals
from taquin.errors import BoardError, OptionError
from taquin.parity import reaches

# Written down once; a seed must give the same board on every machine and in every version.
SEEDS = [
    (2, 2, "blank-last", 0, None, "2 0/1 3"),
    (3, 3, "blank-last", 1, None, "0 4 3/7 1 8/5 6 2"),
    (3, 3, "snail", 1, None, "0 4 3/7 2 8/5 6 1"),
    (4, 4, "blank-last", 7, None, "11 8 14 1/15 7 3 13/10 12 4 6/0 9 2 5"),
    (4, 4, "blank-first", 2024, None, "5 2 0 12/14 8 3 6/9 1 15 13/11 4 10 7"),
    (
        5,
        5,
        "column-major",
        5,
        None,
        "12 4 11 23 3/9 7 14 19 21/5 1 6 2 13/10 16 8 0 22/24 20 18 17 15",
    ),
    (1, 7, "blank-last", 3, None, "1 0 2 3 4 5 6/"),
    (7, 1, "blank-first", 3, None, "1/0/2/3/4/5/6"),
    (2, 6, "blank-last", 10**30, None, "9 0 4 7 6 10/8 1 2 3 5 11"),
    (4, 4, "blank-last", 7, 30, "1 6 2 3/5 8 7 4/9 10 0 11/13 12 14 15"),
    (3, 5, "snail", 8, 100, "9 6 7 12 3/14 2 11 13 8/0 5 1 4 10"),
    (1, 4, "blank-last", 9, 5, "1 2 0 3/"),
]


@pytest.mark.parametrize(("rows", "cols", "goal", "seed", "walk", "expected"), SEEDS)
def test_seeds_give_the_boards_they_always_gave(rows, cols, goal, seed, walk, expected):
    assert str(Board.random(rows, cols, goal=goal, seed=seed, walk=walk)) == expected


@pytest.mark.parametrize("goal", ["blank-last", "blank-first", "snail"])
@pytest.mark.parametrize(("shape", "draws"), [((2, 2), 6_000), ((2, 3), 18_000), ((1, 5), 2_500)])
def test_boards_are_uniform_over_all_that_reach_the_goal(shape, draws, goal):
    """Chi-squared: a fair draw stays below this bound but for one in ten thousand."""
    graph = BoardGraph(*shape, goal)
    generator = random.Random(1)
    counts = Counter(Board.random(*shape, goal=goal, seed=generator) for _ in range(draws))
    assert set(counts) <= {board for board, _ in graph.distances()}
    expected = draws / graph.size
    assert expected >= 50
    chi_squared = sum((n - expected) ** 2 / expected for n in counts.values())
    chi_squared += (graph.size - len(counts)) * expected
    freedom = graph.size - 1
    # Wilson and Hilferty's approximation of the 99.99 % point.
    bound = freedom * (1 - 2 / (9 * freedom) + 3.72 * (2 / (9 * freedom)) ** 0.5) ** 3
    assert chi_squared < bound


@given(shapes(8), goal_names(), st.integers(), st.none() | st.integers(0, 50))
def test_every_board_reaches_its_goal(shape, name, seed, walk):
    goal = goals.named(name, *shape)
    board = Board.random(*shape, goal=name, seed=seed, walk=walk)
    assert reaches(board, goal)
    assert board == Board.random(*shape, goal=goal, seed=seed, walk=walk)


@given(st.integers(), st.integers(0, 12))
def test_a_walk_has_as_many_steps_and_never_turns_back(seed, steps):
    board = Board.random(3, 3, seed=seed, walk=steps)
    distance = exact_distance(board)
    assert distance <= steps
    assert distance % 2 == steps % 2
    # No cycle of boards is shorter than 12, so up to half of that every step leads away.
    assert steps > 6 or distance == steps


def test_walks_on_a_line_go_back_at_its_end():
    assert Board.random(1, 3, seed=1, walk=2) == Board("0 1 2/")
    assert Board.random(1, 3, seed=1, walk=4) == goals.blank_last(1, 3)


def test_one_generator_gives_many_boards():
    generator = random.Random(5)
    first = [Board.random(4, 4, seed=generator) for _ in range(50)]
    assert len(set(first)) == 50
    generator = random.Random(5)
    assert first == [Board.random(4, 4, seed=generator) for _ in range(50)]
    assert len({Board.random(4, 4) for _ in range(50)}) == 50


def test_bad_wishes():
    with pytest.raises(OptionError, match="can't have -1 steps"):
        Board.random(3, 3, walk=-1)
    with pytest.raises(BoardError, match="at least 1×2"):
        Board.random(1, 1)
    with pytest.raises(BoardError, match="the goal is 2×2"):
        Board.random(3, 3, goal="1 2/3 0")
