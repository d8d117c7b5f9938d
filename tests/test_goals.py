import pytest
from hypothesis import given
from strategies import goal_names, pairs, shapes

from taquin import Board, goals
from taquin.errors import BoardError, UnknownNameError
from taquin.graph import BoardGraph

DRAWN = [
    ("blank-last", "1 2 3 4/5 6 7 8/9 10 11 0"),
    ("blank-first", "0 1 2 3/4 5 6 7/8 9 10 11"),
    ("column-major", "1 4 7 10/2 5 8 11/3 6 9 0"),
    ("column-major", "1 4 7/2 5 8/3 6 0"),
    ("column-major", "1 2 0/"),
    ("snail", "1 2 3/8 0 4/7 6 5"),
    ("snail", "1 2 3 4/10 11 0 5/9 8 7 6"),
    ("snail", "1 2 3 4/12 13 14 5/11 0 15 6/10 9 8 7"),
    ("snail", "1 2/0 3/7 4/6 5"),
    ("snail", "1 2 0/"),
    ("snail", "1/2/0"),
]


@pytest.mark.parametrize(("name", "text"), DRAWN)
def test_the_named_goals_as_drawn(name, text):
    board = Board(text)
    assert goals.named(name, *board.shape) == board


@given(goal_names(), shapes(6))
def test_a_goal_is_a_board_that_knows_its_name(name, shape):
    goal = goals.named(name, *shape)
    assert sorted(goal.tiles) == list(range(shape[0] * shape[1]))
    # On a single line several names mean one board.
    assert goals.named(goals.name_of(goal), *shape) == goal
    assert goals.resolve(name, shape) == goals.resolve(goal, shape) == goal
    assert goals.resolve(str(goal), shape) == goal


def test_no_name_for_other_boards():
    assert goals.name_of(Board("2 1/3 0")) is None


@pytest.mark.parametrize("name", ["Snail", " snail ", "blank_last", "BLANK-FIRST"])
def test_names_are_read_kindly(name):
    assert goals.resolve(name, (3, 3)) in {make(3, 3) for make in goals.NAMED.values()}


def test_blank_last_unless_told():
    assert goals.resolve(None, (2, 2)) == goals.blank_last(2, 2)


def test_a_wrong_goal_is_named():
    with pytest.raises(UnknownNameError, match="unknown goal 'snale': did you mean 'snail'"):
        goals.resolve("snale", (3, 3))
    with pytest.raises(UnknownNameError, match="known are blank-last, blank-first"):
        goals.resolve("zzz", (3, 3))
    with pytest.raises(BoardError, match="the goal is 2×2, but the board is 3×3"):
        goals.resolve("1 2/3 0", (3, 3))
    with pytest.raises(BoardError, match="at least 1×2"):
        goals.snail(1, 1)


def test_goals_as_letters_are_boards_and_not_names():
    assert goals.resolve("ABCDEFGH0", (3, 3)) == goals.blank_last(3, 3)
    assert goals.resolve("x 1/2 3", (2, 2)) == goals.blank_first(2, 2)


@given(pairs())
def test_canonical_names_keep_the_puzzle(pair):
    """The goal reads 1, 2, 3 …, and what was a neighbour stays a neighbour."""
    board, goal = pair
    renamed = Board(goals.canonical(board, goal), shape=board.shape)
    order = [tile for tile in goals.canonical(goal, goal) if tile]
    assert order == list(range(1, len(goal)))
    assert renamed.blank == board.blank
    assert {str(b) for b in renamed.neighbours()} == {
        str(Board(goals.canonical(b, goal), shape=b.shape)) for b in board.neighbours()
    }


def test_row_order_and_column_order_lie_in_opposite_halves_of_3x3():
    assert goals.column_major(3, 3) not in BoardGraph(3, 3)
