import json
import math
from itertools import pairwise

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from solving import HARD, KORF, check
from strategies import data_lines, exact_distance, goal_names, pairs, reachable, shapes

from taquin import Board, BoardGraph, Limit, goals, heuristics, solve, tables
from taquin.errors import BoardError, NotationError, OptionError, UnknownNameError
from taquin.parity import reaches

FAR = Board("8 6 7/2 5 4/3 0 1")

# --- known answers ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "goal", "answer", "inversions", "source"), data_lines("boards.txt")
)
def test_boards_with_known_answers(text, goal, answer, inversions, source):
    result = check(solve(text, goal))
    if answer == "unsolvable":
        assert (result.status, result.proof, result.length) == ("unsolvable", "none", None)
        assert result.reason.startswith("unsolvable: ")
    else:
        assert (result.status, result.proof, result.length) == ("solved", "optimal", int(answer))


def test_korfs_instances():
    """What is solved within the limit is right, and what is not is bounded rightly."""
    solved = 0
    for board, optimum in KORF:
        result = check(solve(board, "blank-first", limit=Limit(expanded=500_000)))
        assert result.lower_bound <= optimum <= result.length
        if result.status == "solved":
            assert (result.length, result.proof) == (optimum, "optimal")
            solved += 1
    assert solved >= 10


@pytest.mark.parametrize(
    "options", [{"threads": 2}, {"tables": "none"}, {"tables": "walking"}], ids=str
)
@pytest.mark.parametrize("number", [79, 12, 55, 42, 97])
def test_korfs_instances_in_other_ways(number, options):
    tables.obtain(goals.blank_first(4, 4), "default")
    board, optimum = KORF[number - 1]
    result = check(solve(board, "blank-first", **options))
    assert (result.length, result.proof) == (optimum, "optimal")
    used = {"none": "manhattan", "walking": "walking-distance"}
    assert result.heuristic == used.get(options.get("tables"), "patterns-default")


def test_a_path_of_80_moves_has_room():
    """This board is known to be 80 moves from its goal; whatever is found is told in full."""
    board = Board("2 24 8 5 4/15 0 23 10 9/20 7 14 12 3/6 11 18 21 17/16 1 22 13 19")
    result = check(solve(board, "blank-first", limit=Limit(expanded=300_000)))
    assert result.lower_bound <= 80 <= result.length
    fast = check(solve(board, "blank-first", quality="fast"))
    assert fast.status == "solved"
    assert fast.lower_bound <= 80 <= fast.length


# --- every shape, goal and quality --------------------------------------------------------------


@pytest.mark.parametrize("quality", ["optimal", "fast", 1, 1.5, 3])
@settings(max_examples=40)
@given(data=st.data())
def test_3x3_in_every_quality(quality, data):
    goal = data.draw(goal_names())
    board = data.draw(reachable(3, 3, goal))
    result = check(solve(board, goal, quality=quality))
    assert result.status == "solved"
    assert result.length == exact_distance(board, goal)


@pytest.mark.parametrize("quality", ["optimal", "fast", 1.3, 5])
@pytest.mark.parametrize("tables", ["auto", "walking", "none"])
@settings(max_examples=10)
@given(data=st.data())
def test_small_shapes_without_the_exact_table_too(tables, quality, data):
    shape = data.draw(st.sampled_from([(2, 2), (2, 3), (3, 2), (2, 4), (1, 5), (5, 1), (3, 3)]))
    goal = data.draw(reachable(*shape, "snail"))
    board = data.draw(reachable(*shape, goal))
    result = check(solve(board, goal, quality=quality, tables=tables))
    assert result.status == "solved"
    optimum = exact_distance(board, goal)
    assert result.lower_bound <= optimum <= result.length
    if quality != "fast":
        assert result.length <= (1 if quality == "optimal" else quality) * optimum


@pytest.mark.parametrize("weight", [1.01, 1.04, 1.1, 1.25, 1.5, 2, 5, 200])
@settings(max_examples=25)
@given(board=reachable(4, 4))
def test_a_quality_is_a_guarantee(weight, board):
    result = check(solve(board, quality=weight, limit=Limit(expanded=3_000_000)))
    if result.status == "solved":
        assert result.length <= weight * result.lower_bound
        told = float(result.proof.removeprefix("within:")) if result.proof != "optimal" else 1
        assert told <= weight + 0.001


def test_the_longer_answers_may_be_the_less_they_cost():
    """Over some boards; and on none of them more than the shortest, where there is little room."""
    tables.obtain(goals.blank_first(4, 4), "default")
    boards = KORF[::4]

    def expanded(quality):
        found = [check(solve(board, "blank-first", quality=quality)) for board, _ in boards]
        assert all(
            result.length <= quality * optimum
            for result, (_, optimum) in zip(found, boards, strict=True)
        )
        return [result.stats.expanded for result in found]

    costs = {quality: expanded(quality) for quality in (1, 1.01, 1.03, 1.05, 1.1, 1.2, 1.5)}
    assert all(sum(more) >= sum(less) for more, less in pairwise(costs.values()))
    assert sum(costs[1.1]) < sum(costs[1]) / 2
    for quality in (1.01, 1.03, 1.05):
        assert all(few <= many for few, many in zip(costs[quality], costs[1], strict=True))


@settings(max_examples=15)
@given(reachable(2, 5))
def test_a_quality_holds_against_the_exact_distance(board):
    for weight in (1.2, 2):
        result = check(solve(board, quality=weight))
        assert exact_distance(board) <= result.length <= weight * exact_distance(board)
        assert result.lower_bound <= exact_distance(board)


@settings(max_examples=30)
@given(pairs(max_side=4))
def test_solved_or_unsolvable_as_solvability_says(pair):
    board, goal = pair
    result = check(solve(board, goal, limit=Limit(expanded=20_000)))
    assert (result.status == "unsolvable") == (not reaches(board, goal))
    assert result.status in ("solved", "unsolvable", "limit")


@settings(max_examples=40)
@given(shapes(7), st.integers(0, 2**32))
def test_fast_answers_whatever_the_shape(shape, seed):
    goal = Board.random(*shape, seed=seed + 1)
    board = Board.random(*shape, goal=goal, seed=seed)
    result = check(solve(board, goal, quality="fast", limit=Limit(expanded=300)))
    assert result.status == "solved"


@pytest.mark.parametrize("shape", [(10, 10), (2, 15), (15, 2), (1, 30), (30, 1), (6, 6)])
def test_large_boards_fast(shape):
    board = Board.random(*shape, seed=1)
    result = check(solve(board, quality="fast", limit=Limit(seconds=60)))
    assert result.status == "solved"
    assert result.proof.startswith("optimal" if 1 in shape else "within:")


@pytest.mark.parametrize("shape", [(1, 2), (2, 1), (1, 12), (12, 1)])
def test_lines_are_solved_best(shape):
    for seed in range(5):
        result = check(solve(Board.random(*shape, seed=seed)))
        assert result.proof == "optimal"


@pytest.mark.parametrize(
    "shape", [(2, 2), (2, 3), (3, 3), (3, 4), (4, 4), (5, 5), (10, 10), (1, 3), (12, 1)]
)
@pytest.mark.parametrize("options", [{}, {"quality": "fast"}, {"algorithm": "bfs"}], ids=str)
def test_unsolvable_boards_of_every_shape(shape, options):
    result = check(solve(goals.blank_last(*shape).exchange(1, 2), **options))
    assert result.status == "unsolvable"
    assert result.solution is None
    assert result.stats.expanded == 0
    assert "unsolvable" in result.reason


@pytest.mark.parametrize(
    "options", [{}, {"quality": "fast"}, {"quality": 2}, {"algorithm": "mm"}], ids=str
)
@pytest.mark.parametrize(
    "goal", [goals.blank_last(4, 4), goals.snail(5, 5), goals.blank_first(1, 4)]
)
def test_nothing_to_do(goal, options):
    result = check(solve(goal, goal, **options))
    assert (result.status, result.length, result.proof) == ("solved", 0, "optimal")


def test_renamed_tiles_make_the_same_puzzle():
    board = Board.random(4, 4, seed=2, walk=40)
    rename = [0, *reversed(range(1, 16))]
    goal = Board([rename[tile] for tile in goals.blank_last(4, 4)], shape=(4, 4))
    other = Board([rename[tile] for tile in board], shape=(4, 4))
    assert solve(other, goal).length == solve(board).length


# --- textbook algorithms through the door -------------------------------------------------------


@pytest.mark.parametrize(
    ("algorithm", "proof"),
    [
        ("bfs", True),
        ("bidirectional", True),
        ("ucs", True),
        ("astar", True),
        ("idastar", True),
        ("mm", True),
        ("rbfs", True),
        ("greedy", False),
        ("beam", False),
        ("wastar", False),
    ],
)
def test_algorithms_by_name(algorithm, proof):
    board = Board.random(3, 3, seed=4, walk=15)
    result = check(solve(board, algorithm=algorithm))
    assert result.algorithm == algorithm
    assert result.status == "solved"
    assert not proof or result.proof == "optimal"
    blind = algorithm in ("bfs", "bidirectional", "ucs")
    assert result.heuristic == (None if blind else "manhattan")


@settings(max_examples=20)
@given(reachable(3, 3), st.sampled_from([1.2, 2, 4]))
def test_a_quality_with_a_heuristic(board, weight):
    result = check(solve(board, quality=weight, heuristic="linear-conflict"))
    assert (result.algorithm, result.heuristic) == ("wastar", "linear-conflict")
    assert result.length <= weight * exact_distance(board)
    assert result.length <= weight * result.lower_bound
    fast = check(solve(board, quality="fast", heuristic="manhattan"))
    assert (fast.status, fast.algorithm) == ("solved", "greedy")
    exact = check(
        solve(board, heuristic="misplaced" if exact_distance(board) < 18 else "manhattan")
    )
    assert (exact.algorithm, exact.proof) == ("astar", "optimal")


def test_events_through_the_door():
    events = []
    result = check(solve(FAR, on_event=events.append))
    assert result.algorithm == "astar"
    assert len(events) == result.stats.expanded
    assert events[0].vertex == FAR
    assert all(reaches(event.vertex, result.goal) for event in events[:100])


@settings(max_examples=20)
@given(
    reachable(3, 3), st.integers(0, 300), st.sampled_from(["astar", "mm", "bfs", "idastar", "beam"])
)
def test_a_stopped_algorithm_stays_honest(board, expanded, algorithm):
    result = check(solve(board, algorithm=algorithm, limit=Limit(expanded=expanded)))
    assert result.lower_bound <= exact_distance(board)


# --- heuristics of yours ------------------------------------------------------------------------


def plain(board, goal):
    return heuristics.manhattan(board, goal)


def exaggerated(board, goal):
    return 3 * heuristics.manhattan(board, goal)


def promised(board, goal):
    return heuristics.manhattan(board, goal)


promised.admissible = True


@pytest.mark.parametrize(
    "algorithm", ["astar", "idastar", "greedy", "wastar", "rbfs", "mm", "beam"]
)
@pytest.mark.parametrize("heuristic", [plain, exaggerated])
def test_yours_proves_nothing_unless_it_says_so(algorithm, heuristic):
    board = Board.random(3, 3, seed=15, walk=22)
    result = check(solve(board, algorithm=algorithm, heuristic=heuristic))
    assert result.heuristic == heuristic.__name__
    assert result.lower_bound == solve(board, algorithm="dfs", limit=Limit(expanded=1)).lower_bound
    assert result.lower_bound < exact_distance(board)
    assert result.proof.startswith("within:")


def test_yours_proves_what_it_promises():
    board = Board.random(3, 3, seed=15, walk=22)
    result = check(solve(board, heuristic=promised))
    assert (result.proof, result.heuristic) == ("optimal", "promised")
    # The weighted search closes for good, so it asks for more than an admissible heuristic.
    weighted = check(solve(board, algorithm="wastar", heuristic=promised))
    assert weighted.lower_bound < exact_distance(board)


def test_a_function_without_a_name():
    board = Board.random(3, 3, seed=1, walk=8)
    assert solve(board, heuristic=lambda board, goal: 0.0).heuristic == "<lambda>"


# --- misuse -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"algorithm": "astr"}, UnknownNameError, "did you mean 'astar'"),
        ({"heuristic": "manhatten"}, UnknownNameError, "did you mean 'manhattan'"),
        ({"goal": "snale"}, UnknownNameError, "did you mean 'snail'"),
        ({"tables": "exat"}, UnknownNameError, "did you mean 'exact'"),
        ({"quality": "fst"}, UnknownNameError, "did you mean 'fast'"),
        ({"quality": 0.5}, OptionError, "quality must be a number from 1 on, not 0.5"),
        ({"quality": float("nan")}, OptionError, "quality must be"),
        ({"quality": float("inf")}, OptionError, "quality must be"),
        ({"quality": 10**400}, OptionError, r"quality must be a number from 1 to 1\.8e\+308"),
        ({"threads": 0}, OptionError, "threads must be 1 to 256"),
        ({"threads": 1.5}, OptionError, r"threads must be 1 to 256, not 1\.5"),
        ({"threads": "2"}, OptionError, "threads must be 1 to 256, not 2"),
        ({"weight": 2}, OptionError, "'weight' goes with an algorithm"),
        ({"algorithm": "astar", "weight": 2}, OptionError, "astar has no option 'weight'"),
        ({"algorithm": "beam", "width": 2.5}, OptionError, r"width must be a whole .* not 2\.5"),
        ({"algorithm": "dfs", "depth": 2.5}, OptionError, r"depth must be a whole .* not 2\.5"),
        ({"algorithm": "beam", "width": 0}, OptionError, "width must be a number from 1 on"),
        ({"goal": "1 2/3 0"}, BoardError, "the goal is 2×2, but the board is 3×3"),
        ({"goal": "1 2 3/4 5"}, BoardError, "row 2 has 2 cells"),
    ],
)
def test_misuse_is_named(options, error, message):
    with pytest.raises(error, match=message):
        solve(FAR, **options)


def test_whole_numbers_of_any_kind_will_do():
    assert solve(FAR, algorithm="beam", width=numpy.int64(2000)).status == "solved"
    assert solve(KORF[78][0], "blank-first", threads=numpy.int64(2)).status == "solved"


def test_tables_that_are_too_large():
    with pytest.raises(OptionError, match="11 and 12 cells, not 4×4"):
        solve(Board.random(4, 4, seed=1), tables="exact")
    with pytest.raises(OptionError, match="too large"):
        solve(HARD, tables="walking")


def test_text_is_a_board_too():
    assert solve("8 6 7/2 5 4/3 0 1").length == BoardGraph(3, 3).distance(FAR) == 31
    with pytest.raises(NotationError):
        solve("eight")


# --- several threads ----------------------------------------------------------------------------


@given(reachable(2, 7, walk=12), st.sampled_from([2, 3, 8]))
def test_solved_by_threads_is_proven_too(board, threads):
    result = solve(board, threads=threads, tables="none")
    assert (result.status, result.proof) == ("solved", "optimal")


# --- what contradicts itself ---------------------------------------------------------------------


def test_a_heuristic_that_rules_out_every_way_proves_nothing():
    result = solve("1 2 3/4 0 6/7 5 8", algorithm="idastar", heuristic=lambda board, goal: math.inf)
    assert result.status == "limit"
    assert "rules out" in result.reason


def test_goals_may_be_lists():
    assert solve("1 2/0 3", [[1, 2], [3, 0]]).length == 1


@pytest.mark.parametrize("value", [math.nan, None, "far"])
def test_a_heuristic_that_gives_no_number_is_refused(value):
    with pytest.raises(OptionError, match="is not a number"):
        solve(FAR, algorithm="astar", heuristic=lambda board, goal: value)


def test_numbers_of_other_kinds_are_written_too():
    def heuristic(board, goal):
        return numpy.int64(heuristics.manhattan(board, goal))

    result = solve("1 2 3/4 0 6/7 5 8", algorithm="idastar", heuristic=heuristic)
    assert json.loads(json.dumps(result.to_dict()))["stats"]["iterations"] == [[2, 2]]
