import json
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import reachable

from taquin import Board, Limit, Move, Progress, Result, Solution, Stats, goals, solve
from taquin.errors import IllegalMoveError
from taquin.result import effective_branching_factor

START = Board("1 2 3/4 0 6/7 5 8")
GOAL = goals.blank_last(3, 3)


def made_up(length: int, lower_bound: int) -> Result:
    moves = (Move.L, Move.R) * (length // 2) + (Move.L,) * (length % 2)
    solution = Solution(START, START.slide(moves), moves)
    return Result(START, solution.goal, "solved", solution, lower_bound, "test", None, Stats())


@pytest.mark.parametrize(
    ("length", "lower_bound", "proof"),
    [
        (0, 0, "optimal"),
        (31, 31, "optimal"),
        (6, 5, "within:1.2"),
        (100, 99, "within:1.011"),
        (4, 0, "none"),
        (7, 3, "within:2.334"),
    ],
)
def test_proof(length, lower_bound, proof):
    assert made_up(length, lower_bound).proof == proof


@given(st.integers(1, 400), st.integers(1, 400))
def test_within_is_never_too_small_a_promise(a, b):
    result = made_up(max(a, b), min(a, b))
    if result.proof != "optimal":
        assert float(result.proof.removeprefix("within:")) * min(a, b) >= max(a, b) - 1e-9


@pytest.mark.parametrize("moves", ["tile", "blank"])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"quality": "fast"},
        {"algorithm": "idastar"},
        {"algorithm": "beam"},
        {"algorithm": "bfs", "limit": Limit(expanded=5)},
    ],
    ids=str,
)
@settings(max_examples=15)
@given(data=st.data())
def test_results_go_through_json_and_back(options, moves, data):
    shape = data.draw(st.sampled_from([(3, 3), (2, 3), (1, 5), (5, 1), (2, 2)]))
    result = solve(data.draw(reachable(*shape)), **options)
    plain = result.to_dict(moves=moves)
    back = Result.from_dict(json.loads(json.dumps(plain)))
    assert back.to_dict(moves=moves) == plain
    assert (back.solution, back.proof, back.length) == (
        result.solution,
        result.proof,
        result.length,
    )
    assert (back.board, back.goal, back.status) == (result.board, result.goal, result.status)


def test_what_is_in_the_dict():
    plain = solve(START).to_dict()
    assert list(plain) == [
        "board", "goal", "status", "proof", "length", "moves", "direction", "metric",
        "lower_bound", "algorithm", "heuristic", "reason", "warning", "stats",
    ]  # fmt: skip
    assert list(plain["stats"]) == [
        "expanded", "generated", "seconds", "peak_frontier", "peak_memory", "iterations",
    ]  # fmt: skip
    assert plain["moves"] == "UL"
    assert solve(START).to_dict(moves="blank")["moves"] == "DR"


@pytest.mark.parametrize("board", [GOAL.exchange(1, 2), GOAL])
def test_unsolvable_and_solved_already_go_there_and_back(board):
    plain = solve(board).to_dict()
    assert Result.from_dict(plain).to_dict() == plain
    assert plain["moves"] == ("" if board == GOAL else None)


def test_a_solution_shows_itself():
    solution = Solution(START, GOAL, (Move.U, Move.L))
    assert solution.verify()
    assert (len(solution), solution.length(), solution.length("multi")) == (2, 2, 2)
    assert solution.text() == "UL"
    assert solution.text("words", moves="blank") == "down right"
    assert solution.text("tiles") == "5 8"
    boards = list(solution.boards())
    assert boards[0] == START
    assert boards[-1] == GOAL
    assert all(b in a.neighbours() for a, b in pairwise(boards))
    shown = solution.show(style="ascii")
    assert all(board.show("ascii") in shown for board in boards)
    assert "1. up" in shown
    assert "2. left" in shown
    assert "1. down" in solution.show(moves="blank")
    assert "\x1b[" in solution.show(color=True)


def test_a_wrong_solution_is_noticed():
    assert not Solution(START, GOAL, (Move.U,)).verify()
    with pytest.raises(IllegalMoveError):
        Solution(GOAL, GOAL, (Move.U,)).verify()


@pytest.mark.parametrize(
    ("generated", "depth", "factor"),
    [(14, 3, 2.0), (39, 3, 3.0), (5, 5, 1.0), (0, 0, None), (3, 5, None), (9, None, None)],
)
def test_branching_factors(generated, depth, factor):
    found = effective_branching_factor(generated, depth)
    assert found == (None if factor is None else pytest.approx(factor, abs=1e-5))


@given(st.integers(1, 60), st.integers(0, 10**9))
def test_the_branching_factor_solves_its_equation(depth, more):
    generated = depth + more
    b = effective_branching_factor(generated, depth)
    assert sum(b**i for i in range(1, depth + 1)) == pytest.approx(generated, rel=1e-3)


@pytest.mark.parametrize("huge", [2**63, 10**30, 10**400], ids=["2^63", "10^30", "10^400"])
def test_a_limit_that_no_run_comes_up_to_is_none(huge):
    assert Limit(seconds=huge, expanded=huge) == Limit()
    assert Limit(memory=huge).memory == 2**63 - 1
    largest = Limit(expanded=2**63 - 1, memory=2**63 - 1)
    assert (largest.expanded, largest.memory) == (2**63 - 1, 2**63 - 1)


@pytest.mark.parametrize(
    "limit",
    [
        Limit(expanded=10**30),
        Limit(memory=10**30),
        Limit(seconds=10**400),
        Limit(expanded=2**63 - 1, memory=2**63 - 1),
    ],
    ids=["expanded", "memory", "seconds", "largest"],
)
@pytest.mark.parametrize("options", [{}, {"metric": "multi"}, {"algorithm": "astar"}], ids=str)
def test_huge_limits_stop_nothing(limit, options):
    board = Board.random(3, 5, seed=2, walk=20)
    assert solve(board, limit=limit, **options).proof == "optimal"


def test_progress_per_second():
    assert Progress(2.0, 10, 1, None, 0).expanded_per_second == 5
    assert Progress(0.0, 10, 1, None, 0).expanded_per_second == 0
