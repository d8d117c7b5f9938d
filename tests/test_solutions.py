"""All shortest solutions: counted and listed, against a count over the whole graph."""

from concurrent.futures import ProcessPoolExecutor
from functools import cache

import pytest
from hypothesis import given, settings
from strategies import boards

from taquin import Board, Limit, all_solutions, goals, solve, tables
from taquin.errors import BoardError, OptionError, UnknownNameError
from taquin.graph import BoardGraph
from taquin.heartbeat import Stopped
from taquin.parity import reaches
from taquin.solutions import unanswered

HARD = Board.random(4, 4, seed=3)


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


@pytest.mark.parametrize("board", ["8 6 7/2 5 4/3 0 1", Board.random(4, 4, seed=1, walk=12)])
def test_more_than_a_machine_can_count_are_all(board):
    found = all_solutions(board, most=10**30)
    assert found == all_solutions(board, most=10**6)
    assert len(found.first) == found.count


def test_as_plain_values():
    found = all_solutions("8 6 7/2 5 4/3 0 1", most=2)
    plain = found.to_dict(moves="blank")
    assert plain["solutions"] == [solution.text(moves="blank") for solution in found]
    assert (plain["status"], plain["direction"], plain["reason"]) == ("solved", "blank", "")
    assert found.to_dict()["direction"] == "tile"
    with pytest.raises(UnknownNameError):
        all_solutions("8 6 7/2 5 4/3 0 1", most=0).to_dict(moves="both")
    stopped = unanswered(found.board, found.goal, "limit", "enough")
    assert list(stopped) == list(plain)
    assert (stopped["status"], stopped["count"], stopped["reason"]) == ("limit", None, "enough")
    assert unanswered(found.board, found.goal, "unsolvable", "so")["count"] == 0


@pytest.mark.parametrize("cells", range(2, 17))
@pytest.mark.parametrize("upright", [False, True])
def test_a_line_has_one(cells, upright):
    shape = (cells, 1) if upright else (1, cells)
    goal = goals.blank_last(*shape)
    for board in (goal, Board([0, *range(1, cells)], shape=shape)):
        found = all_solutions(board)
        assert (found.length, found.count) == (0 if board == goal else cells - 1, 1)
        assert found.first == (solve(board).solution,)
        assert all_solutions(board, most=0).first == ()


def test_the_goal_itself_has_one():
    found = all_solutions(goals.blank_last(4, 4))
    assert (found.length, found.count, found.first[0].moves) == (0, 1, ())


def test_what_is_refused():
    with pytest.raises(BoardError, match=r"^1 2 3/4 5 6/8 7 0 is unsolvable: with 3 columns"):
        all_solutions("1 2 3/4 5 6/8 7 0")
    with pytest.raises(OptionError, match="at most 16 cells, not 4×5"):
        all_solutions(Board.random(4, 5, seed=1))
    with pytest.raises(OptionError, match="-1"):
        all_solutions("8 6 7/2 5 4/3 0 1", most=-1)


def test_a_limit_stops_it():
    with pytest.raises(Stopped):
        all_solutions(HARD, limit=Limit(seconds=0))


def test_the_limit_of_expansions_is_for_the_first_one_and_the_others():
    alone = solve(HARD, limit=Limit(expanded=10**7)).stats.expanded
    with pytest.raises(Stopped, match=rf"^the limit of {alone + 1:,} expanded boards$"):
        all_solutions(HARD, limit=Limit(expanded=alone + 1))


def test_a_limit_stops_it_in_another_process_too():
    with ProcessPoolExecutor(1) as pool, pytest.raises(Stopped, match="the time limit of 0 s"):
        pool.submit(all_solutions, HARD, limit=Limit(seconds=0)).result()


def test_the_limit_of_time_is_told_as_it_was_given(monkeypatch):
    monkeypatch.setattr("taquin.heartbeat.time", _Clock())
    with pytest.raises(Stopped, match=r"^the time limit of 2 s$"):
        all_solutions(HARD, limit=Limit(seconds=2))


class _Clock:
    """Between two looks at it, 0.3 s go by."""

    now = 0.0

    def perf_counter(self) -> float:
        self.now += 0.3
        return self.now

    monotonic = perf_counter


def listed(hook, *counts):
    """As the native core lists solutions: the hook hears how many boards it has expanded."""
    for expanded in counts:
        hook(expanded, expanded, 0, 0, 0.0)


def test_both_phases_share_the_limit_of_expansions(monkeypatch):
    expanded, passed = [], []

    def first(*args, **options):
        result = solve(*args, **options)
        expanded.append(result.stats.expanded)
        return result

    def answers(*args):
        left = 10_000_000 - expanded[0]
        listed(args[-1], 0, left - 1)
        passed.append(left - 1)
        listed(args[-1], left)

    monkeypatch.setattr("taquin.solutions.solve", first)
    monkeypatch.setattr("taquin.solutions._native.all_answers", answers)
    with pytest.raises(Stopped, match=r"^the limit of 10,000,000 expanded boards$"):
        all_solutions(HARD, limit=Limit(expanded=10_000_000))
    assert len(passed) == 1
    assert expanded[0] > 0


def test_the_boards_of_a_table_are_not_expanded(monkeypatch):
    exact = tables.exact

    def slowly(goal, hook):
        listed(hook, 0, 10**6)
        return exact(goal, hook)

    monkeypatch.setattr("taquin.solutions.tables.exact", slowly)
    assert all_solutions("8 6 7/2 5 4/3 0 1", limit=Limit(expanded=10)).count == 40
