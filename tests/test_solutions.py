"""All shortest solutions: counted and listed, against a count over the whole graph."""

from functools import cache

import pytest
from hypothesis import given, settings
from strategies import boards

from taquin import Board, Limit, all_solutions, goals, solve
from taquin.errors import BoardError, OptionError
from taquin.graph import BoardGraph
from taquin.heartbeat import Stopped
from taquin.parity import reaches


def count_by_layers(board: Board, goal: Board) -> int:
    """The number of shortest paths, summed up breadth first from the goal."""
    graph = BoardGraph(*goal.shape, goal)
    ways = {goal: 1}
    seen = {goal}
    while board not in ways:
        following: dict[Board, int] = {}
        for vertex, count in ways.items():
            for neighbour in graph.neighbours(vertex):
                if neighbour not in seen:
                    following[neighbour] = following.get(neighbour, 0) + count
        seen |= following.keys()
        ways = following
    return ways[board]


@cache
def goal_of(shape: tuple[int, int], name: str) -> Board:
    return goals.named(name, *shape)


@given(boards(2, 3).filter(lambda board: reaches(board, goals.blank_last(2, 3))))
@settings(max_examples=40)
def test_small_boards_against_a_count_over_the_graph(board):
    goal = goals.blank_last(2, 3)
    found = all_solutions(board, goal)
    assert found.count == count_by_layers(board, goal) == len(set(found))
    assert all(solution.verify() for solution in found)
    assert {len(solution) for solution in found} == {found.length}


def test_the_farthest_boards_of_3x3():
    for text in ("8 6 7/2 5 4/3 0 1", "6 4 7/8 5 0/3 2 1"):
        board = Board(text)
        found = all_solutions(board)
        assert found.length == 31
        assert found.count == count_by_layers(board, goals.blank_last(3, 3)) == len(found.first)


@pytest.mark.parametrize("goal", ["blank-first", "blank-last", "snail"])
@pytest.mark.parametrize("seed", range(3))
def test_4x4_boards_near_the_goal(goal, seed):
    target = goal_of((4, 4), goal)
    board = Board.random(4, 4, seed=seed, goal=target, walk=16)
    found = all_solutions(board, target)
    assert found.length == solve(board, target).length
    assert found.count == count_by_layers(board, target) == len(set(found))
    assert all(solution.verify() for solution in found)


def test_as_many_as_wanted_are_kept():
    found = all_solutions("8 6 7/2 5 4/3 0 1", most=7)
    assert (found.count, len(found.first)) == (40, 7)
    assert all_solutions("8 6 7/2 5 4/3 0 1", most=0).first == ()
    assert found.to_dict()["solutions"] == [solution.text() for solution in found]


def test_the_goal_itself_has_one():
    found = all_solutions(goals.blank_last(4, 4))
    assert (found.length, found.count, found.first[0].moves) == (0, 1, ())


def test_what_is_refused():
    with pytest.raises(BoardError, match="no solution"):
        all_solutions("1 2 3/4 5 6/8 7 0")
    with pytest.raises(OptionError, match="at most 16 cells, not 4×5"):
        all_solutions(Board.random(4, 5, seed=1))
    with pytest.raises(OptionError, match="-1"):
        all_solutions("8 6 7/2 5 4/3 0 1", most=-1)


def test_a_limit_stops_it():
    with pytest.raises(Stopped):
        all_solutions(Board.random(4, 4, seed=3), limit=Limit(seconds=0))
