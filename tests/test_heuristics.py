from collections import deque
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import exact_distance, pairs, reachable

from taquin import Board, check_heuristic, goals, heuristics
from taquin.errors import OptionError, UnknownNameError
from taquin.heuristics import (
    NAMED,
    gaschnig,
    linear_conflict,
    manhattan,
    misplaced,
    walking_distance,
    zero,
)
from taquin.parity import reaches

ALL = list(NAMED.values())
NAMES = list(NAMED)


def having_values(board: Board, goal: Board) -> list[heuristics.Heuristic]:
    """Walking distance has no value for tiles that would have to pass on a line."""
    walks = min(board.shape) > 1 or reaches(board, goal)
    return ALL if walks else [heuristic for heuristic in ALL if heuristic is not walking_distance]


# --- the promises -------------------------------------------------------------------------------


@pytest.mark.parametrize("goal", ["blank-last", "snail"])
@pytest.mark.parametrize("name", NAMES)
def test_promises_hold_on_all_boards_of_3x3(name, goal):
    check = check_heuristic(NAMED[name], goal=goal)
    assert check.boards == 181_440
    assert (check.admissible, check.consistent) == (True, True)
    assert check.overestimate is check.jump is None
    # Every tile is equally often in every cell, so these means follow by counting.
    means = {"zero": 0, "misplaced": 8 * 8 / 9, "manhattan": 14}
    assert goal == "snail" or check.mean == pytest.approx(means.get(name, check.mean))


@pytest.mark.parametrize("heuristic", [linear_conflict, walking_distance], ids=lambda h: h.name)
def test_the_strong_ones_hold_for_another_goal_too(heuristic):
    check = check_heuristic(heuristic, goal="blank-first")
    assert (check.admissible, check.consistent) == (True, True)


@pytest.mark.parametrize("shape", [(1, 6), (6, 1), (2, 2), (2, 3), (3, 2), (2, 4), (4, 2)])
@pytest.mark.parametrize("name", NAMES)
def test_promises_hold_on_small_shapes(name, shape):
    for goal in ("blank-first", Board.random(*shape, seed=3)):
        check = check_heuristic(NAMED[name], *shape, goal=goal)
        assert (check.admissible, check.consistent) == (True, True)


@pytest.mark.parametrize("shape", [(4, 4), (2, 5), (3, 4), (5, 2)])
@given(data=st.data())
def test_never_more_than_a_walk_and_never_a_jump(shape, data):
    goal = data.draw(st.sampled_from([*goals.NAMED, Board.random(*shape, seed=1)]))
    steps = data.draw(st.integers(0, 60))
    board = data.draw(reachable(*shape, goal, walk=steps))
    for heuristic in ALL:
        value = heuristic(board, goal)
        assert value <= steps
        for neighbour in board.neighbours():
            assert abs(heuristic(neighbour, goal) - value) <= 1


@given(reachable(2, 5))
def test_never_more_than_the_exact_distance_of_2x5(board):
    assert all(heuristic(board) <= exact_distance(board) for heuristic in ALL)


@given(pairs(max_side=4))
def test_each_is_zero_at_the_goal_and_there_alone(pair):
    board, goal = pair
    for heuristic in having_values(board, goal):
        assert heuristic(goal, goal) == 0
        if heuristic is not zero:
            assert (heuristic(board, goal) == 0) == (board == goal)


@given(pairs(max_side=4))
def test_which_is_stronger(pair):
    board, goal = pair
    value = {h.name: h(board, goal) for h in having_values(board, goal)}
    assert 0 == value["zero"] <= value["misplaced"] <= value["manhattan"]
    assert value["misplaced"] <= value["gaschnig"]
    assert value["manhattan"] <= value["linear-conflict"]
    assert value["manhattan"] <= value.get("walking-distance", value["manhattan"])


# --- the values ---------------------------------------------------------------------------------


@given(pairs(max_side=4))
def test_the_parts_add_up(pair):
    board, goal = pair
    for heuristic in having_values(board, goal):
        breakdown = heuristic.explain(board, goal)
        assert breakdown.heuristic == heuristic.name
        assert breakdown.total == sum(part.value for part in breakdown.parts)
        assert breakdown.total == heuristic(board, goal)
        assert breakdown.to_dict()["total"] == breakdown.total


def test_the_known_breakdown():
    breakdown = manhattan.explain(Board("7 2 4 / 5 0 6 / 8 3 1"), "blank-first")
    assert breakdown.total == 18
    assert breakdown.per_tile() == {1: 3, 2: 1, 3: 2, 4: 2, 5: 2, 6: 3, 7: 3, 8: 2}


def test_breakdowns_tell_what_they_are_about():
    board = Board("3 2 1/4 5 6/8 7 0")
    conflicts = linear_conflict.explain(board).parts[8:]
    assert [(part.name, part.value) for part in conflicts] == [("row 1", 4), ("row 3", 2)]
    assert [part.name for part in gaschnig.explain(board).parts] == ["cycle 1 3", "cycle 7 8"]
    assert gaschnig.explain(board).total == 6
    assert misplaced.explain(board).per_tile() == {
        1: 1, 2: 0, 3: 1, 4: 0, 5: 0, 6: 0, 7: 1, 8: 1,
    }  # fmt: skip
    assert [part.name for part in walking_distance.explain(board).parts] == ["rows", "columns"]


@given(pairs())
def test_misplaced_and_manhattan_by_definition(pair):
    board, goal = pair
    places = [divmod(board.tiles.index(tile), board.cols) for tile in range(1, len(board))]
    homes = [divmod(goal.tiles.index(tile), goal.cols) for tile in range(1, len(goal))]
    assert misplaced(board, goal) == sum(a != b for a, b in zip(places, homes, strict=True))
    assert manhattan(board, goal) == sum(
        abs(r - s) + abs(c - d) for (r, c), (s, d) in zip(places, homes, strict=True)
    )


@given(pairs())
def test_gaschnig_by_making_the_jumps(pair):
    board, goal = pair
    tiles, jumps = list(board), 0
    while tiles != list(goal):
        blank = tiles.index(0)
        if wanted := goal.tiles[blank]:
            other = tiles.index(wanted)
        else:
            other = next(i for i, tile in enumerate(tiles) if tile != goal.tiles[i])
        tiles[blank], tiles[other] = tiles[other], 0
        jumps += 1
    assert gaschnig(board, goal) == jumps


def least_removed(line: list[int], home: list[int]) -> int:
    """By trying: the fewest tiles to remove so that those at home in the line are in order."""
    places = [home.index(tile) for tile in line if tile and tile in home]
    return next(
        count
        for count in range(len(places) + 1)
        for kept in combinations(places, len(places) - count)
        if sorted(kept) == list(kept)
    )


@given(pairs())
def test_linear_conflict_removes_as_few_tiles_as_can_be(pair):
    board, goal = pair
    lines = zip([*board.grid(), *columns(board)], [*goal.grid(), *columns(goal)], strict=True)
    removed = sum(least_removed(line, home) for line, home in lines)
    assert linear_conflict(board, goal) == manhattan(board, goal) + 2 * removed


def columns(board: Board) -> list[list[int]]:
    return [list(column) for column in zip(*board.grid(), strict=True)]


def test_linear_conflict_where_counting_pairs_overestimates():
    """1 stands behind 2, 3 and 4; one tile out of the way is enough, not three."""
    board = Board("2 3 4 1/5 6 7 8/9 10 11 12/13 14 15 0")
    assert linear_conflict(board) == 6 + 2


def walking_table(goal: Board) -> dict[tuple, int]:
    """Breadth first over (blank's row, how many tiles of each goal row stand in each row)."""
    start = walking_state(goal, goal)
    distances = {start: 0}
    queue = deque([start])
    while queue:
        state = queue.popleft()
        blank, counts = state
        for row in (blank - 1, blank + 1):
            for kind in range(len(counts)):
                if 0 <= row < len(counts) and counts[row][kind]:
                    after = [list(line) for line in counts]
                    after[row][kind] -= 1
                    after[blank][kind] += 1
                    following = (row, tuple(map(tuple, after)))
                    if following not in distances:
                        distances[following] = distances[state] + 1
                        queue.append(following)
    return distances


def walking_state(board: Board, goal: Board) -> tuple:
    counts = [[0] * board.rows for _ in range(board.rows)]
    for cell, tile in enumerate(board):
        if tile:
            counts[cell // board.cols][goal.tiles.index(tile) // board.cols] += 1
    return board.blank // board.cols, tuple(map(tuple, counts))


def transposed(board: Board) -> Board:
    return Board(columns(board))


@pytest.mark.parametrize("goal", ["blank-last", "snail", "random"])
@pytest.mark.parametrize("shape", [(3, 3), (2, 4), (4, 2), (3, 4)])
def test_walking_distance_agrees_with_a_plain_search(shape, goal):
    target = Board.random(*shape, seed=5) if goal == "random" else goals.named(goal, *shape)
    rows, cols = walking_table(target), walking_table(transposed(target))
    for seed in range(300):
        board = Board.random(*shape, goal=target, seed=seed)
        by_rows = rows[walking_state(board, target)]
        by_cols = cols[walking_state(transposed(board), transposed(target))]
        parts = walking_distance.explain(board, target).parts
        assert [part.value for part in parts] == [by_rows, by_cols]


@given(pairs(max_side=4))
def test_boards_that_never_reach_the_goal_can_be_explained_too(pair):
    board, goal = pair
    for heuristic in having_values(board, goal):
        assert heuristic.explain(board, goal).total >= 0


@pytest.mark.parametrize("text", ["2 1 0/", "2/1/0"])
def test_no_walk_brings_tiles_on_a_line_past_each_other(text):
    for ask in (walking_distance, walking_distance.explain):
        with pytest.raises(OptionError, match="never reaches"):
            ask(Board(text))


def test_walking_distance_says_where_its_tables_end():
    with pytest.raises(OptionError, match=r"9×9 boards is too large.*use linear-conflict"):
        walking_distance(goals.blank_last(9, 9))


def test_large_boards_have_the_other_heuristics():
    board = Board.random(30, 30, seed=1)
    assert manhattan(board) == manhattan.explain(board).total <= linear_conflict(board)


# --- names and checks ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "heuristic"),
    [
        ("Hamming", misplaced),
        ("taxicab", manhattan),
        ("none", zero),
        ("LINEAR_CONFLICT", linear_conflict),
    ],
)
def test_names_are_read_kindly(name, heuristic):
    assert heuristics.get(name) is heuristic


def test_unknown_names():
    with pytest.raises(UnknownNameError, match="did you mean 'manhattan'"):
        heuristics.get("manhatan")


def test_check_finds_an_overestimate():
    check = check_heuristic(lambda board, goal: 2 * manhattan(board, goal), 2, 3)
    assert not check.admissible
    assert not check.consistent
    board, value, distance = check.overestimate
    assert value == 2 * manhattan(board)
    assert distance == exact_distance(board)
    assert value > distance


def test_check_finds_a_single_overestimate_among_all():
    far = Board("0 7 2 1/4 3 6 5")  # the published farthest board of 2×4

    def wrong(board, goal):
        return 37 if board == far else 0

    check = check_heuristic(wrong, 2, 4)
    assert not check.admissible
    assert check.overestimate == (far, 37, 36)


def test_check_finds_an_inconsistent_one_that_is_admissible():
    def fickle(board, goal):
        return manhattan(board, goal) if board[0, 0] == 1 else 0

    check = check_heuristic(fickle, 2, 3)
    assert check.admissible
    assert not check.consistent
    here, there = check.jump
    assert there in here.neighbours()
    assert abs(fickle(here, None) - fickle(there, None)) > 1


def test_check_minds_the_goal():
    check = check_heuristic(lambda board, goal: 1, 2, 2)
    assert not check.admissible
    assert not check.consistent


def test_check_takes_fractions():
    check = check_heuristic(lambda board, goal: manhattan(board, goal) / 2, 2, 3)
    assert check.admissible
    assert check.consistent
    assert check.mean == pytest.approx(check_heuristic(manhattan, 2, 3).mean / 2)
