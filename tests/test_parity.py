import re
from functools import cache
from itertools import combinations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import SMALL_SHAPES, all_boards, boards, data_lines, pairs, shapes

from taquin import Board, goals, heuristics, solvability
from taquin.errors import BoardError
from taquin.parity import reaches


def component(goal: Board) -> set[Board]:
    """All boards connected with a goal, found by walking."""
    seen = {goal}
    waiting = [goal]
    while waiting:
        fresh = set(waiting.pop().neighbours()) - seen
        seen |= fresh
        waiting += fresh
    return seen


def some_goals(rows: int, cols: int) -> set[Board]:
    """The named goals, and others with the blank in every cell (every third of more than six)."""
    cells = rows * cols
    named = {goals.named(name, rows, cols) for name in goals.NAMED}
    tiles = [tile for tile in Board.random(rows, cols, goal="snail", seed=cells) if tile][::-1]
    return named | {
        Board([*tiles[:cell], 0, *tiles[cell:]], shape=(rows, cols))
        for cell in range(0, cells, 1 if cells <= 6 else 3)
    }


@pytest.mark.parametrize("shape", SMALL_SHAPES)
def test_solvability_is_right_on_all_small_boards(shape):
    everything = list(all_boards(*shape))
    for goal in some_goals(*shape):
        connected = component(goal)
        assert all(reaches(board, goal) == (board in connected) for board in everything)


@cache
def halves_of_3x3() -> tuple[set[Board], set[Board]]:
    goal = goals.blank_last(3, 3)
    return component(goal), component(goal.exchange(1, 2))


def test_the_boards_of_3x3_fall_into_two_halves():
    a, b = halves_of_3x3()
    assert len(a) == len(b) == 181_440
    assert not a & b


@pytest.mark.parametrize("goal", [*goals.NAMED, "5 0 2/3 7 1/8 4 6"])
def test_solvability_is_right_on_all_boards_of_3x3(goal):
    target = goals.resolve(goal, (3, 3))
    near, far = halves_of_3x3() if target in halves_of_3x3()[0] else halves_of_3x3()[::-1]
    assert all(reaches(board, target) for board in near)
    assert not any(reaches(board, target) for board in far)


@pytest.mark.parametrize("shape", [(1, 9), (9, 1)])
def test_solvability_is_right_on_all_lines_of_nine(shape):
    for goal in (goals.blank_last(*shape), Board("8 5 2 0 4 3 1 7 6", shape=shape)):
        connected = component(goal)
        assert len(connected) == 9
        assert {board for board in all_boards(*shape) if reaches(board, goal)} == connected


@given(shapes(7), st.integers(0, 2**32), st.integers(0, 200))
def test_what_a_walk_reaches_is_solvable(shape, seed, steps):
    goal = Board.random(*shape, seed=seed, walk=17)
    board = Board.random(*shape, goal=goal, seed=seed, walk=steps)
    assert solvability(board, goal)
    assume(min(shape) > 1)
    assert not solvability(board.exchange(1, len(board) - 1), goal)


@given(pairs(max_side=6))
def test_the_rule_in_its_textbook_form(pair):
    """Connected exactly if permutation and taxicab distance of the blanks have one parity."""
    board, goal = pair
    assume(min(board.shape) > 1)
    place = {tile: cell for cell, tile in enumerate(goal)}
    cycles, unseen = 0, set(board)
    while unseen:
        cycles += 1
        tile = unseen.pop()
        while (tile := board.tiles[place[tile]]) in unseen:
            unseen.remove(tile)
    odd = (len(board) - cycles) % 2
    verdict = solvability(board, goal)
    assert verdict.permutation == ("odd" if odd else "even")
    assert verdict.solvable == (odd == verdict.blank_distance % 2)


@given(pairs())
def test_the_numbers(pair):
    board, goal = pair
    verdict = solvability(board, goal)
    order = {tile: place for place, tile in enumerate(goal)}
    places = [order[tile] for tile in board if tile]
    assert verdict.inversions == sum(a > b for a, b in combinations(places, 2))
    (r, c), (r_goal, c_goal) = (divmod(b.blank, board.cols) for b in (board, goal))
    assert verdict.blank_distance == abs(r - r_goal) + abs(c - c_goal)
    assert bool(verdict) == verdict.solvable == reaches(board, goal) == reaches(goal, board)


@given(pairs())
def test_the_reason_is_one_sentence_with_the_right_numbers(pair):
    board, goal = pair
    verdict = solvability(board, goal)
    reason = verdict.reason
    assert reason.startswith("solvable: " if verdict else "unsolvable: ")
    assert reason.endswith(".")
    assert "\n" not in reason
    if min(board.shape) == 1:
        assert ("don't have" in reason) != verdict.solvable
        return
    assert f"with {board.cols} columns" in reason
    rows = abs(board.blank // board.cols - goal.blank // board.cols)
    numbers = [verdict.inversions] if board.cols % 2 else [verdict.inversions, rows]
    parity = "odd" if sum(numbers) % 2 else "even"
    assert reason.endswith(f"and {' + '.join(map(str, numbers))} is {parity}.")
    assert verdict.solvable == (parity == "even")


@given(pairs())
def test_every_no_has_the_nearest_fix(pair):
    board, goal = pair
    verdict = solvability(board, goal)
    if verdict:
        assert verdict.fix is None
    elif min(board.shape) > 1:
        assert verdict.fix is not None
        assert reaches(board.exchange(*verdict.fix), goal)
        manhattan = heuristics.manhattan.bind(goal)
        fixes = [pair for pair in combinations(range(1, len(board)), 2) if near(board, goal, *pair)]
        assert verdict.fix in fixes
        best = min(manhattan(board.exchange(a, b)) for a, b in fixes)
        assert manhattan(board.exchange(*verdict.fix)) == best


def near(board: Board, goal: Board, a: int, b: int) -> bool:
    """Whether two tiles lie side by side, or one of them in the other's place."""
    cells = [board.tiles.index(tile) for tile in (a, b)]
    (r, c), (s, d) = (divmod(cell, board.cols) for cell in cells)
    return abs(r - s) + abs(c - d) == 1 or goal.tiles[cells[0]] == b or goal.tiles[cells[1]] == a


@pytest.mark.parametrize("pair", [(1, 8), (2, 7), (3, 4)])
def test_two_exchanged_tiles_are_the_fix(pair):
    assert solvability(goals.blank_last(3, 3).exchange(*pair)).fix == pair


@pytest.mark.parametrize("shape", [(1, 5), (5, 1)])
def test_on_a_line_there_is_a_fix_exactly_if_one_exchange_helps(shape):
    goal = goals.blank_last(*shape)
    for board in all_boards(*shape):
        verdict = solvability(board)
        helping = {
            pair for pair in combinations(range(1, 5), 2) if reaches(board.exchange(*pair), goal)
        }
        if not verdict:
            assert ({verdict.fix} if verdict.fix else set()) == helping


@given(boards(max_side=4))
def test_the_named_goals_that_can_be_reached(board):
    verdict = solvability(board, "snail")
    assert set(verdict.goals) == {name for name in goals.NAMED if solvability(board, name).solvable}
    assert verdict.solvable == ("snail" in verdict.goals)


@given(boards(3, 3))
def test_row_order_or_column_order_but_never_both(board):
    assert ("blank-last" in solvability(board).goals) != (
        "column-major" in solvability(board).goals
    )


@pytest.mark.parametrize(
    ("text", "goal", "answer", "inversions", "source"), data_lines("boards.txt")
)
def test_boards_with_known_answers(text, goal, answer, inversions, source):
    verdict = solvability(Board(text), goal)
    assert verdict.solvable == (answer != "unsolvable")
    if inversions != "-":
        assert verdict.inversions == int(inversions)
        assert re.search(rf"\b{inversions}\b", verdict.reason)


def test_the_sentence_about_fourteen_and_one():
    board = Board("1 2 7 4 / 3 0 6 10 / 8 5 13 11 / 9 12 14 15")
    assert solvability(board, "blank-first").reason == (
        "unsolvable: with 4 columns a move never changes whether the inversions plus the blank's "
        "rows from home are even, and 14 + 1 is odd."
    )


def test_as_plain_values():
    assert solvability(Board("1 2/3 0").exchange(1, 2)).to_dict() == {
        "solvable": False,
        "reason": "unsolvable: with 2 columns a move never changes whether the inversions plus "
        "the blank's rows from home are even, and 1 + 0 is odd.",
        "inversions": 1,
        "permutation": "odd",
        "blank_distance": 0,
        "fix": [1, 2],
        "goals": ["blank-first", "column-major"],
    }


def test_a_goal_of_another_shape_is_an_error():
    with pytest.raises(BoardError, match="the goal is 2×2, but the board is 3×3"):
        solvability(goals.blank_last(3, 3), goals.blank_last(2, 2))
