import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import reachable, shapes

from taquin import Board, goals
from taquin.construct import construct
from taquin.moves import simplify


@st.composite
def solvable_pairs(draw, max_side=6):
    """A goal with its blank anywhere, and a board that reaches it."""
    shape = draw(shapes(max_side))
    goal = draw(reachable(*shape, draw(st.sampled_from(sorted(goals.NAMED)))))
    return draw(reachable(*shape, goal)), goal


@given(solvable_pairs())
def test_every_solvable_board_is_solved(pair):
    board, goal = pair
    moves = construct(board, goal)
    assert board.slide(moves) == goal
    assert simplify(moves) == moves


@pytest.mark.parametrize("shape", [(2, 20), (20, 2), (3, 11), (11, 3), (12, 12), (1, 40), (40, 1)])
@pytest.mark.parametrize("goal", goals.NAMED)
def test_large_and_thin_boards(shape, goal):
    target = goals.named(goal, *shape)
    board = Board.random(*shape, goal=goal, seed=1)
    assert board.slide(construct(board, target)) == target


def test_nothing_to_do():
    for goal in (goals.blank_last(5, 5), goals.snail(4, 6), Board("1 0 2/")):
        assert construct(goal, goal) == ()


def test_lengths_stay_within_reason():
    """A greedy method needs about 8/3·n³ moves (Parberry)."""
    lengths = [len(construct(Board.random(8, 8, seed=i), goals.blank_last(8, 8))) for i in range(5)]
    assert max(lengths) < 8 / 3 * 8**3 * 1.3


def test_it_breathes():
    beats = []
    construct(Board.random(5, 5, seed=1), goals.blank_last(5, 5), lambda: beats.append(1))
    assert len(beats) >= 9

    def stop():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        construct(Board.random(5, 5, seed=1), goals.blank_last(5, 5), stop)


def test_what_can_not_be_reached():
    with pytest.raises(ValueError, match="does not reach"):
        construct(Board("2 1 3/4 5 6/7 8 0"), goals.blank_last(3, 3))
