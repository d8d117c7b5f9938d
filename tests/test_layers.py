"""Boards by their distance."""

from collections import Counter
from random import Random

import pytest
from strategies import exact_distance

from taquin import Board, BoardGraph, goals, solve
from taquin.errors import OptionError
from taquin.layers import Layers


@pytest.mark.parametrize("goal", ["blank-last", "blank-first", "snail", "column-major"])
@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (1, 5), (2, 4)])
def test_layers_are_those_of_a_plain_search(shape: tuple[int, int], goal: str) -> None:
    target = goals.named(goal, *shape)
    layers = Layers(target)
    expected: dict[int, list[Board]] = {}
    for board, distance in BoardGraph(*shape, target).distances():
        expected.setdefault(distance, []).append(board)
    assert list(layers.counts) == [len(boards) for boards in expected.values()]
    for distance, boards in expected.items():
        assert layers.boards(distance) == sorted(boards)


def test_draws_are_uniform() -> None:
    """Each of the 116 boards at 8 moves comes up about as often: a chi-square far from extreme."""
    layers = Layers(goals.snail(3, 3).exchange(1, 2))
    size = layers.counts[8]
    generator = Random(1)
    drawn = Counter(layers.draw(8, generator) for _ in range(100 * size))
    assert set(drawn) == set(layers.boards(8))
    chi = sum((count - 100) ** 2 / 100 for count in drawn.values())
    assert abs(chi - (size - 1)) < 5 * (2 * size) ** 0.5


def test_draws_depend_on_the_seed_alone() -> None:
    layers = Layers(goals.blank_last(3, 3))
    assert [layers.draw(20, Random(5)) for _ in range(3)] == [layers.draw(20, Random(5))] * 3
    for distance in (0, 1, 12, 31):
        board = layers.draw(distance, Random(distance))
        assert layers.distance(board) == exact_distance(board) == distance


@pytest.mark.parametrize("distance", [1, 14, 36])
def test_twelve_cells(distance: int) -> None:
    """Rare layers are listed, others drawn from; both give the distance that a search finds."""
    layers = Layers(goals.blank_first(3, 4))
    assert (sum(layers.counts), len(layers.counts) - 1) == (239_500_800, 53)
    board = layers.draw(distance, Random(3))
    assert layers.distance(board) == distance
    assert solve(board, layers.goal, tables="default").length == distance


def test_distances_that_no_board_has() -> None:
    layers = Layers(goals.blank_last(2, 2))
    for distance in (-1, 7):
        with pytest.raises(OptionError, match="the farthest 2×2 boards are 6"):
            layers.draw(distance, Random(1))
    with pytest.raises(OptionError, match="at most 12 cells, not 4×4"):
        Layers(goals.blank_last(4, 4))
